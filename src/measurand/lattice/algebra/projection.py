"""The orders "projection" and "set-projection": total orders, whose runs are numbered without a list."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import reduce
from math import comb
from typing import ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, IntArray
from measurand.lattice.algebra.base import Algebra, Run, Terms

LARGEST = int(np.iinfo(np.int64).max)
"""The largest number that an array of whole numbers holds."""


@frozen
class Chain(Algebra):
    """Runs in a total order, which is that of the dictionary, first rank first.

    Every run but the worst is join-irreducible, so that its place is its number in the chain, less one.
    """

    @abstractmethod
    def number(self, run: Run) -> int:
        """Return how many runs are worse than a run."""

    @abstractmethod
    def numbered(self, number: int) -> Run:
        """Return the run with so many worse ones."""

    @abstractmethod
    def numbers(self, runs: Cells) -> IntArray:
        """Return the numbers of runs, one a row, where all numbers fit an array of whole numbers."""

    @abstractmethod
    def _raised(self, x: Run) -> Run:
        """Return the run that follows one that is not the best."""

    @abstractmethod
    def _lowered(self, x: Run) -> Run:
        """Return the run before one that is not the worst."""

    def runs(self) -> Iterator[Run]:
        """Return every run, worst first."""
        return self.between(self.bottom, self.top)

    def join(self, *runs: Run) -> Run:
        """Return the best of some runs."""
        return max(runs)

    def meet(self, *runs: Run) -> Run:
        """Return the worst of some runs."""
        return min(runs)

    def rank(self, x: Run) -> int:
        """Return the number of a run in the chain: how many runs are worse."""
        return self.number(x)

    def upper_covers(self, x: Run) -> Iterator[Run]:
        """Return the run that follows; none follows the best."""
        if x != self.top:
            yield self._raised(x)

    def lower_covers(self, x: Run) -> Iterator[Run]:
        """Return the run before; none is before the worst."""
        if x != self.bottom:
            yield self._lowered(x)

    def between(self, x: Run, y: Run) -> Iterator[Run]:
        """Return every run from x up to y, worst first."""
        while x < y:
            yield x
            x = self._raised(x)
        if x == y:
            yield x

    @property
    def irreducible_count(self) -> int:
        """How many runs there are beside the worst."""
        return self.size - 1

    def irreducible(self, place: int) -> Run:
        """Return the run at a place, the worst left out."""
        return self.numbered(place + 1)

    def place(self, run: Run) -> int | None:
        """Return the place of a run, None for the worst."""
        return self.number(run) - 1 if any(run) else None

    def step(self, place: int) -> tuple[Run, Run]:
        """Return the run before that at a place, and that run."""
        return self.numbered(place), self.numbered(place + 1)

    def decompose(self, x: Run) -> tuple[Run, ...]:
        """Return the run itself; nothing for the worst."""
        return (x,) if any(x) else ()

    def terms(self, runs: Cells) -> Terms:
        """Return one term for every run but the worst: itself.

        Where numbers of runs do not fit an array of whole numbers, the places are an array of Python's.
        """
        row = np.flatnonzero(np.any(runs > 0, axis=1))
        if self.size <= LARGEST:
            place = self.numbers(runs[row]) - 1
        else:
            place = np.array([self.number(tuple(run)) - 1 for run in runs[row].tolist()], dtype=object)
        return Terms(row, place, np.ones(len(row), dtype=np.int64))


@frozen
class ProjectionOrder(Chain):
    r"""All runs, the higher grade at the first rank where two differ being better.

    .. math:: r \preceq s \iff r = s \text{ or } r_k < s_k \text{ at the first } k \text{ with } r_k \ne s_k

    Examples
    --------
    >>> list(ProjectionOrder(2, 2).runs())
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> ProjectionOrder(1000, 5).number((1,) + (0,) * 999) == 5**999
    True

    References
    ----------
    [Giner2022]_, section 6.1
    """

    order: ClassVar[str] = "projection"

    @property
    def size(self) -> int:
        """How many runs there are."""
        return int(self.grades**self.depth)

    def number(self, run: Run) -> int:
        """Return the number that the grades spell as digits."""
        return reduce(lambda number, grade: number * self.grades + grade, run, 0)

    def numbered(self, number: int) -> Run:
        """Return the run whose grades spell a number."""
        digits = []
        for _ in range(self.depth):
            number, digit = divmod(number, self.grades)
            digits.append(digit)
        return tuple(reversed(digits))

    def numbers(self, runs: Cells) -> IntArray:
        """Return the numbers that the grades of runs spell."""
        powers = np.array([self.grades**k for k in range(self.depth - 1, -1, -1)], dtype=np.int64)
        return np.asarray(runs, dtype=np.int64) @ powers

    def _raised(self, x: Run) -> Run:
        highest = self.grades - 1
        last = max(i for i, grade in enumerate(x) if grade < highest)
        return (*x[:last], x[last] + 1, *(0,) * (self.depth - last - 1))

    def _lowered(self, x: Run) -> Run:
        last = max(i for i, grade in enumerate(x) if grade)
        return (*x[:last], x[last] - 1, *(self.grades - 1,) * (self.depth - last - 1))


@frozen
class SetProjectionOrder(Chain):
    r"""All sets, the one with more documents of the highest grade where two differ being better.

    Written best grade first, the sets stand as in the dictionary. The number of a set is

    .. math:: \sum_i \binom{N - i + r_i}{N - i + 1}

    Examples
    --------
    >>> list(SetProjectionOrder(2, 3).runs())
    [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]
    >>> SetProjectionOrder(2, 3).number((2, 0))
    3

    References
    ----------
    [Giner2022]_, section 5.1
    """

    order: ClassVar[str] = "set-projection"

    @property
    def size(self) -> int:
        """How many sets there are."""
        return comb(self.depth + self.grades - 1, self.depth)

    def number(self, run: Run) -> int:
        """Return how many sets are worse: for every rank, those that first differ there."""
        return sum(_lower(self.depth - i, grade) for i, grade in enumerate(run) if grade)

    def numbered(self, number: int) -> Run:
        """Return the set with so many worse ones: at every rank the highest grade that the number affords."""
        grades, grade = [], self.grades - 1
        for left in range(self.depth, 0, -1):
            while _lower(left, grade) > number:
                grade -= 1
            number -= _lower(left, grade)
            grades.append(grade)
        return tuple(grades)

    def numbers(self, runs: Cells) -> IntArray:
        """Return how many sets are worse than each of some."""
        table = np.array(
            [[_lower(self.depth - i, grade) for grade in range(self.grades)] for i in range(self.depth)], dtype=np.int64
        )
        return np.asarray(table[np.arange(self.depth), runs].sum(axis=1), dtype=np.int64)

    def _raised(self, x: Run) -> Run:
        above = (self.grades - 1, *x)
        last = max(i for i, grade in enumerate(x) if grade < above[i])
        return (*x[:last], x[last] + 1, *(0,) * (self.depth - last - 1))

    def _lowered(self, x: Run) -> Run:
        last = max(i for i, grade in enumerate(x) if grade)
        return (*x[:last], *(x[last] - 1,) * (self.depth - last))


def _lower(ranks: int, grade: int) -> int:
    """Return how many sets there are of so many documents with grades below one."""
    return comb(ranks + grade - 1, ranks) if grade else 0
