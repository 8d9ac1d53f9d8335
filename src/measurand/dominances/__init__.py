"""Dominance: on which topics a system is better under every measure that respects replacement and swap."""

from measurand.dominances.matrix import DominanceMatrix, dominance_matrix
from measurand.dominances.pair import Dominance, dominance

__all__ = ["Dominance", "DominanceMatrix", "dominance", "dominance_matrix"]
