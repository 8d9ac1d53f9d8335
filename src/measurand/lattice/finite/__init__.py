"""Finite posets and lattices, written out: any elements, up to 5,000.

A `Poset` comes from a function, from pairs, from a networkx graph, from a matrix, or from the judged runs of an
order. It says whether it is a lattice and whether it is distributive, with what breaks the law, and completes
itself to the smallest lattice that holds it.
"""

from measurand.lattice.finite.examples import M3, N5, antichain, boolean, chain
from measurand.lattice.finite.order import MOST, Cut, Sublattice
from measurand.lattice.finite.poset import Poset
from measurand.lattice.finite.relations import Violation, is_order, violations

__all__ = [
    "M3",
    "MOST",
    "N5",
    "Cut",
    "Poset",
    "Sublattice",
    "Violation",
    "antichain",
    "boolean",
    "chain",
    "is_order",
    "violations",
]
