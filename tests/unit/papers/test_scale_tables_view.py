"""Tables 2 to 6 for any campaign, as text: nothing is lost, on whatever terminal."""

from __future__ import annotations

import pytest
from attrs import evolve

from measurand.display.terminal import terminal_text
from measurand.papers import scale_tables
from measurand.papers.printed.labels import MEASURES
from measurand.papers.scale_tables_view import scale_tables_document, scale_tables_views
from measurand.trec import read_run


def scale_tables_text(tables, comparison=None, *, width=130):
    return terminal_text(scale_tables_document(tables, comparison), width=width)


@pytest.fixture(scope="module")
def tables():
    runs = [read_run({t: {"a": 1, "b": place} for t in "12"}, name=f"s{place}") for place in (0, 2)]
    return scale_tables({t: {"a": 1} for t in "12"}, runs, depths=[2, 3])


@pytest.mark.parametrize("width", [130, 80, 60])
def test_every_number_is_whole_and_every_piece_of_a_table_says_its_depths(tables, width):
    text = scale_tables_text(tables, width=width)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    pieces = [line.split() for line in text.splitlines() if line.startswith(" depth ")]
    assert [label for piece in pieces for label in piece[1:]] == 2 * [*MEASURES]


def without(tables, label, *depths):
    """Return the tables as they are where the interval scale of a measure cannot be had at some depths."""
    return evolve(
        tables,
        tables={
            name: {
                depth: {row: cells for row, cells in rows.items() if depth not in depths or label not in row.split()}
                for depth, rows in found.items()
            }
            for name, found in tables.tables.items()
        },
    )


def test_what_cannot_be_had_at_one_depth_is_shown_at_the_others(tables):
    pairs = [row for row in list(scale_tables_views(without(tables, "AP", "3")))[2].rows if "AP" in row[0].split()]
    assert len(pairs) == 10
    assert all(row[4:] == ["–", "–", "–"] for row in pairs)


def test_where_no_depth_has_all_measures_nothing_is_averaged(tables):
    titles = [sheet.title for sheet in scale_tables_views(tables)]
    assert titles[-1].startswith("Section VIII-C")
    assert [sheet.title for sheet in scale_tables_views(without(tables, "AP", "2", "3"))] == titles[:-1]
