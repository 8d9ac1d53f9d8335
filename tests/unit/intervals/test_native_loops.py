"""Each loop in C does what its definition in Python does, bit for bit, and refuses what does not fit together."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from inspect import signature

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand import native
from measurand.information import counting
from measurand.intervals import (
    average_precision,
    counted_values,
    geometric_bounds,
    geometric_descent,
    knapsack,
    meet_in_the_middle,
    tables_of_sums,
    vaaler,
)
from measurand.intervals.average_precision import Fibres
from measurand.intervals.tables_of_sums import HIGHEST, Half
from measurand.papers.fff2021 import as_published

pytestmark = pytest.mark.skipif(not native.is_there(), reason="the module in C is not built: make native")


def ascending(rng, least, most, highest=60):
    return np.sort(rng.integers(-5, highest, rng.integers(least, most + 1)))


def windows(rng):
    lows = rng.integers(-10, 130, rng.integers(0, 5))
    return lows, lows + rng.integers(-1, 12, len(lows)), np.zeros(len(lows), int), np.zeros((len(lows), 3, 2), int)


def ranges(rng, windows, size):
    ends = np.sort(rng.integers(0, size + 1, (windows, 2)), axis=1)
    return ends[:, 0].copy(), ends[:, 1].copy()


def look_up_sums(rng):
    looped, table = ascending(rng, 0, 9), Half(ascending(rng, 1, 40))
    lows, highs, inside, found = windows(rng)
    ends = ranges(rng, len(lows), len(looped))
    ceiling = int(rng.choice([HIGHEST, 20]))
    piece, before = rng.integers(1, 9).item(), rng.integers(0, 9).item()
    return looped, table.sums, *table.index, lows, highs, *ends, inside.copy(), inside, found, piece, before, ceiling


def look_up_counted_sums(rng):
    looped, table = ascending(rng, 0, 9), Half(ascending(rng, 1, 40))
    lows, highs, inside, found = windows(rng)
    ends = ranges(rng, len(lows), len(looped))
    weights = rng.integers(0, 1 << 31, len(looped))
    totals = np.concatenate([[0], np.cumsum(rng.integers(0, 1 << 56, table.size))])
    sums, piece = np.zeros((len(lows), 4), int), rng.integers(1, 9).item()
    return looped, weights, table.sums, totals, *table.index, lows, highs, *ends, sums, inside, found, piece


def sweep_sums(rng):
    tops, tails = ascending(rng, 0, 30), ascending(rng, 0, 30)
    lows, highs, inside, found = windows(rng)
    return tops, tails, lows, highs, *np.sort(rng.integers(0, len(tops) + 1, 2)).tolist(), inside.copy(), inside, found


def merge_sums(rng):
    one = ascending(rng, 0, 30)
    other = ascending(rng, 0, len(one))
    return one, other, rng.integers(-20, 60).item(), np.empty(len(one) + len(other), int)


def index_sums(rng):
    sums = ascending(rng, 0, 30, 900)
    return sums, rng.integers(0, 9).item(), np.empty(rng.integers(0, 40), rng.choice([np.int32, np.int64]))


def add_blocks(rng):
    length, least = int(rng.choice([0, 7, 2048, 5000])), int(rng.choice([0, 2100]))
    most = max(length // 2 if least else length, least) + 3  # those far off, and not too far, are added at once
    blocks = [np.sort(rng.integers(least, most, rng.integers(0, 12))) for _ in range(rng.integers(0, 4))]
    starts = np.cumsum([0, *map(len, blocks)])
    return rng.random(length), np.concatenate([np.zeros(0, int), *blocks]), starts


def descend(rng):
    states, levels, room = int(rng.integers(1, 4)), int(rng.integers(0, 9)), int(rng.choice([1, 4, 100]))
    gains = np.array([0, 1, 3])
    moves, tails = rng.integers(-1, states, (states, len(gains))), rng.integers(0, 9, levels + 2)
    weights, below = rng.integers(1, 6, levels), np.zeros((levels + 1, states), int)
    value, start, slack = int(rng.integers(0, 20)), int(rng.integers(states)), int(rng.integers(0, 3))
    return value, start, weights, tails, gains, moves, slack, *np.zeros((2, 2, room), int), below


def squared_sizes(rng):
    pairs = int(rng.integers(0, 60))
    steps = rng.random(pairs)
    ramps = np.modf(steps[:, None] * np.arange(vaaler.LANES))[0].astype(np.float32)
    starts = np.concatenate([[0], np.sort(rng.integers(0, pairs + 1, rng.integers(0, 40))), [pairs]])
    tops, enough = np.full(len(starts) - 1, 1.01, np.float32), int(np.float32(rng.choice([1e-16, 0.9])).view(np.int32))
    squares, first = np.empty(rng.integers(0, 300), np.float32), int(rng.integers(1, 10**6))
    return squares, first, steps, ramps, rng.random(pairs).astype(np.float32), tops, starts, enough


def refine(rng):
    states, digits, columns = rng.integers(1, 4), rng.integers(1, 4), rng.integers(1, 60)
    old, new = rng.random((states, columns)), rng.random((states, columns))
    moves, shares = rng.integers(-1, states, (states, digits)), rng.random((states, digits))
    offsets, below = rng.integers(0, 70, digits), int(rng.integers(1, 90))
    return old, new, moves, shares, offsets, int(rng.integers(1, below + 1)), below, bool(rng.integers(2))


def count_fibres(rng):
    depth = int(rng.integers(2, 13))
    fibres, runs = Fibres.of(depth), rng.integers(0, 2, (3, depth))
    keys = [int(key) for key in fibres.walk.keys_of(runs.astype(np.int8))]
    rests = np.array([key / fibres.walk.scale for key in keys])
    remainders = np.array([key % fibres._unknown for key in keys])
    ways = np.array([fibres._open_ways(key) for key in keys])
    return fibres.cut, rests, remainders, ways, np.empty(3, int), *fibres._tables


def fill_bucket(rng):
    stretches = [ascending(rng, 0, 12) for _ in range(3)]
    ends = np.cumsum([len(stretch) for stretch in stretches])
    repeats = rng.integers(0, 4, 3)
    begins, ends = np.repeat(ends - [len(stretch) for stretch in stretches], repeats), np.repeat(ends, repeats)
    firsts, low = rng.integers(0, 40, len(ends)), int(rng.integers(-9, 80))
    if rng.random() < 0.5:
        firsts = np.sort(firsts)
    places = begins + (ends - begins) * rng.integers(0, 2, len(ends)) // 2
    found = np.zeros(rng.integers(0, 20), int)
    high = low + int(rng.integers(0, 40))
    return firsts, begins, ends, np.concatenate(stretches), low, high, places, np.empty_like(ends), found


def sort_numbers(rng):
    size, span = int(rng.choice([0, 1, 33, 3000, (1 << 15) + 9])), int(rng.choice([0, 9, 1 << 20, 1 << 62]))
    return (rng.integers(-span, span, size, endpoint=True),)


def count_in_steps(rng):
    depth = int(rng.integers(1, 9))
    terms, beginnings = as_published._terms(depth), begun(rng, depth)
    return *beginnings, depth, terms, 16.0, np.zeros(16 * (depth + 1), int)


def fill_block(rng):
    depth, low = int(rng.integers(1, 9)), float(rng.random() * 3)
    tables = as_published._terms(depth), as_published._rest(depth)
    return *begun(rng, depth), depth, *tables, low, low + float(rng.random()), np.zeros(1 << depth)


def begun(rng, depth):
    sums, counts, first = np.zeros(1), np.zeros(1, int), int(rng.integers(1, depth + 1))
    for rank in range(1, first):
        sums, counts = np.append(sums, sums + (counts + 1) / rank), np.append(counts, counts + 1)
    return first, sums, counts


def rank_sums(rng):
    held, asked = np.sort(rng.integers(0, 9, rng.integers(0, 30)) / 7), np.unique(rng.integers(0, 9, 4) / 7)
    return held, asked, *np.zeros((3, len(asked)), int)


def lower_once(rng):
    levels = rng.integers(0, 4, (rng.integers(0, 12), rng.integers(0, 5))).astype(np.int32)
    order = np.argsort(-levels, axis=1, kind="stable").astype(np.int32)
    return levels, order, np.zeros(len(levels), int), np.zeros(levels.shape, int)


LOOPS = {
    look_up_sums: meet_in_the_middle.look_up_sums,
    look_up_counted_sums: meet_in_the_middle.look_up_counted_sums,
    sweep_sums: meet_in_the_middle.sweep_sums,
    merge_sums: tables_of_sums._merge_sums,
    index_sums: tables_of_sums._index_sums,
    add_blocks: knapsack._add_blocks,
    descend: geometric_descent._descend,
    squared_sizes: vaaler._squared_sizes,
    refine: geometric_bounds._refine,
    count_fibres: average_precision._count_fibres,
    fill_bucket: counted_values._fill_bucket,
    sort_numbers: counted_values._sort_numbers,
    count_in_steps: as_published._count_in_steps,
    fill_block: as_published._fill_block,
    rank_sums: as_published._rank_sums,
    lower_once: counting._lower_once,
}
"""What draws the arguments of a loop, and the loop."""

every_loop = pytest.mark.parametrize(("draw", "loop"), LOOPS.items(), ids=[draw.__name__ for draw in LOOPS])
seeds = st.integers(0, 2**32)


def outcome(loop, draw, arguments):
    """Return what a loop returns and what it leaves in its arrays, as bytes."""
    arguments = deepcopy(arguments)
    returned = loop(*arguments)
    if draw is descend:  # what is left stands in one of two rows, and the rest of them does not matter
        _, left, side = returned
        residues, states, below = arguments[-3:]
        arguments = residues[side, :left], states[side, :left], below
    return returned, [array.tobytes() for array in arguments if isinstance(array, np.ndarray)]


@every_loop
def test_a_loop_in_c_does_what_its_definition_does(draw, loop):
    assert loop is not loop.__wrapped__

    @settings(deadline=None, max_examples=40)
    @given(seeds)
    def check(seed):
        arguments = draw(np.random.default_rng(seed))
        assert outcome(loop, draw, arguments) == outcome(loop.__wrapped__, draw, arguments)

    check()


EXTREMES = [-(2**63), 2**63 - 1, -1, 2**31, -(2**31), 2**62, 7]
EXTREME_FLOATS = [float("nan"), float("inf"), -1e30, 2.0**63, -0.5]


def spoiled(rng, arguments):
    """Return arguments of which some are damaged: numbers far off, arrays shortened, lengthened or swapped."""
    arguments = [*arguments]
    for _ in range(rng.integers(1, 4)):
        place = int(rng.integers(len(arguments)))
        given = arguments[place]
        if not isinstance(given, np.ndarray):
            extremes = EXTREME_FLOATS if isinstance(given, float) else EXTREMES
            arguments[place] = extremes[rng.integers(len(extremes))] if rng.integers(2) else -given
        elif rng.integers(3) == 0:
            arguments[place] = given[: rng.integers(len(given) + 1)]
        elif rng.integers(2) == 0 and given.size:
            extremes = np.array(EXTREME_FLOATS if given.dtype.kind == "f" else EXTREMES)
            given.reshape(-1)[rng.integers(given.size)] = rng.choice(extremes).astype(given.dtype)
        else:
            arguments[place] = arguments[int(rng.integers(len(arguments)))]
    return arguments


@every_loop
def test_no_arguments_bring_a_loop_in_c_down(draw, loop):
    @settings(deadline=None, max_examples=40)
    @given(seeds)
    def check(seed):
        rng = np.random.default_rng(seed)
        arguments = spoiled(rng, deepcopy(draw(rng)))
        with suppress(TypeError, ValueError):
            loop(*arguments)

    check()


WRITTEN = {
    look_up_sums: "lasts below inside found",
    look_up_counted_sums: "lasts sums inside found",
    sweep_sums: "below inside found",
    merge_sums: "merged",
    index_sums: "starts",
    add_blocks: "table",
    descend: "residues states below",
    squared_sizes: "squares",
    refine: "new",
    count_fibres: "counts",
    fill_bucket: "after found",
    sort_numbers: "numbers",
    count_in_steps: "found",
    fill_block: "held",
    rank_sums: "ranks below tied",
    lower_once: "every alone",
}


@every_loop
def test_arrays_of_another_kind_or_of_no_room_for_what_is_written_are_refused(draw, loop):
    arguments = draw(np.random.default_rng(4))
    for place, name in enumerate(signature(loop).parameters):
        given = arguments[place]
        with pytest.raises(TypeError):
            loop(*arguments[:place], "text", *arguments[place + 1 :])
        if isinstance(given, np.ndarray):
            with pytest.raises(TypeError):
                loop(*arguments[:place], np.zeros(given.shape, np.int16), *arguments[place + 1 :])
            with pytest.raises(TypeError):
                loop(*arguments[:place], given[None], *arguments[place + 1 :])
        if name in WRITTEN[draw].split():
            fixed = given.copy()
            fixed.flags.writeable = False
            with pytest.raises(ValueError, match="read-only"):
                loop(*arguments[:place], fixed, *arguments[place + 1 :])
    with pytest.raises(TypeError, match=f"{len(arguments)} arguments are needed, not {len(arguments) - 1}"):
        loop(*arguments[:-1])


one = np.array([1])
MISFITS = [
    (look_up_sums, {"lasts": np.array([10**6])}, "firsts and lasts must be places of looped"),
    (look_up_sums, {"firsts": np.array([-1])}, "firsts and lasts must be places of looped"),
    (look_up_sums, {"width": 64}, "width must be 0 to 63 and piece 1 or more"),
    (look_up_sums, {"inside": np.array([-1])}, "inside must be 0 or more"),
    (look_up_sums, {"found": np.zeros((1, 4, 1), int)}, "found hold pairs"),
    (look_up_sums, {"ceiling": 2**63}, "ceiling must fit into 64 bits"),
    (look_up_counted_sums, {"totals": one}, "totals one longer than table"),
    (look_up_counted_sums, {"sums": np.zeros((1, 3), int)}, "sums must have four numbers a window"),
    (sweep_sums, {"last": 10**6}, "first and last must be places of tops"),
    (sweep_sums, {"below": np.zeros(9, int)}, "below must be as long as lows"),
    (merge_sums, {"merged": np.empty(1, int)}, "merged as long as both"),
    (merge_sums, {"one": one[:0], "other": one, "merged": np.empty(1, int)}, "other must not be longer than one"),
    (index_sums, {"width": -1}, "width must be 0 to 63"),
    (add_blocks, {"starts": np.array([0, 10**6])}, "starts must be places of cells, ascending"),
    (add_blocks, {"cells": np.array([-1]), "starts": np.array([0, 1])}, "cells must be 0 or more"),
    (descend, {"moves": np.full((1, 2), 7), "gains": np.arange(2)}, "moves must be states by gains"),
    (descend, {"start": 9}, "start must be a state"),
    (descend, {"tails": one[:0]}, "tails and below must be one longer than weights"),
    (descend, {"states": np.empty((2, 0), int)}, "two rows of the same length"),
    (squared_sizes, {"ramps": np.empty((1, 64), np.float32)}, "a ramp have 128 numbers"),
    (squared_sizes, {"starts": np.array([0, 10**6])}, "starts must be places of steps"),
    (squared_sizes, {"enough": 2**31}, "enough must fit into 32 bits"),
    (refine, {"new": np.empty((1, 1))}, "new must have the shape of old"),
    (refine, {"above": 0}, "above and below must be 1 or more"),
    (refine, {"below": 2**62}, "small enough for so many columns"),
    (count_fibres, {"cut": 99}, "cut must be a rank"),
    (count_fibres, {"starts": np.array([0, 10**6])}, "starts must be places of keys"),
    (count_fibres, {"counts": one}, "as long as rests"),
    (fill_bucket, {"ends": np.array([10**6])}, "must be"),
    (fill_bucket, {"after": one[:0]}, "as long as firsts"),
    (count_in_steps, {"depth": 40}, "first and depth must be ranks of terms"),
    (count_in_steps, {"counts": np.array([40]), "sums": np.zeros(1)}, "counts must be columns of terms"),
    (fill_block, {"rest": np.zeros((1, 1))}, "rest must have a row more than terms"),
    (rank_sums, {"tied": one}, "as long as asked"),
    (lower_once, {"order": np.full((1, 2), 9, np.int32)}, "must"),
]


@pytest.mark.parametrize(("draw", "wrong", "complaint"), MISFITS, ids=[f"{d.__name__}-{c}" for d, _, c in MISFITS])
def test_what_does_not_fit_together_is_refused(draw, wrong, complaint):
    loop = LOOPS[draw]
    seed = next(seed for seed in range(99) if fitting(draw(np.random.default_rng(seed)), loop))
    arguments = dict(zip(signature(loop).parameters, draw(np.random.default_rng(seed)), strict=True))
    with pytest.raises(ValueError, match=complaint):
        loop(*(arguments | wrong).values())


def fitting(arguments, loop):
    """Say whether the arguments are for one window, where there are windows, and leave nothing empty."""
    given = dict(zip(signature(loop).parameters, arguments, strict=True))
    return len(given.get("lows", one)) == 1 and all(array.size for array in arguments if isinstance(array, np.ndarray))


def test_what_is_written_may_not_be_what_is_read():
    sums = np.arange(4)
    with pytest.raises(ValueError, match="merged and one overlap"):
        tables_of_sums._merge_sums(sums[:2], np.arange(2), 0, sums)
