"""Small posets that everybody knows: chains, antichains, subsets, and the two lattices that forbid distributing."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from measurand.exact import whole_number
from measurand.lattice.finite.order import refuse_many
from measurand.lattice.finite.poset import Poset


def diamond() -> Poset:
    """Return M3: three elements between a bottom and a top.

    Examples
    --------
    >>> len(diamond()), len(diamond().edges()), bool(diamond().is_distributive())
    (5, 6, False)

    References
    ----------
    [Giner2022]_, figure 1; that it forbids distributing: [Birkhoff1940]_
    """
    return Poset.from_pairs([*(("0", middle) for middle in "abc"), *((middle, "1") for middle in "abc")])


def pentagon() -> Poset:
    """Return N5: a bottom and a top, two elements between on one side and one on the other.

    Examples
    --------
    >>> len(pentagon()), len(pentagon().edges()), bool(pentagon().is_modular())
    (5, 5, False)

    References
    ----------
    [Giner2022]_, figure 1; that it forbids distributing: [Birkhoff1940]_
    """
    return Poset.from_pairs([("0", "a"), ("a", "b"), ("b", "1"), ("0", "c"), ("c", "1")])


def chain(n: int) -> Poset:
    """Return the numbers from 0 to n - 1 in their usual order.

    Parameters
    ----------
    n
        The number of elements.

    Examples
    --------
    >>> chain(3).edges()
    ((0, 1), (1, 2))
    """
    n = whole_number("n", n)
    refuse_many(n, "elements")
    return Poset(range(n), np.triu(np.ones((n, n), dtype=bool)))


def antichain(n: int) -> Poset:
    """Return the numbers from 0 to n - 1, no two of which can be compared.

    Parameters
    ----------
    n
        The number of elements.

    Examples
    --------
    >>> antichain(2).join(0, 1)
    Traceback (most recent call last):
    measurand.errors.NoJoin: 0 and 1 have no join, nor any upper bound
    """
    n = whole_number("n", n)
    refuse_many(n, "elements")
    return Poset(range(n), np.eye(n, dtype=bool))


def boolean(n: int) -> Poset:
    """Return all subsets of the numbers from 0 to n - 1, ordered by inclusion.

    Parameters
    ----------
    n
        The number of elements that the sets are made of.

    Examples
    --------
    >>> sets = boolean(3)
    >>> len(sets), sorted(sets.join(frozenset({0}), frozenset({2})))
    (8, [0, 2])
    """
    n = whole_number("n", n, 0)
    refuse_many(2**n, "sets", f"2^{n}")
    sets = [frozenset(some) for size in range(n + 1) for some in combinations(range(n), size)]
    return Poset(sets, np.array([[one <= other for other in sets] for one in sets]))


M3 = diamond()
N5 = pentagon()
