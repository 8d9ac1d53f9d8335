"""

Positions among endless runs, against runs of great depth and closed forms.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from measurand.errors import NotAvailable, ParameterError
from measurand.intervals.endless_sums import infinite_positions
from measurand.intervals.geometric_sums import geometric_ruler
from measurand.intervals.ruler import NONE, Budget, Certainty

BINARY = [Fraction(0), Fraction(1)]


def some_runs(grades, count=24, depth=30, seed=4):
    rng = np.random.default_rng(seed)
    runs = (rng.random((count, depth)) < rng.random((count, 1))) * rng.integers(1, grades, (count, depth))
    runs[: count // 4, :8] = 0
    runs[count // 4 : count // 3, :8] = grades - 1
    return runs.astype(np.int8)


def descended(p, gains, value, levels):
    """Return bounds of the chance of a sum of at most a value, by fixing one rank after the other."""
    reach = max(gains) / (1 - p)
    known, open_values, share = 0.0, np.array([value]), 1.0
    for _ in range(levels):
        open_values = np.concatenate([(open_values - gain) / p for gain in gains])
        share /= len(gains)
        known += share * np.count_nonzero(open_values >= reach * (1 + 1e-9))
        open_values = open_values[(open_values > -1e-9) & (open_values < reach * (1 + 1e-9))]
    return known - 1e-9, known + share * len(open_values) + 1e-9


@pytest.mark.parametrize(
    ("p", "gains", "levels", "near"),
    [("0.66", (0, 1), 34, 1e-4), ("0.7", (0, 1), 30, 2e-5), ("0.8", (0, 1), 22, 2e-5), ("0.7", (0, 1, 3), 18, 2e-5)],
    ids=str,
)
def test_the_bounds_agree_with_those_from_fixing_rank_after_rank(p, gains, levels, near):
    p = Fraction(p)
    runs = some_runs(len(gains), 12)
    values = np.array(gains)[runs] @ float(p) ** np.arange(runs.shape[1])
    for position, value in zip(infinite_positions(p, [Fraction(gain) for gain in gains], runs), values, strict=True):
        low, high = descended(float(p), gains, value, levels)
        assert max(float(position.low), low) <= min(float(position.high), high)
        assert position.width < near


@pytest.mark.parametrize("p", ["0.8", "0.95"])
def test_a_rank_of_nothing_in_front_halves_the_position_of_a_small_value(p):
    runs = np.zeros((2, 60), dtype=np.int8)
    runs[0, 20], runs[1, 21] = 1, 1
    one, other = infinite_positions(Fraction(p), BINARY, runs)
    assert (other.low, other.high) == (one.low / 2, one.high / 2)
    assert one.high - one.low < one.high / 1000


def test_positions_at_persistence_a_half_are_binary_numbers():
    runs = some_runs(2, 30, depth=20)
    true = [sum(Fraction(int(grade), 2**rank) for rank, grade in enumerate(run, 1)) for run in runs]
    for position, place in zip(infinite_positions(Fraction(1, 2), BINARY, runs), true, strict=True):
        assert position.low <= place <= position.high


def test_a_run_and_its_complement_enclose_each_other():
    runs = some_runs(2, 12)
    ones = np.ones((len(runs), 400), dtype=np.int8)
    ones[:, : runs.shape[1]] -= runs
    p = Fraction(7, 8)
    for one, other in zip(infinite_positions(p, BINARY, runs), infinite_positions(p, BINARY, ones), strict=True):
        assert one.low <= 1 - other.low
        assert 1 - other.high <= one.high + Fraction(1, 2**60)  # the complement ends at some rank


def test_positions_ascend_with_the_values():
    p, runs = Fraction(9, 10), some_runs(4, 16)
    values = np.array([0, 1, 3, 7])[runs] @ 0.9 ** np.arange(30)
    positions = infinite_positions(p, [Fraction(gain) for gain in (0, 1, 3, 7)], runs)
    ordered = [positions[row] for row in np.argsort(values)]
    assert all(one.low <= other.high for one, other in pairwise(ordered))
    assert max(position.width for position in positions) < 5e-5


def test_a_run_of_nothing_stands_at_zero_whatever_the_scale_of_the_gains():
    runs = np.array([[0, 0, 0], [0, 1, 0]], dtype=np.int8)
    nothing, something = infinite_positions(Fraction(3, 4), [Fraction(1, 3), Fraction(2, 3)], runs)
    assert (nothing.low, nothing.high, nothing.how, nothing.size) == (0, 0, Certainty.EXACT, None)
    (same,) = infinite_positions(Fraction(3, 4), BINARY, runs[1:])
    assert (something.low, something.high) == (same.low, same.high)
    assert something.how == Certainty.CERTIFIED


def test_deep_hits_are_not_lost_to_underflow():
    runs = np.zeros((1, 3000), dtype=np.int8)
    runs[0, 2999] = 1
    (position,) = infinite_positions(Fraction(7, 10), BINARY, runs)
    assert 0 < position.low < position.high < Fraction(1, 2**3000)


def test_what_cannot_be_is_refused():
    runs = np.zeros((1, 3), dtype=np.int8)
    with pytest.raises(ParameterError, match="between 0 and 1"):
        infinite_positions(Fraction(1), BINARY, runs)
    with pytest.raises(ParameterError, match="two different gains"):
        infinite_positions(Fraction(1, 2), [Fraction(1), Fraction(1)], runs)
    with pytest.raises(NotAvailable, match="max_seconds"):
        infinite_positions(Fraction(4, 5), BINARY, np.eye(3, dtype=np.int8), Budget(seconds=1e-6))
    assert infinite_positions(Fraction(4, 5), BINARY, runs[:0]) == []


RUNS = np.array([[1, 0, 0, 0], [0, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]], dtype=np.int8)


def test_where_the_first_difference_decides_a_run_is_read_as_a_number():
    for p in (Fraction(3, 10), Fraction(1, 2)):
        positions = geometric_ruler(p, [0, 1], None).positions(RUNS)
        assert [position.low * 16 for position in positions] == [8, 6, 15, 1, 0]
        assert {position.how for position in positions} == {Certainty.EXACT}


def test_where_all_numbers_occur_the_position_is_the_value():
    ruler = geometric_ruler(Fraction(1, 2), [0, 1, 2], None)
    values = [Fraction(1), Fraction(3, 4), Fraction(15, 8), Fraction(1, 8), Fraction(0)]
    assert [position.low for position in ruler.positions(RUNS)] == [value / 4 for value in values]
    assert ruler.consecutive
    assert not geometric_ruler(Fraction(4, 5), [0, 1], None).consecutive


@pytest.mark.parametrize(("p", "gains", "depth"), [("4/5", [0, 1], 24), ("3/5", [0, 1], 30), ("4/5", [0, 1, 3], 17)])
def test_bounds_hold_what_exact_ranks_of_deep_runs_approach(p, gains, depth):
    p = Fraction(p)
    deep = np.zeros((len(RUNS), depth), dtype=np.int8)
    deep[:, :4] = RUNS
    finite = geometric_ruler(p, gains, depth)
    later = finite.positions(deep)
    endless = geometric_ruler(p, gains, None).positions(RUNS)
    # a run that goes on is worth more by less than this, so that runs a little better bound the position
    deep[:, -12:] = len(gains) - 1
    better = finite.positions(deep)
    for position, least, most in zip(endless, later, better, strict=True):
        assert position.low <= least.high + Fraction(1, finite.size)
        assert position.width < 1e-5
        assert abs(float(position) - float(least)) < 0.01
        assert least.low <= most.high
        assert position.assumption == NONE


def test_the_order_of_endless_runs_is_that_of_their_values():
    runs = np.random.default_rng(1).integers(0, 2, (80, 12)).astype(np.int8)
    positions = geometric_ruler(Fraction(4, 5), [0, 1], None).positions(runs)
    values = [sum(Fraction(4, 5) ** rank * int(grade) for rank, grade in enumerate(run)) for run in runs]
    order = sorted(range(80), key=values.__getitem__)
    assert all(positions[one].low <= positions[other].high for one, other in pairwise(order))


def test_gains_in_any_order_are_taken_by_size():
    plain, other = geometric_ruler(Fraction(3, 5), [0, 1, 2], None), geometric_ruler(Fraction(3, 5), [0, 2, 1], None)
    runs = np.array([[0, 1, 2]], dtype=np.int8)
    swapped = np.array([[0, 2, 1]], dtype=np.int8)
    assert plain.positions(runs) == other.positions(swapped)


def test_ties_of_endless_runs_are_not_sorted_out():
    with pytest.raises(NotAvailable, match="use a finite depth"):
        geometric_ruler(Fraction(1, 2), [0, 1, 3], None)


def test_where_all_gains_are_the_same_all_runs_stand_at_zero():
    positions = geometric_ruler(Fraction(4, 5), [2, 2], None).positions(RUNS)
    assert {(position.low, position.high) for position in positions} == {(0, 0)}


def test_values_of_endless_runs_cannot_be_counted():
    ruler = geometric_ruler(Fraction(4, 5), [0, 1], None)
    with pytest.raises(NotAvailable, match="use a finite depth"):
        _ = ruler.size


def test_the_rest_of_a_run_must_have_the_lowest_gain():
    with pytest.raises(NotAvailable, match="lowest gain"):
        geometric_ruler(Fraction(4, 5), [1, 0], None).positions(RUNS)
