"""Looking up the grade of every returned document, by dictionary and by join."""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
import pytest

from measurand.judged import POOLED, UNJUDGED, Judgments, Results
from measurand.judged.judge import GradeIndex

JUDGING = sys.modules[GradeIndex.__module__]

GRADES = {"1": {"a": 1, "b": 0, "p": -1, "s": -2}, "2": {"a": 3}}
SCORES = {"2": {"b": 2.0, "a": 1.0}, "1": {"s": 9.0, "p": 8.0, "x": 7.0, "b": 6.0, "a": 5.0}, "9": {"a": 1.0}}
CELLS = [UNJUDGED, 3, 0, POOLED, UNJUDGED, 0, 1, UNJUDGED]


def with_series(rows):
    """Return results or judgments with their documents as a polars series."""
    values = {"scores": rows.scores, "name": rows.name} if isinstance(rows, Results) else {"grades": rows.grades}
    return type(rows)(topics=rows.topics, bounds=rows.bounds, documents=pl.Series(rows.documents), **values)


@pytest.fixture(params=["list", "series"])
def judgments(request):
    made = Judgments.from_mapping(GRADES)
    return made if request.param == "list" else with_series(made)


@pytest.fixture(params=["list", "series"])
def results(request):
    made = Results.from_mapping("r", SCORES)
    return made if request.param == "list" else with_series(made)


def test_every_document_gets_the_grade_of_its_own_topic(judgments, results):
    assert GradeIndex(judgments).cells(results).tolist() == CELLS


def test_equal_hashes_decide_nothing(judgments, results, monkeypatch):
    monkeypatch.setattr(JUDGING, "hashes_of", lambda documents: np.zeros(len(documents), dtype=np.uint64))
    assert GradeIndex(judgments).cells(results).tolist() == CELLS


def test_an_index_serves_run_after_run(judgments, results):
    index = GradeIndex(judgments)
    other = Results.from_mapping("other", {"2": {"a": 1.0}})
    answers = [index.cells(run).tolist() for run in (results, other, with_series(other), results)]
    assert answers == [CELLS, [3], [3], CELLS]


def test_equal_hashes_of_different_documents_in_different_topics_decide_nothing(monkeypatch):
    monkeypatch.setattr(JUDGING, "hashes_of", lambda documents: np.zeros(len(documents), dtype=np.uint64))
    judgments = with_series(Judgments.from_mapping({"1": {"a": 1}, "2": {"b": 2}}))
    results = with_series(Results.from_mapping("r", {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 2.0, "b": 1.0}}))
    assert GradeIndex(judgments).cells(results).tolist() == [UNJUDGED, 1, UNJUDGED, 2]
