"""What runs and judgments can be read from, as types of parameters; and complaints of what they cannot be read from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from reprlib import Repr
from typing import Literal, Protocol, TypeAlias, TypeGuard

from measurand.errors import CallError
from measurand.judged import JudgedRuns, Judgments, Results
from measurand.trec.files import FileLike, is_file
from measurand.trec.run import Qrels, Run


class ArrowFrame(Protocol):
    """A frame that exports itself to Arrow, as those of polars, pandas, pyarrow and DuckDB do."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the frame as a stream of Arrow."""


class InterchangeFrame(Protocol):
    """A frame that speaks the interchange protocol of dataframes, as older pandas does."""

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> object:
        """Return the frame as an object of the protocol."""


class LazyFrame(Protocol):
    """A lazy frame of polars, which has a plan and no data yet."""

    def collect_schema(self) -> object:
        """Return the names and types of its columns."""


FrameLike: TypeAlias = ArrowFrame | InterchangeFrame | LazyFrame
"""A frame of polars, pandas or Arrow."""

QrelsLike: TypeAlias = FileLike | FrameLike | Mapping[str, Mapping[str, int]] | Qrels
"""What `read_qrels` reads: a file, a frame, `{topic: {document: grade}}`, or judgments that were read before."""

RunLike: TypeAlias = FileLike | FrameLike | Mapping[str, Mapping[str, float]] | Run
"""What `read_run` reads: a file, a frame, `{topic: {document: score}}`, or a run that was read before."""

RunsLike: TypeAlias = RunLike | Iterable[RunLike] | Mapping[str, RunLike]
"""What `read_runs` reads: one run or several, directories, patterns such as `runs/*.gz`, or `{name: run}`."""

Names: TypeAlias = Literal["auto", "tag", "file"]
"""What systems are called by: their run tags or their files."""

QRELS = "a path, an open file, a frame or {topic: {document: grade}}"
"""What judgments can be, in words."""

RUNS = "paths, open files, frames, Runs or {topic: {document: score}}"
"""What runs can be, in words."""


def is_frame(source: object) -> bool:
    """Return whether a source is a frame of polars, pandas or Arrow."""
    return hasattr(source, "__arrow_c_stream__") or type(source).__module__.partition(".")[0] in ("pandas", "polars")


def is_by_name(sources: object) -> TypeGuard[Mapping[str, RunLike]]:
    """Return whether sources are `{name: run}`, and not one run, `{topic: {document: score}}`.

    Examples
    --------
    >>> is_by_name({"bm25": "bm25.run"}), is_by_name({"bm25": {"1": {"d1": 2.5}}}), is_by_name({"1": {"d1": 2.5}})
    (True, True, False)
    """
    if not isinstance(sources, Mapping) or not sources:
        return False
    first = next(iter(sources.values()))
    if isinstance(first, Mapping):
        return any(isinstance(inner, Mapping) for inner in first.values())
    return isinstance(first, Results) or is_file(first) or is_frame(first)


def shown(given: object) -> str:
    """Return a value that is not what was expected, with its type, in a few words.

    Examples
    --------
    >>> shown(3), shown(None), shown(["AP"])
    ('3 (int)', 'None', "['AP'] (list)")
    """
    short = Repr()
    short.maxstring = short.maxother = 40
    text = " ".join(short.repr(given).split())
    return text if given is None or isinstance(given, Results | Judgments | JudgedRuns) else f"{text} ({_kind(given)})"


def _kind(given: object) -> str:
    return type(given).__name__


def check_qrels(given: object, usage: str) -> None:
    """Complain of what cannot be judgments, in one line that says how to call a function.

    Parameters
    ----------
    given : object
        What stands where judgments are expected.
    usage : str
        How to call the function, with an example.

    Examples
    --------
    >>> check_qrels({}, 'call judge("bm25.run", "qrels.txt")')
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: qrels are empty ({}); call judge("bm25.run", "qrels.txt")
    """
    if isinstance(given, Results):
        raise CallError(f"a run ({shown(given)}) stands where qrels are expected; {usage}")
    if isinstance(given, list | tuple) and given and isinstance(given[0], Mapping):
        raise CallError(f"qrels must be {QRELS}, not a list of rows; make a frame of them: pandas.DataFrame(rows)")
    if isinstance(given, Sized) and not isinstance(given, str | Judgments) and not is_frame(given) and not len(given):
        raise CallError(f"qrels are empty ({given!r}); {usage}")
    if not (is_file(given) or is_frame(given) or isinstance(given, Mapping | Judgments)):
        raise CallError(f"qrels must be {QRELS}, not {shown(given)}; {usage}")


def check_runs(given: object, usage: str) -> None:
    """Complain of what cannot be runs, in one line that says how to call a function.

    Parameters
    ----------
    given : object
        What stands where runs are expected.
    usage : str
        How to call the function, with an example.

    Examples
    --------
    >>> check_runs([], 'call judge("bm25.run", "qrels.txt")')
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: no run was given; call judge("bm25.run", "qrels.txt")
    """
    if given is None or (isinstance(given, list | tuple | set | Mapping) and not given):
        raise CallError(f"no run was given; {usage}")
    for one in given if isinstance(given, list | tuple | set) else [given]:
        if isinstance(one, Judgments):
            raise CallError(f"qrels ({shown(one)}) stand where runs are expected; {usage}")
        if isinstance(one, JudgedRuns):
            raise CallError(f"these runs are judged already; leave qrels out, and give {shown(one)} first")
        readable = is_file(one) or is_frame(one) or isinstance(one, Mapping | Results)
        if not readable and (one is not given or not isinstance(one, Iterable) or isinstance(one, bytes)):
            raise CallError(f"runs must be {RUNS}, not {shown(one)}; {usage}")
