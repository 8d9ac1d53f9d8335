"""Statistics of scores: tests of all pairs, corrections, effect sizes, correlation; no measure known here.

What simulates campaigns is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from measurand.loading import first_used
from measurand.statistics.all_pairs import AllPairs, PairResult
from measurand.statistics.correlation import Correlation, kendall, similarity, tau_ap
from measurand.statistics.effects import Effect, Effects, effects
from measurand.statistics.multiple_comparisons import ALPHA, CORRECTIONS, corrected, letters
from measurand.statistics.needs import SEMANTICS, need_of
from measurand.statistics.power import detectable, minimum_detectable_difference, power, topics_needed
from measurand.statistics.rank_tests import friedman, kruskal_wallis, rank_sum, signed_rank
from measurand.statistics.registry import SPOKEN, TESTS, find_test
from measurand.statistics.resampling import bootstrap, bootstrap_interval, randomisation, randomised_tukey
from measurand.statistics.sign_test import sign, sign_pvalues
from measurand.statistics.t_test import paired_t
from measurand.statistics.variance import one_way_anova, studentized_range_quantile, two_way_anova

if TYPE_CHECKING:
    from measurand.statistics.simulation import Rate, ScaleChange, SimulatedTest, Simulation, simulate

__all__ = [
    "ALPHA",
    "CORRECTIONS",
    "SEMANTICS",
    "SPOKEN",
    "TESTS",
    "AllPairs",
    "Correlation",
    "Effect",
    "Effects",
    "PairResult",
    "Rate",
    "ScaleChange",
    "SimulatedTest",
    "Simulation",
    "bootstrap",
    "bootstrap_interval",
    "corrected",
    "detectable",
    "effects",
    "find_test",
    "friedman",
    "kendall",
    "kruskal_wallis",
    "letters",
    "minimum_detectable_difference",
    "need_of",
    "one_way_anova",
    "paired_t",
    "power",
    "randomisation",
    "randomised_tukey",
    "rank_sum",
    "sign",
    "sign_pvalues",
    "signed_rank",
    "similarity",
    "simulate",
    "studentized_range_quantile",
    "tau_ap",
    "topics_needed",
    "two_way_anova",
]

__getattr__ = first_used(
    __name__,
    {"measurand.statistics.simulation": ("Rate", "ScaleChange", "SimulatedTest", "Simulation", "simulate")},
)
