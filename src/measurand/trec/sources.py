"""What runs and judgments can be read from, as types of parameters; and complaints of what they cannot be read from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from functools import wraps
from itertools import chain
from numbers import Number
from operator import attrgetter, itemgetter
from reprlib import Repr
from typing import Any, Literal, ParamSpec, Protocol, TypeAlias, TypeGuard, TypeVar

from measurand.errors import CallError, InputError, MeasurandError, quoted, words_of
from measurand.judged import JudgedRuns, Judgments, Results
from measurand.trec.column_names import DOCUMENT, TOPIC, plain
from measurand.trec.files import FileLike, is_file
from measurand.trec.run import Qrels, Run

Given = ParamSpec("Given")
Outcome = TypeVar("Outcome")


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
"""A frame of polars, pandas or Arrow, or a dataset of Hugging Face."""

RowLike: TypeAlias = tuple[Any, ...] | Mapping[str, Any]
"""A row: `(topic, document, value)`, or a named tuple or dictionary with `query_id`, `doc_id` and `score`, or such."""

QrelsLike: TypeAlias = (
    FileLike | FrameLike | Mapping[str, Mapping[str, float]] | Mapping[str, Collection[str]] | Iterable[RowLike] | Qrels
)
"""What `read_qrels` reads: a file, a frame, `{topic: {document: grade}}`, rows, `{topic: relevant documents}`, or
judgments that were read before."""

RunLike: TypeAlias = (
    FileLike | FrameLike | Mapping[str, Mapping[str, float]] | Mapping[str, Sequence[Any]] | Iterable[RowLike] | Run
)
"""What `read_run` reads: a file, a frame, `{topic: {document: score}}`, rows, `{topic: [documents]}`, or a run that
was read before."""

RunsLike: TypeAlias = RunLike | Iterable[RunLike] | Mapping[str, RunLike]
"""What `read_runs` reads: one run or several, directories, patterns such as `runs/*.gz`, or `{name: run}`."""

Names: TypeAlias = Literal["auto", "tag", "file"]
"""What systems are called by: their run tags or their files."""

QRELS = "a path, an open file, a frame, rows or {topic: {document: grade}}"
"""What judgments can be, in words."""

RUNS = "paths, open files, frames, rows, Runs or {topic: {document: score}}"
"""What runs can be, in words."""


def looked_at(function: Callable[Given, Outcome]) -> Callable[Given, Outcome]:
    """Return a function whose first argument strangers made: whatever that raises becomes an InputError of one line.

    Dictionaries, rows, frames and iterators are code, too, and any of it may fail. What ends the program, and a lack of
    memory, stay what they are; so do errors while text alone, such as a path, was looked at: they are measurand's own.

    Parameters
    ----------
    function : callable
        Looks at a source, or reads it.

    Examples
    --------
    >>> looked_at(list)(1 // number for number in [0])
    Traceback (most recent call last):
    ...
    measurand.errors.InputError: a generator cannot be read (ZeroDivisionError: integer division or modulo by zero)
    >>> looked_at(lambda path: path.wrong)("bm25.run")
    Traceback (most recent call last):
    ...
    AttributeError: 'str' object has no attribute 'wrong'
    """

    @wraps(function)
    def call(*args: Given.args, **kwargs: Given.kwargs) -> Outcome:
        try:
            return function(*args, **kwargs)
        except (MeasurandError, MemoryError):
            raise
        except Exception as error:
            given = next(iter((*args, *kwargs.values())), None)
            if _names_files(given) and not isinstance(error, OSError):
                raise
            why = f"{type(error).__name__}: {words_of(error)}"
            raise InputError(f"a {type(given).__name__} cannot be read ({why})") from error

    return call


def _names_files(given: object) -> bool:
    """Return whether what was given holds nothing but text, such as paths."""
    if type(given) in (list, tuple, dict):
        several = given.values() if isinstance(given, dict) else given
        return all(type(each) is str for each in several)  # type: ignore[attr-defined]
    return type(given) is str  # kinds of text that strangers made are code


def is_frame(source: object) -> bool:
    """Return whether a source is a frame of polars, pandas or Arrow, or a dataset of Hugging Face."""
    if hasattr(source, "__arrow_c_stream__") or type(source).__module__.partition(".")[0] in ("pandas", "polars"):
        return True
    return hasattr(source, "column_names") and hasattr(source, "to_pandas")


def is_ranx(source: object) -> bool:
    """Return whether a source is a `Run` or `Qrels` of ranx, or made like one.

    Examples
    --------
    >>> is_ranx({"1": {"d1": 2.5}})
    False
    """
    return hasattr(source, "get_doc_ids_and_scores") and hasattr(source, "to_dict")


def is_collection(source: object) -> bool:
    """Return whether a source is a collection of ir_datasets that was loaded, or made like one."""
    return any(hasattr(source, name) for name in ("qrels_iter", "scoreddocs_iter", "queries_iter"))


def is_rank_eval(source: object) -> bool:
    """Return whether a source is what Elasticsearch's `_rank_eval` is asked, or what it answers.

    Examples
    --------
    >>> is_rank_eval({"requests": [{"id": "1", "ratings": []}]}), is_rank_eval({"requests": {"d1": 2.5}})
    (True, False)
    """
    if not isinstance(source, Mapping):
        return False
    asked, answered = source.get("requests"), source.get("details")
    if isinstance(asked, list) and asked and isinstance(asked[0], Mapping):
        return "ratings" in asked[0]
    details = list(answered.values())[:1] if isinstance(answered, Mapping) else []
    return bool(details) and isinstance(details[0], Mapping) and isinstance(details[0].get("hits"), list)


def is_row(value: object) -> bool:
    """Return whether a value is a row: a topic, a document and what it has there.

    Examples
    --------
    >>> is_row(("1", "d1", 2.5)), is_row({"qid": "1", "docno": "d1", "score": 2.5}), is_row(("a.run", "b.run"))
    (True, True, False)
    """
    if isinstance(value, Mapping):
        named = [inner for name, inner in value.items() if plain(str(name)) in (*TOPIC, *DOCUMENT)]
        return bool(named) and not any(isinstance(each, Mapping | list | tuple | set) for each in named)
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        scalars = all(isinstance(each, str | Number) for each in value)
        return scalars and any(isinstance(each, Number) for each in value)
    if is_file(value) or is_frame(value) or isinstance(value, Results | Judgments | JudgedRuns):
        return False
    return getter(value, TOPIC) is not None and getter(value, DOCUMENT) is not None


def is_rows(source: object) -> bool:
    """Return whether a source holds rows; an iterator, which can be gone through only once, is not looked into.

    Examples
    --------
    >>> is_rows([("1", "d1", 2.5)]), is_rows(["bm25.run"]), is_rows({"1": {"d1": 2.5}})
    (True, False, False)
    """
    if isinstance(source, str | bytes | Mapping | Iterator) or not isinstance(source, Iterable):
        return False
    if is_file(source) or is_frame(source) or isinstance(source, Results | Judgments | JudgedRuns):
        return False
    return is_row(next(iter(source), None))


@looked_at
def settled(source: Any) -> Any:
    """Return a list of what an iterator yields, and anything else as it is.

    Examples
    --------
    >>> settled(iter([("1", "d1", 2.5)]))
    [('1', 'd1', 2.5)]
    """
    return list(source) if isinstance(source, Iterator) and not is_file(source) else source


@looked_at
def peeked(source: Iterator[Any]) -> tuple[bool, Iterator[Any]]:
    """Return whether an iterator yields rows, and the same iterator from its start.

    Examples
    --------
    >>> rows, again = peeked(iter([("1", "d1", 2.5)]))
    >>> rows, next(again)
    (True, ('1', 'd1', 2.5))
    """
    for first in source:
        return is_row(first), chain([first], source)
    return False, iter(())


def getter(row: object, names: Iterable[str]) -> Callable[[Any], Any] | None:
    """Return what takes a field out of rows, by the first of some names that a row has; None if it has none.

    Parameters
    ----------
    row : object
        A row: a dictionary, or an object.
    names : Iterable[str]
        The names that the field may have.

    Examples
    --------
    >>> getter({"qid": "1"}, ("topic", "qid"))({"qid": "2"})
    '2'
    """
    if isinstance(row, Mapping):
        keys = {plain(key): key for key in row if isinstance(key, str)}
        return next((itemgetter(keys[name]) for name in names if name in keys), None)
    return next((attrgetter(name) for name in names if hasattr(row, name)), None)


def is_one_object(source: object) -> bool:
    """Return whether a source in memory, other than a dictionary, holds one run or one set of judgments."""
    return is_frame(source) or is_ranx(source) or is_collection(source) or is_rows(source)


def is_by_name(sources: object) -> TypeGuard[Mapping[str, RunLike]]:
    """Return whether sources are `{name: run}`, and not one run, `{topic: {document: score}}`.

    Examples
    --------
    >>> is_by_name({"bm25": "bm25.run"}), is_by_name({"bm25": {"1": {"d1": 2.5}}}), is_by_name({"1": {"d1": 2.5}})
    (True, True, False)
    >>> is_by_name({"bm25": {"1": ["d1", "d2"]}}), is_by_name({"1": ["d1", "d2"]})
    (True, False)
    """
    if not isinstance(sources, Mapping) or not sources or is_rank_eval(sources):
        return False
    first = next(iter(sources.values()))
    if isinstance(first, Mapping):
        return any(isinstance(inner, Mapping | list | tuple) for inner in first.values())
    if isinstance(first, list | tuple):
        # rows of a run have topics; what is ranked for a topic has none
        row = first[0] if first else None
        plain = isinstance(row, list | tuple) and not hasattr(row, "_fields")
        return is_row(row) and (len(row) > 2 if plain else getter(row, TOPIC) is not None)  # type: ignore[arg-type]
    return isinstance(first, Results | Iterator) or is_file(first) or is_one_object(first)


def shown(given: object) -> str:
    """Return a value that is not what was expected, with its type, in a few words.

    Examples
    --------
    >>> shown(3), shown(None), shown(["AP"])
    ('3 (int)', 'None', "['AP'] (list)")
    """
    short = Repr()
    short.maxstring = short.maxother = 40
    try:
        text = " ".join(short.repr(given).split())
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - whatever a stranger's __repr__ raises
        text = quoted(given)
    return text if given is None or isinstance(given, Results | Judgments | JudgedRuns) else f"{text} ({_kind(given)})"


def _kind(given: object) -> str:
    return type(given).__name__


@looked_at
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
    if isinstance(given, Sized) and not isinstance(given, str | Judgments) and not is_frame(given) and not len(given):
        raise CallError(f"qrels are empty ({quoted(given)}); {usage}")
    readable = isinstance(given, Mapping | Judgments | Iterator) or is_file(given) or is_one_object(given)
    if not readable:
        raise CallError(f"qrels must be {QRELS}, not {shown(given)}; {usage}")


@looked_at
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
    for one in given if isinstance(given, list | tuple | set) and not is_rows(given) else [given]:
        if isinstance(one, Judgments):
            raise CallError(f"qrels ({shown(one)}) stand where runs are expected; {usage}")
        if isinstance(one, JudgedRuns):
            raise CallError(f"these runs are judged already; leave qrels out, and give {shown(one)} first")
        readable = isinstance(one, Mapping | Results | Iterator) or is_file(one) or is_one_object(one)
        if not readable and (one is not given or not isinstance(one, Iterable) or isinstance(one, bytes)):
            raise CallError(f"runs must be {RUNS}, not {shown(one)}; {usage}")
