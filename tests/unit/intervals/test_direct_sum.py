"""Exact ranks among sums of independent blocks."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.exact import enclosure_of, inverse_log
from measurand.intervals import additive_sums as direct_sum
from measurand.intervals import additive_sums as fixed_point
from measurand.intervals.additive_sums import DirectSum
from measurand.intervals.independent_blocks import Blocks
from measurand.intervals.ruler import NONE, PROVED, SCHANUEL, Budget, Certainty
from measurand.judged.universes import every_run

RUNS = np.array(
    [[1] + [0] * 29, [1] * 5 + [0] * 25, [1, 0] * 15, [1] * 15 + [0] * 15, [0] * 15 + [1] * 15, [1] * 30], dtype=np.int8
)


def discounted(base, depth):
    return [Fraction(1) if rank <= base else inverse_log(rank, base) for rank in range(1, depth + 1)]


def plus_one(depth):
    return [inverse_log(rank + 1, 2) for rank in range(1, depth + 1)]


def patient(depth, p=Fraction(4, 5)):
    return [(1 - p) * p**rank for rank in range(depth)]


def by_hand(weights, gains):
    """Return every run, its dense rank, and how many runs are below and beside it, from weights to 70 digits."""
    with localcontext(prec=90):
        units = [int(sum(enclosure_of(weight, 80)) / 2 * Decimal(10) ** 70) for weight in weights]
    runs = every_run(len(weights), len(gains))
    values = np.array(gains, dtype=object)[runs] @ np.array(units, dtype=object)
    ordered = np.sort(values)
    gaps = np.diff(ordered)
    # what is no tie is far from one
    assert not any(1000 < gap < 10**40 for gap in gaps)
    fresh = np.concatenate([[True], gaps > 1000])
    levels = np.cumsum(fresh)[np.searchsorted(ordered, values)]
    counts = np.bincount(levels)
    below = np.cumsum(counts) - counts
    return runs, levels.tolist(), [(int(below[level]), int(counts[level])) for level in levels]


def ranks(ruler, runs):
    return [position.rank for position in ruler.positions(runs)]


CASES = [
    (discounted(2, 14), (0, 1)),
    (discounted(10, 13), (0, 1)),
    (plus_one(13), (0, 1)),
    (discounted(2, 8), (0, 1, 2)),
    (discounted(2, 6), (0, 1, 3, 7)),
    (discounted(10, 9), (0, 1, 3)),
    (plus_one(6), (0, 2, 2, 1)),
]


@pytest.mark.parametrize(("weights", "gains"), CASES)
@pytest.mark.parametrize("bits", [62, 18])
def test_ranks_and_shares_of_all_runs_are_those_of_enumeration(weights, gains, bits, monkeypatch):
    # few bits crowd the windows, so that values must be taken apart
    monkeypatch.setattr(fixed_point, "BITS", bits)
    runs, levels, shares = by_hand(weights, gains)
    ruler = DirectSum(Blocks.of(weights, gains))
    assert ruler.size == max(levels)
    assert ranks(ruler, runs) == levels
    assert ruler.shares(runs) == shares


@pytest.mark.parametrize("p", [Fraction(4, 5), Fraction(3, 5), Fraction(19, 20)])
def test_ranks_of_rbp_are_those_of_enumeration(p):
    runs, levels, shares = by_hand(patient(11, p), (0, 1))
    ruler = DirectSum(Blocks.by_rank(patient(11, p), [0, 1]))
    assert ranks(ruler, runs) == levels
    assert ruler.shares(runs) == shares
    assert ruler.positions(runs[:1])[0].assumption == NONE


def test_ranks_of_dcg_at_depth_4_are_those_in_the_paper():
    ruler = DirectSum(Blocks.of(discounted(2, 4), [0, 1]))
    assert ranks(ruler, every_run(4, 2)) == [1, 2, 3, 5, 4, 6, 7, 9, 4, 6, 7, 9, 8, 10, 11, 12]


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        (Blocks.of(discounted(2, 30), [0, 1]), [8575, 91285231, 435798132, 741888383, 63417986, 805306368]),
        (Blocks.of(discounted(10, 30), [0, 1]), [22, 78895, 5847314, 7533402, 4000935, 11534336]),
        (
            Blocks.by_rank(patient(30), [0, 1]),
            [38037288, 902123343, 669056652, 1073580459, 161366, 1073741824],
        ),
    ],
)
def test_reference_ranks_at_depth_30(blocks, expected):
    assert ranks(DirectSum(blocks), RUNS) == expected


@pytest.mark.parametrize("depth", [4, 5, 10, 15, 24, 40, 50])
def test_binary_dcg_has_as_many_values_as_were_counted(depth):
    assert Blocks.of(discounted(2, depth), [0, 1]).size == 3 * 2 ** (depth - 2)
    assert Blocks.of(discounted(10, depth), [0, 1]).size == (depth + 1 if depth <= 10 else 11 * 2 ** (depth - 10))
    assert Blocks.of(plus_one(depth), [0, 1]).size == 2**depth


@pytest.mark.parametrize(
    ("gains", "base", "sizes"),
    [
        ((0, 1, 2), 2, {4: 33, 8: 2673, 9: 6237, 13: 505197}),
        ((0, 1, 2), 10, {10: 21, 11: 63, 13: 567}),
        ((0, 1, 3), 2, {4: 42, 8: 2511, 9: 6696, 13: 542376}),
        ((0, 1, 3), 10, {10: 30, 13: 810}),
        ((0, 1, 2, 3), 2, {4: 64, 8: 12800, 9: 32000, 10: 128000}),
        ((0, 1, 3, 7), 2, {4: 104, 8: 16896, 9: 54912, 10: 219648}),
        ((0, 1, 3, 7), 10, {10: 66}),
    ],
)
def test_graded_dcg_has_as_many_values_as_were_counted(gains, base, sizes):
    assert {depth: Blocks.of(discounted(base, depth), gains).size for depth in sizes} == sizes


def test_few_and_many_runs_get_the_same_ranks_from_different_tables():
    ruler = DirectSum(Blocks.of(discounted(2, 24), [0, 1]))
    runs = np.random.default_rng(4).integers(0, 2, (500, 24), dtype=np.int8)
    together = ranks(ruler, runs)
    alone = [ranks(DirectSum(ruler.blocks), run[None])[0] for run in runs[:3]]
    tight = DirectSum(ruler.blocks, Budget(memory=100_000))
    assert together[:3] == alone == ranks(tight, runs[:3])
    assert tight._held[0].outer > 0
    assert tight.shares(runs[:3]) == ruler.shares(runs[:3])
    assert tight._held[0].outer > 0


def test_mirrored_runs_have_mirrored_ranks():
    ruler = DirectSum(Blocks.by_rank(patient(40), [0, 1]))
    runs = np.random.default_rng(1).integers(0, 2, (20, 40), dtype=np.int8)
    assert [a + b for a, b in zip(ranks(ruler, runs), ranks(ruler, 1 - runs), strict=True)] == [2**40 + 1] * 20


def test_equal_runs_are_placed_once(monkeypatch):
    seen = []
    meet = direct_sum.meet
    monkeypatch.setattr(
        direct_sum, "meet", lambda halves, lows, *rest: seen.append(len(lows)) or meet(halves, lows, *rest)
    )
    ruler = DirectSum(Blocks.of(discounted(2, 12), [0, 1]))
    swapped = np.array([[0, 1] + [1, 0] * 5, [1, 0] + [1, 0] * 5], dtype=np.int8)
    assert len(set(ranks(ruler, np.repeat(swapped, 5, axis=0)))) == 1
    assert seen == [1]
    assert ruler.different(swapped) == 1


def test_crowded_windows_give_bounds_that_hold(monkeypatch):
    weights = discounted(2, 12)
    runs, levels, _ = by_hand(weights, (0, 1))
    monkeypatch.setattr(fixed_point, "BITS", 9)
    monkeypatch.setattr(direct_sum, "SHOWN", 2)
    ruler = DirectSum(Blocks.of(weights, [0, 1]))
    positions = ruler.positions(runs)
    assert Certainty.CERTIFIED in Counter(position.how for position in positions)
    assert all(
        p.low <= Fraction(level - 1, ruler.size - 1) <= p.high for p, level in zip(positions, levels, strict=True)
    )
    with pytest.raises(NotAvailable, match="told apart"):
        ruler.shares(runs)


def test_what_costs_too_much_is_refused_before_it_starts():
    ruler = DirectSum(Blocks.of(discounted(2, 54), [0, 1]), Budget(seconds=0.01))
    assert not ruler.fits()
    with pytest.raises(NotAvailable, match="max_seconds"):
        ruler.positions(np.zeros((1, 54), dtype=np.int8))
    deep = DirectSum(Blocks.of(discounted(2, 100), [0, 1]))
    assert not deep.fits()
    with pytest.raises(NotAvailable, match="fewer ranks"):
        deep.positions(np.zeros((2, 100), dtype=np.int8))


def test_the_assumption_is_the_callers_where_logarithms_occur():
    blocks = Blocks.of(discounted(2, 5), [0, 1])
    run = np.zeros((1, 5), dtype=np.int8)
    assert DirectSum(blocks).positions(run)[0].assumption == SCHANUEL
    assert DirectSum(blocks, assumption=PROVED).positions(run)[0].assumption == PROVED
    assert DirectSum(Blocks.of(discounted(2, 2), [0, 1])).assumption == NONE


def test_no_runs_have_no_positions():
    ruler = DirectSum(Blocks.of(discounted(2, 5), [0, 1]))
    assert ruler.positions(np.zeros((0, 5), dtype=np.int8)) == []
    assert ruler.depth == 5
    assert ruler.grades == 2


def test_shares_of_the_best_and_the_worst_run_are_all_others():
    ruler = DirectSum(Blocks.of(discounted(2, 30), [0, 1, 2, 2]), Budget(memory=256 << 20))
    best, worst = ruler.shares(np.array([[2] * 30, [0] * 30], dtype=np.int8))
    assert best == (4**30 - 2**30, 2**30)
    assert worst == (0, 1)
