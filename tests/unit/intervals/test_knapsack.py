""" """

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.intervals.knapsack import counted, passes, places, running_counts, smallest, up_to
from measurand.intervals.tilting import Choices

SCALE = 1 << 40

parts = st.lists(
    st.lists(st.integers(1, 300), min_size=1, max_size=4, unique=True).map(lambda some: [0, *sorted(some)]),
    min_size=2,
    max_size=6,
)


@settings(deadline=None, max_examples=10)  # the first call compiles
@given(parts, st.integers(1, 400))
def test_running_counts_are_those_of_all_choices(numbers, length):
    every = np.array([sum(choice) for choice in product(*numbers)])
    counts = running_counts([np.array(part) for part in numbers], length)
    assert counts.tolist() == [np.count_nonzero(every <= cell) for cell in range(length)]


@settings(deadline=None, max_examples=10)
@given(parts, st.integers(5, 5000))
def test_the_counts_of_rounded_numbers_enclose_the_true_one(numbers, length):
    choices = Choices(tuple(np.array(part) * SCALE for part in numbers), SCALE)
    every = np.array([sum(choice) for choice in product(*numbers)])
    values = np.unique(every).astype(float)
    low, high = counted(choices, values, length)
    true = np.array([np.count_nonzero(every <= value) for value in values])
    assert np.all(np.exp(low) <= true)
    assert np.all(np.exp(high) >= true)


def test_long_tables_are_counted_like_short_ones():
    rng = np.random.default_rng(1)
    numbers = [np.array([0, *sorted(rng.integers(1, 40_000, 3))]) for _ in range(5)]
    every = np.array([sum(choice) for choice in product(*(part.tolist() for part in numbers))])
    counts = running_counts(numbers, 50_000)
    assert np.array_equal(counts, np.searchsorted(np.sort(every), np.arange(50_000), side="right"))


def test_more_cells_bring_the_bounds_together():
    rng = np.random.default_rng(2)
    choices = Choices(tuple(np.array([0, number]) for number in rng.integers(1 << 38, 1 << 40, 30)), SCALE)
    values = np.array([2.0, 4.0, 6.0])
    widths = [np.subtract(*reversed(counted(choices, values, length))) for length in (1 << 12, 1 << 15, 1 << 18)]
    assert np.all(widths[1] < widths[0] / 4)
    assert np.all(widths[2] < widths[1] / 4)


def test_a_count_beyond_floats_is_still_enclosed():
    choices = Choices((np.arange(1 << 6) << 40,) * 200, SCALE)
    ((low,), (high,)) = counted(choices, np.array([63.0 * 200]), 1 << 12)
    assert low <= 200 * 6 * np.log(2) <= high


def test_a_cell_costs_a_pass_for_each_number_and_one_for_each_block():
    assert passes(Choices((np.array([0, 4, 8]), np.array([0, 6])), 1), 6) == 4 + 2


small_parts = st.lists(
    st.lists(st.integers(1, 1000), min_size=1, max_size=3, unique=True).map(lambda some: [0, *sorted(some)]),
    min_size=1,
    max_size=6,
)


@settings(max_examples=20, deadline=None)
@given(small_parts, st.integers(1, 100))
def test_the_smallest_sums_are_all_up_to_the_limit(numbers, most):
    every = sorted(sum(choice) for choice in product(*numbers))
    sums, limit = smallest(Choices(tuple(map(np.array, numbers)), 1), most)
    assert sums.tolist() == [one for one in every if one <= limit]
    assert len(sums) <= most


@settings(max_examples=20, deadline=None)
@given(small_parts, st.integers(0, 1500))
def test_sums_are_written_down_only_if_they_are_few(numbers, limit):
    every = [sum(choice) for choice in product(*numbers) if sum(choice) <= limit]
    choices = Choices(tuple(map(np.array, numbers)), 1)
    assert up_to(choices, limit, len(every)).tolist() == sorted(every)
    assert up_to(choices, limit, len(every) - 1) is None


def test_a_sum_alone_in_its_window_has_an_exact_place():
    low, high = places(np.array([0, 40, 60, 63]), np.array([0, 40, 60, 63]), 5)
    assert low.tolist() == [1, 2, 3, 3]
    assert high.tolist() == [1, 2, 4, 4]
