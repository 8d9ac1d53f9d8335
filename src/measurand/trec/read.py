"""Reading runs and qrels from wherever they are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from os import PathLike, fspath
from typing import Any, TypeVar

from attrs import evolve

from measurand.calls import explains_calls
from measurand.errors import CallError, InputError, InputFileError
from measurand.execution import ahead
from measurand.scale import GradeScale
from measurand.trec import lines
from measurand.trec.datasets import dataset_of, qrels_of
from measurand.trec.files import Content, NamedFile, expand, is_file, load, size, stem
from measurand.trec.naming import naming
from measurand.trec.predictions import MEANS_ONLY, instead_of_means, is_predictions, read_predictions
from measurand.trec.run import Qrels, Run
from measurand.trec.sources import (
    Names,
    QrelsLike,
    RunLike,
    RunsLike,
    check_qrels,
    check_runs,
    is_by_name,
    is_frame,
    shown,
)

Read = TypeVar("Read")

MEMORY = "memory"
"""The place of a run that was not read from a file."""

LARGE = 8_000_000
"""From so many bytes on, loading polars costs less than reading line by line."""


@explains_calls
def read_qrels(source: QrelsLike, *, grade_scale: GradeScale | None = None) -> Qrels:
    """Return relevance judgments.

    Parameters
    ----------
    source
        A TREC judgment file of four columns (a path or an open file; gz, xz, bz2 and zst are
        unpacked), a parquet file, a polars, pandas or Arrow frame, or `{topic: {document: grade}}`; or an id of
        ir_datasets, such as `msmarco-passage/trec-dl-2019`, where that package is installed.
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
    check_qrels(source, 'call read_qrels("qrels.txt") or read_qrels({"1": {"d1": 2}})')
    read = source if isinstance(source, Qrels) else _qrels(source)
    return read if grade_scale is None else evolve(read, grade_scale=grade_scale)


def _qrels(source: Any) -> Qrels:
    dataset = dataset_of(source) if isinstance(source, str) else None
    if dataset is not None:
        return qrels_of(dataset)
    content = load(source) if is_file(source) else None
    if content is not None and not content.is_parquet and not _large(len(content.data)):
        return lines.read_qrels(content)
    from measurand.trec import frames

    if isinstance(source, Mapping):
        return frames.qrels_from_mapping(source)
    if content is None:
        return frames.qrels_from_frame(_frame(source, "judgments"))
    if content.is_parquet:
        return _placed(content, lambda: frames.qrels_from_frame(frames.parquet(content)))
    return frames.read_large_qrels(content) or lines.read_qrels(content)


@explains_calls
def read_run(source: RunLike, name: str | None = None) -> Run:
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
    place, several = _runs(source)
    if len(several) == 1:
        return evolve(several[0], name=name or several[0].name or _called(place))
    tags = [run.name for run in several]
    if name in tags:
        return several[tags.index(name)]
    raise InputError(f"{place} holds {len(tags)} runs ({', '.join(tags)}); use read_runs, or give the name of one")


@explains_calls
def read_runs(sources: RunsLike, *, names: Names = "auto") -> list[Run]:
    """Return all runs in some files, directories or patterns such as `runs/*.gz`.

    Parameters
    ----------
    sources
        One source or several, each as in `read_run`, or a directory, or a pattern; or `{name: source}`, where each
        source is one run.
    names
        `"tag"`: systems are called by their run tags; `"file"`: by their files' names. `"auto"`: by their run tags,
        but by their files' names where two files have the same tag, with a caveat of the first run.

    Examples
    --------
    >>> [run.name for run in read_runs({"bm25": {"301": {"FT911-1": 2.5}}, "dense": {"301": {"FT911-2": 1.5}}})]
    ['bm25', 'dense']
    """
    check_runs(sources, 'call read_runs(["bm25.run", "dense.run"])')
    return list(iterate_runs(sources, names=names))


def iterate_runs(sources: RunsLike, *, names: str = "auto") -> Iterator[Run]:
    """Return the runs of `read_runs` one after the other, each read only when its turn comes.

    Parameters
    ----------
    sources, names
        As in `read_runs`.
    """
    many = several_sources(sources)
    called = naming(many, names)
    read = partial(_named, by_file=called.by_file)
    noted = called.caveats
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
            yield evolve(run, caveats=(*run.caveats, *noted)) if noted else run
            noted = ()


def several_sources(sources: Any) -> list[Any]:
    """Return what `read_runs` was given as a list of sources, files in the place of directories and patterns.

    Parameters
    ----------
    sources
        One source or several, or `{name: source}`.
    """
    if is_by_name(sources):
        return expand(_with_name(str(name), source) for name, source in sources.items())
    return expand([sources] if is_one(sources) else sources)


def _with_name(name: str, source: Any) -> Any:
    if isinstance(source, str | PathLike):
        return NamedFile(name, fspath(source))
    return read_run(source, name=name)


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
    if isinstance(source, NamedFile):
        return [(read_run(source, name=source.name), source.path)]
    place, several = _runs(source)
    if by_file is None and several[0].name:
        return [(run, place) for run in several]
    called = _called(place) if by_file is None else by_file.get(place, _called(place))
    names = [called] if len(several) == 1 else [f"{called}/{run.name}" for run in several]
    return [(evolve(run, name=name), place) for run, name in zip(several, names, strict=True)]


def _called(place: str) -> str:
    return "run" if place == MEMORY else stem(place)


def _runs(source: Any) -> tuple[str, list[Run]]:
    """Return the name of a source and every run in it, called by its tag."""
    content = load(source) if is_file(source) else None
    if content is not None:
        if is_predictions(content):
            return content.name, read_predictions(content)
        instead = instead_of_means(content.data)
        if instead is not None:
            raise content.fail(None, f"{MEANS_ONLY}; {instead}")
    if content is not None and not content.is_parquet and not _large(len(content.data)):
        return content.name, lines.read_runs(content)
    from measurand.trec import frames

    if isinstance(source, Mapping):
        return MEMORY, [frames.run_from_mapping(source)]
    if content is None:
        return MEMORY, frames.runs_from_frame(_frame(source, "a run"))
    if content.is_parquet:
        return content.name, _placed(content, lambda: frames.runs_from_frame(frames.parquet(content), content.name))
    return content.name, frames.read_large_runs(content) or lines.read_runs(content)


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
        What `read_runs` was given.
    """
    return (
        is_file(sources) or isinstance(sources, Run | Mapping) or not isinstance(sources, Iterable) or is_frame(sources)
    )


def _frame(source: Any, what: str) -> Any:
    from measurand.trec import frames

    frame = frames.to_polars(source) if is_frame(source) else None
    if frame is None:
        example = '{"1": {"d1": 2}}' if what == "judgments" else '{"1": {"d1": 2.5}}'
        raise CallError(f"{shown(source)} is nothing that {what} can be read from; give a path, a frame or {example}")
    return frame
