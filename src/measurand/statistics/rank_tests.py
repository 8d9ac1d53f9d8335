"""Tests of ranks: Wilcoxon's rank sum and signed rank tests, the Kruskal-Wallis test and Friedman's test.

Distributions of rank statistics are counted exactly, with their ties. Ranks are given doubled, so that mid-ranks are
whole numbers; pairs of systems with the same pattern of ties share one count.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.scores.ranks import mid_ranks
from measurand.statistics.needs import check_semantics, declares
from measurand.statistics.pairs import (
    Complete,
    Found,
    PairBlock,
    PairOutcome,
    complete,
    difference_sizes,
    in_units_of,
    pairwise,
)
from measurand.statistics.variance import tukey


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
    scores : Scores
        The scores of systems by topic.
    semantics : {"scipy", "matlab"}
        "scipy": as `scipy.stats.mannwhitneyu`, exact up to 8 topics without ties, else by z. "matlab": as
        Matlab's `ranksum`, exact up to 9 topics, with ties too, else by z.
    strict : bool, default False
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
    check_semantics(semantics)
    return pairwise(scores, partial(rank_sum_of_pairs, semantics=semantics), semantics)


def rank_sum_of_pairs(pairs: PairBlock, semantics: str = "scipy") -> Found:
    """Return what the rank sum test finds for some pairs of systems.

    Parameters
    ----------
    pairs
        The pairs.
    semantics
        As for `rank_sum`.

    Examples
    --------
    >>> rank_sum_of_pairs(PairBlock(np.array([[3.0, 4.0]]), np.array([[1.0, 2.0]]))).pvalues.round(4).tolist()
    [0.3333]
    """
    from scipy.special import ndtr

    matlab = semantics == "matlab"
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
    scores : Scores
        The scores of systems by topic.
    semantics : {"scipy", "matlab"}
        "scipy": as `scipy.stats.wilcoxon`: exact up to 50 topics if no difference is 0 and no two are of one size;
        exact up to 13 topics in any case; else by z. "matlab": as Matlab's `signrank`: exact up to 15 differences
        that are not 0, else by z.
    strict : bool, default False
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
    check_semantics(semantics)
    return pairwise(scores, partial(signed_rank_of_pairs, semantics=semantics), semantics, exactly=True)


def signed_rank_of_pairs(pairs: PairBlock, semantics: str = "scipy") -> Found:
    """Return what the signed rank test finds for some pairs of systems.

    Parameters
    ----------
    pairs
        The pairs.
    semantics
        As for `signed_rank`.

    Examples
    --------
    >>> signed_rank_of_pairs(PairBlock(np.array([[3.0, 4.0, 6.0]]), np.array([[1.0, 2.0, 0.0]]))).pvalues.tolist()
    [0.25]
    """
    from scipy.special import ndtr

    matlab = semantics == "matlab"
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


def _doubled(ranks: FloatArray) -> IntArray:
    return np.rint(2 * ranks).astype(np.int64)


@declares("Kruskal-Wallis test", Scale.ORDINAL, "KruskalWallis1952", "Tukey1949", simultaneous=True)
def kruskal_wallis(
    scores: Scores,
    *,
    dunn_sidak_cap: bool = False,
    strict: bool = False,  # noqa: ARG001
) -> PairOutcome:
    r"""Test whether no system tends to have higher scores, topics taken as repetitions; then every two by Tukey's test.

    All N = ST scores of S systems on T topics are ranked together. With t the sizes of the groups of equal scores,
    the mean rank of a system has the variance

    .. math:: \sigma^2 = \frac1T \Bigl(\frac{N (N + 1)}{12} - \frac{\sum (t^3 - t)}{12 (N - 1)}\Bigr)

    Every two mean ranks are compared by Tukey's test with infinite degrees of freedom, as in Matlab's `multcompare`.
    The difference is that of the mean ranks; the statistic is Tukey's q.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    dunn_sidak_cap : bool, default False
        Whether p-values are at most those of Dunn and Šidák, as in Matlab's `multcompare`.
    strict : bool, default False
        Whether to refuse scores on less than the test needs.

    Returns
    -------
    AllPairs
        With `details`: chi2, p, df.
        Where nothing can be tested, p = 1 alone.

    Examples
    --------
    >>> values = [[5.5, 5.5, 6, 6.5, 7, 7], [4.5, 4.5, 4, 5, 5.5, 5], [3.5, 4, 3, 4, 5, 4.5]]
    >>> scores = Scores(measure="P", values=values, systems=tuple("abc"), topics=tuple("123456"))
    >>> round(kruskal_wallis(scores).of("a", "c"), 6)
    0.001395

    References
    ----------
    [KruskalWallis1952]_; [Tukey1949]_
    """
    left = complete(scores)
    n = left.values.size
    found = mid_ranks(left.values.reshape(1, -1))
    ranks = found.ranks.reshape(left.values.shape)
    if not left.testable:
        return left.untested(ranks)
    variance = n * (n + 1) / 12 - found.tied[0] / (12 * (n - 1))
    return _by_mean_ranks(left, ranks, variance, dunn_sidak_cap)


@declares("Friedman test", Scale.ORDINAL, "Friedman1937", "Tukey1949", across=False, simultaneous=True)
def friedman(scores: Scores, *, dunn_sidak_cap: bool = False, strict: bool = False) -> PairOutcome:  # noqa: ARG001
    r"""Test whether no system tends to rank higher within topics; then every two by Tukey's test.

    The S systems are ranked on each of T topics. With t the sizes of the groups of systems with equal scores on a
    topic, the mean rank of a system has the variance

    .. math:: \sigma^2 = \frac1T \Bigl(\frac{S (S + 1)}{12} - \frac{\sum (t^3 - t)}{12\, T (S - 1)}\Bigr)

    Every two mean ranks are compared by Tukey's test with infinite degrees of freedom, as in Matlab's `multcompare`.
    The difference is that of the mean ranks; the statistic is Tukey's q.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    dunn_sidak_cap : bool, default False
        Whether p-values are at most those of Dunn and Šidák, as in Matlab's `multcompare`.
    strict : bool, default False
        Whether to refuse scores on less than the test needs.

    Returns
    -------
    AllPairs
        With `details`: chi2, p, df.
        Where nothing can be tested, p = 1 alone.

    Examples
    --------
    >>> values = [[5.5, 5.5, 6, 6.5, 7, 7], [4.5, 4.5, 4, 5, 5.5, 5], [3.5, 4, 3, 4, 5, 4.5]]
    >>> scores = Scores(measure="P", values=values, systems=tuple("abc"), topics=tuple("123456"))
    >>> round(friedman(scores).of("a", "c"), 6), friedman(scores).details["chi2"]
    (0.001543, 12.0)

    References
    ----------
    [Friedman1937]_; [Tukey1949]_
    """
    left = complete(scores)
    systems, topics = left.values.shape
    found = mid_ranks(left.values.T)
    if not left.testable:
        return left.untested(found.ranks.T)
    variance = systems * (systems + 1) / 12 - found.tied.sum() / (12 * topics * (systems - 1))
    return _by_mean_ranks(left, found.ranks.T, variance, dunn_sidak_cap)


def _by_mean_ranks(left: Complete, ranks: FloatArray, variance: float, dunn_sidak_cap: bool) -> PairOutcome:
    """Return the test of all systems, and of every two, from ranks and the variance of one rank."""
    from scipy.special import chdtrc

    systems, topics = ranks.shape
    means = ranks.mean(axis=1)
    squares = float(((means - means.mean()) ** 2).sum())
    # where all scores are tied, a variance of 0 may come out as a little less or more
    sigma = float(np.sqrt(variance / topics)) if np.ptp(ranks) > 0 else 0.0
    chi2 = squares / sigma**2 if sigma else 0.0
    details = {"chi2": chi2, "p": float(chdtrc(systems - 1, chi2)), "df": systems - 1.0}
    cap, caveats = dunn_sidak_cap, left.caveats
    return tukey(means, sigma, np.inf, topics, dunn_sidak_cap=cap, details=details, caveats=caveats)


def signed_rank_tails(doubled: IntArray, sums: IntArray) -> FloatArray:
    r"""Return, for each row of ranks, the probability that a sum over random signs is as small as the one given.

    Each rank is positive with probability ½, independently:

    .. math:: P\Bigl(\sum_i b_i r_i \le w\Bigr), \qquad b_i \in \{0, 1\}

    Parameters
    ----------
    doubled
        Pairs × topics: twice the ranks, 0 where there is none.
    sums
        For each pair, twice the sum w.

    Examples
    --------
    >>> signed_rank_tails(np.array([[2, 4, 6]]), np.array([2])).tolist()
    [0.25]

    References
    ----------
    [Wilcoxon1945]_
    """
    return _looked_up(doubled, sums, _ways_of_signs)


def rank_sum_tails(doubled: IntArray, sums: IntArray) -> FloatArray:
    """Return, for each row of ranks, the probability that half of them, at random, sum up to so little.

    Parameters
    ----------
    doubled
        Pairs × an even number of ranks, doubled.
    sums
        For each pair, twice the sum of the ranks of one half.

    Examples
    --------
    >>> rank_sum_tails(np.array([[2, 4, 6, 8]]), np.array([6])).tolist()
    [0.16666666666666666]

    References
    ----------
    [Wilcoxon1945]_
    """
    return _looked_up(doubled, sums, _ways_of_halves)


def _looked_up(doubled: IntArray, sums: IntArray, ways: Callable[[IntArray], FloatArray]) -> FloatArray:
    """Return the share of the ways that end up at each sum or below, counting once per pattern."""
    if not len(doubled):
        return np.zeros(0)
    patterns, which = np.unique(np.sort(doubled, axis=1), axis=0, return_inverse=True)
    which = which.reshape(-1)  # numpy 2.0 answers in two dimensions
    by_pattern = np.argsort(which, kind="stable")
    bounds = np.searchsorted(which[by_pattern], np.arange(len(patterns) + 1))
    tails = np.empty(len(doubled))
    for pattern, start, end in zip(patterns, bounds[:-1], bounds[1:], strict=True):
        pairs = by_pattern[start:end]
        counts = np.cumsum(ways(pattern))
        tails[pairs] = counts[sums[pairs]] / counts[-1]
    return tails


def _ways_of_signs(pattern: IntArray) -> FloatArray:
    """Return in how many ways a choice of ranks sums up to each number from 0 up."""
    ways = np.zeros(int(pattern.sum()) + 1)
    ways[0] = 1.0
    for rank in pattern[pattern > 0].tolist():
        ways[rank:] += ways[:-rank].copy()
    return ways


def _ways_of_halves(pattern: IntArray) -> FloatArray:
    """Return in how many ways half of the ranks sum up to each number from 0 up."""
    half = len(pattern) // 2
    ways = np.zeros((half + 1, int(pattern.sum()) + 1))
    ways[0, 0] = 1.0
    for rank in pattern.tolist():
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    return np.asarray(ways[half])
