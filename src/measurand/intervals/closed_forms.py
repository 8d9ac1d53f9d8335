r"""Rulers in closed form: the rank is read off the run, or looked up in a short table.

Some additive measures :math:`\sum_i w_i g(r_i)` need no search. If every weight exceeds what all later ranks can add
together, runs are ordered as words in a dictionary, and the rank is the number that the run spells (`Lexicographic`).
If, in a common unit, the sums are all the whole numbers from 0 to the highest, the rank is the sum itself plus 1
(`Complete`; the test for this is Brown's criterion for complete sequences, [Brown1961]_). If the different values are
few, such as the numbers of relevant documents or the rank of the first one, all of them are listed (`Tabulated`).
Everything is exact, with whole numbers. The cost is linear in the run, and for tables in the number of sums, which are
found by dynamic programming over ranks ([Bellman1957]_) on the bits of one long number (`WholeSums`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import gcd, lcm

import numpy as np
from attrs import define, field, frozen

from measurand.arrays import Cells, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, silent
from measurand.intervals.ruler import Position, Ruler

DENSE = 1 << 24
"""Sums to this one are marked in a row of bits; larger ones are collected."""

_MOST_LARGE = 1 << 16
_MOST_BITS = 1 << 31
_MOST_WORK = 1 << 38

SMALL = 1 << 22
"""Runs are counted by value where the largest value is no larger, in units."""

MANY = 1 << 22
"""No table is longer than this."""


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


@frozen(eq=False)
class Lexicographic(Ruler):
    r"""A measure that orders runs as a dictionary does.

    The run, with the digit :math:`d_i` of its grade at each rank, is read as a number:
    :math:`\varphi = 1 + \sum_i d_i\, b^{N-i}`.

    Parameters
    ----------
    ranks
        The ranks that matter, from 1, the most important first; all of them if nothing is said.
    digits
        The place of each grade among the different gains, from 0; the grade itself if nothing is said.

    Examples
    --------
    >>> Lexicographic(4, 2).positions(np.array([[1, 0, 0, 1]]))[0].rank
    10
    """

    depth: int
    grades: int
    ranks: tuple[int, ...] = field()
    digits: tuple[int, ...] = field()

    @ranks.default
    def _every_rank(self) -> tuple[int, ...]:
        return tuple(range(1, self.depth + 1))

    @digits.default
    def _grades(self) -> tuple[int, ...]:
        return tuple(range(self.grades))

    @classmethod
    def of(cls, weights: Sequence[Fraction], gains: Sequence[Fraction | int]) -> Lexicographic | None:
        r"""Return the ruler of an additive measure if it orders runs as a dictionary does, else None.

        It does if the smallest step between gains at a rank outweighs everything at the less important ranks:
        :math:`\delta\, w_i > \Delta \sum_{j > i} w_j`, with the weights in descending order and :math:`\Delta` the
        largest difference of gains. For then the first rank at which two runs differ in gain decides.

        Examples
        --------
        >>> Lexicographic.of([Fraction(1, 3**rank) for rank in range(4)], [0, 1, 2]).size
        81
        >>> Lexicographic.of([Fraction(1), Fraction(1)], [0, 1])
        """
        levels = sorted(set(gains))
        ranks = sorted((rank for rank, weight in enumerate(weights, 1) if weight), key=lambda rank: -weights[rank - 1])
        later = Fraction(0)
        least = min((high - low for low, high in pairwise(levels)), default=1)
        for rank in reversed(ranks):
            if least * weights[rank - 1] <= (levels[-1] - levels[0]) * later:
                return None
            later += weights[rank - 1]
        return cls(len(weights), len(gains), tuple(ranks), tuple(levels.index(gain) for gain in gains))

    @property
    def base(self) -> int:
        """How many digits there are."""
        return max(self.digits) + 1

    @property
    def size(self) -> int:
        """How many different values there are."""
        return int(self.base ** len(self.ranks))

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:  # noqa: ARG002 - quick
        """Return where each of some runs, one a row, stands."""
        size = self.size
        return [Position.at(number + 1, size, self.assumption) for number in self._numbers(runs)]

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        times = [count for _, count in sorted(Counter(self.digits).items())]
        lower = [0, *accumulate(times)]
        free = self.grades ** (self.depth - len(self.ranks))
        shares = []
        for row in self._read(runs).tolist():
            below, tied = 0, 1
            for digit in row:
                below = below * self.grades + tied * lower[digit]
                tied *= times[digit]
            shares.append((below * free, tied * free))
        return shares

    def _read(self, runs: Cells) -> np.ndarray:
        return np.array(self.digits, dtype=np.int64)[np.asarray(runs)[:, np.array(self.ranks, dtype=np.int64) - 1]]

    def _numbers(self, runs: Cells) -> list[int]:
        """Return the numbers that runs spell; as many digits at a time as a machine's number holds."""
        digits = self._read(runs)
        length = 62 // self.base.bit_length()
        numbers = [0] * len(digits)
        for start in range(0, digits.shape[1], length):
            portion = digits[:, start : start + length]
            factor = self.base ** portion.shape[1]
            spelt = portion @ self.base ** np.arange(portion.shape[1] - 1, -1, -1, dtype=np.int64)
            numbers = [number * factor + more for number, more in zip(numbers, spelt.tolist(), strict=True)]
        return numbers


@define(eq=False)
class Complete(Ruler):
    r"""A measure that takes every whole number of units from 0 to the highest.

    Then the values are equally spaced and :math:`\varphi = 1 + \text{value}` in units.

    Examples
    --------
    >>> ruler = Complete.of(WholeSums.of([Fraction(1, 2**rank) for rank in range(1, 5)], [0, 1]))
    >>> ruler.size, ruler.positions(np.array([[1, 1, 1, 1]]))[0].rank, ruler.consecutive
    (16, 16, True)
    """

    sums: WholeSums
    depth: int = field(init=False)
    grades: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.depth, self.grades = len(self.sums.weights), len(self.sums.gains)

    @classmethod
    def of(cls, sums: WholeSums) -> Complete | None:
        r"""Return the ruler of sums of whole weights times gains if every whole number occurs, else None.

        It does if the gains are :math:`0, \dots, q` and every weight, in ascending order, is at most
        :math:`1 + q W`, with :math:`W` the sum of the smaller ones. For if the smaller ranks make all of
        :math:`0, \dots, qW`, then with :math:`g w` from one more rank all of :math:`gw, \dots, gw + qW` occur, and
        these stretches leave no gap between :math:`g` and :math:`g + 1` as :math:`(g + 1) w \le gw + qW + 1`.

        Examples
        --------
        >>> Complete.of(WholeSums((1, 1, 3), (0, 1))).size
        6
        >>> Complete.of(WholeSums((1, 3), (0, 1)))
        """
        most = max(sums.gains)
        if sorted(set(sums.gains)) != list(range(most + 1)) or min(sums.weights, default=0) < 0:
            return None
        reached = 0
        for weight in sorted(sums.weights):
            if weight > 1 + most * reached:
                return None
            reached += weight
        return cls(sums)

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.sums.top + 1

    @property
    def consecutive(self) -> bool:
        """Whether the values are known to be equally spaced."""
        return True

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:  # noqa: ARG002 - quick
        """Return where each of some runs, one a row, stands."""
        size = self.size
        return [Position.at(key + 1, size, self.assumption) for key in self.sums.keys(runs).tolist()]

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        spelt = Lexicographic.of([Fraction(weight) for weight in self.sums.weights], self.sums.gains)
        if spelt:
            return spelt.shares(runs)
        if self.size > SMALL:
            raise NotAvailable(
                f"how many of the runs have each of {self.size} values takes too long to count;"
                " use ties='unq', or fewer ranks"
            )
        below, times = self._counted
        return [(below[key], times[key]) for key in self.sums.keys(runs).tolist()]

    @cached_property
    def _counted(self) -> tuple[list[int], list[int]]:
        times = list(self.sums.runs_by_key().values())
        return [0, *accumulate(times)], times


@define(eq=False)
class Tabulated(Ruler):
    """A measure whose value grows with a whole number, its key, of which all that occur are listed.

    Parameters
    ----------
    keys
        The keys that occur, in ascending order.
    key_of
        The keys of some runs, one a row.
    count
        How many runs have each key, where that can be counted; called when it is first needed.
    linear
        Whether the value is a linear function of the key.

    Examples
    --------
    >>> ruler = Tabulated.of_sums(WholeSums((1,) * 1000, (0, 1, 3, 7)))
    >>> ruler.size, ruler.positions(np.zeros((1, 1000), dtype=np.int8))[0].rank
    (6996, 1)
    """

    depth: int
    grades: int
    keys: IntArray
    key_of: Callable[[Cells], IntArray]
    count: Callable[[], Mapping[int, int]] | None = None
    linear: bool = False
    _lower: dict[int, tuple[int, int]] | None = field(default=None, init=False)

    @classmethod
    def of_sums(cls, sums: WholeSums, most: int = MANY) -> Tabulated | None:
        """Return the ruler of sums of whole weights times gains, or None if more than `most` sums occur."""
        keys = sums.attained(most)
        if keys is None:
            return None
        return cls(len(sums.weights), len(sums.gains), keys, sums.keys, sums.runs_by_key, linear=True)

    @classmethod
    def of_first(cls, depth: int, grades: int = 2, relevant: int = 1) -> Tabulated:
        r"""Return the ruler of a measure that falls with the rank of the first relevant document.

        With the first relevant document at rank :math:`i` of :math:`N`, :math:`\varphi = N + 2 - i`; without any, 1.

        Parameters
        ----------
        relevant
            The lowest grade that counts as relevant.

        Examples
        --------
        >>> ruler = Tabulated.of_first(4)
        >>> [position.rank for position in ruler.positions(np.array([[1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]))]
        [5, 2, 1]
        """

        def key_of(runs: Cells) -> IntArray:
            hits = np.asarray(runs) >= relevant
            return np.where(hits.any(axis=1), depth - np.argmax(hits, axis=1), 0)

        def count() -> dict[int, int]:
            found = {depth - zeros: relevant**zeros * (grades - relevant) * grades ** (depth - zeros - 1)
                     for zeros in range(depth)}  # fmt: skip
            return {0: relevant**depth, **found}

        return cls(depth, grades, np.arange(depth + 1), key_of, count)

    @property
    def size(self) -> int:
        """How many different values there are."""
        return len(self.keys)

    @property
    def consecutive(self) -> bool:
        """Whether the values are known to be equally spaced."""
        return self.linear and len(set(np.diff(self.keys).tolist())) <= 1

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:  # noqa: ARG002 - quick
        """Return where each of some runs, one a row, stands."""
        places = np.searchsorted(self.keys, self.key_of(runs))
        size = self.size
        return [Position.at(place + 1, size, self.assumption) for place in places.tolist()]

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        lower = self._lower or self._counted()
        return [lower[key] for key in self.key_of(runs).tolist()]

    def _counted(self) -> dict[int, tuple[int, int]]:
        if self.count is None:
            raise NotAvailable("how many runs share a value is not known for this measure; use ties='unq'")
        total, lower = 0, {}
        for key, runs in sorted(self.count().items()):
            lower[key] = total, runs
            total += runs
        self._lower = lower
        return lower
