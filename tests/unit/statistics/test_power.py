"""Power: against integration, against simulation, and as laws."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import chi, nct, norm, t

from measurand.errors import NotMeaningful, ParameterError
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.power import detectable, minimum_detectable_difference, power, topics_needed, typical_spread

SIZES = st.floats(0.02, 2)
TOPICS = st.integers(2, 200)


def scores_of(values, **facts) -> Scores:
    values = np.array(values, dtype=float)
    systems = tuple(f"s{i}" for i in range(values.shape[0]))
    topics = tuple(f"t{i}" for i in range(values.shape[1]))
    return Scores(measure="M", values=values, systems=systems, topics=topics, **facts)


@pytest.mark.parametrize(("size", "topics", "alpha"), [(0.3, 50, 0.05), (0.5, 25, 0.05), (1.0, 5, 0.01), (0.1, 3, 0.1)])
def test_power_is_the_integral_over_all_spreads_that_could_be_seen(size, topics, alpha):
    beyond, free, shift = t.isf(alpha / 2, topics - 1), topics - 1, size * sqrt(topics)

    def seen(ratio):
        edge = beyond * ratio / sqrt(free)
        return (norm.sf(edge - shift) + norm.cdf(-edge - shift)) * chi.pdf(ratio, free)

    expected = quad(seen, 0, chi.isf(1e-15, free), limit=200)[0]
    assert power(size, 1, topics, alpha) == pytest.approx(expected, abs=1e-7)


def test_a_simulation_sees_a_difference_as_often():
    differences = np.random.default_rng(0).normal(0.5, 1, (20_000, 20))
    statistic = differences.mean(axis=1) / (differences.std(axis=1, ddof=1) / sqrt(20))
    seen = np.mean(np.abs(statistic) > t.isf(0.025, 19))
    assert power(0.5, 1, 20) == pytest.approx(seen, abs=0.01)


@given(SIZES, TOPICS)
@settings(max_examples=12)
def test_power_grows_with_the_difference_and_with_topics_and_stays_a_probability(size, topics):
    now = power(size, 1, topics)
    assert 0.05 <= now <= 1
    assert now <= power(1.1 * size, 1, topics) + 1e-12
    assert now <= power(size, 1, topics + 1) + 1e-12
    assert now == pytest.approx(power(-2 * size, 2, topics))


@given(TOPICS, st.floats(0.1, 0.99), st.floats(0.01, 5))
@settings(max_examples=10)
def test_the_detectable_difference_is_detected_with_the_power_asked_for(topics, wanted, spread):
    least = minimum_detectable_difference(spread, topics, power=wanted)
    assert power(least, spread, topics) == pytest.approx(wanted, abs=1e-8)


@given(st.floats(0.1, 2), st.floats(0.1, 0.99))
@settings(max_examples=10)
def test_the_topics_needed_are_enough_and_one_fewer_is_not(size, wanted):
    needed = topics_needed(size, 1, power=wanted)
    assert power(size, 1, needed) >= wanted
    assert needed == 2 or power(size, 1, needed - 1) < wanted


def test_power_does_not_break_far_from_the_centre():
    for size in (1, 5.6, 40, 1e3, 1e8):
        for topics in (2, 50, 100_000):
            assert 0.05 < power(size, 1, topics) <= 1
    assert power(40, 1, 50) == 1


@pytest.mark.parametrize("topics", [2, 3, 10, 10**6])
@pytest.mark.parametrize("alpha", [1e-12, 1e-6, 0.9])
def test_severe_and_lax_levels_of_significance_have_a_detectable_difference(topics, alpha):
    assert power(minimum_detectable_difference(1, topics, alpha, 0.95), 1, topics, alpha) == pytest.approx(0.95)


def test_power_is_that_of_scipys_noncentral_distribution():
    for size, topics, alpha in ((0.1, 2, 0.05), (1.2, 7, 0.001), (0.4, 30, 0.05), (0.05, 3000, 0.01)):
        beyond, shift = t.isf(alpha / 2, topics - 1), size * sqrt(topics)
        expected = nct.sf(beyond, topics - 1, shift) + nct.cdf(-beyond, topics - 1, shift)
        assert power(size, 1, topics, alpha) == pytest.approx(expected, rel=1e-12)


def test_tiny_and_huge_scores_have_a_spread():
    values = np.random.default_rng(0).random((3, 8))
    for size in (1e-300, 1e300):
        assert typical_spread(scores_of(values * size)) / size == pytest.approx(typical_spread(scores_of(values)))
        assert detectable(scores_of(values * size)) / size == pytest.approx(detectable(scores_of(values)))
    assert typical_spread(scores_of(np.ones((2, 3)))) == 0


def test_the_ends_of_the_range():
    assert power(0, 1, 10) == power(0, 0, 10) == 0.05
    assert power(0.1, 0, 10) == 1
    assert power(5, 1, 1) == 0
    assert minimum_detectable_difference(0.1, 1) == inf
    assert minimum_detectable_difference(0, 10) == 0
    assert topics_needed(0.1, 0) == 2
    assert topics_needed(-0.05, 0.15) == topics_needed(0.05, 0.15) == 73
    assert topics_needed(1e-4, 1) > 10**8


def test_every_pair_has_its_detectable_difference():
    values = np.random.default_rng(0).random((4, 12))
    values[1, 3] = np.nan
    found = detectable(scores_of(values))
    differences = values[0] - values[1]
    expected = minimum_detectable_difference(np.nanstd(differences, ddof=1), 11)
    assert found[0, 1] == found[1, 0] == pytest.approx(expected)
    assert np.diag(found).tolist() == [0] * 4


def test_odd_pairs_have_one_too():
    found = detectable(scores_of([[0.1, 0.2, np.nan], [0.1, 0.2, 0.5], [np.nan, 0.2, 0.1]]))
    assert (found[0, 1], found[0, 2]) == (0, inf)
    assert detectable(scores_of([[0.5]])).tolist() == [[0]]


def test_the_typical_spread_is_that_of_the_residuals_of_a_two_way_analysis():
    values = np.random.default_rng(0).random((5, 8))
    residuals = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    expected = sqrt(2 * (residuals**2).sum() / (4 * 7))
    scores = scores_of(values)
    assert typical_spread(scores) == pytest.approx(expected)
    assert minimum_detectable_difference(scores) == pytest.approx(minimum_detectable_difference(expected, 8))
    assert minimum_detectable_difference(scores, 50) == pytest.approx(minimum_detectable_difference(expected, 50))


def test_the_t_test_needs_an_interval_scale():
    values = np.random.default_rng(0).random((3, 8))
    for function in (detectable, minimum_detectable_difference):
        function(scores_of(values, scale=Scale.INTERVAL), strict=True)
        with pytest.raises(NotMeaningful, match="power of the t test"):
            function(scores_of(values), strict=True)


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: power(float("nan"), 1, 10), "difference"),
        (lambda: power(0.1, -1, 10), "spread"),
        (lambda: power(0.1, 1, 0), "topics"),
        (lambda: power(0.1, 1, 2.5), "topics"),
        (lambda: power(0.1, 1, 10, alpha=1), "alpha"),
        (lambda: minimum_detectable_difference(0.1, 10, power=0.01), "power"),
        (lambda: minimum_detectable_difference(0.1), "how many topics"),
        (lambda: minimum_detectable_difference(scores_of([[0.1, 0.2]])), "share"),
        (lambda: topics_needed(0, 1), "other than 0"),
        (lambda: topics_needed(1e-9, 1), "no number of topics"),
    ],
)
def test_what_cannot_be_is_refused(call, what):
    with pytest.raises(ParameterError, match=what):
        call()


@pytest.mark.parametrize("topics", [2, 5, 50, 300])
def test_the_difference_that_so_many_topics_show_needs_so_many_topics(topics):
    assert topics_needed(minimum_detectable_difference(0.2, topics), 0.2) == topics
