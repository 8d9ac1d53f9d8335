"""Other grades under a sum of discounts times gains that is divided by what the judgments of a topic hold, as nDCG is.

Once it is settled how many documents change from each grade to each other, the divisor is known, and the sum is lowest
where the highest gains that are lost go to the documents with the largest net discounts, and the highest that are won
to those with the smallest. So all numbers of changes are looked at, and no documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.judged import Pool
from measurand.measures.additive import Additive
from measurand.measures.catalogue import is_own
from measurand.measures.discounted_gain import NormalisedDiscountedCumulatedGain
from measurand.study.margins.regrading import Moves, Step, counts_fit, grades_of, moves_of, seen_ranks
from measurand.study.margins.regrading_tables import TopicTable, range_limit

if TYPE_CHECKING:
    from measurand.study.margins.documents import PairDocuments

VECTORS = 60_000
"""So many numbers of changes of each sort are looked at on a topic at most."""

DEEPEST = 64
"""So many changes of a topic are looked at at most."""


def is_scaled(documents: PairDocuments) -> bool:
    """Return whether a measure is a sum of discounts times gains, divided by what the judgments of a topic hold.

    Parameters
    ----------
    documents
        The documents of two systems.
    """
    measure = documents.pair.measure
    own = is_own(measure) and isinstance(measure, Additive) and measure.is_defined_by(Additive)
    return own and documents.pair.judged.groups is None and counts_fit(documents)


class ScaledTable(TopicTable):
    """What so many changes of one topic can do under such a measure, all of them.

    Parameters
    ----------
    documents
        The documents of two systems.
    topic
        The place of the topic.
    """

    def __init__(self, documents: PairDocuments, topic: int) -> None:
        moves, here = moves_of(documents, topic), documents.topics[topic]
        measure, depth = documents.pair.measure, documents.pair.measure.reach(documents.pair.judged.depth)
        assert isinstance(measure, Additive)
        highest = grades_of(documents)
        top = measure.top_grade(Pool(tuple(here.counts.tolist())))
        self._gains = np.append(0.0, measure.gains(top)[1 : highest + 1])
        weights, ranks = np.append(0.0, measure.weights(depth)), seen_ranks(documents, topic)
        # the last stands for documents that neither system returned
        self._nets = np.append(weights[ranks[0]] - weights[ranks[1]], 0.0)
        if documents.pair.scores.lower_is_better:
            self._nets = -self._nets
        self._topic, self._counts, self._depth, self._measure = topic, here.counts, depth, measure
        judged = here.cells >= 0
        self._sum = float((self._gains[here.cells[judged]] * self._nets[:-1][judged]).sum())
        self._before = float(documents.pair.differences[topic])
        super().__init__(moves, self._singles(moves), range_limit(documents, topic))
        self._fill(moves, highest + 1)

    def _singles(self, moves: Moves) -> FloatArray:
        """Return what every single change does."""
        nets = self._nets[moves.members[moves.starts[moves.kinds]]]
        lost = (self._gains[moves.olds] - self._gains[moves.news]) * nets
        counts = np.repeat(self._counts[None], len(moves), axis=0)
        every = np.arange(len(moves))
        counts[every, moves.olds] -= 1
        counts[every, moves.news] += 1
        return self._falls_to(self._sum - lost, counts)

    def _falls_to(self, sums: FloatArray, counts: IntArray) -> FloatArray:
        """Return by how much the difference falls to other sums, divided by what other counts give."""
        scale = self._scales(counts)
        after = np.divide(sums, scale, out=np.zeros_like(sums), where=scale != 0)
        return np.asarray(self._before - after)

    def _scales(self, counts: IntArray) -> FloatArray:
        """Return what sums are divided by for other numbers of documents of each grade."""
        measure, counts = self._measure, np.maximum(0, counts)
        known, which = np.unique(counts, axis=0, return_inverse=True)
        if isinstance(measure, NormalisedDiscountedCumulatedGain):
            return self._ideals(known)[which.reshape(-1)]
        found = [float(measure.scaling(Pool(tuple(row)), self._depth)) for row in known.tolist()]
        return np.array(found)[which.reshape(-1)]

    def _ideals(self, counts: IntArray) -> FloatArray:
        """Return the sums of ideal rankings: documents in the order of their gains."""
        longest = int(counts[:, 1:].sum(axis=1).max(initial=0))
        longest = longest if self._measure.cutoff is None else min(longest, self._measure.cutoff)
        reached = np.append(0.0, np.cumsum(self._measure.weights(longest)))
        gains = self._measure.gains(counts.shape[1] - 1)
        ideal, stood = np.zeros(len(counts)), np.zeros(len(counts), dtype=np.int64)
        for grade in sorted(range(1, counts.shape[1]), key=lambda grade: (-gains[grade], -grade)):
            ends = np.minimum(stood + counts[:, grade], longest)
            ideal += gains[grade] * (reached[ends] - reached[stood])
            stood = ends
        return ideal

    def _fill(self, moves: Moves, grades: int) -> None:
        """Look at all numbers of changes from each grade to each other."""
        sorts = [(old, new) for old in range(grades) for new in range(grades) if old != new]
        deepest = _deepest(len(sorts), moves.judgments)
        vectors = _vectors(len(sorts), deepest)
        self._sorts, sums = sorts, np.full(len(vectors), self._sum)
        allowed = np.ones(len(vectors), dtype=bool)
        counts = np.repeat(self._counts[None], len(vectors), axis=0)
        self._ordered = {}
        for old in range(grades):
            mine = [place for place, sort in enumerate(sorts) if sort[0] == old]
            self._ordered[old] = places = self._places(moves, old)
            allowed &= vectors[:, mine].sum(axis=1) <= len(places)
            sums -= self._lost(vectors, mine, self._nets[places], deepest)
            counts[:, old] -= vectors[:, mine].sum(axis=1)
            for place in mine:
                counts[:, sorts[place][1]] += vectors[:, place]
        falls = np.where(allowed, self._falls_to(sums, counts), -np.inf)
        totals = vectors.sum(axis=1)
        self._vectors: list[IntArray] = [vectors[0]]
        for size in range(1, deepest + 1):
            mine = np.flatnonzero(totals == size)
            best = mine[falls[mine].argmax()]
            before = self.falls[-1]
            self.finish_with(size, float(falls[best]))
            self._vectors.append(vectors[best] if falls[best] > before else self._vectors[-1])

    def finish_with(self, size: int, fall: float) -> None:
        """Note what the best changes of a number do, and that no others do more."""
        self.learn(size, fall, self.chosen[-1])
        self.finish(size)

    def _places(self, moves: Moves, grade: int) -> IntArray:
        """Return the documents of a grade, those with the smallest net discounts first."""
        every = np.repeat(np.arange(len(moves.room)), moves.room)
        grades = np.full(len(moves.room), -1)
        grades[moves.kinds] = moves.olds
        places = moves.members[grades[every] == grade]
        return places[np.argsort(self._nets[places], kind="stable")]

    def _lost(self, vectors: IntArray, mine: Sequence[int], nets: FloatArray, deepest: int) -> FloatArray:
        """Return by how much the sum falls at most for numbers of changes of documents of one grade."""
        lost = np.zeros(len(vectors))
        for rising, sorts in self._sides(mine):
            ordered = (nets if rising else nets[::-1])[:deepest]
            sums = np.append(0.0, np.cumsum(ordered))
            sums = np.append(sums, np.full(deepest + 1 - len(ordered), sums[-1]))
            start = np.zeros(len(vectors), dtype=np.int64)
            for place in sorts:
                end = np.minimum(start + vectors[:, place], deepest)
                lost += self._step(place) * (sums[end] - sums[start])
                start = end
        return lost

    def _step(self, place: int) -> float:
        old, new = self._sorts[place]
        return float(self._gains[old] - self._gains[new])

    def _sides(self, mine: Sequence[int]) -> list[tuple[bool, list[int]]]:
        """Return the sorts of changes that win gain and those that lose it, the largest first."""
        wins = sorted((place for place in mine if self._step(place) < 0), key=self._step)
        losses = sorted((place for place in mine if self._step(place) > 0), key=self._step, reverse=True)
        return [(True, wins), (False, losses)]

    def steps(self, size: int) -> tuple[Step, ...]:
        """Return the changes that do the most, up to so many."""
        vector, steps = self._vectors[size], []
        for old, places in self._ordered.items():
            mine = [place for place, sort in enumerate(self._sorts) if sort[0] == old]
            left = places.tolist()
            rest = [place for place in mine if self._step(place) == 0]
            for rising, sorts in [*self._sides(mine), (True, rest)]:
                for place in sorts:
                    for _ in range(int(vector[place])):
                        steps.append(Step(self._topic, left.pop(0 if rising else -1), old, self._sorts[place][1]))
        return tuple(steps)


def _deepest(sorts: int, judgments: int) -> int:
    """Return how many changes of a topic can be looked at."""
    size = 0
    while size < min(DEEPEST, judgments) and comb(size + 1 + sorts, sorts) <= VECTORS:
        size += 1
    return size


@lru_cache(maxsize=32)
def _vectors(sorts: int, most: int) -> IntArray:
    """Return all numbers of changes of so many sorts, no more than so many in all."""
    if not sorts:
        return np.zeros((1, 0), dtype=np.int64)
    parts = [
        np.column_stack((np.full(len(rest), first), rest))
        for first in range(most + 1)
        for rest in [_vectors(sorts - 1, most - first)]
    ]
    found = np.concatenate(parts)
    found.setflags(write=False)
    return found
