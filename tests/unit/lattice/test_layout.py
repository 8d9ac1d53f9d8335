"""Where the nodes of a diagram stand."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.lattice.layout import lay_out


@st.composite
def levelled_graphs(draw):
    """Draw levels of nodes, and edges from lower to higher levels."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=6))
    numbers = iter(range(sum(sizes)))
    levels = [[next(numbers) for _ in range(size)] for size in sizes]
    pairs = [(low, high) for i, j in combinations(range(len(levels)), 2) for low in levels[i] for high in levels[j]]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=20)) if pairs else []
    return levels, edges


@settings(deadline=None)
@given(graph=levelled_graphs())
def test_nodes_of_a_level_never_overlap(graph):
    levels, edges = graph
    layout = lay_out(levels, edges)
    for nodes in levels:
        places = np.sort(layout.x[nodes])
        assert (np.diff(places) >= 1 - 1e-9).all()
    assert layout.x.min() >= -1e-9


@settings(deadline=None)
@given(graph=levelled_graphs())
def test_a_line_bends_once_at_every_level_that_it_passes(graph):
    levels, edges = graph
    level = {node: height for height, nodes in enumerate(levels) for node in nodes}
    for (low, high), bends in zip(edges, lay_out(levels, edges).bends, strict=True):
        assert [height for _, height in bends] == list(range(level[low] + 1, level[high]))


def crossed(points, edges):
    """Return how many lines between neighbouring levels cross, by looking at all pairs."""
    pieces = [(points[a], points[b]) for a, b in edges]
    return sum(
        (a[0] - c[0]) * (b[0] - d[0]) < -1e-9 and a[1] == c[1] and b[1] == d[1]
        for (a, b), (c, d) in combinations(pieces, 2)
    )


@settings(deadline=None)
@given(graph=levelled_graphs())
def test_crossings_are_counted_as_they_are_drawn(graph):
    levels, edges = graph
    level = {node: height for height, nodes in enumerate(levels) for node in nodes}
    near = [edge for edge in edges if level[edge[1]] == level[edge[0]] + 1]
    layout = lay_out(levels, near)
    points = {node: (layout.x[node], level[node]) for node in level}
    assert crossed(points, near) == layout.crossings


def test_a_planar_order_is_drawn_without_crossings():
    # the grid of 4 by 4, turned to stand on a corner
    place = {(a, b): 4 * a + b for a in range(4) for b in range(4)}
    levels = [[place[a, b] for a, b in sorted(place, reverse=height % 2) if a + b == height] for height in range(7)]
    edges = [(place[a, b], place[up]) for a, b in place for up in ((a + 1, b), (a, b + 1)) if up in place]
    layout = lay_out(levels, edges)
    assert layout.crossings == 0
    assert layout.x[0] == pytest.approx(layout.x[15])


def test_top_and_bottom_stand_over_each_other():
    levels = [[0], [1, 2, 3], [4, 5], [6]]
    edges = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 5), (4, 6), (5, 6)]
    layout = lay_out(levels, edges)
    assert layout.x[0] == pytest.approx(layout.x[6])


def test_single_nodes_over_each_other_are_joined_by_upright_lines():
    levels = [[0], [1], [2, 3, 4], [5, 6], [7], [8]]
    edges = [(0, 1), (1, 2), (1, 3), (1, 4), (2, 5), (3, 5), (4, 6), (5, 7), (6, 7), (7, 8)]
    x = lay_out(levels, edges).x
    assert (x[0], x[7]) == pytest.approx((x[1], x[8]))


@settings(deadline=None)
@given(graph=levelled_graphs())
def test_a_line_that_passes_a_level_stays_clear_of_its_nodes(graph):
    levels, edges = graph
    layout = lay_out(levels, edges)
    for x, height in (bend for bends in layout.bends for bend in bends):
        assert all(abs(layout.x[node] - x) >= 0.75 - 1e-9 for node in levels[int(height)])


def test_a_long_line_is_straight_where_it_can_be():
    chain = list(pairwise(range(6)))
    layout = lay_out([[0], [1], [2], [3], [4], [5]], [*chain, (0, 5)])
    assert np.ptp([x for x, _ in layout.bends[-1]]) < 0.01


def test_a_chain_is_a_straight_line():
    layout = lay_out([[node] for node in range(9)], list(pairwise(range(9))))
    assert layout.x.tolist() == [0.0] * 9


def test_nothing_is_laid_out_as_nothing():
    assert lay_out([], []).x.size == 0
