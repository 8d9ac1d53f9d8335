from __future__ import annotations

import pytest

from measurand.papers.agms2018 import PAPER, constraints, evidence, fusion, information, unanimity
from measurand.papers.exhibit import Mark

CHEAP = (
    *information.EXHIBITS,
    fusion.more_signals,
    fusion.one_signal_more,
    fusion.independent_signals,
    evidence.shares_of_documents,
    constraints.switch,
)


def test_the_errors_of_the_paper_show_where_they_are():
    lines = [*(line for each in CHEAP for line in each.lines()), *unanimity.wrong_marks()]
    wrong = {erratum for line in lines for erratum in line.errata}
    assert wrong == {f"E-A-{number}" for number in (2, 3, 5, 7, 8, 9, 10, 11, 12, 15, 18, 21)}


def test_where_the_paper_is_right_nothing_differs():
    lines = [line for each in (information.monotony, constraints.lead_of_the_one) for line in each.lines()]
    assert {line.mark for line in lines} <= {Mark.AGREES, Mark.SILENT}
    assert sum(line.mark is Mark.AGREES for line in lines) == 3


@pytest.mark.parametrize(("marks", "words"), [("11011", "Pri Deep CloseTh Conf"), ("00000", "none")])
def test_marks_are_told_by_the_names_of_the_constraints(marks, words):
    assert unanimity.met(marks) == words


def test_every_section_of_the_paper_has_its_exhibits():
    assert {exhibit.where.split(",")[0] for exhibit in PAPER.exhibits} >= {"Table 1", "Theorem 4.2", "Theorem 5.1"}
    assert len({exhibit.title for exhibit in PAPER.exhibits}) == len(PAPER.exhibits)
