"""Reading objects of Python: rows, rankings, dictionaries, frames, and what other tools keep runs and judgments in.

Whatever it is becomes `{topic: {document: value}}` or columns, which `measurand.trec.frames` reads. No package of
another tool is imported: its objects are known by what they have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from attrs import evolve

from measurand.columns import Columns, columns_of
from measurand.errors import CallError, Caveat, CaveatKind, InputError, InputFileError
from measurand.trec import frames
from measurand.trec.column_names import DOCUMENT, GRADE, NAME, RANK, RANKED, SCORE, SUBTOPIC, SUBTOPICS, TOPIC
from measurand.trec.run import Qrels, Run
from measurand.trec.sources import getter, is_frame, is_rank_eval, is_ranx, is_row, shown

if TYPE_CHECKING:
    from measurand.trec.files import Content

Held = TypeVar("Held")

ALIKE = "all rows must be alike"
"""What is said of rows of which some have other fields."""

UNGRADED = Caveat(CaveatKind.GRADES, "documents are listed without grades; all have grade 1")
"""What is said of judgments that are relevant documents alone."""

HIT = (*DOCUMENT, "_id", "id")
"""What the document of a hit is called, in results that search engines return."""


def read_runs(source: Any) -> list[Run]:
    """Return the runs of an object; a run has no name unless the object says one.

    Parameters
    ----------
    source
        A frame, `{topic: {document: score}}`, `{topic: [documents]}`, rows, a run of ranx, a response of Elasticsearch.

    Examples
    --------
    >>> [run.to_dict() for run in read_runs({"1": ["d1", "d2"]})]
    [{'1': {'d1': 1.0, 'd2': 0.5}}]
    >>> [run.to_dict() for run in read_runs([("1", "d1", 2.5), ("1", "d2", 1.5)])]
    [{'1': {'d1': 2.5, 'd2': 1.5}}]
    """
    if is_ranx(source):
        if not hasattr(source, "run"):
            raise CallError(f"judgments ({type(source).__name__} of ranx) stand where a run is expected")
        return [evolve(frames.run_from_mapping(source.to_dict()), name=source.name or "")]
    if is_rank_eval(source):
        from measurand.trec.formats import json_files

        return [evolve(run, source="") for run in _rank_eval(source, json_files.read_runs)]
    if isinstance(source, Mapping):
        return [frames.run_from_mapping(_scores(source))]
    if is_frame(source):
        return frames.runs_from_columns(_framed(source))
    rows = _rows(source, "a run", '{"1": {"d1": 2.5}}')
    return frames.runs_from_columns(_table(rows, "score", SCORE))


def read_qrels(source: Any) -> Qrels:
    """Return the judgments of an object.

    Parameters
    ----------
    source
        A frame, `{topic: {document: grade}}`, `{topic: relevant documents}`, rows, judgments of ranx, a request of
        Elasticsearch.

    Examples
    --------
    >>> read_qrels([{"qid": "1", "docno": "d1", "label": 2}]).to_dict()
    {'1': {'d1': 2}}
    >>> read_qrels({"1": {"d1"}, "2": ["d3"]}).to_dict()
    {'1': {'d1': 1}, '2': {'d3': 1}}
    """
    if is_ranx(source):
        if not hasattr(source, "qrels"):
            raise CallError(f"a run ({type(source).__name__} of ranx) stands where qrels are expected")
        return frames.qrels_from_mapping(source.to_dict())
    if is_rank_eval(source):
        from measurand.trec.formats import json_files

        return _rank_eval(source, json_files.read_qrels)
    if isinstance(source, Mapping):
        listed = any(isinstance(inner, list | tuple | AbstractSet) for inner in source.values())
        caveats = (UNGRADED,) if listed else ()
        return evolve(frames.qrels_from_mapping(_grades(source)), caveats=caveats)
    if is_frame(source):
        return frames.qrels_from_columns(_framed(source))
    rows = _rows(source, "judgments", '{"1": {"d1": 2}}')
    return frames.qrels_from_columns(_table(rows, "grade", GRADE), "the rows")


def _framed(source: Any) -> Columns:
    columns = columns_of(source)
    if columns is None:
        raise CallError(f"{shown(source)} is no frame that can be read")
    return columns


def _check_mapping(source: Mapping[Any, Any]) -> None:
    if is_row(source):
        raise CallError(f"this is one row ({shown(source)}); give a list of rows")
    for name, inner in source.items():
        if is_frame(inner):
            raise CallError(f"this is a dictionary of frames ({', '.join(map(str, source))}); give one: data[{name!r}]")


def _scores(source: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return `{topic: {document: score}}` of a dictionary that may hold rankings in the place of scores."""
    _check_mapping(source)
    return {topic: _ranking(topic, inner) for topic, inner in source.items()}


def _ranking(topic: Any, inner: Any) -> Any:
    """Return the scores of documents that are listed best first: their own, or 1/rank."""
    if isinstance(inner, AbstractSet) and not isinstance(inner, Mapping):
        raise CallError(f"topic {topic!r} maps to a set, which has no order; give a list, best first")
    if not isinstance(inner, Sequence) or isinstance(inner, str | bytes):
        return inner
    first = inner[0] if inner else None
    pairs: list[tuple[Any, Any]]
    if isinstance(first, tuple | list) and not hasattr(first, "_fields"):
        odd = next((pair for pair in inner if not isinstance(pair, tuple | list) or len(pair) != 2), None)
        if odd is not None:
            raise CallError(f"topic {topic!r}: a ranking holds documents or pairs (document, score), not {shown(odd)}")
        pairs = [(document, score) for document, score in inner]
    elif getter(first, HIT) is not None:
        fields = [_field(inner, getter(first, names), names[0]) for names in (HIT, SCORE)]
        pairs = list(zip(*fields, strict=True))
    else:
        pairs = [(document, 1 / rank) for rank, document in enumerate(inner, 1)]
    return _once(topic, pairs)


def _once(topic: Any, pairs: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    """Return values by document, or complain of a document that stands twice."""
    found: dict[str, Any] = {}
    for document, value in pairs:
        name = _identifier(document, "document", f"topic {topic!r}")
        if name in found:
            raise InputError(f"document {name} stands twice in topic {topic}; remove one")
        found[name] = value
    return found


def _identifier(value: Any, what: str, where: str) -> str:
    """Return an identifier as text, or complain of what is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64):
        return str(value)
    raise CallError(f"{where}: {shown(value)} is no {what}; identifiers are texts or whole numbers")


def _grades(source: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return `{topic: {document: grade}}` of a dictionary that may hold relevant documents alone."""
    _check_mapping(source)
    return {topic: _relevant(topic, inner) for topic, inner in source.items()}


def _relevant(topic: Any, inner: Any) -> Any:
    """Return grade 1 for each of some documents."""
    listed = isinstance(inner, list | tuple | AbstractSet) and not isinstance(inner, Mapping)
    if not listed:
        return inner
    documents = sorted(inner, key=str) if isinstance(inner, AbstractSet) else inner
    return _once(topic, ((document, 1) for document in documents))


def _rank_eval(source: Mapping[str, Any], read: Callable[[Content, bool], Held]) -> Held:
    """Return what a request or a response of `_rank_eval` holds, read as if it were the file."""
    import json

    from measurand.trec.files import Content

    try:
        data = json.dumps(source, default=_bare).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise CallError(f"this is like _rank_eval of Elasticsearch, but no JSON ({error})") from None
    try:
        return read(Content("_rank_eval", data), True)
    except InputFileError as error:
        raise CallError(f"this {error.why}") if error.why.startswith("is ") else InputError(error.why) from None


def _bare(value: Any) -> Any:
    """Return a value that JSON has no word for, such as a number of numpy, as one that it has."""
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{shown(value)} is no value of JSON")


def _rows(source: Any, what: str, example: str) -> list[Any]:
    """Return rows as a list, or complain of what holds none."""
    if isinstance(source, str | bytes) or not isinstance(source, Iterable):
        raise CallError(f"{shown(source)} is nothing that {what} can be read from; give a path, a frame or {example}")
    rows = list(source)
    if not rows:
        raise CallError(f"there are no rows; {what} cannot be read from nothing")
    if not is_row(rows[0]):
        form = '("1", "d1", 2), or with names such as query_id and doc_id'
        raise CallError(f"{shown(rows[0])} is no row that {what} can be read from; rows are {form}")
    return rows


def _table(rows: list[Any], value: str, names: tuple[str, ...]) -> Columns:
    """Return the columns of rows that are all alike: topic, document, value, and the system where rows name one."""
    first = rows[0]
    kinds = {type(row) for row in rows}
    if len(kinds) > 1 and not all(isinstance(row, Mapping) for row in rows):
        place = next(i for i, row in enumerate(rows) if type(row) is not type(first))
        raise CallError(f"row {place + 1} is {shown(rows[place])} and the first {shown(first)}; {ALIKE}")
    if isinstance(first, tuple | list) and not hasattr(first, "_fields"):
        return _positional(rows, value)
    if getter(first, SUBTOPIC) is not None and value == "grade":
        raise CallError(f"{SUBTOPICS} of them ({shown(first)})")
    if value == "grade" and getter(first, ("iprob",)) is not None:
        advice = "to take them for plain judgments, give [(row.query_id, row.doc_id, row.relevance) for row in rows]"
        raise CallError(f"sampled judgments (prel, with probabilities: {shown(first)}) are not read here; {advice}")
    if value == "grade" and getter(first, GRADE[:-1]) is None and all(getter(first, each) for each in (SCORE, RANK)):
        raise CallError(f"{RANKED} of them ({shown(first)})")
    found: dict[str, Sequence[Any]] = {}
    for name, spellings in (("topic", TOPIC), ("document", DOCUMENT), (value, names)):
        take = getter(first, spellings)
        if take is None and name == "score" and getter(first, RANK) is not None:
            found["rank"] = _field(rows, getter(first, RANK), "rank")
            continue
        found[name] = _field(rows, take, " or ".join(spellings))
    system = getter(first, NAME)
    if system is not None and isinstance(system(first), str):
        found["system"] = _field(rows, system, "system")
    return _named(found)


def _positional(rows: list[Any], value: str) -> Columns:
    for number, row in enumerate(rows, 1):
        if len(row) != 3:
            raise CallError(f"row {number} ({shown(row)}) has {len(row)} values; wanted are (topic, document, {value})")
    columns = zip(*rows, strict=True)
    return _named(dict(zip(("topic", "document", value), columns, strict=True)))


def _field(rows: Sequence[Any], take: Callable[[Any], Any] | None, name: str) -> list[Any]:
    """Return a field of every row, or say which row lacks it."""
    number = 1
    if take is not None:
        try:
            return [take(row) for row in rows]
        except (KeyError, AttributeError, TypeError):
            number = next(i for i, row in enumerate(rows, 1) if _lacks(row, take))
    raise CallError(f"row {number} ({shown(rows[number - 1])}) has no {name}; {ALIKE if number > 1 else 'add it'}")


def _lacks(row: Any, take: Callable[[Any], Any]) -> bool:
    try:
        take(row)
    except (KeyError, AttributeError, TypeError):
        return True
    return False


def _named(columns: Mapping[str, Sequence[Any]]) -> Columns:
    """Return columns whose topics and documents are texts, or say which row has none."""
    texts = {
        name: [_identifier(each, name, f"row {number}") for number, each in enumerate(columns[name], 1)]
        for name in ("topic", "document")
    }
    return {**columns, **texts}
