"""Tables of sums: all sums of one number from each of some parts, in ascending order, held or made part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any, ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.errors import NotAvailable
from measurand.native import accelerated

CROWD = 2
"""How many sums share a cell of an index on average, or fewer."""

_TOO_MANY = "more than 2**62 runs share a part of a value; use ties='unq', or fewer ranks"

HELD = 1 << 20
"""How many numbers are in a part of a table that is not held, about."""

HIGHEST = 2**63 - 1
"""Above all numbers."""


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
    def least(self) -> int:
        """The smallest number."""
        return int(self.sums[0])

    @property
    def most(self) -> int:
        """The largest number."""
        return int(self.sums[-1])

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


@frozen
class Part:
    """A part of a table: numbers in ascending order, and some of the next part behind them.

    Parameters
    ----------
    half
        The numbers.
    before
        How many numbers of the table are smaller than all of them.
    ceiling
        The largest number that belongs to the part.
    """

    half: Half
    before: int
    ceiling: int


@frozen(eq=False)
class Stream:
    """A table of numbers that is made part by part, ascending, and never held: each sum of two numbers counts once.

    Parameters
    ----------
    base, shifts
        The numbers that are added to each other, ascending.

    Examples
    --------
    >>> stream = Stream.of([[0, 1], [0, 2], [0, 4]])
    >>> [part.half.sums.tolist() for part in stream.parts(0)], stream.size
    ([[0, 1, 2, 3, 4, 5, 6, 7]], 8)
    """

    base: Half
    shifts: IntArray

    # one half counts no number several times
    counts: ClassVar[None] = None
    modest: ClassVar[bool] = True

    @classmethod
    def of(cls, parts: Sequence[Sequence[int] | IntArray]) -> Stream:
        """Return all sums of one number from each of some ascending parts."""
        ordered = sorted(parts, key=len)
        sizes = [prod(len(part) for part in ordered[:cut]) for cut in range(len(ordered) + 1)]
        cut = max(place for place, size in enumerate(sizes) if size <= HELD)
        return cls(Half.of(ordered[:cut]), Half.of(ordered[cut:]).sums)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.base.size * len(self.shifts)

    @property
    def least(self) -> int:
        """The smallest number."""
        return self.base.least + int(self.shifts[0])

    @property
    def most(self) -> int:
        """The largest number."""
        return self.base.most + int(self.shifts[-1])

    def parts(self, beyond: int) -> Iterator[Part]:
        """Return the table in parts of about `HELD` numbers.

        Parameters
        ----------
        beyond
            How far above its ceiling the numbers of a part go on.
        """
        sums = self.base.sums
        cuts = self._cuts()
        for low, high in pairwise([None, *cuts, None]):
            # where the part begins in the base, for every shift, and where what goes on beyond it ends
            first = np.zeros(len(self.shifts), np.int64) if low is None else np.searchsorted(sums, low - self.shifts)
            last = np.full(len(self.shifts), len(sums))
            if high is not None:
                last = np.searchsorted(sums, high + beyond - self.shifts, side="right")
            found = [
                sums[begin:end] + shift
                for begin, end, shift in zip(first.tolist(), last.tolist(), self.shifts.tolist(), strict=True)
            ]
            yield Part(Half(np.sort(np.concatenate(found))), int(first.sum()), HIGHEST if high is None else high - 1)

    def _cuts(self) -> list[int]:
        """Return numbers at which parts begin, all but the first, such that parts are about equally long."""
        step = max(1, self.base.size >> 10)
        some = np.sort(np.add.outer(self.shifts, self.base.sums[::step]).ravel())
        return sorted(set(some[:: max(1, HELD // step)].tolist()[1:]))


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

    tops: Half | Stream
    tails: Half | Stream
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
        _merge_sums(found, sums, int(offset), merged)
        found = merged
    return found


@accelerated
def _merge_sums(one: IntArray, other: IntArray, offset: int, merged: IntArray) -> None:
    """Merge an array and another, not longer one plus an offset, both ascending."""
    merged[: len(one)], merged[len(one) :] = one, other + offset
    merged.sort(kind="stable")  # two stretches in order are merged


@accelerated
def _fill_index(sums: IntArray, width: int, starts: IntArray) -> None:
    """Write where the numbers of each cell begin."""
    starts[:] = np.searchsorted((sums - sums[:1]) >> width, np.arange(len(starts)))
