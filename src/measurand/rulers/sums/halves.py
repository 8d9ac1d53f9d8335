"""Values as sums of a top and a tail: tables of about the square root of their number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.errors import NotAvailable
from measurand.execution import compiled

CROWD = 2
"""How many sums share a cell of an index on average, or fewer."""


_TOO_MANY = "more than 2**62 runs share a part of a value; use ties='unq', or fewer ranks"


@frozen(eq=False)
class Half:
    """Numbers in ascending order, and optionally how many times each counts.

    Parameters
    ----------
    sums
        The numbers, below 2**62.
    counts
        How many runs each stands for; one where nothing is said.

    Examples
    --------
    >>> half = Half.of([[0, 5], [0, 1, 2]])
    >>> half.sums.tolist(), half.size
    ([0, 1, 2, 5, 6, 7], 6)
    """

    sums: IntArray
    counts: IntArray | None = None

    @classmethod
    def of(cls, parts: Sequence[Sequence[int] | IntArray]) -> Half:
        """Return all sums of one number from each of some ascending parts."""
        # the long parts first, while the table is short: a part of k numbers costs k passes
        ordered = sorted((np.asarray(part, dtype=np.int64) for part in parts), key=len, reverse=True)
        sums = ordered[0] if ordered else np.zeros(1, dtype=np.int64)
        for part in ordered[1:]:
            sums = _spread(sums, part)
        return cls(sums)

    @classmethod
    def counted(cls, parts: Sequence[tuple[IntArray, IntArray]]) -> Half:
        """Return all sums of one number from each part, where a part says how many times each of its numbers counts.

        Examples
        --------
        >>> part = np.array([0, 1]), np.array([1, 2])
        >>> half = Half.counted([part, part])
        >>> half.sums.tolist(), half.counts.tolist()
        ([0, 1, 1, 2], [1, 2, 2, 4])
        """
        if prod(int(times.sum()) for _, times in parts) >= 1 << 62:
            raise NotAvailable(_TOO_MANY)
        sums, counts = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
        for numbers, times in parts:
            sums, counts = np.add.outer(numbers, sums).ravel(), np.multiply.outer(times, counts).ravel()
            order = np.argsort(sums, kind="stable")
            sums, counts = sums[order], counts[order]
        return cls(sums, counts)

    @property
    def size(self) -> int:
        """How many numbers there are, each counted once."""
        return len(self.sums)

    @property
    def weights(self) -> IntArray:
        """How many times each number counts."""
        return np.ones(self.size, dtype=np.int64) if self.counts is None else self.counts

    @cached_property
    def totals(self) -> IntArray:
        """How many times the first numbers count together: of none of them, of one, …, of all."""
        if self.weights.sum(dtype=np.float64) >= 1 << 62:
            raise NotAvailable(_TOO_MANY)
        return np.concatenate([[0], np.cumsum(self.weights)])

    @cached_property
    def modest(self) -> bool:
        """Whether no number counts 2**31 times or more."""
        return self.counts is None or bool(self.counts.max() < 1 << 31)

    @cached_property
    def index(self) -> tuple[IntArray, int]:
        """Where the numbers of each cell begin, for cells of equal width from the first number on; and the width.

        The width is a power of 2, of which the exponent is returned.
        """
        low, high = int(self.sums[0]), int(self.sums[-1])
        width = max((high - low).bit_length() - max(self.size // CROWD, 1).bit_length(), 0)
        cells = ((high - low) >> width) + 1
        starts: Any = np.empty(cells + 1, dtype=np.int32 if self.size < 1 << 31 else np.int64)
        _fill_index(self.sums, width, starts)
        return starts, width


@frozen(eq=False)
class Halves:
    """All sums of a number from one half, a number from another, and a fixed one.

    Parameters
    ----------
    shift
        The fixed number.
    times
        How many times each sum counts, besides the counts of the halves.

    Examples
    --------
    >>> Halves(Half.of([[0, 4]]), Half.of([[0, 1]]), shift=10).size
    4
    """

    tops: Half
    tails: Half
    shift: int = 0
    times: int = 1

    @property
    def size(self) -> int:
        """How many sums there are."""
        return self.tops.size * self.tails.size


def _spread(sums: IntArray, part: IntArray) -> IntArray:
    """Return the sums of one number from each of two ascending arrays, ascending."""
    found: IntArray = sums + part[0]
    for offset in part[1:]:
        merged = np.empty(len(found) + len(sums), dtype=np.int64)
        _merge(found, sums, int(offset), merged)
        found = merged
    return found


@compiled
def _merge(one: IntArray, other: IntArray, offset: int, merged: IntArray) -> None:
    """Merge an array and another, not longer one plus an offset.

    From both ends at once: two chains of steps that do not wait for each other, without branches to guess.
    """
    i, j, k, m = 0, 0, len(one) - 1, len(other) - 1
    first, last = 0, len(merged) - 1
    while first < last and j <= m:
        low, low_other = one[i], other[j] + offset
        high, high_other = one[k], other[m] + offset
        front, back = low <= low_other, high > high_other
        merged[first] = low if front else low_other
        merged[last] = high if back else high_other
        i += front
        j += not front
        k -= back
        m -= not back
        first += 1
        last -= 1
    while first <= last:
        front = j > m or (i <= k and one[i] <= other[j] + offset)
        merged[first] = one[i] if front else other[j] + offset
        i += front
        j += not front
        first += 1


@compiled
def _fill_index(sums: IntArray, width: int, starts: IntArray) -> None:
    """Write where the numbers of each cell begin."""
    cell = 0
    for place in range(len(sums)):
        own = (sums[place] - sums[0]) >> width
        while cell <= own:
            starts[cell] = place
            cell += 1
    while cell < len(starts):
        starts[cell] = len(sums)
        cell += 1
