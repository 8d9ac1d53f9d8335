"""How far 0, 1, 2, … changed judgments can lower the difference of two systems on one topic: a table for every topic.

`TopicTable` is what all tables have in common. `TriedTable` fills one for any measure: all sets of changes are tried
while there are not too many of them; from there on the few best sets are extended, one change at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, islice
from math import comb, inf
from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.measures.around import AroundMeasure, innermost
from measurand.measures.defined import Defined
from measurand.study.margins.regrading import Moves, Step, moves_of

if TYPE_CHECKING:
    from measurand.study.margins.documents import PairDocuments

EFFORT = 3 * 10**7
"""All sets of two changes or more are tried if they have no more ranks than so many, over all topics."""

SLOW = 100
"""A function of a user is so many times as slow as a measure that takes all runs at once."""

WIDTH = 4
"""So many sets of changes are carried on."""

CANDIDATES = 40
"""So many changes are tried with each of them."""

LEAPS = 12
"""So many sets of many changes are tried, and so many of few."""

LONGEST = 400
"""So many changes stand in such a set at most, unless it takes all documents their relevance."""

MANY = 100
"""Of documents that are interchangeable, so many are made relevant in such a set at most."""

CHUNK = 2**16
"""So many sets are written down at a time."""


class TopicTable:
    """By how much k changes of one topic lower the difference of two systems: what was found, and what bounds it.

    A table knows little at first and is made longer on demand: `grow` looks for sets of one change more, `leap_once`
    for sets of many, `refine` makes what was found certain.

    Parameters
    ----------
    documents
        The documents of two systems.
    moves
        Every change of one judgment of the topic.
    singles
        By how much each of them lowers the difference.

    Attributes
    ----------
    falls : list of float
        At place k, by how much the difference falls with at most k changes, as far as was found.
    chosen : list of array
        At place k, the moves that do so.
    complete : int
        Up to so many changes, nothing lowers the difference by more than `falls` says.
    limit : float
        No changes, however many, lower the difference by more.
    """

    def __init__(self, documents: PairDocuments, moves: Moves, singles: FloatArray) -> None:
        self.documents, self.moves, self.singles = documents, moves, singles
        self.limit = _most_by_range(documents, moves.topic)
        self.falls, self.chosen = [0.0], [np.empty(0, dtype=np.int64)]
        self.complete, self._leapt = 0, False

    def learn(self, size: int, fall: float, chosen: IntArray) -> None:
        """Note that so many changes do so much.

        Parameters
        ----------
        size
            How many changes there are.
        fall
            By how much they lower the difference.
        chosen
            Which moves they are.
        """
        self._lengthen(size)
        for place in range(size, len(self.falls)):
            # what more changes do is never less
            if fall <= self.falls[place]:
                break
            self.falls[place], self.chosen[place] = fall, chosen

    def _lengthen(self, size: int) -> None:
        while len(self.falls) <= size:
            self.falls.append(self.falls[-1])
            self.chosen.append(self.chosen[-1])

    def finish(self, size: int) -> None:
        """Note that nothing does more than what is known, with up to so many changes."""
        self._lengthen(size)
        self.complete = max(self.complete, size)
        if self.complete >= self.moves.judgments:
            self.limit = max(self.falls)

    @property
    def looked(self) -> int:
        """The size of the largest sets that `grow` has looked for; sets found by `leap_once` may be larger."""
        return self.complete

    def bound(self, size: int) -> float:
        """Return what no changes, up to so many, exceed.

        Parameters
        ----------
        size
            How many changes there are.
        """
        return self.falls[min(size, len(self.falls) - 1)] if size <= self.complete else self.limit

    @property
    def stride(self) -> int:
        """How large the sets are that `grow` looks for before `leap_once` is tried."""
        return 6

    def grow(self) -> bool:
        """Look at sets of one change more; return whether there was anything to look at."""
        return False

    def leap_once(self) -> None:
        """Look at sets of many changes, if that was not done before."""
        if not self._leapt:
            self._leapt = True
            self.leap()

    def leap(self) -> None:
        """Look at sets of many changes, one after the other in some orders."""
        for path in map(self._once, self._paths()):
            room = self.moves.room[self.moves.kinds[path]]
            path = np.repeat(
                path, np.where(self.moves.news[path] < self.moves.olds[path], room, np.minimum(room, MANY))
            )
            sizes = {
                *range(2, LEAPS),
                *(len(path) * part // LEAPS for part in range(1, LEAPS)),
                *range(len(path) - 3, len(path) + 1),
            }
            several = sorted(size for size in sizes if 0 < size <= len(path))
            for size, fall in zip(several, self.moves.falls_along(self.documents, path, several), strict=True):
                self.learn(size, float(fall), path[:size])

    def _paths(self) -> Iterator[IntArray]:
        """Return orders of changes: the best first; by ranks; and down, what the other system has highest last."""
        moves, here = self.moves, self.documents.topics[self.moves.topic]
        weights = np.where(here.ranks > 0, 1 / np.maximum(here.ranks, 1), 0)
        net = np.append(weights[0] - weights[1], 0)[moves.members[moves.starts[moves.kinds]]]
        ordered = np.argsort(-self.singles, kind="stable")
        yield ordered[self.singles[ordered] > 0][:LONGEST]
        useful = net * (moves.olds - moves.news)
        ordered = np.argsort(-useful, kind="stable")
        yield ordered[useful[ordered] > 0][:LONGEST]
        falling = np.flatnonzero(moves.news < moves.olds)
        falling = falling[np.lexsort((moves.news[falling], -net[falling]))]
        yield falling
        rising = np.flatnonzero(moves.news > moves.olds)
        if len(rising):
            highest = rising[np.lexsort((-moves.news[rising], net[rising]))[:1]]
            yield np.concatenate((highest, falling))

    def _once(self, moves: IntArray) -> IntArray:
        """Return the first move of every kind."""
        _, first = np.unique(self.moves.kinds[moves], return_index=True)
        return np.asarray(moves[np.sort(first)])

    def refine(self, size: int) -> bool:  # noqa: ARG002 - for tables that can
        """Look at all sets of so many changes, if there are few enough; return whether that was done.

        Parameters
        ----------
        size
            How many changes there are.
        """
        return False

    def steps(self, size: int) -> tuple[Step, ...]:
        """Return the changes that do the most, up to so many.

        Parameters
        ----------
        size
            How many changes there are.
        """
        return self.moves.steps(self.chosen[size])


class TriedTable(TopicTable):
    """A table that is found by trying, for any measure.

    Parameters
    ----------
    documents
        The documents of two systems.
    topic
        The place of the topic.
    """

    def __init__(self, documents: PairDocuments, topic: int) -> None:
        moves = moves_of(documents, topic)
        alone = np.arange(len(moves))[:, None]
        super().__init__(documents, moves, moves.falls(documents, alone))
        self._beam: list[tuple[int, ...]] = [()]
        self._keep(alone, self.singles)
        self.finish(min(1, moves.judgments))
        self._try_all()

    @property
    def looked(self) -> int:
        """As many as the sets have that are carried on."""
        return len(self._beam[0]) if self._beam else self.moves.judgments

    def _keep(self, chosen: IntArray, falls: FloatArray) -> None:
        """Note what some sets of one size do; the best of them are carried on."""
        if not len(chosen):
            return
        best = np.argsort(-falls, kind="stable")[:WIDTH]
        self.learn(chosen.shape[1], float(falls[best[0]]), chosen[best[0]])
        self._beam = [tuple(row) for row in chosen[best].tolist()]

    def _try_all(self) -> None:
        """Try all sets of changes as far as there are not too many."""
        documents, moves = self.documents, self.moves
        inside = innermost(documents.pair.measure)
        slow = isinstance(inside, Defined) or isinstance(documents.pair.measure, AroundMeasure)
        cost = (len(documents.topics[moves.topic]) + 2 * documents.ranks + 100) * (SLOW if slow else 1)
        left = EFFORT / max(1, len(documents.topics)) / cost
        while self.complete < moves.judgments:
            size = self.complete + 1
            left -= comb(len(moves) + size - 1, size)
            if left < 0:
                return
            top, beam = np.empty((0, size), dtype=np.int64), np.empty(0)
            for chosen in _sets(len(moves), size):
                chosen = chosen[moves.allowed(chosen)]
                falls = moves.falls(documents, chosen)
                top, beam = np.concatenate((top, chosen)), np.concatenate((beam, falls))
                kept = np.argsort(-beam, kind="stable")[:WIDTH]
                top, beam = top[kept], beam[kept]
            self._keep(top, beam)
            self.finish(size)

    def grow(self) -> bool:
        """Try one change more with each of the sets that are carried on."""
        if not self._beam or self.looked >= self.moves.judgments:
            return False
        size = self.looked + 1
        candidates = np.argsort(-self.singles, kind="stable")[:CANDIDATES].tolist()
        shared = np.flatnonzero(self.moves.room[self.moves.kinds] > 1).tolist()
        every = {tuple(sorted((*known, move))) for known in self._beam for move in {*candidates, *shared[:CANDIDATES]}}
        chosen = np.array(sorted(every), dtype=np.int64).reshape(-1, size)
        chosen = chosen[self.moves.allowed(chosen)]
        if not len(chosen):
            self._beam = []
            return False
        self._keep(chosen, self.moves.falls(self.documents, chosen))
        return True


def _sets(moves: int, size: int) -> Iterator[IntArray]:
    """Return all sets of so many moves, some at a time; a move may stand in one more than once."""
    every = combinations_with_replacement(range(moves), size)
    while chosen := list(islice(every, CHUNK)):
        yield np.array(chosen, dtype=np.int64)


def _most_by_range(documents: PairDocuments, topic: int) -> float:
    """Return by how much the difference of a topic can fall at most, because values stay in the measure's range."""
    low, high = documents.pair.measure.bounds
    if low is None or high is None:
        return inf
    return float(documents.pair.differences[topic]) + high - low
