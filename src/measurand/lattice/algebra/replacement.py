"""The orders "replacement" and "set-replacement": grades compared rank by rank, and sets best grade first.

Both are products of chains, the second restricted to descending grades: join and meet take the higher and the lower
grade at every place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product
from math import comb
from operator import gt
from typing import ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import Cells
from measurand.lattice.algebra.base import Algebra, Run, Terms


@frozen
class ReplacementOrder(Algebra):
    r"""All runs, better being a grade at least as high at every rank: a product of chains.

    .. math:: r \preceq s \iff r_k \le s_k \text{ for every } k

    Join-irreducible are the runs with one grade other than 0; they stand rank by rank, and grade by grade
    within.

    Examples
    --------
    >>> ReplacementOrder(3, 3).join((2, 0, 1), (1, 1, 0)), ReplacementOrder(3, 3).meet((2, 0, 1), (1, 1, 0))
    ((2, 1, 1), (1, 0, 0))
    >>> ReplacementOrder(3, 3).decompose((2, 0, 1))
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

    def join(self, *runs: Run) -> Run:
        """Return the highest grade of every rank."""
        return tuple(map(max, zip(*runs, strict=True)))

    def meet(self, *runs: Run) -> Run:
        """Return the lowest grade of every rank."""
        return tuple(map(min, zip(*runs, strict=True)))

    def rank(self, x: Run) -> int:
        """Return the sum of the grades: a step raises one of them by one."""
        return sum(x)

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


@frozen
class SetReplacementOrder(Algebra):
    r"""All sets, better being at least as many documents of every grade or more.

    .. math:: r \preceq s \iff \#\{i : r_i \ge v\} \le \#\{i : s_i \ge v\} \text{ for every grade } v

    With the best grade first this is the order place by place. Join-irreducible are the sets of some
    documents of one grade, all others being of grade 0; they stand grade by grade, and by number within.

    Examples
    --------
    >>> sets = SetReplacementOrder(3, 3)
    >>> sets.join((2, 0, 0), (1, 1, 1)), sets.meet((2, 0, 0), (1, 1, 1))
    ((2, 1, 1), (1, 0, 0))
    >>> sets.decompose((2, 1, 1))
    ((1, 1, 1), (2, 0, 0))

    References
    ----------
    [Giner2022]_, section 5.2
    """

    order: ClassVar[str] = "set-replacement"

    @property
    def size(self) -> int:
        """How many sets there are."""
        return comb(self.depth + self.grades - 1, self.depth)

    def runs(self) -> Iterator[Run]:
        """Return every set, those of low grades first."""
        return (run[::-1] for run in combinations_with_replacement(range(self.grades), self.depth))

    def join(self, *runs: Run) -> Run:
        """Return the highest grade of every place."""
        return tuple(map(max, zip(*runs, strict=True)))

    def meet(self, *runs: Run) -> Run:
        """Return the lowest grade of every place."""
        return tuple(map(min, zip(*runs, strict=True)))

    def rank(self, x: Run) -> int:
        """Return the sum of the grades: a step raises one of them by one."""
        return sum(x)

    def upper_covers(self, x: Run) -> Iterator[Run]:
        """Return the set with one grade higher by one, once for every grade that can be raised."""
        above = (self.grades - 1, *x)
        return ((*x[:i], grade + 1, *x[i + 1 :]) for i, grade in enumerate(x) if grade < above[i])

    def lower_covers(self, x: Run) -> Iterator[Run]:
        """Return the set with one grade lower by one, once for every grade that can be lowered."""
        after = (*x[1:], 0)
        return ((*x[:i], grade - 1, *x[i + 1 :]) for i, grade in enumerate(x) if grade > after[i])

    def between(self, x: Run, y: Run) -> Iterator[Run]:
        """Return every set from x up to y, as in the dictionary."""
        if any(map(gt, x, y)):
            return
        run = list(x)
        while True:
            yield tuple(run)
            above = (self.grades - 1, *run)
            free = [i for i, grade in enumerate(run) if grade < min(y[i], above[i])]
            if not free:
                return
            run[free[-1] :] = (run[free[-1]] + 1, *x[free[-1] + 1 :])

    @property
    def irreducible_count(self) -> int:
        """How many sets have documents of one grade other than 0."""
        return self.depth * (self.grades - 1)

    def irreducible(self, place: int) -> Run:
        """Return the set with one grade other than 0 at a place."""
        grade, number = divmod(place, self.depth)
        return self._alike(grade + 1, number + 1)

    def place(self, run: Run) -> int | None:
        """Return the place of a set with one grade other than 0, None for any other."""
        number = self.depth - run.count(0)
        return (run[0] - 1) * self.depth + number - 1 if run[0] and run[0] == run[number - 1] else None

    def step(self, place: int) -> tuple[Run, Run]:
        """Return the set at a place, the last of its grades lowered by one, and that set."""
        grade, number = divmod(place, self.depth)
        upper = self._alike(grade + 1, number + 1)
        return (*upper[:number], grade, *upper[number + 1 :]), upper

    def decompose(self, x: Run) -> tuple[Run, ...]:
        """Return, for every grade other than 0 that occurs, as many documents of it as have it or more."""
        last = {grade: number for number, grade in enumerate(x, 1) if grade}
        return tuple(self._alike(grade, number) for grade, number in reversed(last.items()))

    def terms(self, runs: Cells) -> Terms:
        r"""Return the terms of sets, two for every grade other than 0 that occurs.

        .. math:: v(r) = v_0 + \sum_i [V(r_i, i) - V(r_i, i - 1)]

        where :math:`V(v, 0) = V(0, m) = v_0`; inside documents of one grade the sum telescopes.
        """
        edge = np.diff(np.asarray(runs, dtype=np.int64), axis=1) != 0
        last = np.pad(edge, ((0, 0), (0, 1)), constant_values=True) & (runs > 0)
        # the place before the first of a grade counts against it
        first = edge & (runs[:, 1:] > 0)
        row, number = np.nonzero(last)
        other_row, before = np.nonzero(first)
        grade = np.concatenate([runs[row, number], runs[other_row, before + 1]]).astype(np.int64)
        rows = np.concatenate([row, other_row])
        place = (grade - 1) * self.depth + np.concatenate([number, before])
        sign = np.repeat(np.array([1, -1]), [len(row), len(other_row)])
        order = np.argsort(rows, kind="stable")
        return Terms(rows[order], place[order], sign[order])

    def _alike(self, grade: int, number: int) -> Run:
        """Return the set with so many documents of a grade and no other but 0."""
        return (grade,) * number + (0,) * (self.depth - number)
