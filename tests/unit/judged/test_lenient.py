"""Judged runs with two grades alone: what is relevant, from a grade on, and what is not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand import parse
from measurand.errors import CaveatKind, ParameterError
from measurand.judged import NOTHING, POOLED, UNJUDGED, JudgedRuns, TieGroups

CELLS = [[[2, UNJUDGED, 0, 1], [POOLED, 3, NOTHING, NOTHING]]]


@pytest.fixture
def judged() -> JudgedRuns:
    return JudgedRuns(
        systems=("s",),
        topics=("1", "2"),
        cells=np.array(CELLS, dtype=np.int8),
        lengths=np.array([[4, 2]]),
        grade_counts=np.array([[3, 2, 1, 0], [1, 4, 0, 1]]),
        groups=TieGroups(np.array(CELLS, dtype=np.int8), np.array([[[False, True, False, False], [False] * 4]])),
        skip_missing=True,
    )


def test_whatever_is_relevant_at_all_is_relevant():
    assert JudgedRuns.on_one_topic([(0, 1, 2)], (5, 3, 1)).binarised().run("s0", "t") == (0, 1, 1)


def test_cells_without_a_grade_stay_what_they_are(judged):
    assert judged.binarised().cells.tolist() == [[[1, UNJUDGED, 0, 1], [POOLED, 1, NOTHING, NOTHING]]]
    assert judged.binarised(rel=2).cells.tolist() == [[[1, UNJUDGED, 0, 0], [POOLED, 1, NOTHING, NOTHING]]]


def test_grades_are_counted_as_they_are_merged(judged):
    assert judged.binarised().grade_counts.tolist() == [[3, 3], [1, 5]]
    assert judged.binarised(rel=3).grade_counts.tolist() == [[6, 0], [5, 1]]
    assert judged.binarised(rel=9).grade_counts.tolist() == [[6, 0], [6, 0]]


def test_all_else_stays_as_it_is(judged):
    binary = judged.binarised()
    assert (binary.systems, binary.topics, binary.skip_missing) == (("s",), ("1", "2"), True)
    assert binary.lengths.tolist() == [[4, 2]]
    assert np.array_equal(binary.tied, judged.tied)
    assert judged.cells.tolist() == CELLS


def test_the_new_cells_are_read_only_grades(judged):
    binary = judged.binarised()
    assert binary.cells.dtype == np.int8
    with pytest.raises(ValueError, match="read-only"):
        binary.cells[0] = 0


def test_topics_that_lose_all_relevant_documents_are_mentioned(judged):
    assert judged.binarised().caveats == ()
    (caveat,) = judged.binarised(rel=3).caveats
    assert caveat.kind is CaveatKind.NO_RELEVANT
    assert str(caveat) == "1 of the 2 topics have no document of grade 3 or more; most measures score 0 there"


@pytest.mark.parametrize("rel", [0, -1, 1.5, True, "1"])
def test_a_lowest_grade_that_cannot_be_is_refused(judged, rel):
    with pytest.raises(ParameterError, match="must be 1 or more"):
        judged.binarised(rel=rel)


@given(
    run=st.lists(st.integers(POOLED, 3), min_size=1, max_size=6),
    rel=st.integers(1, 3),
    spelling=st.sampled_from(["AP", "RR", "P", "R", "Rprec", "RBP", "Bpref"]),
)
def test_a_binary_measure_sees_no_difference(run, rel, spelling):
    judged = JudgedRuns.on_one_topic([run], (2, 2, 2, 2))
    graded = parse(spelling)(rel=rel).scores(judged).values
    assert np.array_equal(parse(spelling).scores(judged.binarised(rel)).values, graded)


def test_binarising_twice_changes_nothing_more(judged):
    once = judged.binarised(rel=2)
    assert np.array_equal(once.binarised().cells, once.cells)
    assert np.array_equal(once.binarised().grade_counts, once.grade_counts)
