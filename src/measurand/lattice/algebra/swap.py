"""The order "swap": the numbers of documents of every grade or more, rank by rank, as paths one above the other.

With two grades a run is one path that goes up by 0 or 1 a rank, and join and meet are the larger and the smaller of
two paths. With more grades there is a path for each grade, and the larger paths need not be those of a run: then
there is no join, but several minimal upper bounds (`swap_bounds`). The join-irreducible elements of the completion
are runs of one grade in one block.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, groupby, product
from math import isqrt
from typing import ClassVar, overload

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, IntArray
from measurand.errors import NoJoin, NoMeet
from measurand.lattice.algebra.base import Algebra, Run, Terms
from measurand.lattice.algebra.swap_bounds import is_run, maximal_runs_below, minimal_runs_above, run_of


@frozen
class Block:
    r"""So many documents of a grade that end at a rank.

    Among blocks, :math:`(v, k, m) \preceq (v', k', m')` in the order "swap" exactly if
    :math:`v \le v'`, :math:`m \le m'` and :math:`k - m \ge k' - m'`; and a block is at most a run that has at
    least m documents of grade v or more down to rank k.

    Parameters
    ----------
    grade
        The grade, from 1.
    end
        The rank of the last document, from 1.
    number
        How many documents, from 1 to `end`.

    Examples
    --------
    >>> Block(2, 3, 2).run(5)
    (0, 2, 2, 0, 0)
    """

    grade: int
    end: int
    number: int

    @classmethod
    def of(cls, run: Run) -> Block | None:
        """Return the block that a run is, or None.

        Examples
        --------
        >>> Block.of((0, 2, 2, 0, 0))
        Block(grade=2, end=3, number=2)
        """
        parts = [(grade, len(list(part))) for grade, part in groupby(run)]
        filled = [place for place, (grade, _) in enumerate(parts) if grade]
        if len(filled) != 1:
            return None
        grade, number = parts[filled[0]]
        return cls(grade, sum(length for _, length in parts[: filled[0] + 1]), number)

    @classmethod
    def at(cls, place: int, depth: int) -> Block:
        """Return the block at a place among those of a depth.

        Examples
        --------
        >>> [Block.at(place, 2).run(2) for place in range(3)]
        [(0, 1), (1, 0), (1, 1)]
        """
        grade, rest = divmod(place, _number_of_blocks(depth))
        room = (isqrt(8 * rest + 1) + 1) // 2
        number = rest - _number_of_blocks(room - 1) + 1
        return cls(grade + 1, depth - room + number, number)

    def run(self, depth: int) -> Run:
        """Return the run of a depth with this block and nothing else."""
        return (0,) * (self.end - self.number) + (self.grade,) * self.number + (0,) * (depth - self.end)

    def place(self, depth: int) -> int:
        """Return where the block stands among those of a depth."""
        return place_of(self.grade, self.end, self.number, depth)


@overload
def place_of(grade: int, end: int, number: int, depth: int) -> int: ...


@overload
def place_of(grade: int | IntArray, end: IntArray, number: IntArray, depth: int) -> IntArray: ...


def place_of(grade: int | IntArray, end: int | IntArray, number: int | IntArray, depth: int) -> int | IntArray:
    """Return where a block stands among those of a depth, or where many do.

    They stand grade by grade, within a grade those that begin last first, and then by number: so that none
    is before a worse one.

    Examples
    --------
    >>> place_of(1, 1, 1, depth=2)
    1
    """
    # how many documents could follow the first, itself included
    room = depth - end + number
    before: int | IntArray = room * (room - 1) // 2
    return (grade - 1) * _number_of_blocks(depth) + before + number - 1


def blocks_at(places: IntArray, depth: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return the grades of the blocks at some places, how many ranks stand before each, and how many documents it has.

    Examples
    --------
    >>> [part.tolist() for part in blocks_at(np.array([0, 1, 2, 3]), depth=2)]
    [[1, 1, 1, 2], [1, 0, 0, 1], [1, 1, 2, 1]]
    """
    grade, rest = np.divmod(places, _number_of_blocks(depth))
    # how many documents could follow the first, itself included: the places of one room come after those of less
    rooms = np.arange(depth + 1)
    room = np.searchsorted(rooms * (rooms + 1) // 2, rest, side="right")
    return grade + 1, depth - room, rest - room * (room - 1) // 2 + 1


def _number_of_blocks(depth: int) -> int:
    """Return how many blocks of one grade there are."""
    return depth * (depth + 1) // 2


def walk(lower: IntArray, upper: IntArray) -> Iterator[Run]:
    r"""Return every run whose paths are between those of two runs, as in the dictionary.

    A run begins like one between exactly if, for all grades v < w, its first k grades hold at most

    .. math:: \min_{i \ge k} \left( S^v_i(\text{upper}) - S^w_i(\text{lower}) \right)

    that are v or more and below w. They cannot hold more: the documents of w or more that the lower run asks for
    are yet to be added to them, and the upper run has no room. Conversely, if two such bounds that overlap
    or touch are reached, so is that of the grades of both, since the paths of the two runs are nested. All grades
    together have a bound, k, that k - 1 grades do not reach; so some grade is always left to go on with.

    Parameters
    ----------
    lower, upper
        The paths of two runs, a row a grade, from rank 0; the lower ones nowhere higher.

    Examples
    --------
    >>> list(walk(np.array([[0, 0, 1]]), np.array([[0, 1, 2]])))
    [(0, 1), (1, 0), (1, 1)]
    """
    bounds, touched = _bounds(lower, upper)
    counts = [0] * len(bounds[0])
    run: list[int] = []
    grade = 0
    while True:
        if len(run) == len(bounds):
            yield tuple(run)
            grade = len(touched)
        else:
            bound = bounds[len(run)]
            while grade < len(touched) and any(counts[pair] == bound[pair] for pair in touched[grade]):
                grade += 1
        if grade < len(touched):
            run.append(grade)
            step, grade_next = 1, 0
        elif run:
            grade = run.pop()
            step, grade_next = -1, grade + 1
        else:
            return
        for pair in touched[grade]:
            counts[pair] += step
        grade = grade_next


def _bounds(lower: IntArray, upper: IntArray) -> tuple[list[array[int]], list[list[int]]]:
    """Return how many grades of each span there may be down to each rank, and in which spans each grade is."""
    levels, ranks = len(lower), np.arange(lower.shape[1])
    low, high = (np.vstack([ranks, paths, np.zeros_like(ranks)]).astype(np.int32) for paths in (lower, upper))
    spans = list(combinations(range(levels + 2), 2))
    first, end = np.array(spans).T
    # from the last rank back, a row a rank
    room = (high[first] - low[end]).T[:0:-1]
    bounds = np.minimum.accumulate(room, axis=0)[::-1]
    touched = [
        [place for place, (first, end) in enumerate(spans) if first <= grade < end] for grade in range(levels + 1)
    ]
    # with very many grades there are millions of bounds, so they are kept as machine words
    return [array("i", row.tobytes()) for row in bounds], touched


@frozen
class SwapOrder(Algebra):
    r"""All runs, better being, down to every rank, at least as many documents of every grade or more.

    .. math:: r \preceq s \iff S^v_k(r) \le S^v_k(s) \text{ for all } v, k,
        \qquad S^v_k(r) = \#\{i \le k : r_i \ge v\}

    With two grades this is a distributive lattice, and meet and join are the lower and the upper of two paths.
    With more grades and ranks the upper paths of two runs need not be those of a run; then there is no join.
    What is lacking are chains of paths, one above the other, which complete the order to a distributive
    lattice. Its join-irreducible elements are runs, the blocks: m documents of grade v that end at rank k.

    Examples
    --------
    >>> SwapOrder(4, 2).join((1, 0, 0, 1), (0, 1, 1, 0)), SwapOrder(4, 2).meet((1, 0, 0, 1), (0, 1, 1, 0))
    ((1, 0, 1, 0), (0, 1, 0, 1))
    >>> SwapOrder(2, 3).join((0, 2), (1, 0))
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
        >>> SwapOrder(4, 3).paths((1, 0, 2, 1)).tolist()
        [[0, 1, 1, 2, 3], [0, 0, 0, 1, 1]]
        """
        found = np.array(x) >= np.arange(1, self.grades)[:, None]
        counts = np.zeros((self.grades - 1, self.depth + 1), dtype=np.int64)
        np.cumsum(found, axis=1, out=counts[:, 1:])
        return counts

    def upper_paths(self, runs: Sequence[Run]) -> IntArray:
        """Return the highest of the paths of some runs, which is their join in the completion.

        Examples
        --------
        >>> SwapOrder(2, 3).upper_paths([(0, 2), (1, 0)]).tolist()
        [[0, 1, 1], [0, 0, 1]]
        """
        return reduce(np.maximum, map(self.paths, runs))

    def lower_paths(self, runs: Sequence[Run]) -> IntArray:
        """Return the lowest of the paths of some runs, which is their meet in the completion."""
        return reduce(np.minimum, map(self.paths, runs))

    def join(self, *runs: Run) -> Run:
        """Return the run of the upper paths, or raise `NoJoin` with minimal upper bounds, all or some."""
        upper = self.upper_paths(runs)
        if is_run(upper):
            return run_of(upper)
        found, complete = minimal_runs_above(upper)
        x, y, *others = runs
        raise NoJoin(x, y, found, complete=complete, others=others)

    def meet(self, *runs: Run) -> Run:
        """Return the run of the lower paths, or raise `NoMeet` with maximal lower bounds, all or some."""
        lower = self.lower_paths(runs)
        if is_run(lower):
            return run_of(lower)
        found, complete = maximal_runs_below(lower)
        x, y, *others = runs
        raise NoMeet(x, y, found, complete=complete, others=others)

    def rank(self, x: Run) -> int:
        r"""Return the sum of the counts of all paths, which a step in the completion raises by one.

        .. math:: \sum_v \sum_k S^v_k(r) = \sum_k (N + 1 - k)\, r_k
        """
        return sum((self.depth - above) * grade for above, grade in enumerate(x))

    def upper_covers(self, x: Run) -> Iterator[Run]:
        """Return the runs that one swap or one raised grade makes of a run, with nothing between."""
        return _changed(x, 1, _changes(x, self.grades))

    def lower_covers(self, x: Run) -> Iterator[Run]:
        """Return the runs that one swap or one lowered grade makes of a run, with nothing between."""
        return _changed(x, -1, _changes(self._turned(x), self.grades))

    def between(self, x: Run, y: Run) -> Iterator[Run]:
        """Return every run from x up to y, as in the dictionary, each when it is needed."""
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
