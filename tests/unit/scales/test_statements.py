"""Statements: the sentences and how they are read."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.meaning import Averages, Differences, Relation, Significant, check, parse_statement
from measurand.scores import Scores

SYSTEMS = ("A", "B", "C", "D", "bm25", "bm25.rm3", "bm25 rm3", "my run")


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("mean of A exceeds mean of B", Averages("mean", "A", "B")),
        ("The mean of a is greater than that of b.", Averages("mean", "A", "B")),
        ("mean(A) > mean(B)", Averages("mean", "A", "B")),
        ("mean( bm25.rm3 )<mean(bm25)", Averages("mean", "bm25.rm3", "bm25", "is below")),
        ("the average of A is at least the average of B", Averages("mean", "A", "B", "is at least")),
        ("median of bm25 exceeds median of bm25 rm3", Averages("median", "bm25", "bm25 rm3")),
        ("geometric mean of 'my run' equals that of \"A\"", Averages("geometric mean", "my run", "A", "equals")),
        ("lower quartile of A is below lower quartile of B", Averages("lower quartile", "A", "B", "is below")),
        ("the third quartile of A is higher than that of B", Averages("upper quartile", "A", "B")),
        ("mode of A is the same as mode of B", Averages("mode", "A", "B", "equals")),
        ("A is 20 % better than B", Averages("mean", "A", "B", "is at least", factor="1.2")),
        ("bm25.rm3 is 7.5% worse than bm25", Averages("mean", "bm25.rm3", "bm25", "is at most", factor="0.925")),
        ("mean of A is twice the mean of B", Averages("mean", "A", "B", "equals", factor=2)),
        ("mean of A is at least 1/3 times mean of B", Averages("mean", "A", "B", "is at least", factor="1/3")),
        ("A beats B", Averages("mean", "A", "B")),
        ("A is worse than B", Averages("mean", "A", "B", "is below")),
        ("the difference between A and B is twice that between C and D", Differences("A", "B", "C", "D", factor=2)),
        ("difference between A and B is half that between C and D", Differences("A", "B", "C", "D", factor="1/2")),
        (
            "the difference between A and bm25 is at least 2.5 times the difference between C and D",
            Differences("A", "bm25", "C", "D", "is at least", factor="5/2"),
        ),
        ("A and B differ significantly by t", Significant("A", "B", "t")),
        (
            "bm25 and bm25.rm3 differ significantly by the Wilcoxon test at 0.01",
            Significant("bm25", "bm25.rm3", "Wilcoxon", 0.01),
        ),
        ("A differs significantly from B according to Kruskal-Wallis", Significant("A", "B", "Kruskal-Wallis")),
        ("A and B differ significantly by sign at the 5 % level", Significant("A", "B", "sign", 0.05)),
        ("mean of A equals 0.001 times mean of B", Averages("mean", "A", "B", "equals", factor="1e-3")),
        ("the difference between A and B is as large as that between C and D", Differences("A", "B", "C", "D")),
        ("the difference between A and B is more than that between C and D", Differences(*"ABCD", "exceeds")),
    ],
)
def test_a_sentence_is_read_and_what_it_says_is_read_again(text, statement):
    assert parse_statement(text, SYSTEMS) == statement
    assert parse_statement(str(statement), SYSTEMS) == statement


@pytest.mark.parametrize("text", ["A is nice", "", "mean of A exceeds"])
def test_an_unreadable_sentence_is_answered_with_the_forms(text):
    with pytest.raises(ParameterError, match=r"; write it like: (mean of )?A "):
        parse_statement(text, SYSTEMS)


def test_names_that_differ_in_case_alone_must_be_written_exactly():
    assert parse_statement("mean of run exceeds mean of Run", ("run", "Run")) == Averages("mean", "run", "Run")
    with pytest.raises(ParameterError, match="may be run or Run"):
        parse_statement("mean of RUN exceeds mean of b", ("run", "Run", "b"))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        *(("A", "A and B"), ("A and B", "B"), ("A and", "B"), ("mean", "of"), ("sys", "sys 1"), ("x|y", "a.*b")),
        *(("bm25", "bm25 (v2)"), ("bm25 (v2)", "bm25"), ("it's", 'the "best"'), ("[+]", "(?P<a>)"), ("λ", "Straße")),
    ],
)
def test_any_names_can_be_spoken_of(a, b):
    names = ["A", "A and", "A and B", "B", a, b]
    for statement in (Averages("mean", a, b), Significant(a, b, "t"), Averages("mean", a, b, "is at least", factor=2)):
        assert parse_statement(str(statement), list(dict.fromkeys(names))) == statement
    assert parse_statement(f"mean({a}) > mean({b})", list(dict.fromkeys(names))) == Averages("mean", a, b)


@pytest.mark.parametrize("share", ["100", "120"])
def test_nothing_is_worse_by_all_that_there_is(share):
    with pytest.raises(ParameterError, match="less than 100 %"):
        parse_statement(f"A is {share} % worse than B", SYSTEMS)


def test_averages_of_two_kinds_are_not_compared():
    with pytest.raises(ParameterError, match="not the mean of one with the median of another"):
        parse_statement("mean of A exceeds median of B", SYSTEMS)


def test_impossible_statements_are_refused():
    with pytest.raises(ParameterError, match="positive"):
        Averages("mean", "A", "B", factor=0)
    with pytest.raises(ParameterError, match=r"between 0\.001 and 1000"):
        Averages("mean", "A", "B", factor=1e9)
    with pytest.raises(ParameterError, match="equal"):
        Averages("mode", "A", "B")
    with pytest.raises(ParameterError, match="alpha"):
        Significant("A", "B", "t", alpha=2)
    with pytest.raises(ParameterError, match="no test"):
        parse_statement("A and B differ significantly by magic", SYSTEMS)


def test_a_relation_says_which_signs_it_admits():
    assert [[sign for sign in (-1, 0, 1) if relation.admits(sign)] for relation in Relation] == [
        [1],
        [0, 1],
        [0],
        [-1, 0],
        [-1],
    ]


@pytest.mark.parametrize("factor", [1 / 3, 0.1 + 0.2, 1.123456789012345, 999.123456789, 0.00123456789123])
def test_the_weights_of_long_factors_and_many_topics_fit_whole_numbers(factor):
    statement = Averages("mean", "A", "B", factor=factor)
    rows = np.ones((2, 5000))
    rows[0, :3] = np.nan
    weights = statement.weights(rows)
    total, exact = int(weights[1].sum()), -statement.factor * sum(map(int, weights[0]))
    assert total == exact
    assert float(statement.factor) == pytest.approx(factor, rel=1e-8)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("A > B", "mean of A exceeds mean of B"),
        ("A outperforms B", "mean of A exceeds mean of B"),
        ("A beats B by 5 %", "mean of A is at least 1.05 times mean of B"),
        ("A has a higher median than B", "median of A exceeds median of B"),
        ("A has a lower mean than B", "mean of A is below mean of B"),
        (
            "the difference between A and B is larger than that between C and D",
            "the difference between A and B is more than that between C and D",
        ),
    ],
)
def test_what_people_write_is_read(said, meant):
    assert str(parse_statement(said, ["A", "B", "C", "D"])) == meant


def test_a_stranger_in_a_sentence_is_named():
    with pytest.raises(ParameterError, match="there is no system 'run999'; there is run16, run91"):
        parse_statement("mean of run16 exceeds mean of run999", ["run16", "run91"])


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
