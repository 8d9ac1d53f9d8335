"""Judged runs: grades by system, topic and rank, and the views that measures take of them."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.judged import NOTHING, POOLED, UNJUDGED, JudgedRuns, Pool, Results, judge
from measurand.judged.content import Judgments

CELLS = np.array([[[2, UNJUDGED, 0, 1], [POOLED, 1, NOTHING, NOTHING]]], dtype=np.int8)


@pytest.fixture
def judged() -> JudgedRuns:
    return JudgedRuns(
        systems=("s",),
        topics=("1", "2"),
        cells=CELLS.copy(),
        lengths=np.array([[4, 2]]),
        grade_counts=np.array([[3, 2, 1], [0, 4, 0]]),
    )


def test_a_grade_an_unjudged_document_and_nothing_are_three_things(judged):
    assert judged.grades.tolist() == [[[2, -1, 0, 1], [-1, 1, -2, -2]]]
    assert judged.judged.tolist() == [[[True, False, True, True], [False, True, False, False]]]
    assert judged.retrieved.tolist() == [[[True] * 4, [True, True, False, False]]]


def test_recall_bases_count_from_a_grade_on(judged):
    assert judged.recall_base.tolist() == [3, 4]
    assert judged.recall_bases(2).tolist() == [1, 0]
    assert judged.recall_bases(3).tolist() == [0, 0]


def test_pools_hold_what_the_judgments_say_of_each_topic(judged):
    assert judged.pools == (Pool((3, 2, 1)), Pool((0, 4, 0)))
    assert [pool.top_grade for pool in judged.pools] == [2, 2]


def test_hits_are_the_retrieved_documents_of_grade_one_or_more(judged):
    hits = judged.hits
    assert list(zip(hits.row.tolist(), hits.rank.tolist(), hits.grade.tolist(), strict=True)) == [
        (0, 1, 2),
        (0, 4, 1),
        (1, 2, 1),
    ]
    assert hits.ordinal.tolist() == [1, 2, 1]


def test_hits_are_selected_by_grade_and_cutoff(judged):
    assert judged.hits.select(2, None).rank.tolist() == [1]
    assert judged.hits.select(1, 2).rank.tolist() == [1, 2]
    assert judged.hits.select(1, None) is judged.hits
    assert judged.hits.select(3, None).ordinal.tolist() == []


def test_condensing_removes_what_was_not_judged_and_closes_the_ranks(judged):
    condensed = judged.condensed
    assert condensed.cells.tolist() == [[[2, 0, 1, NOTHING], [1, NOTHING, NOTHING, NOTHING]]]
    assert condensed.lengths.tolist() == [[3, 1]]
    assert condensed.recall_base.tolist() == judged.recall_base.tolist()


def test_one_run_ends_where_it_ends(judged):
    assert judged.run("s", "1") == (2, UNJUDGED, 0, 1)
    assert judged.run("s", "2") == (POOLED, 1)


def test_a_topic_is_present_where_a_system_returned_anything():
    qrels = Judgments.from_mapping({"1": {"a": 1}, "2": {"a": 1}})
    judged = judge(Results.from_mapping("r", {"2": {"b": 1.0}}), qrels)
    assert judged.present.tolist() == [[False, True]]


@pytest.mark.parametrize("array", ["cells", "grades", "lengths", "grade_counts"])
def test_judged_runs_cannot_be_written_to(judged, array):
    with pytest.raises(ValueError, match="read-only"):
        getattr(judged, array)[0] = 0


def test_tie_groups_cannot_be_written_to():
    qrels = Judgments.from_mapping({"1": {"a": 1}})
    judged = judge(Results.from_mapping("r", {"1": {"a": 1.0, "b": 1.0}}), qrels, ties="groups")
    with pytest.raises(ValueError, match="read-only"):
        judged.tied[0] = True


def test_repr_says_how_large_they_are(judged):
    assert repr(judged) == "<JudgedRuns: 1 systems × 2 topics × 4 ranks>"
