"""Measures and orders of one's own: who respects the moves, and what the moves alone balance."""

from __future__ import annotations

from itertools import product

import networkx as nx
import pytest

from measurand.axioms import is_measurement
from measurand.axioms.balance import balancing_index
from measurand.axioms.measurement import moves_of
from measurand.errors import InputError, NotAvailable, ParameterError
from measurand.judged import every_run
from measurand.measures import parse
from measurand.measures.space import Space
from measurand.orders import ORDERS, adjacent_swaps, from_moves, replacements, swaps
from measurand.verdict import How


def two_for_one(run):
    """A relevant document with nothing relevant below is worth less than two right below it."""
    last = max((place for place, grade in enumerate(run) if grade), default=-1)
    return [(*run[:last], 0, 1, 1, *run[last + 3 :])] if 0 <= last < len(run) - 2 else []


def thrice(run):
    """Three relevant documents on top, then one alone at rank 2: a way through runs with many relevant documents."""
    if run[:3] == (1, 0, 0):
        yield (1, 1, 1, *run[3:])
    if run[:3] == (1, 1, 1):
        yield (0, 1, 0, *run[3:])


ORDERS_OF_OUR_OWN = {
    "ladder": from_moves(adjacent_swaps, name="ladder"),
    "trade": from_moves(two_for_one, name="trade"),
    "both": from_moves(swaps, replacements, name="both"),
    "thrice": from_moves(thrice, name="thrice"),
}


def broken_pairs(measure, order, depth, recall_base=None):
    """Return the pairs of runs that a measure puts the wrong way round, of all that the moves put into an order."""
    edges = ((run, after) for run, several in order.graph(depth, 2).items() for after in several)
    closure = nx.transitive_closure(nx.DiGraph(edges), reflexive=False)
    counts = (depth, recall_base or depth)
    possible = [run for run in product((0, 1), repeat=depth) if sum(run) <= counts[1]]
    value = {run: measure.of(run, grade_counts=counts) for run in possible}
    return {(r, s) for r, s in closure.edges if r in value and s in value and value[r] > value[s]}


@pytest.mark.parametrize("recall_base", [None, 2])
@pytest.mark.parametrize("name", ORDERS_OF_OUR_OWN)
@pytest.mark.parametrize("spelling", ["AP", "P", "RR", "RBP(p=0.4)", "RBP(p=0.9)"])
def test_a_measure_respects_moves_exactly_when_it_keeps_all_pairs_of_their_order(spelling, name, recall_base):
    order = ORDERS_OF_OUR_OWN[name]
    verdict = is_measurement(spelling, 4, order=order, recall_base=recall_base).order
    broken = broken_pairs(parse(spelling), order, 4, recall_base)
    assert bool(verdict) == (not broken)
    if not verdict:
        assert tuple(verdict.witness) in broken
        assert verdict.how is How.COUNTEREXAMPLE
    else:
        assert verdict.how is How.EXHAUSTIVE


def test_the_witness_is_the_smallest_pair_and_names_the_move():
    verdict = is_measurement("RR", 5, order=ORDERS_OF_OUR_OWN["trade"])
    assert tuple(verdict.witness) == ((1, 0, 0, 0, 0), (0, 1, 1, 0, 0))
    assert verdict.witness.why == "the move two_for_one from (1, 0, 0, 0, 0) to (0, 1, 1, 0, 0) lowers the value"


def test_a_way_through_runs_that_a_topic_cannot_have_is_gone():
    order = ORDERS_OF_OUR_OWN["thrice"]
    verdict = is_measurement("RR", 4, order=order, recall_base=1)
    assert tuple(verdict.witness) == ((1, 0, 0, 0), (0, 1, 0, 0))


def test_an_order_that_is_called_like_one_of_the_house_is_not_taken_for_it():
    downhill = from_moves(lambda run: [(0, *run[1:])] if run[0] else [], name="swap")
    assert not is_measurement("AP", 4, order=downhill)


def test_of_too_many_runs_some_are_looked_at():
    order = from_moves(adjacent_swaps)
    assert is_measurement("nDCG", 10, 4, order=order).order.how is How.SAMPLED
    assert not is_measurement(lambda run: run[9] - run[0], 10, 4, order=order).order


def test_where_no_move_is_met_nothing_is_known():
    only = (1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1)
    rare = from_moves(lambda run: [(0, 1, *run[2:])] if run == only else [], name="rare")
    verdict = is_measurement("RR", 18, order=rare).order
    assert (bool(verdict), verdict.how) == (False, How.FAILED)
    assert "no move was met" in verdict.sentence
    # where all runs are looked at and there is no move, everything keeps the order
    assert is_measurement("RR", 4, order=rare).order.how is How.EXHAUSTIVE


def test_ways_through_runs_that_a_topic_cannot_have_are_not_followed_for_ever():
    order = from_moves(swaps, replacements, name="both", most=50)
    with pytest.raises(NotAvailable, match=r"from_moves\(…, most=200\)"):
        is_measurement("P", 10, order=order, recall_base=1)


def test_which_moves_are_looked_at_is_left_to_the_random_numbers():
    space, runs = Space(depth=6), every_run(6, 2)
    first, again, other = (
        moves_of(from_moves(adjacent_swaps), space, seed).pairs(runs, 2, 5, spread=True).worse.tolist()
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_moves_that_go_round_in_a_circle_are_nothing_to_respect():
    turn = from_moves(lambda run: [run[1:] + run[:1]] if len(set(run)) > 1 else [], name="turn")
    with pytest.raises(InputError, match="'turn' go round in a circle"):
        is_measurement("P", 3, order=turn)


@pytest.mark.parametrize("wrong", ["swop", 3, None, swaps])
def test_what_is_no_order_is_refused_with_all_that_are(wrong):
    with pytest.raises(ParameterError) as told:
        is_measurement("AP", 3, order=wrong)
    assert all(repr(name) in str(told.value) for name in ORDERS)
    assert "measurand.orders.from_moves(…)" in str(told.value)


@pytest.mark.parametrize("name", ["trade", "both"])
@pytest.mark.parametrize("n", [1, 3, 5])
def test_what_moves_balance_every_measure_that_respects_them_balances(name, n):
    order = ORDERS_OF_OUR_OWN[name]
    closure = nx.transitive_closure(nx.DiGraph(order.graph(n, 2)), reflexive=True)
    head = (1,) + (0,) * (n - 1)
    ranks = [b for b in range(1, n + 1) if closure.has_edge(head, (0,) * (b - 1) + (1,) * (n - b + 1))]
    index = balancing_index(order, n)
    assert index == max(ranks, default=None)
    for measure in ("P", "AP", "RBP(p=0.95)", "RR"):
        if is_measurement(measure, n, order=order).order:
            assert balancing_index(measure, n) >= (index or 0)
