"""The judgments, arranged for looking up.

Grades are looked up in two ways, with one answer: in dictionaries for documents that are lists of strings, and by
64-bit hashes in C for documents that are `Names` (a million in two hundredths of a second). Hashes only propose;
equality of the names decides.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import frozen

import measurand.native as native
from measurand.arrays import Cells, IntArray, Keys
from measurand.judged.content import Judgments, Results, bounds_of
from measurand.judged.grades import UNJUDGED, cells_of_grades
from measurand.judged.names import Names


@frozen(eq=False, repr=False)
class _Slots:
    """The judgments of all topics, by hash: each topic has a power of 2 of slots, one topic after the other."""

    names: Names
    offsets: IntArray
    slots: Keys


class GradeIndex:
    """The judgments, arranged for looking up; built once and used for every run."""

    def __init__(self, judgments: Judgments) -> None:
        self.judgments = judgments
        self.position = {topic: i for i, topic in enumerate(judgments.topics)}
        self._cells = cells_of_grades(judgments.codes)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of whole numbers that cells are kept in."""
        return self._cells.dtype

    def cells(self, results: Results) -> Cells:
        """Return the cell of each returned document, row by row.

        Parameters
        ----------
        results
            What a system returned.
        """
        if isinstance(results.documents, list):
            return self._by_dictionary(results, results.documents)
        look_up, slots = native.function("look_up"), self._slots
        if look_up is None or slots is None:
            return self._by_dictionary(results, list(results.documents))
        groups = np.array([self.position.get(topic, -1) for topic in results.topics])
        cells = np.empty(len(results), dtype=self._cells.dtype)
        known = (*slots.names.arrays, self.judgments.bounds, slots.offsets, slots.slots, self._cells.view(np.uint8))
        missing = np.array([UNJUDGED], dtype=cells.dtype).view(np.uint8)
        look_up(*results.documents.arrays, results.bounds, groups, *known, missing, cells.view(np.uint8))
        return cells

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
        cells = np.full(len(documents), UNJUDGED, dtype=self._cells.dtype)
        for topic, (start, stop) in zip(results.topics, pairwise(results.bounds.tolist()), strict=True):
            known = self._dictionaries.get(topic)
            if known is not None:
                cells[start:stop] = [known.get(document, UNJUDGED) for document in documents[start:stop]]
        return cells

    @cached_property
    def _slots(self) -> _Slots | None:
        """What loops in C look up in; None without them, or if a document stands twice in a topic."""
        fill_slots = native.function("fill_slots")
        if fill_slots is None:
            return None
        names = Names.of(self.judgments.documents)
        sizes = [1 << max(2, (2 * size - 1).bit_length()) for size in np.diff(self.judgments.bounds).tolist()]
        offsets = bounds_of(sizes)
        slots = np.empty(int(offsets[-1]), dtype=np.uint64)
        repeat = fill_slots(*names.arrays, self.judgments.bounds, offsets, slots)
        return None if repeat >= 0 else _Slots(names, offsets, slots)
