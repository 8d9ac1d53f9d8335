"""Planted moves: judged runs made better by the elementary moves of the order of runs, swaps and replacements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import evolve

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.judged import JudgedRuns

CELLS = 2**21
"""How many cells are moved at a time."""

TOP = 10
"""A better document comes to stand within so many ranks, if nothing is said."""


def improved(
    judged: JudgedRuns,
    moves: Sequence[int],
    times: int,
    rng: np.random.Generator,
    *,
    top: int = TOP,
    ranks: int | None = None,
) -> tuple[Cells, IntArray]:
    """Return the cells of runs after some numbers of random moves, and how many of these could be made.

    They are numbers of moves × times × systems × topics, and the cells × ranks.

    A move takes a rank at random among the first ones where a better document could stand, and puts one there: a
    better document from further down, with which it changes places (a swap), or one that the run does not have (a
    replacement), each with probability 1/2 where there are both. Which one is drawn among all of that kind. A run that
    cannot be made better in these ranks stays as it is.

    Parameters
    ----------
    judged
        The runs; documents have an order in them.
    moves
        After how many moves runs are looked at, the smallest number first.
    times
        How many times, independently, this is done.
    rng
        Where chance comes from.
    top
        Within how many ranks a better document comes to stand.
    ranks
        How many ranks are returned; all if nothing is said.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(0, 1), (1, 1)], (2, 2))
    >>> cells, made = improved(judged, [2], 1, np.random.default_rng(0))
    >>> cells[0, 0, :, 0].tolist(), made[0, 0, :, 0].tolist()
    ([[1, 1], [1, 1]], [1, 0])

    References
    ----------
    [FerranteFerroMaistro2015]_, [FerranteFerroFuhr2021]_
    """
    shape = judged.cells.shape
    cells = judged.cells.reshape(-1, shape[2])
    lengths = judged.lengths.reshape(-1)
    counts = np.tile(judged.grade_counts, (shape[0], 1))
    kept = shape[2] if ranks is None else min(ranks, shape[2])
    found = np.empty((len(moves), times, len(cells), kept), dtype=cells.dtype)
    made = np.zeros((len(moves), times, len(cells)), dtype=np.int64)
    blocks = list(_blocks(len(cells), shape[2]))
    for time in range(times):
        for rows in blocks:
            now, done = cells[rows], np.zeros(len(cells[rows]), dtype=np.int64)
            for move in range(1, max(moves, default=0) + 1):
                now, possible = _moved(now, lengths[rows], counts[rows], top, rng)
                done += possible
                if move in moves:
                    at = moves.index(move)
                    found[at, time, rows], made[at, time, rows] = now[:, :kept], done
    return found.reshape(len(moves), times, *shape[:2], kept), made.reshape(len(moves), times, *shape[:2])


def with_cells(judged: JudgedRuns, cells: Cells) -> JudgedRuns:
    """Return judged runs with other cells, which have lost the names of their documents.

    Parameters
    ----------
    judged
        The runs.
    cells
        Their cells, of the same shape.

    Examples
    --------
    >>> with_cells(JudgedRuns.on_one_topic([(0, 1)], (2, 2)), np.array([[[1, 1]]], dtype=np.int8)).grades.tolist()
    [[[1, 1]]]
    """
    return evolve(judged, cells=cells, groups=None, ties=None, ranked_documents=None)


def _blocks(rows: int, depth: int) -> Iterator[slice]:
    size = max(1, CELLS // max(1, depth))
    return (slice(start, start + size) for start in range(0, rows, size))


def _moved(
    cells: Cells, lengths: IntArray, counts: IntArray, top: int, rng: np.random.Generator
) -> tuple[Cells, BoolArray]:
    """Return runs after one move each, rows × ranks, and which could be moved."""
    rows, depth = cells.shape
    grades = np.maximum(cells, 0)
    spare = _spare(grades, counts)
    above = np.arange(counts.shape[1])
    best_spare = np.max(np.where(spare > 0, above, 0), axis=1, initial=0)
    below = np.zeros_like(grades)
    below[:, :-1] = np.maximum.accumulate(grades[:, :0:-1], axis=1)[:, ::-1]
    first = slice(0, min(top, depth))
    there = np.arange(min(top, depth)) < lengths[:, None]
    better = there & (np.maximum(below[:, first], best_spare[:, None]) > grades[:, first])
    rank, possible = _drawn(better, rng)
    at = np.arange(rows)
    own = grades[at, rank]
    lower, swap = _drawn((np.arange(depth) > rank[:, None]) & (grades > own[:, None]), rng)
    usable = np.where(above > own[:, None], spare, 0)
    replaceable = usable.sum(axis=1) > 0
    swap &= ~replaceable | (rng.random(rows) < 0.5)
    # one of the documents that the run does not have, each with the same chance
    drawn = rng.random(rows) * np.maximum(usable.sum(axis=1), 1)
    grade = np.minimum((np.cumsum(usable, axis=1) <= drawn[:, None]).sum(axis=1), counts.shape[1] - 1)
    found = cells.copy()
    swapped, replaced = possible & swap, possible & ~swap
    found[at[swapped], rank[swapped]] = cells[at[swapped], lower[swapped]]
    found[at[swapped], lower[swapped]] = cells[at[swapped], rank[swapped]]
    found[at[replaced], rank[replaced]] = grade[replaced]
    return found, possible


def _spare(grades: Cells, counts: IntArray) -> IntArray:
    """Return how many judged documents of each grade above 0 a run does not have, rows × grades."""
    found = np.zeros_like(counts)
    for grade in range(1, counts.shape[1]):
        found[:, grade] = counts[:, grade] - np.count_nonzero(grades == grade, axis=1)
    return np.maximum(found, 0, out=found)


def _drawn(allowed: BoolArray, rng: np.random.Generator) -> tuple[IntArray, BoolArray]:
    """Return a random place of each row where it is allowed, and whether there is one."""
    places = np.count_nonzero(allowed, axis=1)
    wanted = (rng.random(len(allowed)) * places).astype(np.int32)
    if not allowed.shape[1]:
        return np.zeros_like(places), np.zeros(len(places), dtype=bool)
    return np.argmax(np.cumsum(allowed, axis=1, dtype=np.int32) > wanted[:, None], axis=1), np.asarray(places > 0)
