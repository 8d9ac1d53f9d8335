"""Counting the sums of a top and a tail without forming them.

The rank of a value is the number of sums below it, and with 30 ranks there are a thousand million of them. Cut every
run in two: a value is then the sum of one number from the table of all tops and one from the table of all tails, each
about as long as the square root of the number of values. To count the sums below a number, either look up the
difference to every top in an index of the tails, or go up through the tops and down through the tails together,
whichever is cheaper ([HorowitzSahni1974]_). The numbers are 64-bit whole numbers; the counts are exact. Time and
memory are proportional to the lengths of the tables, and `cheapest` finds the cut that suits the memory. A table that
is much longer than the other is made part by part, in order, and never held as a whole (`Stream`).

Sums may be counted with multiplicities, of which products take up to 128 bits and are added up in four pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, ahead, silent
from measurand.intervals.tables_of_sums import HIGHEST, Half, Halves, Part, Stream
from measurand.native import accelerated

LOOK_UP = 30e-9
STEP = 6e-9
"""Seconds that one look-up and one step take, both threads together; on the slow side."""

BUILDING = 30e-9
"""Seconds that one number of a table takes to make."""

LARGEST = 1 << 60
"""With more values than this a window would hold too many."""

SHOWN = 64
"""How many sums inside a window are returned one by one."""

LARGE = 1 << 24
"""A table of more numbers is not held."""

PIECE = 1 << 15
"""How many numbers of a table are looked at together."""

_PORTION = 1.0
_MOST_WINDOWS = 1 << 14
_LITTLE = 0.002
_THREADS = 2
_PIECE = (1 << 31) - 1  # the bits of a piece of a product


def table_of(parts: Sequence[IntArray], other: int) -> Half | Stream:
    """Return all sums of one number from each of some ascending parts, held where they are not too many.

    Parameters
    ----------
    parts
        The parts.
    other
        How many numbers the table has that they are looked up with.

    Examples
    --------
    >>> table_of([np.array([0, 1])], 8).size
    2
    """
    size = prod(len(part) for part in parts)
    # tables of about the same length are gone through together, and held
    return Stream.of(parts) if size > LARGE and LOOK_UP * other <= STEP * (size + other) else Half.of(parts)


@accelerated
def look_up_sums(
    looped: IntArray, table: IntArray, starts: IntArray, width: int, lows: IntArray, highs: IntArray,  # noqa: ARG001
    firsts: IntArray, lasts: IntArray, below: IntArray, inside: IntArray, found: IntArray,
    piece: int, before: int, ceiling: int,  # noqa: ARG001 - pieces and an index are for the processor's cache
) -> None:  # fmt: skip
    """Count, for every number of one half, those of the other that make a sum below, or inside, each window.

    From the last number down; `lasts` goes down to `firsts`. The table may be a part of a longer one: so many numbers
    stand before it, and what is looked for above the ceiling is left for the next part. In C, piece by piece of the
    table, for all windows, so that what is looked up is still in the processor's cache.

    Examples
    --------
    >>> below, inside, found = np.zeros(1, int), np.zeros(1, int), np.zeros((1, 4, 2), int)
    >>> tops, tails, starts = np.array([0, 4]), np.array([0, 1]), np.array([0, 1, 2])
    >>> ends = np.array([0]), np.array([2])
    >>> look_up_sums(tops, tails, starts, 0, np.array([1]), np.array([4]), *ends, below, inside, found, 8, 0, HIGHEST)
    >>> below.tolist(), inside.tolist()
    ([1], [2])
    """
    for window in range(len(lows)):
        numbers = _wanted(looped, firsts, lasts, lows, window, ceiling)
        places = np.searchsorted(table, lows[window] - numbers)
        below[window] += before * len(numbers) + places.sum()
        inside[window] = _note(numbers, table, places, highs[window], found[window], int(inside[window]))


@accelerated
def look_up_counted_sums(
    looped: IntArray, weights: IntArray, table: IntArray, totals: IntArray, starts: IntArray,  # noqa: ARG001
    width: int,  # noqa: ARG001
    lows: IntArray, highs: IntArray, firsts: IntArray, lasts: IntArray,
    sums: IntArray, inside: IntArray, found: IntArray,
    piece: int,  # noqa: ARG001 - as in `look_up_sums`
) -> None:  # fmt: skip
    """Count as `look_up_sums` does, with multiplicities: products of up to 128 bits, in four pieces of 31.

    Examples
    --------
    >>> sums, inside, found = np.zeros((1, 4), int), np.zeros(1, int), np.zeros((1, 4, 2), int)
    >>> tops, tails, starts = np.array([0, 4]), np.array([0, 1]), np.array([0, 1, 2])
    >>> ends = np.array([0]), np.array([2])
    >>> windows = np.array([2]), np.array([2])
    >>> weights, totals = np.array([1, 3]), np.array([0, 5, 9])
    >>> look_up_counted_sums(tops, weights, tails, totals, starts, 0, *windows, *ends, sums, inside, found, 8)
    >>> sums.tolist()
    [[9, 0, 0, 0]]
    """
    for window in range(len(lows)):
        last = int(lasts[window])
        numbers = _wanted(looped, firsts, lasts, lows, window, HIGHEST)
        places = np.searchsorted(table, lows[window] - numbers)
        weight, total = weights[last - len(numbers) : last][::-1], totals[places]
        for piece_of, product in enumerate((weight * (total & _PIECE), weight * (total >> 31))):
            sums[window, 2 * piece_of] += (product & _PIECE).sum()
            sums[window, 2 * piece_of + 1] += (product >> 31).sum()
        inside[window] = _note(numbers, table, places, highs[window], found[window], int(inside[window]))


@accelerated
def sweep_sums(
    tops: IntArray, tails: IntArray, lows: IntArray, highs: IntArray, first: int, last: int,
    below: IntArray, inside: IntArray, found: IntArray,
) -> None:  # fmt: skip
    """Count for the tops from `first` to `last`; in C, up through the tops and down through the tails together.

    Examples
    --------
    >>> below, inside, found = np.zeros(1, int), np.zeros(1, int), np.zeros((1, 4, 2), int)
    >>> windows = np.array([1]), np.array([4])
    >>> sweep_sums(np.array([0, 4]), np.array([0, 1]), *windows, 0, 2, below, inside, found)
    >>> below.tolist(), found[0, :2].tolist()
    ([1], [[0, 1], [4, 0]])
    """
    numbers = tops[first:last]
    for window in range(len(lows)):
        places = np.searchsorted(tails, lows[window] - numbers)
        below[window] = places.sum()
        inside[window] = _note(numbers, tails, places, highs[window], found[window], 0)


def _wanted(looped: IntArray, firsts: IntArray, lasts: IntArray, lows: IntArray, window: int, ceiling: int) -> IntArray:
    """Return the numbers that a window has to look up, from the last one down, and take them from what is left."""
    first, last = firsts[window], lasts[window]
    numbers = looped[first:last][::-1]
    numbers = numbers[: np.searchsorted(lows[window] - numbers, ceiling, side="right")]
    lasts[window] -= len(numbers)
    return numbers


def _note(numbers: IntArray, table: IntArray, places: IntArray, high: int, found: IntArray, inside: int) -> int:
    """Note the pairs of each number with those of a table from a place on, up to a sum; return how many there are."""
    lengths = np.maximum(np.searchsorted(table, high - numbers, side="right") - places, 0)
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    free = min(max(len(found) - inside, 0), total)
    which = np.searchsorted(ends, np.arange(free), side="right")
    found[inside : inside + free, 0] = numbers[which]
    found[inside : inside + free, 1] = table[places[which] + np.arange(free) - (ends - lengths)[which]]
    return inside + total


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
    rows = np.concatenate(pairs)
    return Meeting(below, inside, rows[np.lexsort(rows.T[::-1])])


def _portions(pair: Halves, windows: int) -> Iterator[slice]:
    """Return the windows in portions of about a second, so that one can interrupt."""
    if isinstance(pair.tops, Stream) or isinstance(pair.tails, Stream):
        # made anew for every portion, and one can interrupt between its parts
        return (slice(start, min(start + _MOST_WINDOWS, windows)) for start in range(0, windows, _MOST_WINDOWS))
    length = min(max(int(_PORTION / seconds_to_meet(pair.tops.size, pair.tails.size, 1)), 1), _MOST_WINDOWS)
    return (slice(start, min(start + length, windows)) for start in range(0, windows, length))


def _meet(pair: Halves, lows: IntArray, highs: IntArray) -> Meeting:
    """Return what lies below and inside windows for one pair of halves, in the cheaper way."""
    counted = pair.tops.counts is not None or pair.tails.counts is not None
    # multiplicities of what is gone through must be small
    swapped = pair.tops.size > pair.tails.size if pair.tops.modest == pair.tails.modest else pair.tails.modest
    looped, table = (pair.tails, pair.tops) if swapped else (pair.tops, pair.tails)
    assert isinstance(looped, Half)  # the larger one alone is made part by part
    # threads cost more than they save where there is little to do
    do = ahead if seconds_to_meet(looped.size, table.size, len(lows)) > _LITTLE else map
    if isinstance(table, Stream):
        shares = _streamed(looped, table, lows, highs)
    elif not counted and LOOK_UP * looped.size > STEP * (looped.size + table.size):
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
    looped: Half, table: Half | Stream, lows: IntArray, highs: IntArray, part: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return one thread's share of the numbers that need looking up; and how many before them need not.

    With those before, every number of the table makes a sum below the window; with those after, none.
    """
    first = np.searchsorted(looped.sums, lows - table.most)
    last = np.maximum(np.searchsorted(looped.sums, highs - table.least, side="right"), first)
    span = last - first
    before = first if part == 0 else np.zeros_like(first)
    return first + span * part // _THREADS, first + span * (part + 1) // _THREADS, before


def _looked_up(looped: Half, table: Half, lows: IntArray, highs: IntArray, part: int) -> Meeting:
    firsts, lasts, before = _ranges(looped, table, lows, highs, part)
    below, inside, found = _empty(len(lows))
    starts, width = table.index
    look_up_sums(
        looped.sums, table.sums, starts, width, lows, highs, firsts, lasts, below, inside, found, PIECE, 0, HIGHEST
    )
    return Meeting((below + before * table.size).tolist(), inside, _pairs(inside, found))


def _streamed(looped: Half, table: Stream, lows: IntArray, highs: IntArray) -> list[Meeting]:
    """Look up part by part of a table that is not held, for all windows and in all threads."""
    ranges = [_ranges(looped, table, lows, highs, part) for part in range(_THREADS)]
    shares = [(firsts, lasts, before, *_empty(len(lows))) for firsts, lasts, before in ranges]
    for part in table.parts(int((highs - lows).max(initial=0))):
        starts, width = part.half.index

        def count(
            share: tuple[IntArray, ...], part: Part = part, starts: IntArray = starts, width: int = width
        ) -> None:
            firsts, lasts, _, below, inside, found = share
            look_up_sums(
                looped.sums, part.half.sums, starts, width, lows, highs, firsts, lasts, below, inside, found, PIECE,
                part.before, part.ceiling,
            )  # fmt: skip

        list(ahead(count, shares))
    return [
        Meeting((below + before * table.size).tolist(), inside, _pairs(inside, found))
        for _, _, before, below, inside, found in shares
    ]


def _swept(looped: Half, table: Half, lows: IntArray, highs: IntArray, ends: tuple[int, int]) -> Meeting:
    below, inside, found = _empty(len(lows))
    if ends[0] < ends[1]:
        sweep_sums(looped.sums, table.sums, lows, highs, ends[0], ends[1], below, inside, found)
    return Meeting(below.tolist(), inside, _pairs(inside, found))


def _looked_up_counted(looped: Half, table: Half, lows: IntArray, highs: IntArray, part: int) -> Meeting:
    """Look up with multiplicities: products of two numbers below 2**62 and 2**31 are added up in four pieces."""
    if not looped.modest:
        raise NotAvailable("more than 2**31 runs share a part of a value; use ties='unq', or fewer ranks")
    firsts, lasts, before = _ranges(looped, table, lows, highs, part)
    _, inside, found = _empty(len(lows))
    sums = np.zeros((len(lows), 4), dtype=np.int64)
    starts, width = table.index
    look_up_counted_sums(
        looped.sums, looped.weights, table.sums, table.totals, starts, width,
        lows, highs, firsts, lasts, sums, inside, found, PIECE,
    )  # fmt: skip
    whole = int(table.totals[-1])
    below = [
        int(a) + (int(b) << 31) + (int(c) << 31) + (int(d) << 62) + int(looped.totals[n]) * whole
        for (a, b, c, d), n in zip(sums, before, strict=True)
    ]
    return Meeting(below, inside, _pairs(inside, found))


def _empty(windows: int) -> tuple[IntArray, IntArray, IntArray]:
    return (
        np.zeros(windows, dtype=np.int64),
        np.zeros(windows, dtype=np.int64),
        np.empty((windows, SHOWN, 2), dtype=np.int64),
    )


def _pairs(inside: IntArray, found: IntArray) -> IntArray:
    """Return `(window, 0, top, tail)` for what was found."""
    windows, places = np.nonzero(np.arange(found.shape[1]) < inside[:, None])
    return np.column_stack([windows, np.zeros_like(windows), found[windows, places]])
