"""The margins of every two systems are those of two systems alone."""

from __future__ import annotations

from itertools import combinations, product
from math import inf

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand import ParameterError, compare, judge
from measurand.judged import JudgedRuns, Judgments, Results
from measurand.scores import Scores
from measurand.study.margins.documents import pair_documents
from measurand.study.margins.matrix import MarginsMatrix, margins_matrix
from measurand.study.margins.pair import compared_pair
from measurand.study.margins.pairs_at_once import pairs_at_once
from measurand.study.margins.scale import scale_margins
from measurand.study.margins.ties import ties_margin
from measurand.study.margins.topics import topics_margin

ADDITIVE = ["P@3", "RBP(p=0.5)@3", "DCG", "gP@2", "NumRelRet", "DCG(gain='exp2')@2"]
NAMES = ("s0", "s1", "s2")


def judged_runs(rankings, grades, **options) -> JudgedRuns:
    """Return judged runs of systems × topics × documents with scores, and grades by topic for some documents."""
    runs = [
        Results.from_mapping(name, {str(t): scored for t, scored in enumerate(topics) if scored})
        for name, topics in zip(NAMES, rankings, strict=False)
    ]
    return judge(runs, Judgments.from_mapping({str(t): each for t, each in enumerate(grades)}), **options)


documents = st.sampled_from([f"d{number}" for number in range(6)])
rankings = st.dictionaries(documents, st.integers(1, 4).map(float), max_size=4)
judgments = st.dictionaries(documents, st.integers(0, 2), min_size=2, max_size=4).map(lambda known: {**known, "z": 2})


@st.composite
def campaigns(draw, topics: int = 3):
    number = draw(st.integers(1, topics))
    # every system has returned something, so that there is a run at all
    runs = [[{"d0": 1.0, **draw(rankings)}, *(draw(rankings) for _ in range(number - 1))] for _ in NAMES]
    return judged_runs(
        runs,
        [draw(judgments) for _ in range(number)],
        missing_topics=draw(st.sampled_from(["zero", "skip"])),
    )


def same(one: float, other: float) -> bool:
    return bool(np.isclose(one, other, rtol=1e-9, atol=1e-12, equal_nan=True))


@given(judged=campaigns(), measure=st.sampled_from([*ADDITIVE, "AP", "nDCG@2", "RR"]), claim=st.booleans())
def test_all_pairs_have_the_margins_of_two_systems(judged, measure, claim):
    options = {"claim": "significant", "alpha": 0.47} if claim else {}
    found = margins_matrix(judged, measure, **options)
    for i, j in combinations(range(3), 2):
        pair = compared_pair(judged, measure, NAMES[i], NAMES[j], **options)
        assert found.topics[i, j] == found.topics[j, i] == topics_margin(pair).value
        assert (found.holds[i, j] or found.holds[j, i]) == pair.holds
        if not pair.topics:
            continue
        first, second = NAMES.index(pair.ahead), NAMES.index(pair.behind)
        ties = ties_margin(pair)
        assert same(found.difference[first, second], pair.differences.mean())
        assert same(found.ties_low[first, second], ties.low)
        assert same(found.ties_high[first, second], ties.high)
        assert same(found.p[i, j], pair.pvalue_of(pair.goodness))
        if not claim:
            assert same(found.scale[i, j], scale_margins(pair.scores).of(pair.ahead, pair.behind))


def by_all_grades(pair) -> tuple[float, float, float]:
    """Return the lowest and highest difference over all grades of unjudged documents, and how many overturn it."""
    joined, low, high, reductions = pair_documents(pair), [], [], []
    for topic, here in enumerate(joined.topics):
        unjudged, now = here.unjudged, pair.differences[topic]
        variants = np.repeat(here.cells[None], 3 ** len(unjudged), axis=0)
        variants[:, unjudged] = list(product(range(3), repeat=len(unjudged)))
        values = joined.values(topic, variants)
        low.append((values[:, 0] - values[:, 1]).min())
        high.append((values[:, 0] - values[:, 1]).max())
        alone = np.repeat(here.cells[None], len(unjudged), axis=0)
        alone[np.arange(len(unjudged)), unjudged] = 2
        reductions += [now - (a - b) for a, b in joined.values(topic, alone)] if len(unjudged) else []
    ranked, number = sorted(reductions, reverse=True), inf
    for count in range(len(ranked) + 1):
        if pair.differences.sum() - sum(max(0, each) for each in ranked[:count]) <= 1e-11:
            number = count
            break
    return float(np.mean(low)), float(np.mean(high)), number


@given(judged=campaigns(2), measure=st.sampled_from(ADDITIVE))
def test_unjudged_documents_do_what_all_their_grades_show(judged, measure):
    found = margins_matrix(judged, measure)
    for i, j in combinations(range(3), 2):
        pair = compared_pair(judged, measure, NAMES[i], NAMES[j])
        if not pair.topics:
            continue
        first, second = NAMES.index(pair.ahead), NAMES.index(pair.behind)
        low, high, number = by_all_grades(pair)
        assert same(found.unjudged_low[first, second], low)
        assert same(found.unjudged_high[first, second], high)
        assert found.unjudged[i, j] == found.unjudged[j, i] == number


def weighted_t(differences, weights) -> float:
    values = np.array(differences) * weights
    return float(values.mean() / values.std(ddof=1) * np.sqrt(len(values)))


@given(differences=st.lists(st.integers(-4, 8), min_size=3, max_size=7), data=st.data())
def test_no_milder_weights_of_topics_take_the_significance_of_t_away(differences, data):
    values = np.array([differences, np.zeros(len(differences))]) / 8
    topics = tuple(map(str, range(len(differences))))
    found = pairs_at_once(Scores(measure="M", values=values, systems=("a", "b"), topics=topics), alpha=0.2)
    if not found.holds[0, 1] or len(set(differences)) == 1:
        return
    kappa, oriented = float(found.own[0, 1]), values[0] * np.sign(sum(differences))
    # t is least where every weight is the smallest or the largest
    least = {
        ratio: min(weighted_t(oriented, w) for w in product((1.0, ratio), repeat=len(oriented)))
        for ratio in (1 + (kappa - 1) * 0.999, 1 + (kappa - 1) * 1.001)
    }
    from scipy import stats

    bar = stats.t.isf(0.1, len(differences) - 1)
    milder, stronger = least.values()
    assert milder > bar > stronger


def matrix(**options) -> MarginsMatrix:
    runs = [
        [{"d0": 3.0, "d1": 2.0}, {"d0": 3.0, "d2": 2.0}],
        [{"d3": 3.0, "d0": 2.0}, {"d0": 3.0, "d1": 2.0}],
    ]
    judged = judged_runs(runs, [{"d0": 1, "d1": 0}, {"d0": 1, "d1": 0, "d2": 0}], **options)
    return margins_matrix(judged, "RBP(p=0.5)@2")


def test_a_matrix_shows_a_row_for_every_pair_the_better_first():
    found = matrix()
    [row] = found.to_polars().rows(named=True)
    assert (row["system"], row["against"], row["difference"]) == ("s0", "s1", 0.125)
    assert (row["scale"], row["own"], row["topics"], row["unjudged"]) == (inf, inf, 1.0, 1.0)
    assert found.to_polars().schema["topics"] == pl.Float64
    assert found.document().tables[0].cells[0][:7] == ["s0", "s1", "+0.1250", "∞", "∞", "1", "1"]
    assert repr(found) == "<MarginsMatrix: RBP(p=0.5)@2, 2 systems, order of 1 of 1 pair>"


def test_data_for_programs_name_the_margins_that_nothing_overturns():
    [row] = matrix().to_dict()["pairs"]
    assert (row["scale"], row["topics"], row["proof"]) == (None, 1.0, ["scale", "own"])


def test_one_of_the_pairs_has_all_margins():
    found = matrix().of("s1", "s0")
    assert (found.ahead, found.topics.value) == ("s0", 1)


def test_measures_that_are_not_additive_say_why_unjudged_documents_are_left_out():
    judged = judged_runs([[{"d0": 1.0}], [{"d1": 1.0}]], [{"d0": 1}])
    found = margins_matrix(judged, "AP")
    assert np.isnan(found.unjudged).all()
    assert any("because AP is not additive" in str(caveat) for caveat in found.caveats)


def test_runs_without_names_of_documents_have_no_margin_of_unjudged_ones():
    found = margins_matrix(JudgedRuns.on_one_topic([(1, -1), (0, 1)], (5, 2)), "P@2")
    assert np.isnan(found.unjudged_low).all()
    assert np.isnan(found.ties_low).all()
    assert found.scale.tolist() == [[1, 1], [1, 1]]


def test_the_significance_of_all_pairs_is_that_of_the_t_test():
    judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2))
    with pytest.raises(ParameterError, match="for two systems there is margins"):
        margins_matrix(judged, "P@2", claim="significant", test="sign")
    assert margins_matrix(judged, "P@2", test="sign").test == "sign"


@pytest.mark.parametrize("options", [{}, {"missing_topics": "skip"}, {"ties": "expected"}], ids=repr)
def test_a_comparison_has_the_margins_of_its_judged_runs(options):
    runs = [
        [{"a": 3.0, "b": 2.0, "c": 2.0}, {"d": 1.0}],
        [{"c": 3.0, "a": 2.0}, {}],
        [{"b": 2.0, "d": 1.0}, {"a": 1.0}],
    ]
    judged = judged_runs(runs, [{"a": 2, "b": 0, "c": 1}, {"a": 1, "d": 2}], **options)
    for result in compare(judged, ["nDCG@2", "AP", "P@3", "RR", "ESL(i=1)"]).results:
        found, wanted = result.margins_matrix, margins_matrix(judged, result.scored_by)
        assert found.test == wanted.test
        assert found.caveats == wanted.caveats
        for name in ("difference", "scale", "own", "topics", "unjudged", "unjudged_low", "ties_low", "ties_high", "p"):
            assert np.array_equal(getattr(found, name), getattr(wanted, name), equal_nan=True), name
