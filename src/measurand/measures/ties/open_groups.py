"""Which runs have ties that may make a difference to a measure, and what can stand where."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from measurand.arrays import IntArray
from measurand.judged import NOTHING, JudgedRuns
from measurand.measures.ties.arrangements import Arrangements, OpenGroup
from measurand.measures.ties.spread import Tieable


def rows_with_open_ties(measure: Tieable, judged: JudgedRuns) -> IntArray:
    """Return the runs with a tie, within what a measure looks at, between documents that it may tell apart.

    Runs are counted system by system and topic by topic.
    """
    if judged.groups is None:
        return np.empty(0, dtype=np.int64)
    width = judged.groups.cells.shape[2]
    tied, cells = judged.groups.tied.reshape(-1), judged.groups.cells.reshape(-1)
    second = np.flatnonzero(tied)
    # the first of a group is not tied with the one before it
    first = np.flatnonzero(np.diff(second, prepend=-2) > 1)
    size = np.diff(np.append(first, len(second))) + 1
    differ = measure.kinds(cells[second]) != measure.kinds(cells[second - 1])
    groups = np.flatnonzero(np.logical_or.reduceat(differ, first)) if len(first) else first
    row, start = np.divmod(second[first[groups]] - 1, width)
    minded = measure.minds(judged, row % len(judged.topics), start, start + size[groups])
    return np.unique(row[minded])


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
