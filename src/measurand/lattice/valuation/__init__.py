"""Valuations: measures that are determined by their values on the join-irreducible runs."""

from measurand.lattice.valuation.deciding import is_valuation, value, violation, worst_violation
from measurand.lattice.valuation.distance import Bounds, DistanceVerdict, bounds, distance, is_distance, is_isotone
from measurand.lattice.valuation.equal_steps import is_interval
from measurand.lattice.valuation.extension import Extension, extend

__all__ = [
    "Bounds",
    "DistanceVerdict",
    "Extension",
    "bounds",
    "distance",
    "extend",
    "is_distance",
    "is_interval",
    "is_isotone",
    "is_valuation",
    "value",
    "violation",
    "worst_violation",
]
