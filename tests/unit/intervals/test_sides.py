from fractions import Fraction
from math import log

import numpy as np
import pytest

from measurand.exact import inverse_log
from measurand.execution import silent
from measurand.intervals.certified_sums import Logs, Side, _exp
from measurand.intervals.independent_blocks import Blocks
from measurand.intervals.tilting import fixed_choices


def every_sum(choices):
    sums = np.zeros(1, dtype=np.int64)
    for part in choices.fixed:
        sums = (sums[:, None] + part).ravel()
    return np.sort(sums)


@pytest.mark.parametrize("written", [1, 100, 100_000])
@pytest.mark.parametrize(("depth", "gains"), [(15, [0, 1]), (9, [0, 1, 3]), (8, [0, 1, 3, 7])], ids=str)
def test_the_rank_of_every_value_up_to_the_mean_is_between_the_bounds(depth, gains, written):
    weights = [inverse_log(rank + 1, 2) for rank in range(1, depth + 1)]
    choices = fixed_choices([block.fixed(1 << 50) for block in Blocks.of(weights, gains).blocks], 1 << 50)
    for one in (choices, choices.mirrored):
        sums = every_sum(one)
        half = int(np.searchsorted(sums, int(one.tilted(0.0).mean * one.scale)))
        ranks = np.array(Side(one, sums[:half], 1 << 24, written=written).ranks(silent))
        true = np.arange(1, half + 1)
        assert np.all(ranks[:, 0] <= true)
        assert np.all(ranks[:, 1] >= true)
        assert np.all(ranks[:, 0] >= 0.99 * true - 2)
        assert np.all(ranks[:, 1] <= 1.01 * true + 2)
        if written > len(sums):
            assert np.all(ranks[:, 0] == ranks[:, 1])


def test_no_values_have_no_ranks():
    choices = fixed_choices([[0, 4], [0, 7]], 1)
    assert Side(choices, np.empty(0, dtype=np.int64), 1 << 20).ranks(silent) == []


def test_a_rank_is_bounded_by_those_of_its_neighbours():
    logs = Logs(np.log([5.5, 1.5, 7.5]), np.log([30.5, 8.5, 9.5]))
    assert logs.whole() == [(6, 8), (6, 8), (8, 9)]


def test_the_better_bounds_are_kept():
    logs = Logs(np.zeros(3), np.full(3, 9.0))
    logs.meet(slice(1, 3), (np.array([1.0, -np.inf]), np.array([2.0, 10.0])))
    assert logs.low.tolist() == [0.0, 1.0, 0.0]
    assert logs.high.tolist() == [9.0, 2.0, 9.0]


@pytest.mark.parametrize("number", [3, 1000, 2**70, 3**700, 10**597])
def test_whole_bounds_are_next_to_the_number(number):
    low, high = _exp(log(number) - 2e-12, up=True), _exp(log(number) + 2e-12, up=False)
    assert low <= number <= high
    assert high - low <= number * Fraction(1, 10**11)
