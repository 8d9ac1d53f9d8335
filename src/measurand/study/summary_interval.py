"""The interval of the mean, the median or the mean rank of every system over topics."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.calls import option
from measurand.errors import MeasurandError
from measurand.measures import parse
from measurand.scores import Scores
from measurand.scores.ranks import mid_ranks

CONFIDENCE = 0.95
"""How sure an interval is to hold what it is of, if nothing is said."""

NEAR = 1e-12
"""Scores that differ by no more than this share of their mean are one."""

STATISTICS = ("mean", "median", "mean rank")
"""What there are intervals of."""


@frozen(eq=False)
class SummaryInterval:
    """The interval of a number of every system, over topics.

    Parameters
    ----------
    statistic
        What it is of: "mean", "median" or "mean rank".
    low, high
        The ends for every system; NaN where there are too few topics, or the scores of all are the same.
    confidence
        How sure it is to hold the number; of medians the least over systems, since not every confidence can be had.
    cut
        Whether some interval reached beyond the values that the measure can take, and was cut off there.
    """

    statistic: str
    low: FloatArray
    high: FloatArray
    confidence: float
    cut: bool = False


def summary_interval(scores: Scores, statistic: str = "mean", confidence: float = CONFIDENCE) -> SummaryInterval:
    r"""Return the interval of the mean, the median or the mean rank of every system over topics.

    Means and mean ranks have t intervals over the topics, :math:`\bar x \pm t_{n-1} s / \sqrt{n}`. The median lies
    between the k-th smallest and the k-th largest of n scores with probability
    :math:`1 - 2 \Pr[B < k]`, where B counts heads in n tosses of a coin; k is the largest one for which that is as
    much as was asked for. Intervals of means end where the values of the measure do.

    Parameters
    ----------
    scores
        The scores of systems by topic.
    statistic
        "mean", "median" or "mean rank".
    confidence
        How sure it is to be.

    Examples
    --------
    >>> values = [[0.0, 0.1, 0.2, 0.4, 0.5, 0.9]]
    >>> scores = Scores(measure="RR", values=values, systems="a", topics="123456")
    >>> found = summary_interval(scores, "median")
    >>> found.low.tolist(), found.high.tolist(), found.confidence
    ([0.0], [0.9], 0.96875)
    >>> found = summary_interval(scores)
    >>> found.low.round(4).tolist(), found.high.round(4).tolist()
    ([0.0067], [0.6933])
    """
    option("statistic", statistic, STATISTICS)
    if statistic == "median":
        return _of_median(scores.values, confidence)
    values = scores.values
    if statistic == "mean rank":
        ranks = mid_ranks(-scores.goodness.T).ranks.T
        values = np.where(ranks > 0, ranks, np.nan)
    low, high = _of_mean(values, confidence)
    least, most = range_of(scores) if statistic == "mean" else (1.0, float(len(values)))
    cut = bool((low < least).any() or (high > most).any())
    return SummaryInterval(statistic, np.maximum(low, least), np.minimum(high, most), confidence, cut)


def range_of(scores: Scores) -> tuple[float, float]:
    """Return the least and the greatest value that the measure of some scores can take, infinite where not known.

    Parameters
    ----------
    scores
        The scores.

    Examples
    --------
    >>> range_of(Scores(measure="RR", values=[[0.5]], systems="a", topics="1"))
    (0.0, 1.0)
    >>> range_of(Scores(measure="RR", values=[[50]], systems="a", topics="1"))
    (-inf, inf)
    """
    unknown = -np.inf, np.inf
    if scores.history:
        return unknown
    try:
        ends = parse(scores.measure).bounds
    except MeasurandError:
        return unknown
    low, high = (end if known is None else float(known) for known, end in zip(ends, unknown, strict=True))
    values, slack = scores.values, 1e-9
    beyond = np.nanmin(values, initial=low) < low - slack or np.nanmax(values, initial=high) > high + slack
    return unknown if beyond else (low, high)


def _of_mean(values: FloatArray, confidence: float) -> tuple[FloatArray, FloatArray]:
    from scipy.special import stdtrit

    there = ~np.isnan(values)
    n = there.sum(axis=1)
    mean = np.where(there, values, 0.0).sum(axis=1) / np.maximum(1, n)
    rest = np.where(there, values - mean[:, None], 0.0)
    spread = np.sqrt((rest**2).sum(axis=1) / np.maximum(1, n - 1))
    half = stdtrit(np.maximum(1, n - 1), (1 + confidence) / 2) * spread / np.sqrt(np.maximum(1, n))
    # one topic says nothing of how much topics differ, nor do several that are all the same
    half = np.where(np.abs(rest).max(axis=1, initial=0.0) > NEAR * np.abs(mean), half, np.nan)
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
    return SummaryInterval("median", low, high, min(covered, default=confidence))


def order_statistics(topics: int, confidence: float) -> tuple[int, float]:
    """Return which smallest and largest of some scores hold the median between them, and how surely; 0 if none do.

    Parameters
    ----------
    topics
        How many scores there are.
    confidence
        How sure it is to be.

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
