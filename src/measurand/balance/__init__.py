"""Balance: how top-heavy a measure is, in one number a run length."""

from measurand.balance.closed_forms import (
    average_precision,
    discounted_gain,
    err_threshold,
    expected_reciprocal_rank,
    rank_biased_precision,
    rank_biased_precision_limit,
)
from measurand.balance.curve import FIGURE_1A, LENGTHS, Curve, balancing_curve
from measurand.balance.index import balancing_index
from measurand.balance.setting import extremes
from measurand.balance.simulation import Rejections, expected_difference, rejection_rate, simulated_runs

__all__ = [
    "FIGURE_1A",
    "LENGTHS",
    "Curve",
    "Rejections",
    "average_precision",
    "balancing_curve",
    "balancing_index",
    "discounted_gain",
    "err_threshold",
    "expected_difference",
    "expected_reciprocal_rank",
    "extremes",
    "rank_biased_precision",
    "rank_biased_precision_limit",
    "rejection_rate",
    "simulated_runs",
]
