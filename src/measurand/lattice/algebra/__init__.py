"""The five orders on judged runs, each with its joins, meets, covers and join-irreducible runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.judged import Relevance
from measurand.judged.graded_runs import AnyGrades
from measurand.lattice.algebra.base import Algebra, Run, Terms
from measurand.lattice.algebra.projection import ProjectionOrder, SetProjectionOrder
from measurand.lattice.algebra.replacement import ReplacementOrder, SetReplacementOrder
from measurand.lattice.algebra.swap import SwapOrder
from measurand.orders.names import named_order

__all__ = ["ALGEBRAS", "Algebra", "Run", "Terms", "algebra_of"]

MOST_GRADES = 128
"""How many grades the cells of judged runs can hold."""

DEEPEST = 1_000_000
"""The longest runs of which an order knows how many there are."""

ALGEBRAS: Mapping[str, type[Algebra]] = {
    algebra.order: algebra
    for algebra in (SwapOrder, ReplacementOrder, ProjectionOrder, SetReplacementOrder, SetProjectionOrder)
}
"""The orders by name; joins and meets are there for more grades as well."""


def algebra_of(order: str, depth: int, grades: AnyGrades) -> Algebra:
    """Return the judged runs of a depth in an order.

    Parameters
    ----------
    order
        One of `measurand.orders.ORDERS`.
    depth
        How many ranks the runs have.
    grades
        How many grades there are, grade 0 included; or the grades themselves, where they are not 0, 1, 2, …

    Examples
    --------
    >>> algebra_of("replacement", 3, 3).join((2, 0, 1), (1, 1, 0))
    (2, 1, 1)
    >>> algebra_of("set-replacement", 5, 3).irreducible_count
    10

    References
    ----------
    [Giner2022]_, sections 5 and 6
    """
    named_order(order, "for your own, take measurand.lattice.OwnLattice(order, depth, grades)")
    depth = whole_number("depth", depth, high=DEEPEST)
    if not isinstance(grades, Relevance | Iterable):
        # so many are not written down before it is known that they are few
        _refuse_many(whole_number("grades", grades, 2))
    relevance = Relevance.of(grades)
    _refuse_many(len(relevance.grades))
    return ALGEBRAS[order](depth, len(relevance.grades), None if relevance.is_plain else relevance)


def _refuse_many(grades: int) -> None:
    if grades > MOST_GRADES:
        raise ParameterError(f"judged runs hold at most {MOST_GRADES} grades, 0 to {MOST_GRADES - 1}, not {grades}")
