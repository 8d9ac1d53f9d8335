"""From scored documents to a ranking."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from measurand.judged import Results
from measurand.judged.judge import Precision, Ties, rank


@pytest.fixture(params=["list", "series"])
def results(request):
    """Return a maker of results whose documents are a list of strings, or a polars series."""

    def make(scores: dict[str, dict[str, float]]) -> Results:
        made = Results.from_mapping("r", scores)
        documents = made.documents if request.param == "list" else pl.Series(made.documents)
        return Results(name="r", topics=made.topics, bounds=made.bounds, documents=documents, scores=made.scores)

    return make


def ranked(results: Results, topics=None, ties="trec", precision="double") -> list[str]:
    positions = np.arange(len(results.topics)) if topics is None else np.array(topics)
    ranking = rank(results, positions, Ties(ties), Precision(precision))
    return [results.documents[row] for row in ranking.rows.tolist()]


def test_the_highest_score_comes_first(results):
    assert ranked(results({"1": {"a": 1.0, "b": -2.0, "c": 1.5}})) == ["c", "a", "b"]


def test_a_tie_is_broken_by_document_name_last_first(results):
    assert ranked(results({"1": {"b": 1.0, "d": 0.5, "a": 1.0, "c": 1.0}})) == ["c", "b", "a", "d"]


@pytest.mark.parametrize(
    ("first", "last"), [("a", "b"), ("a", "aa"), ("A", "a"), ("10", "9"), ("z", "é"), ("\uffff", "\U00010000")]
)
def test_names_compare_byte_by_byte_as_in_trec_eval(results, first, last):
    assert ranked(results({"1": {first: 1.0, last: 1.0}})) == [last, first]
    assert first.encode() < last.encode()


def test_zeros_of_either_sign_tie(results):
    assert ranked(results({"1": {"a": 0.0, "b": -0.0}})) == ["b", "a"]
    assert ranked(results({"1": {"b": -0.0, "a": 0.0}})) == ["b", "a"]


def test_topics_come_in_the_order_asked_for_and_keep_their_documents(results):
    made = results({"1": {"a": 1.0, "b": 2.0}, "2": {"c": 2.0, "d": 1.0}, "3": {"e": 1.0, "f": 1.0}})
    assert ranked(made, topics=[2, 0]) == ["f", "e", "b", "a"]
    assert ranked(made, topics=[1]) == ["c", "d"]


def test_equal_scores_of_different_topics_do_not_tie(results):
    made = results({"1": {"a": 1.0}, "2": {"b": 1.0}, "3": {"c": 1.0}})
    assert ranked(made) == ["a", "b", "c"]
    assert rank(made, np.arange(3), Ties.GROUPS, Precision.DOUBLE).tied.tolist() == [False, False, False]


def test_the_file_may_decide_instead_of_the_scores(results):
    assert ranked(results({"1": {"a": 1.0, "c": 5.0, "b": 5.0}}), ties="file") == ["a", "c", "b"]


def test_tie_groups_are_remembered(results):
    made = results({"1": {"a": 1.0, "b": 2.0, "c": 1.0, "d": 2.0}, "2": {"a": 1.0}})
    ranking = rank(made, np.arange(2), Ties.GROUPS, Precision.DOUBLE)
    assert [made.documents[row] for row in ranking.rows.tolist()] == ["d", "b", "c", "a", "a"]
    assert ranking.tied.tolist() == [False, True, False, True, False]


def test_scores_that_fall_strictly_have_no_ties(results):
    made = results({"1": {"a": 2.0, "b": 1.0}, "2": {"a": 9.0, "b": 8.0}})
    assert rank(made, np.arange(2), Ties.GROUPS, Precision.DOUBLE).tied.tolist() == [False] * 4


def test_single_precision_ties_what_doubles_tell_apart(results):
    made = results({"1": {"a": 0.922262145375258, "b": 0.922262145}})
    assert ranked(made) == ["a", "b"]
    assert ranked(made, precision="single") == ["b", "a"]


def test_scores_beyond_single_precision_tie_without_a_warning(results):
    made = results({"1": {"a": 1e300, "b": 1e200, "c": -1e300, "d": -1e200}})
    assert ranked(made) == ["a", "b", "d", "c"]
    assert ranked(made, precision="single") == ["b", "a", "d", "c"]
