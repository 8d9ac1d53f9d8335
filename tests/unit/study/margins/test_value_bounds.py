"""The lowest and the highest value over all grades that unjudged documents could have, against all such grades."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.judged import JudgedRuns, Pool
from measurand.measures import define, parse
from measurand.study.margins import value_bounds as module
from measurand.study.margins.value_bounds import value_bounds

LAST = define(lambda run: max((i * g for i, g in enumerate(run, 1)), default=0), name="Last", graded=True)

FAMILIES = {
    "sums": ["P@3", "P", "RBP", "gRBP(gain='exp2')@2", "DCG", "DCG(gain='1=3,2=1')@3", "NumRelRet"],
    "alike on all topics": ["RR", "ERR", "Success@2", "INST", "interval(AP)@3"],
    "shares of an ideal": ["nDCG", "nDCG@2", "nDCG(b=2, gain='exp2')@3", "nDCG(gain='1=3,2=1')", "gR", "nERR", "Q"],
    "shares of all relevant documents": ["AP", "AP@2", "AP(rel=2)", "R@3", "F", "Rprec", "IPrec@0.5", "gm(AP)"],
    "others": ["nDCG(judged_only=True)@3", "Bpref", "infAP", "SetP", "ESL(collection=30)", LAST],
}


MANY = ["AP", "R@3", "F", "nERR", "Bpref", "Q", LAST]
"""Measures that look at many ways, or bound what is beyond them."""


@st.composite
def judged_runs(draw):
    """Return some runs with a few unjudged documents on a topic, and what the judgments hold."""
    runs = draw(st.lists(st.lists(st.sampled_from([0, 1, 2, -1, -1, -3]), min_size=4, max_size=4), max_size=2))
    runs = [*runs, [-1, draw(st.integers(0, 2)), -1, draw(st.sampled_from([-1, -2, 2]))]]
    most = [max(run.count(grade) for run in runs) for grade in range(3)]
    counts = [draw(st.integers(least, least + 2)) for least in most]
    return JudgedRuns.on_one_topic(runs, counts)


def all_values(measure, run, counts, *, grown):
    """Return the values of a run for all grades of its unjudged documents."""
    places = [place for place, cell in enumerate(run[: measure.reach(len(run))]) if cell in (-1, -3)]
    for grades in product(range(len(counts)), repeat=len(places)):
        cells, pool = list(run), list(counts)
        for place, grade in zip(places, grades, strict=True):
            cells[place] = grade
            pool[grade] += grown
        yield float(measure.exact(measure.view(tuple(cells)), Pool(tuple(pool))))


@pytest.mark.parametrize("family", FAMILIES)
@given(judged=judged_runs(), grown=st.booleans(), data=st.data())
def test_the_bounds_are_reached_by_some_grades_and_exceeded_by_none(family, judged, grown, data):
    measure = data.draw(st.sampled_from(FAMILIES[family]))
    found = value_bounds(measure, judged, convention="grown" if grown else "known")
    assert found.exact.all()
    for system, cells in enumerate(judged.cells[:, 0].tolist()):
        values = list(all_values(parse(measure), cells, judged.grade_counts[0].tolist(), grown=grown))
        assert found.low[system, 0] == pytest.approx(min(values), abs=1e-12)
        assert found.high[system, 0] == pytest.approx(max(values), abs=1e-12)


@given(
    judged=judged_runs(), measure=st.sampled_from(["AP", "R@3", "F", "nERR", "Bpref", "Q", LAST]), grown=st.booleans()
)
def test_bounds_of_runs_with_too_many_unjudged_documents_are_certain_all_the_same(judged, measure, grown):
    convention = "grown" if grown else "known"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST", 1)
        patch.setattr(module, "CELLS", 1)
        patch.setattr(module, "EACH", 0)
        found = value_bounds(measure, judged, convention=convention)
    exactly = value_bounds(measure, judged, convention=convention)
    assert (found.low <= exactly.low + 1e-12).all()
    assert (found.high >= exactly.high - 1e-12).all()
    assert np.array_equal(found.low[found.exact], exactly.low[found.exact])


@given(judged=judged_runs())
def test_the_residual_of_rbp_is_what_the_bounds_and_the_missing_ranks_leave_open(judged):
    found, residual = value_bounds("RBP(p=0.5)", judged), parse("RBPResidual(p=0.5)").scores(judged)
    missing = [sum(0.5**rank for rank in range(int(length) + 1, 60)) for length in judged.lengths[:, 0]]
    assert residual.values[:, 0] == pytest.approx((found.high - found.low)[:, 0] + missing)


def test_counting_unjudged_documents_as_not_relevant_is_no_lower_bound_of_ndcg():
    judged = JudgedRuns.on_one_topic([(1, 0, -1)], (5, 1))
    found = value_bounds("nDCG", judged)
    assert found.values[0, 0] == 1
    # a second relevant document at rank 3, where the ideal ranking has it at rank 2
    assert found.low[0, 0] == pytest.approx((1 + 1 / 2) / (1 + 1 / np.log2(3)))


def test_with_known_relevant_documents_alone_a_value_may_exceed_one():
    judged = JudgedRuns.on_one_topic([(1, -1)], (5, 1))
    assert value_bounds("AP", judged).high[0, 0] == 1
    assert value_bounds("AP", judged, convention="known").high[0, 0] == 2


def test_a_topic_that_is_left_out_has_no_bounds():
    judged = evolve(JudgedRuns.on_one_topic([(1, -1), (-2, -2)], (5, 2)), skip_missing=True)
    assert np.isnan(value_bounds("P@2", judged).high[1, 0])


@pytest.mark.parametrize(
    ("measure", "convention", "complaint"),
    [
        ("Judged@10", "grown", "Judged@10 says how much was judged; take a measure of relevance, such as nDCG@10"),
        ("AP", "big", "convention must be one of 'grown', 'known', not 'big'; write convention='grown'"),
    ],
)
def test_what_cannot_be_bounded_is_refused_in_one_line(measure, convention, complaint):
    with pytest.raises(ParameterError) as caught:
        value_bounds(measure, JudgedRuns.on_one_topic([(1, -1)], (5, 1)), convention=convention)
    assert str(caught.value) == complaint


def test_the_sentence_says_what_was_assumed():
    found = value_bounds("AP", JudgedRuns.on_one_topic([(1, -1)], (5, 1)))
    assert found.sentence == (
        "lowest and highest AP over all grades of the unjudged documents that a run retrieves (exact; the ideal ranking"
        " and the recall base grow by what is assumed to be relevant)"
    )
