"""Collections by their ids of ir_datasets, such as `msmarco-passage/trec-dl-2019`, where that package is installed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, TypeVar

from attrs import frozen

from measurand.display.result import shortened
from measurand.errors import CallError, InputError, InputFileError
from measurand.trec.run import Qrels, Run
from measurand.trec.sources import is_collection

PACKAGE = "ir_datasets"

_ID = r"[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_.:-]*)*"
_FILE = r"\.(txt|qrels?|trec|tsv|csv|jsonl?|xml|parquet|gz|xz|bz2|zst)\b"

Loaded = TypeVar("Loaded")


@frozen(eq=False, repr=False)
class Dataset:
    """A collection of ir_datasets.

    Parameters
    ----------
    name
        Its id.
    found
        What ir_datasets has for it.
    """

    name: str
    found: Any


def is_id(source: object) -> bool:
    """Return whether a source is no file but looks like an id of ir_datasets, which has a slash.

    Examples
    --------
    >>> is_id("msmarco-passage/trec-dl-2019"), is_id("qrels/2019.txt"), is_id("qrels.txt"), is_id("/data/qrels")
    (True, False, False, False)
    """
    return isinstance(source, str) and "/" in source and _may_be_id(source)


def is_dataset(source: object) -> bool:
    """Return whether a source is the id of a collection that ir_datasets has.

    Examples
    --------
    >>> is_dataset("qrels.txt")
    False
    """
    return isinstance(source, str) and dataset_of(source) is not None


def dataset_of(source: object) -> Dataset | None:
    """Return the collection that an id names, or that was loaded; None for a file, and for whatever else is no id.

    Parameters
    ----------
    source
        A path or an id, or a collection.

    Raises
    ------
    InputFileError
        If there is no such file, it looks like an id, and ir_datasets is not installed or does not know it.

    Examples
    --------
    >>> dataset_of("qrels.txt") is None
    True
    """
    if is_collection(source):
        return Dataset(_id_of(source), source)
    if not isinstance(source, str) or not _may_be_id(source):
        return None
    try:
        package = import_module(PACKAGE)
    except ImportError:
        if is_id(source):
            why = f"there is no such file; an id of {PACKAGE} needs that package: pip install {PACKAGE}"
            raise InputFileError(source, None, why) from None
        return None
    try:
        return Dataset(source, package.load(source))
    except KeyError:
        if is_id(source):
            raise InputFileError(source, None, f"there is no such file, and {PACKAGE} has no such id") from None
        return None
    except Exception as error:  # noqa: BLE001 - it may do anything, such as to reach for a network
        raise _failed(source, error) from None


def _may_be_id(source: str) -> bool:
    """Return whether a text could be an id: no file, nothing in a folder that there is, not called like a file."""
    if os.path.exists(source) or not re.fullmatch(_ID, source) or re.search(_FILE, source):
        return False
    return "/" not in source or not os.path.isdir(os.path.dirname(source))


def _id_of(collection: Any) -> str:
    named = getattr(collection, "dataset_id", None)
    return str(named()) if callable(named) else f"a collection ({type(collection).__name__})"


def qrels_of(dataset: Dataset) -> Qrels:
    """Return the judgments of a collection.

    Parameters
    ----------
    dataset
        The collection.
    """
    from measurand.trec import objects

    _check(dataset, "has_qrels", "qrels_iter", "judgments")
    return _read(dataset, lambda: objects.read_qrels(dataset.found.qrels_iter()))


def runs_of(dataset: Dataset) -> list[Run]:
    """Return the scored documents of a collection as a run, which has no name.

    Parameters
    ----------
    dataset
        The collection.
    """
    from measurand.trec import objects

    _check(dataset, "has_scoreddocs", "scoreddocs_iter", "scored documents")
    return _read(dataset, lambda: objects.read_runs(dataset.found.scoreddocs_iter()))


def queries_of(dataset: Dataset) -> list[tuple[str, str]]:
    """Return the topics of a collection, each with its text.

    Parameters
    ----------
    dataset
        The collection.
    """
    _check(dataset, "has_queries", "queries_iter", "texts of topics")
    return _read(dataset, lambda: list(_texts(dataset.found.queries_iter())))


def _texts(found: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for each in found:
        text = next((value for name in ("text", "title", "query") if (value := getattr(each, name, None))), None)
        if text is None:
            text = each.default_text() if hasattr(each, "default_text") else each[1]
        yield str(each.query_id), str(text)


def _check(dataset: Dataset, question: str, method: str, what: str) -> None:
    """Complain of a collection that has not what is wanted of it."""
    has = getattr(dataset.found, question, None)
    if not hasattr(dataset.found, method) or (has is not None and not has()):
        raise InputFileError(dataset.name, None, f"this collection of {PACKAGE} has no {what}; name a part that has")


def _read(dataset: Dataset, read: Callable[[], Loaded]) -> Loaded:
    """Return what is read; whatever goes wrong names the collection, in one line."""
    try:
        return read()
    except (CallError, InputError) as error:
        raise InputFileError(dataset.name, None, str(error)) from None
    except Exception as error:  # noqa: BLE001 - it may do anything, such as to reach for a network
        raise _failed(dataset.name, error) from None


def _failed(name: str, error: Exception) -> InputFileError:
    said = shortened(str(error)) or type(error).__name__
    return InputFileError(name, None, f"{PACKAGE} cannot read it, which may take a network ({said})")
