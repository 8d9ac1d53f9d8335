"""Whether two systems returned the same documents, in whatever order."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import measurand.native as native
from measurand.errors import CallError, ParameterError
from measurand.judged import JudgedRuns, Judgments, OverTies, Results, judge
from measurand.judged.documents import RankedDocuments
from measurand.judged.names import Names

QRELS = Judgments.from_mapping({"1": {"d1": 1}, "2": {"d1": 1}})
NAMES = [f"d{i}" for i in range(5)]
SCORES = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 2).map(float), max_size=5)


FORMS = {
    "list": lambda results: results,
    "names": lambda results: evolve(results, documents=Names.of(results.documents)),
}


def run(name: str, *topics: dict[str, float]) -> Results:
    """Return the results of a system on topics 1 and 2, after one that was not judged."""
    return Results.from_mapping(name, {"0": {"x": 1.0}, **dict(zip("21", reversed(topics), strict=True))})


def ranked(scores: dict[str, float], ties: str) -> list[str]:
    return list(scores) if ties == "file" else sorted(scores, key=lambda name: (scores[name], name), reverse=True)


@given(
    st.lists(st.tuples(SCORES, SCORES).filter(any), min_size=2, max_size=3),
    st.lists(st.sampled_from(list(FORMS)), min_size=3, max_size=3),
    st.sampled_from(["trec", "file", "expected", None]),
    st.sampled_from([None, 1, 3, 7]),
    st.booleans(),
)
def test_sets_of_documents_are_those_of_the_names_however_they_are_held(runs, forms, ties, depth, in_c):
    with pytest.MonkeyPatch.context() as patch:
        if not in_c:
            patch.setattr(native, "_found", None)
            forms = ["list"] * 3
        several = [FORMS[form](run(str(i), *topics)) for i, (topics, form) in enumerate(zip(runs, forms, strict=False))]
        judged = judge(several, QRELS, ties=ties, depth=depth)
    for a, topics in enumerate(runs):
        for b, others in enumerate(runs):
            orders = [(ranked(one, ties), ranked(other, ties)) for one, other in zip(topics, others, strict=True)]
            expected = [[set(x[: k + 1]) == set(y[: k + 1]) for k in range(judged.depth)] for x, y in orders]
            assert judged.same_documents(str(a), str(b)).tolist() == expected


ONE = run("one", {"d1": 3.0, "d2": 2.0, "d3": 2.0}, {"d1": 1.0})
OTHER = run("other", {"d3": 3.0, "d2": 2.0, "d1": 1.0}, {"d1": 2.0, "d2": 1.0})
SAME = [[False, False, True], [True, False, False]]


@pytest.mark.parametrize(
    "view",
    [
        evolve,
        lambda judged: judged.weak,
        lambda judged: judged.opened(OverTies.MIN),
        lambda judged: judged.binarised(),
        lambda judged: pickle.loads(pickle.dumps(judged)),
    ],
    ids=["evolve", "weak", "opened", "binarised", "pickle"],
)
def test_views_that_move_no_document_know_the_documents(view):
    assert view(judge([ONE, OTHER], QRELS)).same_documents("one", "other").tolist() == SAME


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_judged_runs_cut_to_a_rank_know_the_documents_down_to_it(depth):
    judged = judge([ONE, OTHER], QRELS)
    expected = [row[:depth] for row in SAME]
    assert judged.down_to(depth).same_documents("one", "other").tolist() == expected
    assert judge([ONE, OTHER], QRELS, depth=depth).same_documents("one", "other").tolist() == expected


@pytest.mark.parametrize(
    "judged",
    [
        JudgedRuns.on_one_topic([(1, 0), (1, 0)], (3, 1)),
        evolve(judge([ONE, OTHER], QRELS), systems=("s0", "s1")).condensed,
        evolve(judge([ONE, OTHER], QRELS, documents=False), systems=("s0", "s1")),
    ],
    ids=["grades", "condensed", "not kept"],
)
def test_nothing_is_said_of_documents_that_are_not_known(judged):
    assert judged.same_documents("s0", "s1") is None


def test_documents_are_kept_no_deeper_than_they_are_judged_and_not_for_topics_without_judgments():
    assert [len(each.keys) for each in judge([ONE, OTHER], QRELS, depth=2).ranked_documents] == [3, 4]


def test_documents_cannot_be_written_to():
    kept = judge([ONE, OTHER], QRELS).ranked_documents[0]
    assert not any(array.flags.writeable for array in (kept.keys, kept.lengths, kept.sets))


def test_names_that_are_no_text_are_told_apart_beside_names_that_are():
    odd = [run(name, {mark: 1.0}, {mark: 1.0}) for name, mark in (("high", "\udc80"), ("low", "\udc81"))]
    judged = judge([FORMS["names"](ONE), *odd], QRELS)
    assert not judged.same_documents("high", "low").any()
    assert judged.same_documents("low", "low").all()


def test_keys_that_stand_at_equal_distances_do_not_pass_for_each_other():
    low, high = (RankedDocuments(np.array(keys, dtype=np.uint64), np.array([2])) for keys in ([1, 4], [2, 3]))
    assert low.same(high, 2).tolist() == [[False, False]]


def test_a_document_that_adds_nothing_to_a_sum_is_still_counted():
    nothing = np.uint64(2**64 - 0x9E3779B97F4A7C15)
    one, none = (RankedDocuments(np.full(n, nothing), np.array([n])) for n in (1, 0))
    assert one.sets.tolist() == [[0]]
    assert one.same(none, 2).tolist() == [[False, False]]


def test_a_system_that_is_not_there_is_refused_by_name():
    with pytest.raises(ParameterError, match=r"^there is no system 'two'; there is one, other$"):
        judge([ONE, OTHER], QRELS).same_documents("one", "two")


def test_documents_of_fewer_systems_than_there_are_are_refused():
    judged = judge([ONE, OTHER], QRELS)
    with pytest.raises(CallError, match="documents of 1 systems for 2"):
        evolve(judged, ranked_documents=judged.ranked_documents[:1])
