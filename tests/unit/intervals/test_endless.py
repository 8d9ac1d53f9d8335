"""Positions among endless runs, against runs of great depth and closed forms."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.intervals.geometric_sums import geometric_ruler
from measurand.intervals.ruler import NONE, Certainty

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


@pytest.mark.parametrize(("p", "gains", "depth"), [("4/5", [0, 1], 30), ("3/5", [0, 1], 36), ("4/5", [0, 1, 3], 19)])
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
    runs = np.random.default_rng(1).integers(0, 2, (200, 12)).astype(np.int8)
    positions = geometric_ruler(Fraction(4, 5), [0, 1], None).positions(runs)
    values = [sum(Fraction(4, 5) ** rank * int(grade) for rank, grade in enumerate(run)) for run in runs]
    order = sorted(range(200), key=values.__getitem__)
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
