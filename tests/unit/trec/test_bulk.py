"""Loops in C read regular files as the line reader does, and leave all others to it."""

from __future__ import annotations

import struct
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

import measurand.native as native
from measurand.trec import bulk, lines
from measurand.trec.files import Content, load

pytestmark = pytest.mark.skipif(not native.is_there(), reason="there is no module in C")

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
    "judged twice": b"1 0 a 1\n1 0 a 2\n",
}


def content_of(rows) -> tuple:
    values = (rows.document_scores if hasattr(rows, "document_scores") else rows.grades).tolist()
    return getattr(rows, "name", ""), rows.topics, rows.bounds.tolist(), list(rows.documents), values, rows.caveats


@pytest.mark.parametrize("data", REGULAR_RUNS.values(), ids=REGULAR_RUNS)
def test_a_regular_run_is_read_as_the_line_reader_reads_it(data):
    content = Content("x.run", data)
    read = bulk.read_runs(content)
    assert read is not None
    assert [content_of(rows) for rows in read] == [content_of(rows) for rows in lines.read_runs(content)]


@pytest.mark.parametrize("data", IRREGULAR_RUNS.values(), ids=IRREGULAR_RUNS)
def test_an_irregular_run_is_left_to_the_line_reader(data):
    assert bulk.read_runs(Content("x.run", data)) is None


REGULAR_QRELS = {
    "plain": b"1 0 a 1\n2 0 b -1\n1 Q0 c 0\n",
    "tabs and crlf": b"1\t0\ta\t1\r\n\r\n# no\r\n1\titeration\tb\t-2\r\n",
    "non-ASCII": "é 0 日本 3".encode(),
    "repeated": b"1 0 a 1\n2 0 a 1\n1 0 a 1\n",
}


@pytest.mark.parametrize("data", REGULAR_QRELS.values(), ids=REGULAR_QRELS)
def test_regular_judgments_are_read_as_the_line_reader_reads_them(data):
    content = Content("x.qrels", data)
    read = bulk.read_qrels(content)
    assert read is not None
    assert content_of(read) == content_of(lines.read_qrels(content))


@pytest.mark.parametrize("data", IRREGULAR_QRELS.values(), ids=IRREGULAR_QRELS)
def test_irregular_judgments_are_left_to_the_line_reader(data):
    assert bulk.read_qrels(Content("x.qrels", data)) is None


@pytest.mark.parametrize("piece", [1, 7, 64])
@pytest.mark.parametrize("data", [*REGULAR_RUNS.values()], ids=[*REGULAR_RUNS])
def test_a_run_is_read_alike_in_pieces_of_any_size(monkeypatch, tmp_path, data, piece):
    monkeypatch.setattr(bulk, "PIECE", piece)
    path = tmp_path / "x.run"
    path.write_bytes(data)
    content = load(path)
    assert [content_of(rows) for rows in bulk.read_runs(content)] == [
        content_of(rows) for rows in lines.read_runs(content)
    ]


def test_every_beginning_of_a_file_is_read_as_the_line_reader_reads_it():
    data = b"".join(REGULAR_RUNS.values())
    for end in range(len(data)):
        content = Content("x.run", data[:end])
        read = bulk.read_runs(content)
        if read is not None:
            assert [content_of(rows) for rows in read] == [content_of(rows) for rows in lines.read_runs(content)]


@given(
    st.one_of(
        st.floats(allow_nan=False, allow_infinity=False).map(repr),
        st.decimals(-(10**19), 10**19, places=17).map(str),
        st.from_regex(r"[-+]?[0-9]{0,25}\.?[0-9]{0,30}(e[-+]?[0-9]{1,3})?", fullmatch=True),
    )
)
def test_a_score_is_the_float_that_python_reads(text):
    content = Content("x.run", f"1 Q0 a 1 {text} t\n".encode())
    try:
        wanted = float(text)
    except ValueError:
        wanted = None
    read = bulk.read_runs(content)
    if wanted is None or not isfinite(wanted):
        assert read is None
    else:
        assert struct.pack("d", read[0].document_scores[0]) == struct.pack("d", wanted)


def test_a_file_is_read_that_has_more_than_its_size_says():
    # as files that are still being written, or that the system makes up when they are read
    content = Content("a.run", b"".join(b"1 Q0 d%d 1 %d t\n" % (i, i) for i in range(100)))
    content.size = 0
    [run] = bulk.read_runs(content)
    assert len(run) == 100


def test_an_exponent_of_many_digits_makes_up_for_no_zeros():
    tiny = b"0." + b"0" * 100_000 + b"1e"
    head = b"1 Q0 a 1 2.5 t\n1 Q0 b 2 "
    assert bulk.read_runs(Content("a.run", head + tiny + b"1000000 t\n")) is None
    [run] = bulk.read_runs(Content("a.run", head + tiny + b"100000 t\n"))
    assert run.document_scores.tolist() == [2.5, 0.1]


def test_without_the_module_in_c_everything_is_left_to_the_line_reader(monkeypatch):
    monkeypatch.setattr(native, "_found", None)
    assert bulk.read_runs(Content("x.run", REGULAR_RUNS["plain"])) is None
