"""Normalisation: scores of different systems, ranking by ranking, brought to one scale before they are combined."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.fusion import fingerprints
from measurand.fusion.pool import Pool

NORMALISATIONS: Mapping[str, str] = {
    "min-max": "from 0 for the lowest score of a ranking to 1 for the highest; 1 each if all are equal",
    "z-score": "in standard deviations from the mean of the ranking (zmuv); 0 each if all are equal",
    "sum": "above the lowest score, as shares of their sum; 1/n each if all are equal",
    "rank": "from 1 for the first rank down by 1/n a rank, whatever the scores",
    "none": "scores as they are",
}
"""What can be done to the scores of a ranking (one run on one topic) before they are combined."""

EXTREME = 1e140
"""Scores that differ by more than this, or by less than one by this, are scaled before they are squared."""

Parts = tuple[Any, Any, Any]
"""A shift, a scale and an offset, which make (score - shift) * scale + offset of a score."""


@frozen(eq=False, slots=False)
class ScoreTerms:
    """Scores, shifted and scaled within each ranking, times the weight of the run.

    Parameters
    ----------
    numbers
        The score of each entry, or its rank.
    weights
        By run; none negative.
    from_lowest
        Whether rankings that go below 0 are counted from their lowest score.
    """

    pool: Pool
    numbers: FloatArray
    weights: tuple[Fraction, ...]
    from_lowest: bool
    _known: dict[int, Parts] = field(factory=dict, init=False)

    def parts(self, numbers: FloatArray) -> Parts:
        """Return shift, scale and offset of each ranking, rounded, for numbers that may have been scaled."""
        raise NotImplementedError

    def exact_parts(self, scores: list[Fraction]) -> Parts:
        """Return shift, scale and offset of a ranking, exactly."""
        raise NotImplementedError

    def printed_parts(self, rankings: IntArray) -> Parts:
        """Return the fingerprints of shift, scale and offset of some rankings."""
        raise NotImplementedError

    @cached_property
    def low(self) -> FloatArray:
        """The lowest number of each ranking."""
        return np.minimum.reduceat(self.numbers, self.pool.ranking_bounds[:-1])

    @cached_property
    def high(self) -> FloatArray:
        """The highest number of each ranking."""
        return np.maximum.reduceat(self.numbers, self.pool.ranking_bounds[:-1])

    @property
    def constant(self) -> Any:
        """Which rankings have one number only."""
        return self.low == self.high

    @cached_property
    def weight(self) -> FloatArray:
        """The weight of each ranking's run."""
        return np.array(self.weights, dtype=np.float64)[self.pool.ranking_run]

    @cached_property
    def floats(self) -> FloatArray:
        """The terms, rounded."""
        numbers = self._tamed
        shift, scale, offset = self.parts(numbers)
        return self.spread(numbers, shift, scale * self.weight, offset * self.weight)

    def spread(self, numbers: FloatArray, shift: FloatArray, scale: FloatArray, offset: FloatArray) -> FloatArray:
        """Return numbers shifted and scaled, ranking by ranking."""
        found = numbers - np.repeat(shift, self.pool.sizes) if shift.any() else numbers.copy()
        if (scale != 1).any():
            found *= np.repeat(scale, self.pool.sizes)
        return found + np.repeat(offset, self.pool.sizes) if offset.any() else found

    @property
    def sizes(self) -> FloatArray | None:
        """How large the terms are that may cancel."""
        return None

    @cached_property
    def _tamed(self) -> FloatArray:
        """The numbers, divided by a power of two in each ranking where they would be too large or small to compute."""
        with np.errstate(over="ignore"):
            spread = self.high - self.low
        largest = np.maximum(np.abs(self.low), np.abs(self.high))
        if not ((largest > EXTREME) | ((spread > 0) & (spread < 1 / EXTREME))).any():
            return self.numbers
        return np.asarray(np.ldexp(self.numbers, -np.repeat(np.frexp(largest)[1], self.pool.sizes)))

    def lowest(self, numbers: FloatArray) -> FloatArray:
        """Return the lowest of some numbers in each ranking."""
        return np.minimum.reduceat(numbers, self.pool.ranking_bounds[:-1])

    def added(self, numbers: FloatArray) -> FloatArray:
        """Return the sum of some numbers in each ranking."""
        return np.asarray(np.add.reduceat(numbers, self.pool.ranking_bounds[:-1]))

    def fingerprints(self, items: IntArray) -> IntArray:
        """Return the fingerprints of the terms of some entries."""
        rankings, which = np.unique(self.pool.ranking[items], return_inverse=True)
        shift, scale, offset = self.printed_parts(rankings)
        weight = fingerprints.of_fractions(self.weights)[self.pool.ranking_run[rankings]][which]
        shifted = (fingerprints.of_doubles(self.numbers[items]) - shift[which]) % fingerprints.PRIMES
        found = fingerprints.times(shifted, scale[which]) + offset[which]
        return fingerprints.times(found % fingerprints.PRIMES, weight)

    def exact(self, item: int) -> Any:
        """Return the exact term of an entry."""
        ranking = int(self.pool.ranking[item])
        shift, scale, offset = self.known_parts(ranking)
        weight = self.weights[int(self.pool.ranking_run[ranking])]
        return ((Fraction(float(self.numbers[item])) - shift) * scale + offset) * weight

    def known_parts(self, ranking: int) -> Parts:
        """Return the exact parts of a ranking, which are computed once."""
        if ranking not in self._known:
            start, stop = self.pool.ranking_bounds[ranking : ranking + 2].tolist()
            self._known[ranking] = self.exact_parts([Fraction(score) for score in self.numbers[start:stop].tolist()])
        return self._known[ranking]

    def told_apart(self, number: Any) -> Any:
        """Return a sum of terms as it is: it is exact."""
        return number

    def inside(self, rankings: IntArray) -> tuple[IntArray, IntArray]:
        """Return the entries of some rankings, one ranking after the other, and where each one's start."""
        sizes = self.pool.sizes[rankings]
        starts = np.cumsum(sizes) - sizes
        return np.arange(int(sizes.sum())) + np.repeat(self.pool.ranking_bounds[rankings] - starts, sizes), starts


class MinMax(ScoreTerms):
    """From 0 to 1."""

    def parts(self, numbers: FloatArray) -> Parts:
        """Return shift, scale and offset of each ranking, rounded."""
        low, high = self.lowest(numbers), -self.lowest(-numbers)
        return low, _one_by(high - low, self.constant), self.constant.astype(np.float64)

    def exact_parts(self, scores: list[Fraction]) -> Parts:
        """Return shift, scale and offset of a ranking, exactly."""
        low, high = min(scores), max(scores)
        return (low, Fraction(0), Fraction(1)) if low == high else (low, 1 / (high - low), Fraction(0))

    def printed_parts(self, rankings: IntArray) -> Parts:
        """Return the fingerprints of shift, scale and offset of some rankings."""
        low, high = (fingerprints.of_doubles(bound[rankings]) for bound in (self.low, self.high))
        return low, fingerprints.inverse((high - low) % fingerprints.PRIMES), self.constant[rankings, None] * 1


class Shares(ScoreTerms):
    """Shares of the sum of all above the lowest."""

    def parts(self, numbers: FloatArray) -> Parts:
        """Return shift, scale and offset of each ranking, rounded."""
        low = self.lowest(numbers)
        total = self.added(numbers - np.repeat(low, self.pool.sizes))
        return low, _one_by(total, self.constant), self.constant / self.pool.sizes

    def exact_parts(self, scores: list[Fraction]) -> Parts:
        """Return shift, scale and offset of a ranking, exactly."""
        low = min(scores)
        total = sum(scores) - low * len(scores)
        return (low, 1 / total, Fraction(0)) if total else (low, Fraction(0), Fraction(1, len(scores)))

    def printed_parts(self, rankings: IntArray) -> Parts:
        """Return the fingerprints of shift, scale and offset of some rankings."""
        entries, starts = self.inside(rankings)
        low, number = fingerprints.of_doubles(self.low[rankings]), fingerprints.of_whole(self.pool.sizes[rankings])
        total = fingerprints.total(fingerprints.of_doubles(self.numbers[entries]), starts)
        scale = fingerprints.inverse((total - fingerprints.times(low, number)) % fingerprints.PRIMES)
        return low, scale, fingerprints.inverse(number) * self.constant[rankings, None]


class Ranks(ScoreTerms):
    """From 1 down by the same step at each rank; the numbers are ranks."""

    def parts(self, numbers: FloatArray) -> Parts:  # noqa: ARG002 - ranks are never scaled
        """Return shift, scale and offset of each ranking, rounded."""
        sizes = self.pool.sizes.astype(np.float64)
        return sizes + 1, -1 / sizes, np.zeros(len(sizes))

    def exact_parts(self, scores: list[Fraction]) -> Parts:
        """Return shift, scale and offset of a ranking, exactly."""
        return Fraction(len(scores) + 1), Fraction(-1, len(scores)), Fraction(0)

    def printed_parts(self, rankings: IntArray) -> Parts:
        """Return the fingerprints of shift, scale and offset of some rankings."""
        number = fingerprints.of_whole(self.pool.sizes[rankings])
        return number + 1, -fingerprints.inverse(number) % fingerprints.PRIMES, np.zeros_like(number)


class AsTheyAre(ScoreTerms):
    """Scores as they are, or as far above the lowest of the ranking as they are."""

    @property
    def below_zero(self) -> Any:
        """Which rankings are counted from their lowest score."""
        return (self.low < 0) & self.from_lowest

    @property
    def _tamed(self) -> FloatArray:
        return self.numbers

    def parts(self, numbers: FloatArray) -> Parts:  # noqa: ARG002 - nothing is scaled
        """Return shift, scale and offset of each ranking, rounded."""
        return np.where(self.below_zero, self.low, 0.0), np.ones(len(self.low)), np.zeros(len(self.low))

    def exact_parts(self, scores: list[Fraction]) -> Parts:
        """Return shift, scale and offset of a ranking, exactly."""
        return min(Fraction(0), *scores) if self.from_lowest else Fraction(0), Fraction(1), Fraction(0)

    def printed_parts(self, rankings: IntArray) -> Parts:
        """Return the fingerprints of shift, scale and offset of some rankings."""
        shift = fingerprints.of_doubles(np.where(self.below_zero, self.low, 0.0)[rankings])
        return shift, np.ones_like(shift), np.zeros_like(shift)

    @property
    def sizes(self) -> FloatArray | None:
        """How large the terms are that may cancel."""
        return None if self.from_lowest or (self.low >= 0).all() else np.abs(self.floats)


def _one_by(numbers: FloatArray, nothing: Any) -> FloatArray:
    """Return one by each number, and 0 where there is nothing to divide by."""
    return np.divide(1.0, numbers, out=np.zeros(len(numbers)), where=~nothing)
