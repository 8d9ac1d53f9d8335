"""Gains never fall with the grade, and a table of gains has no hole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.axioms import replacement
from measurand.errors import ParameterError
from measurand.measures import DCG, gP, gR, gRBP, nDCG, parse
from measurand.measures.parameters import share_of_gain

MEASURES = [gP, gR, gRBP, DCG, nDCG]


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@pytest.mark.parametrize("gain", [{0: 0, 1: 3, 2: 1}, {1: 3, 2: 1}, {1: 1, 2: 2, 3: "1.9"}, {1: 1, 2: 0}])
def test_gains_that_fall_with_the_grade_are_refused(measure, gain):
    with pytest.raises(ParameterError, match="gain must be at least as high for a higher grade as for a lower one"):
        measure(gain=gain)


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@pytest.mark.parametrize(("gain", "missing"), [({1: 1, 3: 9}, 2), ({2: 5}, 1), ({0: 0, 2: 5}, 1), ({1: 1, 4: 9}, 2)])
def test_a_table_with_a_hole_is_refused_with_the_grade_that_is_missing(measure, gain, missing):
    with pytest.raises(ParameterError, match=f"leaves out grade {missing}, .*such as {missing}: {missing}"):
        measure(gain=gain)


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_equal_gains_are_allowed(measure):
    flat = measure(gain={0: 0, 1: 3, 2: 3})
    assert flat.of((1, 0), grade_counts=(2, 0, 2)) == flat.of((2, 0), grade_counts=(2, 0, 2))
    assert replacement(flat, 3, 3)


def test_grades_above_the_table_are_worth_themselves_or_refused_where_that_is_less():
    assert DCG(gain={1: 1, 2: 3}).of((3,)) == 3
    assert DCG(gain={1: 1, 2: 3}).of((4,)) == 4
    steep = DCG(gain={1: 1, 2: 5})
    assert steep.of((2,)) == 5
    with pytest.raises(ParameterError, match=r"grade 3 would be worth 3, less than the 5 of grade 2; name it, too"):
        steep.of((3,))
    with pytest.raises(ParameterError, match="name it, too"):
        gP(gain={1: 1, 2: 5}).of((1, 0), grades=4)
    assert gP(gain={1: 1, 2: 5}).of((1, 0), grades=3) == Fraction(1, 10)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_a_table_is_taken_exactly_if_it_never_falls(gains):
    table = dict(enumerate(gains, 1))
    if all(low <= high for low, high in pairwise(gains)):
        assert [DCG(gain=table).of((grade,)) for grade in table] == gains
        assert parse(repr(DCG(gain=table))) == DCG(gain=table)
    else:
        with pytest.raises(ParameterError, match="for a higher grade"):
            DCG(gain=table)


# The names of trec_eval keep what trec_eval does.


def test_gains_named_as_in_trec_eval_are_a_plain_table_where_they_rise():
    assert parse("ndcg.1=3,2=9") == nDCG(gain={1: 3, 2: 9})
    # grade 2 is worth itself, and that is written out
    assert repr(parse("ndcg.1=1,3=9")) == "nDCG(gain={1: 1, 2: 2, 3: 9})"


def test_gains_that_fall_keep_trec_evals_way_of_writing_them():
    falling = parse("ndcg.1=3,2=9,4=4.5")
    assert repr(falling) == "nDCG(gain='1=3,2=9,4=4.5')"
    assert parse(repr(falling)) == falling
    assert [falling.gain_at(grade, 4) for grade in range(5)] == [0, 3, 9, 3, Fraction(9, 2)]
    # the best ranking goes by gains, not by grades
    assert falling.of((2, 4), grade_counts=(0, 0, 1, 0, 1)) == 1


@pytest.mark.parametrize("text", ["1=-3,2=1", "0=1,1=2", "a=1", "1=x"])
def test_gains_written_as_in_trec_eval_are_numbers_from_0_up(text):
    with pytest.raises(ParameterError):
        nDCG(gain=text)
    with pytest.raises(ParameterError):
        gP(gain="1=3,2=9")


@pytest.mark.parametrize("text", ["1=3,2", "1=3,2=", "1=3,=9", "a=1", "1=x", "1=3,1=4", "1=2=3", "1=3,"])
@pytest.mark.parametrize("measure", [DCG, nDCG], ids=repr)
def test_gains_that_cannot_be_read_are_refused_with_the_measure_and_how_to_write_them(measure, text):
    said = re.escape(f"{measure.name}: gain={text}: write grade=gain, every grade once, as in 1=3,2=9")
    with pytest.raises(ParameterError, match=f"^{said}$"):
        measure(gain=text)


def test_names_of_trec_eval_have_their_gains_read_in_the_same_way():
    with pytest.raises(ParameterError, match=r"^ndcg: gain=1=3,2: write grade=gain, every grade once, as in 1=3,2=9$"):
        parse("ndcg.1=3,2")


@pytest.mark.parametrize("measure", [gP, gR, gRBP], ids=repr)
def test_the_highest_gain_is_not_taken_for_the_highest_grade(measure):
    said = "gmax=10 is the highest grade, but the gains stop at grade 2; leave gmax out, or write gmax=2"
    with pytest.raises(ParameterError, match=said):
        measure(gain={1: 1, 2: 10}, gmax=10)
    assert measure(gain={1: 1, 2: 10}, gmax=2).gmax == 2
    # grades above the table are worth themselves where that is more
    assert measure(gain={1: 1, 2: 2}, gmax=4).gmax == 4


def test_replacement_fails_where_gains_fall_with_the_grade():
    assert not replacement(DCG(gain="1=3,2=1") @ 3, 3, 3)
    assert replacement(DCG(gain="1=3,2=9") @ 3, 3, 3)


class HighestAlone(Sequence):
    """Very many grades, of which nobody needs all."""

    def __len__(self):
        return 10**9

    def __getitem__(self, place):
        assert place == -1
        return Fraction(4)


@pytest.mark.parametrize(("gain", "share"), [("linear", "1/4"), ("exp2", "1/15"), (((1, 1), (2, 3)), "1/4")])
def test_a_share_of_the_highest_gain_takes_the_highest_grade_alone(gain, share):
    assert share_of_gain(gain, 1, HighestAlone()) == Fraction(share)
