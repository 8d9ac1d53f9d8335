"""Equal exact values get equal floats: where floats are too close to call, the exact values decide."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.exact import Exact

NEAR = 1e-12
"""Floats closer than this, relative to the larger, may come from equal exact values …"""

TINY = 1e-14
"""… and floats closer than this in any case."""


def near(one: FloatArray, other: FloatArray) -> BoolArray:
    """Say where two floats are so close that they may come from equal exact values.

    Examples
    --------
    >>> near(np.array([0.5, 1.0]), np.array([0.5 + 1e-13, 1.1])).tolist()
    [True, False]
    """
    # near 0 the parts of a sum may have cancelled
    return np.asarray(np.abs(one - other) <= np.maximum(NEAR * np.maximum(np.abs(one), np.abs(other)), TINY))


def settled(
    values: FloatArray,
    exact: Callable[[int], Exact | None],
    *,
    together: bool = False,
    fixed: BoolArray | None = None,
) -> FloatArray:
    """Return scores, systems × topics, in which those that are too close to call come from exact values.

    Parameters
    ----------
    exact
        The exact value of a run, counting system by system and topic by topic; None if nobody knows it, and then
        the score is left as it is.
    together
        Whether scores of different topics are compared as well, because all topics are on one scale.
    fixed
        Scores that are settled already; those of the same exact value become equal to them.
    """
    columns = values.reshape(-1, 1) if together else values
    order = np.sort(columns, axis=0)
    close = (np.diff(order, axis=0) > 0) & near(order[:-1], order[1:])
    if not close.any():
        return values
    flat = columns.copy()
    rows = np.arange(values.size).reshape(columns.shape)
    settled_before = np.zeros(columns.shape, dtype=bool) if fixed is None else fixed.reshape(columns.shape)
    for column in np.flatnonzero(close.any(axis=0)).tolist():
        pairs = np.stack([order[:-1, column], order[1:, column]])[:, close[:, column]]
        # two scores that are both settled need no further look
        open_values = columns[~settled_before[:, column], column]
        unsure = np.unique(pairs[:, np.isin(pairs, open_values).any(axis=0)])
        _settle(flat[:, column], np.isin(columns[:, column], unsure), settled_before[:, column], rows[:, column], exact)
    return flat.reshape(values.shape)


def _settle(
    scores: FloatArray, unsure: BoolArray, fixed: BoolArray, rows: IntArray, exact: Callable[[int], Exact | None]
) -> None:
    """Settle the scores of one column that are unsure, those that are fixed setting the example."""
    known: dict[Exact, float] = {}
    for place in [*np.flatnonzero(unsure & fixed).tolist(), *np.flatnonzero(unsure & ~fixed).tolist()]:
        value = exact(int(rows[place]))
        if value is None:
            continue
        if fixed[place]:
            known.setdefault(value, float(scores[place]))
        else:
            scores[place] = known.get(value, float(value)) if known else float(value)
