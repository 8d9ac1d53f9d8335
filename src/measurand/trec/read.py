"""Reading runs and qrels from wherever they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from os import PathLike, fspath
from os.path import isdir
from typing import Any

from attrs import evolve

import measurand.native as native
from measurand.calls import explains_calls
from measurand.errors import CallError, Caveat, CaveatKind, InputError, InputFileError
from measurand.execution import ahead
from measurand.execution.memory import Room
from measurand.scale import GradeScale
from measurand.trec import formats
from measurand.trec.datasets import dataset_of, qrels_of, runs_of
from measurand.trec.files import (
    Content,
    FileLike,
    NamedFile,
    expand,
    format_of,
    is_file,
    judgments_in,
    load,
    size,
    stem,
)
from measurand.trec.metadata import comments_of, head_length
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
    is_one_object,
    looked_at,
    settled,
    shown,
)

MEMORY = "memory"
"""The place of a run that was not read from a file."""

LARGE = 1_000_000
"""From so many bytes on, threads that read files ahead are worth their start."""


@explains_calls
@looked_at
def read_qrels(source: QrelsLike, *, grade_scale: GradeScale | None = None, format: str | None = None) -> Qrels:
    """Return relevance judgments.

    Parameters
    ----------
    source
        A judgment file (a path, an address such as `https://…`, or an open file; gz, xz, bz2 and zst are unpacked):
        TREC's four columns, a table with a header as BEIR's, three columns, JSON, JSONL, a request of Elasticsearch's
        `_rank_eval`, parquet; or a folder of BEIR's, whose `qrels/test.tsv` is read. Or a polars, pandas or Arrow
        frame, or `{topic: {document: grade}}`; or an id of ir_datasets, such as `msmarco-passage/trec-dl-2019`, where
        that package is installed. Or an object: rows (tuples `(topic, document, grade)`, dictionaries, the named tuples
        of ir_datasets and ir_measures), `{topic: relevant documents}`, ranx's `Qrels`, a dataset of ir_datasets or of
        Hugging Face.
    grade_scale
        The scale that the grades are on: `"ordinal"`, which is the default, or `"ratio"` if a grade 2 is worth
        twice a grade 1.
    format
        The format of the file: `"trec"`, `"beir"`, `"msmarco"`, `"csv"`, `"tsv"`, `"json"`, `"jsonl"`, `"rank-eval"` or
        `"parquet"`. By default it is found by the content, whatever the file is called.

    Examples
    --------
    >>> read_qrels({"301": {"FT911-1": 1, "FT911-2": 0}}).topics
    ('301',)
    >>> read_qrels({"301": {"FT911-1": 2}}, grade_scale="ratio").grade_scale
    <Scale.RATIO: 4>
    """
    check_qrels(source, 'call read_qrels("qrels.txt") or read_qrels({"1": {"d1": 2}})')
    read = source if isinstance(source, Qrels) else _qrels(source, format or format_of(source))
    return read if grade_scale is None else evolve(read, grade_scale=grade_scale)


def _qrels(source: Any, form: str | None) -> Qrels:
    _check_format(source, form)
    dataset = dataset_of(source)
    if dataset is not None:
        return qrels_of(dataset)
    if is_file(source):
        return _qrels_of_file(source, form)
    from measurand.trec import objects

    return objects.read_qrels(source)


def _qrels_of_file(source: FileLike, form: str | None) -> Qrels:
    """Return the judgments of a file, or of a folder that has them by splits."""
    if not isinstance(source, str | PathLike) or not isdir(source):
        return _qrels_in(load(source), form)
    path, splits = judgments_in(fspath(source))
    found = _qrels_in(load(path), form)
    text = f"{fspath(source)}: the judgments are those of {path}"
    others = [split for split in splits if split != stem(path)]
    text += f"; there are also {', '.join(others)}" if others else ""
    return evolve(found, caveats=(*found.caveats, Caveat(CaveatKind.FORMAT, text)))


def _qrels_in(content: Content, form: str | None) -> Qrels:
    """Return the judgments of a file, with the comments at its head."""
    _refuse_means(content)
    found, comments = formats.read_qrels(content, form, native.is_there()), _comments(content)
    content.check_unchanged()
    return evolve(found, comments=comments) if comments else found


def _check_format(source: Any, form: str | None) -> None:
    """Complain of a format that there is not, and of one for what is no file."""
    if form is not None:
        formats.check_format(form)
        if not is_file(source):
            raise CallError(f"format={form!r} says how to read a file, and {shown(source)} is none; leave it out")


@explains_calls
@looked_at
def read_run(source: RunLike, name: str | None = None, *, format: str | None = None) -> Run:
    """Return one run.

    Parameters
    ----------
    source
        A run file (a path, an address such as `https://…`, or an open file; gz, xz, bz2 and zst are unpacked): TREC's
        six columns, MS MARCO's three, topic, document and score, a table with a header, JSON, JSONL, a response of
        Elasticsearch's `_rank_eval`, parquet; or a polars, pandas or Arrow frame, or `{topic: {document: score}}`. Or
        an object: rows (tuples `(topic, document, score)`, dictionaries, the named tuples of ir_datasets and
        ir_measures), `{topic: [documents, best first]}`, ranx's `Run`, the scored documents of a dataset of
        ir_datasets, a dataset of Hugging Face.
    name
        What to call the system; by default its run tag. If the file holds several run tags, the one
        to take.
    format
        The format of the file: `"trec"`, `"msmarco"` (ranks), `"scores"` (topic, document, score), `"colbert"`,
        `"beir"`, `"csv"`, `"tsv"`, `"json"`, `"jsonl"`, `"rank-eval"` or `"parquet"`. By default it is found by the
        content, whatever the file is called.

    Examples
    --------
    >>> read_run({"301": {"FT911-1": 2.5}}, name="bm25").name
    'bm25'
    """
    if isinstance(source, Run):
        return source if name is None else evolve(source, name=name)
    place, several = _runs(source, format or format_of(source))
    if len(several) == 1:
        return evolve(several[0], name=name or several[0].name or _called(place))
    tags = [run.name for run in several]
    if name in tags:
        return several[tags.index(name)]
    raise InputError(f"{place} holds {len(tags)} runs ({', '.join(tags)}); use read_runs, or give the name of one")


@explains_calls
@looked_at
def read_runs(sources: RunsLike, *, names: Names = "auto", format: str | None = None) -> list[Run]:
    """Return all runs in some files, directories or patterns such as `runs/*.gz`.

    Parameters
    ----------
    sources
        One source or several, each as in `read_run`, or a directory, or a pattern; or `{name: source}`, where each
        source is one run.
    names
        `"tag"`: systems are called by their run tags; `"file"`: by their files' names. `"auto"`: by their run tags,
        but by their files' names where two files have the same tag, with a caveat of the first run.
    format
        The format of the files, as in `read_run`. By default that of each is found by its content.

    Examples
    --------
    >>> [run.name for run in read_runs({"bm25": {"301": {"FT911-1": 2.5}}, "dense": {"301": {"FT911-2": 1.5}}})]
    ['bm25', 'dense']
    """
    check_runs(sources, 'call read_runs(["bm25.run", "dense.run"])')
    return list(iterate_runs(sources, names=names, format=format))


def iterate_runs(sources: RunsLike, *, names: str = "auto", format: str | None = None) -> Iterator[Run]:
    """Return the runs of `read_runs` one after the other, each read only when its turn comes.

    Parameters
    ----------
    sources, names, format
        As in `read_runs`.
    """
    many = several_sources(sources)
    called = naming(many, names)
    read = partial(named_runs, by_file=called.by_file, form=format)
    noted = called.caveats
    if native.is_there() and len(many) > 1 and size(many) >= LARGE:
        # loops in C work outside Python's lock: while one run is judged, the next is being read
        readings: Iterator[list[tuple[Run, str]]] = ahead(read, many)
    else:
        readings = map(read, many)
    seen: dict[str, str] = {}
    for reading in readings:
        for run, place in reading:
            if run.name in seen:
                raise same_name(run.name, place, seen[run.name])
            seen[run.name] = place
            yield evolve(run, caveats=(*run.caveats, *noted)) if noted else run
            noted = ()


@looked_at
def several_sources(sources: Any) -> list[Any]:
    """Return what `read_runs` was given as a list of sources, files in the place of directories and patterns.

    Parameters
    ----------
    sources
        One source or several, or `{name: source}`.
    """
    sources = settled(sources)
    if is_by_name(sources):
        return expand(_with_name(str(name), source) for name, source in sources.items())
    return expand([sources] if is_one(sources) else sources)


def _with_name(name: str, source: Any) -> Any:
    if isinstance(source, str | PathLike):
        return NamedFile(name, fspath(source))
    return read_run(source, name=name)


def same_name(name: str, place: str, earlier: str) -> InputError:
    """Return the complaint that two runs have one name.

    Parameters
    ----------
    name
        The name.
    place, earlier
        The file of the run, and that of the one before.
    """
    if place == MEMORY:
        return InputError(f"two runs are called {name!r}; name them: read_run(…, name=…)")
    if earlier == place:
        return InputFileError(place, 1, f"a run called {name!r} is the same file again; name each file once")
    why = f"a run called {name!r} is also in {earlier}; rename one, or call the systems by their files"
    return InputFileError(place, 1, f'{why} (--names file; names="file" in Python)')


@looked_at
def named_runs(source: Any, by_file: Mapping[str, str] | None, form: str | None) -> list[tuple[Run, str]]:
    """Return the runs of a source, called by their tags or by their files, and where they came from.

    Parameters
    ----------
    source
        A source as `several_sources` returns it.
    by_file
        What systems are called by their files; None where they are called by their run tags.
    form
        The format of the file; None to find it by the content.
    """
    if isinstance(source, Run):
        return [(source, MEMORY)]
    if isinstance(source, NamedFile):
        return [(read_run(source, name=source.name, format=form), source.path)]
    place, several = _runs(source, form or format_of(source))
    if by_file is None and several[0].name:
        return [(run, place) for run in several]
    called = _called(place) if by_file is None else by_file.get(place, _called(place))
    names = [called] if len(several) == 1 else [f"{called}/{run.name}" for run in several]
    return [(evolve(run, name=name), place) for run, name in zip(several, names, strict=True)]


def _called(place: str) -> str:
    return "run" if place == MEMORY else stem(place)


def _runs(source: Any, form: str | None) -> tuple[str, list[Run]]:
    """Return the name of a source and every run in it, called by its tag."""
    _check_format(source, form)
    if is_file(source):
        content = load(source)
        if form is None and is_predictions(content):
            predictions = read_predictions(content)
            content.check_unchanged()
            return content.name, predictions
        _refuse_means(content)
        found, comments = formats.read_runs(content, form, native.is_there()), _comments(content)
        content.check_unchanged()
        return content.name, [evolve(run, comments=comments) for run in found] if comments else found
    from measurand.trec import objects

    dataset = dataset_of(source)
    return MEMORY, objects.read_runs(source) if dataset is None else runs_of(dataset)


def _refuse_means(content: Content) -> None:
    """Complain of a file that holds means alone."""
    instead = instead_of_means(content.head)
    if instead is not None:
        raise content.fail(None, f"{MEANS_ONLY}; {instead}")


def _comments(content: Content) -> tuple[str, ...]:
    """Return the comments at the head of a file."""
    all_comments = head_length(content.head) == len(content.head)
    data = content.data if all_comments else content.head
    most = Room().beyond(5 * len(data) + 115 * data.count(b"\n"))  # each becomes an object
    if most is not None:
        raise content.too_much(most)
    return comments_of(data)


@looked_at
def is_one(sources: Any) -> bool:
    """Return whether this is one source rather than several.

    Parameters
    ----------
    sources
        What `read_runs` was given.
    """
    one = is_file(sources) or isinstance(sources, Run | Mapping) or not isinstance(sources, Iterable)
    return one or is_one_object(sources)
