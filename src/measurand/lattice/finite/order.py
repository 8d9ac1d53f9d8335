"""An order as a matrix: what lies below what, the elements numbered so that none comes before a lower one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, IntArray
from measurand.errors import NotAvailable

MOST = 5_000
"""How many elements are written out at most."""

_ROWS = 512

Table: TypeAlias = "np.ndarray[Any, np.dtype[np.int16]]"
Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"


def refuse_many(number: int, what: str, shown: str = "") -> None:
    """Refuse more elements than are written out.

    Examples
    --------
    >>> refuse_many(27, "elements")
    """
    if number > MOST:
        raise NotAvailable(
            f"{shown or f'{number:,}'} {what} are more than the {MOST:,} for which an order is written out;"
            " take fewer, or look at a part of them"
        )


@frozen(eq=False)
class Order:
    """The order of the numbers from 0 up, of which none is below a smaller one.

    Parameters
    ----------
    leq
        Whether the one of the row is below the one of the column, or is it.

    Examples
    --------
    >>> square = Order(np.array([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1]], dtype=bool))
    >>> square.joins.tolist()
    [[0, 1, 2, 3], [1, 1, 3, 3], [2, 3, 2, 3], [3, 3, 3, 3]]
    >>> square.edges.tolist()
    [[0, 1], [0, 2], [1, 3], [2, 3]]
    """

    leq: BoolArray

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.leq)

    @cached_property
    def ups(self) -> IntArray:
        """How many are at least as high as each."""
        counts: IntArray = self.leq.sum(axis=1, dtype=np.int64)
        return counts

    @cached_property
    def downs(self) -> IntArray:
        """How many are at most as high as each."""
        counts: IntArray = self.leq.sum(axis=0, dtype=np.int64)
        return counts

    @property
    def top(self) -> int | None:
        """The one above all."""
        return self.size - 1 if self.downs[-1] == self.size else None

    @property
    def bottom(self) -> int | None:
        """The one below all."""
        return 0 if self.ups[0] == self.size else None

    @cached_property
    def comparable(self) -> BoolArray:
        """Whether two can be compared."""
        return self.leq | self.leq.T

    @cached_property
    def covers(self) -> BoolArray:
        """Whether the one of the column is above the one of the row with nothing between."""
        found = np.zeros_like(self.leq)
        for start, rows, rest in self._blocks():
            # the two alone are from the one up to the other
            found[start : start + len(rows), start:] = rows @ rest == 2
        # where the one is not below the other, nothing is from the one up to the other: a product of 0
        return found

    @cached_property
    def edges(self) -> IntArray:
        """The pairs with nothing between, the lower one first."""
        return np.argwhere(self.covers)

    @cached_property
    def upper(self) -> tuple[IntArray, ...]:
        """Those right above each."""
        return tuple(np.flatnonzero(row) for row in self.covers)

    @cached_property
    def lower(self) -> tuple[IntArray, ...]:
        """Those right below each."""
        return tuple(np.flatnonzero(row) for row in np.ascontiguousarray(self.covers.T))

    @cached_property
    def heights(self) -> IntArray:
        """How many steps the longest chain from below up to each has."""
        heights = np.zeros(self.size, dtype=np.int64)
        for place, below in enumerate(self.lower):
            heights[place] = heights[below].max(initial=-1) + 1
        return heights

    @cached_property
    def dual(self) -> Order:
        """The order turned over, numbered from the other end."""
        return Order(np.ascontiguousarray(self.leq[::-1, ::-1].T))

    @cached_property
    def joins(self) -> Table:
        """The least upper bound of every two, -1 where there is none."""
        # the first common upper bound: of y and what is right above x, unless x is one itself
        first = np.full((self.size, self.size), self.size, dtype=np.int16)
        for place in reversed(range(self.size)):
            row = first[self.upper[place]].min(axis=0, initial=self.size)
            row[self.leq[:, place]] = place
            first[place] = row
        return self._least_alone(first)

    @cached_property
    def meets(self) -> Table:
        """The greatest lower bound of every two, -1 where there is none."""
        turned = self.dual.joins[::-1, ::-1]
        return np.where(turned < 0, turned, self.size - 1 - turned)

    @property
    def is_lattice(self) -> bool:
        """Whether every two have a least upper bound and a greatest lower bound."""
        # where all have a lower bound, the join of the lower bounds of two is their meet
        return self.bottom is not None and bool((self.joins >= 0).all())

    def above(self, places: Sequence[int] | IntArray) -> BoolArray:
        """Return which are at least as high as all of some."""
        return np.asarray(np.logical_and.reduce(self.leq[np.asarray(places, dtype=np.int64)], axis=0))

    def under(self, places: Sequence[int] | IntArray) -> BoolArray:
        """Return which are at most as high as all of some."""
        return np.asarray(np.logical_and.reduce(self.leq[:, np.asarray(places, dtype=np.int64)], axis=1))

    def least(self, mask: BoolArray) -> int | None:
        """Return the one of some that is below all of them."""
        first = int(mask.argmax())
        return first if mask[first] and np.count_nonzero(self.leq[first] & mask) == np.count_nonzero(mask) else None

    def greatest(self, mask: BoolArray) -> int | None:
        """Return the one of some that is above all of them."""
        last = self.size - 1 - int(mask[::-1].argmax())
        return last if mask[last] and np.count_nonzero(self.leq[:, last] & mask) == np.count_nonzero(mask) else None

    def minimal(self, mask: BoolArray) -> IntArray:
        """Return those of some that have none of them below."""
        places = np.flatnonzero(mask)
        lone: BoolArray = self.leq[np.ix_(places, places)].sum(axis=0) == 1
        return places[lone]

    def maximal(self, mask: BoolArray) -> IntArray:
        """Return those of some that have none of them above."""
        places = np.flatnonzero(mask)
        lone: BoolArray = self.leq[np.ix_(places, places)].sum(axis=1) == 1
        return places[lone]

    def _least_alone(self, first: Table) -> Table:
        """Return the first common upper bounds that are below all others, -1 in place of the rest."""
        ups = np.append(self.ups, -1)
        for start, rows, rest in self._blocks():
            stop = start + len(rows)
            # a bound is the least if there are no more common bounds than what is above it
            found = first[start:stop, start:]
            found[rows @ rest.T != ups[found]] = -1
            first[start:, start:stop] = found.T
        return first

    def _blocks(self) -> Iterator[tuple[int, Numbers, Numbers]]:
        """Return some rows at a time and all that follow, without the columns before them, ready to multiply."""
        # counts up to 5,000 are exact in single precision
        numbers = self.leq.astype(np.float32)
        for start in range(0, self.size, _ROWS):
            yield start, numbers[start : start + _ROWS, start:], numbers[start:, start:]
