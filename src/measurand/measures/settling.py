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


def settled(
    values: FloatArray, judged: JudgedRuns, exact: Callable[[Run, Pool], Exact], *, together: bool = False
) -> FloatArray:
    """Return scores, systems × topics, in which those that are too close to call come from exact values.

    Parameters
    ----------
    together
        Whether scores of different topics are compared as well, because all topics are on one scale.
    """
    columns = values.reshape(-1, 1) if together else values
    order = np.sort(columns, axis=0)
    gaps = np.diff(order, axis=0)
    # near 0 the parts of a sum may have cancelled
    close = (gaps > 0) & (gaps <= np.maximum(NEAR * np.abs(order[1:]), TINY))
    if not close.any():
        return values
    flat = columns.copy()
    topics = values.shape[1]
    for column in np.flatnonzero(close.any(axis=0)).tolist():
        near = close[:, column]
        unsure = np.unique(np.concatenate([order[:-1, column][near], order[1:, column][near]]))
        for row in np.flatnonzero(np.isin(columns[:, column], unsure)).tolist():
            system, topic = divmod(row, topics) if together else (row, column)
            run = tuple(judged.cells[system, topic].tolist())
            flat[row, column] = float(exact(run, judged.pools[topic]))
    return flat.reshape(values.shape)
