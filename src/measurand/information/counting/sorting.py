"""One column: the order itself."""

from __future__ import annotations

import numpy as np

from measurand.arrays import IntArray


def by_sorting(levels: IntArray, weights: IntArray) -> IntArray:
    """Return how many rows are at least as high as each, for one column.

    Parameters
    ----------
    levels
        Different rows.
    weights
        How often each occurs.

    Examples
    --------
    >>> by_sorting(np.array([[0], [2], [1]]), np.array([1, 1, 5])).tolist()
    [7, 1, 6]
    """
    order = np.argsort(levels[:, 0])[::-1]
    counts = np.empty(len(levels), dtype=np.int64)
    counts[order] = np.cumsum(weights[order])
    return counts
