"""What judgments and runs are read from, and what their systems are called."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set, ValuesView
from functools import partial
from pathlib import PurePath
from typing import Any, TypeAlias, TypeVar, Unpack

from attrs import evolve, frozen

from measurand_next import native
from measurand_next.data.judge import Grouped, JudgedRun, Judging, JudgingOptions
from measurand_next.data.judged import JudgedRuns
from measurand_next.data.qrels import Qrels
from measurand_next.data.rows import check_names
from measurand_next.data.run import Run
from measurand_next.errors import Caveat, CaveatKind, InputError, ParameterError, quoted, short
from measurand_next.parallel import workers
from measurand_next.read.files import File, FileLike, expand, is_several, stem
from measurand_next.read.trec import QRELS, RUN, judge_file, read_qrels_file, read_run_file, width_of

QrelsLike: TypeAlias = FileLike | Qrels | Mapping[str, Mapping[str, Any]]
RunLike: TypeAlias = FileLike | Run | Mapping[str, Mapping[str, Any]]
RunsLike: TypeAlias = RunLike | Iterable[RunLike] | Mapping[str, RunLike]

Found = TypeVar("Found", Run, JudgedRun)

SEVERAL = (Sequence, Set, ValuesView, Iterator)  # whose elements are sources; those of a frame are its columns

UNNAMED = "run"

LISTED = 5  # of several runs

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
    <Qrels: 1 topic, 2 judgments>
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
    <Run 'bm25': 1 topic, 1 document>
    """
    several = _runs_in(source)
    tags = [run.name for run in several]
    if len(several) == 1 or name in tags:
        run = several[tags.index(name) if name in tags else 0]
        return run if name is None else evolve(run, name=name)
    listed = ", ".join(map(short, tags[:LISTED])) + ", …" * (len(tags) > LISTED)
    why = f"holds {len(tags):,} runs ({listed}), where one is wanted; name its run tag, or read them all"
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
    [<Run 'bm25': 1 topic, 1 document>, <Run 'dense': 1 topic, 1 document>]
    """
    runs, caveats = _named((source, _runs_of(source)) for source in _sources(sources))
    if not runs:
        raise InputError("no run to read; name at least one")
    check_names("runs", [run.name for run in runs])
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
    unknown = options.keys() - JudgingOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"judge() got an unexpected keyword argument {min(unknown)!r}")
    first, second = map(_once, (qrels, runs))
    if isinstance(second, Qrels) or (_is_runs(first) and not _is_runs(second)):
        first, second = second, first
    try:
        judgments = read_qrels(first)
    except InputError:
        if not _are_swapped(first, second):
            raise
        judgments, second = read_qrels(second), first
    judging = Judging(judgments, **options)
    sources: Iterable[_Source] = _sources(second)
    if isinstance(second, Iterator) or not native.library():  # perhaps of more runs than fit into memory
        return judging.together(*_named(map(partial(_judged, judging), sources)))
    several = list(sources)
    judgments.index  # noqa: B018 - is made before threads ask for it, each for itself
    sizes = [source.what.size for source in several if isinstance(source.what, File)]
    number = min(workers.cores(), len(sizes)) if sum(sizes) > LARGE else 1
    with workers.threads(number) as executor:  # the loops in C work outside Python's lock
        found = workers.map(partial(_judged, judging), several, executor=executor if number > 1 else None)
        return judging.together(*_named(found))


@frozen
class _Source:
    """Where a run, or several of a file, come from, and what to call it if somebody said so, or else by its file."""

    what: Any
    name: str | None = None
    path: str | None = None
    caveats: tuple[Caveat, ...] = ()


def _sources(sources: Any) -> Iterator[_Source]:
    """Each source of runs; folders and patterns are the files that they stand for."""
    if isinstance(sources, Mapping) and _is_runs(sources):
        for name, source in sources.items():
            yield _Source(source if _is_value(source) else _file(source), str(name))
    elif _is_value(sources):
        yield _Source(sources)
    elif is_several(sources):
        paths, caveats = expand(os.fsdecode(sources))
        for number, path in enumerate(paths):
            yield _Source(File(path), path=path, caveats=() if number else caveats)
    elif isinstance(sources, SEVERAL) and not (_is_file(sources) or isinstance(sources, bytes)):
        for source in sources:
            yield from _sources(source)
    else:
        file = _file(sources)  # which says what is wrong with it
        yield _Source(file, path=file.name)


def _is_value(source: Any) -> bool:
    return isinstance(source, Run | Mapping)


def _is_file(source: Any) -> bool:
    return isinstance(source, str | os.PathLike | File) or hasattr(source, "read")


def _is_runs(source: Any) -> bool:
    """Whether something can be nothing but a run, or several."""
    if isinstance(source, Mapping):  # by name, where it is not a run itself
        values = source.values()
        return any(isinstance(each, Run) or _is_file(each) for each in values) or any(map(_is_table, values))
    return isinstance(source, Run | list | tuple | Iterator) or is_several(source)


def _is_table(source: Any) -> bool:
    """Whether something has documents by topic."""
    return isinstance(source, Mapping) and any(isinstance(documents, Mapping) for documents in source.values())


def _once(source: Any) -> Any:
    """A file to be read once, should it be a pipe; anything else as it is."""
    return _file(source) if _is_file(source) and not is_several(source) else source


def _file(source: Any) -> File:
    if not _is_file(source):
        why = f"{quoted(source)} is no path, open file or dictionary of topics; frames and other objects come later"
        raise ParameterError(why)
    return source if isinstance(source, File) else File(source)


def _are_swapped(first: Any, second: Any) -> bool:
    """Whether a file that cannot be read as judgments is a run, and the other thing judgments."""
    try:
        if not isinstance(first, File) or width_of(first) != len(RUN.columns):
            return False
        if isinstance(second, Mapping):
            return not _is_runs(second)
        return isinstance(second, File) and width_of(second) == len(QRELS.columns)
    except InputError:
        return False


def _runs_in(source: Any) -> list[Run]:
    if isinstance(source, Run):
        return [source]
    return [Run.of(UNNAMED, source)] if isinstance(source, Mapping) else read_run_file(_file(source))


def _runs_of(source: _Source) -> list[Run]:
    try:
        return _runs_in(source.what) if source.name is None else [read_run(source.what, source.name)]
    except InputError as error:
        raise InputError(error.why, error.path or source.name or "", error.line) from None


def _judged(judging: Judging, source: _Source) -> tuple[_Source, list[JudgedRun]]:
    """The runs of a source, judged; of the source what names them."""
    if source.path is not None:
        judged = judge_file(judging, source.what)
    else:
        runs = _runs_of(source)
        judged = [each for run in runs for each in judging.judge(Grouped.of(run), run.source, run.caveats)]
    return evolve(source, what=None), judged


def _named(found: Iterable[tuple[_Source, list[Found]]]) -> tuple[list[Found], tuple[Caveat, ...]]:
    """The runs of all sources, by their tags, or by their files where these begin with the same tag; and caveats."""
    pairs = list(found)
    caveats: tuple[Caveat, ...] = tuple(each for source, _ in pairs for each in source.caveats)
    tags = {source.path: {run.name for run in runs} for source, runs in pairs if source.path is not None}
    common, number = Counter(tag for several in tags.values() for tag in several).most_common(1)[0] if tags else ("", 0)
    if number < 2:
        return [run for _, runs in pairs for run in runs], caveats
    which = "both" if len(tags) == number == 2 else f"{number} of {len(tags)}"
    text = f"{which} files have the run tag {short(common)}, so systems are called by their files"
    names: dict[str | None, str] = dict(zip(tags, _distinct(list(tags)), strict=True))
    runs = []
    for source, several in pairs:
        name = names.get(source.path)
        for run in several:
            called = run.name if name is None else name if len(several) == 1 else f"{name}/{run.name}"
            runs.append(evolve(run, name=called))
    return runs, (*caveats, Caveat(CaveatKind.NAMES, text))


def _distinct(paths: list[Any]) -> list[str]:
    """What files are called: by their stems, or with their folders, or just so, whichever tells them apart."""
    stems = [stem(path) for path in paths]
    with_folders = [str(PurePath(path).with_name(name)) for path, name in zip(paths, stems, strict=True)]
    return next((names for names in (stems, with_folders) if len(set(names)) == len(names)), paths)
