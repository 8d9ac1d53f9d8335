"""Parquet files that are damaged: a table, or one line; never a panic, an abort or a library's text."""

from __future__ import annotations

import io
import os
import random
from contextlib import suppress
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import measurand as md
from measurand import columns, parquet
from measurand.columns import PlainTable, parquet_names, read_parquet
from measurand.errors import InputError
from measurand.execution.memory import VARIABLE

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ("polars", "pyarrow")
TABLE = {"qid": ["1", "1", "2"], "docno": ["a", "b", None], "score": [2.5, 1.5, 0.5]}
FILE = PlainTable(TABLE).to_parquet()


@pytest.fixture
def target(monkeypatch):
    """Return the target of `make fuzz` that damages parquet files."""
    monkeypatch.syspath_prepend(ROOT)
    from fuzz import parquet as found

    return found


@pytest.fixture(params=LIBRARIES)
def library(request, monkeypatch):
    monkeypatch.setattr(columns, "_installed", request.param.__eq__)
    return request.param


def written(held, **told):
    data = io.BytesIO()
    pq.write_table(pa.table(held), data, **told)
    return data.getvalue()


def test_whole_files_of_both_writers_pass_whatever_their_types_packing_and_pages():
    nested = {"a": [[{"x": 1, "y": ["a", None]}], None, []], "b": [b"1", None, b""], "c": [None] * 3, "d": [True] * 3}
    for version in ("1.0", "2.0"):
        for packing in ("none", "snappy", "gzip", "zstd"):
            for rows in (0, 1, 3):
                held = {name: pa.array(column).slice(0, rows) for name, column in nested.items()}
                told = {"compression": packing, "data_page_version": version, "write_page_checksum": True}
                parquet.check(io.BytesIO(written(held, row_group_size=2, **told)))
    for held in ({}, {"n": []}, nested, {"text": ["long" * 5000] * 9}):
        data = io.BytesIO()
        pl.DataFrame(held).write_parquet(data, statistics=True)
        parquet.check(data)


def test_every_beginning_and_every_ending_of_a_file_is_refused_in_one_line(library, monkeypatch):
    monkeypatch.setattr(parquet, "QUIET", 0.0)
    for length in range(len(FILE)):
        for part in (FILE[:length], FILE[len(FILE) - length :]):
            with pytest.raises(InputError) as caught:
                read_parquet(part)
            assert len(str(caught.value).splitlines()) == 1
            with pytest.raises(InputError):
                parquet_names(part)


def test_damaged_files_give_a_table_or_one_line_and_nothing_on_standard_error(monkeypatch, target):
    from fuzz.harness import attempt

    monkeypatch.setattr(columns, "_installed", columns._installed)
    monkeypatch.setenv(VARIABLE, "100MB")
    monkeypatch.delenv("RUST_BACKTRACE", raising=False)
    failures = [attempt(target.case, "tests", number) for number in range(120)]
    assert [str(failure) for failure in failures if failure is not None] == []


def test_a_footer_that_contradicts_the_file_is_refused_before_a_library_reads_it(target):
    data = written({"n": list(range(777))}, compression="none", store_schema=False, use_dictionary=False)
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    spans = target.Spans(data[start:-8])
    spans.struct()
    rows = [(begin, end) for begin, end, number in spans.spans if number == 777]
    # of the file, the values of its only column, and of its only group; in between is a statistic that nobody reads
    for begin, end in (rows[0], rows[1], rows[-1]):
        for new in (0, 776, 778, len(data), 2**31, 2**62, -1):
            footer = data[start : start + begin] + target._varint(new) + data[start + end : -8]
            with pytest.raises(InputError):
                parquet.check(io.BytesIO(data[:start] + footer + len(footer).to_bytes(4, "little") + b"PAR1"))


def test_a_page_that_does_not_fit_its_checksum_is_refused(library):
    data = written(TABLE, write_page_checksum=True, compression="none", use_dictionary=False)
    place = data.index(b"\x01\x00\x00\x00a")
    changed = data[: place + 4] + b"z" + data[place + 5 :]
    assert read_parquet(data)["docno"][0] == "a"
    with pytest.raises(InputError, match="checksum"):
        read_parquet(changed)
    unseen = written(TABLE, compression="none", use_dictionary=False).replace(
        b"\x01\x00\x00\x00a", b"\x01\x00\x00\x00z"
    )
    assert read_parquet(unseen)["docno"][0] == "z"  # files have no checksums unless they are asked for


def test_a_panic_of_a_library_is_one_line_and_its_text_is_not_heard(monkeypatch, capfd):
    def panic(*_, **__):
        os.write(2, b"thread 'async-executor-0' panicked at crates/polars\n")
        raise pl.exceptions.PanicException("called `Result::unwrap()`")

    monkeypatch.setattr(pl, "read_parquet", panic)
    monkeypatch.delenv("RUST_BACKTRACE", raising=False)
    with pytest.raises(InputError, match=r"^its data is damaged$"):
        read_parquet(FILE)
    assert capfd.readouterr().err == ""


def test_what_others_write_to_standard_error_meanwhile_is_kept(capfd):
    with parquet.unheard(MemoryError):
        os.write(2, b"a note\n")

    def fail():
        with parquet.unheard(MemoryError):
            os.write(2, b"another\n")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert capfd.readouterr().err == "a note\nanother\n"


def test_more_values_than_fit_into_memory_are_refused_with_the_limit(monkeypatch, library, tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(written({"qid": ["1"] * 10**5, "docno": ["a"] * 10**5, "score": [1.0] * 10**5}))
    assert path.stat().st_size < 10**4
    monkeypatch.setenv(VARIABLE, "2 MB")
    with pytest.raises(InputError, match=r"a\.parquet.*unpacks to more than 2 MB.*MEASURAND_MOST_UNPACKED"):
        md.read_run(path)


def test_one_long_text_that_many_rows_share_is_counted_for_each(monkeypatch):
    data = io.BytesIO()
    pl.DataFrame({"text": ["x" * 10**4] * 10**3}).write_parquet(data)
    monkeypatch.setenv(VARIABLE, "5MB")
    held = read_parquet(data.getvalue())
    with pytest.raises(InputError, match="more than 5 MB"):
        held["text"]


def test_numbers_nested_too_deeply_or_too_long_end_the_reading():
    for data in (b"\x1c" * 100, b"\x16" + b"\xff" * 20, b"\x19\xfc\xff\xff\x7f", b"\x1d\x00", b"\x18\x7f"):
        with pytest.raises(InputError):
            parquet.Thrift(data).struct()
    rng = random.Random(3)
    for _ in range(500):
        with suppress(InputError):
            parquet.Thrift(rng.randbytes(40)).struct()
