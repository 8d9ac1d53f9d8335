"""Joins and meets of many runs, also in the completion of the order, against brute force and by their laws."""

from __future__ import annotations

import pickle
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import NoJoin, NoMeet, NotAvailable, ParameterError
from measurand.lattice import Cut, Poset, RunLattice
from measurand.orders import ORDERS

SPACES = [("swap", 2, 3), ("swap", 3, 3), ("swap", 2, 4), ("swap", 4, 2), ("replacement", 2, 3)]
SPACES += [("projection", 2, 3), ("set-replacement", 3, 3), ("set-projection", 3, 3)]


def drawn(poset: Poset, number: int, seed: int = 0) -> list[tuple]:
    rng = np.random.default_rng(seed)
    return [poset.elements[place] for place in rng.integers(0, len(poset), number)]


@pytest.mark.parametrize(("order", "depth", "grades"), SPACES)
def test_the_join_and_the_meet_of_many_runs_are_decided_by_all_their_bounds(order, depth, grades):
    runs = RunLattice(order, depth, grades)
    poset = runs.poset()
    for seed, number in product(range(6), (1, 2, 3, 5)):
        some = drawn(poset, number, seed)
        for ask, error, closest in (
            (runs.join, NoJoin, poset.minimal_upper_bounds(some)),
            (runs.meet, NoMeet, poset.maximal_lower_bounds(some)),
        ):
            if len(closest) == 1:
                assert ask(*some) == closest[0]
            else:
                with pytest.raises(error) as refused:
                    ask(*some)
                assert sorted(refused.value.candidates) == sorted(closest)


@pytest.mark.parametrize(("order", "depth", "grades"), SPACES)
def test_joins_and_meets_in_the_completion_are_those_of_dedekind_and_macneille(order, depth, grades):
    runs = RunLattice(order, depth, grades)
    poset = runs.poset()
    completion = poset.completion()
    height = {element: level for level, elements in enumerate(completion.levels()) for element in elements}
    for seed in range(12):
        some = drawn(poset, 3, seed)
        for found, due in (
            (runs.completed_join(*some), completion.join(*some)),
            (runs.completed_meet(*some), completion.meet(*some)),
        ):
            assert (found.run is None) == isinstance(due, Cut)
            assert found.rank == height[due]
            assert found.complete
            if isinstance(due, Cut):
                assert (sorted(found.above), sorted(found.below)) == (sorted(due.above), sorted(due.below))
            else:
                assert found.above == found.below == (due,)


def test_three_runs_can_have_a_join_where_two_of_them_have_none():
    runs = RunLattice("swap", 2, 3)
    with pytest.raises(NoJoin):
        runs.join((0, 2), (1, 0))
    assert runs.join((0, 2), (1, 0), (1, 1)) == (1, 2)


def test_an_error_names_the_runs_and_travels():
    runs = RunLattice("swap", 2, 3)
    with pytest.raises(NoJoin, match=r"\(0, 2\), \(1, 0\), \(0, 1\) and 2 more have no join, but 2") as refused:
        runs.join((0, 2), (1, 0), (0, 1), (0, 0), (0, 1))
    again = pickle.loads(pickle.dumps(refused.value))
    assert str(again) == str(refused.value)
    assert again.others == ((0, 1), (0, 0), (0, 1))
    with pytest.raises(ParameterError, match="there is no run"):
        runs.join()


@pytest.mark.parametrize("measure", ["gP", "DCG", "RBP(p=1/2)", "AP", "AP(rel=2)", "NumRelRet", "LatticeRank@3"])
def test_values_in_the_completion_obey_the_rule_of_valuations(measure):
    runs = RunLattice("swap", 3, 3)
    some = drawn(runs.poset(), 14)
    worth = {run: runs.completed_join(run).value(measure) for run in some}
    for x, y in combinations(some, 2):
        join, meet = (found.value(measure) for found in (runs.completed_join(x, y), runs.completed_meet(x, y)))
        assert float(worth[x] + worth[y]) == pytest.approx(float(join + meet), abs=1e-12)
        assert float(join - meet) == pytest.approx(float(runs.distance(measure, x, y)), abs=1e-12)


def test_a_measure_that_is_no_valuation_has_values_on_runs_alone():
    runs = RunLattice("swap", 2, 3)
    assert runs.completed_join((0, 1), (1, 0)).value("ERR") == runs.completed_join((1, 0)).value("ERR")
    with pytest.raises(NotAvailable, match="ERR has values for runs alone"):
        runs.completed_join((0, 2), (1, 0)).value("ERR")


@given(data=st.data(), order=st.sampled_from(sorted(ORDERS)), depth=st.integers(1, 30), grades=st.integers(2, 5))
def test_ranks_of_join_and_meet_add_up_to_those_of_the_runs(data, order, depth, grades):
    runs = RunLattice(order, depth, grades)
    x, y = (data.draw(st.lists(st.integers(0, grades - 1), min_size=depth, max_size=depth)) for _ in range(2))
    join, meet = runs.completed_join(x, y), runs.completed_meet(x, y)
    assert join.rank + meet.rank == runs.rank(x) + runs.rank(y)
