""" """

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import log

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.exact import inverse_log
from measurand.execution import silent
from measurand.intervals.certified_sums import CertifiedSum, Logs, Side, _exp, affordable, planned, smoothed, tilts
from measurand.intervals.independent_blocks import Blocks
from measurand.intervals.knapsack import counted
from measurand.intervals.ruler import NONE, SCHANUEL, Budget, Certainty
from measurand.intervals.tilting import fixed_choices


@pytest.fixture(scope="module")
def choices():
    weights = [Fraction(1), Fraction(1), *(inverse_log(rank, 2) for rank in range(3, 101))]
    return fixed_choices([block.fixed(1 << 50) for block in Blocks.of(weights, [0, 1]).blocks], 1 << 50)


def values(choices):
    return np.linspace(0.5, choices.tilted(0.0).mean, 200)


def test_every_value_is_counted_or_smoothed_and_some_are_both(choices):
    plan = planned(choices, values(choices), 1 << 30)
    covered = np.zeros(200, dtype=int)
    covered[: plan.grid] += 1
    for node in plan.nodes:
        covered[node.first : node.last] += 1
        assert abs(values(choices)[node.first] - node.tilt.mean) < node.tilt.deviation
        assert abs(values(choices)[node.last - 1] - node.tilt.mean) < node.tilt.deviation
    assert covered.min() == 1
    assert covered.max() == 2


def test_counting_and_smoothing_agree_where_they_meet(choices):
    around = np.linspace(2.4, 3.2, 50)
    low, high = counted(choices, around, 1 << 18)
    for node in tilts(choices, around):
        part, (least, most) = smoothed(node, around)
        assert np.all(np.maximum(low[part], least) <= np.minimum(high[part], most))
        assert np.all(most - least < 2e-3)
    assert np.all(high - low < 2e-3)


def test_a_small_depth_is_left_to_the_grid():
    weights = [Fraction(1), Fraction(1), *(inverse_log(rank, 2) for rank in range(3, 21))]
    few = fixed_choices([block.fixed(1 << 50) for block in Blocks.of(weights, [0, 1]).blocks], 1 << 50)
    plan = planned(few, values(few), 1 << 30)
    assert (plan.grid, plan.nodes) == (200, ())


def test_a_plan_is_made_coarser_until_it_fits(choices):
    plan = planned(choices, values(choices), 1 << 30)
    (coarser,) = affordable([plan], Budget(seconds=plan.seconds / 3), 200)
    assert coarser.seconds <= plan.seconds / 3
    assert coarser.cells < plan.cells
    assert affordable([plan], Budget(seconds=2 * plan.seconds), 200) == [plan]


def test_what_cannot_fit_is_refused_with_what_would_help(choices):
    plan = planned(choices, values(choices), 1 << 30)
    with pytest.raises(NotAvailable, match=r"200 values take about \d+ seconds at the least.*say max_seconds=\d+"):
        affordable([plan], Budget(seconds=1e-4), 200)


def test_little_memory_makes_a_coarse_grid(choices):
    assert planned(choices, values(choices), 1 << 22).cells <= (1 << 22) // 32


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


def discounts(depth, base=2):
    return [Fraction(1) if rank <= base else inverse_log(rank, base) for rank in range(1, depth + 1)]


def ruler(depth, gains=(0, 1), base=2, seconds=120.0):
    return CertifiedSum(Blocks.of(discounts(depth, base), list(gains)), Budget(seconds=seconds))


def some_runs(depth, grades, count, seed=1):
    """Return runs from empty to full ones, each rank with the same chance of a grade above 0."""
    rng = np.random.default_rng(seed)
    runs = (rng.random((count, depth)) < rng.random((count, 1))) * rng.integers(1, grades, (count, depth))
    runs[0], runs[1] = 0, grades - 1
    return runs.astype(np.int8)


def counted_by_meeting(blocks, runs):
    """Return the ranks of runs by meeting in the middle, in fixed point; equal bounds where that decides."""
    parts = [np.array(block.fixed(1 << 56)) for block in blocks.blocks]
    tops, tails = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for part in sorted(parts, key=len, reverse=True):
        if len(tops) <= len(tails):
            tops = (tops[:, None] + part).ravel()
        else:
            tails = (tails[:, None] + part).ravel()
    tops.sort()
    tails.sort()  # so that looking up goes forward
    values = sum(part[block.places_of(runs, blocks.gains)] for part, block in zip(parts, blocks.blocks, strict=True))
    doubt = len(parts) + 1
    low = [int(np.searchsorted(tops, value - doubt - tails).sum()) + 1 for value in values]
    return low, [int(np.searchsorted(tops, value + doubt - tails, side="right").sum()) for value in values]


def ranks_of(position, size):
    return position.low * (size - 1) + 1, position.high * (size - 1) + 1


def test_all_runs_of_depth_four_have_the_ranks_of_the_paper():
    runs = np.array(list(product([0, 1], repeat=4)), dtype=np.int8)
    ranks = [position.rank for position in ruler(4).positions(runs)]
    assert ranks == [1, 2, 3, 5, 4, 6, 7, 9, 4, 6, 7, 9, 8, 10, 11, 12]


@pytest.mark.parametrize(
    ("depth", "gains", "base"), [(12, (0, 1), 2), (12, (0, 1), 10), (7, (0, 1, 2), 2), (6, (0, 1, 3, 7), 2)]
)
def test_short_runs_have_exact_ranks(depth, gains, base):
    runs = np.array(list(product(range(len(gains)), repeat=depth)), dtype=np.int8)
    blocks = Blocks.of(discounts(depth, base), list(gains))
    low, high = counted_by_meeting(blocks, runs)
    assert low == high
    assert [position.rank for position in CertifiedSum(blocks).positions(runs)] == low


@pytest.mark.parametrize(
    ("depth", "gains", "base"),
    [
        (20, (0, 1), 2),
        (30, (0, 1), 2),
        (30, (0, 1), 10),
        (18, (0, 1, 2), 2),
        (16, (0, 1, 3, 7), 2),
        (13, (0, 1, 2, 3, 4), 2),
    ],
)
def test_the_true_rank_lies_between_the_bounds(depth, gains, base):
    measure = ruler(depth, gains, base)
    runs = some_runs(depth, len(gains), 50)
    positions = measure.positions(runs)
    for position, least, most in zip(positions, *counted_by_meeting(measure.blocks, runs), strict=True):
        low, high = ranks_of(position, measure.size)
        assert low <= least <= most <= high
        assert position.width < 3e-4
    assert {position.how for position in positions} == {Certainty.EXACT, Certainty.CERTIFIED}


def test_smoothed_ranks_lie_between_the_bounds_too():
    measure = ruler(44)  # deep enough for smoothing, and not too deep for meeting in the middle
    assert measure.size == 3 << 42
    runs = some_runs(44, 2, 400)
    runs = runs[(runs.sum(axis=1) > 18) & (runs.sum(axis=1) < 26)][:1]
    for position, least, most in zip(measure.positions(runs), *counted_by_meeting(measure.blocks, runs), strict=True):
        low, high = ranks_of(position, measure.size)
        assert low <= least <= most <= high
        assert position.width < 5e-5


def test_runs_of_depth_thirty_have_the_published_ranks():
    runs = np.zeros((5, 30), dtype=np.int8)
    runs[0, 0] = runs[1, :5] = runs[2, ::2] = runs[3, 15:] = runs[4, :] = 1
    measure = ruler(30)
    assert measure.size == 805306368
    for position, rank in zip(measure.positions(runs), [8575, 91285231, 435798132, 63417986, 805306368], strict=True):
        low, high = ranks_of(position, measure.size)
        assert low <= rank <= high
    assert [measure.positions(runs[[row]])[0].rank for row in (0, 4)] == [8575, 805306368]


@pytest.mark.parametrize("gains", [(0, 1), (0, 1, 3, 7)], ids=["binary", "graded"])
def test_a_larger_value_has_no_smaller_bounds_at_depth_a_hundred(gains):
    measure = ruler(100, gains, seconds=1)
    runs = some_runs(100, len(gains), 30)
    found = measure.positions(runs)
    positions = [found[row] for row in np.argsort(measure._values(runs))]
    assert all(one.low <= other.low and one.high <= other.high for one, other in pairwise(positions))
    assert all(position.low <= position.high for position in positions)
    widths = [float((position.high - position.low) / position.high) for position in positions if position.high]
    assert np.median(widths) < 5e-3


def test_the_ends_of_a_scale_too_long_for_floats_have_exact_ranks():
    measure = ruler(1000, (0, 1, 3, 7))
    runs = np.zeros((4, 1000), dtype=np.int8)
    runs[1, 999], runs[2, :], runs[3, :] = 1, 3, 3
    runs[3, 999] = 2
    assert measure.size > 10**590
    ranks = [position.rank for position in measure.positions(runs)]
    assert ranks[:3] == [1, 2, measure.size]
    assert measure.size - 10 < ranks[3] < measure.size  # 4 units of gain less at the last rank, which are not the least


def test_a_complemented_run_stands_as_far_from_the_other_end():
    measure = ruler(60, seconds=0.3)
    runs = some_runs(60, 2, 20, seed=5)
    size = measure.size
    for one, other in zip(measure.positions(runs), measure.positions(1 - runs), strict=True):
        low, high = ranks_of(one, size)
        least, most = (size + 1 - rank for rank in reversed(ranks_of(other, size)))
        assert max(low, least) <= min(high, most)


def test_less_time_gives_wider_bounds_that_agree():
    runs = some_runs(100, 2, 30)
    narrow, wide = ruler(100, seconds=1).positions(runs), ruler(100, seconds=0.3).positions(runs)
    assert all(max(one.low, other.low) <= min(one.high, other.high) for one, other in zip(narrow, wide, strict=True))
    assert np.median([position.width for position in wide]) > np.median([position.width for position in narrow])


def test_too_little_time_is_refused():
    with pytest.raises(NotAvailable, match="say max_seconds="):
        ruler(100, seconds=1e-3).positions(some_runs(100, 2, 60))


def test_progress_sees_every_part():
    seen = []

    def progress(items, total, what):
        found = list(items)
        seen.append((what, len(found) == total))
        return found

    ruler(60, seconds=0.3).positions(some_runs(60, 2, 40), progress)
    assert {what for what, _ in seen} == {"counting small sums", "smoothing"}
    assert all(complete for _, complete in seen)


def test_rational_weights_rest_on_no_assumption_and_have_exact_ranks():
    measure = CertifiedSum(Blocks.of([Fraction(1, 4)] * 400, [0, 1, 3]))
    assert (measure.assumption, measure.depth, measure.grades) == (NONE, 400, 3)
    assert ruler(5).assumption == SCHANUEL
    runs = some_runs(400, 3, 30)
    gains = np.array([0, 1, 3])[runs].sum(axis=1)
    values = sorted({a + 3 * b for a in range(401) for b in range(401 - a)})
    assert measure.size == len(values)
    assert [position.rank for position in measure.positions(runs)] == [values.index(gain) + 1 for gain in gains]


def test_no_runs_have_no_positions():
    assert ruler(100).positions(np.empty((0, 100), dtype=np.int8)) == []


def test_gains_beyond_fixed_point_are_refused():
    measure = CertifiedSum(Blocks.of(discounts(5), [0, 1, 1 << 80]))
    with pytest.raises(NotAvailable, match="smaller ones in the same proportions"):
        measure.positions(np.zeros((1, 5), dtype=np.int8))
