"""Reading line by line: the definition of both formats, and the place where errors are explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from math import isfinite
from operator import itemgetter
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.errors import Caveat, Doubt
from measurand.judged import bounds_of
from measurand.judged.content import HIGHEST_GRADE
from measurand.trec.rows import Rows, repeated
from measurand.trec.sources import Content

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@frozen
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
    """

    kind: str
    columns: tuple[str, ...]
    value: int
    read: Callable[[bytes], float] = field()
    open_ended: bool = False


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
    if grade > HIGHEST_GRADE:
        raise ValueError(f"is above {HIGHEST_GRADE}; map the grades to 0, 1, 2, …")
    return grade


RUN = Format("run", ("topic", "Q0", "document", "rank", "score", "tag"), 4, read_score, open_ended=True)
QRELS = Format("judgment file", ("topic", "iteration", "document", "grade"), 3, read_grade)


def read_runs(content: Content) -> list[Rows]:
    """Return the rows of every run tag in a run file, in the order of their first lines."""
    lines = _lines(content, RUN)
    tags = list(dict.fromkeys(fields[5] for fields in lines.fields))
    if len(tags) == 1:
        return [_grouped(content, RUN, lines, tags[0])]
    places: dict[bytes, list[int]] = {tag: [] for tag in tags}
    for place, fields in enumerate(lines.fields):
        places[fields[5]].append(place)
    return [_grouped(content, RUN, lines.take(mine), tag) for tag, mine in places.items()]


def read_qrels(content: Content) -> Rows:
    """Return the rows of a judgment file."""
    return _grouped(content, QRELS, _lines(content, QRELS), b"")


@frozen(eq=False)
class Lines:
    """The lines of a file that hold anything: their numbers and their fields."""

    numbers: Sequence[int]
    fields: list[list[bytes]]

    def take(self, places: Sequence[int]) -> Lines:
        """Return the lines at some places."""
        return Lines([self.numbers[place] for place in places], [self.fields[place] for place in places])


def _lines(content: Content, form: Format) -> Lines:
    data = content.data.removeprefix(BYTE_ORDER_MARK)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise content.fail(1, "is written in UTF-16; save it as UTF-8")
    wanted = len(form.columns)
    fields = [line.split() for line in data.removesuffix(b"\n").split(b"\n")]
    if b"#" not in data and all(len(line) == wanted for line in fields):
        return Lines(range(1, len(fields) + 1), fields)
    numbers = [number for number, line in enumerate(fields, 1) if line and not line[0].startswith(b"#")]
    if not numbers:
        raise content.fail(None, f"is empty: a {form.kind} has lines of {wanted} columns ({' '.join(form.columns)})")
    for number in numbers:
        n = len(fields[number - 1])
        if n < wanted or (n > wanted and not form.open_ended):
            columns = f"{n} column{'s' if n > 1 else ''} where a {form.kind} has {wanted}"
            raise content.fail(number, f"{columns} ({' '.join(form.columns)}); repair the line")
    return Lines(numbers, [fields[number - 1] for number in numbers])


def _grouped(content: Content, form: Format, lines: Lines, tag: bytes) -> Rows:
    spans = [(topic, len(list(span))) for topic, span in groupby(map(itemgetter(0), lines.fields))]
    if len({topic for topic, _ in spans}) < len(spans):
        first = {topic: i for i, (topic, _) in reversed(list(enumerate(spans)))}
        order = sorted(range(len(lines.fields)), key=lambda place: first[lines.fields[place][0]])
        lines = lines.take(order)
    lines, repeats = _without_repeats(content, form, lines)
    topics, sizes = [], []
    for topic, span in groupby(map(itemgetter(0), lines.fields)):
        topics.append(topic)
        sizes.append(len(list(span)))
    bounds = bounds_of(sizes)
    values = _values(content, form, lines)
    return Rows(
        tag=_text(content, lines.numbers[0], tag),
        topics=tuple(_text(content, lines.numbers[start], topic) for topic, start in zip(topics, bounds, strict=False)),
        bounds=bounds,
        documents=_documents(content, lines),
        values=np.array(values, dtype=np.int64) if form is QRELS else np.array(values, dtype=np.float64),
        caveats=(*repeated(repeats, content.name), *_overlong(content, form, lines)),
    )


def _overlong(content: Content, form: Format, lines: Lines) -> tuple[Caveat, ...]:
    wanted = len(form.columns)
    longer = [number for number, fields in zip(lines.numbers, lines.fields, strict=True) if len(fields) > wanted]
    if not longer:
        return ()
    what = f"{len(longer)} lines have more than {wanted} columns; what follows the {form.columns[-1]} is ignored"
    return (Caveat(Doubt.EXTRA_COLUMNS, f"{content.name}:{longer[0]}: {what}"),)


def _values(content: Content, form: Format, lines: Lines) -> list[Any]:
    try:
        return [form.read(fields[form.value]) for fields in lines.fields]
    except ValueError:
        for place in range(len(lines.fields)):
            _value(content, form, lines, place)
        raise


def _value(content: Content, form: Format, lines: Lines, place: int) -> float:
    """Return the value of a line, or say what is wrong with it."""
    number, text = lines.numbers[place], lines.fields[place][form.value]
    try:
        return form.read(text)
    except ValueError as error:
        why = str(error) if str(error).startswith("is ") else f"is not a {'whole ' if form is QRELS else ''}number"
        name = form.columns[form.value]
        raise content.fail(number, f"{name} {_text(content, number, text)!r} {why}") from None


def _without_repeats(content: Content, form: Format, lines: Lines) -> tuple[Lines, int]:
    """Return the lines without repeated judgments, and how many those were; contradictions are errors."""
    pairs = [(fields[0], fields[2]) for fields in lines.fields]
    if len(set(pairs)) == len(pairs):
        return lines, 0
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
        return [fields[2].decode() for fields in lines.fields]
    except UnicodeDecodeError:
        return [_text(content, number, fields[2]) for number, fields in zip(lines.numbers, lines.fields, strict=True)]


def _text(content: Content, number: int, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        shown = data.decode(errors="backslashreplace")
        raise content.fail(number, f"{shown!r} is not UTF-8; convert the file (iconv -t UTF-8)") from None
