"""Two columns, one of them with few levels, as a ranking and grades: one cumulative sum for each level."""

from __future__ import annotations

import numpy as np

from measurand.arrays import IntArray


def by_grade(levels: IntArray, weights: IntArray) -> IntArray:
    """Return how many rows are at least as high as each, for two columns; the parameters are those of `by_sorting`.

    Examples
    --------
    >>> by_grade(np.array([[3, 2], [2, 1], [0, 3], [1, 0]]), np.array([1, 1, 1, 1])).tolist()
    [1, 2, 1, 3]
    """
    ranking, grades = np.argsort(-levels.max(axis=0).astype(np.int64), kind="stable")
    # rows are different: of those that are equal in the ranking, the outscorers come first
    order = np.lexsort((levels[:, grades], levels[:, ranking]))[::-1]
    grade, weight = levels[order, grades], weights[order]
    counts = np.empty(len(levels), dtype=np.int64)
    for level in range(int(grade.max()) + 1):
        reached = np.cumsum(np.where(grade >= level, weight, 0))
        mine = grade == level
        counts[order[mine]] = reached[mine]
    return counts
