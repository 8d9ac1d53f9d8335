"""What of tied documents a measure is sensitive to: which documents it distinguishes, in which order it has them.

Each function finds the answer by the family of the measure.
"""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from typing import Any

import numpy as np

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.judged import NOTHING, UNJUDGED, JudgedRuns
from measurand.measures.additive import Additive
from measurand.measures.around import AroundMeasure
from measurand.measures.base import Binary, Measure
from measurand.measures.counting import Counting
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.searching import SearchLength


@singledispatch
def affected_groups(
    measure: Measure,
    judged: JudgedRuns,
    topic: IntArray,  # noqa: ARG001 - for the families below
    start: IntArray,
    end: IntArray,  # noqa: ARG001
) -> BoolArray:
    """Return which tie groups may make a difference to a measure.

    Parameters
    ----------
    measure
        The measure.
    judged
        The judged runs.
    topic, start, end
        The topic of each group, and its ranks, counted from 0: the first, and the one after the last.
    """
    return _looked_at(measure, judged, start)


def _looked_at(measure: Measure, judged: JudgedRuns, start: IntArray) -> BoolArray:
    return np.asarray(start < (judged.depth if measure.removes_unjudged else measure.reach(judged.depth)))


@affected_groups.register
def _(measure: Counting, judged: JudgedRuns, topic: IntArray, start: IntArray, end: IntArray) -> BoolArray:
    """Return those across the last rank looked at: elsewhere, order changes no count."""
    seen = _looked_at(measure, judged, start)
    if measure.judged_only or not measure.is_defined_by(Counting):
        return seen
    base = judged.recall_bases(measure.lowest).astype(np.float64)
    ranks = np.broadcast_to(measure.ranks(float(judged.depth), base), base.shape)
    return np.asarray(seen & (end > np.minimum(ranks, judged.depth)[topic]))


@affected_groups.register
def _(measure: GeometricMean, judged: JudgedRuns, topic: IntArray, start: IntArray, end: IntArray) -> BoolArray:
    return affected_groups(measure.measure, judged, topic, start, end)


@singledispatch
def gain_order(measure: Measure, cell: int, top: int) -> Any:  # noqa: ARG001 - for the families below
    """Return a number that is higher for documents that a measure takes to be better.

    Parameters
    ----------
    measure
        The measure.
    cell
        The grade of a document, or its negative code.
    top
        The highest grade there is.
    """
    return max(0, cell)


@gain_order.register
def _(measure: Additive, cell: int, top: int) -> Any:
    return measure.gain_at(cell, top) if cell > 0 else Fraction(0)


@gain_order.register
def _(measure: Binary, cell: int, top: int) -> Any:  # noqa: ARG001
    return max(0, cell) if measure.graded else int(measure.relevant(cell))


@gain_order.register
def _(measure: AroundMeasure, cell: int, top: int) -> Any:
    return gain_order(measure.measure, cell, top)


@singledispatch
def equivalence_classes(measure: Measure, cells: Cells) -> Cells:
    """Return cells with those made equal that a measure does not distinguish.

    Parameters
    ----------
    measure
        The measure.
    cells
        Grades and negative codes, in an array of any shape.

    Examples
    --------
    >>> from measurand.measures import parse
    >>> equivalence_classes(parse("AP"), np.array([2, 1, 0, -1], dtype=np.int8)).tolist()
    [1, 1, 0, 0]
    """
    unjudged = (cells < 0) & (cells != NOTHING)
    if measure.removes_unjudged:
        return np.where(unjudged, cells.dtype.type(UNJUDGED), cells)
    return cells if measure.tells_unjudged else np.where(unjudged, cells.dtype.type(0), cells)


_of_any = equivalence_classes.dispatch(Measure)


@equivalence_classes.register
def _(measure: Binary, cells: Cells) -> Cells:
    seen = _of_any(measure, cells)
    if measure.graded:
        return seen
    lowest = min(measure.lowest, int(np.iinfo(seen.dtype).max))
    return np.where(seen >= measure.lowest, seen.dtype.type(lowest), np.minimum(seen, 0))


@equivalence_classes.register
def _(measure: GeometricMean, cells: Cells) -> Cells:
    return equivalence_classes(measure.measure, cells)


@singledispatch
def prefers_unjudged(measure: Measure) -> bool:  # noqa: ARG001 - for the families below
    """Return whether a measure takes documents without judgment to be better than documents judged not relevant.

    Parameters
    ----------
    measure
        The measure; by default they are better, because they may be removed.
    """
    return True


@prefers_unjudged.register
def _(measure: SearchLength) -> bool:
    """Return that judged documents are better, if the others make the search longer."""
    return measure.judged_only or not measure.tells_unjudged


@prefers_unjudged.register
def _(measure: AroundMeasure) -> bool:
    return prefers_unjudged(measure.measure)
