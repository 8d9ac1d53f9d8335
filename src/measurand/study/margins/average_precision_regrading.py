"""Other grades under average precision, whose sum is quadratic in which documents are relevant.

Every two relevant documents of a run add one over the lower of their two ranks, so that the value of a set of changes
is a sum over single changes and over pairs of them. The sum over pairs is bounded by giving every change half of the
largest terms that it can have with any others: that bounds what so many changes can do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.measures.average_precision import AveragePrecision
from measurand.study.margins.regrading import CLOSE, counts_fit, moves_of, seen_ranks
from measurand.study.margins.regrading_tables import TopicTable

if TYPE_CHECKING:
    from measurand.study.margins.documents import PairDocuments

CANDIDATES = 32
"""Of the changes that make a document relevant, and of the others, so many are combined: those that do the most."""

WIDTH = 3
"""So many sets of changes are carried on."""

SETS = 20_000
"""So many sets of changes are looked at at a time, at most."""

FIRST = 24
"""Bounds of up to so many changes are computed at first."""

DEEPEST = 64
"""Bounds of up to so many changes are computed."""


def is_average_precision(documents: PairDocuments) -> bool:
    """Return whether a measure is average precision.

    Parameters
    ----------
    documents
        The documents of two systems.
    """
    pair = documents.pair
    return type(pair.measure) is AveragePrecision and pair.judged.groups is None and counts_fit(documents)


class PrecisionTable(TopicTable):
    """The table of a topic under average precision.

    An *up* makes a document relevant, a *down* takes its relevance; documents that a run has are *near*, others *far*.

    Parameters
    ----------
    documents
        The documents of two systems.
    topic
        The place of the topic.
    """

    def __init__(self, documents: PairDocuments, topic: int) -> None:
        moves, rel = moves_of(documents, topic), documents.pair.measure.lowest
        # the last stands for documents that neither system returned
        ranks = np.append(seen_ranks(documents, topic), [[0], [0]], axis=1)
        near = (ranks[:, moves.members[moves.starts[moves.kinds]]] > 0).any(axis=0)
        self._near = np.flatnonzero(near)
        self._ranks = ranks[:, moves.members[moves.starts[moves.kinds[self._near]]]]
        self._up = moves.olds[self._near] < rel
        self._base = int(documents.topics[topic].counts[rel:].sum())
        self._before = float(documents.pair.differences[topic])
        rises = moves.olds < rel
        # documents that neither run has change the recall base alone
        self._far = [
            np.repeat(np.flatnonzero(~near & side), moves.room[moves.kinds[~near & side]]) for side in (rises, ~rises)
        ]
        self._lost = self._falls_of_sums()
        singles = np.empty(len(moves))
        singles[self._near] = self._fall(self._lost, np.where(self._up, 1, -1))
        singles[~near] = self._fall(np.zeros(int((~near).sum())), np.where(rises[~near], 1, -1))
        super().__init__(documents, moves, singles)
        self._beams: dict[tuple[int, int], list[tuple[float, tuple[int, ...]]]] = {(0, 0): [(0.0, ())]}
        self._size, self._bounds, self._credits = 0, np.zeros(1), np.zeros((1, 1))
        self._settled = np.zeros((DEEPEST + 1, DEEPEST + 1), dtype=bool)
        self._candidates = np.concatenate([self._best(self._up), self._best(~self._up)])
        self._meetings = self._met(self._candidates, self._candidates)
        best = int(singles.argmax()) if len(singles) else -1
        if best >= 0:
            self.learn(1, float(singles[best]), np.array([best]))
        self.finish(min(1, moves.judgments))
        self.grow()
        self.grow()

    def _falls_of_sums(self) -> FloatArray:
        """Return by how much the sum of precisions, better run minus other, falls if one document changes sides."""
        sums = []
        for ranks in self._ranks:
            found = np.sort(ranks[(ranks > 0) & ~self._up])
            above, later = np.searchsorted(found, ranks), np.searchsorted(found, ranks, side="right")
            tails = np.append(np.cumsum((1 / found)[::-1])[::-1], 0.0)
            there = np.maximum(ranks, 1)
            sums.append(np.where(ranks > 0, (above + 1) / there + tails[later], 0.0))
        return np.asarray(np.where(self._up, -1, 1) * (sums[0] - sums[1]))

    def _fall(self, lost: FloatArray, more: IntArray) -> FloatArray:
        """Return by how much the difference falls if the sum falls and so many more documents are relevant."""
        base = self._base + more
        left = self._before * self._base - lost
        return np.asarray(self._before - np.where(base > 0, left / np.maximum(base, 1), 0.0))

    def _best(self, side: BoolArray) -> IntArray:
        there = np.flatnonzero(side)
        return there[np.argsort(-self._lost[there], kind="stable")[:CANDIDATES]]

    def _met(self, some: IntArray, others: IntArray) -> FloatArray:
        """Return what two changes do beyond what each does by itself."""
        total = np.zeros((len(some), len(others)))
        for sign, ranks in zip((-1, 1), self._ranks, strict=True):
            one, other = ranks[some][:, None], ranks[others][None]
            total += sign * np.where((one > 0) & (other > 0), 1 / np.maximum(np.maximum(one, other), 1), 0.0)
        total *= np.where(self._up[some][:, None] == self._up[others][None], 1, -1)
        total[some[:, None] == others[None]] = 0.0
        return total

    @property
    def looked(self) -> int:
        """As many as were combined."""
        return self._size

    def grow(self) -> bool:
        """Combine one change more."""
        size = self._size + 1
        if size > self.moves.judgments:
            return False
        self._size = size
        for ups in range(size + 1):
            self._extend(ups, size - ups)
        for ups, downs in [key for key in self._beams if self._beams[key]]:
            self._note(ups, downs, size)
        return True

    def _extend(self, ups: int, downs: int) -> None:
        """Find sets of so many changes of each side, from sets of one fewer."""
        found: dict[tuple[int, ...], float] = {}
        up = self._up[self._candidates]
        for before, side in (((ups - 1, downs), up), ((ups, downs - 1), ~up)):
            for value, known in self._beams.get(before, ()):
                gains = self._lost[self._candidates] + self._meetings[list(known)].sum(axis=0)
                gains = np.where(side, gains, -np.inf)
                gains[list(known)] = -np.inf
                for place in np.argsort(-gains, kind="stable")[:WIDTH].tolist():
                    if gains[place] > -np.inf:
                        found[tuple(sorted((*known, place)))] = value + float(gains[place])
        ordered = sorted(((value, known) for known, value in found.items()), key=lambda each: -each[0])
        self._beams[ups, downs] = ordered[:WIDTH]

    def _note(self, ups: int, downs: int, size: int) -> None:
        """Note what the best set of so many changes of each side does, with other documents making up the number."""
        lost, known = self._beams[ups, downs][0]
        rest = size - ups - downs
        for far, sign in zip(self._far, (1, -1), strict=True):
            if rest <= len(far):
                base = self._base + ups - downs + sign * rest
                fall = self._before - ((self._before * self._base - lost) / base if base > 0 else 0.0)
                if size >= len(self.falls) or fall > self.falls[size]:
                    chosen = np.append(self._near[self._candidates[list(known)]], far[:rest]).astype(np.int64)
                    self.learn(size, fall, chosen)

    def bound(self, size: int) -> float:
        """Return what no changes, up to so many, exceed."""
        if size <= self.complete:
            return super().bound(size)
        if len(self._bounds) == 1:
            self._credit(FIRST)
        known = float(self._bounds[size]) if size < len(self._bounds) else self.limit
        return min(known + CLOSE, self.limit)

    def _credit(self, most: int) -> None:
        """Bound what up to so many changes do."""
        found, known = self._credited(True, most) + self._credited(False, most).T, len(self._credits)
        found[:known, :known] = np.minimum(found[:known, :known], self._credits)
        self._credits = found
        self._bounds = self._bounded()

    def _bounded(self) -> FloatArray:
        """Return what no 0, 1, 2, … changes exceed, by how many of them make a document relevant."""
        best = self._reached(np.arange(1, len(self._credits))).max(axis=(1, 2), initial=0.0)
        return np.maximum.accumulate(np.append(0.0, best))

    def _reached(self, sizes: IntArray) -> FloatArray:
        """Return what no so many changes exceed, by how many make a document relevant, and how many do the opposite."""
        most = int(sizes.max(initial=0)) + 1
        lost, ups, downs = self._credits[:most, :most], np.arange(most)[:, None], np.arange(most)
        rest = sizes[:, None, None] - ups - downs
        best, finite = np.full(rest.shape, -np.inf), np.isfinite(lost)
        for far, sign in zip(self._far, (1, -1), strict=True):
            there = (rest >= 0) & (rest <= len(far)) & finite
            np.maximum(best, self._fall(lost, ups - downs + sign * rest), out=best, where=there)
        return best

    def _credited(self, up: bool, most: int) -> FloatArray:
        """Return what so many changes of one side, beside so many of the other, are credited with at most."""
        mine = np.flatnonzero(self._up == up)
        lost, (better, other) = self._lost[mine], self._ranks[:, mine]
        # what stays below so many others with whatever it is credited with is never among the largest
        floor = np.sort(lost)[-most] if len(lost) >= most else -np.inf
        kept = lost + (_top(other, [most])[0] + _top(better, [most])[0]) / 2 >= floor
        lost, alike, cross = lost[kept], _top(other[kept], range(most)), _top(better[kept], range(most + 1))
        found = np.full((most + 1, most + 1), -np.inf)
        found[0] = 0.0
        for number in range(1, min(most, len(mine)) + 1):
            credit = np.sort(lost + (alike[number - 1] + cross) / 2, axis=1)
            found[number] = credit[:, max(0, credit.shape[1] - number) :].sum(axis=1)
        return found

    def refine(self, size: int) -> bool:
        """Look at all sets of so many changes that may do more than what is known; return whether that was possible."""
        self.bound(size)
        if size >= len(self._credits):
            if len(self._credits) > DEEPEST:
                return False
            self._credit(min(DEEPEST, 2 * len(self._credits)))
            return True
        while self._size < size:
            self.grow()
        improved = False
        while True:
            reached = self._reached(np.array([size]))[0]
            reached[self._settled[: size + 1, : size + 1]] = -np.inf
            ups, downs = map(int, np.unravel_index(int(reached.argmax()), reached.shape))
            if reached[ups, downs] <= self.falls[size] + CLOSE:
                break
            if not self._try_all(ups, downs):
                break
            improved = self._settled[ups, downs] = True
            self._note(ups, downs, size)
        if improved:
            self._bounds = self._bounded()
        return improved

    def _try_all(self, ups: int, downs: int) -> bool:
        """Find the best set of so many changes of each side, if there are few enough that may be it."""
        known = self._beams.get((ups, downs)) or [(-np.inf, ())]
        short = known[0][0] - float(self._credits[ups, downs])
        sides = []
        for up, number, others in ((True, ups, downs), (False, downs, ups)):
            mine = np.flatnonzero(self._up == up)
            alike, cross = _top(self._ranks[1, mine], [max(0, number - 1)])[0], _top(self._ranks[0, mine], [others])[0]
            credit = self._lost[mine] + (alike + cross) / 2
            least = np.sort(credit)[-number] if number else np.inf
            sides.append(mine[credit >= least + short - CLOSE] if number else mine[:0])
        if comb(len(sides[0]), ups) * comb(len(sides[1]), downs) > SETS:
            return False
        places = np.concatenate(sides)
        first, second = _sets(0, len(sides[0]), ups), _sets(len(sides[0]), len(places), downs)
        sets = np.hstack((np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1))))
        met, values = self._met(places, places), self._lost[places][sets].sum(axis=1)
        for one, other in combinations(range(ups + downs), 2):
            values += met[sets[:, one], sets[:, other]]
        best = int(values.argmax())
        self._credits[ups, downs] = max(known[0][0], float(values[best]))
        if values[best] > known[0][0] + CLOSE:
            self._adopt(ups, downs, float(values[best]), places[sets[best]])
        return True

    def _adopt(self, ups: int, downs: int, value: float, places: IntArray) -> None:
        """Put a set of changes first among those of its size."""
        new = places[~np.isin(places, self._candidates)]
        self._candidates = np.append(self._candidates, new)
        self._meetings = self._met(self._candidates, self._candidates)
        known = tuple(sorted(int(np.flatnonzero(self._candidates == place)[0]) for place in places))
        self._beams[ups, downs] = [(value, known), *self._beams.get((ups, downs), [])][:WIDTH]


def _sets(start: int, end: int, number: int) -> IntArray:
    """Return all sets of so many of the places from one to another, a row each."""
    every = list(combinations(range(start, end), number))
    return np.array(every, dtype=np.int64).reshape(len(every), number)


def _top(ranks: IntArray, numbers: Sequence[int]) -> FloatArray:
    """Return the largest sums of meetings of documents with so many others of a run: one over the lower rank each."""
    number = np.array(numbers)[:, None]
    harmonic = np.append(0.0, np.cumsum(1 / np.arange(1, max(numbers) + 2)))
    above = np.minimum(number, np.maximum(ranks - 1, 0))
    beyond = harmonic[number + 1] - harmonic[np.minimum(ranks, number + 1)]
    return np.where(ranks > 0, above / np.maximum(ranks, 1) + np.where(number > above, beyond, 0.0), 0.0)
