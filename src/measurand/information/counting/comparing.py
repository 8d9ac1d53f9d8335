"""Comparing rows one by one: quickest where there are few, and what all other ways of counting must agree with."""

from __future__ import annotations

import numpy as np

from measurand.arrays import IntArray

_CELLS = 2**22


def by_comparing(levels: IntArray, weights: IntArray) -> IntArray:
    """Return how many rows are at least as high as each; the parameters are those of `by_sorting`.

    This is the definition. It takes time with the square of the rows, and is there to check the other ways.

    Examples
    --------
    >>> by_comparing(np.array([[3, 2], [2, 1], [0, 3], [1, 0]]), np.array([1, 1, 1, 1])).tolist()
    [1, 2, 1, 3]
    """
    counts = np.zeros(len(levels), dtype=np.int64)
    step = max(1, _CELLS // max(1, levels.size))
    for start in range(0, len(levels), step):
        above = (levels[None, :, :] >= levels[start : start + step, None, :]).all(axis=2)
        counts[start : start + step] = above @ weights
    return counts


def count_by_comparing(candidates: IntArray, rows: IntArray) -> IntArray:
    """Return for each row how many candidates are at least as high in every column.

    Examples
    --------
    >>> count_by_comparing(np.array([[1, 0], [1, 1]]), np.array([[0, 1], [1, 0], [2, 0]])).tolist()
    [1, 2, 0]
    """
    above = np.ones((len(rows), len(candidates)), dtype=bool)
    for theirs, mine in zip(np.ascontiguousarray(candidates.T), rows.T, strict=True):
        # most rows are at the minimum of most columns, where all candidates are as high
        open_rows = np.flatnonzero(mine > theirs.min())
        if len(open_rows):
            above[open_rows] &= theirs >= mine[open_rows, None]
    return np.asarray(np.count_nonzero(above, axis=1))
