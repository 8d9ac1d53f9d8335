"""The join of runs and judgments."""

from __future__ import annotations

import weakref

import numpy as np
import pytest
from attrs import evolve

from measurand.errors import Caveat, CaveatKind, InputError, ParameterError
from measurand.judged import POOLED, UNJUDGED, Judgments, Results, judge
from measurand.judged.grade_index import GradeIndex
from measurand.judged.names import Names
from measurand.judged.ranking import Precision, Ties, rank
from measurand.measures import P
from measurand.trec import read_qrels

QRELS = Judgments.from_mapping({"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 1}, "3": {"z": 0}})


def run(name: str = "r", **topics: dict[str, float]) -> Results:
    return Results.from_mapping(name, {topic.removeprefix("t"): scores for topic, scores in topics.items()})


ALPHA = run("alpha", t1={"x": 4, "a": 3, "b": 2}, t2={"a": 1, "b": 1})
BETA = run("beta", t3={"z": 1}, t1={"a": 2, "c": 1})


def doubts(judged) -> list[CaveatKind]:
    return [caveat.kind for caveat in judged.caveats]


def test_grades_stand_by_system_topic_and_rank():
    judged = judge([ALPHA, BETA], QRELS)
    assert (judged.systems, judged.topics, judged.depth) == (("alpha", "beta"), ("1", "2", "3"), 3)
    assert judged.grades.tolist() == [
        [[-1, 1, 0], [-1, 1, -2], [-2, -2, -2]],
        [[1, 2, -2], [-2, -2, -2], [0, -2, -2]],
    ]
    assert judged.lengths.tolist() == [[3, 2, 0], [2, 0, 1]]


def test_topics_keep_the_order_of_the_judgments_whatever_the_run_has():
    backwards = run(t3={"z": 1}, t2={"a": 1}, t1={"c": 1})
    assert judge(backwards, QRELS).grades.tolist() == [[[2], [1], [0]]]


def test_the_recall_base_counts_all_judged_relevant_documents():
    judged = judge(ALPHA, QRELS)
    assert judged.recall_base.tolist() == [2, 1, 0]
    assert judged.grade_counts.tolist() == [[1, 1, 1], [0, 1, 0], [1, 0, 0]]


def test_a_negative_grade_is_a_judgment_except_minus_one_which_is_none():
    qrels = Judgments.from_mapping({"1": {"spam": -2, "pooled": -1, "good": 1}})
    judged = judge(run(t1={"spam": 3, "pooled": 2, "good": 1}), qrels)
    assert judged.grades.tolist() == [[[0, -1, 1]]]
    assert judged.judged.tolist() == [[[True, False, True]]]
    assert judged.grade_counts.tolist() == [[1, 1]]


def test_a_single_run_and_a_generator_of_runs_will_do():
    assert judge(ALPHA, QRELS).systems == ("alpha",)
    assert judge((one for one in (ALPHA, BETA)), QRELS).systems == ("alpha", "beta")


def test_runs_of_a_generator_are_let_go_of_once_they_are_judged():
    seen: list[weakref.ref[Results]] = []

    def runs():
        for name in "abcd":
            one = run(name, t1={"a": 1.0})
            seen.append(weakref.ref(one))
            yield one
            del one
            assert sum(ref() is not None for ref in seen) <= 1

    assert judge(runs(), QRELS).systems == ("a", "b", "c", "d")


@pytest.mark.parametrize(("depth", "grades"), [(1, [[-1], [-1], [-2]]), (2, [[-1, 1], [-1, 1], [-2, -2]])])
def test_a_ranking_is_cut_after_sorting(depth, grades):
    judged = judge(ALPHA, QRELS, depth=depth)
    assert judged.grades.tolist() == [grades]
    assert judged.lengths.max() == depth
    assert judged.recall_base.tolist() == [2, 1, 0]


def test_a_depth_beyond_the_longest_run_ends_in_nothing():
    deep, plain = judge(ALPHA, QRELS, depth=100), judge(ALPHA, QRELS)
    assert deep.depth == 100
    assert deep.grades[:, :, : plain.depth].tolist() == plain.grades.tolist()
    assert set(deep.grades[:, :, plain.depth :].reshape(-1).tolist()) == {-2}


def test_precision_divides_by_the_depth_that_was_asked_for():
    assert P.scores(judge(ALPHA, QRELS, depth=100)).values.max() <= judge(ALPHA, QRELS).depth / 100


def test_the_tie_rule_decides_between_equal_scores():
    two = run(t2={"a": 1, "b": 1})
    assert judge(two, QRELS).grades[0, 1].tolist() == [-1, 1]
    assert judge(two, QRELS, ties="file").grades[0, 1].tolist() == [1, -1]
    groups = judge(two, QRELS, ties="groups")
    assert groups.grades[0, 1].tolist() == [-1, 1]
    assert groups.tied[0, 1].tolist() == [False, True]


def test_tie_groups_are_cut_with_the_ranking():
    groups = judge(run(t1={"a": 1, "b": 1, "c": 1}), QRELS, ties="groups", depth=2)
    assert groups.tied[0, 0].tolist() == [False, True]


def test_only_tie_groups_are_remembered():
    assert judge(ALPHA, QRELS).tied is None
    assert judge(ALPHA, QRELS, ties="file").tied is None


def test_precision_decides_what_ties():
    close = run(t1={"a": 0.922262145375258, "c": 0.922262145})
    assert judge(close, QRELS).grades[0, 0].tolist() == [1, 2]
    assert judge(close, QRELS, precision="single").grades[0, 0].tolist() == [2, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ties": "random"}, "ties must be one of 'trec', 'file', 'expected', 'min', 'max', 'groups', not 'random'"),
        ({"precision": "half"}, "precision must be one of 'double', 'single', not 'half'"),
        ({"missing_topics": "guess"}, "missing_topics must be one of 'zero', 'skip', not 'guess'"),
        ({"depth": 0}, "depth must be a whole number from 1 up, not 0"),
        ({"depth": 1.5}, "depth must be a whole number from 1 up, not 1.5"),
        ({"depth": True}, "depth must be a whole number from 1 up, not True"),
    ],
)
def test_an_impossible_option_is_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        judge(ALPHA, QRELS, **options)


def test_two_systems_of_one_name_are_refused():
    with pytest.raises(InputError, match="two systems are called 'r'"):
        judge([run(t1={"a": 1}), run(t1={"b": 1})], QRELS)


def test_no_run_at_all_is_refused():
    with pytest.raises(InputError, match="no run to judge"):
        judge([], QRELS)


def test_a_run_without_a_judged_topic_is_refused_with_topics_of_both():
    with pytest.raises(InputError, match=r"stray: no topic in common .* '301', …; the judgments '1', …"):
        judge([ALPHA, run("stray", t301={"a": 1})], QRELS)


def test_missing_topics_are_left_out_only_on_request():
    assert not judge(ALPHA, QRELS).skip_missing
    assert judge(ALPHA, QRELS, missing_topics="skip").skip_missing


def test_what_is_suspicious_becomes_a_caveat():
    judged = judge([ALPHA], QRELS)
    assert [str(caveat) for caveat in judged.caveats] == [
        "alpha: nothing for 1 of the 3 judged topics; they count as empty results",
        "1 of the 3 topics has no relevant document (topic 3); most measures score 0 there",
    ]
    skipped = judge([ALPHA], QRELS, missing_topics="skip")
    assert "they are left out of its averages" in str(skipped.caveats[0])


def test_topics_without_judgments_are_counted():
    judged = judge(run(t1={"a": 1}, t2={"a": 1}, t3={"z": 1}, t8={"a": 1}, t9={"a": 1}), QRELS)
    assert CaveatKind.UNJUDGED_TOPICS in doubts(judged)
    assert "r: 2 topics have no judgments and are ignored" in map(str, judged.caveats)


def test_a_run_of_which_hardly_anything_is_judged_is_doubted():
    strange = {f"x{i}": float(i) for i in range(100)}
    assert CaveatKind.FEW_JUDGED in doubts(judge(run(t1=strange), QRELS))
    assert CaveatKind.FEW_JUDGED not in doubts(judge(run(t1={**strange, "a": 1000.0, "b": 999.0}), QRELS))


def test_a_run_on_topics_of_one_judgment_each_is_not_doubted():
    rankings = {f"t{i}": {f"d{j}": -float(j) for j in range(20)} for i in range(20)}
    sparse = {str(i): {"d3" if i < 5 else "missed": 1} for i in range(20)}
    assert CaveatKind.FEW_JUDGED not in doubts(judge(run(**rankings), read_qrels(sparse)))


def test_decimal_grades_that_never_repeat_in_a_topic_look_like_scores():
    scores = {"1": {f"d{i}": 9.5 - i for i in range(9)}, "2": {"d1": 3.25, "d2": 1.5}}
    question = "is this a run, in the place of judgments?"
    assert question in str(judge(run(t1={"d1": 1.0}), read_qrels(scores)).caveats[-1])
    scores["2"]["d3"] = 1.5
    assert question not in str(judge(run(t1={"d1": 1.0}), read_qrels(scores)).caveats[-1])


def test_the_share_of_judged_documents_looks_at_the_top_ten_whatever_the_depth():
    late = {f"x{i}": 100.0 - i for i in range(5)} | {"a": 1.0, "b": 0.5}
    assert CaveatKind.FEW_JUDGED not in doubts(judge(run(t1=late), QRELS, depth=1))


def test_caveats_of_runs_and_judgments_travel_on():
    odd, again = Caveat(CaveatKind.EXTRA_COLUMNS, "odd"), Caveat(CaveatKind.REPEATED_JUDGMENT, "again")
    results = Results(
        name="r",
        topics=ALPHA.topics,
        bounds=ALPHA.bounds,
        documents=ALPHA.documents,
        scores=ALPHA.document_scores,
        caveats=(odd,),
    )
    judgments = Judgments(
        topics=QRELS.topics, bounds=QRELS.bounds, documents=QRELS.documents, grades=QRELS.grades, caveats=(again,)
    )
    caveats = judge(results, judgments).caveats
    assert odd in caveats
    assert again in caveats


def test_judgments_without_a_relevant_document_still_have_two_grades():
    judged = judge(run(t1={"a": 1}), Judgments.from_mapping({"1": {"a": 0}}))
    assert judged.grade_counts.tolist() == [[1, 0]]
    assert judged.recall_base.tolist() == [0]


GRADES = {"1": {"a": 1, "b": 0, "p": -1, "s": -2}, "2": {"a": 3}}
SCORES = {"2": {"b": 2.0, "a": 1.0}, "1": {"s": 9.0, "p": 8.0, "x": 7.0, "b": 6.0, "a": 5.0}, "9": {"a": 1.0}}
CELLS = [UNJUDGED, 3, 0, POOLED, UNJUDGED, 0, 1, UNJUDGED]


def with_names(rows):
    """Return results or judgments with their documents as files that loops in C read have them."""
    return evolve(rows, documents=Names.of(rows.documents))


def colliding(rows):
    """Return results or judgments whose documents have one hash, all of them."""
    text, starts, lengths, hashes = Names.of(rows.documents).arrays
    return evolve(rows, documents=Names(text, starts, lengths, np.zeros_like(hashes)))


@pytest.fixture(params=["list", "names"])
def judgments(request):
    made = Judgments.from_mapping(GRADES)
    return made if request.param == "list" else with_names(made)


@pytest.fixture(params=["list", "names"])
def results(request):
    made = Results.from_mapping("r", SCORES)
    return made if request.param == "list" else with_names(made)


def test_every_document_gets_the_grade_of_its_own_topic(judgments, results):
    assert GradeIndex(judgments).cells(results).tolist() == CELLS


def test_equal_hashes_decide_nothing(judgments, results):
    assert GradeIndex(colliding(judgments)).cells(colliding(results)).tolist() == CELLS


def test_an_index_serves_run_after_run(judgments, results):
    index = GradeIndex(judgments)
    other = Results.from_mapping("other", {"2": {"a": 1.0}})
    answers = [index.cells(run).tolist() for run in (results, other, with_names(other), results)]
    assert answers == [CELLS, [3], [3], CELLS]


def test_every_other_name_is_looked_up_like_any(judgments):
    results = Results.from_mapping("r", {"1": {"b": 2.0, "a": 1.0}})
    twice = Names.of([name for name in results.documents for _ in range(2)])
    assert GradeIndex(judgments).cells(evolve(results, documents=twice[::2])).tolist() == [0, 1]


def test_equal_hashes_of_different_documents_in_different_topics_decide_nothing():
    judgments = colliding(Judgments.from_mapping({"1": {"a": 1}, "2": {"b": 2}}))
    results = colliding(Results.from_mapping("r", {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 2.0, "b": 1.0}}))
    assert GradeIndex(judgments).cells(results).tolist() == [UNJUDGED, 1, UNJUDGED, 2]


@pytest.fixture(params=["list", "names"])
def ranking_results(request):
    """Return a maker of results whose documents are a list of strings, or names."""

    def make(scores: dict[str, dict[str, float]]) -> Results:
        made = Results.from_mapping("r", scores)
        return made if request.param == "list" else with_names(made)

    return make


def ranked(ranking_results: Results, topics=None, ties="trec", precision="double") -> list[str]:
    positions = np.arange(len(ranking_results.topics)) if topics is None else np.array(topics)
    ranking = rank(ranking_results, positions, Ties(ties), Precision(precision))
    return [ranking_results.documents[row] for row in ranking.rows.tolist()]


def test_the_highest_score_comes_first(ranking_results):
    assert ranked(ranking_results({"1": {"a": 1.0, "b": -2.0, "c": 1.5}})) == ["c", "a", "b"]


def test_a_tie_is_broken_by_document_name_last_first(ranking_results):
    assert ranked(ranking_results({"1": {"b": 1.0, "d": 0.5, "a": 1.0, "c": 1.0}})) == ["c", "b", "a", "d"]


@pytest.mark.parametrize(
    ("first", "last"), [("a", "b"), ("a", "aa"), ("A", "a"), ("10", "9"), ("z", "é"), ("\uffff", "\U00010000")]
)
def test_names_compare_byte_by_byte_as_in_trec_eval(ranking_results, first, last):
    assert ranked(ranking_results({"1": {first: 1.0, last: 1.0}})) == [last, first]
    assert first.encode() < last.encode()


def test_zeros_of_either_sign_tie(ranking_results):
    assert ranked(ranking_results({"1": {"a": 0.0, "b": -0.0}})) == ["b", "a"]
    assert ranked(ranking_results({"1": {"b": -0.0, "a": 0.0}})) == ["b", "a"]


def test_topics_come_in_the_order_asked_for_and_keep_their_documents(ranking_results):
    made = ranking_results({"1": {"a": 1.0, "b": 2.0}, "2": {"c": 2.0, "d": 1.0}, "3": {"e": 1.0, "f": 1.0}})
    assert ranked(made, topics=[2, 0]) == ["f", "e", "b", "a"]
    assert ranked(made, topics=[1]) == ["c", "d"]


def test_equal_scores_of_different_topics_do_not_tie(ranking_results):
    made = ranking_results({"1": {"a": 1.0}, "2": {"b": 1.0}, "3": {"c": 1.0}})
    assert ranked(made) == ["a", "b", "c"]
    assert rank(made, np.arange(3), Ties.GROUPS, Precision.DOUBLE).tied.tolist() == [False, False, False]


def test_the_file_may_decide_instead_of_the_scores(ranking_results):
    assert ranked(ranking_results({"1": {"a": 1.0, "c": 5.0, "b": 5.0}}), ties="file") == ["a", "c", "b"]


def test_tie_groups_are_remembered(ranking_results):
    made = ranking_results({"1": {"a": 1.0, "b": 2.0, "c": 1.0, "d": 2.0}, "2": {"a": 1.0}})
    ranking = rank(made, np.arange(2), Ties.GROUPS, Precision.DOUBLE)
    assert [made.documents[row] for row in ranking.rows.tolist()] == ["d", "b", "c", "a", "a"]
    assert ranking.tied.tolist() == [False, True, False, True, False]


def test_scores_that_fall_strictly_have_no_ties(ranking_results):
    made = ranking_results({"1": {"a": 2.0, "b": 1.0}, "2": {"a": 9.0, "b": 8.0}})
    assert rank(made, np.arange(2), Ties.GROUPS, Precision.DOUBLE).tied.tolist() == [False] * 4


def test_single_precision_ties_what_doubles_tell_apart(ranking_results):
    made = ranking_results({"1": {"a": 0.922262145375258, "b": 0.922262145}})
    assert ranked(made) == ["a", "b"]
    assert ranked(made, precision="single") == ["b", "a"]


def test_scores_beyond_single_precision_tie_without_a_warning(ranking_results):
    made = ranking_results({"1": {"a": 1e300, "b": 1e200, "c": -1e300, "d": -1e200}})
    assert ranked(made) == ["a", "b", "d", "c"]
    assert ranked(made, precision="single") == ["b", "a", "d", "c"]


def test_half_a_pair_of_surrogates_is_another_document_than_its_spelling():
    half, spelled = "\ud800", r"\ud800"
    names = Names.of([spelled, half])
    assert list(names) == [spelled, half]
    assert (names[1], len(set(names.hashes.tolist()))) == (half, 2)
    results = evolve(run(t1={spelled: 2.0, "a": 1.0}), documents=Names.of([spelled, "a"]))
    assert judge([results], Judgments.from_mapping({"1": {half: 1, "a": 0}})).grades.tolist() == [[[UNJUDGED, 0]]]
