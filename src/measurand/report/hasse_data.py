"""A Hasse diagram as data for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from measurand.report.profile_data import exact

if TYPE_CHECKING:
    from measurand.lattice import Hasse, Node


def hasse_data(diagram: Hasse) -> dict[str, Any]:
    """Return the nodes and lines of a diagram of runs; lines name the places of a lower and a higher node.

    Examples
    --------
    >>> from measurand.lattice import RunLattice
    >>> data = hasse_data(RunLattice("swap", 2, 2).hasse("RR"))
    >>> data["level_sizes"], data["edges"], data["nodes"][3]["value"]["exact"]
    ([1, 1, 1, 1], [[0, 1], [1, 2], [2, 3]], '1')
    """
    return {
        "title": diagram.title,
        "measure": diagram.measure or None,
        "topic": diagram.topic or None,
        "level_sizes": list(diagram.level_sizes),
        "nodes": [_node(node) for node in diagram.nodes],
        "edges": [list(edge) for edge in diagram.edges],
    }


def _node(node: Node) -> dict[str, Any]:
    run = list(node.element) if isinstance(node.element, tuple) else node.label
    value = {} if node.value is None else {"value": exact(node.value)}
    return {
        "run": run,
        "level": node.level,
        "relevant": node.relevant,
        "join_irreducible": node.irreducible,
        "marked": node.marked,
        **value,
    }
