"""Scores of which lower ones are better."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from attrs import evolve

from measurand.scores import Aggregation, Scores

COSTS = Scores(measure="ESL", values=[[3, 0], [1, 2], [3, 5]], systems="abc", topics="12", lower_is_better=True)


def test_the_lowest_score_has_the_first_rank():
    assert COSTS.mean_rank().to_dict() == {"a": 1.75, "b": 1.5, "c": 2.75}
    assert evolve(COSTS, lower_is_better=False).mean_rank().to_dict() == {"a": 2.25, "b": 2.5, "c": 1.25}


def test_a_topic_without_a_score_has_no_rank():
    gaps = evolve(COSTS, values=[[3, np.nan], [1, 2], [3, 5]])
    assert gaps.mean_rank().to_dict() == {"a": 2.5, "b": 1.0, "c": 2.25}


@pytest.mark.parametrize("statistic", ["mean", "median", "geometric_mean", "sum", "summary"])
def test_an_average_is_one_of_the_values_and_knows_their_direction(statistic):
    summary = getattr(COSTS, statistic)()
    assert summary.lower_is_better
    assert (summary.values >= 0).all()
    assert summary.goodness.tolist() == [-value for value in summary]
    assert not getattr(evolve(COSTS, lower_is_better=False), statistic)().lower_is_better


def test_of_ranks_lower_ones_are_better_whatever_the_measure():
    for scores in (COSTS, evolve(COSTS, lower_is_better=False)):
        ranks = scores.mean_rank()
        assert ranks.lower_is_better
        assert ranks.goodness.tolist() == [-rank for rank in ranks]


def test_goodness_has_no_zero_with_a_sign():
    assert not np.signbit(evolve(COSTS, values=[[0, 0]] * 3).goodness).any()
    assert not np.signbit(evolve(COSTS, values=[[0, 0]] * 3).mean().goodness).any()


def test_scores_of_which_higher_ones_are_better_are_their_own_goodness():
    plain = evolve(COSTS, lower_is_better=False)
    assert plain.by_goodness() is plain
    assert plain.goodness is plain.values


def test_scores_by_goodness_keep_all_but_their_direction():
    odd = evolve(COSTS, one_scale=False, aggregation=Aggregation.SUM)
    turned = odd.by_goodness()
    assert (turned.measure, turned.scale, turned.one_scale, turned.aggregation) == (
        odd.measure,
        odd.scale,
        odd.one_scale,
        odd.aggregation,
    )
    assert not turned.lower_is_better
    assert odd.lower_is_better


def test_the_direction_travels_between_processes():
    assert pickle.loads(pickle.dumps(COSTS)).lower_is_better
    assert pickle.loads(pickle.dumps(COSTS.mean())).lower_is_better
