"""The laws of lattices: two have a join and a meet, the one distributes over the other; and what breaks them."""

from __future__ import annotations

import numpy as np

from measurand.arrays import IntArray
from measurand.lattice.finite.irreducibles import join_irreducibles
from measurand.lattice.finite.order import Order


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
