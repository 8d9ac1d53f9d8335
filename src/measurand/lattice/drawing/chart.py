"""Hasse diagrams as charts: boxes in levels, lines between them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from measurand.display.charts import ACCENT, GREY, INK, MARK, Chart, styled
from measurand.exact import shown
from measurand.lattice.drawing.colours import PLAIN, shade
from measurand.lattice.drawing.diagram import Diagram, Node

READABLE = 300
"""Diagrams with more nodes are drawn as dots, without labels."""

LETTER, PADDING, LINE = 6.8, 12, 15
"""The width of a letter, the room around a label, and the height of a line, in pixels."""

APART = 16
"""The room between two boxes of a level …"""

STEEP = 34, 190
"""… and between two levels: as much as lines go aside on the average, but not less, nor more, than so much …"""

STEEP_DOTS = 9, 110
"""… or, between dots, so much."""

CLEAR = 600
"""Boxes are not cut by lines from beside them where levels so far apart are enough for that."""

NARROW = 320
"""A narrower drawing stands in the middle of so much room."""

DOT = 7
"""The width of a node without label."""


def hasse_chart(diagram: Diagram) -> Chart:
    """Return the Vega-Lite chart of a diagram.

    Join-irreducible nodes have a thick border; runs are the darker the more relevant documents they hold, and a
    value stands under its run.
    """
    named = len(diagram.nodes) <= READABLE
    lines = 1 + (diagram.nodes[0].value is not None) if diagram.nodes and named else 0
    width, height = _box(diagram, lines)
    layout = diagram.layout
    pitch = width + (APART if named else DOT)
    taken = pitch * float(layout.x.max(initial=0)) + width
    broad = max(taken, NARROW)
    rise = _rise(diagram, pitch, (width, height), named)
    tall = rise * max(len(diagram.level_sizes) - 1, 0) + height

    def at(x: float, level: float) -> tuple[float, float]:
        return round(x * pitch + (broad - taken + width) / 2, 1), round(tall - height / 2 - level * rise, 1)

    places = [at(float(x), node.level) for x, node in zip(layout.x, diagram.nodes, strict=True)]
    most_relevant = max((node.relevant or 0 for node in diagram.nodes), default=0)
    boxes = [
        {**_box_at(place, (width, height)), **_about(node, diagram, most_relevant)}
        for node, place in zip(diagram.nodes, places, strict=True)
    ]
    points = [
        {"line": line, "step": step, "x": x, "y": y}
        for line, ((low, high), bends) in enumerate(zip(diagram.edges, layout.bends, strict=True))
        for step, (x, y) in enumerate([places[low], *(at(*bend) for bend in bends), places[high]])
    ]
    layers = [_lines(points), _boxes(boxes, _tooltip(diagram)), *(_letters(boxes, lines) if named else [])]
    content = {"title": _title(diagram, named), "width": broad, "height": tall, "layer": layers}
    return styled(f"Hasse diagram: {diagram.heading}", _fixed(content, broad, tall))


def _rise(diagram: Diagram, pitch: float, size: tuple[float, float], named: bool) -> float:
    """Return how far a level stands above the one below it."""
    width, height = size
    layout = diagram.layout
    aside = [
        float(abs(one - other)) * pitch
        for (low, high), bends in zip(diagram.edges, layout.bends, strict=True)
        for one, other in pairwise([layout.x[low], *(x for x, _ in bends), layout.x[high]])
    ]
    least, most = STEEP if named else STEEP_DOTS
    steep = height + min(max(sum(aside) / max(len(aside), 1), least), most)
    # a flatter line would cut off a corner of the box beside the one that it comes from
    clear = max(aside, default=0.0) * height / (2 * pitch - width)
    return max(steep, min(clear, CLEAR)) if named else steep


def _box(diagram: Diagram, lines: int) -> tuple[float, float]:
    """Return width and height of a node."""
    if not lines:
        return DOT, DOT
    letters = max((max(len(node.label), len(_value(node))) for node in diagram.nodes), default=1)
    return letters * LETTER + PADDING, lines * LINE + 8


def _value(node: Node) -> str:
    return "" if node.value is None else shown(node.value, 3)


def _box_at(place: tuple[float, float], size: tuple[float, float]) -> Chart:
    (x, y), (width, height) = place, size
    return {
        "x": x,
        "y": y,
        "left": round(x - width / 2, 1),
        "right": round(x + width / 2, 1),
        "above": round(y - height / 2, 1),
        "below": round(y + height / 2, 1),
    }


def _about(node: Node, diagram: Diagram, most: int) -> Chart:
    told = f"{diagram.kind} {node.label}"
    if node.value is not None:
        told += f", {diagram.measure or 'value'} {_value(node)}"
    return {
        "label": node.label,
        "value": _value(node),
        "fill": PLAIN if node.relevant is None else shade(node.relevant, most),
        "irreducible": node.irreducible,
        "marked": node.marked,
        "told": told + ", join-irreducible" * node.irreducible,
    }


def _tooltip(diagram: Diagram) -> list[Chart]:
    shown_values = any(node.value is not None for node in diagram.nodes)
    values = [{"field": "value", "title": diagram.measure or "value"}] if shown_values else []
    return [{"field": "label", "title": diagram.kind}, *values, {"field": "irreducible", "title": "join-irreducible"}]


def _axis(field: str) -> Chart:
    return {"field": field, "type": "quantitative", "axis": None}


def _lines(points: list[Chart]) -> Chart:
    # curves that pass a level upright stay clear of the boxes beside them
    look = {"type": "line", "interpolate": "catmull-rom", "strokeWidth": 1, "color": GREY}
    encoding = {"x": _axis("x"), "y": _axis("y"), "detail": {"field": "line"}, "order": {"field": "step"}}
    return {"data": {"values": points}, "mark": {**look, "aria": False}, "encoding": encoding}


def _boxes(boxes: list[Chart], tooltip: list[Chart]) -> Chart:
    marked = {"test": "datum.marked", "value": MARK}
    thickness = [{"test": "datum.marked", "value": 4}, {"test": "datum.irreducible", "value": 2.4}]
    border = [marked, {"test": "datum.irreducible", "value": ACCENT}]
    return {
        "data": {"values": boxes},
        "mark": {"type": "rect", "cornerRadius": 5},
        "encoding": {
            "x": _axis("left"),
            "x2": {"field": "right"},
            "y": _axis("above"),
            "y2": {"field": "below"},
            "fill": {"field": "fill", "type": "nominal", "scale": None},
            "stroke": {"condition": border, "value": GREY},
            "strokeWidth": {"condition": thickness, "value": 1},
            "tooltip": tooltip,
            "description": {"field": "told"},
        },
    }


def _letters(boxes: list[Chart], lines: int) -> list[Chart]:
    def text(field: str, up: float, **look: Any) -> Chart:
        mark = {"type": "text", "dy": up, "aria": False, "color": INK, "baseline": "middle", **look}
        return {
            "data": {"values": boxes},
            "mark": mark,
            "encoding": {"x": _axis("x"), "y": _axis("y"), "text": {"field": field, "type": "nominal"}},
        }

    up = LINE / 2 if lines > 1 else 0
    label = text("label", -up, font="monospace", fontSize=11)
    return [label, text("value", up, fontSize=10)] if lines > 1 else [label]


def _title(diagram: Diagram, named: bool) -> Chart:
    notes = []
    if any(node.irreducible for node in diagram.nodes):
        notes.append(f"thick border: join-irreducible{' in the completion' if diagram.gaps else ''}")
    if any(node.marked for node in diagram.nodes):
        notes.append(f"brown border: the {diagram.kind}s that were named")
    if any(node.relevant is not None for node in diagram.nodes):
        notes.append("darker: more relevant documents")
    if named and any(node.value is not None for node in diagram.nodes):
        notes.append(f"below every {diagram.kind}: its {diagram.valued_by}")
    return {"text": diagram.heading, "subtitle": notes, "offset": 14}


def _fixed(content: Chart, broad: float, tall: float) -> Chart:
    """Return the content with places in pixels, counted from the upper left."""
    for layer in content["layer"]:
        for name, most in (("x", broad), ("y", tall)):
            domain = [0, most] if name == "x" else [most, 0]
            layer["encoding"][name]["scale"] = {"domain": domain, "nice": False, "zero": False}
    return content
