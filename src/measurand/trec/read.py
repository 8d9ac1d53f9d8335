"""Reading runs and qrels from wherever they are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from attrs import evolve

from measurand.errors import InputError, InputFileError, ParameterError
from measurand.execution import ahead
from measurand.trec import columns, frames, lines
from measurand.trec.content import Qrels, Run
from measurand.trec.rows import Rows
from measurand.trec.sources import Content, distinct, expand, is_file, load, size, stem

Read = TypeVar("Read")

MEMORY = "memory"
"""The place of a run that was not read from a file."""

LARGE = 8_000_000
"""From so many bytes on, loading polars costs less than reading line by line."""


def read_qrels(source: Any, *, grade_scale: str | None = None) -> Qrels:
    """Return relevance judgments.

    Parameters
    ----------
    source
        A TREC judgment file of four columns (a path or an open file; gz, xz, bz2 and zst are
        unpacked), a parquet file, a polars, pandas or Arrow frame, or `{topic: {document: grade}}`.
    grade_scale
        The scale that the grades are on: `"ordinal"`, which is the default, or `"ratio"` if a grade 2 is worth
        twice a grade 1.

    Examples
    --------
    >>> read_qrels({"301": {"FT911-1": 1, "FT911-2": 0}}).topics
    ('301',)
    >>> read_qrels({"301": {"FT911-1": 2}}, grade_scale="ratio").grade_scale
    <Scale.RATIO: 4>
    """
    read = source if isinstance(source, Qrels) else _qrels(source)
    return read if grade_scale is None else evolve(read, grade_scale=grade_scale)


def _qrels(source: Any) -> Qrels:
    if is_file(source):
        content = load(source)
        if frames.is_parquet(content):
            return _placed(content, lambda: Qrels.from_rows(frames.from_frame(frames.parquet(content), grades=True)[0]))
        rows = columns.read_qrels(content) if _large(len(content.data)) else None
        return Qrels.from_rows(rows or lines.read_qrels(content))
    if isinstance(source, Mapping):
        return Qrels.from_rows(frames.from_mapping(source, grades=True))
    return Qrels.from_rows(frames.from_frame(_frame(source, "judgments"), grades=True)[0])


def read_run(source: Any, name: str | None = None) -> Run:
    """Return one run.

    Parameters
    ----------
    source
        A TREC run file of six columns (a path or an open file; gz, xz, bz2 and zst are unpacked), a
        parquet file, a polars, pandas or Arrow frame, or `{topic: {document: score}}`.
    name
        What to call the system; by default its run tag. If the file holds several run tags, the one
        to take.

    Examples
    --------
    >>> read_run({"301": {"FT911-1": 2.5}}, name="bm25").name
    'bm25'
    """
    if isinstance(source, Run):
        return source if name is None else evolve(source, name=name)
    place, several = _rows(source)
    if len(several) == 1:
        return Run.from_rows(several[0], name or several[0].tag or _called(place), _source(place))
    tags = [rows.tag for rows in several]
    if name in tags:
        return Run.from_rows(several[tags.index(name)], name, _source(place))
    raise InputError(f"{place} holds {len(tags)} runs ({', '.join(tags)}); use read_runs, or give the name of one")


def read_runs(sources: Any, *, names: str = "tag") -> list[Run]:
    """Return all runs in some files, directories or patterns such as `runs/*.gz`.

    Parameters
    ----------
    sources
        One source or several, each as in `read_run`, or a directory, or a pattern.
    names
        `"tag"`: systems are called by their run tags; `"file"`: by their files' names, which helps
        when all files carry the same tag.
    """
    return list(iterate_runs(sources, names=names))


def iterate_runs(sources: Any, *, names: str = "tag") -> Iterator[Run]:
    """Yield the runs of `read_runs` one after the other, each read when its turn comes.

    Parameters
    ----------
    sources
        Anything that `read_runs` accepts.
    names
        `"tag"` names systems by their run tags, `"file"` by their files.
    """
    if names not in ("tag", "file"):
        raise ParameterError(f"names must be 'tag' or 'file', not {names!r}")
    many = expand([sources] if is_one(sources) else sources)
    paths = [str(source) for source in many if isinstance(source, Path)]
    read = partial(_named, by_file=dict(zip(paths, distinct(paths), strict=True)) if names == "file" else None)
    if _large(size(many)):
        import polars  # noqa: F401 - from here on every file takes the quick way

        # polars works outside Python's lock: while one run is judged, the next is being read
        readings: Iterator[list[tuple[Run, str]]] = ahead(read, many)
    else:
        readings = map(read, many)
    seen: dict[str, str] = {}
    for reading in readings:
        for run, place in reading:
            if run.name in seen:
                raise _same_name(run.name, place, seen[run.name])
            seen[run.name] = place
            yield run


def _same_name(name: str, place: str, earlier: str) -> InputError:
    if place == MEMORY:
        return InputError(f"two runs are called {name!r}; name them: read_run(…, name=…)")
    if earlier == place:
        return InputFileError(place, 1, f"a run called {name!r} is the same file again; name each file once")
    why = f"a run called {name!r} is also in {earlier}; rename one, or call the systems by their files"
    return InputFileError(place, 1, f'{why} (--names file; names="file" in Python)')


def _named(source: Any, by_file: Mapping[str, str] | None) -> list[tuple[Run, str]]:
    """Return the runs of a source, called by their tags or by their files, and where they came from."""
    if isinstance(source, Run):
        return [(source, MEMORY)]
    place, several = _rows(source)
    called = _called(place) if by_file is None else by_file.get(place, _called(place))
    if by_file is None and several[0].tag:
        names = [rows.tag for rows in several]
    else:
        names = [called] if len(several) == 1 else [f"{called}/{rows.tag}" for rows in several]
    return [(Run.from_rows(rows, name, _source(place)), place) for rows, name in zip(several, names, strict=True)]


def _called(place: str) -> str:
    return "run" if place == MEMORY else stem(place)


def _source(place: str) -> str:
    return "" if place == MEMORY else place


def _rows(source: Any) -> tuple[str, list[Rows]]:
    """Return the name of a source and the rows of every run in it."""
    if is_file(source):
        content = load(source)
        if frames.is_parquet(content):
            return content.name, _placed(content, lambda: frames.from_frame(frames.parquet(content), grades=False))
        several = columns.read_runs(content) if _large(len(content.data)) else None
        return content.name, several or lines.read_runs(content)
    if isinstance(source, Mapping):
        return MEMORY, [frames.from_mapping(source, grades=False)]
    return MEMORY, frames.from_frame(_frame(source, "a run"), grades=False)


def _placed(content: Content, read: Callable[[], Read]) -> Read:
    """Return what `read` returns; an error in the data names the file."""
    try:
        return read()
    except InputFileError:
        raise
    except InputError as error:
        raise content.fail(None, str(error)) from None


def _large(n: int) -> bool:
    # what costs is loading polars; once it is there it is always quicker
    return n >= LARGE or "polars" in sys.modules


def is_one(sources: Any) -> bool:
    """Return whether this is one source rather than several.

    Parameters
    ----------
    sources
        One source or several.
    """
    return (
        is_file(sources)
        or isinstance(sources, Run | Mapping)
        or not isinstance(sources, Iterable)
        or _is_frame(sources)
    )


def _is_frame(source: Any) -> bool:
    return hasattr(source, "__arrow_c_stream__") or type(source).__module__.partition(".")[0] in ("pandas", "polars")


def _frame(source: Any, what: str) -> Any:
    frame = frames.to_polars(source) if _is_frame(source) else None
    if frame is None:
        raise InputError(
            f"{type(source).__name__} is nothing that {what} can be read from; give a path, a frame or a dictionary"
        )
    return frame
