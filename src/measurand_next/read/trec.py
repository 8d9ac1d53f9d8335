"""TREC's files of runs and judgments: read in one pass by the loops in C, or line by line.

The loops give up wherever something is not plain. Reading line by line is the definition: it copes, or says what is wrong.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from io import BytesIO
from math import isfinite
from threading import local
from typing import Any

import numpy as np
from attrs import frozen

from measurand_next import native
from measurand_next.data.judge import Grouped, Judging, Ranked
from measurand_next.data.names import Names
from measurand_next.data.qrels import Qrels, coded, exact_grade
from measurand_next.data.run import Run
from measurand_next.errors import Caveat, CaveatKind, InputError, quoted
from measurand_next.exact import IntArray
from measurand_next.read.files import Buffer, File

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

UNSEEN = "\x85\xa0\xad\u034f\u061c\u115f\u1160\u1680\u180e\u2028\u2029\u202f\u205f\u2060\u2800\u3000\u3164\ufeff\uffa0"
BLANK = b"|".join(letter.encode() for letter in (*UNSEEN, *map(chr, range(0x2000, 0x2010))))
"""Letters in UTF-8 that nobody sees: Unicode's blanks but for ASCII's, and marks without a width."""

BLANK_AT_AN_END = re.compile(b"^(?:%b)|(?:%b)$" % (BLANK, BLANK))

HEAD = re.compile(rb"(?:\s*+#[^\n]*+)*+\s*+")
"""Comments and blank lines before the first row."""

ROW = 120
"""About so many bytes a row takes while a file is read line by line."""

LARGEST_WHOLE = 1 << 16
"""Grades up to this one are read by the loops in C; there is a table of them."""


def read_score(text: bytes) -> float:
    shown = quoted(text.decode(errors="backslashreplace"))
    try:
        score = float(text)
    except ValueError:
        raise InputError(f"score {shown} is not a number; repair the line") from None
    if b"_" in text or not isfinite(score):
        why = "is not finite; a ranking needs comparable scores" if b"_" not in text else "is not a number; repair the line"
        raise InputError(f"score {shown} {why}")
    return score


def read_grade(text: bytes) -> Fraction:
    return exact_grade(text.decode(errors="backslashreplace"))


@frozen(eq=False)
class Format:
    """What the columns of a kind of file are."""

    kind: str
    columns: tuple[str, ...]
    value: int  # which column holds it
    read: Callable[[bytes], Any]


RUN = Format("run", ("topic", "Q0", "document", "rank", "score", "tag"), 4, read_score)
QRELS = Format("judgment file", ("topic", "iteration", "document", "grade"), 3, read_grade)


@frozen(eq=False)
class Read:
    """What a file holds: its rows by topic and tag."""

    rows: Grouped
    grades: tuple[Fraction, ...] | None  # which the values are places in; None if they are what they say
    caveats: tuple[Caveat, ...]


def read_run_file(file: File) -> list[Run]:
    """The runs of a file, one for each tag, in the order of their first lines."""
    with _in_buffer(file) as (text, size):
        read = _read(file, RUN, text, size)
        comments, rows = comments_of(text[:size]), read.rows
        found = []
        for name, own in rows.by_system().items():
            order, ends = rows.part(own)
            run = Run(
                name=name,
                topics=tuple(rows.topics[group] for group in own),
                ends=ends,
                documents=Names.cut(rows.text, rows.starts[order], rows.lengths[order]),
                scores=rows.scores[order].copy(),
                caveats=read.caveats,
                source=file.name,
                comments=comments,
            )
            found.append(run)
        return found


def read_qrels_file(file: File) -> Qrels:
    """The judgments of a file."""
    with _in_buffer(file) as (text, size):
        read = _read(file, QRELS, text, size)
        rows, codes, grades = read.rows, read.rows.scores.astype(np.int64), read.grades
        if grades is None:  # whole numbers of which few are different
            lowest = int(codes.min())
            there = np.flatnonzero(np.bincount(codes - lowest))
            grades = tuple(Fraction(int(grade) + lowest) for grade in there)
            codes = np.searchsorted(there, codes - lowest)
        return Qrels(
            topics=tuple(rows.topics),
            ends=rows.ends,
            documents=Names.cut(rows.text, rows.starts, rows.lengths),
            codes=codes,
            values=grades,
            caveats=read.caveats,
            source=file.name,
            comments=comments_of(text[:size]),
        )


def judge_file(judging: Judging, file: File, name: str | None = None) -> list[Ranked]:
    """The runs of a file, judged as it is read."""
    with _in_buffer(file) as (text, size):
        rows = None
        if native.library():
            rows = _plain(RUN, text, size, judging.qrels.index, judging.wanted, judging.options)
        if rows is None or rows.status is not native.Status.DONE:
            read = _read(file, RUN, text, size)
            return judging.rank(read.rows, file.name, read.caveats)
        topics, systems = _names(rows, text)
        _check_last_line(file, text, size, systems, rows.groups["count"])
        return judging.ranked(rows, text, systems, topics, file.name, ())


_kept = local()

LARGE = 1 << 26
"""A buffer of more bytes is not kept for the next file."""


@contextmanager
def _in_buffer(file: File) -> Iterator[tuple[Any, int]]:
    """The bytes of a file, without a byte order mark, in a buffer that the next file of this thread gets."""
    buffer: Buffer = getattr(_kept, "buffer", None) or Buffer()
    _kept.buffer = None  # should reading one file lead to another
    size = file.read(buffer)
    head = buffer.array[: min(size, 3)].tobytes()
    mark = len(BYTE_ORDER_MARK) if head == BYTE_ORDER_MARK else 0
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("is written in UTF-16; save it as UTF-8", file.name, 1)
    yield buffer.array[mark:], size - mark
    _kept.buffer = buffer if len(buffer.array) < LARGE else None


def comments_of(data: Any) -> str:
    """The comments at the head of a file; what is not UTF-8 in them is replaced."""
    if not len(data) or data[0] != ord("#"):
        return ""
    text = data.tobytes()
    head = HEAD.match(text)
    return text[: head.end() if head else 0].decode(errors="replace").rstrip()


def _read(file: File, form: Format, text: Any, size: int) -> Read:
    """The rows of a file in memory."""
    wanted = {"starts", "lengths", "values"}
    rows = _plain(form, text, size, None, wanted, native.AS_THEY_STAND) if native.library() else None
    scattered = rows is not None and rows.status is native.Status.SCATTERED
    if rows is not None and scattered:
        rows = _plain(form, text, size, None, {*wanted, "owners"}, native.AS_THEY_STAND)
    if rows is None:
        return _line_by_line(file, form, text[:size].tobytes())
    topics, systems = _names(rows, text)
    order = np.argsort(rows.owners, kind="stable") if scattered else slice(None)
    counts = np.bincount(rows.owners) if scattered else rows.groups["count"]
    found = Grouped(
        text, rows.starts[order], rows.lengths[order], rows.values[order], np.cumsum(counts), topics, systems
    )
    whole = form is RUN or bool((np.abs(found.scores) < LARGEST_WHOLE).all() and not (found.scores % 1).any())
    if not whole or (scattered and found.has_repeats()):
        return _line_by_line(file, form, text[:size].tobytes())
    if form is RUN:
        _check_last_line(file, text, size, systems, counts)
    elif found.scores.min() < SMALLEST:
        return _line_by_line(file, form, text[:size].tobytes())
    return Read(found, None, ())


def _plain(
    form: Format, text: Any, size: int, index: native.Index | None, wanted: set[str], options: int
) -> native.Rows | None:
    """What the loops in C give of a file; None where something in it is not plain."""
    rows = native.read(text, size, len(form.columns), index=index, wanted=wanted, options=options)
    if rows.status is native.Status.NUMBERS:
        known = rows.numbers
        try:
            for number in known:
                written = text[number["start"] : number["start"] + number["length"]].tobytes()
                number["value"] = form.read(written)
        except InputError:
            return None
        rows = native.read(text, size, len(form.columns), index=index, wanted=wanted, options=options, known=known)
    if rows.status not in (native.Status.DONE, native.Status.SCATTERED) or not len(rows.groups):
        return None
    if rows.beyond_ascii and not _has_plain_names(text[:size].tobytes()):
        return None
    return rows


def _has_plain_names(data: bytes) -> bool:
    """Whether a text is UTF-8 and has no blanks that nobody sees."""
    try:
        for at in range(0, len(data), PIECE):
            # a letter has at most four bytes, of which a piece may cut the last
            data[at : at + PIECE].decode() if at + PIECE >= len(data) else None
    except UnicodeDecodeError:
        return False
    return re.search(BLANK, data) is None
