"""Judged runs: grades by system, topic and rank, and the views that measures take of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand import parse
from measurand.errors import CaveatKind, ParameterError
from measurand.judged import NOTHING, POOLED, UNJUDGED, JudgedRuns, Judgments, OverTies, Pool, Results, TieGroups, judge
from measurand.judged.runs import differing_bases

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
    assert repr(judged) == "<JudgedRuns: 1 system × 2 topics × 4 ranks>"


def with_grade_counts(grade_counts) -> JudgedRuns:
    counts = np.array(grade_counts, dtype=np.int64).reshape(-1, 3)
    topics = len(counts)
    return JudgedRuns(
        systems=("a",),
        topics=tuple(map(str, range(topics))),
        cells=np.zeros((1, topics, 2), dtype=np.int8),
        lengths=np.full((1, topics), 2),
        grade_counts=counts,
    )


@pytest.mark.parametrize(
    ("counts", "options", "said"),
    [
        ([[5, 2, 1], [9, 2, 1]], {}, ""),
        ([[5, 2, 1], [5, 3, 3]], {}, "the recall bases differ, from 3 to 6"),
        ([[5, 2, 1], [5, 1, 2]], {}, ""),
        ([[5, 2, 1], [5, 1, 2]], {"lowest": 2}, "the recall bases differ, from 1 to 2"),
        ([[5, 2, 1], [5, 1, 2]], {"graded": True}, "topics differ in how many documents of each grade they have"),
        ([], {}, ""),
    ],
)
def test_it_is_said_how_topics_differ_if_they_do(counts, options, said):
    assert differing_bases(with_grade_counts(counts), **options) == said


QRELS = Judgments.from_mapping({"t": {"a": 2, "b": 0, "c": 1, "d": -1}})
RUN = Results.from_mapping("r", {"t": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 2.0, "e": 1.0, "f": 0.5}})


def test_a_group_that_the_depth_cuts_is_kept_whole():
    judged = judge(RUN, QRELS, ties="expected", depth=3)
    assert judged.cells.tolist() == [[[POOLED, UNJUDGED, 1]]]
    assert judged.groups.cells.tolist() == [[[POOLED, UNJUDGED, 1, 0, 2]]]
    assert judged.groups.tied.tolist() == [[[False, False, True, True, True]]]
    assert judged.tied.tolist() == [[[False, False, True]]]
    assert judged.lengths.tolist() == [[3]]


def test_a_group_that_begins_beyond_the_depth_is_not_kept():
    assert judge(RUN, QRELS, ties="expected", depth=5).groups.cells.shape == (1, 1, 5)
    assert judge(RUN, QRELS, ties="expected", depth=1).groups.cells.tolist() == [[[POOLED]]]


@pytest.mark.parametrize(
    ("ties", "over"),
    [("expected", OverTies.EXPECTED), ("groups", OverTies.GROUPS), ("min", OverTies.MIN), ("max", OverTies.MAX)],
)
def test_what_is_taken_over_ties_travels_with_the_groups(ties, over):
    judged = judge(RUN, QRELS, ties=ties)
    assert judged.groups.over is over
    assert judged.condensed.groups.over is over
    assert judged.binarised().groups.over is over


def test_condensed_runs_hold_the_documents_of_their_groups():
    condensed = judge(RUN, QRELS, ties="expected", depth=4).condensed
    assert condensed.cells.tolist() == condensed.groups.cells.tolist() == [[[1, 0, NOTHING, NOTHING]]]
    assert condensed.tied.tolist() == [[[False, True, False, False]]]


def test_grades_are_merged_in_the_groups_too():
    groups = judge(RUN, QRELS, ties="expected", depth=3).binarised(rel=2).groups
    assert groups.cells.tolist() == [[[POOLED, UNJUDGED, 0, 0, 1]]]


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6])
def test_judged_runs_cut_to_a_rank_are_as_if_judged_to_that_depth(depth):
    cut, judged = judge(RUN, QRELS, ties="expected").down_to(depth), judge(RUN, QRELS, ties="expected", depth=depth)
    assert cut.cells.tolist() == judged.cells.tolist()
    assert cut.lengths.tolist() == judged.lengths.tolist()
    assert cut.groups.cells.tolist() == judged.groups.cells.tolist()
    assert cut.groups.tied.tolist() == judged.groups.tied.tolist()


def test_groups_cannot_be_written_to():
    groups = judge(RUN, QRELS, ties="expected").groups
    with pytest.raises(ValueError, match="read-only"):
        groups.cells[0] = 0


@given(st.lists(st.lists(st.sampled_from([0, 1, 2, UNJUDGED, POOLED]), min_size=1, max_size=4), min_size=1, max_size=5))
def test_condensing_leaves_each_group_its_judged_documents(groups):
    flat = [cell for group in groups for cell in group]
    tied = [nth > 0 for group in groups for nth in range(len(group))]
    condensed = TieGroups(np.array([[flat]], dtype=np.int8), np.array([[tied]])).condensed
    left = [[cell for cell in group if cell >= 0] for group in groups]
    cells = [cell for group in left for cell in group]
    assert condensed.cells[0, 0].tolist() == cells + [NOTHING] * (len(flat) - len(cells))
    marks = [nth > 0 for group in left for nth in range(len(group))]
    assert condensed.tied[0, 0].tolist() == marks + [False] * (len(flat) - len(marks))


@pytest.mark.parametrize("depth", [None, 1, 2, 3, 4, 5])
def test_ties_that_are_kept_are_those_that_are_left_open(depth):
    kept, opened = judge(RUN, QRELS, depth=depth), judge(RUN, QRELS, depth=depth, ties="groups")
    for change in (
        lambda judged: judged,
        lambda judged: judged.binarised(2),
        lambda judged: judged.down_to(2),
        lambda judged: judged.condensed,
        lambda judged: judged.down_to(4).binarised(),
    ):
        mine, theirs = change(kept), change(opened)
        assert mine.groups is None
        assert mine.cells.tolist() == theirs.cells.tolist()
        assert mine.weak.groups.cells.tolist() == theirs.groups.cells.tolist()
        assert mine.weak.groups.tied.tolist() == theirs.groups.tied.tolist()
        assert mine.weak.groups.over is OverTies.GROUPS


@pytest.mark.parametrize("ties", ["trec", "file"])
def test_a_rule_for_ties_leaves_none_to_be_kept(ties):
    judged = judge(RUN, QRELS, ties=ties)
    assert judged.ties is None
    assert judged.weak is judged


def test_kept_ties_take_one_bit_for_a_rank_and_no_room_for_what_is_not_tied_at_the_end():
    run = Results.from_mapping("s", {"t": {f"d{n}": -float(n // 2) for n in range(1000)}})
    kept = judge(run, QRELS, depth=800).ties
    assert (kept.bits.nbytes, kept.tails.nbytes) == (100, 0)
    assert len(judge(run, QRELS, depth=799).ties.tails) == 1


GRADED_CELLS = [[[2, UNJUDGED, 0, 1], [POOLED, 3, NOTHING, NOTHING]]]


@pytest.fixture
def graded_runs() -> JudgedRuns:
    return JudgedRuns(
        systems=("s",),
        topics=("1", "2"),
        cells=np.array(GRADED_CELLS, dtype=np.int8),
        lengths=np.array([[4, 2]]),
        grade_counts=np.array([[3, 2, 1, 0], [1, 4, 0, 1]]),
        groups=TieGroups(np.array(GRADED_CELLS, dtype=np.int8), np.array([[[False, True, False, False], [False] * 4]])),
        skip_missing=True,
    )


def test_whatever_is_relevant_at_all_is_relevant():
    assert JudgedRuns.on_one_topic([(0, 1, 2)], (5, 3, 1)).binarised().run("s0", "t") == (0, 1, 1)


def test_cells_without_a_grade_stay_what_they_are(graded_runs):
    assert graded_runs.binarised().cells.tolist() == [[[1, UNJUDGED, 0, 1], [POOLED, 1, NOTHING, NOTHING]]]
    assert graded_runs.binarised(rel=2).cells.tolist() == [[[1, UNJUDGED, 0, 0], [POOLED, 1, NOTHING, NOTHING]]]


def test_grades_are_counted_as_they_are_merged(graded_runs):
    assert graded_runs.binarised().grade_counts.tolist() == [[3, 3], [1, 5]]
    assert graded_runs.binarised(rel=3).grade_counts.tolist() == [[6, 0], [5, 1]]
    assert graded_runs.binarised(rel=9).grade_counts.tolist() == [[6, 0], [6, 0]]


def test_all_else_stays_as_it_is(graded_runs):
    binary = graded_runs.binarised()
    assert (binary.systems, binary.topics, binary.skip_missing) == (("s",), ("1", "2"), True)
    assert binary.lengths.tolist() == [[4, 2]]
    assert np.array_equal(binary.tied, graded_runs.tied)
    assert graded_runs.cells.tolist() == GRADED_CELLS


def test_the_new_cells_are_read_only_grades(graded_runs):
    binary = graded_runs.binarised()
    assert binary.cells.dtype == np.int8
    with pytest.raises(ValueError, match="read-only"):
        binary.cells[0] = 0


def test_topics_that_lose_all_relevant_documents_are_mentioned(graded_runs):
    assert graded_runs.binarised().caveats == ()
    (caveat,) = graded_runs.binarised(rel=3).caveats
    assert caveat.kind is CaveatKind.NO_RELEVANT
    assert str(caveat) == "1 of the 2 topics have no document of grade 3 or more; most measures score 0 there"


@pytest.mark.parametrize("rel", [0, -1, True, "none"])
def test_a_lowest_grade_that_cannot_be_is_refused(graded_runs, rel):
    with pytest.raises(ParameterError, match=r"must be above 0|is not a number"):
        graded_runs.binarised(rel=rel)


@given(
    run=st.lists(st.integers(POOLED, 3), min_size=1, max_size=6),
    rel=st.integers(1, 3),
    spelling=st.sampled_from(["AP", "RR", "P", "R", "Rprec", "RBP", "Bpref"]),
)
def test_a_binary_measure_sees_no_difference(run, rel, spelling):
    judged = JudgedRuns.on_one_topic([run], (2, 2, 2, 2))
    graded = parse(spelling)(rel=rel).scores(judged).values
    assert np.array_equal(parse(spelling).scores(judged.binarised(rel)).values, graded)


def test_binarising_twice_changes_nothing_more(graded_runs):
    once = graded_runs.binarised(rel=2)
    assert np.array_equal(once.binarised().cells, once.cells)
    assert np.array_equal(once.binarised().grade_counts, once.grade_counts)
