"""The runs that are looked at: all, or enough, and never parameters that cannot be."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from measurand.axioms import (
    CONSTRAINTS,
    How,
    Reading,
    Space,
    Topic,
    closeness_threshold,
    confidence,
    constraint_matrix,
    contest,
    deepness,
    deepness_threshold,
    examine,
    is_measurement,
    priority,
    replacement,
    swap,
    well_defined,
)
from measurand.axioms.thresholds import read_reading
from measurand.errors import ParameterError
from measurand.measures import AP, OIE

OF_RUNS = [replacement, swap, priority, deepness, confidence, is_measurement, well_defined]


@pytest.mark.parametrize(
    "wrong",
    [
        {"depth": 0},
        {"depth": -1},
        {"depth": 2.5},
        {"depth": "3"},
        {"depth": True},
        {"depth": None},
        {"grades": 1},
        {"grades": 0},
        {"grades": 2.0},
        {"grades": "2"},
        {"recall_base": 0},
        {"recall_base": -1},
        {"recall_base": 1.5},
        {"collection": 0},
        {"collection": 2, "recall_base": 3},
        {"depth": 10**6},
    ],
    ids=str,
)
@pytest.mark.parametrize("axiom", OF_RUNS, ids=lambda axiom: axiom.__name__)
def test_runs_that_cannot_be_are_refused(axiom, wrong):
    for measure in ("AP", sum):
        with pytest.raises(ParameterError):
            axiom(measure, **{"depth": 3, **wrong})


@pytest.mark.parametrize("grades", [129, 200, 300])
def test_more_grades_than_cells_can_hold_are_refused(grades):
    with pytest.raises(ParameterError):
        replacement(sum, 1, grades)


def test_as_many_grades_as_cells_can_hold_are_looked_at():
    assert replacement(sum, 1, 128)


@pytest.mark.parametrize("measure", ["NOPE", "AP(x=1)", "AP@0", 3, None, ["AP"], b"AP"])
@pytest.mark.parametrize("axiom", [*OF_RUNS, deepness_threshold, closeness_threshold], ids=lambda axiom: axiom.__name__)
def test_what_is_no_measure_is_refused(axiom, measure):
    with pytest.raises(ParameterError):
        axiom(measure)


@pytest.mark.parametrize("axiom", [deepness_threshold, closeness_threshold, contest], ids=lambda axiom: axiom.__name__)
@pytest.mark.parametrize(
    "wrong",
    [
        {"collection": 0},
        {"collection": 5},
        {"collection": 10},
        {"collection": 50.5},
        {"recall_base": 0},
        {"recall_base": -1},
        {"recall_base": 60},
        {"most": -1},
        {"most": 0},
        {"most": 2.5},
        {"most": "3"},
    ],
    ids=str,
)
def test_a_topic_that_cannot_be_is_refused(axiom, wrong):
    with pytest.raises(ParameterError):
        axiom("AP", **{"collection": 50, "recall_base": 10, **wrong})


@pytest.mark.parametrize("axiom", [deepness_threshold, closeness_threshold])
@pytest.mark.parametrize("reading", ["sometimes", "", 1])
def test_a_reading_that_there_is_not_is_refused(axiom, reading):
    with pytest.raises(ParameterError, match="say exists or eventually"):
        axiom("AP", collection=50, recall_base=10, reading=reading)
    assert read_reading("exists") is read_reading(Reading.EXISTS) is Reading.EXISTS


def test_a_collection_too_small_for_the_runs_is_refused():
    with pytest.raises(ParameterError, match="a collection of 5 cannot hold them"):
        replacement(OIE(collection=5), 8)


def test_a_row_that_the_matrix_does_not_have_is_told():
    matrix = constraint_matrix(["RR@3"], collection=100, recall_base=5, depth=5)
    with pytest.raises((KeyError, ParameterError)):
        matrix["AP"]


def test_a_row_of_the_matrix_is_found_by_measure_and_by_spelling():
    matrix = constraint_matrix(["AP", "RR@3"], collection=100, recall_base=5, depth=5)
    assert matrix[AP] is matrix["AP"] is matrix["map"]
    assert [row.measure for row in matrix] == ["AP", "RR@3"]
    assert list(matrix["AP"].verdicts) == list(CONSTRAINTS)


# All runs, or some


@pytest.mark.parametrize(("depth", "grades", "runs"), [(14, 2, 16384), (8, 3, 6561), (1, 2, 2)])
def test_as_many_runs_as_fit_are_all_looked_at(depth, grades, runs):
    space = Space(depth=depth, grades=grades)
    assert space.size == runs
    assert space.all().tolist() == [list(run) for run in product(range(grades), repeat=depth)]
    verdict = replacement(sum, depth, grades)
    assert verdict.how is How.EXHAUSTIVE
    assert verdict.certain
    assert f"all {runs:,} runs" in verdict.checked


def digits(run) -> int:
    """The run as the digits of a number, which the earlier of two runs always exceeds."""
    return int.from_bytes(bytes(run), "big")


@pytest.mark.parametrize("axiom", [priority, deepness, swap, replacement, well_defined], ids=lambda a: a.__name__)
@pytest.mark.parametrize(("depth", "grades"), [(9, 3), (100, 2)])
def test_where_there_are_too_many_runs_the_verdict_says_that_it_is_from_a_sample(axiom, depth, grades):
    verdict = axiom(digits, depth, grades)
    assert verdict.holds
    assert verdict.how is How.SAMPLED
    assert not verdict.certain
    assert "random" in verdict.checked
    assert f"{depth} ranks" in verdict.checked


@pytest.mark.parametrize("axiom", [priority, replacement, deepness, swap, is_measurement], ids=lambda a: a.__name__)
@pytest.mark.parametrize("spelling", ["RBP", "DCG", "ERR", "gRBP"])
@pytest.mark.parametrize("grades", [2, 4])
def test_a_thousand_ranks_are_no_obstacle_to_a_proof(axiom, spelling, grades):
    verdict = axiom(spelling, 1000, grades)
    assert verdict.holds
    assert verdict.how is How.PROVED


@pytest.mark.parametrize("spelling", ["P@10", "RR", "nDCG@10"])
def test_a_counterexample_among_long_runs_is_found(spelling):
    verdict = priority(spelling, 200)
    assert not verdict
    assert len(verdict.witness[0]) == 200


def late(run) -> int:
    """Something that is wrong from rank 51 on alone."""
    return sum(grade * (len(run) - i if i < 50 else i) for i, grade in enumerate(run))


def test_a_breach_far_down_is_found():
    for axiom in (priority, swap, is_measurement):
        verdict = axiom(late, 60)
        assert not verdict
        worse, better = verdict.witness
        assert late(worse) >= late(better)
    assert priority(late, 50)


def test_confidence_of_long_runs():
    assert not confidence(len, 200)
    assert confidence(lambda run: -len(run), 200).how is How.SAMPLED


def test_a_sample_is_the_same_for_the_same_seed():
    space = Space(depth=30, grades=3)
    assert np.array_equal(space.drawn(1), space.drawn(1))
    assert not np.array_equal(space.drawn(1), space.drawn(2))
    drawn = space.drawn(1)
    assert (drawn.min(), drawn.max()) == (0, 2)
    densities = (drawn > 0).mean(axis=1)
    assert densities.min() < 0.1
    assert densities.max() > 0.9


def test_the_telling_runs_are_all_with_short_tops_and_all_with_one_relevant_document():
    space = Space(depth=30, grades=3)
    telling = {tuple(run) for run in space.telling().tolist()}
    tops = {(*top, *[0] * (30 - space.reach)) for top in product(range(3), repeat=space.reach)}
    lone = {tuple(grade if i == j else 0 for j in range(30)) for i in range(30) for grade in (1, 2)}
    assert tops <= telling
    assert lone <= telling
    assert len(telling) == len(space.telling())


def test_a_topic_has_the_relevant_documents_that_were_asked_for():
    assert Space(depth=4).pool.grade_counts == (4, 4)
    assert Space(depth=4, grades=3, recall_base=2, collection=10).pool.grade_counts == (8, 0, 2)
    assert "recall base 2, 1,000 documents" in replacement(sum, 3, recall_base=2, collection=1000).checked


@pytest.mark.parametrize("recall_base", [1, 2, 3, 7])
def test_no_run_holds_more_relevant_documents_than_there_are(recall_base):
    space = Space(depth=5, grades=3, recall_base=recall_base)
    runs = [run for run in product(range(3), repeat=5) if sum(grade > 0 for grade in run) <= recall_base]
    assert space.all().tolist() == [list(run) for run in runs]
    assert space.size == len(runs)
    seen = set()

    def remember(run):
        seen.add(run)
        return sum(run)

    for axiom in (replacement, swap, is_measurement):
        assert axiom(remember, 5, 3, recall_base=recall_base)
    assert seen == set(runs)


def test_a_measure_of_grades_that_there_are_not_is_refused():
    with pytest.raises(ParameterError, match="ask for 3 grades"):
        swap("AP(rel=2)", 4)
    with pytest.raises(ParameterError, match="ask for 2 grades"):
        swap("ERR(gmax=1)", 4, 3)


def test_the_size_of_the_collection_is_passed_to_a_measure_that_wants_it():
    assert Space(depth=4, collection=100, recall_base=3).valuer(OIE).measure == OIE(collection=100)
    assert Space(depth=4, collection=100, recall_base=3).valuer(OIE(collection=50)).measure == OIE(collection=50)
    assert Space(depth=4, collection=100, recall_base=3).valuer(AP).measure == AP
    assert Space(depth=4).valuer(OIE).measure == OIE


def test_the_thresholds_are_examined_on_their_own_topic():
    space, topic = Space(depth=4, collection=100, recall_base=3), Topic(collection=10**6, recall_base=100)
    verdicts = dict(examine(OIE, space, topic, wanted=("closeness_threshold",)))
    assert verdicts["closeness_threshold"] == closeness_threshold(OIE, collection=10**6, recall_base=100)


def test_properties_are_examined_in_order_and_only_those_wanted():
    assert [name for name, _ in examine(AP, Space(depth=4), wanted=("swap", "replacement"))] == ["replacement", "swap"]
    found = dict(examine(AP, Space(depth=4)))
    assert found["priority"] == priority("AP", 4)
    assert found["closeness_threshold"] == closeness_threshold("AP")
    assert found["is_measurement"] == is_measurement("AP", 4)
