"""Which documents stand where: a fingerprint for every rank, and for the set of documents down to every rank.

Judged runs hold grades. Whether two systems returned the same documents, in whatever order, is a question about names;
it is answered from 64-bit fingerprints of these. The names are kept for lists of documents to look at again.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

import measurand.native as native
from measurand.arrays import BoolArray, IntArray, Keys
from measurand.execution.memory import check_memory
from measurand.judged.content import Results, documents_at
from measurand.judged.names import Names
from measurand.judged.ragged import Ragged

if TYPE_CHECKING:
    from measurand.judged.content import Documents

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FACTORS = (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB))
_LAST = np.uint64(31)


@frozen(eq=False, repr=False)
class RankedDocuments:
    """The documents of one system, best first, as fingerprints.

    Parameters
    ----------
    keys
        The fingerprints, topic after topic: equal names have equal ones.
    lengths
        How many documents each topic has.
    names
        The names of the documents, in the same order; None if nobody needs them.
    """

    keys: Keys
    lengths: IntArray
    names: Documents | None = None

    def __attrs_post_init__(self) -> None:
        for array in (self.keys, self.lengths):
            array.setflags(write=False)

    @property
    def sets(self) -> Keys:
        """A fingerprint of the set of documents down to each rank, topics × ranks of the longest topic.

        Beyond the end of a topic it stays what it is there.

        Examples
        --------
        >>> one, other = (RankedDocuments(np.array(keys, dtype=np.uint64), np.array([2])) for keys in ([7, 9], [9, 7]))
        >>> (one.sets == other.sets).tolist()
        [[False, True]]
        """
        return self._sets(int(self.lengths.max(initial=0)))

    @cached_property
    def _known(self) -> dict[int, Keys]:
        """The fingerprints of sets, by how many ranks were looked at."""
        return {}

    def _sets(self, ranks: int) -> Keys:
        """Return the fingerprints of sets down to so many ranks, none of which is below the longest topic."""
        if ranks not in self._known:
            rows = Ragged(self.keys, self.lengths[None], ranks, 0)
            check_memory(
                3 * 8 * len(self.lengths) * ranks,
                f"which documents stand above each of {ranks:,} ranks on {len(self.lengths):,} topics",
                "cut rankings (--depth 1000; depth=1000 in Python)",
            )
            cut = rows.where(rows.within < ranks)
            sums = Ragged(_mixed(cut.values), cut.lengths, ranks, 0).first(ranks)[0].copy()
            np.cumsum(sums, axis=1, out=sums)  # wraps around
            sums.setflags(write=False)
            self._known[ranks] = sums
        return self._known[ranks]

    def on_topics(self, topics: IntArray) -> RankedDocuments:
        """Return the documents of some topics.

        Parameters
        ----------
        topics
            The places of the topics.

        Examples
        --------
        >>> several = RankedDocuments(np.array([7, 8, 9], dtype=np.uint64), np.array([1, 2]), ["d7", "d8", "d9"])
        >>> several.on_topics(np.array([1])).names
        ['d8', 'd9']
        """
        ends = np.cumsum(self.lengths)
        rows = np.concatenate([np.arange(0), *(np.arange(ends[t] - self.lengths[t], ends[t]) for t in topics.tolist())])
        names = None if self.names is None else documents_at(self.names, rows)
        return RankedDocuments(self.keys[rows], self.lengths[topics], names)

    def same(self, other: RankedDocuments, depth: int) -> BoolArray:
        """Return where both have the same set of documents in the first ranks, topics × ranks.

        Parameters
        ----------
        other
            The documents of another system on the same topics.
        depth
            The number of ranks.

        Examples
        --------
        >>> short, long = (RankedDocuments(np.arange(n, dtype=np.uint64), np.array([n])) for n in (1, 2))
        >>> short.same(long, 3).tolist(), short.same(short, 3).tolist()
        ([[True, False, False]], [[True, True, True]])
        """
        as_many = (self.lengths == other.lengths)[:, None]
        as_many = as_many | (np.arange(depth) < np.minimum(self.lengths, other.lengths)[:, None])
        return np.asarray(as_many & (self._down_to(depth) == other._down_to(depth)))

    def _down_to(self, depth: int) -> Keys:
        """Return the fingerprints of sets down to so many ranks, however long the longest topic is."""
        sets = self._sets(min(depth, int(self.lengths.max(initial=0))))
        beyond = depth - sets.shape[1]
        if not beyond:
            return sets
        ends = sets[:, -1:] if sets.shape[1] else np.zeros((len(sets), 1), dtype=np.uint64)
        return np.concatenate((sets, np.repeat(ends, beyond, axis=1)), axis=1)


def ranked_documents(results: Results, rows: IntArray | slice, lengths: IntArray) -> RankedDocuments:
    """Return the documents at some rows of a run.

    Parameters
    ----------
    results
        What a system returned.
    rows
        The rows, topic after topic, best first.
    lengths
        How many of them each topic has.

    Examples
    --------
    >>> run = Results.from_mapping("a", {"1": {"d1": 2.0, "d2": 1.5}, "2": {"d2": 1.0}})
    >>> first, second, third = ranked_documents(run, np.array([0, 1, 2]), np.array([2, 1])).keys.tolist()
    >>> first == second, second == third
    (False, True)
    """
    documents = results.documents
    names = documents[rows] if isinstance(rows, slice) else documents_at(documents, rows)
    return RankedDocuments(_keys(names), lengths, names)


def _keys(names: Documents) -> Keys:
    """Return the fingerprints of names: hashes in C where there are any, of Python where not."""
    if isinstance(names, list) and not native.is_there():
        return np.fromiter(map(hash, names), dtype=np.int64, count=len(names)).view(np.uint64)
    return Names.of(names).hashes


def _mixed(keys: Keys) -> Keys:
    """Return keys so mixed that sums of them say little of the keys: the last step of the generator splitmix64."""
    mixed = keys + _STEP
    for shift, factor in _FACTORS:
        mixed ^= mixed >> shift
        mixed *= factor
    return mixed ^ (mixed >> _LAST)
