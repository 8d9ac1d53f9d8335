"""Formats: everything is shown, everything fits, and no name is obeyed."""

from __future__ import annotations

import json
import math
import re
import sys
from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from measurand_next.errors import NotInstalled, on_one_line
from measurand_next.show.blocks import Column, Table, Text
from measurand_next.show.formats import (
    LATEX,
    Result,
    display_width,
    to_data,
    to_html,
    to_latex,
    to_markdown,
    to_text,
)

EVIL = [
    "\x1b[31mred",
    "\x9b31mred",
    "a\nb",
    "<script>alert(1)</script>",
    "a|b & c",
    r"\input{x}",
    "\u202eevil",
    "检索 系统",
    "=1+1",
    "[x](javascript:1)",
    "*2cm",
    "https://evil.org www.evil.org a@evil.org",
    "- 1. # *b* _i_ ~~s~~ `c` $x^2$ &amp; <b>",
    "1) --- ?` ,, '' ``",
    "+ x",
    "> x",
    "## x",
    "---",
    "===",
    "    x",
    "\udc80",
]
NAMES = st.text(max_size=30).filter(lambda name: on_one_line(name).strip())


def for_each_name(test):
    """Try a test on names that were found the hard way, and on drawn ones."""
    test = given(NAMES)(test)
    for name in EVIL:
        test = example(name)(test)
    return test


def blocks(name):
    """Blocks with a name in seven places."""
    columns = [Column("system", name, words=True), Column("mean", "mean", ".4f")]
    table = Table(columns, [{"system": name, "mean": 0.5}], title=name, note=name)
    return [Text(name), Text(name, "strong"), Text(name, "caveat"), table]


class Page(HTMLParser):
    """The tags of a page, the text of each of its cells and paragraphs."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.texts = set(), [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.open.append(tag)
        self.texts.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.texts[-1] += data


@for_each_name
def test_text_commands_no_terminal(name):
    lines = to_text(blocks(name), 1000).split("\n")
    words = " ".join(on_one_line(name).split())
    assert [lines[place] for place in (0, 2, 4, 6, 11)] == [words, words, f"Note: {words}", words, words]
    assert all(line.startswith(on_one_line(name)) for line in lines[8:10])


@for_each_name
def test_html_reads_a_name_as_text(name):
    page = Page(to_html(blocks(name)))
    assert page.tags == {"table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
    assert page.open == []
    assert [text.strip("\n") for text in page.texts].count(on_one_line(name)) == 7


@for_each_name
def test_markdown_reads_a_name_as_text(name):
    shown = on_one_line(name).strip()
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(to_markdown(blocks(name)))
    texts = [token for token in tokens if token.type == "inline"]
    read = ["".join(part.content for part in inline.children) for inline in texts]
    assert read == [*[shown] * 5, "mean", shown, "0.5000", shown]
    assert {part.type for inline in texts for part in inline.children} == {"text", "strong_open", "strong_close"}
    assert [token.type for token in tokens].count("blockquote_open") == 1
    # what GitHub makes a link of, and this parser does not
    assert not any(re.search(r"(?<!\\)(\\\\)*(://|@|\bwww\.)", inline.content) for inline in texts)


@for_each_name
def test_latex_reads_a_name_as_text(name):
    lines = to_latex(blocks(name)).split("\n")
    cells = [re.sub(r"^\{\}(?=[\[*])", "", lines[place].rpartition(" & ")[0]) for place in (10, 12)]
    strong = lines[2].removeprefix(r"\textbf{").removesuffix("}")
    signs = "|".join(sorted(map(re.escape, LATEX.values()), key=len, reverse=True))
    letters = {written: letter for letter, written in LATEX.items()}
    for written in (lines[0], strong, lines[4], lines[6], *cells, lines[15]):
        read = re.sub(rf"{signs}|(?<=[-'`,?!])\{{\}}", lambda found: letters.get(found[0], ""), written)
        assert read == on_one_line(name)
        assert not set(re.sub(signs, "", written).replace("{}", "")) & set('\\{}$&#^_%~"<>|')
        assert not re.search("--|''|``|,,|[?!]`", written)


@for_each_name
def test_json_gives_a_name_back(name):
    class Named(Result):
        def show(self):
            return blocks(name)

    written = Named().to_json()
    assert written.replace("\n", "").isprintable()
    assert json.loads(written) == {
        "texts": [{"text": name, "tone": tone} for tone in ("plain", "strong", "caveat")],
        "tables": [{"title": name, "rows": [{"system": name, "mean": 0.5}]}],
    }


def test_options_of_latex_rows_are_no_names():
    lines = to_latex([Table([Column("x", "[t]", words=True)], [{"x": "*"}, {"x": "[2cm]"}])]).split("\n")
    assert [line for line in lines if line.endswith(r"\\")] == [rf"{{}}{name} \\" for name in ("[t]", "*", "[2cm]")]


COLUMNS = [
    Column("system", "system", words=True),
    Column("mean", "nDCG@10", ".4f"),
    Column("topics", "topics", optional=1),
    Column("note", "a long heading of words", words=True, optional=2),
    Column("more", "more", optional=2),
]


def table(names):
    rows = [
        {"system": name, "mean": place / 7, "topics": 10**place, "note": "long " * place, "more": place}
        for place, name in enumerate(names)
    ]
    return Table(COLUMNS, rows, title="a table", note="and its note")


@given(st.lists(st.text(max_size=30), min_size=1, max_size=4), st.integers(30, 120))
def test_text_fits_its_width(names, width):
    sentence = "A sentence of some words and 四つ の 漢字. " * 5
    for line in to_text([table(names), Text(sentence), Text(sentence, "caveat")], width).split("\n"):
        assert display_width(line) <= width


def test_text_uses_its_width():
    assert [len(to_text([Text("ab cd")], width).split("\n")) for width in (4, 5)] == [2, 1]
    assert "…" in to_text([Table(COLUMNS[:1], [{"system": "x" * 14}])], 13)
    assert "…" not in to_text([Table(COLUMNS[:1], [{"system": "x" * 14}])], 14)


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("检索", 4), ("ａ", 2), ("e\u0301", 1), ("a\u20dd", 1), ("ﾊﾟ", 2), ("", 0)]
)
def test_letters_take_their_places_on_a_terminal(text, width):
    assert display_width(text) == width


def test_optional_columns_leave_in_order_and_are_named():
    for width, leaving in (
        (100, []),
        (50, ["more"]),
        (40, ["a long heading of words", "more"]),
        (20, ["topics", "a long heading of words", "more"]),
    ):
        text = to_text([table(["bm25", "dense"])], width)
        assert text.split("\n")[2].split() == [
            word for column in COLUMNS if column.heading not in leaving for word in column.heading.split()
        ]
        notes = " ".join(text.split()).partition("and its note")[2]
        assert re.findall('"(.*?)"', notes) == leaving
        assert ("hidden" in notes) == bool(leaving)


def test_names_give_way_before_numbers_do():
    number = Column("number", "number", ",")
    assert "123,456,789,012,345" in to_text([Table([number], [{"number": 123456789012345}])], 12)
    lines = to_text([table(["x" * 50]), Text("y" * 50)], 30).split("\n")
    assert lines[3].startswith("xxxxxxxxxxx")
    assert "…  " in lines[3]
    assert lines[-1] == "y" * 50


def test_numbers_are_aligned_by_their_points():
    values = [1.5, -12.25, None, 3, math.nan]
    lines = to_text([Table([Column("x", "x")], [{"x": value} for value in values])]).split("\n")
    assert lines[1:] == ["  1.5", "−12.25", "", "  3", "   nan"]


def test_data_are_values_without_nan():
    column = Column("x", "x")
    values = [math.nan, -math.inf, np.float32(0.5), np.int64(3), True, None, "é", Fraction(1, 3)]
    data = to_data(
        [Table([column], [{"x": value, "y": 1} for value in values], title="t"), Text("So it is.", "caveat")]
    )
    plain = [None, None, 0.5, 3, True, None, "é", "1/3"]
    assert data["tables"] == [{"title": "t", "rows": [{"x": value} for value in plain]}]
    assert data["texts"] == [{"text": "So it is.", "tone": "caveat"}]


class Answer(Result):
    def show(self):
        return [Text("So it is."), table(["检索"])]


@pytest.mark.parametrize("name", ["to_text", "to_html", "to_markdown", "to_latex", "to_json", "_repr_html_", "__str__"])
def test_every_format_shows_everything(name):
    shown = getattr(Answer(), name)()
    for part in ("So it is.", "检索", "a table", *(["and its note"] if name != "to_json" else [])):
        assert part in shown


def test_frames_have_the_values():
    class Second(Result):
        def show(self):
            return [Text("first"), table(["a", "检索"])]

    for frame in (Second().to_pandas(), Second().to_polars()):
        assert list(frame.columns) == ["system", "mean", "topics", "note", "more"]
        assert list(frame["system"]) == ["a", "检索"]
        assert list(frame["mean"]) == [0, 1 / 7]


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(NotInstalled, match="frames"):
        Answer().to_pandas()
