"""Reading through polars: large regular files, parquet files, frames; and nested dictionaries.

`measurand.trec.lines` is the definition of both formats: it goes through the lines one by one and explains what is
wrong with which. `read_large_runs` and `read_large_qrels` hand large files to polars, and return None when they meet
anything out of the ordinary, so that the definition decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from measurand.arrays import IntArray, Keys
from measurand.errors import InputError
from measurand.judged import as_grades, as_scores, bounds_of, flatten
from measurand.judged.grades import HIGHEST_GRADE
from measurand.judged.names import Names
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
from measurand.trec.lines import RUN, Format
from measurand.trec.metadata import BYTE_ORDER_MARK
from measurand.trec.run import Qrels, Run, repeated

if TYPE_CHECKING:
    import polars as pl

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number that spreads topics over all bits of a key."""


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
    names = Names.of(documents.to_list())
    if _any_twice(names.hashes, bounds):
        return None
    return {"topics": topics, "bounds": bounds, "documents": names, "values": values}


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


def parquet(content: Content) -> pl.DataFrame:
    """Return the frame in a parquet file."""
    import polars as pl

    try:
        return pl.read_parquet(content.data)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise content.fail(None, f"is no parquet file that can be read ({error})") from None


def to_polars(source: Any) -> pl.DataFrame | None:
    """Return a polars, pandas or Arrow frame, or a dataset, as a polars frame, or None if it is no frame."""
    import polars as pl

    if hasattr(source, "column_names") and hasattr(source, "to_pandas"):
        # a dataset of Hugging Face, whose data may hold rows that are filtered out
        source = source.to_polars() if hasattr(source, "to_polars") else source.to_pandas()

    if isinstance(source, pl.LazyFrame):
        return source.collect()
    if isinstance(source, pl.DataFrame):
        return source
    if type(source).__module__.partition(".")[0] == "pandas":
        if not hasattr(source, "columns"):
            return None  # a column alone
        if not source.columns.is_unique:
            raise InputError(f"two columns of the frame have one name: {', '.join(map(str, source.columns))}")
        held = pl.DataFrame({str(name): _without_gaps(source[name]) for name in source.columns}, strict=False)
        singles = [str(name) for name in source.columns if str(source[name].dtype).lower() == "float32"]
        return held.with_columns(pl.col(singles).cast(pl.Float32)) if singles else held
    return pl.DataFrame(source) if hasattr(source, "__arrow_c_stream__") else None


def _without_gaps(column: Any) -> list[Any]:
    """Return the values of a pandas column, None for whatever pandas calls missing."""
    return [None if gap else value for value, gap in zip(column.tolist(), column.isna().tolist(), strict=True)]


def runs_from_frame(frame: pl.DataFrame, source: str = "") -> list[Run]:
    """Return the runs of a frame with a topic, a document and a score in each row.

    Parameters
    ----------
    frame
        The columns go by measurand's, ir_measures', PyTerrier's, ranx's or Hugging Face's names. A column called
        system, run, tag or name parts it into several runs; without one its run has no name. Where there are ranks and
        no scores, the score of a document is 1/rank.
    source
        The file that it came from.
    """
    names = [plain(name) for name in frame.columns]
    ranks = place_of(names, RANK)
    if place_of(names, SCORE) is None and ranks is not None and frame.to_series(ranks).dtype.is_numeric():
        frame = frame.with_columns(score=_of_ranks(frame.to_series(ranks)))
    columns = _columns(frame, "a run needs", TOPIC, DOCUMENT, SCORE)
    _check_rows(frame)
    place = place_of([plain(name) for name in frame.columns], NAME)
    part = None if place is None else frame.columns[place]
    if part is not None and frame[part].null_count():
        raise InputError(f"column {part!r} has missing values, and says which run a row belongs to")
    parts = [frame] if part is None else frame.partition_by(part, maintain_order=True)
    runs = []
    for mine in parts:
        found, values, _ = _rows(mine, *columns, repeatable=False)
        name = "" if part is None else str(mine[part][0])
        runs.append(Run(name=name, source=source, scores=as_scores(values), **found))
    return runs


def _of_ranks(ranks: pl.Series) -> pl.Series:
    """Return scores that have the order of some ranks, which count from 1, or from 0 where one is 0."""
    if (ranks < 0).any() or (ranks != ranks.floor()).any():
        raise InputError("column 'rank' has values that are no whole numbers from 1, and there is no column score")
    return 1 / (ranks + 1 if (ranks == 0).any() else ranks)


def qrels_from_frame(frame: pl.DataFrame, called: str = "the frame") -> Qrels:
    """Return the judgments of a frame with a topic, a document and a grade in each row.

    Parameters
    ----------
    frame
        The columns go by measurand's, ir_measures', PyTerrier's, ranx's or Hugging Face's names.
    called
        What a caveat calls it.
    """
    names = [plain(name) for name in frame.columns]
    subtopics = place_of(names, SUBTOPIC)
    if subtopics is not None:
        raise InputError(f"{SUBTOPICS} {frame.columns[subtopics]}")
    if is_ranking(names):
        raise InputError(f"{RANKED} {frame.columns[names.index('rank')]}")
    columns = _columns(frame, "judgments need", TOPIC, DOCUMENT, GRADE)
    _check_rows(frame)
    found, values, repeats = _rows(frame, *columns, repeatable=True)
    return Qrels(grades=as_grades(values), caveats=repeated(repeats, called), **found)


def _check_rows(frame: pl.DataFrame) -> None:
    if not len(frame):
        raise InputError("the frame has no rows")


def _rows(
    frame: pl.DataFrame, topic: str, document: str, value: str, *, repeatable: bool
) -> tuple[dict[str, Any], list[Any], int]:
    """Return topics, bounds and documents of a frame, the values, and how many rows are repetitions.

    Parameters
    ----------
    repeatable
        Whether a row may stand there again, with the same value.
    """
    import polars as pl

    for name in (topic, document, value):
        if frame[name].null_count():
            raise InputError(f"column {name!r} has missing values")
    frame = frame.with_columns(_identifiers(frame[name]) for name in (topic, document))
    names, order, _ = by_topic(frame[topic])
    if order is not None:
        frame = frame[order]
    pairs = frame.select(topic, document)
    repeats = 0
    if pairs.is_duplicated().any():
        again = frame.group_by(topic, document).agg(pl.col(value).n_unique())
        if not repeatable or (again[value] > 1).any():
            row = pairs.row(int(np.flatnonzero(pairs.is_duplicated().to_numpy())[0]))
            raise InputError(f"document {row[1]} stands twice in topic {row[0]}; remove one")
        kept = frame.unique([topic, document], keep="first", maintain_order=True)
        repeats, frame = len(frame) - len(kept), kept
        pairs = frame.select(topic, document)
    sizes = np.diff(
        np.append(np.flatnonzero((pairs[topic] != pairs[topic].shift()).fill_null(True).to_numpy()), len(pairs))
    )
    found = {"topics": names, "bounds": bounds_of(sizes.tolist()), "documents": pairs[document].to_list()}
    values = frame[value]
    # a grade of 32 bits stands for its own shortest decimal, which is not that of the double
    return found, list(values.to_numpy()) if values.dtype == pl.Float32 else values.to_list(), repeats


def _identifiers(column: pl.Series) -> pl.Series:
    """Return a column of names as text, or complain of what is neither text nor numbers."""
    import polars as pl

    if column.dtype.is_nested():
        raise InputError(f"column {column.name!r} holds {column.dtype} where names are expected, a text in each row")
    try:
        return column.cast(pl.String)
    except pl.exceptions.PolarsError as error:
        why = str(error).partition("\n")[0]
        raise InputError(f"column {column.name!r} cannot be read as text ({why})") from None


def _columns(frame: pl.DataFrame, what: str, *wanted: tuple[str, ...]) -> list[str]:
    """Return the names that some columns have in a frame."""
    places = [place_of([plain(name) for name in frame.columns], spellings) for spellings in wanted]
    found = [None if place is None else frame.columns[place] for place in places]
    if None in found:
        missing = [spellings for spellings, name in zip(wanted, found, strict=True) if name is None]
        lacks = " nor ".join(" or ".join(spellings) for spellings in missing)
        spare = next((name for name in frame.columns if name not in found), "qid")
        have = f"the frame has no column {lacks}; it has {', '.join(frame.columns)}"
        example = f"frame.rename(columns={{{spare!r}: {missing[0][0]!r}}})"
        raise InputError(f"{have}; {what} {', '.join(each[0] for each in wanted)}: rename them, as in {example}")
    return [name for name in found if name is not None]
