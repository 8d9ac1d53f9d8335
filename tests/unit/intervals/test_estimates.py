"""Estimated positions: honest intervals around the exact ones, the same for the same seed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.intervals.average_precision import EstimatedRuler
from measurand.intervals.counted_values import WalkRuler
from measurand.intervals.reachable_values import average_precision_walk
from measurand.intervals.ruler import Budget, Certainty
from measurand.judged.universes import every_run


def test_intervals_hold_the_exact_position_about_19_times_in_20():
    runs = every_run(14, 2)[1:-1:97]
    exact = [position.low for position in WalkRuler.of(average_precision_walk(14), "AP-14").positions(runs)]
    held = [
        estimate.low <= place <= estimate.high
        for seed in range(30)
        for estimate, place in zip(EstimatedRuler.of(14, rng=seed, samples=300).positions(runs), exact, strict=True)
    ]
    assert 0.93 <= np.mean(held) <= 0.995


def test_the_share_of_runs_is_no_estimate_of_the_position():
    # at depth 20 the two differ by up to .09, far more than 4000 runs leave open
    runs = np.random.default_rng(3).integers(0, 2, (200, 20), dtype=np.int8)
    ruler = WalkRuler.of(average_precision_walk(20), "AP-20")
    estimates = EstimatedRuler.of(20, samples=4000).positions(runs)
    misses = sum(
        not estimate.low <= Fraction(lower + same, 2**20) <= estimate.high
        for estimate, (lower, same) in zip(estimates, ruler.shares(runs), strict=True)
    )
    assert misses > 100


def test_the_same_seed_gives_the_same_positions_and_another_others():
    run = np.array([[1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0]], dtype=np.int8)
    first, again, other = (EstimatedRuler.of(12, rng=seed, samples=200).positions(run) for seed in (1, 1, 2))
    assert first == again != other


def test_the_ends_are_known():
    ends = np.array([[0] * 44, [1] * 44], dtype=np.int8)
    bottom, top = EstimatedRuler.of(44, samples=100).positions(ends)
    assert (bottom.how, bottom.low, bottom.high, bottom.rank) == (Certainty.EXACT, 0, 0, 1)
    assert (top.how, top.low, top.high, top.rank) == (Certainty.EXACT, 1, 1, None)


def test_below_every_drawn_run_the_interval_is_not_empty():
    run = np.zeros((1, 44), dtype=np.int8)
    run[0, -1] = 1
    (position,) = EstimatedRuler.of(44, samples=100).positions(run)
    assert position.how == Certainty.ESTIMATED
    assert position.low == 0
    assert position.high > Fraction(1, 100)


def test_the_number_of_values_is_not_known():
    with pytest.raises(NotAvailable, match="only estimated"):
        _ = EstimatedRuler.of(44, samples=100).size


def test_the_number_of_runs_drawn_follows_from_the_budget():
    assert [EstimatedRuler.of(57, Budget(seconds)).samples for seconds in (60, 120, 240)] == [333, 666, 1333]
    with pytest.raises(NotAvailable, match="needs about 18 s, more than the 1 s"):
        EstimatedRuler.of(57, Budget(seconds=1))
