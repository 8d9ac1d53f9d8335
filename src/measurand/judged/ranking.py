"""From scored documents to a ranking: one documented rule for every measure.

`trec` sorts by score, best first, and documents of equal score by identifier, last first, which is
trec_eval's rule; the rank column plays no part. `file` keeps the order of the source. `groups` sorts
like `trec` and remembers which documents were tied.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from measurand.judged.content import FloatArray, IntArray, Results

BoolArray = NDArray[np.bool_]


class Ties(StrEnum):
    """What to do with documents of equal score."""

    TREC = "trec"
    FILE = "file"
    GROUPS = "groups"


class Precision(StrEnum):
    """How scores are compared: as doubles, or rounded to 32-bit floats as trec_eval did before 10."""

    DOUBLE = "double"
    SINGLE = "single"


@frozen(eq=False)
class Ranking:
    """The rows of a run, best first within each topic, and which of them tie with the row before."""

    rows: IntArray
    tied: BoolArray | None


def rank(results: Results, topics: IntArray, ties: Ties, precision: Precision) -> Ranking:
    """Return the rows of the topics at positions `topics`, topic after topic, best first.

    Parameters
    ----------
    topics
        Positions in `results.topics`, in the order wanted.

    Examples
    --------
    >>> results = Results.from_mapping("a", {"1": {"d1": 1.0, "d2": 3.0, "d3": 1.0}})
    >>> rank(results, np.array([0]), Ties.TREC, Precision.DOUBLE).rows.tolist()
    [1, 2, 0]
    """
    rows, groups = _gather(results.bounds, topics)
    if ties is Ties.FILE:
        return Ranking(rows, None)
    scores = results.scores[rows]
    if precision is Precision.SINGLE:
        scores = scores.astype(np.float32).astype(np.float64)
    same_topic = groups[1:] == groups[:-1]
    if not (scores[1:] < scores[:-1])[same_topic].all():
        order = np.lexsort((-scores, groups))
        rows, scores = rows[order], scores[order]
        order = _break_ties(results, rows, scores, groups)
        rows, scores = rows[order], scores[order]
    tied = None
    if ties is Ties.GROUPS:
        tied = np.concatenate(([False], (scores[1:] == scores[:-1]) & same_topic))[: len(rows)]
    return Ranking(rows, tied)


def _gather(bounds: IntArray, topics: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rows of some topics and, beside each row, which of these topics it belongs to."""
    sizes = np.diff(bounds)[topics]
    groups = np.repeat(np.arange(len(topics)), sizes)
    if len(topics) and (np.diff(topics) == 1).all():
        return np.arange(bounds[topics[0]], bounds[topics[-1] + 1]), groups
    before = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) + np.repeat(bounds[topics] - before, sizes), groups


def _break_ties(results: Results, rows: IntArray, scores: FloatArray, groups: IntArray) -> IntArray:
    """Return the order that puts tied documents by identifier, last first, and moves nothing else."""
    order = np.arange(len(rows))
    equal = (scores[1:] == scores[:-1]) & (groups[1:] == groups[:-1])
    touched = np.concatenate((equal, [False])) | np.concatenate(([False], equal))
    where = np.flatnonzero(touched)
    if not len(where):
        return order
    # a span starts at each touched row that is not tied with the one before it
    span = np.cumsum(~np.concatenate(([False], equal))[where])
    order[where] = where[np.lexsort((_backwards(results, rows[where]), span))]
    return order


def _backwards(results: Results, rows: IntArray) -> IntArray:
    """Return numbers that order the documents at `rows` by identifier, last first."""
    if isinstance(results.documents, list):
        names = [results.documents[row] for row in rows.tolist()]
        places = {name: -i for i, name in enumerate(sorted(set(names)))}
        return np.array([places[name] for name in names])
    # strings of polars compare byte by byte, as trec_eval's do
    return -results.documents.gather(rows).rank("dense").to_numpy().astype(np.int64)
