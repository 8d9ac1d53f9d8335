"""Numbers that are compared and rounded through enclosures: never by a float that might be wrong.

What makes two of them equal is a fingerprint, for which whole numbers are taken apart into prime factors.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache, total_ordering
from math import gcd, prod
from typing import Any, Self


@lru_cache(maxsize=65536)
def factors(number: int) -> tuple[tuple[int, int], ...]:
    """Return the prime factors of a whole number from 1 up, each with its power.

    Examples
    --------
    >>> factors(12), factors(1)
    (((2, 2), (3, 1)), ())
    """
    found: list[tuple[int, int]] = []
    divisor = 2
    while number > 1:
        if divisor * divisor > number:
            divisor = number
        power = 0
        while number % divisor == 0:
            number //= divisor
            power += 1
        if power:
            found.append((divisor, power))
        divisor += 1 if divisor == 2 else 2
    return tuple(found)


def factors_of_ratio(number: Fraction) -> dict[int, int]:
    """Return the prime factors of a positive fraction, each with its power, which is negative below the line.

    Examples
    --------
    >>> factors_of_ratio(Fraction(12, 5))
    {2: 2, 3: 1, 5: -1}
    """
    return dict(factors(number.numerator)) | {prime: -power for prime, power in factors(number.denominator)}


def primitive_ratio(number: Fraction) -> tuple[int | Fraction, int]:
    """Return `(k, j)` with `number == k**j`, `j` as large as possible, for a positive fraction; `k` whole where it is.

    Examples
    --------
    >>> primitive_ratio(Fraction(9, 4)), primitive_ratio(Fraction(8))
    ((Fraction(3, 2), 2), (2, 3))
    """
    if number.denominator == 1:
        return primitive_root(number.numerator)
    powers = factors_of_ratio(number)
    power = gcd(*powers.values())
    return prod((Fraction(prime) ** (each // power) for prime, each in powers.items()), start=Fraction(1)), power


@lru_cache(maxsize=4096)
def primitive_root(number: int) -> tuple[int, int]:
    """Return `(k, j)` with `number == k**j`, `j` as large as possible.

    Examples
    --------
    >>> primitive_root(64), primitive_root(12)
    ((2, 6), (12, 1))
    """
    for power in range(number.bit_length(), 1, -1):
        root = round(number ** (1 / power))
        for candidate in (root - 1, root, root + 1):
            if candidate > 1 and candidate**power == number:
                return candidate, power
    return number, 1


GUARD = 12
"""Digits beyond those wanted, so that rounding in between does not show."""

FIELD = 10**38 + 133
"""A prime: the size of the field of fingerprints. One of the form 2**g - 1 would take the gain of a grade for 0."""

_SMALL = 2**40
"""Below this, one image in 2**46 is that of a fraction by chance."""

_FIRST_DIGITS = 30
_LAST_DIGITS = 2_000


@total_ordering
class Certified:
    """Order and rounding from enclosures that shrink until they decide."""

    __slots__ = ()

    def enclosure(self, digits: int) -> tuple[Decimal, Decimal]:
        """Return two decimals around the number, about `digits` digits apart from each other.

        Parameters
        ----------
        digits
            How many digits apart the decimals are, about.
        """
        raise NotImplementedError

    def fingerprint(self) -> int:
        """Return the number's image under a map that keeps sums and products; see `residue`."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Certified):
            return self.fingerprint() == other.fingerprint()
        # what could be simplified to a fraction would have been
        return False if isinstance(other, int | Fraction) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.fingerprint())

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


class Combination(Certified):
    """The sum of fixed real numbers, each times a fraction: what sums of logarithms and of powers have in common."""

    __slots__ = ()

    terms: tuple[tuple[Any, Fraction], ...]
    """What stands for each number, and its coefficient."""

    @abstractmethod
    def _of(self, terms: Iterable[tuple[Any, Fraction]]) -> Fraction | Self:
        """Return the sum of other terms."""

    @abstractmethod
    def _number(self, name: Any, digits: int) -> Decimal:
        """Return the number that something stands for, to so many digits."""

    @abstractmethod
    def __add__(self, other: object) -> Fraction | Self:
        """Return the sum with another such number, or with a fraction."""

    def __radd__(self, other: object) -> Fraction | Self:
        return self.__add__(other)

    def __mul__(self, factor: object) -> Fraction | Self:
        if not isinstance(factor, int | Fraction):
            return NotImplemented
        return self._of((name, c * factor) for name, c in self.terms)

    __rmul__ = __mul__

    def __neg__(self) -> Fraction | Self:
        return self * -1

    def __sub__(self, other: object) -> Fraction | Self:
        return self + other * -1 if isinstance(other, Combination | int | Fraction) else NotImplemented

    def __rsub__(self, other: object) -> Fraction | Self:
        return self * -1 + other if isinstance(other, int | Fraction) else NotImplemented

    def __truediv__(self, other: object) -> Fraction | Self:
        return self * Fraction(1, other) if isinstance(other, int | Fraction) else NotImplemented

    def enclosure(self, digits: int) -> tuple[Decimal, Decimal]:
        """Return two decimals around the number, about `digits` digits apart from each other.

        Parameters
        ----------
        digits
            How many digits apart the decimals are, about.
        """
        precision = digits + GUARD
        with localcontext(prec=precision):
            values = [Decimal(c.numerator) * self._number(n, precision) / Decimal(c.denominator) for n, c in self.terms]
            centre = sum(values, Decimal(0))
            slack = sum((abs(value) for value in values), Decimal(0)).scaleb(-digits)
            return centre - slack, centre + slack


def residue(number: Fraction | int) -> int:
    """Return a rational number in the field of `FIELD` elements.

    Numbers made of rationals and logarithms of primes are mapped into that field by sending every such
    logarithm to a fixed element. Equal numbers have equal images, however they were computed; different
    ones have different images, but for a chance of about one in 2**120.
    """
    return number.numerator * inverse(number.denominator) % FIELD


@lru_cache(maxsize=65536)
def log_residue(number: int | Fraction) -> int:
    """Return the image of the logarithm of a positive number: the sum of those of its prime factors."""
    from hashlib import sha256  # slow to load

    powers = factors_of_ratio(number) if isinstance(number, Fraction) else dict(factors(number))
    digests = ((sha256(str(prime).encode()).digest(), power) for prime, power in powers.items())
    return sum(int.from_bytes(digest, "big") * power for digest, power in digests) % FIELD


@lru_cache(maxsize=65536)
def inverse(number: int) -> int:
    """Return the inverse of an element of the field of `FIELD` elements."""
    return pow(number, -1, FIELD)


@lru_cache(maxsize=65536)
def natural_log(number: int | Fraction, digits: int) -> Decimal:
    """Return the natural logarithm of a positive number, correct to so many digits."""
    if isinstance(number, Fraction):
        # what cancels in the difference is made up for; the caller's guard digits cover the rest
        with localcontext(prec=digits + GUARD):
            return natural_log(number.numerator, digits + GUARD) - natural_log(number.denominator, digits + GUARD)
    with localcontext(prec=digits):
        return Decimal(number).ln()


def small_ratio(fingerprint: int) -> Fraction | None:
    """Return the fraction of small numerator and denominator with this image in the field, or None.

    Parameters
    ----------
    fingerprint
        An element of the field of `FIELD` elements.

    Examples
    --------
    >>> small_ratio(residue(Fraction(-2, 7))), small_ratio(log_residue(3))
    (Fraction(-2, 7), None)
    """
    before, after, none, one = FIELD, fingerprint, 0, 1
    while after > _SMALL:
        share = before // after
        before, after, none, one = after, before - share * after, one, none - share * one
    return Fraction(after, one) if 0 < abs(one) <= _SMALL else None


def enclosure_of(number: Any, digits: int) -> tuple[Decimal, Decimal]:
    """Return two decimals around a certified or a rational number.

    Parameters
    ----------
    number
        The number.
    digits
        About how many digits they are apart.
    """
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
