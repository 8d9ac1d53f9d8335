"""The diamond M3 and the pentagon N5: a lattice is distributive exactly when it holds neither."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, IntArray
from measurand.errors import ParameterError
from measurand.lattice.finite.laws import indistributive_triple
from measurand.lattice.finite.order import Order

_PAIRS = 1 << 16


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
