"""The smallest sums, one by one: what an approximation in the tail cannot give is few enough to write down."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from measurand.arrays import IntArray
from measurand.rulers.bounds.tilting import Choices, ceiling

MANY = 100_000
"""How many sums are written down."""


def smallest(choices: Choices, most: int = MANY) -> tuple[IntArray, int]:
    """Return the sums up to some limit, in fixed point and ascending, and the limit.

    Parameters
    ----------
    most
        About how many sums there may be at the most.

    Examples
    --------
    >>> sums, limit = smallest(Choices((np.array([0, 4, 8]), np.array([0, 6])), 4), 100)
    >>> sums.tolist(), limit >= 14
    ([0, 4, 6, 8, 10, 14], True)
    """
    limit = min(int(ceiling(choices, 4.0 * most) * choices.scale), choices.top)
    while True:
        sums = up_to(choices, limit, most)
        if sums is not None:
            return sums, limit
        if not limit:
            # even the sums that fixed point takes for 0 are too many
            return np.zeros(0, dtype=np.int64), -1
        limit = limit * 9 // 10


def up_to(choices: Choices, limit: int, most: int) -> IntArray | None:
    """Return all sums up to a limit, ascending, or None if there are more than a number."""
    sums = np.zeros(1, dtype=np.int64)
    for part in sorted(choices.fixed, key=lambda part: -int(part[1]) if len(part) > 1 else 0):
        fitting = part[1 : bisect_right(part, limit)]
        if len(fitting):
            sums = np.concatenate([sums, *(sums[sums <= limit - number] + number for number in fitting)])
        if len(sums) > most:
            return None
    return np.sort(sums)


def places(sums: IntArray, values: IntArray, doubt: int) -> tuple[IntArray, IntArray]:
    """Return bounds of how many sums are at most each value; a value is itself a sum.

    Where no other sum lies within the doubt of a value, the bounds are equal.

    Examples
    --------
    >>> low, high = places(np.array([0, 4, 6, 8]), np.array([4, 8]), 2)
    >>> low.tolist(), high.tolist()
    ([2, 3], [3, 4])
    """
    low = np.searchsorted(sums, values - doubt, side="left") + 1
    high = np.searchsorted(sums, values + doubt, side="right")
    return low, high
