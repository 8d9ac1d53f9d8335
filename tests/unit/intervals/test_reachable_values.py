"""Walks: keys that order runs as the measure does.

Two stretches of a walk make every value, wherever it is cut.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.intervals.reachable_values import (
    MANY,
    RunCounts,
    Stretches,
    Walk,
    average_precision_walk,
    cascade_walk,
    weighted_walk,
)
from measurand.judged.universes import every_run


def average_precision(run):
    return sum((Fraction(sum(run[:i]), i) for i in range(1, len(run) + 1) if run[i - 1]), Fraction(0))


def cascade(run, stops, utilities):
    total, going = Fraction(0), Fraction(1)
    for grade, utility in zip(run, utilities, strict=True):
        total += going * stops[grade] * utility
        going *= 1 - stops[grade]
    return total


@pytest.mark.parametrize("depth", [1, 4, 7])
def test_a_key_of_average_precision_is_its_value_times_the_scale(depth):
    runs, walk = every_run(depth, 2), average_precision_walk(depth)
    assert [Fraction(key, walk.scale) for key in walk.keys_of(runs).tolist()] == [
        average_precision(run) for run in runs.tolist()
    ]
    assert walk.highest == max(walk.keys_of(runs))


def test_keys_beyond_64_bits_are_whole_numbers_of_any_length():
    walk, run = average_precision_walk(57), [1, 0] * 28 + [1]
    (key,) = walk.keys_of(np.array([run], dtype=np.int8))
    assert Fraction(int(key), walk.scale) == average_precision(run)


@given(
    stops=st.lists(st.fractions(0, 1, max_denominator=6), min_size=1, max_size=3),
    utilities=st.lists(st.fractions(0, 2, max_denominator=9), min_size=1, max_size=4),
)
def test_a_key_of_a_cascade_is_its_value_times_the_scale(stops, utilities):
    runs, walk = every_run(len(utilities), len(stops)), cascade_walk(stops, utilities)
    values = [cascade(run, stops, utilities) for run in runs.tolist()]
    keys = [Fraction(key, walk.scale) for key in walk.keys_of(runs).tolist()]
    # what every run is given at a rank is left out
    assert len({value - key for value, key in zip(values, keys, strict=True)}) == 1


def test_weights_and_gains_below_zero_leave_keys_at_zero_or_above():
    walk = weighted_walk([Fraction(1), Fraction(-1, 2)], [Fraction(-1), Fraction(1)])
    assert walk.keys_of(every_run(2, 2)).tolist() == [2, 0, 6, 4]
    assert walk.highest == 6


def test_a_walk_with_too_many_states_is_none():
    assert Walk.of(1, MANY + 1, 0, lambda state, rank, grade: (grade, Fraction(0))) is None


def test_a_run_of_another_depth_is_refused():
    with pytest.raises(ParameterError, match="3 ranks, not 2"):
        average_precision_walk(3).keys_of(every_run(2, 2))


@pytest.mark.parametrize("cut", range(9))
def test_sums_of_two_stretches_are_the_values_wherever_the_cut(cut):
    walk = average_precision_walk(8)
    two = Stretches.of(walk, 1 << 30, cut)
    sums = {a + b for pair in zip(two.before, two.after, strict=True) for a in pair[0] for b in pair[1]}
    assert sums == set(walk.keys_of(every_run(8, 2)).tolist())
    assert two.highest == walk.highest
    assert two.cut == cut


@pytest.mark.parametrize("cut", [0, 3, 9])
def test_crowds_count_the_runs_up_to_a_key_wherever_the_cut(cut):
    walk = average_precision_walk(9)
    keys = np.sort(walk.keys_of(every_run(9, 2)))
    asked = np.unique(np.concatenate([keys, keys - 1, keys + 1]))
    assert RunCounts.of(walk, cut).up_to(asked).tolist() == np.searchsorted(keys, asked, side="right").tolist()


def test_tables_that_need_too_much_memory_are_none():
    assert Stretches.of(average_precision_walk(40), 1 << 20) is None
