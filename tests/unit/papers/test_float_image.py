"""The image of a measure in doubles."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.intervals import image
from measurand.judged import JudgedRuns, Pool, every_run
from measurand.measures import AP, parse
from measurand.measures.exact_ties import floats
from measurand.papers import float_image
from measurand.papers.fff2021.doubles import ARITHMETICS, doubles

SUMS = ["AP", "Q", "DCG", "DCG(b=2)", "nDCG(b=2)", "RBP(p=0.8)", "gRBP(p=0.5)", "gP", "gR", "ERR"]


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("measure", SUMS)
def test_doubles_are_the_values_up_to_rounding_however_they_are_added(measure, arithmetic):
    runs, pool = every_run(5, 3), Pool((5, 2, 4))
    known = parse(measure)
    exact = floats(known, JudgedRuns.on_one_topic(runs, pool.grade_counts))[:, 0]
    assert doubles(known, runs, pool, arithmetic) == pytest.approx(exact, abs=1e-14)


@pytest.mark.parametrize("measure", ["AP", "ERR", "RBP(p=0.8)", "P", "RR"])
def test_added_left_to_right_doubles_are_those_of_the_vectorised_path(measure):
    runs, pool = every_run(9, 2), Pool((9, 9))
    fast = parse(measure).fast(JudgedRuns.on_one_topic(runs, pool.grade_counts))
    assert doubles(parse(measure), runs, pool) == pytest.approx(fast, rel=4e-16)
    if measure != "RBP(p=0.8)":
        assert (doubles(parse(measure), runs, pool) == fast).all()


def test_what_is_not_judged_or_not_there_adds_nothing():
    runs = np.array([[1, -1, 1, -2], [1, 0, 1, 0]], dtype=np.int8)
    for measure in SUMS:
        assert len(set(doubles(parse(measure), runs, Pool((3, 4))).tolist())) == 1, measure
    assert doubles(AP(judged_only=True), runs, Pool((3, 4)))[0] == 0.5
    assert doubles(AP @ 1, runs, Pool((3, 4))).tolist() == [0.25, 0.25]


@pytest.mark.parametrize(("measure", "grades"), [("AP", 2), ("DCG(b=2)", 3), ("ERR", 3), ("Rprec", 2)])
def test_the_exact_count_is_that_of_the_image(measure, grades):
    assert float_image(measure, 6, grades).exact == image(measure, 6, grades).size


def test_many_runs_are_ranked_by_a_ruler_as_few_are_one_by_one():
    assert [float_image("AP", depth).exact for depth in (10, 13)] == [810, 6733]


def test_every_pair_that_is_shown_is_one():
    found = float_image("AP", 10)
    assert found.split == len(found.splits(most=1000)) == 50
    for pair in found.splits():
        assert AP.of(pair.one) == AP.of(pair.other)
        assert pair.doubles[0] != pair.doubles[1]
    rounded = float_image("AP", 10, digits=3)
    assert rounded.merged == len(rounded.merges(most=1000)) > 0
    for pair in rounded.merges():
        assert AP.of(pair.one) != AP.of(pair.other)
        assert pair.doubles[0] == pair.doubles[1]


def test_rounding_once_at_the_end_helps_for_a_while_and_then_no_more():
    assert [float_image("AP", depth, arithmetic="fsum").split for depth in (10, 12)] == [0, 22]


def test_a_binary_measure_has_two_grades_whatever_is_said():
    assert len(float_image("AP", 6, grades=3).runs) == 64
    assert float_image("AP(rel=2)", 6, grades=3).runs.max() == 2


def test_it_tells_its_story_in_words_and_in_a_notebook():
    found = float_image("AP", 6)
    assert repr(found) == "<FloatImage of AP: 54 values, 55 doubles>"
    assert str(found).startswith("AP, 64 runs of 6 ranks: 54 values, 55 doubles (added left to right).")
    assert "no tie is broken" in str(float_image("P", 3))
    assert "<table" in found._repr_html_()
    assert "rounded to 1 decimal)" in str(float_image("AP", 4, digits=1))


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"depth": 22}, "ask for 21 ranks at most"),
        ({"depth": 4, "arithmetic": "sideways"}, "'left to right', 'pairwise', 'fsum'"),
        ({"depth": 4, "digits": -1}, "digits"),
        ({"depth": 4, "head": (1, 1, 1, 1)}, "less than 4 ranks"),
        ({"depth": 4, "head": (2,)}, "grades of 0, 1"),
    ],
)
def test_what_cannot_be_is_refused_in_words(wrong, complaint):
    with pytest.raises(ParameterError, match=complaint):
        float_image("AP", **wrong)


def test_a_function_of_the_user_is_refused():
    with pytest.raises(ParameterError, match="a function of yours"):
        float_image(lambda run: sum(run) / 3, depth=3)
