"""Statements: the sentences and how they are read."""

from __future__ import annotations

import pytest

from measurand.errors import ParameterError
from measurand.scales.meaning import Comparison, Differences, Relation, Significant, parse_statement

SYSTEMS = ("A", "B", "C", "D", "bm25", "bm25.rm3", "bm25 rm3", "my run")


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("mean of A exceeds mean of B", Comparison("mean", "A", "B")),
        ("The mean of a is greater than that of b.", Comparison("mean", "A", "B")),
        ("mean(A) > mean(B)", Comparison("mean", "A", "B")),
        ("mean( bm25.rm3 )<mean(bm25)", Comparison("mean", "bm25.rm3", "bm25", "is below")),
        ("the average of A is at least the average of B", Comparison("mean", "A", "B", "is at least")),
        ("median of bm25 exceeds median of bm25 rm3", Comparison("median", "bm25", "bm25 rm3")),
        ("geometric mean of 'my run' equals that of \"A\"", Comparison("geometric mean", "my run", "A", "equals")),
        ("lower quartile of A is below lower quartile of B", Comparison("lower quartile", "A", "B", "is below")),
        ("the third quartile of A is higher than that of B", Comparison("upper quartile", "A", "B")),
        ("mode of A is the same as mode of B", Comparison("mode", "A", "B", "equals")),
        ("A is 20 % better than B", Comparison("mean", "A", "B", "is at least", factor="1.2")),
        ("bm25.rm3 is 7.5% worse than bm25", Comparison("mean", "bm25.rm3", "bm25", "is at most", factor="0.925")),
        ("mean of A is twice the mean of B", Comparison("mean", "A", "B", "equals", factor=2)),
        ("mean of A is at least 1/3 times mean of B", Comparison("mean", "A", "B", "is at least", factor="1/3")),
        ("A beats B", Comparison("mean", "A", "B")),
        ("A is worse than B", Comparison("mean", "A", "B", "is below")),
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
    ],
)
def test_a_sentence_is_read_and_what_it_says_is_read_again(text, statement):
    assert parse_statement(text, SYSTEMS) == statement
    assert parse_statement(str(statement), SYSTEMS) == statement


@pytest.mark.parametrize("text", ["A is nice", "mean of X exceeds mean of B", "", "mean of A exceeds"])
def test_an_unreadable_sentence_is_answered_with_the_forms(text):
    with pytest.raises(ParameterError, match="mean of A exceeds mean of B"):
        parse_statement(text, SYSTEMS)


def test_names_that_differ_in_case_alone_must_be_written_exactly():
    assert parse_statement("mean of run exceeds mean of Run", ("run", "Run")) == Comparison("mean", "run", "Run")
    with pytest.raises(ParameterError, match="may be run or Run"):
        parse_statement("mean of RUN exceeds mean of b", ("run", "Run", "b"))


def test_averages_of_two_kinds_are_not_compared():
    with pytest.raises(ParameterError, match="cannot be compared"):
        parse_statement("mean of A exceeds median of B", SYSTEMS)


def test_impossible_statements_are_refused():
    with pytest.raises(ParameterError, match="positive"):
        Comparison("mean", "A", "B", factor=0)
    with pytest.raises(ParameterError, match="equal"):
        Comparison("mode", "A", "B")
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
