"""Other grades under measures that count relevant documents, where it matters only which runs a document stands in.

Documents of the better run alone, of the other alone, of both and of neither are four classes. Within a class it would
be idle to make one document relevant and another not, so that a set of changes is four whole numbers: how many
documents more, or fewer, are relevant in each class.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.measures.catalogue import is_own
from measurand.measures.counting import Counting, Counts
from measurand.study.margins.regrading import counts_fit, moves_of, seen_ranks
from measurand.study.margins.regrading_tables import TopicTable

if TYPE_CHECKING:
    from measurand.study.margins.documents import PairDocuments

FIRST = 10
"""All sets of up to so many changes of a topic are looked at at first."""

DEEPEST = 22
"""All sets of up to so many changes of a topic are looked at at most."""

LEAP = 300
"""Where many changes are tried at once, so many documents of a class are changed at most."""

WIDTH = 6
"""So many sets of changes are carried on."""

CLASSES = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
"""Whether the better run has the documents of a class, and whether the other has them."""


def is_counting(documents: PairDocuments) -> bool:
    """Return whether a measure is a function of numbers of documents within fixed ranks.

    Parameters
    ----------
    documents
        The documents of two systems.
    """
    pair, measure = documents.pair, documents.pair.measure
    plain = isinstance(measure, Counting) and type(measure).ranks is Counting.ranks and is_own(measure)
    return plain and not measure.judged_only and pair.judged.groups is None and counts_fit(documents)


class CountingTable(TopicTable):
    """What so many changes of one topic can do under such a measure.

    Parameters
    ----------
    documents
        The documents of two systems.
    topic
        The place of the topic.
    """

    def __init__(self, documents: PairDocuments, topic: int) -> None:
        moves, here, pair = moves_of(documents, topic), documents.topics[topic], documents.pair
        assert isinstance(pair.measure, Counting)
        rel, judged = pair.measure.lowest, pair.judged
        self._measure, self._sign = pair.measure, -1 if pair.scores.lower_is_better else 1
        self._base = int(here.counts[rel:].sum())
        self._ranks = float(pair.measure.ranks(judged.depth, self._base))
        within = judged.cells[:, topic, : int(self._ranks)]
        self._relevant, self._judged = (within >= rel).sum(axis=1), (within >= 0).sum(axis=1)
        self._retrieved = np.minimum(judged.lengths[:, topic], self._ranks)
        self._before = float(pair.differences[topic])
        ranks = np.append(seen_ranks(documents, topic) > 0, [[False], [False]], axis=1)
        where = ranks[:, moves.members[moves.starts[moves.kinds]]].T
        self._class = (where[:, None] == CLASSES).all(axis=2).argmax(axis=1)
        self._up = moves.olds < rel
        unit = np.zeros((len(moves), len(CLASSES)), dtype=np.int64)
        unit[np.arange(len(moves)), self._class] = np.where(self._up, 1, -1)
        super().__init__(documents, moves, self._falls(unit))
        self._pools = [
            [np.repeat(mine, moves.room[moves.kinds[mine]]) for mine in map(np.flatnonzero, self._sides(place))]
            for place in range(len(CLASSES))
        ]
        self._beam, self._size = np.zeros((1, len(CLASSES)), dtype=np.int64), 0
        self._look(min(FIRST, moves.judgments))

    def _sides(self, place: int) -> tuple[BoolArray, BoolArray]:
        """Return which moves make documents of a class relevant, and which do the opposite."""
        here = self._class == place
        return here & self._up, here & ~self._up

    def _falls(self, more: IntArray) -> FloatArray:
        """Return by how much the difference falls if so many documents more of each class are relevant."""
        values = []
        for system in range(2):
            relevant = self._relevant[system] + more @ CLASSES[:, system]
            # where a document is not judged, it counts as one that is not relevant
            counts = Counts(
                relevant.astype(float),
                self._ranks,
                (self._base + more.sum(axis=1)).astype(float),
                float(self._retrieved[system]),
                float(self._judged[system]),
            )
            with np.errstate(divide="ignore", invalid="ignore"):
                values.append(np.broadcast_to(np.asarray(self._measure.count(counts), dtype=float), len(more)))
        return np.asarray(self._before - self._sign * (values[0] - values[1]))

    def _look(self, most: int) -> None:
        """Look at all sets of up to so many changes."""
        vectors = _vectors(len(CLASSES), most)
        sizes = np.abs(vectors).sum(axis=1)
        vectors = vectors[(sizes > self.complete) & self._allowed(vectors)]
        sizes, falls = np.abs(vectors).sum(axis=1), self._falls(vectors)
        for size in range(self.complete + 1, most + 1):
            mine = np.flatnonzero(sizes == size)
            self._keep(vectors[mine], falls[mine], size)
            self.finish(size)

    def _allowed(self, vectors: IntArray) -> BoolArray:
        """Return where there are so many documents."""
        rooms = np.array([[len(side) for side in pools] for pools in self._pools])
        return np.asarray(((vectors <= rooms[:, 0]) & (-vectors <= rooms[:, 1])).all(axis=1))

    def _keep(self, vectors: IntArray, falls: FloatArray, size: int) -> None:
        """Note what some sets of one size do; the best of them are carried on."""
        best = np.argsort(-falls, kind="stable")[:WIDTH]
        self._beam, self._size = vectors[best], size
        if len(best):
            self.learn(size, float(falls[best[0]]), self._chosen(vectors[best[0]]))

    @property
    def looked(self) -> int:
        """As many as were combined."""
        return self._size

    @property
    def stride(self) -> int:
        """Sets of many changes cost little."""
        return 40

    def grow(self) -> bool:
        """Try one change more of each class with each of the sets that are carried on."""
        if not len(self._beam):
            return False
        units = np.concatenate((np.eye(len(CLASSES), dtype=np.int64), -np.eye(len(CLASSES), dtype=np.int64)))
        more = np.unique((self._beam[:, None] + units).reshape(-1, len(CLASSES)), axis=0)
        more = more[(np.abs(more).sum(axis=1) == self._size + 1) & self._allowed(more)]
        self._keep(more, self._falls(more), self._size + 1)
        return bool(len(more))

    def leap(self) -> None:
        """Change any number of documents of one class, and of each other class all or none."""
        rooms = [(-len(fewer), len(more)) for more, fewer in self._pools]
        for place, (least, most) in enumerate(rooms):
            ends = [sorted({0, *(end for end in room if abs(end) <= LEAP)}) for room in rooms]
            ends[place] = list(range(max(least, -LEAP), min(most, LEAP) + 1))
            vectors = np.array(list(product(*ends)), dtype=np.int64)
            sizes, falls = np.abs(vectors).sum(axis=1), self._falls(vectors)
            ordered = np.lexsort((-falls, sizes))
            first = np.unique(sizes[ordered], return_index=True)[1]
            for best in ordered[first].tolist():
                if sizes[best] and falls[best] > self.falls[min(int(sizes[best]), len(self.falls) - 1)]:
                    self.learn(int(sizes[best]), float(falls[best]), self._chosen(vectors[best]))

    def refine(self, size: int) -> bool:
        """Look at all sets of up to so many changes, if there are few enough."""
        if not self.complete < size <= DEEPEST:
            return False
        beam, length = self._beam, self._size
        self._look(size)
        if length > size:
            self._beam, self._size = beam, length
        return True

    def _chosen(self, vector: IntArray) -> IntArray:
        """Return moves that make so many documents more of each class relevant."""
        parts = [pools[0 if more > 0 else 1][: abs(more)] for pools, more in zip(self._pools, vector, strict=True)]
        return np.concatenate(parts).astype(np.int64)


@lru_cache(maxsize=16)
def _vectors(classes: int, most: int) -> IntArray:
    """Return all whole numbers, one for each class, whose absolute values sum to so many at most."""
    if not classes:
        return np.zeros((1, 0), dtype=np.int64)
    parts = [
        np.column_stack((np.full(len(rest), first), rest))
        for first in range(-most, most + 1)
        for rest in [_vectors(classes - 1, most - abs(first))]
    ]
    found = np.concatenate(parts)
    found.setflags(write=False)
    return found
