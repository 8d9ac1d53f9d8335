r"""Student's t from sums: the statistic, its critical value, and when stretched differences lose their significance.

For n differences with sum S and sum of squares Q, t exceeds its critical value τ exactly where S exceeds c √Q, with
:math:`c^2 = \tau^2 n / (n - 1 + \tau^2)`. So all that is asked of a t test here is asked of two sums.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from measurand.arrays import FloatArray
from measurand.statistics.pairs import FEWEST


def t_statistics(total: FloatArray, squared: FloatArray, topics: int) -> FloatArray:
    """Return the statistic of the paired t test from sums of differences.

    Where differences have no spread t is infinite, and 0 where they are 0.

    Parameters
    ----------
    total, squared : array of float
        Sums of differences, and of their squares.
    topics : int
        How many differences each is the sum of.

    Examples
    --------
    >>> t_statistics(np.array([6.0, 6.0, 0.0]), np.array([14.0, 12.0, 0.0]), 3).round(4).tolist()
    [3.4641, inf, 0.0]
    """
    around = np.maximum(topics * squared - total**2, 0.0)
    endless = np.where(total == 0, 0.0, np.copysign(np.inf, total))
    scaled = total * np.sqrt(max(topics - 1, 0))
    return np.asarray(np.divide(scaled, np.sqrt(around), out=endless, where=around > 0))


def critical_t(topics: int, alpha: float) -> float:
    """Return the value that t must reach on so many topics to be significant, two-sided.

    Parameters
    ----------
    topics : int
        How many topics there are; on fewer than two nothing is significant.
    alpha : float
        The level of significance.

    Examples
    --------
    >>> round(critical_t(50, 0.05), 4), critical_t(1, 0.05)
    (2.0096, inf)
    """
    from scipy.special import stdtrit

    return inf if topics < FEWEST else -float(stdtrit(topics - 1, alpha / 2))


def critical_sum(topics: int, alpha: float) -> float:
    """Return c: t is significant exactly where the sum of differences exceeds c times the root of their squares.

    Parameters
    ----------
    topics : int
        How many topics there are; on fewer than two c is infinite.
    alpha : float
        The level of significance, two-sided.

    Examples
    --------
    >>> round(critical_sum(50, 0.05), 3)
    1.951
    """
    squared = critical_t(topics, alpha) ** 2
    return inf if squared == inf else sqrt(squared * topics / (topics - 1 + squared))


def first_ratios(rest: FloatArray, stretched: FloatArray, c: float) -> FloatArray:
    """Return for which smallest ratio above 1 the sum of `rest + ratio * stretched` is c times the root of its squares.

    At a ratio of 1 it must be more than that. Infinite where it is more for every ratio.

    Parameters
    ----------
    rest, stretched : array of float
        Choices × topics: the parts of the differences that stay, and those that are stretched.
    c : float
        As `critical_sum` returns it.

    Examples
    --------
    Three topics are won and one is lost, which counts more and more:

    >>> rest, lost = np.array([[1.0, 1.0, 1.0, 0.0]]), np.array([[0.0, 0.0, 0.0, -1.0]])
    >>> first_ratios(rest, lost, 0.8).round(6).tolist()
    [1.277997]
    """
    sums, more = rest.sum(axis=1), stretched.sum(axis=1)
    return first_roots(
        more**2 - c**2 * (stretched**2).sum(axis=1),
        sums * more - c**2 * (rest * stretched).sum(axis=1),
        sums**2 - c**2 * (rest**2).sum(axis=1),
    )


def first_roots(square: FloatArray, half: FloatArray, constant: FloatArray) -> FloatArray:
    """Return the smallest root above 1 of square · x² + 2 · half · x + constant, infinite where there is none.

    Parameters
    ----------
    square, half, constant : array of float
        The coefficients.

    Examples
    --------
    >>> first_roots(np.array([1.0, 1.0]), np.array([-2.5, 0.0]), np.array([6.0, 1.0])).tolist()
    [2.0, inf]
    """
    discriminant = half**2 - square * constant
    with np.errstate(divide="ignore", invalid="ignore"):
        # the root that does not cancel, and the other one from the product of both
        larger = -half - np.where(half < 0, -1.0, 1.0) * np.sqrt(np.maximum(discriminant, 0))
        roots = np.stack([larger / square, constant / larger])
    good = np.isfinite(roots) & (roots > 1) & (discriminant >= 0)
    return np.asarray(np.where(good, roots, inf).min(axis=0))
