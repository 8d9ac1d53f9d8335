"""Tables of sums in ascending order."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.intervals.meet_in_the_middle import Half

parts = st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=5).map(sorted), max_size=4)


@settings(deadline=None)
@given(parts)
def test_a_half_holds_every_sum_in_ascending_order(parts):
    assert Half.of(parts).sums.tolist() == sorted(sum(choice) for choice in product(*parts))


@settings(deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9)), min_size=1, max_size=4), max_size=3))
def test_a_counted_half_multiplies_the_counts_of_its_parts(parts):
    arrays = [(np.array([a for a, _ in part]), np.array([n for _, n in part])) for part in parts]
    half = Half.counted(arrays)
    expected = sorted((sum(a for a, _ in choice), int(np.prod([n for _, n in choice]))) for choice in product(*parts))
    assert sorted(zip(half.sums.tolist(), half.counts.tolist(), strict=True)) == expected
    assert half.sums.tolist() == sorted(half.sums.tolist())
    assert half.totals[-1] == sum(n for _, n in expected)


@settings(deadline=None)
@given(st.lists(st.integers(-(2**61), 2**61), min_size=1, max_size=60).map(sorted))
def test_the_index_says_where_the_numbers_of_a_cell_begin(numbers):
    starts, width = Half(np.array(numbers)).index
    cells = [(number - numbers[0]) >> width for number in numbers]
    assert starts.tolist() == [sum(own < cell for own in cells) for cell in range(len(starts))]
    assert cells[-1] == len(starts) - 2
