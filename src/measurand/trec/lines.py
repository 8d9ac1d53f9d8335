"""Reading line by line: the definition of both formats, and the place where errors are explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby, islice
from math import isfinite
from operator import itemgetter, methodcaller
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.errors import Caveat, CaveatKind
from measurand.judged import bounds_of
from measurand.judged.content import beyond
from measurand.judged.grades import HIGHEST_GRADE
from measurand.trec.files import Content
from measurand.trec.metadata import BYTE_ORDER_MARK, head_length
from measurand.trec.run import Qrels, Run, repeated

_SPACES = methodcaller("count", b" ")

_ODD = (b"#", b"\t", b"\r", b"\x0b", b"\x0c", b"  ")


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
    """

    kind: str
    columns: tuple[str, ...]
    value: int
    read: Callable[[bytes], float] = field()
    open_ended: bool = False
    wanted: str = "number; repair the line"


def read_score(text: bytes) -> float:
    """Return a score, which must be a finite number."""
    if b"_" in text:
        raise ValueError("is not a number")
    score = float(text)
    if not isfinite(score):
        raise ValueError("is not finite; a ranking needs comparable scores")
    return score


def read_grade(text: bytes) -> int:
    """Return a grade, which must be a whole number of a size that fits."""
    if b"_" in text:
        raise ValueError("is not a whole number")
    grade = int(text)
    if abs(grade) > HIGHEST_GRADE:
        raise ValueError(f"is {beyond(grade)}; map the grades to 0, 1, 2, …")
    return grade


RUN = Format("run", ("topic", "Q0", "document", "rank", "score", "tag"), 4, read_score, open_ended=True)
_WHOLE = "whole number; map the labels to 0, 1, 2, …"
QRELS = Format("judgment file", ("topic", "iteration", "document", "grade"), 3, read_grade, wanted=_WHOLE)


def read_runs(content: Content) -> list[Run]:
    """Return the runs of a run file, one for every run tag, in the order of their first lines.

    Parameters
    ----------
    content
        The file.
    """
    lines = _lines(content, RUN)
    places: dict[bytes, list[int]] = {tag: [] for tag in dict.fromkeys(lines.columns[5])}
    if len(places) == 1:
        return [_run(content, lines)]
    for place, tag in enumerate(lines.columns[5]):
        places[tag].append(place)
    return [_run(content, lines.take(mine)) for mine in places.values()]


def _run(content: Content, lines: Lines) -> Run:
    lines, _ = _without_repeats(content, RUN, _contiguous(lines))
    return Run(
        name=_text(content, lines.numbers[0], lines.columns[5][0]),
        source=content.name,
        scores=np.array(_values(content, RUN, lines), dtype=np.float64),
        caveats=_overlong(content, RUN, lines),
        **_by_topic(content, lines),
    )


def read_qrels(content: Content) -> Qrels:
    """Return the judgments of a judgment file.

    Parameters
    ----------
    content
        The file.
    """
    lines, repeats = _without_repeats(content, QRELS, _contiguous(_lines(content, QRELS)))
    return Qrels(
        grades=np.array(_values(content, QRELS, lines), dtype=np.int64),
        caveats=repeated(repeats, content.name),
        **_by_topic(content, lines),
    )


@frozen(eq=False, repr=False)
class Lines:
    """The lines of a file that hold anything: their numbers, and their fields column by column.

    Parameters
    ----------
    numbers
        The numbers of the lines, from 1.
    columns
        Their fields, column by column.
    overlong
        The numbers of lines that have more columns than are read.
    """

    numbers: Sequence[int]
    columns: Sequence[Sequence[bytes]]
    overlong: Sequence[int] = ()

    @property
    def topics(self) -> Sequence[bytes]:
        """The column of topics."""
        return self.columns[0]

    @property
    def documents(self) -> Sequence[bytes]:
        """The column of documents."""
        return self.columns[2]

    def take(self, places: Sequence[int]) -> Lines:
        """Return the lines at some places.

        Parameters
        ----------
        places
            Their places, from 0.
        """
        numbers = [self.numbers[place] for place in places]
        columns = [[column[place] for place in places] for column in self.columns]
        return Lines(numbers, columns, sorted(set(self.overlong).intersection(numbers)))


def unmarked(content: Content) -> bytes:
    """Return what a file of text holds without a byte order mark, or complain of what is no such file.

    Parameters
    ----------
    content
        The file.
    """
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
            _text(content, number, word)
        raise


def _lines(content: Content, form: Format) -> Lines:
    data = unmarked(content)
    wanted = len(form.columns)
    head = head_length(data)
    rows = data[head:]
    lines = rows.removesuffix(b"\n").split(b"\n")
    if not any(odd in rows for odd in _ODD) and set(map(_SPACES, lines)) == {wanted - 1}:
        fields = rows.split()
        # with single spaces alone between fields no line has too many, so none can have too few
        if len(fields) == wanted * len(lines):
            first = data.count(b"\n", 0, head) + 1
            return Lines(range(first, first + len(lines)), [fields[column::wanted] for column in range(wanted)])
    return _irregular(content, form, [line.split() for line in data.removesuffix(b"\n").split(b"\n")])


def _irregular(content: Content, form: Format, lines: list[list[bytes]]) -> Lines:
    """Return the lines of a file with comments, blanks, odd spacing or errors."""
    wanted = len(form.columns)
    numbers = [number for number, line in enumerate(lines, 1) if line and not line[0].startswith(b"#")]
    if not numbers:
        raise content.fail(None, f"is empty: a {form.kind} has lines of {wanted} columns ({' '.join(form.columns)})")
    kept = [lines[number - 1] for number in numbers]
    sizes = [len(line) for line in kept]
    if max(sizes) == min(sizes) == wanted:
        return Lines(numbers, list(zip(*kept, strict=True)))
    for number, n in zip(numbers, sizes, strict=True):
        if n < wanted or (n > wanted and not form.open_ended):
            columns = f"{n} column{'s' if n > 1 else ''} where a {form.kind} has {wanted}"
            raise content.fail(number, f"{columns} ({' '.join(form.columns)}); {_advice(form, n)}")
    overlong = [number for number, n in zip(numbers, sizes, strict=True) if n > wanted]
    return Lines(numbers, list(zip(*(line[:wanted] for line in kept), strict=True)), overlong)


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


def _values(content: Content, form: Format, lines: Lines) -> list[Any]:
    column = lines.columns[form.value]
    if form is RUN:
        # many numbers at once; only where something is amiss is each looked at by itself
        with suppress(ValueError):
            scores = list(map(float, column))
            if all(map(isfinite, scores)) and b"_" not in b"".join(column):
                return scores
    # there are few different grades
    first = dict(zip(reversed(column), reversed(range(len(column))), strict=True))
    values = {text: _value(content, form, lines, place) for text, place in sorted(first.items(), key=itemgetter(1))}
    return [values[text] for text in column]


def _value(content: Content, form: Format, lines: Lines, place: int) -> float:
    """Return the value of a line, or say what is wrong with it."""
    number, text = lines.numbers[place], lines.columns[form.value][place]
    try:
        return form.read(text)
    except ValueError as error:
        why = str(error) if str(error).startswith("is ") else f"is not a {form.wanted}"
        name = form.columns[form.value]
        raise content.fail(number, f"{name} {_text(content, number, text)!r} {why}") from None


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
        number, before = lines.numbers[place], lines.numbers[earlier]
        topic, document = (_text(content, number, part) for part in pair)
        if form is RUN:
            why = f"document {document} stands twice in topic {topic}: lines {before} and {number}; remove one"
            raise content.fail(number, why)
        grades = [_value(content, form, lines, where) for where in (earlier, place)]
        if grades[0] != grades[1]:
            both = f"grade {grades[0]} in line {before} and {grades[1]} in line {number}"
            raise content.fail(number, f"document {document} of topic {topic} has {both}; keep one")
    return lines.take(list(first.values())), len(pairs) - len(first)


def _documents(content: Content, lines: Lines) -> list[str]:
    try:
        # a name holds no line break
        return b"\n".join(lines.documents).decode().split("\n")
    except UnicodeDecodeError:
        return [_text(content, number, name) for number, name in zip(lines.numbers, lines.documents, strict=True)]


def _text(content: Content, number: int, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        shown = data.decode(errors="backslashreplace")
        raise content.fail(number, f"{shown!r} is not UTF-8; convert the file (iconv -t UTF-8)") from None
