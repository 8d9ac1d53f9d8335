"""The order "replacement": rank by rank, every rank for itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from operator import gt
from typing import ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import Cells
from measurand.lattice.algebra.base import Algebra, Run, Terms


@frozen
class Product(Algebra):
    r"""All runs, better being a grade at least as high at every rank: a product of chains.

    .. math:: r \preceq s \iff r_k \le s_k \text{ for every } k

    Join-irreducible are the runs with one grade other than 0; they stand rank by rank, and grade by grade
    within.

    Examples
    --------
    >>> Product(3, 3).join((2, 0, 1), (1, 1, 0)), Product(3, 3).meet((2, 0, 1), (1, 1, 0))
    ((2, 1, 1), (1, 0, 0))
    >>> Product(3, 3).decompose((2, 0, 1))
    ((2, 0, 0), (0, 0, 1))

    References
    ----------
    [Giner2022]_, section 6.2
    """

    order: ClassVar[str] = "replacement"

    @property
    def size(self) -> int:
        """How many runs there are."""
        return int(self.grades**self.depth)

    def runs(self) -> Iterator[Run]:
        """Return every run, as in the dictionary."""
        return product(range(self.grades), repeat=self.depth)

    def join(self, x: Run, y: Run) -> Run:
        """Return the higher grade of every rank."""
        return tuple(map(max, x, y))

    def meet(self, x: Run, y: Run) -> Run:
        """Return the lower grade of every rank."""
        return tuple(map(min, x, y))

    def upper_covers(self, x: Run) -> Iterator[Run]:
        """Return the run with one grade higher by one, for every rank where there is a higher grade."""
        return _changed(x, ((rank, grade + 1) for rank, grade in enumerate(x) if grade + 1 < self.grades))

    def lower_covers(self, x: Run) -> Iterator[Run]:
        """Return the run with one grade lower by one, for every rank where there is a lower grade."""
        return _changed(x, ((rank, grade - 1) for rank, grade in enumerate(x) if grade))

    def between(self, x: Run, y: Run) -> Iterator[Run]:
        """Return every run from x up to y, as in the dictionary."""
        if any(map(gt, x, y)):
            return iter(())
        return product(*(range(low, high + 1) for low, high in zip(x, y, strict=True)))

    @property
    def irreducible_count(self) -> int:
        """How many runs have one grade other than 0."""
        return self.depth * (self.grades - 1)

    def irreducible(self, place: int) -> Run:
        """Return the run with one grade other than 0 at a place."""
        rank, grade = divmod(place, self.grades - 1)
        return self._alone(rank, grade + 1)

    def place(self, run: Run) -> int | None:
        """Return the place of a run with one grade other than 0, None for any other run."""
        ranks = [rank for rank, grade in enumerate(run) if grade]
        return ranks[0] * (self.grades - 1) + run[ranks[0]] - 1 if len(ranks) == 1 else None

    def step(self, place: int) -> tuple[Run, Run]:
        """Return the run at a place, its grade lowered by one, and that run."""
        rank, grade = divmod(place, self.grades - 1)
        return self._alone(rank, grade), self._alone(rank, grade + 1)

    def decompose(self, x: Run) -> tuple[Run, ...]:
        """Return, for every rank with a grade other than 0, the run with this grade alone."""
        return tuple(_changed(self.bottom, ((rank, grade) for rank, grade in enumerate(x) if grade)))

    def terms(self, runs: Cells) -> Terms:
        r"""Return the grades other than 0, each a term.

        .. math:: v(r) = v_0 + \sum_k (V_k(r_k) - v_0)
        """
        row, rank = np.nonzero(runs)
        place = rank * (self.grades - 1) + runs[row, rank] - 1
        return Terms(row, place, np.ones(len(row), dtype=np.int64))

    def _alone(self, rank: int, grade: int) -> Run:
        """Return the run with a grade at a rank, counted from 0, and 0 elsewhere."""
        return (*(0,) * rank, grade, *(0,) * (self.depth - rank - 1))


def _changed(x: Run, changes: Iterable[tuple[int, int]]) -> Iterator[Run]:
    """Return the runs with one grade changed: at a rank, from 0, to another."""
    run = list(x)
    for rank, grade in changes:
        run[rank] = grade
        yield tuple(run)
        run[rank] = x[rank]
