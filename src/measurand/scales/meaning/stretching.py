"""Stretching: the gentlest piecewise-linear map that turns a weighted sum of scores round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.scales.meaning.transformations import Increasing, strictly

MARGINS = (1.1, 1.5, 3.0, 10.0, 1000.0)
"""How far beyond what is needed a stretch goes, the gentlest first."""

LIKE = 1e-9
"""Stretches that differ by less than this share are the same."""


@frozen(eq=False)
class Gaps:
    r"""The gaps between the scores that occur, with what stretching each of them does to a weighted sum.

    .. math:: \sum_i c_i f(x_i) = C f(v_1) + \sum_j (f(v_{j+1}) - f(v_j))\, w_j, \quad w_j = \sum_{x_i > v_j} c_i

    Parameters
    ----------
    values
        The different scores, ascending.
    weights
        For every gap, the weights of all scores above it: what the sum gains when the gap grows.
    total
        All weights: what the sum gains when all scores are shifted.
    """

    values: FloatArray
    weights: IntArray
    total: int

    @classmethod
    def of(cls, scores: FloatArray, weights: IntArray) -> Gaps:
        """Return the gaps between some scores that are summed with weights.

        Examples
        --------
        >>> gaps = Gaps.of(np.array([[1.0, 4.0], [2.0, 2.0]]), np.array([[1, 1], [-1, -1]]))
        >>> gaps.values.tolist(), gaps.weights.tolist(), gaps.total
        ([1.0, 2.0, 4.0], [-1, 1], 0)
        """
        there = ~np.isnan(scores)
        values, place = np.unique(scores[there], return_inverse=True)
        each = np.zeros(len(values), dtype=np.int64)
        np.add.at(each, place.ravel(), weights[there])
        total = int(each.sum())
        return cls(values, total - each.cumsum()[:-1], total)

    def stretches(self, target: int, *, exactly: bool = False, rest: float = 0.0) -> Iterator[FloatArray]:
        """Yield the values after stretching one run of gaps so that the sum gets a sign, the gentlest first.

        The lowest and the highest value stay where they are.

        Parameters
        ----------
        target
            The sign that the sum is to have; with `exactly`, that of the gaps to be stretched until it is 0.
        rest
            What the sum holds beside these scores.
        """
        lengths = np.diff(self.values)
        gains = target * self.weights * lengths
        start, end = _best_run(gains)
        gain, lack = gains[start:end].sum(), -(gains.sum() + target * rest)
        if gain <= 0:
            return
        for margin in (1.0,) if exactly else MARGINS:
            factor = 1 + margin * max(lack, 0.0) / gain + (0.0 if exactly else 0.1 * margin)
            scaled = lengths.copy()
            scaled[start:end] *= factor
            if rest == 0:
                scaled *= lengths.sum() / scaled.sum()
            yield self.values[0] + np.concatenate([[0.0], scaled.cumsum()])

    def levelled(self, way: int, values: Sequence[Fraction], rest: Fraction | int = 0) -> list[Fraction] | None:
        """Return what the values become when one run of gaps is stretched until the sum is exactly 0.

        Parameters
        ----------
        way
            The sign that the sum has not got: that of the gaps to be stretched.
        values
            The values as fractions, or any others in the same order.
        rest
            What the sum holds beside these scores. Where there is nothing, the lowest and the highest value stay.
        """
        lengths = [high - low for low, high in pairwise(values)]
        gains = [way * weight * length for weight, length in zip(self.weights.tolist(), lengths, strict=True)]
        start, end = _best_run(np.array([float(gain) for gain in gains]))
        gain, lack = sum(gains[start:end], Fraction(0)), -(sum(gains, Fraction(0)) + way * rest)
        if gain <= 0 or lack <= 0:
            return None
        scaled = [*lengths[:start], *(length * (1 + lack / gain) for length in lengths[start:end]), *lengths[end:]]
        if rest == 0:
            shrunk = sum(lengths, Fraction(0)) / sum(scaled, Fraction(0))
            scaled = [length * shrunk for length in scaled]
        return list(accumulate(scaled, initial=values[0]))

    def evened(self) -> Gaps:
        """Return the same with values an equal step apart."""
        return Gaps(np.arange(len(self.values), dtype=np.float64), self.weights, self.total)


def _best_run(gains: FloatArray) -> tuple[int, int]:
    """Return the start and the end of the run with the largest sum."""
    sums = np.concatenate([[0.0], gains.cumsum()])
    lowest = np.minimum.accumulate(sums[:-1])
    end = int(np.argmax(sums[1:] - lowest)) + 1
    return int(np.argmin(sums[:end])), end


def literally_through(before: Sequence[Fraction], after: Sequence[Fraction]) -> Increasing:
    """Return the map that takes fractions to fractions, with as few knots as it has bends.

    Examples
    --------
    >>> print(literally_through([Fraction(v) for v in (0, 1, 2, 4)], [Fraction(v, 3) for v in (0, 1, 2, 9)]))
    0 → 0, 2 → 2/3, 4 → 3, straight in between
    """
    points = list(zip(before, after, strict=True))
    slopes = [(high[1] - low[1]) / (high[0] - low[0]) for low, high in pairwise(points)]
    bends = [one != other for one, other in pairwise(slopes)]
    kept = [point for point, knot in zip(points, [True, *bends, True], strict=True) if knot]
    return Increasing(*zip(*kept, strict=True))


def through(before: FloatArray, after: FloatArray, *, short: bool = True) -> Iterator[Increasing]:
    """Yield the map that takes values to values, with few knots: if `short`, nearly so first, and then exactly.

    Examples
    --------
    >>> print(next(through(np.array([0, 1, 2, 4.0]), np.array([0, 1 / 3, 2 / 3, 3.0]))))
    0 → 0, 2 → 0.67, 4 → 3, straight in between
    """
    if len(before) < 2 or not strictly(after) or not np.isfinite(after).all():
        return
    slopes = np.diff(after) / np.diff(before)
    bends = np.abs(np.diff(slopes)) > LIKE * np.maximum(slopes[1:], slopes[:-1])
    knots = np.concatenate([[True], bends, [True]])
    x, y = before[knots], after[knots]
    span = np.abs(y).max()
    for digits in (2, 3, 5) if short else ():
        rounded = np.round(y, digits - int(np.floor(np.log10(span))) if span else 0)
        if strictly(rounded):
            yield Increasing(x, rounded)
    yield Increasing(x, y)
