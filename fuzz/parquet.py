"""Damaged parquet files of runs, judgments and scores, by polars and by pyarrow: a table or one line, and no more.

Called as `python -m fuzz.parquet SEED SECONDS FOLDER [CASE]`. A byte of a value that is another one makes another
table, which nobody can see: parquet files have no checksums, unless their writer was asked for them. What must not be
seen is a traceback, a crash, or text of a library on standard error.
"""

from __future__ import annotations

import importlib.util
import io
import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import measurand as md
from fuzz.harness import Different, Raised, run, show, skip
from measurand import columns, parquet
from measurand.execution.memory import VARIABLE
from measurand.study.score_sources import read_scores

LIBRARIES = ("polars", "pyarrow")

SIZES = (0, 1, 2, 7, 127, 128, 1 << 15, 1 << 20, (1 << 31) - 1, 1 << 40, (1 << 63) - 1)
"""Numbers that sizes, places and counts become."""


class Spans(parquet.Thrift):
    """Reads a structure and notes where its numbers stand."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.spans: list[tuple[int, int, int]] = []

    def number(self) -> int:
        """Return a number, and note its place."""
        start = self.at
        number = super().number()
        self.spans.append((start, self.at, number))
        return number


@cache
def tables() -> list[tuple[str, bytes]]:
    """Return undamaged files and what they hold: both writers, several ways to pack and to encode."""
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = []
    for rows in (1, 40, 2000):
        topics, documents = [str(i // 10) for i in range(rows)], [f"d{i * 7919 % rows}" for i in range(rows)]
        held = {
            "run": {"qid": topics, "docno": documents, "score": [1 / (i + 1) for i in range(rows)]},
            "qrels": {"qid": topics, "docno": documents, "label": [i % 3 for i in range(rows)]},
            "scores": {
                "system": ["a"] * rows,
                "topic": list(map(str, range(rows))),
                "measure": ["AP"] * rows,
                "score": [1 / (i + 1) for i in range(rows)],
            },
        }
        for kind, table in held.items():
            for packing in ("zstd", "snappy", "uncompressed"):
                data = io.BytesIO()
                pl.DataFrame(table).write_parquet(data, compression=packing)  # type: ignore[arg-type]
                found.append((kind, data.getvalue()))
            for version, coded in (("1.0", True), ("2.0", True), ("2.0", False)):
                data = io.BytesIO()
                told: dict[str, Any] = {"data_page_version": version, "use_dictionary": coded, "store_schema": coded}
                pq.write_table(pa.table(table), data, row_group_size=max(1, rows // 2), **told)
                found.append((kind, data.getvalue()))
    return found


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return a file with a few of its bytes or numbers changed, or a part of it gone.

    Parameters
    ----------
    data
        The file.
    rng
        Where the draws come from.
    """
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice((_flipped, _flipped, _footer, _footer, _page, _page, _cut))(data, rng)
    return data


def _byte(old: int, rng: random.Random) -> int:
    return rng.choice((rng.randrange(256), old ^ 1 << rng.randrange(8), 0, 127, 128, 255))


def _flipped(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([_byte(data[at], rng)]) + data[at + 1 :]


def _cut(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    end = rng.choice((len(data), min(len(data), start + rng.randrange(1, 40))))
    return data[:start] + data[end:] or b"PAR1"


def _varint(number: int) -> bytes:
    bits, found = number << 1 if number >= 0 else -number * 2 - 1, bytearray()
    while bits > 127:
        found.append(bits & 127 | 128)
        bits >>= 7
    return bytes([*found, bits])


def _other(number: int, rng: random.Random) -> int:
    return abs(rng.choice((rng.choice(SIZES), number + rng.choice((-1, 1, 8)), number * 2, number // 2)))


def _footer(data: bytes, rng: random.Random) -> bytes:
    """Return the file with another number in its footer, whose length is told rightly."""
    length = int.from_bytes(data[-8:-4], "little")
    if len(data) < 12 or length > len(data) - 12:
        return _flipped(data, rng)
    start = len(data) - 8 - length
    spans = Spans(data[start:-8])
    try:
        spans.struct()
    except md.MeasurandError:
        return _flipped(data, rng)
    if not spans.spans:
        return _flipped(data, rng)
    begin, end, number = rng.choice(spans.spans)
    footer = data[start : start + begin] + _varint(_other(number, rng)) + data[start + end : -8]
    return data[:start] + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def _page(data: bytes, rng: random.Random) -> bytes:
    """Return the file with another byte among the first of a page of the first column, or in its header."""
    spans = Spans(data[4:])
    try:
        spans.struct()
    except md.MeasurandError:
        return _flipped(data, rng)
    at = 4 + rng.choice((rng.randrange(spans.at), spans.at + rng.randrange(16)))
    return data if at >= len(data) else data[:at] + bytes([_byte(data[at], rng)]) + data[at + 1 :]


def read(kind: str, path: Path) -> Any:
    """Return what a file holds, read as anybody would.

    Parameters
    ----------
    kind
        What it holds: a run, judgments or scores.
    path
        The file.
    """
    if kind == "run":
        return md.read_run(path, name="a").to_dict()
    if kind == "qrels":
        return md.read_qrels(path).to_dict()
    return read_scores(path).to_dict()


@contextmanager
def listening() -> Iterator[io.BufferedRandom]:
    """Return what is written to standard error meanwhile, past Python too."""
    before = os.dup(2)
    with tempfile.TemporaryFile() as heard:
        os.dup2(heard.fileno(), 2)
        try:
            yield heard  # type: ignore[misc]
        finally:
            os.dup2(before, 2)
            os.close(before)


def case(rng: random.Random) -> None:
    """Try one damaged file, and now and then an undamaged one, which both libraries must read alike."""
    library = rng.choice(LIBRARIES)
    columns._installed = lambda name: name == library
    kind, whole = rng.choice(tables())
    data = damaged(whole, rng)
    show(data)
    with tempfile.TemporaryDirectory() as folder, listening() as heard:
        path = Path(folder, f"{kind}.parquet")
        path.write_bytes(data)
        try:
            read(kind, path)
        except md.MeasurandError as error:
            if len(str(error).splitlines()) != 1:
                raise Raised(f"{library}: an error of several lines: {error}", data) from None
        if heard.seek(0, 2):
            heard.seek(0)
            raise Raised(f"{library} wrote to standard error: {heard.read(500)!r}", data)
        if rng.random() < 0.02:
            path.write_bytes(whole)
            both = []
            for each in LIBRARIES:
                columns._installed = each.__eq__
                both.append(read(kind, path))
            if both[0] != both[1]:
                raise Different(f"the libraries read different {kind}", whole)


if __name__ == "__main__":
    if any(importlib.util.find_spec(each) is None for each in LIBRARIES):
        skip("parquet", "polars and pyarrow are not both installed")
    os.environ.setdefault(VARIABLE, "500MB")
    os.environ.pop("RUST_BACKTRACE", None)  # with it a panic takes a second
    run("parquet", case)
