"""All runs of a length with so many relevant documents at most, written down; or some of them, drawn at random.

The runs of a universe are all runs of a depth over some grades, or those among them with no more relevant documents
than a topic has ([FerranteFerroFuhr2021]_, section VI-C, treats each recall base as a scale of its own).
`every_possible_run` writes them down. `drawn_runs` draws from them so that each is as likely as any other: with a
recall base, first the number of relevant documents, by how many runs hold so many, then their ranks and grades.
"""

from __future__ import annotations

from itertools import chain, combinations
from math import comb

import numpy as np

from measurand.arrays import Cells
from measurand.errors import ParameterError
from measurand.judged import every_run

MOST_CELLS = 1 << 28
"""No more ranks than this are drawn or written down in all: each takes a byte."""

BLOCK = 1 << 12
"""So many runs are drawn at a time."""


def numbers_of_runs(ranks: int, grades: int, most: int) -> list[int]:
    """Return how many runs hold 0, 1, 2, … relevant documents, up to so many.

    Parameters
    ----------
    ranks
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    most
        How many relevant documents a run may hold.

    Examples
    --------
    >>> numbers_of_runs(3, 3, 2)
    [1, 6, 12]
    """
    return [comb(ranks, relevant) * (grades - 1) ** relevant for relevant in range(min(ranks, most) + 1)]


def every_possible_run(ranks: int, grades: int, most: int) -> Cells:
    """Return every run with so many relevant documents at most, one a row.

    Parameters
    ----------
    ranks
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    most
        How many relevant documents a run may hold.

    Examples
    --------
    >>> every_possible_run(3, 2, 1).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    _check_cells(sum(numbers_of_runs(ranks, grades, most)), ranks)
    if most >= ranks:
        return every_run(ranks, grades)
    return np.concatenate([_with(relevant, ranks, grades) for relevant in range(most + 1)])


def _with(relevant: int, ranks: int, grades: int) -> Cells:
    """Return every run with exactly so many relevant documents."""
    if not relevant:
        return np.zeros((1, ranks), dtype=np.int8)
    number = comb(ranks, relevant)
    chosen = np.fromiter(chain.from_iterable(combinations(range(ranks), relevant)), np.int64, number * relevant)
    # the last rank first, so that runs come in the order of the dictionary
    places = (ranks - 1 - chosen).reshape(number, 1, relevant)
    choices = every_run(relevant, grades - 1) + 1
    runs = np.zeros((number, len(choices), ranks), dtype=np.int8)
    runs[np.arange(number)[:, None, None], np.arange(len(choices))[None, :, None], places] = choices[None]
    return runs.reshape(-1, ranks)


def drawn_runs(ranks: int, grades: int, most: int, number: int, rng: np.random.Generator) -> Cells:
    """Return runs drawn at random, one a row: each with so many relevant documents at most is as likely as any other.

    Parameters
    ----------
    ranks
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    most
        How many relevant documents a run may hold.
    number
        How many are drawn; one may come up more than once.
    rng
        The generator of random numbers.

    Examples
    --------
    >>> runs = drawn_runs(100, 2, 3, 1000, np.random.default_rng(0))
    >>> runs.shape, int(runs.sum(axis=1).max())
    ((1000, 100), 3)
    """
    _check_cells(number, ranks)
    if most >= ranks:
        runs = np.empty((number, ranks), dtype=np.int8)
        for start in range(0, number, BLOCK):
            runs[start : start + BLOCK] = rng.integers(0, grades, (min(BLOCK, number - start), ranks))
        return runs
    counts = numbers_of_runs(ranks, grades, most)
    total = sum(counts)
    relevant = rng.choice(len(counts), size=number, p=[count / total for count in counts])
    # every rank has a random number, and the least of them are those of the relevant documents
    places = rng.random((number, ranks)).argsort(axis=1).argsort(axis=1)
    levels = rng.integers(1, grades, (number, ranks), dtype=np.int8)
    return np.asarray(levels * (places < relevant[:, None]), dtype=np.int8)


def _check_cells(number: int, ranks: int) -> None:
    if number * ranks > MOST_CELLS:
        most = max(1, MOST_CELLS // max(ranks, 1))
        raise ParameterError(f"{number:,} runs of {ranks:,} ranks are too many to write down; at most {most:,}")
