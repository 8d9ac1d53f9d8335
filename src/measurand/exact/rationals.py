"""Rational numbers, read and written as people write them; arithmetic shared with arrays."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias, overload

import numpy as np

from measurand.arrays import FloatArray
from measurand.errors import ParameterError, quoted

LARGE = 10**12
"""Whole numbers from here on are shown as powers of ten."""


EXPONENT = 4_000
"""Numbers whose powers of ten are larger than this would take long to write out, and are refused."""

DIGITS = 4_200
"""Texts of more characters are no numbers that anybody writes, and Python itself does not read much longer ones."""

LARGEST = 10**EXPONENT
"""The highest whole number where numbers count nothing, as weights, which exact arithmetic makes long."""

MOST = 10**12
"""The highest whole number that a parameter, a cutoff or an option takes where nothing else is said."""

MOST_DRAWS = 10**8
"""So often lots are drawn, or an experiment is repeated, at most: more take days."""

LEAST_LEVEL = 1e-12
"""The least level of significance: quantiles of smaller ones are lost in rounding."""

_POWER = re.compile(r"[eE]([+-]?[0-9_]+)\s*$")


RationalLike: TypeAlias = int | float | str | Fraction
"""A number, or its spelling such as "0.8" or "4/5"."""


def rational(value: object) -> Fraction:
    """Return `value` as the fraction that it spells.

    A float stands for its shortest decimal spelling, so that `0.8` means 4/5 and not the nearest
    binary number. Powers of ten go to 4,000, and no number has more than 4,200 digits.

    Parameters
    ----------
    value
        A number, or its spelling such as `"0.8"` or `"4/5"`.

    Examples
    --------
    >>> rational(0.8), rational("4/5"), rational(2)
    (Fraction(4, 5), Fraction(4, 5), Fraction(2, 1))
    >>> rational("1e999999999")
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: '1e999999999' is too large or too small a number; powers of ten go to 4,000
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, float):
        value = float.__repr__(value)
    elif isinstance(value, np.floating):
        value = repr(float(value))
    if _is_far(value):
        raise ParameterError(f"{quoted(value)} is too large or too small a number; powers of ten go to {EXPONENT:,}")
    if isinstance(value, int | str | Decimal | np.integer) and not isinstance(value, bool | np.timedelta64):
        try:
            return Fraction(int(value) if isinstance(value, np.integer) else value)
        except (ValueError, ZeroDivisionError, OverflowError):
            pass
    raise ParameterError(f"{quoted(value)} is not a number; write it like 0.8 or '4/5'")


def _is_far(value: object) -> bool:
    """Return whether a number is written with a power of ten that is too large to be written out."""
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        return isinstance(exponent, int) and (abs(exponent) > EXPONENT or len(value.as_tuple().digits) > DIGITS)
    if isinstance(value, int):
        return value.bit_length() > DIGITS * 3.321
    if isinstance(value, str) and len(value) > 2 * DIGITS:
        return True
    power = _POWER.search(value) if isinstance(value, str) else None
    digits = power[1].replace("_", "").lstrip("+-").lstrip("0") if power else ""
    return len(digits) > len(str(EXPONENT)) or int(digits or 0) > EXPONENT


def shown(value: Any, digits: int = 4) -> str:
    """Return a number to a few digits, for people.

    Parameters
    ----------
    value
        The number.
    digits
        How many digits, fewer where it is very small.

    Examples
    --------
    >>> shown(Fraction(1, 3)), shown(Fraction(10**400)), shown(Fraction(1, 123457))
    ('0.3333', '1.000e+400', '8.1e-06')
    """
    try:
        size = float(value)
    except OverflowError:
        return f"{Decimal(value.numerator) / Decimal(value.denominator):.{digits - 1}e}"
    return f"{size:.{digits}g}" if abs(size) >= 1e-4 or size == 0 else f"{size:.{digits - 2}g}"


def with_fraction(value: Any) -> str:
    """Return an exact number to four digits, with its fraction where that is short.

    Parameters
    ----------
    value
        A number; anything else is written as it is.

    Examples
    --------
    >>> with_fraction(Fraction(5, 12)), with_fraction(2), with_fraction(Fraction(1, 123457)), with_fraction(10**400)
    ('5/12 = 0.4167', '2', '8.1e-06', '1.000e+400')
    """
    exact = Fraction(value) if isinstance(value, int) else value
    if isinstance(exact, Fraction) and exact.denominator == 1 and abs(exact) < LARGE:
        return str(exact)
    try:
        rounded = shown(exact)
    except (TypeError, ValueError):
        return str(value)
    short = isinstance(exact, Fraction) and exact.denominator < 1000 and abs(exact) < LARGE
    return f"{exact} = {rounded}" if short else rounded


def whole_number(name: str, value: object, low: int = 1, such_as: int | None = None, high: int = MOST) -> int:
    """Return `value` as a whole number from `low` up, or complain that it is none.

    Parameters
    ----------
    name
        What the value is called in a complaint.
    value
        The value.
    low
        The least number that will do.
    such_as
        A number to write instead, for the complaint.
    high
        The greatest number that will do: a million millions where nothing else is said.

    Examples
    --------
    >>> whole_number("n", np.int64(5))
    5
    >>> whole_number("top", "3", 0, such_as=3)
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: top must be a whole number from 0 up, not '3'; write top=3
    """
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)
    if is_whole and low <= value <= high:  # type: ignore[operator]
        return int(value)  # type: ignore[call-overload, no-any-return]
    beyond = is_whole and value > high  # type: ignore[operator]
    wanted = f"from {low} to {high:,}" if beyond else f"from {low} up"
    hint = "" if such_as is None else f"; write {name}={such_as}"
    raise ParameterError(f"{name} must be a whole number {wanted}, not {quoted(value)}{hint}")


def spell(value: Fraction) -> str:
    """Return the shortest text that `rational` reads back, valid as Python source.

    Parameters
    ----------
    value
        The number.

    Examples
    --------
    >>> spell(Fraction(4, 5)), spell(Fraction(10)), spell(Fraction(1, 3))
    ('0.8', '10', "'1/3'")
    """
    if value.denominator == 1:
        return str(value.numerator)
    try:
        text = repr(float(value))
    except OverflowError:
        return f"'{value}'"
    return text if Fraction(text) == value else f"'{value}'"


def decimal(value: Fraction | int) -> str:
    """Return a fraction as people write it, exactly: with decimals where they end, as a quotient where they do not.

    Parameters
    ----------
    value
        The number.

    Examples
    --------
    >>> decimal(Fraction(7, 10)), decimal(Fraction(1, 3)), decimal(2), decimal(Fraction(-1, 400))
    ('0.7', '1/3', '2', '-0.0025')
    """
    below, places = value.denominator, 0
    while below % 10 == 0:
        below, places = below // 10, places + 1
    for factor in (2, 5):
        while below % factor == 0:
            below, places = below // factor, places + 1
    if below > 1:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


@overload
def ratio(part: FloatArray, whole: Any) -> FloatArray: ...
@overload
def ratio(part: Any, whole: FloatArray) -> FloatArray: ...
@overload
def ratio(part: int | Fraction, whole: int | Fraction) -> Fraction: ...
def ratio(part: Any, whole: Any) -> Any:
    """Return part / whole, and 0 where there is no whole: exact for numbers, elementwise for arrays.

    Parameters
    ----------
    part, whole
        Numbers, or arrays of floats.

    Examples
    --------
    >>> ratio(2, 3), ratio(2, 0)
    (Fraction(2, 3), Fraction(0, 1))
    >>> ratio(np.array([2.0, 2.0]), np.array([4.0, 0.0])).tolist()
    [0.5, 0.0]
    """
    if isinstance(part, np.ndarray) or isinstance(whole, np.ndarray):
        part, whole = np.broadcast_arrays(np.asarray(part, float), np.asarray(whole, float))
        return np.divide(part, whole, out=np.zeros(part.shape), where=whole != 0)
    return Fraction(part) / whole if whole else Fraction(0)


def least(one: Any, other: Any) -> Any:
    """Return the smaller of two numbers, elementwise for arrays.

    Parameters
    ----------
    one, other
        Numbers or arrays.

    Examples
    --------
    >>> least(2, 3), least(np.array([1, 5]), 3).tolist()
    (2, [1, 3])
    """
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.minimum(one, other)
    return min(one, other)


def beside(other: Any, number: Fraction) -> Any:
    """Return `number` as it is beside another number, and as a float beside an array.

    Parameters
    ----------
    other
        What the number is to be combined with.
    number
        The number.

    Examples
    --------
    >>> beside(3, Fraction(1, 2)), beside(np.array([3]), Fraction(1, 2))
    (Fraction(1, 2), 0.5)
    """
    return float(number) if isinstance(other, np.ndarray) else number


def decimals(value: float, places: int, sign: str = "") -> str:
    """Return a float to so many decimals, or to two digits where these would all be 0 and it is not.

    Parameters
    ----------
    value
        The number.
    places
        How many decimals.
    sign
        `"+"` shows the sign of numbers above 0 too.

    Examples
    --------
    >>> decimals(0.25, 4), decimals(-3.14e-6, 4), decimals(0.0, 2), decimals(0.5, 2, "+")
    ('0.2500', '-3.1e-06', '0.00', '+0.50')
    """
    fixed = f"{value:{sign}.{places}f}"
    return f"{value:{sign}.1e}" if value and places and not fixed.strip("+-0.") else fixed
