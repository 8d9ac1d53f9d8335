"""Tie groups: documents of equal score, whose order a run leaves open."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.judged.grades import NOTHING

if TYPE_CHECKING:
    from numpy.typing import NDArray


class OverTies(StrEnum):
    """What is taken of all the values that a run can have: one for each order of its tied documents."""

    EXPECTED = "expected"
    MIN = "min"
    MAX = "max"
    GROUPS = "groups"
    """The value of the groups themselves where a measure has one (OIE), and the mean where it has none."""


@frozen(eq=False, repr=False, slots=False)
class TieGroups:
    """Judged runs with the groups of documents that have one score.

    Parameters
    ----------
    cells
        Systems × topics × ranks, like the cells of judged runs, tied documents in trec_eval's order. A group
        that the depth of the judged runs cuts is here whole, so there may be more ranks.
    tied
        Where a document has the same score as the one before it.
    over
        What a measure is to give for them.
    """

    cells: Cells
    tied: BoolArray
    over: OverTies = OverTies.EXPECTED

    def __attrs_post_init__(self) -> None:
        for array in (self.cells, self.tied):
            array.setflags(write=False)

    @cached_property
    def spans(self) -> tuple[IntArray, IntArray]:
        """Where each group of two documents or more begins, counted through all cells, and how many it has.

        Examples
        --------
        >>> cells = np.array([[[1, 0, 0, 1]]], dtype=np.int8)
        >>> starts, sizes = TieGroups(cells, np.array([[[False, True, False, True]]])).spans
        >>> starts.tolist(), sizes.tolist()
        ([0, 2], [2, 2])
        """
        # the first of a group, and so the first of a run, is not tied with the one before it
        second = np.flatnonzero(self.tied)
        first = np.flatnonzero(np.diff(second, prepend=-2) > 1)
        return second[first] - 1, np.diff(np.append(first, len(second))) + 1

    def down_to(self, rank: int) -> TieGroups:
        """Return the same groups, as far as they begin within so many ranks.

        Parameters
        ----------
        rank
            The last rank.

        Examples
        --------
        >>> cells = np.array([[[1, 0, 0, 1]], [[1, 0, 0, 1]]], dtype=np.int8)
        >>> tied = np.array([[[False, True, True, True]], [[False, True, False, True]]])
        >>> TieGroups(cells, tied).down_to(2).cells.tolist()
        [[[1, 0, 0, 1]], [[1, 0, -2, -2]]]
        """
        longer = self.tied[:, :, rank:]
        if not longer.shape[2]:
            return self
        ends = rank + np.where(longer.all(axis=2), longer.shape[2], longer.argmin(axis=2))
        width = int(ends.max(initial=rank))
        # where one group goes on further than others, those that begin behind the rank are left out
        outside = np.arange(width) >= ends[:, :, None]
        cells = np.where(outside, self.cells.dtype.type(NOTHING), self.cells[:, :, :width])
        return evolve(self, cells=cells, tied=self.tied[:, :, :width] & ~outside)

    @property
    def condensed(self) -> TieGroups:
        """The same groups with every document removed that was not judged.

        Examples
        --------
        >>> cells = np.array([[[1, -1, 0, 1]]], dtype=np.int8)
        >>> groups = TieGroups(cells, np.array([[[False, True, True, False]]])).condensed
        >>> groups.cells.tolist(), groups.tied.tolist()
        ([[[1, 0, 1, -2]]], [[[False, True, False, False]]])
        """
        keep = self.cells >= 0
        filled = np.arange(self.cells.shape[2]) < keep.sum(axis=2)[:, :, None]
        cells = np.full(self.cells.shape, NOTHING, dtype=self.cells.dtype)
        cells[filled] = self.cells[keep]
        number = np.full(self.cells.shape, -1, dtype=np.int32)
        number[filled] = np.cumsum(~self.tied, axis=2, dtype=np.int32)[keep]
        tied = np.zeros(self.cells.shape, dtype=bool)
        tied[:, :, 1:] = filled[:, :, 1:] & (number[:, :, 1:] == number[:, :, :-1])
        return evolve(self, cells=cells, tied=tied)

    def binarised(self, rel: int) -> TieGroups:
        """Return the same groups with grade 1 where a document has grade `rel` or more, and 0 for other grades.

        Parameters
        ----------
        rel
            The lowest grade that counts as relevant.
        """
        return evolve(self, cells=np.where(self.cells >= 0, self.cells >= rel, self.cells).astype(np.int8))


@frozen(eq=False, repr=False)
class KeptTies:
    """Which documents have equal scores, kept in little space for measures that want to know.

    Parameters
    ----------
    bits
        Systems × topics × ranks within the depth: where a document has the same score as the one before it, eight
        ranks to a byte.
    tails
        The cells beyond the depth of tie groups that the depth cuts, run after run.
    lengths
        How many of these each system has on each topic.
    """

    bits: NDArray[np.uint8]
    tails: Cells
    lengths: IntArray

    def __attrs_post_init__(self) -> None:
        for array in (self.bits, self.tails, self.lengths):
            array.setflags(write=False)

    @classmethod
    def of(cls, groups: TieGroups, depth: int) -> KeptTies:
        """Return what is to be kept of tie groups, beside the cells of judged runs of a depth.

        Parameters
        ----------
        groups
            The tie groups.
        depth
            The depth of the judged runs.

        Examples
        --------
        >>> cells = np.array([[[1, 0, 0, 1]]], dtype=np.int8)
        >>> kept = KeptTies.of(TieGroups(cells, np.array([[[False, False, True, True]]])), 2)
        >>> kept.tails.tolist(), kept.opened(cells[:, :, :2], OverTies.GROUPS).cells.tolist()
        ([0, 1], [[[1, 0, 0, 1]]])
        """
        beyond = np.asarray(groups.tied[:, :, depth:])
        return cls(
            np.packbits(groups.tied[:, :, :depth], axis=2), groups.cells[:, :, depth:][beyond], beyond.sum(axis=2)
        )

    def opened(self, cells: Cells, over: OverTies) -> TieGroups:
        """Return the tie groups of judged runs with these cells.

        Parameters
        ----------
        cells
            The cells of the judged runs.
        over
            What a measure is to give for the groups.
        """
        depth, longest = cells.shape[2], int(self.lengths.max(initial=0))
        tied = np.unpackbits(self.bits, axis=2, count=depth).view(bool)
        if not longest:
            return TieGroups(cells, tied, over)
        filled = np.arange(longest) < self.lengths[:, :, None]
        beyond = np.full(filled.shape, NOTHING, dtype=cells.dtype)
        beyond[filled] = self.tails
        return TieGroups(np.concatenate((cells, beyond), axis=2), np.concatenate((tied, filled), axis=2), over)

    def binarised(self, rel: int) -> KeptTies:
        """Return the same groups with grade 1 where a document has grade `rel` or more, and 0 for other grades.

        Parameters
        ----------
        rel
            The lowest grade that counts as relevant.
        """
        return evolve(self, tails=np.where(self.tails >= 0, self.tails >= rel, self.tails).astype(np.int8))
