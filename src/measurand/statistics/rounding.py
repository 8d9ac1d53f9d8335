"""The unit in which decimals of means are counted."""

from __future__ import annotations

import numpy as np

from measurand.arrays import FloatArray


def power_of_ten(largest: FloatArray) -> FloatArray:
    """Return the power of ten at or above each number, 1 for 0: the unit in which decimals are counted.

    Examples
    --------
    >>> power_of_ten(np.array([0.0, 0.3, 1.0, 250.0])).tolist()
    [1.0, 1.0, 1.0, 1000.0]
    """
    # the smallest floats have no power of ten above them that could be divided by
    return np.asarray(10.0 ** np.maximum(np.ceil(np.log10(np.where(largest > 0, largest, 1.0))), -300))
