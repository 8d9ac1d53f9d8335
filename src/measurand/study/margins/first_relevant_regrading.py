"""Other grades under reciprocal rank, where nothing matters but the first relevant document of each run.

It is never better than this: make the k first relevant documents of the better run not relevant, and at most one other
document relevant. So the table is filled by trying all k, and is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.measures.catalogue import is_own
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.study.margins.regrading import moves_of, seen_ranks
from measurand.study.margins.regrading_tables import TopicTable

if TYPE_CHECKING:
    from measurand.study.margins.documents import PairDocuments

DEEPEST = 64
"""So many relevant documents from the top are taken their relevance at most."""


def is_first_relevant(documents: PairDocuments) -> bool:
    """Return whether a measure is the reciprocal rank of the first relevant document.

    Parameters
    ----------
    documents
        The documents of two systems.
    """
    measure = documents.pair.measure
    own = is_own(measure) and isinstance(measure, ReciprocalRank) and measure.is_defined_by(ReciprocalRank)
    return own and documents.pair.judged.groups is None


class FirstRelevantTable(TopicTable):
    """The table of a topic under reciprocal rank, which is exact.

    Parameters
    ----------
    documents
        The documents of two systems.
    topic
        The place of the topic.
    """

    def __init__(self, documents: PairDocuments, topic: int) -> None:
        moves = moves_of(documents, topic)
        ranks = seen_ranks(documents, topic)[:, moves.members[moves.starts[moves.kinds]]]
        # what the document of each move would be worth in either run as the first relevant one
        self._worth = np.divide(1.0, ranks, out=np.zeros(ranks.shape), where=ranks > 0)
        self._relevant = moves.olds >= documents.pair.measure.lowest
        self._before = float(documents.pair.differences[topic])
        super().__init__(documents, moves, np.zeros(len(moves)))
        self._lower = self._lowered()
        self.singles = self._single()
        self._fill()

    def _lowered(self) -> IntArray:
        """Return the relevant documents of the better run, the first first."""
        there = np.flatnonzero(self._relevant & (self._worth[0] > 0))
        return there[np.argsort(-self._worth[0, there], kind="stable")]

    def _single(self) -> FloatArray:
        """Return what every single change does."""
        after = []
        for worth in self._worth:
            first = np.where(self._relevant, worth, 0.0)
            best, second = np.sort(np.append(first, [0.0, 0.0]))[-1:-3:-1]
            raised = np.maximum(worth, best)
            # ranks differ, so that one document alone is the first
            lowered = np.where(first == best, second, best)
            after.append(np.where(self._relevant, lowered, raised))
        return np.asarray(self._before - (after[0] - after[1]))

    def _fill(self) -> None:
        """Take the first relevant documents their relevance, and make one other document relevant or none."""
        relevant, most = self._relevant.copy(), min(DEEPEST, len(self._lower))
        for size in range(most + 1):
            if size:
                relevant[self._lower[size - 1]] = False
            taken = self._lower[:size]
            now = [float(worth[relevant].max(initial=0.0)) for worth in self._worth]
            self.learn(size, self._before - (now[0] - now[1]), taken)
            others = np.flatnonzero(~self._relevant)
            if len(others):
                after = np.maximum(self._worth[0, others], now[0]) - np.maximum(self._worth[1, others], now[1])
                best = int(after.argmin())
                self.learn(size + 1, self._before - float(after[best]), np.append(taken, others[best]))
        whole = most == len(self._lower)
        self.finish(self.moves.judgments if whole else most)
