"""How far to the right the points of a levelled diagram stand, once it is known which stands beside which."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SWEEPS = 24
"""How often the levels follow each other, up and down, and how often both their neighbours after that."""

SETTLED = 0.001
"""A sweep that moves nothing further, in widths of a node, is the last of its kind."""

PASSING = 0.5
"""The room that a line takes where it passes a level, in widths of a node."""

PULL = 1.0, 2.0, 8.0
"""How strongly a piece of a line wants to be upright: between nodes, at one, between bends, where kinks are seen."""

STAYING = 1e-6
"""How strongly a node without neighbours keeps its place."""


def placed(order: Sequence[Sequence[int]], segments: Sequence[tuple[int, int]], nodes: int) -> FloatArray:
    """Return how far to the right every point stands, from 0: the first so many are nodes, the others bends of lines.

    Least squares: the sum of the squares that pieces of lines go aside is made small, one level after the other,
    which is isotonic regression while the points keep their order and their room.

    Examples
    --------
    >>> placed([[0], [1, 2], [3]], [(0, 1), (0, 2), (1, 3), (2, 3)], 4).tolist()
    [0.5, 0.0, 1.0, 0.5]
    """
    points = sum(map(len, order))
    width = np.where(np.arange(points) < nodes, 1.0, PASSING)
    room = [np.cumsum(width[level]) - width[level] / 2 for level in order]
    x = np.zeros(points)
    for level, taken in zip(order, room, strict=True):
        x[level] = taken - taken.mean()
    below, above = _pulls(segments, nodes, points)
    low, high = [below[level] for level in order], [above[level] for level in order]
    both = [one + other for one, other in zip(low, high, strict=True)]
    for upwards, downwards in ((low, high), (both, both)):
        for _ in range(SWEEPS):
            before = x.copy()
            _sweep(x, order, room, upwards)
            _sweep(x, order[::-1], room[::-1], downwards[::-1])
            if np.abs(x - before).max() < SETTLED:
                break
    _straighten(x, order, segments)
    return np.asarray(x - x.min())


def _pulls(segments: Sequence[tuple[int, int]], nodes: int, points: int) -> tuple[csr_array, csr_array]:
    """Return how strongly every point is pulled by those below it, and by those above it."""
    from scipy.sparse import csr_array

    ends = np.array(segments, dtype=np.int64).reshape(-1, 2)
    strength = np.array(PULL)[(ends >= nodes).sum(axis=1)]
    above = csr_array((strength, (ends[:, 0], ends[:, 1])), shape=(points, points))
    return above.T.tocsr(), above


def _sweep(
    x: FloatArray, order: Sequence[Sequence[int]], room: Sequence[FloatArray], pulls: Sequence[csr_array]
) -> None:
    """Move every level in turn to where its neighbours pull it."""
    from scipy.optimize import isotonic_regression

    for level, taken, pull in zip(order, room, pulls, strict=True):
        weights = pull.sum(axis=1) + STAYING
        wanted = (pull @ x + STAYING * x[level]) / weights
        x[level] = isotonic_regression(wanted - taken, weights=weights).x + taken


def _straighten(x: FloatArray, order: Sequence[Sequence[int]], segments: Sequence[tuple[int, int]]) -> None:
    """Push the levels aside so that lines lean to no side, except as the top has to come over the bottom."""
    height = {point: level for level, points in enumerate(order) for point in points}
    leans: list[list[float]] = [[] for _ in order]
    for low, high in segments:
        leans[height[high]].append(x[high] - x[low])
    push = np.cumsum([np.mean(lean) if lean else 0.0 for lean in leans])
    # where levels have one point, a lean would be seen
    share = np.cumsum([0, *(min(len(low), len(high)) - 1 for low, high in pairwise(order))])
    rest = x[order[-1]].mean() - push[-1] - x[order[0]].mean()
    push += rest * share / max(share[-1], 1)
    for points, aside in zip(order, push, strict=True):
        x[points] -= aside
