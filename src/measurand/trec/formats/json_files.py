"""JSON and JSONL: rows, topics with lists of hits, nested objects, and Elasticsearch's `_rank_eval`.

Numbers stay the text that stands in the file, so that scores and grades are read as those of any other file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from attrs import evolve, field, frozen

from measurand.errors import Caveat, CaveatKind, InputFileError
from measurand.trec import lines
from measurand.trec.column_names import (
    DOCUMENT,
    GRADE,
    NAME,
    RANK,
    RANKED,
    SCORE,
    SUBTOPIC,
    SUBTOPICS,
    TOPIC,
    is_ranking,
    plain,
)
from measurand.trec.files import Content
from measurand.trec.formats.ranks import RANKS, by_rank
from measurand.trec.formats.three_columns import GRADES, SCORES
from measurand.trec.lines import Format, Lines
from measurand.trec.run import Qrels, Run

Json: TypeAlias = Any
"""A value of JSON: a dict, a list, a str, bytes for a number, True, False or None."""

HITS = (
    *("results", "hits", "documents", "docs", "ranking", "ranked_list", "rankings", "retrieved", "candidates"),
    *("passages", "ctxs", "ratings", "judgments", "judgements", "relevant_docs", "relevant", "qrels"),
)
"""What the list of a topic's documents is called."""

BESIDE = ("queries", "corpus", "metadata", "meta", "config", "metrics")
"""What may stand beside the judgments or the run in one object."""

OF_HIT = (*DOCUMENT, "_id", "id")
"""What the document of a hit is called."""

OF_TOPIC = (*TOPIC, "_id", "id")
"""What a topic with a list of hits is called."""

SHAPES = (
    '{"topic": {"document": 2}}, {"topic": ["document", …]}, rows such as {"query_id": "1", "doc_id": "d1", "score": 2}'
    ' and topics such as {"query_id": "1", "results": [{"doc_id": "d1", "score": 2}]} are read'
)
"""What JSON may look like, in words."""


OBJECTS, OBJECT = b",\n", 450
"""What parts values in JSON, and about how many bytes of memory there are to each, with what becomes of it."""

TOO_DEEP = "is no JSON that can be read: it is nested too deeply"
"""What is said of JSON that goes deeper than Python's reader."""


class Twice(ValueError):
    """A key that stands twice in an object."""


class Row(NamedTuple):
    """What a file says of a document of a topic.

    Parameters
    ----------
    line
        The line where it stands; None in a file that is one value.
    topic, document
        Their names.
    value
        The score, the grade or the rank; None where there is none.
    place
        The place in the list of the topic, from 1; 0 where there is no list.
    ranked
        Whether the value is a rank.
    tag
        The run that it belongs to.
    """

    line: int | None
    topic: str
    document: str
    value: Json
    place: int = 0
    ranked: bool = False
    tag: str = ""


def read_runs(content: Content, rank_eval: bool = False) -> list[Run]:
    """Return the runs of a JSON file.

    Parameters
    ----------
    content
        The file.
    rank_eval
        Whether it must be a response of `_rank_eval`.
    """
    alike = lines_alike(content, SCORES) if not rank_eval else None
    if alike is not None:
        return lines.runs_of(content, SCORES, alike)
    reader = _Reader(content, SCORES)
    rows = reader.rows(rank_eval)
    ranked = [row.ranked or row.value is None for row in rows]
    if any(ranked) and not all(ranked):
        row = rows[ranked.index(True)]
        why = f"document {row.document} of topic {row.topic} has no score, and others have one"
        raise content.fail(row.line, f"{why}; give scores to all or to none")
    form = RANKS if all(ranked) else SCORES
    if all(ranked):
        reader.refuse_two_lists(rows)
        rows = [row._replace(value=b"%d" % row.place) if row.value is None else row for row in rows]
    found = lines.runs_of(content, form, reader.lines(rows, form))
    return [by_rank(run) for run in found] if form is RANKS else found


def read_qrels(content: Content, rank_eval: bool = False) -> Qrels:
    """Return the judgments of a JSON file; documents that are listed without grades have grade 1.

    Parameters
    ----------
    content
        The file.
    rank_eval
        Whether it must be a request of `_rank_eval`.
    """
    alike = lines_alike(content, GRADES) if not rank_eval else None
    if alike is not None:
        return lines.qrels_of(content, GRADES, alike)
    reader = _Reader(content, GRADES)
    rows = reader.rows(rank_eval)
    bare = [row.value is None for row in rows]
    if any(bare) and not all(bare):
        row = rows[bare.index(True)]
        raise content.fail(row.line, f"document {row.document} of topic {row.topic} has no grade, and others have one")
    caveats: tuple[Caveat, ...] = ()
    if all(bare):
        rows = [row._replace(value=b"1") for row in rows]
        caveats = (Caveat(CaveatKind.FORMAT, f"{content.name}: documents are listed without grades; all have grade 1"),)
    found = lines.qrels_of(content, GRADES, reader.lines(rows, GRADES))
    return evolve(found, caveats=(*found.caveats, *caveats))


@frozen
class _Reader:
    """Reads the rows of one file."""

    content: Content
    form: Format
    spellings: tuple[str, ...] = field(init=False)

    @spellings.default
    def _spellings(self) -> tuple[str, ...]:
        return SCORE if self.form is SCORES else GRADE

    def rows(self, rank_eval: bool) -> list[Row]:
        """Return all rows, one at least."""
        values = list(_values(self.content))
        whole = values[0][1] if len(values) == 1 and isinstance(values[0][1], dict) else {}
        told = self._rank_eval(whole)
        if told is not None:
            rows = list(told)
        elif rank_eval:
            why = 'is neither a request of _rank_eval, which has "requests", nor a response, which has "details"'
            raise self.content.fail(None, why)
        else:
            rows = [row for number, value in values for row in self._top(number, value)]
        if not rows:
            raise self.content.fail(None, f"no topic has a document; {SHAPES}")
        return rows

    def _rank_eval(self, whole: dict[str, Json]) -> Iterator[Row] | None:
        """Return the rows of a request or a response of `_rank_eval`; None if it is neither."""
        requests, details = whole.get("requests"), whole.get("details")
        if isinstance(requests, list) and requests and all(isinstance(each, dict) for each in requests):
            if self.form is SCORES:
                why = "is a request of _rank_eval, which holds judgments; the ranking is in the response"
                raise self.content.fail(None, why)
            many = Counter(_text(_topic(each)) for each in requests)
            twice = next((each for each, n in many.items() if n > 1), None)
            if twice is not None:
                raise self.content.fail(None, f"two requests have the id {twice}; each is a topic of its own")
            rows = [row for each in requests for row in self._record(None, each)]
            bare = next((row for row in rows if row.value is None), None)
            if bare is not None:
                raise self.content.fail(None, f"document {bare.document} of topic {bare.topic} has no rating")
            return iter(rows)
        if isinstance(details, dict) and all(isinstance(each, dict) and "hits" in each for each in details.values()):
            if self.form is not SCORES:
                why = (
                    "is a response of _rank_eval, which rates no more than what was found; the request has all ratings"
                )
                raise self.content.fail(None, why)
            rows = [row for topic, each in details.items() for row in self._hits(None, topic, each["hits"])]
            return iter(rows if _scored(rows) else [row._replace(value=None) for row in rows])
        return None

    def _top(self, number: int | None, value: Json) -> Iterator[Row]:
        """Return the rows of a value that is a line, or the whole file."""
        if isinstance(value, list) and number is None:
            for each in value:
                yield from self._top(0, each)
        elif not isinstance(value, dict):
            raise self._odd(number, f"{_shown(value)} stands where an object is expected")
        elif (row := self._row(number or None, value)) is not None:
            yield row
        elif _is_record(value):
            yield from self._record(number or None, value)
        elif value and not any(isinstance(each, list | dict) for each in value.values()):
            names = ", ".join(list(value)[:6])
            raise self._odd(number, f"an object with {names} says nothing of a document of a topic")
        else:
            for topic, inner in value.items():
                yield from self._hits(number or None, topic, inner)

    def _row(self, number: int | None, value: dict[str, Json]) -> Row | None:
        """Return the row that an object is, if it names a topic and a document."""
        topic, document = _first(value, TOPIC), _first(value, DOCUMENT)
        if topic is None or document is None:
            return None
        if self.form is not SCORES and _first(value, SUBTOPIC) is not None:
            raise self.content.fail(number, f"{SUBTOPICS} {_keys(tuple(value), SUBTOPIC)[0]}")
        if self.form is not SCORES and _is_ranking(tuple(value)):
            raise self.content.fail(number, f"{RANKED} rank")
        row = self._hit(number, _text(topic), value, 0)
        tag = _first(value, NAME) if self.form is SCORES else None
        return row if tag is None else row._replace(tag=_text(tag))

    def _record(self, number: int | None, value: dict[str, Json]) -> Iterator[Row]:
        """Return the rows of a topic with its list of hits, or of a data set that has judgments beside texts."""
        topic = _topic(value)
        name = next((key for key in HITS for each in value if plain(each) == key), None)
        hits = next((each for key, each in value.items() if plain(key) == name), None)
        if hits is None:
            raise self._odd(number, f"an object with {', '.join(list(value)[:6])} has no list of documents")
        if topic is not None:
            yield from self._hits(number, _text(topic), hits)
        elif isinstance(hits, dict):
            for each, inner in hits.items():
                yield from self._hits(number, each, inner)
        else:
            raise self._odd(number, f"an object with {name} does not say of which topic they are")

    def _hits(self, number: int | None, topic: str, hits: Json) -> Iterator[Row]:
        """Return the rows of the documents of a topic."""
        if isinstance(hits, dict):
            for document, value in hits.items():
                if isinstance(value, dict | list) or value is None:
                    raise self._odd(number, f"document {document} of topic {topic} has {_shown(value)} for a value")
                yield Row(number, topic, document, value)
        elif isinstance(hits, list):
            for place, hit in enumerate(hits, 1):
                if isinstance(hit, dict):
                    yield self._hit(number, topic, hit.get("hit", hit), place)
                elif isinstance(hit, list) and len(hit) == 2 and _is_name(hit[0]):
                    yield Row(number, topic, _text(hit[0]), hit[1], place)
                elif _is_name(hit):
                    yield Row(number, topic, _text(hit), None, place)
                else:
                    raise self._odd(number, f"{_shown(hit)} of topic {topic} is no document")
        else:
            raise self._odd(number, f"topic {topic} has {_shown(hits)} where documents are expected")

    def _hit(self, number: int | None, topic: str, hit: dict[str, Json], place: int) -> Row:
        """Return the row of an object that says something of a document."""
        document = _first(hit, OF_HIT if place else DOCUMENT)
        if document is None:
            raise self._odd(number, f"an object of topic {topic} names no document: it has {', '.join(hit)}")
        value = _first(hit, self._spelled(hit))
        rank = _first(hit, RANK) if value is None and self.form is SCORES else None
        if value is None and rank is None and place == 0:
            raise self._odd(number, f"document {_text(document)} of topic {topic} has no {self.form.value_name}")
        return Row(number, topic, _text(document), rank if value is None else value, place, ranked=rank is not None)

    def _spelled(self, hit: dict[str, Json]) -> tuple[str, ...]:
        """Return what the value is called; a grade that is null is missing, whatever else the object has."""
        keys = _keys(tuple(hit), self.spellings)
        return self.spellings if self.form is SCORES or not keys else (plain(keys[0]),)

    def refuse_two_lists(self, rows: list[Row]) -> None:
        """Complain of a topic with two lists without scores, of which it is not known which comes first."""
        firsts = [row for row in rows if row.place == 1 and row.value is None]
        many = Counter((row.tag, row.topic) for row in firsts)
        twice = next((row for row in reversed(firsts) if many[row.tag, row.topic] > 1), None)
        if twice is not None:
            raise self.content.fail(twice.line, f"topic {twice.topic} has two lists without scores; give one")

    def lines(self, rows: list[Row], form: Format) -> Lines:
        """Return rows as lines."""
        for row in rows:
            if not isinstance(row.value, bytes | str):
                why = f"{form.value_name} {_shown(row.value)} is not a number"
                raise self.content.fail(row.line, f"document {row.document} of topic {row.topic}: {why}")
        return Lines(
            [row.line for row in rows],
            [_encoded(row.topic) for row in rows],
            [_encoded(row.document) for row in rows],
            [row.value if isinstance(row.value, bytes) else _encoded(row.value) for row in rows],
            [_encoded(row.tag) for row in rows] if any(row.tag for row in rows) else (),
        )

    def _odd(self, number: int | None, why: str) -> InputFileError:
        return self.content.fail(number or None, f"{why}; {SHAPES}")


def _topic(value: dict[str, Json]) -> Json:
    """Return the topic of an object with a list of hits; the query may be an object itself."""
    inner = next((each for key, each in value.items() if plain(key) in TOPIC and isinstance(each, dict)), {})
    found = _first(value, OF_TOPIC)
    return _first(inner, OF_TOPIC) if found is None else found


def _is_record(value: dict[str, Json]) -> bool:
    """Return whether an object is a topic with its hits, or has judgments or a run beside texts, by its keys."""
    nested = [plain(key) for key, each in value.items() if isinstance(each, list | dict)]
    if not any(key in HITS for key in nested):
        return False
    return _topic(value) is not None or all(key in HITS or key in BESIDE for key in nested)


NAME_TEXT = rb'"([^"\\\x00-\x1f]*)"'
"""A string without escapes, as names are mostly written."""

NUMBER = rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
"""A number."""

SCALAR = rb'(?:"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|' + NUMBER + rb"|true|false|null)"
"""Any value but lists and objects."""


def lines_alike(content: Content, form: Format) -> Lines | None:
    r"""Return the rows of a file with a row a line, all with the keys of the first in its order.

    Parameters
    ----------
    content
        The file.
    form
        What is read from the rows: scores or grades.

    Returns
    -------
    Lines | None
        None if it is no such file, or if reading it as JSON may have more to say.

    Examples
    --------
    >>> row = b'{"qid": 1, "docno": "d1", "score": 2.5}\n'
    >>> lines_alike(Content("a.jsonl", row + row.replace(b"d1", b"d2")), SCORES).documents
    (b'd1', b'd2')
    """
    import json

    data = lines.unmarked(content).rstrip(b"\n")
    if b"\n" not in data:
        return None
    content.check_objects(b"\n", 300)
    lines.decoded(content, data)
    try:
        first = json.loads(data.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return None
    keys = _wanted(first, form) if isinstance(first, dict) else None
    if keys is None:
        return None
    pattern = [
        re.escape(_key_text(key)) + rb"[ \t]*:[ \t]*" + _pattern(value, key in keys) for key, value in first.items()
    ]
    row = rb"[ \t]*\{[ \t]*" + rb"[ \t]*,[ \t]*".join(pattern) + rb"[ \t]*\}[ \t\r]*"
    found = re.findall(rb"^" + row + rb"$", data, re.MULTILINE)
    if len(found) != data.count(b"\n") + 1:
        return None
    columns = dict(zip((key for key in first if key in keys), zip(*found, strict=True), strict=True))
    topics, documents, values, *tags = (columns[key] for key in keys)
    return Lines(range(1, len(found) + 1), topics, documents, values, *tags)


def _wanted(first: dict[str, Json], form: Format) -> list[str] | None:
    """Return the keys of topic, document, value and, if it has one, run in an object; None if these are not plain."""
    named = {plain(key): key for key in first}
    special = form is not SCORES and (is_ranking(list(named)) or any(name in named for name in SUBTOPIC))
    if special or len(named) != len(first):
        return None
    spellings = (TOPIC, DOCUMENT, SCORE if form is SCORES else GRADE, NAME if form is SCORES else ())
    *keys, tag = (next((named[each] for each in known if each in named), None) for known in spellings)
    found = [key for key in (*keys, tag) if key is not None]
    plainly = all(isinstance(first[key], str | int | float) and not isinstance(first[key], bool) for key in found)
    return found if plainly and None not in keys else None


def _pattern(value: Json, wanted: bool) -> bytes:
    """Return what matches a value of the same kind as that of the first row."""
    if not wanted:
        return SCALAR
    return NAME_TEXT if isinstance(value, str) else b"(" + NUMBER + b")"


def _key_text(key: str) -> bytes:
    """Return a key as JSON writes it, unescaped where it can be; half a pair of surrogates matches no file."""
    import json

    return json.dumps(key, ensure_ascii=False).encode(errors="surrogatepass")


def _values(content: Content) -> Iterator[tuple[int | None, Json]]:
    """Return the value that a file is, or those of its lines, with the numbers of the lines."""
    import json

    content.check_objects(OBJECTS, OBJECT)
    text = lines.decoded(content, lines.unmarked(content))
    hooks: dict[str, Any] = dict.fromkeys(("parse_float", "parse_int", "parse_constant"), str.encode)
    decoder = json.JSONDecoder(object_pairs_hook=unique, **hooks)
    at = len(text) - len(text.lstrip())
    several = [(number, line) for number, line in enumerate(text.split("\n"), 1) if _holds(line)]
    try:
        first, end = decoder.raw_decode(several[0][1].strip()) if len(several) > 1 else (None, 0)
        is_lines = len(several) > 1 and end == len(several[0][1].strip()) and isinstance(first, dict)
    except (json.JSONDecodeError, Twice, RecursionError):
        is_lines = False
    number: int | None = None
    try:
        if not is_lines:
            yield None, decoder.decode(text[at:])
            return
        for number, line in several:
            yield number, decoder.decode(line)
    except json.JSONDecodeError as error:
        place = error.lineno + text.count("\n", 0, at) if number is None else number
        raise content.fail(place, f"is no JSON ({error.msg}); repair the line") from None
    except Twice as error:
        raise content.fail(number, f"{error} stands twice in one object; keep one") from None
    except RecursionError:
        raise content.fail(number, TOO_DEEP) from None


def _holds(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Return an object, or complain of a key that it has twice, which JSON leaves open.

    Examples
    --------
    >>> unique([("d1", 2), ("d2", 1)])
    {'d1': 2, 'd2': 1}
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise Twice(repr(key))
    return found


def _first(value: dict[str, Json], spellings: tuple[str, ...]) -> Json:
    """Return what an object has by the first of some names that it has with something to read; None if none."""
    for key in _keys(tuple(value), spellings):
        found = value[key]
        if found is not None and not isinstance(found, dict | list):
            return found
    return None


@lru_cache(maxsize=256)
def _is_ranking(keys: tuple[str, ...]) -> bool:
    return is_ranking([plain(key) for key in keys])


@lru_cache(maxsize=256)
def _keys(keys: tuple[str, ...], spellings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of an object that have one of some names, what counts first first."""
    return tuple(key for name in spellings for key in keys if plain(key) == name)


def _scored(rows: list[Row]) -> bool:
    """Return whether every hit has a score, and those of a topic fall with the places."""
    numbers = [float(row.value) if isinstance(row.value, bytes) else float("nan") for row in rows]
    pairs = zip(rows, rows[1:], numbers, numbers[1:], strict=False)
    falls = all(high >= low or later.topic != row.topic for row, later, high, low in pairs)
    return falls and not any(number != number for number in numbers)


def _is_name(value: Json) -> bool:
    return isinstance(value, str | bytes)


def _text(value: Json) -> str:
    """Return a name, which may be written as a number."""
    return value.decode() if isinstance(value, bytes) else str(value)


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _shown(value: Json) -> str:
    """Return a value of JSON in a few words."""
    if isinstance(value, dict):
        return f"an object ({', '.join(list(value)[:4])})" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return {None: "null", True: "true", False: "false"}.get(value, repr(value)) if not _is_name(value) else _text(value)
