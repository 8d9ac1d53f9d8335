"""Runs with tie groups as a measure sees them: groups of documents, and the places that they share."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.judged import NOTHING, JudgedRuns, TieGroups
from measurand.measures.ties.hypergeometric import Hypergeometric


@frozen
class Group:
    """Documents of one score in a run, all of whose orders are equally likely.

    Parameters
    ----------
    start
        How many ranks are above the group.
    cells
        The cells of its documents.
    seen
        How likely each of its places is to be looked at, as far as any is. It is 1, unless documents without
        judgment are removed from a group that the depth of the judged runs cuts.
    cut
        If documents without judgment were removed and the depth cuts the group: how many documents it had with
        them, and how many of all these the depth leaves.
    judged_above
        How many judged documents are above the group.
    """

    start: int
    cells: tuple[int, ...]
    seen: tuple[Fraction, ...]
    cut: tuple[int, int] | None = None
    judged_above: int = 0


@frozen
class TiedRun:
    """One run as groups, best score first; a document without equal is a group of one."""

    groups: tuple[Group, ...]
    length: int


@frozen(eq=False)
class TiedRuns:
    """Some runs as flat arrays of groups, of their documents and of their places.

    Parameters
    ----------
    judged
        The judged runs that they come from.
    rows
        Which of these, counting system by system and topic by topic.
    group_run, start, judged_above, size
        Of each group: the run (its place in `rows`), the ranks above it, how many of these hold a judged document,
        and its number of documents.
    cell, cell_group
        Of each document: its cell, and its group.
    group, nth, rank, seen
        Of each place that may be looked at: its group, its number in the group from 1, its rank, and how likely
        it is to be looked at.
    cut
        Groups that the depth cuts and that have lost documents without judgment: see `Group.cut`.
    """

    judged: JudgedRuns
    rows: IntArray
    length: int
    group_run: IntArray
    start: IntArray
    judged_above: IntArray
    size: IntArray
    cell: IntArray
    cell_group: IntArray
    group: IntArray
    nth: IntArray
    rank: IntArray
    seen: FloatArray
    cut: Mapping[int, tuple[int, int]]

    @classmethod
    def of(
        cls, judged: JudgedRuns, rows: IntArray, reach: int, *, condensed: bool = False, barren: bool = True
    ) -> TiedRuns:
        """Return the runs at `rows`, down to rank `reach`.

        Parameters
        ----------
        condensed
            Whether documents without judgment are removed.
        barren
            Whether groups without any document of grade 1 or more are of interest, even if the depth does not cut them.
        """
        assert judged.groups is not None  # called for runs with groups alone
        whole = _Groups.of(judged.groups, rows, None if barren else judged.depth)
        whole = whole.where(whole.start < (judged.depth if condensed else min(reach, judged.depth)))
        if not condensed:
            return cls._placed(judged, rows, min(reach, judged.depth), whole, {})
        groups = whole.condensed()
        across = whole.start + whole.size > judged.depth
        keep = (groups.size > 0) & (groups.start < reach)
        names = np.cumsum(keep) - 1
        cut = {
            int(names[g]): (int(whole.size[g]), judged.depth - int(whole.start[g]))
            for g in np.flatnonzero(across & keep).tolist()
        }
        return cls._placed(judged, rows, min(reach, judged.depth), groups.where(keep), cut)

    @classmethod
    def _placed(
        cls, judged: JudgedRuns, rows: IntArray, reach: int, groups: _Groups, cut: dict[int, tuple[int, int]]
    ) -> TiedRuns:
        shown = np.minimum(groups.size, reach - groups.start)
        group = np.repeat(np.arange(len(shown)), shown)
        ends = np.cumsum(shown)
        nth = np.arange(1, len(group) + 1) - np.repeat(ends - shown, shown)
        seen = np.ones(len(group))
        for g, (documents, left) in cut.items():
            tails = Hypergeometric(documents, int(groups.size[g]), left).float_tails(int(shown[g]))
            seen[ends[g] - shown[g] : ends[g]] = tails
        return cls(
            judged=judged,
            rows=rows,
            length=reach,
            group_run=groups.run,
            start=groups.start,
            judged_above=groups.above,
            size=groups.size,
            cell=groups.cell,
            cell_group=groups.cell_group,
            group=group,
            nth=nth,
            rank=groups.start[group] + nth,
            seen=seen,
            cut=cut,
        )

    @property
    def topic(self) -> IntArray:
        """The topic of each run."""
        return self.rows % len(self.judged.topics)

    @cached_property
    def place_run(self) -> IntArray:
        """The run of each place."""
        return self.group_run[self.group]

    def per_group(self, weights: FloatArray | BoolArray | IntArray) -> FloatArray:
        """Return the sum over its documents for each group."""
        return np.asarray(np.bincount(self.cell_group, weights, len(self.size)), dtype=np.float64)

    def per_run(self, weights: FloatArray) -> FloatArray:
        """Return the sum over its places, each as likely as it is seen, for each run."""
        return np.asarray(np.bincount(self.place_run, weights * self.seen, len(self.rows)), dtype=np.float64)

    def before(self, per_group: FloatArray) -> FloatArray:
        """Return for each group the sum over the groups above it in its run, as far as they are of interest."""
        above = np.cumsum(per_group) - per_group
        first = np.flatnonzero(np.diff(self.group_run, prepend=-1))
        return np.asarray(above - np.repeat(above[first], np.diff(np.append(first, len(above)))))

    def run(self, place: int) -> TiedRun:
        """Return one of the runs, with exact probabilities."""
        first, last = np.searchsorted(self.group_run, [place, place + 1]).tolist()
        spans = np.searchsorted(self.cell_group, np.arange(first, last + 1)).tolist()
        groups = []
        for g in range(first, last):
            cells = tuple(self.cell[spans[g - first] : spans[g - first + 1]].tolist())
            cut = self.cut.get(g)
            places = min(len(cells), self.length - int(self.start[g]))
            sure = (Fraction(1),) * places
            seen = sure if cut is None else Hypergeometric(cut[0], len(cells), cut[1]).tail_probabilities(places)
            groups.append(Group(int(self.start[g]), cells, seen, cut, int(self.judged_above[g])))
        return TiedRun(tuple(groups), self.length)


@frozen(eq=False)
class _Groups:
    """Groups of documents, run by run; `above` are the judged documents above a group."""

    run: IntArray
    start: IntArray
    above: IntArray
    size: IntArray
    cell: IntArray
    cell_group: IntArray

    @classmethod
    def of(cls, groups: TieGroups, rows: IntArray, depth: int | None) -> _Groups:
        """Return the groups of some runs: all of them, or those with hits and those that a depth cuts."""
        width = groups.cells.shape[2]
        cells = groups.cells.reshape(-1)
        first, size = _all(groups) if depth is None else _with_hits(groups, depth)
        place_of = np.full(len(cells) // width, -1)
        place_of[rows] = np.arange(len(rows))
        row, start = np.divmod(first, width)
        keep = place_of[row] >= 0
        first, size, row, start = first[keep], size[keep], row[keep], start[keep]
        known = np.cumsum(groups.cells >= 0, axis=2, dtype=np.int32).reshape(-1)
        inside, cell_group = inside_of(first, size)
        return cls(
            run=place_of[row],
            start=start,
            above=known[first].astype(np.int64) - (cells[first] >= 0),
            size=size,
            cell=cells[inside].astype(np.int64),
            cell_group=cell_group,
        )

    def where(self, keep: BoolArray) -> _Groups:
        """Return the groups that `keep` keeps."""
        if keep.all():
            return self
        inside = keep[self.cell_group]
        cell_group = (np.cumsum(keep) - 1)[self.cell_group[inside]]
        return _Groups(
            self.run[keep], self.start[keep], self.above[keep], self.size[keep], self.cell[inside], cell_group
        )

    def condensed(self) -> _Groups:
        """Return the groups without documents that were not judged, moved up, even those of which nothing is left."""
        inside = self.cell >= 0
        size = np.bincount(self.cell_group[inside], minlength=len(self.size))
        return _Groups(self.run, self.above, self.above, size, self.cell[inside], self.cell_group[inside])


def inside_of(starts: IntArray, sizes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the places of all cells of some groups, and the group of each.

    Examples
    --------
    >>> [numbers.tolist() for numbers in inside_of(np.array([2, 7]), np.array([2, 1]))]
    [[2, 3, 7], [0, 0, 1]]
    """
    group = np.repeat(np.arange(len(sizes)), sizes)
    return np.arange(len(group)) + (starts - (np.cumsum(sizes) - sizes))[group], group


def _all(groups: TieGroups) -> tuple[IntArray, IntArray]:
    """Return where each group begins, counted through all cells, and how many documents it has."""
    first = np.flatnonzero(~groups.tied)
    size = np.diff(np.append(first, groups.cells.size))
    filled = groups.cells.reshape(-1)[first] != NOTHING
    return first[filled], size[filled]


def _with_hits(groups: TieGroups, depth: int) -> tuple[IntArray, IntArray]:
    """Return the same of the groups with a document of grade 1 or more, and of those that a depth cuts."""
    hits = np.flatnonzero(groups.cells > 0)
    starts, sizes = groups.spans
    # a hit belongs to the last group that begins at it or before, or stands alone
    last = np.searchsorted(starts, hits, side="right") - 1
    within = (last >= 0) & (hits < (starts + sizes)[last]) if len(starts) else np.zeros(len(hits), dtype=bool)
    first, size = hits.copy(), np.ones(len(hits), dtype=np.int64)
    first[within], size[within] = starts[last[within]], sizes[last[within]]
    cut = starts % groups.cells.shape[2] + sizes > depth
    first, places = np.unique(np.concatenate((first, starts[cut])), return_index=True)
    return first, np.concatenate((size, sizes[cut]))[places]


@frozen(eq=False)
class Spread:
    """The mean of a measure over all orders inside ties, its least and its greatest value.

    Numbers for one run; arrays for many, with NaN where order makes no difference. The extremes are None where they
    are better found by putting the best documents first, or the worst.
    """

    expected: Any
    low: Any = None
    high: Any = None
