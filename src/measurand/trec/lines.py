"""Reading line by line: the definition of TREC's formats, and the place where errors are explained.

Every other format of files (`measurand.trec.formats`) becomes `Lines` as well, so that what is wrong with a value, a
name or a repetition is found and said in one place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import groupby, islice
from math import isfinite
from operator import itemgetter, methodcaller
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.errors import Caveat, CaveatKind, InputError, InputFileError, ParameterError
from measurand.exact import decimal, rational
from measurand.judged import bounds_of
from measurand.judged.content import checked_grade
from measurand.judged.grades import CodedGrades
from measurand.trec.files import Content
from measurand.trec.metadata import BYTE_ORDER_MARK, head_length
from measurand.trec.run import Qrels, Run, repeated

_SPACES = methodcaller("count", b" ")

_ODD = (b"#", b"\t", b"\r", b"\x0b", b"\x0c", b"  ")


_UNSEEN = "\x85\xa0\xad\u034f\u061c\u115f\u1160\u1680\u180e\u2028\u2029\u202f\u205f\u2060\u2800\u3000\u3164\ufeff\uffa0"
BLANKS = [*_UNSEEN, *map(chr, range(0x2000, 0x2010))]
"""Letters that nobody sees at the ends of a name: Unicode's blanks but for ASCII's, and marks without a width."""

BLANK = b"|".join(letter.encode() for letter in BLANKS)
"""The pattern of any of them in UTF-8."""

_AT_AN_END = b"^(?:%b)|(?:%b)$" % (BLANK, BLANK)


@frozen(eq=False, repr=False)
class Format:
    """What the columns of a kind of file are.

    Parameters
    ----------
    kind
        What to call such a file.
    columns
        The names of its columns.
    value
        Which column holds the value.
    read
        Reads a value; raises ValueError when it cannot be right.
    open_ended
        Whether further columns may follow, to be ignored.
    wanted
        What a value should have been, and what to do.

    Examples
    --------
    >>> RUN.place("document"), RUN.place("iteration"), RUN.value_name
    (2, None, 'score')
    """

    kind: str
    columns: tuple[str, ...]
    value: int
    read: Callable[[bytes], float | Fraction] = field()
    open_ended: bool = False
    wanted: str = "number; repair the line"

    @property
    def value_name(self) -> str:
        """What the value is called."""
        return self.columns[self.value]

    def place(self, column: str) -> int | None:
        """Return where a column stands, or None if there is none of this name.

        Parameters
        ----------
        column
            The name of the column.
        """
        return self.columns.index(column) if column in self.columns else None


def read_score(text: bytes) -> float:
    """Return a score, which must be a finite number."""
    if b"_" in text:
        raise ValueError("is not a number")
    score = float(text)
    if not isfinite(score):
        raise ValueError("is not finite; a ranking needs comparable scores")
    return score


def read_grade(text: bytes) -> int | Fraction:
    """Return a grade, exactly: a whole number, one with decimals such as 0.7, or a quotient such as 1/3."""
    if b"_" in text:
        raise ValueError("is not a number")
    try:
        return checked_grade(rational(text.decode()))
    except InputError as error:
        raise ValueError(f"is {str(error).partition(' is ')[2]}") from None
    except ParameterError:
        raise ValueError("is not a number") from None


RUN = Format("run", ("topic", "Q0", "document", "rank", "score", "tag"), 4, read_score, open_ended=True)
_LABELS = "number; map the labels to 0, 1, 2, …"
QRELS = Format("judgment file", ("topic", "iteration", "document", "grade"), 3, read_grade, wanted=_LABELS)


def read_runs(content: Content) -> list[Run]:
    """Return the runs of a run file, one for every run tag, in the order of their first lines.

    Parameters
    ----------
    content
        The file.
    """
    return runs_of(content, RUN, lines_of(content, RUN))


def runs_of(content: Content, form: Format, lines: Lines) -> list[Run]:
    """Return the runs in some lines, one for every run tag, in the order of their first lines.

    Parameters
    ----------
    content
        The file, for complaints.
    form
        What its columns are.
    lines
        Its lines.
    """
    places: dict[bytes, list[int]] = {tag: [] for tag in dict.fromkeys(lines.tags)}
    if len(places) < 2:
        return [_run(content, form, lines)]
    for place, tag in enumerate(lines.tags):
        places[tag].append(place)
    return [_run(content, form, lines.take(mine)) for mine in places.values()]


def _run(content: Content, form: Format, lines: Lines) -> Run:
    lines, _ = _without_repeats(content, form, _contiguous(lines))
    return Run(
        name=_text(content, lines.numbers[0], lines.tags[0]) if lines.tags else "",
        source=content.name,
        scores=np.array(_values(content, form, lines), dtype=np.float64),
        caveats=(*_overlong(content, form, lines), *_blanks(content, lines)),
        **_by_topic(content, lines),
    )


def read_qrels(content: Content) -> Qrels:
    """Return the judgments of a judgment file.

    Parameters
    ----------
    content
        The file.
    """
    return qrels_of(content, QRELS, lines_of(content, QRELS))


def qrels_of(content: Content, form: Format, lines: Lines) -> Qrels:
    """Return the judgments in some lines.

    Parameters
    ----------
    content
        The file, for complaints.
    form
        What its columns are.
    lines
        Its lines.
    """
    lines, repeats = _without_repeats(content, form, _contiguous(lines))
    return Qrels(
        grades=CodedGrades.of(_values(content, form, lines)),
        caveats=(*repeated(repeats, content.name), *_blanks(content, lines)),
        **_by_topic(content, lines),
    )


@frozen(eq=False, repr=False)
class Lines:
    """The lines of a file that hold anything: their numbers, and their fields column by column.

    Parameters
    ----------
    numbers
        The numbers of the lines, from 1; None where a format has no lines.
    topics, documents, values
        What they say of which document of which topic.
    tags
        The runs that they belong to; empty where there is no such column.
    iterations
        The second column of judgments; empty where there is no such column.
    overlong
        The numbers of lines that have more columns than are read.
    """

    numbers: Sequence[int | None]
    topics: Sequence[bytes]
    documents: Sequence[bytes]
    values: Sequence[bytes]
    tags: Sequence[bytes] = ()
    iterations: Sequence[bytes] = ()
    overlong: Sequence[int] = ()

    def take(self, places: Sequence[int]) -> Lines:
        """Return the lines at some places.

        Parameters
        ----------
        places
            Their places, from 0.
        """
        numbers = [self.numbers[place] for place in places]
        columns = {name: getattr(self, name) for name in ("topics", "documents", "values", "tags", "iterations")}
        taken = {name: [column[place] for place in places] for name, column in columns.items() if column}
        return evolve(self, numbers=numbers, overlong=sorted(set(self.overlong).intersection(numbers)), **taken)


def unmarked(content: Content) -> bytes:
    """Return what a file of text holds without a byte order mark, or complain of what is no such file.

    Parameters
    ----------
    content
        The file.
    """
    if content.before:  # a part of a file, which does not begin it
        return content.data
    data = content.data.removeprefix(BYTE_ORDER_MARK)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise content.fail(1, "is written in UTF-16; save it as UTF-8")
    if b"\r" in data.strip() and b"\n" not in data:
        raise content.fail(1, "ends its lines with carriage returns alone; convert it (tr '\\r' '\\n')")
    return data


def decoded(content: Content, data: bytes) -> str:
    """Return what a file holds as text, or say in which line it is not UTF-8.

    Parameters
    ----------
    content
        The file, for complaints.
    data
        What it holds.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        for word in data.split(b"\n")[number - 1].split():
            _text(content, content.before + number, word)
        raise


def lines_of(content: Content, form: Format) -> Lines:
    """Return the lines of a file whose columns are parted by spaces and tabs.

    Parameters
    ----------
    content
        The file.
    form
        What its columns are.
    """
    content.check_objects(b" \t\n", 115)
    data = unmarked(content)
    wanted = len(form.columns)
    head = head_length(data)
    rows = data[head:]
    lines = rows.removesuffix(b"\n").split(b"\n")
    if not any(odd in rows for odd in _ODD) and set(map(_SPACES, lines)) == {wanted - 1}:
        fields = rows.split()
        # with single spaces alone between fields no line has too many, so none can have too few
        if len(fields) == wanted * len(lines):
            first = content.before + data.count(b"\n", 0, head) + 1
            return _arranged(form, range(first, first + len(lines)), lambda column: fields[column::wanted])
    return _irregular(content, form, [line.split() for line in data.removesuffix(b"\n").split(b"\n")])


def _irregular(content: Content, form: Format, lines: list[list[bytes]]) -> Lines:
    """Return the lines of a file with comments, blanks, odd spacing or errors."""
    wanted = len(form.columns)
    places = [place for place, line in enumerate(lines) if line and not line[0].startswith(b"#")]
    if not places:
        raise content.fail(None, f"is empty: a {form.kind} has lines of {wanted} columns ({' '.join(form.columns)})")
    kept, numbers = [lines[place] for place in places], [content.before + place + 1 for place in places]
    sizes = [len(line) for line in kept]
    if max(sizes) == min(sizes) == wanted:
        return _arranged(form, numbers, list(zip(*kept, strict=True)).__getitem__)
    for number, n in zip(numbers, sizes, strict=True):
        if n < wanted or (n > wanted and not form.open_ended):
            columns = f"{n} column{'s' if n > 1 else ''} where a {form.kind} has {wanted}"
            raise content.fail(number, f"{columns} ({' '.join(form.columns)}); {_advice(form, n)}")
    overlong = [number for number, n in zip(numbers, sizes, strict=True) if n > wanted]
    return _arranged(form, numbers, list(zip(*(line[:wanted] for line in kept), strict=True)).__getitem__, overlong)


def _arranged(
    form: Format, numbers: Sequence[int], column: Callable[[int], Sequence[bytes]], overlong: Sequence[int] = ()
) -> Lines:
    """Return lines from their columns by place."""
    wanted = (form.place(name) for name in ("topic", "document", form.value_name, "tag", "iteration"))
    topics, documents, values, tags, iterations = (() if place is None else column(place) for place in wanted)
    return Lines(numbers, topics, documents, values, tags, iterations, overlong)


def _advice(form: Format, n: int) -> str:
    """Return what to do about a line of `n` columns; often files were given in the wrong order."""
    other = RUN if form is QRELS else QRELS
    return f"is this a {other.kind}, in the place of a {form.kind}?" if n == len(other.columns) else "repair the line"


def _by_topic(content: Content, lines: Lines) -> dict[str, Any]:
    """Return topics, their bounds and the documents of lines that stand topic by topic."""
    spans = [(topic, len(list(span))) for topic, span in groupby(lines.topics)]
    bounds = bounds_of([size for _, size in spans])
    starts = [lines.numbers[start] for start in bounds[:-1].tolist()]
    topics = tuple(_text(content, number, topic) for number, (topic, _) in zip(starts, spans, strict=True))
    return {"topics": topics, "bounds": bounds, "documents": _documents(content, lines)}


def _contiguous(lines: Lines) -> Lines:
    """Return the lines with those of one topic together, topics and lines in the order of appearance."""
    spans = [topic for topic, _ in groupby(lines.topics)]
    first = {topic: place for place, topic in reversed(list(enumerate(spans)))}
    if len(first) == len(spans):
        return lines
    return lines.take(sorted(range(len(lines.topics)), key=lambda place: first[lines.topics[place]]))


def _overlong(content: Content, form: Format, lines: Lines) -> tuple[Caveat, ...]:
    if not lines.overlong:
        return ()
    many = f"{len(lines.overlong)} lines have more than {len(form.columns)} columns"
    text = f"{content.name}:{lines.overlong[0]}: {many}; what follows the {form.columns[-1]} is ignored"
    return (Caveat(CaveatKind.EXTRA_COLUMNS, text),)


def _blanks(content: Content, lines: Lines) -> tuple[Caveat, ...]:
    """Return the caveat that names begin or end with blanks that nobody sees, and are other names than without."""
    if content.data.isascii():
        return ()
    columns = {"topic": lines.topics, "document": lines.documents, "run tag": lines.tags}
    odd = {
        (what, name): place
        for what, column in columns.items()
        for name, place in zip(reversed(column), range(len(column) - 1, -1, -1), strict=True)
        if re.search(_AT_AN_END, name)
    }
    if not odd:
        return ()
    (what, name), place = min(odd.items(), key=itemgetter(1))
    number, found = lines.numbers[place], re.search(_AT_AN_END, name)
    letter = f"U+{ord(found[0].decode()):04X}" if found else ""
    where = content.name if number is None else f"{content.name}:{number}"
    many = "1 name begins or ends" if len(odd) == 1 else f"{len(odd)} names begin or end"
    such = f"{what} {_text(content, number, name)!r}, at an end of which is {letter}"
    return (Caveat(CaveatKind.BLANKS, f"{where}: {many} with blanks that cannot be seen, such as {such}"),)


def _values(content: Content, form: Format, lines: Lines) -> list[Any]:
    column = lines.values
    if form.read is read_score:
        # many numbers at once; only where something is amiss is each looked at by itself
        with suppress(ValueError):
            scores = list(map(float, column))
            if all(map(isfinite, scores)) and b"_" not in b"".join(column):
                return scores
    # there are few different grades
    first = dict(zip(reversed(column), reversed(range(len(column))), strict=True))
    values = {text: _value(content, form, lines, place) for text, place in sorted(first.items(), key=itemgetter(1))}
    return [values[text] for text in column]


def _value(content: Content, form: Format, lines: Lines, place: int) -> float | Fraction:
    """Return the value of a line, or say what is wrong with it."""
    number, text = lines.numbers[place], lines.values[place]
    try:
        return form.read(text)
    except ValueError as error:
        why = str(error) if str(error).startswith("is ") else f"is not a {form.wanted}"
        raise content.fail(number, f"{form.value_name} {_text(content, number, text)!r} {why}") from None


def _without_repeats(content: Content, form: Format, lines: Lines) -> tuple[Lines, int]:
    """Return the lines without repeated judgments, and how many those were; contradictions are errors."""
    documents = iter(lines.documents)
    sizes = [len(list(span)) for _, span in groupby(lines.topics)]
    if all(len(set(islice(documents, size))) == size for size in sizes):
        return lines, 0
    pairs = list(zip(lines.topics, lines.documents, strict=True))
    first: dict[tuple[bytes, bytes], int] = {}
    for place, pair in enumerate(pairs):
        earlier = first.setdefault(pair, place)
        if earlier == place:
            continue
        if form.kind == RUN.kind:
            raise _twice(content, lines, earlier, place)
        grades = [_value(content, form, lines, where) for where in (earlier, place)]
        if grades[0] != grades[1]:
            raise _contradiction(content, lines, {earlier: grades[0], place: grades[1]})
    return lines.take(list(first.values())), len(pairs) - len(first)


def _twice(content: Content, lines: Lines, earlier: int, place: int) -> InputFileError:
    """Return the complaint of a document that a run has twice in a topic."""
    before, number = lines.numbers[earlier], lines.numbers[place]
    topic, document = _pair(content, lines, place)
    where = "" if number is None or before == number else f": lines {before} and {number}"
    return content.fail(number, f"document {document} stands twice in topic {topic}{where}; remove one")


def _contradiction(content: Content, lines: Lines, grades: dict[int, float | Fraction]) -> InputFileError:
    """Return the complaint of a document with two grades; where these are those of two subtopics, it says so."""
    topic, document = _pair(content, lines, max(grades))
    numbers = [lines.numbers[place] for place in grades]
    in_lines = ["" if number is None else f" in line {number}" for number in numbers]
    said = [f"{_shown(grade)}{where}" for grade, where in zip(grades.values(), in_lines, strict=True)]
    parts = [_text(content, lines.numbers[place], lines.iterations[place]) for place in grades if lines.iterations]
    if len(set(parts)) < 2 or set(parts) <= {"0", "Q0"}:
        return content.fail(
            numbers[1], f"document {document} of topic {topic} has grade {' and '.join(said)}; keep one"
        )
    both = " and ".join(f"{grade} for subtopic {part}" for part, grade in zip(parts, said, strict=True))
    return content.fail(
        numbers[1],
        "these are subtopic judgments, as diversity tasks have (ndeval: topic subtopic document grade), which are not"
        f" read here: document {document} of topic {topic} has grade {both}; keep one line for each document, such as"
        f" those of one subtopic (awk '$2 == \"{parts[0]}\"')",
    )


def _shown(value: float | Fraction) -> str:
    return decimal(value) if isinstance(value, Fraction) else str(value)


def _pair(content: Content, lines: Lines, place: int) -> tuple[str, str]:
    """Return the topic and the document of a line."""
    number = lines.numbers[place]
    return _text(content, number, lines.topics[place]), _text(content, number, lines.documents[place])


def _documents(content: Content, lines: Lines) -> list[str]:
    try:
        # hardly a name holds a line break
        found = b"\n".join(lines.documents).decode().split("\n")
    except UnicodeDecodeError:
        found = []
    if len(found) != len(lines.documents):
        return [_text(content, number, name) for number, name in zip(lines.numbers, lines.documents, strict=True)]
    return found


def _text(content: Content, number: int | None, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        shown = data.decode(errors="backslashreplace")
        raise content.fail(number, f"{shown!r} is not UTF-8; convert the file (iconv -t UTF-8)") from None
