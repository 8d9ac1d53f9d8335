"""Numbers that are compared and rounded through enclosures: never by a float that might be wrong."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import total_ordering
from typing import Any

GUARD = 12
"""Digits beyond those asked for, so that rounding in between does not show."""

_FIRST_DIGITS = 30
_LAST_DIGITS = 8_000


@total_ordering
class Certified:
    """Order and rounding from enclosures that shrink until they decide."""

    __slots__ = ()

    def enclosure(self, digits: int) -> tuple[Decimal, Decimal]:
        """Return two decimals around the number, about `digits` digits apart from each other."""
        raise NotImplementedError

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Certified | Fraction | int):
            return NotImplemented
        return self != other and _below(self, other)

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, Certified | Fraction | int):
            return NotImplemented
        return self != other and _below(other, self)

    def __float__(self) -> float:
        digits = _FIRST_DIGITS
        while digits <= _LAST_DIGITS:
            low, high = self.enclosure(digits)
            if float(low) == float(high):
                return float(low)
            digits *= 2
        return float(low)


def enclosure_of(number: Any, digits: int) -> tuple[Decimal, Decimal]:
    """Return two decimals around a certified or a rational number."""
    if isinstance(number, Certified):
        return number.enclosure(digits)
    with localcontext(prec=digits + GUARD):
        centre = Decimal(number.numerator) / Decimal(number.denominator)
        slack = abs(centre).scaleb(-digits)
        return centre - slack, centre + slack


def _below(one: Any, other: Any) -> bool:
    """Decide one < other for two numbers that are known to differ."""
    digits = _FIRST_DIGITS
    while digits <= _LAST_DIGITS:
        low, high = enclosure_of(one, digits)
        other_low, other_high = enclosure_of(other, digits)
        if high < other_low or other_high < low:
            return high < other_low
        digits *= 2
    raise ArithmeticError(f"{one} and {other} agree to {_LAST_DIGITS} digits, yet are not known to be equal")
