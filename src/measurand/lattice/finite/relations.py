"""Relations between elements: whether one is an order, which laws it violates, and the order that pairs generate.

Relations come as functions, pairs, matrices or networkx graphs, whose edges lead upwards.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray
from measurand.display.result import Result
from measurand.errors import InputError, ParameterError
from measurand.lattice.finite.order import refuse_many
from measurand.loading import needed
from measurand.verdict import How, Verdict

if TYPE_CHECKING:
    from networkx import DiGraph


Pairs = Iterable[tuple[Any, Any]]

Below = Callable[[Any, Any], Any]


@frozen(repr=False)
class Violation(Result):
    """Elements that break a law; unpacks into them.

    Parameters
    ----------
    law
        The law, in a word: "transitive", "join", "distributive", …
    elements
        The elements that break it.
    why
        One sentence that says how.
    results
        What the law makes of them: bounds, joins, meets.
    values
        The values of the elements and then of the results, where the law is about values.

    Examples
    --------
    >>> x, y = Violation("join", ("a", "b"), "a and b have no upper bound")
    >>> x, y
    ('a', 'b')
    """

    law: str
    elements: tuple[Any, ...]
    why: str
    results: tuple[Any, ...] = ()
    values: tuple[Any, ...] = ()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.elements)

    def __len__(self) -> int:
        return len(self.elements)

    def __getitem__(self, index: int) -> Any:
        return self.elements[index]

    def __str__(self) -> str:
        return self.why


def is_order(elements: Iterable[Hashable], relation: Below | Pairs) -> Verdict:
    r"""Return whether a relation is an order: reflexive, antisymmetric and transitive.

    .. math:: x \le x; \quad x \le y \le x \implies x = y; \quad x \le y \le z \implies x \le z

    Parameters
    ----------
    elements
        The elements to be ordered.
    relation
        A function that returns whether the first of two elements is below the second or equal to it, or all pairs for
        which this is so.

    Returns
    -------
    Verdict
        Where it is none, the witness names the law and holds the elements that break it.

    Examples
    --------
    >>> bool(is_order(range(1, 13), lambda a, b: b % a == 0))
    True
    >>> nearly = is_order([0, 1, 2], lambda a, b: a <= b + 1)
    >>> nearly.witness.law, nearly.witness.elements
    ('antisymmetric', (0, 1))

    References
    ----------
    [Giner2022]_, section 3
    """
    members = distinct(elements)
    violation = next(broken_laws(members, matrix_of(members, relation)), None)
    checked = f"reflexive, antisymmetric and transitive on all {len(members)} elements"
    return Verdict(violation is None, violation, checked, How.EXHAUSTIVE if violation is None else How.COUNTEREXAMPLE)


def violations(elements: Iterable[Hashable], relation: Below | Pairs) -> tuple[Violation, ...]:
    """Return every law of orders that a relation violates, with elements that show it; none for an order.

    Parameters
    ----------
    elements
        The elements to be ordered.
    relation
        A function that returns whether the first of two elements is below the second or equal to it, or all pairs for
        which this is so.

    Examples
    --------
    >>> [(violation.law, violation.elements) for violation in violations([0, 1, 2], lambda a, b: a <= b + 1)]
    [('antisymmetric', (0, 1)), ('transitive', (2, 1, 0))]

    References
    ----------
    [Giner2022]_, section 3
    """
    members = distinct(elements)
    return tuple(broken_laws(members, matrix_of(members, relation)))


def distinct(elements: Iterable[Hashable]) -> tuple[Any, ...]:
    """Return the elements of an order, at least one.

    Examples
    --------
    >>> distinct("abc")
    ('a', 'b', 'c')
    """
    members = unique_elements(elements)
    if not members:
        raise ParameterError("there are no elements; an order needs at least one")
    return members


def unique_elements(elements: Iterable[Hashable]) -> tuple[Any, ...]:
    """Return elements, perhaps none, of which no two are equal; raise if two are.

    Examples
    --------
    >>> unique_elements([])
    ()
    """
    try:
        members = tuple(elements)
        different = dict.fromkeys(members)
    except TypeError as error:
        raise ParameterError(f"elements are things that can be told apart, such as tuples or names: {error}") from None
    if len(different) < len(members):
        twice = next(member for i, member in enumerate(members) if member in members[:i])
        raise ParameterError(f"{twice!r} is given twice; give every element once")
    refuse_many(len(members), "elements")
    return members


def matrix_of(members: Sequence[Any], relation: Below | Pairs) -> BoolArray:
    """Return which of the rows stand in a relation to which of the columns.

    Examples
    --------
    >>> matrix_of("ab", [("a", "b")]).tolist()
    [[False, True], [False, False]]
    """
    if callable(relation):
        return np.array([[_answer(relation, x, y) for y in members] for x in members], dtype=bool)
    places = {member: place for place, member in enumerate(members)}
    matrix = np.zeros((len(members), len(members)), dtype=bool)
    for x, y in read_pairs(relation):
        for element in (x, y):
            if element not in places:
                raise ParameterError(f"the relation holds {element!r}, which is none of the elements")
        matrix[places[x], places[y]] = True
    return matrix


def _answer(relation: Below, x: Any, y: Any) -> bool:
    try:
        answer = relation(x, y)
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        raise ParameterError(f"the relation cannot be asked about {x!r} and {y!r}: {error}") from error
    if isinstance(answer, bool | np.bool_ | int | np.integer):
        return bool(answer)
    raise ParameterError(f"the relation answered {answer!r} for {x!r} and {y!r}, which is neither yes nor no")


def read_pairs(pairs: Pairs) -> list[tuple[Any, Any]]:
    """Return pairs of elements.

    Examples
    --------
    >>> read_pairs(["ab", ("a", "c")])
    [('a', 'b'), ('a', 'c')]
    """
    try:
        found = [tuple(pair) for pair in pairs]
        hash(tuple(found))
    except TypeError as error:
        raise ParameterError(f"a relation is a function of two or pairs such as [('low', 'high')]: {error}") from None
    for pair in found:
        if len(pair) != 2:
            raise ParameterError(f"{pair!r} is no pair; write (lower, higher)")
    return [(x, y) for x, y in found]


def broken_laws(members: Sequence[Any], matrix: BoolArray) -> Iterator[Violation]:
    """Return the laws of orders that a relation breaks, each with the first elements that break it.

    Examples
    --------
    >>> print(*broken_laws("ab", np.array([[True, False], [False, False]])))
    b is not below or equal to itself
    """
    unlike = np.flatnonzero(~matrix.diagonal())
    if unlike.size:
        x = members[unlike[0]]
        yield Violation("reflexive", (x,), f"{x} is not below or equal to itself")
    both = np.argwhere(np.triu(matrix & matrix.T, 1))
    if both.size:
        x, y = (members[place] for place in both[0])
        yield Violation("antisymmetric", (x, y), f"{x} is below {y} and {y} is below {x}, though they differ")
    yield from _intransitive(members, matrix)


def _intransitive(members: Sequence[Any], matrix: BoolArray) -> Iterator[Violation]:
    numbers = matrix.astype(np.float32)
    for start in range(0, len(members), 512):
        reached = (numbers[start : start + 512] @ numbers > 0) & ~matrix[start : start + 512]
        if reached.any():
            first, last = np.argwhere(reached)[0].tolist()
            middle = int(np.flatnonzero(matrix[start + first] & matrix[:, last])[0])
            x, y, z = (members[place] for place in (start + first, middle, last))
            yield Violation("transitive", (x, y, z), f"{x} is below {y} and {y} is below {z}, but {x} is not below {z}")
            return


def extended(members: Sequence[Any], matrix: BoolArray) -> tuple[tuple[Any, ...], BoolArray]:
    """Return the elements of an order so that none comes before a lower one, and the order of these.

    Examples
    --------
    >>> extended("ba", np.array([[True, False], [True, True]]))[0]
    ('a', 'b')
    """
    if not np.tril(matrix, -1).any():
        return tuple(members), matrix
    # what is lower has fewer below
    places = np.argsort(matrix.sum(axis=0), kind="stable")
    return tuple(members[place] for place in places), matrix[np.ix_(places, places)]


def closure(higher: Mapping[Any, Iterable[Any]]) -> tuple[tuple[Any, ...], BoolArray]:
    """Return the elements so that none comes before a lower one, and the least order that holds some pairs.

    Parameters
    ----------
    higher
        Every element with elements that are above it.

    Examples
    --------
    >>> elements, leq = closure({"c": [], "a": ["b"], "b": ["c"]})
    >>> elements, leq.sum()
    (('a', 'b', 'c'), np.int64(6))
    """
    if not higher:
        raise ParameterError("there are no elements; an order needs at least one")
    refuse_many(len(higher), "elements")
    try:
        falling = list(TopologicalSorter(higher).static_order())
    except CycleError as error:
        # from an element to one that it is above
        around = " < ".join(map(str, reversed(error.args[1])))
        raise InputError(f"{around} goes round in a circle, so this is no order; leave one of the pairs out") from None
    rising = falling[::-1]
    places = {element: place for place, element in enumerate(rising)}
    given = [places[element] for element in higher]
    return extended(tuple(higher), closed(rising, higher)[np.ix_(given, given)])


def closed(elements: Sequence[Any], higher: Mapping[Any, Iterable[Any]]) -> BoolArray:
    """Return the least order that holds some pairs, of elements of which none comes before a lower one.

    Examples
    --------
    >>> int(closed("abc", {"a": "b", "b": "c", "c": ""}).sum())
    6
    """
    places = {element: place for place, element in enumerate(elements)}
    leq = np.eye(len(elements), dtype=bool)
    for place in reversed(range(len(elements))):
        for above in higher[elements[place]]:
            leq[place] |= leq[places[above]]
    return leq


def higher_in(graph: Any) -> dict[Any, list[Any]]:
    """Return every node of a networkx graph with those to which its edges lead.

    A node that leads to itself adds nothing, and neither does an edge that is there twice.

    Examples
    --------
    >>> from networkx import DiGraph
    >>> higher_in(DiGraph([("low", "high"), ("low", "low")]))
    {'low': ['high'], 'high': []}
    """
    if not (hasattr(graph, "is_directed") and hasattr(graph, "edges")):
        raise ParameterError(f"a networkx DiGraph is wanted here, not {type(graph).__name__}; pairs go to from_pairs")
    if not graph.is_directed():
        raise InputError("the edges of this graph have no direction; give a DiGraph whose edges lead upwards")
    if not graph.number_of_nodes():
        raise InputError("the graph has no nodes; an order needs at least one element")
    return higher_among(graph.nodes, graph.edges())


def higher_among(elements: Iterable[Any], pairs: Iterable[tuple[Any, Any]]) -> dict[Any, list[Any]]:
    """Return every element, those of the pairs included, with the ones that pairs put above it.

    Examples
    --------
    >>> higher_among("ab", [("a", "c"), ("a", "a")])
    {'a': ['c'], 'b': [], 'c': []}
    """
    higher: dict[Any, list[Any]] = {element: [] for element in elements}
    for low, high in pairs:
        above = higher.setdefault(low, [])
        higher.setdefault(high, [])
        # what does not equal itself, such as NaN, is itself all the same
        if low is not high and low != high:
            above.append(high)
    return higher


def digraph(elements: Iterable[Any], edges: Iterable[tuple[Any, Any]]) -> DiGraph:
    """Return a networkx graph of elements and edges.

    Examples
    --------
    >>> digraph("ab", ["ab"]).number_of_edges()
    1
    """
    networkx = needed("networkx", "graphs", "to_networkx")
    if None in (elements := tuple(elements)):
        raise ParameterError("None is an element, which networkx cannot have as a node; name it otherwise")
    graph: DiGraph = networkx.DiGraph()
    graph.add_nodes_from(elements)
    graph.add_edges_from(edges)
    return graph
