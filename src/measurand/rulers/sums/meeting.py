"""Counting sums of a top and a tail without forming them.

To count the sums below a number, either look up the difference to every top in an index of the tails, or go up
through the tops and down through the tails together; whichever is cheaper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, ahead, silent
from measurand.rulers.sums.halves import Half, Halves
from measurand.rulers.sums.passes import look_up, look_up_counted, sweep

LOOK_UP = 30e-9
STEP = 6e-9
"""Seconds that one look-up and one step take, both threads together; on the slow side."""

SHOWN = 64
"""How many sums inside a window are told one by one."""

PIECE = 1 << 15
"""How many numbers of a table are looked at together."""

_PORTION = 1.0
_MOST_WINDOWS = 1 << 14
_LITTLE = 0.002
_THREADS = 2


@frozen(eq=False)
class Meeting:
    """How many sums lie below each of some windows, how many inside, and which.

    Parameters
    ----------
    below
        How many sums lie below each window, counted with their multiplicities.
    inside
        How many different pairs of a top and a tail have their sum inside each window.
    pairs
        Rows `(window, which halves, top, tail)` for sums inside, at most `SHOWN` for a window, a pair of halves and a
        thread.
    """

    below: list[int]
    inside: IntArray
    pairs: IntArray


def seconds_to_meet(tops: int, tails: int, windows: int) -> float:
    """Return about how long it takes to count in a pair of halves of these sizes.

    Examples
    --------
    >>> seconds_to_meet(1 << 20, 1 << 20, 10) < seconds_to_meet(1 << 20, 1 << 20, 100)
    True
    """
    return windows * min(LOOK_UP * min(tops, tails), STEP * (tops + tails))


def count_up_to(halves: Sequence[Halves], marks: Sequence[int] | IntArray, progress: Progress = silent) -> list[int]:
    r"""Return how many sums are at most each of some marks: :math:`\#\{(a, b) : a + b \le m\}`.

    Sums count as often as their top does, times as often as their tail does.

    Examples
    --------
    >>> count_up_to([Halves(Half.of([[0, 4]]), Half.of([[0, 1]]))], [0, 3, 4])
    [1, 2, 3]
    """
    ends = np.asarray(marks, dtype=np.int64) + 1
    return meet(halves, ends, ends - 1, progress).below


def meet(halves: Sequence[Halves], lows: IntArray, highs: IntArray, progress: Progress = silent) -> Meeting:
    """Return what lies below, and inside, the windows from `lows` to `highs`, both ends included.

    Examples
    --------
    >>> found = meet([Halves(Half.of([[0, 4]]), Half.of([[0, 1]]))], np.array([1]), np.array([4]))
    >>> found.below, found.inside.tolist(), found.pairs.tolist()
    ([1], [2], [[0, 0, 0, 1], [0, 0, 4, 0]])
    """
    below = [0] * len(lows)
    inside = np.zeros(len(lows), dtype=np.int64)
    pairs = [np.empty((0, 4), dtype=np.int64)]
    tasks = [(which, part) for which, pair in enumerate(halves) for part in _portions(pair, len(lows))]
    for which, part in progress(tasks, len(tasks), "counting"):
        pair = halves[which]
        found = _meet(pair, lows[part] - pair.shift, highs[part] - pair.shift)
        for window, count in enumerate(found.below, part.start):
            below[window] += count * pair.times
        inside[part] += found.inside
        pairs.append(found.pairs + np.array([part.start, which, 0, 0]))
    told = np.concatenate(pairs)
    return Meeting(below, inside, told[np.lexsort(told.T[::-1])])


def _portions(pair: Halves, windows: int) -> Iterator[slice]:
    """Return the windows in portions of about a second, so that one can interrupt."""
    length = min(max(int(_PORTION / seconds_to_meet(pair.tops.size, pair.tails.size, 1)), 1), _MOST_WINDOWS)
    return (slice(start, min(start + length, windows)) for start in range(0, windows, length))


def _meet(pair: Halves, lows: IntArray, highs: IntArray) -> Meeting:
    """Return what lies below and inside windows for one pair of halves, in the cheaper way."""
    counted = pair.tops.counts is not None or pair.tails.counts is not None
    # multiplicities of what is gone through must be small
    swapped = pair.tops.size > pair.tails.size if pair.tops.modest == pair.tails.modest else pair.tails.modest
    looped, table = (pair.tails, pair.tops) if swapped else (pair.tops, pair.tails)
    # threads cost more than they save where there is little to do
    do = ahead if seconds_to_meet(looped.size, table.size, len(lows)) > _LITTLE else map
    if not counted and LOOK_UP * looped.size > STEP * (looped.size + table.size):
        shares = list(do(lambda ends: _swept(looped, table, lows, highs, ends), _parts(looped.size)))
    else:
        look = _looked_up_counted if counted else _looked_up
        shares = list(do(lambda part: look(looped, table, lows, highs, part), range(_THREADS)))
    below = [sum(counts) for counts in zip(*(share.below for share in shares), strict=True)]
    inside = np.sum([share.inside for share in shares], axis=0)
    pairs = np.concatenate([share.pairs for share in shares])
    return Meeting(below, inside, pairs[:, [0, 1, 3, 2]] if swapped else pairs)


def _parts(size: int) -> list[tuple[int, int]]:
    cuts = [size * thread // _THREADS for thread in range(_THREADS + 1)]
    return list(pairwise(cuts))


def _ranges(
    looped: Half, table: Half, lows: IntArray, highs: IntArray, part: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return one thread's share of the numbers that need looking up; and how many before them need not.

    With those before, every number of the table makes a sum below the window; with those after, none.
    """
    first = np.searchsorted(looped.sums, lows - table.sums[-1])
    last = np.maximum(np.searchsorted(looped.sums, highs - table.sums[0], side="right"), first)
    span = last - first
    before = first if part == 0 else np.zeros_like(first)
    return first + span * part // _THREADS, first + span * (part + 1) // _THREADS, before


def _looked_up(looped: Half, table: Half, lows: IntArray, highs: IntArray, part: int) -> Meeting:
    firsts, lasts, before = _ranges(looped, table, lows, highs, part)
    below, inside, found = _empty(len(lows))
    starts, width = table.index
    look_up(looped.sums, table.sums, starts, width, lows, highs, firsts, lasts, below, inside, found, PIECE)
    return Meeting((below + before * table.size).tolist(), inside, _told(inside, found))


def _swept(looped: Half, table: Half, lows: IntArray, highs: IntArray, ends: tuple[int, int]) -> Meeting:
    below, inside, found = _empty(len(lows))
    if ends[0] < ends[1]:
        tails_below = np.searchsorted(table.sums, lows - looped.sums[ends[0]])
        sweep(looped.sums, table.sums, lows, highs, ends[0], ends[1], tails_below, below, inside, found)
    return Meeting(below.tolist(), inside, _told(inside, found))


def _looked_up_counted(looped: Half, table: Half, lows: IntArray, highs: IntArray, part: int) -> Meeting:
    """Look up with multiplicities: products of two numbers below 2**62 and 2**31 are added up in four pieces."""
    if not looped.modest:
        raise NotAvailable("more than 2**31 runs share a part of a value; use ties='unq', or fewer ranks")
    firsts, lasts, before = _ranges(looped, table, lows, highs, part)
    _, inside, found = _empty(len(lows))
    sums = np.zeros((len(lows), 4), dtype=np.int64)
    starts, width = table.index
    look_up_counted(
        looped.sums, looped.weights, table.sums, table.totals, starts, width,
        lows, highs, firsts, lasts, sums, inside, found, PIECE,
    )  # fmt: skip
    whole = int(table.totals[-1])
    below = [
        int(a) + (int(b) << 31) + (int(c) << 31) + (int(d) << 62) + int(looped.totals[n]) * whole
        for (a, b, c, d), n in zip(sums, before, strict=True)
    ]
    return Meeting(below, inside, _told(inside, found))


def _empty(windows: int) -> tuple[IntArray, IntArray, IntArray]:
    return (
        np.zeros(windows, dtype=np.int64),
        np.zeros(windows, dtype=np.int64),
        np.empty((windows, SHOWN, 2), dtype=np.int64),
    )


def _told(inside: IntArray, found: IntArray) -> IntArray:
    """Return `(window, 0, top, tail)` for what was found."""
    windows, places = np.nonzero(np.arange(found.shape[1]) < inside[:, None])
    return np.column_stack([windows, np.zeros_like(windows), found[windows, places]])
