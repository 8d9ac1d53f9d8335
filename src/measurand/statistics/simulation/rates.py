"""Rates of errors and findings that a simulation counts, with their intervals, for a test and for two scales.

What is counted comes in blocks that are independent of each other: repetitions, or groups of repetitions that share
their improved runs. Pairs within a block are not independent, so that intervals go by the spread between blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.display.result import Result
from measurand.display.tables import Document
from measurand.display.wording import listed, percent

TAIL = 0.025
"""The probability beyond each end of an interval of 95 %."""

FEW = 10
"""From fewer blocks than these nothing is concluded."""


class Rate(NamedTuple):
    """A share of pairs or repetitions, with the ends of its Monte-Carlo interval of 95 %."""

    value: float
    low: float
    high: float


def rate(counts: IntArray | FloatArray, of: int | IntArray | FloatArray, *, exact: bool = False) -> Rate:
    """Return a share with Wilson's interval, from how many pairs of each block are counted.

    Pairs of one block are not independent, since they share topics, a test of all systems, improved runs. So as many
    pairs are taken for independent as the spread between blocks tells, at most all; where there is no spread to go
    by, one a block. The quantile is that of t, because the spread is an estimate.

    Parameters
    ----------
    counts
        How many are counted, by block.
    of
        Of how many, in each block or by block.
    exact
        Whether there are no other blocks, so that the share is the truth.

    Examples
    --------
    >>> [round(end, 4) for end in rate(np.array([1, 0, 1, 0] * 25), 1)]
    [0.5, 0.4038, 0.5962]
    >>> [round(end, 4) for end in rate(np.array([2]), 2)]
    [1.0, 0.2065, 1.0]

    References
    ----------
    [Wilson1927]_
    """
    sizes = np.broadcast_to(np.asarray(of, dtype=float), counts.shape)
    total = float(sizes.sum())
    if not total:
        return Rate(nan, 0.0, 1.0)
    share = float(counts.sum()) / total
    if exact:
        return Rate(share, share, share)
    spread = _variance(counts, sizes)
    blocks = int((sizes > 0).sum())
    single = bool((sizes <= 1).all())
    n = min(blocks, total) if single or not spread else min(share * (1 - share) / spread, total)
    # single pairs have no spread that must be estimated
    times = _quantile(1, 0 if single else blocks)
    middle = (share + times**2 / (2 * n)) / (1 + times**2 / n)
    half = times * sqrt(max(0.0, share * (1 - share)) / n + times**2 / (4 * n * n)) / (1 + times**2 / n)
    # without rounding below 0 or above 1
    return Rate(share, max(0.0, middle - half) if share else 0.0, min(1.0, middle + half) if share < 1 else 1.0)


def rate_of_difference(counts: IntArray | FloatArray, of: int | IntArray | FloatArray, *, exact: bool = False) -> Rate:
    """Return the mean of differences of shares with the interval that their spread between blocks gives.

    Parameters
    ----------
    counts
        How many pairs more are counted on one side, by block.
    of
        How many pairs there are, in each block or by block.
    exact
        Whether there are no other blocks.

    Examples
    --------
    >>> [round(end, 4) for end in rate_of_difference(np.array([0, 1, 2, 1] * 5), 2)]
    [0.5, 0.3302, 0.6698]
    >>> rate_of_difference(np.array([0]), 2)
    Rate(value=0.0, low=-1.0, high=1.0)
    """
    sizes = np.broadcast_to(np.asarray(of, dtype=float), counts.shape)
    mean = float(counts.sum()) / max(1.0, float(sizes.sum()))
    if exact:
        return Rate(mean, mean, mean)
    spread, blocks = _variance(counts, sizes), len(counts)
    if blocks < 2:
        return Rate(mean, -1.0, 1.0)
    # blocks that are all alike do not show that others are
    half = _quantile(1, blocks) * sqrt(spread) if spread > 0 else rate(np.zeros(blocks), 1).high
    return Rate(mean, max(-1.0, mean - half), min(1.0, mean + half))


def _variance(counts: IntArray | FloatArray, sizes: FloatArray) -> float:
    """Return the variance of the sum of counts over the sum of sizes, from how blocks differ."""
    blocks, total = len(counts), float(sizes.sum())
    if blocks < 2 or not total:
        return 0.0
    rest = counts - float(counts.sum()) / total * sizes
    found = blocks / (blocks - 1) * float((rest**2).sum()) / total**2
    return found if found > 1e-20 else 0.0


def _quantile(together: int, blocks: int) -> float:
    """Return how many standard errors an interval of 95 %, for some together, reaches to each side: of t, or normal."""
    from scipy.special import ndtri, stdtrit

    beyond = 1 - TAIL / together
    return float(ndtri(beyond) if blocks < 2 else stdtrit(blocks - 1, beyond))


def direction(found: Rate, together: int, blocks: int) -> int:
    """Return whether a difference is above 0 (1), below 0 (-1) or neither, at 95 % for all that are looked at.

    Parameters
    ----------
    found
        The difference.
    together
        How many differences are looked at.
    blocks
        How many blocks it comes from; fewer than `FEW` show nothing, unless the difference is exact.

    Examples
    --------
    >>> [direction(Rate(0.02, 0.005, 0.035), *each) for each in ((1, 1000), (16, 1000), (1, 9))]
    [1, 0, 0]
    """
    half = max(found.high - found.value, found.value - found.low)
    if half and blocks < FEW:
        return 0
    half *= _quantile(together, blocks) / _quantile(1, blocks)
    return 1 if found.value > half else -1 if found.value < -half else 0


@frozen(kw_only=True, eq=False, repr=False)
class SimulatedTest(Result):
    """How a test fares on one scale.

    Parameters
    ----------
    test : str
        Its name, as in `measurand.statistics`.
    scale : str
        What the scale is called.
    alpha : float
        The level of significance.
    type_one : Rate
        The share of pairs without an effect that it calls significant.
    familywise : Rate
        The share of repetitions in which it calls some pair significant, though no system differs.
    power : tuple of Rate
        For each effect, the share of pairs that it calls significant in favour of the system with the effect.
    findings : array of float
        How many pairs these are, as a mean over the effects, by group of repetitions.
    """

    test: str
    scale: str
    alpha: float
    type_one: Rate
    familywise: Rate
    power: tuple[Rate, ...]
    findings: FloatArray

    @property
    def holds(self) -> bool:
        """Whether the type I error is not shown to exceed the level: the low end of its interval does not."""
        return self.type_one.low <= self.alpha

    @property
    def finds(self) -> bool:
        """Whether it finds some effect more often than it would favour the same system by chance."""
        return any(each.low > self.type_one.value / 2 for each in self.power)

    @property
    def mean_power(self) -> float:
        """The mean of its power over the effects; 0 if there are none."""
        return mean_of(self.power)

    def record(self) -> dict[str, Any]:
        """Return names and numbers, for programs."""
        errors = ends("type_one", self.type_one) | ends("familywise", self.familywise)
        return {"test": self.test, "scale": self.scale, **errors, "holds": self.holds}

    def document(self) -> Document:
        """Return the errors and the power in one line."""
        power = f"; power {listed([percent(each.value) for each in self.power])}" if self.power else ""
        return Document([f"{self.test} of {self.scale}: type I error {with_interval(self.type_one)}{power}."])


@frozen(kw_only=True, eq=False, repr=False)
class ScaleChange(Result):
    """What another scale changes in the decisions of a test: findings lost and won, errors made and avoided.

    The first number of each is that of pairs without an effect, where every significant difference is an error; the
    others are those of the effects, where significant differences in favour of the system with the effect count.

    Parameters
    ----------
    test : str
        The name of the test.
    first, other : str
        What the two scales are called.
    lost : tuple of Rate
        The share of pairs that are significant on the first scale alone: S2NS.
    won : tuple of Rate
        The share of pairs that are significant on the other scale alone: NS2S.
    lost_without_effect : Rate
        Of the pairs that are significant on the first scale alone, the share that has no effect, if half of all pairs
        have none and the others each effect equally often; not a number if there are no such pairs.
    errors : Rate
        The type I error on the other scale less that on the first.
    findings : tuple of Rate
        The power on the other scale less that on the first, by effect.
    gain : Rate
        The same on average over the effects.
    """

    test: str
    first: str
    other: str
    lost: tuple[Rate, ...]
    won: tuple[Rate, ...]
    lost_without_effect: Rate
    errors: Rate
    findings: tuple[Rate, ...]
    gain: Rate

    @property
    def lost_findings(self) -> float:
        """The mean share of pairs with an effect that are significant on the first scale alone."""
        return mean_of(self.lost[1:])

    def document(self) -> Document:
        """Return the change in one line."""
        change = f"type I error {points(self.errors)}, power {points(self.gain)}"
        return Document([f"{self.test}, {self.other} instead of {self.first}: {change} percentage points."])


def mean_of(rates: Sequence[Rate]) -> float:
    """Return the mean of some rates; 0 if there are none.

    Examples
    --------
    >>> mean_of([Rate(0.25, 0.0, 0.5), Rate(0.75, 0.5, 1.0)]), mean_of([])
    (0.5, 0.0)
    """
    return float(np.mean([each.value for each in rates])) if rates else 0.0


def ends(name: str, found: Rate) -> dict[str, float]:
    """Return a rate and the ends of its interval under three names, for programs.

    Examples
    --------
    >>> ends("power", Rate(0.5, 0.4, 0.6))
    {'power': 0.5, 'power_low': 0.4, 'power_high': 0.6}
    """
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def interval_text(found: Rate) -> str:
    """Return the interval of a rate in percent, or that there is none.

    Examples
    --------
    >>> interval_text(Rate(0.05, 0.04, 0.0612)), interval_text(Rate(0.05, 0.05, 0.05))
    ('4.0–6.1', 'exact')
    """
    return "exact" if found.low == found.high else f"{100 * found.low:.1f}–{100 * found.high:.1f}"


def with_interval(found: Rate) -> str:
    """Return a rate in percent, with its interval if there is one.

    Examples
    --------
    >>> with_interval(Rate(0.05, 0.04, 0.0612)), with_interval(Rate(0.05, 0.05, 0.05))
    ('5 % (4.0–6.1)', '5 %')
    """
    if found.low == found.high or isnan(found.value):
        return percent(found.value)
    return f"{percent(found.value)} ({interval_text(found)})"


def points(found: Rate) -> str:
    """Return a difference of shares in percentage points, with its interval if there is one.

    Examples
    --------
    >>> points(Rate(-0.01, -0.02, 0.0)), points(Rate(0.25, 0.25, 0.25))
    ('-1.0 (-2.0 to +0.0)', '+25.0')
    """
    value, low, high = (f"{100 * each:+.1f}" for each in found)
    return value if found.low == found.high else f"{value} ({low} to {high})"
