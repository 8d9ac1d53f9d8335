"""What the grades of unjudged documents can do to the difference of every two systems, under an additive measure."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray, Keys
from measurand.execution import Progress, mapped, silent
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.exact_ties import plain_values
from measurand.statistics.all_pairs import frozen_numbers
from measurand.study.level_classes import is_additive
from measurand.study.margins.assumed_grades import is_open
from measurand.study.margins.pairs_at_once import PairsAtOnce

if TYPE_CHECKING:
    from scipy.sparse import csr_array

CELLS = 2**22
"""How many numbers are held at a time."""


@frozen(kw_only=True, eq=False)
class UnjudgedAtOnce:
    """What the grades of unjudged documents can do to every two systems; arrays are systems × systems.

    Parameters
    ----------
    low : array of float
        The lowest mean difference, row minus column; the highest is that of the column and the row, turned round.
    number : array of float
        How many unjudged documents must have the highest grade to overturn the order of means, symmetric; infinite
        where no grades do.
    """

    low: FloatArray = field(converter=frozen_numbers)
    number: FloatArray = field(converter=frozen_numbers)


@frozen(eq=False)
class UnjudgedCells:
    """Where unjudged documents stand that a measure sees, system by system.

    Parameters
    ----------
    system, topic, document : array of int
        Of each place: the system, the topic, and the document, numbered over all topics.
    worth : array of float
        What the highest grade is worth there.
    documents : int
        How many documents there are.
    """

    system: IntArray
    topic: IntArray
    document: IntArray
    worth: FloatArray
    documents: int


def why_not(measure: Measure, judged: JudgedRuns) -> str:
    """Return why the grades of unjudged documents are not looked at for all pairs, or nothing if they are.

    Parameters
    ----------
    measure : Measure
        The measure.
    judged : JudgedRuns
        The judged runs.

    Examples
    --------
    >>> from measurand.measures import AP, P
    >>> judged = JudgedRuns.on_one_topic([(1, -1)], (5, 2))
    >>> why_not(AP, judged), why_not(P @ 2, judged)
    ('AP is not additive', 'it was not kept which documents the systems returned')
    """
    grades, depth = judged.grade_counts.shape[1], judged.depth
    if measure.lower_is_better or not is_additive(measure, depth=depth, grades=max(2, grades), deepest=depth):
        return f"{measure!r} is not additive"
    if judged.groups is not None:
        return "scores are taken over all orders of documents of equal score"
    return "it was not kept which documents the systems returned" if judged.ranked_documents is None else ""


def rank_worths(measure: Measure, judged: JudgedRuns) -> FloatArray:
    """Return what a document of the highest grade is worth at each rank under an additive measure.

    Parameters
    ----------
    measure : Measure
        The measure.
    judged : JudgedRuns
        The judged runs of the campaign.

    Examples
    --------
    >>> from measurand.measures import RBP
    >>> rank_worths(RBP(p="1/2") @ 2, JudgedRuns.on_one_topic([(1, -1, 0)], (5, 2))).tolist()
    [0.5, 0.25, 0.0]
    """
    depth, top = judged.depth, judged.grade_counts.shape[1] - 1
    counts = judged.grade_counts.sum(axis=0).tolist()
    alone = JudgedRuns.on_one_topic(np.eye(depth, dtype=np.int64) * top, counts)
    return np.asarray(plain_values(measure, alone)[:, 0])


def unjudged_at_once(
    measure: Measure, judged: JudgedRuns, pairs: PairsAtOnce, progress: Progress = silent
) -> UnjudgedAtOnce:
    """Return what the grades of unjudged documents can do to every two systems under an additive measure.

    A document that both systems returned counts by the difference of what it is worth to each. The documents whose
    highest grade costs the better system most come first, which is exact up to rounding.

    Parameters
    ----------
    measure : Measure
        An additive measure, for which `why_not` has no reason.
    judged : JudgedRuns
        The judged runs, with which documents were returned.
    pairs : PairsAtOnce
        The differences of the same systems.
    progress : callable, optional
        Shows how far it is.
    """
    systems = len(judged.systems)
    low, number = np.zeros((systems, systems)), np.zeros((systems, systems))
    behind_all = _all_behind(_unjudged(measure, judged), judged, pairs)
    found = mapped(_costs, behind_all, in_threads=True, stays_here=True)
    for behind, (lows, numbers) in enumerate(progress(found, systems, "systems")):
        low[:, behind], number[:, behind] = lows, numbers
    ahead = (pairs.difference > 0) & pairs.holds
    number = np.where(ahead, number, 0.0)
    with np.errstate(invalid="ignore"):
        low = low / np.where(pairs.shared > 0, pairs.shared, np.nan)
    np.fill_diagonal(low, 0.0)
    return UnjudgedAtOnce(low=low, number=number + number.T)


@frozen(eq=False)
class _Behind:
    """A system that may be behind the others, and what its unjudged documents are worth to it and to them.

    Parameters
    ----------
    worth
        What the highest grade of each of its documents is worth.
    theirs
        The same for every system, documents × systems.
    topic
        The topic of each document.
    both
        Systems × topics: which topics it shares with each.
    sums, bars
        The sum of differences of each system and this one, and up to which sum the two may be level.
    """

    worth: FloatArray
    theirs: csr_array
    topic: IntArray
    both: BoolArray
    sums: FloatArray
    bars: FloatArray


def _all_behind(cells: UnjudgedCells, judged: JudgedRuns, pairs: PairsAtOnce) -> Iterator[_Behind]:
    """Return each system as the one that may be behind."""
    from scipy.sparse import csr_array

    systems, counted = len(judged.systems), judged.counted
    worths = csr_array((cells.worth, (cells.document, cells.system)), shape=(cells.documents, systems))
    bounds = np.searchsorted(cells.system, np.arange(systems + 1))
    sums = np.where(pairs.shared > 0, pairs.difference * pairs.shared, np.nan)
    bars = pairs.tolerance * pairs.shared
    for behind in range(systems):
        mine = slice(bounds[behind], bounds[behind + 1])
        yield _Behind(
            worth=cells.worth[mine],
            theirs=worths[cells.document[mine]],
            topic=cells.topic[mine],
            both=counted[behind] & counted,
            sums=sums[:, behind],
            bars=bars[:, behind],
        )


def _costs(behind: _Behind) -> tuple[FloatArray, FloatArray]:
    """Return for every system the lowest sum of differences, and how many documents bring it down to its bar."""
    systems = len(behind.sums)
    low, number = np.zeros(systems), np.zeros(systems)
    width = max(1, CELLS // max(1, len(behind.worth)))
    for start in range(0, systems, width):
        others = slice(start, start + width)
        costs = np.maximum(behind.worth[:, None] - behind.theirs[:, others].toarray(), 0.0)
        # topics that one of the two left out do not count
        costs *= behind.both[others][:, behind.topic].T
        low[others] = behind.sums[others] - costs.sum(axis=0)
        number[others] = _numbers(costs, behind.sums[others], behind.bars[others])
    return low, number


def _numbers(costs: FloatArray, sums: FloatArray, bars: FloatArray) -> FloatArray:
    """Return how many costs, the largest first, bring each sum down to a bar; infinite where all do not."""
    found = np.full(len(sums), inf)
    ahead = np.flatnonzero((sums > bars) & (sums - costs.sum(axis=0) <= 2 * bars))
    if not len(ahead) or not len(costs):
        return found
    ranked = -np.sort(-costs.T[ahead], axis=1)
    fails = sums[ahead, None] - np.cumsum(ranked, axis=1) <= bars[ahead, None]
    found[ahead] = np.where(fails.any(axis=1), fails.argmax(axis=1) + 1, inf)
    return found


def _unjudged(measure: Measure, judged: JudgedRuns) -> UnjudgedCells:
    """Return where unjudged documents stand that the measure sees."""
    worth = rank_worths(measure, judged)
    open_cells = is_open(judged.cells) & (worth != 0)
    system, topic, place = np.nonzero(open_cells)
    keys = np.concatenate([np.zeros(0, dtype=np.uint64), *_keys(judged, open_cells)])
    # documents of one name are different ones on different topics
    order = np.lexsort((keys, topic))
    new = (np.diff(keys[order], prepend=keys[order][:1]) != 0) | (np.diff(topic[order], prepend=topic[order][:1]) != 0)
    document = np.empty(len(order), dtype=np.int64)
    document[order] = np.cumsum(new)
    return UnjudgedCells(system, topic, document, worth[place], int(document.max(initial=-1)) + 1)


def _keys(judged: JudgedRuns, open_cells: BoolArray) -> list[Keys]:
    """Return the fingerprints of the documents at some places, system by system."""
    found = []
    for system, ranked in enumerate(judged.ranked_documents or ()):
        starts = np.cumsum(ranked.lengths) - ranked.lengths
        topic, place = np.nonzero(open_cells[system])
        found.append(ranked.keys[starts[topic] + place])
    return found
