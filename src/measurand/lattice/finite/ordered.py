"""Elements in an order: which is below which, what is next to what, and their bounds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, IntArray
from measurand.errors import InputError, ParameterError
from measurand.lattice.finite.breach import Breach
from measurand.lattice.finite.graphs import digraph, higher_among, higher_in
from measurand.lattice.finite.order import Order
from measurand.lattice.finite.relations import (
    broken_laws,
    closure,
    distinct,
    extended,
    matrix_of,
    read_pairs,
    told_apart,
)
from measurand.orders.relation import Relation
from measurand.verdict import How, Verdict

if TYPE_CHECKING:
    from networkx import DiGraph


def _sealed(matrix: Any) -> BoolArray:
    try:
        sealed: BoolArray = np.array(matrix, dtype=bool)
    except ValueError as error:
        raise ParameterError(f"the matrix cannot be read: {error}") from None
    sealed.flags.writeable = False
    return sealed


@frozen(eq=False, repr=False)
class OrderedSet:
    """Finitely many elements in an order; what a `Poset` can be asked without joins and meets.

    Parameters
    ----------
    elements
        The elements, none before a lower one.
    leq
        Whether the element of the row is below the element of the column, or is it.

    Examples
    --------
    >>> divisors = OrderedSet.of([1, 2, 3, 4, 6, 12], lambda a, b: b % a == 0)
    >>> divisors.levels(), divisors.interval(2, 12), str(divisors.compare(4, 6))
    (((1,), (2, 3), (4, 6), (12,)), (2, 4, 6, 12), 'incomparable')
    """

    elements: tuple[Any, ...] = field(converter=distinct)
    leq: BoolArray = field(converter=_sealed)

    @leq.validator
    def _check(self, _: object, leq: BoolArray) -> None:
        if leq.shape != (len(self.elements), len(self.elements)):
            raise ParameterError(f"{len(self.elements)} elements need a square matrix of their size, not {leq.shape}")
        if np.tril(leq, -1).any():
            raise ParameterError("an element comes before a lower one; from_matrix puts elements into order")
        if not leq.diagonal().all():
            raise ParameterError("an element is not below or equal to itself; put true on the diagonal")

    @classmethod
    def of(cls, elements: Iterable[Hashable], below: Callable[[Any, Any], Any]) -> Self:
        """Return elements in the order that a function says: whether the first is below the second or is it."""
        members = distinct(elements)
        return cls._checked(members, matrix_of(members, below))

    @classmethod
    def from_matrix(cls, elements: Iterable[Hashable], matrix: Any) -> Self:
        """Return elements in the order of a matrix: true where the row is below the column or is it."""
        members = distinct(elements)
        try:
            answers = np.asarray(matrix)
            plain = answers.dtype == bool or bool(np.isin(answers, (0, 1)).all())
        except (TypeError, ValueError) as error:
            raise ParameterError(f"the matrix cannot be read: {error}") from None
        if answers.shape != (len(members), len(members)) or not plain:
            raise ParameterError(
                f"{len(members)} elements need {len(members)} rows and columns of 0 and 1; this has the shape"
                f" {answers.shape}{'' if plain else ' and other entries'}"
            )
        return cls._checked(members, answers.astype(bool))

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[Any, Any]], elements: Iterable[Hashable] = ()) -> Self:
        """Return the least order in which the first of every pair is below the second, and further elements."""
        return cls(*closure(higher_among(told_apart(elements), read_pairs(pairs))))

    @classmethod
    def from_networkx(cls, graph: DiGraph) -> Self:
        """Return the least order in which every edge of a graph leads upwards."""
        return cls(*closure(higher_in(graph)))

    @classmethod
    def _checked(cls, members: tuple[Any, ...], matrix: BoolArray) -> Self:
        breach = next(broken_laws(members, matrix), None)
        if breach is not None:
            raise InputError(f"this is no order, it is not {breach.law}: {breach}")
        return cls(*extended(members, matrix))

    def to_networkx(self) -> DiGraph:
        """Return the graph in which an edge leads from every element to those right above it."""
        return digraph(self.elements, self.edges())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} elements>"

    def __len__(self) -> int:
        return len(self.elements)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.elements)

    def __contains__(self, x: object) -> bool:
        try:
            return x in self._places
        except TypeError:
            return False

    @cached_property
    def order(self) -> Order:
        """The order of the places of the elements."""
        return Order(self.leq)

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {element: place for place, element in enumerate(self.elements)}

    def place(self, x: Any) -> int:
        """Return the place of an element, from 0, or say that there is none."""
        # a run may come as a list or a row of an array
        x = tuple(x.tolist() if isinstance(x, np.ndarray) else x) if isinstance(x, list | np.ndarray) else x
        if x not in self:
            raise ParameterError(f"{x!r} is none of the {len(self)} elements, such as {self.elements[0]!r}")
        return self._places[x]

    def places(self, xs: Iterable[Any]) -> list[int]:
        """Return the places of some elements."""
        return [self.place(x) for x in xs]

    def at(self, places: Iterable[int] | IntArray) -> tuple[Any, ...]:
        """Return the elements at some places."""
        return tuple(self.elements[int(place)] for place in places)

    def below(self, x: Any, y: Any) -> bool:
        """Return whether x is below y, or is it."""
        return bool(self.leq[self.place(x), self.place(y)])

    def compare(self, x: Any, y: Any) -> Relation:
        """Return how x stands to y."""
        if self.place(x) == self.place(y):
            return Relation.EQUAL
        if self.below(x, y):
            return Relation.LESS
        return Relation.GREATER if self.below(y, x) else Relation.INCOMPARABLE

    def covers(self, x: Any) -> tuple[Any, ...]:
        """Return the elements above x with nothing between."""
        return self.at(self.order.upper[self.place(x)])

    def covered(self, x: Any) -> tuple[Any, ...]:
        """Return the elements below x with nothing between."""
        return self.at(self.order.lower[self.place(x)])

    def edges(self) -> tuple[tuple[Any, Any], ...]:
        """Return all pairs with nothing between, the lower element first."""
        return tuple((self.elements[x], self.elements[y]) for x, y in self.order.edges.tolist())

    def interval(self, x: Any, y: Any) -> tuple[Any, ...]:
        """Return the elements from x up to y, none before a lower one; nothing if x is not below y."""
        return self.at(np.flatnonzero(self.leq[self.place(x)] & self.leq[:, self.place(y)]))

    def upper_bounds(self, xs: Iterable[Any]) -> tuple[Any, ...]:
        """Return the elements that are at least as high as all of some; of none, all elements."""
        return self.at(np.flatnonzero(self.order.above(self.places(xs))))

    def lower_bounds(self, xs: Iterable[Any]) -> tuple[Any, ...]:
        """Return the elements that are at most as high as all of some; of none, all elements."""
        return self.at(np.flatnonzero(self.order.under(self.places(xs))))

    def minimal_upper_bounds(self, xs: Iterable[Any]) -> tuple[Any, ...]:
        """Return the upper bounds of some elements that have no other below."""
        return self.at(self.order.minimal(self.order.above(self.places(xs))))

    def maximal_lower_bounds(self, xs: Iterable[Any]) -> tuple[Any, ...]:
        """Return the lower bounds of some elements that have no other above."""
        return self.at(self.order.maximal(self.order.under(self.places(xs))))

    @property
    def top(self) -> Any:
        """The element above all others; None where there is none."""
        return None if self.order.top is None else self.elements[self.order.top]

    @property
    def bottom(self) -> Any:
        """The element below all others; None where there is none."""
        return None if self.order.bottom is None else self.elements[self.order.bottom]

    def levels(self) -> tuple[tuple[Any, ...], ...]:
        """Return the elements by the length of the longest chain that leads up to them."""
        heights = self.order.heights
        return tuple(self.at(np.flatnonzero(heights == height)) for height in range(int(heights.max()) + 1))

    def is_chain(self) -> Verdict:
        """Return whether any two elements can be compared."""
        apart = np.argwhere(~self.order.comparable)
        checked = f"all pairs of {len(self)} elements"
        if not apart.size:
            return Verdict(True, None, checked, How.EXHAUSTIVE)
        x, y = self.at(apart[0])
        return Verdict(False, Breach("total", (x, y), f"{x} and {y} are incomparable"), checked, How.COUNTEREXAMPLE)

    def components(self) -> tuple[tuple[Any, ...], ...]:
        """Return the elements by what is connected with them through others, up and down."""
        from scipy.sparse.csgraph import connected_components  # slow to load

        number, which = connected_components(self.order.covers, directed=False)
        return tuple(self.at(np.flatnonzero(which == component)) for component in range(number))

    def induced(self, elements: Iterable[Any]) -> Self:
        """Return some of the elements, ordered as they are here."""
        places = sorted(set(self.places(elements)))
        return type(self)(self.at(places), self.leq[np.ix_(places, places)])

    def dual(self) -> Self:
        """Return the elements in the opposite order."""
        return type(self)(self.elements[::-1], self.order.dual.leq)
