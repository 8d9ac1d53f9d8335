"""Counting outscorers: how many documents are at least as high as a document in every signal.

What is the same for all ways of counting is done once (`compression`): rows and columns that say nothing new go,
and so does the row at the minimum of every column, which all rows outscore. What is left is counted by the way
that is quickest for its shape; all of them give the same whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from measurand.arrays import IntArray
from measurand.information.counting.compression import Distinct
from measurand.information.counting.grading import by_grade
from measurand.information.counting.merging import by_merging
from measurand.information.counting.prefixes import by_prefix
from measurand.information.counting.sorting import by_sorting

FEW_LEVELS = 12
"""Up to so many levels, as grades have them, a cumulative sum for each is quicker than merging."""

Count = Callable[[IntArray, IntArray], IntArray]


def count_outscorers(levels: IntArray) -> IntArray:
    r"""Return for each row how many rows are at least as high in every column, itself included.

    .. math:: c(d) = \#\{d' : \gamma(d') \ge \gamma(d)\ \text{for all}\ \gamma \in \Gamma\}

    Examples
    --------
    >>> count_outscorers(np.array([[3, 2], [2, 1], [0, 3], [1, 0]])).tolist()
    [1, 2, 1, 3]

    References
    ----------
    [Amigo2018]_, equation 1
    """
    if not len(levels):
        return np.zeros(0, dtype=np.int64)
    distinct = Distinct.of(levels)
    counts = np.full(len(distinct.levels), len(levels), dtype=np.int64)
    above = distinct.levels.any(axis=1)
    if above.any():
        count = quickest(distinct.levels)
        counts[above] = count(distinct.levels[above], distinct.weights[above])
    return counts[distinct.place]


def quickest(levels: IntArray) -> Count:
    """Return the way of counting that suits the shape of these levels.

    Examples
    --------
    >>> quickest(np.array([[1], [0]])).__name__, quickest(np.array([[1, 5], [2, 4]])).__name__
    ('by_sorting', 'by_grade')
    """
    columns = levels.shape[1]
    if columns == 1:
        return by_sorting
    if columns > 2:
        return by_prefix
    return by_grade if int(levels.max(axis=0).min()) < FEW_LEVELS else by_merging
