"""Sentences about scores of which lower ones are better: judgements follow the measure, values do not."""

from __future__ import annotations

import pytest

from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.meaning import check, parse_statement
from measurand.scores import Scores

JUDGING = [
    ("A is better than B", "mean of A is below mean of B"),
    ("A beats B", "mean of A is below mean of B"),
    ("A outperforms B", "mean of A is below mean of B"),
    ("A is worse than B", "mean of A exceeds mean of B"),
    ("the mean of A is better than that of B", "mean of A is below mean of B"),
    ("median of A beats median of B", "median of A is below median of B"),
    ("the median of A is worse than that of B", "median of A exceeds median of B"),
    ("mean of A is better than half the mean of B", "mean of A is below 0.5 times mean of B"),
    ("A is 20 % better than B", "mean of A is at most 0.8 times mean of B"),
    ("A beats B by 20 %", "mean of A is at most 0.8 times mean of B"),
    ("A is 20 % worse than B", "mean of A is at least 1.2 times mean of B"),
]

OF_VALUES = [
    "mean of A exceeds mean of B",
    "median of A is higher than median of B",
    "mean of A is at most 1.2 times mean of B",
    "A has a lower mean than B",
    "A is 20 % higher than B",
    "A is 20 % less than B",
    "A > B",
    "the difference between A and B is twice that between B and A",
    "A and B differ significantly by t",
]


@pytest.mark.parametrize(("sentence", "meant"), JUDGING)
def test_a_judgement_follows_the_direction_of_the_measure(sentence, meant):
    assert str(parse_statement(sentence, ["A", "B"], lower_is_better=True)) == meant
    assert str(parse_statement(sentence, ["A", "B"])) != meant


@pytest.mark.parametrize("sentence", OF_VALUES)
def test_what_is_said_of_values_stays(sentence):
    up, down = (parse_statement(sentence, ["A", "B"], lower_is_better=lower) for lower in (False, True))
    assert up == down


@pytest.mark.parametrize("sentence", ["A is 100 % better than B", "A beats B by 120 %"])
def test_no_cost_is_saved_more_than_whole(sentence):
    with pytest.raises(ParameterError, match="say less than 100 %"):
        parse_statement(sentence, ["A", "B"], lower_is_better=True)
    parse_statement(sentence, ["A", "B"])


def test_scores_say_which_way_a_judgement_goes():
    costs = Scores(
        measure="ESL", values=[[1, 2], [3, 4]], systems="AB", topics="12", scale=Scale.RATIO, lower_is_better=True
    )
    assert check("A beats B", costs).true
    assert not check("B beats A", costs).true
    assert check("A is 50 % better than B", costs).true
    assert not check("A is 60 % better than B", costs).true
    assert check("mean of B exceeds mean of A", costs).true


def test_the_wins_of_a_reason_are_those_of_the_better_system():
    costs = Scores(
        measure="ESL", values=[[1, 2, 3], [3, 4, 2]], systems="AB", topics="123", lower_is_better=True, one_scale=False
    )
    assert "3 topics with 2 wins and 1 losses" in check("A and B differ significantly by wilcoxon", costs).certificate
