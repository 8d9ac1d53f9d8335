r"""Roots of polynomials between 0 and 1: all of them, each enclosed by two fractions that are as close as one likes.

A polynomial of degree n is written with the Bernstein polynomials of an interval,
:math:`\sum_i b_i \binom{n}{i} x^i (1 - x)^{n - i}`. By Descartes' rule of signs it has no more roots inside the
interval than its coefficients :math:`b_i` change their sign, and as many up to an even number: none where the sign does
not change, one where it changes once. An interval on which it changes more often is halved, and means of neighbouring
coefficients give those of the halves. That comes to an end where no root is multiple (Vincent; Collins and Akritas), so
the polynomial is first divided by what it has in common with its derivative.

Coefficients are whole numbers of units of :math:`2^{-bits}`. Taking means adds no error but that of the last rounding,
so it is known which signs are certain; where too few are, there are more bits. Signs at the ends of intervals are
exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, count, pairwise
from math import comb, gcd, lcm
from operator import add

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import IntArray
from measurand.errors import ParameterError
from measurand.exact.rationals import rational

FIRST_BITS = 128
"""With so many bits intervals are halved at first."""

EVALUATED = (96, 512)
"""With so many bits a value is computed before it is computed exactly."""

WIDTH = Fraction(1, 2**40)
"""How far apart the fractions around a root are at most, at first."""


@frozen(eq=False, repr=False)
class Root:
    """A root of a polynomial between 0 and 1.

    Parameters
    ----------
    low, high : Fraction
        The root is between them, and no other is; both are the root where it is a fraction.
    crosses : bool
        Whether the polynomial changes its sign there.

    Examples
    --------
    >>> root, = roots_between_0_and_1([-1, 0, 2])
    >>> float(root), root.is_rational, root
    (0.7071067811865476, False, Root(0.707107))
    >>> roots_between_0_and_1([1, -4, 4])[0].low
    Fraction(1, 2)
    """

    low: Fraction
    high: Fraction
    crosses: bool
    _polynomial: tuple[int, ...] = field(alias="polynomial")
    _before: int = field(alias="before")

    @property
    def is_rational(self) -> bool:
        """Whether the root is a fraction."""
        return self.low == self.high

    def narrowed(self, width: object) -> Root:
        """Return the same root between two fractions that are closer to each other.

        Parameters
        ----------
        width : number or str
            How far apart they are at most; above 0.

        Examples
        --------
        >>> root = roots_between_0_and_1([-1, 0, 2])[0].narrowed("1e-30")
        >>> root.high - root.low <= Fraction(1, 10**30), root.low**2 < Fraction(1, 2) < root.high**2
        (True, True)
        """
        wanted, low, high = rational(width), self.low, self.high
        if wanted <= 0:
            raise ParameterError(f"width must be above 0, not {width!r}; write it like '1e-30'")
        while high - low > wanted:
            middle = (low + high) / 2
            sign = sign_at(self._polynomial, middle)
            if not sign:
                low = high = middle
            elif sign == self._before:
                low = middle
            else:
                high = middle
        return evolve(self, low=low, high=high)

    def __float__(self) -> float:
        close = self.narrowed(Fraction(1, 2**80) * self.low)
        return float((close.low + close.high) / 2)

    def __repr__(self) -> str:
        return f"Root({self.low if self.is_rational else format(float(self), '.6g')})"


def roots_between_0_and_1(coefficients: Sequence[int | Fraction]) -> tuple[Root, ...]:
    r"""Return all roots of a polynomial between 0 and 1, both left out, in ascending order, each of them once.

    Parameters
    ----------
    coefficients : sequence of int or Fraction
        :math:`c_0, c_1, \dots` of the polynomial :math:`\sum_i c_i x^i`. Where all are 0, there are no roots.

    Returns
    -------
    tuple of Root
        What encloses one root has no point in common with what encloses another, nor with 0 and 1.

    Examples
    --------
    >>> roots_between_0_and_1([2, -7, 6]), roots_between_0_and_1([1, 1]), roots_between_0_and_1([0, 0])
    ((Root(1/2), Root(2/3)), (), ())

    A double root is one at which the sign does not change:

    >>> [(root, root.crosses) for root in roots_between_0_and_1([1, -4, 4])]
    [(Root(1/2), False)]

    References
    ----------
    [CollinsAkritas1976]_
    """
    whole = _inside(_primitive(coefficients))
    if len(whole) < 2:
        return ()
    simple = _square_free(whole)
    ends = sorted(_isolated(simple))
    found = [_as_fraction(Root(low, high, True, simple, before).narrowed(WIDTH)) for low, high, before in ends]
    found = _apart(found)
    if len(simple) == len(whole):
        return tuple(found)
    signs = [sign_at(whole, point) for point in between(found)]
    return tuple(evolve(root, crosses=one != other) for root, (one, other) in zip(found, pairwise(signs), strict=True))


def between(roots: Sequence[Root]) -> list[Fraction]:
    """Return a point below the first root, one between every two neighbours, and one above the last, within (0, 1).

    Parameters
    ----------
    roots
        Roots between 0 and 1, in ascending order.

    Examples
    --------
    >>> between(roots_between_0_and_1([2, -7, 6]))
    [Fraction(1, 4), Fraction(7, 12), Fraction(5, 6)]
    """
    lows, highs = [*(root.low for root in roots), Fraction(1)], [Fraction(0), *(root.high for root in roots)]
    return [(low + high) / 2 for low, high in zip(highs, lows, strict=True)]


def sign_at(coefficients: Sequence[int], x: Fraction) -> int:
    """Return the sign of a polynomial at a fraction from 0 to 1, exactly: -1, 0 or 1.

    Parameters
    ----------
    coefficients
        Whole numbers, that of the lowest power first.
    x
        The fraction.

    Examples
    --------
    >>> [sign_at([2, -7, 6], Fraction(n, 12)) for n in (5, 6, 7, 8, 9)]
    [1, 0, -1, 0, 1]
    """
    above, below = x.numerator, x.denominator
    size = sum(map(abs, coefficients))
    for bits in EVALUATED:
        point, value = (above << bits) // below, 0
        for coefficient in reversed(coefficients):
            value = ((value * point) >> bits) + (coefficient << bits)
        # a step adds at most the size of the value so far for the rounded point, and one unit for rounding it
        if abs(value) > len(coefficients) * (size + 2):
            return _sign(value)
    value, power = 0, 1
    for coefficient in reversed(coefficients):
        value, power = value * above + coefficient * power, power * below
    return _sign(value)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _primitive(coefficients: Sequence[int | Fraction]) -> tuple[int, ...]:
    """Return whole coefficients without a common factor, the last of them not 0."""
    scale = lcm(*(each.denominator for each in coefficients))
    whole = [int(each * scale) for each in coefficients]
    while whole and not whole[-1]:
        whole.pop()
    common = gcd(*whole)
    return tuple(each // common for each in whole)


def _inside(whole: tuple[int, ...]) -> tuple[int, ...]:
    """Return a polynomial divided by its factors x and x - 1."""
    while whole and not whole[0]:
        whole = whole[1:]
    while whole and not sum(whole):
        # sums of the coefficients from the highest on are those of the quotient
        whole = tuple(accumulate(reversed(whole)))[-2::-1]
    return whole


def _isolated(whole: Sequence[int]) -> list[tuple[Fraction, Fraction, int]]:
    """Return what encloses each root of a square-free polynomial alone, and the sign of values just below the root."""
    for bits in (FIRST_BITS << doubled for doubled in count()):
        found = _halved(whole, bits)
        if found is not None:
            return found
    raise AssertionError  # the loop ends only so


@frozen(eq=False)
class _Piece:
    """An interval from `place` to `place + 1` in units of 2**-depth, and a polynomial on it.

    Parameters
    ----------
    place, depth
        Where it is.
    coefficients
        Those of the Bernstein polynomials of the interval, wrong by `depth + 1` units at most.
    first, last
        The exact signs of the polynomial at the ends.
    """

    place: int
    depth: int
    coefficients: list[int]
    first: int
    last: int

    def at(self, place: int, more: int = 0) -> Fraction:
        """Return a place as a fraction, counted in units of the interval or, halved so often, of parts of it."""
        return Fraction(place, 1 << (self.depth + more))

    def changes(self) -> tuple[int, int] | None:
        """Return how often the sign of the coefficients changes and the first sign; None where it is not certain."""
        slack = self.depth + 1
        inner = [0 if abs(each) <= slack else _sign(each) for each in self.coefficients[1:-1]]
        signs = [*([self.first] if self.first else []), *inner, *([self.last] if self.last else [])]
        known = [(at, sign) for at, sign in enumerate(signs) if sign]
        if not known or known[0][0] > 0 or known[-1][0] < len(signs) - 1:
            return None
        changed = 0
        for (at, sign), (after, other) in pairwise(known):
            # one coefficient of either sign, or none, between a positive and a negative one changes nothing
            if after - at > 2 or (after - at == 2 and sign == other):
                return None
            changed += sign != other
        return changed, known[0][1]

    def halves(self, middle: int) -> tuple[_Piece, _Piece]:
        """Return the halves of the interval, given the sign of the polynomial in the middle."""
        row, left, right = self.coefficients, [self.coefficients[0]], [self.coefficients[-1]]
        for halvings in range(1, len(row)):
            row = list(map(add, row, row[1:]))
            left.append(row[0] >> halvings)
            right.append(row[-1] >> halvings)
        below, place = self.depth + 1, 2 * self.place
        return (
            _Piece(place, below, left, self.first, middle),
            _Piece(place + 1, below, right[::-1], middle, self.last),
        )


def _halved(whole: Sequence[int], bits: int) -> list[tuple[Fraction, Fraction, int]] | None:
    """Return what `_isolated` does, computed with so many bits; None where these are too few."""
    pieces = [_Piece(0, 0, _bernstein(whole, bits), _sign(whole[0]), _sign(sum(whole)))]
    found: list[tuple[Fraction, Fraction, int]] = []
    while pieces:
        piece = pieces.pop()
        counted = piece.changes()
        if counted is not None and counted[0] == 0:
            continue
        if counted is not None and counted[0] == 1:
            found.append((piece.at(piece.place), piece.at(piece.place + 1), counted[1]))
            continue
        if piece.depth > bits // 2:
            return None
        middle = piece.at(2 * piece.place + 1, 1)
        sign = sign_at(whole, middle)
        if not sign:
            found.append((middle, middle, 0))
        pieces.extend(piece.halves(sign))
    return found


def _bernstein(whole: Sequence[int], bits: int) -> list[int]:
    """Return the coefficients of the Bernstein polynomials on (0, 1), in units of 2**-bits, rounded down."""
    degree = len(whole) - 1
    # (1 + x)**degree times the polynomial at x / (1 + x): that of the reversed coefficients, shifted by 1
    row, sums = list(whole), []
    while row:
        row = list(accumulate(row))
        sums.append(row.pop())
    return [(each << bits) // comb(degree, power) for power, each in enumerate(reversed(sums))]


def _as_fraction(root: Root) -> Root:
    """Return a root as a fraction, if it is one: its denominator divides the highest coefficient."""
    most = abs(root._polynomial[-1])
    close = root.narrowed(Fraction(1, 2 * most))
    candidate = Fraction(int(close.high * most), most)
    if close.low <= candidate and not sign_at(root._polynomial, candidate):
        return evolve(root, low=candidate, high=candidate)
    return close


def _apart(roots: list[Root]) -> list[Root]:
    """Return roots narrowed until no two have a point in common, and none has one with 0 and 1."""
    for place in range(len(roots)):
        while not 0 < roots[place].low <= roots[place].high < 1:
            roots[place] = _halving(roots[place])
        while place and roots[place - 1].high >= roots[place].low:
            roots[place - 1 : place + 1] = map(_halving, roots[place - 1 : place + 1])
    return roots


def _halving(root: Root) -> Root:
    return root if root.is_rational else root.narrowed((root.high - root.low) / 2)


def _square_free(whole: tuple[int, ...]) -> tuple[int, ...]:
    """Return a polynomial with the same roots, all simple: divided by what it has in common with its derivative."""
    derivative = _primitive([power * each for power, each in enumerate(whole)][1:])
    degree, modulus, lifted = len(whole), 1, [0]
    for prime in _primes():
        if not whole[-1] % prime or not derivative[-1] % prime:
            continue
        shared = _shared_modulo(whole, derivative, prime)
        if len(shared) == 1:
            return whole
        if len(shared) > degree:
            continue  # an unlucky prime
        scaled = [each * whole[-1] % prime for each in shared]
        if len(shared) < degree:
            degree, modulus, lifted = len(shared), 1, [0] * len(shared)
        before = lifted
        lifted, modulus = _combined(lifted, modulus, scaled, prime)
        if lifted == before:
            factor = _primitive(lifted)
            quotient = _divided(whole, factor)
            if quotient is not None and _divided(derivative, factor) is not None:
                return quotient
    raise AssertionError  # there are enough primes


def _primes() -> Iterator[int]:
    """Return primes just below 2**31, the largest first."""
    for number in range(2**31 - 1, 2**30, -2):
        # no other number below 3.2 * 10**9 passes for these
        if all(_passes(number, base) for base in (2, 3, 5, 7)):
            yield number


def _passes(number: int, base: int) -> bool:
    """Return whether Miller and Rabin's test takes an odd number for a prime."""
    halvings = ((number - 1) & (1 - number)).bit_length() - 1
    power = pow(base, (number - 1) >> halvings, number)
    return power == 1 or any(pow(power, 1 << done, number) == number - 1 for done in range(halvings))


def _shared_modulo(one: Sequence[int], other: Sequence[int], prime: int) -> list[int]:
    """Return the greatest common divisor of two polynomials modulo a prime below 2**31, its highest coefficient 1."""
    a, b = (np.array([each % prime for each in reversed(several)], dtype=np.int64) for several in (one, other))
    while len(b):
        b = b * pow(int(b[0]), -1, prime) % prime
        a, b = b, _remainder(a, b, prime)
    return [int(each) for each in a[::-1]]


def _remainder(a: IntArray, b: IntArray, prime: int) -> IntArray:
    a = a.copy()
    for start in range(len(a) - len(b) + 1):
        part = a[start : start + len(b)]
        part[:] = (part - part[0] * b) % prime
    rest = a[max(0, len(a) - len(b) + 1) :]
    held = np.flatnonzero(rest)
    return rest[held[0] :] if len(held) else rest[:0]


def _combined(known: list[int], modulus: int, given: list[int], prime: int) -> tuple[list[int], int]:
    """Return whole numbers, as small as can be, that are `known` modulo one number and `given` modulo a prime."""
    unit, both = pow(modulus, -1, prime), modulus * prime
    found = [one + modulus * ((other - one) * unit % prime) for one, other in zip(known, given, strict=True)]
    return [each % both - (both if each % both > both // 2 else 0) for each in found], both


def _divided(whole: Sequence[int], factor: Sequence[int]) -> tuple[int, ...] | None:
    """Return a polynomial divided by another, None where that leaves a rest or fractions."""
    rest, found = list(whole), []
    for start in range(len(whole) - len(factor), -1, -1):
        share, left = divmod(rest[start + len(factor) - 1], factor[-1])
        if left:
            return None
        found.append(share)
        if share:
            for power, each in enumerate(factor):
                rest[start + power] -= share * each
    return None if any(rest) else tuple(reversed(found))
