"""Hasse diagrams as charts: boxes in levels, lines between them."""

from __future__ import annotations

from typing import Any

from measurand.charts import ACCENT, GREY, INK, MARK, Chart, styled
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
"""… and between two levels: as much as lines go aside on the average, but not less, nor more, than so much."""

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
    broad, least, most = max(taken, NARROW), *STEEP
    aside = [abs(layout.x[low] - layout.x[high]) * pitch for low, high in diagram.edges]
    rise = height + min(max(sum(aside) / max(len(aside), 1), least), most)
    tall = rise * max(len(diagram.level_sizes) - 1, 0) + height

    def at(x: float, level: float) -> tuple[float, float]:
        return round(x * pitch + (broad - taken + width) / 2, 1), round(tall - height / 2 - level * rise, 1)

    places = [at(float(x), node.level) for x, node in zip(layout.x, diagram.nodes, strict=True)]
    most_relevant = max((node.relevant or 0 for node in diagram.nodes), default=0)
    boxes = [
        _node(node, place, (width, height), most_relevant) for node, place in zip(diagram.nodes, places, strict=True)
    ]
    points = [
        {"line": line, "step": step, "x": x, "y": y}
        for line, ((low, high), bends) in enumerate(zip(diagram.edges, layout.bends, strict=True))
        for step, (x, y) in enumerate([places[low], *(at(*bend) for bend in bends), places[high]])
    ]
    layers = [_lines(points), _boxes(boxes), *(_letters(boxes, lines) if named else [])]
    content = {"title": _title(diagram), "width": broad, "height": tall, "layer": layers}
    return styled(diagram.title or "Hasse diagram", _fixed(content, broad, tall))


def _box(diagram: Diagram, lines: int) -> tuple[float, float]:
    """Return width and height of a node."""
    if not lines:
        return DOT, DOT
    letters = max((max(len(node.label), len(_value(node))) for node in diagram.nodes), default=1)
    return letters * LETTER + PADDING, lines * LINE + 8


def _value(node: Node) -> str:
    return "" if node.value is None else shown(node.value, 3)


def _node(node: Node, place: tuple[float, float], size: tuple[float, float], most: int) -> Chart:
    (x, y), (width, height) = place, size
    return {
        "x": x,
        "y": y,
        "left": round(x - width / 2, 1),
        "right": round(x + width / 2, 1),
        "above": round(y - height / 2, 1),
        "below": round(y + height / 2, 1),
        "label": node.label,
        "value": _value(node),
        "fill": PLAIN if node.relevant is None else shade(node.relevant, most),
        "irreducible": node.irreducible,
        "marked": node.marked,
    }


def _axis(field: str) -> Chart:
    return {"field": field, "type": "quantitative", "axis": None}


def _lines(points: list[Chart]) -> Chart:
    # curves that pass a level upright stay clear of the boxes beside them
    look = {"type": "line", "interpolate": "monotone", "orient": "vertical", "strokeWidth": 1, "color": GREY}
    encoding = {"x": _axis("x"), "y": _axis("y"), "detail": {"field": "line"}, "order": {"field": "step"}}
    return {"data": {"values": points}, "mark": {**look, "aria": False}, "encoding": encoding}


def _boxes(boxes: list[Chart]) -> Chart:
    marked = {"test": "datum.marked", "value": MARK}
    thickness = [{"test": "datum.marked", "value": 4}, {"test": "datum.irreducible", "value": 2.4}]
    border = [marked, {"test": "datum.irreducible", "value": ACCENT}]
    tooltip = [{"field": "label", "title": "run"}, {"field": "value", "title": "value"}]
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
        },
    }


def _letters(boxes: list[Chart], lines: int) -> list[Chart]:
    def text(field: str, up: float, **look: Any) -> Chart:
        mark = {"type": "text", "dy": up, "color": INK, "baseline": "middle", **look}
        return {
            "data": {"values": boxes},
            "mark": mark,
            "encoding": {"x": _axis("x"), "y": _axis("y"), "text": {"field": field, "type": "nominal"}},
        }

    up = LINE / 2 if lines > 1 else 0
    label = text("label", -up, font="monospace", fontSize=11)
    return [label, text("value", up, fontSize=10)] if lines > 1 else [label]


def _title(diagram: Diagram) -> Chart:
    notes = []
    if any(node.irreducible for node in diagram.nodes):
        notes.append("thick border: join-irreducible")
    if any(node.marked for node in diagram.nodes):
        notes.append("brown border: the runs that were named")
    if any(node.relevant is not None for node in diagram.nodes):
        notes.append("darker: more relevant documents")
    if diagram.measure:
        notes.append(f"below a run: its {diagram.measure}")
    return {"text": diagram.title, "subtitle": notes, "offset": 14}


def _fixed(content: Chart, broad: float, tall: float) -> Chart:
    """Return the content with places in pixels, counted from the upper left."""
    for layer in content["layer"]:
        for name, most in (("x", broad), ("y", tall)):
            domain = [0, most] if name == "x" else [most, 0]
            layer["encoding"][name]["scale"] = {"domain": domain, "nice": False, "zero": False}
    return content
