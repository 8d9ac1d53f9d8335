"""Differences that are to be ranked, free of rounding."""

from __future__ import annotations

import numpy as np

from measurand.arrays import FloatArray

DECIMALS = 10
"""To how many decimals differences are compared, in units of the power of ten above the scores."""

SAME = 4
"""Two scores within so many units in the last place have no difference."""


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
