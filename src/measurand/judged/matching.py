"""Looking up the grade of every returned document.

There are two ways, with one answer: dictionaries for documents that are lists of strings (nothing to
load, quick for a file or two), and a join on 64-bit hashes for documents that are polars series (a
million a few hundredths of a second). Hashes only propose; equality of the names decides.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import Cells, IntArray, Keys
from measurand.judged.cells import UNJUDGED, cells_of_grades
from measurand.judged.content import Judgments, Results

if TYPE_CHECKING:
    import polars as pl


_SPREAD = np.uint64(0x9E3779B97F4A7C15)


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
        return self._by_join(results, results.documents)

    @cached_property
    def _dictionaries(self) -> dict[str, dict[str, int]]:
        documents, cells, bounds = list(self.judgments.documents), self._cells.tolist(), self.judgments.bounds.tolist()
        return {
            topic: dict(zip(documents[start:stop], cells[start:stop], strict=True))
            for topic, start, stop in zip(self.judgments.topics, bounds, bounds[1:], strict=False)
        }

    def _by_dictionary(self, results: Results, documents: list[str]) -> Cells:
        cells = np.full(len(documents), UNJUDGED, dtype=np.int8)
        bounds = results.bounds.tolist()
        for topic, start, stop in zip(results.topics, bounds, bounds[1:], strict=False):
            known = self._dictionaries.get(topic)
            if known is not None:
                cells[start:stop] = [known.get(document, UNJUDGED) for document in documents[start:stop]]
        return cells

    @cached_property
    def _table(self) -> tuple[pl.DataFrame, pl.Series]:
        import polars as pl

        documents = self.judgments.documents
        series = pl.Series(documents, dtype=pl.String) if isinstance(documents, list) else documents
        keys = row_keys(series, self.judgments.bounds, np.arange(len(self.judgments.topics)))
        return pl.DataFrame({"key": keys, "judgment": np.arange(len(keys), dtype=np.uint32)}), series

    def _by_join(self, results: Results, documents: pl.Series) -> Cells:
        import polars as pl

        table, judged = self._table
        numbers = np.array([self.position.get(topic, len(self.position)) for topic in results.topics])
        keys = row_keys(documents, results.bounds, numbers)
        rows = pl.DataFrame({"key": keys, "row": np.arange(len(keys), dtype=np.uint32)})
        found = rows.join(table, on="key", how="inner")
        row, judgment = found["row"], found["judgment"]
        same_name = documents.gather(row) == judged.gather(judgment)
        same_topic = topic_of_rows(results.bounds, numbers)[row.to_numpy()] == topic_of_rows(
            self.judgments.bounds, np.arange(len(self.position))
        ).take(judgment.to_numpy())
        sure = same_name.to_numpy() & same_topic
        cells = np.full(len(documents), UNJUDGED, dtype=np.int8)
        cells[row.to_numpy()[sure]] = self._cells[judgment.to_numpy()[sure]]
        return cells


def topic_of_rows(bounds: IntArray, numbers: IntArray) -> IntArray:
    """Return the number of its topic for each row."""
    return np.repeat(numbers.astype(np.int64), np.diff(bounds))


def row_keys(documents: pl.Series, bounds: IntArray, numbers: IntArray) -> Keys:
    """Return a 64-bit key for each pair of topic and document: equal pairs have equal keys."""
    mixed = documents.hash().to_numpy() ^ (topic_of_rows(bounds, numbers).astype(np.uint64) * _SPREAD)
    return np.asarray(mixed, dtype=np.uint64)
