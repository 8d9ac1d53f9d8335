from __future__ import annotations

from types import SimpleNamespace

import pytest

from measurand.papers.agms2018 import effectiveness, fusion, information, unanimity
from measurand.papers.agms2018.paper import PAPER
from measurand.papers.exhibit import Mark, Missing, Provenance
from measurand.papers.printed.unanimity import RANKED, by_unanimity, printed_mergeability, printed_unanimity

CHEAP = (
    *information.EXHIBITS,
    fusion.more_signals,
    fusion.one_signal_more,
    fusion.independent_signals,
    fusion.shares_of_documents,
    effectiveness.switch,
)


def test_the_errors_of_the_paper_show_where_they_are():
    lines = [*(line for each in CHEAP for line in each.lines()), *unanimity.wrong_marks()]
    wrong = {erratum for line in lines for erratum in line.errata}
    assert wrong == {f"E-A-{number}" for number in (2, 3, 5, 7, 11, 12, 15, 18, 21)}


def test_where_the_paper_is_right_nothing_differs():
    lines = [line for each in (information.monotony, effectiveness.lead_of_the_one) for line in each.lines()]
    assert {line.mark for line in lines} <= {Mark.AGREES, Mark.SILENT}
    assert sum(line.mark is Mark.AGREES for line in lines) == 4


def test_what_stands_in_a_table_or_formula_is_printed_and_claims_are_said():
    lines = {line.what: line for each in CHEAP for line in each.lines()}
    origins = {what: line.provenance for what, line in lines.items()}
    assert origins["at least as high as d2"] is origins["r1, from the top"] is Provenance.PRINTED
    assert origins["no less with one signal more: 40 random sets"] is Provenance.SAID
    assert origins["n = 2, R = 2, D = 50: bound on β"] is Provenance.DERIVED
    assert origins["1, 2, 3 and minus their cubes, monotonic too"] is None
    printed = [line for line in lines.values() if line.provenance is Provenance.PRINTED]
    assert not any(isinstance(line.paper, bool) for line in printed)


def test_unanimities_stand_as_printed_and_ranked_and_wait_for_the_runs():
    lines = [line for line in unanimity.printed_values.lines() if line.what.startswith("MU of ")]
    assert {(line.provenance, line.mark, line.ours) for line in lines} == {
        (Provenance.PRINTED, Mark.SILENT, Missing.RUNS)
    }
    ranked = [row.mu for row in by_unanimity(printed_unanimity())]
    assert [line.paper for line in lines] == ranked


def test_constraints_stand_in_the_order_of_the_table():
    lines = list(unanimity.constraints_of_measures.lines())
    assert [line.what.removesuffix(", p = 0.8") for line in lines[:15]] == list(RANKED)
    marks = {row.label: unanimity.met(row.marks) for row in printed_unanimity()}
    assert [line.paper for line in lines[:15]] == [marks[label] for label in RANKED]


def test_that_average_precision_has_deepness_follows_for_runs_of_8_ranks_and_is_not_printed():
    lines = {line.what: line for line in unanimity.wrong_marks()}
    eight = lines["AP: a swap gains more near the top, runs of 8 ranks"]
    assert (eight.provenance, eight.mark) == (Provenance.DERIVED, Mark.DIFFERS)


def test_the_count_of_figure_2_is_the_one_of_the_file(monkeypatch):
    # the figures of the sample themselves are drawn where the whole paper is reproduced, and lines are kept
    anew = fusion.figures_on_the_sample.lines.__wrapped__
    monkeypatch.setattr(fusion, "figures", lambda: [SimpleNamespace(above=0, kinds={})] * 3)
    [found] = [line for line in anew() if line.provenance is Provenance.PRINTED]
    above, picks = printed_mergeability()
    assert (found.paper, found.what, found.mark) == (
        above,
        f"Figure 2: five better than one, of {picks}",
        Mark.SILENT,
    )


def test_the_properties_of_section_3_are_called_so():
    places = [exhibit.where for exhibit in information.EXHIBITS]
    assert [place for place in places if place.startswith("Propert")] == [
        *("Properties 3.1 and 3.3", "Property 3.4", "Property 3.5", "Property 3.6")
    ]
    assert not any("Proposition 3" in place for place in (*places, *(entry.where for entry in PAPER.errata)))


def test_variants_of_measures_that_the_paper_does_not_mean_are_not_compared_with_its_marks():
    lines = {line.what: line for line in unanimity.persistence.lines()}
    assert lines["RBP, p = 0.5"].mark is lines["OIE 1.2 down to rank 100, as it was run"].mark is Mark.SILENT


@pytest.mark.parametrize(("marks", "words"), [("11011", "Pri Deep CloseTh Conf"), ("00000", "none")])
def test_marks_are_told_by_the_names_of_the_constraints(marks, words):
    assert unanimity.met(marks) == words


def test_every_section_of_the_paper_has_its_exhibits():
    assert {exhibit.where.split(",")[0] for exhibit in PAPER.exhibits} >= {"Table 1", "Theorem 4.2", "Theorem 5.1"}
    assert len({exhibit.title for exhibit in PAPER.exhibits}) == len(PAPER.exhibits)
