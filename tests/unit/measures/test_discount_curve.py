"""Discount curves that are written out."""

from __future__ import annotations

from fractions import Fraction

import pytest

import measurand as md
from measurand.errors import ParameterError
from measurand.measures import DiscountCurve
from measurand.testing import check_measure

CURVE = DiscountCurve(by_rank=["1/2", "1/3", "1/6"], by_grade=[0, "1/2", 1], label="Mine")


def test_a_discount_curve_is_a_measure_like_others():
    check_measure(CURVE(label=""))
    check_measure(DiscountCurve(by_rank=[1, 2]))


def test_weights_count_to_the_last_and_gains_to_the_highest():
    assert CURVE.of([2, 0, 1, 2]) == Fraction(1, 2) + Fraction(1, 12)
    assert CURVE.of([5]) == Fraction(1, 2)
    assert (CURVE @ 1).of([2, 2]) == Fraction(1, 2)
    assert (repr(CURVE), repr(CURVE @ 2), repr(CURVE(judged_only=True))) == ("Mine", "Mine@2", "Mine(judged_only=True)")


def test_a_curve_is_spelled_so_that_it_can_be_read_back_and_told_from_others():
    assert CURVE.spelling == "DiscountCurve(by_rank='1/2, 1/3, 1/6', by_grade='0, 1/2, 1', label='Mine')"
    graded = DiscountCurve(by_rank="1,1/2", by_grade="0,1,3")
    for curve in (graded, graded @ 1, graded(judged_only=True), DiscountCurve(by_rank=[3, 2])(rel=2), DiscountCurve):
        assert md.parse(repr(curve)) == curve
    assert md.parse((CURVE @ 2).spelling) == CURVE @ 2
    assert repr(DiscountCurve(weights=[2, 1], gains=[0, 2])) != repr(DiscountCurve(by_rank=[2, 1]))
    assert CURVE(by_rank=[4, 3, 2, 1]).cutoff == 4


def test_of_a_binary_curve_it_can_be_said_which_grades_are_relevant():
    curve = DiscountCurve(by_rank=[2, 1])
    assert (curve.of([1, 2]), curve(rel=2).of([1, 2])) == (3, 1)
    judged = md.judge({"1": {"a": 2.0, "b": 1.0}}, {"1": {"a": 1, "b": 2}})
    assert curve(rel=2).scores(judged).values.tolist() == [[1.0]]
    with pytest.raises(ParameterError, match="rel=2 is for two gains"):
        CURVE(rel=2)


def test_properties_are_proved_by_the_family():
    assert md.axioms.swap(CURVE, depth=3, grades=3).how == "proved"
    assert not md.axioms.swap(DiscountCurve(by_rank=[1, 2]), depth=2, grades=2)
    assert md.lattice.RunLattice("swap", 3, 3).is_valuation(CURVE)


def test_grades_without_a_gain_are_noted():
    judged = md.judge({"1": {"a": 2.0, "b": 1.0}}, {"1": {"a": 3, "b": 1}})
    assert any("count as 2" in str(caveat) for caveat in CURVE.scores(judged).caveats)


@pytest.mark.parametrize(
    "wrong",
    [
        {"by_rank": []},
        {"by_rank": [1, -1]},
        {"by_rank": "1,,2"},
        {"by_rank": [1], "by_grade": [1, 2]},
        {"by_rank": [1], "by_grade": [0]},
        {"by_rank": [1], "label": "two words"},
        {"by_rank": [1], "label": "AP"},
    ],
)
def test_curves_that_are_none_are_refused(wrong):
    with pytest.raises(ParameterError):
        DiscountCurve(**wrong)
