"""Topics, relevance and runs: section 3 of Ferrante, Ferro and Maistro (2015)."""

from __future__ import annotations

from fractions import Fraction
from itertools import count, islice
from math import inf

import numpy as np
import pytest

from measurand.errors import InputError, NotMeaningful, ParameterError
from measurand.judged import (
    JudgedRun,
    Judgments,
    Multiset,
    Pool,
    Relevance,
    Results,
    count_ranked_runs,
    judge,
    judged_rankings,
    ranked_runs,
    set_runs,
)
from measurand.scale import Scale

TRUTH = {"d1": 0, "d2": 1, "d3": 2, "d4": 1}


@pytest.mark.spec("FFM-3.1-REL")
def test_a_relevance_set_is_binary_graded_or_real_and_starts_at_zero():
    assert Relevance.binary().grades == (0, 1)
    assert Relevance.graded(0, 1, 2, 3).upper == 3
    assert Relevance.real(upper=1).contains(Fraction(1, 3))
    assert not Relevance.real(upper=1).contains(2)
    assert Relevance.real().contains(10**9)
    assert not Relevance.real().contains(-1)


@pytest.mark.spec("FFM-3.1-REL")
@pytest.mark.parametrize("grades", [(1, 2), (-1, 0, 1), (0, 2, 1), (0, 0, 1), ()])
def test_grades_that_do_not_ascend_from_zero_are_no_relevance_set(grades):
    with pytest.raises(ParameterError, match="ascend from 0"):
        Relevance.graded(*grades)


@pytest.mark.spec("FFM-3.1-label")
def test_labels_keep_their_order_as_numbers():
    relevance = Relevance.labelled("nr", "pr", "hr")
    assert [relevance.grade(label) for label in ("nr", "pr", "hr")] == [0, 1, 2]
    with pytest.raises(ParameterError, match="none of the labels"):
        relevance.grade("xr")


def test_grades_are_added_on_a_ratio_scale_and_not_on_an_ordinal_one():
    assert Relevance.graded(0, 1, 2, scale=Scale.RATIO).total([1, 2, 2]) == 5
    with pytest.raises(NotMeaningful, match="cannot be added"):
        Relevance.graded(0, 1, 2).total([1, 2, 2])


@pytest.mark.spec("FFM-3.1-GT")
def test_two_assessors_who_disagree_make_two_judged_runs_of_one_run():
    run = Results.from_mapping("a", {"t": {"d1": 2.0, "d2": 1.0}})
    assessors = [{"t": {"d1": 1, "d2": 1}}, {"t": {"d1": 0, "d2": 1}}]
    judged = [judge(run, Judgments.from_mapping(grades)).run("a", "t") for grades in assessors]
    assert judged == [(1, 1), (0, 1)]


@pytest.mark.spec("FFM-3.1-RB")
def test_the_recall_base_counts_the_documents_above_grade_zero():
    assert Pool.of(TRUTH.values()).recall_base() == 3


@pytest.mark.spec("FFM-3.1-RB")
def test_a_random_ground_truth_makes_the_recall_base_a_random_variable():
    def recall_base(rng: np.random.Generator) -> int:
        return Pool.of(rng.integers(0, 2, size=10).tolist()).recall_base()

    rng = np.random.default_rng(0)
    draws = [recall_base(rng) for _ in range(2000)]
    assert min(draws) >= 0
    assert max(draws) <= 10
    assert abs(np.mean(draws) - 5) < 0.2


@pytest.mark.spec("FFM-3.2-univ")
def test_sets_of_documents_without_end_come_one_by_one():
    assert list(islice(set_runs(count(), 2), 3)) == [{0, 1}, {0, 2}, {1, 2}]


@pytest.mark.spec("FFM-3.2-multi")
def test_a_multiset_counts_how_often_a_grade_occurs_and_may_count_without_end():
    judged = Multiset.of([1, 2, 1, 2, 2, 4])
    assert [judged.multiplicity(grade) for grade in (1, 2, 3, 4)] == [2, 3, 0, 1]
    assert Multiset({0: inf, 1: 2}).multiplicity(0) == inf
    with pytest.raises(ParameterError, match="cannot occur"):
        Multiset({1: -1})


@pytest.mark.spec("FFM-3.2-judged")
def test_judging_a_set_gives_the_multiset_of_its_grades():
    assert Multiset.judged({"d1", "d3", "d4"}, TRUTH) == Multiset.of([0, 1, 2])


@pytest.mark.spec("FFM-3.3-univ")
def test_three_documents_make_fifteen_rankings():
    assert [len(set(ranked_runs(["a", "b", "c"], n))) for n in (1, 2, 3)] == [3, 6, 6]
    assert count_ranked_runs(3) == 15


@pytest.mark.spec("FFM-3.3-univ")
def test_a_ranking_with_a_document_twice_is_refused():
    with pytest.raises(InputError, match="twice"):
        JudgedRun.of(("d1", "d1"), TRUTH)


@pytest.mark.spec("FFM-3.3-judged")
def test_judging_a_ranking_gives_its_grades_counted_from_rank_one():
    run = JudgedRun.of(("d3", "d1", "d4"), TRUTH)
    assert run == (2, 0, 1)
    assert run.at(1) == 2
    with pytest.raises(ParameterError, match="no rank 0"):
        run.at(0)


@pytest.mark.spec("FFM-3.3-R")
def test_there_are_fourteen_binary_judged_runs_of_up_to_three_ranks():
    assert len(set(judged_rankings(Relevance.binary(), 3))) == 14
