"""Geometric means: whether a shift of all scores, or another unit where some are 0, turns their order round."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.exact import rational
from measurand.scales.meaning.literal import shown
from measurand.scales.meaning.transformations import Affine, Transformation
from measurand.scores.scores import GEOMETRIC_FLOOR

EXACT = 200
"""Up to so many scores the products are multiplied out."""


def shift_proof(rows: FloatArray) -> int | None:
    r"""Return the sign of the difference of two geometric means if no shift changes it, or None if that is unknown.

    With the lowest score shifted to :math:`s > 0`, the difference of the products is a polynomial in `s`. If its
    coefficients have one sign, so has the difference.

    Examples
    --------
    >>> shift_proof(np.array([[2.0, 5.0], [2.0, 4.0]])), shift_proof(np.array([[2.0, 8.0], [3.0, 4.0]]))
    (1, None)
    """
    one, other = ([rational(float(value)) for value in row[~np.isnan(row)]] for row in rows)
    if len(one) != len(other) or len(one) > EXACT:
        return None
    lowest = min(*one, *other)
    coefficients = [a - b for a, b in zip(_product(one, lowest), _product(other, lowest), strict=True)]
    signs = {(c > 0) - (c < 0) for c in coefficients} - {0}
    return None if len(signs) > 1 else next(iter(signs), 0)


def shifts(rows: FloatArray) -> Iterator[Transformation]:
    """Yield shifts of all scores that leave them positive, from small to large and close to zero."""
    lowest, size = float(np.nanmin(rows)), float(np.nanmax(rows) - np.nanmin(rows)) or 1.0
    unit = float(f"{size:.1g}")
    for factor in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000, 10000):
        yield Affine(1, factor * unit)
    for power in range(13):
        for digit in (5, 2, 1):
            above = size * digit * 10.0 ** -(power + 1)
            if above < lowest:
                yield Affine(1, above - lowest)


@frozen
class OtherUnit:
    """A positive multiple of scores of which some are 0: what stands in for these does not know the unit.

    Examples
    --------
    >>> OtherUnit(1000)(np.array([0.00001, 0.5])).tolist(), str(OtherUnit(1000))
    ([1e-05, 500.0], 'x → 1000 x, with 0.00001 still in place of 0')
    """

    slope: float = field(converter=float)

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the scores on the other scale."""
        return np.where(values == GEOMETRIC_FLOOR, values, values * self.slope)

    def __str__(self) -> str:
        near = Fraction(self.slope).limit_denominator(1000)
        slope = shown(near if float(near) == self.slope else self.slope)
        return f"x → {slope} x, with {GEOMETRIC_FLOOR:.5f} still in place of 0"


def other_units(rows: FloatArray) -> Iterator[Transformation]:
    """Yield multiples of scores of which some are 0, from small to large; those that are not stay above what stands in.

    Examples
    --------
    >>> str(next(other_units(np.array([[0.00001, 1.0], [0.5, 0.5]]))))
    'x → 10 x, with 0.00001 still in place of 0'
    >>> list(other_units(np.array([[1.0], [0.5]])))
    []
    """
    above = rows[rows > GEOMETRIC_FLOOR]
    if not (rows == GEOMETRIC_FLOOR).any() or not len(above):
        return
    for power in (*range(1, 13), 20, 50, 100):
        yield OtherUnit(10.0**power)
        if float(above.min()) * 10.0**-power > GEOMETRIC_FLOOR:
            yield OtherUnit(10.0**-power)


def _product(values: list[Fraction], lowest: Fraction) -> list[Fraction]:
    """Return the coefficients of the product of (value − lowest + s), the constant first."""
    result = [Fraction(1)]
    for value in values:
        root = value - lowest
        result = [root * a + b for a, b in zip([*result, Fraction(0)], [Fraction(0), *result], strict=True)]
    return result
