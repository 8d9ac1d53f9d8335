"""Hostile letters: what people, spreadsheets, streams and readers of JSON get of them."""

from __future__ import annotations

import json

import pytest

from measurand.columns import PlainTable
from measurand.display.data import json_text, separated
from measurand.display.markdown import markdown_text
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
