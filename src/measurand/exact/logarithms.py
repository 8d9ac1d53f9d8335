r"""Exact sums of logarithms and of their inverses, quotients of the latter, and sums of quotients.

Sums of inverse logarithms are the values of discounted measures. A discount :math:`1/\log_b i` is a rational
multiple of :math:`\ln r/\ln k`, where `k` is the smallest number of which `i` is a power and `r` that of `b`: whole
numbers, or fractions where `i` is one.
Sums over ranks therefore live in the vector space over the rationals that 1 and the numbers :math:`\ln r/\ln k`
span, and two sums are the same number exactly when their coefficients agree. That the logarithms of primes are
algebraically independent, on which this rests, follows from Schanuel's conjecture. Quotients of such sums, and sums
of quotients, can be equal in less obvious ways; `fingerprint` decides those.

Sums of logarithms are the values of measures of information. A sum :math:`\sum_i c_i \ln n_i` with rational
coefficients and whole numbers is one over primes, and the logarithms of primes are linearly independent over the
rationals, because whole numbers have one factorisation. So two sums are the same number exactly when their
coefficients agree: nothing is assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from math import lcm
from typing import Self

from attrs import frozen

from measurand.errors import ParameterError
from measurand.exact.certified import (
    FIELD,
    GUARD,
    Certified,
    Combination,
    enclosure_of,
    factors,
    inverse,
    log_residue,
    natural_log,
    primitive_ratio,
    primitive_root,
    residue,
    small_ratio,
)
from measurand.exact.powers import PowersOfTwo
from measurand.exact.rationals import rational


@frozen(eq=False, repr=False)
class Logs(Combination):
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

    def __add__(self, other: object) -> Fraction | Self:
        if isinstance(other, Logs):
            return self._of([*self.terms, *other.terms])
        return self if isinstance(other, int | Fraction) and other == 0 else NotImplemented

    def _of(self, terms: Iterable[tuple[int, Fraction]]) -> Fraction | Self:
        return _simplified(terms)  # type: ignore[return-value]

    def _number(self, name: int, digits: int) -> Decimal:
        return natural_log(name, digits)

    def fingerprint(self) -> int:
        """Return the image of the number under `ln p` ↦ fixed elements of a finite field."""
        return sum(residue(c) * log_residue(p) for p, c in self.terms) % FIELD

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
        Pairs of a positive number and its coefficient.

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
    return _simplified((p, power * c) for whole, c in counted.items() if c for p, power in factors(whole))


def _simplified(terms: Iterable[tuple[int, int | Fraction]]) -> Fraction | Logs:
    total: dict[int, int | Fraction] = {}
    for p, c in terms:
        total[p] = total.get(p, 0) + c
    kept = tuple(sorted((p, Fraction(c)) for p, c in total.items() if c))
    return Logs(kept) if kept else Fraction(0)


@frozen(eq=False, repr=False)
class InverseLogs(Certified):
    r"""The exact number :math:`c_1 + \sum_k c_k \ln r / \ln k`.

    Parameters
    ----------
    root
        The whole number `r` that is not a power of another.
    terms
        The coefficients: `(k, c_k)` for increasing `k`, none zero; `k = 1` carries the rational part. Each `k` is
        no power of another number.

    Examples
    --------
    >>> 1 + inverse_log(3, 2)
    InverseLogs(1 + 1/log_2(3))
    >>> float(1 + inverse_log(3, 2))
    1.6309297535714575
    >>> inverse_log(4, 2) + inverse_log(8, 2) + inverse_log(64, 2)
    Fraction(1, 1)
    """

    root: int
    terms: tuple[tuple[int | Fraction, Fraction], ...]

    def __add__(self, other: object) -> Fraction | InverseLogs:
        if isinstance(other, int | Fraction):
            return _simplified_inverses(self.root, [*self.terms, (1, Fraction(other))])
        if isinstance(other, InverseLogs) and other.root == self.root:
            return _simplified_inverses(self.root, [*self.terms, *other.terms])
        return NotImplemented

    __radd__ = __add__

    def __mul__(self, factor: object) -> Fraction | InverseLogs:
        if not isinstance(factor, int | Fraction):
            return NotImplemented
        return _simplified_inverses(self.root, [(k, c * factor) for k, c in self.terms])

    __rmul__ = __mul__

    def __neg__(self) -> Fraction | InverseLogs:
        return self * -1

    def __sub__(self, other: object) -> Exact:
        if not isinstance(other, int | Fraction | InverseLogs):
            return NotImplemented
        return self + other * -1

    def __rsub__(self, other: object) -> Exact:
        return self * -1 + other if isinstance(other, int | Fraction) else NotImplemented

    def __truediv__(self, other: object) -> Exact:
        if isinstance(other, int | Fraction):
            return self * Fraction(1, other)
        return quotient(self, other) if isinstance(other, InverseLogs) else NotImplemented

    def __rtruediv__(self, other: object) -> Exact:
        return quotient(other, self) if isinstance(other, int | Fraction) else NotImplemented

    def fingerprint(self) -> int:
        """Return the image of the number under `ln p` ↦ fixed elements of a finite field."""
        root = log_residue(self.root)
        shares = (residue(c) * (1 if k == 1 else root * inverse(log_residue(k))) for k, c in self.terms)
        return sum(shares) % FIELD

    def __repr__(self) -> str:
        parts = [_term(self.root, k, c) for k, c in self.terms]
        return f"InverseLogs({' + '.join(parts)})"

    def enclosure(self, digits: int) -> tuple[Decimal, Decimal]:
        """Return two decimals around the number, about `digits` digits apart from each other.

        Parameters
        ----------
        digits
            How many digits apart the decimals are, about.
        """
        precision = digits + GUARD
        with localcontext(prec=precision):
            values = [
                Decimal(c.numerator) / Decimal(c.denominator)
                if k == 1
                else Decimal(c.numerator)
                * natural_log(self.root, precision)
                / (Decimal(c.denominator) * natural_log(k, precision))
                for k, c in self.terms
            ]
            centre = sum(values, Decimal(0))
            # five correctly rounded operations a term, each below 10**-digits by far
            slack = sum((abs(value) for value in values), Decimal(0)).scaleb(-digits)
            return centre - slack, centre + slack


class _Addable(Certified):
    """Sums and differences of quotients with each other and with simpler numbers."""

    __slots__ = ()

    @property
    def root(self) -> int:
        """The root of the logarithms."""
        raise NotImplementedError

    def __add__(self, other: object) -> Exact:
        if isinstance(other, int | Fraction):
            return quotient_sum([self, Fraction(other)])  # type: ignore[list-item]
        if not isinstance(other, InverseLogs | Quotient | QuotientSum) or other.root != self.root:
            return NotImplemented
        return quotient_sum([self, other])  # type: ignore[list-item]

    __radd__ = __add__

    def __mul__(self, factor: object) -> Exact:
        raise NotImplementedError

    def __neg__(self) -> Exact:
        return self * -1

    def __sub__(self, other: object) -> Exact:
        return self + other * -1 if isinstance(other, int | Fraction | InverseLogs | _Addable) else NotImplemented

    def __rsub__(self, other: object) -> Exact:
        return self * -1 + other if isinstance(other, int | Fraction | InverseLogs) else NotImplemented

    def __truediv__(self, divisor: object) -> Exact:
        return self * Fraction(1, divisor) if isinstance(divisor, int | Fraction) else NotImplemented


@frozen(eq=False, repr=False)
class Quotient(_Addable):
    """The exact quotient of two numbers that need not have a common form.

    Made by `quotient`, which cancels where the quotient is rational.

    Parameters
    ----------
    above, below
        Numerator and denominator, both sums of inverse logarithms or rational.

    Examples
    --------
    >>> share = quotient(inverse_log(3, 2), 1 + inverse_log(3, 2))
    >>> share == inverse_log(6, 2), share - inverse_log(6, 2), share + share == 2 * share
    (True, Fraction(0, 1), True)
    """

    above: Fraction | InverseLogs
    below: InverseLogs

    @property
    def root(self) -> int:
        """The root of the logarithms."""
        return self.below.root

    def __mul__(self, factor: object) -> Exact:
        return quotient(self.above * factor, self.below) if isinstance(factor, int | Fraction) else NotImplemented

    __rmul__ = __mul__

    def fingerprint(self) -> int:
        """Return the image of the number under `ln p` ↦ fixed elements of a finite field."""
        above = residue(self.above) if isinstance(self.above, Fraction) else self.above.fingerprint()
        return above * inverse(self.below.fingerprint()) % FIELD

    def __repr__(self) -> str:
        return f"Quotient({self.above!r}, {self.below!r})"

    def enclosure(self, digits: int) -> tuple[Decimal, Decimal]:
        """Return two decimals around the number, about `digits` digits apart from each other.

        Parameters
        ----------
        digits
            How many digits apart the decimals are, about.
        """
        low, high = enclosure_of(self.above, digits + 3)
        below_low, below_high = enclosure_of(self.below, digits + 3)
        with localcontext(prec=digits + GUARD):
            corners = [a / b for a in (low, high) for b in (below_low, below_high)]
            slack = max(abs(corner) for corner in corners).scaleb(-digits - 3)
            return min(corners) - slack, max(corners) + slack


@frozen(eq=False, repr=False)
class QuotientSum(_Addable):
    """The exact sum of quotients that have no common denominator.

    Made by `quotient_sum`, which simplifies where the sum is another kind of number.

    Parameters
    ----------
    plain
        The sum of all parts that are no quotients.
    quotients
        The quotients, no two with the same denominator.
    """

    plain: Fraction | InverseLogs
    quotients: tuple[Quotient, ...]

    @property
    def root(self) -> int:
        """The root of the logarithms."""
        return self.quotients[0].root

    def __mul__(self, factor: object) -> Exact:
        if not isinstance(factor, int | Fraction):
            return NotImplemented
        return quotient_sum([self.plain * factor, *(each * factor for each in self.quotients)])

    __rmul__ = __mul__

    def fingerprint(self) -> int:
        """Return the image of the number under `ln p` ↦ fixed elements of a finite field."""
        plain = residue(self.plain) if isinstance(self.plain, Fraction) else self.plain.fingerprint()
        return (plain + sum(each.fingerprint() for each in self.quotients)) % FIELD

    def enclosure(self, digits: int) -> tuple[Decimal, Decimal]:
        """Return two decimals around the number, about `digits` digits apart from each other.

        Parameters
        ----------
        digits
            How many digits apart the decimals are, about.
        """
        parts = [enclosure_of(part, digits + 3) for part in (self.plain, *self.quotients)]
        with localcontext(prec=digits + GUARD):
            slack = sum((max(abs(low), abs(high)) for low, high in parts), Decimal(0)).scaleb(-digits - 3)
            return sum(low for low, _ in parts) - slack, sum(high for _, high in parts) + slack

    def __repr__(self) -> str:
        return f"QuotientSum({', '.join(map(repr, (self.plain, *self.quotients)))})"


Exact = Fraction | InverseLogs | Quotient | QuotientSum | Logs | PowersOfTwo
"""An exact number: the type of every value that decides something."""


def inverse_log(number: int | Fraction, base: int) -> Fraction | InverseLogs:
    r"""Return :math:`1/\log_{base} number`, for numbers above 1.

    Parameters
    ----------
    number
        A rational number above 1.
    base
        A whole number above 1.

    Examples
    --------
    >>> inverse_log(8, 2), inverse_log(8, 4), inverse_log(3, 2), inverse_log(Fraction(9, 4), 2)
    (Fraction(1, 3), Fraction(2, 3), InverseLogs(1/log_2(3)), InverseLogs(1/(2 log_2(3/2))))
    """
    root, base_power = primitive_root(base)
    k, power = primitive_ratio(number) if isinstance(number, Fraction) else primitive_root(number)
    share = Fraction(base_power, power)
    return share if k == root else InverseLogs(root, ((k, share),))


def quotient(above: Fraction | int | InverseLogs, below: Fraction | int | InverseLogs) -> Exact:
    """Return above / below, cancelled to a fraction where it is one.

    Parameters
    ----------
    above, below
        Rational numbers or sums of inverse logarithms; `below` is not 0.

    Examples
    --------
    >>> quotient(inverse_log(3, 2), 2 * inverse_log(3, 2))
    Fraction(1, 2)
    >>> float(quotient(1, 1 + inverse_log(3, 2)))
    0.6131471927654584
    """
    if isinstance(below, int | Fraction):
        return above * Fraction(1, below)
    lead = below.terms[-1][1]
    if isinstance(above, InverseLogs):
        factor = above.terms[-1][1] / lead
        # whether it is so many times as large, as fingerprints tell
        if above.fingerprint() == below.fingerprint() * residue(factor) % FIELD:
            return factor
        scaled = above if lead == 1 else above * (1 / lead)
    else:
        if above == 0:
            return Fraction(0)
        scaled = rational(above) / lead
    unit = below if lead == 1 else below * (1 / lead)
    assert isinstance(unit, InverseLogs)  # a multiple of what is irrational is irrational
    return Quotient(scaled, unit)


def quotient_sum(parts: Iterable[Exact]) -> Exact:
    """Return the sum of quotients and other numbers, as the simplest kind of number that it is.

    Parameters
    ----------
    parts
        Quotients of sums of inverse logarithms to one base, such sums, and rational numbers.

    Examples
    --------
    >>> half = quotient(1, 1 + inverse_log(3, 2))
    >>> quotient_sum([half, inverse_log(6, 2)]), quotient_sum([half, half]) == 2 * half
    (Fraction(1, 1), True)
    >>> float(quotient_sum([half, quotient(1, 1 + inverse_log(5, 2))]))
    1.3121171971014771
    """
    above: dict[InverseLogs, list[tuple[Fraction | InverseLogs, int]]] = {}
    plain: list[tuple[Fraction | InverseLogs, int]] = []
    for part in parts:
        if isinstance(part, Logs | PowersOfTwo):
            raise TypeError("numbers of another kind cannot be added to quotients of inverse logarithms")
        known = part if isinstance(part, QuotientSum) else _as_sum(part)
        plain.append((known.plain, 1))
        for each in known.quotients:
            above.setdefault(each.below, []).append((each.above, 1))
    sums = [quotient(weighted_sum(several), below) for below, several in above.items()]
    left = tuple(each for each in sums if isinstance(each, Quotient))
    rest = weighted_sum([*plain, *((each, 1) for each in sums if isinstance(each, Fraction | InverseLogs))])
    if not left:
        return rest
    if len(left) == 1 and isinstance(rest, Fraction):
        return quotient(left[0].above + left[0].below * rest, left[0].below)
    return _simplest(QuotientSum(rest, left))


def _as_sum(number: Fraction | InverseLogs | Quotient) -> QuotientSum:
    return QuotientSum(Fraction(0), (number,)) if isinstance(number, Quotient) else QuotientSum(number, ())


def _simplest(number: QuotientSum) -> Fraction | QuotientSum:
    """Return a sum of quotients, or the fraction that it is."""
    fraction = small_ratio(number.fingerprint())
    if fraction is None:
        return number
    # by chance alone, numbers that are no fractions have the fingerprint of one; their digits tell
    low, high = number.enclosure(GUARD)
    return fraction if low <= Decimal(fraction.numerator) / Decimal(fraction.denominator) <= high else number


def weighted_sum(pairs: Iterable[tuple[Fraction | InverseLogs, Fraction | int]]) -> Fraction | InverseLogs:
    """Return the sum of weight times coefficient, in one pass over the terms.

    Parameters
    ----------
    pairs
        Pairs of a weight and its coefficient.

    Examples
    --------
    >>> weighted_sum([(inverse_log(4, 2), 2), (inverse_log(3, 2), 1)])
    InverseLogs(1 + 1/log_2(3))
    """
    root = 2
    terms: list[tuple[int | Fraction, Fraction]] = []
    for weight, coefficient in pairs:
        if isinstance(weight, InverseLogs):
            root = weight.root
            terms.extend(weight.terms if coefficient == 1 else ((k, c * coefficient) for k, c in weight.terms))
        else:
            terms.append((1, weight if coefficient == 1 else weight * coefficient))
    return _simplified_inverses(root, terms)


def _simplified_inverses(root: int, terms: Iterable[tuple[int | Fraction, Fraction]]) -> Fraction | InverseLogs:
    parts: dict[int | Fraction, list[Fraction]] = {}
    for k, c in terms:
        parts.setdefault(k, []).append(c)
    kept: Mapping[int | Fraction, Fraction] = {k: c for k, several in parts.items() if (c := _sum(several))}
    if not kept.keys() - {1}:
        return kept.get(1, Fraction(0))
    return InverseLogs(root, tuple(sorted(kept.items())))


def _sum(parts: list[Fraction]) -> Fraction:
    """Return the sum of fractions, over one denominator where there are several, so that it is reduced once."""
    if len(parts) < 3:
        return parts[0] if len(parts) == 1 else parts[0] + parts[1]
    below = lcm(*(part.denominator for part in parts))
    return Fraction(sum(part.numerator * (below // part.denominator) for part in parts), below)


def _term(root: int, k: int | Fraction, c: Fraction) -> str:
    if k == 1:
        return str(c)
    below = f"log_{root}({k})"
    return f"{c.numerator}/{below}" if c.denominator == 1 else f"{c.numerator}/({c.denominator} {below})"
