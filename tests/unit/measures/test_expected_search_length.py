"""Expected search length as a measure: what is inspected before enough is found."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand import NotMeaningful, ParameterError, Scale, evaluate, interval, judge, parse
from measurand.errors import CaveatKind
from measurand.judged import JudgedRuns, Judgments, Results
from measurand.measures import ESL, ESLR
from measurand.scale import as_scale
from measurand.search_length import WeakOrder
from measurand.search_length.preferences import Preference, check


def inspected(documents, i) -> int:
    """Return how many nonrelevant documents stand before the i-th relevant one, all of them if it is not there."""
    places = [place for place, relevant in enumerate(documents) if relevant]
    return places[i - 1] - (i - 1) if len(places) >= i else len(documents) - len(places)


def all_orders(relevant, nonrelevant):
    """Return every arrangement of so many documents that were not retrieved."""
    n = relevant + nonrelevant
    for places in combinations(range(n), relevant):
        yield [place in places for place in range(n)]


@pytest.mark.parametrize("i", [1, 2, 3, 5])
def test_documents_that_were_not_retrieved_are_inspected_last_and_in_no_order(i):
    relevant, collection = 4, 9
    for run in product((0, 1), repeat=3):
        missing = relevant - sum(run)
        rest = list(all_orders(missing, collection - len(run) - missing))
        expected = mean(Fraction(inspected([*map(bool, run), *order], i)) for order in rest)
        assert ESL(i=i, collection=collection).of(run, recall_base=relevant) == expected


def test_with_too_few_relevant_documents_all_others_are_inspected():
    assert ESL(i=2, collection=6).of([1, 0, 0], recall_base=1) == 5
    assert ESL(i=2, collection=6).of([1, 0, 0, 0, 0, 1], recall_base=2) == 4
    # found on top or not at all: it makes no difference
    assert ESL(i=2, collection=6).of([0, 0, 0], recall_base=1) == 5


def test_what_lies_beyond_the_last_document_wanted_does_not_matter():
    assert ESL(i=2).of([1, 0, -1, 1, 0, 0, 1]) == ESL(i=2).of([1, -1, 0, 2]) == 2


def test_a_cutoff_leaves_the_rest_unretrieved():
    assert (ESL(i=1, collection=10) @ 2).of([0, 0, 1], recall_base=1) == ESL(collection=10).of([0, 0], recall_base=1)


def test_a_collection_that_cannot_hold_the_documents_is_refused():
    with pytest.raises(ParameterError, match=r"a topic has 4 documents .* a collection of 3 is too small"):
        ESL(collection=3).of([0, 0], recall_base=2)
    with pytest.raises(ParameterError, match=r"a topic has 4 documents .* a collection of 3 is too small"):
        # what comes after the last document wanted is there all the same
        ESL(collection=3).of([1, 0, 0, 0], recall_base=1)
    with pytest.raises(ParameterError, match="a collection of 3 is too small"):
        ESL(collection=3).scores(JudgedRuns.on_one_topic([(0, 0)], (5, 2)))


@pytest.mark.parametrize("i", [0, -1, 1.5, "2"])
def test_only_whole_numbers_of_documents_can_be_wanted(i):
    with pytest.raises(ParameterError):
        ESL(i=i)


def test_the_spelling_says_how_many_documents_are_wanted():
    assert parse("ESL") == ESL(i=1)
    assert repr(ESL) == "ESL(i=1)"
    assert parse("ESL(i=5, collection=1000)@100") == ESL(i=5, collection=1000) @ 100


def test_search_lengths_are_an_interval_scale_that_topics_share_for_those_who_go_by_expectations():
    judged = JudgedRuns.on_one_topic([(0, 1), (1, 0)], (5, 2))
    scores = ESL.scores(judged)
    assert (scores.scale, scores.one_scale, scores.lower_is_better) == (Scale.INTERVAL, True, True)
    assert [str(caveat) for caveat in scores.caveats if caveat.kind is CaveatKind.ASSUMPTION] == [
        "the scale of ESL(i=1) is interval, for readers who mind every nonrelevant document alike and go by"
        " expectations (else ordinal; ratio if their searches add up as well)"
    ]
    assert not [caveat for caveat in scores.mean(strict=True).caveats if caveat.kind is CaveatKind.SCALE]


@pytest.mark.parametrize(
    ("mixtures", "sums", "scale"),
    [(False, False, "ordinal"), (True, False, "interval"), (True, True, "ratio")],
)
def test_what_the_scale_depends_on_is_what_preferences_decide(mixtures, sums, scale):
    assert check(Preference.esl(), mixtures=mixtures, sums=sums).answer == scale
    assert (scale == "interval") == (ESL.scale is as_scale(scale))
    assert scale == "interval" or scale in ESL.scale_for


def test_runs_that_do_not_find_enough_are_counted_unless_the_collection_is_known():
    judged = JudgedRuns.on_one_topic([(0, 1), (0, 0)], (5, 2))
    scores = ESL.scores(judged)
    assert [caveat.kind for caveat in scores.caveats] == [
        CaveatKind.SCALE,
        CaveatKind.ASSUMPTION,
        CaveatKind.COLLECTION,
    ]
    assert "1 of the 2 rankings do not find a relevant" in str(scores.caveats[2])
    assert not scores.one_scale
    with pytest.raises(NotMeaningful, match="how many documents there are in all is not said"):
        scores.mean(strict=True)
    assert ESL(collection=100).scores(judged).one_scale
    assert CaveatKind.COLLECTION not in [caveat.kind for caveat in ESL(collection=100).scores(judged).caveats]


def test_the_reduction_is_one_for_a_perfect_ranking_and_nothing_for_none():
    reduction = ESLR(i=3, collection=50)
    assert reduction.of([1, 1, 1, 0], recall_base=5) == 1
    assert reduction.of([-2, -2], recall_base=5) == 0
    assert reduction.of([1, 1], recall_base=2) == 0
    assert reduction.of([0] * 45, recall_base=5) < 0


def test_the_reduction_is_the_share_that_is_saved_of_a_search_in_no_order():
    at_random = ESL(i=2, collection=30).of([-2], recall_base=5)
    for run in product((0, 1), repeat=4):
        saved = 1 - ESL(i=2, collection=30).of(run, recall_base=5) / at_random
        assert ESLR(i=2, collection=30).of(run, recall_base=5) == saved


def test_the_reduction_has_one_unit_only_where_the_search_in_no_order_is_equally_long():
    runs = Results.from_mapping("a", {"1": {"x": 1.0}, "2": {"x": 1.0}})
    alike = judge([runs], Judgments.from_mapping({"1": {"x": 1, "y": 1}, "2": {"x": 1, "z": 1}}))
    apart = judge([runs], Judgments.from_mapping({"1": {"x": 1, "y": 1}, "2": {"x": 1, "z": 0}}))
    assert ESLR.scores(alike).one_scale
    assert not ESLR.scores(apart).one_scale


def test_a_tied_run_is_searched_in_its_ranks_unless_another_rule_is_asked_for():
    qrels, run = {"1": {"a": 1, "b": 0}}, {"1": {"a": 1.0, "b": 1.0}}

    def found(measure, **options):
        return evaluate(qrels, run, [measure], **options).scores(measure).values.item()

    assert found("ESL") == WeakOrder.parse("+-").esl(1) == Fraction(1, 2)
    assert [found("ESL", ties=ties) for ties in ("trec", "file", "expected", "min", "max")] == [1, 0, 0.5, 0, 1]
    assert found("ESLR(collection=10)") == 1 - 0.5 / ESL(collection=10).of([-2], recall_base=1)
    assert found("gm(ESL)") == 0.5
    assert found("interval(ESL@2)") == (interval("ESL@2").of([1, 0], 1) + interval("ESL@2").of([0, 1], 1)) / 2
    assert found("RR") == found("RR", ties="trec") == 0.5


def test_scores_of_tied_runs_say_that_they_are_means():
    scores = evaluate({"1": {"a": 1, "b": 0}}, {"1": {"a": 1.0, "b": 1.0}}, ["ESL"]).scores("ESL")
    [caveat] = [caveat for caveat in scores.caveats if caveat.kind is CaveatKind.TIES]
    assert str(caveat) == (
        "ESL(i=1) depends on the order of tied documents in 1 of 1 rankings; scores are the mean over all orders"
    )


@pytest.mark.parametrize(
    ("spelling", "there"),
    [("ESL(collection=10000)", "10,000"), ("ESL", "3"), ("gm(ESL)", "3"), ("OIE(collection=100)", "-0.00921034")],
)
def test_what_is_scored_where_nothing_is_relevant_is_told(spelling, there):
    table = evaluate({"1": {"a": 1, "b": 0}, "2": {"x": 0, "y": 0}}, {"1": {"a": 1.0}, "2": {"c": 1.0}}, [spelling])
    scores = table.scores(spelling)
    told = [str(caveat) for caveat in scores.caveats if caveat.kind is CaveatKind.NO_RELEVANT]
    assert told == [f"1 of the 2 topics has no relevant document (topic 2); {scores.measure} is {there} there"]
    assert float(there.replace(",", "")) == pytest.approx(scores.of(scores.systems[0], "2"))
    assert not [caveat for caveat in table.caveats if caveat.kind is CaveatKind.NO_RELEVANT]


def test_measures_that_score_nothing_where_nothing_is_relevant_share_one_caveat():
    table = evaluate({"1": {"a": 1}, "2": {"x": 0}}, {"1": {"a": 1.0}, "2": {"c": 1.0}}, ["AP", "ESL", "Judged@5"])
    [caveat] = [caveat for caveat in table.caveats if caveat.kind is CaveatKind.NO_RELEVANT]
    assert str(caveat) == "1 of the 2 topics has no relevant document (topic 2); most measures score 0 there"
    assert caveat in table.scores("AP").caveats
    assert caveat in table.scores("Judged@5").caveats
    assert caveat not in table.scores("ESL").caveats


def test_documents_of_equal_score_make_a_rank():
    run = {"1": {"a": 2.0, "b": 2.0, "c": 1.0, "d": 1.0, "e": 1.0, **dict.fromkeys("fghij", 0.0)}}
    qrels = {"1": {**dict.fromkeys("acfg", 1), **dict.fromkeys("bdehij", 0)}}
    table = evaluate(qrels, run, [ESL(i=i) for i in range(1, 6)], ties="groups")
    values = [table.scores(ESL(i=i)).values.item() for i in range(1, 5)]
    assert values == [0.5, 2, 4, 5]


def test_equal_search_lengths_of_different_topics_are_equal_scores():
    # floats take 1 + 2/3 for less than 5/3
    assert 1 + 2 / 3 != 5 / 3
    run = {"1": {"z": 2.0, **dict.fromkeys("abcd", 1.0)}, "2": dict.fromkeys("abcdefg", 1.0)}
    qrels = {"1": dict.fromkeys("ab", 1), "2": dict.fromkeys("ab", 1)}
    judged = judge([Results.from_mapping("s", run)], Judgments.from_mapping(qrels), ties="expected")
    first, second = ESL.scores(judged).values[0]
    assert first == second == 5 / 3


def test_a_reduction_has_a_highest_value_and_no_lowest():
    assert ESLR.facts()["values"] == "up to 1"


def test_a_geometric_mean_of_search_lengths_is_on_their_scale():
    run = Results.from_mapping("a", {"1": {"x": 1.0}, "2": {"x": 1.0}})
    judged = judge([run], Judgments.from_mapping({"1": {"x": 1}, "2": {"x": 1, "z": 1}}))
    scores = parse("gm(ESL)").scores(judged)
    assert (scores.scale, scores.one_scale, scores.lower_is_better) == (Scale.INTERVAL, True, True)
    with pytest.raises(NotMeaningful, match=r"the geometric mean of .* needs ratio scores, and these are interval"):
        scores.geometric_mean(strict=True)
    assert CaveatKind.ASSUMPTION in [caveat.kind for caveat in scores.caveats]


@given(
    scores=st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 2), min_size=1),
    grades=st.dictionaries(st.sampled_from("abcdefghij"), st.integers(0, 2), min_size=1),
    i=st.integers(1, 4),
    rel=st.integers(1, 2),
)
def test_without_a_collection_the_judged_and_the_retrieved_documents_are_all_there_are(scores, grades, i, rel):
    run = Results.from_mapping("s", {"t": {document: float(score) for document, score in scores.items()}})
    judged = judge([run], Judgments.from_mapping({"t": grades}), ties="expected")
    expected = WeakOrder.from_scores(scores, grades, rel=rel).esl(i)
    assert ESL(i=i, rel=rel).scores(judged).values.item() == pytest.approx(float(expected), abs=1e-12)


def test_what_other_systems_return_does_not_matter():
    qrels = {"1": {"a": 1, "b": 1, "c": 0, "d": 0}}
    short, long = {"1": {"a": 2.0, "x": 1.0}}, {"1": {f"d{n}": float(-n) for n in range(50)}}
    runs = [Results.from_mapping("short", short), Results.from_mapping("long", long)]
    alone, both = (judge(some, Judgments.from_mapping(qrels)) for some in (runs[:1], runs))
    for measure in (ESL(i=2), ESLR(i=2)):
        assert measure.scores(alone).values[0, 0] == measure.scores(both).values[0, 0]


def test_rankings_that_do_not_find_enough_and_carry_the_mean_are_told():
    judged = JudgedRuns.on_one_topic([(0, 1), (0, 0), (1, 0)], (5, 2))
    [caveat] = [
        caveat for caveat in ESL(collection=10**6).scores(judged).caveats if caveat.kind is CaveatKind.DEGENERATE
    ]
    assert str(caveat) == (
        "1 of the 3 rankings do not find a relevant document, and make up 99.9% of the sum of all search lengths:"
        " means of ESL(i=1, collection=1000000) tell of little else, medians tell of the others"
    )
    late = JudgedRuns.on_one_topic([(0, 0, 0, 1)] * 3 + [(0, 0, 0, 0)], (5, 2))
    assert CaveatKind.DEGENERATE not in [caveat.kind for caveat in ESL(collection=8).scores(late).caveats]


@pytest.mark.parametrize("collection", [None, 30])
def test_the_reduction_is_nothing_where_nobody_can_find_enough(collection):
    judged = JudgedRuns.on_one_topic([(0, 1, -1), (1, -1, 0)], (5, 1))
    scores = ESLR(i=2, collection=collection).scores(judged)
    assert scores.values.tolist() == [[0], [0]]
    assert "where ESLR" in str(next(c for c in scores.caveats if c.kind is CaveatKind.NO_RELEVANT))


def test_what_is_found_is_found_among_the_ranks_that_are_looked_at():
    judged = JudgedRuns.on_one_topic([(-1, -1, 1)], (5, 2))
    assert ESL(judged_only=True).scores(judged).one_scale
    assert not (ESL @ 2).scores(judged).one_scale
    assert (ESL(judged_only=True) @ 2).scores(judged).one_scale


def test_savings_of_searches_that_nobody_can_finish_counting_are_not_compared_across_topics():
    runs = Results.from_mapping("a", {"1": {"x": 1.0}, "2": {"q": 1.0}})
    judged = judge([runs], Judgments.from_mapping({"1": {"x": 1, "y": 1, "n": 0}, "2": {"x": 1, "z": 1, "n": 0}}))
    assert not ESLR.scores(judged).one_scale
    assert ESLR(collection=100).scores(judged).one_scale
