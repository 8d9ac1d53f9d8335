"""What scores say of topics, against brute force."""

from __future__ import annotations

from itertools import combinations
from math import isnan, nan, sqrt

import numpy as np
import pytest

from measurand.report.page.topics import topic_facts
from measurand.scores import Scores


def scores_of(values, **facts) -> Scores:
    systems, topics = np.array(values).shape
    names = {"systems": [f"s{i}" for i in range(systems)], "topics": [f"t{i}" for i in range(topics)]}
    return Scores(measure="M", values=values, **names, **facts)


@pytest.fixture(scope="module")
def drawn() -> np.ndarray:
    return np.random.default_rng(7).integers(0, 6, size=(9, 20)) / 5


def tau_b(x, y) -> float:
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in combinations(range(len(x)), 2)]
    there = sqrt(sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs))
    return sum(a * b for a, b in signs) / there if there else nan


@pytest.mark.parametrize("lower", [False, True])
def test_tau_is_that_of_the_scores_on_a_topic_and_the_means_over_all(drawn, lower):
    goodness = -drawn if lower else drawn
    means = np.round(goodness.mean(axis=1), 9)
    found = topic_facts(scores_of(drawn, lower_is_better=lower)).tau
    assert found == pytest.approx([tau_b(column, means) for column in goodness.T], nan_ok=True)


def test_the_spread_is_between_the_quartiles_and_the_median_between_the_ends(drawn):
    found = topic_facts(scores_of(drawn))
    by_hand = [np.percentile(column, 75) - np.percentile(column, 25) for column in drawn.T]
    assert found.spread == pytest.approx(by_hand)
    assert (found.low <= found.median).all()
    assert (found.median <= found.high).all()
    assert found.median.tolist() == [sorted(column)[4] for column in drawn.T]


@pytest.mark.parametrize("lower", [False, True])
def test_nobody_beats_the_best_systems_of_a_topic_and_nobody_else_ties_with_them(drawn, lower):
    found = topic_facts(scores_of(drawn, lower_is_better=lower))
    for column, best in zip((-drawn if lower else drawn).T, found.best, strict=True):
        assert list(best) == [place for place, value in enumerate(column) if value == max(column)]


def test_the_hardest_topic_has_the_lowest_median_and_the_highest_where_lower_is_better():
    values = [[0.1, 0.9, 0.5], [0.2, 0.8, 0.5], [0.3, 0.7, 0.5]]
    higher, lower = (topic_facts(scores_of(values, lower_is_better=lower)) for lower in (False, True))
    assert higher.first(higher.ease, 3) == [0, 2, 1]
    assert lower.first(lower.ease, 3) == [1, 2, 0]


def test_a_system_without_a_score_is_left_out_and_a_topic_without_any_has_no_numbers():
    found = topic_facts(scores_of([[0.5, nan, 0.25], [nan, nan, 0.75], [0.1, nan, 0.5]]))
    assert found.median.tolist()[::2] == [0.3, 0.5]
    assert all(isnan(each[1]) for each in (found.median, found.low, found.high, found.spread, found.tau))
    assert found.best == ((0,), (), (1,))
    assert found.first(found.ease, 5) == [0, 2]


def test_tau_of_a_topic_on_which_all_tie_or_of_one_system_is_undefined():
    assert np.isnan(topic_facts(scores_of([[0.5], [0.5]])).tau).all()
    assert np.isnan(topic_facts(scores_of([[0.5, 0.1]])).tau).all()


def test_a_topic_with_the_opposite_order_is_the_most_contrary():
    values = [[0.9, 0.8, 0.7, 0.1], [0.5, 0.5, 0.5, 0.2], [0.1, 0.2, 0.3, 0.3]]
    found = topic_facts(scores_of(values))
    assert found.tau.tolist() == [1, 1, 1, -1]
    assert found.first(found.tau, 1) == [3]
    assert found.overall.tolist() == [1, 2, 3]
