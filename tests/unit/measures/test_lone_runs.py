"""A judged run alone: which grades there are is said, or else the value carries a caveat."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from itertools import product

import pytest

from measurand.errors import CaveatKind, ParameterError
from measurand.exact import caveats_of
from measurand.judged import Pool
from measurand.lattice import RunLattice
from measurand.measures import catalogue, gm, gP, gR, gRBP, interval, nDCG, parse

WITH_A_TOP = ["gP", "gR", "gRBP", "ERR", "RBP(p=0.8)", "INST(T=1)"]
"""Measures whose values depend on the highest grade there is."""

WITH_AN_IDEAL = ["nDCG", "nERR", "Q", "OIE"]
"""Measures whose values depend on how many documents of each grade there are."""


def test_generalized_precision_of_three_ranks_and_three_grades_has_the_values_of_the_figure():
    assert gP.of((1, 0, 0), grades=3) == gR.of((1, 0, 0), grades=3) == Fraction(1, 6)
    assert gP.of((2, 0, 0), grades=3) == gR.of((2, 0, 0), grades=3) == Fraction(1, 3)
    assert gP.of((1, 1, 0), grades=3) == Fraction(1, 3)
    assert gP.of((2, 1, 1), grades=3) == Fraction(2, 3)


@pytest.mark.parametrize("spelling", [*WITH_A_TOP, *WITH_AN_IDEAL, "DCG", "AP", "P", "RR"])
@pytest.mark.parametrize("grades", [2, 3, 4])
def test_a_run_with_grades_has_the_value_of_a_topic_with_these_grades(spelling, grades):
    measure = parse(spelling)
    for run in product(range(grades), repeat=3):
        counts = (run.count(0), *[0] * (grades - 2), 3)
        assert measure.of(run, grades=grades) == measure.of(run, grade_counts=counts)
        assert measure.value(run, grades=grades) == float(measure.of(run, grades=grades))


@pytest.mark.parametrize("grades", [3, 4])
def test_values_in_a_lattice_are_those_of_a_run_with_as_many_grades(grades):
    runs = RunLattice("replacement", 2, grades)
    for run in runs.algebra.runs():
        assert runs.value(run, "gP") == gP.of(run, grades=grades)


@pytest.mark.parametrize("spelling", [*catalogue(), "INST(T=1)"])
def test_runs_of_0_and_1_are_binary_and_carry_no_caveat(spelling):
    measure = parse(spelling)
    for run in product((0, 1), repeat=2):
        value = measure.of(run)
        assert caveats_of(value) == ()
        assert value == measure.of(run, grades=2)


@pytest.mark.parametrize("spelling", WITH_A_TOP)
def test_a_higher_grade_without_the_highest_carries_a_caveat(spelling):
    measure = parse(spelling)
    for value in (measure.of((2, 0, 1)), measure.value((2, 0, 1))):
        [caveat] = value.caveats
        assert caveat.kind is CaveatKind.GRADES
        assert "takes 2, the highest grade of the run, for the highest there is" in caveat.text
    assert caveats_of(measure.of((2, 0, 1), grades=3)) == ()
    assert caveats_of(measure(gmax=2).of((2, 0, 1))) == ()
    assert caveats_of(measure.of((2, 0, 1), grade_counts=(1, 1, 1))) == ()


@pytest.mark.parametrize("spelling", WITH_AN_IDEAL)
def test_what_compares_with_the_best_ranking_needs_the_documents_of_each_grade(spelling):
    measure = parse(spelling)
    values = [measure.of((2, 0, 1)), measure.of((2, 0, 1), grades=3), measure.of((1, 0, 0), grades=3)]
    if "gmax" in measure.parameters():
        values.append(measure(gmax=2).of((2, 0, 1)))
    for value in values:
        [caveat] = value.caveats
        assert caveat.kind is CaveatKind.GRADES
        assert "takes all relevant documents to have grade 2; grade_counts= says how many" in caveat.text
    assert caveats_of(measure.of((2, 0, 1), grade_counts=(1, 1, 1))) == ()


@pytest.mark.parametrize("spelling", ["DCG", "AP", "P", "RR", "R", "RBP(p=0.8, rel=1)", "ESL"])
def test_what_does_not_depend_on_the_highest_grade_carries_no_caveat(spelling):
    assert caveats_of(parse(spelling).of((2, 0, 1))) == ()


def test_whether_a_measure_depends_on_the_counts_is_declared_as_it_is():
    for spelling, measure in catalogue().items():
        run, topics = (1, 0, 2), [(1, 0, 3), (1, 2, 1)]
        differs = len({float(measure.of(run, grade_counts=counts)) for counts in topics}) > 1
        assert measure.needs_grade_counts is differs, spelling


def test_a_value_with_a_caveat_is_the_number_and_travels_whole():
    for measure in map(parse, (*WITH_A_TOP, *WITH_AN_IDEAL)):
        value = measure.of((2, 0, 1))
        again = pickle.loads(pickle.dumps(value))
        for same in (again, copy.copy(value), copy.deepcopy(value)):
            assert same == value
            assert hash(same) == hash(value)
            assert same.caveats == value.caveats
        assert repr(value) == repr(measure.exact((2, 0, 1), Pool.described((2, 0, 1), None, None)))
        assert caveats_of(value * 2) == ()


def test_keys_decide_ties_and_carry_no_caveat():
    assert caveats_of(nDCG.key((2, 0, 1))) == ()
    assert caveats_of(gRBP(gmax=2).key((2, 0, 1))) == ()


def test_measures_around_others_pass_the_grades_on():
    assert gm(gP).of((1, 0, 0), grades=3) == Fraction(1, 6)
    three = interval("gP@3")
    assert three.of((1, 0, 0), grades=3) == interval("gP@3", grades=3).of((1, 0, 0)) == Fraction(1, 6)
    assert three.value((1, 0, 0), grades=3) == float(Fraction(1, 6))


@pytest.mark.parametrize(
    ("measure", "run", "told", "text"),
    [
        (gP, (3, 0), {"grades": 3}, "the run holds grade 3, and 3 grades are 0 to 2"),
        (gP(gmax=3), (1, 0), {"grades": 3}, "grades=3 contradicts gmax=3"),
        (
            gP,
            (1, 0),
            {"grades": 2, "grade_counts": (1, 1, 1)},
            "grade_counts reaches to grade 2",
        ),
        (gP, (1, 0), {"grades": 1}, "grades must be a whole number from 2 up"),
    ],
)
def test_grades_that_contradict_the_run_or_the_rest_are_refused(measure, run, told, text):
    with pytest.raises(ParameterError, match=text):
        measure.of(run, **told)


@pytest.mark.parametrize("spelling", ["nDCG", "nERR", "Q", "gP"])
def test_a_run_with_a_grade_that_the_counts_do_not_name_is_refused(spelling):
    with pytest.raises(ParameterError, match="the run holds a document of grade 2, and grade_counts name none of it"):
        parse(spelling).of((2, 0, 0), grade_counts=(3, 1), grades=3)
