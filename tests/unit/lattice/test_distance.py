"""Distances and bounds of two runs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NoJoin, NoMeet, ParameterError
from measurand.lattice.algebra import algebra_of
from measurand.lattice.valuation.distance import Bounds, bounds, distance, is_distance
from measurand.measures import ESL, OIE, nDCG
from measurand.verdict import How

RUNS = st.tuples(*[st.integers(0, 1)] * 5)


@settings(max_examples=20, deadline=None)
@given(x=RUNS, y=RUNS, z=RUNS)
@pytest.mark.parametrize("measure", ["AP", "nDCG", "OIE(collection=50)", "ESL(i=2)"])
def test_a_detour_is_no_shorter(measure, x, y, z):
    algebra = algebra_of("swap", 5, 2)
    there, between, on = (float(distance(algebra, measure, *pair)) for pair in ((x, z), (x, y), (y, z)))
    assert there <= between + on + 1e-12
    assert there >= 0
    assert distance(algebra, measure, x, x) == 0
    assert distance(algebra, measure, x, y) == distance(algebra, measure, y, x)


def test_the_distance_of_shares_is_exact():
    found = distance(algebra_of("replacement", 3, 2), nDCG, (1, 0, 0), (0, 1, 0), recall_base=2)
    assert found == nDCG.of((1, 1, 0), recall_base=2) == 1
    third = distance(algebra_of("replacement", 3, 2), nDCG, (1, 0, 0), (0, 0, 1))
    assert third == nDCG.of((1, 0, 1))


def test_where_lower_is_better_the_join_has_the_lower_value_and_distances_are_not_negative():
    algebra = algebra_of("swap", 4, 2)
    found = bounds(algebra, ESL, (1, 0, 0, 1), (0, 1, 1, 0))
    assert found == Bounds(Fraction(1), Fraction(0), (0, 1, 0, 1), (1, 0, 1, 0))
    assert distance(algebra, ESL, (1, 0, 0, 1), (0, 1, 1, 0)) == 1


def test_bounds_hold_the_values_of_both_runs():
    algebra, measure = algebra_of("swap", 4, 2), OIE(collection=100)
    found = bounds(algebra, measure, (1, 0, 0, 1), (0, 1, 1, 0), recall_base=3)
    for run in ((1, 0, 0, 1), (0, 1, 1, 0)):
        assert found.low < measure.of(run, recall_base=3) < found.high


def test_sets_may_be_given_in_any_order():
    algebra = algebra_of("set-replacement", 3, 3)
    assert distance(algebra, "gP", (0, 0, 2), (1, 1, 1)) == Fraction(1, 2)
    assert bounds(algebra, "gP", (0, 2, 0), (1, 1, 1)).best == (2, 1, 1)


def test_runs_without_a_join_have_no_distance():
    with pytest.raises((NoJoin, NoMeet)):
        distance(algebra_of("swap", 2, 3), "P", (0, 2), (1, 0))


def test_runs_that_do_not_belong_are_refused():
    with pytest.raises(ParameterError, match="3 ranks"):
        distance(algebra_of("swap", 3, 2), "P", (1, 0), (0, 1, 0))


def test_the_first_thing_that_is_broken_is_told():
    assert "no valuation" in is_distance(algebra_of("replacement", 4, 2), "RR").argument
    verdict = is_distance(algebra_of("swap", 4, 2), "NumNonrelRet")
    assert "does not keep the order" in verdict.argument
    assert len(verdict.witness.runs) == 2
    assert is_distance(algebra_of("swap", 4, 2), lambda run: 1 / 0).how is How.FAILED


def test_whether_different_runs_can_be_at_distance_0_is_told_with_two():
    algebra = algebra_of("replacement", 4, 2)
    verdict = is_distance(algebra, "P@2")
    assert verdict.holds
    assert "different runs can be at distance 0: (0, 0, 0, 0) and (0, 0, 1, 0)" in verdict.argument
    assert distance(algebra, "P@2", (0, 0, 0, 0), (0, 0, 1, 0)) == 0
    assert "only a run itself" in is_distance(algebra, "DCG").argument


def test_a_distance_that_was_looked_at_here_and_there_is_sampled():
    verdict = is_distance(algebra_of("replacement", 40, 3), lambda run: Fraction(sum(run)))
    assert verdict.holds
    assert verdict.how is How.SAMPLED
