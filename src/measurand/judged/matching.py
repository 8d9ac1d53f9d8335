"""Looking up the grade of every returned document.

There are two ways, with one answer: dictionaries for documents that are lists of strings (nothing to
load, quick for a file or two), and 64-bit hashes for documents that are polars series (a million in a
few hundredths of a second). Hashes only propose; equality of the names decides.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells, IntArray, Keys
from measurand.judged.cells import UNJUDGED, cells_of_grades
from measurand.judged.content import Judgments, Results, hashes_of

if TYPE_CHECKING:
    import polars as pl


_SIEVE_BITS = np.uint64(12)


@frozen(eq=False)
class _Hashed:
    """The judgments of all topics, sorted by hash within each topic.

    `sieve` tells for each topic which first bits of a hash occur at all: most documents of a run are not
    judged, and it is quicker to notice that than to look for them.
    """

    documents: pl.Series
    hashes: Keys
    row: IntArray
    sieve: BoolArray
    ambiguous: bool


class GradeIndex:
    """The judgments, arranged for looking up; built once and used for every run."""

    def __init__(self, judgments: Judgments) -> None:
        self.judgments = judgments
        self.position = {topic: i for i, topic in enumerate(judgments.topics)}
        self._cells = cells_of_grades(judgments.grades)

    def cells(self, results: Results) -> Cells:
        """Return what the judgments say of each returned document, row by row."""
        if isinstance(results.documents, list):
            return self._by_dictionary(results, results.documents)
        if self._hashed.ambiguous:
            return self._by_dictionary(results, results.documents.to_list())
        return self._by_hash(results, results.documents)

    @cached_property
    def _dictionaries(self) -> dict[str, dict[str, int]]:
        documents, cells = list(self.judgments.documents), self._cells.tolist()
        return {
            topic: dict(zip(documents[start:stop], cells[start:stop], strict=True))
            for topic, (start, stop) in zip(
                self.judgments.topics, pairwise(self.judgments.bounds.tolist()), strict=True
            )
        }

    def _by_dictionary(self, results: Results, documents: list[str]) -> Cells:
        cells = np.full(len(documents), UNJUDGED, dtype=np.int8)
        for topic, (start, stop) in zip(results.topics, pairwise(results.bounds.tolist()), strict=True):
            known = self._dictionaries.get(topic)
            if known is not None:
                cells[start:stop] = [known.get(document, UNJUDGED) for document in documents[start:stop]]
        return cells

    @cached_property
    def _hashed(self) -> _Hashed:
        import polars as pl

        documents = self.judgments.documents
        series = pl.Series(documents, dtype=pl.String) if isinstance(documents, list) else documents
        hashes = hashes_of(series) if self.judgments.hashes is None else self.judgments.hashes
        topic = np.repeat(np.arange(len(self.judgments.topics)), np.diff(self.judgments.bounds))
        row = np.lexsort((hashes, topic))
        hashes = hashes[row]
        # two documents of one topic with one hash: so unlikely that it need not be quick
        twins = (hashes[1:] == hashes[:-1]) & (topic[1:] == topic[:-1])
        sieve = np.zeros((len(self.judgments.topics), 1 << int(_SIEVE_BITS)), dtype=bool)
        sieve[topic, _first_bits(hashes)] = True
        return _Hashed(series, hashes, row, sieve, bool(twins.any()))

    def _by_hash(self, results: Results, documents: pl.Series) -> Cells:
        hashes = hashes_of(documents) if results.hashes is None else results.hashes
        first_bits = _first_bits(hashes)
        bounds = self.judgments.bounds.tolist()
        rows, judgments = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        for topic, (start, stop) in zip(results.topics, pairwise(results.bounds.tolist()), strict=True):
            number = self.position.get(topic)
            if number is None:
                continue
            maybe = start + np.flatnonzero(self._hashed.sieve[number][first_bits[start:stop]])
            mine, theirs = hashes[maybe], slice(bounds[number], bounds[number + 1])
            known = self._hashed.hashes[theirs]
            place = np.minimum(np.searchsorted(known, mine), len(known) - 1)
            found = known[place] == mine
            rows.append(maybe[found])
            judgments.append(self._hashed.row[theirs][place[found]])
        row, judgment = np.concatenate(rows), np.concatenate(judgments)
        sure = (documents.gather(row) == self._hashed.documents.gather(judgment)).to_numpy()
        cells = np.full(len(documents), UNJUDGED, dtype=np.int8)
        cells[row[sure]] = self._cells[judgment[sure]]
        return cells


def _first_bits(hashes: Keys) -> IntArray:
    return np.asarray(hashes >> (np.uint64(64) - _SIEVE_BITS), dtype=np.int64)
