"""Comparing rows with candidates one by one: quickest where there are few."""

from __future__ import annotations

import numpy as np

from measurand.arrays import IntArray


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
