"""Significance: which decisions of tests survive rescaling."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.meaning import Answer, TopicScales, check
from measurand.scales.significance import Cone, t_pvalue
from measurand.scales.transformations import keeps_order
from measurand.scales.weighted_sums import random_rescalings
from measurand.scores import Scores
from measurand.statistics.registry import find_test
from measurand.verdict import How

PAIRS = st.integers(2, 8).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 6), min_size=n, max_size=n), min_size=2, max_size=2)
)


def scores_of(values, **options):
    values = np.array(values, dtype=float)
    topics = tuple(str(301 + t) for t in range(values.shape[1]))
    return Scores(measure="M", values=values, systems=tuple("ABCDEF"[: len(values)]), topics=topics, **options)


def some_scores(n=3, topics=12, seed=1, **options):
    rng = np.random.default_rng(seed)
    return scores_of(rng.integers(0, 10, (n, topics)) / 10 + np.arange(n)[:, None] * 0.15, **options)


@settings(max_examples=10, deadline=None)
@given(values=PAIRS, alpha=st.sampled_from([0.05, 0.2]), seed=st.integers(0, 99))
def test_the_t_test_is_decided_and_agrees_with_brute_force(values, alpha, seed):
    scores = scores_of(values)
    meaning = check("A and B differ significantly by t", scores, alpha=alpha)
    test = find_test("t")

    def significant(map_):
        rescaled = scores_of(map_(scores.values))
        return test(rescaled).of("A", "B") <= alpha

    for each, one_scale in ((meaning, True), (meaning.other, False)):
        assert each.answer in (Answer.ROBUST, Answer.FRAGILE)
        if each.answer is Answer.ROBUST:
            maps = random_rescalings(
                scores.values, scores.topics, Scale.ORDINAL, one_scale=one_scale, many=15, rng=seed
            )
            assert all(significant(map_) is each.true for map_ in maps)
        else:
            assert keeps_order(each.transformation, scores.values, one_scale=one_scale)
            assert significant(each.transformation) is not each.true
            assert each.after == (test(scores_of(each.transformation(scores.values))).of("A", "B"),)


@given(values=PAIRS)
def test_the_cosine_gives_students_t(values):
    rows = np.array(values, dtype=float)
    cone = Cone.of(rows, tuple(map(str, range(rows.shape[1]))), one_scale=True)
    differences = rows[0] - rows[1]
    assert (cone.edges @ cone.lengths).tolist() == differences.tolist()
    if np.ptp(differences):
        p = t_pvalue(cone.cosine(cone.lengths), rows.shape[1])
        assert p == pytest.approx(ttest_rel(*rows).pvalue, abs=1e-9)


@pytest.mark.parametrize("test", ["sign", "Friedman"])
def test_tests_within_topics_survive_under_both_readings(test):
    meaning = check(f"A and C differ significantly by {test}", some_scores())
    assert (meaning.answer, meaning.other.answer) == (Answer.ROBUST, Answer.ROBUST)
    assert meaning.how is How.PROVED


@pytest.mark.parametrize("test", ["rank sum", "Kruskal-Wallis"])
def test_rank_tests_over_topics_survive_on_one_scale_and_not_on_many(test):
    meaning = check(f"A and C differ significantly by {test}", some_scores(seed=3))
    assert meaning.answer is Answer.ROBUST
    assert meaning.other.answer is Answer.FRAGILE


@pytest.mark.parametrize("test", ["t", "wilcoxon", "one-way anova", "two-way anova", "randomisation", "bootstrap"])
def test_tests_of_differences_survive_on_interval_scales_alone(test):
    scores = some_scores(seed=5)
    sentence = f"A and C differ significantly by {test}"
    assert check(sentence, scores, scale="interval").answer is Answer.ROBUST
    loose = check(sentence, scores, scale="ordinal")
    for each in (loose, loose.other):
        assert each.answer in (Answer.FRAGILE, Answer.UNDECIDED)
        if each.answer is Answer.FRAGILE:
            assert (each.before[0] <= 0.05) is not (each.after[0] <= 0.05)
        else:
            assert each.how is How.SAMPLED


def test_signed_ranks_on_many_scales_are_turned_by_putting_losses_on_top():
    scores = scores_of([[9] * 10 + [1, 1], [5, 4, 3, 2, 1, 0, 5, 4, 3, 2, 2, 3]], one_scale=False)
    meaning = check("A and B differ significantly by wilcoxon", scores)
    assert meaning.true
    assert meaning.reading is TopicScales.EVERY
    assert meaning.answer is Answer.FRAGILE


def test_signed_ranks_of_one_sign_and_of_few_topics_are_proved():
    ahead = scores_of([[5, 6, 7, 8, 9, 4, 3, 2, 9, 9], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]])
    few = scores_of([[5, 6, 7], [1, 1, 9]])
    for scores, true in ((ahead, True), (few, False)):
        meaning = check("A and B differ significantly by signed_rank", scores)
        assert meaning.true is true
        assert meaning.answer is meaning.other.answer is Answer.ROBUST


@pytest.mark.parametrize(
    "test", ["t", "wilcoxon", "sign", "anova", "kruskal-wallis", "friedman", "rank sum", "bootstrap"]
)
@pytest.mark.parametrize(
    "values",
    [
        [[1, 2, 3], [1, 2, 3]],
        [[1, 1, 1], [1, 1, 1]],
        [[1, 1, 1], [2, 2, 2]],
        [[1], [2]],
        [[np.nan, 2, 3], [2, np.nan, 3]],
    ],
    ids=["identical", "constant", "apart", "one topic", "missing"],
)
def test_odd_scores_are_answered(test, values):
    meaning = check(f"A and B differ significantly by {test}", scores_of(values))
    for each in (meaning, meaning.other):
        assert 0 <= each.before[0] <= 1
        assert each.true is (each.before[0] <= 0.05)
        assert all((p <= 0.05) is not each.true for p in each.after)


def test_nominal_scores_support_no_test():
    meaning = check("A and B differ significantly by t at 0.2", some_scores(2, 10, seed=5, scale=Scale.NOMINAL))
    for each in (meaning, meaning.other):
        assert each.answer is Answer.NOT_MEANINGFUL
        assert (each.before[0] <= 0.2) is not (each.after[0] <= 0.2)


def test_a_system_is_not_tested_against_itself_and_options_reach_the_test():
    with pytest.raises(ParameterError, match="two systems"):
        check("A and A differ significantly by t", some_scores())
    found = check("A and B differ significantly by rank sum", some_scores(), semantics="matlab")
    assert found.answer is Answer.ROBUST
