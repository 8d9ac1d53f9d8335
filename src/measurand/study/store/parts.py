"""The parts of a store: parquet files with a row for every system and topic, its scores and its judged run.

The judged run stands in three columns: `cells` has a byte or two for every rank (grades, and the codes of
`measurand.judged.grades` for documents without one), `tied` a bit for every rank whose document has the score of the
one before, nothing where none has, and `tail` the rest of a tie group that the depth cuts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.columns import PlainTable, read_parquet
from measurand.errors import InputError, InputFileError
from measurand.judged.judge import JudgedRun, Judging
from measurand.parquet import check
from measurand.study.store.folder import MEND, Folder

KINDS = {
    "system": str,
    "topic": str,
    "place": np.int32,
    "length": np.int32,
    "cells": bytes,
    "tied": bytes,
    "tail": bytes,
}
"""The columns of a part, before those of measures."""


class Rows(NamedTuple):
    """Where the topics of a system stand, or some of them.

    Parameters
    ----------
    file
        The name of a part.
    first, number
        The first row there, and how many there are.
    """

    file: str
    first: int
    number: int


def rows_of(one: JudgedRun, topics: Sequence[str], scores: Mapping[str, FloatArray]) -> PlainTable:
    """Return the rows of a system in a part.

    Parameters
    ----------
    one
        The judged run.
    topics
        The names of the topics for which it returned anything.
    scores
        The scores on these topics, by measure.
    """
    places = np.flatnonzero(one.lengths)
    lengths = one.lengths[places]
    columns: dict[str, Any] = {
        "system": [one.name] * len(places),
        "topic": list(topics),
        "place": places.astype(np.int32),
        "length": lengths.astype(np.int32),
        "cells": _sliced(one.cells.tobytes(), lengths * one.cells.itemsize),
        "tied": [None] * len(places) if one.tied is None else _bits(one.tied, lengths),
        "tail": [each or None for each in _sliced(one.tails.tobytes(), one.tail_lengths[places] * one.tails.itemsize)],
    }
    return PlainTable(columns | dict(scores), KINDS | dict.fromkeys(scores, float))


def _sliced(data: bytes, lengths: IntArray) -> list[bytes]:
    return [data[start:end] for start, end in pairwise(accumulate(lengths.tolist(), initial=0))]


def _bits(tied: Any, lengths: IntArray) -> list[bytes | None]:
    """Return for each topic where documents tie with the one before, eight ranks to a byte; None where none does."""
    found: list[bytes | None] = []
    for start, end in pairwise(accumulate(lengths.tolist(), initial=0)):
        flags = tied[start:end]
        found.append(np.packbits(flags).tobytes() if flags.any() else None)
    return found


def digest_of(data: bytes) -> str:
    """Return what tells the bytes of a part from all others: a damaged one is not read.

    Parameters
    ----------
    data
        What the part holds.
    """
    return blake2b(data, digest_size=16).hexdigest()


class PartReader:
    """Reads some columns of parts, of each file once where rows of it are asked for one after another.

    Parameters
    ----------
    folder
        The store.
    columns
        The names of the columns.
    digests
        The digests of the parts, by name.
    """

    def __init__(self, folder: Folder, columns: Sequence[str], digests: Mapping[str, str]) -> None:
        self.folder, self.names, self.digests = folder, tuple(columns), digests
        self._file, self._held = "", dict[str, Any]()

    def columns(self, rows: Rows) -> dict[str, Any]:
        """Return the columns of some rows.

        Parameters
        ----------
        rows
            Where they stand.
        """
        if rows.file != self._file:
            self._held, self._file = self._read(rows.file), rows.file
        return {name: column[rows.first : rows.first + rows.number] for name, column in self._held.items()}

    def _read(self, file: str) -> dict[str, Any]:
        try:
            found = read_parquet(self._sound(file), names=self.names)
            return {name: found[name] for name in self.names}
        except (InputError, KeyError) as error:
            told = error.why if isinstance(error, InputFileError) else error
            raise _damaged(self.folder, file, told) from None

    def _sound(self, file: str) -> bytes:
        data = self.folder.read(file)
        if digest_of(data) != self.digests.get(file):
            raise InputError("its digest is another")
        return data


def check_part(folder: Folder, file: str) -> None:
    """Refuse a part on disk that is damaged or gone, without reading its values.

    Parameters
    ----------
    folder
        The store.
    file
        The name of the part.
    """
    try:
        with Path(folder.path(file)).open("rb") as part:
            check(part)
    except (InputError, OSError) as error:
        raise _damaged(folder, file, error) from None


def _damaged(folder: Folder, file: str, error: object) -> InputFileError:
    return InputFileError(folder.path(file), None, f"is damaged or gone ({error}); {MEND}")


JUDGED = ("place", "cells", "tied", "tail")
"""The columns that a judged run is made of."""


def judged_run(
    reader: PartReader, where: Sequence[Rows], judging: Judging, facts: Mapping[str, Any], depth: int | None
) -> JudgedRun:
    """Return the judged run of a system from its parts.

    Parameters
    ----------
    reader
        What reads the columns `JUDGED`.
    where
        Where its topics stand.
    judging
        How runs were judged.
    facts
        What the index of the store has about the system.
    depth
        How many ranks to keep; None for all.
    """
    rows: list[tuple[int, bytes, bytes | None, bytes | None]] = []
    for some in where:
        part = reader.columns(some)
        rows += zip(part["place"].tolist(), part["cells"], part["tied"], part["tail"], strict=True)
    rows.sort(key=lambda row: row[0])
    dtype, keeps = judging.index.dtype, judging.ties is None or judging.ties.over is not None
    topics = len(judging.judgments.topics)
    lengths, tail_lengths = np.zeros((2, topics), dtype=np.int64)
    cells, tied, tails = [], [], []
    for place, run, bits, tail in rows:
        length = len(run) // dtype.itemsize
        flags = None if bits is None else np.unpackbits(np.frombuffer(bits, dtype=np.uint8), count=length)
        kept = length if depth is None else min(depth, length)
        end = _group_end(flags, kept, length)
        beyond = run[kept * dtype.itemsize : end * dtype.itemsize] + ((tail or b"") if end == length else b"")
        cells.append(run[: kept * dtype.itemsize])
        tails.append(beyond)
        lengths[place], tail_lengths[place] = kept, len(beyond) // dtype.itemsize
        if keeps:
            tied.append(np.zeros(kept, dtype=np.uint8) if flags is None else flags[:kept])
    judged, seen = facts["top"]
    return JudgedRun(
        facts["system"],
        np.frombuffer(b"".join(cells), dtype=dtype),
        lengths,
        np.concatenate([np.zeros(0, dtype=np.uint8), *tied]).astype(bool) if keeps else None,
        np.frombuffer(b"".join(tails), dtype=dtype),
        tail_lengths,
        facts["other_topics"],
        judged / seen if seen else 0.0,
        None,
        facts["caveats"],
    )


def _group_end(flags: Any, kept: int, length: int) -> int:
    """Return where the tie group ends that begins before rank `kept` and goes on behind it; `kept` if none does."""
    if kept == length:
        return length
    if flags is None:
        return kept
    untied = np.flatnonzero(flags[kept:] == 0)
    return length if not len(untied) else kept + int(untied[0])
