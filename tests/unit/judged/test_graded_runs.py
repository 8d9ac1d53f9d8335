"""Runs of any grades: exact, shown as they are written, and coded by places in a set."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.judged import Relevance
from measurand.judged.graded_runs import RealGrade, codes, decoded, exact_grade, exact_grades

fractions = st.fractions(min_value=0, max_value=50) | st.decimals(0, 50, places=6).map(Fraction)


@given(fractions)
def test_a_grade_reads_back_from_its_text_and_is_the_number_that_it_shows(number):
    grade = RealGrade(number)
    assert exact_grade(str(grade)) == grade == number
    assert hash(grade) == hash(number)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("0.70", "0.7"),
        (0.1, "0.1"),
        ("1/3", "1/3"),
        ("7/2", "3.5"),
        ("1e-7", "0.0000001"),
        ("2.0", "2"),
        ("1/30", "1/30"),
    ],
)
def test_grades_are_shown_as_short_decimals_where_there_are_such(written, shown):
    assert str(exact_grade(written)) == shown


@given(
    st.sets(fractions.filter(bool), min_size=1, max_size=5).flatmap(
        lambda grades: st.tuples(st.just(sorted(grades | {Fraction(0)})), st.lists(st.sampled_from(sorted(grades))))
    )
)
def test_codes_keep_the_order_of_grades_and_lead_back(case):
    grades, run = case
    relevance = Relevance.of(grades)
    places = codes(run, relevance)
    assert decoded(places, relevance) == tuple(run) == exact_grades(run)
    assert [grades[place] for place in places] == run


def test_grades_outside_of_the_set_have_no_code():
    with pytest.raises(ParameterError, match=r"'0\.5' is none of the grades of the relevance set, 0, 0\.3, 1"):
        codes(("0.5",), Relevance.of((0, 0.3, 1)))
    assert codes((-1, -2, "hr"), Relevance.labelled("nr", "hr")) == (0, 0, 1)
