"""The smallest lattice that holds an order: its Dedekind-MacNeille completion."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray
from measurand.errors import NotAvailable
from measurand.lattice.finite.irreducibles import join_irreducibles
from measurand.lattice.finite.order import MOST, Order


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
