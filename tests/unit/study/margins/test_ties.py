"""The margin of ties: what the order of documents of equal score can do to a conclusion."""

from __future__ import annotations

from itertools import groupby, permutations, product
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand import judge
from measurand.judged import JudgedRuns, Judgments, Results
from measurand.measures.parse import parse
from measurand.study.margins.margin import How
from measurand.study.margins.pair import compared_pair
from measurand.study.margins.ties import ties_margin

DOCUMENTS = ("d1", "d2", "d3", "d4")


def judged_runs(scores, grades, **options) -> JudgedRuns:
    """Return judged runs of systems with a score for each document on each topic, and a grade for each."""
    runs = [
        Results.from_mapping(name, {str(t): dict(zip(DOCUMENTS, each, strict=True)) for t, each in enumerate(topics)})
        for name, topics in zip("ab", scores, strict=True)
    ]
    named = {str(t): dict(zip(DOCUMENTS, each, strict=True)) for t, each in enumerate(grades)}
    return judge(runs, Judgments.from_mapping(named), **options)


def values_of(measure, scores, grades) -> set[float]:
    """Return what a ranking is worth in all orders of its documents of equal score."""
    ranked = sorted(zip(scores, grades, strict=True), reverse=True)
    groups = [permutations([grade for _, grade in group]) for _, group in groupby(ranked, key=lambda pair: pair[0])]
    orders = {sum(order, ()) for order in product(*groups)}
    counts = [grades.count(grade) for grade in range(3)]
    sign = -1 if measure.lower_is_better else 1
    return {sign * measure.value(order, grade_counts=counts) for order in orders}


topic = st.tuples(*[st.tuples(*[st.integers(1, 3).map(float)] * 4)] * 2, st.tuples(*[st.integers(0, 2)] * 4))
campaigns = st.lists(topic, min_size=1, max_size=3).filter(
    lambda topics: any(max(grades) == 2 for *_, grades in topics)
)


def worths(pair, rows, grades) -> list[list[set[float]]]:
    """Return what the better and the other system are worth on each topic in all orders."""
    return [
        [values_of(parse(pair.scores.measure), rows[name][t], each) for t, each in enumerate(grades)]
        for name in (pair.ahead, pair.behind)
    ]


def fewest(pair, each) -> float:
    """Return on how many topics other orders must stand to overturn what is claimed, from all orders."""
    numbers = [inf]
    for chosen in product(*([None, *product(a, b)] for a, b in zip(*each, strict=True))):
        goodness = pair.goodness.copy()
        for place, value in enumerate(chosen):
            if value is not None:
                goodness[:, place] = value
        changed = sum(value is not None for value in chosen)
        if changed < min(numbers) and pair.overturned(goodness):
            numbers.append(changed)
    return min(numbers)


@given(topics=campaigns, spelling=st.sampled_from(["P@2", "DCG@3", "RR", "AP", "nDCG@2", "RBP(p=0.5)@3", "Bpref"]))
def test_no_order_of_ties_goes_beyond_the_extremes_and_no_fewer_topics_overturn(topics, spelling):
    first, second, grades = (list(each) for each in zip(*topics, strict=True))
    pair = compared_pair(judged_runs([first, second], grades), spelling, "a", "b")
    each, found = worths(pair, {"a": first, "b": second}, grades), ties_margin(pair)
    lowest = np.mean([min(a) - max(b) for a, b in zip(*each, strict=True)])
    highest = np.mean([max(a) - min(b) for a, b in zip(*each, strict=True)])
    assert (found.low, found.high) == pytest.approx((lowest, highest))
    assert found.value == fewest(pair, each)
    if found.certificate is not None:
        assert pair.overturned(found.certificate.apply(pair.goodness))


@given(topics=campaigns, alpha=st.sampled_from([0.13, 0.3, 0.61]))
def test_no_order_on_fewer_topics_takes_the_significance_of_t_away(topics, alpha):
    first, second, grades = (list(each) for each in zip(*topics, strict=True))
    judged = judged_runs([first, second], grades)
    pair = compared_pair(judged, "RBP(p=0.7)@3", "a", "b", claim="significant", alpha=alpha)
    found = ties_margin(pair)
    assert found.how is How.EXACT
    assert found.value == fewest(pair, worths(pair, {"a": first, "b": second}, grades))


@given(topics=campaigns)
def test_an_order_that_is_found_takes_significance_away(topics):
    first, second, grades = (list(each) for each in zip(*topics, strict=True))
    judged = judged_runs([first, second], grades)
    pair = compared_pair(judged, "DCG@3", "a", "b", claim="significant", test="wilcoxon", alpha=0.6)
    found = ties_margin(pair)
    if found.certificate is not None:
        assert len(found.certificate) == found.value
        assert pair.overturned(found.certificate.apply(pair.goodness))
    else:
        assert found.value == inf


APART, TIED = (4.0, 3.0, 2.0, 1.0), (2.0, 2.0, 1.0, 1.0)


def test_values_that_no_order_changes_are_certain_even_of_significance():
    judged = judged_runs([[APART] * 3, [APART[::-1]] * 3], [(1, 1, 0, 0), (1, 0, 0, 0), (2, 1, 0, 0)])
    found = ties_margin(compared_pair(judged, "DCG@2", "a", "b", claim="significant", alpha=0.3))
    assert (found.value, found.how, found.matters, found.certificate) == (inf, How.EXACT, 0, None)
    assert str(found) == "the order of documents of equal score changes no value"


def test_ties_that_cannot_close_the_gap_are_said_to_change_nothing():
    judged = judged_runs([[TIED] * 2, [APART[::-1]] * 2], [(1, 0, 0, 0), (1, 1, 0, 0)])
    found = ties_margin(compared_pair(judged, "RR", "a", "b"))
    assert (found.value, found.proof, found.matters) == (inf, True, 1)
    assert str(found) == "no order of documents of equal score changes it"
    searched = ties_margin(compared_pair(judged, "RR", "a", "b", claim="significant", test="sign", alpha=0.5))
    assert (searched.how, searched.at_least) == (How.FOUND, 1)
    assert str(searched) == "no order of documents of equal score was found that changes it"


@pytest.mark.parametrize("ties", ["file", "trec"])
def test_runs_that_do_not_know_their_ties_have_no_margin(ties):
    judged = judged_runs([[TIED], [APART[::-1]]], [(1, 0, 0, 0)], ties=ties)
    found = ties_margin(compared_pair(judged, "RR", "a", "b"))
    assert (found.value, found.how) == (None, How.NONE)
    assert str(found) == "it is not known which documents have equal scores"


def test_measures_of_weak_orders_do_not_depend_on_the_order():
    judged = judged_runs([[TIED], [APART[::-1]]], [(1, 0, 0, 0)])
    found = ties_margin(compared_pair(judged, "ESL", "a", "b"))
    assert (found.applies, str(found)) == (False, "ESL(i=1) takes documents of equal score as such, in no order")


def test_what_does_not_hold_needs_no_other_order():
    judged = judged_runs([[TIED], [TIED]], [(1, 0, 0, 0)])
    found = ties_margin(compared_pair(judged, "RR", "a", "b"))
    assert (found.value, found.low, found.high, str(found)) == (0, -0.5, 0.5, "it does not hold as it is")


def test_the_margin_is_data_for_programs():
    judged = judged_runs([[TIED], [APART]], [(1, 0, 0, 0)])
    assert ties_margin(compared_pair(judged, "RR", "a", "b")).to_dict() == {
        "value": 1,
        "at_least": 1,
        "how": "exact",
        "proof": False,
        "sentence": "fails if documents of equal score stand in another order on 1 of 1 topic",
        "low": 0.0,
        "high": 0.5,
        "matters": 1,
        "sampled": False,
        "reordered": ["0"],
    }
