"""Numbers as somebody wrote them: which values they can stand for, by the decimals that they have."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from enum import StrEnum
from fractions import Fraction

import numpy as np
from attrs import frozen

from measurand.errors import BITS, ParameterError, clipped, quoted

MOST_DECIMALS = 12
"""Decimals beyond these are not told apart: floats of two programs differ there."""

SLACK = 1e-13
"""By how much floats may be off."""


class Match(StrEnum):
    """How a value gives a written number."""

    ROUNDED = "rounded"
    TRUNCATED = "truncated"


@frozen
class WrittenNumber:
    """A number as it was written, whose decimals say how precise it is.

    Parameters
    ----------
    text : str
        The number as it was written.
    value : Fraction
        What it is, as a share where it is written as a percentage.
    decimals : int
        How many decimals are known, of the share.
    percent : bool
        Whether it is taken for a percentage.

    Examples
    --------
    >>> number = WrittenNumber.read("0.4310")
    >>> number.decimals, number.match(0.43104), number.match(0.43096), number.match(0.43108), number.match(0.4312)
    (4, <Match.ROUNDED: 'rounded'>, <Match.ROUNDED: 'rounded'>, <Match.TRUNCATED: 'truncated'>, None)
    """

    text: str
    value: Fraction
    decimals: int
    percent: bool = False

    @classmethod
    def read(cls, given: object) -> WrittenNumber:
        """Return a number as it is written, or complain of what is none.

        Parameters
        ----------
        given : number or str
            The number, such as 0.4314, "0.4310", "43.1%" or, with a decimal comma, "0,431".
        """
        text = _text(given)
        percent = text.endswith("%")
        bare = text.rstrip("%").strip()
        if bare.count(",") == 1 and "." not in bare:
            bare = bare.replace(",", ".")
        try:
            number = Decimal(bare)
        except InvalidOperation:
            number = Decimal("nan")
        if not number.is_finite():
            raise ParameterError(f"{quoted(given)} is not a number to explain; write it like 0.4314")
        exponent = number.as_tuple().exponent
        decimals = -exponent if isinstance(exponent, int) and exponent < 0 else 0
        if decimals > 30 or number.adjusted() > 30:
            raise ParameterError(f"{clipped(text)} has too many digits; 12 decimals are enough")
        plain = cls(text, Fraction(number), decimals)
        return plain.as_percentage() if percent else plain

    def as_percentage(self) -> WrittenNumber:
        """Return the share that the number is as a percentage."""
        return WrittenNumber(self.text, self.value / 100, self.decimals + 2, percent=True)

    @property
    def may_be_percentage(self) -> bool:
        """Whether it is no percentage as it is written, and may be one of a measure that goes to 1."""
        return not self.percent and self.value > 1

    def nearer_reading(self, value: float) -> WrittenNumber:
        """Return the number as it stands or as a percentage, whichever a value gives or is nearer to.

        Parameters
        ----------
        value : float
            The value.

        Examples
        --------
        >>> number = WrittenNumber.read("1.69")
        >>> number.nearer_reading(1.6942).percent, number.nearer_reading(0.0169).percent
        (False, True)
        """
        readings = self.as_percentage(), self
        return min(readings, key=lambda each: each.distance(value) * (100 if each.percent else 1))

    @property
    def half(self) -> float:
        """By how much a value may be off that is rounded to the number."""
        return 0.5 * 10.0 ** -min(self.decimals, MOST_DECIMALS)

    def match(self, value: float) -> Match | None:
        """Return whether a value is rounded to the number, or truncated, or neither.

        Parameters
        ----------
        value : float
            The value.
        """
        off = value - float(self.value)
        # ends count whichever way half is rounded
        if abs(off) <= self.half + SLACK:
            return Match.ROUNDED
        ahead = off if self.value >= 0 else -off
        return Match.TRUNCATED if 0 <= ahead < 2 * self.half - SLACK else None

    def distance(self, value: float) -> float:
        """Return how far a value is from the number.

        Parameters
        ----------
        value : float
            The value.
        """
        return abs(value - float(self.value))


def _text(given: object) -> str:
    """Return a number as it is written, or complain of what is none."""
    if type(given) in (int, str, Decimal) and not (isinstance(given, int) and given.bit_length() > BITS):
        return str(given).strip()
    if isinstance(given, float | np.floating):
        return float.__repr__(given if isinstance(given, float) else float(given))
    if isinstance(given, np.integer | np.str_):
        return str(given).strip()
    raise ParameterError(f"{quoted(given)} is not a number to explain; write it like 0.4314")
