"""Statistics of scores of which lower ones are better: who is ahead, and by how much."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics import TESTS, bootstrap_interval, effects, kendall, sign, tau_ap

ALIKE = {"systems": ("a", "b", "c"), "topics": tuple("12345678"), "scale": Scale.RATIO}
WASTED = Scores(
    measure="Wasted",
    values=[[0, 1, 0, 2, 0, 1, 0, 0], [1, 3, 2, 2, 4, 2, 1, 2], [5, 4, 4, 9, 5, 6, 3, 7]],
    lower_is_better=True,
    **ALIKE,
)
FIRST = Scores(measure="RR", values=1 / (1 + WASTED.values), **ALIKE)
"""What falls as the others rise."""


def test_who_wastes_less_wins_the_topic():
    found = effects(WASTED)
    assert (found.of("a", "b").wins, found.of("a", "b").ties, found.of("a", "b").losses) == (7, 1, 0)
    assert sign(WASTED).differences[0].tolist() == [0, 7, 8]


def test_effects_are_positive_for_the_system_that_is_ahead_but_differences_are_those_of_values():
    one = effects(WASTED).of("a", "c")
    assert one.cliffs_delta == 1
    assert one.rank_biserial == 1
    assert min(one.cohens_d, one.cohens_d_average) > 0
    assert one.mean_difference == np.mean(WASTED.values[0] - WASTED.values[2]) < 0
    assert one.low < one.mean_difference < one.high < 0


@pytest.mark.parametrize("name", TESTS)
def test_the_statistic_of_every_test_is_positive_for_the_system_that_is_ahead(name):
    found = TESTS[name](scores=WASTED)
    assert (found.statistic[np.triu_indices(3, 1)] > 0).all()
    assert (found.statistic.T[np.triu_indices(3, 1)] < 0).all()


@pytest.mark.parametrize("name", ["paired_t", "two_way_anova", "randomisation", "bootstrap", "randomised_tukey"])
def test_differences_of_means_are_those_of_the_values(name):
    means = WASTED.values.mean(axis=1)
    np.testing.assert_allclose(TESTS[name](WASTED).differences, means[:, None] - means, atol=1e-12)


def test_an_interval_is_that_of_the_values():
    low, high = bootstrap_interval(WASTED, resamples=200)
    assert low[0, 2] < high[0, 2] < 0


@pytest.mark.parametrize("kind", ["overall", "topic"])
@pytest.mark.parametrize("correlation", [kendall, tau_ap])
def test_a_cost_and_a_gain_that_rank_systems_alike_agree(correlation, kind):
    # a tie counts against agreement in one of them, of a ranking with itself too
    most = correlation(FIRST, FIRST, kind)
    assert most > 0.9
    assert correlation(WASTED, FIRST, kind) == correlation(FIRST, WASTED, kind) == most


def test_averages_know_their_direction_and_plain_numbers_do_not():
    assert kendall(WASTED.mean(), FIRST.mean()) == kendall(WASTED.mean_rank(), FIRST.mean()) == 1
    assert kendall(WASTED.mean().values, FIRST.mean().values) == -1
