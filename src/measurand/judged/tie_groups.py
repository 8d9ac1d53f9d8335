"""Tie groups: documents of equal score, whose order a run leaves open."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, Cells
from measurand.judged.cells import NOTHING


class OverTies(StrEnum):
    """What is taken of all the values that a run can have: one for each order of its tied documents."""

    EXPECTED = "expected"
    MIN = "min"
    MAX = "max"


@frozen(eq=False)
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
        cells = np.full(self.cells.shape, NOTHING, dtype=np.int8)
        cells[filled] = self.cells[keep]
        number = np.full(self.cells.shape, -1)
        number[filled] = np.cumsum(~self.tied, axis=2)[keep]
        tied = np.zeros(self.cells.shape, dtype=bool)
        tied[:, :, 1:] = filled[:, :, 1:] & (number[:, :, 1:] == number[:, :, :-1])
        return evolve(self, cells=cells, tied=tied)

    def binarised(self, rel: int) -> TieGroups:
        """Return the same groups with grade 1 where a document has grade `rel` or more, and 0 for other grades."""
        return evolve(self, cells=np.where(self.cells >= 0, self.cells >= rel, self.cells).astype(np.int8))
