"""The runs of a depth in an order, as users ask for them."""

from __future__ import annotations

import pickle
from itertools import islice

import numpy as np
import pytest

from measurand.errors import NoJoin, NoMeet, NotAvailable, ParameterError
from measurand.judged import Multiset
from measurand.lattice import RunLattice, closest_bounds
from measurand.lattice.algebra.base import is_chain
from measurand.measures import AP, nDCG
from measurand.orders import ORDERS
from measurand.verdict import How


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("best", 3, 2), "order must be one of"),
        ((["swap"], 3, 2), "order must be one of"),
        (("swap", 0, 2), "depth must be a whole number from 1 up"),
        (("swap", 3, 1), "grades must be a whole number from 2 up"),
        (("swap", 3.5, 2), "depth must be a whole number"),
        (("swap", 3, 500), "at most 128 grades"),
    ],
)
def test_what_cannot_be_is_refused_at_once(arguments, message):
    with pytest.raises(ParameterError, match=message):
        RunLattice(*arguments)


@pytest.mark.parametrize("run", [(1, 0), (1, 0, 0, 0), (2, 0, 0), ("a", 0, 0), "100", (1.5, 0, 0), 7, {1: 2}])
@pytest.mark.parametrize("ask", ["join", "compare", "covers", "decompose", "interval"])
def test_runs_that_do_not_belong_are_refused(run, ask):
    lattice = RunLattice("swap", 3, 2)
    with pytest.raises(ParameterError):
        getattr(lattice, ask)(*[run] * (1 if ask in ("covers", "decompose") else 2))


def test_a_long_run_is_cut_where_it_is_refused():
    with pytest.raises(ParameterError, match=r", …\) is no run of 3 ranks with grades from 0 to 1$") as refused:
        RunLattice("swap", 3, 2).covers([0] * 1000)
    assert len(str(refused.value)) < 100


def test_unjudged_and_missing_documents_count_as_nonrelevant():
    assert RunLattice("swap", 3, 2).join((1, -1, -2), (0, 0, 1)) == (1, 0, 0)


def test_sets_may_come_in_any_order_and_as_multisets():
    lattice = RunLattice("set-replacement", 3, 3)
    assert lattice.join([0, 0, 2], Multiset.of([1, 1, 1])) == (2, 1, 1)


@pytest.mark.parametrize("order", ORDERS)
def test_equal_lattices_are_equal_and_travel(order):
    lattice = RunLattice(order, 5, 3)
    assert lattice == RunLattice(order, 5, 3) != RunLattice(order, 5, 4)
    assert len({lattice, RunLattice(order, 5, 3)}) == 1
    assert pickle.loads(pickle.dumps(lattice)) == lattice


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("depth", "grades"), [(1, 2), (4, 2), (1, 4), (2, 3), (3, 3)])
def test_what_is_proved_agrees_with_looking_at_all_runs(order, depth, grades):
    lattice = RunLattice(order, depth, grades)
    poset = lattice.poset()
    assert lattice.is_lattice().holds is poset.is_lattice().holds
    assert lattice.is_distributive().holds is poset.is_distributive().holds
    assert set(lattice.join_irreducibles()) == set(poset.join_irreducibles())


def test_what_is_proved_is_told_for_any_depth():
    verdict = RunLattice("swap", 1000, 2).is_distributive()
    assert verdict.how is How.PROVED
    graded = RunLattice("swap", 1000, 3).is_lattice()
    assert graded.how is How.COUNTEREXAMPLE
    x, y, *candidates = graded.witness.runs
    with pytest.raises(NoJoin) as none:
        RunLattice("swap", 1000, 3).join(x, y)
    assert set(none.value.candidates) == set(candidates)


def test_runs_without_meet_name_the_closest():
    with pytest.raises(NoMeet) as none:
        RunLattice("swap", 2, 3).meet((1, 2), (2, 0))
    assert set(none.value.candidates) == {(0, 2), (1, 0)}
    again = pickle.loads(pickle.dumps(none.value))
    assert (again.candidates, str(again)) == (none.value.candidates, str(none.value))


def test_an_interval_holds_runs_without_listing_them():
    lattice = RunLattice("swap", 1000, 5)
    everything = lattice.interval(lattice.bottom, lattice.top)
    assert (3,) * 1000 in everything
    assert (7,) * 1000 not in everything
    assert next(iter(everything)) == lattice.bottom
    assert len(list(islice(everything, 50))) == 50
    assert list(lattice.interval(lattice.top, lattice.bottom)) == []


def test_join_irreducible_runs_are_a_sequence():
    blocks = RunLattice("swap", 4, 2).join_irreducibles()
    assert len(blocks) == len(list(blocks)) == 10
    assert [blocks.index(run) for run in blocks] == list(range(10))
    assert blocks[-1] == blocks[9]
    assert blocks[2:4] == [blocks[2], blocks[3]]
    assert (1, 0, 1, 0) not in blocks
    assert "1000" not in blocks
    assert (0, 0, 0, 0) not in blocks
    assert blocks.count((1, 1, 0, 0)) == 1
    with pytest.raises(IndexError):
        blocks[10]
    with pytest.raises(ValueError, match="not among"):
        blocks.index((1, 0, 1, 0))


def test_join_irreducible_runs_are_found_however_they_are_written():
    alone = RunLattice("replacement", 3, 3).join_irreducibles()
    assert np.array([0, 2, 0], dtype=np.int8) in alone
    assert tuple(np.array([0, 2, 0])) in alone
    assert alone.index([0, 2, 0]) == alone.index((0, 2, 0), -3) == 3
    assert [type(grade) for grade in alone[np.int64(3)]] == [int] * 3
    assert list(reversed(alone)) == list(alone)[::-1]
    with pytest.raises(ValueError, match="not among"):
        alone.index((0, 2, 0), 0, 3)


@pytest.mark.parametrize(("order", "grades"), [("projection", 5), ("set-projection", 128)])
def test_join_irreducible_runs_of_a_chain_without_end_can_be_asked_one_by_one(order, grades):
    runs = RunLattice(order, 1000, grades)
    chain = runs.join_irreducibles()
    assert chain
    assert chain[0] == next(iter(chain)) == runs.covers(runs.bottom)[0]
    assert chain[-1] == next(reversed(chain)) == runs.top
    assert chain[-2:] == [*runs.covered(runs.top), runs.top]
    assert chain.index(chain[10**100]) == 10**100
    assert chain.index(runs.top) == runs.size - 2
    with pytest.raises(IndexError, match=r"e\+\d+ join-irreducible runs"):
        chain[runs.size]
    with pytest.raises(NotAvailable, match=r"e\+\d+ join-irreducible runs"):
        len(chain)


def test_numbers_of_numpy_are_plain_numbers_here():
    lattice = RunLattice("swap", np.int64(4), np.int8(3))
    assert repr(lattice) == "RunLattice(order='swap', depth=4, grades=3)"
    assert lattice.size == 81
    assert repr(lattice.join(np.array([0, 1, 0, 0], dtype=np.int8), tuple(np.array([0, 0, 1, 1])))) == "(0, 1, 0, 1)"


def test_sets_are_refused_where_ranks_decide():
    with pytest.raises(ParameterError, match="no ranks"):
        RunLattice("swap", 2, 2).join(Multiset.of([1, 0]), (0, 1))
    with pytest.raises(ParameterError, match="no ranks"):
        closest_bounds(Multiset.of([1, 0]), (0, 1))


def test_a_long_lattice_knows_its_numbers():
    lattice = RunLattice("swap", 1000, 5)
    assert lattice.size == 5**1000
    assert len(lattice.join_irreducibles()) == 4 * 1000 * 1001 // 2


def test_the_value_of_a_run_follows_from_a_table_or_a_function():
    lattice = RunLattice("swap", 6, 2)
    table = {run: AP.of(run, recall_base=6) for run in lattice.join_irreducibles()}
    run = (1, 0, 1, 1, 0, 1)
    assert lattice.value(run, table) == lattice.value(run, lambda block: AP.of(block, recall_base=6)) == AP.of(run)


@pytest.mark.parametrize(
    ("measure", "order", "grades"),
    [
        ("Bpref", "swap", 2),
        ("ESLR", "swap", 2),
        ("OIE", "swap", 2),
        ("NumNonrelRet", "replacement", 3),
        ("nDCG", "replacement", 3),
        ("gP", "set-replacement", 3),
    ],
)
def test_a_valuation_is_recovered_from_the_measure_itself_whatever_it_says_of_the_worst_run(measure, order, grades):
    lattice = RunLattice(order, 3, grades)
    valued = lattice.hasse(measure).nodes
    assert lattice.is_valuation(measure)
    assert [lattice.value(node.element, measure) for node in valued] == [node.value for node in valued]


@pytest.mark.parametrize("values", [5, None])
def test_values_that_cannot_be_asked_are_refused(values):
    with pytest.raises(ParameterError, match="values must be a mapping"):
        RunLattice("swap", 3, 2).value((1, 0, 1), values)


def test_quotients_of_logarithms_are_added_exactly():
    assert RunLattice("swap", 3, 2).value((1, 0, 1), nDCG.of) == nDCG.of((1, 0, 1))


def test_closest_bounds_take_labels_and_fractions():
    found = closest_bounds(("1/2", 0, 2), (0, "1/2", 0), "replacement")
    assert [[str(grade) for grade in run] for run in (*found.above, *found.below)] == [
        ["0.5", "0.5", "2"],
        ["0", "0", "0"],
    ]


@pytest.mark.parametrize("order", ORDERS)
def test_closest_bounds_take_runs_without_documents_and_any_number_of_grades(order):
    nothing = closest_bounds((), (), order)
    assert (nothing.above, nothing.below) == (((),), ((),))
    low, high = tuple(range(200, 0, -1)), tuple(range(201, 1, -1))
    found = closest_bounds(low, high, order)
    assert (found.above, found.below) == ((high,), (low,))


def test_closest_bounds_of_comparable_runs_are_the_runs():
    found = closest_bounds((1, 0), (1, 1))
    assert (found.above, found.below) == (((1, 1),), ((1, 0),))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("depth", "grades"), [(1, 2), (1, 4), (3, 2), (2, 3), (3, 3)])
def test_what_is_called_a_chain_is_one(order, depth, grades):
    lattice = RunLattice(order, depth, grades)
    assert is_chain(lattice.algebra) is lattice.poset().is_chain().holds
    if lattice.poset().is_chain():
        assert lattice.is_lattice().argument == "of two runs the better one is the join and the worse one the meet"
