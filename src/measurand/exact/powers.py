"""Sums of fractional powers of 2: what decays by half in a certain time."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Self

from attrs import frozen

from measurand.exact.certified import FIELD, Combination, natural_log, residue


@frozen(eq=False, repr=False)
class PowersOfTwo(Combination):
    r"""The exact number :math:`\sum_e c_e\, 2^e`, with fractions :math:`0 \le e < 1`.

    No power is a sum of multiples of others, so that two such numbers are equal only if all coefficients are.

    Parameters
    ----------
    terms
        The coefficients: `(e, c_e)` for increasing exponents `e`, none zero.

    Examples
    --------
    >>> root = power_sum([(Fraction(1, 2), 1)])
    >>> root + 1, float(root)
    (PowersOfTwo(1 + 1 * 2^(1/2)), 1.4142135623730951)
    >>> root + root == power_sum([(Fraction(3, 2), 1)]), root > Fraction(3, 2)
    (True, False)
    """

    terms: tuple[tuple[Fraction, Fraction], ...]

    def __add__(self, other: object) -> Fraction | Self:
        if isinstance(other, int | Fraction):
            return self._of([*self.terms, (Fraction(0), Fraction(other))])
        return self._of([*self.terms, *other.terms]) if isinstance(other, PowersOfTwo) else NotImplemented

    def _of(self, terms: Iterable[tuple[Fraction, Fraction]]) -> Fraction | Self:
        return power_sum(terms)  # type: ignore[return-value]

    def _number(self, name: Fraction, digits: int) -> Decimal:
        return _power(name, digits)

    def fingerprint(self) -> int:
        """Return the image of the number under `2^e` ↦ fixed elements of a finite field, which keeps sums."""
        return sum(residue(c) * _power_residue(exponent) for exponent, c in self.terms) % FIELD

    def __repr__(self) -> str:
        parts = (f"{c} * 2^({exponent})" if exponent else str(c) for exponent, c in self.terms)
        return f"PowersOfTwo({' + '.join(parts)})"


def power_sum(pairs: Iterable[tuple[Fraction, int | Fraction]]) -> Fraction | PowersOfTwo:
    """Return the sum of coefficient times 2 to an exponent, for `(exponent, coefficient)`.

    Parameters
    ----------
    pairs
        Pairs of an exponent and its coefficient.

    Examples
    --------
    >>> power_sum([(Fraction(-1, 2), 1), (Fraction(1, 2), 1), (Fraction(2), 1)])
    PowersOfTwo(4 + 3/2 * 2^(1/2))
    >>> power_sum([(Fraction(-1), 1)])
    Fraction(1, 2)
    """
    total: dict[Fraction, Fraction] = {}
    for exponent, coefficient in pairs:
        whole = exponent.numerator // exponent.denominator
        part = exponent - whole
        total[part] = total.get(part, Fraction(0)) + coefficient * Fraction(2) ** whole
    kept = tuple(sorted((exponent, c) for exponent, c in total.items() if c))
    if not kept or (len(kept) == 1 and kept[0][0] == 0):
        return kept[0][1] if kept else Fraction(0)
    return PowersOfTwo(kept)


@lru_cache(maxsize=65536)
def _power(exponent: Fraction, digits: int) -> Decimal:
    """Return 2 to an exponent, correct to so many digits but for the last."""
    with localcontext(prec=digits + 2):
        return (natural_log(2, digits + 2) * exponent.numerator / exponent.denominator).exp()


@lru_cache(maxsize=65536)
def _power_residue(exponent: Fraction) -> int:
    from hashlib import sha256  # slow to load

    return int.from_bytes(sha256(f"2^{exponent}".encode()).digest(), "big") % FIELD if exponent else 1
