"""Hasse diagrams in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from measurand.display.charts import MARK
from measurand.exact import shown
from measurand.lattice.drawing.colours import shade
from measurand.lattice.drawing.diagram import Diagram, Node


def hasse_dot(diagram: Diagram) -> str:
    """Return a diagram as a text that Graphviz draws."""
    return "\n".join(_lines(diagram)) + "\n"


def _lines(diagram: Diagram) -> Iterator[str]:
    yield "digraph hasse {"
    yield "  rankdir=BT"
    if diagram.title:
        yield f"  label={_quoted(diagram.title)}"
    yield '  node [shape=box, style="rounded,filled", fillcolor=white]'
    yield "  edge [dir=none]"
    most = max((node.relevant or 0 for node in diagram.nodes), default=0)
    for place, node in enumerate(diagram.nodes):
        yield f"  n{place} [{', '.join(_attributes(node, most))}]"
    for nodes in diagram.levels:
        yield f"  {{ rank=same; {'; '.join(f'n{place}' for place in nodes)} }}"
    for low, high in diagram.edges:
        yield f"  n{low} -> n{high}"
    yield "}"


def _attributes(node: Node, most: int) -> Iterator[str]:
    value = "" if node.value is None else f"\n{shown(node.value)}"
    yield f"label={_quoted(node.label + value)}"
    if node.relevant is not None:
        yield f"fillcolor={_quoted(shade(node.relevant, most))}"
    if node.marked:
        yield f"color={_quoted(MARK)}"
    if node.irreducible or node.marked:
        yield "penwidth=2"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
