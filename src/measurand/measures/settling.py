"""Equal exact values get equal floats: where floats are too close to call, the exact values decide."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from measurand.arrays import FloatArray
from measurand.exact import Exact
from measurand.judged import JudgedRuns, Pool

Run = tuple[int, ...]

NEAR = 1e-12
"""Floats closer than this, relative to the larger, may come from equal exact values …"""

TINY = 1e-14
"""… and floats closer than this in any case."""


def settled(values: FloatArray, judged: JudgedRuns, exact: Callable[[Run, Pool], Exact]) -> FloatArray:
    """Return scores, systems × topics, in which those that are too close to call come from exact values."""
    order = np.sort(values, axis=0)
    gaps = np.diff(order, axis=0)
    # near 0 the parts of a sum may have cancelled
    close = (gaps > 0) & (gaps <= np.maximum(NEAR * np.abs(order[1:]), TINY))
    if not close.any():
        return values
    values = values.copy()
    for topic in np.flatnonzero(close.any(axis=0)).tolist():
        for low, high in zip(order[:-1, topic][close[:, topic]], order[1:, topic][close[:, topic]], strict=True):
            for system in np.flatnonzero((values[:, topic] == low) | (values[:, topic] == high)).tolist():
                run = tuple(judged.cells[system, topic].tolist())
                values[system, topic] = float(exact(run, judged.pools[topic]))
    return values
