"""Measurement in the representational theory: relational structures, homomorphisms into the numbers, measurements.

A `Structure` is a set of things with relations between them, a `homomorphism` a map to numbers that keeps the
relations, and a `Measurement` the map from a topic and what was retrieved for it to a number.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from inspect import signature
from itertools import product
from typing import Any

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.judged import JudgedRun, Multiset
from measurand.verdict import How, Verdict

Element = Hashable

Values = Mapping[Any, Any] | Callable[[Any], Any]


def _tuples(relations: Mapping[str, Iterable[tuple[Element, ...]]]) -> dict[str, frozenset[tuple[Element, ...]]]:
    try:
        return {name: frozenset(tuple(members) for members in relation) for name, relation in relations.items()}
    except TypeError:
        raise ParameterError("a relation is a set of tuples of things, such as {('a', 'b'), ('b', 'c')}") from None


def _different(domain: Iterable[Element]) -> tuple[Element, ...]:
    try:
        return tuple(dict.fromkeys(domain))
    except TypeError:
        raise ParameterError("a domain is a set of things that can be told apart: tuples, not lists") from None


@frozen
class Structure:
    """A set of things and relations between them, each of one arity.

    Parameters
    ----------
    domain
        The things.
    relations
        The tuples of each relation by its name.

    Examples
    --------
    >>> rods = Structure("abc", {"shorter": {("a", "b"), ("a", "c"), ("b", "c")}, "joined": {("a", "b", "c")}})
    >>> rods.arity("shorter"), rods.arity("joined")
    (2, 3)

    References
    ----------
    [FerranteFerroMaistro2015]_, section 2.1
    """

    domain: tuple[Element, ...] = field(converter=_different)
    relations: Mapping[str, frozenset[tuple[Element, ...]]] = field(converter=_tuples)

    @relations.validator
    def _check(self, _: object, relations: Mapping[str, frozenset[tuple[Element, ...]]]) -> None:
        known = set(self.domain)
        for name, tuples in relations.items():
            if len({len(members) for members in tuples}) > 1:
                odd = sorted(tuples, key=len)
                raise ParameterError(f"relation {name!r} holds {odd[0]} and {odd[-1]}: its tuples differ in arity")
            strange = [member for members in tuples for member in members if member not in known]
            if strange:
                raise ParameterError(f"relation {name!r} holds {strange[0]!r}, which is not in the domain")

    def arity(self, name: str) -> int:
        """Return the arity of a relation.

        Parameters
        ----------
        name
            The name of the relation.
        """
        if not self.relation(name):
            raise ParameterError(f"relation {name!r} is empty, so that its arity is not known")
        return len(next(iter(self.relations[name])))

    def relation(self, name: str) -> frozenset[tuple[Element, ...]]:
        """Return the tuples of a relation.

        Parameters
        ----------
        name
            The name of the relation.
        """
        if name not in self.relations:
            raise ParameterError(f"there is no relation {name!r}; there is {', '.join(self.relations) or 'none'}")
        return self.relations[name]


def homomorphism(
    structure: Structure, values: Values, numerical: Mapping[str, Callable[..., bool]], both_ways: bool = False
) -> Verdict:
    r"""Return whether a map to numbers keeps the relations of a structure.

    .. math:: r(x_1, \ldots, x_n) \Rightarrow \tilde r(M(x_1), \ldots, M(x_n))

    Parameters
    ----------
    structure
        The things and their relations.
    values
        The number of every thing: a mapping or a function.
    numerical
        For each relation that is to be kept, its counterpart between numbers, by the same name.
    both_ways
        Ask also that numbers which stand in a relation come from things that do.

    Returns
    -------
    Verdict
        The witness is the name of the relation and the tuple that breaks it.

    Examples
    --------
    >>> rods = Structure("abc", {"joined": {("a", "b", "c")}})
    >>> counterparts = {"joined": lambda x, y, z: x + y == z}
    >>> bool(homomorphism(rods, {"a": 1, "b": 2, "c": 3}, counterparts))
    True
    >>> homomorphism(rods, {"a": 1, "b": 2, "c": 4}, counterparts).witness
    ('joined', ('a', 'b', 'c'))

    References
    ----------
    [FerranteFerroMaistro2015]_, section 2.1
    """
    numbers = _numbers(structure.domain, values)
    checked = 0
    for name, holds in numerical.items():
        relation = structure.relation(name)
        if not relation and not both_ways:
            continue
        _check_arity(name, holds, structure.arity(name))
        for members in _candidates(structure, name, both_ways):
            checked += 1
            if (members in relation) != bool(holds(*(numbers[member] for member in members))):
                return Verdict(False, (name, members), f"{checked} tuples", How.COUNTEREXAMPLE)
    return Verdict(True, None, f"all {checked} tuples", How.EXHAUSTIVE)


def image_loss(domain: Structure | Iterable[Element], values: Values) -> int:
    """Return how many fewer numbers than things a map has; 0 if no two things share one.

    Parameters
    ----------
    domain
        The things, or a structure.
    values
        The number of every thing: a mapping or a function.

    Examples
    --------
    >>> image_loss([(0, 0), (0, 1), (1, 0), (1, 1)], sum)
    1

    References
    ----------
    [FerranteFerroMaistro2015]_, section 2.1
    """
    things = domain.domain if isinstance(domain, Structure) else _different(domain)
    return len(things) - len(set(_numbers(things, values).values()))


def _numbers(domain: Iterable[Element], values: Values) -> dict[Element, Any]:
    if isinstance(values, Mapping):
        missing = [thing for thing in domain if thing not in values]
        if missing:
            raise ParameterError(f"{missing[0]!r} has no value; give one for everything in the domain")
        return {thing: values[thing] for thing in domain}
    return {thing: values(thing) for thing in domain}


def _candidates(structure: Structure, name: str, both_ways: bool) -> Iterator[tuple[Element, ...]]:
    """Return the tuples to look at, in the order of the domain."""
    if both_ways:
        return product(structure.domain, repeat=structure.arity(name))
    place = {thing: index for index, thing in enumerate(structure.domain)}
    return iter(sorted(structure.relation(name), key=lambda members: [place[member] for member in members]))


def _check_arity(name: str, holds: Callable[..., bool], arity: int) -> None:
    try:
        signature(holds).bind(*range(arity))
    except TypeError:
        raise ParameterError(f"relation {name!r} has arity {arity}; its counterpart takes another number") from None
    except ValueError:
        # some functions written in C do not tell
        return


def judged_by(ground_truth: Mapping[Any, Any], retrieved: Iterable[Hashable]) -> JudgedRun | Multiset:
    """Return the grades of a ranking, or the multiset of grades of a set of documents.

    Examples
    --------
    >>> judged_by({"d1": 1, "d2": 0}, ["d2", "d1"])
    (0, 1)
    """
    if isinstance(retrieved, Set):
        return Multiset.judged(retrieved, ground_truth)
    return JudgedRun.of(retrieved, ground_truth)


@frozen
class Measurement:
    r"""The map that judges what was retrieved for a topic and scores the judged run.

    .. math:: M(t, r) = \mu(\hat r_t) \in [0, \infty]

    The measurement is the map; a measure is one of its values.

    Parameters
    ----------
    score
        A function from judged runs to numbers from 0 up, which may be infinite.
    ground_truth
        The grades of the documents, by topic.

    Examples
    --------
    >>> measurement = Measurement(sum, {"t": {"d1": 1, "d2": 0, "d3": 1}})
    >>> measurement.measure("t", ["d3", "d2", "d1"])
    2

    References
    ----------
    [FerranteFerroMaistro2015]_, sections 2.2 and 5
    """

    score: Callable[[Any], Any]
    ground_truth: Mapping[Any, Mapping[Any, Any]]

    def measure(self, topic: Hashable, retrieved: Iterable[Hashable]) -> Any:
        """Return the value of a ranking (or a set) of documents for a topic.

        Parameters
        ----------
        topic
            A topic of the ground truth.
        retrieved
            Documents, first rank first, or a set of documents.
        """
        if topic not in self.ground_truth:
            raise ParameterError(f"there are no judgments for topic {topic!r}")
        value = self.score(judged_by(self.ground_truth[topic], retrieved))
        try:
            allowed = bool(value >= 0)
        except TypeError:
            allowed = False
        if not allowed:
            raise ParameterError(f"a measurement gives numbers from 0 up, which may be infinite, but not {value!r}")
        return value
