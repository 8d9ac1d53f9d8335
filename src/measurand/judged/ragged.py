"""Rows of different lengths, one after the other: how judged runs are kept where few are long and many are short.

A table with a place for every rank of every run is as wide as the longest run. Where one topic has a million documents
and thousands have three, it would be nearly all empty; so it is made only if somebody asks for it, and if it fits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.execution.memory import check_memory
from measurand.judged.grades import NOTHING

LARGE = 1 << 26
"""A table of fewer bytes is made at once."""

SPARSE = 4
"""A larger one is made at once if one in so many of its places is filled."""

COPIES = 10
"""Whoever looks at a whole table makes others of its size, of numbers that take eight bytes perhaps."""

_making = Lock()


@frozen(eq=False, repr=False, slots=False)
class Ragged:
    """The rows of a table systems × topics × ranks, each to its own end.

    Parameters
    ----------
    values
        What stands there, row after row.
    lengths
        How long each row is, systems × topics.
    depth
        How wide the table is.
    fill
        What stands beyond the end of a row.

    Examples
    --------
    >>> rows = Ragged(np.array([1, 0, 2], dtype=np.int8), np.array([[1, 2]]), 3)
    >>> rows.dense.tolist(), rows.first(1).tolist()
    ([[[1, -2, -2], [0, 2, -2]]], [[[1], [0]]])
    """

    values: Any
    lengths: IntArray
    depth: int
    fill: int = NOTHING

    def __attrs_post_init__(self) -> None:
        self.values.setflags(write=False)

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many systems, topics and ranks the table has."""
        return (*self.lengths.shape, self.depth)

    @cached_property
    def ends(self) -> IntArray:
        """Where each row ends among the values."""
        return np.cumsum(self.lengths.reshape(-1))

    @property
    def starts(self) -> IntArray:
        """Where each row begins among the values."""
        return self.ends - self.lengths.reshape(-1)

    @property
    def dense(self) -> Cells:
        """The whole table, made at first use, and refused in words where it does not fit into memory."""
        with _making:  # several threads would each make one
            return self._dense

    @cached_property
    def _dense(self) -> Cells:
        systems, topics, ranks = self.shape
        check_memory(
            COPIES * systems * topics * ranks * self.values.itemsize,
            f"a table of {systems:,} × {topics:,} rankings as deep as the longest, {ranks:,} ranks,",
            "cut rankings (--depth 1000; depth=1000 in Python)",
        )
        return self.first(ranks)

    def first(self, ranks: int) -> Cells:
        """Return the table of the first ranks.

        Parameters
        ----------
        ranks
            How many.
        """
        rows = self if ranks >= self.depth else self.where(self.within < ranks)
        table = np.full((*self.lengths.shape, min(ranks, self.depth)), self.fill, dtype=self.values.dtype)
        spread(rows.values, rows.lengths.reshape(-1), table.reshape(rows.lengths.size, table.shape[2]))
        table.setflags(write=False)
        return table

    @property
    def within(self) -> IntArray:
        """The place of each value in its row, from 0."""
        return np.arange(len(self.values)) - np.repeat(self.starts, self.lengths.reshape(-1))

    def at(self, places: IntArray) -> tuple[IntArray, IntArray]:
        """Return for some values in which row each stands, and where in there, from 0.

        Parameters
        ----------
        places
            The places of the values.

        Examples
        --------
        >>> rows = Ragged(np.array([1, 0, 2], dtype=np.int8), np.array([[1, 0, 2]]), 3)
        >>> [found.tolist() for found in rows.at(np.array([0, 2]))]
        [[0, 2], [0, 1]]
        """
        if (self.lengths == self.depth).all():
            return np.divmod(places, max(1, self.depth))
        row = np.searchsorted(self.ends, places, side="right")
        return row, places - self.starts[row]

    def where(self, keep: BoolArray) -> Ragged:
        """Return the rows without some of their values.

        Parameters
        ----------
        keep
            For each value whether it stays.
        """
        before = np.concatenate(([0], np.cumsum(keep)))
        lengths = (before[self.ends] - before[self.starts]).reshape(self.lengths.shape)
        return Ragged(self.values[keep], lengths, self.depth, self.fill)

    def of_rows(self, rows: IntArray) -> Ragged:
        """Return some rows of the table, systems × topics as they are asked for.

        Parameters
        ----------
        rows
            Their numbers, system by system and topic by topic.
        """
        lengths = self.lengths.reshape(-1)[rows]
        flat = lengths.reshape(-1)
        shift = self.starts[rows.reshape(-1)] - (np.cumsum(flat) - flat)
        return Ragged(self.values[np.arange(flat.sum()) + np.repeat(shift, flat)], lengths, self.depth, self.fill)

    def down_to(self, rank: int) -> Ragged:
        """Return the table cut to so many ranks.

        Parameters
        ----------
        rank
            The last rank.
        """
        cut = self.where(self.within < rank)
        return Ragged(cut.values, cut.lengths, rank, self.fill)

    def kept(self) -> Cells | Ragged:
        """Return the table itself where it is small or well filled, and else these rows."""
        return self if is_sparse(self.lengths, self.depth, self.values.itemsize) else self.first(self.depth)


class KeptCells:
    """The cells of judged runs, in whichever way they are kept."""

    __slots__ = ()

    _cells: Cells | Ragged
    lengths: IntArray

    @property
    def cells(self) -> Cells:
        """What stands at each rank, by system, topic and rank (see `measurand.judged.grades`), read-only."""
        return self._cells.dense if isinstance(self._cells, Ragged) else self._cells

    @property
    def depth(self) -> int:
        """The number of ranks."""
        return int(self._cells.shape[2])

    @property
    def is_ragged(self) -> bool:
        """Whether each run is kept to its own end, because a table of all ranks would be large and nearly empty."""
        return isinstance(self._cells, Ragged)

    @property
    def rows(self) -> Ragged:
        """The cells run after run, each run to its end if they are kept so, and else as wide as `cells`."""
        if isinstance(self._cells, Ragged):
            return self._cells
        return Ragged(self._cells.reshape(-1), np.full(self._cells.shape[:2], self.depth), self.depth)

    def first(self, ranks: int | None) -> Cells:
        """Return what stands at the first ranks, by system, topic and rank.

        Parameters
        ----------
        ranks
            How many; None for all.
        """
        if ranks is None or not isinstance(self._cells, Ragged) or ranks >= self.depth:
            return self.cells[:, :, :ranks]
        return self._cells.first(ranks)

    def kept_row(self, system: int, topic: int) -> Cells:
        """Return the cells of one run, as far as they are kept.

        Parameters
        ----------
        system, topic
            Their places.
        """
        if not isinstance(self._cells, Ragged):
            return np.asarray(self._cells[system, topic])
        end = int(self._cells.ends[system * self.lengths.shape[1] + topic])
        return np.asarray(self._cells.values[end - int(self.lengths[system, topic]) : end])

    def row(self, system: int, topic: int) -> tuple[int, ...]:
        """Return what stands at each rank of one run, to the depth of all.

        Parameters
        ----------
        system, topic
            Their places.
        """
        kept = tuple(self.kept_row(system, topic).tolist())
        return kept + (NOTHING,) * (self.depth - len(kept))

    def _mapped(self, change: Callable[[Cells], Cells]) -> Cells | Ragged:
        """Return the cells, each changed."""
        if isinstance(self._cells, Ragged):
            return evolve(self._cells, values=change(self._cells.values))
        return change(self._cells)


def is_sparse(lengths: IntArray, depth: int, itemsize: int) -> bool:
    """Return whether a table is to be kept as rows: it is large, and has little in it.

    Parameters
    ----------
    lengths
        How long each row is.
    depth
        How wide the table would be.
    itemsize
        How many bytes a place takes.
    """
    size = lengths.size * depth * itemsize
    return size > LARGE and size > SPARSE * int(lengths.sum()) * itemsize


def spread(values: Cells | BoolArray, lengths: IntArray, table: Cells | BoolArray) -> None:
    """Write values that stand row after row into the rows of a table, as far as each goes.

    Parameters
    ----------
    values, lengths
        The values, and how many each row has.
    table
        The table, which is written to.
    """
    if (lengths == table.shape[1]).all():
        table.reshape(-1)[:] = values
    else:
        table[np.arange(table.shape[1]) < lengths[:, None]] = values
