r"""Exact sums of logarithms, the values of measures that count information.

A sum :math:`\sum_i c_i \ln n_i` with rational coefficients and whole numbers is one over primes, and the
logarithms of primes are linearly independent over the rationals, because whole numbers have one
factorisation. So two sums are the same number exactly when their coefficients agree: nothing is assumed.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction

from attrs import frozen

from measurand.errors import ParameterError
from measurand.exact.certified import FIELD, GUARD, Certified, log_residue, natural_log, residue
from measurand.exact.factors import factors


@frozen(eq=False, repr=False)
class Logs(Certified):
    r"""The exact number :math:`\sum_p c_p \ln p`.

    Parameters
    ----------
    terms
        The coefficients: `(p, c_p)` for increasing primes `p`, none zero.

    Examples
    --------
    >>> log(6) - log(2)
    Logs(1 ln 3)
    >>> log(8) - 3 * log(2), float(log(2))
    (Fraction(0, 1), 0.6931471805599453)
    """

    terms: tuple[tuple[int, Fraction], ...]

    def __add__(self, other: object) -> Fraction | Logs:
        if isinstance(other, Logs):
            return _simplify([*self.terms, *other.terms])
        return self if isinstance(other, int | Fraction) and other == 0 else NotImplemented

    __radd__ = __add__

    def __mul__(self, factor: object) -> Fraction | Logs:
        if not isinstance(factor, int | Fraction):
            return NotImplemented
        return _simplify((p, c * factor) for p, c in self.terms)

    __rmul__ = __mul__

    def __neg__(self) -> Fraction | Logs:
        return self * -1

    def __sub__(self, other: object) -> Fraction | Logs:
        return self + other * -1 if isinstance(other, Logs | int | Fraction) else NotImplemented

    def __rsub__(self, other: object) -> Fraction | Logs:
        return self * -1 + other if isinstance(other, int | Fraction) else NotImplemented

    def __truediv__(self, other: object) -> Fraction | Logs:
        return self * Fraction(1, other) if isinstance(other, int | Fraction) else NotImplemented

    def fingerprint(self) -> int:
        """Return the image of the number under `ln p` ↦ fixed elements of a finite field."""
        return sum(residue(c) * log_residue(p) for p, c in self.terms) % FIELD

    def enclosure(self, digits: int) -> tuple[Decimal, Decimal]:
        """Return two decimals around the number, about `digits` digits apart from each other."""
        precision = digits + GUARD
        with localcontext(prec=precision):
            values = [Decimal(c.numerator) * natural_log(p, precision) / Decimal(c.denominator) for p, c in self.terms]
            centre = sum(values, Decimal(0))
            slack = sum((abs(value) for value in values), Decimal(0)).scaleb(-digits)
            return centre - slack, centre + slack

    def __repr__(self) -> str:
        return f"Logs({' + '.join(f'{c} ln {p}' for p, c in self.terms)})"


def log(number: int | Fraction) -> Fraction | Logs:
    """Return the natural logarithm of a positive rational number.

    Parameters
    ----------
    number
        A positive rational number.

    Examples
    --------
    >>> log(Fraction(9, 2)), log(1)
    (Logs(-1 ln 2 + 2 ln 3), Fraction(0, 1))
    """
    return log_sum([(number, 1)])


def log_sum(pairs: Iterable[tuple[int | Fraction, int | Fraction]]) -> Fraction | Logs:
    """Return the sum of coefficient times the logarithm of a number, for `(number, coefficient)`.

    Parameters
    ----------
    pairs
        Numbers with their coefficients.

    Examples
    --------
    >>> log_sum([(6, 1), (4, Fraction(1, 2))])
    Logs(2 ln 2 + 1 ln 3)
    """
    # equal numbers are added up before they are taken apart
    counted: dict[int, int | Fraction] = {}
    for number, coefficient in pairs:
        if number <= 0:
            raise ParameterError(f"{number} has no logarithm; it must be above 0")
        counted[number.numerator] = counted.get(number.numerator, 0) + coefficient
        if number.denominator > 1:
            counted[number.denominator] = counted.get(number.denominator, 0) - coefficient
    return _simplify((p, power * c) for whole, c in counted.items() if c for p, power in factors(whole))


def _simplify(terms: Iterable[tuple[int, int | Fraction]]) -> Fraction | Logs:
    total: dict[int, int | Fraction] = {}
    for p, c in terms:
        total[p] = total.get(p, 0) + c
    kept = tuple(sorted((p, Fraction(c)) for p, c in total.items() if c))
    return Logs(kept) if kept else Fraction(0)
