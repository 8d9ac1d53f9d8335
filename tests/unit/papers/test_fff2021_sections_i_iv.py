"""Sections I to IV of Ferrante, Ferro and Fuhr (2021), reproduced."""

from __future__ import annotations

import pytest

from measurand.papers.exhibit import Mark, Provenance
from measurand.papers.fff2021 import averages_over_topics, drawings, meaningfulness, values_of_measures
from measurand.papers.fff2021.four_ranks import RUNS, spelled

MODULES = (meaningfulness, values_of_measures, averages_over_topics)


@pytest.fixture(scope="module")
def lines():
    return [each for module in MODULES for one in module.EXHIBITS for each in one.lines()]


def test_every_erratum_of_these_sections_is_met_by_a_line_that_differs(lines):
    met = {name for each in lines if each.mark is Mark.DIFFERS for name in each.errata}
    assert met == {"E16", "E18", *(f"E{number}" for number in range(20, 29)), "E42"}


def test_that_one_end_is_ranked_first_is_no_error_and_which_runs_have_the_ranks_is_derived():
    found = {each.what: each for each in values_of_measures.ranks_of_runs.lines()}
    runs = ("0010", "0001", "0101", "0110")
    best_first = [found[f"rank of {run}, the best first"] for run in runs]
    assert [(each.ours, each.provenance) for each in best_first] == [
        (rank, Provenance.DERIVED) for rank in (13, 14, 10, 9)
    ]
    worst_first = found["rank of 0010, the worst first"]
    assert (worst_first.ours, worst_first.mark) == (3, Mark.SILENT)


def test_of_numbers_near_five_values_only_the_width_of_the_interval_is_wrong():
    found = {each.what: each for each in values_of_measures.five_values.lines()}
    assert {what: each.errata for what, each in found.items() if each.errata} == {
        "from x - ε to x + ε: largest error, in ε": ("E25",)
    }
    assert found["ε = 1.0, x one of the five: values near each"].ours == (1, 1, 1, 1, 1)
    assert found["ε = 1.0, x anywhere: more near 0, 1, 2 than near 4, 13"].mark is Mark.AGREES


def test_what_a_line_is_about_is_short(lines):
    assert [each.what for each in lines if len(each.what) > 60] == []


def test_no_row_is_shown_twice():
    rows = [row for module in MODULES for one in module.EXHIBITS for row in one.rows]
    assert len(rows) == len(set(rows))


def test_figure_3_has_every_run_in_each_of_its_panels_and_marks_gaps_where_they_differ():
    panels = drawings.places_of_values().chart["hconcat"]
    assert [panel["title"]["text"][1] for panel in panels] == list("abcdefg")
    for panel in panels:
        *_, labels = panel["layer"]
        assert sorted(label["run"] for label in labels["data"]["values"]) == [spelled(run) for run in RUNS]
    bands = [len(panel["layer"][0]["data"]["values"]) if len(panel["layer"]) == 3 else 0 for panel in panels]
    assert bands == [0, 1, 1, 1, 0, 2, 2]
