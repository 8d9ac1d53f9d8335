"""The order "swap": the counts of every grade or more, rank by rank, as paths one above the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, IntArray
from measurand.errors import NoJoin, NoMeet
from measurand.lattice.algebra.base import Algebra, Run, Terms
from measurand.lattice.algebra.blocks import Block, blocks_at, place_of
from measurand.lattice.algebra.bounds import is_run, minimal_runs_above, run_of
from measurand.lattice.algebra.walk import walk


@frozen
class Paths(Algebra):
    r"""All runs, better being, down to every rank, at least as many documents of every grade or more.

    .. math:: r \preceq s \iff S^v_k(r) \le S^v_k(s) \text{ for all } v, k,
        \qquad S^v_k(r) = \#\{i \le k : r_i \ge v\}

    With two grades this is a distributive lattice, and meet and join are the lower and the upper of two paths.
    With more grades and ranks the upper paths of two runs need not be those of a run; then there is no join.
    What is lacking are chains of paths, one above the other, which complete the order to a distributive
    lattice. Its join-irreducible elements are runs, the blocks: m documents of grade v that end at rank k.

    Examples
    --------
    >>> Paths(4, 2).join((1, 0, 0, 1), (0, 1, 1, 0)), Paths(4, 2).meet((1, 0, 0, 1), (0, 1, 1, 0))
    ((1, 0, 1, 0), (0, 1, 0, 1))
    >>> Paths(2, 3).join((0, 2), (1, 0))
    Traceback (most recent call last):
    ...
    measurand.errors.NoJoin: (0, 2) and (1, 0) have no join, but 2 minimal upper bounds: (1, 2), (2, 0)

    References
    ----------
    [Giner2022]_, section 6.3
    """

    order: ClassVar[str] = "swap"

    @property
    def size(self) -> int:
        """How many runs there are."""
        return int(self.grades**self.depth)

    def runs(self) -> Iterator[Run]:
        """Return every run, as in the dictionary."""
        return product(range(self.grades), repeat=self.depth)

    def paths(self, x: Run) -> IntArray:
        """Return how many documents of a grade or more there are down to a rank: a row a grade, from rank 0.

        Examples
        --------
        >>> Paths(4, 3).paths((1, 0, 2, 1)).tolist()
        [[0, 1, 1, 2, 3], [0, 0, 0, 1, 1]]
        """
        found = np.array(x) >= np.arange(1, self.grades)[:, None]
        counts = np.zeros((self.grades - 1, self.depth + 1), dtype=np.int64)
        np.cumsum(found, axis=1, out=counts[:, 1:])
        return counts

    def join(self, x: Run, y: Run) -> Run:
        """Return the run of the upper paths, or raise `NoJoin` with minimal upper bounds, all or some."""
        upper = np.maximum(self.paths(x), self.paths(y))
        if is_run(upper):
            return run_of(upper)
        found, complete = minimal_runs_above(upper)
        raise NoJoin(x, y, found, complete=complete)

    def meet(self, x: Run, y: Run) -> Run:
        """Return the run of the lower paths, or raise `NoMeet` with maximal lower bounds, all or some."""
        lower = np.minimum(self.paths(x), self.paths(y))
        if is_run(lower):
            return run_of(lower)
        # with every grade turned round, worse is better
        found, complete = minimal_runs_above(np.arange(self.depth + 1) - lower[::-1])
        raise NoMeet(x, y, [self._turned(run) for run in reversed(found)], complete=complete)

    def upper_covers(self, x: Run) -> Iterator[Run]:
        """Return the runs that one swap or one raised grade makes of a run, with nothing between."""
        return _changed(x, 1, _changes(x, self.grades))

    def lower_covers(self, x: Run) -> Iterator[Run]:
        """Return the runs that one swap or one lowered grade makes of a run, with nothing between."""
        return _changed(x, -1, _changes(self._turned(x), self.grades))

    def between(self, x: Run, y: Run) -> Iterator[Run]:
        """Return every run from x up to y, as in the dictionary, each when it is asked for."""
        lower, upper = self.paths(x), self.paths(y)
        return walk(lower, upper) if bool(np.all(lower <= upper)) else iter(())

    @property
    def irreducible_count(self) -> int:
        """How many blocks there are."""
        return (self.grades - 1) * self.depth * (self.depth + 1) // 2

    def irreducible(self, place: int) -> Run:
        """Return the block at a place."""
        return Block.at(place, self.depth).run(self.depth)

    def place(self, run: Run) -> int | None:
        """Return the place of a block, None for any other run."""
        block = Block.of(run)
        return None if block is None else block.place(self.depth)

    def step(self, place: int) -> tuple[Run, Run]:
        """Return two runs whose paths differ for the grade of the block at a place, at its end, by one.

        Where the block ends before the last rank, the document after it is of the grade below, and the two
        change places.
        """
        block = Block.at(place, self.depth)
        start = (0,) * (block.end - block.number) + (block.grade,) * (block.number - 1)
        if block.end == self.depth:
            return (*start, block.grade - 1), (*start, block.grade)
        rest = (0,) * (self.depth - block.end - 1)
        return (*start, block.grade - 1, block.grade, *rest), (*start, block.grade, block.grade - 1, *rest)

    def step_terms(self, places: Sequence[int]) -> Terms:
        r"""Return the terms of steps: the mixed differences of the blocks of a grade less those of the grade below.

        .. math:: w_v(b, m) = V(v, b, m) - V(v, b, m - 1) - V(v, b + 1, m) + V(v, b + 1, m - 1), \qquad
            h = w_v(b, m) - w_{v-1}(b, m)

        where b ranks stand before the block and :math:`V(v, b, 0) = v_0`. A block that would end beyond the last rank
        counts as the one with a document less.
        """
        grade, before, number = blocks_at(np.array(places), self.depth)
        inside = before + number < self.depth
        found = []
        for below in (0, 1):
            for later, fewer in product((0, 1), repeat=2):
                counts = (grade > below) & (number > fewer) & (inside | (later == 0))
                row = np.flatnonzero(counts)
                shorter = number[row] - fewer
                place = place_of(grade[row] - below, before[row] + later + shorter, shorter, self.depth)
                sign = -1 if (below + later + fewer) % 2 else 1
                found.append(np.stack([row, place, np.full(len(row), sign)]))
        rows, where, signs = np.concatenate(found, axis=1)
        order = np.argsort(rows, kind="stable")
        return Terms(rows[order], where[order], signs[order])

    def decompose(self, x: Run) -> tuple[Run, ...]:
        """Return the blocks of a run: for every grade those that end where a path stops to rise.

        A block is left out where as many documents down to its end are of the next grade or more.
        """
        paths = self.paths(x)
        rise = np.pad(np.diff(paths, axis=1), ((0, 0), (0, 1)))
        next_grade = np.pad(paths[1:, 1:], ((0, 1), (0, 0)))
        ends = (rise[:, :-1] > rise[:, 1:]) & (next_grade < paths[:, 1:])
        level, end = np.nonzero(ends)
        return tuple(_block_runs(level + 1, end + 1, paths[level, end + 1], self.depth))

    def terms(self, runs: Cells) -> Terms:
        r"""Return the terms of runs: the corners of their paths.

        .. math:: F_v(p) = v_0 + \sum_{k : p \text{ stops to rise}} (V(v, k, p_k) - v_0)
            - \sum_{k : p \text{ starts to rise}} (V(v, k, p_k) - v_0), \qquad
            v(r) = v_0 + \sum_v [F_v(S^v(r)) - F_{v-1}(S^v(r))]

        where :math:`V(v, k, m)` is the value of a block and :math:`F_0 = V(v, k, 0) = v_0`. Terms that cancel
        are left out. There are up to twice as many terms as grades in all runs, so give many long runs in parts.
        """
        found = [np.empty((3, 0), dtype=np.int64)]
        over = _corners(runs, self.grades)
        for grade in range(self.grades - 1, 0, -1):
            ours = _corners(runs, grade)
            same = ours[1] == over[1]
            found.append(_terms(grade, np.where(same, ours[0] - over[0], ours[0]), ours[1]))
            found.append(_terms(grade, np.where(same, 0, -over[0]), over[1]))
            over = ours
        row, place, sign = np.concatenate(found, axis=1)
        order = np.argsort(row, kind="stable")
        return Terms(row[order], place[order], sign[order])

    def _turned(self, x: Run) -> Run:
        """Return the run with the highest grade for the lowest, and so on."""
        return tuple(self.grades - 1 - grade for grade in x)


def _corners(runs: Cells, grade: int) -> tuple[Cells, IntArray]:
    """Return where the paths of a grade stop to rise, 1, or start to, -1, and how high they are."""
    rise = (runs >= grade).astype(np.int8)
    height = np.cumsum(rise, axis=1, dtype=np.int64)
    corner = rise.copy()
    corner[:, :-1] -= rise[:, 1:]
    corner[height == 0] = 0
    return corner, height


def _terms(grade: int, sign: IntArray, height: IntArray) -> IntArray:
    """Return the rows, places and signs of the blocks of a grade that count."""
    row, rank = np.nonzero(sign)
    place = place_of(grade, rank + 1, height[row, rank], sign.shape[1])
    return np.stack([row, place, sign[row, rank]])


def _block_runs(grades: IntArray, ends: IntArray, numbers: IntArray, depth: int) -> Iterator[Run]:
    """Return blocks that stand grade by grade and rank by rank as runs."""
    run, before, filled, last = [0] * depth, 0, 0, 0
    for grade, end, number in zip(grades.tolist(), ends.tolist(), numbers.tolist(), strict=True):
        start = end - number
        if grade != before:
            run, before, filled, last = [0] * depth, grade, start, start
        # little differs from the block before
        fresh = max(start, last)
        run[filled:start] = [0] * (start - filled)
        run[fresh:end] = [grade] * (end - fresh)
        filled, last = start, end
        yield tuple(run)


def _changes(x: Run, grades: int) -> Iterator[tuple[int, int]]:
    """Return the ranks, from 0, whose swap makes a run better with nothing between; the depth means one grade up.

    The swap of grades a < b leaves nothing between if no rank between has a grade from a to b. A grade can be
    raised by one if no later rank has it or the next: else raising that rank, or a swap with it, is a smaller step.
    """
    depth = len(x)
    nearest = [depth] * grades
    for rank in range(depth - 1, -1, -1):
        grade = x[rank]
        first = nearest[grade]
        for other in nearest[grade + 1 :]:
            if other < first:
                yield rank, other
                first = other
        if nearest[grade] == depth and grade + 1 < grades and nearest[grade + 1] == depth:
            yield rank, depth
        nearest[grade] = rank


def _changed(x: Run, step: int, changes: Iterator[tuple[int, int]]) -> Iterator[Run]:
    """Return what becomes of a run by each of some changes."""
    run = list(x)
    depth = len(x)
    for rank, other in changes:
        if other == depth:
            yield (*x[:rank], x[rank] + step, *x[rank + 1 :])
            continue
        run[rank], run[other] = x[other], x[rank]
        yield tuple(run)
        run[rank], run[other] = x[rank], x[other]
