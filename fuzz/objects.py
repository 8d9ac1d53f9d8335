"""Objects of Python in the place of files: dictionaries, rows, frames, with odd values, odd keys, and code that fails.

What is right has the table of the files that say the same, to the bit, whatever form it has. What is spoilt has that
table, too, or is refused with an error of measurand's of one line; so are odd values of options.

Called as `python -m fuzz.objects SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import random
import tempfile
import warnings
from collections import ChainMap, OrderedDict
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import measurand as md
from fuzz.campaigns import same
from fuzz.files import Pairs, draw_campaign, trec_lines
from fuzz.functions import Liar, Unwilling, tried
from fuzz.harness import Different, run, show

MEASURES = ["AP", "nDCG@5", "P@3", "RBP"]


class Failing(dict[str, Any]):
    """A dictionary that fails when it is gone through."""

    def items(self) -> Any:
        """Fail."""
        raise OSError(5, "the disk\nis gone")


class Halved(dict[str, Any]):
    """A dictionary that says it is longer than it is."""

    def __len__(self) -> int:
        return 10**9


class Unspoken(str):
    """A text that cannot be written."""

    __slots__ = ()

    def __str__(self) -> str:
        raise ValueError("no\nword")

    __repr__ = __str__


VALUES: tuple[Any, ...] = (
    *(None, True, -1, 2**63, 2**70, -(2**63), 10**400, 10**5000, 1e308, float("nan"), float("inf"), "1", "x", "", b"1"),
    *(Fraction(1, 3), Fraction(10**400), Decimal("1.5"), Decimal("sNaN"), Decimal("1e999999"), 1j, [1], (), {}, {1: 2}),
    *(
        np.int8(1),
        np.uint64(2**64 - 1),
        np.float16(0.1),
        np.float32("nan"),
        np.longdouble(1),
        np.complex128(1),
        np.void(b"1"),
    ),
    *(np.bool_(True), np.str_("1"), np.datetime64("2020-01-01"), np.timedelta64(1), np.array(1), np.array([1, 2])),
    *(
        Liar(),
        Unwilling(0.5),
        Unspoken("a"),
        date(2020, 1, 1),
        pd.NA,
        pd.NaT,
        pl.Series([1]),
        pa.scalar(1),
        object(),
        int,
        ...,
    ),
)

KEYS: tuple[Any, ...] = (
    *("", "a b", "a\nb", "\0", "\ud800", "\u2028", "x" * 9999, 1, 1.0, True, None, b"a", ("a",), frozenset(), 2**70),
    *(10**5000, float("nan"), Fraction(1, 3), np.int64(1), np.str_("a"), Unspoken("a"), Liar(), date(2020, 1, 1), int),
)


def rows_of(pairs: Pairs) -> list[tuple[str, str, float]]:
    """Return rows of a topic, a document and its value."""
    return [(topic, document, value) for topic, found in pairs.items() for document, value in found.items()]


def table_of(pairs: Pairs, value: str) -> dict[str, list[Any]]:
    """Return columns of topics, documents and values."""
    topics, documents, values = zip(*rows_of(pairs), strict=True)
    return {"query_id": list(topics), "doc_id": list(documents), value: list(values)}


def draw_form(rng: random.Random, pairs: Pairs, value: str) -> Any:
    """Return judgments or a run in any form.

    Parameters
    ----------
    rng
        Where the draws come from.
    pairs
        What they hold.
    value
        What values are called: relevance or score.
    """
    columns = table_of(pairs, value)
    names = list(columns)
    forms: list[Callable[[], Any]] = [
        lambda: pairs,
        lambda: OrderedDict(pairs),
        lambda: MappingProxyType({topic: MappingProxyType(found) for topic, found in pairs.items()}),
        lambda: ChainMap({}, pairs),
        lambda: rows_of(pairs),
        lambda: iter(rows_of(pairs)),
        lambda: [dict(zip(names, row, strict=True)) for row in rows_of(pairs)],
        lambda: (dict(zip(names, row, strict=True)) for row in rows_of(pairs)),
        lambda: pd.DataFrame(columns),
        lambda: pd.DataFrame(columns).convert_dtypes(),
        lambda: pd.DataFrame(columns).astype({"query_id": "category", "doc_id": "category"}),
        lambda: pd.DataFrame(columns).set_index(
            pd.MultiIndex.from_tuples([(0, i) for i in range(len(columns[value]))])
        ),
        lambda: pd.DataFrame(columns, dtype=object),
        lambda: pl.DataFrame(columns),
        lambda: pl.DataFrame(columns).lazy(),
        lambda: pl.DataFrame(columns).with_columns(pl.col("doc_id").cast(pl.Categorical)),
        lambda: pa.table(columns),
        lambda: pa.table(columns).to_batches()[0],
    ]
    return rng.choice(forms)()


def spoilt(rng: random.Random, pairs: Pairs, value: str) -> Any:
    """Return judgments or a run of which something is odd, in a form that may hold it."""
    odd, key = rng.choice(VALUES), rng.choice(KEYS)
    found: dict[Any, Any] = {topic: dict(inner) for topic, inner in pairs.items()}
    topic = rng.choice(list(found))
    document = next(iter(found[topic]), "d")
    rows: list[Any] = rows_of(pairs)
    place = rng.randrange(len(rows))

    def failing() -> Iterator[Any]:
        yield from rows[:place]
        raise RuntimeError("the stream\nbroke")

    deeds: list[Callable[[], Any]] = [
        lambda: odd,
        lambda: [odd],
        lambda: {**found, topic: odd},
        lambda: {**found, topic: {**found[topic], document: odd}},
        lambda: {**found, topic: [document, odd]},
        lambda: {**found, topic: [(document, odd)]},
        lambda: {**found, key: found[topic]},
        lambda: {**found, topic: {**found[topic], key: 1}},
        lambda: [*rows[:place], (topic, document, odd), *rows[place:]],
        lambda: [*rows[:place], (key, document, 1), *rows[place:]],
        lambda: [*rows[:place], odd, *rows[place:]],
        lambda: [{"query_id": key, "doc_id": odd, value: 1}],
        failing,
        lambda: Failing(found),
        lambda: {**found, topic: Failing(found[topic])},
        lambda: Halved(found),
        lambda: pd.DataFrame({**table_of(pairs, value), value: [odd] * len(rows)}, dtype=object),
        lambda: pd.concat([pd.DataFrame(table_of(pairs, value))] * 2, axis=1),
        lambda: pd.DataFrame(table_of(pairs, value)).iloc[:0],
        lambda: pl.DataFrame({**table_of(pairs, value), value: [[1, 2]] * len(rows)}),
        lambda: pl.DataFrame({**table_of(pairs, value), "doc_id": [{"a": 1}] * len(rows)}),
        lambda: pa.table({**table_of(pairs, value), value: [None] * len(rows)}),
        lambda: pa.table({**table_of(pairs, value), "query_id": [date(2020, 1, 1)] * len(rows)}),
        lambda: pd.DataFrame(table_of(pairs, value)).groupby("query_id"),
        lambda: np.array(rows, dtype=object),
    ]
    return rng.choice(deeds)


def case(rng: random.Random) -> None:
    """Try one campaign in memory, or an option."""
    qrels, pairs = draw_campaign(rng)
    given = [draw_form(rng, qrels, "relevance"), draw_form(rng, pairs, "score")]
    right = rng.random() < 0.4
    if not right:
        place = rng.randrange(2)
        try:
            given[place] = spoilt(rng, (qrels, pairs)[place], ("relevance", "score")[place])()
        except Exception:  # noqa: BLE001 - a library does not make such a thing
            return
    show(f"{qrels}\n{pairs}\n{[type(each).__name__ for each in given]}, {'right' if right else 'spoilt'}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not right:
            try_spoilt(rng, given)
            return
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / "qrels", Path(folder) / "run"]
            paths[0].write_bytes(trec_lines(qrels))
            paths[1].write_bytes(trec_lines(pairs, "run"))
            wanted = tried(lambda: md.evaluate(str(paths[0]), str(paths[1]), MEASURES, ties="trec"))
        found = tried(lambda: md.evaluate(given[0], given[1], MEASURES, ties="trec"))
        if not same(found, wanted, MEASURES):
            raise Different(f"in memory {found!r}, from files {wanted!r}")


def try_spoilt(rng: random.Random, given: list[Any]) -> None:
    """Hand something odd to a public function, which answers, or refuses it in one line.

    Parameters
    ----------
    rng
        Where the draws come from.
    given
        Judgments and a run, of which one is odd.
    """
    qrels, pairs = given
    odd = rng.choice(VALUES)
    deeds: list[Callable[[], Any]] = [
        lambda: repr(md.evaluate(qrels, pairs, MEASURES)),
        lambda: repr(md.judge(pairs, qrels)),
        lambda: md.read_qrels(qrels),
        lambda: md.read_run(pairs),
        lambda: md.read_runs(pairs),
        lambda: md.fuse([pairs, {"1": {"d1": 2.0}}]),
        lambda: repr(md.compare(qrels, {"x": pairs, "y": {"1": {"d1": 2.0}}}, "AP")),
        lambda: md.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, odd),
        lambda: md.judge({"1": {"a": 1.0}}, {"1": {"a": 1}}, depth=odd, ties=odd if rng.random() < 0.5 else "trec"),
        lambda: md.fuse([{"1": {"a": 1.0}}] * 2, k=odd),
        lambda: md.fuse([{"1": {"a": 1.0}}] * 2, weights=[odd, 1]),
        lambda: md.compare({"1": {"a": 1}}, {"x": {"1": {"a": 1.0}}, "y": {"1": {"b": 1.0}}}, "AP", alpha=odd),
        lambda: md.compare({"1": {"a": 1}}, {"x": {"1": {"a": 1.0}}, "y": {"1": {"b": 1.0}}}, "AP", rng=odd, draws=odd),
        lambda: md.gate({"1": {"a": 1}}, {"1": {"a": 1.0}}, {"1": {"b": 1.0}}, "AP", max_drop=odd),
        lambda: md.AP.of([1, odd]),
        lambda: md.AP.of([1, 0], recall_base=odd),
        lambda: md.nDCG.of([1, 0], grade_counts=odd),
    ]
    tried(rng.choice(deeds))


if __name__ == "__main__":
    run("objects", case)
