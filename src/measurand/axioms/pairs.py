"""Pairs of runs that a property speaks about: one that should be worse, one that should be better."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells


@frozen(eq=False)
class Pairs:
    """Runs that should be worse and, row by row, runs that should be better."""

    worse: Cells
    better: Cells

    def __len__(self) -> int:
        return len(self.worse)

    def some(self, most: int, rng: np.random.Generator) -> Pairs:
        """Return all pairs, or `most` of them drawn at random."""
        if len(self) <= most:
            return self
        chosen = np.sort(rng.choice(len(self), most, replace=False))
        return Pairs(self.worse[chosen], self.better[chosen])


MakePairs = Callable[[Cells, int], Pairs]
"""From runs, one a row, and the number of grades to pairs."""


def joined(parts: Iterator[tuple[Cells, Cells]], depth: int) -> Pairs:
    """Return many pairs as one."""
    several = [part for part in parts if len(part[0])]
    if not several:
        empty = np.empty((0, depth), dtype=np.int8)
        return Pairs(empty, empty)
    return Pairs(np.concatenate([worse for worse, _ in several]), np.concatenate([better for _, better in several]))


def replacements(runs: Cells, grades: int) -> Pairs:
    """Return every run with itself one grade better at one rank.

    Examples
    --------
    >>> pairs = replacements(np.array([[1, 0]], dtype=np.int8), 2)
    >>> pairs.worse.tolist(), pairs.better.tolist()
    ([[1, 0]], [[1, 1]])
    """
    depth = runs.shape[1]
    return joined((_raised(runs[runs[:, i] < grades - 1], i) for i in range(depth)), depth)


def _raised(runs: Cells, place: int) -> tuple[Cells, Cells]:
    better = runs.copy()
    better[:, place] += 1
    return runs, better


def swaps(runs: Cells, grades: int) -> Pairs:  # noqa: ARG001 - the signature of `MakePairs`
    """Return every run with itself after a worse document above a better one has changed places with it."""
    depth = runs.shape[1]
    places = ((i, j) for i in range(depth) for j in range(i + 1, depth))
    return joined((_swapped(runs, runs[:, i] < runs[:, j], i, j) for i, j in places), depth)


def adjacent_swaps(runs: Cells, grades: int) -> Pairs:  # noqa: ARG001
    """Return the swaps of neighbours alone."""
    depth = runs.shape[1]
    return joined((_swapped(runs, runs[:, i] < runs[:, i + 1], i, i + 1) for i in range(depth - 1)), depth)


def _swapped(runs: Cells, where: BoolArray, i: int, j: int) -> tuple[Cells, Cells]:
    worse = runs[where]
    better = worse.copy()
    better[:, [i, j]] = better[:, [j, i]]
    return worse, better


def deeper_swaps(runs: Cells, grades: int) -> Pairs:  # noqa: ARG001
    """Return runs after a swap of neighbours with the same runs after a like swap further up.

    What a swap gains over the run is larger than what another gains exactly when its outcome is better.
    """
    depth = runs.shape[1]
    places = ((i, j) for i in range(depth - 1) for j in range(i + 2, depth - 1))
    return joined((_deeper(runs, i, j) for i, j in places), depth)


def _deeper(runs: Cells, i: int, j: int) -> tuple[Cells, Cells]:
    alike = (runs[:, i] < runs[:, i + 1]) & (runs[:, i] == runs[:, j]) & (runs[:, i + 1] == runs[:, j + 1])
    _, above = _swapped(runs, alike, i, i + 1)
    _, below = _swapped(runs, alike, j, j + 1)
    return below, above


def successors(runs: Cells, grades: int) -> Pairs:
    """Return every run with the next one in the order of the dictionary."""
    worse = runs[(runs < grades - 1).any(axis=1)]
    return Pairs(worse, _next(worse, worse < grades - 1))


def set_replacements(runs: Cells, grades: int) -> Pairs:
    """Return every set of grades, best first, with itself after one grade has become one better."""
    sets = descending(runs)
    depth = sets.shape[1]
    can = _can_rise(sets, grades)
    return joined((_raised(sets[can[:, i]], i) for i in range(depth)), depth)


def set_successors(runs: Cells, grades: int) -> Pairs:
    """Return every set of grades, best first, with the next one in the order of the dictionary."""
    sets = descending(runs)
    can = _can_rise(sets, grades)
    worse, can = sets[can.any(axis=1)], can[can.any(axis=1)]
    return Pairs(worse, _next(worse, can))


def descending(runs: Cells) -> Cells:
    """Return the sets that runs make up, as grades in descending order, each once."""
    return np.unique(-np.sort(-runs, axis=1), axis=0)


def _can_rise(sets: Cells, grades: int) -> BoolArray:
    above = np.concatenate([np.full((len(sets), 1), grades, dtype=np.int8), sets[:, :-1]], axis=1)
    return np.asarray((sets < grades - 1) & (sets < above))


def _next(runs: Cells, can: BoolArray) -> Cells:
    """Return the runs with the last grade that can rise one higher and all behind it 0."""
    depth = runs.shape[1]
    last = depth - 1 - np.argmax(can[:, ::-1], axis=1)
    following = np.where(np.arange(depth) > last[:, None], 0, runs).astype(np.int8)
    following[np.arange(len(runs)), last] += 1
    return following
