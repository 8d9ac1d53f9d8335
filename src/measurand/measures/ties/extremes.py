"""The best and the worst order inside ties, where a better document moved up never makes a measure worse."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from measurand.arrays import IntArray
from measurand.judged import JudgedRuns
from measurand.measures.ties.open_groups import open_spans
from measurand.measures.ties.tied_runs import inside_of


def best_first(judged: JudgedRuns, worth: IntArray) -> JudgedRuns:
    """Return judged runs without ties: inside each group the documents of highest worth stand first.

    Parameters
    ----------
    worth
        What a document is worth, by its cell, those of negative cells at the end; with its sign changed the worst
        stand first.

    Examples
    --------
    >>> from measurand.judged import TieGroups
    >>> cells = np.array([[[0, 2, -1, 1, 0]]], dtype=np.int8)
    >>> groups = TieGroups(cells, np.array([[[False, True, True, True, False]]]))
    >>> judged = evolve(JudgedRuns.on_one_topic([(0, 2, -1)], (3, 1, 1)), groups=groups)
    >>> worth = np.array([0, 1, 2, -3, -2, -1])
    >>> best_first(judged, worth).cells.tolist(), best_first(judged, -worth).cells.tolist()
    ([[[2, 1, 0]]], [[[-1, 0, 1]]])
    """
    assert judged.groups is not None  # asked for runs with groups alone
    cells = judged.groups.cells.reshape(-1).copy()
    worths = worth.astype(np.int16)[cells]
    starts, sizes = open_spans(judged.groups, worths)
    inside, span = inside_of(starts, sizes)
    cells[inside] = cells[inside[np.lexsort((-worths[inside], span))]]
    arranged = cells.reshape(judged.groups.cells.shape)[:, :, : judged.depth]
    return evolve(judged, cells=np.ascontiguousarray(arranged), groups=None)
