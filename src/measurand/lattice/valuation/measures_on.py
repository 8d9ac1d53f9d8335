"""Measures on orders of runs whose grades are not 0, 1, 2, …: what such grades are worth.

Orders compute with the places of grades, 0, 1, 2, …, and measures take whole grades. So where grades are other numbers,
a measure that has gains is given those of the grades, place by place, and a function is given runs as people see them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from attrs import fields

from measurand.errors import NotAvailable
from measurand.exact import Exact
from measurand.judged import Pool
from measurand.judged.graded_runs import named_grades
from measurand.lattice.algebra.base import Algebra, Run
from measurand.measures import Measure, as_measure
from measurand.measures.defined import Defined
from measurand.measures.parameters import gain_of


def places_are_grades(algebra: Algebra) -> bool:
    """Return whether the grades of an order are 0, 1, 2, …, by whatever name.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> places_are_grades(algebra_of("swap", 2, 3)), places_are_grades(algebra_of("swap", 2, (0, "0.3", 1)))
    (True, False)
    """
    return algebra.relevance is None or algebra.relevance.grades == tuple(range(algebra.grades))


def measure_on(algebra: Algebra, measure: Measure | str | Callable[..., Any]) -> Measure:
    """Return a measure that takes the runs of an order as the order has them: as places of grades.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> measure_on(algebra_of("swap", 2, (0, "0.3", 1)), "DCG")
    DCG(gain={1: 0.3, 2: 1})
    """
    made = as_measure(measure)
    if places_are_grades(algebra):
        return made
    if isinstance(made, Defined):
        return _of_named_runs(algebra, made)
    gain, grades = made.parameters().get("gain"), algebra.relevance.grades if algebra.relevance else ()
    if gain is None or (gain != "linear" and any(grade.denominator > 1 for grade in grades)):
        here = "" if algebra.relevance is None else named_grades(algebra.relevance)
        raise NotAvailable(
            f"{made!r} takes the grades 0, 1, 2, …, and here they are {here}; take a measure with linear gains, such as"
            " DCG or gP, or a function of the run"
        )
    worth = [grade if gain == "linear" else gain_of(gain, int(grade)) for grade in grades]
    return made(gain=dict(enumerate(map(Fraction, worth[1:]), 1)))


def _of_named_runs(algebra: Algebra, made: Defined) -> Measure:
    """Return the measure of a function that is given runs with their grades, in which it is complained of as well."""

    def answer(self: Defined, run: Run, pool: Pool, *, extended: bool = False) -> tuple[Exact | float, bool]:
        return Defined.answer(self, algebra.named(run), pool, extended=extended)

    maker = type(made.label, (type(made),), {"__slots__": (), "answer": answer})
    told: Measure = maker(**{each.alias: getattr(made, each.name) for each in fields(type(made)) if each.init})
    return told


def refuse_other_grades(algebra: Algebra, name: str) -> None:
    """Refuse to make a measure of values of runs whose grades are not 0, 1, 2, …: measures take whole grades.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> refuse_other_grades(algebra_of("swap", 2, 3), "Mine")
    """
    if not places_are_grades(algebra) and algebra.relevance is not None:
        raise NotAvailable(
            f"{name} would be a measure, which takes the grades 0, 1, 2, …, and here they are"
            f" {named_grades(algebra.relevance)}; ask value(run, values) for the values of runs"
        )
