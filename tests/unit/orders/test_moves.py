"""Orders from one's own moves are the closure of the moves, found without a list of all runs."""

from __future__ import annotations

from itertools import product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import CallError, InputError, NotAvailable, ParameterError
from measurand.judged import Relevance
from measurand.orders import Relation, adjacent_swaps, chain, compare, explain, from_moves, replacements, swaps


def all_runs(depth, grades):
    return list(product(range(grades), repeat=depth))


def top_three(run):
    """Only swaps of neighbours among the first three ranks count."""
    for i in range(min(2, len(run) - 1)):
        if run[i] < run[i + 1]:
            yield (*run[:i], run[i + 1], run[i], *run[i + 2 :])


def doubling(run, grades):
    """A grade is doubled, as far as there are grades."""
    return [(*run[:i], 2 * g, *run[i + 1 :]) for i, g in enumerate(run) if g and 2 * g < grades]


def two_for_one(run):
    """One relevant document at rank 1 is worth less than two at ranks 2 and 3."""
    return [(0, 1, 1, *run[3:])] if run[:3] == (1, 0, 0) else []


FUNCTIONS = {
    "swaps": (swaps,),
    "ladder": (adjacent_swaps,),
    "top three": (top_three,),
    "doubling": (doubling,),
    "trade and swaps": (two_for_one, top_three),
    "all": (swaps, replacements),
}


def relation_in(closure, r, s):
    """Return how two runs compare in a graph with an edge for everything that follows from the moves."""
    if r == s:
        return Relation.EQUAL
    if closure.has_edge(r, s):
        return Relation.LESS
    return Relation.GREATER if closure.has_edge(s, r) else Relation.INCOMPARABLE


def graph_of(functions, depth, grades):
    graph = nx.DiGraph()
    graph.add_nodes_from(all_runs(depth, grades))
    for run in all_runs(depth, grades):
        for function in functions:
            wants = function in (doubling, replacements)
            graph.add_edges_from((run, after) for after in (function(run, grades) if wants else function(run)))
    return graph


def test_who_calls_a_second_parameter_grades_is_given_them_and_who_keeps_something_there_is_not():
    def better(run, grades=2):
        return [(*run[:-1], run[-1] + 1)] if run[-1] + 1 < grades else []

    def kept(run, step=1):
        return [(*run[:-1], step)] if not run[-1] else []

    assert from_moves(better).better((0, 1), grades=4) == ((0, 2),)
    assert from_moves(kept).better((0, 0), grades=4) == ((0, 1),)


def test_long_runs_with_many_moves_are_refused_by_their_moves():
    visited = 0

    def counted(run):
        nonlocal visited
        visited += 1
        return swaps(run)

    order = from_moves(counted, most=2_000)
    with pytest.raises(NotAvailable, match="there are more"):
        compare((0,) * 10 + (1,) * 10, (1, 0) * 10, order)
    # a run of 20 ranks has up to 100 swaps
    assert visited < 1_000


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(("depth", "grades"), [(3, 3), (4, 2)])
def test_runs_compare_as_in_the_closure_of_the_moves(name, depth, grades):
    order = from_moves(*FUNCTIONS[name], grades=grades)
    closure = nx.transitive_closure(graph_of(FUNCTIONS[name], depth, grades), reflexive=False)
    for r, s in product(all_runs(depth, grades), repeat=2):
        assert compare(r, s, order) is relation_in(closure, r, s), (r, s)


@pytest.mark.parametrize(("functions", "same"), [((swaps, replacements), "swap"), ((replacements,), "replacement")])
def test_the_moves_of_the_house_make_the_orders_of_the_house(functions, same):
    order = from_moves(*functions, grades=3)
    for r, s in product(all_runs(3, 3), repeat=2):
        assert compare(r, s, order) is compare(r, s, same), (r, s)


@given(st.lists(st.sets(st.integers(0, 15)), min_size=16, max_size=16))
def test_any_moves_upwards_make_an_order_whose_shortest_chains_are_found(above):
    runs = all_runs(4, 2)
    higher = {run: [runs[j] for j in sorted(above[i]) if j > i] for i, run in enumerate(runs)}
    order, graph = from_moves(higher.__getitem__, grades=2), nx.DiGraph(higher)
    for r, s in [(runs[0], runs[15]), (runs[1], runs[14]), (runs[9], runs[4])]:
        if nx.has_path(graph, r, s):
            moves = chain(r, s, order)
            assert len(moves) == nx.shortest_path_length(graph, r, s)
            assert [r, *(move.after for move in moves)] == [*(move.before for move in moves), s]
            assert all(move.apply(move.before) in higher[move.before] for move in moves)
        else:
            assert compare(r, s, order) is not Relation.LESS


def test_a_chain_names_the_functions_whose_moves_it_takes():
    found = chain((0, 0, 1), (1, 1, 0), from_moves(swaps, replacements))
    assert [move.by for move in found] == ["swaps", "replacements"]
    assert str(found[0]) == "swaps: (0, 0, 1) → (1, 0, 0)"
    with pytest.raises(ParameterError, match="no chain leads"):
        chain((1, 1, 0), (0, 0, 1), from_moves(swaps, replacements))
    with pytest.raises(ParameterError, match="no move of"):
        found[0].apply((1, 1, 1))


def test_what_shows_a_relation_is_said():
    order = from_moves(top_three)
    assert explain((0, 0, 1, 0), (1, 0, 0, 0), order).why.startswith("2 moves lead from the first to the second:")
    assert str(explain((0, 1), (0, 1), order)) == "equal: the two have the same grades"
    apart = explain((0, 0, 0, 1), (1, 0, 0, 0), order)
    assert apart.why.endswith("they lead to 0 runs above the first and 0 runs above the second")
    assert apart.path == ()


def test_long_runs_are_compared_without_a_list_of_all_runs():
    deep = (0,) * 199 + (1,)
    assert compare(deep, (1, *(0,) * 199), from_moves(adjacent_swaps)) is Relation.LESS


def test_a_search_that_would_take_too_long_is_refused():
    order = from_moves(swaps, replacements, grades=4, most=500)
    with pytest.raises(NotAvailable, match=r"runs and .* moves from .* and there are more; .* most=2000\)"):
        compare((0, 1, 0, 0, 1, 0), (1, 0, 0, 0, 0, 2), order)
    assert compare((0,) * 10, (1, *(0,) * 9), order) is Relation.LESS


WITHIN = {"all": "swap", "ladder": "swap", "top three": "swap", "doubling": "replacement", "swaps": "projection"}


@pytest.mark.parametrize(("name", "within"), WITHIN.items())
def test_an_order_within_another_is_the_same_found_sooner(name, within):
    order = from_moves(*FUNCTIONS[name], grades=3)
    sooner = from_moves(*FUNCTIONS[name], grades=3, within=within)
    for r, s in product(all_runs(3, 3), repeat=2):
        found = explain(r, s, sooner)
        assert found.relation is compare(r, s, order), (r, s)
        if found.moves:
            low, high = (r, s) if found.relation is Relation.LESS else (s, r)
            assert (found.path[0], found.path[-1]) == (low, high)
            assert all(move.after in order.better(move.before) for move in found.moves)


def test_ten_ranks_of_four_grades_are_compared_within_the_order_of_the_house():
    order = from_moves(swaps, replacements, grades=4, within="swap")
    assert compare((0,) * 10, (3,) * 10, order) is Relation.LESS
    apart = explain((2, 1, 0, 2, 1, 0, 2, 1, 0, 3), (2, 0, 2, 2, 1, 0, 2, 1, 1, 1), order)
    assert apart.why.endswith("all moves lead upwards in the order 'swap', in which neither is better")
    between = explain((0, 0, 1), (1, 1, 1), from_moves(swaps, within="swap"))
    assert between.why.endswith("they lead to 2 runs between the two, and no further")


def test_moves_that_do_not_lie_within_an_order_are_refused():
    with pytest.raises(ParameterError, match=r"two_for_one leads from .* to \(0, 1, 1\), which is no better in"):
        compare((1, 0, 0), (1, 1, 1), from_moves(two_for_one, within="swap"))
    with pytest.raises(ParameterError, match="within must be one of 'swap', 'replacement', 'projection'"):
        from_moves(swaps, within="set-replacement")


def one_run(run):
    return run


def names_itself(run):
    return [run]


def longer(run):
    return [(*run, 0)]


def too_good(run):
    return [(2, 2)]


def nothing(run):
    """A function whose author forgot to return something."""


def fails(run):
    yield (1, 1)
    raise ValueError("on the way")


def halves(run):
    return [(0.5, 1)]


def texts(run):
    return ["11"]


def endless(run):
    while True:
        yield (1, 1)


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (one_run, "one_run leads from (0, 1) to 0, which is no run of whole grades"),
        (names_itself, "names_itself leads from (0, 1) to the same run"),
        (longer, "longer leads from (0, 1) to (0, 1, 0), which has 3 ranks; moves keep the length"),
        (too_good, "too_good leads from (0, 1) to (2, 2), but grades are 0 to 1"),
        (nothing, "nothing answered None on (0, 1)"),
        (fails, "fails failed with ValueError('on the way') on (0, 1)"),
        (halves, "halves leads from (0, 1) to (0.5, 1), which is no run of whole grades"),
        (texts, "texts leads from (0, 1) to '11', which is no run of whole grades"),
        (endless, "endless names more than 100,000 runs better than (0, 1)"),
    ],
)
def test_a_function_that_gives_no_better_runs_is_named_with_the_run(function, complaint):
    with pytest.raises(ParameterError) as told:
        compare((0, 1), (1, 0), from_moves(function))
    assert str(told.value).startswith(complaint)
    assert "\n" not in str(told.value)


def test_moves_that_change_their_mind_are_refused():
    answers = iter([[(1, 1)], []])
    with pytest.raises(ParameterError, match=r"leads from \(0, 1\) to \(1, 1\) one time and not another"):
        compare((0, 1), (1, 0), from_moves(lambda run: next(answers)))


def test_moves_that_go_round_in_a_circle_make_no_order():
    turn = from_moves(lambda run: [run[1:] + run[:1]] if len(set(run)) > 1 else [], name="turn")
    circle = r"'turn' go round in a circle.*\(1, 0, 0\) → \(0, 0, 1\)"
    with pytest.raises(InputError, match=circle):
        compare((1, 0, 0), (0, 0, 1), turn)
    with pytest.raises(InputError, match="go round in a circle"):
        turn.graph(3, 2)


def test_grades_are_those_that_were_said_or_those_that_the_runs_need():
    order = from_moves(replacements)
    assert order.better((0, 2)) == ((1, 2),)
    assert order.better((0, 2), grades=4) == ((1, 2), (0, 3))
    assert compare((0, 2), (2, 2), order) is Relation.LESS
    binary = from_moves(replacements, grades=2)
    with pytest.raises(ParameterError, match="a run has grade 2, but the order 'replacements' has the grades 0 to 1"):
        compare((0, 2), (2, 2), binary)
    with pytest.raises(ParameterError, match="was made for grades=2, not for grades=3"):
        binary.better((0, 1), grades=3)
    assert compare(("1/2", 0), (1, 0), order) is Relation.LESS
    with pytest.raises(ParameterError, match=r"grade 0\.5 is not whole"):
        compare(("1/2", 0), (1, 0), binary)
    labels = Relevance.labelled("nr", "pr", "hr")
    assert compare(("nr", "pr"), ("hr", "pr"), order, labels) is Relation.LESS


def test_what_is_no_function_is_refused():
    with pytest.raises(CallError, match="there are no moves"):
        from_moves()
    with pytest.raises(CallError, match="'swap' is no function"):
        from_moves("swap")
