"""Measures on orders of runs whose grades are not 0, 1, 2, …: what such grades are worth.

Orders compute with the places of grades, 0, 1, 2, …. So where grades are other numbers, a measure is told which.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from measurand.errors import NotAvailable
from measurand.judged.graded_runs import named_grades
from measurand.lattice.algebra.base import Algebra
from measurand.measures import Measure, as_measure


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
    >>> measure_on(algebra_of("swap", 2, (0, "0.3", 1)), "DCG").of((2, 1))
    InverseLogs(1 + 3/(10 log_2(3)))
    """
    made = as_measure(measure)
    return made if places_are_grades(algebra) else made.on_grades(algebra.relevance)


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
