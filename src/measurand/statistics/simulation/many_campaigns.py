"""Tests of many campaigns of one size at once: their decisions alone, the same as those of the tests themselves.

Tests of pairs get blocks of pairs, whichever campaign these come from. Tests of all systems rank and average whole
campaigns together, and compare differences with the critical value of the studentised range instead of looking up
p-values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.errors import ParameterError
from measurand.scores.ranks import mid_ranks
from measurand.statistics.multiple_comparisons import correction
from measurand.statistics.pairs import FEWEST, ROUNDING, Found, PairBlock
from measurand.statistics.rank_tests import rank_sum_of_pairs, signed_rank_of_pairs
from measurand.statistics.sign_test import sign_of_pairs
from measurand.statistics.t_test import t_of_pairs
from measurand.statistics.variance import studentized_range_quantile

CELLS = 2**20
"""How many scores are held at a time."""

OF_PAIRS: Mapping[str, Callable[[PairBlock, str], Found]] = MappingProxyType(
    {
        "sign": sign_of_pairs,
        "rank_sum": rank_sum_of_pairs,
        "signed_rank": signed_rank_of_pairs,
        "paired_t": lambda pairs, _: t_of_pairs(pairs),
    }
)
"""The tests that look at two systems at a time."""


@frozen(eq=False)
class PairDecisions:
    """What a test decides of some pairs of systems.

    Parameters
    ----------
    pvalues
        The p-value of each pair, before any correction.
    ahead
        1 where the first system is ahead, -1 where the second is, 0 where neither is.
    """

    pvalues: FloatArray
    ahead: FloatArray


def pair_decisions(test: str, x: FloatArray, y: FloatArray, semantics: str = "scipy") -> PairDecisions:
    """Return the p-values of a test of pairs, and who is ahead, for pairs of systems in any number of dimensions.

    Parameters
    ----------
    test
        A key of `OF_PAIRS`.
    x, y
        The scores of the first and the second system of each pair, topics last; NaN where there is none.
    semantics
        Whose conventions the test follows.

    Examples
    --------
    >>> found = pair_decisions("sign", np.zeros((2, 1, 6)), np.array([[[1.0] * 6], [[0.0] * 6]]))
    >>> found.pvalues.tolist(), found.ahead.tolist()
    ([[0.03125], [1.0]], [[-1.0], [0.0]])
    """
    topics = x.shape[-1]
    missing = np.isnan(x) | np.isnan(y)
    one, other = (np.where(missing, np.nan, each).reshape(-1, topics) for each in (x, y))
    size = max(1, CELLS // 4 // max(1, topics))
    pvalues, ahead = np.ones(len(one)), np.zeros(len(one))
    for start in range(0, len(one), size):
        rows = slice(start, start + size)
        block = PairBlock(one[rows], other[rows])
        found = OF_PAIRS[test](block, semantics)
        enough = block.topics >= FEWEST
        pvalues[rows] = np.where(enough, found.pvalues, 1.0)
        ahead[rows] = np.sign(found.statistic)
    return PairDecisions(pvalues.reshape(x.shape[:-1]), ahead.reshape(x.shape[:-1]))


@frozen(eq=False)
class Centres:
    """What Tukey's test compares, campaign by campaign, and the difference from which on it is significant.

    Parameters
    ----------
    values
        Campaigns × systems: means, or mean ranks.
    least
        For each campaign, the smallest significant difference; infinite where nothing can be tested.
    rounding
        For each campaign, how far apart centres may be that differ by rounding alone.
    """

    values: FloatArray
    least: FloatArray
    rounding: FloatArray

    def significant(self, differences: FloatArray) -> BoolArray:
        """Return which differences are significant; the first dimension is that of the campaigns."""
        wide = (-1, *(1,) * (differences.ndim - 1))
        sizes = np.abs(differences)
        return np.asarray((sizes > self.rounding.reshape(wide)) & (sizes >= self.least.reshape(wide)))

    def between(self, first: IntArray, second: IntArray) -> tuple[BoolArray, FloatArray]:
        """Return which pairs differ, campaigns × pairs, and who is ahead: 1 the first, -1 the second.

        Parameters
        ----------
        first, second
            The systems of each pair, campaigns × pairs.
        """
        one, other = (np.take_along_axis(self.values, each, axis=1) for each in (first, second))
        return self.significant(one - other), np.sign(one - other)

    @property
    def any_significant(self) -> BoolArray:
        """In which campaigns some two systems differ."""
        return self.significant(np.ptp(self.values, axis=1))


def centres(test: str, campaigns: FloatArray, alpha: float) -> Centres:
    """Return what a test of all systems compares in each of many campaigns, and how far apart is significant.

    Parameters
    ----------
    test
        One of "one_way_anova", "two_way_anova", "kruskal_wallis" and "friedman".
    campaigns
        The scores, campaigns × systems × topics, without gaps.
    alpha
        The level of significance, for all pairs of a campaign at once.

    Examples
    --------
    >>> found = centres("friedman", np.array([[[1.0] * 8, [0.5] * 8, [0.0] * 8]]), 0.05)
    >>> found.values.tolist(), found.least.round(4).tolist()
    ([[3.0, 2.0, 1.0]], [1.1719])
    """
    repetitions, systems, topics = campaigns.shape
    if systems < FEWEST or topics < FEWEST:
        return Centres(
            campaigns.mean(axis=2) if topics else np.zeros((repetitions, systems)),
            np.full(repetitions, np.inf),
            np.zeros(repetitions),
        )
    if test in ("one_way_anova", "two_way_anova"):
        return _means(campaigns, alpha, topics_apart=test == "two_way_anova")
    ranks, variance = _ranks(test, campaigns)
    sigma = np.sqrt(np.maximum(variance, 0.0) / topics) * (np.ptp(ranks, axis=(1, 2)) > 0)
    return Centres(
        ranks.mean(axis=2), studentized_range_quantile(1 - alpha, systems, np.inf) * sigma, np.zeros(repetitions)
    )


def _means(campaigns: FloatArray, alpha: float, *, topics_apart: bool) -> Centres:
    """Return the means of systems, and the least significant difference by an analysis of variance."""
    _, systems, topics = campaigns.shape
    # a power of 2, so that nothing is rounded
    unit = np.ldexp(1.0, np.frexp(np.max(np.abs(campaigns), axis=(1, 2)))[1])
    values = (campaigns - campaigns[:, :1, :1]) / unit[:, None, None]
    means = values.mean(axis=2)
    rest = values - means[:, :, None]
    df = systems * (topics - 1)
    if topics_apart:
        rest = rest - rest.mean(axis=1)[:, None, :]
        df = (systems - 1) * (topics - 1)
    nothing = np.max(np.abs(rest), axis=(1, 2)) <= ROUNDING
    error = np.where(nothing, 0.0, np.sqrt((rest**2).sum(axis=(1, 2)) / df / topics))
    least = studentized_range_quantile(1 - alpha, systems, df) * error
    return Centres(means, least, np.full(len(means), ROUNDING))


def _ranks(test: str, campaigns: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return ranks, campaigns × systems × topics, and the variance of one rank in each campaign."""
    repetitions, systems, topics = campaigns.shape
    if test == "kruskal_wallis":
        n = systems * topics
        found = mid_ranks(campaigns.reshape(repetitions, n))
        return found.ranks.reshape(campaigns.shape), n * (n + 1) / 12 - found.tied / (12 * (n - 1))
    if test == "friedman":
        found = mid_ranks(campaigns.transpose(0, 2, 1).reshape(-1, systems))
        ranks = found.ranks.reshape(repetitions, topics, systems).transpose(0, 2, 1)
        lost = found.tied.reshape(repetitions, topics).sum(axis=1) / (12 * topics * (systems - 1))
        return ranks, systems * (systems + 1) / 12 - lost
    raise ParameterError(f"{test} is no test of all systems by Tukey's method")


def any_rejected(pvalues: FloatArray, alpha: float, method: str) -> BoolArray:
    """Return in which rows some p-value is significant after correction for the number of them.

    Parameters
    ----------
    pvalues
        Families × pairs.
    alpha
        The level of significance.
    method
        A correction, as for `corrected`.

    Examples
    --------
    >>> pvalues = np.array([[0.03, 0.03], [0.02, 0.5]])
    >>> [any_rejected(pvalues, 0.05, method).tolist() for method in ("none", "holm", "bh")]
    [[True, True], [False, True], [True, True]]
    """
    method, n = correction(method), pvalues.shape[1]
    if method == "bh":
        return np.asarray((np.sort(pvalues, axis=1) * n / np.arange(1, n + 1) <= alpha).any(axis=1))
    # Holm's method begins as Bonferroni's
    return np.asarray((pvalues * (1 if method == "none" else n) <= alpha).any(axis=1))


def multipliers(pvalues: FloatArray, alpha: float, method: str) -> FloatArray:
    """Return by what each p-value would be multiplied in a correction, were it another one and all others the same.

    It is significant then, whatever it is, exactly if the product is at most alpha.

    Parameters
    ----------
    pvalues
        The p-values of one family.
    alpha
        The level of significance.
    method
        A correction, as for `corrected`.

    Examples
    --------
    >>> multipliers(np.array([0.001, 0.02, 0.5]), 0.05, "holm").tolist()
    [3.0, 2.0, 1.0]
    """
    method, n = correction(method), len(pvalues)
    if method in ("none", "bonferroni") or not n:
        return np.full(n, 1.0 if method == "none" else float(n))
    order = np.argsort(pvalues, kind="stable")
    sorted_, places = pvalues[order], np.arange(n)
    found = np.empty(n)
    # the others before a place keep theirs; those behind it move up by one
    if method == "holm":
        stay = sorted_ * (n - places) > alpha
        moved = np.append(sorted_[1:] * (n - places[:-1]) > alpha, True)
        failed = int(np.argmax(stay)) if stay.any() else n
        after = np.minimum.accumulate(np.where(moved, places, n)[::-1])[::-1]
        found[order] = n - np.where(failed < places, failed, after)
        return found
    reach = sorted_ * n / (places + 2) <= alpha
    moved = np.append(sorted_[1:] * n / (places[:-1] + 2) <= alpha, False)
    before = np.concatenate([[0], np.maximum.accumulate(np.where(reach, places + 1, 0))[:-1]])
    behind = np.maximum.accumulate(np.where(moved, places + 1, 0)[::-1])[::-1]
    found[order] = n / (1 + np.maximum(before, behind))
    return found
