"""Other grades under a sum that is divided by what the judgments of a topic hold, as nDCG and recall are.

Once it is settled how many documents change from each grade to each other, the divisor is known, and the sum is lowest
where the highest gains that are lost go to the documents with the largest net discounts, and the highest that are won
to those with the smallest. So it is enough to look at numbers of changes; which documents change follows.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.judged import Pool
from measurand.measures.additive import Additive
from measurand.measures.catalogue import is_own
from measurand.measures.counting import Counting, Counts
from measurand.measures.discounted_gain import NormalisedDiscountedCumulatedGain
from measurand.measures.recall import Recall
from measurand.measures.relative_precision import RelativePrecision
from measurand.study.level_classes import is_sum_of_gains
from measurand.study.margins.regrading import Moves, Step, counts_fit, moves_of, seen_ranks
from measurand.study.margins.regrading_tables import TopicTable

if TYPE_CHECKING:
    from measurand.study.margins.documents import PairDocuments

VECTORS = 60_000
"""So many numbers of changes of each sort are looked at on a topic at most."""

FIRST = 1_000
"""So many of them are looked at at first."""

MANY_GRADES = 6
"""Of more grades there are too many sorts of changes for vectors of them."""

LEAPS = 2**16
"""So many vectors are tried at once at most."""

FEW = 3
"""So many documents are a few."""

ROUGH = 200
"""Rough bounds are computed for up to so many changes of a topic."""

FAR = 2**30
"""Gains whose quotient is larger are not added up in floating point."""

LARGEST = 2**62
"""Numbers up to here fit into 64 bits."""

WIDTH = 6
"""So many numbers of changes are carried on where there are too many to look at."""


def is_scaled(documents: PairDocuments) -> bool:
    """Return whether a measure is a sum over ranks, divided by something that the judgments of a topic decide.

    Parameters
    ----------
    documents
        The documents of two systems.
    """
    measure = documents.pair.measure
    if len(documents.grades) > MANY_GRADES:
        return False
    if isinstance(measure, Additive) and _far_apart(measure, len(documents.grades) - 1):
        return False
    recall = isinstance(measure, Recall | RelativePrecision) and is_own(measure) and not measure.judged_only
    return (is_sum_of_gains(measure) or recall) and documents.pair.judged.groups is None and counts_fit(documents)


def _far_apart(measure: Additive, top: int) -> bool:
    """Return whether low gains are lost beside high ones in floating point, as 2**1 is beside 2**60."""
    gains = [gain for gain in measure.gains(top) if gain > 0]
    return bool(gains) and max(gains) > FAR * min(gains)


class ScaledTable(TopicTable):
    """The table of a topic under a sum over ranks that is divided by something that its judgments decide.

    A *sort* of change is an old grade and a new one. A set of changes is a vector: how many there are of each sort.

    Parameters
    ----------
    documents
        The documents of two systems.
    topic
        The place of the topic.
    """

    def __init__(self, documents: PairDocuments, topic: int) -> None:
        moves, here = moves_of(documents, topic), documents.topics[topic]
        self._measure, self._counts = documents.pair.measure, here.counts
        self._depth = self._measure.reach(documents.pair.judged.depth)
        self._gains, weights = self._gains_and_weights()
        weights, ranks = np.append(0.0, weights), seen_ranks(documents, topic)
        # the last stands for documents that neither system returned
        self._nets = np.append(weights[ranks[0]] - weights[ranks[1]], 0.0)
        if documents.pair.scores.lower_is_better:
            self._nets = -self._nets
        judged = here.cells >= 0
        self._sum = float((self._gains[here.cells[judged]] * self._nets[:-1][judged]).sum())
        self._before = float(documents.pair.differences[topic])
        super().__init__(documents, moves, self._singles(moves))
        self._sorts = sorted(set(zip(moves.olds.tolist(), moves.news.tolist(), strict=True)))
        self._sides = [self._side(moves, old) for old in range(len(self._gains))]
        self._vectors: list[IntArray] = []
        self._beam, self._size = np.zeros((1, len(self._sorts)), dtype=np.int64), 0
        size = 0
        while size < moves.judgments and comb(size + 1 + len(self._sorts), size + 1) <= FIRST:
            size += 1
        self._look(size)

    def _gains_and_weights(self) -> tuple[FloatArray, FloatArray]:
        """Return what each grade is worth, and what each rank counts."""
        measure, highest = self._measure, len(self._counts) - 1
        if isinstance(measure, Additive):
            top = measure.top_grade(Pool(tuple(self._counts.tolist())))
            return np.append(0.0, measure.gains(top)[1 : highest + 1]), measure.weights(self._depth)
        return (np.arange(highest + 1) >= measure.lowest).astype(float), np.ones(self._depth)

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
        measure = self._measure
        known, which = _distinct(np.maximum(0, counts))
        if isinstance(measure, NormalisedDiscountedCumulatedGain):
            found = self._ideals(known)
        elif isinstance(measure, Additive):
            found = np.array([float(measure.scaling(Pool(tuple(row)), self._depth)) for row in known.tolist()])
        else:
            assert isinstance(measure, Counting)
            base = known[:, measure.lowest :].sum(axis=1)
            one = np.asarray(measure.count(Counts(1.0, float(measure.ranks(self._depth, base)), base, 0.0, 0.0)))
            found = np.divide(1.0, one, out=np.zeros(len(one)), where=one > 0)
        return found[which]

    def _ideals(self, counts: IntArray) -> FloatArray:
        """Return the sums of ideal rankings: documents in the order of their gains."""
        assert isinstance(self._measure, Additive)
        longest = int(counts[:, 1:].sum(axis=1).max(initial=0))
        longest = longest if self._measure.cutoff is None else min(longest, self._measure.cutoff)
        reached, gains = np.append(0.0, np.cumsum(self._measure.weights(longest))), self._gains
        ideal, stood = np.zeros(len(counts)), np.zeros(len(counts), dtype=np.int64)
        for grade in sorted(range(1, counts.shape[1]), key=lambda grade: (-gains[grade], -grade)):
            ends = np.minimum(stood + counts[:, grade], longest)
            ideal += gains[grade] * (reached[ends] - reached[stood])
            stood = ends
        return ideal

    def _side(self, moves: Moves, grade: int) -> _Side:
        """Return the documents of a grade, and the sorts of changes that they can undergo."""
        every = np.repeat(np.arange(len(moves.room)), moves.room)
        grades = np.full(len(moves.room), -1)
        grades[moves.kinds] = moves.olds
        places = moves.members[grades[every] == grade]
        places = places[np.argsort(self._nets[places], kind="stable")]
        mine = [place for place, sort in enumerate(self._sorts) if sort[0] == grade]
        steps = {place: float(self._gains[grade] - self._gains[self._sorts[place][1]]) for place in mine}
        wins = sorted((place for place in mine if steps[place] < 0), key=steps.__getitem__)
        losses = sorted((place for place in mine if steps[place] > 0), key=steps.__getitem__, reverse=True)
        return _Side(places, self._nets[places], wins, losses, [place for place in mine if not steps[place]], steps)

    def _values(self, vectors: IntArray) -> FloatArray:
        """Return what numbers of changes of each sort do at most; nothing where there are not so many documents."""
        sums, allowed = np.full(len(vectors), self._sum), np.ones(len(vectors), dtype=bool)
        counts = np.repeat(self._counts[None], len(vectors), axis=0)
        for old, side in enumerate(self._sides):
            changed = vectors[:, list(side.steps)].sum(axis=1)
            allowed &= changed <= len(side.places)
            sums -= side.lost(vectors)
            counts[:, old] -= changed
            for place in side.steps:
                counts[:, self._sorts[place][1]] += vectors[:, place]
        return np.where(allowed, self._falls_to(sums, counts), -np.inf)

    def _look(self, size: int) -> None:
        """Look at all numbers of changes, up to so many."""
        vectors = _vectors(len(self._sorts), size)
        totals = vectors.sum(axis=1)
        values = self._values(vectors[totals > self.complete])
        vectors, totals = vectors[totals > self.complete], totals[totals > self.complete]
        for number in range(self.complete + 1, size + 1):
            mine = np.flatnonzero(totals == number)
            self._record(vectors[mine], values[mine], number)
        self.finish(size)

    def _record(self, vectors: IntArray, values: FloatArray, size: int) -> None:
        """Note what some numbers of changes do, all of one size; the best of them are carried on."""
        best = np.argsort(-values, kind="stable")[:WIDTH]
        best = best[values[best] > -np.inf]
        self._beam, self._size = vectors[best], size
        if len(best):
            self._learn(size, float(values[best[0]]), vectors[best[0]])

    def _learn(self, size: int, fall: float, vector: IntArray) -> None:
        """Note what numbers of changes do."""
        self.learn(size, fall, np.array([len(self._vectors)]))
        self._vectors.append(vector)

    @property
    def looked(self) -> int:
        """As many as were carried on."""
        return self._size

    @property
    def stride(self) -> int:
        """Sets of many changes cost little."""
        return 40

    def grow(self) -> bool:
        """Try one change more of each sort with each of the numbers that are carried on."""
        if self._size >= self.moves.judgments or not len(self._beam) or not len(self._sorts):
            return False
        more = (self._beam[:, None] + np.eye(len(self._sorts), dtype=np.int64)).reshape(-1, len(self._sorts))
        more = more[np.unique(_places(more), return_index=True)[1]]
        self._record(more, self._values(more), self._size + 1)
        return bool(len(self._beam))

    def leap(self) -> None:
        """Try to take all documents but a few their gain, and to give it to a few others."""
        least, most = int(self._gains.argmin()), int(self._gains.argmax())
        choices = []
        for old, new in self._sorts:
            full = len(self._sides[old].places)
            few = range(max(0, full - FEW), full + 1) if new == least else range(FEW + 1) if new == most else (0,)
            choices.append(few if old in (least, most) or new == least else (0,))
        if prod(map(len, choices)) > LEAPS:
            return
        vectors = np.array(list(product(*choices)), dtype=np.int64)
        sizes, values = vectors.sum(axis=1), self._values(vectors)
        for place in np.flatnonzero((values > -np.inf) & (sizes > 0)).tolist():
            if sizes[place] >= len(self.falls) or values[place] > self.falls[sizes[place]]:
                self._learn(int(sizes[place]), float(values[place]), vectors[place])

    def refine(self, size: int) -> bool:
        """Look at all numbers of changes up to a size, if there are few enough."""
        if size <= self.complete or comb(size + len(self._sorts), size) > VECTORS:
            return False
        beam, length = self._beam, self._size
        self._look(size)
        if length > size:
            self._beam, self._size = beam, length
        return True

    def bound(self, size: int) -> float:
        """Return what no changes, up to so many, exceed."""
        if size <= self.complete:
            return super().bound(size)
        return min(self.limit, float(self._rough[min(size, len(self._rough) - 1)]))

    @cached_property
    def _rough(self) -> FloatArray:
        """What no 0, 1, 2, … changes exceed, as if the best changes of sums and of divisors could be had at once."""
        most = min(self.moves.judgments, ROUGH)
        best = np.zeros(len(self.moves.room))
        lost = self._gains[self.moves.olds] - self._gains[self.moves.news]
        lost = lost * self._nets[self.moves.members[self.moves.starts[self.moves.kinds]]]
        np.maximum.at(best, self.moves.kinds, lost)
        sums = np.append(0.0, np.cumsum(np.sort(np.repeat(best, self.moves.room))[::-1]))
        sums = self._sum - sums[np.minimum(np.arange(most + 1), len(sums) - 1)]
        grades = sorted(range(1, len(self._counts)), key=lambda grade: -self._gains[grade])
        more, fewer = (np.repeat(self._counts[None], most + 1, axis=0) for _ in range(2))
        more[:, grades[0]] += np.arange(most + 1)
        left = np.arange(most + 1)
        for grade in grades:
            taken = np.minimum(left, fewer[:, grade])
            fewer[:, grade] -= taken
            left = left - taken
        scales = np.where(sums >= 0, self._scales(more), self._scales(fewer))
        with np.errstate(divide="ignore", invalid="ignore"):
            after = np.where(sums == 0, 0.0, sums / scales)
        found = np.maximum.accumulate(self._before - after)
        return np.append(found, np.inf) if most < self.moves.judgments else found

    def steps(self, size: int) -> tuple[Step, ...]:
        """Return the changes that do the most, up to so many."""
        if not len(self.chosen[size]):
            return ()
        vector, steps = self._vectors[int(self.chosen[size][0])], []
        for old, side in enumerate(self._sides):
            left = side.places.tolist()
            for first, sorts in ((0, side.wins), (-1, side.losses), (0, side.rest)):
                taken = [self._sorts[place][1] for place in sorts for _ in range(int(vector[place]))]
                steps += [Step(self.moves.topic, left.pop(first), old, new) for new in taken]
        return tuple(steps)


@frozen(eq=False, slots=False)
class _Side:
    """The documents of one grade, and the sorts of changes that they can undergo.

    Parameters
    ----------
    places, nets
        The documents and their net discounts, the smallest first.
    wins, losses, rest
        The sorts by which a document gains most, first; by which it loses most, first; and those that change nothing.
    steps
        For each sort, by how much the gain of a document falls.
    """

    places: IntArray
    nets: FloatArray
    wins: list[int]
    losses: list[int]
    rest: list[int]
    steps: dict[int, float]

    @cached_property
    def _sums(self) -> tuple[FloatArray, FloatArray]:
        return np.append(0.0, np.cumsum(self.nets)), np.append(0.0, np.cumsum(self.nets[::-1]))

    def lost(self, vectors: IntArray) -> FloatArray:
        """Return by how much a sum falls at most for numbers of changes of each sort."""
        lost = np.zeros(len(vectors))
        for sums, sorts in zip(self._sums, (self.wins, self.losses), strict=True):
            start = np.zeros(len(vectors), dtype=np.int64)
            for place in sorts:
                end = np.minimum(start + vectors[:, place], len(self.places))
                lost += self.steps[place] * (sums[end] - sums[start])
                start = end
        return lost


def _places(rows: IntArray) -> IntArray:
    """Return the place of each row of numbers from 0 up in their alphabetical order."""
    bases = rows.max(axis=0, initial=0) + 1
    if prod(bases.tolist()) > LARGEST:
        return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    # sorting one number for each row is many times as fast as sorting rows
    return np.asarray(rows @ np.append(np.cumprod(bases[:0:-1])[::-1], 1))


def _distinct(rows: IntArray) -> tuple[IntArray, IntArray]:
    """Return the different rows, and which of them each row is."""
    _, first, which = np.unique(_places(rows), return_index=True, return_inverse=True)
    return rows[first], which


@lru_cache(maxsize=64)
def _vectors(sorts: int, most: int) -> IntArray:
    """Return all numbers of changes of so many sorts, no more than so many in all, a row each."""
    found, left = np.zeros((1, 0), dtype=np.int64), np.array([most])
    for _ in range(sorts):
        row = np.repeat(np.arange(len(found)), left + 1)
        number = np.arange(len(row)) - np.repeat(np.cumsum(left + 1) - left - 1, left + 1)
        found, left = np.column_stack((found[row], number)), left[row] - number
    found.flags.writeable = False  # topics share them
    return found
