"""Reading data that is in memory already, or in a parquet file: frames and nested dictionaries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from measurand.errors import InputError
from measurand.judged import as_grades, as_scores, bounds_of, flatten
from measurand.trec.columns import by_topic
from measurand.trec.rows import Rows, repeated
from measurand.trec.sources import Content

if TYPE_CHECKING:
    import polars as pl

TOPIC = ("topic", "query_id", "qid", "q_id", "topic_id")
DOCUMENT = ("document", "doc_id", "docno", "docid", "document_id")
SCORE = ("score",)
GRADE = ("grade", "relevance", "label", "rel", "score")
NAME = ("system", "run", "tag", "name")

_PARQUET = b"PAR1"


def from_mapping(nested: Mapping[Any, Mapping[Any, Any]], *, grades: bool, tag: str = "") -> Rows:
    """Return the rows of `{topic: {document: value}}`."""
    for topic, inner in nested.items():
        if not isinstance(inner, Mapping):
            raise InputError(
                f"topic {topic!r} maps to {type(inner).__name__}; wanted is {{topic: {{document: value}}}}"
            )
    named = {str(topic): {str(document): value for document, value in inner.items()} for topic, inner in nested.items()}
    if len(named) < len(nested) or any(len(named[str(topic)]) < len(inner) for topic, inner in nested.items()):
        raise InputError("two keys of the dictionary are the same name, such as 1 and '1'; make them all strings")
    topics, bounds, documents = flatten(named)
    flat = [value for topic in topics for value in named[topic].values()]
    return Rows(tag, topics, bounds, documents, as_grades(flat) if grades else as_scores(flat))


def is_parquet(content: Content) -> bool:
    """Say whether a file is a parquet file, by its first bytes."""
    return content.data.startswith(_PARQUET)


def parquet(content: Content) -> pl.DataFrame:
    """Return the frame in a parquet file."""
    import polars as pl

    try:
        return pl.read_parquet(content.data)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise content.fail(None, f"is no parquet file that can be read ({error})") from None


def to_polars(source: Any) -> pl.DataFrame | None:
    """Return a polars, pandas or Arrow frame as a polars frame, or None if it is no frame."""
    import polars as pl

    if isinstance(source, pl.LazyFrame):
        return source.collect()
    if isinstance(source, pl.DataFrame):
        return source
    if type(source).__module__.partition(".")[0] == "pandas":
        if not source.columns.is_unique:
            raise InputError(f"two columns of the frame have one name: {', '.join(map(str, source.columns))}")
        return pl.DataFrame({str(name): _without_gaps(source[name]) for name in source.columns}, strict=False)
    if hasattr(source, "__arrow_c_stream__"):
        return pl.DataFrame(source)
    return None


def _without_gaps(column: Any) -> list[Any]:
    """Return the values of a pandas column, None for whatever pandas calls missing."""
    return [None if gap else value for value, gap in zip(column.tolist(), column.isna().tolist(), strict=True)]


def from_frame(frame: pl.DataFrame, *, grades: bool) -> list[Rows]:
    """Return the rows of a frame with a topic, a document and a value in each row.

    The columns go by measurand's, ir_measures', PyTerrier's or ranx's names. A column called system,
    run, tag or name parts a frame into several runs.
    """
    topic, document = _column(frame, TOPIC), _column(frame, DOCUMENT)
    value = _column(frame, GRADE if grades else SCORE)
    if not len(frame):
        raise InputError("the frame has no rows")
    part = next((name for name in NAME if name in frame.columns), None)
    if grades or part is None:
        return [_rows(frame, topic, document, value, grades=grades, tag="")]
    return [
        _rows(mine, topic, document, value, grades=False, tag=str(mine[part][0]))
        for mine in frame.partition_by(part, maintain_order=True)
    ]


def _rows(frame: pl.DataFrame, topic: str, document: str, value: str, *, grades: bool, tag: str) -> Rows:
    import polars as pl

    for name in (topic, document, value):
        if frame[name].null_count():
            raise InputError(f"column {name!r} has missing values")
    names, order, _ = by_topic(frame[topic].cast(pl.String))
    if order is not None:
        frame = frame[order]
    pairs = frame.select(pl.col(topic).cast(pl.String), pl.col(document).cast(pl.String))
    repeats = 0
    if pairs.is_duplicated().any():
        again = frame.with_columns(pairs).group_by(topic, document).agg(pl.col(value).n_unique())
        if not grades or (again[value] > 1).any():
            row = pairs.row(int(np.flatnonzero(pairs.is_duplicated().to_numpy())[0]))
            raise InputError(f"document {row[1]} stands twice in topic {row[0]}; remove one")
        kept = frame.with_columns(pairs).unique([topic, document], keep="first", maintain_order=True)
        repeats, frame = len(frame) - len(kept), kept
        pairs = frame.select(topic, document)
    sizes = np.diff(
        np.append(np.flatnonzero((pairs[topic] != pairs[topic].shift()).fill_null(True).to_numpy()), len(pairs))
    )
    values = frame[value]
    array = as_grades(values.to_list()) if grades else as_scores(values.to_list())
    return Rows(tag, names, bounds_of(sizes.tolist()), pairs[document].rechunk(), array, repeated(repeats, "the frame"))


def _column(frame: pl.DataFrame, spellings: tuple[str, ...]) -> str:
    for name in spellings:
        if name in frame.columns:
            return name
    raise InputError(f"the frame has no column {' or '.join(spellings)}; it has {', '.join(frame.columns)}")
