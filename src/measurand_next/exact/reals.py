"""Exact real numbers: sums of powers of 2, of logarithms and of their quotients, and quotients of such sums.

Equal numbers have the same image in a finite field, however they were computed; different ones are put in order by
decimals of growing precision. That logarithms of primes are independent rests on Schanuel's conjecture.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache, total_ordering
from hashlib import sha256
from math import gcd, prod
from typing import NamedTuple, TypeAlias

from attrs import frozen

from measurand_next.errors import ParameterError

FIELD = 2**256 - 36113
"""A prime. Half of it, rounded down, is one too, so that 2 has one root of each order that is itself a square."""

SMALL = 2**100
"""Fractions of smaller numbers are recognised by their image alone; one image in 2**56 looks so by chance."""

FIRST_DIGITS, GUARD = 30, 12
"""Comparisons begin with so many digits; rounding in between is hidden by more."""


class Term(NamedTuple):
    """What a coefficient belongs to: 2^exponent · ln(prime) / ln(base) / below, without what is 1 or None."""

    exponent: int | Fraction = 0
    prime: int = 1
    base: int = 1
    below: Real | None = None


ONE = Term()


@total_ordering
@frozen(eq=False, repr=False)
class Real:
    """A real number that is no fraction, exactly.

    Sums and differences, multiples by fractions and powers of 2, and quotients of numbers that are none themselves
    are exact too, and fractions wherever they are rational; other products and quotients are a `TypeError`.

    Attributes
    ----------
    terms
        The coefficients of a sum.
    image
        The number under a map that keeps sums and products, into the field of `FIELD` elements.

    Examples
    --------
    >>> half = inverse_log(3) / (1 + inverse_log(3))
    >>> half == inverse_log(6), half - inverse_log(6), inverse_log(3) < Fraction(2, 3), float(inverse_log(3))
    (True, Fraction(0, 1), True, 0.6309297535714574)
    """

    terms: dict[Term, Fraction]
    image: int

    def __add__(self, other: object) -> Exact:
        if not isinstance(other, Real | Fraction | int):
            return NotImplemented
        other = _real(other)
        return _simplest([*self.terms.items(), *other.terms.items()], self.image + other.image)

    __radd__ = __add__

    def __mul__(self, other: object) -> Exact:
        if isinstance(other, Fraction | int):
            terms = ((term, coefficient * other) for term, coefficient in self.terms.items())
            return _simplest(terms, self.image * _residue(other))
        if not isinstance(other, Real) or _parts(self) & _parts(other):
            return NotImplemented
        pairs = (_product(one, c, another, d) for one, c in self.terms.items() for another, d in other.terms.items())
        return _simplest(pairs, self.image * other.image)

    __rmul__ = __mul__

    def __neg__(self) -> Exact:
        return self * -1

    def __sub__(self, other: object) -> Exact:
        return self + -other if isinstance(other, Real | Fraction | int) else NotImplemented

    def __rsub__(self, other: object) -> Exact:
        return -self + other if isinstance(other, Fraction | int) else NotImplemented

    def __truediv__(self, other: object) -> Exact:
        if isinstance(other, Fraction | int):
            return self * Fraction(1, other)
        return _quotient(self, other) if isinstance(other, Real) else NotImplemented

    def __rtruediv__(self, other: object) -> Exact:
        return _quotient(_real(other), self) if isinstance(other, Fraction | int) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return self.image == _real(other).image if isinstance(other, Real | Fraction | int) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.image)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Real | Fraction | int):
            return NotImplemented
        return self != other and _is_below(self, _real(other))

    def __float__(self) -> float:
        digits = FIRST_DIGITS
        while float((ends := enclosure(self, digits))[0]) != float(ends[1]):
            digits *= 2
        return float(ends[0])

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)

    def __str__(self) -> str:
        ordered = sorted(self.terms, key=lambda term: (term.below is not None, term[:3]))
        return " + ".join(_spelled(term, self.terms[term]) for term in ordered)

    def __repr__(self) -> str:
        return f"Real({self})"


Exact: TypeAlias = Fraction | Real


def log(number: int | Fraction) -> Exact:
    """The natural logarithm of a positive number."""
    if number <= 0:
        raise ParameterError(f"{number} has no logarithm: it is not above 0")
    terms = [(Term(prime=prime), Fraction(power)) for prime, power in prime_powers(number).items()]
    return _simplest(terms, _log_image(number))


@lru_cache(maxsize=65536)
def inverse_log(number: int | Fraction, base: int | Fraction = 2) -> Exact:
    """1 / log_base(number), of a whole number above 1."""
    if number.denominator > 1 or number < 2:
        raise ParameterError(f"1 / log({number}) can be had as a float only: {number} is no whole number above 1")
    powers = prime_powers(number)
    power = gcd(*powers.values())
    root = prod(prime ** (each // power) for prime, each in powers.items())
    shares = {prime: Fraction(each, power) for prime, each in prime_powers(base).items()}
    # ln(root) is a sum over its primes: the quotient of the last one is written by those of the others
    *others, last = sorted(powers)
    share = shares.pop(last, Fraction(0)) * power / powers[last]
    for prime in others:
        shares[prime] = shares.get(prime, Fraction(0)) - share * powers[prime] / power
    terms = ((Term(prime=prime, base=root), share) for prime, share in shares.items())
    return _simplest([(ONE, share), *terms], _log_image(base) * _inverse(_log_image(number)))


@lru_cache(maxsize=65536)
def power_of_two(exponent: Fraction) -> Exact:
    """2 to the power of a fraction."""
    whole, part = divmod(exponent, 1)
    root = pow(exponent.denominator, -1, FIELD // 2)
    return _simplest(
        [(Term(exponent=part or 0), Fraction(2) ** whole)], pow(2, exponent.numerator * root % (FIELD // 2), FIELD)
    )


def weighted_sum(pairs: Iterable[tuple[Exact | int, Fraction | int]]) -> Exact:
    """The sum of numbers times their weights, all at once."""
    terms: list[tuple[Term, Fraction]] = []
    image = 0
    for number, weight in pairs:
        real = _real(number)
        terms += ((term, coefficient * weight) for term, coefficient in real.terms.items())
        image += real.image * _residue(weight)
    return _simplest(terms, image)


def enclosure(number: Exact | int, digits: int) -> tuple[Decimal, Decimal]:
    """Two decimals around a number, about so many digits apart."""
    return _enclosure(_real(number), digits)


@lru_cache(maxsize=65536)
def prime_powers(number: int | Fraction) -> dict[int, int]:
    """The prime factors of a positive number with their powers, which are negative below the line."""
    powers: dict[int, int] = {}
    for part, sign in ((number.numerator, 1), (number.denominator, -1)):
        left, prime = part, 2
        while left > 1:
            if prime * prime > left:
                prime = left
            while left % prime == 0:
                left //= prime
                powers[prime] = powers.get(prime, 0) + sign
            prime += 1
    return powers


def _real(number: Exact | int) -> Real:
    """A number as a sum, fractions too."""
    return number if isinstance(number, Real) else Real({ONE: Fraction(number)}, _residue(number))


def _simplest(pairs: Iterable[tuple[Term, Fraction]], image: int) -> Exact:
    """The sum of terms with their coefficients, a fraction where it is one."""
    total: dict[Term, Fraction] = {}
    for term, coefficient in pairs:
        total[term] = total[term] + coefficient if term in total else coefficient
    for below in {term.below for term in total}:
        if below is not None:
            _cancel(total, below)
    terms = {term: coefficient for term, coefficient in total.items() if coefficient}
    number = Real(terms, image % FIELD)
    kinds = {term.below for term in terms if term != ONE}
    if not kinds:
        return terms.get(ONE, Fraction(0))
    # only these may be a fraction that does not look like one, as 1 / (1 + 1/log_2(3)) + 1/log_2(6) = 1
    return _recognised(number) if len(kinds) > 1 else number


def _cancel(total: dict[Term, Fraction], below: Real) -> None:
    """Write the quotient of the last term of what stands below by those of the others: so the whole quotient is 1."""
    last = _last(below)
    share = total.pop(_over(last, below), None)
    if share:
        for term, coefficient in below.terms.items():
            key, change = (ONE, share) if term == last else (_over(term, below), -share * coefficient)
            total[key] = total.get(key, Fraction(0)) + change


def _recognised(number: Real) -> Exact:
    """A number, or the fraction that its image and its digits say it is."""
    before, after, none, one = FIELD, number.image, 0, 1
    while after > SMALL:
        share = before // after
        before, after, none, one = after, before - share * after, one, none - share * one
    if abs(one) <= SMALL:
        fraction = Fraction(after, one)
        low, high = enclosure(number, FIRST_DIGITS)
        if low <= fraction <= high:
            return fraction
    return number


def _parts(number: Real) -> set[str]:
    """What a product of two terms cannot have twice."""
    return {part for term in number.terms for part in (term.prime > 1 and "log", term.below and "below") if part}


def _product(one: Term, c: Fraction, other: Term, d: Fraction) -> tuple[Term, Fraction]:
    """The product of two terms of which only one has logarithms, and only one something below."""
    whole, part = divmod(one.exponent + other.exponent, 1)
    term = Term(part or 0, one.prime * other.prime, one.base * other.base, one.below or other.below)
    return term, c * d * 2**whole


def _quotient(above: Real, below: Real) -> Exact:
    """A number by another that is no quotient itself."""
    if len(below.terms) == 1 and not _parts(below):
        [(term, coefficient)] = below.terms.items()
        return above * (power_of_two(Fraction(-term.exponent)) / coefficient)
    if "below" in _parts(above) | _parts(below):
        raise TypeError("exact numbers are divided once: neither of the two may be a quotient of sums already")
    factor, divisor = 1 / below.terms[_last(below)], _with_last_one(below)
    terms = ((_over(term, divisor), coefficient * factor) for term, coefficient in above.terms.items())
    return _simplest(terms, above.image * _inverse(below.image))


@lru_cache(maxsize=65536)
def _last(number: Real) -> Term:
    return max(term for term in number.terms if term.below is None)


@lru_cache(maxsize=65536)
def _with_last_one(number: Real) -> Real:
    """The multiple whose last coefficient is 1: what all of them are written over."""
    return _real(number / number.terms[_last(number)])


def _over(term: Term, below: Real) -> Term:
    return Term(term.exponent, term.prime, term.base, below)


# ------------------------------------------------------------------------------------------------ images and decimals


@lru_cache(maxsize=65536)
def _inverse(element: int) -> int:
    return pow(element, -1, FIELD)


def _residue(number: Fraction | int) -> int:
    return number.numerator * _inverse(number.denominator) % FIELD


@lru_cache(maxsize=65536)
def _log_image(number: int | Fraction) -> int:
    digests = ((sha256(str(prime).encode()).digest(), power) for prime, power in prime_powers(number).items())
    return sum(int.from_bytes(digest, "big") * power for digest, power in digests) % FIELD


def _is_below(one: Real, other: Real) -> bool:
    """Whether the first of two different numbers is smaller."""
    digits = FIRST_DIGITS
    while True:
        (low, high), (other_low, other_high) = enclosure(one, digits), enclosure(other, digits)
        if high < other_low or other_high < low:
            return high < other_low
        digits *= 2


def _precision(digits: int) -> AbstractContextManager[Context]:
    """Decimals of so many digits and of any size, whatever this thread has set for its own."""
    return localcontext(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN))


@lru_cache(maxsize=4096)
def _enclosure(number: Real, digits: int) -> tuple[Decimal, Decimal]:
    low = high = size = Decimal(0)
    with _precision(digits + GUARD):
        for term, coefficient in number.terms.items():
            value = Decimal(coefficient.numerator) / coefficient.denominator * _decimal(*term[:3], digits + GUARD)
            ends = [value] if term.below is None else [value / side for side in _sides(term.below, digits)]
            low, high, size = low + min(ends), high + max(ends), size + max(map(abs, ends))
        # what rounding does to a term is far below this share of it
        slack = size.scaleb(-digits)
        return low - slack, high + slack


def _sides(number: Real, digits: int) -> tuple[Decimal, Decimal]:
    """Decimals around a number that are on the same side of 0."""
    while (ends := enclosure(number, digits))[0] <= 0 <= ends[1]:
        digits *= 2
    return ends


@lru_cache(maxsize=65536)
def _decimal(exponent: int | Fraction, prime: int, base: int, digits: int) -> Decimal:
    with _precision(digits):
        power = (_ln(2, digits) * exponent.numerator / exponent.denominator).exp()
        return power * (_ln(prime, digits) if prime > 1 else 1) / (_ln(base, digits) if base > 1 else 1)


@lru_cache(maxsize=65536)
def _ln(number: int, digits: int) -> Decimal:
    with _precision(digits):
        return Decimal(number).ln()


def _spelled(term: Term, coefficient: Fraction) -> str:
    logs = [f"ln({term.prime})"] * (term.prime > 1)
    factors = [f"2^({term.exponent})"] * (term.exponent != 0) + logs
    product = " ".join(factors if factors and coefficient == 1 else [str(coefficient), *factors])
    base = f"/ln({term.base})" if term.base > 1 else ""
    return f"{product}{base}" + (f"/({term.below})" if term.below else "")
