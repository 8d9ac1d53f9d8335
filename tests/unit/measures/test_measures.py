"""Corners of the measures that neither peers nor brute force visit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import CaveatKind, NotMeaningful, ParameterError
from measurand.judged import JudgedRuns, Judgments, Results, judge
from measurand.measures import AP, RBP, Bpref, IPrec, NumRel, NumRet, P, R, Rprec, gm, nDCG, nERR


def test_equal_values_on_different_topics_are_equal_however_they_were_computed():
    quotient, sum_of_logs = nDCG.of([0, 1], recall_base=2), nDCG.of([0, 0, 0, 0, 1], recall_base=1)
    assert quotient == sum_of_logs
    assert len({quotient, sum_of_logs}) == 1
    assert not quotient < sum_of_logs
    assert quotient != nDCG.of([0, 0, 1], recall_base=1)


def test_the_number_retrieved_counts_relevant_documents_when_told_what_relevant_means():
    assert NumRet(rel=2).of([2, 1, -1, 3, -2]) == 2
    assert NumRet.of([2, 1, -1, 3, -2]) == 4


def test_a_grade_below_the_level_counts_as_judged_not_relevant():
    assert Bpref(rel=2).of([1, 2], recall_base=1) == 0
    assert NumRel(rel=2).of([0, 1], recall_base=7) == 7


@pytest.mark.parametrize("recall_base", [-2, 2.5])
def test_a_recall_base_is_a_whole_number_from_zero_up(recall_base):
    with pytest.raises(ParameterError, match="recall_base must be a whole number"):
        AP.of([1, 1], recall_base=recall_base)


def test_a_geometric_mean_has_the_values_of_the_measure_inside():
    assert gm(nERR(gmax=3)).of([1]) == nERR(gmax=3).of([1]) == Fraction(1, 7)
    assert gm(AP(rel=2)).of([2, 0], 2, (0, 3, 2)) == AP(rel=2).of([2, 0], 2, (0, 3, 2))


def test_parameters_of_many_digits_do_not_overflow():
    judged = JudgedRuns.on_one_topic([(1, 0, 1), (0, 1, 1)], (3, 2000))
    third = IPrec(recall="0.33333333333333333333")
    assert third.scores(judged).values[:, 0].tolist() == [0, 0]
    assert Rprec(multiple="0.00033333333333333333").scores(judged).values[:, 0].tolist() == [1, 0]


def test_whole_numbers_of_numpy_are_whole_numbers():
    assert nDCG @ np.int64(10) == nDCG @ 10


def judged_campaign():
    run = Results.from_mapping("a", {"1": {"x": 2.0, "y": 1.0}, "2": {"x": 1.0}})
    return judge(run, Judgments.from_mapping({"1": {"x": 1, "y": 1}, "2": {"x": 3, "y": 2}}))


def kinds(scores) -> set[CaveatKind]:
    return {caveat.kind for caveat in scores.caveats}


def test_topics_without_a_document_of_the_level_are_reported():
    assert CaveatKind.NO_RELEVANT not in kinds(AP.scores(judged_campaign()))
    assert CaveatKind.NO_RELEVANT in kinds(AP(rel=2).scores(judged_campaign()))


def test_what_divides_by_the_depth_says_so_unless_it_has_a_cutoff():
    assert CaveatKind.NO_CUTOFF in kinds(P.scores(judged_campaign()))
    assert CaveatKind.NO_CUTOFF not in kinds((P @ 5).scores(judged_campaign()))


def test_recall_bases_that_differ_at_the_level_make_strict_means_impossible():
    scores = R(rel=2).scores(judged_campaign())
    assert CaveatKind.SCALE in kinds(scores)
    with pytest.raises(NotMeaningful, match="a scale of its own on every topic"):
        scores.mean(strict=True)
    assert scores.mean()["a"] == 0.25


def test_the_lowest_relevant_grade_makes_rank_biased_precision_binary():
    assert RBP(p="1/2", rel=2).of([1, 2, 3]) == Fraction(3, 8)
