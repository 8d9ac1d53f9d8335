"""Statistics of scores: tests of all pairs of systems, corrections, effect sizes and correlation; no measure is known here."""

from measurand.statistics.all_pairs import ALPHA, AllPairs
from measurand.statistics.correction import CORRECTIONS, corrected

__all__ = [
    "ALPHA",
    "CORRECTIONS",
    "AllPairs",
    "corrected",
]
