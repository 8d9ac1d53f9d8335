"""Sums of whole weights of ranks times whole gains of grades: which occur, and in how many runs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, IntArray
from measurand.errors import NotAvailable

DENSE = 1 << 24
"""Sums to this one are marked in a row of bits; larger ones are collected."""

_MOST_LARGE = 1 << 16
_MOST_BITS = 1 << 31
_MOST_WORK = 1 << 38


@frozen(eq=False)
class WholeSums:
    """The sums that runs can have, less the lowest, in a common unit.

    Parameters
    ----------
    weights
        Whole weights of the ranks.
    gains
        Whole gains of the grades.

    Examples
    --------
    >>> sums = WholeSums.of([Fraction(1, 2), Fraction(1, 4)], [Fraction(0), Fraction(1, 3)])
    >>> sums.weights, sums.gains, sums.top
    ((2, 1), (0, 1), 3)
    >>> sums.keys(np.array([[1, 0], [1, 1]])).tolist()
    [2, 3]
    """

    weights: tuple[int, ...]
    gains: tuple[int, ...]

    @classmethod
    def of(cls, weights: Sequence[Fraction], gains: Sequence[Fraction | int]) -> WholeSums:
        """Return the sums for rational weights and gains, in the largest unit that makes all of them whole."""
        least = min(gains)
        return cls(_whole(weights), _whole([gain - least for gain in gains]))

    @cached_property
    def lowest(self) -> int:
        """The lowest sum as such, which is 0 unless a weight is negative."""
        return sum(min(weight * gain for gain in self.gains) for weight in self.weights)

    @cached_property
    def top(self) -> int:
        """The highest sum, less the lowest."""
        return sum(max(weight * gain for gain in self.gains) for weight in self.weights) - self.lowest

    def keys(self, runs: Cells) -> IntArray:
        """Return the sum of each of some runs, one a row, less the lowest."""
        largest = max(max(map(abs, self.weights), default=0) * max(self.gains), self.top, -self.lowest)
        kind = np.int64 if largest < 1 << 62 else object
        return np.asarray(np.array(self.gains, dtype=kind)[runs] @ np.array(self.weights, dtype=kind) - self.lowest)

    def attained(self, most: int) -> IntArray | None:
        """Return the sums that occur, in ascending order, or None if they are more than `most`.

        Examples
        --------
        >>> WholeSums((1, 1), (0, 1, 3)).attained(100).tolist()
        [0, 1, 2, 3, 4, 6]
        """
        if self.top > DENSE:
            return self._collected(most)
        bits = 1
        for steps in self._steps:
            bits = _either(bits << step for step in steps)
        marks = np.frombuffer(bits.to_bytes(self.top // 8 + 1, "little"), dtype=np.uint8)
        sums = np.flatnonzero(np.unpackbits(marks, bitorder="little"))
        return sums if len(sums) <= most else None

    def runs_by_key(self) -> dict[int, int]:
        r"""Return how many runs have each sum that occurs.

        The counts are the coefficients of :math:`\prod_i \sum_g x^{w_i g}`, which is evaluated at a power of 2 so
        large that they stand side by side in one whole number.

        Examples
        --------
        >>> WholeSums((1, 1), (0, 1)).runs_by_key()
        {0: 1, 1: 2, 2: 1}
        """
        width = len(self.gains) ** len(self.weights)
        size = width.bit_length() // 8 + 1
        bits = (self.top + 1) * size * 8
        if self.top > DENSE and width < 1 << 62:
            return self._counted_where_collected()
        if bits > _MOST_BITS or bits * len(self.weights) * len(self.gains) > _MOST_WORK * 8:
            raise NotAvailable(
                f"counting the runs of {len(self.weights)} ranks with each of {self.top + 1} sums takes too long;"
                " use ties='unq', or fewer ranks"
            )
        packed = 1
        for steps in self._all_steps:
            packed = sum(packed << (step * size * 8) for step in steps)
        text = packed.to_bytes((self.top + 1) * size, "little")
        counts = (int.from_bytes(text[key * size : (key + 1) * size], "little") for key in range(self.top + 1))
        return {key: count for key, count in enumerate(counts) if count}

    @property
    def _all_steps(self) -> list[list[int]]:
        """What each grade adds at each rank, less the least."""
        steps = ([weight * gain for gain in self.gains] for weight in self.weights)
        return [[step - min(rank) for step in rank] for rank in steps]

    @property
    def _steps(self) -> list[list[int]]:
        return [sorted(set(steps)) for steps in self._all_steps]

    def _collected(self, most: int) -> IntArray | None:
        sums = np.zeros(1, dtype=np.int64 if self.top < 1 << 62 else object)
        most = most if self.top < 1 << 62 else min(most, _MOST_LARGE)
        # the largest first: where sums are many, that shows soon
        for steps in sorted(self._steps, key=max, reverse=True):
            if len(steps) > 1:
                sums = np.unique(np.add.outer(sums, np.array(steps, dtype=sums.dtype)))
            if len(sums) > most:
                return None
        return sums

    def _counted_where_collected(self) -> dict[int, int]:
        sums, counts = np.zeros(1, dtype=np.int64 if self.top < 1 << 62 else object), np.ones(1, dtype=np.int64)
        for steps in self._all_steps:
            spread = np.add.outer(np.array(steps, dtype=sums.dtype), sums).ravel()
            sums, places = np.unique(spread, return_inverse=True)
            grown = np.zeros(len(sums), dtype=np.int64)
            np.add.at(grown, places.reshape(-1), np.tile(counts, len(steps)))
            counts = grown
        return dict(zip(sums.tolist(), counts.tolist(), strict=True))


def _whole(numbers: Sequence[Fraction | int]) -> tuple[int, ...]:
    """Return rational numbers as whole ones without a common factor, in the same proportions."""
    below = lcm(*(Fraction(number).denominator for number in numbers))
    whole = [int(Fraction(number) * below) for number in numbers]
    factor = gcd(*whole) or 1
    return tuple(number // factor for number in whole)


def _either(rows: object) -> int:
    marked = 0
    for row in rows:  # type: ignore[attr-defined]
        marked |= row
    return marked
