"""Passes over two ascending arrays that count the sums of a number from each, as machine code.

Each writes, for every window from `lows` to `highs`, how many sums lie below it, how many inside, and the first of
those inside. The caller, `meeting`, prepares the arrays and shares the work among threads.
"""

from __future__ import annotations

import numpy as np

from measurand.arrays import IntArray
from measurand.execution import compiled


@compiled
def look_up(
    looped: IntArray, table: IntArray, starts: IntArray, width: int, lows: IntArray, highs: IntArray,
    firsts: IntArray, lasts: IntArray, below: IntArray, inside: IntArray, found: IntArray, piece: int,
) -> None:  # fmt: skip
    """Count, for every number of one half, those of the other that make a sum below, or inside, each window.

    Piece by piece of the table, for all windows, so that what is looked up is still in the processor's cache;
    `lasts` goes down to `firsts`.

    Examples
    --------
    >>> below, inside, found = np.zeros(1, int), np.zeros(1, int), np.zeros((1, 4, 2), int)
    >>> tops, tails, starts = np.array([0, 4]), np.array([0, 1]), np.array([0, 1, 2])
    >>> ends = np.array([0]), np.array([2])
    >>> look_up(tops, tails, starts, 0, np.array([1]), np.array([4]), *ends, below, inside, found, 8)
    >>> below.tolist(), inside.tolist()
    ([1], [2])
    """
    for end in range(piece, len(table) + piece, piece):
        limit = table[end] if end < len(table) else np.iinfo(np.int64).max
        for window in range(len(lows)):
            while lasts[window] > firsts[window]:
                place = lasts[window] - 1
                wanted = lows[window] - looped[place]
                if wanted > limit:
                    break
                lasts[window] = place
                cell = (wanted - table[0]) >> width
                left, right = 0, 0
                if cell >= len(starts) - 1:
                    left = len(table)
                elif cell >= 0:
                    left, right = starts[cell], starts[cell + 1]
                while left < right:
                    middle = (left + right) >> 1
                    if table[middle] < wanted:
                        left = middle + 1
                    else:
                        right = middle
                below[window] += left
                while left < len(table) and table[left] <= highs[window] - looped[place]:
                    if inside[window] < len(found[window]):
                        found[window, inside[window], 0] = looped[place]
                        found[window, inside[window], 1] = table[left]
                    inside[window] += 1
                    left += 1


@compiled
def look_up_counted(
    looped: IntArray, weights: IntArray, table: IntArray, totals: IntArray, starts: IntArray, width: int,
    lows: IntArray, highs: IntArray, firsts: IntArray, lasts: IntArray,
    sums: IntArray, inside: IntArray, found: IntArray, piece: int,
) -> None:  # fmt: skip
    """Do the same with multiplicities: sums of products, which may take 128 bits, in four pieces of 31 bits.

    Examples
    --------
    >>> sums, inside, found = np.zeros((1, 4), int), np.zeros(1, int), np.zeros((1, 4, 2), int)
    >>> tops, tails, starts = np.array([0, 4]), np.array([0, 1]), np.array([0, 1, 2])
    >>> ends = np.array([0]), np.array([2])
    >>> windows = np.array([2]), np.array([2])
    >>> weights, totals = np.array([1, 3]), np.array([0, 5, 9])
    >>> look_up_counted(tops, weights, tails, totals, starts, 0, *windows, *ends, sums, inside, found, 8)
    >>> sums.tolist()
    [[9, 0, 0, 0]]
    """
    for end in range(piece, len(table) + piece, piece):
        limit = table[end] if end < len(table) else np.iinfo(np.int64).max
        for window in range(len(lows)):
            while lasts[window] > firsts[window]:
                place = lasts[window] - 1
                wanted = lows[window] - looped[place]
                if wanted > limit:
                    break
                lasts[window] = place
                cell = (wanted - table[0]) >> width
                left, right = 0, 0
                if cell >= len(starts) - 1:
                    left = len(table)
                elif cell >= 0:
                    left, right = starts[cell], starts[cell + 1]
                while left < right:
                    middle = (left + right) >> 1
                    if table[middle] < wanted:
                        left = middle + 1
                    else:
                        right = middle
                low_product = weights[place] * (totals[left] & 0x7FFFFFFF)
                high_product = weights[place] * (totals[left] >> 31)
                sums[window, 0] += low_product & 0x7FFFFFFF
                sums[window, 1] += low_product >> 31
                sums[window, 2] += high_product & 0x7FFFFFFF
                sums[window, 3] += high_product >> 31
                while left < len(table) and table[left] <= highs[window] - looped[place]:
                    if inside[window] < len(found[window]):
                        found[window, inside[window], 0] = looped[place]
                        found[window, inside[window], 1] = table[left]
                    inside[window] += 1
                    left += 1


@compiled
def sweep(
    tops: IntArray, tails: IntArray, lows: IntArray, highs: IntArray, first: int, last: int,
    tails_below: IntArray, below: IntArray, inside: IntArray, found: IntArray,
) -> None:  # fmt: skip
    """Go up through the tops and down through the tails together, without branches to guess.

    Examples
    --------
    >>> below, inside, found = np.zeros(1, int), np.zeros(1, int), np.zeros((1, 4, 2), int)
    >>> windows = np.array([1]), np.array([4])
    >>> sweep(np.array([0, 4]), np.array([0, 1]), *windows, 0, 2, np.array([1]), below, inside, found)
    >>> below.tolist(), found[0, :2].tolist()
    ([1], [[0, 1], [4, 0]])
    """
    for window in range(len(lows)):
        low, high = lows[window], highs[window]
        total, shown = 0, 0
        place, left = first, tails_below[window]
        while place < last and left > 0:
            top, tail = tops[place], tails[left - 1]
            down = tail >= low - top
            total += 0 if down else left
            if not down and left < len(tails) and tails[left] <= high - top:
                other = left
                while other < len(tails) and tails[other] <= high - top:
                    if shown < len(found[window]):
                        found[window, shown, 0], found[window, shown, 1] = top, tails[other]
                    shown += 1
                    other += 1
            left -= down
            place += not down
        while place < last and tails[0] <= high - tops[place]:
            other = 0
            while other < len(tails) and tails[other] <= high - tops[place]:
                if shown < len(found[window]):
                    found[window, shown, 0], found[window, shown, 1] = tops[place], tails[other]
                shown += 1
                other += 1
            place += 1
        below[window], inside[window] = total, shown
