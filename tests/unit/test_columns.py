"""Plain columns: the same from frames of every library, and the same parquet files by either library."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from measurand import columns, read_run
from measurand.columns import PlainTable, columns_of, parquet_names, read_parquet, values_of
from measurand.errors import InputError

HELD = {"qid": ["1", None], "n": [3, 1], "x": [0.5, 1.5], "some": [["a"], []], "sure": [True, None]}


class Exported:
    """What is known as a frame by its stream of Arrow alone, as relations of DuckDB are."""

    def __init__(self, table: pa.Table) -> None:
        self.__arrow_c_stream__ = table.__arrow_c_stream__


@pytest.fixture(params=["polars", "pyarrow"])
def library(request, monkeypatch):
    """Each of two libraries, as if the other were not installed."""
    monkeypatch.setattr(columns, "_installed", lambda name: name == request.param)
    return request.param


@pytest.mark.parametrize(
    "frame",
    [pl.DataFrame(HELD), pl.LazyFrame(HELD), pd.DataFrame(HELD), pa.table(HELD), pa.RecordBatch.from_pydict(HELD)],
    ids=["polars", "lazy", "pandas", "Arrow", "a batch of Arrow"],
)
def test_frames_of_every_library_have_the_same_columns(frame):
    assert {name: values_of(column) for name, column in columns_of(frame).items()} == HELD


def test_what_exports_itself_to_arrow_is_read_by_whichever_library_is_there(library):
    found = columns_of(Exported(pa.table(HELD)))
    assert {name: values_of(column) for name, column in found.items()} == HELD


@pytest.mark.parametrize("given", [pl.Series([1]), pd.Series([1]), {"a": [1]}, [1], "a"])
def test_what_is_no_frame_has_no_columns(given):
    assert columns_of(given) is None


@pytest.mark.parametrize("kind", ["float32", "Float32", "float[pyarrow]"])
def test_numbers_of_32_bits_stay_so(kind):
    assert columns_of(pd.DataFrame({"x": pd.Series([0.7, 0.1], dtype=kind)}))["x"].dtype == np.float32


def test_a_frame_that_is_changed_later_does_not_change_a_run():
    frame = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    run = read_run(frame)
    frame.loc[:, "score"] = 9.0
    assert run.document_scores.tolist() == [2.0, 1.0]


TABLE = PlainTable(
    {**HELD, "none": [None, None], "grades": [[1, 0], None], "y": np.array([0.5, np.nan])},
    {"none": float, "grades": list[np.int8], "some": list[str], "n": int},
)


def test_parquet_files_by_either_library_hold_the_same(library):
    data = TABLE.to_parquet()
    assert pl.read_parquet(io.BytesIO(data)).equals(TABLE.to_polars())
    assert pl.read_parquet(io.BytesIO(data)).schema == TABLE.to_polars().schema
    assert parquet_names(data) == list(TABLE.columns)
    found = read_parquet(data)
    assert {name: values_of(found[name]) for name in HELD} == HELD
    assert [values_of(column) for column in read_parquet(data, rows=1).values()][:3] == [["1"], [3], [0.5]]


def test_a_damaged_parquet_file_is_refused_in_one_line_by_either_library(library):
    data = TABLE.to_parquet()
    for damaged in (b"PAR1", data[:-9], b"PAR1" + data[4:40] + data[-8:]):
        for read in (read_parquet, parquet_names):
            with pytest.raises(InputError) as caught:
                read(damaged)
            assert "\n" not in str(caught.value)


def test_a_name_that_utf_8_does_not_have_is_not_written(library):
    with pytest.raises(InputError, match="cannot be written as UTF-8"):
        PlainTable({"document": ["\ud800"]}).to_parquet()
