"""Balance: how top-heavy a measure is, in one number a run length."""

from measurand.axioms.balance import closed_forms
from measurand.axioms.balance.index import FIGURE_1A, LENGTHS, Curve, balancing_curve, balancing_index, extremes
from measurand.deprecated import moved

__all__ = [
    "FIGURE_1A",
    "LENGTHS",
    "Curve",
    "balancing_curve",
    "balancing_index",
    "closed_forms",
    "extremes",
]

__getattr__ = moved(
    __name__,
    {
        name: f"measurand.papers.{name}"
        for name in ("Rejections", "expected_difference", "rejection_rate", "simulated_runs")
    },
)
