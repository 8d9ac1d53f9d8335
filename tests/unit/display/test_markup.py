"""Markup: whatever a text says, the page says this text and nothing else."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.display.markup import caveat_notes, escaped, html_table, joined, note, pictured, tagged
from measurand.display.tables import cells_view
from measurand.display.wording import counted
from measurand.errors import Caveat, CaveatKind

# what HTML itself replaces on reading
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)


class Read(HTMLParser):
    """What a browser would see: elements with their attributes, and the text of every cell."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.cells: list[list[str]] = []
        self.caption = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag != "img":
            self.open.append(tag)
        if tag == "tr":
            self.cells.append([])
        if tag in ("th", "td"):
            self.cells[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("th", "td"):
            self.cells[-1][-1] += data
        if self.open and self.open[-1] == "caption":
            self.caption += data

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]


def table(caption, heads, rows, shown=30):
    return html_table(cells_view(heads, rows, title=caption), shown=shown)


@given(caption=texts, heads=st.tuples(texts, texts), rows=st.lists(st.tuples(texts, texts), max_size=5))
def test_a_table_says_what_it_was_given(caption, heads, rows):
    read = Read(str(table(caption, heads, rows)))
    assert read.caption == caption
    assert read.cells == [*([list(heads)] if any(heads) else []), *map(list, rows)]
    assert read.open == []
    assert set(read.tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td"}


def test_heads_say_what_they_are_heads_of():
    read = Read(str(table("AP", ["system", "mean"], [["a", "1"], ["b", "2"]])))
    scopes = [attributes.get("scope") for tag, attributes in read.elements if tag == "th"]
    assert scopes == ["col", "col", "row", "row"]


@pytest.mark.parametrize(
    ("rows", "last"), [(3, "2"), (4, "1 more row is not shown"), (1500, "1,497 more rows are not shown")]
)
def test_a_long_table_is_cut_and_says_so(rows, last):
    read = Read(str(table("", ["place"], [[place] for place in range(rows)], shown=3)))
    assert read.cells[-1] == [last]
    assert len(read.cells) == 1 + 3 + (rows > 3)


def test_nothing_brings_colours_of_its_own():
    pieces = [table("a", ["b"], [["c"]]), note("d"), caveat_notes([Caveat(CaveatKind.TIES, "e")])]
    styles = [attributes.get("style") or "" for _, attributes in Read(str(joined(pieces))).elements]
    assert not [style for style in styles if "background" in style or "#" in style or "rgb" in style]
    assert any("currentColor" in style for style in styles)


@given(texts, texts)
def test_attributes_are_escaped_as_well(content, value):
    [(tag, attributes)] = Read(str(tagged("p", content, title=value))).elements
    assert (tag, attributes) == ("p", {"title": value})


def test_what_is_markup_already_is_not_escaped_again():
    assert str(escaped(tagged("em", "<"))) == "<em>&lt;</em>"
    assert str(joined(["<", tagged("em", "a")])) == "&lt;<em>a</em>"


def test_a_caveat_is_told_whole():
    page = str(caveat_notes([Caveat(CaveatKind.TIES, "x < y"), Caveat(CaveatKind.SCALE, "ordinal")]))
    assert page.count("Caveat:") == 2
    assert "x &lt; y" in page


def test_a_picture_has_words_and_no_markup_of_its_own():
    read = Read(str(pictured("<svg><script>alert(1)</script></svg>", 'A "swap" <order>')))
    assert read.tags == ["figure", "img", "figcaption"]
    assert dict(read.elements)["img"]["alt"] == 'A "swap" <order>'
    assert dict(read.elements)["img"]["src"].startswith("data:image/svg+xml;base64,")


def test_numbers_of_things_read_well():
    assert [counted(n, "pair of systems") for n in (0, 1, 2)] == [
        "0 pairs of systems",
        "1 pair of systems",
        "2 pairs of systems",
    ]
