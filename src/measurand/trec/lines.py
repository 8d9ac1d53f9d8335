"""Reading line by line: the definition of both formats, and the place where errors are explained."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.errors import Caveat, Doubt
from measurand.judged import as_grades, bounds_of
from measurand.judged.content import HIGHEST_GRADE
from measurand.trec.rows import Rows, repeated
from measurand.trec.sources import Content

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Line = tuple[int, list[bytes]]


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
    score = float(text)
    if b"_" in text:
        raise ValueError("is not a number")
    if not np.isfinite(score):
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
    lines = list(_lines(content, RUN))
    tags = list(dict.fromkeys(fields[5] for _, fields in lines))
    if len(tags) == 1:
        return [_grouped(content, RUN, lines, _text(content, lines[0][0], tags[0]))]
    by_tag: dict[bytes, list[Line]] = {tag: [] for tag in tags}
    for line in lines:
        by_tag[line[1][5]].append(line)
    return [_grouped(content, RUN, mine, _text(content, mine[0][0], tag)) for tag, mine in by_tag.items()]


def read_qrels(content: Content) -> Rows:
    """Return the rows of a judgment file."""
    return _grouped(content, QRELS, list(_lines(content, QRELS)), "")


def _lines(content: Content, form: Format) -> Iterator[Line]:
    """Return the fields of every line that holds any, with its number."""
    data = content.data.removeprefix(BYTE_ORDER_MARK)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise content.fail(1, "is written in UTF-16; save it as UTF-8")
    wanted = len(form.columns)
    found = False
    for number, line in enumerate(data.split(b"\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) != wanted and not (form.open_ended and len(fields) > wanted):
            columns = f"{len(fields)} column{'s' if len(fields) > 1 else ''}"
            raise content.fail(
                number, f"{columns} where a {form.kind} has {wanted} ({' '.join(form.columns)}); repair the line"
            )
        found = True
        yield number, fields
    if not found:
        raise content.fail(None, f"is empty: a {form.kind} has lines of {wanted} columns ({' '.join(form.columns)})")


def _grouped(content: Content, form: Format, lines: list[Line], tag: str) -> Rows:
    by_topic: dict[bytes, list[Line]] = {}
    for topic, span in groupby(lines, key=lambda line: line[1][0]):
        by_topic.setdefault(topic, []).extend(span)
    topics, sizes, documents, values, repeats = [], [], [], [], 0
    for topic, mine in by_topic.items():
        names = list(map(itemgetter(2), map(itemgetter(1), mine)))
        if len(set(names)) < len(names):
            kept = _without_repeats(content, form, mine)
            repeats += len(mine) - len(kept)
            mine, names = kept, [fields[2] for _, fields in kept]
        topics.append(_text(content, mine[0][0], topic))
        sizes.append(len(mine))
        documents += _texts(content, mine, names)
        values += _values(content, form, mine)
    array = as_grades(values) if form is QRELS else np.array(values, dtype=np.float64)
    caveats = (*repeated(repeats, content.name), *_overlong(content, form, lines))
    return Rows(tag, tuple(topics), bounds_of(sizes), documents, array, caveats)


def _overlong(content: Content, form: Format, lines: list[Line]) -> tuple[Caveat, ...]:
    wanted = len(form.columns)
    longer = [number for number, fields in lines if len(fields) > wanted]
    if not longer:
        return ()
    what = f"{len(longer)} lines have more than {wanted} columns; what follows the {form.columns[-1]} is ignored"
    return (Caveat(Doubt.EXTRA_COLUMNS, f"{content.name}:{longer[0]}: {what}"),)


def _values(content: Content, form: Format, lines: list[Line]) -> list[Any]:
    column = [fields[form.value] for _, fields in lines]
    try:
        return list(map(form.read, column))
    except ValueError:
        for number, fields in lines:
            _value(content, form, number, fields)
        raise


def _value(content: Content, form: Format, number: int, fields: list[bytes]) -> float:
    text = fields[form.value]
    name = form.columns[form.value]
    try:
        return form.read(text)
    except ValueError as error:
        why = str(error) if str(error).startswith("is ") else f"is not a {'whole ' if form is QRELS else ''}number"
        raise content.fail(number, f"{name} {_text(content, number, text)!r} {why}") from None


def _without_repeats(content: Content, form: Format, lines: list[Line]) -> list[Line]:
    """Return the lines of a topic without repeated judgments, or say which two contradict each other."""
    first: dict[bytes, Line] = {}
    for number, fields in lines:
        earlier = first.setdefault(fields[2], (number, fields))
        if earlier[0] == number:
            continue
        topic, document = _text(content, number, fields[0]), _text(content, number, fields[2])
        if form is RUN:
            why = f"document {document} stands twice in topic {topic}: lines {earlier[0]} and {number}; remove one"
            raise content.fail(number, why)
        grades = [_value(content, form, *line) for line in (earlier, (number, fields))]
        if grades[0] != grades[1]:
            both = f"grade {grades[0]} in line {earlier[0]} and {grades[1]} in line {number}"
            raise content.fail(number, f"document {document} of topic {topic} has {both}; keep one")
    return list(first.values())


def _texts(content: Content, lines: list[Line], names: list[bytes]) -> list[str]:
    try:
        return [name.decode() for name in names]
    except UnicodeDecodeError:
        return [_text(content, number, fields[2]) for number, fields in lines]


def _text(content: Content, number: int, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        shown = data.decode(errors="backslashreplace")
        raise content.fail(number, f"{shown!r} is not UTF-8; convert the file (iconv -t UTF-8)") from None
