"""The drawing of who beats whom leaves out only what can be followed."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from measurand.report.page.level_graph import FEW, FEWER, level_chart, level_graph, readable_graph


def acyclic(seed: int, systems: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    names = rng.permutation(systems)
    found = np.zeros((systems, systems), dtype=bool)
    for a in range(systems):
        for b in range(a + 1, systems):
            found[names[a], names[b]] = rng.random() < 0.3
    return found


@pytest.mark.parametrize("seed", range(8))
def test_whoever_beats_another_reaches_it_by_arrows_that_lead_downwards(seed):
    beats = acyclic(seed, 12)
    graph = level_graph(beats, range(12))
    drawn = nx.DiGraph(graph.arrows)
    level = {place: depth for depth, places in enumerate(graph.rows) for place in places}
    assert all(beats[a, b] and level[a] < level[b] for a, b in graph.arrows)
    assert all(nx.has_path(drawn, a, b) for a, b in np.argwhere(beats).tolist())
    assert sorted([*graph.drawn, *graph.alone]) == list(range(12))
    assert not any((beats | beats.T)[place].any() for place in graph.alone)


@pytest.mark.parametrize("seed", range(8))
def test_pairs_that_arrows_connect_although_the_first_is_not_ahead_are_exceptions(seed):
    beats = acyclic(seed, 12)
    graph = level_graph(beats, range(12))
    drawn = nx.DiGraph(graph.arrows)
    connected = {(a, b) for a in drawn for b in nx.descendants(drawn, a)}
    assert connected - set(map(tuple, np.argwhere(beats).tolist())) == set(graph.exceptions)


def test_where_the_best_are_not_ahead_of_each_other_systems_down_to_the_last_are_drawn():
    beats = np.zeros((60, 60), dtype=bool)
    beats[:45, 45:] = True
    graph = level_graph(beats, range(60), most=10)
    assert (graph.spread, graph.left_out, len(graph.drawn)) == (True, 50, 10)
    assert {0, 59} <= set(graph.drawn)
    assert not level_graph(np.triu(beats, 1)[:12, :12], range(12)).spread


def test_fewer_systems_are_drawn_where_arrows_would_be_too_many_to_follow():
    beats = np.zeros((30, 30), dtype=bool)
    beats[:15, 15:] = True
    assert len(readable_graph(beats, range(30)).drawn) == FEWER
    assert len(readable_graph(np.triu(np.ones((30, 30), dtype=bool), 1), range(30)).drawn) == 30


def test_a_drawing_has_room_for_the_names_of_few_systems():
    beats = np.triu(np.ones((2, 2), dtype=bool), 1)
    short, long = (level_chart(level_graph(beats, range(2)), [name * 2, name], beats, "") for name in ("a", "a" * 25))
    limits = [chart["layer"][-1]["mark"]["limit"] for chart in (short, long)]
    assert limits[0] < 6 * 50 <= limits[1] < long["width"]


def test_circles_share_a_row_and_are_told():
    beats = np.zeros((4, 4), dtype=bool)
    beats[[0, 1, 2, 0], [1, 2, 0, 3]] = True
    graph = level_graph(beats, range(4))
    assert (graph.rows, graph.arrows, graph.circular) == (((0, 1, 2), (3,)), ((0, 3),), 3)


def test_of_many_systems_those_are_drawn_that_beat_most():
    beats = np.triu(np.ones((60, 60), dtype=bool), 1)[::-1, ::-1]
    graph = level_graph(beats, range(60), most=10)
    assert graph.drawn == tuple(range(59, 49, -1))
    assert (graph.left_out, graph.alone) == (50, ())


@pytest.mark.parametrize("width", [3, FEW + 6])
def test_every_system_and_arrow_is_in_the_drawing(width):
    beats = np.zeros((width + 1, width + 1), dtype=bool)
    beats[0, 1:] = True
    systems = [f"<b>{place}</b>" for place in range(width + 1)]
    chart = level_chart(level_graph(beats, range(width + 1)), systems, beats, "under every measure")
    lines, heads, dots, above, below = (layer["data"]["values"] for layer in chart["layer"])
    assert [node["system"] for node in dots] == systems
    assert sorted(node["system"] for node in [*above, *below]) == sorted(systems)
    assert {(head["ahead"], head["behind"]) for head in heads} == {(systems[0], name) for name in systems[1:]}
    assert {line["ahead"] for line in lines} == {systems[0]}
    assert bool(below) is (width > FEW)


def test_nothing_is_drawn_of_nothing():
    graph = level_graph(np.zeros((3, 3), dtype=bool), range(3))
    assert (graph.rows, graph.arrows, graph.alone) == ((), (), (0, 1, 2))
