"""Hasse diagrams: laid out in levels, as charts, for Graphviz, as graphs."""

from measurand.lattice.drawing.hasse import Hasse, Node

__all__ = ["Hasse", "Node"]
