"""Giner (2022), section 4: relevance, gains, judged runs and cumulated mass."""

from __future__ import annotations

import pytest

from measurand.errors import ParameterError
from measurand.judged import Relevance
from measurand.lattice import RunLattice
from measurand.measures import gP
from measurand.orders import mass


@pytest.mark.spec("G-4-REL")
def test_grades_may_be_labels_and_count_one_more_than_the_highest():
    relevance = Relevance.labelled("not", "partly", "highly")
    assert [int(grade) for grade in relevance.grades] == [0, 1, 2]
    assert relevance.grade("highly") == 2
    assert len(relevance.grades) == 3


@pytest.mark.spec("G-4-GAIN")
def test_gains_start_at_nothing_and_rise():
    relevance = Relevance.graded(0, 1, 2)
    assert list(relevance.gains(0, 1, 2).values()) == [0, 1, 2]
    assert list(relevance.gains(0, 1, 3).values()) == [0, 1, 3]
    for wrong in [(0, 2, 1), (1, 2, 3), (0, 1, 1), (0, -1, 2), (0, 1), (0, 1, 2, 3)]:
        with pytest.raises(ParameterError):
            relevance.gains(*wrong)
    assert str(gP(gain=relevance.gains(0, 1, 3)).of((2, 0, 1))) == "4/9"


@pytest.mark.parametrize("relevance", [Relevance.graded(0, "1/2", 1), Relevance.real(1)])
def test_gains_belong_to_whole_grades(relevance):
    with pytest.raises(ParameterError, match="whole grades"):
        relevance.gains(*range(len(relevance.grades)))


@pytest.mark.spec("G-D1")
def test_cumulated_mass_counts_documents_of_a_grade_or_more():
    assert [mass((1, 0, 2, 1), grade) for grade in (1, 2)] == [3, 1]


@pytest.mark.spec("G-R1")
def test_cumulated_mass_at_a_rank_counts_down_to_it():
    assert [mass((1, 0, 2, 1), grade, rank=2) for grade in (1, 2)] == [1, 0]


@pytest.mark.parametrize(
    ("order", "depth", "runs"), [("set-replacement", 5, 21), ("replacement", 3, 27), ("swap", 100, 3**100)]
)
def test_judged_runs_are_counted(order, depth, runs):
    assert RunLattice(order, depth, 3).size == runs
