"""Reading large regular files through polars; columns of frames and of parquet files; and nested dictionaries.

`measurand.trec.lines` is the definition of both formats: it goes through the lines one by one and explains what is
wrong with which. `read_large_runs` and `read_large_qrels` hand large files to polars, and return None when they meet
anything out of the ordinary, so that the definition decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import chain, groupby, islice
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import FloatArray, IntArray, Keys
from measurand.columns import Column, Columns, PlainTable, columns_of, read_parquet, values_of
from measurand.errors import InputError
from measurand.judged import as_grades, as_scores, bounds_of, flatten, hashes_of
from measurand.judged.grades import HIGHEST_GRADE
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
    place_of,
    plain,
)
from measurand.trec.files import Content
from measurand.trec.lines import QRELS, RUN, Format
from measurand.trec.metadata import BYTE_ORDER_MARK, head_length
from measurand.trec.run import Qrels, Run, repeated

if TYPE_CHECKING:
    import polars as pl

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number that spreads topics over all bits of a key."""


def read_large_runs(content: Content, form: Format = RUN) -> list[Run] | None:
    """Return the runs of a run file, one for every run tag, or None if the file is not regular.

    Parameters
    ----------
    content
        The file.
    form
        What its columns are.
    """
    frame = _frame(content, form)
    return None if frame is None else large_runs_of(frame, form, content.name)


def large_runs_of(frame: pl.DataFrame, form: Format, source: str) -> list[Run] | None:
    """Return the runs of a large frame, one for every run tag, or None if something is to be explained by lines.

    Parameters
    ----------
    frame
        Topics, documents and values, by the names that a format has for them, and run tags if it has any.
    form
        The format.
    source
        The file that it came from.
    """
    tags = frame["tag"] if "tag" in frame.columns else None
    parts = [frame] if tags is None or (tags == tags[0]).all() else frame.partition_by("tag", maintain_order=True)
    runs: list[Run] = []
    for part in parts:
        scores = part[form.value_name].to_numpy()
        found = _grouped(part, scores) if np.isfinite(scores).all() else None
        if found is None:
            return None
        scores = found.pop("values").astype(np.float64, copy=False)
        runs.append(Run(name="" if tags is None else part["tag"][0], source=source, scores=scores, **found))
    return runs


def read_large_qrels(content: Content, form: Format = QRELS) -> Qrels | None:
    """Return the judgments of a judgment file, or None if the file is not regular.

    Parameters
    ----------
    content
        The file.
    form
        What its columns are.
    """
    frame = _frame(content, form)
    return None if frame is None else large_qrels_of(frame, form)


def large_qrels_of(frame: pl.DataFrame, form: Format) -> Qrels | None:
    """Return the judgments of a large frame, or None if something is to be explained by lines.

    Parameters
    ----------
    frame
        Topics, documents and grades, by the names that a format has for them.
    form
        The format.
    """
    grades = frame[form.value_name].to_numpy()
    found = _grouped(frame, grades) if np.abs(grades).max() <= HIGHEST_GRADE else None
    return None if found is None else Qrels(grades=found.pop("values").astype(np.int64, copy=False), **found)


def _frame(content: Content, form: Format) -> pl.DataFrame | None:
    data = content.data.removeprefix(BYTE_ORDER_MARK)
    if b"\r" in data and b"\n" not in data:
        return None
    data = data[head_length(data) :]
    for odd in (b"\t", b"\r", b"\x0b", b"\x0c"):
        if odd in data:
            data = data.replace(odd, b" ")
    frame = _parse(data, form, whole_ranks=True)
    return frame if frame is not None else _parse(_single_spaced(data), form, whole_ranks=False)


def _single_spaced(data: bytes) -> bytes:
    """Return the same lines with one space between fields and none around them."""
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def _parse(data: bytes, form: Format, *, whole_ranks: bool) -> pl.DataFrame | None:
    import polars as pl

    schema: dict[str, pl.DataType | type[pl.DataType]] = dict.fromkeys(form.columns, pl.String)
    schema[form.value_name] = value_type(form)
    if whole_ranks and "rank" in schema and form.value_name != "rank":
        schema["rank"] = pl.Int64  # quicker than text, which is what a rank may be
    return parsed(data, has_header=False, separator=" ", schema=schema)


def value_type(form: Format) -> type[pl.DataType]:
    """Return how polars holds the values of a format."""
    import polars as pl

    return pl.Float64 if form.kind == RUN.kind else pl.Int64


def parsed(data: bytes, **options: Any) -> pl.DataFrame | None:
    """Return what polars reads from lines of columns, blank lines left out; None if anything is out of the ordinary.

    Parameters
    ----------
    data
        The bytes of a file.
    options
        How its lines are parted, and what columns it has, as `polars.read_csv` has it.
    """
    import polars as pl

    if data.startswith(BYTE_ORDER_MARK):
        return None  # polars would drop a mark that the format counts as part of the first word
    # looking for comments costs as much as all the rest
    comment = "#" if b"#" in data and (data.startswith(b"#") or b"\n#" in data) else None
    try:
        frame = pl.read_csv(data, quote_char=None, comment_prefix=comment, glob=False, **options)
    except (pl.exceptions.PolarsError, OSError):
        return None
    missing = frame.null_count().row(0)
    kept = frame.drop_nulls() if any(missing) else frame
    # a blank line is nothing but nulls; any other null is a column that is not there
    if any(count != len(frame) - len(kept) for count in missing):
        return None
    return kept if len(kept) else None


def _grouped(frame: pl.DataFrame, values: Any) -> dict[str, Any] | None:
    """Return topics, bounds, documents, hashes and values topic by topic; None if a document stands twice."""
    topics, order, bounds = by_topic(frame["topic"])
    documents = frame["document"].rechunk()
    if order is not None:
        documents, values = documents.gather(order), values[order]
    hashes = hashes_of(documents)
    if _any_twice(hashes, bounds):
        return None
    return {"topics": topics, "bounds": bounds, "documents": documents, "hashes": hashes, "values": values}


def _any_twice(hashes: Keys, bounds: IntArray) -> bool:
    """Return whether some hash occurs twice in a topic, as it does when a document does."""
    topics = np.repeat(np.arange(len(bounds) - 1, dtype=np.uint64), np.diff(bounds))
    keys = np.sort(hashes ^ (topics * _SPREAD))
    return bool((keys[1:] == keys[:-1]).any())


def by_topic(column: pl.Series) -> tuple[tuple[str, ...], IntArray | None, IntArray]:
    """Return the topics in order of appearance, how to reorder the rows if need be, and their bounds."""
    spans = column.rle().struct.unnest()
    names, sizes = spans["value"].to_list(), spans["len"].to_numpy()
    number = {name: i for i, name in enumerate(dict.fromkeys(names))}
    if len(number) == len(names):
        return tuple(names), None, bounds_of(sizes)
    of_row = np.repeat(np.array([number[name] for name in names]), sizes)
    return tuple(number), np.argsort(of_row, kind="stable"), bounds_of(np.bincount(of_row))


def run_from_mapping(nested: Mapping[Any, Mapping[Any, Any]]) -> Run:
    """Return a run without a name from `{topic: {document: score}}`."""
    topics, bounds, documents, values = _flat(nested)
    return Run(name="", topics=topics, bounds=bounds, documents=documents, scores=as_scores(values))


def qrels_from_mapping(nested: Mapping[Any, Mapping[Any, Any]]) -> Qrels:
    """Return judgments from `{topic: {document: grade}}`."""
    topics, bounds, documents, values = _flat(nested)
    return Qrels(topics=topics, bounds=bounds, documents=documents, grades=as_grades(values))


def _flat(nested: Mapping[Any, Mapping[Any, Any]]) -> tuple[tuple[str, ...], IntArray, list[str], list[Any]]:
    wanted = '{topic: {document: value}}, such as {"1": {"d1": 2}}'
    for topic, inner in nested.items():
        if not isinstance(inner, Mapping):
            raise InputError(f"topic {topic!r} maps to {type(inner).__name__}; wanted is {wanted}")
    named = {str(topic): {str(document): value for document, value in inner.items()} for topic, inner in nested.items()}
    if len(named) < len(nested) or any(len(named[str(topic)]) < len(inner) for topic, inner in nested.items()):
        raise InputError("two keys of the dictionary are the same name, such as 1 and '1'; make them all strings")
    topics, bounds, documents = flatten(named)
    return topics, bounds, documents, [value for topic in topics for value in named[topic].values()]


def parquet(content: Content) -> Columns:
    """Return the columns of a parquet file."""
    try:
        return read_parquet(content.data)
    except InputError as error:
        raise content.fail(None, f"is no parquet file that can be read ({error})") from None


def to_polars(source: Any) -> pl.DataFrame | None:
    """Return a polars, pandas or Arrow frame, or a dataset, as a polars frame, or None if it is no frame."""
    columns = columns_of(source)
    return None if columns is None else PlainTable(columns).to_polars("a frame of topics")


def runs_from_columns(columns: Columns, source: str = "") -> list[Run]:
    """Return the runs of a table with a topic, a document and a score in each row.

    Parameters
    ----------
    columns
        They go by measurand's, ir_measures', PyTerrier's, ranx's or Hugging Face's names. A column called
        system, run, tag or name parts the rows into several runs; without one their run has no name. Where there are
        ranks and no scores, the score of a document is 1/rank.
    source
        The file that they came from.

    Examples
    --------
    >>> [run] = runs_from_columns({"qid": [1, 2, 1], "docno": ["a", "a", "b"], "rank": [1, 1, 2]})
    >>> run.to_dict()
    {'1': {'a': 1.0, 'b': 0.5}, '2': {'a': 1.0}}
    """
    rank = _called(columns, RANK)
    ranked = _called(columns, SCORE) is None and rank is not None and _is_numeric(columns[rank])
    rows = _Rows.of(columns, _columns(columns, "a run needs", TOPIC, DOCUMENT, RANK if ranked else SCORE))
    if ranked:
        rows = evolve(rows, values=_scores_of_ranks(rows.values))
    tag = _called(columns, NAME)
    parts = {"": rows}
    if tag is not None:
        if _has_gaps(columns[tag]):
            raise InputError(f"column {tag!r} has missing values, and says which run a row belongs to")
        parts = {name: rows.at(places) for name, places in _places(list(map(str, values_of(columns[tag])))).items()}
    runs = []
    for name, part in parts.items():
        found, values, _ = part.by_topic(repeatable=False)
        runs.append(Run(name=name, source=source, scores=as_scores(values), **found))
    return runs


def _is_numeric(column: Column) -> bool:
    given = [each for each in values_of(column) if each is not None]
    return all(isinstance(each, Number) and not isinstance(each, bool) for each in given)


def _scores_of_ranks(column: Column) -> FloatArray:
    """Return scores that have the order of ranks, which count from 1, or from 0 where one is 0."""
    ranks = np.asarray(column, dtype=np.float64)
    if not (np.isfinite(ranks) & (ranks >= 0) & (ranks == np.floor(ranks))).all():
        raise InputError("column 'rank' has values that are no whole numbers from 1, and there is no column score")
    return 1 / (ranks + 1 if (ranks == 0).any() else ranks)


def qrels_from_columns(columns: Columns, called: str = "the frame") -> Qrels:
    """Return the judgments of a table with a topic, a document and a grade in each row.

    Parameters
    ----------
    columns
        They go by measurand's, ir_measures', PyTerrier's, ranx's or Hugging Face's names.
    called
        What a caveat calls the table.

    Examples
    --------
    >>> qrels_from_columns({"qid": ["1", "1"], "docno": ["a", "b"], "label": [2, 0]}).to_dict()
    {'1': {'a': 2, 'b': 0}}
    """
    names = list(columns)
    subtopics = place_of(list(map(plain, names)), SUBTOPIC)
    if subtopics is not None:
        raise InputError(f"{SUBTOPICS} {names[subtopics]}")
    if is_ranking(list(map(plain, names))):
        raise InputError(f"{RANKED} {_called(columns, RANK)}")
    rows = _Rows.of(columns, _columns(columns, "judgments need", TOPIC, DOCUMENT, GRADE))
    found, values, repeats = rows.by_topic(repeatable=True)
    return Qrels(grades=as_grades(values), caveats=repeated(repeats, called), **found)


@frozen
class _Rows:
    """The rows of a table: topics, documents and values."""

    topics: list[str]
    documents: list[str]
    values: Column

    @classmethod
    def of(cls, columns: Columns, names: Sequence[str]) -> _Rows:
        """Return what three columns hold, or complain of what they lack."""
        topics, documents, values = (columns[name] for name in names)
        if not len(topics):
            raise InputError("the frame has no rows")
        for name in names:
            if _has_gaps(columns[name]):
                raise InputError(f"column {name!r} has missing values")
        return cls(_identifiers(names[0], topics), _identifiers(names[1], documents), values)

    def at(self, places: Sequence[int]) -> _Rows:
        """Return the rows at some places."""
        values = self.values[places] if isinstance(self.values, np.ndarray) else [self.values[each] for each in places]
        return _Rows([self.topics[each] for each in places], [self.documents[each] for each in places], values)

    def by_topic(self, *, repeatable: bool) -> tuple[dict[str, Any], Column, int]:
        """Return topics, bounds and documents, the values, and how many rows are repetitions.

        Parameters
        ----------
        repeatable
            Whether a row may stand there again, with the same value.
        """
        spans = [(topic, len(list(span))) for topic, span in groupby(self.topics)]
        if len(dict(spans)) < len(spans):
            return self.at([*chain(*_places(self.topics).values())]).by_topic(repeatable=repeatable)
        documents = iter(self.documents)
        if all(len(set(islice(documents, size))) == size for _, size in spans):
            found = {"bounds": bounds_of([size for _, size in spans]), "documents": self.documents}
            return {"topics": tuple(topic for topic, _ in spans), **found}, self.values, 0
        once = self._once(repeatable)
        found, values, _ = once.by_topic(repeatable=False)
        return found, values, len(self.topics) - len(once.topics)

    def _once(self, repeatable: bool) -> _Rows:
        """Return the rows without repetitions, or complain of a document with two values."""
        values = values_of(self.values)
        first: dict[tuple[str, str], int] = {}
        for place, pair in enumerate(zip(self.topics, self.documents, strict=True)):
            earlier = first.setdefault(pair, place)
            if earlier != place and not (repeatable and values[earlier] == values[place]):
                raise InputError(f"document {pair[1]} stands twice in topic {pair[0]}; remove one")
        return self.at([*first.values()])


def _places(names: Sequence[str]) -> dict[str, list[int]]:
    """Return the places of each of some names, in the order of their first appearance."""
    places: dict[str, list[int]] = {name: [] for name in names}
    for place, name in enumerate(names):
        places[name].append(place)
    return places


def _has_gaps(column: Column) -> bool:
    return not isinstance(column, np.ndarray) and None in column


def _identifiers(name: str, column: Column) -> list[str]:
    """Return a column of names as text, or complain of what is neither text nor numbers."""
    values = values_of(column)
    return values if set(map(type, values)) == {str} else [_identifier(name, value) for value in values]


def _identifier(column: str, value: Any) -> str:
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            why = f"holds {value!r} where names are expected, which is not UTF-8"
            raise InputError(f"column {column!r} {why}") from None
    if not isinstance(value, str | Number | date):
        kind = type(value).__name__
        raise InputError(f"column {column!r} holds {kind} where names are expected, a text in each row")
    return str(value)


def _called(columns: Iterable[str], spellings: tuple[str, ...]) -> str | None:
    """Return the name of the column that goes by one of some spellings, what counts first first; None if none does."""
    names = list(columns)
    place = place_of(list(map(plain, names)), spellings)
    return None if place is None else names[place]


def _columns(columns: Columns, what: str, *wanted: tuple[str, ...]) -> list[str]:
    """Return the names that some columns have in a table."""
    found = [_called(columns, spellings) for spellings in wanted]
    if None in found:
        missing = [spellings for spellings, name in zip(wanted, found, strict=True) if name is None]
        lacks = " nor ".join(" or ".join(spellings) for spellings in missing)
        spare = next((name for name in columns if name not in found), "qid")
        have = f"the frame has no column {lacks}; it has {', '.join(columns)}"
        example = f"frame.rename(columns={{{spare!r}: {missing[0][0]!r}}})"
        raise InputError(f"{have}; {what} {', '.join(each[0] for each in wanted)}: rename them, as in {example}")
    return [name for name in found if name is not None]
