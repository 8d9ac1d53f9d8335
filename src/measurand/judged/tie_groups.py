"""Tie groups: documents of equal score, whose order a run leaves open."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.judged.grades import NOTHING
from measurand.judged.ragged import Ragged, is_sparse, spread

if TYPE_CHECKING:
    from collections.abc import Sequence

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

    _bits: NDArray[np.uint8] | Ragged
    tails: Cells
    lengths: IntArray

    def __attrs_post_init__(self) -> None:
        for array in (self.tails, self.lengths):
            array.setflags(write=False)
        if not isinstance(self._bits, Ragged):
            self._bits.setflags(write=False)

    @property
    def bits(self) -> NDArray[np.uint8]:
        """The bits of all ranks within the depth."""
        return self._bits.dense if isinstance(self._bits, Ragged) else self._bits  # type: ignore[return-value]

    @property
    def any(self) -> bool:
        """Whether any two documents have equal scores."""
        bits = self._bits.values if isinstance(self._bits, Ragged) else self._bits
        return bool(bits.any())

    @classmethod
    def flat(
        cls,
        tied: Sequence[BoolArray],
        lengths: IntArray,
        depth: int,
        tails: Cells,
        tail_lengths: IntArray,
    ) -> KeptTies:
        """Return what is to be kept of judged runs that stand one after the other.

        Parameters
        ----------
        tied
            For each system, topic after topic, which documents have the score of the one before.
        lengths, depth
            How long runs are, and how many ranks there are.
        tails, tail_lengths
            The rest of each tie group that the depth cuts, and how long it is.
        """
        width = -(-depth // 8)
        if is_sparse(lengths, depth, 1):
            filled = _filled(lengths)
            padded = np.zeros(len(filled), dtype=bool)
            padded[filled] = np.concatenate(tied)
            return cls(Ragged(np.packbits(padded), -(-lengths // 8), width, 0), tails, tail_lengths)
        bits = np.zeros((*lengths.shape, width), dtype=np.uint8)
        for flags, numbers, some in zip(tied, lengths, bits, strict=True):
            if flags.any():
                table = np.zeros((len(numbers), depth), dtype=bool)
                spread(flags, numbers, table)
                some[:] = np.packbits(table, axis=1)
        return cls(bits, tails, tail_lengths)

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

    def flags(self, lengths: IntArray) -> BoolArray:
        """Return which documents have the score of the one before, run after run.

        Parameters
        ----------
        lengths
            How long runs are.
        """
        if isinstance(self._bits, Ragged):
            return np.unpackbits(self._bits.values).view(bool)[_filled(lengths)]
        flags = np.unpackbits(self._bits, axis=2).view(bool)
        return np.asarray(flags[np.arange(flags.shape[2]) < lengths[:, :, None]])

    def of_rows(self, rows: IntArray) -> KeptTies:
        """Return what is kept of some runs, systems × topics as they are asked for.

        Parameters
        ----------
        rows
            Their numbers, system by system and topic by topic.
        """
        bits = self._bits
        some = bits.of_rows(rows) if isinstance(bits, Ragged) else bits.reshape(-1, bits.shape[2])[rows]
        tails = Ragged(self.tails, self.lengths, 0).of_rows(rows)
        return KeptTies(some, tails.values, tails.lengths)

    def down_to(self, rank: int, runs: Ragged) -> KeptTies:
        """Return what is to be kept of runs that are cut to so many ranks.

        Parameters
        ----------
        rank
            The last rank.
        runs
            The cells of the runs, before they are cut.
        """
        # a group that was cut before goes on in its tail
        whole = runs.lengths + self.lengths
        inside = Ragged(np.empty(whole.sum(), dtype=runs.values.dtype), whole, 0)
        within = inside.within
        known = within < np.repeat(runs.lengths, whole.reshape(-1))
        tied, cells = np.ones(len(within), dtype=bool), np.empty_like(inside.values)
        tied[known], cells[known], cells[~known] = self.flags(runs.lengths), runs.values, self.tails
        starts = within[np.maximum.accumulate(np.where(tied, 0, np.arange(len(within))))]
        beyond = Ragged(cells, whole, 0).where((within >= rank) & (starts < rank))
        kept = tied[within < rank]
        return self.of_flags(kept, np.minimum(whole, rank), rank, beyond.values, beyond.lengths)

    def condensed(self, runs: Ragged) -> KeptTies:
        """Return what is to be kept of runs without documents that were not judged; of a group that is cut, no tail.

        Parameters
        ----------
        runs
            The cells of the runs, with all documents.
        """
        keep = runs.values >= 0
        number = np.cumsum(~self.flags(runs.lengths))[keep]
        tied = np.diff(number, prepend=0) == 0
        return self.of_flags(tied, runs.where(keep).lengths, runs.depth, self.tails[:0], np.zeros_like(self.lengths))

    @classmethod
    def of_flags(cls, tied: BoolArray, lengths: IntArray, depth: int, tails: Cells, tail_lengths: IntArray) -> KeptTies:
        """Return the same as `flat`, from the flags of all systems one after the other."""
        by_system = np.split(tied, np.cumsum(lengths.sum(axis=1))[:-1])
        return cls.flat(by_system, lengths, depth, tails, tail_lengths)

    def binarised(self, rel: int) -> KeptTies:
        """Return the same groups with grade 1 where a document has grade `rel` or more, and 0 for other grades.

        Parameters
        ----------
        rel
            The lowest grade that counts as relevant.
        """
        return evolve(self, tails=np.where(self.tails >= 0, self.tails >= rel, self.tails).astype(np.int8))


def _filled(lengths: IntArray) -> BoolArray:
    """Return which bits stand for ranks, where every run takes whole bytes."""
    rooms = 8 * -(-lengths.reshape(-1) // 8)
    within = np.arange(rooms.sum()) - np.repeat(np.cumsum(rooms) - rooms, rooms)
    return np.asarray(within < np.repeat(lengths.reshape(-1), rooms))
