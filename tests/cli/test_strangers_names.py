"""Names that strangers chose, on every stream: none steers a terminal, ends a line or breaks a format."""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from xml.etree import ElementTree

import pytest

from measurand.cli import main
from measurand.letters import UNSEEN, unharmed
from measurand.trec import read_run

EVIL = "\x1b]0;title\x07\x1b[38;5;201m\x9b31m\x85\u2028\x1c\x0b\u202e\u2066\u200b\ufeff\U000e0041\x7f\r\n\tforged 0.99"
OURS = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[lh]|2K|1A)|\r(?=\x1b)|[\n\t]")
"""What we send to terminals: colours, bars that are taken away, ends of lines."""

FORMATS = "table", "tsv", "csv", "json", "latex", "markdown"


class Stream(TextIOWrapper):
    """A standard stream that keeps what is written, of any encoding; a terminal, or none."""

    def __init__(self, encoding: str = "utf-8", *, terminal: bool = False) -> None:
        super().__init__(BytesIO(), encoding=encoding, write_through=True)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    @property
    def written(self) -> bytes:
        return self.buffer.getvalue()


@pytest.fixture
def stranger(tmp_path, monkeypatch) -> tuple[str, ...]:
    """Make a campaign whose every name is hostile, in the working directory, and return its files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    topics, documents = [f"{sign}t{EVIL}" for sign in "=+-@"], [f"d{place}{EVIL}" for place in range(4)]
    qrels = {topic: {each: place % 2 for place, each in enumerate(documents)} for topic in topics}
    (tmp_path / "qrels.json").write_text(json.dumps(qrels))
    files = [os.fsdecode(b"=a\xff\x1b[38;5;201m\xe2\x80\xae.json"), f"b{EVIL}.json".replace("/", "")]
    for shift, file in enumerate(files):
        run = {topic: {each: (3 * place + shift) % 5 for place, each in enumerate(documents)} for topic in topics}
        (tmp_path / file).write_text(json.dumps(run))
    (tmp_path / "queries.json").write_text(json.dumps(dict.fromkeys(topics, EVIL)))
    return "qrels.json", *files


def call(
    monkeypatch, *arguments: str, out: Stream | None = None, err: Stream | None = None
) -> tuple[int, bytes, bytes]:
    """Return the exit status of a call, and what it wrote on the two streams."""
    out, err = out or Stream(terminal=True), err or Stream(terminal=True)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", out)
        patched.setattr(sys, "stderr", err)
        patched.setattr(sys, "argv", ["measurand", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
    return stop.value.code, out.written, err.written


def printing(qrels: str, a: str, b: str) -> list[list[str]]:
    runs = [qrels, a, b, "-m", "P@2"]
    calls = [["evaluate", *runs, "-q", "-f", form] for form in (*FORMATS, "trec")]
    calls += [["compare", *runs, "-f", form] for form in ("table", "csv", "json", "markdown")]
    calls += [["gate", *runs, "-f", form, "--queries", "queries.json"] for form in ("table", "junit", "github")]
    calls += [["gate", qrels, a, "-m", "P@2", "--save-baseline", f"{a}.csv"], ["portfolio", *runs], ["esl", *runs[:3]]]
    calls += [["convert", a, "--to", "json", "-o", "-"], ["convert", qrels, "--qrels", "--to", "parquet", "-o", "-"]]
    calls += [["evaluate", "--without-judgments", a, b], ["report", *runs, "-f", "latex"]]
    wrong = EVIL.replace("/", "")
    calls += [["evaluate", wrong, a], ["evaluate", qrels, wrong], ["evaluate", qrels, a, "-m", wrong], [wrong]]
    calls += [["evaluate", f"--{wrong}"], ["order", wrong, "1"], ["gate", qrels, a, b, "--config", a], ["fuse", a, b]]
    return [*calls, ["measure", "--function", f"{wrong}:f"], ["compare", *runs, "--baseline", wrong], ["cite", wrong]]


def test_a_terminal_gets_no_letter_that_steers_it_and_no_line_of_a_strangers_whatever_is_called(stranger, monkeypatch):
    for arguments in printing(*stranger):
        code, out, err = call(monkeypatch, *arguments)
        text = (out + err).decode()
        assert "\x1b[38;5;201m" not in text, arguments
        assert re.findall(UNSEEN, OURS.sub("", text)) == [], arguments
        assert not re.search(r"(?m)^\s*forged", text), arguments
        if code:
            message = err.decode().rpartition("\x1b[?25h")[2]  # behind bars
            assert len(message.splitlines()) == message.count("\n") == 1, arguments


def test_a_page_and_its_data_tell_where_they_are_in_one_line_each(stranger, monkeypatch):
    qrels, a, b = stranger
    code, out, err = call(monkeypatch, "report", qrels, a, b, "-m", "P@2", "--data", "-o", f"{a}.data")
    assert code == 0
    assert re.findall(UNSEEN, OURS.sub("", (out + err).decode())) == []
    assert b"\x1b[38;5;201m" not in out + err
    assert not re.search(rb"(?m)^\s*forged", out)
    for file in Path(f"{a}.data").iterdir():
        assert file.suffix not in (".html", ".json") or file.read_bytes().decode()


def test_files_keep_every_letter(stranger, monkeypatch, tmp_path):
    qrels, a, b = stranger
    topics = set(json.loads((tmp_path / qrels).read_text()))
    for form in ("csv", "tsv", "json"):
        assert call(monkeypatch, "evaluate", qrels, a, b, "-m", "P@2", "-q", "-f", form, "-o", "out")[0] == 0
        data = (tmp_path / "out").read_bytes()
        if form == "json":
            assert all(json.dumps(topic, ensure_ascii=False) in data.decode() for topic in topics)
            continue
        rows = csv.reader(StringIO(data.decode("utf-8", "surrogateescape"), newline=""), delimiter=",\t"[form == "tsv"])
        header, *cells = rows
        assert header == ["system", "topic", "P@2"]
        assert all(cell.startswith("'") for _, cell, _ in cells if cell != "all")
        assert {unharmed(topic) for _, topic, _ in cells} == {*topics, "all"}
        assert {unharmed(system) for system, _, _ in cells} == {Path(each).stem for each in (a, b)}
    assert call(monkeypatch, "convert", b, "-o", "again.json")[0] == 0
    assert read_run(str(tmp_path / "again.json")).to_dict() == read_run(str(tmp_path / b)).to_dict()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-16"])
def test_streams_that_lack_letters_get_valid_formats(encoding, small, monkeypatch):
    names = ["−1+2", "“a”, b", "中 …", "c\udcff"]
    runs = [f"{name}=alpha.run" for name in names]
    for form in ("table", "csv", "json", "latex", "markdown"):
        stream = Stream(encoding)
        code, out, _ = call(monkeypatch, "evaluate", "qrels", *runs, "-m", "P@2", "-f", form, out=stream)
        assert code == 0
        if form == "json":
            assert names[0] in json.dumps(json.loads(out.decode("ascii")), ensure_ascii=False)
        if form == "csv":
            _, *rows = csv.reader(StringIO(out.decode(encoding)))
            assert [len(row) for row in rows] == [2] * 4
            assert not any(row[0].startswith("-") for row in rows)
    code, out, _ = call(monkeypatch, "gate", "qrels", *runs[2:], "-m", "P@2", "-f", "junit", out=Stream(encoding))
    assert ElementTree.fromstring(out).tag == "testsuites"
    assert json.loads(call(monkeypatch, "measures", "AP", "-f", "json", out=Stream(encoding))[1].decode("ascii"))


def test_a_closed_output_is_an_error_only_where_something_is_printed(small, monkeypatch):
    for more, expected in ((["-o", "out"], 0), ([], 1)):
        err = Stream()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", None)
            patched.setattr(sys, "stderr", err)
            patched.setattr(sys, "argv", ["measurand", "evaluate", "qrels", "beta.run", "-m", "P@1", *more])
            with pytest.raises(SystemExit) as stop:
                main()
            sys.stdout.close()
        assert stop.value.code == expected
    assert err.written.endswith(b"\nmeasurand: the output cannot be written: it is closed\n")
    assert (small / "out").exists()


def test_notes_that_nobody_takes_do_not_keep_results_back(small, monkeypatch):
    class Full(Stream):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    plain = call(monkeypatch, "evaluate", "qrels", "alpha.run", "-m", "P@2", out=Stream(), err=Stream())
    assert plain[2].startswith(b"note: ")
    full = call(monkeypatch, "evaluate", "qrels", "alpha.run", "-m", "P@2", out=Stream(), err=Full())
    assert full[:2] == plain[:2]


def test_answers_that_are_no_utf8_are_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"1\xff\n"), encoding="utf-8"))
    code, _, err = call(monkeypatch, "esl", "--questionnaire", out=Stream(), err=Stream())
    assert (code, err.count(b"\n")) == (1, 1)
    assert rb"'1\udcff'" in err


def test_scores_are_stored_in_a_folder_of_any_name(small, monkeypatch):
    folder = os.fsdecode(b"store\xff")
    assert call(monkeypatch, "evaluate", "qrels", "alpha.run", "-m", "P@2", "--store", folder)[0] == 0
    code, out, _ = call(monkeypatch, "evaluate", folder, "-f", "json", out=Stream())
    assert code == 0
    assert b"alpha" in out


def test_an_erratum_has_colours_on_a_terminal(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = call(monkeypatch, "reproduce", "ffm2015", "--erratum", "E01")[1]
    assert b"\x1b[" in out
    assert rb"\x1b[" not in out
