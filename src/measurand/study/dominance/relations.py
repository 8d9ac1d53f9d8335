"""How the judged runs of every two systems stand to each other on every topic."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from measurand.arrays import Cells, IntArray
from measurand.errors import Caveat, Doubt, ParameterError
from measurand.exact import whole_number
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns
from measurand.orders import Relation

WIN, TIE, LOSS, INCOMPARABLE, LEFT_OUT = 1, 0, -1, 2, 3
"""What stands for how the first run relates to the second; `LEFT_OUT` if either system left the topic out."""

NAMES: Mapping[int, Relation] = {
    WIN: Relation.GREATER,
    TIE: Relation.EQUAL,
    LOSS: Relation.LESS,
    INCOMPARABLE: Relation.INCOMPARABLE,
}


def relations(judged: JudgedRuns, depth: int, progress: Progress = silent) -> Cells:
    """Return how all judged runs stand to each other within the first `depth` ranks: systems × systems × topics.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 0), (0, 1, 1)], (3, 2))
    >>> relations(judged, 3)[:, :, 0].tolist()
    [[0, 1, 2], [-1, 0, -1], [2, 1, 0]]
    """
    n = len(judged.systems)
    found = np.empty((n, n, len(judged.topics)), dtype=np.int8)
    for t in progress(range(len(judged.topics)), len(judged.topics), "topics compared"):
        found[:, :, t] = _on_a_topic(judged.cells[:, t, :depth])
    if judged.skip_missing:
        absent = ~judged.present
        found[absent[:, None] | absent[None, :]] = LEFT_OUT
    return found


def _on_a_topic(cells: Cells) -> Cells:
    """Return how the runs of one topic stand to each other, systems × systems."""
    places = _places(cells)
    n = len(places)
    found = np.zeros((n, n), dtype=np.int8)
    for one in range(n - 1):
        others = places[one + 1 :]
        ahead, behind = (places[one] < others).any(axis=1), (places[one] > others).any(axis=1)
        row = ahead.astype(np.int8) - behind.astype(np.int8)
        found[one, one + 1 :] = np.where(ahead & behind, INCOMPARABLE, row)
        found[one + 1 :, one] = np.where(ahead & behind, INCOMPARABLE, -row)
    return found


def _places(cells: Cells) -> IntArray:
    """Return for each run where its first, second, … document of grade 1 or more stands, of grade 2 or more, ….

    That one run has as many documents as another down to every rank says the same as that its j-th document
    comes no later for every j, with fewer numbers to compare: as many as documents were found, not as ranks.
    """
    depth = cells.shape[1]
    kind = np.int16 if depth < np.iinfo(np.int16).max else np.int32
    columns = [_places_from(cells >= grade, kind) for grade in np.unique(cells[cells > 0]).tolist()]
    return np.hstack(columns) if columns else np.empty((len(cells), 0), dtype=kind)


def _places_from(found: Cells, kind: type[np.signedinteger]) -> IntArray:
    counts = np.count_nonzero(found, axis=1)
    rows, ranks = np.nonzero(found)
    ordinals = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    # a document that a run has not got would come after its end
    places = np.full((len(found), int(counts.max())), found.shape[1], dtype=kind)
    places[rows, ordinals] = ranks
    return places


def depth_within(judged: JudgedRuns, depth: int | None) -> int:
    """Return the number of ranks to compare, or say that the judged runs have fewer.

    Examples
    --------
    >>> depth_within(JudgedRuns.on_one_topic([(1, 0, 0)], (3, 2)), None)
    3
    """
    if depth is None:
        return judged.depth
    if whole_number("depth", depth) > judged.depth:
        raise ParameterError(f"the judged runs have {judged.depth} ranks, so they cannot be compared down to {depth}")
    return int(depth)


def caveats_of(judged: JudgedRuns) -> tuple[Caveat, ...]:
    """Return what a reader of any comparison of these runs should know.

    Examples
    --------
    >>> caveats_of(JudgedRuns.on_one_topic([(1, 0)], (3, 2)))
    ()
    """
    if judged.groups is None or not judged.groups.tied.any():
        return judged.caveats
    text = "documents with equal scores are taken in the order of their names, the last one first, as trec_eval does"
    return (*judged.caveats, Caveat(Doubt.TIES, text))
