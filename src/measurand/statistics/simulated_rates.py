"""Rates of errors and findings that a simulation counts, with their intervals, for a test and for two scales."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.display.result import Result
from measurand.display.tables import Document
from measurand.display.wording import listed, percent

SURE = 1.959963984540054
"""How many standard errors an interval of 95 % reaches to each side."""


class Rate(NamedTuple):
    """A share of pairs or repetitions, with the ends of its Monte-Carlo interval of 95 %."""

    value: float
    low: float
    high: float


def rate(counts: IntArray, of: int, *, exact: bool = False) -> Rate:
    """Return a share with Wilson's interval, from how many of each repetition's pairs are counted.

    Pairs of one repetition are not independent, since they share topics and a test of all systems. So as many pairs
    are taken for independent as the spread over repetitions tells: at least one a repetition, at most all.

    Parameters
    ----------
    counts
        How many are counted, by repetition.
    of
        How many pairs a repetition has.
    exact
        Whether there are no other repetitions, so that the share is the truth.

    Examples
    --------
    >>> [round(end, 4) for end in rate(np.array([1, 0, 1, 0] * 25), 1)]
    [0.5, 0.4038, 0.5962]

    References
    ----------
    [Wilson1927]_
    """
    many = len(counts)
    share = float(counts.sum()) / (many * of)
    if exact:
        return Rate(share, share, share)
    spread = float(np.var(counts / of, ddof=1)) / many if many > 1 else 0.0
    alone = share * (1 - share) / spread if spread > 0 else many * of
    n = min(max(alone, many), many * of)
    middle = (share + SURE**2 / (2 * n)) / (1 + SURE**2 / n)
    half = SURE * sqrt(share * (1 - share) / n + SURE**2 / (4 * n * n)) / (1 + SURE**2 / n)
    # without rounding below 0 or above 1
    return Rate(share, max(0.0, middle - half) if share else 0.0, min(1.0, middle + half) if share < 1 else 1.0)


def rate_of_difference(counts: IntArray | FloatArray, of: int, *, exact: bool = False) -> Rate:
    """Return the mean of differences of shares, by repetition, with the interval that their spread gives.

    Parameters
    ----------
    counts
        How many pairs more are counted on one side, by repetition.
    of
        How many pairs a repetition has.
    exact
        Whether there are no other repetitions.

    Examples
    --------
    >>> rate_of_difference(np.array([0, 0, 0]), 2)
    Rate(value=0.0, low=0.0, high=0.0)
    """
    shares = counts / of
    mean = float(shares.mean())
    half = 0.0 if exact or len(shares) < 2 else SURE * float(shares.std(ddof=1)) / sqrt(len(shares))
    return Rate(mean, mean - half, mean + half)


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
    shares : array of float
        The same, as a mean over the effects, by repetition.
    """

    test: str
    scale: str
    alpha: float
    type_one: Rate
    familywise: Rate
    power: tuple[Rate, ...]
    shares: FloatArray

    @property
    def holds(self) -> bool:
        """Whether the type I error is not shown to exceed the level: the low end of its interval does not."""
        return self.type_one.low <= self.alpha

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
    return percent(found.value) if found.low == found.high else f"{percent(found.value)} ({interval_text(found)})"


def points(found: Rate) -> str:
    """Return a difference of shares in percentage points, with its interval if there is one.

    Examples
    --------
    >>> points(Rate(-0.01, -0.02, 0.0)), points(Rate(0.25, 0.25, 0.25))
    ('-1.0 (-2.0 to +0.0)', '+25.0')
    """
    value, low, high = (f"{100 * each:+.1f}" for each in found)
    return value if found.low == found.high else f"{value} ({low} to {high})"


def direction(found: Rate, many: int) -> int:
    """Return whether a difference, one of many, is above 0 (1), below 0 (-1) or neither, at 95 % for all of them.

    Examples
    --------
    >>> direction(Rate(0.02, 0.005, 0.035), 1), direction(Rate(0.02, 0.005, 0.035), 16)
    (1, 0)
    """
    from scipy.special import ndtri

    half = (found.high - found.low) / 2 * float(ndtri(1 - 0.025 / many)) / SURE
    return 1 if found.value > half else -1 if found.value < -half else 0
