"""Lattices against their laws: joins, distributing, modularity, M3 and N5, and the completion."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable, ParameterError
from measurand.lattice.finite import M3, N5, Cut, Poset, antichain, boolean, chain
from measurand.verdict import How


@st.composite
def posets(draw, most: int = 7) -> Poset:
    n = draw(st.integers(1, most))
    pairs = draw(st.sets(st.sampled_from([*combinations(range(n), 2)]))) if n > 1 else ()
    return Poset.from_pairs(pairs, range(n))


@st.composite
def lattices(draw) -> Poset:
    """Return sets, closed under what they have in common: every finite lattice is such a family."""
    n = draw(st.integers(1, 4))
    family = {frozenset(range(n)), *draw(st.sets(st.frozensets(st.integers(0, n - 1)), max_size=6))}
    while more := {x & y for x, y in combinations(family, 2)} - family:
        family |= more
    return Poset.of(sorted(family, key=lambda some: (len(some), sorted(some))), frozenset.issubset)


def bound(poset: Poset, x, y, *, up: bool):
    below = poset.below if up else (lambda a, b: poset.below(b, a))
    found = [z for z in poset if below(x, z) and below(y, z)]
    closest = [z for z in found if all(below(z, w) for w in found)]
    return closest[0] if closest else None


def tables(poset: Poset):
    pairs = list(product(poset, repeat=2))
    return tuple({pair: bound(poset, *pair, up=up) for pair in pairs} for up in (True, False))


def is_closed(some, *both) -> bool:
    return all(table[pair] is not None and table[pair] in some for table in both for pair in product(some, repeat=2))


def five_of(poset: Poset, name: str) -> set[frozenset]:
    join, meet = tables(poset)
    found = set()
    for some in combinations(poset, 5):
        if is_closed(some, join, meet):
            part = poset.induced(some)
            ends = (len(part.covers(part.bottom)), len(part.covered(part.top)), len(part.edges()))
            if ends == {"M3": (3, 3, 6), "N5": (2, 2, 5)}[name]:
                found.add(frozenset(some))
    return found


def distributes(poset: Poset) -> bool:
    join, meet = tables(poset)
    return all(meet[x, join[y, z]] == join[meet[x, y], meet[x, z]] for x, y, z in product(poset, repeat=3))


def is_modular(poset: Poset) -> bool:
    join, meet = tables(poset)
    triples = ((x, y, z) for x, y, z in product(poset, repeat=3) if poset.below(x, z))
    return all(join[x, meet[y, z]] == meet[join[x, y], z] for x, y, z in triples)


@given(posets())
def test_a_poset_is_a_lattice_exactly_when_all_joins_and_meets_exist(poset):
    verdict = poset.is_lattice()
    join, meet = tables(poset)
    assert bool(verdict) == (None not in {*join.values(), *meet.values()})
    if not verdict:
        assert verdict.how is How.COUNTEREXAMPLE
        x, y = verdict.witness
        table, candidates = {
            "join": (join, poset.minimal_upper_bounds),
            "meet": (meet, poset.maximal_lower_bounds),
        }[verdict.witness.law]
        assert table[x, y] is None
        assert verdict.witness.results == candidates((x, y))
        for other in (poset.is_distributive(), poset.is_modular()):
            assert not other
            assert other.witness.law in ("join", "meet")


@given(lattices())
def test_families_of_sets_closed_under_intersection_are_lattices(lattice):
    assert lattice.is_lattice().how is How.EXHAUSTIVE
    assert all(lattice.meet(x, y) == x & y for x, y in combinations(lattice, 2))


@given(lattices())
@settings(deadline=None)
def test_a_lattice_is_distributive_exactly_when_the_law_holds_for_all_triples(lattice):
    verdict = lattice.is_distributive()
    assert bool(verdict) == distributes(lattice)
    if not verdict:
        x, y, z = verdict.witness
        left = lattice.meet(x, lattice.join(y, z))
        right = lattice.join(lattice.meet(x, y), lattice.meet(x, z))
        assert left != right
        assert verdict.witness.results == (left, right)


@given(lattices())
@settings(deadline=None)
def test_a_lattice_is_modular_exactly_when_the_law_holds_for_all_triples(lattice):
    verdict = lattice.is_modular()
    assert bool(verdict) == is_modular(lattice)
    if not verdict:
        x, y, z = verdict.witness
        assert lattice.below(x, z)
        left, right = lattice.join(x, lattice.meet(y, z)), lattice.meet(lattice.join(x, y), z)
        assert left != right
        assert verdict.witness.results == (left, right)


@given(lattices())
@settings(deadline=None, max_examples=15)
def test_distributive_means_neither_a_diamond_nor_a_pentagon(lattice):
    found = {name: lattice.find(name) for name in ("M3", "N5")}
    assert bool(lattice.is_distributive()) == (found["M3"] is None and found["N5"] is None)
    assert bool(lattice.is_modular()) == (found["N5"] is None)


@given(st.one_of(posets(), lattices()), st.sampled_from(["M3", "N5"]))
@settings(deadline=None, max_examples=15)
def test_a_forbidden_lattice_is_found_exactly_when_five_elements_form_it(poset, name):
    found, expected = poset.find(name), five_of(poset, name)
    assert (found is None) == (not expected)
    if found is not None:
        assert frozenset(found) in expected
        low, high, other = found.between
        assert (found.bottom, found.top) == (poset.meet(low, other), poset.join(low, other))
        assert poset.below(low, high) == (name == "N5")


def stacked(*parts: Poset) -> Poset:
    """Return posets put on top of each other."""
    pairs = [((n, x), (n, y)) for n, part in enumerate(parts) for x, y in part.edges()]
    ends = [((n, parts[n].top), (n + 1, parts[n + 1].bottom)) for n in range(len(parts) - 1)]
    return Poset.from_pairs(pairs + ends)


def test_a_diamond_is_found_in_a_lattice_that_holds_a_pentagon_too():
    both = stacked(N5, boolean(3), M3)
    assert [x for _, x in both.find("M3")] == list("0abc1")
    assert both.find("N5").elements == tuple((0, x) for x in "0abc1")
    assert stacked(N5, boolean(3)).find("M3") is None
    assert stacked(M3, chain(3)).is_modular()


def test_a_diamond_need_not_have_neighbours_for_sides():
    wide = Poset.from_pairs(
        [("0", f"{name}1") for name in "abc"]
        + [(f"{name}1", f"{name}2") for name in "abc"]
        + [(f"{name}2", "1") for name in "abc"]
    )
    assert wide.find("M3") is not None
    assert wide.find("N5").between == ("a1", "a2", "b1")


@pytest.mark.parametrize("name", ["M4", "m3", "", None])
def test_only_the_two_forbidden_lattices_can_be_looked_for(name):
    with pytest.raises(ParameterError, match="'M3' or 'N5'"):
        N5.find(name)


@given(posets(), st.data())
def test_a_sublattice_is_closed_under_the_joins_and_meets_of_the_whole(poset, data):
    some = data.draw(st.sets(st.sampled_from(poset.elements), min_size=1))
    join, meet = tables(poset)
    verdict = poset.is_sublattice(some)
    assert bool(verdict) == is_closed(some, join, meet)
    if not verdict:
        pair = tuple(verdict.witness)
        assert set(pair) <= some
        assert (join if verdict.witness.law == "join" else meet)[pair] not in some


def test_a_lattice_in_itself_may_be_no_sublattice():
    cube = boolean(3)
    some = [frozenset(), frozenset({0}), frozenset({1}), frozenset({0, 1, 2})]
    assert cube.induced(some).is_lattice()
    assert cube.is_sublattice(some).witness.results == (frozenset({0, 1}),)
    with pytest.raises(ParameterError):
        cube.is_sublattice([])


def cuts(poset: Poset) -> set[frozenset]:
    subsets = (frozenset(some) for size in range(len(poset) + 1) for some in combinations(poset, size))
    return {some for some in subsets if some == set(poset.lower_bounds(poset.upper_bounds(some)))}


@given(posets(6))
@settings(deadline=None)
def test_the_completion_is_the_lattice_of_cuts(poset):
    lattice = poset.completion()
    assert lattice.is_lattice()
    assert all(lattice.below(x, y) == poset.below(x, y) for x, y in product(poset, repeat=2))
    below = {x: frozenset(y for y in poset if lattice.below(y, x)) for x in lattice}
    assert set(below.values()) == cuts(poset)
    assert len(lattice) == len(cuts(poset))
    assert all(lattice.below(x, y) == (below[x] <= below[y]) for x, y in product(lattice, repeat=2))


@given(posets(6))
def test_what_is_new_in_the_completion_knows_its_neighbours_in_the_order(poset):
    lattice = poset.completion()
    new = set(lattice) - set(poset)
    assert all(isinstance(cut, Cut) for cut in new)
    for cut in new:
        under = [x for x in poset if lattice.below(x, cut)]
        over = [x for x in poset if lattice.below(cut, x)]
        assert set(cut.below) == {x for x in under if not any(y != x and poset.below(x, y) for y in under)}
        assert set(cut.above) == {x for x in over if not any(y != x and poset.below(y, x) for y in over)}


@given(posets())
def test_a_completion_changes_nothing_in_a_lattice_and_keeps_what_elements_are_made_of(poset):
    lattice = poset.completion()
    assert (lattice.elements == poset.elements) == bool(poset.is_lattice())
    assert lattice.completion().elements == lattice.elements
    assert lattice.join_irreducibles() == poset.join_irreducibles()


def test_a_completion_that_is_too_large_is_refused():
    sides = [(side, n) for side in (0, 1) for n in range(14)]
    crown = Poset.of(sides, lambda x, y: x == y or (x[0] < y[0] and x[1] != y[1]))
    with pytest.raises(NotAvailable, match="more than 5,000"):
        crown.completion()


def test_what_lies_below_or_above_all_is_said_as_such():
    bottom, *_, top = antichain(2).completion()
    assert (str(bottom), str(top)) == ("below 0, 1", "above 0, 1")
