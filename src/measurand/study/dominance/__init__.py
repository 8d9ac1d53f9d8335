"""Dominance: on which topics a system is better under every measure that respects replacement and swap."""

from measurand.study.dominance.matrix import DominanceMatrix, dominance_matrix
from measurand.study.dominance.pair import Dominance, dominance

__all__ = ["Dominance", "DominanceMatrix", "dominance", "dominance_matrix"]
