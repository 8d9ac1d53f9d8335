"""The formats of topic files: TSV, CSV, JSON, JSONL and TREC topics, known by what a file begins with.

A reader goes through the text of a file and yields entries: where a topic stands, what it is called, and its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from measurand.errors import InputFileError
from measurand.trec.files import Content

TOPIC = ("_id", "id", "qid", "query_id", "queryid", "q_id", "topic", "topic_id", "topic_number", "number", "num")
"""What the column or the field of the topic is called."""

TEXT = ("text", "query", "query_text", "title", "question", "description", "desc")
"""What the column or the field of the text is called; the first that there is counts."""

KNOWN = (
    'TSV (id, tab, text), CSV with a header (qid,query), JSON ({"1": "text"}), JSONL ({"_id": "1", "text": …})'
    " and TREC topics (<top> or <topic>) were tried"
)
"""What was tried where nothing fits, in words."""


@frozen
class Entry:
    """A topic of a file.

    Parameters
    ----------
    line
        The number of the line where it stands.
    topic
        What the topic is called.
    text
        Its text.
    extra
        How many columns the line has that are not read.
    """

    line: int
    topic: str
    text: str
    extra: int = 0


def entries_of(content: Content, text: str) -> Iterator[Entry]:
    r"""Return the topics of a file, in the order in which they stand there.

    Parameters
    ----------
    content
        The file, for complaints.
    text
        What it holds.

    Examples
    --------
    >>> [(each.topic, each.text) for each in entries_of(Content("t", b""), "qid\tquery\n1\tblue whales\n")]
    [('1', 'blue whales')]
    """
    start = text.lstrip()
    if not start:
        raise content.fail(None, "is empty: it has no text of any topic")
    if start[0] == "<" and _OPENING.search(start):
        return _trec_topics(content, text)
    if start[0] in "{[":
        return _json(content, text)
    number, first = next(_lines(text), (1, ""))
    if "\t" in first:
        return _tsv(content, text)
    for mark in (",", ";"):
        if _header([part.strip(' "') for part in first.split(mark)]) is not None:
            return _csv(content, text, mark)
    raise _unknown(content, number, first)


def _unknown(content: Content, number: int, line: str) -> InputFileError:
    """Return the complaint of a file of which nothing is known, and guess what it is."""
    words = line.split()
    if len(words) in (4, 6) and (words[1] in ("0", "Q0") or words[1].isdigit()):
        kind = "judgment file" if len(words) == 4 else "run"
        return content.fail(number, f"is this a {kind}? A file with texts of topics is expected: {KNOWN}")
    return content.fail(number, f"no topic and its text are found: {KNOWN}")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Return the lines that hold anything, with their numbers; those that begin with # are comments, above a header."""
    below: bool | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and (below or not line.startswith("#")):
            yield number, line.removesuffix("\r")
            below = _header(line.split("\t")) is not None if below is None else below


def _header(names: Sequence[str]) -> tuple[int, int] | None:
    """Return the columns of the topic and of the text that a header names; None if this is no header.

    Examples
    --------
    >>> _header(["qid", "query"]), _header(["text", "ID"]), _header(["301", "crime"])
    ((0, 1), (1, 0), None)
    """
    lower = [name.strip().lower() for name in names]
    topic = next((lower.index(name) for name in TOPIC if name in lower), None)
    text = next((lower.index(name) for name in TEXT if name in lower), None)
    return None if topic is None or text is None else (topic, text)


def _tsv(content: Content, text: str) -> Iterator[Entry]:
    lines = _lines(text)
    columns, wanted = (0, 1), 2
    for place, (number, line) in enumerate(lines):
        fields = line.split("\t")
        if place == 0:
            named = _header(fields)
            if named is not None:
                columns, wanted = named, len(fields)
                continue
            if len(fields) in (4, 6) and fields[1] in ("0", "Q0"):
                raise _unknown(content, number, line)
        if len(fields) <= max(columns):
            few = f"{len(fields)} column{'s' if len(fields) > 1 else ''}"
            raise content.fail(number, f"{few} where a topic and its text are expected, with a tab between")
        extra = len(fields) - 2 if wanted == 2 else 0
        yield Entry(number, fields[columns[0]], fields[columns[1]], extra)


def _csv(content: Content, text: str, mark: str) -> Iterator[Entry]:
    import csv
    from io import StringIO

    rows = csv.reader(StringIO(text, newline=""), delimiter=mark, strict=True)
    columns: tuple[int, int] | None = None
    before = 0
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise content.fail(rows.line_num, f"is no CSV ({error}); repair the line") from None
        number, before = before + 1, rows.line_num
        if row is None:
            return
        if not any(field.strip() for field in row) or (columns is None and row[0].startswith("#")):
            continue
        if columns is None:
            columns = _header(row)
            if columns is None:
                raise _unknown(content, number, mark.join(row))
            continue
        if len(row) <= max(columns):
            few = f"{len(row)} column{'s' if len(row) > 1 else ''}"
            raise content.fail(number, f"{few} where the header has more; repair the line")
        yield Entry(number, row[columns[0]], row[columns[1]])


def _json(content: Content, text: str) -> Iterator[Entry]:
    """Return the topics of a JSON file: an object, a list of objects, or one object a line."""
    import json

    at = len(text) - len(text.lstrip())
    try:
        value, end = json.JSONDecoder().raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise content.fail(error.lineno, f"is no JSON ({error.msg}); repair it") from None
    if text[end:].strip():
        return _jsonl(content, text)
    first = text.count("\n", 0, at) + 1
    if isinstance(value, list):
        return (_record(content, None, each) for each in value)
    if _is_record(value):
        return iter([_record(content, first, value)])
    return (Entry(first, topic, _of_object(content, topic, found)) for topic, found in value.items())


def _jsonl(content: Content, text: str) -> Iterator[Entry]:
    import json

    for number, line in _lines(text):
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise content.fail(number, f"is no JSON ({error.msg}); every line is an object of its own") from None
        yield _record(content, number, value)


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and _header(list(value)) is not None


def _record(content: Content, number: int | None, value: Any) -> Entry:
    """Return the topic that a JSON object describes."""
    if not _is_record(value):
        wanted = 'an object such as {"_id": "1", "text": "blue whales"} is expected'
        found = f"has {', '.join(map(str, value)) or 'nothing'}" if isinstance(value, dict) else "is none"
        raise content.fail(number, f"{wanted}, and this {found}")
    topic, text = _header(list(value)) or (0, 0)
    both = list(value.values())
    name = both[topic]
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise content.fail(number, f"{list(value)[topic]} is {name!r}, which is no name of a topic")
    return Entry(number or 1, str(name), _of_object(content, str(name), both[text], number))


def _of_object(content: Content, topic: str, found: Any, number: int | None = None) -> str:
    """Return the text that JSON has for a topic, by itself or among other fields."""
    if isinstance(found, Mapping):
        found = next((found[name] for name in TEXT if name in found), None)
    if not isinstance(found, str):
        raise content.fail(number, f"the text of topic {topic} is {type(found).__name__} where a string is expected")
    return found


_OPENING = re.compile(r"<(top|topic)(\s[^>]*)?>", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*)([^>]*)>")
_NUMBER = re.compile(r"""\b(?:number|id|num|qid)\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_LABEL = re.compile(r"^\s*(number|topic|description)\s*:\s*", re.IGNORECASE)
_NAMES = ("num", "number", "identifier", "id", "qid")
_TEXTS = ("title", "query", "text", "question", "desc", "description")


def _trec_topics(content: Content, text: str) -> Iterator[Entry]:
    """Return TREC topics, whose tags may be closed or not: what a tag has ends at the next tag."""
    # as long as they were, so that places stay what they are
    text = re.sub(r"<!--.*?-->", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.DOTALL)
    openings = list(_OPENING.finditer(text))
    ends = [*(each.start() for each in openings[1:]), len(text)]
    for opening, end in zip(openings, ends, strict=True):
        number = text.count("\n", 0, opening.start()) + 1
        fields = _fields(text[opening.end() : end], opening[1].lower())
        attribute = _NUMBER.search(opening[2] or "")
        topic = attribute[1] if attribute else _first(fields, _NAMES)
        if not topic:
            raise content.fail(number, "this topic has no number: neither <num> nor number=… is there")
        found = _first(fields, _TEXTS) or " ".join(fields.get("", "").split())
        yield Entry(number, topic, found)


def _fields(text: str, block: str) -> dict[str, str]:
    """Return what follows each tag of a topic up to the next tag; by the empty name what follows none.

    Examples
    --------
    >>> _fields("<num> Number: 301 <title> Crime &amp; law </top> rest", "top")
    {'': '', 'num': ' Number: 301 ', 'title': ' Crime & law '}
    """
    from html import unescape

    fields: dict[str, str] = {}
    name, at = "", 0
    for tag in [*_TAG.finditer(text), None]:
        stop = len(text) if tag is None else tag.start()
        # the first of a name counts
        fields.setdefault(name, unescape(text[at:stop]))
        if tag is None or (tag[1] and tag[2].lower() == block):
            break
        name, at = ("/" if tag[1] else "") + tag[2].lower(), tag.end()
    return {name: each for name, each in fields.items() if not name.startswith("/")}


def _first(fields: Mapping[str, str], names: Iterable[str]) -> str:
    """Return the first field of some names that is not empty, without its label, in one line.

    Examples
    --------
    >>> _first({"num": " Number: 051 "}, ["num"]), _first({"title": "", "desc": "Description: all"}, ["title", "desc"])
    ('51', 'all')
    """
    for name in names:
        text = fields.get(name, "")
        label = _LABEL.match(text)
        bare = " ".join(text[label.end() if label else 0 :].split())
        if bare and name in _NAMES and label and bare.isdigit():
            return str(int(bare))  # TREC's judgments call topic 051 by its number
        if bare:
            return bare
    return ""
