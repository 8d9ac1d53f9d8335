"""What systems are called: by their run tags, or by their files where tags do not tell them apart."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from attrs import frozen

from measurand.calls import option
from measurand.errors import Caveat, CaveatKind
from measurand.trec.addresses import is_address
from measurand.trec.files import NamedFile, bytes_of, distinct, passed_over, unpacked
from measurand.trec.formats.recognise import is_trec
from measurand.trec.lines import RUN
from measurand.trec.metadata import BYTE_ORDER_MARK
from measurand.trec.sources import Names
from measurand.trec.unpacking import PARQUET

LONGEST = 1 << 16
"""No line of a run file has more bytes than this; one that has is not looked into for its tag."""

TAG = 5
"""The column of a run file that holds the run tag."""


@frozen(eq=False, repr=False)
class Naming:
    """What the systems in some files are called.

    Parameters
    ----------
    by_file
        The names of the files; None where systems are called by their run tags.
    caveats
        What a reader of the names should know.
    """

    by_file: Mapping[str, str] | None = None
    caveats: tuple[Caveat, ...] = ()


def naming(sources: Sequence[Any], names: str) -> Naming:
    """Return what systems are called.

    Parameters
    ----------
    sources
        The sources of runs; only files have tags that can be looked at beforehand.
    names
        `"tag"` or `"file"`, or `"auto"`: by file if two files start with the same run tag.
    """
    option("names", names, get_args(Names))
    paths = [
        os.fspath(source)
        for source in sources
        if isinstance(source, str | os.PathLike) and not isinstance(source, NamedFile)
    ]
    shared = tuple(shared_tag(list(dict.fromkeys(paths)))) if names == "auto" else ()
    caveats = (*shared, *passed_over(sources))
    if names == "tag" or (names == "auto" and not shared):
        return Naming(caveats=caveats)
    return Naming(dict(zip(paths, distinct(paths), strict=True)), caveats)


def shared_tag(paths: Sequence[str]) -> Iterator[Caveat]:
    """Return the caveat that some files have one run tag, if any have.

    Parameters
    ----------
    paths
        The files.
    """
    if len(paths) < 2:
        return
    tags = Counter(tag for tag in map(first_tag, paths) if tag is not None)
    for tag, number in tags.most_common(1):
        if number > 1:
            every = "both" if len(paths) == 2 else f"all {number}"
            which = every if number == len(paths) else f"{number} of the {len(paths)}"
            text = f"{which} runs have the tag {tag}, so systems are called by their files"
            yield Caveat(CaveatKind.NAMES, text)


def first_tag(path: str) -> str | None:
    """Return the run tag of the first run in a file, or None where it cannot be told without reading it all.

    Only the first lines are read and unpacked. What is wrong with a file is left to whoever reads it whole.

    Parameters
    ----------
    path
        The file.
    """
    if not os.path.isfile(path) and not is_address(path):  # a pipe can be read only once
        return None
    try:
        with unpacked(path) as file:
            while line := file.readline(LONGEST):
                if line.startswith(PARQUET):
                    return _first_name(path)
                words = line.removeprefix(BYTE_ORDER_MARK).split()
                if words and words[0].startswith(b"{"):
                    return None
                if words and not words[0].startswith(b"#"):
                    return words[TAG].decode() if is_trec(words, RUN) else None
    except Exception:  # noqa: BLE001 - each way of packing has its own errors, and the reader explains them
        pass
    return None


def _first_name(path: str) -> str | None:
    """Return the name in the first row of a parquet file, if it has a column of names."""
    from measurand.columns import read_parquet
    from measurand.trec.column_names import NAME

    columns = read_parquet(bytes_of(path), rows=1)
    return next((str(columns[name][0]) for name in NAME if name in columns), None)
