r"""How many choices have a small sum: the smallest one by one, the others on a grid.

At the low end of a scale a value is made of few terms, and smoothing (`measurand.intervals.vaaler`) is of no use. Two
methods serve there. The smallest hundred thousand sums or so are written down in order (`smallest`), which gives exact
ranks. Beyond, choices are counted by the dynamic programme of the knapsack problem ([Bellman1957]_) on a grid, twice,
which gives certified bounds.

*The grid.* Each number is divided by the width of a cell. Where every number is rounded down, no sum grows: the
choices with :math:`S \le m` are among those with a rounded sum of at most :math:`\lfloor m / h \rfloor`. Where every
number is rounded up, no sum shrinks: the choices with a rounded sum of at most :math:`\lfloor m / h \rfloor` are among
those with :math:`S \le m`. The two counts enclose the true one; they are apart by one cell a number that is not 0, so
that this serves where few numbers are not 0: far out in the tail. The cost is cells times numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.execution import Progress, ahead, silent
from measurand.intervals.tilting import Choices, ceiling
from measurand.native import accelerated

SLACK = 2.0**-28
"""Relative error of a count.

Counts are sums of positive floats: each addition is off by 2**-53 of itself at most. An entry goes through one
addition a number (at most 2**20 matter) and the running total through one a cell (at most 2**24): 2**-29 in all.
"""

RATE = 0.6e9
"""Cells and passes a second on one core, on the slow side; see `passes`."""

_TOGETHER = 64  # blocks counted without a look at the progress

MANY = 100_000
"""How many sums are written down."""


@accelerated
def _add_blocks(table: FloatArray, cells: IntArray, starts: IntArray) -> None:
    """Add blocks, one after the other, to the counts in a table; the cells of each block ascend."""
    for first, last in pairwise(starts.tolist()):
        fresh = np.zeros_like(table)
        with np.errstate(over="ignore"):
            for shift in cells[first:last].tolist():
                if shift >= len(table):
                    break
                fresh[shift:] += table[: len(table) - shift]
            table += fresh


def running_counts(parts: Sequence[IntArray], length: int, progress: Progress = silent) -> FloatArray:
    """Return how many choices of one cell from each part have a sum of at most 0, 1, 2, ...

    Parameters
    ----------
    parts
        Cells in ascending order, the first being 0.

    Examples
    --------
    >>> running_counts([np.array([0, 1, 2]), np.array([0, 2])], 5).tolist()
    [1.0, 2.0, 4.0, 5.0, 6.0]
    """
    order = sorted(parts, key=len, reverse=True)
    table = np.bincount(order[0][order[0] < length], minlength=length).astype(np.float64)
    rest = order[1:]
    stages = range(0, len(rest), _TOGETHER)
    for stage in progress(stages, len(stages), "counting small sums"):
        some = [part[1:] for part in rest[stage : stage + _TOGETHER]]
        starts = np.cumsum([0, *map(len, some)])
        _add_blocks(table, np.concatenate(some), starts)
    with np.errstate(over="ignore"):
        return np.cumsum(table, out=table)


def passes(choices: Choices, value: float) -> int:
    """Return how many times each cell is read or written to count the sums up to a value: what a cell costs."""
    return int(np.count_nonzero(choices.numbers <= value)) + len(choices.fixed)


def counted(
    choices: Choices, values: FloatArray, length: int, progress: Progress = silent
) -> tuple[FloatArray, FloatArray]:
    """Return bounds of the logarithms of how many choices have a sum of at most each value.

    Parameters
    ----------
    values
        Sums, in ascending order.
    length
        How many cells the largest of them is divided into.
    """
    error = choices.error
    width = (values[-1] + 2 * error) / (length - 2)
    low, high = ((values + sign * error) / width * (1 + sign * 2.0**-50) for sign in (-1, 1))

    def bound(up: bool) -> FloatArray:
        scaled = choices.numbers / width
        rounded = np.ceil(scaled * (1 + 2.0**-50)) if up else np.floor(scaled * (1 - 2.0**-50))
        cells = np.minimum(rounded, length).astype(np.int64)
        counts = running_counts(np.split(cells, choices.starts[1:-1]), length, progress if up else silent)
        places = np.floor(low if up else high).astype(np.int64)
        found = np.where(places < 0, 0.0, counts[np.maximum(places, 0)])
        return np.asarray(found)

    least, most = ahead(bound, [True, False])
    with np.errstate(divide="ignore"):
        # a count too large for a float is at least the largest float
        return np.log(np.minimum(least, np.finfo(np.float64).max)) - SLACK, np.log(most) + SLACK


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
