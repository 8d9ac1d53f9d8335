"""Intervals around the one number per system: how far it may lie from that of all topics that could be asked."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.display.wording import percent
from measurand.scores import Scores
from measurand.scores.ranks import mid_ranks

CONFIDENCE = 0.95


@frozen(eq=False)
class SummaryInterval:
    """The ends of an interval for every system, NaN where there is none, and what it is in words."""

    low: FloatArray
    high: FloatArray
    words: str


def summary_interval(scores: Scores, statistic: str, confidence: float = CONFIDENCE) -> SummaryInterval:
    r"""Return the interval of the mean, the median or the mean rank of every system over topics.

    Means and mean ranks have t intervals over the topics, :math:`\bar x \pm t_{n-1} s / \sqrt{n}`. The median lies
    between the k-th smallest and the k-th largest of n scores with probability
    :math:`1 - 2 \Pr[B < k]`, where B counts heads in n tosses of a coin; k is the largest one for which that is as
    much as was asked for.

    Examples
    --------
    >>> values = [[0.0, 0.1, 0.2, 0.4, 0.5, 0.9]]
    >>> scores = Scores(measure="RR", values=values, systems="a", topics="123456")
    >>> found = summary_interval(scores, "median")
    >>> found.low.tolist(), found.high.tolist(), found.words[:36]
    ([0.0], [0.9], 'Brackets: interval of the median, fr')
    """
    if statistic == "median":
        return _of_median(scores.values, confidence)
    sure = percent(confidence)
    if statistic == "mean rank":
        ranks = mid_ranks(-scores.goodness.T).ranks.T
        low, high = _of_mean(np.where(ranks > 0, ranks, np.nan), confidence)
        words = (
            f"Brackets: {sure} t interval of the mean rank over topics, among these systems and no others; it takes"
            " the topics for a random sample."
        )
        return SummaryInterval(low, high, words)
    low, high = _of_mean(scores.values, confidence)
    words = (
        f"Brackets: {sure} t interval of the mean over topics; it takes the topics for a random sample and their mean"
        " for normally distributed."
    )
    return SummaryInterval(low, high, words)


def _of_mean(values: FloatArray, confidence: float) -> tuple[FloatArray, FloatArray]:
    from scipy.special import stdtrit

    there = ~np.isnan(values)
    n = there.sum(axis=1)
    mean = np.where(there, values, 0.0).sum(axis=1) / np.maximum(1, n)
    rest = np.where(there, values - mean[:, None], 0.0)
    spread = np.sqrt((rest**2).sum(axis=1) / np.maximum(1, n - 1))
    half = stdtrit(np.maximum(1, n - 1), (1 + confidence) / 2) * spread / np.sqrt(np.maximum(1, n))
    # one topic says nothing of how much topics differ
    half = np.where(n > 1, half, np.nan)
    return mean - half, mean + half


def _of_median(values: FloatArray, confidence: float) -> SummaryInterval:
    low, high = np.full(len(values), np.nan), np.full(len(values), np.nan)
    covered = []
    for place, row in enumerate(values):
        kept = np.sort(row[~np.isnan(row)])
        k, coverage = order_statistics(len(kept), confidence)
        if k:
            low[place], high[place] = kept[k - 1], kept[-k]
            covered.append(coverage)
    if not covered:
        words = f"There are too few topics for a {percent(confidence)} interval of the median."
        return SummaryInterval(low, high, words)
    least, most = min(covered), max(covered)
    exactly = percent(round(least, 3)) if least == most else f"{percent(round(least, 3))} or more"
    words = (
        "Brackets: interval of the median, from the k-th smallest to the k-th largest score; its confidence is"
        f" {exactly} by the binomial distribution (more where scores tie), whatever the distribution of scores; it"
        " takes the topics for a random sample."
    )
    return SummaryInterval(low, high, words)


def order_statistics(topics: int, confidence: float) -> tuple[int, float]:
    """Return which smallest and largest of some scores hold the median between them, and how surely; 0 if none do.

    Examples
    --------
    >>> order_statistics(6, 0.95), order_statistics(5, 0.95)
    ((1, 0.96875), (0, 0.0))
    """
    from scipy.special import bdtr

    ks = np.arange(1, topics // 2 + 1)
    coverage = 1 - 2 * bdtr(ks - 1, topics, 0.5)
    enough = np.flatnonzero(coverage >= confidence)
    if not len(enough):
        return 0, 0.0
    return int(ks[enough[-1]]), float(coverage[enough[-1]])
