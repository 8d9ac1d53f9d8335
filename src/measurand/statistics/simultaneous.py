"""Simultaneous intervals: differences of means to one system, or to the best, of which all hold at once.

A system that was chosen because it did best of many did better than it is. Intervals that hold for all pairs that could
have been chosen hold for the chosen ones too.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.scores import Scores
from measurand.scores.scores import rounding
from measurand.statistics.draws import chunks, signs

DRAWS = 2**12
"""How many signs are drawn of every topic."""

FEWEST = 10
"""With fewer topics than this the factor is Bonferroni's."""

MOST_PAIRS = 100_000
"""With more pairs than this too."""


@frozen(eq=False)
class SimultaneousInterval:
    """Intervals of the differences of all systems to one of them, that hold at once.

    Parameters
    ----------
    low, high
        The ends for every system; NaN for the one that it is compared with, where there is nothing to go by, and where
        0 would be excluded although no choice of the signs of so few differences could.
    confidence
        How sure it is that all of them hold.
    pairs
        For how many pairs the intervals hold at once.
    resampled
        Whether the factor of the standard errors was resampled; else it is Bonferroni's.
    """

    low: FloatArray
    high: FloatArray
    confidence: float
    pairs: int
    resampled: bool


def to_reference(
    scores: Scores, reference: str, confidence: float = 0.95, pairs: int | None = None
) -> SimultaneousInterval:
    r"""Return intervals of the mean differences of all systems to one of them that was named beforehand.

    The interval of a system is :math:`\bar d \pm c \, s / \sqrt{n}`. As in Dunnett's test, c is the quantile of the
    largest studentised difference of all systems to the reference. Here it is that over random signs of the centred
    differences of each topic, no less than the factor of one t interval, and no more than Bonferroni's, which it is
    with fewer than ten topics and where systems lack topics. Differences are system minus reference.

    Parameters
    ----------
    scores
        The scores of systems by topic.
    reference
        The system that all are compared with.
    confidence
        How sure it is that all of them hold.
    pairs
        For how many pairs they are to hold, if these are not all of them; the factor is Bonferroni's then.

    Examples
    --------
    >>> values = [[.5, .7, .4, .6], [.2, .3, .5, .1], [.4, .6, .6, .3]]
    >>> scores = Scores(measure="P", values=values, systems="abc", topics="1234")
    >>> found = to_reference(scores, "a")
    >>> found.low.round(3).tolist(), found.high.round(3).tolist(), found.resampled
    ([nan, -0.824, -0.506], [nan, 0.274, 0.356], False)

    References
    ----------
    [Dunnett1955]_
    """
    return _intervals(scores, reference, confidence, every=False, pairs=pairs)


def to_best(scores: Scores, best: str, confidence: float = 0.95) -> SimultaneousInterval:
    r"""Return intervals of the mean differences of all systems to the one that turned out best.

    Which one is best is known from the same scores, so intervals of all pairs of systems have to hold at once: the
    factor is the quantile of the largest studentised difference of all pairs, as in Tukey's test, resampled as in
    `to_reference`.

    Parameters
    ----------
    scores
        The scores of systems by topic.
    best
        The system with the best mean.
    confidence
        How sure it is that all of them hold.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> values = rng.random(20) / 2 + np.array([[0.4], [0.38], [0.1]]) + rng.normal(0, 0.05, (3, 20))
    >>> found = to_best(Scores(measure="P", values=values, systems="abc", topics=range(20)), "a")
    >>> found.low.round(3).tolist(), found.high.round(3).tolist(), found.pairs
    ([nan, -0.047, -0.334], [nan, 0.036, -0.247], 3)

    References
    ----------
    [Carterette2012]_
    """
    return _intervals(scores, best, confidence, every=True)


def _intervals(
    scores: Scores, reference: str, confidence: float, *, every: bool, pairs: int | None = None
) -> SimultaneousInterval:
    """Return intervals that hold for the pairs with a system at once, or for every pair."""
    from scipy.special import stdtr, stdtrit

    place, n = scores.systems.index(reference), len(scores.systems)
    among = n * (n - 1) // 2 if every else n - 1
    pairs = among if pairs is None else pairs
    means, errors, topics, differing = _apart(scores.values, place, rounding(scores))
    free, alpha = np.maximum(1, topics - 1), 1 - confidence
    factor = stdtrit(free, 1 - alpha / max(1, pairs) / 2)
    resampled = 1 < pairs == among <= MOST_PAIRS and len(scores.topics) >= FEWEST
    resampled = resampled and not np.isnan(scores.values).any()
    if resampled:
        drawn = _factor(scores, None if every else place, confidence)
        factor = np.clip(drawn, stdtrit(free, 1 - alpha / 2), factor)
    low, high = means - factor * errors, means + factor * errors
    # no interval excludes 0, alone or with others, where no choice of the signs of so few differences could
    none = np.isnan(errors)
    for each in (factor, stdtrit(free, 1 - alpha / 2)):
        none |= (2.0 ** (1 - differing) > 2 * stdtr(free, -each)) & (np.abs(means) > each * errors)
    low[none] = high[none] = np.nan
    return SimultaneousInterval(low, high, confidence, pairs, resampled)


def _apart(values: FloatArray, place: int, negligible: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return of every system minus one: mean, standard error, how many topics both have, and on how many they differ.

    There is no standard error where all differences are one, which says nothing of how much they could differ.
    """
    apart = values - values[place]
    there = ~np.isnan(apart)
    topics = there.sum(axis=1)
    means = np.where(there, apart, 0.0).sum(axis=1) / np.maximum(1, topics)
    rest = np.where(there, apart - means[:, None], 0.0)
    errors = np.sqrt((rest**2).sum(axis=1) / np.maximum(1, topics - 1) / np.maximum(1, topics))
    spread = (topics > 1) & (np.abs(rest).max(axis=1, initial=0.0) > negligible)
    signed = (there & (np.abs(apart) > negligible)).sum(axis=1)
    return means, np.where(spread, errors, np.nan), topics.astype(np.float64), signed.astype(np.float64)


def _factor(scores: Scores, place: int | None, confidence: float) -> float:
    """Return the quantile of the largest studentised difference to a system, or of every pair, over random signs."""
    n = len(scores.topics)
    centred = scores.values - scores.values.mean(axis=1)[:, None]
    # each system with those behind it, or one with all
    blocks = [(at, slice(at + 1, None)) for at in range(len(centred) - 1)] if place is None else [(place, slice(None))]
    units = []
    for at, others in blocks:
        apart = centred[others] - centred[at]
        same = np.abs(apart).max(axis=1) <= rounding(scores)
        size = np.sqrt((apart**2).sum(axis=1))
        units.append(np.where(same, 0.0, 1 / np.where(same, 1.0, size)).astype(np.float32))
    generate, found = np.random.default_rng(0), []
    for rows in chunks(DRAWS):
        sums = (centred @ signs(rows, n, generate).T).astype(np.float32)
        largest = np.zeros(rows, dtype=np.float32)
        for (at, others), unit in zip(blocks, units, strict=True):
            apart = (sums[others] - sums[at]) * unit[:, None]
            np.maximum(largest, np.abs(apart, out=apart).max(axis=0), out=largest)
        found.append(largest)
    share = float(np.quantile(np.concatenate(found).astype(np.float64), confidence, method="higher"))
    # signs leave the sum of squares as it is, so that the studentised sum follows from the sum
    return share * float(np.sqrt((n - 1) / n) / np.sqrt(max(1 - share**2 / n, 1e-12)))
