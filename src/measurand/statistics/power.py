"""Power: which differences a paired t test would see, on how many topics."""

from __future__ import annotations

from functools import cache, lru_cache
from math import inf, isfinite, isnan, pi, sqrt
from typing import Final

import numpy as np

from measurand.arrays import FloatArray
from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scores import Need, Scores
from measurand.statistics.multiple_comparisons import ALPHA, level
from measurand.statistics.needs import admitted
from measurand.statistics.pairs import over_pairs, square

POWER: Final = 0.8

NEED = Need("power of the t test", Scale.INTERVAL)

ROUNDING = 1e-12
"""Power that falls short by rounding alone is enough."""

NORMAL: Final = 1000.0
"""Up to so many standard deviations of a single topic the normal distribution tells about how many topics it takes."""

MOST_TOPICS: Final = 2**40
"""The largest number of topics that is considered."""

FARTHEST: Final = 9.0
"""Farther from its mean than so many standard deviations no normal variable is (1e-18)."""


def power(difference: float, spread: float, topics: int, alpha: float = ALPHA) -> float:
    r"""Return the probability that a two-sided paired t test sees a true mean difference.

    .. math:: P(|T| > t_{n-1, 1-\alpha/2}), \quad T \sim t_{n-1}(\delta \sqrt{n} / \sigma)

    where T has the noncentral t distribution.

    Parameters
    ----------
    difference : float
        The true mean difference :math:`\delta` of two systems.
    spread : float
        The standard deviation :math:`\sigma` of their differences over topics.
    topics : int
        How many topics n there are; with one alone nothing can be tested, and the power is 0.
    alpha : float, default 0.05
        The level of significance.

    Examples
    --------
    >>> round(power(0.05, 0.15, 50), 4), round(power(0, 0.15, 50), 4)
    (0.6371, 0.05)

    References
    ----------
    [Cohen1988]_; [Sakai2016]_
    """
    level(alpha)
    _check_spread(spread)
    _check_topics(topics)
    if isnan(difference):
        raise ParameterError("the difference to see must be a number, not nan")
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
    spread : float or Scores
        The standard deviation of differences over topics; of scores, the root of the mean variance of the
        differences of all pairs of systems, which is twice the residual variance of a two-way analysis.
    topics : int, optional
        How many topics there are, or for scores as many as they have. With one topic there is no such difference:
        it is infinite.
    alpha : float, default 0.05
        The level of significance.
    power : float, default 0.8
        The probability that the difference is to be seen with.
    strict : bool, default False
        Whether to refuse scores that are not on an interval scale.

    Examples
    --------
    >>> round(minimum_detectable_difference(0.15, 50), 4)
    0.0606

    References
    ----------
    [Cohen1988]_; [Sakai2016]_
    """
    level(alpha)
    _check_power(power, alpha)
    if isinstance(spread, Scores):
        admitted(NEED, spread, strict=strict)
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

    Parameters
    ----------
    difference : float
        The true mean difference of two systems.
    spread : float
        The standard deviation of their differences over topics.
    alpha : float, default 0.05
        The level of significance.
    power : float, default 0.8
        The probability that the difference is to be seen with.

    Examples
    --------
    >>> topics_needed(0.05, 0.15)
    73

    References
    ----------
    [Sakai2016]_
    """
    level(alpha)
    _check_power(power, alpha)
    _check_spread(spread)
    if difference == 0 or not isfinite(difference):
        raise ParameterError(f"the difference to see must be a number other than 0, not {difference}")

    def seen(topics: int) -> bool:
        return _power_on(difference, spread, topics, alpha) >= power * (1 - ROUNDING)

    low, high = 1, 2
    near = _about(abs(difference), spread, alpha, power)
    if near is not None and (near <= 3 or not seen(near - 2)) and seen(near + 2):
        low, high = max(1, near - 2), near + 2
    else:
        while not seen(high):
            low, high = high, 2 * high
            if high > MOST_TOPICS:
                raise ParameterError(f"no number of topics up to {MOST_TOPICS} shows a difference this small")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return high


def _about(difference: float, spread: float, alpha: float, power: float) -> int | None:
    """Return about how many topics are needed, from the normal distribution; None if that is no help."""
    from scipy.special import ndtri

    beyond = -float(ndtri(alpha / 2))
    ratio = (beyond + float(ndtri(power))) * spread / difference
    return max(2, round(ratio**2 + beyond**2 / 2)) if ratio < NORMAL else None


def detectable(scores: Scores, alpha: float = ALPHA, power: float = POWER, *, strict: bool = False) -> FloatArray:
    """Return the smallest mean difference that a paired t test would see, for all pairs: systems × systems.

    It comes from the topics that a pair shares and the spread of its differences. With fewer than two topics it
    is infinite; a system differs from itself by 0.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    alpha : float, default 0.05
        The level of significance.
    power : float, default 0.8
        The probability that the difference is to be seen with.
    strict : bool, default False
        Whether to refuse scores that are not on an interval scale.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> detectable(scores).round(4).tolist()
    [[0.0, 0.8636], [0.8636, 0.0]]

    References
    ----------
    [Cohen1988]_; [Sakai2016]_
    """
    level(alpha)
    _check_power(power, alpha)
    admitted(NEED, scores, strict=strict)
    topics = over_pairs(scores, lambda pairs: pairs.topics)
    spreads = over_pairs(scores, lambda pairs: pairs.spreads)
    least = np.full(len(topics), inf)
    for n in np.unique(topics[topics > 1]).tolist():
        alike = topics == n
        least[alike] = _noncentrality(n, alpha, power) / sqrt(n) * spreads[alike]
    return np.asarray(square(least, len(scores.systems)))


def typical_spread(scores: Scores) -> float:
    """Return the root of the mean variance over topics of the differences of all pairs of systems.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7], [.2, .2]], systems=("a", "b"), topics=("1", "2"))
    >>> round(typical_spread(scores), 6)
    0.141421
    """
    spreads = over_pairs(scores, lambda pairs: pairs.spreads[pairs.topics > 1])
    if not len(spreads):
        raise ParameterError("no two systems share two topics, so that the spread of their differences is unknown")
    # in units of the widest, so that squares of tiny and huge spreads stay numbers
    widest = float(spreads.max())
    return widest * sqrt(np.mean((spreads / widest) ** 2)) if widest else 0.0


def _power_on(difference: float, spread: float, topics: int, alpha: float) -> float:
    """Return `power`, for functions with a parameter of that name."""
    return power(difference, spread, topics, alpha)


def _power(noncentrality: float, topics: int, alpha: float) -> float:
    r"""Return the power for a true mean difference in units of its standard error.

    .. math:: \int \varphi(z)\, P(S \le |z + \delta| / t)\, dz

    with t the critical value and S the estimated standard deviation in units of the true one. scipy's noncentral t
    distribution fails where the difference or the critical value is large.
    """
    from scipy.special import chdtr

    df, noncentrality = topics - 1, min(noncentrality, 1e100)
    beyond = _critical(topics, alpha)
    # the integrand is smooth between where it turns: at 0, and where the spread that is seen rises from few to all
    turns = beyond * (1 + np.array([-8, -4, -2, 0, 2, 4, 8, 16]) / sqrt(2 * df))
    turns = np.concatenate([[0.0], turns[turns > 0], -turns[turns > 0]]) - noncentrality
    edges = np.sort(np.concatenate([np.linspace(-FARTHEST, FARTHEST, 5), np.clip(turns, -FARTHEST, FARTHEST)]))
    nodes, weights = _nodes()
    half = np.diff(edges)[:, None] / 2
    z = edges[:-1, None] + half * (1 + nodes)
    ratio = np.abs(z + noncentrality) / beyond
    density = np.exp(-(z**2) / 2) / sqrt(2 * pi)
    return float(min(1.0, (half * weights * density * chdtr(df, df * ratio**2)).sum()))


@cache
def _nodes() -> tuple[FloatArray, FloatArray]:
    """Return the nodes and weights of the integral."""
    from scipy.special import roots_legendre

    nodes, weights = roots_legendre(32)
    return nodes, weights


@lru_cache(maxsize=1024)
def _noncentrality(topics: int, alpha: float, power: float) -> float:
    """Return how many standard errors a mean difference must be large for a given power."""
    from scipy.optimize import brentq

    high = 2.0 * _critical(topics, alpha)
    while _power(high, topics, alpha) < power:
        high *= 2
    return float(brentq(lambda size: _power(size, topics, alpha) - power, 0.0, high, xtol=1e-12))


def _critical(topics: int, alpha: float) -> float:
    """Return the value that t must exceed."""
    from scipy.special import stdtrit

    return -float(stdtrit(topics - 1, alpha / 2))


def _check_power(power: float, alpha: float) -> None:
    if not alpha < power < 1:
        raise ParameterError(f"power must lie between alpha ({alpha}) and 1, not {power}")


def _check_spread(spread: float) -> None:
    if not 0 <= spread < inf:
        raise ParameterError(f"spread must be a standard deviation, from 0 up, not {spread}")


def _check_topics(topics: int) -> None:
    if isinstance(topics, bool) or not isinstance(topics, int | np.integer) or topics < 1:
        raise ParameterError(f"topics must be a whole number from 1 up, not {topics!r}")
