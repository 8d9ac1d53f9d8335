"""Intervals hold what they say, by scipy and by counting."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from measurand.scores import Scores
from measurand.study.summary_interval import order_statistics, summary_interval


def scores_of(values, **options) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(map(str, range(size))) for size in values.shape)
    return Scores(measure="M", values=values, systems=systems, topics=topics, **options)


def test_the_interval_of_a_mean_is_student_s_on_the_topics_that_are_there():
    values = np.random.default_rng(1).normal(size=(4, 20))
    values[2, 3:9] = np.nan
    found = summary_interval(scores_of(values), "mean")
    for place, row in enumerate(values):
        kept = row[~np.isnan(row)]
        low, high = stats.t.interval(0.95, len(kept) - 1, loc=kept.mean(), scale=stats.sem(kept))
        assert (found.low[place], found.high[place]) == pytest.approx((low, high))


@pytest.mark.parametrize("topics", range(1, 12))
def test_the_median_lies_between_the_order_statistics_as_often_as_is_said(topics):
    k, coverage = order_statistics(topics, 0.95)
    sides = [sum(above) for above in product((0, 1), repeat=topics)]
    held = {j: sum(j <= above <= topics - j for above in sides) / 2**topics for j in range(1, topics // 2 + 1)}
    enough = [j for j, share in held.items() if share >= 0.95]
    assert k == max(enough, default=0)
    assert coverage == pytest.approx(held.get(k, 0.0))


def test_the_interval_of_a_median_has_scores_for_ends():
    values = np.random.default_rng(2).normal(size=(3, 30))
    found = summary_interval(scores_of(values), "median")
    k, _ = order_statistics(30, 0.95)
    ordered = np.sort(values, axis=1)
    assert found.low.tolist() == ordered[:, k - 1].tolist()
    assert found.high.tolist() == ordered[:, -k].tolist()
    assert found.confidence == pytest.approx(0.957, abs=5e-4)


def test_the_interval_of_a_mean_rank_is_that_of_the_ranks_within_topics():
    values = np.random.default_rng(3).integers(0, 4, size=(5, 12)).astype(float)
    found = summary_interval(scores_of(values), "mean rank")
    ranks = stats.rankdata(-values, axis=0)
    low, high = stats.t.interval(0.95, 11, loc=ranks.mean(axis=1), scale=stats.sem(ranks, axis=1))
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


@pytest.mark.parametrize("statistic", ["mean", "median", "mean rank"])
def test_one_topic_or_none_has_no_interval(statistic):
    found = summary_interval(scores_of([[0.5, np.nan], [np.nan, np.nan]]), statistic)
    assert np.isnan(found.low).all()
    assert np.isnan(found.high).all()
