"""The margin of gains: how differently the steps between grades must be worth for a claim to fall."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import isinf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.measures.parse import parse
from measurand.study.margins.gains import gains_margin, gains_of, regained
from measurand.study.margins.margin import How
from measurand.study.margins.pair import compared_pair
from measurand.trec import judge


def campaign(a, b, top=3) -> JudgedRuns:
    """Return two systems that have these runs, one a topic, and twice as many relevant documents on the second."""
    cells = np.array([a, b], dtype=np.int8)
    counts = np.array([[9, *[4 + 4 * (topic % 2)] * top] for topic in range(len(a))])
    return JudgedRuns(
        systems=("A", "B"),
        topics=tuple(str(topic) for topic in range(len(a))),
        cells=cells,
        lengths=(cells != -2).sum(axis=2),
        grade_counts=counts,
    )


runs = st.lists(st.integers(-1, 3), min_size=3, max_size=3)
two = st.integers(1, 4).flatmap(lambda n: st.tuples(*[st.lists(runs, min_size=n, max_size=n)] * 2))
additive = st.sampled_from(["gP", "RBP(p=0.5)", "gRBP(p=0.5, gain='exp2')", "gR", "DCG(b=2)"])


def lead(pair, gains) -> Fraction | float:
    """Return by how much the first system is ahead with these gains, by the definition of the measure."""
    measure, judged = regained(pair.measure, pair.judged, gains)
    sums = [
        sum(measure.exact(tuple(run), pool) for run, pool in zip(system.tolist(), judged.pools, strict=True))
        for system in judged.cells
    ]
    return sums[0] - sums[1]


@given(two=two, measure=additive, data=st.data())
def test_the_gains_make_the_means_level_and_no_milder_ones_do(two, measure, data):
    pair = compared_pair(campaign(*two), measure, "A", "B")
    found = gains_margin(pair)
    assert found.how is How.EXACT
    if not pair.holds:
        assert found.value == 1
        return
    before = gains_of(pair.measure, pair.judged)
    if isinf(found.value):
        milder = Fraction(1000)
    else:
        assert float(lead(pair, found.gains)) == pytest.approx(0, abs=1e-12)
        assert found.gains[-1] == before[-1]
        assert float(found.certificate.ratio) == pytest.approx(float(found.value))
        milder = 1 + (Fraction(found.value) - 1) * Fraction(99, 100)
        if pair.exact is not None:
            assert lead(pair, found.gains) == 0
            assert found.certificate.ratio == found.value
    gains = [Fraction(0)]
    for (low, high), factor in zip(
        pairwise(before), data.draw(st.lists(st.integers(0, 4), min_size=3, max_size=3)), strict=True
    ):
        gains.append(gains[-1] + (high - low) * (1 + (milder - 1) * factor / 4))
    assert lead(pair, gains) > 0


@pytest.mark.parametrize("measure", ["gP", "DCG"])
def test_the_gains_that_take_the_significance_of_t_are_exact_for_additive_measures(measure):
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 4, (14, 4)), rng.integers(0, 3, (14, 4))
    pair = compared_pair(campaign(a, b), measure, "A", "B", claim="significant")
    assert pair.holds
    found = gains_margin(pair)
    assert found.how is How.EXACT
    assert pair.pvalue_of(found.certificate.apply(pair)) == pytest.approx(pair.alpha, rel=1e-4)
    assert found.certificate.overturns(pair)
    before, milder = found.before, Fraction(found.value) * Fraction(999, 1000)
    for chosen in range(8):
        gains = [Fraction(0)]
        for place, (low, high) in enumerate(pairwise(before)):
            gains.append(gains[-1] + (high - low) * (milder if chosen >> place & 1 else 1))
        gained, judged = regained(pair.measure, pair.judged, gains)
        assert not pair.overturned(gained.scores(judged).goodness)


@pytest.mark.parametrize("measure", ["nDCG", "ERR", "nERR", "Q(beta=50)", "INST", "gm(nDCG)"])
def test_gains_of_other_measures_are_searched_and_applied(measure):
    a, b = [[3, 0, 0], [0, 0, 3], [2, 0, 0]], [[1, 1, 1], [1, 0, 1], [1, 1, 0]]
    pair = compared_pair(campaign(a, b), measure, "A", "B")
    found = gains_margin(pair)
    assert found.how is How.FOUND
    assert found.certificate.overturns(pair)
    assert float(found.certificate.ratio) == pytest.approx(float(found.value))
    assert found.at_least == 1


@pytest.mark.parametrize("measure", ["nDCG@2", "ERR", "nERR", "Q", "Q(rel=2)", "INST", "RBP", "gR", "gm(nDCG)"])
def test_a_measure_with_the_gains_it_has_is_itself(measure):
    judged = campaign([[3, 0, 2], [1, -1, 0]], [[1, 2, 3], [0, 0, 1]])
    wanted = parse(measure)
    same, grades = regained(wanted, judged, gains_of(wanted, judged))
    values = same.scores(grades).values
    # a third of the highest grade is not a hundredth of it
    near = 0.01 if wanted.name in ("Q", "INST") else 1e-12
    assert values == pytest.approx(wanted.scores(judged).values, abs=near)


@pytest.mark.parametrize(
    ("measure", "why"),
    [
        ("AP", "AP has a single step: relevant or not"),
        ("RBP(rel=2)", "has a single step: relevant or not"),
        ("DCG(gain='1=3,2=1')", "fall with the grade"),
        ("DCG(gain={1: 1, 2: 1, 3: 1})", "there is a single step"),
    ],
)
def test_where_one_step_is_all_there_is_the_margin_does_not_apply(measure, why):
    found = gains_margin(compared_pair(campaign([[3, 1, 0]], [[0, 0, 0]]), measure, "A", "B"))
    assert (found.value, found.how) == (None, How.NONE)
    assert why in found.sentence


def test_a_grade_that_does_not_occur_makes_no_step_of_its_own():
    cells = np.array([[[2, 0]], [[0, 2]]], dtype=np.int8)
    judged = JudgedRuns(
        systems=("A", "B"), topics=("1",), cells=cells, lengths=np.full((2, 1), 2), grade_counts=np.array([[5, 0, 3]])
    )
    assert gains_margin(compared_pair(judged, "DCG", "A", "B")).how is How.NONE


@pytest.mark.parametrize(
    ("measure", "factor"), [("ERR@5", 0.5), ("nERR", 0.5), ("nDCG(gain='exp2')", 0.5), ("ERR", 200)]
)
def test_gains_of_many_digits_are_changed_as_others_are(measure: str, factor: float):
    grades = {"a": 4 * factor, "b": factor, "c": 2 * factor}
    runs = {"x": {"1": {"a": 3, "b": 2, "c": 1}}, "y": {"1": {"b": 3, "c": 2, "a": 1}}}
    found = gains_margin(compared_pair(judge(runs, {"1": grades}), measure, "x", "y"))
    assert "gains" in str(found)
    with pytest.raises(ParameterError, match="between 1e-305 and 1e305"):
        parse("nDCG")(gain={1: 1, 2: 10**306})
