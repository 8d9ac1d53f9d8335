"""Which runs have ties that may make a difference to a measure, and what can stand where."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measurand.arrays import IntArray
from measurand.judged import NOTHING, JudgedRuns, TieGroups
from measurand.measures.ties.arrangements import Arrangements, OpenGroup
from measurand.measures.ties.spread import Tieable


def rows_with_open_ties(measure: Tieable, judged: JudgedRuns) -> IntArray:
    """Return the runs with a tie, within what a measure looks at, between documents that it may tell apart.

    Runs are counted system by system and topic by topic.
    """
    if judged.groups is None:
        return np.empty(0, dtype=np.int64)
    starts, sizes = open_spans(judged.groups, measure.kinds(judged.groups.cells))
    row, start = np.divmod(starts, judged.groups.cells.shape[2])
    minded = measure.minds(judged, row % len(judged.topics), start, start + sizes)
    return np.unique(row[minded])


def open_spans(groups: TieGroups, kinds: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Return where the groups begin that hold different kinds of documents, and their sizes; see `TieGroups.spans`.

    Examples
    --------
    >>> cells = np.array([[[1, 1, 0, 1]]], dtype=np.int8)
    >>> groups = TieGroups(cells, np.array([[[False, True, False, True]]]))
    >>> [numbers.tolist() for numbers in open_spans(groups, cells)]
    [[2], [2]]
    """
    starts, sizes = groups.spans
    flat = kinds.reshape(-1)
    differ = np.flatnonzero(groups.tied.reshape(-1)[1:] & (flat[1:] != flat[:-1])) + 1
    held = np.searchsorted(starts, differ, side="right") - 1
    held = held[np.diff(held, prepend=-1) > 0]
    return starts[held], sizes[held]


def arrangements_of(measure: Tieable, judged: JudgedRuns, row: int) -> Arrangements:
    """Return the different arrangements of one run, as far as a measure tells them apart."""
    assert judged.groups is not None  # asked for runs with groups alone
    system, topic = divmod(row, len(judged.topics))
    cells, tied = judged.groups.cells[system, topic], judged.groups.tied[system, topic]
    kinds = measure.kinds(cells)
    run = kinds[: judged.depth].copy()
    run[cells[: judged.depth] == NOTHING] = NOTHING
    reach = measure.reach(judged.depth)
    bounds = np.append(np.flatnonzero(~tied), len(tied)).tolist()
    groups = []
    removed = 0
    for start, end in pairwise(bounds):
        inside = kinds[start:end]
        shown = min(end, judged.depth if measure.condenses else reach) - start
        if measure.condenses and end <= judged.depth:
            # what is removed may as well stand last
            known = inside[inside >= 0]
            run[start:end] = np.concatenate((known, inside[inside < 0]))
            shown = min(len(known), reach - (start - removed))
            removed += len(inside) - len(known)
            inside = known
        if shown > 0 and len(inside) > 1 and (inside != inside[0]).any():
            groups.append(OpenGroup(start, shown, tuple(inside.tolist())))
    return Arrangements(tuple(run.tolist()), tuple(groups))
