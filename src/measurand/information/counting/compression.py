"""Levels without what does not change a count: repeated rows, repeated columns, gaps between levels."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray

_LARGEST = 2**62


@frozen(eq=False)
class Distinct:
    """The different rows of some levels.

    Parameters
    ----------
    levels
        The different rows, in lexicographic order, without columns that repeat others or never change. Each column
        takes every level from 0 up to its highest.
    weights
        How often each row occurs.
    place
        For each of the original rows, which of these it is.

    Examples
    --------
    >>> distinct = Distinct.of(np.array([[7, 1, 2], [3, 1, 0], [7, 1, 2]]))
    >>> distinct.levels.tolist(), distinct.weights.tolist(), distinct.place.tolist()
    ([[0], [1]], [1, 2], [1, 0, 1])
    """

    levels: IntArray
    weights: IntArray
    place: IntArray

    @classmethod
    def of(cls, levels: IntArray) -> Distinct:
        """Return the different rows of these levels, of which there is at least one."""
        columns = _different([_dense(column) for column in levels.T])
        key, size = np.zeros(len(levels), dtype=np.int64), 1
        for column in columns:
            height = int(column.max()) + 1
            if size > _LARGEST // height:
                key = _dense(key)
                size = int(key.max()) + 1
            key, size = key * height + column, size * height
        _, first, place, weights = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        kept = np.stack(columns, axis=1)[first] if columns else np.zeros((1, 0), dtype=np.int64)
        # small numbers are compared faster, several at once
        return cls(kept.astype(np.min_scalar_type(int(kept.max(initial=0)))), weights, place)


def _dense(column: IntArray) -> IntArray:
    """Return numbers with the same order, from 0 up without gaps."""
    low, high = int(column.min()), int(column.max())
    if high - low > 8 * len(column):
        return np.unique(column, return_inverse=True)[1]
    shifted = column - low
    occurs = np.zeros(high - low + 1, dtype=np.int64)
    occurs[shifted] = 1
    return (np.cumsum(occurs) - 1)[shifted]


def _different(columns: list[IntArray]) -> list[IntArray]:
    """Return the columns that change, each once."""
    return list({column.tobytes(): column for column in columns if column.any()}.values())
