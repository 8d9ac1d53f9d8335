"""Exact ranks and shares among values that tie, against all runs.

Ranks of runs under a constant discount, against all runs and the numbers of the papers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable, ParameterError
from measurand.intervals import geometric_sums
from measurand.intervals.geometric_automaton import automaton
from measurand.intervals.geometric_descent import exact_bounds
from measurand.intervals.geometric_sums import TiedSum, geometric_ruler
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


def check_tied(ruler, p, gains):
    runs = every_run(ruler.depth, len(gains))
    keys = keys_of(p, gains, runs)
    image, ordered, times = sorted(set(keys)), sorted(keys), Counter(keys)
    assert ruler.size == len(image)
    assert [position.rank for position in ruler.positions(runs)] == [bisect_right(image, key) for key in keys]
    assert ruler.shares(runs) == [(bisect_left(ordered, key), times[key]) for key in keys]


@pytest.mark.parametrize(("p", "gains", "depth"), CASES)
def test_every_run_has_its_rank_and_its_share_where_values_tie(p, gains, depth):
    check_tied(ruler_of(p, gains, depth), p, gains)


@pytest.mark.parametrize(("p", "gains", "depth"), CASES[1:3])
def test_values_that_rounding_cannot_tell_apart_are_resolved(p, gains, depth, monkeypatch):
    # values of some hundred units, so that windows hold many
    monkeypatch.setattr(geometric_sums, "BITS", 9)
    monkeypatch.setattr(geometric_sums, "SHOWN", 10**6)
    monkeypatch.setattr("measurand.intervals.meet_in_the_middle.SHOWN", 5000)
    check_tied(ruler_of(p, gains, depth - 1), p, gains)


def test_windows_with_too_many_values_give_bounds(monkeypatch):
    monkeypatch.setattr(geometric_sums, "BITS", 9)
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


PS = [Fraction(*p) for p in [(1, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 5), (9, 10), (3, 10), (17, 20)]]
DEPTHS = {2: 7, 3: 5, 4: 4}


def check(p, gains, depth):
    runs = every_run(depth, len(gains))
    weights = [p**rank for rank in range(depth)]
    values = [sum(gains[grade] * weight for grade, weight in zip(run, weights, strict=True)) for run in runs.tolist()]
    image, ordered, times = sorted(set(values)), sorted(values), Counter(values)
    ruler = geometric_ruler(p, gains, depth)
    assert (ruler.size, ruler.depth, ruler.grades) == (len(image), depth, len(gains))
    assert [position.rank for position in ruler.positions(runs)] == [bisect_right(image, value) for value in values]
    assert ruler.shares(runs) == [(bisect_left(ordered, value), times[value]) for value in values]
    if ruler.consecutive:
        assert len({high - low for low, high in pairwise(image)}) <= 1


@pytest.mark.parametrize("gains", [(0, 1), (0, 1, 2), (0, 1, 3), (0, 1, 3, 7), (0, 1, 2, 3)])
@pytest.mark.parametrize("p", PS)
def test_every_run_has_its_rank_and_its_share(p, gains):
    check(p, gains, DEPTHS[len(gains)])


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(4, 5), Fraction(1, 3)])
@pytest.mark.parametrize("gains", [(1, 0, 2, 2), (0, 0), (Fraction(1, 2), Fraction(-1), Fraction(0))])
def test_gains_may_be_unordered_shared_broken_or_negative(p, gains):
    check(p, gains, 4)


@settings(max_examples=10, deadline=None)
@given(st.fractions("1/9", "8/9", max_denominator=9), st.lists(st.integers(0, 6), min_size=2, max_size=3))
def test_ranks_are_right_for_any_factor_and_gains(p, gains):
    check(p, gains, 4)


@pytest.mark.parametrize(
    ("p", "ranks"),
    [
        ("4/5", [38037288, 902123343, 669056652, 1073580459, 161366, 1073741824]),
        ("1/2", [536870913, 1040187393, 715827883, 1073709057, 32768, 1073741824]),
        ("3/10", [536870913, 1040187393, 715827883, 1073709057, 32768, 1073741824]),
    ],
)
def test_runs_of_thirty_ranks_have_the_ranks_counted_before(p, ranks):
    runs = [[1] + [0] * 29, [1] * 5 + [0] * 25, [1, 0] * 15, [1] * 15 + [0] * 15, [0] * 15 + [1] * 15, [1] * 30]
    positions = geometric_ruler(Fraction(p), [0, 1], 30).positions(np.array(runs, dtype=np.int8))
    assert [position.rank for position in positions] == ranks
    assert {position.assumption for position in positions} == {"none"}


def test_values_are_equally_spaced_where_they_should_be():
    assert {p for p in PS if geometric_ruler(p, [0, 1, 2], 5).consecutive} == {Fraction(1, 2), Fraction(1, 3)}
    assert not any(geometric_ruler(p, [0, 1, 3], 5).consecutive for p in PS)


def test_a_thousand_ranks_with_ties_are_placed_exactly():
    ruler = geometric_ruler(Fraction(1, 2), [0, 1, 3, 7], 1000)
    runs = np.random.default_rng(2).integers(0, 4, (3, 1000)).astype(np.int8)
    runs[2] = 3
    positions = ruler.positions(runs)
    assert positions[2].rank == ruler.size
    # values are about evenly spread in the middle, so that the position is near the value
    for run, position in zip(runs[:2].tolist(), positions, strict=False):
        value = sum(Fraction([0, 1, 3, 7][grade], 2**rank) for rank, grade in enumerate(run))
        assert float(position) == pytest.approx(float(value / 14), abs=0.05)


@pytest.mark.parametrize(
    ("p", "gains", "depth"), [("4/5", [0, 1], 24), ("3/4", [0, 1, 3, 7], 11), ("9/10", [0, 1], 20)]
)
def test_bounds_within_a_small_budget_hold_the_exact_rank(p, gains, depth):
    p = Fraction(p)
    runs = np.random.default_rng(4).integers(0, len(gains), (6, depth)).astype(np.int8)
    exact = geometric_ruler(p, gains, depth).positions(runs)
    ruler = geometric_ruler(p, gains, depth, Budget(seconds=30, memory=1 << 24))
    ruler._exact = geometric_ruler(p, gains, depth, Budget(memory=1))._exact  # for which nothing is cheap enough
    ruler._work = 1e12
    for sure, bounded in zip(exact, ruler.positions(runs), strict=True):
        assert sure.rank is not None
        assert bounded.low <= sure.low <= bounded.high
        assert bounded.width < 1e-3


def test_deep_runs_without_ties_are_bounded_closely():
    runs = np.zeros((3, 500), dtype=np.int8)
    runs[0, :3], runs[1, 5:9], runs[2, 100] = 1, 1, 1
    for position in geometric_ruler(Fraction(4, 5), [0, 1], 500).positions(runs):
        assert 0 < (position.high - position.low) / position.high < 1e-4


def test_meeting_and_following_agree():
    p, gains, depth = Fraction(3, 4), [0, 1, 3, 7], 12
    ruler = geometric_ruler(p, gains, depth)
    runs = np.random.default_rng(9).integers(0, 4, (5, depth)).astype(np.int8)
    followed = [exact_bounds(ruler.machine, run, 10**6) for run in runs.tolist()]
    assert [(position.rank, position.rank) for position in ruler.positions(runs)] == followed


def test_few_ranks_are_listed_where_ties_are_too_many_to_follow(monkeypatch):
    monkeypatch.setattr("measurand.intervals.geometric_automaton.STATES", 20)
    check(Fraction(4, 5), (0, 1, 5, 11, 23), 4)
    with pytest.raises(NotAvailable, match="states"):
        geometric_ruler(Fraction(4, 5), (0, 1, 5, 11, 23), 30)


def test_a_ruler_without_ranks_or_grades_is_refused():
    for gains, depth in (([], 3), ([0, 1], 0)):
        with pytest.raises(ParameterError, match="at least one"):
            geometric_ruler(Fraction(1, 2), gains, depth)
