"""Standard scores: in standard deviations from the mean, which are square roots and not rational."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.fusion import fingerprints
from measurand.fusion.normalisation import Parts, ScoreTerms

DIGITS = 80
"""Sums of standard scores that agree to so many decimals are taken for equal."""


class StandardScores(ScoreTerms):
    """Scores less their mean (or their lowest), in standard deviations of the ranking.

    A standard deviation is the width of the ranking, times the root of a number that depends on its shape alone. Sums
    over rankings of one shape are found to be equal by their fingerprints; all others are compared to 80 decimals.
    """

    def parts(self, numbers: FloatArray) -> Parts:
        """Return shift, scale and offset of each ranking, rounded."""
        low = self.lowest(numbers)
        # counted from the lowest, scores far from 0 lose nothing
        above = numbers - np.repeat(low, self.pool.sizes)
        mean = self.added(above) / self.pool.sizes
        variance = self.added((above - np.repeat(mean, self.pool.sizes)) ** 2) / self.pool.sizes
        spread = np.where(self.constant | (variance == 0), 1.0, np.sqrt(variance))
        return low, ~self.constant / spread, -mean / spread * (~self.constant & (not self.from_lowest))

    @cached_property
    def sizes(self) -> FloatArray | None:
        """How large the terms are that may cancel."""
        if self.from_lowest:
            return None
        numbers = self._tamed
        shift, scale, offset = self.parts(numbers)
        return self.spread(numbers, shift, scale * self.weight, -offset * self.weight)

    def exact_parts(self, scores: list[Fraction]) -> Parts:
        """Return shift, scale and offset of a ranking, the scale to many more digits than are compared."""
        mean = Fraction(sum(scores), len(scores))
        variance = Fraction(sum((score - mean) ** 2 for score in scores), len(scores))
        shift = min(scores) if self.from_lowest else mean
        if not variance:
            return shift, Fraction(0), Fraction(0)
        with localcontext(prec=2 * DIGITS):
            return shift, Fraction((Decimal(variance.denominator) / Decimal(variance.numerator)).sqrt()), Fraction(0)

    def printed_parts(self, rankings: IntArray) -> Parts:
        """Return the fingerprints of shift, scale and offset of some rankings."""
        entries, starts = self.inside(rankings)
        scores = fingerprints.of_doubles(self.numbers[entries])
        one_by = fingerprints.inverse(fingerprints.of_whole(self.pool.sizes[rankings]))
        mean = fingerprints.times(fingerprints.total(scores, starts), one_by)
        square = fingerprints.times(fingerprints.total(fingerprints.times(scores, scores), starts), one_by)
        variance = (square - fingerprints.times(mean, mean)) % fingerprints.PRIMES
        low, high = (fingerprints.of_doubles(bound[rankings]) for bound in (self.low, self.high))
        narrowing = fingerprints.inverse((high - low) % fingerprints.PRIMES)
        shape = fingerprints.times(fingerprints.times(variance, narrowing), narrowing)
        # roots of different numbers have no sums in common that could be foreseen
        scale = fingerprints.times(narrowing, fingerprints.scattered(shape))
        return low if self.from_lowest else mean, scale, np.zeros_like(scale)

    def told_apart(self, number: Any) -> Any:
        """Return a sum of terms to so many decimals that equal ones agree."""
        return round(number, DIGITS)
