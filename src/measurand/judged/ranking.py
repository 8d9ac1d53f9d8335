"""The ranking of a run: its rows best first, topic after topic, by one rule for every measure.

`trec` sorts by score, best first, and documents of equal score by identifier, last first, which is trec_eval's rule;
the rank column plays no part. `file` keeps the order of the source. All others, and no rule at all, sort like `trec`
and remember which documents were tied, so that a measure can look at every order of these.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from attrs import frozen

import measurand.native as native
from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.judged.content import Results
from measurand.judged.tie_groups import OverTies


class Ties(StrEnum):
    """What to do with documents of equal score."""

    TREC = "trec"
    FILE = "file"
    EXPECTED = "expected"
    MIN = "min"
    MAX = "max"
    GROUPS = "groups"

    @property
    def over(self) -> OverTies | None:
        """What is taken of all orders of tied documents, if they are left open."""
        return None if self in (Ties.TREC, Ties.FILE) else OverTies(str(self))


class Precision(StrEnum):
    """How scores are compared: as doubles, or rounded to 32-bit floats as trec_eval did before 10."""

    DOUBLE = "double"
    SINGLE = "single"


@frozen(eq=False, repr=False)
class Ranking:
    """The rows of a run, best first within each topic, and which of them tie with the row before.

    Parameters
    ----------
    rows
        The rows, topic after topic.
    tied
        Which of them tie with the row before; None if that is not kept.
    is_whole
        Whether they are all rows of the run, as they stand there.
    """

    rows: IntArray
    tied: BoolArray | None
    is_whole: bool = False


def rank(results: Results, topics: IntArray, ties: Ties | None, precision: Precision) -> Ranking:
    """Return the rows of the topics at positions `topics`, topic after topic, best first.

    Parameters
    ----------
    results
        The documents and scores of a system.
    topics
        Positions in `results.topics`, in the order wanted.
    ties
        The rule; None is trec_eval's, and which documents tie is remembered.
    precision
        How scores are compared.

    Examples
    --------
    >>> results = Results.from_mapping("a", {"1": {"d1": 1.0, "d2": 3.0, "d3": 1.0}})
    >>> rank(results, np.array([0]), Ties.TREC, Precision.DOUBLE).rows.tolist()
    [1, 2, 0]
    """
    if ties is Ties.FILE:
        return Ranking(_gather(results.bounds, topics)[0], None)
    scores = results.document_scores
    if precision is Precision.SINGLE:
        with np.errstate(over="ignore"):  # beyond the range of single precision all scores tie
            scores = scores.astype(np.float32).astype(np.float64)
    keeps_ties = ties is None or ties.over is not None
    rank_rows = native.function("rank_rows")
    if rank_rows is None or isinstance(results.documents, list):
        return _ranked(results, topics, scores, keeps_ties)
    size = int(np.diff(results.bounds)[topics].sum())
    rows, tied = np.empty(size, dtype=np.int64), np.empty(size, dtype=bool)
    in_order = rank_rows(*results.documents.arrays, results.bounds, scores, topics, rows, tied)
    whole = in_order and size == len(results) and bool((np.diff(topics) == 1).all())
    return Ranking(rows, tied if keeps_ties else None, whole)


def _ranked(results: Results, topics: IntArray, scores: FloatArray, keeps_ties: bool) -> Ranking:
    """Return the ranking of documents that are a list of strings."""
    rows, sizes = _gather(results.bounds, topics)
    scores = scores[rows]
    first = np.zeros(len(rows), dtype=bool)
    first[np.cumsum(sizes) - sizes] = True
    # most runs arrive sorted: only topics where a score does not fall are touched
    amiss = ~first[1:] & ~(scores[1:] < scores[:-1])
    if amiss.any():
        order = _sorted(scores, first, amiss)
        rows, scores = rows[order], scores[order]
        order = _break_ties(results, rows, (scores[1:] == scores[:-1]) & ~first[1:])
        rows, scores = rows[order], scores[order]
    tied = None
    if keeps_ties:
        tied = np.concatenate(([False], (scores[1:] == scores[:-1]) & ~first[1:]))
    return Ranking(rows, tied)


def _gather(bounds: IntArray, topics: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rows of some topics, topic after topic, and how many each has."""
    sizes = np.diff(bounds)[topics]
    if (np.diff(topics) == 1).all():
        return np.arange(bounds[topics[0]], bounds[topics[-1] + 1]), sizes
    before = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) + np.repeat(bounds[topics] - before, sizes), sizes


def _sorted(scores: FloatArray, first: BoolArray, amiss: BoolArray) -> IntArray:
    """Return the order that puts every topic's scores best first, equal scores as they come."""
    order = np.arange(len(scores))
    starts = np.append(np.flatnonzero(first), len(scores))
    for topic in sorted(set((np.searchsorted(starts, np.flatnonzero(amiss), side="right") - 1).tolist())):
        span = slice(starts[topic], starts[topic + 1])
        order[span] = starts[topic] + np.argsort(-scores[span], kind="stable")
    return order


def _break_ties(results: Results, rows: IntArray, equal: BoolArray) -> IntArray:
    """Return the order that puts tied documents by identifier, last first, and moves nothing else.

    Parameters
    ----------
    equal
        Which rows, from the second on, tie with the row before them.
    """
    order = np.arange(len(rows))
    tied = np.concatenate(([False], equal))
    where = np.flatnonzero(np.concatenate((equal, [False])) | tied)
    if len(where):
        # a span of ties starts at each of these rows that is not tied with the one before it
        span = np.cumsum(~tied[where])
        order[where] = where[np.lexsort((_backwards(results, rows[where]), span))]
    return order


def _backwards(results: Results, rows: IntArray) -> IntArray:
    """Return numbers that order the documents at `rows` by identifier, last first."""
    names = [results.documents[row] for row in rows.tolist()]
    places = {name: -i for i, name in enumerate(sorted(set(names)))}
    return np.array([places[name] for name in names])
