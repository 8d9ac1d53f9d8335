"""Who is ahead of whom at a level, as a drawing: best on top, an arrow from a system to one that is behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray
from measurand.display.charts import ACCENT, GREY, INK, Chart
from measurand.display.wording import counted
from measurand.lattice.layout import lay_out
from measurand.study.levels_matrix import transitive_reduction

DRAWN, FEWER = 40, 20
"""How many systems are drawn at most, and how many where arrows would be too many to follow."""

ARROWS = 90
"""How many arrows can be followed."""

WIDE, NARROW = 104, 56
"""How far apart systems are drawn that stand side by side, few and many, in pixels."""

LETTER, WHOLE = 6, 760
"""How wide a letter of a name is, and how wide a drawing of few systems with long names, in pixels."""

HIGH, LOW = 76, 54
"""How far apart rows are drawn, few and many, in pixels."""

FEW = 7
"""Up to how many systems stand side by side with room for their names, and how many rows are few."""

Edge = tuple[int, int]


@frozen(eq=False)
class LevelGraph:
    """Which systems are drawn in which row, and which of their arrows.

    Parameters
    ----------
    rows
        The systems of each row, from above; an arrow leads from a higher row to a lower one.
    arrows
        From the system that is ahead to the one that is behind, without those between systems that other arrows
        connect already.
    exceptions
        Pairs that arrows connect, though the first is not ahead of the last: being significantly ahead, or ahead on
        the topics that two systems share, need not carry over from one pair to the next.
    alone
        Systems without any arrow to or from one that is drawn, which are not drawn.
    left_out
        How many systems are not drawn because there are too many.
    spread
        Whether these are drawn from the best to the last, since the best are hardly ahead of each other.
    circular
        How many systems are ahead of each other in a circle, so that no arrow among them can lead downwards.
    """

    rows: tuple[tuple[int, ...], ...]
    arrows: tuple[Edge, ...]
    exceptions: tuple[Edge, ...]
    alone: tuple[int, ...]
    left_out: int
    spread: bool
    circular: int

    @property
    def drawn(self) -> tuple[int, ...]:
        """The systems that are drawn, row by row."""
        return tuple(place for row in self.rows for place in row)


def level_graph(beats: BoolArray, order: Sequence[int], most: int = DRAWN) -> LevelGraph:
    """Return what is drawn of who is ahead of whom.

    Of more than `most` systems, those are drawn that are ahead of most others and behind least, ties in the given
    order; where these are hardly ahead of each other, as many from the best to the last. An arrow is left out where
    others lead the same way.

    Parameters
    ----------
    beats
        Systems × systems: whether the row is ahead of the column.
    order
        The systems in the order in which ties are broken.
    most
        How many systems are drawn at most.

    Examples
    --------
    >>> import numpy as np
    >>> beats = np.array([[0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]], dtype=bool)
    >>> found = level_graph(beats, range(4))
    >>> found.rows, found.arrows, found.alone
    (((0,), (1,), (2,)), ((0, 1), (1, 2)), (3,))
    """
    net = beats.sum(axis=1) - beats.sum(axis=0)
    touched = (beats | beats.T).sum(axis=1) > 0
    ranked = sorted((place for place in order if touched[place]), key=lambda place: -int(net[place]))
    chosen = _connected(beats, ranked[:most])
    spread = len(ranked) > most and 2 * len(chosen) < most
    best = ranked[:most]
    if spread:
        best = [ranked[place] for place in np.linspace(0, len(ranked) - 1, most).round().astype(int).tolist()]
        chosen = _connected(beats, best)
    beyond = set(ranked) - set(best)
    ahead = beats[np.ix_(chosen, chosen)]
    reach = _reachable(ahead)
    circles = reach & reach.T
    above = reach & ~circles
    depths = _depths(above)
    rows = [
        tuple(place for place, depth in zip(chosen, depths, strict=True) if depth == row)
        for row in range(max(depths, default=-1) + 1)
    ]
    arrows = above & ahead
    if not circles.any():
        # where a third system stands between two, their arrow says nothing new
        arrows &= transitive_reduction(above)
    drawn, exceptions = (
        tuple((chosen[a], chosen[b]) for a, b in np.argwhere(pairs).tolist()) for pairs in (arrows, above & ~ahead)
    )
    alone = tuple(place for place in order if place not in chosen and place not in beyond)
    return LevelGraph(tuple(rows), drawn, exceptions, alone, len(beyond), spread, int(circles.any(axis=1).sum()))


def readable_graph(beats: BoolArray, order: Sequence[int]) -> LevelGraph:
    """Return what is drawn of who is ahead of whom, of fewer systems where arrows would be too many to follow.

    Parameters
    ----------
    beats, order
        As for `level_graph`.
    """
    found = level_graph(beats, order)
    return found if len(found.arrows) <= ARROWS else level_graph(beats, order, FEWER)


def _connected(beats: BoolArray, places: Sequence[int]) -> list[int]:
    """Return those of some systems that are ahead of another of them, or behind it."""
    return [a for a in places if any(beats[a, b] or beats[b, a] for b in places)]


def _reachable(ahead: BoolArray) -> BoolArray:
    """Return which systems arrows lead to, over others or not."""
    reach = ahead.copy()
    for place in range(len(reach)):
        reach |= reach[:, [place]] & reach[[place]]
    return reach


def _depths(above: BoolArray) -> list[int]:
    """Return in which row each system is: below all that are above it, and no lower than that."""
    depths = [0] * len(above)
    # whoever is below a system has more above it
    for place in np.argsort(above.sum(axis=0), kind="stable").tolist():
        depths[place] = max((depths[other] + 1 for other in np.flatnonzero(above[:, place]).tolist()), default=0)
    return depths


def _description(graph: LevelGraph, systems: Sequence[str], words: str) -> str:
    """Return what the drawing shows, in words."""
    top = [systems[place] for place in graph.rows[0]]
    named = ", ".join(top[:6]) + (", …" if len(top) > 6 else "")
    drawn = f"{counted(len(graph.drawn), 'system')} in {counted(len(graph.rows), 'row')}"
    return f"Who is ahead {words}: {drawn}, best on top, {counted(len(graph.arrows), 'arrow')}. On top: {named}."


def level_chart(graph: LevelGraph, systems: Sequence[str], beats: BoolArray, words: str) -> Chart:
    """Return the drawing.

    Parameters
    ----------
    graph
        What is drawn.
    systems
        The names of all systems.
    beats
        Systems × systems: whether the row is ahead of the column.
    words
        At which level systems are ahead, such as "under every additive measure".
    """
    number = {place: node for node, place in enumerate(reversed(graph.drawn))}
    from_below = [[number[place] for place in row] for row in reversed(graph.rows)]
    edges = [(number[b], number[a]) for a, b in graph.arrows]
    layout = lay_out(from_below, edges)
    height = {node: float(row) for row, nodes in enumerate(from_below) for node in nodes}
    width = float(max(layout.x, default=0.0))
    wide = _spacing(graph, systems, width)
    nodes = [
        _node(systems, beats, place, float(layout.x[number[place]]), height[number[place]]) for place in graph.drawn
    ]
    if wide == NARROW:
        _lowered(nodes)
    lines = _lines(graph, systems, edges, layout.bends, layout.x.tolist(), height)
    axes = {
        "x": {
            "field": "x",
            "type": "quantitative",
            "axis": None,
            "scale": {"domain": [-0.5, width + 0.5], "nice": False},
        },
        "y": {
            "field": "y",
            "type": "quantitative",
            "axis": None,
            "scale": {"domain": [-0.4, len(graph.rows) - 0.6], "nice": False},
        },
    }
    return {
        "description": _description(graph, systems, words),
        "width": int(wide * (width + 1)) + max(0, WIDE - wide),
        "height": (HIGH if len(graph.rows) <= FEW else LOW) * len(graph.rows),
        "layer": [*_arrows(lines, axes), *_names(nodes, axes, max(wide, WIDE) - 8)],
    }


def _spacing(graph: LevelGraph, systems: Sequence[str], width: float) -> int:
    """Return how far apart systems are drawn that stand side by side: with room for long names if they are few."""
    if width >= FEW:
        return NARROW
    longest = max(len(systems[place]) for place in graph.drawn)
    return max(WIDE, min(LETTER * longest + 16, int(WHOLE / (width + 1))))


def _node(systems: Sequence[str], beats: BoolArray, place: int, x: float, y: float) -> dict[str, Any]:
    ahead, behind = int(beats[place].sum()), int(beats[:, place].sum())
    return {"system": systems[place], "x": round(x, 4), "y": y, "ahead": ahead, "behind": behind, "below": False}


def _lowered(nodes: list[dict[str, Any]]) -> None:
    """Put every second name of a row below its dot, so that names have room."""
    for y in {node["y"] for node in nodes}:
        for node in sorted((node for node in nodes if node["y"] == y), key=lambda node: float(node["x"]))[1::2]:
            node["below"] = True


def _lines(
    graph: LevelGraph,
    systems: Sequence[str],
    edges: Sequence[Edge],
    bends: Sequence[Sequence[tuple[float, float]]],
    x: Sequence[float],
    height: dict[int, float],
) -> list[dict[str, Any]]:
    """Return the points of all lines, from below; they leave room for the names at both ends."""
    found = []
    for place, ((low, high), between, (a, b)) in enumerate(zip(edges, bends, graph.arrows, strict=True)):
        points = [(x[low], height[low] + 0.28), *between, (x[high], height[high] - 0.08)]
        for step, (across, up) in enumerate(points):
            point = {"line": place, "step": step, "x": round(across, 4), "y": round(up, 4)}
            found.append(point | {"ahead": systems[a], "behind": systems[b]})
    return found


def _arrows(lines: list[dict[str, Any]], axes: Chart) -> list[Chart]:
    pair = [{"field": "ahead", "type": "nominal"}, {"field": "behind", "type": "nominal"}]
    along = {"detail": {"field": "line", "type": "nominal"}, "order": {"field": "step", "type": "quantitative"}}
    heads = {"type": "point", "shape": "triangle-down", "filled": True, "color": GREY, "opacity": 1, "size": 36}
    return [
        {
            "data": {"values": lines},
            "mark": {"type": "line", "color": GREY, "strokeWidth": 1.2, "opacity": 0.8},
            "encoding": axes | along | {"tooltip": pair},
        },
        {
            "data": {"values": [point for point in lines if point["step"] == 0]},
            "mark": heads,
            "encoding": axes | {"tooltip": pair},
        },
    ]


def _names(nodes: list[dict[str, Any]], axes: Chart, limit: int) -> list[Chart]:
    told = [
        {"field": "system", "type": "nominal"},
        {"field": "ahead", "type": "quantitative", "title": "ahead of"},
        {"field": "behind", "type": "quantitative", "title": "behind"},
    ]
    dot = {"type": "point", "filled": True, "opacity": 1, "size": 30, "color": ACCENT}
    text = {"type": "text", "limit": limit, "color": INK, "fontSize": 11}
    named = axes | {"text": {"field": "system", "type": "nominal"}, "tooltip": told}
    return [
        {"data": {"values": nodes}, "mark": dot, "encoding": axes | {"tooltip": told}},
        *(
            {
                "data": {"values": [node for node in nodes if node["below"] is below]},
                "mark": text | {"dy": 12 if below else -10},
                "encoding": named,
            }
            for below in (False, True)
        ),
    ]
