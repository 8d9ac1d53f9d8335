"""The studentised range: how far apart the extremes of some equal groups are, in standard errors.

scipy has this distribution, but takes many seconds for the pairs of a hundred systems. Here the tail of
the range of normal variables is tabulated once for a number of groups; the rest is a sum of its values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from measurand.arrays import FloatArray
from measurand.errors import ParameterError

FARTHEST = 50.0
"""Beyond this range the tail of normal variables is smaller than any probability of interest (1e-270)."""

NEGLIGIBLE = 40.0
"""The natural logarithm of what an integral may leave out: e to the minus 40, relative to its peak."""

SMALLEST = 700.0
"""Minus the natural logarithm of the smallest probability that a float can tell from 0."""

DENSITY = 64
"""So many entries a table has for a range of 1."""

TABULATED = 40.0
"""Ranges up to this are looked up in a table of the tail if there are many of them."""


def studentized_range_tail(q: FloatArray, groups: int, df: float) -> FloatArray:
    r"""Return the probability that a studentised range exceeds each `q`: the p-values of Tukey's test.

    .. math::
        P(Q > q) = \int_0^\infty f_\nu(s)\, \Bigl(1 - k \int_{-\infty}^{\infty} \varphi(z)
        \bigl(\Phi(z) - \Phi(z - q s)\bigr)^{k-1} dz\Bigr) ds

    with k groups, and :math:`f_\nu` the density of an estimated standard deviation with ν degrees of freedom.

    Parameters
    ----------
    groups
        How many groups there are, at least 2.
    df
        Degrees of freedom of the standard error; may be infinite.

    Examples
    --------
    >>> studentized_range_tail(np.array([0.0, 3.31449, np.inf]), 3, np.inf).round(6).tolist()
    [1.0, 0.05, 0.0]

    References
    ----------
    [Tukey1949]_
    """
    _check(groups, df)
    q = np.abs(np.asarray(q, dtype=np.float64))
    farthest = float(np.max(q[np.isfinite(q)], initial=0.0))
    tail = _tail(groups, df, farthest)
    ranges = np.linspace(0.0, farthest, 8 + int(DENSITY * min(farthest, TABULATED)))
    if not 0 < farthest <= TABULATED or q.size < 2 * len(ranges):
        return tail(q)
    return np.where(np.isinf(q), 0.0, _table(ranges, tail(ranges))(np.minimum(q, farthest)))


def studentized_range_quantile(probability: float, groups: int, df: float) -> float:
    """Return the value that a studentised range does not exceed with a given probability.

    Examples
    --------
    >>> round(studentized_range_quantile(0.95, 3, 15), 5)
    3.67338

    References
    ----------
    [Tukey1949]_
    """
    from scipy.optimize import brentq

    _check(groups, df)
    if not 0 <= probability < 1:
        raise ParameterError(f"a probability from 0 up to below 1 has a quantile, not {probability}")
    if probability == 0:
        return 0.0
    high = 4.0
    while (tail := _tail(groups, df, high))(np.array([high])).item() > 1 - probability:
        high *= 4
    return float(brentq(lambda q: tail(np.array([q])).item() - (1 - probability), 0.0, high, xtol=1e-12, rtol=1e-14))


def _check(groups: int, df: float) -> None:
    if groups < 2:
        raise ParameterError(f"a range needs at least 2 groups, not {groups}")
    if not df >= 1:
        raise ParameterError(f"a standard error needs at least 1 degree of freedom, not {df}")


def _tail(groups: int, df: float, farthest: float) -> Callable[[FloatArray], FloatArray]:
    """Return the tail up to the farthest range as a function: that of normal variables, averaged over deviations."""
    deviations, weights = _deviations(df, farthest)
    # to the next power of two, so that one table serves many tests of a campaign
    reach = 2.0 ** np.ceil(np.log2(max(farthest * float(deviations[-1]), 1.0)))
    normal = _normal_tail(groups, min(float(reach), FARTHEST))

    def tail(q: FloatArray) -> FloatArray:
        found = np.where(q == 0, 1.0, 0.0)
        inside = np.flatnonzero((q > 0) & (q <= farthest))
        for block in np.array_split(inside, 1 + len(inside) * len(weights) // 2_000_000):
            found.flat[block] = np.minimum(1.0, normal(np.multiply.outer(q.flat[block], deviations)) @ weights)
        return found

    return tail


@lru_cache(maxsize=16)
def _normal_tail(groups: int, end: float) -> Callable[[FloatArray], FloatArray]:
    """Return the tail of the range of normal variables as a function, through a table of its logarithm."""
    from scipy.special import log_ndtr

    ranges = np.linspace(0.0, end, 8 + int(DENSITY * end))
    # the trapezoidal rule on the whole line is exact to rounding for functions this smooth
    step = 0.125
    z = np.arange(-9.0, end / 2 + 12.0, step)[:, None]
    below = log_ndtr(z)
    with np.errstate(divide="ignore"):
        # a difference of two powers, written so that it keeps its digits where it is small
        missed = -np.expm1((groups - 1) * np.log1p(-np.minimum(1.0, np.exp(log_ndtr(z - ranges) - below))))
    density = np.exp(-(z**2) / 2 + (groups - 1) * below)
    tail = density.T[0] @ missed * (groups * step / np.sqrt(2 * np.pi))
    table = _table(ranges, tail)

    def normal(q: FloatArray) -> FloatArray:
        return np.where(q <= FARTHEST, table(np.minimum(q, end)), 0.0)

    return normal


def _table(ranges: FloatArray, tail: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Return a tail as a function from its values at some ranges, by way of its logarithm, which is smooth."""
    from scipy.interpolate import make_interp_spline

    logarithm = make_interp_spline(ranges, np.log(np.minimum(tail, 1.0)), k=5)
    return lambda q: np.asarray(np.exp(np.minimum(logarithm(q), 0.0)))


def _deviations(df: float, farthest: float) -> tuple[FloatArray, FloatArray]:
    """Return estimated standard deviations and their probabilities, on a grid of equal ratios.

    The grid reaches down to the small deviations that decide how often the farthest range occurs.
    """
    if np.isinf(df):
        return np.ones(1), np.ones(1)
    spread = 1 / np.sqrt(2 * df)
    room = 2 * NEGLIGIBLE / df
    high = 0.5 * np.log1p(2 * room + 2 * np.sqrt(room))
    reach = min(np.log1p(min(farthest, 1e100) ** 2 / (2 * df)), 2 * SMALLEST / df)
    low = -reach / 2 - 9 * spread - NEGLIGIBLE / df
    step = min(0.02, 0.3 * spread)
    logs = np.arange(low, high + step, step)
    weights = np.exp(df * (logs - np.expm1(2 * logs) / 2))
    return np.exp(logs), weights / weights.sum()
