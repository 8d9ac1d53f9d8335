"""The runs of a depth in an order, as users ask for them."""

from __future__ import annotations

import pickle
from itertools import islice

import pytest

from measurand.errors import NoJoin, NoMeet, ParameterError
from measurand.judged import Multiset
from measurand.lattice import RunLattice, closest_bounds
from measurand.measures import AP
from measurand.orders import ORDERS
from measurand.verdict import How


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("best", 3, 2), "there is no order 'best'"),
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


def test_a_long_lattice_knows_its_numbers():
    lattice = RunLattice("swap", 1000, 5)
    assert lattice.size == 5**1000
    assert len(lattice.join_irreducibles()) == 4 * 1000 * 1001 // 2


def test_the_value_of_a_run_follows_from_a_table_or_a_function():
    lattice = RunLattice("swap", 6, 2)
    table = {run: AP.of(run, recall_base=6) for run in lattice.join_irreducibles()}
    run = (1, 0, 1, 1, 0, 1)
    assert lattice.value(run, table) == lattice.value(run, lambda block: AP.of(block, recall_base=6)) == AP.of(run)


def test_closest_bounds_take_labels_and_fractions():
    found = closest_bounds(("1/2", 0, 2), (0, "1/2", 0), "replacement")
    assert [[str(grade) for grade in run] for run in (*found.above, *found.below)] == [
        ["1/2", "1/2", "2"],
        ["0", "0", "0"],
    ]


def test_closest_bounds_of_comparable_runs_are_the_runs():
    found = closest_bounds((1, 0), (1, 1))
    assert (found.above, found.below) == (((1, 1),), ((1, 0),))
