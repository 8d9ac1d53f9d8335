"""The value that a run must have under a valuation, given those of the join-irreducible runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import Cells
from measurand.errors import ParameterError
from measurand.exact import Exact, InverseLogs, Logs, Quotient, weighted_sum
from measurand.lattice.algebra.base import Algebra, Run, Terms

EXACT = 1 << 53
"""Floats hold every whole number below this."""

CHUNK = 1 << 18
"""So many cells are taken apart at a time."""

DIGITS = 1 << 14
"""Fractions are added as whole numbers as long as their common denominator has not more binary digits than this."""


def combined(parts: Sequence[tuple[int, Exact]]) -> Exact:
    """Return the sum of count times number, exactly.

    Examples
    --------
    >>> combined([(2, Fraction(1, 3)), (-1, Fraction(1, 6))])
    Fraction(1, 2)
    """
    others = [(count, number) for count, number in parts if not isinstance(number, Fraction)]
    total = sum((count * number for count, number in parts if isinstance(number, Fraction)), Fraction(0))
    if not others:
        return total
    if any(isinstance(number, Quotient) for _, number in others):
        raise ParameterError("values that are shares of a whole cannot be added; give the measure itself")
    kinds = {number.root if isinstance(number, InverseLogs) else Logs for _, number in others}
    if len(kinds) > 1 or (total and Logs in kinds):
        raise ParameterError("values that hold logarithms of different kinds cannot be added; give plain numbers")
    if Logs in kinds:
        return sum((number * count for count, number in others), Fraction(0))  # type: ignore[type-var]
    return weighted_sum([(total, 1), *((number, count) for count, number in others)])  # type: ignore[list-item]


@frozen(eq=False)
class Recovery:
    r"""A valuation from its values on the join-irreducible runs and on the worst run.

    .. math:: v(r) = v(\hat 0) + \sum_j s_j(r) \left( v(j) - v(\hat 0) \right)

    Which join-irreducible runs `j` count, and how often, is up to the order: `Algebra.terms`.

    Parameters
    ----------
    level
        The value of the join-irreducible run at a place, as a number that can be added.
    bottom
        The value of the worst run.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> runs = algebra_of("replacement", 3, 2)
    >>> Recovery(runs, lambda place: Fraction(1, 1 + runs.irreducible(place).index(1)), Fraction(0)).of((1, 0, 1))
    Fraction(4, 3)

    References
    ----------
    [Giner2022]_, theorem 3
    """

    algebra: Algebra
    level: Callable[[int], Exact]
    bottom: Exact

    def of(self, run: Run) -> Exact:
        """Return the value of one run."""
        return self.all(np.array([run], dtype=np.int8))[0]

    def all(self, runs: Cells) -> list[Exact]:
        """Return the values of runs, one a row."""
        size = max(1, CHUNK // self.algebra.depth)
        parts = (runs[start : start + size] for start in range(0, len(runs), size))
        return [value for part in parts for value in self._sums(self.algebra.terms(part), len(part), base=1)]

    def heights(self, places: Sequence[int]) -> list[Exact]:
        """Return how high the steps at some places are: what the join-irreducible runs there add."""
        return list(self._sums(self.algebra.step_terms(places), len(places), base=0))

    def _sums(self, terms: Terms, rows: int, base: int) -> Iterator[Exact]:
        """Return, row by row, the sum of the terms and of so many times the value of the worst run."""
        levels = {place: self.level(place) for place in dict.fromkeys(terms.place.tolist())}
        by_rows = by_row(terms, rows)
        if (denominator := common_denominator([self.bottom, *levels.values()])) is None:
            return (self._sum(levels, places, signs, base) for places, signs in by_rows)
        whole = {place: _times(level, denominator) for place, level in levels.items()}
        bottom = _times(self.bottom, denominator)
        most = max(map(abs, (bottom, *whole.values())))
        if terms.place.dtype != object and most * (1 + 2 * len(terms.row)) < EXACT:
            # floats hold such whole numbers, and their sums
            parts = np.array([whole[place] for place in terms.place.tolist()], dtype=float) * terms.sign
            rest = bottom * (base - np.bincount(terms.row, terms.sign, rows))
            sums: Iterable[int] = map(int, (np.bincount(terms.row, parts, rows) + rest).tolist())
        else:
            sums = (
                bottom * (base - sum(signs))
                + sum(sign * whole[place] for place, sign in zip(places, signs, strict=True))
                for places, signs in by_rows
            )
        return (Fraction(total, denominator) for total in sums)

    def _sum(self, levels: Mapping[int, Exact], places: list[int], signs: list[int], base: int) -> Exact:
        parts = [(sign, levels[place]) for place, sign in zip(places, signs, strict=True)]
        return combined([(base - sum(signs), self.bottom), *parts] if self.bottom else parts)


def common_denominator(numbers: Sequence[Exact]) -> int | None:
    """Return what makes all numbers whole, if they are fractions and it is not too long a number.

    Examples
    --------
    >>> common_denominator([Fraction(1, 4), Fraction(1, 6)])
    12
    """
    found = 1
    for number in numbers:
        if not isinstance(number, Fraction):
            return None
        if found % number.denominator:
            found = lcm(found, number.denominator)
            if found.bit_length() > DIGITS:
                return None
    return found


def _times(fraction: Any, denominator: int) -> int:
    return int(fraction.numerator * (denominator // fraction.denominator))


def by_row(terms: Terms, rows: int) -> Iterator[tuple[list[int], list[int]]]:
    """Return the places and the signs of the terms of each row.

    Examples
    --------
    >>> list(by_row(Terms(np.array([0, 0, 2]), np.array([4, 5, 4]), np.array([1, -1, 1])), 3))
    [([4, 5], [1, -1]), ([], []), ([4], [1])]
    """
    places, signs = terms.place.tolist(), terms.sign.tolist()
    ends = np.searchsorted(terms.row, np.arange(rows + 1)).tolist()
    return ((places[start:end], signs[start:end]) for start, end in pairwise(ends))
