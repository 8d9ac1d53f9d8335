"""Which runs have ties that may make a difference to a measure, and what can stand where."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from measurand.arrays import Cells, IntArray
from measurand.judged import NOTHING, JudgedRuns
from measurand.measures.ties.arrangements import Arrangements, OpenGroup
from measurand.measures.ties.spread import Tieable


def rows_with_open_ties(measure: Tieable, judged: JudgedRuns) -> IntArray:
    """Return the runs with a tie, within what a measure looks at, between documents that it may tell apart.

    Runs are counted system by system and topic by topic.
    """
    if judged.groups is None:
        return np.empty(0, dtype=np.int64)
    starts, sizes = judged.groups.spans
    starts, sizes, _ = open_spans(starts, sizes, measure.kinds(judged.groups.cells.reshape(-1)))
    row, start = np.divmod(starts, judged.groups.cells.shape[2])
    minded = measure.minds(judged, row % len(judged.topics), start, start + sizes)
    return np.unique(row[minded])


def open_spans(starts: IntArray, sizes: IntArray, kinds: IntArray | Cells) -> tuple[IntArray, IntArray, IntArray]:
    """Return those spans of cells that hold different kinds, and the places of all their cells.

    Examples
    --------
    >>> starts, sizes, inside = open_spans(np.array([0, 3]), np.array([2, 2]), np.array([1, 1, 0, 0, 1]))
    >>> starts.tolist(), sizes.tolist(), inside.tolist()
    ([3], [2], [3, 4])
    """
    inside, first = _inside(starts, sizes)
    if len(starts):
        seen = kinds[inside]
        differ = np.minimum.reduceat(seen, first) != np.maximum.reduceat(seen, first)
        starts, sizes = starts[differ], sizes[differ]
    return starts, sizes, _inside(starts, sizes)[0]


def _inside(starts: IntArray, sizes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the places of all cells of some spans, and where each span begins among these."""
    first = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) + np.repeat(starts - first, sizes), first


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
