"""Distances and bounds of two runs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NoJoin, NoMeet, ParameterError
from measurand.lattice import RunLattice
from measurand.lattice.algebra import algebra_of
from measurand.lattice.valuation.distance import Bounds, bounds, distance, is_distance
from measurand.measures import ESL, OIE, as_measure, nDCG
from measurand.verdict import How

RUNS = st.tuples(*[st.integers(0, 1)] * 5)


@settings(max_examples=10, deadline=None)
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


def test_runs_without_a_join_have_no_distance_under_a_measure_that_is_no_valuation():
    algebra = algebra_of("swap", 2, 3)
    with pytest.raises((NoJoin, NoMeet)):
        distance(algebra, "ERR", (0, 2), (1, 0))
    verdict = is_distance(algebra, "ERR")
    assert not verdict
    assert verdict.kind is None
    assert "runs without a join or a meet, such as (0, 2) and (1, 0), have no distance" in verdict.argument


# With swap and three grades or more, joins and meets are those of the completion.


def test_the_distance_of_runs_without_a_join_goes_through_the_completion():
    runs = RunLattice("swap", 2, 3)
    with pytest.raises(NoJoin):
        runs.join((0, 2), (1, 0))
    # grade 1 or more: 01 and 10, which weigh alike; grade 2: 01 and 00
    assert runs.distance("DCG(b=2)", (0, 2), (1, 0)) == 1
    assert runs.is_distance("DCG(b=2)").how is How.PROVED
    assert runs.is_distance("DCG(b=2)").kind == "pseudo-metric"


@pytest.mark.parametrize(
    ("depth", "grades", "measure", "topic"),
    [
        (2, 3, "DCG(b=2)", {}),
        (3, 3, "gP", {}),
        (3, 3, "gRBP(p=0.8)", {}),
        (2, 4, "gRBP(p=0.5)", {}),
        (3, 3, "AP", {}),
        (3, 3, "RR", {}),
        (3, 3, "gRBP(p=0.8)", {"recall_base": 2}),
        (2, 3, lambda run: 5 * run[0] ** 2 + 2 * run[1], {}),
        (3, 3, lambda run: run[0] ** 2 + run[1], {}),
    ],
)
def test_a_distance_through_the_completion_is_one_for_all_runs(depth, grades, measure, topic):
    algebra = algebra_of("swap", depth, grades)
    most = topic.get("recall_base", depth)
    runs = [run for run in algebra.runs() if sum(map(bool, run)) <= most]
    apart = {(x, y): distance(algebra, measure, x, y, **topic) for x, y in product(runs, repeat=2)}
    assert all(apart[x, y] == apart[y, x] >= 0 and apart[x, x] == 0 for x, y in apart)
    below = lcm(*(far.denominator for far in apart.values()))
    far = np.array([[int(apart[x, y] * below) for y in runs] for x in runs])
    assert (far[:, None, :] <= far[:, :, None] + far[None, :, :]).all()  # whole numbers, for every x, z and y between
    verdict = is_distance(algebra, measure, **topic)
    assert verdict.holds
    zero = any(not far for (x, y), far in apart.items() if x != y)
    assert verdict.kind == ("pseudo-metric" if zero else "metric")


@pytest.mark.parametrize(("depth", "grades"), [(2, 3), (3, 3), (2, 4)])
def test_the_completion_agrees_with_the_finite_one(depth, grades):
    algebra, measure = algebra_of("swap", depth, grades), as_measure("gRBP(p=0.8)")
    runs = list(algebra.runs())
    paths = {
        run: tuple(sum(cell >= g for cell in run[:k]) for g in range(1, grades) for k in range(1, depth + 1))
        for run in runs
    }
    value = {run: measure.of(run, grade_counts=(depth, *[0] * (grades - 2), depth)) for run in runs}
    # what a document of a grade or more is worth at a rank, summed by parts: a sum over numbers of documents
    weight = {}
    for place, (grade, rank) in enumerate(product(range(1, grades), range(1, depth + 1))):
        here, after = (
            value[tuple(grade * (r == rank + late) for r in range(1, depth + 1))]
            - value[tuple((grade - 1) * (r == rank + late) for r in range(1, depth + 1))]
            for late in (0, 1)
        )
        weight[place] = here - after
    for x, y in product(runs, repeat=2):
        steps = zip(weight.values(), paths[x], paths[y], strict=True)
        assert distance(algebra, measure, x, y) == sum(w * abs(a - b) for w, a, b in steps)


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
    assert verdict.kind == "pseudo-metric"
    assert "only a run itself" in is_distance(algebra, "DCG").argument
    assert is_distance(algebra, "DCG").kind == "metric"


def test_a_distance_that_was_looked_at_here_and_there_is_sampled():
    verdict = is_distance(algebra_of("replacement", 40, 3), lambda run: Fraction(sum(run)))
    assert verdict.holds
    assert verdict.how is How.SAMPLED
