"""Which documents stand where: a fingerprint for every rank, and for the set of documents down to every rank.

Judged runs hold grades. Whether two systems returned the same documents, in whatever order, is a question about names;
it is answered from 64-bit fingerprints of these. The names are kept for lists of documents to look at again; those of
large runs once for all systems.
"""

from __future__ import annotations

import sys
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, IntArray, Keys
from measurand.judged.content import Results, compact, documents_at, hashes_of

if TYPE_CHECKING:
    import polars as pl

    from measurand.judged.content import Documents

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FACTORS = (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB))
_LAST = np.uint64(31)

_SLOTS = 1 << 21
"""How many fingerprints are remembered while names are gathered."""


class SharedNames:
    """The names of the documents of several runs, by fingerprint.

    Examples
    --------
    >>> names = SharedNames()
    >>> names.add(np.array([7, 9], dtype=np.uint64), ["d7", "d9"])
    >>> names.of(9)
    'd9'
    """

    def __init__(self) -> None:
        self._keys: list[Keys] = []
        self._names: list[Documents] = []
        self._sorted = False

    def add(self, keys: Keys, names: Documents) -> None:
        """Add some documents, of which some may be there already.

        Parameters
        ----------
        keys
            Their fingerprints.
        names
            Their names, in the same order.
        """
        self._keys.append(keys)
        self._names.append(names)

    def of(self, key: int) -> str:
        """Return the name of a document that was added.

        Parameters
        ----------
        key
            Its fingerprint.
        """
        if len(self._keys) != 1 or not self._sorted:
            self._sort()
        return str(self._names[0][int(np.searchsorted(self._keys[0], np.uint64(key)))])

    def _sort(self) -> None:
        """Put all that was added together, by fingerprint."""
        import polars as pl

        keys = np.concatenate(self._keys)
        order = np.argsort(keys)
        names = pl.concat([pl.Series(part, dtype=pl.String) for part in self._names])
        self._keys, self._names, self._sorted = [keys[order]], [names.gather(order)], True


@frozen(eq=False, repr=False)
class RankedDocuments:
    """The documents of one system, best first, as fingerprints.

    Parameters
    ----------
    keys
        The fingerprints, topic after topic: equal names have equal ones. Only those that were made by one
        `Fingerprints` can be compared.
    lengths
        How many documents each topic has.
    names
        The names of the documents, in the same order, or those of all runs by fingerprint; None if nobody needs them.
    """

    keys: Keys
    lengths: IntArray
    names: Documents | SharedNames | None = None

    def __attrs_post_init__(self) -> None:
        for array in (self.keys, self.lengths):
            array.setflags(write=False)

    @cached_property
    def sets(self) -> Keys:
        """A fingerprint of the set of documents down to each rank, topics × ranks of the longest topic.

        Beyond the end of a topic it stays what it is there.

        Examples
        --------
        >>> one, other = (RankedDocuments(np.array(keys, dtype=np.uint64), np.array([2])) for keys in ([7, 9], [9, 7]))
        >>> (one.sets == other.sets).tolist()
        [[False, True]]
        """
        filled = np.arange(self.lengths.max(initial=0)) < self.lengths[:, None]
        sums = np.zeros(filled.shape, dtype=np.uint64)
        sums[filled] = _mixed(self.keys)
        np.cumsum(sums, axis=1, out=sums)  # wraps around
        sums.setflags(write=False)
        return sums

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
        shared = self.names is None or isinstance(self.names, SharedNames)
        names = self.names if shared else documents_at(cast("Documents", self.names), rows)
        return RankedDocuments(self.keys[rows], self.lengths[topics], names)

    def name(self, place: int) -> str | None:
        """Return the name of a document; None if names were not kept.

        Parameters
        ----------
        place
            Where the document stands, topic after topic.

        Examples
        --------
        >>> RankedDocuments(np.array([7, 8], dtype=np.uint64), np.array([2]), ["d7", "d8"]).name(1)
        'd8'
        """
        if self.names is None:
            return None
        if isinstance(self.names, SharedNames):
            return self.names.of(int(self.keys[place]))
        return str(self.names[place])

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
        beyond = depth - self.sets.shape[1]
        if beyond <= 0:
            return self.sets[:, :depth]
        ends = self.sets[:, -1:] if self.sets.shape[1] else np.zeros((len(self.sets), 1), dtype=np.uint64)
        return np.concatenate((self.sets, np.repeat(ends, beyond, axis=1)), axis=1)


class Fingerprints:
    """Fingerprints of the documents of several runs, comparable between these runs alone.

    The first run decides how they are made, because lists of strings and polars series have hashes of their own, and
    no names are kept to make them anew: by polars if that is loaded, and by Python if not. Systems of one campaign
    return much the same documents, so names that come as a series are kept once, or a few times where two documents
    compete for a slot.
    """

    def __init__(self) -> None:
        self._by_polars: bool | None = None
        self._names = SharedNames()
        self._slots: Keys | None = None

    def of(self, results: Results, rows: IntArray, lengths: IntArray) -> RankedDocuments:
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
        >>> first, second, third = Fingerprints().of(run, np.array([0, 1, 2]), np.array([2, 1])).keys.tolist()
        >>> first == second, second == third
        (False, True)
        """
        keys, documents = self._keys(results).take(rows), results.documents
        if isinstance(documents, list):
            return RankedDocuments(keys, lengths, documents_at(documents, rows))
        new = self._new(keys)
        self._names.add(keys[new], compact(documents_at(documents, rows[new])))
        return RankedDocuments(keys, lengths, self._names)

    def _new(self, keys: Keys) -> IntArray:
        """Return the places of fingerprints whose slot holds another one, and put them there."""
        if self._slots is None:
            # no slot begins with a fingerprint that belongs there
            self._slots = np.arange(_SLOTS, dtype=np.uint64) ^ np.uint64(1)
        slots = keys & np.uint64(len(self._slots) - 1)
        new = np.flatnonzero(self._slots[slots] != keys)
        self._slots[slots[new]] = keys[new]
        return new

    def _keys(self, results: Results) -> Keys:
        documents = results.documents
        if self._by_polars is None:
            self._by_polars = "polars" in sys.modules
        if not self._by_polars:
            names = documents if isinstance(documents, list) else documents.to_list()
            return np.fromiter(map(hash, names), dtype=np.int64, count=len(names)).view(np.uint64)
        if results.hashes is not None:
            return results.hashes
        return hashes_of(_series(documents) if isinstance(documents, list) else documents)


def _series(names: list[str]) -> pl.Series:
    """Return names as a series; what UTF-8 does not have is written out."""
    import polars as pl

    try:
        return pl.Series(names, dtype=pl.String)
    except UnicodeEncodeError:
        return pl.Series([name.encode(errors="backslashreplace").decode() for name in names], dtype=pl.String)


def _mixed(keys: Keys) -> Keys:
    """Return keys so mixed that sums of them say little of the keys: the last step of the generator splitmix64."""
    mixed = keys + _STEP
    for shift, factor in _FACTORS:
        mixed ^= mixed >> shift
        mixed *= factor
    return mixed ^ (mixed >> _LAST)
