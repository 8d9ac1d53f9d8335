"""Sums of blocks as whole numbers of a tiny unit, with what was rounded off."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.rulers.sums.blocks import DIGITS, Blocks

BITS = 62
"""Rounded values stay below this power of 2."""

_SLACK = 1e-6
"""More than what floats do to a sum of some hundred errors below one half."""


@frozen(eq=False)
class FixedPoint:
    """The sums of every block in tiny units.

    Parameters
    ----------
    parts
        For each block its sums in ascending order, each rounded once.
    errors
        What was rounded off each: the true sum less the rounded one.

    Examples
    --------
    >>> from fractions import Fraction
    >>> fixed = FixedPoint.of(Blocks.by_rank([Fraction(2), Fraction(1)], [0, 1]))
    >>> [part.tolist()[-1] / 2**62 for part in fixed.parts]
    [0.6666666666666666, 0.3333333333333333]
    """

    parts: list[IntArray]
    errors: list[FloatArray]

    @classmethod
    def of(cls, blocks: Blocks) -> FixedPoint:
        """Return the sums of blocks in units so small that the largest value just fits."""
        with localcontext(prec=DIGITS):
            top = sum((block.value * block.sums[-1] for block in blocks.blocks), Decimal(0))
            scale = (Decimal(2**BITS - len(blocks.blocks)) / top if top else Decimal(1)).to_integral_value()
            exact = [[block.value * units * scale for units in block.sums] for block in blocks.blocks]
            parts = [[int(number.to_integral_value()) for number in numbers] for numbers in exact]
            errors = [
                [float(number - whole) for number, whole in zip(numbers, wholes, strict=True)]
                for numbers, wholes in zip(exact, parts, strict=True)
            ]
        return cls([np.array(part, dtype=np.int64) for part in parts], [np.array(error) for error in errors])

    def windows(self, places: IntArray) -> tuple[IntArray, IntArray]:
        """Return the windows of some values, each a row of places in the blocks.

        A value whose rounded sum is below the window is smaller than the given one, and one above it is larger.
        """
        rounded = np.sum([part[column] for part, column in zip(self.parts, places.T, strict=True)], axis=0)
        error = np.sum([errors[column] for errors, column in zip(self.errors, places.T, strict=True)], axis=0)
        least, most = (sum(float(bound(errors)) for errors in self.errors) for bound in (np.min, np.max))
        lows = rounded + np.floor(error - most - _SLACK).astype(np.int64)
        highs = rounded + np.ceil(error - least + _SLACK).astype(np.int64)
        return lows, highs
