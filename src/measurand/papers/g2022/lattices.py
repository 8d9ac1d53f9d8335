"""Section 3: orders, lattices, what their elements are made of, and valuations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from measurand.exact import rational
from measurand.lattice import M3, N5, Poset, RunLattice, chain, generated, is_order, violations
from measurand.measures import parse
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.g2022.judged_runs import Run, words

SMALLER = "6.3 in words, c = 2, N = 2"
"""The order that Section 6.3 describes in words: from swaps and from replacement at the last rank (E-G-7)."""


@exhibit("G-3-POSET", "G-3-CHAIN", where="Sections 3, 5 and 6, definitions, and footnote 1")
def orders() -> Iterator[Line]:
    """Orders, and chains: orders in which any two elements can be compared."""
    for order in ("set-projection", "set-replacement", "projection", "replacement", "swap"):
        runs = RunLattice(order, depth=3, grades=3)
        poset = runs.poset()
        yield line(f"{order}, c = 2, N = 3: an order", is_order(poset, runs.below).holds, said=True)
        yield line(f"{order}, c = 2, N = 3: a chain", poset.is_chain().holds, said="projection" in order)
    found = {violation.law: violation for violation in violations([0, Fraction(1, 2), 1, 2], lambda a, b: a <= b + 1)}
    yield line("a ≤ b + 1 (footnote 1): antisymmetric", "antisymmetric" not in found)
    yield line("a ≤ b + 1 (footnote 1): transitive", "transitive" not in found)


@exhibit("G-3-INT", "G-3-COVER", "G-3-BOUNDS", "G-3-LAT", where="Section 3, definitions")
def bounds_and_covers() -> Iterator[Line]:
    """Intervals, covers and bounds, in Figure 2 and by replacement and swapping (c = 2, N = 2)."""
    sets, swap = RunLattice("set-replacement", 2, 3), RunLattice("swap", 2, 3).poset()
    yield line("sets: interval from 10 to 21", words(sets.interval((1, 0), (2, 1))))
    yield line("sets: covers of 10", words(sorted(sets.covers((1, 0)))))
    yield line("sets: bottom and top", words((sets.bottom, sets.top)))
    yield line("sets: join and meet of 11 and 20", words((sets.join((1, 1), (2, 0)), sets.meet((1, 1), (2, 0)))))
    yield line("swapping: upper bounds of 02 and 10", words(sorted(swap.upper_bounds([(0, 2), (1, 0)]))))
    yield line("swapping: minimal ones, so no join", words(swap.minimal_upper_bounds([(0, 2), (1, 0)])))
    for c, depth in ((1, 5), (2, 4), (3, 3)):
        yield line(f"c = {c}, N = {depth}: edges by closed forms", _edges_as_counted(c, depth))
    yield line("edges by swapping, c = 2, N = 2, 3, 4", tuple(_edges("swap", 2, n) for n in (2, 3, 4)))


def _edges(order: str, c: int, n: int) -> int:
    return len(RunLattice(order, n, c + 1).poset().edges())


def _edges_as_counted(c: int, n: int) -> bool:
    return (
        _edges("set-replacement", c, n) == c * comb(n + c - 1, c)
        and _edges("replacement", c, n) == n * c * (c + 1) ** (n - 1)
        and _edges("projection", c, n) == (c + 1) ** n - 1
        and _edges("swap", 1, n) == (n + 1) * 2 ** (n - 2)
    )


@exhibit("G-F1", where="Figure 1")
def forbidden_lattices() -> Iterator[Line]:
    """The pentagon N5 and the diamond M3, which do not distribute."""
    for name, poset in (("N5", N5), ("M3", M3)):
        yield line(f"{name}: nodes and edges", (len(poset), len(poset.edges())))
        yield line(f"{name}: is a lattice", poset.is_lattice().holds, said=True)
        yield line(f"{name}: is distributive", poset.is_distributive().holds, said=False)


def _lattices() -> dict[str, Poset]:
    """Return lattices that the paper speaks of, distributive and not."""
    return {
        "N5": N5,
        "M3": M3,
        "sets, c = 2, N = 3": RunLattice("set-replacement", 3, 3).poset(),
        "rankings, c = 2, N = 2": RunLattice("replacement", 2, 3).poset(),
        SMALLER: generated(["replacement", "swapping"], depth=2, grades=3, replace="last"),
    }


@exhibit("G-T1", "G-3-DIST", "G-3-SUB", where="Theorem 1")
def birkhoff() -> Iterator[Line]:
    """A lattice is distributive exactly if neither N5 nor M3 is a sublattice."""
    for name, lattice in _lattices().items():
        forbidden = lattice.find("N5") or lattice.find("M3")
        yield line(f"{name}: the theorem holds", lattice.is_distributive().holds == (forbidden is None), said=True)
    lattice = _lattices()[SMALLER]
    yield line("6.3 in words (last rank replaced): distributive", lattice.is_distributive().holds)
    x, y, z = (1, 1), (0, 2), (1, 0)
    sides = lattice.meet(x, lattice.join(y, z)), lattice.join(lattice.meet(x, y), lattice.meet(x, z))
    yield line("there, both sides of the law for 11, 02, 10", words(sides))
    rankings = RunLattice("replacement", 2, 3).poset()
    closed = rankings.is_sublattice([(0, 0), (0, 1), (1, 0), (2, 2)]).holds
    yield line("00, 01, 10, 22 of these rankings: sublattice (“∈ X”)", closed, derived=True, erratum="E-G-15")


@exhibit("G-3-JI", "G-T2", where="Theorem 2")
def parts() -> Iterator[Line]:
    """In a distributive lattice every element is a join of join-irreducible ones in one way, if none is left over."""
    for name, lattice in _lattices().items():
        one = {x for x in lattice if len(lattice.covered(x)) == 1}
        yield line(f"{name}: irreducible = covers one", one == set(lattice.join_irreducibles()), said=True)
    cases = (("set-replacement", 4, 3), ("replacement", 3, 3), ("swap", 4, 2))
    for order, depth, grades in cases:
        ways = _ways(RunLattice(order, depth, grades))
        # of swapping the paper says that it does not distribute, so that the theorem is not applied to it
        told = None if order == "swap" else True
        yield line(f"{order}, c = {grades - 1}, N = {depth}: one way for each run", ways == {1}, said=told)
    yield line("N5: a ∨ c and b ∨ c, two ways to the top 1", (N5.join("a", "c"), N5.join("b", "c")))


def _ways(runs: RunLattice) -> set[int]:
    """Return in how many ways runs are joins of join-irreducible ones none of which can be left out."""
    joins: dict[frozenset[Run], Run] = {frozenset(): runs.bottom}
    for one in runs.join_irreducibles():
        joins |= {some | {one}: runs.join(join, one) for some, join in joins.items()}
    needed = [run for some, run in joins.items() if all(joins[some - {one}] != run for one in some)]
    return {needed.count(run) for run in set(joins.values())}


@exhibit("G-3-VAL", "G-T3", where="Theorem 3")
def determination() -> Iterator[Line]:
    """A valuation is fixed by its values on the join-irreducible elements, and by that of the bottom."""
    two = [{0: 0, 1: 1}, {0: 5, 1: 1}]
    fixed = not all(chain(2).is_valuation(values) for values in two)
    yield line("0 < 1: the value of 1 fixes a valuation", fixed, derived=True, erratum="E-G-10")
    for order, depth, grades in (("set-replacement", 2, 3), ("replacement", 2, 3), ("set-projection", 2, 3)):
        runs = RunLattice(order, depth, grades)
        irreducible, free = len(runs.join_irreducibles()), _free_values(runs.poset())
        case = f"{order}, c = {grades - 1}, N = {depth}"
        yield line(f"{case}: {irreducible} values fix one", free == irreducible, said=True, erratum="E-G-10")
        yield line(f"{case}: so many are needed", free)
    sets = RunLattice("set-replacement", 5, 3)
    precision = parse("gP(gmax=2)")
    shifted = sets.extend({run: rational(precision.of(run)) + 7 for run in sets.join_irreducibles()}, bottom=7)
    again = all(shifted.of(run) == rational(precision.of(run)) + 7 for run in sets.poset())
    yield line("7 + gP of 21 sets, from 10 values and the bottom's", again)
    average = RunLattice("replacement", 3, 2).is_valuation("AP").holds
    yield line("AP is a valuation: replacement, c = 1, N = 3", average)


def _free_values(lattice: Poset) -> int:
    """Return the dimension of the space of valuations: how many values fix one, by elimination in exact numbers."""
    solved: dict[Any, dict[Any, Fraction]] = {}
    for x, y in combinations(lattice, 2):
        law: Counter[Any] = Counter([x, y])
        law.subtract([lattice.join(x, y), lattice.meet(x, y)])
        rest = {element: Fraction(times) for element, times in law.items()}
        for element, rule in solved.items():
            share = rest.get(element, Fraction(0))
            rest |= {other: rest.get(other, Fraction(0)) - share * times for other, times in rule.items()}
        element = next((each for each, times in rest.items() if times), None)
        if element is not None:
            solved[element] = {other: times / rest[element] for other, times in rest.items() if times}
    return len(lattice) - len(solved)


EXHIBITS = (orders, bounds_and_covers, forbidden_lattices, birkhoff, parts, determination)
