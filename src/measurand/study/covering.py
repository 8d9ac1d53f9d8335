"""Fewest systems that cover everything: the smallest set of columns that has a mark in every row of a table."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray

FEW = 30
"""Among so many columns the search goes on to its end …"""

NODES = 1_000
"""… or through so many branches; among more columns it ends before it branches."""


@frozen
class Cover:
    """A set of columns with a mark in every row.

    Parameters
    ----------
    columns
        The places of the columns, ascending.
    smallest
        Whether no smaller set covers all rows; if not, there may be one.

    Examples
    --------
    >>> smallest_cover(np.array([[True, False, True], [False, True, True]]))
    Cover(columns=(2,), smallest=True)
    """

    columns: tuple[int, ...]
    smallest: bool


def smallest_cover(marks: BoolArray) -> Cover:
    """Return the fewest columns that have a mark in every row.

    A quick search takes the column with most marks in rows that are left, again and again; an integer program looks
    for fewer, and shows that there are none if it comes to its end.

    Parameters
    ----------
    marks
        Rows × columns; every row has a mark.

    Examples
    --------
    >>> smallest_cover(np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=bool))
    Cover(columns=(1, 2), smallest=True)
    >>> smallest_cover(np.zeros((0, 3), dtype=bool))
    Cover(columns=(), smallest=True)
    """
    packed = np.unique(np.packbits(marks, axis=1), axis=0)
    rows = np.unpackbits(packed, axis=1, count=marks.shape[1]).astype(bool)
    quick = _greedy(rows)
    if len(quick) <= 2:
        # one that has a mark in every row would have been taken first
        return Cover(quick, smallest=True)
    better = _fewest(rows)
    return Cover(quick, smallest=False) if better is None else Cover(better, smallest=True)


def _greedy(rows: BoolArray) -> tuple[int, ...]:
    chosen: list[int] = []
    left = rows
    while len(left):
        chosen.append(int(left.sum(axis=0).argmax()))
        left = left[~left[:, chosen[-1]]]
    return tuple(sorted(chosen))


def _fewest(rows: BoolArray) -> tuple[int, ...] | None:
    """Return the fewest columns, or None if it could not be shown that they are."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # slow to load

    columns = rows.shape[1]
    found = milp(
        np.ones(columns),
        constraints=LinearConstraint(rows.astype(np.float64), lb=1),
        bounds=Bounds(0, 1),
        integrality=np.ones(columns),
        options={"node_limit": NODES if columns <= FEW else 0},
    )
    if found.status != 0:
        return None
    chosen = np.flatnonzero(found.x > 0.5)
    # floats proposed it; that it covers is checked
    return tuple(chosen.tolist()) if rows[:, chosen].any(axis=1).all() else None
