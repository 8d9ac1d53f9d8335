"""Telling apart values that rounding cannot: which sums of blocks they are made of, and which is larger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np

from measurand.arrays import IntArray
from measurand.errors import ParameterError
from measurand.exact import weighted_sum
from measurand.rulers.sums.blocks import DIGITS, Block

_SURE = 10
"""Digits that are kept back: differences in the last ones of `DIGITS` prove nothing."""


def choices(target: int, parts: Sequence[IntArray]) -> list[tuple[int, ...]]:
    """Return every way to choose one number from each part so that they sum to a target, as places in the parts.

    Examples
    --------
    >>> choices(5, [np.array([0, 4]), np.array([0, 1, 5])])
    [(0, 2), (1, 1)]
    """
    cut = _middle([len(part) for part in parts])
    firsts, lasts = _sums(parts[:cut]), _sums(parts[cut:])
    order = np.argsort(lasts, kind="stable")
    left, right = (np.searchsorted(lasts[order], target - firsts, side=side) for side in ("left", "right"))
    return sorted(
        (*_places(int(first), parts[:cut]), *_places(int(last), parts[cut:]))
        for first in np.flatnonzero(left < right)
        for last in order[left[first] : right[first]]
    )


def below(blocks: Sequence[Block], one: Sequence[int], other: Sequence[int]) -> bool:
    """Say whether one choice of places in the blocks makes a smaller value than another that differs from it.

    Examples
    --------
    >>> block = Block(Fraction(1, 3), (1,), (1,), (0, 1))
    >>> below([block], (0,), (1,)), below([block], (1,), (0,))
    (True, False)
    """
    steps = [(block, block.sums[b] - block.sums[a]) for block, a, b in zip(blocks, one, other, strict=True) if a != b]
    with localcontext(prec=DIGITS):
        terms = [block.value * units for block, units in steps]
        difference, size = sum(terms, Decimal(0)), sum((abs(term) for term in terms), Decimal(0))
        if abs(difference) > size.scaleb(_SURE - DIGITS):
            return difference > 0
    exact = weighted_sum((block.unit, Fraction(units)) for block, units in steps)
    if exact == 0:
        raise ParameterError("blocks that should not tie do: the weights are not independent")
    return exact > 0


def _middle(sizes: Sequence[int]) -> int:
    """Return where to cut a list of sizes into two parts whose products are close."""
    return min(range(len(sizes) + 1), key=lambda cut: max(prod(sizes[:cut]), prod(sizes[cut:])))


def _sums(parts: Sequence[IntArray]) -> IntArray:
    sums = np.zeros(1, dtype=np.int64)
    for part in parts:
        sums = np.add.outer(sums, part).ravel()
    return sums


def _places(number: int, parts: Sequence[IntArray]) -> tuple[int, ...]:
    return tuple(int(place) for place in np.unravel_index(number, tuple(len(part) for part in parts)))


def every_choice(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return every choice of one place from each of some parts of given sizes.

    Examples
    --------
    >>> list(every_choice([2, 1]))
    [(0, 0), (1, 0)]
    """
    return product(*(range(size) for size in sizes))
