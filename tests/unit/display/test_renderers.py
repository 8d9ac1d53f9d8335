"""One table in every format: what is shown, what is left out, and what a stranger's name does to it."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from attrs import evolve
from rich.cells import cell_len

from measurand.columns import PlainTable
from measurand.display import Column, Document, Legend, Paragraph, TableView, Words
from measurand.display.data import exact_number, json_text, separated
from measurand.display.latex import latex_table
from measurand.display.markdown import markdown_text
from measurand.display.markup import html_text
from measurand.display.tables import cells_view, listing
from measurand.display.terminal import terminal_text
from measurand.display.text import aligned_text
from measurand.display.unstyled import plain_text
from measurand.errors import Caveat, CaveatKind

ODD = "a|b_<i>[bold]&%\\"

ROWS = [
    {"system": ODD, "mean": 0.25, "change": None, "letters": "a"},
    {"system": "plain", "mean": 0.5, "change": -0.125, "letters": "ab"},
]

FIELDS = {"system": str, "mean": float, "change": float, "letters": str}


def signed(row):
    return "" if row["change"] is None else f"{row['change']:+.3f}"


COLUMNS = [
    Column("system", "system", left=True),
    Column("mean", lambda row: Words.of(f"{row['mean']:.2f}", "strong" if row["mean"] == 0.5 else "")),
    Column("letters", lambda row: Words.of(row["letters"], "super"), left=True, dispensable=1, latex=""),
    Column("change", signed, admitted=False, dispensable=2),
]

VIEW = TableView(COLUMNS, ROWS, title="Two systems", about="By name.", fields=FIELDS)

LEGEND = Legend(lambda shown: ["letters: of significance"] if "letters" in shown else ["no letters"])

DOCUMENT = Document([VIEW, "", Paragraph("That is all.", "faint", indent=1), LEGEND], [Caveat(CaveatKind.TIES, "few")])


def test_a_terminal_shows_title_table_and_legend_and_no_caveat():
    text = terminal_text(DOCUMENT)
    assert text.splitlines()[:3] == ["Two systems", "By name.", ""]
    assert ODD in text
    assert "change*" in text
    assert text.endswith(" That is all.\nHow to read this\n letters: of significance\n")
    assert "few" not in text


RULED = TableView(
    [
        Column("system", "system", left=True),
        COLUMNS[1],
        Column("change", signed, below="interval"),
        Column("letters", "letters"),
    ],
    ROWS,
    ruled=True,
    indent=0,
)


@pytest.mark.parametrize(
    "document",
    [
        DOCUMENT,
        Document([VIEW]),
        Document([RULED, Paragraph("↓ lower is better", "faint")]),
        Document(
            [
                "Words alone.",
                cells_view(["a", "b"], [[["two", "lines"], "one"], ["one", ["two", Words.of("x")]]], left=2),
            ]
        ),
        Document(
            [evolve(RULED, narrow="stack"), " Words  of many lines, " * 9, Paragraph("and so on " * 20, indent=3)]
        ),
    ],
)
def test_what_fits_is_the_same_text_without_a_layout(document):
    coloured = re.sub(r"\x1b\[[\d;]*m", "", terminal_text(document, width=80, colour=True))
    assert plain_text(document, 80) == "".join(f"{line.rstrip()}\n" for line in coloured.splitlines())


@pytest.mark.parametrize(
    "part",
    [
        "a word of forty-five letters " + "w" * 45,
        "漢字 are wide",
        evolve(VIEW, rows=[{**ROWS[0], "system": "s" * 40}]),
        evolve(VIEW, narrow="stack"),
        evolve(VIEW, rows=[]),
        cells_view(["a"], [[cells_view(["b"], [["c"]])]]),
        TableView([Column("share", "mean", bar=True)], ROWS),
    ],
)
def test_what_takes_a_layout_is_left_to_the_terminal(part):
    assert plain_text(Document([part]), 40) is None


@pytest.mark.parametrize("width", [24, 30, 40, 60])
def test_a_narrow_terminal_leaves_dispensable_columns_out_and_says_so(width):
    text = terminal_text(DOCUMENT, width=width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert ("Too narrow for" in " ".join(text.split())) == (width < 60)
    assert ("no letters" in text) == (width < 40)


def test_colours_change_nothing_but_colours():
    coloured = terminal_text(DOCUMENT, colour=True)
    assert "\x1b[1m0.50" in coloured
    assert "\x1b" not in terminal_text(DOCUMENT)


def test_a_wide_table_is_split_and_its_words_stand_in_every_piece():
    view = cells_view(["depth", *"abcdef"], [["5", *["0.1234"] * 6]], narrow="split", together=2, indent=0)
    lines = terminal_text(Document([view]), width=24).splitlines()
    assert [line.split() for line in lines[::2]] == [["depth", "a", "b"], ["depth", "c", "d"], ["depth", "e", "f"]]


def test_a_table_may_become_a_paragraph_a_row_or_a_sentence():
    rows = [["0" * 12, "1" * 30]]
    stacked = terminal_text(Document([cells_view(["run", "value"], rows, left=2, narrow="stack")]), width=30)
    assert [line.split()[0] for line in stacked.splitlines()][:2] == ["run", "value"]
    assert terminal_text(Document([cells_view(["run", "value"], rows, narrow="Too wide.")]), width=30) == "Too wide.\n"


def test_bars_fill_what_room_there_is():
    view = TableView([Column("n", 0), Column("", 1, left=True, bar=True)], [("1", 1.0), ("2", 0.5)])
    drawn = [line.count("█") for line in terminal_text(Document([view]), width=24).splitlines()[1:]]
    assert drawn == [20, 10]
    assert [line.count("█") for line in terminal_text(Document([view])).splitlines()[1:]] == [40, 20]


def test_cells_may_hold_lines_and_small_tables():
    inner = listing([("1 0", "0.5"), ("0 1", "0.25")], keep=0)
    text = terminal_text(Document([listing([("✗", ["swap", Words.of("broken", "bad"), inner])])]))
    assert [line.split() for line in text.splitlines()] == [
        ["✗", "swap"],
        ["broken"],
        ["1", "0", "0.5"],
        ["0", "1", "0.25"],
    ]


def test_markdown_escapes_what_means_something_to_it():
    text = markdown_text(DOCUMENT)
    assert "| system | mean | letters | change\\* |\n|---|--:|---|--:|" in text
    assert r"| a\|b\_\<i\>\[bold\]&%\\ | 0.25 | a |  |" in text
    assert "**0.50**" in text


def test_latex_sets_signs_stars_and_strong_words():
    text = latex_table(VIEW)
    assert text.startswith(
        "% Two systems: By name.\n\\begin{tabular}{lrlr}\n\\toprule\nsystem & mean &  & change$^*$ \\\\"
    )
    assert r"plain & \textbf{0.50} & \textsuperscript{ab} & $-0.125$ \\" in text
    assert (
        r"a\textbar{}b\_\textless{}i\textgreater{}[bold]\&\%\textbackslash{} & 0.25 & \textsuperscript{a} & -- \\"
        in text
    )


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("12 (-3, +4)", "12 ($-3$, $+4$)"),
        ("[+0.1, -0.2]", "$[+0.1, -0.2]$"),
        ("<0.0001", "$<$0.0001"),
        ("+0.25*", "$+0.25^{*}$"),
        ("0.25*", "0.25$^{*}$"),
        ("3–0–1", "3--0--1"),
        ("-3.0e-06", "$-3.0e-06$"),
        ("12 (3.5%)", r"12 (3.5\%)"),
        ("", "--"),
    ],
)
def test_numbers_are_set_as_numbers(cell, written):
    assert f"\n{written} \\\\\n" in latex_table(TableView([Column("n", 0)], [[cell]]))


def test_html_is_escaped_and_has_the_caveats():
    page = html_text(DOCUMENT)
    assert "<i>" not in page
    assert "<strong>0.50</strong>" in page
    assert "few" in page
    assert page.count("<caption") == 1


def test_programs_get_all_digits_and_nothing_for_nothing():
    rows = list(csv.DictReader(io.StringIO(separated([VIEW, VIEW], ","))))
    assert [row["system"] for row in rows] == [ODD, "plain"] * 2
    assert [row["change"] for row in rows][:2] == ["", "-0.125"]
    full, empty = (PlainTable.of_rows(each, FIELDS).to_polars() for each in (ROWS, []))
    assert full.rows()[0] == (ODD, 0.25, None, "a")
    assert empty.schema == full.schema
    assert json.loads(json_text({"ü": [0.5, None]})) == {"ü": [0.5, None]}
    assert exact_number(10**400)["value"] is None


def test_columns_are_chosen_by_name_and_by_what_the_scale_admits():
    assert VIEW.select("change", "system", "nothing").headings == ["change*", "system"]
    assert VIEW.admitted().headings == ["system", "mean", "letters"]


def test_print_needs_no_terminal():
    assert aligned_text(DOCUMENT).splitlines()[-1] == "caveat: few"
    assert aligned_text(DOCUMENT).splitlines()[3].split() == ["system", "mean", "letters", "change*"]


def test_print_cuts_long_and_wide_tables_and_says_so():
    wide = cells_view([f"measure {n}" for n in range(20)], [["0.1234567"] * 20] * 7)
    lines = aligned_text(Document([wide]), rows=5, width=60).splitlines()
    assert max(map(len, lines[:6])) <= 60
    assert lines[6] == "… and 2 more rows"
    assert lines[7].startswith("… and 15 more columns: measure 5, ")


def test_print_breaks_words_where_a_table_is_too_wide():
    view = cells_view(["name", "why"], [["a", "so that " * 20]], left=2)
    lines = aligned_text(Document([view, "it is " * 30]), width=50).splitlines()
    assert max(map(len, lines)) <= 50
    assert lines[1].startswith("a     so that")
    assert lines[2].startswith("      that so")


def test_dispensable_columns_go_first():
    columns = [Column("name", 0, left=True), Column("spare", 0, dispensable=1), Column("last", 0)]
    shown = aligned_text(Document([TableView(columns, [["x" * 20]])]), width=45)
    assert "spare" in shown.splitlines()[-1]
    assert "last" in shown.splitlines()[0]
