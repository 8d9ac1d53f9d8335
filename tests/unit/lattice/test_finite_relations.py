"""Relations: whether one is an order, and what breaks it; posets from functions, pairs, matrices and graphs."""

from __future__ import annotations

import sys
from itertools import product
from operator import le

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import InputError, NotAvailable, NotInstalled, ParameterError
from measurand.lattice.algebra import algebra_of
from measurand.lattice.finite import MOST, N5, Poset, is_order, violations
from measurand.verdict import How

relations = st.integers(1, 5).flatmap(
    lambda n: st.tuples(st.just(n), st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))))
)
graphs = st.integers(1, 7).flatmap(
    lambda n: st.tuples(st.just(n), st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=12))
)


def laws_hold(n: int, relation: set[tuple[int, int]]) -> bool:
    reflexive = all((x, x) in relation for x in range(n))
    antisymmetric = all(x == y for x, y in relation if (y, x) in relation)
    return reflexive and antisymmetric and all((x, z) in relation for x, y in relation for w, z in relation if y == w)


@given(relations)
def test_a_relation_is_an_order_exactly_when_the_three_laws_hold(case):
    n, relation = case
    verdict = is_order(range(n), relation)
    assert bool(verdict) == laws_hold(n, relation)
    assert bool(is_order(range(n), lambda x, y: (x, y) in relation)) == bool(verdict)
    assert (violations(range(n), relation) or (None,))[0] == verdict.witness


@given(relations)
def test_the_witness_breaks_the_law_that_it_names(case):
    n, relation = case
    verdict = is_order(range(n), relation)
    if verdict:
        assert verdict.how is How.EXHAUSTIVE
        assert verdict.witness is None
        return
    match verdict.witness.law, verdict.witness.elements:
        case "reflexive", (x,):
            assert (x, x) not in relation
        case "antisymmetric", (x, y):
            assert x != y
            assert {(x, y), (y, x)} <= relation
        case "transitive", (x, y, z):
            assert {(x, y), (y, z)} <= relation
            assert (x, z) not in relation
        case other:
            pytest.fail(f"no law: {other}")


def test_a_step_that_is_missing_among_many_elements_is_found():
    matrix = np.triu(np.ones((700, 700), dtype=bool))
    assert Poset.from_matrix(range(700), matrix).is_chain()
    matrix[600, 690] = False
    with pytest.raises(InputError, match="600 is not below 690"):
        Poset.from_matrix(range(700), matrix)


@given(graphs)
@settings(deadline=None)
def test_a_graph_means_what_can_be_reached_in_it_and_a_circle_is_refused(case):
    n, edges = case
    graph = nx.DiGraph(edges)
    graph.add_nodes_from(range(n))
    loopless = nx.DiGraph(graph)
    loopless.remove_edges_from([(x, x) for x in range(n)])
    if nx.is_directed_acyclic_graph(loopless):
        poset = Poset.from_networkx(graph)
        assert set(poset) == set(range(n))
        assert all(poset.below(x, y) == nx.has_path(graph, x, y) for x, y in product(range(n), repeat=2))
        assert {frozenset(edge) for edge in poset.edges()} == set(
            map(frozenset, nx.transitive_reduction(loopless).edges)
        )
        again = Poset.from_networkx(poset.to_networkx())
        assert all(again.below(x, y) == poset.below(x, y) for x, y in product(range(n), repeat=2))
        place = {x: i for i, x in enumerate(poset)}
        assert all(place[x] <= place[y] for x, y in product(range(n), repeat=2) if poset.below(x, y))
    else:
        with pytest.raises(InputError, match="circle"):
            Poset.from_networkx(graph)


def test_a_circle_is_named_in_the_direction_of_its_pairs():
    with pytest.raises(InputError, match=r"a < b < c < a|b < c < a < b|c < a < b < c"):
        Poset.from_pairs([("a", "b"), ("b", "c"), ("c", "a"), ("a", "d")])


def test_parallel_edges_say_the_same_twice_and_undirected_ones_nothing():
    assert Poset.from_networkx(nx.MultiDiGraph([("a", "b"), ("a", "b")])).edges() == (("a", "b"),)
    with pytest.raises(InputError, match="DiGraph"):
        Poset.from_networkx(nx.Graph([("a", "b")]))
    with pytest.raises(InputError, match="no nodes"):
        Poset.from_networkx(nx.DiGraph())
    with pytest.raises(ParameterError, match="from_pairs"):
        Poset.from_networkx([("a", "b")])


def test_nodes_may_be_anything_hashable():
    poset = Poset.from_networkx(nx.DiGraph([(frozenset(), frozenset({1})), ((1, 2), "x"), ("x", 3.5)]))
    assert len(poset) == 5
    assert len(poset.components()) == 2


def test_elements_that_stand_in_no_pair_are_kept_in_their_place():
    poset = Poset.from_pairs([("a", "b")], elements="zab")
    assert poset.elements == ("z", "a", "b")
    assert len(Poset.from_pairs([("a", "a")])) == 1


def test_what_does_not_equal_itself_is_an_element_all_the_same():
    nan = float("nan")
    poset = Poset.from_pairs([(nan, nan), (nan, "high")])
    assert poset.elements == (nan, "high")
    assert poset.join(nan, "high") == "high"


def test_elements_that_cannot_be_sorted_or_compared_are_kept_apart():
    low, high = (1, None), ((2, 3), frozenset())
    poset = Poset.from_pairs([*product("a", low), *product(low, high)])
    assert poset.join_irreducibles() == (1, None, (2, 3), frozenset())
    assert poset.completion().meet((2, 3), frozenset()) == poset.completion().join(1, None)
    with pytest.raises(ParameterError, match="None is an element"):
        poset.to_networkx()


@pytest.mark.parametrize(
    ("pairs", "elements"),
    [([], ()), ([("a",)], ()), ([3], ()), ([([1], 2)], ()), ([], "aa"), ([], [[1]]), ([("a", "b")], None), (None, ())],
)
def test_what_is_no_order_at_all_is_refused_with_a_reason(pairs, elements):
    with pytest.raises(ParameterError):
        Poset.from_pairs(pairs, elements)


def test_a_function_that_is_no_order_is_refused_by_the_law_that_it_breaks():
    with pytest.raises(InputError, match="antisymmetric"):
        Poset.of([0, 1], lambda a, b: True)
    with pytest.raises(InputError, match="reflexive"):
        Poset.of([0, 1], lambda a, b: False)
    with pytest.raises(InputError, match="transitive"):
        Poset.of([0, 1, 2], lambda a, b: a <= b <= a + 1)


def test_a_function_that_fails_or_does_not_answer_is_refused():
    with pytest.raises(ParameterError, match="cannot be asked about"):
        Poset.of([1, "a"], le)
    with pytest.raises(ParameterError, match="neither yes nor no"):
        Poset.of([1, 2], lambda a, b: None)
    with pytest.raises(ParameterError, match="none of the elements"):
        is_order([1], [(1, 2)])


def test_a_function_may_answer_with_a_number_or_a_bool_of_numpy():
    assert Poset.of([2, 1], lambda a, b: np.bool_(a <= b)).elements == (1, 2)
    assert Poset.of([2, 1], lambda a, b: int(a <= b)).elements == (1, 2)
    assert Poset.of([2, 1], lambda a, b: np.int64(a <= b)).elements == (1, 2)


def test_elements_stay_as_given_where_none_stands_before_a_lower_one():
    assert Poset.of([3, 1, 2], lambda a, b: a == b).elements == (3, 1, 2)
    assert Poset.from_pairs([("x", "a"), ("x", "b"), ("a", "y"), ("b", "y")]).elements == ("x", "a", "b", "y")


@pytest.mark.parametrize(
    "matrix", [[[1]], [[1, 2], [0, 1]], [[1, 0, 0], [0, 1, 0]], "no", [[1], [0, 1]], [["a", "b"], ["c", "d"]]]
)
def test_a_matrix_of_another_shape_or_with_other_entries_is_refused(matrix):
    with pytest.raises(ParameterError):
        Poset.from_matrix("ab", matrix)


def test_a_matrix_puts_the_elements_into_order():
    poset = Poset.from_matrix("ba", [[1, 0], [1, 1]])
    assert poset.elements == ("a", "b")
    assert poset.below("a", "b")
    with pytest.raises(InputError, match="reflexive"):
        Poset.from_matrix("ab", np.zeros((2, 2)))
    with pytest.raises(ParameterError, match="lower one"):
        Poset("ab", np.array([[1, 0], [1, 1]], dtype=bool))
    with pytest.raises(ParameterError, match="square"):
        Poset("ab", np.eye(3, dtype=bool))
    with pytest.raises(ParameterError, match="diagonal"):
        Poset("ab", np.zeros((2, 2), dtype=bool))
    with pytest.raises(ParameterError, match="cannot be read"):
        Poset("ab", [[1, 0], [1]])


def test_the_matrix_of_a_poset_cannot_be_changed_from_either_side():
    matrix = np.eye(2, dtype=bool)
    poset = Poset.from_matrix("ab", matrix)
    matrix[0, 1] = True
    assert not poset.below("a", "b")
    with pytest.raises(ValueError, match="read-only"):
        poset.leq[0, 1] = True


def test_too_many_elements_are_refused_with_their_number_before_anything_is_done():
    with pytest.raises(NotAvailable, match=r"5,001 elements .* 5,000"):
        Poset.from_pairs([], range(MOST + 1))
    with pytest.raises(NotAvailable, match=r"3\^100 runs"):
        Poset.of_runs(algebra_of("replacement", 100, 3))
    with pytest.raises(NotAvailable, match="6,561 runs"):
        Poset.of_runs(algebra_of("swap", 8, 3))
    with pytest.raises(NotAvailable, match=r"\de\+\d+ runs"):
        Poset.of_runs(algebra_of("set-replacement", 1000, 9))


def test_an_element_that_is_not_there_is_named():
    assert "q" not in N5
    assert [] not in N5
    with pytest.raises(ParameterError, match="'q' is none of the 5"):
        N5.below("0", "q")
    with pytest.raises(ParameterError, match="none of the 5"):
        N5.covers({})


def test_runs_may_be_lists_and_rows_of_arrays():
    poset = Poset.of_runs(algebra_of("swap", 2, 2))
    assert poset.join([0, 1], np.array([1, 0])) == (1, 0)


def test_without_networkx_one_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(NotInstalled, match=r"^to_networkx needs networkx: pip install 'measurand\[graphs\]'$"):
        Poset.from_pairs([("a", "b")]).to_networkx()
