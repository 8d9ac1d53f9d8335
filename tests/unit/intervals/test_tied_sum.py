"""Exact ranks and shares among values that tie, against all runs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.intervals import geometric_sums as tied_sum
from measurand.intervals.geometric_automaton import automaton
from measurand.intervals.geometric_sums import TiedSum
from measurand.intervals.ruler import Budget
from measurand.judged.universes import every_run

CASES = [
    (Fraction(1, 2), (0, 1, 2), 6),
    (Fraction(1, 3), (0, 1, 3, 7), 5),
    (Fraction(2, 3), (0, 1, 2, 3), 5),
    (Fraction(3, 4), (0, 1, 3, 7), 5),
    (Fraction(4, 5), (0, 1, 3, 7, 15), 4),
    (Fraction(1, 2), (3, 0, 1, 1), 5),
]


def ruler_of(p, gains, depth, budget=None) -> TiedSum:
    levels = sorted(set(gains))
    digits = np.array([levels.index(gain) for gain in gains])
    return TiedSum(automaton(p, gains), digits, depth, budget or Budget())


def keys_of(p, gains, runs) -> list[int]:
    a, b, depth = p.numerator, p.denominator, runs.shape[1]
    weights = [a**rank * b ** (depth - 1 - rank) for rank in range(depth)]
    return [sum(gains[grade] * weight for grade, weight in zip(run, weights, strict=True)) for run in runs.tolist()]


def check(ruler, p, gains):
    runs = every_run(ruler.depth, len(gains))
    keys = keys_of(p, gains, runs)
    image, ordered, times = sorted(set(keys)), sorted(keys), Counter(keys)
    assert ruler.size == len(image)
    assert [position.rank for position in ruler.positions(runs)] == [bisect_right(image, key) for key in keys]
    assert ruler.shares(runs) == [(bisect_left(ordered, key), times[key]) for key in keys]


@pytest.mark.parametrize(("p", "gains", "depth"), CASES)
def test_every_run_has_its_rank_and_its_share(p, gains, depth):
    check(ruler_of(p, gains, depth), p, gains)


@pytest.mark.parametrize(("p", "gains", "depth"), CASES[1:3])
def test_values_that_rounding_cannot_tell_apart_are_resolved(p, gains, depth, monkeypatch):
    # values of some hundred units, so that windows hold many
    monkeypatch.setattr(tied_sum, "BITS", 9)
    monkeypatch.setattr(tied_sum, "SHOWN", 10**6)
    monkeypatch.setattr("measurand.intervals.meet_in_the_middle.SHOWN", 5000)
    check(ruler_of(p, gains, depth - 1), p, gains)


def test_windows_with_too_many_values_give_bounds(monkeypatch):
    monkeypatch.setattr(tied_sum, "BITS", 9)
    p, gains = Fraction(3, 4), (0, 1, 3, 7)
    ruler, runs = ruler_of(p, gains, 5), every_run(5, 4)
    keys = keys_of(p, gains, runs)
    image = sorted(set(keys))
    positions = ruler.positions(runs)
    places = [Fraction(bisect_right(image, key) - 1, len(image) - 1) for key in keys]
    assert all(position.low <= place <= position.high for position, place in zip(positions, places, strict=True))
    assert any(position.rank is None for position in positions)
    with pytest.raises(NotAvailable, match="told apart"):
        ruler.shares(runs)


def test_runs_of_twenty_ranks_are_placed_as_two_different_cuts_place_them():
    p, gains = Fraction(3, 4), (0, 1, 3, 7)
    runs = np.random.default_rng(5).integers(0, 4, (20, 14)).astype(np.int8)
    one, other = ruler_of(p, gains, 14), ruler_of(p, gains, 14)
    other._held = other._cut_at(4, 20, counted=False), other._made(4)
    assert one.positions(runs) == other.positions(runs)


def test_what_costs_too_much_is_refused():
    ruler = ruler_of(Fraction(3, 4), (0, 1, 3, 7), 40)
    assert ruler.seconds(1) == float("inf")
    with pytest.raises(NotAvailable, match="fewer ranks"):
        ruler.positions(np.zeros((1, 40), dtype=np.int8))


def test_no_runs_have_no_positions():
    ruler = ruler_of(Fraction(1, 2), (0, 1, 2), 3)
    assert ruler.positions(np.zeros((0, 3), dtype=np.int8)) == ruler.shares(np.zeros((0, 3), dtype=np.int8)) == []
