"""Sums in tiny units, and the windows that rounding needs.

Values that rounding cannot tell apart.

Cutting blocks into tops and tails.

Exact ranks among sums of independent blocks.

Which ruler an additive measure gets.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable, ParameterError
from measurand.exact import enclosure_of, inverse_log
from measurand.intervals import additive_sums
from measurand.intervals import independent_blocks as blocks
from measurand.intervals.additive_sums import (
    DirectSum,
    ExactWhenFew,
    FixedPoint,
    additive_ruler,
    below,
    cheapest,
    choices,
    split_of,
)
from measurand.intervals.closed_forms import Complete, Lexicographic, Tabulated, WholeSums
from measurand.intervals.independent_blocks import Block, Blocks
from measurand.intervals.ruler import NONE, PROVED, SCHANUEL, Budget, Certainty, Position
from measurand.judged.universes import every_run


@pytest.mark.parametrize("bits", [8, 12, 62])
def test_what_lies_outside_a_window_is_on_the_side_it_seems(bits, monkeypatch):
    monkeypatch.setattr(additive_sums, "BITS", bits)
    blocks = Blocks.of([Fraction(1), *(inverse_log(rank, 2) for rank in range(3, 10))], [0, 1])
    fixed = FixedPoint.of(blocks)
    places = np.array(list(product(*(range(block.size) for block in blocks.blocks))))
    rounded = sum(part[column] for part, column in zip(fixed.parts, places.T, strict=True))
    values = [
        sum(block.value * block.sums[place] for block, place in zip(blocks.blocks, choice, strict=True))
        for choice in places.tolist()
    ]
    order = np.argsort(np.argsort(np.array(values, dtype=object)))
    lows, highs = fixed.windows(places)
    assert rounded.max() < 2**bits
    for own, low, high, rank in zip(rounded, lows, highs, order, strict=True):
        assert low <= own <= high
        assert (order[rounded < low] < rank).all()
        assert (order[rounded > high] > rank).all()


def test_a_measure_without_weight_has_one_value():
    fixed = FixedPoint.of(Blocks.by_rank([Fraction(0)], [0]))
    assert [part.tolist() for part in fixed.parts] == [[0]]


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=4), max_size=5), st.integers(0, 15))
def test_all_choices_that_make_a_sum_are_found(parts, target):
    expected = [
        places
        for places in product(*(range(len(part)) for part in parts))
        if sum(part[place] for part, place in zip(parts, places, strict=True)) == target
    ]
    assert choices(target, [np.array(part) for part in parts]) == sorted(expected)


def test_values_that_agree_to_a_hundred_digits_are_told_apart():
    near = Fraction(1, 3) + Fraction(1, 10**100)
    one, other = (Block(unit, (1,), (1,), (0, 1)) for unit in (Fraction(1, 3), near))
    assert below([one, other], (1, 0), (0, 1))
    assert not below([one, other], (0, 1), (1, 0))


def test_inverse_logarithms_are_compared():
    three, five = (Block(inverse_log(rank, 2), (rank,), (1,), (0, 1, 2)) for rank in (3, 5))
    # 1/log2(3) = .631, 2/log2(5) = .861
    assert below([three, five], (1, 0), (0, 2))
    assert below([three, five], (0, 1), (1, 0))


def test_blocks_that_tie_after_all_are_an_error():
    one, other = (Block(Fraction(1, 3), (rank,), (1,), (0, 1)) for rank in (1, 2))
    with pytest.raises(ParameterError, match="tie"):
        below([one, other], (1, 0), (0, 1))


@pytest.mark.parametrize("windows", [1, 100, 10_000])
def test_no_other_cut_is_cheaper(windows):
    sizes = [60, 8, 4] + [2] * 20
    best = cheapest(sizes, windows, 1 << 30)
    ways = [split_of(sizes, 0, inner, windows, counted=False) for inner in range(len(sizes) + 1)]
    assert best.seconds == min(way.seconds for way in ways)


def test_little_memory_makes_more_passes_over_smaller_tables():
    sizes = [2] * 50
    roomy, tight = cheapest(sizes, 1, 8 << 30), cheapest(sizes, 1, 8 << 20)
    assert roomy.outer == 0
    assert tight.outer > 0
    assert tight.memory <= 8 << 20
    assert tight.seconds > roomy.seconds


def test_tables_that_are_there_are_used_again():
    sizes = [2] * 30
    held = cheapest(sizes, 10_000, 1 << 30)
    assert cheapest(sizes, 1, 1 << 30) != held
    assert cheapest(sizes, 5_000, 1 << 30, held=held) == held
    assert cheapest(sizes, 5_000, 1 << 30, counted=True, held=held) != held


def test_too_many_values_cannot_be_cut():
    assert prod([2] * 61) > 1 << 60
    assert cheapest([2] * 61, 1, 1 << 40) is None


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
    (discounted(2, 12), (0, 1)),
    (discounted(10, 12), (0, 1)),
    (plus_one(11), (0, 1)),
    (discounted(2, 8), (0, 1, 2)),
    (discounted(2, 6), (0, 1, 3, 7)),
    (discounted(10, 9), (0, 1, 3)),
    (plus_one(6), (0, 2, 2, 1)),
]


@pytest.mark.parametrize(("weights", "gains"), CASES)
@pytest.mark.parametrize("bits", [62, 18])
def test_ranks_and_shares_of_all_runs_are_those_of_enumeration(weights, gains, bits, monkeypatch):
    # few bits crowd the windows, so that values must be taken apart
    monkeypatch.setattr(additive_sums, "BITS", bits)
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
    meet = additive_sums.meet
    monkeypatch.setattr(
        additive_sums, "meet", lambda halves, lows, *rest: seen.append(len(lows)) or meet(halves, lows, *rest)
    )
    ruler = DirectSum(Blocks.of(discounted(2, 12), [0, 1]))
    swapped = np.array([[0, 1] + [1, 0] * 5, [1, 0] + [1, 0] * 5], dtype=np.int8)
    assert len(set(ranks(ruler, np.repeat(swapped, 5, axis=0)))) == 1
    assert seen == [1]
    assert ruler.different(swapped) == 1


def test_crowded_windows_give_bounds_that_hold(monkeypatch):
    weights = discounted(2, 12)
    runs, levels, _ = by_hand(weights, (0, 1))
    monkeypatch.setattr(additive_sums, "BITS", 9)
    monkeypatch.setattr(additive_sums, "SHOWN", 2)
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


def numbers(*gains):
    return [Fraction(gain) for gain in gains]


def geometric(p, depth):
    return [p**rank for rank in range(depth)]


BINARY = numbers(0, 1)


@pytest.mark.parametrize(
    ("weights", "gains", "kind", "size"),
    [
        ([Fraction(1, 30)] * 30, BINARY, Complete, 31),
        ([Fraction(1, 30)] * 30, numbers(0, 1, 3), Tabulated, 90),
        ([Fraction(1)] * 1000, numbers(0, 1, 3, 7), Tabulated, 6996),
        (geometric(Fraction(1, 2), 30), BINARY, Complete, 2**30),
        (geometric(Fraction(1, 2), 13), numbers(0, 1, 2), Complete, 16383),
        (geometric(Fraction(1, 2), 10), numbers(0, 1, 3, 7), Tabulated, 7077),
        (geometric(Fraction(3, 10), 30), BINARY, Lexicographic, 2**30),
        (geometric(Fraction(4, 5), 30), BINARY, ExactWhenFew, 2**30),
        (geometric(Fraction(4, 5), 20), numbers(0, 1, 3, 7), ExactWhenFew, 4**20),
        ([Fraction(1, rank) for rank in range(1, 31)], BINARY, ExactWhenFew, 15886336),
        (discounted(2, 2), BINARY, Complete, 3),
        (discounted(10, 10), BINARY, Complete, 11),
        (discounted(2, 30), BINARY, ExactWhenFew, 805306368),
        ([Fraction(0)] * 3, BINARY, Complete, 1),
        ([Fraction(1)] * 3, numbers(1, 1), Complete, 1),
        ([Fraction(1), Fraction(-1, 2)], BINARY, Tabulated, 4),
    ],
)
def test_the_simplest_ruler_is_chosen(weights, gains, kind, size):
    ruler = additive_ruler(weights, gains)
    assert type(ruler) is kind
    assert ruler.size == size
    assert (ruler.depth, ruler.grades) == (len(weights), len(gains))


@pytest.mark.parametrize(
    ("weights", "gains"),
    [
        ([Fraction(1, rank) for rank in range(1, 9)], numbers(0, 1)),
        (geometric(Fraction(2, 3), 6), numbers(0, 1, 3)),
        (geometric(Fraction(4, 5), 8), numbers(0, 1)),
        ([Fraction(1), Fraction(-1, 2), Fraction(0), Fraction(3)], numbers(1, 3, 2)),
        ([Fraction(3), Fraction(5), Fraction(9)], numbers(2, 0, 1, 1)),
    ],
)
def test_every_ruler_of_rational_weights_agrees_with_enumeration(weights, gains):
    runs = every_run(len(weights), len(gains))
    values = [sum(w * gains[g] for w, g in zip(weights, run, strict=True)) for run in runs.tolist()]
    levels = {value: place for place, value in enumerate(sorted(set(values)), 1)}
    ruler = additive_ruler(weights, gains)
    assert [position.rank for position in ruler.positions(runs)] == [levels[value] for value in values]
    ordered = sorted(values)
    shares = {value: (ordered.index(value), values.count(value)) for value in levels}
    assert ruler.shares(runs) == [shares[value] for value in values]


def test_one_over_rank_at_depth_20_is_the_same_by_blocks_and_by_a_table():
    weights = [Fraction(1, rank) for rank in range(1, 21)]
    runs = np.random.default_rng(3).integers(0, 2, (200, 20), dtype=np.int8)
    table = Tabulated.of_sums(WholeSums.of(weights, BINARY))
    ruler = additive_ruler(weights, BINARY)
    assert type(ruler) is ExactWhenFew
    assert ruler.positions(runs) == table.positions(runs)
    assert ruler.shares(runs) == table.shares(runs)


def test_gains_that_do_not_begin_at_nothing_change_no_rank():
    weights = discounted(2, 6)
    runs = every_run(6, 3)
    one, other = (additive_ruler(weights, numbers(*gains)) for gains in ((0, 1, 2), (3, 5, 7)))
    assert one.positions(runs) == other.positions(runs)


def test_weights_with_ties_that_are_not_known_are_refused(monkeypatch):
    monkeypatch.setattr(blocks, "MANY", 1000)
    weights = geometric(Fraction(3, 4), 40)
    with pytest.raises(NotAvailable, match="fewer ranks"):
        additive_ruler(weights, numbers(0, 1, 3, 7))


def test_sums_of_several_logarithms_are_refused():
    weights = [inverse_log(3, 2) + inverse_log(5, 2), Fraction(1)]
    with pytest.raises(NotAvailable):
        additive_ruler(weights, BINARY)


def test_a_measure_without_ranks_has_no_ruler():
    with pytest.raises(ParameterError):
        additive_ruler([], BINARY)


def test_the_assumption_is_passed_on():
    run = np.zeros((1, 5), dtype=np.int8)
    for assumption in (SCHANUEL, PROVED):
        assert (
            additive_ruler(discounted(2, 5), BINARY, assumption=assumption).positions(run)[0].assumption == assumption
        )


class Bounds:
    """A ruler that knows nothing."""

    def __init__(self, blocks, budget, assumption):
        self.size, self.assumption = blocks.size, assumption

    def positions(self, runs, progress):
        return [Position.between(1, self.size, self.size, self.assumption) for _ in runs]


def test_few_runs_are_placed_exactly_and_many_between_bounds(monkeypatch):
    monkeypatch.setattr(additive_sums, "CertifiedSum", Bounds)
    ruler = additive_ruler(discounted(2, 36), BINARY, Budget(seconds=0.2))
    runs = np.random.default_rng(2).integers(0, 2, (20_000, 36), dtype=np.int8)
    assert {str(position.how) for position in ruler.positions(runs)} == {"certified"}
    assert {str(position.how) for position in ruler.positions(runs[:2])} == {"exact"}
    # the same run many times is few runs
    assert {str(position.how) for position in ruler.positions(np.repeat(runs[:2], 10_000, axis=0))} == {"exact"}


def test_what_is_never_exact_gets_bounds(monkeypatch):
    monkeypatch.setattr(additive_sums, "CertifiedSum", Bounds)
    ruler = additive_ruler(discounted(2, 100), BINARY)
    assert type(ruler) is Bounds
    assert ruler.size == Blocks.of(discounted(2, 100), BINARY).size
