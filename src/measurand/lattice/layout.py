"""Layout of a levelled diagram: the order of the nodes in every level and their horizontal places.

The method is that of Sugiyama and others: long lines get a bend in every level that they pass; sweeps up and down
order the levels so that few lines cross; further sweeps place the nodes so that most lines are steep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


PLACING_SWEEPS = 24
"""How often the levels follow each other, up and down, and how often both their neighbours after that."""

SETTLED = 0.001
"""A sweep that moves nothing further, in widths of a node, is the last of its kind."""

PASSING = 0.5
"""The room that a line takes where it passes a level, in widths of a node."""

PULL = 1.0, 2.0, 8.0
"""How strongly a piece of a line wants to be upright: between nodes, at one, between bends, where kinks are seen."""

STAYING = 1e-6
"""How strongly a node without neighbours keeps its place."""

ORDERING_SWEEPS = 24
"""How often the levels are gone through, up and down, to order them."""

LARGE = 1_500
"""A diagram with more nodes and bends is ordered by fewer sweeps."""

Edge = tuple[int, int]


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
        for _ in range(PLACING_SWEEPS):
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


@frozen(eq=False)
class Layout:
    """Where nodes and lines are.

    Parameters
    ----------
    x
        How far to the right each node stands, in widths of a node, from 0.
    bends
        For every edge, the points (x, level) that its line goes through between its ends.
    crossings
        How often lines cross.
    """

    x: FloatArray
    bends: tuple[tuple[tuple[float, float], ...], ...]
    crossings: int


def lay_out(levels: Sequence[Sequence[int]], edges: Sequence[Edge]) -> Layout:
    """Return where to draw the nodes of levels, from below, that are joined by edges from a lower to a higher one.

    Every level is ordered by the mean place of the neighbours of its nodes, in turn from below and from above; of
    all orders passed through, the one with the fewest crossings is kept. Then nodes move towards the mean of their
    neighbours as far as the order lets them. An edge that passes a level takes a place there.

    Examples
    --------
    >>> diamond = lay_out([[0], [1, 2], [3]], [(0, 1), (0, 2), (1, 3), (2, 3)])
    >>> diamond.x.tolist(), diamond.crossings
    ([0.5, 0.0, 1.0, 0.5], 0)

    Notes
    -----
    The method of layers, ordered by barycentres [Sugiyama1981]_; places are least squares under the order
    (isotonic regression).
    """
    if not levels:
        return Layout(np.zeros(0), (), 0)
    layers, segments, paths = _with_bends(levels, edges)
    ups, downs = _neighbours(segments)
    order, crossings = _ordered(layers, ups, downs)
    nodes = sum(map(len, levels))
    x = placed(order, segments, nodes)
    height = {node: float(level) for level, nodes in enumerate(layers) for node in nodes}
    bends = tuple(tuple((float(x[point]), height[point]) for point in path) for path in paths)
    return Layout(x[:nodes], bends, crossings)


def _with_bends(
    levels: Sequence[Sequence[int]], edges: Sequence[Edge]
) -> tuple[list[list[int]], list[Edge], list[list[int]]]:
    """Return the levels with a point for every edge that passes one, the edges in pieces, and the points of each."""
    layers = [list(nodes) for nodes in levels]
    level = {node: place for place, nodes in enumerate(levels) for node in nodes}
    following = sum(map(len, levels))
    segments: list[Edge] = []
    paths: list[list[int]] = []
    for low, high in edges:
        passed = range(level[low] + 1, level[high])
        path = list(range(following, following + len(passed)))
        for place, point in zip(passed, path, strict=True):
            layers[place].append(point)
        following += len(path)
        segments += zip([low, *path], [*path, high], strict=True)
        paths.append(path)
    return layers, segments, paths


def _neighbours(segments: Sequence[Edge]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    ups, downs = defaultdict(list), defaultdict(list)
    for low, high in segments:
        ups[low].append(high)
        downs[high].append(low)
    return ups, downs


def _ordered(
    layers: list[list[int]], ups: dict[int, list[int]], downs: dict[int, list[int]]
) -> tuple[list[list[int]], int]:
    """Return the levels in the best order found, and how many lines cross in it."""
    order = [list(nodes) for nodes in layers]
    best, fewest = [list(nodes) for nodes in order], _crossings(order, ups)
    for sweep in range(ORDERING_SWEEPS if sum(map(len, layers)) <= LARGE else ORDERING_SWEEPS // 4):
        if not fewest:
            break
        upwards = sweep % 2 == 0
        near = downs if upwards else ups
        place = {node: index for nodes in order for index, node in enumerate(nodes)}
        for nodes in order if upwards else reversed(order):
            centre = {node: _mean([place[other] for other in near[node]], place[node]) for node in nodes}
            nodes.sort(key=lambda node: centre[node])
            place |= {node: index for index, node in enumerate(nodes)}
        crossings = _crossings(order, ups)
        if crossings < fewest:
            best, fewest = [list(nodes) for nodes in order], crossings
    return best, fewest


def _mean(places: list[int], otherwise: float) -> float:
    return sum(places) / len(places) if places else otherwise


def _crossings(order: list[list[int]], ups: dict[int, list[int]]) -> int:
    """Return how many pairs of lines between neighbouring levels cross."""
    place = {node: index for nodes in order for index, node in enumerate(nodes)}
    total = 0
    for nodes in order:
        ends = np.array([end for node in nodes for end in sorted(place[other] for other in ups[node])], dtype=np.int64)
        # a later line that ends further left crosses
        total += int(sum(np.count_nonzero(ends[:index] > end) for index, end in enumerate(ends)))
    return total
