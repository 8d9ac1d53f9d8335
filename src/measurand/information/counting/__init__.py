"""Counting outscorers: how many documents are at least as high as a document in every signal."""

from __future__ import annotations

import numpy as np

from measurand.arrays import IntArray


def count_outscorers(levels: IntArray) -> IntArray:
    r"""Return for each row how many rows are at least as high in every column, itself included.

    .. math:: c(d) = \#\{d' : \gamma(d') \ge \gamma(d)\ \text{for all}\ \gamma \in \Gamma\}

    Examples
    --------
    >>> count_outscorers(np.array([[3, 2], [2, 1], [0, 3], [1, 0]])).tolist()
    [1, 2, 1, 3]
    """
    return np.array([int((levels >= row).all(axis=1).sum()) for row in levels], dtype=np.int64)
