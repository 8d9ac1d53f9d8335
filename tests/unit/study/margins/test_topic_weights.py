"""The weights of topics: how unevenly they must count for a claim to fall."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf, isinf

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from measurand.judged import JudgedRuns
from measurand.study.margins.margin import How
from measurand.study.margins.pair import compared_pair
from measurand.study.margins.steps import order_ratio
from measurand.study.margins.student import critical_sum
from measurand.study.margins.weights import floor, smallest_weights, weights_margin


def campaign(a, b) -> JudgedRuns:
    """Return two systems that have these runs, one a topic."""
    cells = np.array([a, b], dtype=np.int8)
    return JudgedRuns(
        systems=("A", "B"),
        topics=tuple(f"t{topic}" for topic in range(len(a))),
        cells=cells,
        lengths=(cells != -2).sum(axis=2),
        grade_counts=np.full((len(a), 2), 9),
    )


def some_pair(seed: int, measure: str, topics: int, *, claim: str = "significant", test: str = "t"):
    """Return a pair of random systems of which one tends to be better."""
    rng = np.random.default_rng(seed)
    a, b = (rng.random((topics, 8)) < share for share in (0.6, 0.3))
    return compared_pair(campaign(a, b), measure, "A", "B", claim=claim, test=test)


runs = st.lists(st.integers(0, 1), min_size=4, max_size=4)
two = st.integers(1, 6).flatmap(lambda n: st.tuples(*[st.lists(runs, min_size=n, max_size=n)] * 2))


@given(two=two, measure=st.sampled_from(["RR", "AP", "nDCG"]), data=st.data())
def test_the_weights_make_the_means_level_and_no_milder_ones_do(two, measure, data):
    pair = compared_pair(campaign(*two), measure, "A", "B")
    assume(pair.holds)
    found = weights_margin(pair)
    d = pair.differences
    n = len(d)
    if isinf(found.value):
        assert (d >= -1e-12).all()
        assert found.proof
        milder = 1000.0
    else:
        assert float(found.value) == pytest.approx(d[d > 0].sum() / -d[d < 0].sum())
        assert found.certificate.ratio == pytest.approx(found.value)
        assert float(found.certificate.apply(d).sum()) == pytest.approx(0, abs=1e-12)
        if pair.exact_differences is not None:
            assert isinstance(found.value, Fraction)
            assert sum(found.certificate.apply(pair.exact_differences)) == 0
        milder = 1 + (float(found.value) - 1) * 0.99
    weights = 1 + (milder - 1) * np.array(data.draw(st.lists(st.floats(0, 1), min_size=n, max_size=n)))
    assert (weights * d).sum() > 0


sizes = st.lists(st.integers(-4, 12).map(lambda tenths: tenths / 10), min_size=4, max_size=7)


@given(d=sizes.map(np.array), alpha=st.sampled_from([0.05, 0.1, 0.3]), data=st.data())
def test_no_weights_below_the_margin_take_the_significance_of_t(d, alpha, data):
    c = critical_sum(len(d), alpha)
    assume(d.sum() > c * np.sqrt((d**2).sum()) * (1 + 1e-9))
    found = smallest_weights(d, c)

    def insignificant(weights):
        return (weights * d).sum() <= c * np.sqrt(((weights * d) ** 2).sum())

    milder = min(found.ratio, 1e6) * (1 - 1e-7)
    free = data.draw(st.lists(st.floats(0, 1), min_size=len(d), max_size=len(d)))
    assert not insignificant(1 + (milder - 1) * np.array(free))
    for ratio in np.linspace(1, milder, 5):
        assert not any(insignificant(np.array(each)) for each in product([1.0, ratio], repeat=len(d)))
    if not isinf(found.ratio):
        assert insignificant(np.where(found.stretched, found.ratio * (1 + 1e-9), 1.0))


@given(d=sizes.map(np.array))
def test_the_bound_for_t_is_that_of_its_p_value(d):
    assume(np.ptp(d) > 0)
    with np.errstate(all="ignore"):
        p = stats.ttest_1samp(d, 0).pvalue
    assume(abs(p - 0.05) > 1e-9)
    significant = d.sum() > critical_sum(len(d), 0.05) * np.sqrt((d**2).sum())
    assert significant == (p < 0.05 and d.sum() > 0)


@given(d=sizes.map(np.array), lift=st.integers(0, 3))
def test_significance_by_t_means_that_topics_must_count_as_unevenly_as_the_floor(d, lift):
    # most differences as they are drawn are not significant, and lifted ones are
    d = d + lift * np.abs(d).max()
    assume(d.sum() > critical_sum(len(d), 0.05) * np.sqrt((d**2).sum()))
    assert order_ratio(d.tolist()) >= floor(len(d), 0.05)


@pytest.mark.parametrize("seed", range(6))
def test_the_weights_for_t_are_applied_and_leave_p_at_its_level(seed):
    pair = some_pair(seed, "AP", 12)
    found = weights_margin(pair)
    assert found.how is How.EXACT
    changed = found.certificate.apply(pair.differences)
    assert found.certificate.ratio == pytest.approx(found.value)
    assert stats.ttest_1samp(changed, 0).pvalue == pytest.approx(0.05, rel=1e-4)
    assert pair.overturned(found.certificate.apply(pair.goodness))
    assert found.floor == floor(12, 0.05)
    assert set(found.certificate.weights) == set(pair.topics)


@pytest.mark.parametrize(
    ("test", "how", "value"), [("sign", How.EXACT, inf), ("friedman", How.EXACT, inf), ("rank_sum", How.NONE, None)]
)
def test_weights_do_not_touch_tests_that_count_topics_or_do_not_pair_them(test, how, value):
    found = weights_margin(some_pair(0, "AP", 15, test=test))
    assert (found.how, found.value) == (how, value)


@pytest.mark.parametrize("test", ["signed_rank", "randomisation"])
def test_weights_found_for_other_tests_are_applied(test):
    pair = some_pair(5, "AP", 14, test=test)
    found = weights_margin(pair)
    assert found.how is How.FOUND
    assert pair.overturned(found.certificate.apply(pair.goodness))


def test_the_same_difference_on_all_topics_has_a_margin_for_t():
    a, b = [[1, 0]] * 10, [[0, 1]] * 10
    pair = compared_pair(campaign(a, b), "RR", "A", "B", claim="significant")
    found = weights_margin(pair)
    # only that weights differ makes differences vary: some count κ times as much as the others
    assert 1 < found.value < inf
    assert pair.overturned(found.certificate.apply(pair.goodness))
