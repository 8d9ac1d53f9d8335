"""The order by replacement and swap of many judged runs at once, or of short ones one after the other.

Down to every rank a better run has at least as many documents of every grade or more. `counts_down_to` are these
counts, `ranks_of_documents` says the same by ranks, and `at_least_as_good` compares every run with every other. `BELOW`
compares two short runs without numpy, whose calls would take longer than they.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import le

import numpy as np

from measurand.arrays import BoolArray, Cells, IntArray

Grades = tuple[int, ...]

FEW = 2**17
"""So many pairs of runs are compared run by run; more of them document by document, which then takes fewer steps."""


def counts_down_to(cells: Cells, grades: int) -> IntArray:
    """Return how many documents of each grade or more stand down to each rank.

    Parameters
    ----------
    cells : array of int
        Judged runs along the last axis; what is below 1 counts as grade 0.
    grades : int
        How many grades there are, 0 included.

    Returns
    -------
    array of int
        The counts, with the grades 1, 2, … in the place of the last axis, and ranks after them.

    Examples
    --------
    >>> counts_down_to(np.array([[2, -1, 1]], dtype=np.int8), 3).tolist()
    [[[1, 1, 2], [1, 1, 1]]]
    """
    kind = np.int16 if cells.shape[-1] < np.iinfo(np.int16).max else np.int32
    found = [np.cumsum(cells >= grade, axis=-1, dtype=kind) for grade in range(1, grades)]
    return np.stack(found, axis=-2) if found else np.empty((*cells.shape[:-1], 0, cells.shape[-1]), dtype=kind)


def ranks_of_documents(cells: Cells, grades: int) -> IntArray:
    """Return at which ranks the first, second, … document of grade 1 or more stands, of grade 2 or more, ….

    A run has at least as many documents as another down to every rank if its j-th document comes no later, for
    every j.

    Parameters
    ----------
    cells : array of int
        Judged runs, one a row.
    grades : int
        How many grades there are, 0 included.

    Returns
    -------
    array of int
        Runs × documents, ranks from 0; a document that a run has not got has the number of ranks. Grades that no
        document has say nothing that the next one does not say, and are left out.

    Examples
    --------
    >>> ranks_of_documents(np.array([[2, 0, 1], [0, 1, 0]], dtype=np.int8), 3).tolist()
    [[0, 2, 0], [1, 3, 3]]
    """
    kind = np.int16 if cells.shape[1] < np.iinfo(np.int16).max else np.int32
    there = np.zeros(grades, dtype=bool)
    there[np.clip(cells, 0, grades - 1)] = True
    columns = [_ranks_from(cells >= grade, kind) for grade in (1 + np.flatnonzero(there[1:])).tolist()]
    return np.hstack([np.empty((len(cells), 0), dtype=kind), *columns])


def _ranks_from(found: BoolArray, kind: type[np.signedinteger]) -> IntArray:
    counts = np.count_nonzero(found, axis=1)
    rows, ranks = np.nonzero(found)
    ordinals = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    places = np.full((len(found), int(counts.max(initial=0))), found.shape[1], dtype=kind)
    places[rows, ordinals] = ranks
    return places


def at_least_as_good(ours: IntArray, theirs: IntArray) -> BoolArray:
    """Return which runs are at least as good as which others, by replacement and swap.

    Parameters
    ----------
    ours, theirs : array of int
        The runs as rows of `ranks_of_documents`, computed for all of them together.

    Returns
    -------
    array of bool
        Ours × theirs: whether the run of ours is at least as good as the run of theirs.

    Examples
    --------
    >>> runs = ranks_of_documents(np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1]], dtype=np.int8), 2)
    >>> at_least_as_good(runs, runs).astype(int).tolist()
    [[1, 1, 0], [0, 1, 0], [0, 1, 1]]
    """
    if len(ours) * len(theirs) <= FEW:
        few = np.empty((len(ours), len(theirs)), dtype=bool)
        for place, mine in enumerate(ours):
            few[place] = (mine <= theirs).all(axis=1)
        return few
    better = np.full((len(ours), -(-len(theirs) // 8)), 255, dtype=np.uint8)  # a bit for every run of theirs
    for mine, other in zip(ours.T, theirs.T, strict=True):
        ranks, which = np.unique(mine, return_inverse=True)
        better &= np.packbits(ranks[:, None] <= other, axis=1)[which]
    return np.unpackbits(better, axis=1, count=len(theirs)).view(bool)


def _below_by_swap(x: Grades, y: Grades) -> bool:
    lead = [0] * (1 + max((*x, *y), default=0))
    for worse, better in zip(x, y, strict=True):
        for grade in range(worse + 1, better + 1):
            lead[grade] += 1
        for grade in range(better + 1, worse + 1):
            lead[grade] -= 1
            if lead[grade] < 0:
                return False
    return True


BELOW: Mapping[str, Callable[[Grades, Grades], bool]] = {
    "swap": _below_by_swap,
    "replacement": lambda x, y: all(map(le, x, y)),
    "projection": le,
}
"""Whether a run is at most as good as another in an order with a name, for many short runs one after the other."""
