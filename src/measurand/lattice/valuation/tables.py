"""The values of join-irreducible runs: written down in a table, or asked of a measure when they are needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from attrs import Factory, define, field, frozen

from measurand.arrays import FloatArray
from measurand.errors import ParameterError
from measurand.exact import Exact, InverseLogs, Logs, Quotient, rational
from measurand.judged import JudgedRuns, Pool
from measurand.lattice.algebra.base import Algebra, Run, Terms
from measurand.lattice.membership import member
from measurand.lattice.valuation.recovery import combined
from measurand.lattice.valuation.rough_sums import EXACT, whole_sums
from measurand.measures import Measure, as_measure
from measurand.measures.space import Space
from measurand.measures.valued import Valuer

WRITTEN = 1_000_000
"""Tables are written down for at most so many join-irreducible runs."""

CELLS = 4_000_000
"""Join-irreducible runs are valued by so many cells at a time."""


@frozen(cache_hash=True)
class Table:
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
    def of(cls, algebra: Algebra, values: Mapping[Any, Any], bottom: object = 0) -> Table:
        """Return the table of an order from the values of runs, or say which runs are missing or too many."""
        by_place = _by_place(algebra, values)
        numbers = [number_of(by_place[place]) for place in range(algebra.irreducible_count)]
        unit = _common_unit([*numbers, worst := number_of(bottom)])
        *levels, least = (_level(number, unit) for number in (*numbers, worst))
        combined([(1, level) for level in (*levels, least)])  # complains of numbers that cannot be added
        return cls(tuple(levels), least, unit)

    def sums(self, terms: Terms, rows: int) -> FloatArray | None:
        """Return the sums of terms as floats, right to the last place, if a small factor makes all values whole."""
        if self._scaled is None:
            return None
        values, factor = self._scaled
        whole = whole_sums(terms, rows, values)
        return None if whole is None else np.asarray(whole / factor)

    @cached_property
    def _scaled(self) -> tuple[FloatArray, int] | None:
        """The values times a factor that makes them whole, that of the worst run last, and the factor."""
        numbers = [number for number in (*self.levels, self.bottom) if isinstance(number, Fraction)]
        if self.unit != 1 or len(numbers) <= len(self.levels):
            return None
        factor = 1
        for denominator in {number.denominator for number in numbers}:
            factor = lcm(factor, denominator)
            if factor >= EXACT:
                return None
        whole = [int(number * factor) for number in numbers]
        return (np.array(whole, dtype=np.float64), factor) if max(map(abs, whole)) < EXACT else None

    @cached_property
    def floats(self) -> list[float]:
        """The values as floats, that of the worst run last."""
        return [float(_over(level, self.unit)) for level in (*self.levels, self.bottom)]


def _by_place(algebra: Algebra, values: Mapping[Any, Any]) -> dict[int, Any]:
    count = algebra.irreducible_count
    if count > WRITTEN:
        raise ParameterError(
            f"there are {count:,} join-irreducible runs, too many for a table; give a function of the run, which is"
            " asked when a value is needed"
        )
    found: dict[int, Any] = {}
    extra: list[Run] = []
    for given, value in values.items():
        run = member(algebra, given)
        place = algebra.place(run)
        if place is None:
            extra.append(run)
        elif place in found and found[place] != value:
            raise ParameterError(f"{run} is in the table twice, with different values")
        else:
            found[place] = value
    missing = (algebra.irreducible(place) for place in range(count) if place not in found)
    _complain(missing, count - len(found), extra, algebra)
    return found


def _complain(missing: Iterable[Run], lacking: int, extra: list[Run], algebra: Algebra) -> None:
    """Complain of join-irreducible runs without a value, and of values of other runs."""
    if algebra.bottom in extra:
        raise ParameterError(f"the value of the worst run {algebra.bottom} is told apart from the table: bottom=…")
    if extra:
        raise ParameterError(
            f"{_some(extra, len(extra))} not join-irreducible, so that the table gives a value without it"
        )
    if lacking:
        raise ParameterError(
            f"the table has no value for {_list(missing, lacking)}; every join-irreducible run needs one"
        )


def _some(runs: list[Run], count: int) -> str:
    return f"{_list(runs, count)} {'is' if count == 1 else 'are'}"


def _list(runs: Iterable[Run], count: int) -> str:
    first = [str(run) for run, _ in zip(runs, range(3), strict=False)]
    return ", ".join(first) + (f" and {count - 3:,} more" if count > 3 else "")


def number_of(value: object) -> Exact:
    """Return a value as an exact number, as it is written; it must be within the range of floats.

    Examples
    --------
    >>> number_of(0.1), number_of("1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    if isinstance(value, np.ndarray | np.generic) and value.ndim == 0:
        value = value.item()
    number = value if isinstance(value, InverseLogs | Logs | Quotient) else rational(value)
    try:
        float(number)
    except OverflowError:
        raise ParameterError("a table holds a number that is too large to be a score") from None
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
    """Return what all quotients are divided by, 1 if there are none."""
    units = {number.below for number in numbers if isinstance(number, Quotient)}
    if len(units) > 1:
        raise ParameterError(
            "the values are shares of different wholes, which cannot be added; extend the measure itself"
        )
    return units.pop() if units else Fraction(1)


def _level(number: Any, unit: Any) -> Exact:
    if isinstance(number, Quotient):
        return number.above
    return number if unit == 1 else unit * number  # type: ignore[no-any-return]


def _over(level: Any, unit: Any) -> Exact:
    return level if unit == 1 else level / unit  # type: ignore[no-any-return]


@define(eq=False)
class Asked:
    """The values that a measure has on join-irreducible runs, asked when they are needed and remembered.

    Parameters
    ----------
    bottom
        The value of the worst run, if it is not what the measure says.
    """

    measure: Measure
    bottom: Exact | None = None
    _valuers: dict[Pool, Valuer] = Factory(dict)
    _floats: dict[tuple[Pool, int], float] = Factory(dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Asked):
            return NotImplemented
        return self.measure == other.measure and self.bottom == other.bottom

    def __hash__(self) -> int:
        return hash((type(self.measure), self.bottom))

    def valuer(self, pool: Pool) -> Valuer:
        """Return the measure on a topic."""
        if pool not in self._valuers:
            self._valuers[pool] = Valuer.of(self.measure, pool)
        return self._valuers[pool]

    def floats(self, algebra: Algebra, places: list[int], pool: Pool) -> dict[int, float]:
        """Return the values at some places as floats, from the vectorised path of the measure."""
        new = [place for place in places if (pool, place) not in self._floats]
        size = max(1, CELLS // algebra.depth)
        for start in range(0, len(new), size):
            part = new[start : start + size]
            runs = np.array([algebra.irreducible(place) for place in part], dtype=np.int8)
            values = self.measure.floats(JudgedRuns.on_one_topic(runs, pool.grade_counts)).reshape(-1)
            self._floats.update({(pool, place): value for place, value in zip(part, values.tolist(), strict=True)})
        return {place: self._floats[pool, place] for place in places}


def source_of(algebra: Algebra, values: Any, bottom: object = 0) -> Table | Asked:
    """Return where values of join-irreducible runs come from: a mapping, a function of the run, or a measure.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> source_of(algebra_of("swap", 1, 2), {(1,): 0.5})
    Table(bottom=Fraction(0, 1), unit=Fraction(1, 1))
    """
    if isinstance(values, Mapping):
        return Table.of(algebra, values, bottom)
    if isinstance(values, Measure):
        if bottom != 0:
            raise ParameterError(f"{values!r} has a value of its own for the worst run; leave bottom out")
        # complains of too few grades
        Space(depth=1, grades=algebra.grades).valuer(values)
        return Asked(values)
    if callable(values):
        return Asked(as_measure(values), number_of(bottom))
    raise ParameterError(
        f"values must be a mapping of runs to numbers, a function of a run, or a measure, not {values!r}"
    )
