"""Two kinds of numbers, one way to calculate: arrays of float64 for campaigns, of exact numbers for single runs.

Exact numbers live in arrays of objects. Formulas use the functions of this module wherever numpy would leave the kind
of numbers it was given.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from measurand_next.errors import ParameterError, quoted
from measurand_next.exact import reals

Array: TypeAlias = NDArray[Any]
"""Floats or exact numbers."""

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.integer[Any]]
BoolArray: TypeAlias = NDArray[np.bool_]

Number: TypeAlias = Any
"""A float, a Fraction or a `Real`."""

WRITTEN = re.compile(r"[+-]?(\d+/\d+|(\d+\.?\d*|\.\d+)(e[+-]?0*\d{1,3})?)", re.ASCII | re.IGNORECASE)
"""A quotient or a decimal number, whose power of ten is short enough to be written out."""


def fraction(value: object) -> Fraction:
    """A number exactly as it is written.

    Parameters
    ----------
    value
        A number, or its spelling such as ``"0.8"``, ``"4/5"`` or ``"1e-3"``. A float is its shortest spelling.

    Examples
    --------
    >>> fraction(0.8), fraction("1/3")
    (Fraction(4, 5), Fraction(1, 3))
    """
    if isinstance(value, Fraction | int) and not isinstance(value, bool):
        return Fraction(value)
    text = str(value).strip()
    if WRITTEN.fullmatch(text):
        try:
            return Fraction(text)
        except (ValueError, ZeroDivisionError):  # thousands of digits, or nothing below the line
            pass
    raise ParameterError(f"{quoted(value)} is no number; write it like 0.8 or 4/5")


class Numbers:
    """One of the two kinds of numbers."""

    def __init__(self, *, exact: bool):
        self.exact = exact

    def __repr__(self) -> str:
        return "EXACT" if self.exact else "FLOATS"

    def number(self, value: int | float | str | Fraction) -> Number:
        """A constant or a parameter in this kind of numbers; a Fraction beside floats would make slow objects."""
        return fraction(value) if self.exact else float(fraction(value))

    def array(self, values: Any) -> Array:
        """The same values as an array of this kind; exact numbers other than whole ones are left as they are."""
        if not self.exact:
            return np.asarray(values, dtype=np.float64)
        # whole numbers in arrays of objects would divide to floats
        plain = np.asarray(values)
        numbers = np.empty(plain.shape, dtype=object)
        numbers.ravel()[:] = [Fraction(value) if isinstance(value, int) else value for value in plain.ravel().tolist()]
        return numbers

    def zeros(self, size: int) -> Array:
        return self.array(np.zeros(size, dtype=np.int64))


FLOATS, EXACT = Numbers(exact=False), Numbers(exact=True)


def is_exact(values: Any) -> bool:
    return np.asarray(values).dtype == object


def ratio(part: Array, whole: Array) -> Array:
    """Part by whole, and 0 where the whole is 0: a share of nothing is nothing."""
    part, whole = np.broadcast_arrays(part, whole)
    quotient = (EXACT if is_exact(part) or is_exact(whole) else FLOATS).zeros(part.size).reshape(part.shape)
    some = np.asarray(whole != 0, dtype=bool)
    quotient[some] = part[some] / whole[some]
    return quotient


def least(one: Array, other: Any) -> Array:
    """The smaller of two numbers, element by element."""
    smaller: Array = np.minimum(one, other)
    return smaller


def power(base: Number, exponents: Any) -> Array:
    """A number to some powers, which must be whole to be exact, unless the number is 2."""
    powers: Array = _exact_powers(base, exponents) if is_exact(exponents) else np.power(float(base), exponents)
    return powers


def inverse_log(values: Array, base: Number = 2) -> Array:
    """1 / log_base(value) of whole numbers above 1."""
    if is_exact(values):
        discounts: Array = _exact_inverse_logs(values, base)
        return discounts
    return 1 / np.log2(values) if base == 2 else np.log(base) / np.log(values)


def _exact_power(base: Number, exponent: Fraction) -> reals.Exact:
    if base == 2:
        return reals.power_of_two(exponent)
    if exponent.denominator != 1:
        raise ParameterError(f"{base} to the power of {exponent} is no fraction; it can be had as a float only")
    return Fraction(base) ** exponent.numerator


_exact_powers: Any = np.frompyfunc(_exact_power, 2, 1)
_exact_inverse_logs: Any = np.frompyfunc(reals.inverse_log, 2, 1)
