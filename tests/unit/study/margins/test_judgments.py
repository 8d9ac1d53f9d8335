"""The margin of judgments against all other grades that the judgments of small campaigns could have."""

from __future__ import annotations

from itertools import product
from math import inf

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

import measurand as md
from measurand.judged import Pool
from measurand.measures import catalogue, parse
from measurand.study.margins import average_precision_regrading, regrading_tables, scaled_regrading
from measurand.study.margins.documents import pair_documents
from measurand.study.margins.judgments import judgments_margin
from measurand.study.margins.margin import How
from measurand.study.margins.pair import compared_pair

DOCUMENTS = ("d1", "d2", "d3", "d4", "d5")

last = md.define(lambda run: max((i * g for i, g in enumerate(run, 1)), default=0), name="Last", graded=True)
share = md.define(
    lambda run, base: sum(g > 0 for g in run) ** 2 / (1 + base), name="Share", uses_recall_base=True, bounds=(0, 9)
)

ADDITIVE = ["P@2", "RBP(p=0.5)@3", "DCG@3", "gP@2", "NumRelRet", "Success@1", "RBP(rel=2)@3", "P(judged_only=True)@2"]
OTHERS = ["AP", "AP(rel=2)", "nDCG", "nDCG@2", "RR", "ERR@3", "Bpref", "R@2", "F", "Rprec", "Q", "gR@2", "Success@2"]


@st.composite
def campaigns(draw, topics=2, highest=2, most=4):
    """Return runs of two systems and judgments of some documents, few enough to try all other grades."""
    runs: dict[str, dict[str, dict[str, float]]] = {"a": {}, "b": {}}
    judgments: dict[str, dict[str, int]] = {}
    for topic in map(str, range(1, topics + 1)):
        for system in runs.values():
            returned = draw(st.permutations(DOCUMENTS))[: draw(st.integers(1, 4))]
            system[topic] = {name: 9.0 - place for place, name in enumerate(returned)}
        named = draw(st.permutations(DOCUMENTS))[: draw(st.integers(1, most))]
        judgments[topic] = {name: draw(st.integers(0, highest)) for name in named}
    judgments["1"][next(iter(judgments["1"]))] = highest
    return runs, judgments


def pair_of(campaign, measure, **claim):
    runs, judgments = campaign
    return compared_pair(md.judge(runs, judgments), measure, "a", "b", **claim)


def smallest(campaign, pair):
    """Return the fewest changed judgments that overturn an order, trying all grades of all documents."""
    runs, judgments = campaign
    highest = max(grade for grades in judgments.values() for grade in grades.values())
    tables = [lowest_differences(runs, judgments[topic], topic, pair, highest) for topic in pair.topics]
    sizes = [sorted(table) for table in tables]
    done = [
        sum(chosen)
        for chosen in product(*sizes)
        if sum(table[size] for table, size in zip(tables, chosen, strict=True))
        <= (0 if pair.exact is not None else pair.tolerance * len(tables))
    ]
    return min(done, default=inf)


def lowest_differences(runs, judgments, topic, pair, highest):
    """Return the lowest difference of a topic for every number of changed judgments."""
    found: dict[int, object] = {}
    for size, difference in differences(runs, judgments, topic, pair, highest):
        found[size] = min(found.get(size, difference), difference)
    return found


def differences(runs, judgments, topic, pair, highest):
    """Return the number of changed judgments and the difference of a topic for all grades that they could have."""
    measure, found = pair.measure, []
    for grades in product(range(highest + 1), repeat=len(judgments)):
        other = dict(zip(judgments, grades, strict=True))
        pool = Pool(tuple(grades.count(grade) for grade in range(highest + 1)))
        values = []
        for system in (pair.ahead, pair.behind):
            ordered = [other.get(name, -1) for name in runs[system][topic]]
            value = measure.exact(measure.view((*ordered, *[-2] * (pair.judged.depth - len(ordered)))), pool)
            values.append(float(value) if pair.exact is None else value)
        found.append((sum(other[name] != judgments[name] for name in judgments), values[0] - values[1]))
    return found


def check(campaign, measure):
    pair = pair_of(campaign, measure)
    margin = judgments_margin(pair, pair_documents(pair))
    right = smallest(campaign, pair)
    assert margin.at_least <= right <= margin.value
    if margin.how is How.EXACT:
        assert margin.value == right
    if margin.value < inf:
        assert len(margin.certificate) == margin.value
        changed = pair.measure.scores(margin.certificate.apply())
        lead = changed.goodness[0].mean() - changed.goodness[1].mean()
        assert lead <= pair.tolerance
    return margin


@given(campaign=campaigns(), measure=st.sampled_from(ADDITIVE))
def test_the_margin_of_an_additive_measure_is_the_smallest_number_of_changes_there_is(campaign, measure):
    assert check(campaign, measure).how is How.EXACT


@settings(max_examples=2 * settings().max_examples)
@given(campaign=campaigns(), measure=st.sampled_from(OTHERS).map(parse) | st.sampled_from([last, share]))
def test_the_margin_of_other_measures_is_exact_where_few_documents_were_judged(campaign, measure):
    assert check(campaign, measure).how is How.EXACT


@given(campaign=campaigns(), measure=st.sampled_from(["AP", "nDCG", "R@2", "RR", "ERR@3", "F", "Q"]))
def test_what_is_not_looked_at_completely_is_bounded_from_both_sides(campaign, measure):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(regrading_tables, "EFFORT", 0)
        patched.setattr(scaled_regrading, "FIRST", 7)
        patched.setattr(scaled_regrading, "VECTORS", 7)
        patched.setattr(average_precision_regrading, "SETS", 1)
        patched.setattr(average_precision_regrading, "CANDIDATES", 1)
        check(campaign, measure)


MEASURES = sorted(name for name, measure in catalogue().items() if not measure.about_judgments)


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_of_the_catalogue_has_a_margin_whose_certificate_overturns_the_order(name):
    runs = {
        "a": {str(t): {f"d{i}": 9.0 - i for i in range(4)} for t in range(3)},
        "b": {str(t): {f"d{(i + t) % 6}": 9.0 - i for i in range(4)} for t in range(1, 4)},
    }
    runs["b"]["0"], runs["a"]["3"] = {"d5": 2.0, "d0": 1.0, "d1": 1.0}, {"d1": 2.0, "d0": 1.0}
    judgments = {str(t): {f"d{i}": (i + t) % 2 * (1 + i % 2) for i in range(6)} for t in range(4)}
    pair = pair_of((runs, judgments), catalogue()[name])
    margin = judgments_margin(pair, pair_documents(pair))
    assert 0 <= margin.at_least <= margin.value
    if margin.value < inf:
        assert margin.certificate.overturns()
        assert not evolve(
            pair, judged=margin.certificate.apply(), scores=pair.measure.scores(margin.certificate.apply())
        ).holds


def wide(topics=8):
    """Return a campaign of which a wins most topics."""
    runs = {
        "a": {str(t): {f"d{i}": 9.0 - i for i in range(5)} for t in range(topics)},
        "b": {str(t): {f"d{(i * 3 + t) % 9}": 9.0 - i for i in range(5)} for t in range(topics)},
    }
    return runs, {str(t): {f"d{i}": int(i < 3 + t % 3) for i in range(8)} for t in range(topics)}


@pytest.mark.parametrize("test", ["t", "sign", "wilcoxon"])
@pytest.mark.parametrize("measure", ["P@5", "AP", "nDCG@5"])
def test_significance_takes_no_more_changes_than_the_order(measure, test):
    campaign = wide()
    pair = pair_of(campaign, measure, claim="significant", test=test, alpha=0.2)
    assert pair.holds
    margin = judgments_margin(pair, pair_documents(pair))
    order = pair_of(campaign, measure)
    assert 1 <= margin.at_least <= margin.value <= judgments_margin(order, pair_documents(order)).value
    changed = margin.certificate.apply()
    assert pair.overturned(pair.measure.scores(changed).goodness)


@given(campaign=campaigns(topics=3, highest=1, most=3), measure=st.sampled_from(["P@2", "RR", "AP", "nDCG@2"]))
def test_no_fewer_changes_than_are_said_take_the_significance(campaign, measure):
    runs, judgments = campaign
    pair = pair_of(campaign, measure, claim="significant", alpha=0.4)
    margin = judgments_margin(pair, pair_documents(pair))
    topics = [differences(runs, judgments[topic], topic, pair, 1) for topic in pair.topics]
    sizes, values = (
        np.array(list(product(*each)), dtype=float)
        for each in zip(*(zip(*topic, strict=True) for topic in topics), strict=True)
    )
    means, spread = values.mean(axis=1), values.std(axis=1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        pvalues = 2 * student.sf(means * np.sqrt(values.shape[1]) / spread, values.shape[1] - 1)
    undone = (means <= pair.tolerance) | ((spread > 1e-9) & (pvalues > pair.alpha))
    # no flip of signs reaches a p below 2 · 2^−k on k topics that differ
    undone |= 2 * 0.5 ** (np.abs(values) > 1e-9).sum(axis=1) > pair.alpha
    assert margin.at_least <= min(sizes[undone].sum(axis=1), default=inf) <= margin.value
    if 0 < margin.value < inf:
        assert margin.certificate.overturns()


def test_one_change_that_takes_the_significance_is_found():
    campaign = wide(12)
    # the other way round on two topics, so that t has more to fear than the signs of so many topics
    for topic in ("0", "1"):
        campaign[0]["a"][topic], campaign[0]["b"][topic] = campaign[0]["b"][topic], campaign[0]["a"][topic]
    pair = pair_of(campaign, "P@5", claim="significant", alpha=0.2)
    weak = pair_of(campaign, "P@5", claim="significant", alpha=pair.pvalue_of(pair.goodness) * 1.001)
    margin = judgments_margin(weak, pair_documents(weak))
    assert (margin.value, margin.how) == (1, How.EXACT)


def test_a_claim_that_is_untrue_takes_no_change():
    pair = pair_of(({"a": {"1": {"d1": 1.0}}, "b": {"1": {"d1": 1.0}}}, {"1": {"d1": 1}}), "RR")
    margin = judgments_margin(pair, pair_documents(pair))
    assert (margin.value, margin.how, len(margin.list)) == (0, How.EXACT, 0)
    assert margin.sentence == "it does not hold as it is"


def test_where_no_change_overturns_it_the_margin_is_infinite():
    runs = {"a": {"1": {"d1": 2.0, "d2": 1.0}}, "b": {"1": {"d3": 2.0}}}
    pair = pair_of((runs, {"1": {"d1": 1, "d2": 0}}), "NumRet")
    margin = judgments_margin(pair, pair_documents(pair))
    assert (margin.value, margin.proof, margin.certificate) == (inf, True, None)
    assert str(margin) == "no change of the 2 judgments overturns it"


def test_the_list_shows_the_judgments_with_the_largest_effects_and_marks_those_of_the_certificate():
    runs = {"a": {"7": {"d1": 3.0, "d2": 2.0}}, "b": {"7": {"d3": 3.0, "d2": 2.0}}}
    pair = pair_of((runs, {"7": {"d1": 1, "d2": 0, "d3": 0, "d4": 1}}), "AP")
    margin = judgments_margin(pair, pair_documents(pair))
    frame = margin.to_polars()
    assert frame.columns == [
        "topic",
        "document",
        "rank_ahead",
        "rank_behind",
        "grade",
        "other_grade",
        "effect",
        "in_certificate",
        "alike",
    ]
    assert frame["document"].to_list() == ["d1", "d3"]
    assert frame["rank_ahead"].to_list() == [1, None]
    assert frame["effect"].to_list() == pytest.approx([-0.5, -0.5])
    assert frame["in_certificate"].sum() == margin.value == 1
    assert len(judgments_margin(pair, pair_documents(pair), top=1).list) == 1


def test_among_equal_effects_the_judgments_of_the_certificate_come_first():
    runs = {
        "a": {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "2": {"d1": 3.0, "d2": 2.0}},
        "b": {"1": {"d4": 3.0, "d5": 2.0}, "2": {"d3": 3.0, "d1": 2.0}},
    }
    judgments = {"1": {"d1": 0, "d2": 0, "d3": 1, "d4": 1, "d5": 0}, "2": {"d1": 1, "d2": 1, "d3": 0}}
    pair = pair_of((runs, judgments), "P@3")
    margin = judgments_margin(pair, pair_documents(pair))
    assert [row.in_certificate for row in margin.list.judgments] == [True, False, False, False]
    assert len({row.effect for row in margin.list.judgments}) == 1


def test_interchangeable_judgments_are_listed_once():
    runs = {"a": {"7": {"d1": 3.0}}, "b": {"7": {"d3": 3.0}}}
    pair = pair_of((runs, {"7": {"d1": 1, "d3": 0, "d4": 0, "d5": 0}}), "AP")
    [row] = [
        row
        for row in judgments_margin(pair, pair_documents(pair)).list.judgments
        if row.rank_ahead is None and row.rank_behind is None
    ]
    assert (row.alike, row.grade, row.other_grade) == (2, 0, 1)


def test_the_margin_is_ready_for_json():
    runs = {"a": {"7": {"d1": 3.0}}, "b": {"7": {"d3": 3.0}}}
    pair = pair_of((runs, {"7": {"d1": 1, "d4": 0}}), "P@1")
    found = judgments_margin(pair, pair_documents(pair)).to_dict()
    assert (found["value"], found["of"], found["how"]) == (1, 1, "exact")
    assert found["sentence"] == "1 of 1 judgment would have to be wrong"
    assert found["certificate"] == [
        {"topic": "7", "document": "d1", "rank_ahead": 1, "rank_behind": None, "grade": 1, "other_grade": 0}
    ]
