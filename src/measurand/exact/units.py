"""Exact numbers as whole numbers of one unit, so that many differences of them can be compared at once."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import localcontext
from fractions import Fraction
from math import lcm

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray, ObjectArray
from measurand.exact.certified import GUARD
from measurand.exact.logarithms import Exact, InverseLogs
from measurand.exact.logs import Logs

DIGITS = 60
"""So many decimals of an irrational number decide which of two different differences is larger."""

SHORT = 1 << 61
"""Smaller whole numbers, and their differences, are kept in 64 bits."""


@frozen(eq=False)
class Units:
    """Exact numbers, each as two whole numbers of any length.

    Parameters
    ----------
    sizes
        The numbers in one unit, rounded to whole ones if they are irrational.
    keys
        Whole numbers whose differences are equal exactly where those of the numbers are, and opposite where those are.
    """

    sizes: ObjectArray | IntArray
    keys: ObjectArray | IntArray


def units(numbers: Sequence[Exact]) -> Units | None:
    """Return exact numbers as whole ones; None if they are quotients of logarithms, whose differences have no key.

    Parameters
    ----------
    numbers
        Exact numbers.

    Examples
    --------
    >>> from measurand.exact.logarithms import inverse_log
    >>> units([Fraction(1, 2), Fraction(2, 3)]).sizes.tolist()
    [3, 4]
    >>> third = inverse_log(3, 2)
    >>> keys = units([1 + third, Fraction(1), third + Fraction(1, 2), Fraction(1, 2)]).keys.tolist()
    >>> keys[0] - keys[1] == keys[2] - keys[3], keys[0] - keys[1] == keys[0] - keys[3]
    (True, False)
    """
    if all(isinstance(number, Fraction) for number in numbers):
        whole = _whole([number for number in numbers if isinstance(number, Fraction)])
        return Units(whole, whole)
    if not all(isinstance(number, Fraction | InverseLogs | Logs) for number in numbers):
        return None
    return Units(_objects([_rounded(number) for number in numbers]), _keys([_terms(number) for number in numbers]))


def _objects(numbers: list[int]) -> ObjectArray | IntArray:
    if max(map(abs, numbers), default=0) < SHORT:
        return np.array(numbers, dtype=np.int64)
    found = np.empty(len(numbers), dtype=object)
    found[:] = numbers
    return found


def _whole(numbers: Sequence[Fraction]) -> ObjectArray | IntArray:
    unit = lcm(*{number.denominator for number in numbers})
    return _objects([number.numerator * (unit // number.denominator) for number in numbers])


def _rounded(number: Exact) -> int:
    if isinstance(number, Fraction):
        whole: int = round(number * 10**DIGITS)
        return whole
    with localcontext(prec=DIGITS + 2 * GUARD):
        low, high = number.enclosure(DIGITS + GUARD)
        return int(((low + high) / 2).scaleb(DIGITS).to_integral_value())


def _terms(number: Exact) -> dict[int, Fraction]:
    return {1: number} if isinstance(number, Fraction) else dict(number.terms)  # type: ignore[union-attr]


def _keys(numbers: list[dict[int, Fraction]]) -> ObjectArray | IntArray:
    """Return each list of coefficients as the digits of one whole number, with room for differences of differences."""
    names = sorted({name for number in numbers for name in number})
    unit = lcm(*{c.denominator for number in numbers for c in number.values()})
    whole = [{name: int(c * unit) for name, c in number.items()} for number in numbers]
    base = 8 * max((abs(c) for number in whole for c in number.values()), default=0) + 1
    place = {name: base**power for power, name in enumerate(names)}
    return _objects([sum(c * place[name] for name, c in number.items()) for number in whole])
