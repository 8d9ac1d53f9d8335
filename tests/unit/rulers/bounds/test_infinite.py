from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from measurand.errors import NotAvailable, ParameterError
from measurand.rulers.bounds.infinite import infinite_positions
from measurand.rulers.position import Certainty
from measurand.rulers.ruler import Budget

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
    runs = some_runs(len(gains), 24)
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
    runs = some_runs(2)
    ones = np.ones((len(runs), 400), dtype=np.int8)
    ones[:, : runs.shape[1]] -= runs
    p = Fraction(7, 8)
    for one, other in zip(infinite_positions(p, BINARY, runs), infinite_positions(p, BINARY, ones), strict=True):
        assert one.low <= 1 - other.low
        assert 1 - other.high <= one.high + Fraction(1, 2**60)  # the complement ends at some rank


def test_positions_ascend_with_the_values():
    p, runs = Fraction(9, 10), some_runs(4, 40)
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
