from itertools import product
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.intervals.tilting import Choices, ceiling, fixed_choices, tilt_at

SCALE = 1 << 40

parts = st.lists(
    st.lists(st.integers(1, 1000), min_size=1, max_size=3, unique=True).map(lambda some: [0, *sorted(some)]),
    min_size=1,
    max_size=6,
)


def whole(numbers):
    return Choices(tuple(np.array(part) * SCALE for part in numbers), SCALE)


def sums(numbers):
    return np.array([sum(choice) for choice in product(*numbers)])


@settings(max_examples=10, deadline=None)
@given(parts, st.floats(0, 0.05))
def test_a_tilt_has_the_moments_of_the_weighted_sums(numbers, rate):
    tilt = whole(numbers).tilted(rate)
    every = sums(numbers)
    weights = np.exp(-rate * every)
    mean = (weights @ every) / weights.sum()
    assert tilt.logs == pytest.approx(log(weights.sum()))
    assert tilt.mean == pytest.approx(mean)
    assert tilt.deviation == pytest.approx(np.sqrt(weights @ (every - mean) ** 2 / weights.sum()))


@settings(max_examples=10, deadline=None)
@given(parts, st.floats(0, 0.05), st.floats(1e-6, 0.5))
def test_a_tilted_sum_is_seldom_outside_chernoffs_bounds(numbers, rate, unlikely):
    low, high = whole(numbers).tilted(rate).between(unlikely)
    every = sums(numbers)
    weights = np.exp(-rate * every) / np.exp(-rate * every).sum()
    assert weights[every <= low].sum() <= unlikely
    assert weights[every >= high].sum() <= unlikely


@settings(max_examples=10, deadline=None)
@given(parts, st.floats(0.05, 1.0))
def test_a_tilt_is_found_for_every_mean_up_to_the_plain_one(numbers, part):
    choices = whole(numbers)
    mean = part * choices.tilted(0.0).mean
    tilt = tilt_at(choices, mean)
    assert tilt.rate >= 0
    assert abs(tilt.mean - mean) <= 0.011 * tilt.deviation


@settings(max_examples=10, deadline=None)
@given(parts, st.integers(2, 60))
def test_no_more_sums_than_said_are_at_or_below_the_ceiling(numbers, count):
    assert np.count_nonzero(sums(numbers) <= ceiling(whole(numbers), count)) <= count


def test_the_typical_decay_is_that_of_the_mean_square_over_all_frequencies():
    tilt = whole([[0, 300, 700], [0, 501]]).tilted(0.001)
    frequencies = np.linspace(0, 2 * np.pi, 100_001)
    size = np.ones(len(frequencies))
    for begin, end in zip(tilt.choices.starts[:-1], tilt.choices.starts[1:], strict=True):
        phases = np.exp(1j * np.outer(frequencies, tilt.choices.numbers[begin:end]))
        size *= np.abs(phases @ tilt.shares[begin:end]) ** 2
    assert exp(-2 * tilt.decays.sum()) == pytest.approx(size.mean(), rel=1e-2)


def test_a_mirror_in_a_mirror_shows_the_choices():
    choices = fixed_choices([[3, 7, 20], [0, 5]], 1)
    twice = choices.mirrored.mirrored
    assert [part.tolist() for part in twice.fixed] == [[0, 4, 17], [0, 5]]
    assert twice.top == choices.mirrored.top == 22
