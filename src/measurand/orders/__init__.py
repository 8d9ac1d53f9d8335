"""Orders of judged runs: which of two runs is better, before anything is measured.

`compare` returns which of two runs is better in one of five orders, `explain` also why, and `chain` the swaps and
replacements that lead from the worse to the better run. `from_moves` makes an order of your own moves. Relational
structures and the maps to numbers that keep their relations are here as well: a measure is one of these maps.
"""

from measurand.deprecated import moved
from measurand.orders.chain import (
    CHAINED,
    Step,
    adjacent_swaps,
    backward_chain,
    chain,
    difference,
    replace,
    replacements,
    swap,
    swaps,
)
from measurand.orders.compare import (
    AtRank,
    ByAssessor,
    Comparison,
    Count,
    Relation,
    by_gain,
    compare,
    compare_by,
    explain,
    least_and_greatest,
    mass,
)
from measurand.orders.compared_by_moves import ComparisonByMoves, Move
from measurand.orders.measurement import Measurement, Structure, homomorphism, image_loss
from measurand.orders.moves import OwnOrder, from_moves
from measurand.orders.names import ORDERS

__all__ = [
    "CHAINED",
    "ORDERS",
    "AtRank",
    "ByAssessor",
    "Comparison",
    "ComparisonByMoves",
    "Count",
    "Measurement",
    "Move",
    "OwnOrder",
    "Relation",
    "Step",
    "Structure",
    "adjacent_swaps",
    "backward_chain",
    "by_gain",
    "chain",
    "compare",
    "compare_by",
    "difference",
    "explain",
    "from_moves",
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
