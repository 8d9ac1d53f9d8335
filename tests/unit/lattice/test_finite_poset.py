"""Posets against their definitions, on all kinds of small ones."""

from __future__ import annotations

import pickle
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NoJoin, NoMeet, ParameterError
from measurand.lattice.algebra import algebra_of
from measurand.lattice.finite import M3, N5, Poset, antichain, boolean, chain
from measurand.orders import ORDERS, Relation, compare


@st.composite
def posets(draw, most: int = 8) -> Poset:
    n = draw(st.integers(1, most))
    pairs = draw(st.sets(st.sampled_from([*combinations(range(n), 2)]))) if n > 1 else ()
    names = draw(st.permutations(range(n)))
    return Poset.from_pairs([(names[x], names[y]) for x, y in pairs], range(n))


def minimal(poset: Poset, some: set[int]) -> set[int]:
    return {x for x in some if not any(y != x and poset.below(y, x) for y in some)}


def maximal(poset: Poset, some: set[int]) -> set[int]:
    return {x for x in some if not any(y != x and poset.below(x, y) for y in some)}


@given(posets(), st.data())
def test_bounds_are_what_lies_above_and_below_all(poset, data):
    some = data.draw(st.sets(st.sampled_from(poset.elements)))
    upper = {z for z in poset if all(poset.below(x, z) for x in some)}
    lower = {z for z in poset if all(poset.below(z, x) for x in some)}
    assert set(poset.upper_bounds(some)) == upper
    assert set(poset.lower_bounds(some)) == lower
    assert set(poset.minimal_upper_bounds(some)) == minimal(poset, upper)
    assert set(poset.maximal_lower_bounds(some)) == maximal(poset, lower)


@given(posets())
def test_top_and_bottom_are_comparable_with_all(poset):
    tops = [x for x in poset if all(poset.below(y, x) for y in poset)]
    bottoms = [x for x in poset if all(poset.below(x, y) for y in poset)]
    assert poset.top == (tops[0] if tops else None)
    assert poset.bottom == (bottoms[0] if bottoms else None)


@given(posets())
def test_covers_have_nothing_between(poset):
    strict = {(x, y) for x, y in product(poset, repeat=2) if x != y and poset.below(x, y)}
    edges = {(x, y) for x, y in strict if not any((x, z) in strict and (z, y) in strict for z in poset)}
    assert set(poset.edges()) == edges
    for x in poset:
        assert set(poset.covers(x)) == {y for w, y in edges if w == x}
        assert set(poset.covered(x)) == {w for w, y in edges if y == x}


@given(posets())
def test_an_interval_holds_what_is_from_the_one_up_to_the_other(poset):
    for x, y in product(poset, repeat=2):
        assert set(poset.interval(x, y)) == {z for z in poset if poset.below(x, z) and poset.below(z, y)}


@given(posets())
def test_two_elements_stand_in_one_of_four_relations(poset):
    for x, y in product(poset, repeat=2):
        expected = {
            (True, True): Relation.EQUAL,
            (True, False): Relation.LESS,
            (False, True): Relation.GREATER,
            (False, False): Relation.INCOMPARABLE,
        }[poset.below(x, y), poset.below(y, x)]
        assert poset.compare(x, y) is expected


@given(posets())
def test_a_join_is_the_least_upper_bound_or_all_candidates_are_named(poset):
    for x, y in product(poset, repeat=2):
        upper = {z for z in poset if poset.below(x, z) and poset.below(y, z)}
        least = [z for z in upper if all(poset.below(z, w) for w in upper)]
        if least:
            assert poset.join(x, y) == least[0]
        else:
            with pytest.raises(NoJoin) as caught:
                poset.join(x, y)
            assert set(caught.value.candidates) == minimal(poset, upper)
            assert {caught.value.x, caught.value.y} == {x, y}


@given(posets())
def test_meets_are_the_joins_of_the_dual(poset):
    dual = poset.dual()
    assert all(dual.below(y, x) == poset.below(x, y) for x, y in product(poset, repeat=2))
    for x, y in product(poset, repeat=2):
        assert poset.maximal_lower_bounds((x, y)) == dual.minimal_upper_bounds((x, y))[::-1]
        if len(candidates := poset.maximal_lower_bounds((x, y))) == 1:
            assert poset.meet(x, y) == dual.join(x, y) == candidates[0]
        else:
            with pytest.raises(NoMeet) as caught:
                poset.meet(x, y)
            assert caught.value.candidates == candidates


@given(posets())
def test_levels_count_the_longest_chain_from_below(poset):
    levels = poset.levels()
    height = {x: n for n, level in enumerate(levels) for x in level}
    assert set(height) == set(poset)
    for x in poset:
        assert height[x] == max((height[y] + 1 for y in poset if y != x and poset.below(y, x)), default=0)


@given(posets())
def test_a_poset_is_a_chain_unless_two_cannot_be_compared(poset):
    verdict = poset.is_chain()
    apart = [pair for pair in combinations(poset, 2) if poset.compare(*pair) is Relation.INCOMPARABLE]
    assert bool(verdict) == (not apart)
    assert verdict or poset.compare(*verdict.witness) is Relation.INCOMPARABLE


@given(posets())
@settings(deadline=None)
def test_components_are_what_comparisons_connect(poset):
    components = poset.components()
    which = {x: n for n, component in enumerate(components) for x in component}
    assert sorted(which) == sorted(poset)
    for x, y in combinations(poset, 2):
        if poset.compare(x, y) is not Relation.INCOMPARABLE:
            assert which[x] == which[y]
    for component in components:
        reached, fresh = {component[0]}, {component[0]}
        while fresh:
            fresh = {y for x in fresh for y in poset if poset.compare(x, y) is not Relation.INCOMPARABLE} - reached
            reached |= fresh
        assert reached == set(component)


@given(posets(), st.data())
def test_a_part_is_ordered_as_the_whole(poset, data):
    some = data.draw(st.sets(st.sampled_from(poset.elements), min_size=1))
    part = poset.induced(some)
    assert set(part) == some
    assert all(part.below(x, y) == poset.below(x, y) for x, y in product(some, repeat=2))


@given(posets())
def test_join_irreducibles_are_not_the_least_upper_bound_of_what_is_below(poset):
    def is_least_upper_bound(x, some):
        upper = [z for z in poset if all(poset.below(y, z) for y in some)]
        return x in upper and all(poset.below(x, z) for z in upper)

    expected = {x for x in poset if not is_least_upper_bound(x, [y for y in poset if y != x and poset.below(y, x)])}
    assert set(poset.join_irreducibles()) == expected
    assert set(poset.dual().meet_irreducibles()) == expected
    for x in poset:
        parts = poset.decompose(x)
        assert set(parts) <= expected
        assert is_least_upper_bound(x, parts)
        assert not any(is_least_upper_bound(x, [p for p in parts if p != left_out]) for left_out in parts)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("depth", "grades"), [(1, 2), (3, 2), (2, 3), (3, 3), (2, 4)])
def test_the_poset_of_runs_is_ordered_as_the_order_says(order, depth, grades):
    poset = Poset.of_runs(algebra_of(order, depth, grades))
    assert len(poset) == algebra_of(order, depth, grades).size
    assert all(poset.compare(x, y) is compare(x, y, order) for x, y in product(poset, repeat=2))


def test_tables_of_many_runs_are_those_of_the_order():
    poset = Poset.of_runs(algebra_of("replacement", 6, 3))
    cells = np.array(poset.elements)
    places = {run: place for place, run in enumerate(poset)}
    some = np.random.default_rng(1).integers(0, len(poset), (2000, 2))
    for x, y in some.tolist():
        assert poset.order.joins[x, y] == places[tuple(np.maximum(cells[x], cells[y]).tolist())]
        assert poset.order.meets[x, y] == places[tuple(np.minimum(cells[x], cells[y]).tolist())]
    apart = np.abs(cells[:, None] - cells[None]).sum(axis=2)
    assert (poset.order.covers == (poset.leq & (apart == 1))).all()


def test_tables_of_many_runs_have_gaps_where_two_have_no_bound():
    poset = Poset.of_runs(algebra_of("swap", 6, 3))
    assert len(poset) == 729
    order = poset.order
    for x, y in np.random.default_rng(2).integers(0, len(poset), (1000, 2)).tolist():
        upper, lower = order.minimal(order.above([x, y])).tolist(), order.maximal(order.under([x, y])).tolist()
        assert order.joins[x, y] == order.joins[y, x] == (upper[0] if len(upper) == 1 else -1)
        assert order.meets[x, y] == order.meets[y, x] == (lower[0] if len(lower) == 1 else -1)


def test_the_known_posets_have_their_known_sizes():
    assert [len(boolean(n)) for n in range(5)] == [1, 2, 4, 8, 16]
    assert len(boolean(4).edges()) == 4 * 2**3
    assert chain(4).is_chain()
    assert len(antichain(4).components()) == 4
    assert repr(N5) == "<Poset of 5 elements>"
    for n in (0, -1, 2.5, True):
        with pytest.raises(ParameterError):
            chain(n)


def test_a_poset_travels_between_processes():
    again = pickle.loads(pickle.dumps(M3))
    assert again.elements == M3.elements
    assert again.edges() == M3.edges()
