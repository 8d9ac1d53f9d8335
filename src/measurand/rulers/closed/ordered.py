"""Measures whose ranks can be read off a run: as a number written in a base, or as the value itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from attrs import define, field, frozen

from measurand.arrays import Cells
from measurand.errors import NotAvailable
from measurand.execution import Progress, silent
from measurand.rulers.closed.whole_sums import WholeSums
from measurand.rulers.position import Position
from measurand.rulers.ruler import Ruler

SMALL = 1 << 22
"""Runs are counted by value where the largest value is no larger, in units."""


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
