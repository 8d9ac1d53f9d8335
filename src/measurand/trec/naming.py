"""What systems are called: by their run tags, or by their files where tags do not tell them apart."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import BufferedIOBase, BytesIO
from typing import Any, get_args

from attrs import frozen

from measurand.calls import option
from measurand.errors import Caveat, CaveatKind
from measurand.trec.files import PARQUET, NamedFile, bytes_of, distinct, packing_of, unpack
from measurand.trec.lines import BYTE_ORDER_MARK
from measurand.trec.sources import Names

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
        str(source) for source in sources if isinstance(source, str | os.PathLike) and not isinstance(source, NamedFile)
    ]
    caveats = tuple(shared_tag(list(dict.fromkeys(paths)))) if names == "auto" else ()
    if names == "tag" or (names == "auto" and not caveats):
        return Naming()
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
    if not os.path.isfile(path):  # a pipe can be read only once
        return None
    try:
        with _opened(path) as file:
            while line := file.readline(LONGEST):
                if line.startswith(PARQUET):
                    return _first_name(path)
                words = line.removeprefix(BYTE_ORDER_MARK).split()
                if words and words[0].startswith(b"{"):
                    return None
                if words and not words[0].startswith(b"#"):
                    return words[TAG].decode()
    except Exception:  # noqa: BLE001 - each way of packing has its own errors, and the reader explains them
        pass
    return None


def _opened(path: str) -> BufferedIOBase:
    """Return an open file that unpacks no more than is read of it."""
    with open(path, "rb") as file:
        packing = packing_of(file.read(8))
    if packing == "gzip":
        import gzip

        return gzip.open(path)
    if packing == "xz":
        import lzma

        return lzma.open(path)
    if packing == "bzip2":
        import bz2

        return bz2.open(path)
    return open(path, "rb") if packing is None else BytesIO(unpack(bytes_of(path), path))


def _first_name(path: str) -> str | None:
    """Return the name in the first row of a parquet file, if it has a column of names."""
    import polars as pl

    from measurand.trec.frames import NAME

    frame = pl.read_parquet(path, n_rows=1)
    return next((str(frame[name][0]) for name in NAME if name in frame.columns), None)
