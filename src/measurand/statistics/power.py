"""Power: which differences a paired t test would see, on how many topics."""

from __future__ import annotations

from math import inf, isfinite, sqrt
from typing import Final

import numpy as np

from measurand.arrays import FloatArray
from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scores import Need, Scores, gate
from measurand.statistics.all_pairs import ALPHA
from measurand.statistics.pair_blocks import pair_blocks

POWER: Final = 0.8

NEED = Need("power of the t test", Scale.INTERVAL)

MOST_TOPICS: Final = 2**40
"""Beyond so many topics nobody looks."""


def power(difference: float, spread: float, topics: int, alpha: float = ALPHA) -> float:
    r"""Return the probability that a two-sided paired t test sees a true mean difference.

    .. math:: P(|T| > t_{n-1, 1-\alpha/2}), \quad T \sim t_{n-1}(\delta \sqrt{n} / \sigma)

    where T has the noncentral t distribution.

    Parameters
    ----------
    difference
        The true mean difference :math:`\delta` of two systems.
    spread
        The standard deviation :math:`\sigma` of their differences over topics.
    topics
        How many topics n there are; with one alone nothing can be tested, and the power is 0.
    alpha
        The level of significance.

    Examples
    --------
    >>> round(power(0.05, 0.15, 50), 4), round(power(0, 0.15, 50), 4)
    (0.6371, 0.05)

    References
    ----------
    [Cohen1988]_; [Sakai2016]_
    """
    _check(alpha, "alpha")
    _check_spread(spread)
    _check_topics(topics)
    if topics < 2:
        return 0.0
    if difference == 0:
        return alpha
    if spread == 0:
        return 1.0
    return _power(abs(difference) / spread * sqrt(topics), topics, alpha)


def minimum_detectable_difference(
    spread: float | Scores,
    topics: int | None = None,
    alpha: float = ALPHA,
    power: float = POWER,
    *,
    strict: bool = False,
) -> float:
    """Return the smallest true mean difference that a paired t test sees with a given power.

    Parameters
    ----------
    spread
        The standard deviation of differences over topics; of scores, the root of the mean variance of the
        differences of all pairs of systems, which is twice the residual variance of a two-way analysis.
    topics
        How many topics there are, or for scores as many as they have. With one topic there is no such difference:
        it is infinite.
    strict
        Whether to refuse scores that are not on an interval scale.

    Examples
    --------
    >>> round(minimum_detectable_difference(0.15, 50), 4)
    0.0606

    References
    ----------
    [Cohen1988]_; [Sakai2016]_
    """
    _check(alpha, "alpha")
    _check_power(power, alpha)
    if isinstance(spread, Scores):
        gate(NEED, spread, strict=strict)
        topics = len(spread.topics) if topics is None else topics
        spread = typical_spread(spread)
    if topics is None:
        raise ParameterError("say how many topics there are, as in minimum_detectable_difference(0.15, 50)")
    _check_spread(spread)
    _check_topics(topics)
    if topics < 2:
        return inf
    return _noncentrality(topics, alpha, power) * spread / sqrt(topics)


def topics_needed(difference: float, spread: float, alpha: float = ALPHA, power: float = POWER) -> int:
    """Return the smallest number of topics on which a paired t test sees a difference with a given power.

    Examples
    --------
    >>> topics_needed(0.05, 0.15)
    73

    References
    ----------
    [Sakai2016]_
    """
    _check(alpha, "alpha")
    _check_power(power, alpha)
    _check_spread(spread)
    if difference == 0 or not isfinite(difference):
        raise ParameterError(f"the difference to see must be a number other than 0, not {difference}")
    low, high = 1, 2
    while _power_on(difference, spread, high, alpha) < power:
        low, high = high, 2 * high
        if high > MOST_TOPICS:
            raise ParameterError(f"no number of topics up to {MOST_TOPICS} shows a difference this small")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _power_on(difference, spread, middle, alpha) >= power else (middle, high)
    return high


def detectable(scores: Scores, alpha: float = ALPHA, power: float = POWER, *, strict: bool = False) -> FloatArray:
    """Return the smallest mean difference that a paired t test would see, for all pairs: systems × systems.

    It comes from the topics that a pair shares and the spread of its differences. With fewer than two topics it
    is infinite; a system differs from itself by 0.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> detectable(scores).round(4).tolist()
    [[0.0, 0.8636], [0.8636, 0.0]]

    References
    ----------
    [Cohen1988]_; [Sakai2016]_
    """
    _check(alpha, "alpha")
    _check_power(power, alpha)
    gate(NEED, scores, strict=strict)
    found = np.zeros((len(scores.systems),) * 2)
    for block in pair_blocks(scores):
        topics = block.topics
        factor = np.full(len(topics), inf)
        for n in np.unique(topics[topics > 1]).tolist():
            factor[topics == n] = _noncentrality(int(n), alpha, power) / sqrt(n)
        known = topics > 1
        least = np.full(len(topics), inf)
        least[known] = factor[known] * block.spreads[known]
        found[block.first, block.second] = found[block.second, block.first] = least
    return found


def typical_spread(scores: Scores) -> float:
    """Return the root of the mean variance over topics of the differences of all pairs of systems.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7], [.2, .2]], systems=("a", "b"), topics=("1", "2"))
    >>> round(typical_spread(scores), 6)
    0.141421
    """
    blocks = [block.spreads[block.topics > 1] for block in pair_blocks(scores)]
    spreads = np.concatenate([np.empty(0), *blocks])
    if not len(spreads):
        raise ParameterError("no two systems share two topics, so that the spread of their differences is unknown")
    return float(np.sqrt(np.mean(spreads**2)))


def _power_on(difference: float, spread: float, topics: int, alpha: float) -> float:
    """Return the power, where that word means the power asked for."""
    return power(difference, spread, topics, alpha)


def _power(noncentrality: float, topics: int, alpha: float) -> float:
    from scipy.stats import nct, t

    beyond = t.isf(alpha / 2, topics - 1)
    upper, lower = nct.sf(beyond, topics - 1, noncentrality), nct.cdf(-beyond, topics - 1, noncentrality)
    # far from the centre scipy's lower tail is NaN where it is too small for a float
    return float(min(1.0, upper + np.nan_to_num(lower)))


def _noncentrality(topics: int, alpha: float, power: float) -> float:
    """Return how many standard errors a mean difference must be large for a given power."""
    from scipy.optimize import brentq
    from scipy.stats import t

    high = 2.0 * t.isf(alpha / 2, topics - 1)
    while _power(high, topics, alpha) < power:
        high *= 2
    return float(brentq(lambda size: _power(size, topics, alpha) - power, 0.0, high, xtol=1e-12))


def _check(share: float, name: str) -> None:
    if not 0 < share < 1:
        raise ParameterError(f"{name} must lie between 0 and 1, not {share}")


def _check_power(power: float, alpha: float) -> None:
    if not alpha < power < 1:
        raise ParameterError(f"power must lie between alpha ({alpha}) and 1, not {power}")


def _check_spread(spread: float) -> None:
    if not 0 <= spread < inf:
        raise ParameterError(f"spread must be a standard deviation, from 0 up, not {spread}")


def _check_topics(topics: int) -> None:
    if isinstance(topics, bool) or not isinstance(topics, int | np.integer) or topics < 1:
        raise ParameterError(f"topics must be a whole number from 1 up, not {topics!r}")
