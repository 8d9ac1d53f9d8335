"""Reconstruction of a valuation from its values on the join-irreducible runs and on the worst run.

The values are written in a `ValueTable`, or those of a measure (`MeasuredValues`), computed when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np
from attrs import Factory, define, field, frozen

from measurand.arrays import Cells, FloatArray
from measurand.errors import ParameterError
from measurand.exact import (
    Exact,
    InverseLogs,
    Logs,
    PowersOfTwo,
    Quotient,
    QuotientSum,
    quotient_sum,
    rational,
    weighted_sum,
)
from measurand.judged import Pool
from measurand.judged.graded_runs import NamedRun
from measurand.judged.grades import read_cells, written_grades
from measurand.lattice.algebra.base import Algebra, Run, Terms, member
from measurand.measures import Measure, as_measure
from measurand.measures.space import Space
from measurand.measures.valued import Valuer

EXACT = 1 << 53
"""Floats hold every whole number below this."""

CHUNK = 1 << 18
"""So many cells are taken apart at a time."""

DIGITS = 1 << 14
"""Fractions are added as whole numbers as long as their common denominator has not more binary digits than this."""

InOrder = Sequence[Any] | FloatArray
"""The values of all join-irreducible runs, in their order."""

LARGEST = 10**300
"""Larger numbers are refused, so that sums are floats."""

WRITTEN = 1_000_000
"""Tables are written down for at most so many join-irreducible runs."""


def linear_combination(parts: Sequence[tuple[int, Exact]]) -> Exact:
    """Return the sum of count times number, exactly.

    Examples
    --------
    >>> linear_combination([(2, Fraction(1, 3)), (-1, Fraction(1, 6))])
    Fraction(1, 2)
    """
    others = [(count, number) for count, number in parts if not isinstance(number, Fraction)]
    total = sum((count * number for count, number in parts if isinstance(number, Fraction)), Fraction(0))
    if not others:
        return total
    if all(isinstance(number, PowersOfTwo) for _, number in others):
        return sum((number * count for count, number in others), total)
    kinds = {number.root if isinstance(number, InverseLogs | Quotient | QuotientSum) else Logs for _, number in others}
    if len(kinds) > 1 or (total and Logs in kinds):
        raise ParameterError("values that hold logarithms of different kinds cannot be added; give plain numbers")
    if Logs in kinds:
        return sum((number * count for count, number in others), Fraction(0))
    if any(isinstance(number, Quotient | QuotientSum) for _, number in others):
        return quotient_sum([total, *(number * count for count, number in others)])
    return weighted_sum([(total, 1), *((number, count) for count, number in others)])  # type: ignore[list-item]


@frozen(eq=False)
class Reconstruction:
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
    >>> Reconstruction(runs, lambda place: Fraction(1, 1 + runs.irreducible(place).index(1)), Fraction(0)).of((1, 0, 1))
    Fraction(4, 3)

    References
    ----------
    [Giner2022]_, theorem 3, which is that of [Rota1971]_
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
        return linear_combination([(base - sum(signs), self.bottom), *parts] if self.bottom else parts)


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


@frozen(cache_hash=True)
class ValueTable:
    """The values of all join-irreducible runs of an order, in units of one number.

    Parameters
    ----------
    levels
        The values, in the order of `Algebra.join_irreducibles`.
    bottom
        The value of the worst run.
    unit
        What all are divided by.
    """

    levels: tuple[Exact, ...] = field(repr=False)
    bottom: Exact
    unit: Exact = Fraction(1)

    @classmethod
    def of(cls, algebra: Algebra, values: Mapping[Any, Any] | InOrder, bottom: object = 0) -> ValueTable:
        """Return the table of an order from the values of runs."""
        given = _by_place(algebra, values) if isinstance(values, Mapping) else in_order(algebra, values)
        numbers = [number_of(given[place]) for place in range(algebra.irreducible_count)]
        unit = _common_unit([*numbers, worst := number_of(bottom)])
        *levels, least = (_level(number, unit) for number in (*numbers, worst))
        linear_combination([(1, level) for level in (*levels, least)])  # complains of numbers that cannot be added
        return cls(tuple(levels), least, unit)


def in_order(algebra: Algebra, values: InOrder) -> InOrder:
    """Return values that come in the order of the join-irreducible runs, if there are as many of them.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> in_order(algebra_of("swap", 2, 2), ["0.1", "0.5", "0.6"])
    ['0.1', '0.5', '0.6']
    """
    needed = algebra.irreducible_count
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise ParameterError(f"{needed:,} values in a row are needed, not an array of {values.ndim} dimensions")
    if len(values) != needed:
        raise ParameterError(
            f"{needed:,} join-irreducible runs need as many values, in their order, not {len(values):,}"
        )
    return values


def _by_place(algebra: Algebra, values: Mapping[Any, Any]) -> dict[int, Any]:
    count = algebra.irreducible_count
    if count > WRITTEN:
        raise ParameterError(
            f"there are {count:,} join-irreducible runs, too many to be written out; give their values in order, or a"
            " function of the run, which is asked when a value is needed"
        )
    found: dict[int, Any] = {}
    extra: list[Run] = []
    for given, value in values.items():
        run = member(algebra, _written(algebra, given) if isinstance(given, str) else given)
        place = algebra.place(run)
        if place is None:
            extra.append(run)
        elif place in found and found[place] != value:
            raise ParameterError(f"{algebra.named(run)} is in the table twice, with different values")
        else:
            found[place] = value
    missing = (algebra.named(algebra.irreducible(place)) for place in range(count) if place not in found)
    _complain(missing, count - len(found), extra, algebra)
    return found


def _written(algebra: Algebra, text: str) -> Sequence[Any]:
    """Return the grades in a text, which must be whole numbers unless the order has others."""
    return read_cells(text) if algebra.relevance is None else written_grades(text.strip())


def _complain(missing: Iterable[NamedRun], lacking: int, extra: list[Run], algebra: Algebra) -> None:
    """Raise for join-irreducible runs without a value, and for values of other runs."""
    if algebra.bottom in extra:
        raise ParameterError(
            f"the value of the worst run {algebra.named(algebra.bottom)} is told apart from the table: bottom=…"
        )
    if extra:
        named = _some(list(map(algebra.named, extra)), len(extra))
        raise ParameterError(f"{named} not join-irreducible: what it is worth follows from the others; leave it out")
    if lacking:
        raise ParameterError(
            f"the table has no value for {_list(missing, lacking)}; every join-irreducible run needs one"
        )


def _some(runs: list[NamedRun], count: int) -> str:
    return f"{_list(runs, count)} {'is' if count == 1 else 'are'}"


def _list(runs: Iterable[NamedRun], count: int) -> str:
    first = [str(run) for run, _ in zip(runs, range(3), strict=False)]
    return ", ".join(first) + (f" and {count - 3:,} more" if count > 3 else "")


def number_of(value: object) -> Exact:
    """Return a value as an exact number, as it is written; sums of such numbers must be within the range of floats.

    Examples
    --------
    >>> number_of(0.1), number_of("1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    if isinstance(value, np.ndarray | np.generic) and value.ndim == 0:
        value = value.item()
    number = value if isinstance(value, InverseLogs | Logs | PowersOfTwo | Quotient | QuotientSum) else rational(value)
    # a short numerator tells it quickly
    short = isinstance(number, Fraction) and -LARGEST <= number.numerator <= LARGEST
    if not (short or -LARGEST <= number <= LARGEST):
        raise ParameterError("a table holds a number that is too large to be a score")
    return number


def as_written(number: Exact) -> int | float | Fraction:
    """Return an exact number as people write it: whole, as a fraction, or as a float where it is neither.

    Examples
    --------
    >>> as_written(Fraction(4, 2)), as_written(Fraction(1, 2))
    (2, Fraction(1, 2))
    """
    if not isinstance(number, Fraction):
        return float(number)
    return number.numerator if number.denominator == 1 else number


def _common_unit(numbers: list[Exact]) -> Exact:
    """Return what all quotients are divided by, 1 if there are none, or if they are divided by different numbers."""
    units = {number.below for number in numbers if isinstance(number, Quotient)}
    several = len(units) > 1 or any(isinstance(number, QuotientSum) for number in numbers)
    return units.pop() if units and not several else Fraction(1)


def _level(number: Any, unit: Any) -> Exact:
    if unit == 1:
        return number  # type: ignore[no-any-return]
    return number.above if isinstance(number, Quotient) else unit * number


@define(eq=False)
class MeasuredValues:
    """The values that a measure has on join-irreducible runs, computed when they are needed and kept.

    Parameters
    ----------
    bottom
        The value of the worst run, if it is not that of the measure.
    """

    measure: Measure
    bottom: Exact | None = None
    _valuers: dict[Pool, Valuer] = Factory(dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MeasuredValues):
            return NotImplemented
        return self.measure == other.measure and self.bottom == other.bottom

    def __hash__(self) -> int:
        return hash((type(self.measure), self.bottom))

    def valuer(self, pool: Pool) -> Valuer:
        """Return the measure on a topic."""
        if pool not in self._valuers:
            self._valuers[pool] = Valuer.of(self.measure, pool)
        return self._valuers[pool]


def value_source(algebra: Algebra, values: Any, bottom: object = 0) -> ValueTable | MeasuredValues:
    """Return where values of join-irreducible runs come from: a table, a function of the run, or a measure.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> value_source(algebra_of("swap", 1, 2), {(1,): 0.5})
    ValueTable(bottom=Fraction(0, 1), unit=Fraction(1, 1))
    """
    if isinstance(values, Mapping | np.ndarray | Sequence) and not isinstance(values, str):
        return ValueTable.of(algebra, values, bottom)
    if isinstance(values, Measure | str):
        measure = as_measure(values)
        if bottom != 0:
            raise ParameterError(f"{measure!r} has a value of its own for the worst run; leave bottom out")
        # complains of too few grades
        Space(depth=1, grades=algebra.grades).valuer(measure)
        return MeasuredValues(measure)
    if callable(values):
        return MeasuredValues(as_measure(values), number_of(bottom))
    raise ParameterError(
        f"values must be a mapping of runs to numbers, a sequence, a function of a run, or a measure, not {values!r}"
    )
