"""Analysis of variance of ranks: Kruskal and Wallis's, and Friedman's; then Tukey's test of all mean ranks."""

from __future__ import annotations

import numpy as np

from measurand.arrays import FloatArray
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.scores.ranks import mid_ranks
from measurand.statistics.complete import Complete, complete
from measurand.statistics.needs import PairOutcome, declares
from measurand.statistics.tukey import tukey


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
    dunn_sidak_cap
        Whether p-values are at most those of Dunn and Šidák, as in Matlab's `multcompare`.
    strict
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
    dunn_sidak_cap
        Whether p-values are at most those of Dunn and Šidák, as in Matlab's `multcompare`.
    strict
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
