"""Sections I to IV of Ferrante, Ferro and Fuhr (2021), reproduced."""

from __future__ import annotations

import pytest

from measurand.papers.exhibit import Mark
from measurand.papers.fff2021 import (
    agreement_of_measures,
    averages_over_topics,
    drawings_of_runs,
    meaningfulness,
    scales_of_measurement,
    sets_of_results,
    values_of_measures,
)
from measurand.papers.fff2021.four_ranks import RUNS, spelled

MODULES = (
    scales_of_measurement,
    meaningfulness,
    agreement_of_measures,
    values_of_measures,
    averages_over_topics,
    sets_of_results,
)


@pytest.fixture(scope="module")
def lines():
    return [each for module in MODULES for one in module.EXHIBITS for each in one.lines()]


def test_every_erratum_of_these_sections_is_met_by_a_line_that_differs(lines):
    met = {name for each in lines if each.mark is Mark.DIFFERS for name in each.errata}
    assert met == {"E16", *(f"E{number}" for number in range(18, 29)), "E42", "E43"}


def test_what_a_line_is_about_is_short(lines):
    assert [each.what for each in lines if len(each.what) > 60] == []


def test_no_row_is_shown_twice():
    rows = [row for module in MODULES for one in module.EXHIBITS for row in one.rows]
    assert len(rows) == len(set(rows))


def test_figure_3_has_every_run_in_each_of_its_panels_and_marks_gaps_where_they_differ():
    panels = drawings_of_runs.places_of_values().chart["hconcat"]
    assert [panel["title"]["text"][1] for panel in panels] == list("abcdefg")
    for panel in panels:
        *_, labels = panel["layer"]
        assert sorted(label["run"] for label in labels["data"]["values"]) == [spelled(run) for run in RUNS]
    bands = [len(panel["layer"][0]["data"]["values"]) if len(panel["layer"]) == 3 else 0 for panel in panels]
    assert bands == [0, 1, 1, 1, 0, 2, 2]
