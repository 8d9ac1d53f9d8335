"""Any number of columns: only what is as high as a row where that row stands best can outscore it.

Each row looks at one column alone to find its candidates: those from the top of that column down to itself. Of
rankings that were cut off, that is never more than one of them. The candidates are taken in blocks.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from measurand.arrays import IntArray
from measurand.information.counting.bitsets import count_by_bits
from measurand.information.counting.comparing import count_by_comparing

BLOCK = 2048
"""So many candidates at a time: their bits fit into the cache."""

TOGETHER = 65536
"""So many rows at a time: what a block says of them fits into memory."""

FEW = 512
"""So many rows are compared with a block one by one before its bits are drawn up."""


def by_prefix(levels: IntArray, weights: IntArray) -> IntArray:
    """Return how many rows are at least as high as each; the parameters are those of `by_sorting`.

    Examples
    --------
    >>> by_prefix(np.array([[3, 2, 0], [2, 1, 1], [0, 3, 0], [1, 0, 0]]), np.array([1, 1, 1, 4])).tolist()
    [1, 1, 1, 6]
    """
    counts = np.zeros(len(levels), dtype=np.int64)
    for power in range(int(weights.max()).bit_length()):
        # bits are counted, not weighed: so weights are taken digit by digit
        some = (weights >> power) & 1 == 1
        if some.any():
            counts += count_above(levels[some], levels) << power
    return counts


def count_above(candidates: IntArray, rows: IntArray) -> IntArray:
    """Return for each row how many candidates are at least as high in every column.

    Examples
    --------
    >>> count_above(np.array([[1, 0], [1, 1]]), np.array([[0, 1], [1, 0], [2, 0]])).tolist()
    [1, 2, 0]
    """
    counts = np.zeros(len(rows), dtype=np.int64)
    column, depth = _best_columns(candidates, rows)
    for place in np.unique(column[depth > 0]).tolist():
        mine = np.flatnonzero((column == place) & (depth > 0))
        mine = mine[np.argsort(depth[mine], kind="stable")]
        best = np.argsort(candidates[:, place], kind="stable")[::-1][: int(depth[mine[-1]])]
        for block, several, columns in _blocks(candidates[best], depth[mine], place):
            those = mine[several]
            count = count_by_comparing if len(those) < FEW else count_by_bits
            counts[those] += count(block[:, columns], rows[those][:, columns])
    return counts


def _best_columns(candidates: IntArray, rows: IntArray) -> tuple[IntArray, IntArray]:
    """Return the column where each row has the fewest candidates, and how many these are."""
    column = np.zeros(len(rows), dtype=np.int64)
    depth = np.full(len(rows), len(candidates) + 1)
    for place in range(rows.shape[1]):
        highest = int(max(candidates[:, place].max(), rows[:, place].max()))
        occurs = np.bincount(candidates[:, place], minlength=highest + 1)
        standing = np.cumsum(occurs[::-1])[::-1][rows[:, place]]
        better = standing < depth
        column[better] = place
        depth = np.where(better, standing, depth)
    return column, depth


def _blocks(candidates: IntArray, depth: IntArray, place: int) -> Iterator[tuple[IntArray, slice, IntArray]]:
    """Return blocks of candidates, the rows that look at them, and the columns that are still open.

    Parameters
    ----------
    candidates
        From the top of a column down.
    depth
        How many of these each row looks at, increasing.
    place
        That column. A block that a row looks at as a whole needs no look at it.
    """
    every = np.arange(candidates.shape[1])
    others = np.delete(every, place)
    for start in range(0, len(candidates), BLOCK):
        block = candidates[start : start + BLOCK]
        first, whole = np.searchsorted(depth, [start + 1, start + len(block)]).tolist()
        for begin, end, columns in ((first, whole, every), (whole, len(depth), others)):
            for some in range(begin, end, TOGETHER):
                yield block, slice(some, min(some + TOGETHER, end)), columns
