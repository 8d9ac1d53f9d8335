"""Ranks of numbers within rows, with their ties."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray

MISSING = -1
"""The place of what is no number."""


@frozen(eq=False)
class MidRanks:
    """The ranks of the numbers of each row, the smallest first; equal numbers share the mean of their places.

    Parameters
    ----------
    ranks
        Rows × columns, from 1 up; 0 where there is no number (NaN).
    tied
        For each row, the sum of t³ − t over its groups of t equal numbers: 0 without ties.
    """

    ranks: FloatArray
    tied: FloatArray


def mid_ranks(rows: FloatArray) -> MidRanks:
    """Return the ranks within each row, with their ties.

    scipy's `rankdata` ranks rows as well, but keeps the ties to itself.

    Parameters
    ----------
    rows
        Numbers, NaN where there is none.

    Examples
    --------
    >>> found = mid_ranks(np.array([[0.3, 0.1, 0.3, np.nan]]))
    >>> found.ranks.tolist(), found.tied.tolist()
    ([[2.5, 1.0, 2.5, 0.0]], [6.0])
    """
    if not rows.size:
        return MidRanks(np.zeros(rows.shape), np.zeros(len(rows)))
    order = np.argsort(rows, axis=1)
    values = np.take_along_axis(rows, order, axis=1)
    edge = np.ones((len(rows), 1), dtype=bool)
    # a NaN differs from every number, so it is a group of its own
    starts = np.hstack([edge, values[:, 1:] != values[:, :-1]])
    ends = np.hstack([starts[:, 1:], edge])
    places = np.arange(rows.shape[1])
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, places, rows.shape[1])[:, ::-1], axis=1)[:, ::-1]
    size = (last - first + 1).astype(np.float64)
    ranks = np.empty(rows.shape)
    np.put_along_axis(ranks, order, np.where(np.isnan(values), 0.0, (first + last) / 2 + 1), axis=1)
    return MidRanks(ranks, (size**2 - 1).sum(axis=1))


def places(rows: Any) -> IntArray:
    """Return the place of each number among the different numbers of its row, from 0 for the smallest, -1 for NaN.

    Fractions and whole numbers of any size are compared as they are.

    Parameters
    ----------
    rows
        Numbers, NaN where there is none.

    Examples
    --------
    >>> places(np.array([[0.5, 0.25, 0.5], [1.0, np.nan, 0.0]])).tolist()
    [[1, 0, 1], [1, -1, 0]]
    """
    there = np.asarray(rows == rows).astype(bool)
    found = np.full(rows.shape, MISSING, dtype=np.int64)
    if rows.dtype.kind == "O":
        for place, row, known in zip(found, rows, there, strict=True):
            place[known] = np.unique(row[known], return_inverse=True)[1]
        return found
    order = np.argsort(rows, axis=1)
    ascending = np.take_along_axis(rows, order, axis=1)
    steps = np.zeros(rows.shape, dtype=np.int64)
    np.cumsum(ascending[:, 1:] != ascending[:, :-1], axis=1, out=steps[:, 1:])
    np.put_along_axis(found, order, steps, axis=1)
    return np.where(there, found, MISSING)
