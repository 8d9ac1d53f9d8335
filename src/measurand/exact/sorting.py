"""Many exact numbers compared at once: their order, and their differences.

`ranked` gives the place of each number among all; `units` writes numbers as whole numbers of one unit, so that many
of their differences can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import localcontext
from fractions import Fraction
from math import lcm
from operator import itemgetter
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray, ObjectArray
from measurand.exact.certified import GUARD
from measurand.exact.logarithms import Exact, InverseLogs, Logs

CLOSE = 1e-13
"""Floats of exact numbers that are closer than this, relative to the larger, are not trusted to order them."""


def ranked(values: Sequence[Exact], *, near: float = 0) -> tuple[list[Exact], IntArray]:
    """Return the different values in ascending order, and for each value its place there, from 0.

    Parameters
    ----------
    values
        The numbers.
    near
        Take values for one that are this close to each other, relative to the largest of all: for numbers that
        were computed in floating point, and so are all fractions. 0 keeps all apart.

    Examples
    --------
    >>> levels, places = ranked([Fraction(1, 2), Fraction(0), Fraction(2, 4)])
    >>> levels, places.tolist()
    ([Fraction(0, 1), Fraction(1, 2)], [1, 0, 1])
    """
    levels = _ascending(list(dict.fromkeys(values)))
    classes = {value: place for place, value in enumerate(levels)}
    if near and levels and all(isinstance(level, Fraction) for level in levels):
        levels, classes = _merged(levels, near)
    return levels, np.array([classes[value] for value in values], dtype=np.int64)


def _ascending(distinct: list[Any]) -> list[Any]:
    """Return numbers in ascending order: floats put them roughly in place, exact comparison where they are close."""
    try:
        paired = sorted(((float(value), value) for value in distinct), key=itemgetter(0))
    except OverflowError:
        return sorted(distinct)
    ordered: list[Any] = []
    group: list[Any] = []
    last = 0.0
    for number, value in paired:
        if group and number - last > CLOSE * max(abs(number), abs(last)):
            ordered += sorted(group)
            group = []
        group.append(value)
        last = number
    return ordered + sorted(group)


def _merged(levels: list[Any], near: float) -> tuple[list[Any], dict[Any, int]]:
    kept, classes = [levels[0]], {levels[0]: 0}
    slack = Fraction(near) * max(abs(levels[0]), abs(levels[-1]))
    for level in levels[1:]:
        # with the first of a group, so that small steps do not add up
        if level - kept[-1] > slack:
            kept.append(level)
        classes[level] = len(kept) - 1
    return kept, classes


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
        The numbers.

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


def _terms(number: Exact) -> dict[int | Fraction, Fraction]:
    return {1: number} if isinstance(number, Fraction) else dict(number.terms)  # type: ignore[union-attr]


def _keys(numbers: list[dict[int | Fraction, Fraction]]) -> ObjectArray | IntArray:
    """Return each list of coefficients as the digits of one whole number, with room for differences of differences."""
    names = sorted({name for number in numbers for name in number})
    unit = lcm(*{c.denominator for number in numbers for c in number.values()})
    whole = [{name: int(c * unit) for name, c in number.items()} for number in numbers]
    base = 8 * max((abs(c) for number in whole for c in number.values()), default=0) + 1
    place = {name: base**power for power, name in enumerate(names)}
    return _objects([sum(c * place[name] for name, c in number.items()) for number in whole])
