"""Orders as graphs: an edge leads from an element to one above it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from measurand.errors import InputError, ParameterError

if TYPE_CHECKING:
    from networkx import DiGraph


def higher_in(graph: Any) -> dict[Any, list[Any]]:
    """Return every node of a networkx graph with those to which its edges lead.

    A node that leads to itself says nothing new, and neither does an edge that is there twice.

    Examples
    --------
    >>> from networkx import DiGraph
    >>> higher_in(DiGraph([("low", "high"), ("low", "low")]))
    {'low': ['high'], 'high': []}
    """
    if not (hasattr(graph, "is_directed") and hasattr(graph, "edges")):
        raise ParameterError(f"a networkx DiGraph is wanted here, not {type(graph).__name__}; pairs go to from_pairs")
    if not graph.is_directed():
        raise InputError("the edges of this graph have no direction; give a DiGraph whose edges lead upwards")
    if not graph.number_of_nodes():
        raise InputError("the graph has no nodes; an order needs at least one element")
    return higher_among(graph.nodes, graph.edges())


def higher_among(elements: Iterable[Any], pairs: Iterable[tuple[Any, Any]]) -> dict[Any, list[Any]]:
    """Return every element, those of the pairs included, with the ones that pairs put above it.

    Examples
    --------
    >>> higher_among("ab", [("a", "c"), ("a", "a")])
    {'a': ['c'], 'b': [], 'c': []}
    """
    higher: dict[Any, list[Any]] = {element: [] for element in elements}
    for low, high in pairs:
        above = higher.setdefault(low, [])
        higher.setdefault(high, [])
        # what does not equal itself, such as NaN, is itself all the same
        if low is not high and low != high:
            above.append(high)
    return higher


def digraph(elements: Iterable[Any], edges: Iterable[tuple[Any, Any]]) -> DiGraph:
    """Return a networkx graph of elements and edges.

    Examples
    --------
    >>> digraph("ab", ["ab"]).number_of_edges()
    1
    """
    from networkx import DiGraph  # slow to load

    if None in (elements := tuple(elements)):
        raise ParameterError("None is an element, which networkx cannot have as a node; name it otherwise")
    graph = DiGraph()
    graph.add_nodes_from(elements)
    graph.add_edges_from(edges)
    return graph
