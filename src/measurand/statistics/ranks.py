"""Ranks of numbers within rows, with their ties; and the differences that are to be ranked, free of rounding."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray

DECIMALS = 10
"""To how many decimals differences are compared, in units of the power of ten above the scores."""

SAME = 4
"""Two scores within so many units in the last place have no difference."""


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


def rounded_differences(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the signs and the sizes of differences, with the ties and zeros that rounding errors hide.

    Where there is no difference, the sign is 0 and the size NaN. Sizes are in units of the power of ten at or above
    the largest number of the row.

    Examples
    --------
    >>> signs, sizes = rounded_differences(np.array([[0.3, 0.5, 0.7]]), np.array([[0.1, 0.3, 0.7]]))
    >>> signs.tolist(), sizes.tolist()
    ([[1.0, 1.0, 0.0]], [[0.2, 0.2, nan]])
    """
    differences = x - y
    there = ~np.isnan(differences)
    scale = np.where(there, np.maximum(np.abs(x), np.abs(y)), 0.0)
    unit = power_of_ten(np.max(scale, axis=1, initial=0.0, keepdims=True))
    apart = there & (np.abs(differences) > SAME * np.spacing(scale))
    sizes = np.where(apart, np.round(np.abs(differences) / unit, DECIMALS), np.nan)
    return np.where(apart, np.sign(differences), 0.0), sizes


def power_of_ten(largest: FloatArray) -> FloatArray:
    """Return the power of ten at or above each number, 1 for 0: the unit in which decimals are counted.

    Examples
    --------
    >>> power_of_ten(np.array([0.0, 0.3, 1.0, 250.0])).tolist()
    [1.0, 1.0, 1.0, 1000.0]
    """
    # the smallest floats have no power of ten above them that could be divided by
    return np.asarray(10.0 ** np.maximum(np.ceil(np.log10(np.where(largest > 0, largest, 1.0))), -300))
