r"""Sums of independent uniform choices, tilted towards their small values (exponential tilting).

How many of :math:`2^{1000}` runs have a value of at most :math:`m`? Draw a run at random and ask how likely its sum
stays below :math:`m`. Far from the mean that chance is tiny, and bounds with an absolute error say nothing.
Exponential tilting, the change of measure behind [Chernoff1952]_'s bound, moves the mean of the sum to :math:`m`; what
is left to bound is an expectation of ordinary size.

A sum :math:`S` takes one number from each block, all choices being equally likely. Tilting by a rate :math:`\lambda`
gives a number :math:`a` of a block the probability :math:`e^{-\lambda a} / \sum_b e^{-\lambda b}`. With
:math:`K(\lambda)` the sum over blocks of the logarithms of these denominators, the number of choices with :math:`S \le
m` is, exactly,

.. math:: e^{K(\lambda) + \lambda m} \; E_\lambda \left[ e^{-\lambda (m - S)} \, 1\{S \le m\} \right],

and with the rate at which the tilted mean is :math:`m`, the expectation is no small number. Numbers are held in fixed
point, with a bound of what rounding does; a tilt costs one pass over all numbers of all blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import exp, fsum, log, sqrt

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray

ROOM = 61
"""Bits of the largest sum in fixed point; two such sums can still be added."""


@frozen(eq=False)
class Choices:
    """One number from each of several blocks; every block's numbers ascend from 0.

    Parameters
    ----------
    fixed
        The numbers of each block times the scale, rounded: off by one half at most.
    scale
        A power of 2.
    extra
        What else the difference of two sums may be off by.

    Examples
    --------
    >>> choices = Choices((np.array([0, 4, 8]), np.array([0, 6])), 4)
    >>> choices.reach, [part.tolist() for part in choices.mirrored.fixed]
    (3.5, [[0, 4, 8], [0, 6]])
    """

    fixed: tuple[IntArray, ...]
    scale: int
    extra: float = 0.0

    @property
    def top(self) -> int:
        """The largest sum, in fixed point."""
        return sum(int(part[-1]) for part in self.fixed)

    @property
    def reach(self) -> float:
        """The largest sum."""
        return self.top / self.scale

    @property
    def doubt(self) -> int:
        """How far, in fixed point, the difference of two sums may be from the true one: one half a block and sum."""
        return len(self.fixed) + 1

    @property
    def error(self) -> float:
        """How far the difference of two sums in floats may be from the true one.

        Beside the fixed point's, each float is off by 2**-53 of itself, and so is each sum.
        """
        return self.doubt / self.scale + self.reach * 2.0**-50 + self.extra

    @cached_property
    def numbers(self) -> FloatArray:
        """The numbers of all blocks, one block after the other."""
        return np.concatenate(self.fixed) / float(self.scale)

    @cached_property
    def starts(self) -> IntArray:
        """Where each block begins among the numbers, and where the last one ends."""
        return np.cumsum([0, *(len(part) for part in self.fixed)])

    @property
    def mirrored(self) -> Choices:
        """The choices counted down from the largest number of every block."""
        return Choices(tuple(part[-1] - part[::-1] for part in self.fixed), self.scale, self.extra)

    def logs(self, rate: float) -> float:
        """Return the logarithm of the sum of the exponential weights of all choices."""
        with np.errstate(over="ignore"):  # infinity is a bound, if a poor one
            weights = np.exp(-rate * self.numbers)
            return fsum(np.log(np.add.reduceat(weights, self.starts[:-1])).tolist())

    def tilted(self, rate: float) -> Tilt:
        """Return the choices under the probabilities of a rate."""
        weights = np.exp(-rate * self.numbers)
        totals = np.add.reduceat(weights, self.starts[:-1])
        shares = weights / np.repeat(totals, np.diff(self.starts))
        return Tilt(self, rate, fsum(np.log(totals).tolist()), shares)


def fixed_choices(parts: Sequence[Sequence[int]], scale: int) -> Choices:
    """Return the choices among numbers in fixed point, counted from the lowest of each block.

    Examples
    --------
    >>> fixed_choices([[1, 5], [0, 6]], 4).top
    10
    """
    return Choices(tuple(np.array(part, dtype=np.int64) - part[0] for part in parts), scale)


@frozen(eq=False)
class Tilt:
    """Choices under tilted probabilities.

    Parameters
    ----------
    rate
        The rate of the tilt; 0 leaves all choices equally likely.
    logs
        The logarithm of the sum of the weights of all choices.
    shares
        The probability of each number within its block.
    """

    choices: Choices
    rate: float
    logs: float
    shares: FloatArray

    @cached_property
    def means(self) -> FloatArray:
        """The mean of every block."""
        return np.add.reduceat(self.shares * self.choices.numbers, self.choices.starts[:-1])

    @cached_property
    def mean(self) -> float:
        """The mean of the sum."""
        return fsum(self.means.tolist())

    @cached_property
    def deviation(self) -> float:
        """The standard deviation of the sum."""
        from_mean = self.choices.numbers - np.repeat(self.means, np.diff(self.choices.starts))
        return sqrt(fsum((self.shares * from_mean**2).tolist()))

    @cached_property
    def decays(self) -> FloatArray:
        r"""What each block adds to :math:`-\log |E e^{i \omega S}|` for a typical large frequency.

        The mean of the squared size over all frequencies is :math:`\sum_a p_a^2` for a block.
        """
        return -np.log(np.add.reduceat(self.shares**2, self.choices.starts[:-1])) / 2

    def between(self, unlikely: float) -> tuple[float, float]:
        r"""Return two numbers between which the sum lies, but for a chance of twice `unlikely` at most.

        Chernoff: :math:`P(S \ge s) \le E e^{\eta (S - s)}` for every :math:`\eta > 0`, and the same below; both
        are solved for :math:`s`, and the best of a few :math:`\eta` is kept.
        """
        depth = -log(unlikely) + 1e-6  # room for rounding
        low, high = -2 * self.choices.error, self.choices.reach + 2 * self.choices.error
        if not self.deviation:
            return low, high
        for part in (0.4, 0.6, 0.8, 1.0, 1.3, 1.7, 2.3):
            eta = part * sqrt(2 * depth) / self.deviation
            low = max(low, (self.logs - self.choices.logs(self.rate + eta) - depth) / eta)
            high = min(high, (self.choices.logs(self.rate - eta) - self.logs + depth) / eta)
        return low, high


def tilt_at(choices: Choices, mean: float) -> Tilt:
    """Return the tilt with about a given mean, not above the plain one; Newton's steps, kept between bounds.

    Examples
    --------
    >>> round(tilt_at(Choices((np.array([0, 1]),) * 8, 1), 2.0).rate, 2)  # odds of 1 to 3
    1.1
    """
    tilt = choices.tilted(0.0)
    if not tilt.deviation:
        return tilt
    low, high = 0.0, 1 / tilt.deviation
    while choices.tilted(high).mean > mean > 0:
        low, high = high, 2 * high
    for _ in range(60):
        if abs(tilt.mean - mean) <= 0.01 * tilt.deviation:
            break
        step = tilt.rate + (tilt.mean - mean) / tilt.deviation**2
        tilt = choices.tilted(step if low < step < high else (low + high) / 2)
        low, high = (tilt.rate, high) if tilt.mean > mean else (low, tilt.rate)
    return tilt


def ceiling(choices: Choices, count: float) -> float:
    """Return a number that at most so many sums do not exceed: Chernoff's bound of the count, solved for it.

    Examples
    --------
    >>> ceiling(Choices((np.array([0, 1]),) * 8, 1), 9.0) < 2  # 9 of the 256 sums are below 2
    True
    """
    typical = choices.reach / max(len(choices.fixed), 1)
    rates = [exp(step / 4) / typical for step in range(-20, 40)] if typical else []
    return max(((log(count) - choices.logs(rate)) / rate for rate in rates), default=0.0)
