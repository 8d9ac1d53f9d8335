"""Orders of judged runs: what can be said of two runs before anything is measured.

`compare` says which of two runs is better in one of five orders, `explain` also says why, and `chain`
gives the swaps and replacements that lead from the worse to the better. Relational structures and the
maps to numbers that keep their relations are here as well: a measure is one of these maps.
"""

from measurand.deprecated import moved
from measurand.orders.assessors import ByAssessor, compare_by
from measurand.orders.bounds import least_and_greatest
from measurand.orders.chain import CHAINED, Step, backward_chain, chain
from measurand.orders.compare import ORDERS, by_gain, compare, explain
from measurand.orders.mass import mass
from measurand.orders.measurement import Measurement
from measurand.orders.operations import difference, replace, replacements, swap, swaps
from measurand.orders.relation import AtRank, Comparison, Count, Relation
from measurand.orders.structure import Structure, homomorphism, image_loss

__all__ = [
    "CHAINED",
    "ORDERS",
    "AtRank",
    "ByAssessor",
    "Comparison",
    "Count",
    "Measurement",
    "Relation",
    "Step",
    "Structure",
    "backward_chain",
    "by_gain",
    "chain",
    "compare",
    "compare_by",
    "difference",
    "explain",
    "homomorphism",
    "image_loss",
    "least_and_greatest",
    "mass",
    "replace",
    "replacements",
    "swap",
    "swaps",
]

__getattr__ = moved(
    __name__, {name: f"measurand.papers.{name}" for name in ("is_additive", "is_monotone", "set_algebra")}
)
