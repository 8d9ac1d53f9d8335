"""Finite posets: elements in an order, their joins and meets, and whether they are a lattice, distributive or modular.

A `Poset` is given by a matrix, which `Order` holds; it has comparisons, covers, bounds and levels as any order has, and
joins, meets and the laws of lattices.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, IntArray
from measurand.display.data import plain
from measurand.display.result import Result, shortened
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import counted
from measurand.errors import InputError, NoJoin, NoMeet, ParameterError
from measurand.exact import shown
from measurand.lattice.algebra.base import Algebra, Run
from measurand.lattice.finite.order import (
    Order,
    Sublattice,
    bounds,
    completed,
    decomposition,
    forbidden,
    indistributive_triple,
    join_irreducibles,
    pair_without_bound,
    refuse_many,
)
from measurand.lattice.finite.relations import (
    Violation,
    broken_laws,
    closed,
    closure,
    digraph,
    distinct,
    extended,
    higher_among,
    higher_in,
    matrix_of,
    read_pairs,
    unique_elements,
)
from measurand.lattice.finite.values import Values, bounded_pairs, read_values, worst_drop, worst_gap
from measurand.orders.compare import Relation
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


def listed(algebra: Algebra) -> tuple[Run, ...]:
    """Return all judged runs of an order, none before one that is worse, or refuse more than are written out.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> listed(algebra_of("set-projection", depth=2, grades=2))
    ((0, 0), (1, 0), (1, 1))
    """
    size = algebra.size
    power = f"{algebra.grades}^{algebra.depth}" if size == algebra.grades**algebra.depth else shown(size)
    refuse_many(size, "runs", f"{size:,}" if size < 10**12 else power)
    return tuple(algebra.runs())


WIDE = 60
"""So many letters of an element are shown."""


@frozen(eq=False, repr=False)
class Poset(Result):
    r"""Finitely many elements in an order, up to 5,000 of them.

    Build one with `of`, `from_pairs`, `from_networkx`, `from_matrix` or `of_runs`; these put the elements into
    order and check it. A lattice is a poset in which every two elements have

    .. math:: x \vee y = \min\{z : x \le z,\ y \le z\} \quad\text{and}\quad
        x \wedge y = \max\{z : z \le x,\ z \le y\}

    Parameters
    ----------
    elements
        The elements, none before a lower one.
    leq
        Whether the element of the row is below the element of the column, or equal to it.

    Examples
    --------
    >>> divisors = Poset.of([1, 2, 3, 4, 6, 12], lambda a, b: b % a == 0)
    >>> divisors.join(4, 6), divisors.meet(4, 6), divisors.covers(2)
    (12, 2, (4, 6))
    >>> divisors.levels(), divisors.interval(2, 12), str(divisors.compare(4, 6))
    (((1,), (2, 3), (4, 6), (12,)), (2, 4, 6, 12), 'incomparable')
    >>> bool(divisors.is_distributive())
    True
    >>> two = Poset.from_pairs([("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")])
    >>> print(two.is_lattice().witness)
    a and b have no join, but 2 minimal upper bounds: c, d
    >>> two.completion().join("a", "b")
    Cut(below=('a', 'b'), above=('c', 'd'))

    References
    ----------
    [Giner2022]_, section 3
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
        """Return elements in the order of a function.

        Parameters
        ----------
        elements
            The elements.
        below
            Returns whether its first element is below its second, or equal to it.
        """
        members = distinct(elements)
        return cls._checked(members, matrix_of(members, below))

    @classmethod
    def from_matrix(cls, elements: Iterable[Hashable], matrix: Any) -> Self:
        """Return elements in the order of a matrix.

        Parameters
        ----------
        elements
            The elements.
        matrix
            True, or 1, where the element of the row is below that of the column, or equal to it.
        """
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
        """Return the least order in which the first of every pair is below the second.

        Parameters
        ----------
        pairs
            Pairs of elements.
        elements
            Further elements.
        """
        return cls(*closure(higher_among(unique_elements(elements), read_pairs(pairs))))

    @classmethod
    def from_networkx(cls, graph: DiGraph) -> Self:
        """Return the least order in which every edge of a graph leads upwards.

        Parameters
        ----------
        graph
            A directed graph without cycles.
        """
        return cls(*closure(higher_in(graph)))

    @classmethod
    def of_runs(cls, algebra: Algebra) -> Self:
        """Return all judged runs of an order, of which there may not be more than 5,000.

        Parameters
        ----------
        algebra
            The order, the depth and the grades.

        Examples
        --------
        >>> from measurand.lattice.algebra import algebra_of
        >>> runs = Poset.of_runs(algebra_of("set-replacement", depth=5, grades=3))
        >>> len(runs), len(runs.edges()), len(runs.join_irreducibles())
        (21, 30, 10)
        """
        runs = listed(algebra)
        order = closed(runs, {run: tuple(algebra.upper_covers(run)) for run in runs})
        return cls(tuple(map(algebra.named, runs)), order)

    @classmethod
    def _checked(cls, members: tuple[Any, ...], matrix: BoolArray) -> Self:
        violation = next(broken_laws(members, matrix), None)
        if violation is not None:
            raise InputError(f"this is no order, it is not {violation.law}: {violation}")
        return cls(*extended(members, matrix))

    def to_networkx(self) -> DiGraph:
        """Return the graph in which an edge leads from every element to those right above it."""
        return digraph(self.elements, self.edges())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {counted(len(self), 'element')}>"

    def document(self) -> Document:
        """Return the elements level by level, the highest first, each with those right below it."""
        level = {element: place for place, several in enumerate(self.levels()) for element in several}
        columns = [
            valued("level", lambda element: level[element]),
            Column("element", lambda element: shortened(str(element), WIDE), left=True),
            Column("right below it", self._below, left=True),
        ]
        sizes = (len(self), "element"), (len(self.edges()), "cover"), (len(self.levels()), "level")
        title = ", ".join(counted(size, what) for size, what in sizes)
        return Document([TableView(columns, sorted(self, key=lambda element: -level[element]), title=title)])

    def _below(self, element: Any) -> str:
        return shortened(", ".join(map(str, self.covered(element))) or "–", WIDE)

    def to_dict(self) -> dict[str, Any]:
        """Return the elements, from the lowest up, and the places of a lower and a higher one for every cover.

        Examples
        --------
        >>> Poset.of("ab", lambda x, y: x <= y).to_dict()
        {'elements': ['a', 'b'], 'edges': [[0, 1]]}
        """
        elements = [list(each) if isinstance(each, tuple) else str(each) for each in self.elements]
        edges = [[self.place(low), self.place(high)] for low, high in self.edges()]
        return {"elements": plain(elements), "edges": edges}

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
        """Return the place of an element, from 0; raise if there is none."""
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
        """Return how x compares with y."""
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
        return Verdict(False, Violation("total", (x, y), f"{x} and {y} are incomparable"), checked, How.COUNTEREXAMPLE)

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

    def join(self, x: Any, y: Any, *others: Any) -> Any:
        """Return the least upper bound of two elements or more, or raise `NoJoin` with the minimal ones."""
        places = self.places((x, y, *others))
        found = self.order.least(self.order.above(places))
        if found is None:
            first, second, *rest = self.at(places)
            raise NoJoin(first, second, self.minimal_upper_bounds((x, y, *others)), others=rest)
        return self.elements[found]

    def meet(self, x: Any, y: Any, *others: Any) -> Any:
        """Return the greatest lower bound of two elements or more, or raise `NoMeet` with the maximal ones."""
        places = self.places((x, y, *others))
        found = self.order.greatest(self.order.under(places))
        if found is None:
            first, second, *rest = self.at(places)
            raise NoMeet(first, second, self.maximal_lower_bounds((x, y, *others)), others=rest)
        return self.elements[found]

    def is_lattice(self) -> Verdict:
        """Return whether every two elements have a join and a meet; the witness is a pair without."""
        return self._verdict(self._unbounded(), f"the joins and meets of all pairs of {len(self)} elements")

    def is_distributive(self) -> Verdict:
        r"""Return whether this is a lattice in which meets distribute over joins.

        .. math:: x \wedge (y \vee z) = (x \wedge y) \vee (x \wedge z)

        The witness is a triple for which they do not, or a pair without a join or a meet.

        Examples
        --------
        >>> Poset.from_pairs(["0a", "ab", "b1", "0c", "c1"]).is_distributive().witness.elements
        ('b', 'a', 'c')
        """
        checked = f"every join-irreducible of {len(self)} elements, below which there is one greatest that it is not"
        violation = self._unbounded()
        triple = None if violation else indistributive_triple(self.order)
        if triple:
            x, y, z = self.at(triple)
            left = self.meet(x, self.join(y, z))
            right = self.join(self.meet(x, y), self.meet(x, z))
            why = f"for x = {x}, y = {y}, z = {z} the meet of x with the join of y and z is {left}, the join of the"
            violation = Violation("distributive", (x, y, z), f"{why} meets of x with y and z is {right}", (left, right))
        return self._verdict(violation, checked)

    def is_modular(self) -> Verdict:
        r"""Return whether this is a lattice in which x ≤ z implies that joining x and meeting z commute.

        .. math:: x \le z \implies x \vee (y \wedge z) = (x \vee y) \wedge z

        The witness is a triple x, y, z for which they do not, or a pair without a join or a meet.
        """
        violation = self._unbounded()
        pentagon = None if violation else self.find("N5")
        if pentagon is not None:
            x, z, y = pentagon.between
            why = f"{x} is below {z}, but both have the join {pentagon.top} and the meet {pentagon.bottom} with {y}"
            violation = Violation("modular", (x, y, z), why, (x, z))
        return self._verdict(violation, f"every pair with nothing between, against all others of {len(self)} elements")

    def find(self, name: str) -> Sublattice | None:
        """Return five elements that form "M3" or "N5" and hold all joins and meets of each other, or nothing.

        In a poset that is no lattice, the joins and meets of the five must exist in it. Five elements that
        merely look like M3 or N5, with a join or meet elsewhere or nowhere, are not found.

        Parameters
        ----------
        name
            "M3" or "N5".

        Examples
        --------
        >>> Poset.from_pairs(["0a", "ab", "b1", "0c", "c1"]).find("N5").between
        ('a', 'b', 'c')
        """
        places = forbidden(self.order, name)
        if places is None:
            return None
        bottom, *between, top = self.at(places)
        return Sublattice(name, bottom, (between[0], between[1], between[2]), top)

    def is_sublattice(self, subset: Iterable[Any]) -> Verdict:
        """Return whether some elements hold the join and the meet, taken here, of every two of them.

        Parameters
        ----------
        subset
            Some of the elements.
        """
        places = sorted(set(self.places(subset)))
        if not places:
            raise ParameterError("there are no elements; a sublattice has at least one")
        inside = np.zeros(len(self) + 1, dtype=bool)
        inside[places] = True
        checked = f"the joins and meets of all pairs of {len(places)} elements"
        for name, table in (("join", self.order.joins), ("meet", self.order.meets)):
            # where there is none the table says -1, the place after all others
            outside = np.argwhere(~inside[table[np.ix_(places, places)]])
            if outside.size:
                x, y = (places[place] for place in outside[0])
                return self._verdict(self._outside(name, x, y, int(table[x, y])), checked)
        return self._verdict(None, checked)

    def join_irreducibles(self) -> tuple[Any, ...]:
        """Return the elements that are not the least upper bound of what is strictly below them.

        In a lattice these are the elements, the bottom left out, with exactly one lower cover. In any poset they
        are those of which every element is a least upper bound.
        """
        return self.at(join_irreducibles(self.order))

    def meet_irreducibles(self) -> tuple[Any, ...]:
        """Return the elements that are not the greatest lower bound of what is strictly above them."""
        return self.at(len(self) - 1 - join_irreducibles(self.order.dual)[::-1])

    def decompose(self, x: Any) -> tuple[Any, ...]:
        """Return join-irreducible elements whose least upper bound is x, none of which can be left out.

        In a distributive lattice there is only one way to do this. A bottom needs none.

        Examples
        --------
        >>> Poset.of([1, 2, 3, 4, 6, 12], lambda a, b: b % a == 0).decompose(12)
        (3, 4)
        """
        return self.at(decomposition(self.order, self.place(x)))

    def completion(self) -> Self:
        """Return the smallest lattice that holds this poset; what is new in it are `Cut` values.

        Its elements are the pairs of sets (A, B) where A is all that is below B and B all that is above A
        (Dedekind and MacNeille). All joins and meets that exist are kept.
        """
        return type(self)(*completed(self.elements, self.order))

    def is_valuation(self, values: Values) -> Verdict:
        r"""Return whether the values of two elements have the same sum as those of their join and meet.

        .. math:: v(x) + v(y) = v(x \vee y) + v(x \wedge y)

        The witness is the worst pair, with its join and meet as results and the four values. Pairs without a join
        or a meet are left out.

        Parameters
        ----------
        values
            The value of every element, or a function; read as written, so that 0.1 is 1/10.

        Examples
        --------
        >>> square = Poset.from_pairs(["0a", "0b", "a1", "b1"])
        >>> bool(square.is_valuation({"0": 0, "a": 0.1, "b": 0.2, "1": 0.3}))
        True
        """
        numbers = read_values(self.elements, values)
        gap = worst_gap(self.order, numbers)
        checked = f"all {bounded_pairs(self.order)} incomparable pairs with a join and a meet"
        if gap is None:
            return self._verdict(None, checked)
        x, y, join, meet = self.at(gap.places)
        four = tuple(numbers[place] for place in gap.places)
        texts = [f"v({element}) = {shown(value)}" for element, value in zip((x, y, join, meet), four, strict=True)]
        why = f"{texts[0]} and {texts[1]}, but of the join {texts[2]} and of the meet {texts[3]}"
        return self._verdict(Violation("valuation", (x, y), why, (join, meet), four), checked)

    def is_isotone(self, values: Values) -> Verdict:
        r"""Return whether no element has a higher value than one above it.

        .. math:: x \le y \implies v(x) \le v(y)

        The witness is the pair with nothing between whose values fall most.

        Parameters
        ----------
        values
            The value of every element, or a function; read as written, so that 0.1 is 1/10.
        """
        numbers = read_values(self.elements, values)
        drop = worst_drop(self.order, numbers)
        checked = f"all {len(self.order.edges)} pairs with nothing between"
        if drop is None:
            return self._verdict(None, checked)
        x, y = self.at(drop.places)
        low, high = (numbers[place] for place in drop.places)
        why = f"{x} is below {y}, but its value is {shown(low)} against {shown(high)}"
        return self._verdict(Violation("isotone", (x, y), why, (), (low, high)), checked)

    @staticmethod
    def _verdict(violation: Violation | None, checked: str) -> Verdict:
        return Verdict(
            violation is None, violation, checked, How.EXHAUSTIVE if violation is None else How.COUNTEREXAMPLE
        )

    def _unbounded(self) -> Violation | None:
        if self.order.is_lattice:
            return None
        found = pair_without_bound(self.order)
        return None if found is None else self._missing(*found)

    def _missing(self, name: str, x: int, y: int) -> Violation:
        found = self.at(bounds(self.order, name, x, y))
        first, second = self.at((x, y))
        error = (NoJoin if name == "join" else NoMeet)(first, second, found)
        return Violation(name, (first, second), str(error), found)

    def _outside(self, name: str, x: int, y: int, bound: int) -> Violation:
        if bound < 0:
            return self._missing(name, x, y)
        first, second, result = self.at((x, y, bound))
        why = f"{first} and {second} have the {name} {result}, which is left out"
        return Violation(name, (first, second), why, (result,))
