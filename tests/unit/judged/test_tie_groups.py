"""Tie groups: what judging keeps of documents of equal score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.judged import NOTHING, POOLED, UNJUDGED, Judgments, OverTies, Results, TieGroups, judge

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
