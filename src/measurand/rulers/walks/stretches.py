"""The two stretches of a walk: what a run collects up to a rank, and what it collects after it.

The values of the measure are the sums of one number from before and one from after the cut, taken from the same
state at the cut; sums of different states may coincide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.rulers.walks.walk import Walk

Part = TypeVar("Part")

SLANT = 1 << 10
"""How many more numbers may be kept after the cut than before it: long rows are quick to go through."""

BYTES = 8


@frozen(eq=False)
class Stretches:
    """For each state at the cut, the different sums before it and after it, in ascending order.

    Examples
    --------
    >>> from measurand.rulers.walks.walk import average_precision_walk
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
            if cut is None and expected > min(SLANT * walk.grades ** (place - 1), memory // (2 * BYTES)):
                break
            place -= 1
            after = [distinct(parts) for parts in _earlier(walk, place, after)]
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
class Crowds:
    """The sums before and after a cut, with how many runs share each.

    Parameters
    ----------
    before
        For each state, the different sums before the cut and how many prefixes have each.
    after
        For each state, the different sums after it and how many suffixes have a sum up to each, from 0 on.

    Examples
    --------
    >>> from measurand.rulers.walks.walk import average_precision_walk
    >>> crowds = Crowds.of(average_precision_walk(4), 2)
    >>> crowds.up_to(np.array([11, 12, 48])).tolist()
    [5, 7, 16]
    """

    before: tuple[tuple[IntArray, IntArray], ...]
    after: tuple[tuple[IntArray, IntArray], ...]

    @classmethod
    def of(cls, walk: Walk, cut: int) -> Crowds:
        """Return the crowds of a walk that is cut after a rank."""
        one = np.ones(1, dtype=np.int64)
        after = [(0 * one, one)] * walk.ends
        for place in range(walk.depth - 1, cut - 1, -1):
            after = [counted(parts) for parts in _earlier_crowds(walk, place, after)]
        before = [(0 * one, one)]
        for place in range(cut):
            before = [counted(parts) for parts in _later_crowds(walk, place, before)]
        upto = [(keys, np.concatenate([[0], np.cumsum(counts)])) for keys, counts in after]
        return cls(tuple(before), tuple(upto))

    def up_to(self, keys: IntArray) -> IntArray:
        """Return how many runs have a sum up to each of some keys, which ascend."""
        total = np.zeros(len(keys), dtype=np.int64)
        for (firsts, counts), (seconds, upto) in zip(self.before, self.after, strict=True):
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
    # not numpy.unique, which may hash and is many times slower on millions
    numbers = np.sort(np.concatenate(parts))
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
        before = [distinct(parts) for parts in _later(walk, place, before)]
    return before


def _earlier(walk: Walk, place: int, after: Sequence[IntArray]) -> list[list[IntArray]]:
    follows, additions = walk.follows[place], walk.additions[place]
    return [
        [after[state] + amount for state, amount in zip(*row, strict=True)]
        for row in zip(follows, additions, strict=True)
    ]


def _later(walk: Walk, place: int, before: Sequence[IntArray]) -> list[list[IntArray]]:
    return [[before[source] + amount for source, amount in sources] for sources in _sources(walk, place)]


def _earlier_crowds(
    walk: Walk, place: int, after: Sequence[tuple[IntArray, IntArray]]
) -> list[list[tuple[IntArray, IntArray]]]:
    follows, additions = walk.follows[place], walk.additions[place]
    return [
        [(after[state][0] + amount, after[state][1]) for state, amount in zip(*row, strict=True)]
        for row in zip(follows, additions, strict=True)
    ]


def _later_crowds(
    walk: Walk, place: int, before: Sequence[tuple[IntArray, IntArray]]
) -> list[list[tuple[IntArray, IntArray]]]:
    return [
        [(before[source][0] + amount, before[source][1]) for source, amount in sources]
        for sources in _sources(walk, place)
    ]


def _sources(walk: Walk, place: int) -> list[list[tuple[int, int]]]:
    """Return for each state after a rank from which states it is reached, and what is added on the way."""
    follows, additions = walk.follows[place], walk.additions[place]
    sources: list[list[tuple[int, int]]] = [[] for _ in range(int(follows.max()) + 1)]
    for source, row in enumerate(zip(follows, additions, strict=True)):
        for state, amount in zip(*row, strict=True):
            sources[state].append((source, amount))
    return sources
