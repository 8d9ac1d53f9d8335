"""Two columns: sorted by one, halves are merged by the other."""

from __future__ import annotations

import numpy as np

from measurand.arrays import IntArray


def by_merging(levels: IntArray, weights: IntArray) -> IntArray:
    """Return how many rows are at least as high as each, for two columns; the parameters are those of `by_sorting`.

    Examples
    --------
    >>> by_merging(np.array([[3, 2], [2, 1], [0, 3], [1, 0]]), np.array([1, 1, 1, 1])).tolist()
    [1, 2, 1, 3]
    """
    # rows are different: in this order outscorers come first, and they are those that are as high in the other column
    order = np.lexsort((levels[:, 1], levels[:, 0]))[::-1]
    counts = np.empty(len(levels), dtype=np.int64)
    counts[order] = _earlier_and_higher(levels[order, 1], weights[order])
    return counts


def _earlier_and_higher(heights: IntArray, weights: IntArray) -> IntArray:
    """Return for each place the weight of the places up to it that are at least as high."""
    number = len(heights)
    size = 1 << (number - 1).bit_length()
    found = np.zeros(size, dtype=np.int64)
    found[:number] = weights
    weight = found.copy()
    # places from the highest down, equal heights in their order, then places that weigh nothing
    places = np.arange(size)
    places[:number] = np.argsort(int(heights.max()) - heights.astype(np.int64), kind="stable")
    half = size // 2
    while half:
        late = (places & half).astype(bool)
        before = np.cumsum(np.where(late, 0, weight[places]))
        # each pair of halves begins anew
        total = before[2 * half - 1 :: 2 * half]
        start = np.repeat(np.concatenate(([0], total[:-1])), half)
        rear = places[late]
        found[rear] += before[late] - start
        # a pair of halves has as many early as late places
        parts = places[~late].reshape(-1, half), rear.reshape(-1, half)
        places = np.stack(parts, axis=1).reshape(-1)
        half //= 2
    return found[:number]
