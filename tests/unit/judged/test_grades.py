"""What the judgments of one topic say, apart from any ranking."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.judged import Pool
from measurand.judged.grades import NOTHING, POOLED, UNJUDGED, cells_of_grades


def test_the_three_kinds_of_nothing_known_are_different_and_no_grades():
    assert len({UNJUDGED, NOTHING, POOLED}) == 3
    assert max(UNJUDGED, NOTHING, POOLED) < 0


def test_minus_one_is_pooled_and_what_is_below_counts_as_zero():
    assert cells_of_grades(np.array([127, 1, 0, -1, -2, -100])).tolist() == [127, 1, 0, POOLED, 0, 0]


def test_relevant_and_nonrelevant_documents_are_parted_by_a_grade():
    pool = Pool((10, 2, 1))
    assert [pool.recall_base(rel) for rel in (1, 2, 3)] == [3, 1, 0]
    assert [pool.nonrelevant(rel) for rel in (1, 2, 3)] == [10, 12, 13]


@pytest.mark.parametrize(
    ("depth", "ideal"), [(None, (2, 2, 1)), (1, (2,)), (2, (2, 2)), (3, (2, 2, 1)), (9, (2, 2, 1))]
)
def test_the_ideal_run_has_all_relevant_documents_best_first(depth, ideal):
    assert Pool((5, 1, 2)).ideal(depth) == ideal


def test_a_lone_run_is_measured_against_as_many_relevant_documents_as_it_has_ranks():
    assert Pool.assumed((1, 0, 1)).recall_base() == 3
    assert Pool.assumed((0, 3)).grade_counts == (1, 0, 0, 2)
    assert Pool.assumed((0, 3), recall_base=7).recall_base() == 7


def test_a_pool_counts_the_grades_of_the_judged_documents():
    assert Pool.of([0, 1, 2, 1, -1, -2]).grade_counts == (2, 2, 1)
    assert Pool.of([0, -1]).grade_counts == (1, 0)


def test_the_top_grade_is_at_least_one():
    assert [Pool(counts).top_grade for counts in ((3,), (3, 0), (3, 0, 0, 1))] == [1, 1, 3]


def test_the_old_name_of_a_described_pool_warns_and_works():
    with pytest.warns(DeprecationWarning, match=r"use Pool\.described"):
        assert Pool.told((1, 0), None, [5, 3]) == Pool.described((1, 0), None, [5, 3])
