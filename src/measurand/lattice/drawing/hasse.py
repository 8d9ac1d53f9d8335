"""Hasse diagrams: who stands above whom with nothing between, in levels, ready to be drawn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from attrs import asdict, frozen

from measurand.display.charts import Chart, Figure, draw
from measurand.display.data import exact_number
from measurand.display.markup import pictured
from measurand.display.tables import Document, Words, listing
from measurand.display.wording import counted
from measurand.exact import shown
from measurand.lattice.drawing.chart import hasse_chart
from measurand.lattice.drawing.diagram import Diagram, Node
from measurand.lattice.drawing.dot import hasse_dot
from measurand.lattice.finite.graphs import digraph
from measurand.lattice.finite.poset import Poset
from measurand.lattice.finite.values import Values, read_values, value_of

if TYPE_CHECKING:
    from networkx import DiGraph

STAR = "*"
"""What marks a join-irreducible element."""


@frozen(eq=False, slots=False)
class Hasse(Diagram):
    """The diagram of a finite order: its elements in levels, and a line wherever nothing lies between two.

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
        >>> print(*(" ".join(map(str, row)) for row in RunLattice("swap", 2, 2).hasse("RR").document().parts[3].cells))
        3 11*=1 2 10*=1 1 01*=0.5 0 00=0
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
    value = {} if node.value is None else {"value": exact_number(node.value)}
    return {
        "run": list(node.element) if isinstance(node.element, tuple) else node.label,
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
