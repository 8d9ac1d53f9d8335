"""Runs mean the same whether their grades are numbers or places in a set: nobody takes places for grades."""

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.judged import JudgedRuns, Judgments, Relevance, Results, judge
from measurand.measures.parse import parse
from measurand.study.compare import compare
from measurand.study.levels import levels
from measurand.study.portfolio import portfolio

HALF = Relevance.graded(0, "0.5", 1, 2, 3)
MEASURES = "P(rel=2)@5", "AP(rel=1)@5", "DCG@5", "gP@5", "gP(gmax=4)@5", "ERR(gmax=5)@5", "RBP(rel=2)", "R(rel=2)@5"


def runs_of(seed: int, grades: Relevance | None = None) -> JudgedRuns:
    """Return two systems on five topics, with grades from 0 to 3, or their places in a set."""
    rng = np.random.default_rng(seed)
    documents, topics = [f"d{n}" for n in range(8)], "12345"
    judged = {topic: dict(zip(documents, rng.choice([0, 0, 1, 2, 3], 8).tolist(), strict=True)) for topic in topics}
    judged["1"]["d0"] = 3
    scored = [
        Results.from_mapping(name, {t: dict(zip(documents, rng.permutation(8).tolist(), strict=True)) for t in topics})
        for name in "ab"
    ]
    runs = judge(scored, Judgments.from_mapping(judged))
    return runs if grades is None else runs.recoded(grades)


@pytest.mark.parametrize("name", MEASURES)
def test_places_in_a_set_of_grades_are_not_taken_for_grades(name):
    whole, coded = runs_of(0), runs_of(0, HALF)
    assert (parse(name).scores(whole).values == parse(name).scores(coded).values).all()
    assert levels(whole, "a", "b").decides(name) == levels(coded, "a", "b").decides(name)
    tables = [portfolio(runs, order="replacement", depth=4).table(name).measured[0] for runs in (whole, coded)]
    assert np.array_equal(tables[0].reached, tables[1].reached, equal_nan=True)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("P(rel=2)", {}),
        ("DCG", {"over": "cutoff"}),
        ("DCG", {"over": "b"}),
        ("gRBP", {"over": "p"}),
        ("DCG(gain='exp2')", {"over": "gain", "grade": 2}),
    ],
)
def test_a_map_takes_grades_for_what_they_are(name, options):
    whole, coded = (levels(runs, "a", "b").map(name, **options) for runs in (runs_of(0), runs_of(0, HALF)))
    assert (whole.sentence, whole.spelled) == (coded.sentence, coded.spelled)


def test_a_map_names_grades_that_are_no_whole_numbers():
    scores = {"a": {"d1": 3.0, "d4": 2.0, "d2": 1.0}, "b": {"d3": 3.0, "d2": 2.0, "d1": 1.0}}
    runs = [Results.from_mapping(name, {"1": each}) for name, each in scores.items()]
    found = levels(judge(runs, Judgments.from_mapping({"1": {"d1": 0.3, "d2": 0.7, "d4": 0.3}})), "a", "b")
    assert found.map("DCG", grade=0.7).sentence == "a is ahead where grade 0.7 is worth less than 2.5913, b above"
    assert found.map("DCG", grade="0.7").to_dict()["grade"] == "0.7"
    with pytest.raises(ParameterError, match=r"there is no grade 2; the grades are 0\.3 to 0\.7, so write grade=0\.7"):
        found.map("DCG", grade=2)


@pytest.mark.parametrize("name", ["gP", "ERR", "nERR", "INST", "BPM", "INSQ", "gRBP"])
def test_a_highest_grade_below_some_grade_is_refused(name):
    runs = Results.from_mapping("a", {"1": {"d1": 2.0, "d2": 1.0}})
    real = judge(runs, Judgments.from_mapping({"1": {"d1": 0.3, "d2": 0.7}}))
    with pytest.raises(ParameterError, match=r"the judgments hold grade 0\.7, above gmax=0\.5"):
        parse(f"{name}(gmax=0.5)").scores(real)
    whole = judge(runs, Judgments.from_mapping({"1": {"d1": 1, "d2": 0}}))
    with pytest.raises(ParameterError, match="all grades are whole numbers, so write gmax=2"):
        parse(f"{name}(gmax=1.5)").scores(whole)


def test_topics_without_relevant_documents_are_found_by_grade():
    runs = [Results.from_mapping(name, {t: {"d1": 2.0, "d2": 1.0} for t in "12"}) for name in "ab"]
    judged = judge(runs, Judgments.from_mapping({"1": {"d1": 0.3}, "2": {"d1": 0.7}}))
    texts = [
        [check.text for check in compare(judged, name).conclusion.checks if "topic 1" in check.text]
        for name in ("AP", "AP(rel=0.3)", "AP(rel=0.5)")
    ]
    assert texts == [["topic 1 has nothing relevant"], [], ["topic 1 has nothing relevant"]]
    for name in ("AP(rel=5)", "gm(AP(rel=5))"):
        checks = [check.text for check in compare(judged, name).conclusion.checks]
        assert "2 topics have nothing of grade 5 or more (1 and 2)" in checks


def test_products_of_powers_of_two_tie_where_they_are_equal():
    # with a = 2^0.5: a tie by a * a = 2 alone
    one, other = (0, 0, 0, 1, 1.5), (0, 0, 0, 1.5, 0.5)
    counts = {0: 5, 0.5: 5, 1: 5, 1.5: 5}
    assert parse("ERR").of(one, grade_counts=counts) == parse("ERR").of(other, grade_counts=counts)


def test_a_highest_grade_that_no_document_has_moves_no_threshold():
    judged = judge(
        Results.from_mapping("a", {"1": {"d2": 3.0, "d1": 2.0, "d3": 1.0}}),
        Judgments.from_mapping({"1": {"d1": 0.3, "d2": 0.4, "d3": 0.7}}),
    )
    assert parse("Q(gmax=1)").scores(judged).values == parse("Q").scores(judged).values
