"""The polars reader: quick on regular files, silent on all others."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.trec import frames, lines
from measurand.trec.files import Content

REGULAR_RUNS = {
    "plain": b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 0.5 t\n",
    "tabs": b"1\tQ0\ta\t1\t2.5\tt\n1\tQ0\tb\t2\t1.5\tt\n",
    "mixed spaces": b"  1   Q0\ta  1 \t 2.5 t  \n1 Q0 b 2 1.5 t\t\n",
    "crlf": b"1 Q0 a 1 2.5 t\r\n1 Q0 b 2 1.5 t\r\n",
    "no final newline": b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t",
    "byte order mark": b"\xef\xbb\xbf1 Q0 a 1 2.5 t\n",
    "blank lines": b"1 Q0 a 1 2.5 t\n\n   \n1 Q0 b 2 1.5 t\n\n",
    "comments": b"# head\n1 Q0 a 1 2.5 t\n  # inside\n#\n1 Q0 b 2 1.5 t\n# foot",
    "comment of six words": b" # a b c 1.5 d\n1 Q0 a 1 2.5 t\n",
    "hashes in names": b"1#2 Q0 a#b 1 2.5 t#u\n",
    "quotes in names": b'1 Q0 "a 1 2.5 t\n1 Q0 b" 2 1.5 t\n',
    "interleaved": b"2 Q0 a 1 9 t\n1 Q0 b 1 8 t\n2 Q0 c 2 7 t\n1 Q0 a 2 6 t\n",
    "several tags": b"1 Q0 a 1 9 t\n1 Q0 a 1 8 u\n2 Q0 a 1 7 t\n",
    "ranks that are no numbers": b"1 Q0 a first 9 t\n1 Q0 b 1.5 8 t\n",
    "odd scores": b"1 Q0 a 1 1e-5 t\n1 Q0 b 2 -3 t\n1 Q0 c 3 .5 t\n1 Q0 d 4 4. t\n1 Q0 e 5 5e-324 t\n",
    "non-ASCII": "ü Q0 文書 1 1.5 τ\nü Q0 document-é 2 1 τ\n".encode(),
}

IRREGULAR_RUNS = {
    "empty": b"",
    "comments only": b"# nothing\n",
    "too few columns": b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5\n",
    "too few columns, two spaces": b"1 Q0 a 1 2.5 t\n1  Q0 b 1.5 t\n",
    "too few columns, space first": b" 1 Q0 a 1 2.5\n",
    "too few columns, space last": b"1 Q0 a 1 2.5 \n",
    "too many columns": b"1 Q0 a 1 2.5 t more\n",
    "no number": b"1 Q0 a 1 high t\n",
    "not finite": b"1 Q0 a 1 inf t\n",
    "overflow": b"1 Q0 a 1 1e999 t\n",
    "not a number": b"1 Q0 a 1 nan t\n",
    "underscore": b"1 Q0 a 1 1_000 t\n",
    "document twice": b"1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n1 Q0 a 3 0 t\n",
    "undecodable": b"1 Q0 a\xff 1 2 t\n",
    "UTF-16": "1 Q0 a 1 2.5 t\n".encode("utf-16"),
}

IRREGULAR_QRELS = {
    "empty": b"\n\n",
    "too few columns": b"1 0 a\n",
    "too many columns": b"1 0 a 1 more\n",
    "half a grade": b"1 0 a 0.5\n",
    "whole as a decimal": b"1 0 a 1.0\n",
    "too high": b"1 0 a 128\n",
    "too low": b"1 0 a -128\n",
    "beyond 64 bits": b"1 0 a 99999999999999999999\n",
    "judged twice": b"1 0 a 1\n1 0 a 1\n",
}


def content_of(rows) -> tuple:
    values = (rows.scores if hasattr(rows, "scores") else rows.grades).tolist()
    return getattr(rows, "name", ""), rows.topics, rows.bounds.tolist(), list(rows.documents), values, rows.caveats


@pytest.mark.parametrize("data", REGULAR_RUNS.values(), ids=REGULAR_RUNS)
def test_a_regular_run_is_read_as_the_line_reader_reads_it(data):
    content = Content("x.run", data)
    read = frames.read_large_runs(content)
    assert read is not None
    assert [content_of(rows) for rows in read] == [content_of(rows) for rows in lines.read_runs(content)]


@pytest.mark.parametrize("data", IRREGULAR_RUNS.values(), ids=IRREGULAR_RUNS)
def test_an_irregular_run_is_left_to_the_line_reader(data):
    assert frames.read_large_runs(Content("x.run", data)) is None


@pytest.mark.parametrize(
    "data",
    [b"1 0 a 1\n2 0 b -1\n1 Q0 c 0\n", b"1\t0\ta\t1\r\n\r\n# no\r\n1\titeration\tb\t-2\r\n", "é 0 日本 3".encode()],
    ids=["plain", "tabs and crlf", "non-ASCII"],
)
def test_regular_judgments_are_read_as_the_line_reader_reads_them(data):
    content = Content("x.qrels", data)
    read = frames.read_large_qrels(content)
    assert read is not None
    assert content_of(read) == content_of(lines.read_qrels(content))


@pytest.mark.parametrize("data", IRREGULAR_QRELS.values(), ids=IRREGULAR_QRELS)
def test_irregular_judgments_are_left_to_the_line_reader(data):
    assert frames.read_large_qrels(Content("x.qrels", data)) is None


def test_colliding_hashes_leave_the_file_to_the_line_reader(monkeypatch):
    monkeypatch.setattr(frames, "hashes_of", lambda documents: np.zeros(len(documents), dtype=np.uint64))
    assert frames.read_large_runs(Content("x.run", REGULAR_RUNS["plain"])) is None
