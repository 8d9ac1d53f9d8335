"""Lattices of judged runs: joins and meets, what runs are made of, and the measures that this fixes.

`RunLattice` is all runs of a depth in one of the five orders, without listing them, `OwnLattice` in an order of your
own, written out. `Poset` is any finite order. `Hasse` is what they look like. What a report does not need is loaded
when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from measurand.deprecated import moved
from measurand.errors import NoJoin, NoMeet
from measurand.lattice.completion import CompletionElement
from measurand.lattice.hasse import Hasse, Node
from measurand.lattice.run_lattice import RunLattice
from measurand.lattice.runs import Closest, Irreducibles, RunInterval, Runs, closest_bounds
from measurand.lattice.valuation import Bounds, Extension
from measurand.loading import first_used

if TYPE_CHECKING:
    from measurand.lattice.finite import M3, N5, Cut, Poset, Sublattice, antichain, boolean, chain, is_order, violations
    from measurand.lattice.generation import Combination, combinations, detours, generated
    from measurand.lattice.learning import Disagreement, Learned, RunContradiction, RunStatement, learn
    from measurand.lattice.own_lattice import OwnLattice
    from measurand.lattice.several_runs import SeveralRuns, compare_runs

__all__ = [
    "M3",
    "N5",
    "Bounds",
    "Closest",
    "Combination",
    "CompletionElement",
    "Cut",
    "Disagreement",
    "Extension",
    "Hasse",
    "Irreducibles",
    "Learned",
    "NoJoin",
    "NoMeet",
    "Node",
    "OwnLattice",
    "Poset",
    "RunContradiction",
    "RunInterval",
    "RunLattice",
    "RunStatement",
    "Runs",
    "SeveralRuns",
    "Sublattice",
    "antichain",
    "boolean",
    "chain",
    "closest_bounds",
    "combinations",
    "compare_runs",
    "detours",
    "generated",
    "is_order",
    "learn",
    "violations",
]

_find = first_used(
    __name__,
    {
        "measurand.lattice.finite": (
            "M3",
            "N5",
            "Cut",
            "Poset",
            "Sublattice",
            "antichain",
            "boolean",
            "chain",
            "is_order",
            "violations",
        ),
        "measurand.lattice.generation": ("Combination", "combinations", "detours", "generated"),
        "measurand.lattice.learning": ("Disagreement", "Learned", "RunContradiction", "RunStatement", "learn"),
        "measurand.lattice.own_lattice": ("OwnLattice",),
        "measurand.lattice.several_runs": ("SeveralRuns", "compare_runs"),
    },
)
_moved = moved(__name__, {"breaches": "measurand.lattice.violations"})


def __getattr__(name: str) -> object:
    return _find(name) if name in __all__ else _moved(name, stacklevel=3)
