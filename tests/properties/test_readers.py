"""Two readers, one format: what loops in C read is what the lines say, and errors are the same."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand import native
from measurand.errors import InputFileError
from measurand.trec import bulk, lines, read
from measurand.trec.files import Content

BROKEN_SCORES = ["nan", "inf", "-Infinity", "1e999", "1_0", "0x10", "1e", "+-1", "1,5", "١", "high", "1d5", "--1", "."]
BROKEN_GRADES = ["1.0", "0.5", "1e0", "1_0", "0x1", "128", "-128", "9" * 30, "-" + "9" * 30, "١", "high", "--1"]

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\r\x0b\x0c"), min_size=1, max_size=5)
pads = st.text("  \t\x0b\x0c\r", max_size=2)
gaps = st.one_of(st.just(" "), st.just(" "), st.text(" \t", min_size=1, max_size=3), st.sampled_from(["\x0b", " \x0c"]))
scores = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-10, 10).map(str),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20, places=25).map(str),
    st.sampled_from(["1e-5", ".5", "5.", "+7", "1E3", "-0.0", "1e-400", "4.9e-324", "007"]),
)
grades = st.one_of(st.integers(-5, 127).map(str), st.sampled_from(["+1", "007", "-0"]))
empties = st.one_of(pads, st.builds("{}#{}".format, pads, st.text("# aQ01.5\t", max_size=12)))


@st.composite
def files(draw, kind: str) -> bytes:
    """Return a run or judgment file: mostly regular, spelled anyhow, now and then broken."""
    topics = draw(st.lists(words.filter(lambda word: not word.startswith("#")), min_size=1, max_size=3))
    documents = draw(st.lists(words, min_size=1, max_size=6, unique=True))
    pairs = draw(st.lists(st.tuples(st.sampled_from(topics), st.sampled_from(documents)), min_size=1, max_size=8))
    pairs = pairs if draw(st.integers(0, 4)) == 0 else list(dict.fromkeys(pairs))
    tags = draw(st.lists(words, min_size=1, max_size=2, unique=True))
    plain, broken = (scores, BROKEN_SCORES) if kind == "run" else (grades, BROKEN_GRADES)
    text = []
    for topic, document in pairs:
        value = draw(plain if draw(st.integers(0, 30)) else st.sampled_from(broken))
        fields = [topic, draw(words), document]
        fields += (
            [draw(st.sampled_from(["1", "0", "x"])), value, draw(st.sampled_from(tags))] if kind == "run" else [value]
        )
        if draw(st.integers(0, 30)) == 0:
            fields = draw(st.sampled_from([fields[:-1], [*fields, "more"], fields[1:]]))
        regular = draw(st.booleans())
        text.append(" ".join(fields) if regular else _spaced(draw, fields))
        text += draw(st.lists(empties, max_size=1))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    mark = draw(st.sampled_from(["", "", "\ufeff"]))
    return (mark + end.join(text) + draw(st.sampled_from(["", end]))).encode()


def _spaced(draw, fields: list[str]) -> str:
    body = fields[0] + "".join(draw(gaps) + field for field in fields[1:])
    return draw(pads) + body + draw(pads)


tokens = [
    b"1",
    b"a",
    b"Q0",
    b"0.5",
    b" ",
    b" ",
    b" ",
    b"\n",
    b"\n",
    b"\t",
    b"\r",
    b"#",
    b"\xff",
    b"\xef\xbb\xbf",
    b'"',
    b"1 Q0 a 1 2 t\n",
]
rubbish = st.lists(st.sampled_from(tokens), max_size=30).map(b"".join)


def content_of(rows) -> tuple:
    values = rows.document_scores if hasattr(rows, "document_scores") else rows.grades
    texts = getattr(rows, "name", ""), rows.topics, rows.bounds.tolist(), list(rows.documents), rows.caveats
    return *texts, values.dtype, values.tobytes()


def answer(function, *arguments):
    """Return what a reader reads, or the error that it raises."""
    try:
        rows = function(*arguments)
    except InputFileError as error:
        return str(error), error.line
    return None if rows is None else [content_of(one) for one in (rows if isinstance(rows, list) else [rows])]


@pytest.mark.parametrize("kind", ["run", "qrels"])
@settings(max_examples=15)
@given(data=st.data())
def test_loops_in_c_read_what_the_lines_say_or_nothing(kind, data):
    content = Content("x", data.draw(st.one_of(files(kind), files(kind), rubbish)))
    quick, slow = {
        "run": (bulk.read_runs, lines.read_runs),
        "qrels": (bulk.read_qrels, lines.read_qrels),
    }[kind]
    found = answer(quick, content)
    assert found is None or found == answer(slow, content)


def _public(kind: str, data: bytes, *, in_c: bool):
    def call():
        with pytest.MonkeyPatch.context() as patch:
            if not in_c:
                patch.setattr(native, "_found", None)
            return read.read_runs(io.BytesIO(data)) if kind == "run" else read.read_qrels(io.BytesIO(data))

    try:
        several = call()
    except InputFileError as error:
        return str(error), error.line
    several = several if isinstance(several, list) else [several]
    values = [one.document_scores if kind == "run" else one.grades for one in several]
    return [
        (getattr(one, "name", ""), one.topics, one.bounds.tolist(), list(one.documents), one.caveats, value.tobytes())
        for one, value in zip(several, values, strict=True)
    ]


@pytest.mark.parametrize("kind", ["run", "qrels"])
@settings(max_examples=15)
@given(data=st.data())
def test_a_file_means_the_same_whether_the_module_in_c_is_there_or_not(kind, data):
    file = data.draw(files(kind))
    assert _public(kind, file, in_c=True) == _public(kind, file, in_c=False)


@settings(max_examples=15)
@given(files("run"))
def test_every_row_that_is_read_stands_on_a_line_of_the_file(data):
    rows = answer(lines.read_runs, Content("x", data))
    if isinstance(rows, tuple):
        return
    fields = [line.split() for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    kept = [line for line in fields if line and not line[0].startswith(b"#")]
    assert sum(len(documents) for _, _, _, documents, *_ in rows) == len(kept)
    assert {tag.encode() for tag, *_ in rows} == {line[5] for line in kept}
    assert {topic.encode() for _, topics, *_ in rows for topic in topics} == {line[0] for line in kept}
