"""Hostile letters: what people, spreadsheets, streams and readers of JSON get of them."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from measurand.columns import PlainTable
from measurand.display.charts import draw, styled
from measurand.display.data import json_text, separated
from measurand.display.markdown import markdown_text
from measurand.display.markup import caveat_notes
from measurand.display.result import Result
from measurand.display.tables import Document, TableView, cells_view
from measurand.display.terminal import terminal_text
from measurand.display.text import aligned_text
from measurand.display.unstyled import plain_text
from measurand.errors import Caveat, CaveatKind, InputError, InputFileError, NotInstalled
from measurand.letters import STAND_IN, harmless, shown, unharmed
from measurand.study.stored_scores import StoredScores, read_stored

HOSTILE = ["\x1b[31m", "\x07", "\x7f", "\x85", "\x9b", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\u202e", "\u2066"]
HOSTILE += ["\u200b", "\ufeff", "\udcff", "\u3164", "\U000e0041"]


@pytest.mark.parametrize("letters", HOSTILE)
def test_letters_that_cannot_be_seen_are_escaped_wherever_people_read_a_table(letters):
    document = Document([f"a{letters}b", cells_view(["system"], [[f"a{letters}b"]], title=f"t{letters}")])
    texts = [aligned_text(document), terminal_text(document), markdown_text(document), plain_text(document, 80)]
    for text in texts:
        assert letters[0] not in text
        assert letters.encode("unicode_escape").decode()[:3] in text.replace("\\\\", "\\")


@pytest.mark.parametrize("letters", [*HOSTILE, "\n", "\r\n"])
def test_an_error_is_one_line_for_every_splitter(letters):
    name = f"a{letters}b"
    for error in (InputError(name), InputFileError(name, 3, name), NotInstalled(name, name, name)):
        assert len(str(error).splitlines()) == 1
    assert shown(name) == str(Caveat(CaveatKind.NAMES, name))


@pytest.mark.parametrize("text", ["=1+1", "+a", "-bm25", "@x", "\t=1", "\r=1", " =1", "＝1", "'=1", "''-a"])
def test_text_that_a_spreadsheet_would_run_is_neutralised_and_comes_back(text, tmp_path):
    view = TableView([], [{"system": text, "p": -0.5}], fields={"system": str, "p": float})
    assert separated([view], ",").splitlines()[1].lstrip('"').startswith("'")
    assert separated([view], ",", raw=True) != separated([view], ",")
    assert ",-0.5" in separated([view], ",")
    assert PlainTable({"system": [text]}).to_csv() != PlainTable({"system": [text]}).to_csv(raw=True)
    assert unharmed(harmless(text)) == text
    StoredScores(system=text, scores={"RR": {text: 0.5}}, qrels="0").write(tmp_path / "a.csv")
    assert read_stored(tmp_path / "a.csv").system == text


def test_json_is_valid_utf8_whatever_a_file_is_called():
    text = json_text({"file\udcff": "\ud800"})
    assert json.loads(text.encode()) == {"file\udcff": "\ud800"}


def test_streams_that_lack_letters_get_others():
    assert "─ …中".encode("ascii", STAND_IN) == rb"- ...\u4e2d"
    assert "a\udcff".encode("utf-8", STAND_IN) == b"a\xff"


@pytest.mark.parametrize("name", ["می\u200cخواهم", "क्\u200dष", "👩\u200d💻", "❤\ufe0f\u200d🔥", "é 中"])
def test_writing_that_needs_joiners_is_shown_as_it_is(name):
    assert shown(name) == name


@pytest.mark.parametrize(
    "name", ["a\u200cb", "bm25\u200d", "\u200cمی", "می\u200c", "م\u200c\u200cی", "a\ufe0f", "م\u200bی"]
)
def test_joiners_that_nobody_needs_are_escaped(name):
    assert shown(name).isprintable()
    assert shown(name) != name


@pytest.mark.parametrize("number", ["-0.5", "+1e-5", "-.5", "nan", "-inf", "-3"])
def test_no_number_gets_an_apostrophe(number):
    assert harmless(number) == number


def test_a_result_with_words_of_its_own_shows_names_escaped():
    class Found(Result):
        def __repr__(self):
            return "<a\x1b[31m>"

        def __str__(self):
            return "a\u202e\nb"

    assert (repr(Found()), str(Found())) == (r"<a\x1b[31m>", "a\\u202e\nb")
    assert "\x1b" not in caveat_notes([Caveat(CaveatKind.NAMES, "a\x1b")])
    assert "forged" not in aligned_text(Document(["a\nforged", cells_view(["b\nforged"], [["c\nforged"]])])).split()


def test_figures_hold_every_name():
    chart = styled("a\x1b\udcff", {"data": {"values": [{"x": "\x1b\udcff\u2028", "y": 1}]}, "mark": "bar"})
    chart["encoding"] = {"x": {"field": "x", "type": "nominal"}}
    svg = draw(chart, "a.svg").decode()
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert svg.count(r"\x1b\udcff") >= 2
    assert draw(chart, "a.png").startswith(b"\x89PNG")
    assert json.loads(draw(chart, "a.json").decode())["data"] == chart["data"]
