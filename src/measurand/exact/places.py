"""The place of each of many exact numbers among them all."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any

import numpy as np

from measurand.arrays import IntArray
from measurand.exact.logarithms import Exact

CLOSE = 1e-13
"""Floats of exact numbers that are closer than this, relative to the larger, are not trusted to order them."""


def ranked(values: Sequence[Exact], *, near: float = 0) -> tuple[list[Exact], IntArray]:
    """Return the different values in ascending order, and for each value its place there, from 0.

    Parameters
    ----------
    values
        Exact numbers.
    near
        Take values for one that are this close to each other, relative to the largest of all: for numbers that were
        computed in floating point, and so are all fractions. 0 keeps all apart.

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
