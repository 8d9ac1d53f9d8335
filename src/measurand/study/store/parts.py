"""The parts of a store: parquet files with a row for every topic of a system, its scores and its judged run.

The judged run stands in three columns: `cells` has a byte or two for every rank (grades, and the codes of
`measurand.judged.grades` for documents without one), `tied` a bit for every rank whose document has the score of the
one before, nothing where none has, and `tail` the rest of a tie group that the depth cuts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import accumulate, pairwise
from typing import Any
from urllib.parse import quote

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.columns import PlainTable, read_parquet
from measurand.errors import InputError, InputFileError
from measurand.judged.judge import JudgedRun, Judging
from measurand.study.store.folder import Folder
from measurand.study.store.store_plan import RUNS

KINDS = {"topic": str, "place": np.int32, "length": np.int32, "cells": bytes, "tied": bytes, "tail": bytes}
"""The columns of a part, before those of measures."""

LONGEST = 180
"""Names of folders are cut behind so many letters."""


def part_name(system: str, piece: str, number: int) -> str:
    """Return the name of the file with a part.

    Parameters
    ----------
    system
        The name of the system.
    piece
        The name of the piece that it comes from.
    number
        Its number within the piece.

    Examples
    --------
    >>> part_name("a/b", "000012", 0)
    'runs/system=a%2Fb/part-000012-000.parquet'
    """
    spelled = quote(system, safe=" ()+,")
    if len(spelled) > LONGEST:
        spelled = f"{spelled[:LONGEST]}-{sha256(system.encode()).hexdigest()[:16]}"
    return f"{RUNS}/system={spelled}/part-{piece}-{number:03d}.parquet"


def part_bytes(one: JudgedRun, topics: Sequence[str], scores: Mapping[str, FloatArray]) -> bytes:
    """Return what the file with a part holds.

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
        "topic": list(topics),
        "place": places.astype(np.int32),
        "length": lengths.astype(np.int32),
        "cells": _sliced(one.cells.tobytes(), lengths * one.cells.itemsize),
        "tied": [None] * len(places) if one.tied is None else _bits(one.tied, lengths),
        "tail": [each or None for each in _sliced(one.tails.tobytes(), one.tail_lengths[places] * one.tails.itemsize)],
    }
    return PlainTable(columns | dict(scores), KINDS | dict.fromkeys(scores, float)).to_parquet()


def _sliced(data: bytes, lengths: IntArray) -> list[bytes]:
    return [data[start:end] for start, end in pairwise(accumulate(lengths.tolist(), initial=0))]


def _bits(tied: Any, lengths: IntArray) -> list[bytes | None]:
    """Return for each topic where documents tie with the one before, eight ranks to a byte; None where none does."""
    found: list[bytes | None] = []
    for start, end in pairwise(accumulate(lengths.tolist(), initial=0)):
        flags = tied[start:end]
        found.append(np.packbits(flags).tobytes() if flags.any() else None)
    return found


def read_part(folder: Folder, name: str, columns: Sequence[str]) -> Mapping[str, Any]:
    """Return some columns of a part.

    Parameters
    ----------
    folder
        The store.
    name
        The name of the file.
    columns
        The names of the columns.
    """
    try:
        found = read_parquet(folder.parquet(name), names=columns)
        return {column: found[column] for column in columns}
    except (InputError, KeyError) as error:
        if isinstance(error, InputFileError):
            raise
        why = "is damaged or gone; store the scores anew, in another folder"
        raise InputFileError(folder.path(name), None, f"{why} ({error})") from None


def judged_run(
    folder: Folder, files: Sequence[str], judging: Judging, facts: Mapping[str, Any], depth: int | None
) -> JudgedRun:
    """Return the judged run of a system from its parts.

    Parameters
    ----------
    folder
        The store.
    files
        The names of the parts.
    judging
        How runs were judged.
    facts
        What the index of the store has about the system.
    depth
        How many ranks to keep; None for all.
    """
    rows: list[tuple[int, bytes, bytes | None, bytes | None]] = []
    for name in files:
        part = read_part(folder, name, ("place", "cells", "tied", "tail"))
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
