"""Reading by columns: large, regular files through polars.

Everything out of the ordinary makes these functions return None, and then
`measurand.trec.lines` reads the file or explains what is wrong with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import IntArray, Keys
from measurand.judged import bounds_of, hashes_of
from measurand.judged.content import HIGHEST_GRADE
from measurand.trec.lines import BYTE_ORDER_MARK, QRELS, RUN, Format
from measurand.trec.rows import Rows
from measurand.trec.sources import Content

if TYPE_CHECKING:
    import polars as pl


_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number that spreads topics over all bits of a key."""


def read_runs(content: Content) -> list[Rows] | None:
    """Return the rows of every run tag in a run file, or None if the file is not regular."""
    frame = _frame(content, RUN)
    if frame is None:
        return None
    tags = frame["tag"]
    parts = [frame] if (tags == tags[0]).all() else frame.partition_by("tag", maintain_order=True)
    runs = [_grouped(part, RUN) for part in parts]
    return None if any(run is None for run in runs) else [run for run in runs if run is not None]


def read_qrels(content: Content) -> Rows | None:
    """Return the rows of a judgment file, or None if the file is not regular."""
    frame = _frame(content, QRELS)
    return None if frame is None else _grouped(frame, QRELS)


def _frame(content: Content, form: Format) -> pl.DataFrame | None:
    data = content.data.removeprefix(BYTE_ORDER_MARK)
    if b"\r" in data and b"\n" not in data:
        return None
    for odd in (b"\t", b"\r", b"\x0b", b"\x0c"):
        if odd in data:
            data = data.replace(odd, b" ")
    frame = _parse(data, form, whole_ranks=True)
    return frame if frame is not None else _parse(_single_spaced(data), form, whole_ranks=False)


def _single_spaced(data: bytes) -> bytes:
    """Return the same lines with one space between fields and none around them."""
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def _parse(data: bytes, form: Format, *, whole_ranks: bool) -> pl.DataFrame | None:
    import polars as pl

    if data.startswith(BYTE_ORDER_MARK):
        return None  # polars would drop a mark that the format counts as part of the first word
    schema: dict[str, pl.DataType | type[pl.DataType]] = dict.fromkeys(form.columns, pl.String)
    schema[form.columns[form.value]] = pl.Float64 if form is RUN else pl.Int64
    if whole_ranks and "rank" in schema:
        schema["rank"] = pl.Int64  # quicker than text, which is what a rank may be
    # looking for comments costs as much as all the rest
    comment = "#" if b"#" in data and (data.startswith(b"#") or b"\n#" in data) else None
    try:
        frame = pl.read_csv(
            data, has_header=False, separator=" ", quote_char=None, comment_prefix=comment, schema=schema, glob=False
        )
    except (pl.exceptions.PolarsError, OSError):
        return None
    missing = frame.null_count().row(0)
    kept = frame.drop_nulls() if any(missing) else frame
    # a blank line is nothing but nulls; any other null is a column that is not there
    if any(count != len(frame) - len(kept) for count in missing):
        return None
    return kept if len(kept) else None


def _grouped(frame: pl.DataFrame, form: Format) -> Rows | None:
    value = frame[form.columns[form.value]].to_numpy()
    if not (np.isfinite(value).all() if form is RUN else np.abs(value).max() <= HIGHEST_GRADE):
        return None
    topics, order, bounds = by_topic(frame["topic"])
    documents = frame["document"].rechunk()
    if order is not None:
        documents, value = documents.gather(order), value[order]
    hashes = hashes_of(documents)
    if _any_twice(hashes, bounds):
        return None
    tag = frame["tag"][0] if form is RUN else ""
    return Rows(tag, topics, bounds, documents, value, hashes=hashes)


def _any_twice(hashes: Keys, bounds: IntArray) -> bool:
    """Say whether some hash occurs twice in a topic, as it does when a document does."""
    topics = np.repeat(np.arange(len(bounds) - 1, dtype=np.uint64), np.diff(bounds))
    keys = np.sort(hashes ^ (topics * _SPREAD))
    return bool((keys[1:] == keys[:-1]).any())


def by_topic(column: pl.Series) -> tuple[tuple[str, ...], IntArray | None, IntArray]:
    """Return the topics in order of appearance, how to reorder the rows if need be, and their bounds."""
    spans = column.rle().struct.unnest()
    names, sizes = spans["value"].to_list(), spans["len"].to_numpy()
    number = {name: i for i, name in enumerate(dict.fromkeys(names))}
    if len(number) == len(names):
        return tuple(names), None, bounds_of(sizes)
    of_row = np.repeat(np.array([number[name] for name in names]), sizes)
    return tuple(number), np.argsort(of_row, kind="stable"), bounds_of(np.bincount(of_row))
