"""Measures of sets in the classical sense, as homomorphisms from the sets of some things."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from operator import le

from measurand.orders.measurement import Element, Structure, Values, homomorphism
from measurand.verdict import Verdict

INCLUSION = "inclusion"
DISJOINT_UNION = "disjoint union"


def set_algebra(things: Iterable[Element]) -> Structure:
    """Return all sets of some things with inclusion and disjoint union (the third is made of the others).

    Parameters
    ----------
    things
        The things; each counts once.

    Examples
    --------
    >>> sets = set_algebra("ab")
    >>> len(sets.domain), len(sets.relations["inclusion"]), len(sets.relations["disjoint union"])
    (4, 9, 9)

    References
    ----------
    [FerranteFerroMaistro2015]_, section 2.1
    """
    things = tuple(dict.fromkeys(things))
    sets = [frozenset(chosen) for size in range(len(things) + 1) for chosen in combinations(things, size)]
    pairs = list(product(sets, repeat=2))
    included = {(a, b) for a, b in pairs if a <= b}
    joined = {(a, b, a | b) for a, b in pairs if not a & b}
    return Structure(sets, {INCLUSION: included, DISJOINT_UNION: joined})


def is_monotone(values: Values, things: Iterable[Element]) -> Verdict:
    r"""Return whether no set has a smaller value than a set inside it.

    .. math:: A \subseteq B \Rightarrow M(A) \le M(B)

    Parameters
    ----------
    values
        The number of every set: a mapping or a function of frozen sets.
    things
        The things that the sets are made of.

    Examples
    --------
    >>> bool(is_monotone(lambda chosen: max(chosen, default=0), {1, 2, 3}))
    True

    References
    ----------
    [FerranteFerroMaistro2015]_, section 2.1
    """
    return homomorphism(set_algebra(things), values, {INCLUSION: le})


def is_additive(values: Values, things: Iterable[Element]) -> Verdict:
    r"""Return whether the value of two sets without a common element is the sum of theirs.

    .. math:: A \cap B = \emptyset \Rightarrow M(A \cup B) = M(A) + M(B)

    Parameters
    ----------
    values
        The number of every set: a mapping or a function of frozen sets.
    things
        The things that the sets are made of.

    Examples
    --------
    >>> bool(is_additive(len, "abc"))
    True

    Notes
    -----
    The paper leaves "disjoint" to the reader, and decomposes B, for A inside B, with a union that still
    holds A; what is true is M(B) = M(A) + M(B without A).

    References
    ----------
    [FerranteFerroMaistro2015]_, sections 2.1 and 4
    """
    return homomorphism(set_algebra(things), values, {DISJOINT_UNION: lambda a, b, c: a + b == c})
