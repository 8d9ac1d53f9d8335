"""All the runs there could be: sets and rankings of documents, and what judging makes of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import chain, combinations, permutations, product
from math import comb, inf, perm

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.errors import InputError, ParameterError
from measurand.judged.relevance import Relevance

Document = Hashable

MOST_CELLS = 1 << 28
"""No more ranks than this are drawn or written down in all: each takes a byte."""

BLOCK = 1 << 12
"""So many runs are drawn at a time."""


def set_runs(documents: Iterable[Document], n: int) -> Iterator[frozenset[Document]]:
    """Return every set of `n` documents; the documents may be without end.

    Parameters
    ----------
    documents
        The documents.
    n
        How many of them a run holds.

    Examples
    --------
    >>> [sorted(run) for run in set_runs("abc", 2)]
    [['a', 'b'], ['a', 'c'], ['b', 'c']]
    """
    return (frozenset(run) for run in _with_newest(documents, n))


def ranked_runs(documents: Iterable[Document], n: int) -> Iterator[tuple[Document, ...]]:
    """Return every ranking of `n` different documents; the documents may be without end.

    Parameters
    ----------
    documents
        The documents.
    n
        How many of them a run holds.

    Examples
    --------
    >>> sum(1 for n in (1, 2, 3) for _ in ranked_runs("abc", n))
    15
    """
    return chain.from_iterable(permutations(run) for run in _with_newest(documents, n))


def _with_newest(documents: Iterable[Document], n: int) -> Iterator[tuple[Document, ...]]:
    """Return sets of `n` documents in the order of the last document that each needs."""
    seen: list[Document] = []
    for document in documents:
        yield from ((*others, document) for others in combinations(seen, n - 1))
        seen.append(document)


def count_set_runs(documents: int) -> int:
    """Return how many sets of documents there are, the empty one left out.

    Parameters
    ----------
    documents
        How many documents there are.

    Examples
    --------
    >>> count_set_runs(3)
    7
    """
    return sum(comb(documents, n) for n in range(1, documents + 1))


def count_ranked_runs(documents: int) -> int:
    """Return how many rankings of different documents there are, the empty one left out.

    Parameters
    ----------
    documents
        How many documents there are.

    Examples
    --------
    >>> count_ranked_runs(3)
    15
    """
    return sum(perm(documents, n) for n in range(1, documents + 1))


def judged_rankings(relevance: Relevance, length: int) -> Iterator[JudgedRun]:
    """Return every judged run of 1 to `length` ranks.

    Parameters
    ----------
    relevance
        The grades that there are.
    length
        The number of ranks of the longest runs.

    Examples
    --------
    >>> sum(1 for _ in judged_rankings(Relevance.binary(), 3))
    14
    """
    if not relevance.grades:
        raise ParameterError("a relevance set of real numbers has more judged runs than can be counted")
    grades = [int(grade) for grade in relevance.grades]
    return (JudgedRun(run) for n in range(1, length + 1) for run in product(grades, repeat=n))


def every_run(depth: int, grades: int) -> Cells:
    """Return every judged run of so many ranks over grades 0 to `grades` - 1, one a row.

    They stand in the order of the numbers that they spell, the first rank being the leading digit.

    Parameters
    ----------
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included.

    Examples
    --------
    >>> every_run(2, 2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    numbers = np.arange(grades**depth, dtype=np.int64)
    places = grades ** np.arange(depth - 1, -1, -1, dtype=np.int64)
    return np.asarray(numbers[:, None] // places % grades, dtype=np.int8)


@frozen
class PossibleRuns:
    """All judged runs of a length with no more relevant documents than a topic has: counted, written down, or drawn.

    A topic has a recall base, and no run holds more relevant documents than that.

    Parameters
    ----------
    ranks
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    recall_base
        How many relevant documents the topic has; None for as many as a run can hold.
    lowest
        The lowest grade that counts as relevant.

    Examples
    --------
    >>> runs = PossibleRuns(3, 2, recall_base=1)
    >>> runs.total, runs.every().tolist()
    (4, [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]])
    >>> PossibleRuns(2, 3, recall_base=0, lowest=2).every().tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]

    References
    ----------
    [FerranteFerroFuhr2021]_, section VI-C
    """

    ranks: int
    grades: int
    recall_base: int | None = None
    lowest: int = 1

    @property
    def most(self) -> int:
        """How many relevant documents a run may hold."""
        return self.ranks if self.recall_base is None else min(self.ranks, self.recall_base)

    @property
    def numbers(self) -> list[int]:
        """How many runs hold 0, 1, 2, … relevant documents.

        Examples
        --------
        >>> PossibleRuns(3, 3, recall_base=2).numbers
        [1, 6, 12]
        """
        others, relevant = min(self.lowest, self.grades), max(self.grades - self.lowest, 0)
        return [comb(self.ranks, k) * relevant**k * others ** (self.ranks - k) for k in range(self.most + 1)]

    @property
    def total(self) -> int:
        """How many runs there are."""
        return int(self.grades**self.ranks) if self.most == self.ranks else sum(self.numbers)

    def relevant(self, runs: Cells) -> IntArray:
        """Return how many relevant documents runs hold.

        Parameters
        ----------
        runs
            Judged runs, ranks along the last axis.
        """
        return np.asarray((runs >= self.lowest).sum(axis=-1))

    def include(self, runs: Cells) -> BoolArray:
        """Return which runs hold no more relevant documents than the topic has.

        Parameters
        ----------
        runs
            Judged runs, ranks along the last axis.

        Examples
        --------
        >>> PossibleRuns(2, 3, recall_base=1).include(np.array([[1, 2], [0, 2]])).tolist()
        [False, True]
        """
        return np.asarray(self.relevant(runs) <= self.most)

    def every(self) -> Cells:
        """Return every run, one a row."""
        _check_cells(self.total, self.ranks)
        if self.most == self.ranks:
            return every_run(self.ranks, self.grades)
        return np.concatenate([self._holding(k) for k, number in enumerate(self.numbers) if number])

    def _holding(self, relevant: int) -> Cells:
        """Return every run that holds exactly so many relevant documents."""
        number = comb(self.ranks, relevant)
        # the last rank first, so that runs come in the order of the dictionary
        chosen = np.fromiter(
            chain.from_iterable(combinations(range(self.ranks), relevant)), np.int64, number * relevant
        )
        is_relevant = np.zeros((number, self.ranks), dtype=bool)
        is_relevant[np.arange(number)[:, None], self.ranks - 1 - chosen.reshape(number, relevant)] = True
        # where each rank finds its grade: the relevant ones first, then the others
        places = np.argsort(np.argsort(~is_relevant, axis=1, kind="stable"), axis=1, kind="stable")
        above = every_run(relevant, max(self.grades - self.lowest, 0)) + np.int8(self.lowest)
        below = every_run(self.ranks - relevant, min(self.lowest, self.grades))
        filled = np.hstack([np.repeat(above, len(below), axis=0), np.tile(below, (len(above), 1))])
        return np.asarray(filled[:, places].swapaxes(0, 1).reshape(-1, self.ranks))

    def drawn(self, number: int, rng: np.random.Generator) -> Cells:
        """Return runs drawn at random, one a row: each is as likely as any other, and may come up more than once.

        First the number of relevant documents is drawn, by how many runs hold so many, then their ranks and grades.

        Parameters
        ----------
        number
            How many are drawn.
        rng
            The generator of random numbers.

        Examples
        --------
        >>> runs = PossibleRuns(100, 2, recall_base=3).drawn(1000, np.random.default_rng(0))
        >>> runs.shape, int(runs.sum(axis=1).max())
        ((1000, 100), 3)
        """
        _check_cells(number, self.ranks)
        runs = np.empty((number, self.ranks), dtype=np.int8)
        limited = self.most < self.ranks
        counts = self.numbers if limited else []
        total = sum(counts)
        relevant = rng.choice(len(counts), size=number, p=[one / total for one in counts]) if limited else None
        for start in range(0, number, BLOCK):
            shape = min(BLOCK, number - start), self.ranks
            if relevant is None:
                runs[start : start + BLOCK] = rng.integers(0, self.grades, shape)
            else:
                runs[start : start + BLOCK] = self._drawn_block(relevant[start : start + BLOCK, None], shape, rng)
        return runs

    def _drawn_block(self, relevant: IntArray, shape: tuple[int, int], rng: np.random.Generator) -> Cells:
        # every rank has a random number, and the least of them are those of the relevant documents
        places = rng.random(shape).argsort(axis=1).argsort(axis=1)
        above = rng.integers(self.lowest, max(self.grades, self.lowest + 1), shape, dtype=np.int8)
        below = rng.integers(0, min(self.lowest, self.grades), shape, dtype=np.int8)
        return np.where(places < relevant, above, below)


def _check_cells(number: int, ranks: int) -> None:
    if number * ranks > MOST_CELLS:
        most = max(1, MOST_CELLS // max(ranks, 1))
        raise ParameterError(f"{number:,} runs of {ranks:,} ranks are too many to write down; at most {most:,}")


def distinct_runs(runs: Cells) -> tuple[Cells, IntArray]:
    """Return the different ones of some runs without gaps, in the order of the dictionary, and which each is.

    Parameters
    ----------
    runs
        Grades, one run a row.

    Examples
    --------
    >>> runs, which = distinct_runs(np.array([[1, 0], [0, 1], [1, 0]], dtype=np.int8))
    >>> runs.tolist(), which.tolist()
    ([[0, 1], [1, 0]], [1, 0, 1])
    """
    if not runs.size:
        return runs[:1], np.zeros(len(runs), dtype=np.int64)
    # whole rows as bytes, which for grades from 0 up sort as the grades do, and fast
    rows = np.ascontiguousarray(runs, dtype=np.int8).view(np.dtype((np.void, runs.shape[1]))).reshape(-1)
    different, which = np.unique(rows, return_inverse=True)
    return different.view(np.int8).reshape(-1, runs.shape[1]), which.reshape(-1)


class JudgedRun(tuple[int, ...]):
    """The grades of a ranking, first rank first.

    Examples
    --------
    >>> run = JudgedRun.of(("d3", "d1", "d4"), {"d1": 0, "d2": 1, "d3": 2, "d4": 1})
    >>> run, run.at(1)
    ((2, 0, 1), 2)
    """

    __slots__ = ()

    @classmethod
    def of(cls, ranking: Iterable[Document], ground_truth: Mapping[Document, int]) -> JudgedRun:
        """Return the grades of a ranking of different documents; what is not judged has grade 0.

        Parameters
        ----------
        ranking
            The documents, first rank first.
        ground_truth
            Grades by document.
        """
        documents = list(ranking)
        if len(set(documents)) < len(documents):
            raise InputError(f"{tuple(documents)} holds a document twice, so it is no run")
        return cls(ground_truth.get(document, 0) for document in documents)

    def at(self, rank: int) -> int:
        """Return the grade at a rank, counted from 1.

        Parameters
        ----------
        rank
            The rank.
        """
        if not 1 <= rank <= len(self):
            raise ParameterError(f"there is no rank {rank} in a run of {len(self)}")
        return self[rank - 1]


def _positive(counts: Mapping[int, float]) -> dict[int, float]:
    for grade, count in counts.items():
        if not (count == inf or (count >= 0 and count == int(count))):
            raise ParameterError(f"grade {grade} cannot occur {count} times")
    return {grade: count for grade, count in sorted(counts.items()) if count}


@frozen
class Multiset:
    """How often each grade occurs in a judged set; a multiplicity may be infinite.

    Parameters
    ----------
    counts
        How often each grade occurs.

    Examples
    --------
    >>> judged = Multiset.of([1, 2, 1, 2, 2, 4])
    >>> [judged.multiplicity(grade) for grade in (1, 2, 3, 4)]
    [2, 3, 0, 1]
    """

    counts: Mapping[int, float] = field(converter=_positive)

    @classmethod
    def of(cls, grades: Iterable[int]) -> Multiset:
        """Return the multiset of some grades.

        Parameters
        ----------
        grades
            The grades.
        """
        return cls(Counter(grades))

    @classmethod
    def judged(cls, documents: Iterable[Document], ground_truth: Mapping[Document, int]) -> Multiset:
        """Return the grades of a set of documents; what is not judged has grade 0.

        Parameters
        ----------
        documents
            The documents.
        ground_truth
            Grades by document.
        """
        return cls.of(ground_truth.get(document, 0) for document in set(documents))

    def multiplicity(self, grade: int) -> float:
        """Return how often a grade occurs.

        Parameters
        ----------
        grade
            The grade.
        """
        return self.counts.get(grade, 0)
