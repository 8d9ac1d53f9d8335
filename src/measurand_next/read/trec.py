"""TREC's files of runs and judgments, read in one pass by the loops in C, or line by line.

The loops read what is plain: every line right, in UTF-8, no document twice in a topic. To read line by line is the
definition: it copes with the rest, or says what is wrong.
"""

from __future__ import annotations

import re
from array import array
from codecs import getincrementaldecoder
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from io import BytesIO
from math import isfinite
from threading import local
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand_next import native
from measurand_next.data.judge import Grouped, JudgedRun, Judging, groups_by_system
from measurand_next.data.names import Names
from measurand_next.data.qrels import GRADE_LIMIT, SMALLEST, Qrels, check_grades, exact_grade
from measurand_next.data.rows import unwritable
from measurand_next.data.run import Run
from measurand_next.errors import Caveat, CaveatKind, InputError, quoted, short
from measurand_next.read.files import PIECE, Buffer, File
from measurand_next.show.blocks import counted

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

UNSEEN = "\x85\xa0\xad\u034f\u061c\u115f\u1160\u1680\u180e\u2028\u2029\u202f\u205f\u2060\u2800\u3000\u3164\ufeff\uffa0"
BLANK = b"|".join(letter.encode() for letter in ("\0", *UNSEEN, *map(chr, range(0x2000, 0x2010))))
"""Letters in UTF-8 that nobody sees: Unicode's blanks but for ASCII's, marks without a width, and zero bytes."""

ANY_BLANK, BLANK_AT_AN_END = re.compile(BLANK), re.compile(b"^(?:%b)|(?:%b)$" % (BLANK, BLANK))

HEAD = re.compile(rb"(?:\s*+#[^\n]*+)*+\s*+")
"""Comments and blank lines before the first row."""

ROW = 100
"""About so many bytes a row takes while a file is read."""

LARGEST_WHOLE = 1 << 16
"""Grades up to this one are read by the loops in C; there is a table of them."""

TAG_LIMIT = 10_000

WORDS = 8
"""So many words of a line are told apart: more than any kind of file has columns."""

NOTED = 1000
"""So many odd names are looked at."""

LARGE = 1 << 24
"""A buffer of more bytes is not used again for the next file."""


def read_score(text: bytes) -> float:
    try:
        score = float(text)
    except ValueError:
        raise _wrong_score(text, "not a number; repair the line") from None
    if b"_" in text:  # 1_000 is one in Python alone
        raise _wrong_score(text, "not a number; repair the line")
    if not isfinite(score):
        raise _wrong_score(text, "not finite; a ranking needs comparable scores")
    return score


def _wrong_score(text: bytes, why: str) -> InputError:
    return InputError(f"score {quoted(text.decode(errors='backslashreplace'))} is {why}")


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
TOPIC, ITERATION, DOCUMENT, TAG = 0, 1, 2, 5


@frozen(eq=False)
class FileRows:
    """What a file holds."""

    rows: Grouped
    grades: tuple[Fraction, ...] = ()  # whose codes the values are, in judgments
    caveats: tuple[Caveat, ...] = ()


def read_run_file(file: File) -> list[Run]:
    """The runs of a file, one for each tag, in the order of their first lines."""
    with _in_buffer(file) as (text, size):
        read = _read(file, RUN, text, size)
        rows, comments = read.rows, comments_of(text[:size])
        return [
            Run(
                name=name,
                topics=tuple(rows.topics[group] for group in groups),
                ends=np.cumsum(rows.sizes[groups]),
                documents=Names.cut(rows.text, rows.starts[own], rows.lengths[own]),
                scores=rows.values[own],
                caveats=read.caveats,
                source=file.name,
                comments=comments,
            )
            for name, groups in groups_by_system(rows.systems).items()
            for own in [rows.rows_of(groups)]
        ]


def read_qrels_file(file: File) -> Qrels:
    """The judgments of a file."""
    with _in_buffer(file) as (text, size):
        read = _read(file, QRELS, text, size)
        rows = read.rows
        return Qrels(
            topics=tuple(rows.topics),
            ends=rows.ends,
            documents=Names.cut(rows.text, rows.starts, rows.lengths),
            codes=unwritable(rows.values.astype(np.int64)),
            values=read.grades,
            caveats=read.caveats,
            source=file.name,
            comments=comments_of(text[:size]),
        )


def judge_file(judging: Judging, file: File) -> list[JudgedRun]:
    """The runs of a file, judged as it is read."""
    with _in_buffer(file) as (text, size):
        rows = None
        if native.library():
            rows = _plain(RUN, text, size, judging.qrels.index, judging.wanted, judging.options)
        if rows is None or rows.status is not native.Status.DONE:
            read = _read(file, RUN, text, size)
            return judging.judge(read.rows, file.name, read.caveats)
        systems = _tags_of(rows, file, text)
        check_last_line(file, text[:size], systems, rows.groups["count"])
        return judging.arrange(rows, text, systems, _topics_of(rows, text), file.name)


_buffers = local()


@contextmanager
def _in_buffer(file: File) -> Iterator[tuple[Any, int]]:
    """The bytes of a file, without a byte order mark, in a buffer that the next file of this thread gets."""
    buffer: Buffer = getattr(_buffers, "buffer", None) or Buffer()
    _buffers.buffer = None  # should reading one file lead to another
    size = file.read(buffer)
    head = buffer.array[: min(size, 3)].tobytes()
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("is written in UTF-16; save it as UTF-8", file.name, 1)
    mark = len(BYTE_ORDER_MARK) if head == BYTE_ORDER_MARK else 0
    if size > LARGE:
        file.check_room(size + ROW * native.count_lines(buffer.array, size))
    yield buffer.array[mark:], size - mark
    _buffers.buffer = buffer if len(buffer.array) < LARGE else None


def width_of(file: File) -> int:
    """How many columns the first row of a file has."""
    with _in_buffer(file) as (text, size):
        return next((len(words) for *_, words in rows_in(text[: min(size, PIECE)].tobytes())), 0)


def rows_in(data: bytes) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """Each line that is neither blank nor a comment: its number, the line, and its words, of many the first ones."""
    for number, line in enumerate(BytesIO(data), 1):
        words = line.split(None, WORDS - 1)
        if words and not words[0].startswith(b"#"):
            yield number, line, words


def comments_of(data: Any) -> str:
    """The comments at the head of a file; what is not UTF-8 in them is replaced."""
    if not data[:ROW].tobytes().lstrip().startswith(b"#"):
        return ""
    text: bytes = data[:PIECE].tobytes()
    head = HEAD.match(text)
    return text[: head.end() if head else 0].decode(errors="replace").rstrip()


def _read(file: File, form: Format, text: Any, size: int) -> FileRows:
    """The rows of a file, group after group, in the order of its lines."""
    found = _read_in_c(file, form, text, size) if native.library() else None
    return found or _Lines(file, form, text[:size].tobytes()).read()


def _read_in_c(file: File, form: Format, text: Any, size: int) -> FileRows | None:
    """The rows of a file in which all is plain."""
    wanted, options = {"starts", "lengths", "values"}, native.AS_THEY_STAND
    rows = _plain(form, text, size, None, wanted, options)
    scattered = rows is not None and rows.status is native.Status.SCATTERED
    if scattered:
        rows = _plain(form, text, size, None, {*wanted, "owners"}, options)
    if rows is None:
        return None
    topics, systems = _topics_of(rows, text), _tags_of(rows, file, text)
    order: Any = slice(None)
    if scattered:
        order = np.argsort(rows.owners, kind="stable")
        rows.groups["count"] = np.bincount(rows.owners)
    ends = np.cumsum(rows.groups["count"])
    found = Grouped(text, rows.starts[order], rows.lengths[order], rows.values[order], ends, topics, systems)
    if scattered and found.has_repeats():
        return None
    if form is RUN:
        check_last_line(file, text[:size], systems, found.sizes)
        return FileRows(found)
    if (found.values % 1).any() or found.values.min() < SMALLEST or found.values.max() > LARGEST_WHOLE:
        return None
    numbers = found.values.astype(np.int64) - SMALLEST
    there = np.flatnonzero(np.bincount(numbers))
    if len(there) > GRADE_LIMIT:
        return None
    grades = tuple(Fraction(number + SMALLEST) for number in there.tolist())
    return FileRows(evolve(found, values=np.searchsorted(there, numbers).astype(np.float64)), grades)


def _plain(
    form: Format, text: Any, size: int, index: native.Index | None, wanted: set[str], options: int
) -> native.Rows | None:
    """What the loops in C give of a file; None where something in it is not plain."""
    rows = native.read(text, size, len(form.columns), index=index, wanted=wanted, options=options)
    if rows.status not in (native.Status.DONE, native.Status.SCATTERED) or not len(rows.groups):
        return None
    return None if rows.beyond_ascii and not _has_plain_names(text[:size]) else rows


def _has_plain_names(text: Any) -> bool:
    """Whether a text is UTF-8 and has no blanks that nobody sees."""
    decoder = getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(text), PIECE):
            decoder.decode(text[start : start + PIECE].tobytes(), final=start + PIECE >= len(text))
    except UnicodeDecodeError:
        return False
    return ANY_BLANK.search(text) is None


def _topics_of(rows: native.Rows, text: Any) -> list[str]:
    """The topic of each group."""
    spans = zip(memoryview(rows.groups["start"]), memoryview(rows.groups["length"]), strict=True)
    return [text[start : start + length].tobytes().decode() for start, length in spans]


def _tags_of(rows: native.Rows, file: File, text: Any) -> list[str]:
    """The tag of each group; tags of groups that follow each other stand in the same place."""
    names: dict[bytes, str] = {}
    known: dict[int, str] = {}
    starts = memoryview(rows.groups["tag_start"])  # there may be millions, of which lists would be large
    for start, length in zip(starts, memoryview(rows.groups["tag_length"]), strict=True):
        if start not in known:
            tag = text[start : start + length].tobytes()
            known[start] = names.setdefault(tag, tag.decode())
            check_tags(file, names)
    return [known[start] for start in starts]


def check_tags(file: File, tags: Collection[Any]) -> None:
    """Refuse a file of very many run tags."""
    if len(tags) > TAG_LIMIT:
        why = f"holds more than {TAG_LIMIT:,} runs, with a run tag of their own each; is its sixth column the run tag?"
        raise InputError(why, file.name)


def check_last_line(file: File, text: Any, tags: Sequence[str], sizes: Any) -> None:
    """Refuse a file that was cut inside the tag of its last line: another tag begins so, and this one stands once."""
    tag = tags[-1]
    if sizes[-1] != 1 or tag in tags[:-1] or not any(other.startswith(tag) for other in tags[:-1]):
        return
    data = text.tobytes()
    words = data[data.rfind(b"\n") + 1 :].split()
    if len(words) == len(RUN.columns) and words[TAG] == tag.encode() and data.endswith(words[TAG]):
        why = f"the file ends within the tag {quoted(tag)}, as if truncated"
        raise InputError(f"{why}; copy it again, or end the line if it is whole", file.name, data.count(b"\n") + 1)


class _Lines:
    """A file that is read line by line: what is odd is coped with, and the first line that is wrong is named."""

    def __init__(self, file: File, form: Format, data: bytes) -> None:
        self.file, self.form, self.data = file, form, data
        self.text = bytearray()  # the names of documents
        self.ends, self.values, self.owners, self.hashes = array("q"), array("d"), array("i"), array("q")
        self.topics, self.tags = list[bytes](), list[str]()  # of each group
        self.groups: dict[bytes, tuple[str, dict[bytes, int]]] = {}  # by tag and topic
        self.codes: dict[bytes, int] = {}  # of grades, by spelling
        self.grades: list[Fraction] = []
        self.odd_names: dict[tuple[str, bytes], int] = {}  # and the line in which each stands first
        self.long_lines, self.first_long = 0, 0

    def read(self) -> FileRows:
        """The rows of the file, or an error."""
        due = 1 << 16
        try:
            for number, line, words in rows_in(self.data):
                self._add(number, line, words)
                if len(self.ends) == due:  # a file may be one line a hundred million times
                    self._repeats()
                    due *= 2
        except InputError as error:
            self._repeats()  # a line before may be wrong
            if not self.ends and self.data.lstrip().startswith((b"{", b"[", b"PAR1")):
                why = "is JSON or parquet, and no TREC file; other formats come later"
                raise self._wrong(error.line, why) from None
            raise
        repeats = self._repeats()
        if not self.ends:
            raise self._wrong(None, f"is empty; a {self.form.kind} has columns: {' '.join(self.form.columns)}")
        return self._arranged(repeats)

    def _add(self, number: int, line: bytes, words: list[bytes]) -> None:
        """Take a line as a row."""
        form, n = self.form, len(words)
        if n > len(form.columns) and b"\r" in line.rstrip():
            raise self._wrong(number, "ends its lines with carriage returns alone; convert it (tr '\\r' '\\n')")
        if n < len(form.columns) or (n > len(form.columns) and form is QRELS):
            many = f"more than {n - 1} columns" if n == WORDS else counted(n, "column")
            raise self._wrong(number, f"{many} where a {form.kind} has {self._columns()}; {self._advice(words)}")
        if n > len(form.columns):
            self.long_lines += 1
            self.first_long = self.first_long or number
        topic, document, value, tag = words[TOPIC], words[DOCUMENT], words[form.value], b""
        try:
            if form is RUN:
                tag = words[TAG]
                self.values.append(form.read(value))
            else:
                if value not in self.codes:
                    check_grades(self.codes)
                    self.grades.append(form.read(value))
                    self.codes[value] = len(self.codes)
                self.values.append(self.codes[value])
        except InputError as error:
            raise self._wrong(number, error.why) from None
        if tag not in self.groups:
            self._check_name("run tag", tag, number)
            self.groups[tag] = (tag.decode(), {})
            check_tags(self.file, self.groups)
        name, owners = self.groups[tag]
        owner = owners.get(topic)
        if owner is None:
            self._check_name("topic", topic, number)
            owner = owners[topic] = len(self.topics)
            self.topics.append(topic)
            self.tags.append(name)
        if not document.isascii() or b"\0" in document:
            self._check_name("document", document, number)
        self.text += document
        self.ends.append(len(self.text))
        self.owners.append(owner)
        self.hashes.append(hash((owner, document)))

    def _wrong(self, line: int | None, why: str) -> InputError:
        return InputError(why, self.file.name, line)

    def _columns(self) -> str:
        return f"{len(self.form.columns)} ({' '.join(self.form.columns)})"

    def _advice(self, words: list[bytes]) -> str:
        """What to do about a line of too many or too few columns; often files were given in the wrong order."""
        other = RUN if self.form is QRELS else QRELS
        swapped = len(words) == len(other.columns)
        return f"is this a {other.kind}, in the place of a {self.form.kind}?" if swapped else "repair the line"

    def _check_name(self, what: str, name: bytes, number: int) -> None:
        """Refuse a name that is not UTF-8, and note one with blanks at an end that nobody sees."""
        try:
            name.decode()
        except UnicodeDecodeError:
            shown = quoted(name).removeprefix("b")
            raise self._wrong(number, f"{shown} is not UTF-8; convert the file (iconv -t UTF-8)") from None
        if len(self.odd_names) < NOTED and BLANK_AT_AN_END.search(name):
            self.odd_names.setdefault((what, name), number)

    def _repeats(self) -> Sequence[int]:
        """Rows whose document stands before in the topic, with the same grade; else that is an error."""
        order = np.argsort(np.frombuffer(self.hashes, np.int64), kind="stable")
        hashes = np.frombuffer(self.hashes, np.int64)[order]
        same = hashes[1:] == hashes[:-1]
        if not same.any():
            return ()
        alike = np.zeros(len(order), dtype=np.bool_)
        alike[order[1:][same]] = alike[order[:-1][same]] = True
        first: dict[tuple[int, bytes], int] = {}
        repeats = array("q")
        for row in map(int, np.flatnonzero(alike)):
            document = bytes(self.text[self.ends[row - 1] if row else 0 : self.ends[row]])
            earlier = first.setdefault((self.owners[row], document), row)
            if earlier != row:
                if self.form is RUN or self._grade(earlier) != self._grade(row):
                    raise self._twice(earlier, row)
                repeats.append(row)
        return repeats

    def _grade(self, row: int) -> Fraction:
        return self.grades[int(self.values[row])]

    def _twice(self, *rows: int) -> InputError:
        """The error of a document that stands twice in a topic."""
        (before, _, one), (number, _, other) = (found for row, found in enumerate(rows_in(self.data)) if row in rows)
        parts, topic, document = (
            [short(words[column].decode(errors="backslashreplace")) for words in (one, other)]
            for column in (ITERATION, TOPIC, DOCUMENT)
        )
        what = f"document {document[0]} of topic {topic[0]}"
        if self.form is RUN:
            return self._wrong(number, f"{what} stands twice: lines {before} and {number}; remove one")
        grades = [words[self.form.value].decode() for words in (one, other)]
        said = f"{what} has grade {grades[0]} in line {before} and {grades[1]} in line {number}"
        if len(set(parts)) == 1 or set(parts) <= {"0", "Q0"}:
            return self._wrong(number, f"{said}; keep one")
        return self._wrong(
            number,
            f"{said}, for subtopics {parts[0]} and {parts[1]}: judgments of subtopics, as diversity tasks have, are not"
            f" read; keep one line for each document, such as those of one subtopic (awk '$2 == \"{parts[0]}\"')",
        )

    def _arranged(self, repeats: Sequence[int]) -> FileRows:
        """The rows, group after group, without repeats."""
        del self.hashes, self.groups
        single = np.ones(len(self.ends), dtype=np.bool_)
        single[np.array(repeats, dtype=np.int64)] = False
        owners = np.frombuffer(self.owners, np.int32)[single]
        order = np.flatnonzero(single)[np.argsort(owners, kind="stable")]
        ends, values = np.frombuffer(self.ends, np.int64), np.frombuffer(self.values)
        starts = np.concatenate(([0], ends[:-1]))
        grades = tuple(sorted(set(self.grades)))
        if self.form is QRELS:
            codes = {grade: code for code, grade in enumerate(grades)}
            values = np.array([codes[grade] for grade in self.grades])[values.astype(np.int64)]
        rows = Grouped(
            text=np.frombuffer(self.text + bytes(native.PAD), np.uint8),
            starts=starts[order],
            lengths=(ends - starts)[order],
            values=values[order],
            ends=np.cumsum(np.bincount(owners)),
            topics=[topic.decode() for topic in self.topics],
            systems=self.tags,
        )
        if self.form is RUN:
            check_last_line(self.file, np.frombuffer(self.data, np.uint8), self.tags, rows.sizes)
        return FileRows(rows, grades, tuple(self._caveats(len(repeats))))

    def _caveats(self, repeats: int) -> Iterator[Caveat]:
        name = self.file.name
        if repeats:
            text = f"{counted(repeats, 'repeated judgment')} of the same grade; each counts once"
            yield Caveat(CaveatKind.REPEATED_JUDGMENT, f"{name}: {text}")
        if self.long_lines:
            text = f"{counted(self.long_lines, 'line')} of more than {len(self.form.columns)} columns"
            text = f"{name}:{self.first_long}: {text}"
            yield Caveat(CaveatKind.EXTRA_COLUMNS, f"{text}; what follows the {self.form.columns[-1]} is ignored")
        if self.odd_names:
            (what, odd), line = min(self.odd_names.items(), key=lambda each: each[1])
            many = counted(len(self.odd_names), "name") + " or more" * (len(self.odd_names) == NOTED)
            found = BLANK_AT_AN_END.search(odd)
            letter = f"U+{ord(found[0].decode()):04X}" if found else ""
            such = f"{what} {quoted(odd.decode())}, at an end of which is {letter}"
            yield Caveat(CaveatKind.BLANKS, f"{name}:{line}: {many} with blanks that cannot be seen, such as {such}")
