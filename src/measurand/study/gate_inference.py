"""What changes on some topics say of topics like these: the paired t interval, or a bound where too few changed.

The t interval takes it that topics to come change as these did. Where few topics make the difference, or where changes
are so small that one other topic could outweigh them, that is a guess: `t_applies` says where it is none. Elsewhere
there is `bounds`, which takes nothing for granted but the most that one topic can change.
`python benchmarks/gate_errors.py` counts how often either is wrong.
"""

from __future__ import annotations

from math import ceil, log, log1p, sqrt

import numpy as np

from measurand.arrays import BoolArray, FloatArray

CARRIERS = 50
"""So many topics must make the difference before the t interval is believed …"""

CARRYING = 1 / 3
"""… or this share of the topics, …"""

LEAST_CARRIERS = 8
"""… but never fewer."""

STAKE = 0.95
"""What share of what it owns the bound stakes on a topic at most, so that one total loss does not end it."""


def carriers_needed(topics: int) -> float:
    """Return how many topics must make the difference before the t interval is believed.

    Parameters
    ----------
    topics
        How many topics there are.

    Examples
    --------
    >>> carriers_needed(10), round(carriers_needed(50), 1), carriers_needed(1000)
    (8, 16.7, 50)
    """
    return max(LEAST_CARRIERS, min(CARRIERS, CARRYING * topics))


def carriers(changes: FloatArray) -> FloatArray:
    """Return how many topics make the difference, if all of these differed from the others by as much.

    It is the square of the sum of distances from the median change by the sum of their squares: k if k topics change by
    the same amount and most do not change at all, near 1 if one topic changes much and the others hardly, and 0 if all
    change by the same amount.

    Parameters
    ----------
    changes
        By topic, along the last axis.

    Examples
    --------
    >>> carriers(np.array([[0.0, 0.0, 0.2, 0.0, -0.2], [0.1, 0.1, 0.1, 0.1, 0.1], [0.5, 0.0, 0.0, 0.0, 0.0]])).tolist()
    [2.0, 0.0, 1.0]
    """
    sizes = np.abs(changes - np.median(changes, axis=-1, keepdims=True))
    largest = sizes.max(axis=-1, keepdims=True)
    parts = sizes / np.where(largest > 0, largest, 1.0)
    squares = (parts**2).sum(axis=-1)
    return np.asarray(parts.sum(axis=-1) ** 2 / np.where(squares > 0, squares, 1.0))


def t_applies(changes: FloatArray, spreads: FloatArray, largest: float, alpha: float) -> BoolArray:
    """Return where the t interval is believed: many topics make the difference, and one could not outweigh them.

    One topic more could outweigh them where the most that it can change moves the mean by more than two standard
    errors. And on n topics no verdict is stronger than what a flip of all signs could reach, 2^-n.

    Parameters
    ----------
    changes
        By topic, along the last axis.
    spreads
        Their standard deviations.
    largest
        The most that one topic can change.
    alpha
        The level of significance, one-sided.
    """
    topics = changes.shape[-1]
    carried = carriers(changes) >= carriers_needed(topics) - 1e-9
    steady = 2 * spreads / sqrt(topics) >= largest / topics
    return np.asarray(carried & steady & (0.5**topics < alpha))


def bounds(changes: FloatArray, largest: float, alpha: float) -> tuple[FloatArray, FloatArray]:
    r"""Return how low and how high the mean change over topics like these may be, each end wrong alpha of the time.

    With changes :math:`D_i \ge -M`, independent and of mean μ, the product of :math:`(M + D_i) / (M + μ)` has the
    expectation 1, so that it is as large as 1/α with probability α at most, by Markov's inequality. Solved for μ, the
    lower end is :math:`α^{1/n} G - M`, where G is the geometric mean of :math:`M + D_i`. The upper end is that of the
    changes turned round. It is a bet at stake 1 on every topic; M is taken a little larger than it is, which is a bet
    at a smaller stake.

    Parameters
    ----------
    changes
        By topic, along the last axis.
    largest
        The most that one topic can change.
    alpha
        How often each end may be wrong.

    Examples
    --------
    >>> low, high = bounds(np.array([[0.0] * 49 + [-0.5]]), 1.0, 0.05)
    >>> round(float(low[0]), 3), round(float(high[0]), 3)
    (-0.074, 0.053)
    """
    most, topics = largest / STAKE, changes.shape[-1]
    down, up = (np.log(most + side).sum(axis=-1) for side in (changes, -changes))
    low, high = (np.exp((each + log(alpha)) / topics) - most for each in (down, up))
    return np.maximum(low, -largest), np.minimum(0.0 - high, largest)


def bound_p(changes: FloatArray, largest: float, limit: float) -> FloatArray:
    """Return the p-value of "the mean change over topics like these is at least `limit`" that belongs to `bounds`.

    Parameters
    ----------
    changes
        By topic, along the last axis.
    largest
        The most that one topic can change.
    limit
        The limit.

    Examples
    --------
    >>> bound_p(np.full((1, 50), -0.2), 1.0, -0.01).round(4).tolist()
    [0.0003]
    """
    most, topics = largest / STAKE, changes.shape[-1]
    grown = np.log(most - changes).sum(axis=-1) - topics * log(most - limit)
    return np.asarray(np.exp(np.minimum(0.0, -grown)))


def inferred(
    changes: FloatArray, means: FloatArray, spreads: FloatArray, largest: float, alpha: float
) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Return where the t interval is believed, and the interval of the mean change: that one, or else the bound.

    Parameters
    ----------
    changes
        By topic, along the last axis.
    means, spreads
        Their means and standard deviations.
    largest
        The most that one topic can change.
    alpha
        How often each end may be wrong.

    Examples
    --------
    >>> changes = np.linspace(-0.3, 0.2, 50)
    >>> by_t, low, high = inferred(changes, changes.mean(), changes.std(ddof=1), 1.0, 0.05)
    >>> bool(by_t), round(float(low), 3), round(float(high), 3)
    (True, -0.085, -0.015)
    """
    from scipy.special import stdtrit

    topics = changes.shape[-1]
    reach = stdtrit(max(1, topics - 1), 1 - alpha) * spreads / sqrt(topics)
    by_t = t_applies(changes, spreads, largest, alpha)
    low, high = bounds(changes, largest, alpha)
    return by_t, np.where(by_t, means - reach, low), np.where(by_t, means + reach, high)


def unchanged_needed(max_drop: float, largest: float, alpha: float) -> int | None:
    """Return on how many topics nothing must change before the bound excludes a larger drop; None if none is allowed.

    Parameters
    ----------
    max_drop
        How far the mean may fall.
    largest
        The most that one topic can change.
    alpha
        The level of significance, one-sided.

    Examples
    --------
    >>> unchanged_needed(0.01, 1.0, 0.05), unchanged_needed(0.0, 1.0, 0.05)
    (314, None)
    """
    share = max_drop * STAKE / largest
    return None if share <= 0 else 1 if share >= 1 else ceil(log(alpha) / log1p(-share))


def could_change(topics: int, alpha: float) -> float:
    """Return how large a share of other topics could change where none of so many did.

    Parameters
    ----------
    topics
        How many did not change.
    alpha
        How often more may.

    Examples
    --------
    >>> round(could_change(50, 0.05), 3)
    0.058
    """
    return float(1 - alpha ** (1 / topics))
