"""A measure turned round, and declared so, says the same: of systems, of pairs, of itself."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from attrs import evolve, field, frozen
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import measurand as md
from measurand.axioms import AXIOMS, Space, Topic, contest, examine, is_measurement
from measurand.axioms.balance import balancing_index
from measurand.display.latex import latex_table
from measurand.display.tables import Document
from measurand.display.terminal import terminal_text
from measurand.judged import JudgedRuns
from measurand.measures import Measure, as_measure, define, parse
from measurand.orders import ORDERS
from measurand.scale import Scale
from measurand.scales.meaning import check
from measurand.scores import Scores
from measurand.statistics import TESTS, effects, kendall, tau_ap
from measurand.study.profile import profile

FEW = settings(max_examples=10, deadline=None)
SYSTEMS, TOPICS = tuple("abcd"), tuple("123456")
OPTIONS = {
    "randomisation": {"permutations": 50},
    "randomised_tukey": {"permutations": 50},
    "bootstrap": {"resamples": 50},
}
OF_MEANS = {"paired_t", "one_way_anova", "two_way_anova", "randomisation", "randomised_tukey", "bootstrap"}


def turned(scores: Scores) -> Scores:
    """The same scores, as costs."""
    return evolve(scores, values=0.0 - scores.values, lower_is_better=not scores.lower_is_better)


@st.composite
def some_scores(draw, gaps: bool = True) -> Scores:
    """Scores with ties, on any scale; perhaps with topics left out."""
    value = st.integers(0, 6).map(lambda whole: whole / 4)
    drawn = draw(st.lists(value, min_size=24, max_size=24))
    values = np.array(drawn).reshape(len(SYSTEMS), len(TOPICS))
    if gaps and draw(st.booleans()):
        values[draw(st.integers(0, 3)), draw(st.integers(0, 5))] = np.nan
    return Scores(
        measure="M",
        values=values,
        systems=SYSTEMS,
        topics=TOPICS,
        scale=draw(st.sampled_from([Scale.ORDINAL, Scale.INTERVAL])),
        one_scale=draw(st.booleans()),
    )


@given(scores=some_scores())
@FEW
def test_systems_are_as_good_as_they_were(scores):
    other = turned(scores)
    for name in ("mean", "median", "mean_rank"):
        np.testing.assert_array_equal(getattr(other, name)().goodness, getattr(scores, name)().goodness)
    np.testing.assert_array_equal(other.mean_rank().values, scores.mean_rank().values)
    np.testing.assert_array_equal(other.mean().values, 0 - scores.mean().values)


@pytest.mark.parametrize("name", TESTS)
@given(scores=some_scores())
@settings(max_examples=8, deadline=None)
def test_every_test_says_the_same_of_every_pair(name, scores):
    found, other = (TESTS[name](each, **OPTIONS.get(name, {})) for each in (scores, turned(scores)))
    np.testing.assert_array_equal(other.pvalues, found.pvalues)
    np.testing.assert_array_equal(other.statistic, found.statistic)
    # means are told in the values, which are turned round; topics and ranks are counted by goodness
    np.testing.assert_array_equal(other.differences, 0 - found.differences if name in OF_MEANS else found.differences)
    assert other.caveats == found.caveats


@given(scores=some_scores())
@FEW
def test_effects_are_the_same_but_for_differences_of_values(scores):
    found, other = effects(scores), effects(turned(scores))
    for name in ("topics", "cohens_d", "cohens_d_average", "rank_biserial", "cliffs_delta", "wins", "ties", "losses"):
        np.testing.assert_array_equal(getattr(other, name), getattr(found, name))
    np.testing.assert_array_equal(other.mean_difference, 0 - found.mean_difference)
    np.testing.assert_array_equal(other.low, 0 - found.high)
    np.testing.assert_array_equal(other.high, 0 - found.low)


@pytest.mark.parametrize("correlation", [kendall, tau_ap, partial(tau_ap, ties="b")])
@pytest.mark.parametrize("kind", ["overall", "topic"])
@given(scores=some_scores(), others=some_scores())
@settings(max_examples=8, deadline=None)
def test_rankings_agree_as_they_did_with_another_measure(correlation, kind, scores, others):
    before = correlation(scores, others, kind)
    for x, y in product((scores, turned(scores)), (others, turned(others))):
        after = correlation(x, y, kind)
        np.testing.assert_equal(float(after), float(before))
        assert after.counts == before.counts
    if kind == "overall":
        np.testing.assert_equal(float(correlation(turned(scores).mean(), others.mean())), float(before))


@given(scores=some_scores(gaps=False))
@FEW
def test_a_ranking_agrees_with_itself_turned_round(scores):
    assume(len(set(scores.mean())) > 1)
    assert kendall(scores, turned(scores)) == 1
    assert kendall(scores.values.mean(axis=1), turned(scores).values.mean(axis=1)) == -1


SENTENCES = {
    "a beats b": "a beats b",
    "a is worse than b": "a is worse than b",
    "the median of a is better than that of b": "the median of a is better than that of b",
    "mean of a exceeds mean of b": "mean of a is below mean of b",
    "a has a higher mean than b": "a has a lower mean than b",
    "a > b": "mean of a < mean of b",
}


@pytest.mark.parametrize("said", SENTENCES)
@given(scores=some_scores(gaps=False))
@settings(max_examples=10, deadline=None)
def test_a_sentence_is_as_true_and_means_as_much(said, scores):
    before, after = check(said, scores), check(SENTENCES[said], turned(scores))
    assert (after.true, after.answer, after.other.answer) == (before.true, before.answer, before.other.answer)


# Measures: functions turned round, and measures turned round that have a vectorised path.


@frozen(kw_only=True, repr=False)
class Cost(Measure):
    """Another measure below -1: the lower, the better."""

    name = "Cost"
    reference = ""
    bounds = (None, None)
    lower_is_better = True
    inner: Measure = field()

    @property
    def graded(self) -> bool:
        return self.inner.graded

    @property
    def uses_recall_base(self) -> bool:
        return self.inner.uses_recall_base

    def exact(self, run, pool):
        return -1 - self.inner.exact(self.inner.view(run), pool)

    def fast(self, judged):
        return -1 - self.inner.fast(judged)


def late(run):
    return next((Fraction(1, rank) for rank, grade in enumerate(run, 1) if grade), Fraction(0))


def mostly(run):
    return Fraction(2 * sum(run) + run[0], 3)


def odd(run):
    return sum((-1) ** rank * grade for rank, grade in enumerate(run))


FUNCTIONS = [late, mostly, odd]


def both_ways(function) -> tuple[Measure, Measure]:
    facts = {"name": "M", "graded": True, "bounds": (None, None)}
    return define(function, **facts), define(lambda run: -function(run), lower_is_better=True, **facts)


def told(verdict):
    """What a verdict says, whatever the values are; of a measurement, what it says of the order."""
    verdict = getattr(verdict, "order", verdict)
    runs = tuple(verdict.witness) if verdict.witness else None
    return verdict.holds, runs, verdict.how, verdict.checked


def values_of(verdict):
    verdict = getattr(verdict, "order", verdict)
    return list(verdict.witness.values) if verdict.witness else []


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("space", [Space(depth=5), Space(depth=3, grades=3), Space(depth=20)], ids=str)
def test_every_axiom_holds_or_breaks_on_the_same_runs(function, space):
    up, down = both_ways(function)
    topic = Topic(collection=100, recall_base=10)
    before, after = (dict(examine(measure, space, topic)) for measure in (up, down))
    assert list(after) == list(before) == list(AXIOMS)
    for name, verdict in before.items():
        assert told(after[name]) == told(verdict), name
        assert values_of(after[name]) == [-value for value in values_of(verdict)], name


@given(values=st.lists(st.integers(-3, 3), min_size=16, max_size=16), order=st.sampled_from(sorted(ORDERS)))
@settings(max_examples=15, deadline=None)
def test_any_function_keeps_an_order_as_its_opposite_does(values, order):
    value = dict(zip(product(range(2), repeat=4), values, strict=True))
    up, down = both_ways(value.__getitem__)
    assert told(is_measurement(down, 4, order=order)) == told(is_measurement(up, 4, order=order))


@pytest.mark.parametrize("spelling", ["AP", "P", "P@2", "RR@3", "RBP(p=0.8)", "ERR", "Rprec", "nERR", "Bpref"])
def test_a_measure_with_a_vectorised_path_breaks_the_axioms_that_its_opposite_breaks(spelling):
    measure, space, topic = parse(spelling), Space(depth=6), Topic(collection=60, recall_base=12)
    before, after = (dict(examine(each, space, topic)) for each in (measure, Cost(inner=measure)))
    for name, verdict in before.items():
        assert told(after[name])[:2] == told(verdict)[:2], name
    signs = [contest(each, collection=60, recall_base=12).signs.tolist() for each in (measure, Cost(inner=measure))]
    assert signs[0] == signs[1]


@pytest.mark.parametrize("spelling", ["AP", "P", "RR", "RBP(p=0.5)", "gRBP(p=0.8)", "ERR"])
@pytest.mark.parametrize("qmax", [1, 3])
def test_a_measure_is_as_top_heavy_as_its_opposite(spelling, qmax):
    measure = as_measure(spelling)
    for n in (1, 2, 5, 9):
        assert balancing_index(Cost(inner=measure), n, qmax=qmax) == balancing_index(measure, n, qmax=qmax)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_profile_says_the_same(function):
    before, after = (profile(measure, depth=4) for measure in both_ways(function))
    assert [told(verdict) for verdict in after.axioms.values()] == [told(each) for each in before.axioms.values()]
    assert after.balance.points == before.balance.points
    assert after.balance.reading == before.balance.reading
    assert after.spacing.holds == before.spacing.holds
    assert (before.facts["better"], after.facts["better"]) == ("higher values", "lower values")


@st.composite
def campaigns(draw) -> JudgedRuns:
    """Judged runs of three systems on seven topics."""
    cells = draw(st.lists(st.integers(0, 1), min_size=3 * 7 * 3, max_size=3 * 7 * 3))
    return JudgedRuns(
        systems=tuple("abc"),
        topics=tuple("1234567"),
        cells=np.array(cells, dtype=np.int8).reshape(3, 7, 3),
        lengths=np.full((3, 7), 3),
        grade_counts=np.full((7, 2), 4),
    )


def spoken(claim):
    return (
        claim.ahead,
        claim.behind,
        claim.pvalue,
        claim.significant,
        claim.contrary,
        claim.apart,
        claim.effect.wins,
        claim.meaning.true,
        claim.meaning.answer,
    )


@pytest.mark.parametrize("scale", [Scale.ORDINAL, Scale.INTERVAL])
@pytest.mark.parametrize("function", [late, mostly])
@given(judged=campaigns(), test=st.sampled_from(["auto", "wilcoxon", "friedman"]), name=st.sampled_from([None, "b"]))
@settings(max_examples=6, deadline=None)
def test_a_comparison_says_the_same(function, scale, judged, test, name):
    before, after = (
        md.compare(judged, evolve(measure, on_scale=scale), test=test, baseline=name, alpha=0.2).results[0]
        for measure in both_ways(function)
    )
    assert after.systems == before.systems
    assert dict(after.letters) == dict(before.letters)
    np.testing.assert_array_equal(after.pairs.pvalues, before.pairs.pvalues)
    assert [spoken(claim) for claim in after.claims] == [spoken(claim) for claim in before.claims]
    assert [each.means for each in after.claims] == [tuple(0 - m for m in each.means) for each in before.claims]
    assert after.in_numbers == before.in_numbers
    assert after.scale.kappa == pytest.approx(before.scale.kappa, nan_ok=True)


def lines_of(text: str) -> list[tuple[str, list[bool]]]:
    """The systems as they stand in a table, and which of their numbers are bold."""
    words = [line.split() for line in text.splitlines()]
    return [(line[0], ["\x1b[1m" in word for word in line[1:]]) for line in words if line[:1] in (["a"], ["b"], ["c"])]


@pytest.mark.parametrize("function", FUNCTIONS)
@given(judged=campaigns())
@settings(max_examples=6, deadline=None)
def test_a_table_has_the_same_systems_on_top_and_in_bold(function, judged):
    before, after = (md.evaluate(judged, [measure, "RR"]) for measure in both_ways(function))
    shown = [
        lines_of(terminal_text(Document([table.view(best_first=True)]), colour=True, width=1000))
        for table in (before, after)
    ]
    assert len(shown[0]) == len(judged.systems)
    assert shown[1] == shown[0]
    rows = [latex_table(table.view()).splitlines() for table in (before, after)]
    assert [row.count("textbf") for row in rows[1]] == [row.count("textbf") for row in rows[0]]
    assert sum(row.count("textbf") for row in rows[1]) >= len(after)
