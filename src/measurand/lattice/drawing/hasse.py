"""Hasse diagrams: who stands above whom with nothing between, in levels, ready to be drawn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from measurand.charts import Chart, draw
from measurand.exact import Exact
from measurand.lattice.drawing.chart import hasse_chart
from measurand.lattice.drawing.diagram import Diagram, Node
from measurand.lattice.drawing.dot import hasse_dot

if TYPE_CHECKING:
    from networkx import DiGraph

    from measurand.lattice.finite.poset import Poset


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
        poset: Poset,
        values: Mapping[Any, Exact] | None = None,
        *,
        label: Callable[[Any], str] = str,
        relevant: Callable[[Any], int] | None = None,
        marked: Collection[Any] = (),
        title: str = "",
        measure: str = "",
    ) -> Hasse:
        """Return the diagram of a finite order.

        Parameters
        ----------
        values
            A number for every element, to be written under it.
        label
            How an element is written.
        relevant
            How many relevant documents an element holds, to colour it by.
        marked
            Elements to be seen at a glance.
        title, measure
            What is drawn, and what the values are.

        Examples
        --------
        >>> from measurand.lattice import N5
        >>> Hasse.of(N5).level_sizes
        (1, 2, 1, 1)
        """
        level = {element: place for place, elements in enumerate(poset.levels()) for element in elements}
        irreducible = set(poset.join_irreducibles())
        nodes = tuple(
            Node(
                element,
                label(element),
                level[element],
                element in irreducible,
                None if values is None else values[element],
                None if relevant is None else relevant(element),
                element in marked,
            )
            for element in poset
        )
        place = {element: index for index, element in enumerate(poset)}
        edges = tuple((place[low], place[high]) for low, high in poset.edges())
        return cls(nodes, edges, title, measure)

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

        Nodes are the elements; their attributes are those of `Node`.

        Examples
        --------
        >>> from measurand.lattice import RunLattice
        >>> graph = RunLattice("replacement", 2, 2).hasse().to_networkx()
        >>> sorted(graph.edges)[0], graph.nodes[1, 1]["level"]
        (((0, 0), (0, 1)), 2)
        """
        from networkx import DiGraph

        graph = DiGraph()
        for node in self.nodes:
            about = {"label": node.label, "level": node.level, "irreducible": node.irreducible}
            known = {"value": node.value, "relevant": node.relevant}
            graph.add_node(node.element, **about, **{name: fact for name, fact in known.items() if fact is not None})
        graph.add_edges_from((self.nodes[low].element, self.nodes[high].element) for low, high in self.edges)
        return graph

    def _repr_svg_(self) -> str:
        return self.to_svg()
