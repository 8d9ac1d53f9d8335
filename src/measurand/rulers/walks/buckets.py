"""Counting different sums by ranges of values.

Sums from different states may be equal, so they cannot be counted by searching; they have to be made. One range of
values after the other is filled, sorted, counted and thrown away, so that little memory is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from measurand.arrays import IntArray
from measurand.execution import Progress, ahead, compiled, silent
from measurand.rulers.walks.stretches import Stretches, distinct

FULL = 1 << 15
"""About how many sums a bucket holds: they are sorted without leaving a processor's cache."""

LARGE = 1 << 22
"""An interval with more sums is cut into pieces."""

SAMPLED = 64
"""How many sums of a bucket are looked at to place its edges."""

AT_ONCE = 256
"""How many intervals are counted in one go."""


class Rows(NamedTuple):
    """Each number before the cut with its stretch of numbers after it, all in one array each."""

    firsts: IntArray
    begins: IntArray
    ends: IntArray
    seconds: IntArray

    @classmethod
    def of(cls, stretches: Stretches) -> Rows:
        """Return the rows of two stretches."""
        lengths = [len(after) for after in stretches.after]
        repeats = [len(before) for before in stretches.before]
        ends = np.cumsum(lengths)
        return cls(
            np.concatenate(stretches.before),
            np.repeat(ends - lengths, repeats),
            np.repeat(ends, repeats),
            np.concatenate(stretches.after),
        )


def sums_in_a_bucket(stretches: Stretches) -> int:
    """Return how many sums a bucket should hold: more where there are many rows to go through."""
    return max(FULL, 4 * sum(map(len, stretches.before)))


def edges_of(stretches: Stretches) -> IntArray:
    """Return keys that cut the values into buckets of about the same number of sums; the last is the highest key.

    Examples
    --------
    >>> from measurand.rulers.walks.walk import average_precision_walk
    >>> edges_of(Stretches.of(average_precision_walk(4), 1 << 20)).tolist()
    [48]
    """
    wanted = sums_in_a_bucket(stretches)
    buckets = stretches.pairs // wanted + 1
    stride = max(1, int((wanted / SAMPLED) ** 0.5))
    samples, shares = [], []
    for before, after in zip(stretches.before, stretches.after, strict=True):
        sums = np.add.outer(_spread(before, stride), _spread(after, stride)).reshape(-1)
        samples.append(sums)
        shares.append(np.full(len(sums), len(before) * len(after) / len(sums)))
    sums = np.concatenate(samples)
    order = np.argsort(sums, kind="stable")  # the same edges on every machine
    upto = np.cumsum(np.concatenate(shares)[order])
    places = np.searchsorted(upto, np.arange(1, buckets) * (upto[-1] / buckets))
    return distinct([sums[order][places], np.array([stretches.highest])])


def count_between(rows: Rows, lows: IntArray, highs: IntArray, progress: Progress = silent) -> IntArray:
    """Return how many different sums lie above each low and not above its high; the intervals ascend, apart.

    Examples
    --------
    >>> from measurand.rulers.walks.walk import average_precision_walk
    >>> rows = Rows.of(Stretches.of(average_precision_walk(4), 1 << 20, cut=2))
    >>> count_between(rows, np.array([-1, 12]), np.array([12, 48])).tolist()
    [6, 9]
    """
    parts = [slice(at, at + AT_ONCE) for at in range(0, len(lows), AT_ONCE)]
    if len(parts) == 1:
        return _count_some(rows, lows, highs)
    counted: Iterable[IntArray] = ahead(lambda part: _count_some(rows, lows[part], highs[part]), parts)
    return np.concatenate([np.zeros(0, dtype=np.int64), *progress(counted, len(parts), "counting values")])


def _count_some(rows: Rows, lows: IntArray, highs: IntArray) -> IntArray:
    places, after = rows.begins.copy(), np.empty_like(rows.begins)
    found = np.empty(4 * FULL, dtype=np.int64)
    counts = np.zeros(len(lows), dtype=np.int64)
    for at, interval in enumerate(zip(lows.tolist(), highs.tolist(), strict=True)):
        waiting = [interval]
        while waiting:
            low, high = waiting.pop()
            sums = _fill(*rows, low, high, places, after, found)
            if sums > LARGE and high - low > 1:
                waiting += _pieces(low, high, 2 * sums // LARGE + 1)
                continue
            if sums > len(found):
                found = np.empty(2 * sums, dtype=np.int64)
                sums = _fill(*rows, low, high, places, after, found)
            counts[at] += _different(found[:sums])
            places, after = after, places
    return counts


def _pieces(low: int, high: int, count: int) -> list[tuple[int, int]]:
    """Return an interval in so many pieces, the last one first; fewer, if it has fewer keys.

    Examples
    --------
    >>> _pieces(0, 10, 3)
    [(6, 10), (3, 6), (0, 3)]
    """
    edges = sorted({low + (high - low) * at // count for at in range(count + 1)})
    return list(pairwise(edges))[::-1]


def _different(sums: IntArray) -> int:
    sums.sort()
    return int(np.count_nonzero(sums[1:] != sums[:-1])) + (len(sums) > 0)


def _spread(numbers: IntArray, stride: int) -> IntArray:
    """Return every so many-th of some numbers, evenly."""
    count = -(-len(numbers) // stride)
    return numbers[(2 * np.arange(count) + 1) * len(numbers) // (2 * count)]


@compiled
def _fill(
    firsts: IntArray,
    begins: IntArray,  # noqa: ARG001 - rows are passed whole
    ends: IntArray,
    seconds: IntArray,
    low: int,
    high: int,
    places: IntArray,
    after: IntArray,
    found: IntArray,
) -> int:
    """Write the sums above `low` and not above `high`, less `low`, as far as there is room; return how many.

    `places` says for each row from where on to look; `after` becomes where the next interval begins.
    """
    sums = 0
    for row in range(len(firsts)):
        base, place, end = firsts[row] - low, places[row], ends[row]
        if place < end and seconds[place] + base <= 0:
            step = 1
            while place + step < end and seconds[place + step] + base <= 0:
                place += step
                step *= 2
            beyond = min(place + step, end)
            while beyond - place > 1:
                middle = (place + beyond) // 2
                if seconds[middle] + base <= 0:
                    place = middle
                else:
                    beyond = middle
            place = beyond
        while place < end:
            key = seconds[place] + base
            if key > high - low:
                break
            if sums < len(found):
                found[sums] = key
            sums += 1
            place += 1
        after[row] = place
    return sums
