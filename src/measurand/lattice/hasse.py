"""Hasse diagrams of finite orders: elements in levels, lines between those with nothing between them.

`Hasse` is the diagram; it draws itself as a chart (`hasse_chart`), in the language of Graphviz (`hasse_dot`), or as a
networkx graph. `layout` computes where its nodes are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from attrs import asdict, field, frozen

from measurand.display.charts import ACCENT, GREY, INK, MARK, Chart, Figure, draw, styled
from measurand.display.data import exact_number
from measurand.display.markup import pictured
from measurand.display.result import Result
from measurand.display.tables import Document, TableView, Words, listing
from measurand.display.wording import counted
from measurand.exact import Exact, shown
from measurand.lattice.finite.poset import Poset
from measurand.lattice.finite.relations import digraph
from measurand.lattice.finite.values import Values, read_values, value_of
from measurand.lattice.layout import Layout, lay_out

if TYPE_CHECKING:
    from networkx import DiGraph

STAR = "*"
"""What marks a join-irreducible element."""


PLAIN = "#ffffff"
"""A node that is no run."""

LIGHTEST, DARKEST = (240, 249, 246), (64, 170, 150)
"""From no relevant document to as many as there are ranks, so that dark letters stay readable."""

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


@frozen
class Node:
    """One element in a diagram.

    Parameters
    ----------
    element
        The element itself.
    label
        How it is written.
    level
        How many steps lie below it, at most.
    irreducible
        Whether it is join-irreducible.
    value
        What a measure makes of it, if one was named.
    relevant
        How many relevant documents it holds, if it is a run.
    marked
        Whether it is to be seen at a glance.
    """

    element: Hashable
    label: str
    level: int
    irreducible: bool = False
    value: Exact | None = None
    relevant: int | None = None
    marked: bool = False


@frozen(eq=False, slots=False, repr=False)
class Hasse(Result):
    """The Hasse diagram of a finite order: its elements in levels, a line where nothing lies between two.

    Parameters
    ----------
    nodes
        The elements, none before one below it.
    edges
        The places of a lower and a higher node, for every line.
    title, measure, topic
        What is drawn, which measure gave the values, and on what topic.
    gaps
        Whether some elements have no join, so that join-irreducible are those of the completion.

    Examples
    --------
    >>> from measurand.lattice import RunLattice
    >>> diagram = RunLattice("swap", 4, 2).hasse()
    >>> len(diagram.nodes), len(diagram.edges), diagram.level_sizes
    (16, 20, (1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1))

    References
    ----------
    [FerranteFerroFuhr2021]_, figure 2; [Giner2022]_, figures 1 to 7
    """

    nodes: tuple[Node, ...] = field(repr=lambda nodes: str(len(nodes)))
    edges: tuple[tuple[int, int], ...] = field(repr=lambda edges: str(len(edges)))
    title: str = ""
    measure: str = ""
    topic: str = ""
    gaps: bool = False

    @classmethod
    def of(
        cls,
        poset: Poset | DiGraph,
        values: Values | None = None,
        *,
        label: Callable[[Any], str] = str,
        relevant: Callable[[Any], int] | None = None,
        marked: Collection[Any] = (),
        title: str = "",
        measure: str = "",
        topic: str = "",
        gaps: bool = False,
    ) -> Hasse:
        """Return the diagram of a finite order.

        Parameters
        ----------
        poset
            The order; or a graph, as `Poset.from_networkx` takes it.
        values
            A number for every element, to be written under it, or None: a mapping or a function.
        label
            How an element is written.
        relevant
            How many relevant documents an element holds, to colour it by.
        marked
            Elements to be seen at a glance.
        title, measure, topic, gaps
            What is drawn, what the values are, on what topic, and whether joins are lacking.

        Examples
        --------
        >>> from measurand.lattice import N5
        >>> Hasse.of(N5).level_sizes
        (1, 2, 1, 1)
        """
        poset = poset if isinstance(poset, Poset) else Poset.from_networkx(poset)
        marks = set(poset.places(marked))
        known = dict.fromkeys(poset) if values is None else _known(poset, values)
        levels = poset.order.heights.tolist()
        irreducible = set(poset.join_irreducibles())
        nodes = tuple(
            Node(
                element,
                str(label(element)),
                levels[place],
                element in irreducible,
                known[element],
                None if relevant is None else relevant(element),
                place in marks,
            )
            for place, element in enumerate(poset)
        )
        edges = tuple((low, high) for low, high in poset.order.edges.tolist())
        return cls(nodes, edges, title, measure, topic, gaps)

    @property
    def kind(self) -> str:
        """What the nodes are: runs, or elements of any order."""
        return "run" if any(node.relevant is not None for node in self.nodes) else "element"

    @property
    def valued_by(self) -> str:
        """What the values are, in words."""
        return ", ".join(filter(None, [self.measure or "value", self.topic]))

    @property
    def heading(self) -> str:
        """The title, or how many nodes there are."""
        return self.title or f"{len(self.nodes):,} {self.kind}{'s' * (len(self.nodes) != 1)}"

    @property
    def levels(self) -> Sequence[Sequence[int]]:
        """The places of the nodes of every level, from below."""
        found: list[list[int]] = [[] for _ in range(1 + max((node.level for node in self.nodes), default=-1))]
        for place, node in enumerate(self.nodes):
            found[node.level].append(place)
        return found

    @property
    def level_sizes(self) -> tuple[int, ...]:
        """How many nodes every level has, from below."""
        sizes = Counter(node.level for node in self.nodes)
        return tuple(sizes[level] for level in range(len(sizes)))

    @cached_property
    def layout(self) -> Layout:
        """Where nodes and lines are drawn."""
        return lay_out(self.levels, self.edges)

    def plot(self) -> Figure:
        """Return the drawing as a figure, which shows itself in a notebook and can be written to a file.

        Examples
        --------
        >>> from measurand.lattice import M3
        >>> Hasse.of(M3).plot()
        Figure('Hasse diagram: 5 elements')
        """
        return Figure(self.to_chart())

    def to_chart(self) -> Chart:
        """Return the drawing as a Vega-Lite specification."""
        return hasse_chart(self)

    def to_svg(self) -> str:
        """Return the drawing as SVG.

        Examples
        --------
        >>> from measurand.lattice import M3
        >>> Hasse.of(M3).to_svg()[:4]
        '<svg'
        """
        return draw(self.to_chart(), "hasse.svg").decode()

    def to_png(self) -> bytes:
        """Return the drawing as a picture, PNG.

        Examples
        --------
        >>> from measurand.lattice import M3
        >>> Hasse.of(M3).to_png()[1:4]
        b'PNG'
        """
        return draw(self.to_chart(), "hasse.png")

    def to_dot(self) -> str:
        """Return the diagram in the language of Graphviz, its levels on lines of their own.

        Examples
        --------
        >>> from measurand.lattice import chain
        >>> print(Hasse.of(chain(2)).to_dot())
        digraph hasse {
          rankdir=BT
          node [shape=box, style="rounded,filled", fillcolor=white]
          edge [dir=none]
          n0 [label="0"]
          n1 [label="1", penwidth=2]
          { rank=same; n0 }
          { rank=same; n1 }
          n0 -> n1
        }
        <BLANKLINE>
        """
        return hasse_dot(self)

    def to_networkx(self) -> DiGraph:
        """Return the diagram as a directed graph: an edge leads from an element to one that covers it.

        Nodes are the elements; their attributes are the rest of `Node`, but for what is None.

        Examples
        --------
        >>> from measurand.lattice import RunLattice
        >>> graph = RunLattice("replacement", 2, 2).hasse().to_networkx()
        >>> sorted(graph.edges)[0], graph.nodes[1, 1]["level"]
        (((0, 0), (0, 1)), 2)
        """
        elements = [node.element for node in self.nodes]
        graph = digraph(elements, [(elements[low], elements[high]) for low, high in self.edges])
        for node in self.nodes:
            about = asdict(node, recurse=False, filter=lambda part, fact: part.name != "element" and fact is not None)
            graph.nodes[node.element].update(about)
        return graph

    def document(self) -> Document:
        """Return the diagram in words: its levels, the best first, a line each; join-irreducible elements have a star.

        Examples
        --------
        >>> from measurand.lattice import RunLattice
        >>> RunLattice("swap", 2, 2).hasse("RR").document().parts[1]
        '3 covers, 4 levels, 3 join-irreducible (*); behind every run its RR'
        """
        irreducible = sum(node.irreducible for node in self.nodes)
        valued = any(node.value is not None for node in self.nodes)
        marked = f"; [ ] the {self.kind}s that were named" if any(node.marked for node in self.nodes) else ""
        values = f"; behind every {self.kind} its {self.valued_by}" if valued else ""
        counts = f"{counted(len(self.edges), 'cover')}, {counted(len(self.level_sizes), 'level')}"
        where = " in the completion" if self.gaps else ""
        about = f"{counts}, {irreducible:,} join-irreducible{where} ({STAR}){marked}{values}"
        named = [[_named(self.nodes[place]) for place in places] for places in self.levels]
        rows = [(f"{level:>3}", _in_a_row(several)) for level, several in reversed(list(enumerate(named)))]
        return Document([Words.of(self.heading, "strong"), about, "", listing(rows, tones=["faint"], indent=0)])

    def to_dict(self) -> dict[str, Any]:
        """Return the nodes and lines of a diagram; lines name the places of a lower and a higher node.

        Examples
        --------
        >>> from measurand.lattice import RunLattice
        >>> data = RunLattice("swap", 2, 2).hasse("RR").to_dict()
        >>> data["level_sizes"], data["edges"], data["nodes"][3]["value"]["exact"]
        ([1, 1, 1, 1], [[0, 1], [1, 2], [2, 3]], '1')
        """
        return {
            "title": self.title,
            "measure": self.measure or None,
            "topic": self.topic or None,
            "level_sizes": list(self.level_sizes),
            "nodes": [_node(node) for node in self.nodes],
            "edges": [list(edge) for edge in self.edges],
        }

    def __repr__(self) -> str:
        size = f"{counted(len(self.nodes), self.kind)}, {counted(len(self.edges), 'line')}"
        return f"<Hasse: {size}, {counted(len(self.level_sizes), 'level')}>"

    def _main(self) -> TableView:
        names = ("level", "irreducible", "marked", "value")
        rows = [{"element": node.label} | {name: getattr(node, name) for name in names} for node in self.nodes]
        return TableView([], rows, records=rows)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        sizes = ", ".join(map(str, reversed(self.level_sizes)))
        said = f"{self.heading}: {counted(len(self.edges), 'line')}; from the top, levels of {sizes}"
        return str(pictured(self.to_svg(), said))


def _named(node: Node) -> Words:
    tone = " ".join(["strong"] * node.irreducible + ["marked"] * node.marked)
    label = Words.of(f"[{node.label}]" if node.marked else node.label, tone)
    value = "" if node.value is None else f"={shown(node.value)}"
    return label + Words.of(STAR * node.irreducible, "accent") + Words.of(value, "faint")


def _in_a_row(several: Sequence[Words]) -> Words:
    first, *rest = several
    return sum((Words.of("   ") + each for each in rest), first)


def _node(node: Node) -> dict[str, Any]:
    run = node.element if isinstance(node.element, tuple) else ()  # with decimals as text, which is exact
    value = {} if node.value is None else {"value": exact_number(node.value)}
    return {
        "run": [each if isinstance(each, int) else str(each) for each in run] if run else node.label,
        "level": node.level,
        "relevant": node.relevant,
        "join_irreducible": node.irreducible,
        "marked": node.marked,
        **value,
    }


def _known(poset: Poset, values: Values) -> dict[Any, Any]:
    """Return the exact value of every element, None for those that have none."""
    given = {element: value_of(element, values) for element in poset}
    valued = [element for element in poset if given[element] is not None]
    return {**dict.fromkeys(poset), **dict(zip(valued, read_values(valued, given), strict=True))}


def hasse_dot(diagram: Hasse) -> str:
    """Return a diagram as a text that Graphviz draws."""
    return "\n".join(_dot_lines(diagram)) + "\n"


def _dot_lines(diagram: Hasse) -> Iterator[str]:
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


def shade(relevant: int, most: int) -> str:
    """Return the colour of a run with so many relevant documents of so many at most.

    Examples
    --------
    >>> shade(0, 4), shade(4, 4)
    ('#f0f9f6', '#40aa96')
    """
    share = relevant / most if most else 0
    mixed = (round(low + share * (high - low)) for low, high in zip(LIGHTEST, DARKEST, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def hasse_chart(diagram: Hasse) -> Chart:
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
    layers = [_lines_layer(points), _boxes(boxes, _tooltip(diagram)), *(_letters(boxes, lines) if named else [])]
    content = {"title": _title(diagram, named), "width": broad, "height": tall, "layer": layers}
    return styled(f"Hasse diagram: {diagram.heading}", _fixed(content, broad, tall))


def _rise(diagram: Hasse, pitch: float, size: tuple[float, float], named: bool) -> float:
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


def _box(diagram: Hasse, lines: int) -> tuple[float, float]:
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


def _about(node: Node, diagram: Hasse, most: int) -> Chart:
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


def _tooltip(diagram: Hasse) -> list[Chart]:
    shown_values = any(node.value is not None for node in diagram.nodes)
    values = [{"field": "value", "title": diagram.measure or "value"}] if shown_values else []
    return [{"field": "label", "title": diagram.kind}, *values, {"field": "irreducible", "title": "join-irreducible"}]


def _axis(field: str) -> Chart:
    return {"field": field, "type": "quantitative", "axis": None}


def _lines_layer(points: list[Chart]) -> Chart:
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


def _title(diagram: Hasse, named: bool) -> Chart:
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
