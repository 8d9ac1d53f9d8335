"""Sources: the files that a study read, with digests by which anybody can tell whether theirs are the same."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import frozen

from measurand.trec import expand
from measurand.trec.files import bytes_of


@frozen(kw_only=True)
class Source:
    """Something that a study read.

    Parameters
    ----------
    role
        "judgments" or "run".
    name
        The file's path as it was given, or what else the data are.
    sha256
        The digest of the file as it lies on disk, packed or not; None for what is no file.
    size
        How many bytes the file has.
    """

    role: str
    name: str
    sha256: str | None = None
    size: int | None = None


def sources_of(qrels: Any, runs: Iterable[Any]) -> tuple[Source, ...]:
    """Return what is about to be read, judgments first; directories and patterns as the files they stand for.

    Examples
    --------
    >>> from measurand import sample
    >>> [judgments, *_] = sources_of(sample.qrels(), sample.runs())
    >>> judgments.role, judgments.sha256[:8], judgments.size
    ('judgments', 'a483cbbb', 13240)
    """
    return (_source("judgments", qrels), *(_source("run", run) for run in expand(runs)))


def _source(role: str, origin: Any) -> Source:
    if not isinstance(origin, str | os.PathLike):
        return Source(role=role, name=_described(origin))
    path = Path(origin)
    if path.exists() and not path.is_file():
        # a pipe can be read only once
        return Source(role=role, name=str(origin))
    data = bytes_of(path)
    return Source(role=role, name=str(origin), sha256=sha256(data).hexdigest(), size=len(data))


def _described(origin: Any) -> str:
    """Return what data are that did not come from a file that can be read again."""
    named = getattr(origin, "name", None)
    return f"{named} (given in memory)" if isinstance(named, str) else f"given in memory ({type(origin).__name__})"
