"""Which values a measure can reach when it goes down a run with a small state.

AP and ERR are no sums of independent terms, but nearly: at each rank such a measure adds something that depends on the
grade and on a state, and moves to the next state. For average precision the state is the number of relevant documents
so far; for expected reciprocal rank it is the probability that the reader still goes on; an additive measure needs
none. Such a `Walk` allows dynamic programming over ranks ([Bellman1957]_): the set of sums that reach each state, rank
by rank. Cut at a rank, the values of the measure are the sums of one number from before and one from after the cut,
taken from the same state (`Stretches`; with how many runs have each, `RunCounts`): two short tables in place of one
long one ([HorowitzSahni1974]_). All numbers are whole, in a common unit, so that equality is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, IntArray
from measurand.errors import ParameterError

MANY = 1 << 14
"""A walk with more states than this at a rank is no help."""

Step = Callable[[Any, int, int], tuple[Hashable, Fraction]]


SLANT = 1 << 10
"""How many more numbers may be kept after the cut than before it: long rows are quick to go through."""

LONGEST = 1 << 25
"""How many numbers are kept after the cut at most: making more takes longer than it saves."""

BYTES = 8


@frozen(eq=False)
class Walk:
    """A measure as whole numbers that are added rank by rank, with a state; it orders runs as the measure does.

    Parameters
    ----------
    scale
        What values are multiplied by to be whole numbers.
    follows
        For each rank, the state after it, by the state before it and the grade.
    additions
        For each rank, what is added, by the state before it and the grade; never below 0.
    highest
        No run has a higher key.

    Examples
    --------
    >>> walk = average_precision_walk(4)
    >>> walk.scale, walk.highest, walk.keys_of(np.array([[1, 0, 1, 0]], dtype=np.int8)).tolist()
    (12, 48, [20])
    """

    depth: int
    grades: int
    scale: int
    follows: tuple[IntArray, ...]
    additions: tuple[IntArray, ...]
    highest: int

    @classmethod
    def of(cls, depth: int, grades: int, start: Hashable, step: Step) -> Walk | None:
        """Return the walk from a state on, where `step(state, rank, grade)` gives the next state and what is added.

        None if there are too many states.
        """
        follows, amounts = [], []
        states = {start: 0}
        for rank in range(1, depth + 1):
            after: dict[Hashable, int] = {}
            taken = [[step(state, rank, grade) for grade in range(grades)] for state in states]
            follows.append([[after.setdefault(state, len(after)) for state, _ in row] for row in taken])
            amounts.append([[amount for _, amount in row] for row in taken])
            if len(after) > MANY:
                return None
            states = after
        scale = lcm(*(amount.denominator for rows in amounts for row in rows for amount in row))
        whole = [_from_zero([[int(amount * scale) for amount in row] for row in rows]) for rows in amounts]
        highest = _highest(follows, whole)
        kind: type = np.int64 if highest < 1 << 63 else object
        additions: list[IntArray] = [np.array(rows, dtype=kind) for rows in whole]
        return cls(depth, grades, scale, tuple(np.array(rows) for rows in follows), tuple(additions), highest)

    @property
    def fits(self) -> bool:
        """Whether every key is a 64-bit number."""
        return self.highest < 1 << 63

    @property
    def ends(self) -> int:
        """How many states there are after the last rank."""
        return int(self.follows[-1].max()) + 1 if self.depth else 1

    def keys_of(self, runs: Cells) -> IntArray:
        """Return the whole number that stands for the value of each of some runs, one a row."""
        if runs.ndim != 2 or runs.shape[1] != self.depth:
            raise ParameterError(f"a run on this ruler has {self.depth} ranks, not {runs.shape[-1]}")
        keys = np.zeros(len(runs), dtype=self.additions[0].dtype if self.depth else np.int64)
        states = np.zeros(len(runs), dtype=np.int64)
        for follows, additions, grades in zip(self.follows, self.additions, runs.T, strict=True):
            keys += additions[states, grades]
            states = follows[states, grades]
        return keys


def average_precision_walk(depth: int) -> Walk:
    r"""Return average precision times the recall base: each relevant document adds :math:`j/i`.

    Examples
    --------
    >>> average_precision_walk(42).fits, average_precision_walk(43).fits
    (True, False)
    """

    def step(met: int, rank: int, grade: int) -> tuple[int, Fraction]:
        return (met + 1, Fraction(met + 1, rank)) if grade else (met, Fraction(0))

    return _walk(depth, 2, 0, step)


def cascade_walk(stops: Sequence[Fraction], utilities: Sequence[Fraction]) -> Walk | None:
    r"""Return a cascade measure :math:`\sum_i u_i x_i \prod_{k<i} (1 - x_k)`; None if it has too many states.

    Parameters
    ----------
    stops
        How likely the reader stops at a document of each grade.
    utilities
        What stopping at each rank is worth.

    Examples
    --------
    >>> walk = cascade_walk([Fraction(0), Fraction(1, 2)], [Fraction(1, i) for i in (1, 2, 3, 4)])
    >>> key, = walk.keys_of(np.array([[0, 1, 0, 1]], dtype=np.int8)).tolist()
    >>> Fraction(key, walk.scale)
    Fraction(5, 16)
    """

    def step(going: Fraction, rank: int, grade: int) -> tuple[Fraction, Fraction]:
        return going * (1 - stops[grade]), going * stops[grade] * utilities[rank - 1]

    return Walk.of(len(utilities), len(stops), Fraction(1), step)


def weighted_walk(weights: Sequence[Fraction], gains: Sequence[Fraction]) -> Walk:
    r"""Return an additive measure :math:`\sum_i w_i g_i`.

    Examples
    --------
    >>> walk = weighted_walk([Fraction(1), Fraction(1, 2), Fraction(1, 3)], [Fraction(0), Fraction(1)])
    >>> walk.scale, walk.highest
    (6, 11)
    """
    return _walk(len(weights), len(gains), None, lambda _, rank, grade: (None, weights[rank - 1] * gains[grade]))


def _walk(depth: int, grades: int, start: Hashable, step: Step) -> Walk:
    walk = Walk.of(depth, grades, start, step)
    if walk is None:
        raise ParameterError(f"runs of {depth} ranks are too long")
    return walk


def _from_zero(rows: list[list[int]]) -> list[list[int]]:
    """Return what a rank adds, less what it adds at least: the same for every run, so no order changes."""
    least = min(amount for row in rows for amount in row)
    return [[amount - least for amount in row] for row in rows]


def _highest(follows: list[list[list[int]]], additions: list[list[list[int]]]) -> int:
    """Return the highest sum of additions, from the last rank back to the first."""
    best = [0] * (1 + max((state for rows in follows[-1:] for row in rows for state in row), default=0))
    for states, amounts in zip(reversed(follows), reversed(additions), strict=True):
        best = [
            max(amount + best[state] for state, amount in zip(*row, strict=True))
            for row in zip(states, amounts, strict=True)
        ]
    return best[0]


@frozen(eq=False)
class Stretches:
    """For each state at the cut, the different sums before it and after it, in ascending order.

    Examples
    --------
    >>> from measurand.intervals.reachable_values import average_precision_walk
    >>> two = Stretches.of(average_precision_walk(4), 1 << 20, cut=2)
    >>> [(before.tolist(), after.tolist()) for before, after in zip(two.before, two.after)]
    [([0], [0, 3, 4, 10]), ([6, 12], [0, 6, 8, 17]), ([24], [0, 9, 12, 24])]
    >>> two.pairs
    16
    """

    cut: int
    before: tuple[IntArray, ...]
    after: tuple[IntArray, ...]

    @classmethod
    def of(cls, walk: Walk, memory: int, cut: int | None = None) -> Stretches | None:
        """Return the stretches of a walk, cut after a rank (or where it suits); None if they need more memory."""
        place = walk.depth
        after = [np.zeros(1, dtype=np.int64)] * walk.ends
        while place > 0 if cut is None else place > cut:
            expected = sum(map(len, after)) * walk.grades
            if cut is None and expected > min(SLANT * walk.grades ** (place - 1), LONGEST, memory // (2 * BYTES)):
                break
            place -= 1
            after = [distinct([after[to] + amount for to, amount in steps]) for steps in _steps(walk, place)]
        before = _before(walk, place, memory // (2 * BYTES))
        return None if before is None else cls(place, tuple(before), tuple(after))

    @property
    def pairs(self) -> int:
        """How many sums there are, equal ones counted as often as they occur."""
        return sum(len(before) * len(after) for before, after in zip(self.before, self.after, strict=True))

    @property
    def highest(self) -> int:
        """The highest sum."""
        return max(int(before[-1] + after[-1]) for before, after in zip(self.before, self.after, strict=True))


@frozen(eq=False)
class RunCounts:
    """The sums before and after a cut, with how many runs share each.

    Parameters
    ----------
    before
        For each state, the different sums before the cut and how many prefixes have each.
    after
        For each state, the different sums after it and how many suffixes have a sum up to each, from 0 on.

    Examples
    --------
    >>> from measurand.intervals.reachable_values import average_precision_walk
    >>> run_counts = RunCounts.of(average_precision_walk(4), 2)
    >>> run_counts.up_to(np.array([11, 12, 48])).tolist()
    [5, 7, 16]
    """

    before: tuple[tuple[IntArray, IntArray], ...]
    after: tuple[tuple[IntArray, IntArray], ...]

    @classmethod
    def of(cls, walk: Walk, cut: int) -> RunCounts:
        """Return the counts of a walk that is cut after a rank."""
        one = np.ones(1, dtype=np.int64)
        after = [(0 * one, one)] * walk.ends
        for place in range(walk.depth - 1, cut - 1, -1):
            after = [_shifted(after, steps) for steps in _steps(walk, place)]
        before = [(0 * one, one)]
        for place in range(cut):
            before = [_shifted(before, steps) for steps in _sources(walk, place)]
        upto = [(keys, np.concatenate([[0], np.cumsum(counts)])) for keys, counts in after]
        return cls(tuple(before), tuple(upto))

    def up_to(self, keys: IntArray) -> IntArray:
        """Return how many runs have a sum up to each of some keys, which ascend."""
        total = np.zeros(len(keys), dtype=np.int64)
        for (firsts, counts), (seconds, upto) in zip(self.before, self.after, strict=True):
            if len(keys) < len(firsts):
                found = (np.searchsorted(seconds, key - firsts, side="right") for key in keys)
                total += np.array([counts @ upto[places] for places in found], dtype=np.int64)
                continue
            for first, count in zip(firsts, counts, strict=True):
                total += count * upto[np.searchsorted(seconds, keys - first, side="right")]
        return total


def distinct(parts: Sequence[IntArray]) -> IntArray:
    """Return the different numbers of some arrays, in ascending order.

    Examples
    --------
    >>> distinct([np.array([3, 1]), np.array([1])]).tolist()
    [1, 3]
    """
    # not numpy.unique, which may hash and is many times slower on millions; arrays in order are only merged
    numbers = np.sort(np.concatenate(parts), kind="stable")
    return np.asarray(numbers[np.concatenate([[True], numbers[1:] != numbers[:-1]])])


def counted(parts: Sequence[tuple[IntArray, IntArray]]) -> tuple[IntArray, IntArray]:
    """Return the different numbers of some arrays with counts, in ascending order, and the counts of each together.

    Examples
    --------
    >>> keys, counts = counted([(np.array([1, 3]), np.array([5, 1])), (np.array([1]), np.array([2]))])
    >>> keys.tolist(), counts.tolist()
    ([1, 3], [7, 1])
    """
    keys, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    firsts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[firsts], np.add.reduceat(counts, firsts)


def _before(walk: Walk, cut: int, most: int) -> list[IntArray] | None:
    """Return the different sums up to a cut by state, or None if there are too many."""
    before = [np.zeros(1, dtype=np.int64)]
    for place in range(cut):
        if sum(map(len, before)) * walk.grades > 2 * most:
            return None
        before = [distinct([before[of] + amount for of, amount in steps]) for steps in _sources(walk, place)]
    return before


def _shifted(
    counts: Sequence[tuple[IntArray, IntArray]], steps: Iterable[tuple[int, int]]
) -> tuple[IntArray, IntArray]:
    """Return the numbers of some states, each with what is added, and their counts together."""
    return counted([(counts[state][0] + amount, counts[state][1]) for state, amount in steps])


def _steps(walk: Walk, place: int) -> list[list[tuple[int, int]]]:
    """Return for each state before a rank to which states it leads, and what is added on the way."""
    rows = zip(walk.follows[place], walk.additions[place], strict=True)
    return [list(zip(*row, strict=True)) for row in rows]


def _sources(walk: Walk, place: int) -> list[list[tuple[int, int]]]:
    """Return for each state after a rank from which states it is reached, and what is added on the way."""
    sources: list[list[tuple[int, int]]] = [[] for _ in range(int(walk.follows[place].max()) + 1)]
    for source, steps in enumerate(_steps(walk, place)):
        for state, amount in steps:
            sources[state].append((source, amount))
    return sources
