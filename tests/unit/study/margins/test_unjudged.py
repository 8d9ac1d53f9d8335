"""What the grades of unjudged documents can do to a conclusion, against all grades that they could have."""

from __future__ import annotations

from itertools import product
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.judged import Pool
from measurand.measures import define, parse
from measurand.study.margins import unjudged_topics as module
from measurand.study.margins.documents import pair_documents
from measurand.study.margins.margin import How
from measurand.study.margins.pair import compared_pair
from measurand.study.margins.unjudged import unjudged_margin
from measurand.trec import judge

NAMES = [f"d{number}" for number in range(6)]

LAST = define(lambda run: max((i * g for i, g in enumerate(run, 1)), default=0), name="Last", graded=True)

FAMILIES = {
    "sums": ["P@3", "RBP(p=0.5)", "DCG", "DCG(gain='1=3,2=1')@3", "gP@4"],
    "shares of an ideal": ["nDCG", "nDCG@3", "nDCG(gain='exp2')@2", "nDCG(judged_only=True)@3", "gR"],
    "shares of all relevant documents": ["AP", "AP(rel=2)@3", "R@2", "F@3", "Rprec"],
    "others": ["RR", "ERR@3", "Bpref", LAST],
}


class Campaign:
    """Two systems on two topics, and which of their documents were judged."""

    def __init__(self, rankings, grades):
        self.rankings, self.grades = rankings, grades

    @property
    def judged(self):
        systems = {}
        for system, name in enumerate("ab"):
            systems[name] = {
                str(topic): {doc: float(-rank) for rank, doc in enumerate(self.rankings[topic][system])}
                for topic in range(len(self.rankings))
            }
        return judge(systems, {str(topic): grades for topic, grades in enumerate(self.grades)})

    def open(self, topic, reach):
        seen = {doc for ranking in self.rankings[topic] for doc in ranking[:reach]}
        return sorted(seen - self.grades[topic].keys())

    def values(self, measure, topic, assigned, *, grown):
        """Return what both systems score on a topic if documents have grades."""
        counted = self.grades[topic] | (assigned if grown else {})
        counts = [list(counted.values()).count(grade) for grade in range(3)]
        every = self.grades[topic] | assigned
        return [
            float(measure.exact(measure.view(tuple(every.get(doc, -1) for doc in ranking)), Pool(tuple(counts))))
            for ranking in self.rankings[topic]
        ]

    def differences(self, measure, topic, kinds, *, grown):
        """Return the difference of a and b for all grades of unjudged documents."""
        docs = self.open(topic, measure.reach(4))
        for grades in product(kinds, repeat=len(docs)):
            first, second = self.values(measure, topic, dict(zip(docs, grades, strict=True)), grown=grown)
            yield sum(grade > 0 for grade in grades), first - second


@st.composite
def campaigns(draw):
    rankings, grades = [], []
    for _ in range(2):
        rankings.append([draw(st.permutations(NAMES))[:4] for _ in range(2)])
        known = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
        grades.append({doc: draw(st.integers(0, 2)) for doc in known} | {"x": 2, "y": draw(st.integers(0, 2))})
    return Campaign(rankings, grades)


def margin_of(campaign, measure, convention="grown", **claim):
    pair = compared_pair(campaign.judged, measure, "a", "b", **claim)
    return pair, unjudged_margin(pair, pair_documents(pair), convention=convention)


@pytest.mark.parametrize("family", FAMILIES)
@given(campaign=campaigns(), grown=st.booleans(), data=st.data())
def test_bounds_and_numbers_are_those_of_all_grades(family, campaign, grown, data):
    measure = data.draw(st.sampled_from(FAMILIES[family]))
    pair, margin = margin_of(campaign, measure, "grown" if grown else "known")
    sign = 1 if pair.ahead == "a" else -1
    every = [
        [(number, sign * each) for number, each in campaign.differences(parse(measure), topic, kinds, grown=grown)]
        for kinds in ((0, 1, 2), (0, 2))
        for topic in (0, 1)
    ]
    assert margin.reached
    assert margin.low == pytest.approx(sum(min(each for _, each in here) for here in every[:2]) / 2, abs=1e-12)
    assert margin.high == pytest.approx(sum(max(each for _, each in here) for here in every[:2]) / 2, abs=1e-12)
    if not pair.holds:
        assert margin.value == 0
        return
    assert margin.overturns == (margin.low <= 1e-12)
    fewest = min((m + n for (m, one), (n, other) in product(*every[2:]) if one + other <= 1e-12), default=inf)
    if margin.overturns and np.isinf(fewest):
        # lower grades do what the highest does not
        assert any(grade == 1 for _, _, grade in margin.certificate.named())
    else:
        assert margin.value == fewest
        assert margin.how is How.EXACT
    assert (margin.certificate is None) == (not margin.overturns)
    assert margin.certificate is None or margin.certificate.overturns()


MANY = ["AP", "RR", "R@3", "nDCG(gain='1=3,2=1')", "Bpref", "ERR", LAST]


@given(campaign=campaigns(), measure=st.sampled_from(MANY), grown=st.booleans())
def test_where_there_are_too_many_grades_bounds_are_certain_and_numbers_at_most(campaign, measure, grown):
    convention = "grown" if grown else "known"
    _, exact = margin_of(campaign, measure, convention)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "WAYS", 1)
        patch.setattr(module, "GRID", 3)
        _, found = margin_of(campaign, measure, convention)
    assert found.low <= exact.low + 1e-12
    assert found.high >= exact.high - 1e-12
    assert found.overturns in (None, exact.overturns)
    assert found.value >= exact.value or exact.how is not How.EXACT
    assert found.at_least <= exact.value


@given(campaign=campaigns())
def test_a_claim_of_significance_is_overturned_by_the_grades_that_are_shown(campaign):
    pair, margin = margin_of(campaign, "P@3", claim="significant", test="sign", alpha=0.6)
    if pair.holds and margin.certificate is not None:
        assert margin.certificate.overturns()
        assert 1 <= margin.at_least <= margin.value
    assert margin.overturns in (None, True) or not margin.documents or margin.low == margin.high


RUNS = {
    "a": {"1": {"d1": 4.0, "d2": 3.0, "d3": 2.0}, "2": {"d1": 3.0, "d2": 2.0, "d4": 1.0}},
    "b": {"1": {"d4": 4.0, "d5": 3.0, "d3": 2.0}, "2": {"d3": 3.0, "d2": 2.0, "d1": 1.0}},
}


@pytest.mark.parametrize(
    ("qrels", "measure", "sentence"),
    [
        (
            {"1": {"d1": 1}, "2": {"d1": 1}},
            "P@3",
            "holds unless 1 of the 7 unjudged documents in the first 3 ranks is relevant",
        ),
        (
            {"1": {"d1": 2}, "2": {"d1": 1}},
            "P@3",
            "holds unless 1 of the 7 unjudged documents in the first 3 ranks is relevant",
        ),
        (
            {"1": {"d1": 2}, "2": {"d1": 1}},
            "gP@3",
            "fails if 1 of the 7 unjudged documents in the first 3 ranks has the highest grade",
        ),
        (
            {"1": {"d1": 1}, "2": {"d1": 1}},
            "P@1",
            "holds unless 2 of the 2 unjudged documents at the first rank are relevant",
        ),
        (
            {"1": {"d1": 1, "d4": 0}, "2": {"d1": 1}},
            "P@1",
            "no grade of the one unjudged document at the first rank changes it",
        ),
        ({"1": {"d1": 1, "d4": 0}, "2": {"d1": 1, "d3": 0}}, "P@1", "there is no unjudged document at the first rank"),
    ],
)
def test_the_sentence_says_what_the_grades_of_unjudged_documents_can_do(qrels, measure, sentence):
    pair = compared_pair(judge(RUNS, qrels), measure, "a", "b")
    assert str(unjudged_margin(pair, pair_documents(pair))).startswith(sentence)


def test_the_documents_to_assess_first_speak_most_against_the_conclusion():
    pair = compared_pair(judge(RUNS, {"1": {"d1": 1}, "2": {"d1": 1}}), "RR", "a", "b")
    margin = unjudged_margin(pair, pair_documents(pair))
    frame = margin.to_polars()
    assert frame.columns == ["topic", "document", "rank_ahead", "rank_behind", "effect", "in_certificate"]
    assert frame.rows()[0] == ("1", "d4", None, 1, -0.5, True)
    assert frame["effect"].is_sorted()
    assert len(frame) == margin.documents == 7
    assert len(margin.to_assess(top=2)) == 2


def test_of_tied_documents_those_count_that_may_come_within_the_cutoff():
    tied = {"a": {"1": {"d1": 4.0, "d2": 3.0, "d3": 3.0, "d4": 1.0}}, "b": {"1": {"d5": 2.0, "d6": 1.0}}}
    pair = compared_pair(judge(tied, {"1": {"d1": 1}}, ties="expected"), "P@2", "a", "b")
    margin = unjudged_margin(pair, pair_documents(pair))
    # all but d4; with one of its own relevant, b is level
    assert (margin.documents, margin.value, margin.low, margin.high) == (4, 1, -0.5, 1)


def test_the_certificate_can_be_applied():
    pair = compared_pair(judge(RUNS, {"1": {"d1": 1}, "2": {"d1": 1}}), "P@1", "a", "b")
    margin = unjudged_margin(pair, pair_documents(pair))
    assert margin.certificate.named() == [("1", "d4", 1), ("2", "d3", 1)]
    assert margin.certificate.apply().evaluate("P@1")["P@1"].values.tolist() == [[1, 1], [1, 1]]


def test_programs_get_the_bounds_and_the_convention():
    pair = compared_pair(judge(RUNS, {"1": {"d1": 1}, "2": {"d1": 1}}), "nDCG@1", "a", "b")
    found = unjudged_margin(pair, pair_documents(pair), convention="known").to_dict()
    assert {
        name: found[name] for name in ("value", "low", "high", "bounds", "overturns", "documents", "convention")
    } == {
        "value": 2,
        "low": 0.0,
        "high": 1.0,
        "bounds": "exact",
        "overturns": True,
        "documents": 2,
        "convention": "known",
    }
