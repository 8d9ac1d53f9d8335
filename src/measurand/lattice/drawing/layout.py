"""Where the nodes of a levelled diagram stand, so that few lines cross and most are steep."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.lattice.drawing.placement import placed

SWEEPS = 24
"""How often the levels are gone through, up and down, to order them."""

LARGE = 1_500
"""A diagram with more nodes and bends is ordered by fewer sweeps."""

Edge = tuple[int, int]


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
    for sweep in range(SWEEPS if sum(map(len, layers)) <= LARGE else SWEEPS // 4):
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
