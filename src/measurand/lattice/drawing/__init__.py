"""Hasse diagrams: laid out in levels, as charts, for Graphviz, as graphs."""

from measurand.lattice.drawing.diagram import Node
from measurand.lattice.drawing.hasse import Hasse

__all__ = ["Hasse", "Node"]
