"""Grades that are no whole numbers, or large: one judged run at a time."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import measurand as md
from measurand.errors import ParameterError
from measurand.measures import DCG, gP, nDCG, parse
from measurand.report.page.section import kind_of
from measurand.study.level_classes import Level, best_known

COUNTS = {0: 1, 0.3: 1, 0.7: 1}


def test_what_is_assumed_names_the_grade_and_not_its_code():
    assert "grade 0.7;" in str(nDCG.of((0.7, 0, 0.3)).caveats[0])
    assert str(gP.of((0.7, 0, 0.3)).caveats[0]).startswith("gP takes 0.7, ")


def test_a_grade_that_was_not_counted_is_refused_by_its_name():
    with pytest.raises(ParameterError, match=r"holds a document of grade 0\.9, "):
        nDCG.of((0.9, 0), grade_counts=COUNTS)


def test_a_highest_grade_below_that_of_the_judgments_is_refused():
    with pytest.raises(ParameterError, match=r"hold grade 0\.7, above gmax=0\.6"):
        gP(gmax=0.6).of((0.7, 0, 0.3))
    with pytest.raises(ParameterError, match=r"hold grade 0\.7, above gmax=0\.6"):
        md.evaluate({"1": {"a": 0.7, "b": 0.3}}, {"s": {"1": {"a": 2.0, "b": 1.0}}}, "gP(gmax=0.6)@2")


def test_whole_grades_are_not_divided_by_a_fraction_rounded_up():
    with pytest.raises(ParameterError, match="whole numbers"):
        gP(gmax=2.5).of((2, 0, 1))


def test_gains_of_fractions_are_read_back():
    measure = DCG(gain={0.3: 1, Fraction(2, 3): 5})
    assert parse(repr(measure)) == measure


def test_single_precision_grades_are_read_as_they_are_written():
    assert gP.of(np.array([0.7, 0, 0.3], dtype=np.float32)) == gP.of((0.7, 0, 0.3)) == Fraction(10, 21)


def test_the_gain_of_grade_127_is_told_from_nothing():
    measure = nDCG(gain="exp2")
    assert measure.value((0, 1), grade_counts={0: 3, 1: 1, 127: 1}) == pytest.approx(3.7082718e-39, rel=1e-6)
    assert measure.value((0, 127), grade_counts={0: 3, 127: 1}) == pytest.approx(0.63092975, rel=1e-6)


JUDGED = {"t": {"a": 0.7, "b": 0.3, "c": 1.0}}
RUN = {"s": {"t": {"a": 3.0, "b": 2.0, "x": 1.0}}}


def test_an_interval_scale_of_two_grades_is_not_that_of_real_grades():
    with pytest.raises(ParameterError, match=r"interval\(gP@3\) tells 2 grades apart, and the judgments have 4"):
        md.evaluate(JUDGED, RUN, "interval(gP@3)")
    # 20 sums of three of 0, 0.3, 0.7, 1; 10 and 14 tenths of them twice
    sums = sorted({x + y + z for x in (0, 3, 7, 10) for y in (0, 3, 7, 10) for z in (0, 3, 7, 10)})
    found = md.evaluate(JUDGED, RUN, "interval(gP@3, grades=4)").scores("interval(gP@3, grades=4)").values
    assert found.tolist() == [[sums.index(10) / (len(sums) - 1)]]


def test_judgments_that_overturn_are_fewest_where_gains_are_far_apart():
    judged = {"t0": {"a": 500, "b": 500, "c": 500, "d": 0, "e": 200}, "t1": {"a": 200, "b": 200, "c": 500}}
    ranked = {"A": {"t0": "ad", "t1": "eb"}, "B": {"t0": "ab", "t1": "edcb"}}
    runs = {s: {t: {d: -float(i) for i, d in enumerate(docs)} for t, docs in ranked[s].items()} for s in ranked}
    margin = md.margins(md.judge(runs, judged), 'nDCG(gain="exp2")@3', "B", "A").judgments
    assert (margin.value, str(margin.how)) == (1, "exact")


def test_more_than_128_grades_are_covered_and_shown_as_fewer_are():
    assert best_known(Level.TOPICS, grades=700) == best_known(Level.TOPICS, grades=4)
    assert best_known(Level.ADDITIVE, grades=700) == best_known(Level.ADDITIVE, grades=4)
    assert kind_of(np.zeros(1, dtype=np.int16)) == "Int16Array"
