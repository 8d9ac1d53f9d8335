"""Algorithms on a finite order given as a matrix, the elements numbered so that none comes before a lower one.

`Order` has covers, bounds, joins and meets. The functions find join-irreducible elements and decompositions, what
violates the laws of lattices, the diamond M3 and the pentagon N5 (a lattice is distributive exactly when it holds
neither), and the Dedekind-MacNeille completion, the smallest lattice that holds an order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, IntArray
from measurand.errors import NotAvailable, ParameterError

MOST = 5_000
"""How many elements are written out at most."""

_ROWS = 512

Table: TypeAlias = "np.ndarray[Any, np.dtype[np.int16]]"

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"

_PAIRS = 1 << 16


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


def join_irreducibles(order: Order) -> IntArray:
    """Return those that are not the least upper bound of what is strictly below them.

    In a lattice these are the ones with exactly one lower cover. A bottom is the least upper bound of nothing.

    Examples
    --------
    >>> join_irreducibles(Order(np.triu(np.ones((3, 3), dtype=bool)))).tolist()
    [1, 2]
    """
    # the upper bounds of all that is below are those of the lower covers
    bounds = [int(order.above(below).sum()) for below in order.lower]
    return np.flatnonzero(np.array(bounds) != order.ups)


def decomposition(order: Order, place: int) -> list[int]:
    """Return join-irreducible ones whose least upper bound is one, none of which can be left out.

    In a distributive lattice there is only one such choice: the highest ones below.

    Examples
    --------
    >>> decomposition(Order(np.triu(np.ones((3, 3), dtype=bool))), 2)
    [2]
    """
    irreducible = np.zeros(order.size, dtype=bool)
    irreducible[join_irreducibles(order)] = True
    kept: list[int] = order.maximal(irreducible & order.leq[:, place]).tolist()
    for member in list(kept):
        rest = [other for other in kept if other != member]
        if order.above(rest).sum() == order.ups[place]:
            kept = rest
    return kept


def pair_without_bound(order: Order) -> tuple[str, int, int] | None:
    """Return "join" or "meet" and the first two that have none, or nothing in a lattice.

    Examples
    --------
    >>> pair_without_bound(Order(np.eye(2, dtype=bool)))
    ('join', 0, 1)
    """
    for name, table in (("join", order.joins), ("meet", order.meets)):
        places = np.argwhere(table < 0)
        if places.size:
            return name, *places[0].tolist()
    return None


def bounds(order: Order, name: str, x: int, y: int) -> IntArray:
    """Return the closest common bounds of two: minimal upper ones for a join, maximal lower ones for a meet.

    Examples
    --------
    >>> bounds(Order(np.eye(2, dtype=bool)), "join", 0, 1).tolist()
    []
    """
    return order.minimal(order.above([x, y])) if name == "join" else order.maximal(order.under([x, y]))


def indistributive_triple(order: Order) -> tuple[int, int, int] | None:
    """Return three of a lattice for which the meet of x with the join of y and z is too high, or nothing.

    A finite lattice is distributive exactly when below no join-irreducible element there are two highest
    that are not above it.

    Examples
    --------
    >>> square = np.array([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1]], dtype=bool)
    >>> indistributive_triple(Order(square)) is None
    True
    """
    for place in join_irreducibles(order).tolist():
        rest = ~order.leq[place]
        if order.greatest(rest) is None:
            y, z = order.maximal(rest)[:2].tolist()
            return place, y, z
    return None


@frozen
class Sublattice:
    """Five elements that hold the joins and meets of each other and form M3 or N5; unpacks into them.

    Parameters
    ----------
    name
        "M3" or "N5".
    bottom, top
        The lowest and the highest.
    between
        Of M3 the three others; of N5 the lower and the higher one of the longer side, and the one opposite.

    Examples
    --------
    >>> list(Sublattice("N5", 0, ("low", "high", "opposite"), 1))
    [0, 'low', 'high', 'opposite', 1]
    """

    name: str
    bottom: Any
    between: tuple[Any, Any, Any]
    top: Any

    @property
    def elements(self) -> tuple[Any, ...]:
        """All five, none before a lower one."""
        return (self.bottom, *self.between, self.top)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.elements)

    def __len__(self) -> int:
        return len(self.elements)


def forbidden(order: Order, name: str) -> tuple[int, ...] | None:
    """Return five that form M3 or N5, with all joins and meets among them, or nothing if there are none.

    Examples
    --------
    >>> forbidden(Order(np.triu(np.ones((3, 3), dtype=bool))), "M3") is None
    True
    """
    if name not in ("M3", "N5"):
        raise ParameterError(f"{name!r} is none of the forbidden lattices; ask for 'M3' or 'N5'")
    if order.is_lattice and indistributive_triple(order) is None:
        return None
    return _pentagon(order) if name == "N5" else _diamond(order)


def _bounded(order: Order) -> BoolArray:
    """Return which two are incomparable and have both a join and a meet."""
    return (order.joins >= 0) & (order.meets >= 0) & ~order.comparable


def _pentagon(order: Order) -> tuple[int, ...] | None:
    # if two comparable ones have the same join and the same meet with y, then so has all between them: it is
    # enough to look at those with nothing between
    bounded = _bounded(order)
    for x, above in enumerate(order.upper):
        alike = (order.joins[above] == order.joins[x]) & (order.meets[above] == order.meets[x]) & bounded[x]
        if alike.any():
            which, y = np.argwhere(alike)[0].tolist()
            return int(order.meets[x, y]), x, int(above[which]), y, int(order.joins[x, y])
    return None


def _diamond(order: Order) -> tuple[int, ...] | None:
    # a triangle in the graph of the pairs that have one join and one meet in common
    for pairs in _graphs(order):
        inside = np.zeros(order.size, dtype=bool)
        inside[pairs] = True
        members, ends = np.flatnonzero(inside), (np.cumsum(inside) - 1)[pairs]
        joined = np.zeros((members.size, members.size), dtype=bool)
        joined[ends[:, 0], ends[:, 1]] = joined[ends[:, 1], ends[:, 0]] = True
        triangle = _triangle(np.packbits(joined, axis=1), ends)
        if triangle is not None:
            x, y, z = sorted(members[list(triangle)].tolist())
            return int(order.meets[x, y]), x, y, z, int(order.joins[x, y])
    return None


def _graphs(order: Order) -> Iterator[IntArray]:
    """Return the pairs of the same join and meet, as long as there may be a triangle among them."""
    pairs = np.argwhere(np.triu(_bounded(order)))
    codes = order.joins[pairs[:, 0], pairs[:, 1]].astype(np.int64) * order.size
    codes += order.meets[pairs[:, 0], pairs[:, 1]]
    ranked = np.argsort(codes, kind="stable")
    starts = np.append(np.flatnonzero(np.diff(codes[ranked], prepend=-1)), len(ranked))
    for which in np.flatnonzero(np.diff(starts) >= 3):
        yield pairs[ranked[starts[which] : starts[which + 1]]]


def _triangle(joined: np.ndarray[Any, np.dtype[np.uint8]], ends: IntArray) -> tuple[int, int, int] | None:
    """Return three that are joined with each other, given each one's neighbours as bits."""
    for start in range(0, len(ends), _PAIRS):
        some = ends[start : start + _PAIRS]
        shared = joined[some[:, 0]] & joined[some[:, 1]]
        found = np.flatnonzero(shared.any(axis=1))
        if found.size:
            third = int(np.unpackbits(shared[found[0]]).argmax())
            return int(some[found[0], 0]), int(some[found[0], 1]), third
    return None


@frozen
class Cut:
    """A place between elements, where a lattice has an element and the order has none.

    Parameters
    ----------
    below
        The highest elements below it.
    above
        The lowest elements above it.

    Examples
    --------
    >>> print(Cut((("0", "2"), ("1", "0")), (("1", "2"), ("2", "0"))))
    between ('0', '2'), ('1', '0') and ('1', '2'), ('2', '0')
    """

    below: tuple[Any, ...]
    above: tuple[Any, ...]

    def __str__(self) -> str:
        low, high = (", ".join(map(str, side)) for side in (self.below, self.above))
        if not low or not high:
            return f"below {high}" if high else f"above {low}"
        return f"between {low} and {high}"


def completed(elements: tuple[Any, ...], order: Order) -> tuple[tuple[Any, ...], BoolArray]:
    """Return the elements of an order and the cuts that make it a lattice, and how all of them are ordered.

    Examples
    --------
    >>> completed(("a", "b"), Order(np.eye(2, dtype=bool)))[0]
    (Cut(below=(), above=('a', 'b')), 'a', 'b', Cut(below=('a', 'b'), above=()))
    """
    if order.is_lattice:
        return elements, order.leq
    known = dict(zip(_down_sets(order), elements, strict=True))
    # what is higher reaches further or holds more; the elements stay in their order
    sets = sorted(_cut_sets(order), key=lambda downs: (downs.bit_length(), downs.bit_count(), downs))
    rows = np.array([_row(downs, order.size) for downs in sets])
    pairs = zip(sets, rows, strict=True)
    members = tuple(known[downs] if downs in known else _cut(elements, order, row) for downs, row in pairs)
    numbers = rows.astype(np.float32)
    # the one is below the other if all that is below the one is below the other
    return members, numbers @ numbers.T == rows.sum(axis=1)[:, None]


def _down_sets(order: Order) -> list[int]:
    """Return what is at most as high as each, as the bits of a number."""
    columns = np.packbits(np.ascontiguousarray(order.leq.T), axis=1, bitorder="little")
    return [int.from_bytes(column.tobytes(), "little") for column in columns]


def _cut_sets(order: Order) -> set[int]:
    """Return every set that is all that is below some elements."""
    downs = _down_sets(order)
    found = {(1 << order.size) - 1}
    # what is made up by others from above adds nothing
    for place in (order.size - 1 - join_irreducibles(order.dual)).tolist():
        found |= {known & downs[place] for known in found}
        if len(found) > MOST:
            raise NotAvailable(
                f"the completion of these {order.size} elements has more than {MOST:,};"
                " take fewer elements, or work with the minimal upper bounds of the pairs you need"
            )
    return found


def _row(downs: int, size: int) -> BoolArray:
    octets = np.frombuffer(downs.to_bytes(size // 8 + 1, "little"), dtype=np.uint8)
    return np.unpackbits(octets, bitorder="little")[:size].astype(bool)


def _cut(elements: tuple[Any, ...], order: Order, downs: BoolArray) -> Cut:
    above = order.above(np.flatnonzero(downs))
    low, high = order.maximal(downs), order.minimal(above)
    return Cut(tuple(elements[place] for place in low), tuple(elements[place] for place in high))
