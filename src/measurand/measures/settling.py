"""Equal exact values get equal floats: where floats are too close to call, the exact values decide."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from measurand.arrays import BoolArray, FloatArray
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


def settled(values: FloatArray, exact: Callable[[int], Exact | None], *, fixed: BoolArray | None = None) -> FloatArray:
    """Return scores, systems × topics, in which those that are too close to call come from exact values.

    Scores of different topics are compared as well, whether or not these share a scale: tests such as the rank sum do.

    Parameters
    ----------
    exact
        The exact value of a run, counting system by system and topic by topic; None if nobody knows it, and then
        the score is left as it is.
    fixed
        Scores that are settled already; those of the same exact value become equal to them.
    """
    scores = values.reshape(-1).copy()
    order = np.sort(scores)
    close = (np.diff(order) > 0) & near(order[:-1], order[1:])
    if not close.any():
        return values
    settled_before = np.zeros(scores.shape, dtype=bool) if fixed is None else fixed.reshape(-1)
    pairs = np.stack([order[:-1], order[1:]])[:, close]
    # two scores that are both settled need no further look
    unsure = np.unique(pairs[:, np.isin(pairs, scores[~settled_before]).any(axis=0)])
    _settle(scores, np.isin(scores, unsure), settled_before, exact)
    return scores.reshape(values.shape)


def _settle(scores: FloatArray, unsure: BoolArray, fixed: BoolArray, exact: Callable[[int], Exact | None]) -> None:
    """Settle the scores that are unsure, those that are fixed setting the example."""
    known: dict[Exact, float] = {}
    for place in [*np.flatnonzero(unsure & fixed).tolist(), *np.flatnonzero(unsure & ~fixed).tolist()]:
        value = exact(place)
        if value is None:
            continue
        if fixed[place]:
            known.setdefault(value, float(scores[place]))
        else:
            scores[place] = known.get(value, float(value)) if known else float(value)
