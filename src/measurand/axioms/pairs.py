"""Pairs of runs that a property compares: one that should be worse, one that should be better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.judged import distinct_runs

NEAR = 20
"""Down to which rank every two ranks are checked; further down, ranks at distances that double."""


@frozen(eq=False)
class Pairs:
    """Runs that should be worse and, row by row, runs that should be better."""

    worse: Cells
    better: Cells

    def __len__(self) -> int:
        return len(self.worse)

    def __getitem__(self, place: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(self.worse[place].tolist()), tuple(self.better[place].tolist())

    def sizes(self, places: IntArray) -> IntArray:
        """Return for some pairs how high their grades are in all, and the last rank with a relevant document."""
        worse, better = self.worse[places], self.better[places]
        total = worse.sum(axis=1, dtype=np.int64) + better.sum(axis=1, dtype=np.int64)
        both = (worse > 0) | (better > 0)
        deepest = np.where(both.any(axis=1), both.shape[1] - np.argmax(both[:, ::-1], axis=1), 0)
        return np.stack([total, deepest])

    def possible(self, recall_base: int | None) -> Pairs:
        """Return the pairs that hold no more relevant documents than there are."""
        if recall_base is None or recall_base >= self.better.shape[1]:
            return self
        keep = (self.better > 0).sum(axis=1) <= recall_base
        return Pairs(self.worse[keep], self.better[keep])


class MakePairs(Protocol):
    """From runs, one a row, and the number of grades to pairs; see `gathered` for the rest."""

    def __call__(self, runs: Cells, grades: int, most: int | None = None, *, spread: bool = False) -> Pairs:
        """Return the pairs."""


@frozen
class Change:
    """What can be done to runs at a place (or two): where it can be done, and what comes of it.

    Parameters
    ----------
    where
        From runs and a place to the runs that allow it.
    pair
        From such runs and the place to the worse and the better runs.
    """

    where: Callable[..., BoolArray]
    pair: Callable[..., tuple[Cells, Cells]]


def gathered(
    runs: Cells, places: Sequence[tuple[int, ...]], change: Change, most: int | None = None, *, spread: bool = False
) -> Pairs:
    """Return what a change makes of runs at every place.

    Parameters
    ----------
    most
        About so many pairs at most: those of the runs with the lowest grades.
    spread
        Take every so many of the pairs instead, from all runs alike.
    """
    if most is not None and not spread:
        runs = _lowest(runs, places, change, most)
    total = sum(int(np.count_nonzero(change.where(runs, *place))) for place in places) if spread else 0
    share = max(1, -(-total // (most or 1)))
    several: list[tuple[Cells, Cells]] = []
    passed = 0
    for place in places:
        allowed = np.flatnonzero(change.where(runs, *place))
        # every so many, counted through all places
        chosen = allowed[-passed % share :: share]
        passed += len(allowed)
        if len(chosen):
            several.append(change.pair(runs[chosen], *place))
    if not several:
        return Pairs(runs[:0], runs[:0])
    return Pairs(np.concatenate([worse for worse, _ in several]), np.concatenate([better for _, better in several]))


def _lowest(runs: Cells, places: Sequence[tuple[int, ...]], change: Change, most: int) -> Cells:
    """Return the runs with the lowest grades, as many as make `most` pairs."""
    runs = runs[np.argsort(runs.sum(axis=1, dtype=np.int64), kind="stable")]
    counts = np.zeros(len(runs), dtype=np.int64)
    for place in places:
        counts += change.where(runs, *place)
    return runs[: int(np.searchsorted(np.cumsum(counts), most)) + 1]


def twos(depth: int, apart: int = 1) -> list[tuple[int, int]]:
    """Return pairs of places, the higher first: all in short runs; in long ones, at distances that double."""
    near = min(depth, NEAR)
    every = [(i, j) for i in range(near) for j in range(i + apart, near)]
    distances = [apart * 2**k for k in range(depth.bit_length())]
    return every + [(j - d, j) for j in range(near, depth) for d in distances if d <= j]


def replacements(runs: Cells, grades: int, most: int | None = None, *, spread: bool = False) -> Pairs:
    """Return every run with itself one grade better at one rank.

    Examples
    --------
    >>> pairs = replacements(np.array([[1, 0]], dtype=np.int8), 2)
    >>> pairs.worse.tolist(), pairs.better.tolist()
    ([[1, 0]], [[1, 1]])
    """
    rise = Change(lambda some, place: some[:, place] < grades - 1, _raised)
    depth = runs.shape[1]
    # where not all can be had, places far down stand for their neighbours
    places = range(depth) if most is None or spread else sorted({*range(min(depth, NEAR)), *_doubling(depth)})
    return gathered(runs, [(i,) for i in places], rise, most, spread=spread)


def _doubling(depth: int) -> list[int]:
    return [min(2**k, depth) - 1 for k in range(depth.bit_length() + 1)]


def _raised(runs: Cells, place: int) -> tuple[Cells, Cells]:
    better = runs.copy()
    better[:, place] += 1
    return runs, better


def swaps(runs: Cells, grades: int, most: int | None = None, *, spread: bool = False) -> Pairs:  # noqa: ARG001 - the grades are in the runs
    """Return every run with itself after a worse document above a better one has changed places with it."""
    return gathered(runs, twos(runs.shape[1]), _SWAP, most, spread=spread)


def adjacent_swaps(runs: Cells, grades: int, most: int | None = None, *, spread: bool = False) -> Pairs:  # noqa: ARG001
    """Return the swaps of neighbours alone."""
    return gathered(runs, [(i, i + 1) for i in range(runs.shape[1] - 1)], _SWAP, most, spread=spread)


def _swapped(runs: Cells, i: int, j: int) -> tuple[Cells, Cells]:
    better = runs.copy()
    better[:, [i, j]] = better[:, [j, i]]
    return runs, better


_SWAP = Change(lambda runs, i, j: runs[:, i] < runs[:, j], _swapped)


def deeper_swaps(runs: Cells, grades: int, most: int | None = None, *, spread: bool = False) -> Pairs:  # noqa: ARG001
    """Return runs after a swap of neighbours with the same runs after a like swap further up.

    What a swap gains over the run is larger than what another gains exactly when its outcome is better.
    """
    alike = Change(_alike, lambda some, i, j: (_swapped(some, j, j + 1)[1], _swapped(some, i, i + 1)[1]))
    return gathered(runs, twos(runs.shape[1] - 1, apart=2), alike, most, spread=spread)


def _alike(runs: Cells, i: int, j: int) -> BoolArray:
    worse_first = (runs[:, i] < runs[:, i + 1]) & (runs[:, i] == runs[:, j])
    return np.asarray(worse_first & (runs[:, i + 1] == runs[:, j + 1]))


def successors(runs: Cells, grades: int, most: int | None = None, *, spread: bool = False) -> Pairs:  # noqa: ARG001
    """Return every run with the next of the runs in the order of the dictionary."""
    ordered, _ = distinct_runs(runs)
    return Pairs(ordered[:-1], ordered[1:])


def set_replacements(runs: Cells, grades: int, most: int | None = None, *, spread: bool = False) -> Pairs:
    """Return every set of grades, best first, with itself after one grade has become one better."""
    rise = Change(lambda some, place: _can_rise(some, grades)[:, place], _raised)
    return gathered(descending(runs), [(i,) for i in range(runs.shape[1])], rise, most, spread=spread)


def set_successors(runs: Cells, grades: int, most: int | None = None, *, spread: bool = False) -> Pairs:
    """Return every set of grades, best first, with the next of the sets in the order of the dictionary."""
    return successors(descending(runs), grades, most, spread=spread)


def descending(runs: Cells) -> Cells:
    """Return the sets that runs make up, as grades in descending order, each once."""
    return distinct_runs(-np.sort(-runs, axis=1))[0]


def _can_rise(sets: Cells, grades: int) -> BoolArray:
    above = np.concatenate([np.full((len(sets), 1), grades, dtype=np.int16), sets[:, :-1]], axis=1)
    return np.asarray((sets < grades - 1) & (sets < above))
