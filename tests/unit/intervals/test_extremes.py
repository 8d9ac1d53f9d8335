from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.intervals.knapsack import places, smallest, up_to
from measurand.intervals.tilting import Choices

parts = st.lists(
    st.lists(st.integers(1, 1000), min_size=1, max_size=3, unique=True).map(lambda some: [0, *sorted(some)]),
    min_size=1,
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(parts, st.integers(1, 100))
def test_the_smallest_sums_are_all_up_to_the_limit(numbers, most):
    every = sorted(sum(choice) for choice in product(*numbers))
    sums, limit = smallest(Choices(tuple(map(np.array, numbers)), 1), most)
    assert sums.tolist() == [one for one in every if one <= limit]
    assert len(sums) <= most


@settings(max_examples=40, deadline=None)
@given(parts, st.integers(0, 1500))
def test_sums_are_written_down_only_if_they_are_few(numbers, limit):
    every = [sum(choice) for choice in product(*numbers) if sum(choice) <= limit]
    choices = Choices(tuple(map(np.array, numbers)), 1)
    assert up_to(choices, limit, len(every)).tolist() == sorted(every)
    assert up_to(choices, limit, len(every) - 1) is None


def test_a_sum_alone_in_its_window_has_an_exact_place():
    low, high = places(np.array([0, 40, 60, 63]), np.array([0, 40, 60, 63]), 5)
    assert low.tolist() == [1, 2, 3, 3]
    assert high.tolist() == [1, 2, 4, 4]
