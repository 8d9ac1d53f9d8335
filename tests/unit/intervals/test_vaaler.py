""" """

from __future__ import annotations

from math import log

import numpy as np
import pytest

from measurand.intervals.tilting import Choices, tilt_at
from measurand.intervals.vaaler import NEGLIGIBLE, Sizes, Smoothed, Window

BITS = 128
SCALE = 1 << 36


def exact_logs(parts):
    """Return the logarithms of how many choices have a sum of at most 0, 1, 2, ...: a product of polynomials."""
    product = 1
    for part in parts:
        product = sum(product << (BITS * number) for number in part)
    running, found = 0, []
    while product:
        running += product & ((1 << BITS) - 1)
        product >>= BITS
        found.append(log(running))
        if len(found) % 512 == 0:  # shifting the whole number each time would take long
            rest, product = product, 0
            found += _rest(rest, running)
    return np.array(found)


def _rest(product, running):
    data = product.to_bytes((product.bit_length() + 7) // 8 + BITS // 8, "little")
    found = []
    for at in range(0, len(data) - BITS // 8 + 1, BITS // 8):
        running += int.from_bytes(data[at : at + BITS // 8], "little")
        found.append(log(running))
    return found


def whole(parts):
    return Choices(tuple(np.array(part) * SCALE for part in parts), SCALE)


def binary():
    rng = np.random.default_rng(11)
    return [[0, int(number)] for number in rng.integers(100, 700, 80)]


def graded():
    rng = np.random.default_rng(12)
    return [[0, int(number), 3 * int(number), 7 * int(number)] for number in rng.integers(20, 100, 40)]


@pytest.fixture(scope="module", params=[binary, graded])
def exact(request):
    parts = request.param()
    return whole(parts), exact_logs(parts)


@pytest.mark.parametrize("where", [0.25, 0.6, 1.0])
def test_the_bounds_hold_for_every_value_around_the_mean_of_a_tilt(exact, where):
    choices, logs = exact
    tilt = tilt_at(choices, where * choices.tilted(0.0).mean)
    middle, spread = tilt.mean, tilt.deviation
    values = np.arange(round(middle - spread), round(middle + spread))
    true = logs[values]
    low, high = Smoothed.of(Window.of(tilt, values[0], values[-1], 1e-7), 1 << 14).counted(values.astype(float))
    assert np.all(low <= true)
    assert np.all(high >= true)
    assert np.median(high - low) < 0.2


def test_a_higher_degree_brings_the_bounds_together():
    choices = Choices(
        tuple(np.array([0, number]) for number in np.random.default_rng(3).integers(1 << 38, 1 << 40, 60)), 1 << 40
    )
    tilt = tilt_at(choices, 0.6 * choices.tilted(0.0).mean)
    window = Window.of(tilt, tilt.mean, tilt.mean, 1e-9)
    widths = [
        np.subtract(*reversed(Smoothed.of(window, 1 << bits).counted(np.array([tilt.mean])))) for bits in (12, 15, 18)
    ]
    assert widths[1] < widths[0] / 4
    assert widths[2] < widths[1] / 4


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
