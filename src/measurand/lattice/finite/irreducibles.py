"""Join-irreducible elements: those that others do not make up."""

from __future__ import annotations

import numpy as np

from measurand.arrays import IntArray
from measurand.lattice.finite.order import Order


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
