from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.intervals.knapsack import counted, passes, running_counts
from measurand.intervals.tilting import Choices

SCALE = 1 << 40

parts = st.lists(
    st.lists(st.integers(1, 300), min_size=1, max_size=4, unique=True).map(lambda some: [0, *sorted(some)]),
    min_size=2,
    max_size=6,
)


@settings(deadline=None, max_examples=40)  # the first call compiles
@given(parts, st.integers(1, 400))
def test_running_counts_are_those_of_all_choices(numbers, length):
    every = np.array([sum(choice) for choice in product(*numbers)])
    counts = running_counts([np.array(part) for part in numbers], length)
    assert counts.tolist() == [np.count_nonzero(every <= cell) for cell in range(length)]


@settings(deadline=None, max_examples=40)
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
