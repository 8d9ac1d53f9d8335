"""Statistics of scores: tests of all pairs, corrections, effect sizes, correlation; no measure known here."""

from measurand.statistics.all_pairs import ALPHA, AllPairs
from measurand.statistics.correction import CORRECTIONS, corrected

__all__ = [
    "ALPHA",
    "CORRECTIONS",
    "AllPairs",
    "corrected",
]
