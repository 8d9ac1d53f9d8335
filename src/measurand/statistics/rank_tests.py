"""Wilcoxon's two tests: of the ranks of all scores, and of the ranks of the differences."""

from __future__ import annotations

import numpy as np

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.scores.ranks import mid_ranks
from measurand.statistics.difference_sizes import difference_sizes
from measurand.statistics.needs import PairOutcome, check_semantics, declares
from measurand.statistics.pairs import PairBlock, in_units_of
from measurand.statistics.pairwise import Found, pairwise
from measurand.statistics.rank_distributions import rank_sum_tails, signed_rank_tails


@declares("rank sum test", Scale.ORDINAL, "Wilcoxon1945", "MannWhitney1947")
def rank_sum(scores: Scores, *, semantics: str = "scipy", strict: bool = False) -> PairOutcome:  # noqa: ARG001
    r"""Test whether the scores of one system tend to be higher, for every two systems; topics are not paired.

    All 2n scores of two systems are ranked together. With W the sum of the ranks of the first system and t the
    sizes of the groups of equal scores,

    .. math::
        z = \frac{W - n(2n + 1)/2 \mp 1/2}{\sigma}, \qquad
        \sigma^2 = \frac{n^2}{12} \Bigl(2n + 1 - \frac{\sum (t^3 - t)}{2n (2n - 1)}\Bigr)

    The difference is that of the mean ranks; the statistic is z.

    Parameters
    ----------
    semantics
        "scipy": as `scipy.stats.mannwhitneyu`, exact up to 8 topics without ties, else by z. "matlab": as
        Matlab's `ranksum`, exact up to 9 topics, with ties too, else by z.
    strict
        Whether to refuse scores on less than the test needs.

    Examples
    --------
    >>> values = [[5.5, 5.5, 6, 6.5, 7, 7], [4.5, 4.5, 4, 5, 5.5, 5]]
    >>> found = rank_sum(Scores(measure="P", values=values, systems=("a", "b"), topics=tuple("123456")),
    ...                  semantics="matlab")
    >>> round(found.of("a", "b"), 6)
    0.006494

    References
    ----------
    [Wilcoxon1945]_; [MannWhitney1947]_
    """
    matlab = check_semantics(semantics) == "matlab"

    def test(pairs: PairBlock) -> Found:
        from scipy.special import ndtr

        n = pairs.topics
        found = mid_ranks(np.hstack([pairs.x, pairs.y]))
        first = found.ranks[:, : pairs.x.shape[1]].sum(axis=1)
        excess = first - n * (2 * n + 1) / 2
        lost = found.tied / np.maximum(2 * n * (2 * n - 1), 1)
        error = n * np.sqrt(np.maximum(2 * n + 1 - lost, 0.0) / 12)
        z = in_units_of(error, np.sign(excess) * np.maximum(np.abs(excess) - 0.5, 0.0))
        pvalues = 2 * ndtr(-np.abs(z))
        # both samples have n scores, so the two tails are alike
        exact = (n <= 9) if matlab else (n <= 8) & (found.tied == 0)
        lower = n * (2 * n + 1) / 2 - np.abs(excess)
        for size in np.unique(n[exact]).tolist():
            rows = np.flatnonzero(exact & (n == size))
            ranks = -np.sort(-found.ranks[rows], axis=1)[:, : 2 * size]
            pvalues[rows] = 2 * rank_sum_tails(_doubled(ranks), _doubled(lower[rows]))
        return Found(np.minimum(1.0, pvalues), 2 * excess / np.maximum(n, 1), z)

    return pairwise(scores, test, semantics)


@declares("signed rank test", Scale.INTERVAL, "Wilcoxon1945")
def signed_rank(scores: Scores, *, semantics: str = "scipy", strict: bool = False) -> PairOutcome:  # noqa: ARG001
    r"""Test whether differences are as often and as far above 0 as below, for every two systems.

    The n differences that are not 0 are ranked by size. With :math:`W_+, W_-` the sums of the ranks of those above
    and below 0, and t the sizes of the groups of differences of one size,

    .. math::
        z = \frac{(W_+ - W_-)/2}{\sigma}, \qquad
        \sigma^2 = \frac{1}{24} \Bigl(n (n + 1)(2n + 1) - \tfrac12 \sum (t^3 - t)\Bigr)

    The difference is :math:`W_+ - W_-`; the statistic is z. There is no correction for continuity.

    Parameters
    ----------
    semantics
        "scipy": as `scipy.stats.wilcoxon`: exact up to 50 topics if no difference is 0 and no two are of one size;
        exact up to 13 topics in any case; else by z. "matlab": as Matlab's `signrank`: exact up to 15 differences
        that are not 0, else by z.
    strict
        Whether to refuse scores on less than the test needs.

    Examples
    --------
    >>> values = [[0.3, 0.5, 0.9, 0.2], [0.1, 0.3, 0.7, 0.3]]
    >>> found = signed_rank(Scores(measure="P@10", values=values, systems=("a", "b"), topics=tuple("1234")))
    >>> found.differences[0, 1].item(), found.of("a", "b")
    (8.0, 0.25)

    Notes
    -----
    Equal differences of floats rarely are equal floats: 0.3 − 0.1, 0.5 − 0.3 and 0.9 − 0.7 are three numbers. Where
    the exact values behind the scores are known, these decide which differences are 0 and which tie. Otherwise each
    score may be off by its distance to the next float, as in Matlab's `signrank`. scipy itself compares the floats,
    and so loses such ties.

    The exact values are not known of

    - nDCG, `interval(…)` and measures that are functions;
    - scores from a file or an array, scores whose values were changed, and scores that were pickled, as they are on
      the way to another process;
    - scores over several orders of tied documents: `ties="expected"`, `"min"`, `"max"` and `"groups"`, and ESL, ESLR
      and OIE where no rule for ties was asked for, even if no documents tie;
    - scores of more than 1,048,576 ranks in all: systems × topics × the ranks that the measure looks at.

    References
    ----------
    [Wilcoxon1945]_
    """
    matlab = check_semantics(semantics) == "matlab"

    def test(pairs: PairBlock) -> Found:
        from scipy.special import ndtr

        signs, sizes = difference_sizes(pairs)
        found = mid_ranks(sizes)
        n, topics = np.count_nonzero(signs, axis=1), pairs.topics
        total = n * (n + 1) / 2
        excess = (found.ranks * signs).sum(axis=1)
        error = np.sqrt((n * (n + 1) * (2 * n + 1) - found.tied / 2) / 24)
        z = in_units_of(error, excess / 2)
        pvalues = 2 * ndtr(-np.abs(z))
        clear = (found.tied == 0) & (n == topics)
        exact: BoolArray = (n <= 15) if matlab else (topics <= 13) | ((topics <= 50) & clear)
        lower = (total[exact] - np.abs(excess[exact])) / 2
        pvalues[exact] = 2 * signed_rank_tails(_doubled(found.ranks[exact]), _doubled(lower))
        return Found(np.minimum(1.0, pvalues), excess, z)

    return pairwise(scores, test, semantics, exactly=True)


def _doubled(ranks: FloatArray) -> IntArray:
    return np.rint(2 * ranks).astype(np.int64)
