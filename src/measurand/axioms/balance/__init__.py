"""Balance: how top-heavy a measure is, in one number a run length."""

from measurand.axioms.balance import closed_forms
from measurand.axioms.balance.index import FIGURE_1A, LENGTHS, Curve, balancing_curve, balancing_index, extremes
from measurand.axioms.balance.simulation import Rejections, expected_difference, rejection_rate, simulated_runs

__all__ = [
    "FIGURE_1A",
    "LENGTHS",
    "Curve",
    "Rejections",
    "balancing_curve",
    "balancing_index",
    "closed_forms",
    "expected_difference",
    "extremes",
    "rejection_rate",
    "simulated_runs",
]
