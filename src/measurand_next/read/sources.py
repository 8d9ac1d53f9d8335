"""What judgments and runs are read from, and what their systems are called."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import PurePath
from typing import Any, TypeAlias, TypeVar, Unpack

from attrs import evolve, frozen

from measurand_next import native
from measurand_next.data.judge import Grouped, JudgedRun, Judging, JudgingOptions
from measurand_next.data.judged import JudgedRuns
from measurand_next.data.qrels import Qrels
from measurand_next.data.run import Run
from measurand_next.errors import Caveat, CaveatKind, InputError, ParameterError, quoted
from measurand_next.parallel import workers
from measurand_next.read.files import File, FileLike, expand, stem
from measurand_next.read.trec import QRELS, RUN, judge_file, read_qrels_file, read_run_file, width_of

QrelsLike: TypeAlias = FileLike | Qrels | Mapping[str, Mapping[str, Any]]
RunLike: TypeAlias = FileLike | Run | Mapping[str, Mapping[str, Any]]
RunsLike: TypeAlias = RunLike | Iterable[RunLike] | Mapping[str, RunLike]

Found = TypeVar("Found", Run, JudgedRun)

UNNAMED = "run"

LARGE = 1_000_000
"""From so many bytes on threads are worth their start."""


def read_qrels(source: QrelsLike) -> Qrels:
    """Read relevance judgments.

    Parameters
    ----------
    source
        A file in TREC's format, by its path or open, which may be packed (gz, xz, bz2, zst); or a dictionary
        ``{topic: {document: grade}}``.

    Examples
    --------
    >>> read_qrels({"301": {"FT911-1": 1, "FT911-2": 0}})
    <Qrels: 1 topics, 2 judgments>
    """
    if isinstance(source, Qrels):
        return source
    return Qrels.of(source) if isinstance(source, Mapping) else read_qrels_file(_file(source))


def read_run(source: RunLike, name: str | None = None) -> Run:
    """Read one run.

    Parameters
    ----------
    source
        A file in TREC's format, by its path or open, which may be packed (gz, xz, bz2, zst); or a dictionary
        ``{topic: {document: score}}``.
    name
        What to call the system, which otherwise is called by its run tag; of a file with several tags, the one to take.

    Examples
    --------
    >>> read_run({"301": {"FT911-1": 2.5}}, name="bm25")
    <Run 'bm25': 1 topics, 1 documents>
    """
    several = _runs_in(source)
    tags = [run.name for run in several]
    if len(several) == 1 or name in tags:
        run = several[tags.index(name) if name in tags else 0]
        return run if name is None else evolve(run, name=name)
    why = f"holds {len(tags)} runs ({', '.join(tags)}); take read_runs, or give the name of one"
    raise InputError(why, several[0].source)


def read_runs(sources: RunsLike) -> list[Run]:
    """Read all runs of some files, folders or patterns such as ``runs/*.gz``.

    Systems are called by their run tags, or by their files where two files have the same tag.

    Parameters
    ----------
    sources
        One source or several, each as in `read_run`, or a folder, or a pattern; or ``{name: source}``.

    Examples
    --------
    >>> read_runs({"bm25": {"301": {"FT911-1": 2.5}}, "dense": {"301": {"FT911-2": 1.5}}})
    [<Run 'bm25': 1 topics, 1 documents>, <Run 'dense': 1 topics, 1 documents>]
    """
    several = list(_sources(sources))
    runs, caveats = _named(several, map(_runs_of, several))
    if not runs:
        raise InputError("no run to read; name at least one")
    return [evolve(runs[0], caveats=(*runs[0].caveats, *caveats)), *runs[1:]] if caveats else runs


def judge(qrels: QrelsLike, runs: RunsLike, **options: Unpack[JudgingOptions]) -> JudgedRuns:
    """Rank the documents of runs and look up their grades.

    Parameters
    ----------
    qrels
        Judgments, as in `read_qrels`. Their topics, in their order, are those of the judged runs.
    runs
        Runs, as in `read_runs`; a generator may give more of them than fit into memory. The two may stand in the other
        order if they are files, a `Qrels` or a `Run`, or several runs.
    depth
        The last rank; by default that of the longest ranking.
    ties
        Documents of equal score: ``"trec"``, the default, puts the one first whose name comes last, as trec_eval does;
        ``"file"`` keeps the order of the file, whatever the scores; with ``"groups"`` they share their ranks; with None
        they do so for measures that are defined on shared ranks.
    precision
        ``"single"`` compares scores as 32-bit floats, as trec_eval did before version 10; ``"double"`` is the default.
    missing_topics
        ``"zero"``, the default, takes a topic that a system left out for an empty result; ``"skip"`` leaves it out of
        that system's averages, as trec_eval does without ``-c``.
    documents
        Whether to keep the names of the ranked documents.

    Examples
    --------
    >>> judged = judge({"1": {"d1": 1, "d3": 2, "d4": 2}}, {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}})
    >>> judged.grades.tolist(), judged.recall_base.tolist()
    ([[[1, -1, 2]]], [3])
    """
    first: Any = _file(qrels) if hasattr(qrels, "read") else qrels  # which is read once
    second: Any = _file(runs) if hasattr(runs, "read") else runs
    if _are_swapped(first, second):
        first, second = second, first
    try:
        judgments = read_qrels(first)
    except InputError:
        if not _are_swapped_files(first, second):
            raise
        judgments, second = read_qrels(second), first
    judging = Judging(judgments, **options)
    sources = _sources(second)
    judge_one = partial(_judged, judging)
    if isinstance(second, Iterator):  # perhaps of more than fits into memory
        return judging.together(each for source in sources for each in judge_one(source))
    several = list(sources)
    sizes = [source.what.size for source in several if isinstance(source.what, File)]
    if native.library() and len(sizes) > 1 and sum(sizes) > LARGE:  # which works outside Python's lock
        with workers.threads(min(workers.cores(), len(sizes))) as executor:
            found = list(workers.map(judge_one, several, executor=executor))
    else:
        found = list(map(judge_one, several))
    return judging.together(*_named(several, found))


@frozen
class _Source:
    """Where a run, or several of a file, come from, and what to call it if somebody said so."""

    what: Run | File | Mapping[str, Mapping[str, Any]]
    name: str | None = None
    caveats: tuple[Caveat, ...] = ()


def _sources(sources: Any) -> Iterator[_Source]:
    """Each source of runs; folders and patterns are the files that they stand for."""
    if isinstance(sources, Run | File):
        yield _Source(sources)
    elif isinstance(sources, Mapping):
        if all(_is_run(source) for source in sources.values()):
            yield from (_Source(_source(source), str(name)) for name, source in sources.items())
        else:
            yield _Source(sources)
    elif _is_file(sources):
        paths, caveats = expand([sources])
        for place, path in enumerate(paths):
            yield _Source(File(path), caveats=() if place else caveats)
    elif isinstance(sources, Iterable) and not isinstance(sources, bytes):
        for source in sources:
            yield from _sources(source)
    else:
        yield _Source(_file(sources))  # which says what is wrong with it


def _is_file(source: Any) -> bool:
    return isinstance(source, str | os.PathLike | File) or hasattr(source, "read")


def _is_run(source: Any) -> bool:
    """Whether something is a run, rather than the documents of a topic, or the score of one."""
    if isinstance(source, Mapping):
        return all(isinstance(documents, Mapping) for documents in source.values())
    return isinstance(source, Run) or _is_file(source)


def _source(source: RunLike) -> Any:
    return source if isinstance(source, Run | Mapping) else _file(source)


def _file(source: Any) -> File:
    if not _is_file(source):
        why = f"{quoted(source)} is no path, open file or dictionary of topics; frames and other objects come later"
        raise ParameterError(why)
    return source if isinstance(source, File) else File(source)


def _are_swapped(qrels: Any, runs: Any) -> bool:
    """Whether two values stand in each other's place."""
    if isinstance(qrels, Run) or isinstance(runs, Qrels):
        return True
    return isinstance(qrels, list | tuple) and (_is_file(runs) or isinstance(runs, Mapping))


def _are_swapped_files(qrels: Any, runs: Any) -> bool:
    """Whether two files stand in each other's place, of which the first cannot be read as judgments."""
    if not (_is_file(qrels) and _is_file(runs)):
        return False
    try:
        return width_of(_file(qrels)) == len(RUN.columns) and width_of(_file(runs)) == len(QRELS.columns)
    except InputError:
        return False


def _runs_in(source: Any) -> list[Run]:
    if isinstance(source, Run):
        return [source]
    return [Run.of(UNNAMED, source)] if isinstance(source, Mapping) else read_run_file(_file(source))


def _runs_of(source: _Source) -> list[Run]:
    what: Any = source.what
    return [read_run(what, source.name)] if source.name else _runs_in(what)


def _judged(judging: Judging, source: _Source) -> list[JudgedRun]:
    """The runs of a source, judged."""
    if isinstance(source.what, File) and source.name is None:
        return judge_file(judging, source.what)
    return [each for run in _runs_of(source) for each in judging.judge(Grouped.of(run), run.source, run.caveats)]


def _named(several: list[_Source], found: Iterable[list[Found]]) -> tuple[list[Found], tuple[Caveat, ...]]:
    """The runs of all sources, by their tags, or by their files where these begin with the same tag; and caveats."""
    pairs = list(zip(several, found, strict=True))
    caveats = [caveat for source in several for caveat in source.caveats]
    files = [(source.what.name, runs) for source, runs in pairs if isinstance(source.what, File) and not source.name]
    tags = Counter(runs[0].name for _, runs in files)
    (tag, number), *_ = tags.most_common(1) or [("", 0)]
    if number < 2 or len({path for path, _ in files}) < 2:
        return [run for _, runs in pairs for run in runs], tuple(caveats)
    which = "both" if len(files) == number == 2 else f"{number} of {len(files)}"
    text = f"{which} files have the run tag {tag}, so systems are called by their files"
    caveats.append(Caveat(CaveatKind.NAMES, text))
    stems = [stem(path) for path, _ in files]
    if len(set(stems)) < len(stems):  # as in 2023/bm25.run and 2024/bm25.run
        stems = [str(PurePath(path).with_name(name)) for name, (path, _) in zip(stems, files, strict=True)]
    by_file = dict(zip([path for path, _ in files], stems, strict=True))
    named = []
    for source, runs in pairs:
        called = by_file.get(source.what.name) if isinstance(source.what, File) and not source.name else None
        for run in runs:
            name = run.name if called is None else called if len(runs) == 1 else f"{called}/{run.name}"
            named.append(evolve(run, name=name))
    return named, tuple(caveats)
