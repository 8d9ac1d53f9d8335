"""Standard scores: in standard deviations from the mean, which are square roots and not rational."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.fusion import fingerprints
from measurand.fusion.normalisation import Parts, ScoreTerms
from measurand.fusion.settling import NEAR

DIGITS = 80
"""Sums of standard scores that agree to so many decimals are taken for equal."""


class StandardScores(ScoreTerms):
    """Scores less their mean (or their lowest), in standard deviations of the ranking.

    The scale is a square root, so the parts hold its square. Documents whose terms are the same numbers are found to
    be equal; sums of other terms are compared to 80 decimals.
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
        """Return shift and the square of the scale, exactly."""
        mean = sum(scores) / len(scores)
        variance = sum((score - mean) ** 2 for score in scores) / len(scores)
        return min(scores) if self.from_lowest else mean, 1 / variance if variance else Fraction(0), Fraction(0)

    def printed_parts(self, rankings: IntArray) -> Parts:
        """Return the fingerprints of shift and squared scale of some rankings."""
        entries, starts = self.inside(rankings)
        scores = fingerprints.of_doubles(self.numbers[entries])
        one_by = fingerprints.inverse(fingerprints.of_whole(self.pool.sizes[rankings]))
        mean = fingerprints.times(fingerprints.total(scores, starts), one_by)
        square = fingerprints.times(fingerprints.total(fingerprints.times(scores, scores), starts), one_by)
        variance = (square - fingerprints.times(mean, mean)) % fingerprints.PRIMES
        shift = fingerprints.of_doubles(self.low[rankings]) if self.from_lowest else mean
        return shift, fingerprints.inverse(variance), np.zeros_like(shift)

    def fingerprints(self, items: IntArray) -> IntArray:
        """Return the fingerprints of the terms of some entries: those of their squares, scattered, with their sign."""
        rankings, which = np.unique(self.pool.ranking[items], return_inverse=True)
        shift, square, _ = self.printed_parts(rankings)
        weight = fingerprints.of_fractions(self.weights)[self.pool.ranking_run[rankings]][which]
        distance = (fingerprints.of_doubles(self.numbers[items]) - shift[which]) % fingerprints.PRIMES
        weighted = fingerprints.times(distance, weight)
        prints = fingerprints.times(fingerprints.times(weighted, weighted), square[which])
        found: IntArray = fingerprints.scattered(prints) * self._signs(items, np.asarray(prints.any(axis=1)))[:, None]
        return np.where(prints == 0, 0, found % fingerprints.PRIMES)

    def _signs(self, items: IntArray, nonzero: BoolArray) -> IntArray:
        """Return on which side of the mean some entries are."""
        signs = np.sign(self.floats[items]).astype(np.int64)
        if self.sizes is not None:
            doubtful = nonzero & (np.abs(self.floats[items]) <= NEAR * self.sizes[items])
            for place in np.flatnonzero(doubtful).tolist():
                signs[place] = 1 if self.exact(int(items[place])) > 0 else -1
        return signs

    def exact(self, item: int) -> Any:
        """Return the term of an entry to many more digits than are compared."""
        ranking = int(self.pool.ranking[item])
        shift, square, _ = self.known_parts(ranking)
        distance = Fraction(float(self.numbers[item])) - shift
        number = (distance * self.weights[int(self.pool.ranking_run[ranking])]) ** 2 * square
        with localcontext(prec=2 * DIGITS):
            root = Fraction((Decimal(number.numerator) / Decimal(number.denominator)).sqrt())
        return root if distance > 0 else -root

    def told_apart(self, number: Any) -> Any:
        """Return a sum of terms to so many decimals that equal ones agree."""
        return round(number, DIGITS)
