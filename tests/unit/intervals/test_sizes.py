import numpy as np
import pytest

from measurand.intervals.tilting import Choices
from measurand.intervals.vaaler import NEGLIGIBLE, Sizes

CIRCLE = 9.7
COUNT = 20_000


def choices(lengths):
    rng = np.random.default_rng(7)
    parts = [np.sort(rng.integers(1 << 30, 1 << 40, length - 1)) for length in lengths]
    return Choices(tuple(np.concatenate([[0], part]) for part in parts), 1 << 40)


def true_sizes(tilt, k):
    found = np.ones(len(k))
    for begin, end in zip(tilt.choices.starts[:-1], tilt.choices.starts[1:], strict=True):
        turns = np.exp((2j * np.pi / CIRCLE) * np.outer(k, tilt.choices.numbers[begin:end]))
        found *= np.abs(turns @ tilt.shares[begin:end])
    return found


@pytest.mark.parametrize(
    "lengths", [[2] * 5, [2] * 40, [4] * 20, [2, 3, 30, 2, 5]], ids=["few", "many", "graded", "mixed"]
)
@pytest.mark.parametrize("rate", [0.0, 2.0, 10.0])
def test_the_bounds_are_never_below_the_true_sizes(lengths, rate):
    tilt = choices(lengths).tilted(rate)
    bounds = Sizes.of(tilt, CIRCLE, COUNT).upper(1, COUNT)
    assert np.all(bounds >= true_sizes(tilt, np.arange(1, COUNT + 1)))


def test_the_bounds_of_pairs_are_close_to_the_true_sizes():
    tilt = choices([2] * 12).tilted(1.0)
    true = true_sizes(tilt, np.arange(1, COUNT + 1))
    bounds = Sizes.of(tilt, CIRCLE, COUNT).upper(1, COUNT)
    assert bounds.sum() < 1.1 * true.sum()


def test_a_stretch_can_start_anywhere():
    sizes = Sizes.of(choices([2] * 10).tilted(1.0), CIRCLE, COUNT)
    assert np.allclose(sizes.upper(1, 5000)[3210:], sizes.upper(3211, 1790), rtol=1e-3, atol=1e-5)


def test_negligible_sizes_are_not_computed_further_and_still_bounded():
    tilt = choices([2] * 300).tilted(0.0)
    bounds = Sizes.of(tilt, CIRCLE, COUNT).upper(1000, COUNT)
    assert np.all(bounds > 0)
    assert np.median(bounds) < NEGLIGIBLE


def test_the_bound_of_the_sine_is_below_it():
    x = np.linspace(0, 1, 100_001)
    y = x * (1 - x)
    assert np.all(np.sin(np.pi * x) - np.pi * (y + y**2 + 0.35506 * y**3) >= -1e-15)
