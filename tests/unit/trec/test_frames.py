"""Data that is in memory already: frames and dictionaries, under the names that peers give the columns."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from measurand import InputError, InputFileError, read_qrels, read_run, read_runs
from measurand.errors import CaveatKind, MeasurandError
from measurand.trec import frames, lines
from measurand.trec.files import Content

SPELLINGS = {
    "measurand": ("topic", "document", "score", "grade"),
    "ir_measures": ("query_id", "doc_id", "score", "relevance"),
    "PyTerrier": ("qid", "docno", "score", "label"),
    "ranx": ("q_id", "doc_id", "score", "score"),
}

FRAMES = {"polars": pl.DataFrame, "lazy": pl.LazyFrame, "pandas": pd.DataFrame, "arrow": pa.table}

RUN = {"topic": ["1", "2", "1"], "document": ["a", "a", "b"], "score": [2.5, 0.5, 1.5]}
QRELS = {"topic": ["1", "2", "1"], "document": ["a", "a", "b"], "grade": [1, 2, -1]}


def scores_of(run) -> dict:
    return {
        t: dict(zip(run.documents_of(t), run.document_scores[run.rows(t)].tolist(), strict=True)) for t in run.topics
    }


def grades_of(qrels) -> dict:
    return {
        t: dict(zip(qrels.documents_of(t), qrels.grades[qrels.rows(t)].tolist(), strict=True)) for t in qrels.topics
    }


@pytest.mark.parametrize("names", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_frames_of_every_kind_go_by_the_column_names_of_peers(frame, names):
    topic, document, score, grade = names
    run = frame({topic: RUN["topic"], document: RUN["document"], score: RUN["score"], "rank": [1, 1, 2]})
    assert scores_of(read_run(run, name="r")) == {"1": {"a": 2.5, "b": 1.5}, "2": {"a": 0.5}}
    qrels = frame({topic: QRELS["topic"], document: QRELS["document"], grade: QRELS["grade"]})
    assert grades_of(read_qrels(qrels)) == {"1": {"a": 1, "b": -1}, "2": {"a": 2}}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_numbers_may_name_topics_and_documents(frame):
    run = read_run(frame({"qid": [7, 7], "docno": [10, 11], "score": [2, 1]}))
    assert scores_of(run) == {"7": {"10": 2.0, "11": 1.0}}


def test_categories_may_name_topics_and_documents():
    frame = pd.DataFrame(RUN).astype({"topic": "category", "document": "category"})
    assert scores_of(read_run(frame)) == {"1": {"a": 2.5, "b": 1.5}, "2": {"a": 0.5}}
    assert scores_of(read_run(pl.DataFrame(RUN).cast({"topic": pl.Categorical}))) == scores_of(read_run(frame))


@pytest.mark.parametrize("column", ["system", "run", "tag", "name"])
def test_a_column_of_systems_parts_a_frame_into_runs(column):
    frame = pl.DataFrame(RUN | {column: ["x", "y", "x"]})
    assert {run.name: scores_of(run) for run in read_runs(frame)} == {
        "x": {"1": {"a": 2.5, "b": 1.5}},
        "y": {"2": {"a": 0.5}},
    }


def test_a_column_of_systems_may_have_a_capital_and_may_not_have_gaps():
    assert [run.name for run in read_runs(pl.DataFrame(RUN | {"System": ["x", "y", "x"]}))] == ["x", "y"]
    with pytest.raises(InputError, match="column 'system' has missing values"):
        read_runs(pl.DataFrame(RUN | {"system": ["x", None, "x"]}))


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame, pa.table])
def test_grades_of_32_bits_are_the_decimals_that_they_were(kind):
    frame = kind({"qid": ["1", "1"], "docno": ["a", "b"], "label": np.array([0.7, 0.1], dtype=np.float32)})
    assert grades_of(read_qrels(frame)) == {"1": {"a": 0.7, "b": 0.1}}


@pytest.mark.parametrize("names", [[["a"]], [{"a": 1}], [b"\xff"]])
def test_columns_that_hold_no_names_are_refused_in_one_line(names):
    with pytest.raises(InputError, match="column 'docno'") as caught:
        read_run(pl.DataFrame({"qid": ["1"], "docno": names, "score": [1.0]}))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("read", [read_run, read_qrels])
def test_a_column_alone_and_lists_of_values_are_refused(read):
    for given in (pd.Series([1, 2]), {"1": {"a": [1]}}, {"1": {"a": [1], "b": [1, 2]}}, {"1": {"a": 10**400}}):
        with pytest.raises(MeasurandError):
            read(given)


def test_scores_and_ranks_are_no_judgments():
    frame = pl.DataFrame({"qid": ["1"], "docno": ["a"], "rank": [0], "score": [9.5]})
    for given in (frame, frame.to_dicts()):
        with pytest.raises(MeasurandError, match="there are ranks beside the scores, so this is a run"):
            read_qrels(given)
    assert grades_of(read_qrels(frame.with_columns(label=2))) == {"1": {"a": 2}}


def test_a_frame_without_systems_is_one_run():
    assert read_run(pl.DataFrame(RUN), name="mine").name == "mine"


@pytest.mark.parametrize("kind", ["path", "open"])
def test_parquet_files_are_told_by_their_first_bytes(tmp_path, kind):
    path = tmp_path / "dense.bin"
    pl.DataFrame(RUN).write_parquet(path)
    run = read_run(path if kind == "path" else io.BytesIO(path.read_bytes()), name="r")
    assert scores_of(run) == {"1": {"a": 2.5, "b": 1.5}, "2": {"a": 0.5}}
    pl.DataFrame(QRELS).write_parquet(path)
    assert grades_of(read_qrels(path)) == {"1": {"a": 1, "b": -1}, "2": {"a": 2}}


def test_a_parquet_file_without_systems_is_called_by_its_name(tmp_path):
    pl.DataFrame(RUN).write_parquet(tmp_path / "dense.parquet")
    assert [run.name for run in read_runs(tmp_path)] == ["dense"]


def test_a_damaged_parquet_file_is_named(tmp_path):
    pl.DataFrame(RUN).write_parquet(tmp_path / "dense.parquet")
    (tmp_path / "dense.parquet").write_bytes((tmp_path / "dense.parquet").read_bytes()[:-9])
    with pytest.raises(InputFileError, match=r"dense\.parquet: is no parquet file that can be read"):
        read_run(tmp_path / "dense.parquet")


def test_an_error_in_a_parquet_file_names_the_file(tmp_path):
    pl.DataFrame({"qid": ["1"], "docno": ["a"]}).write_parquet(tmp_path / "dense.parquet")
    with pytest.raises(InputFileError, match=r"dense\.parquet: the frame has no column score"):
        read_run(tmp_path / "dense.parquet")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"document": ["a", "a", "a"]}, "document a stands twice in topic 1"),
        ({"score": [1.0, None, 2.0]}, "column 'score' has missing values"),
        ({"document": ["a", None, "b"]}, "column 'document' has missing values"),
        ({"score": [1.0, float("nan"), 2.0]}, "score nan is not finite"),
        ({"score": [1.0, float("inf"), 2.0]}, "score inf is not finite"),
        ({"score": ["1", "high", "2"]}, "a score is not a number"),
    ],
)
def test_a_frame_that_is_no_run_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        read_run(pl.DataFrame(RUN | changes))


def test_a_missing_name_in_a_pandas_frame_is_refused():
    with pytest.raises(InputError, match="column 'document' has missing values"):
        read_run(pd.DataFrame(RUN | {"document": ["a", None, "b"]}))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"topic": ["1", "1", "1"], "document": ["a", "a", "b"]}, "document a stands twice in topic 1"),
        ({"grade": [1, 10**13, 0]}, "grade 10000000000000 is above 10\\^12"),
        ({"grade": [1.0, -0.5, 0.0]}, "grade -0.5 is a fraction below 0"),
        ({"grade": [1.0, float("nan"), 0.0]}, "grade nan is not finite"),
        ({"grade": ["high", "low", "no"]}, "is not a number; map the labels"),
        ({"grade": [1, None, 0]}, "column 'grade' has missing values"),
    ],
)
def test_a_frame_that_is_no_judgments_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        read_qrels(pl.DataFrame(QRELS | changes))


def test_grades_of_32_bits_stand_for_their_own_shortest_decimals():
    grades = np.array([0.7, 0.1, 1.0], dtype=np.float32)
    frame = pd.DataFrame(QRELS | {"grade": grades})
    wanted = read_qrels(pl.DataFrame(QRELS | {"grade": [0.7, 0.1, 1.0]})).to_dict()
    rows = list(zip(QRELS["topic"], QRELS["document"], grades, strict=True))
    for source in (frame, pl.DataFrame(QRELS | {"grade": grades}), pa.table(QRELS | {"grade": pa.array(grades)}), rows):
        assert read_qrels(source).to_dict() == wanted


def test_a_judgment_said_again_in_a_frame_is_kept_once_with_a_caveat():
    frame = {"topic": ["1", "1", "2", "1"], "document": ["a", "b", "a", "a"], "grade": [1, 0, 2, 1]}
    qrels = read_qrels(pl.DataFrame(frame))
    assert grades_of(qrels) == {"1": {"a": 1, "b": 0}, "2": {"a": 2}}
    assert [caveat.kind for caveat in qrels.caveats] == [CaveatKind.REPEATED_JUDGMENT]


def test_columns_that_are_not_there_are_asked_for_by_all_their_names():
    with pytest.raises(InputError, match=r"no column document or doc_id or docno .*; it has topic, score"):
        read_run(pl.DataFrame({"topic": ["1"], "score": [1.0]}))


def test_a_frame_without_rows_is_refused():
    with pytest.raises(InputError, match="the frame has no rows"):
        read_run(pl.DataFrame({"topic": [], "document": [], "score": []}))


def test_a_dictionary_keeps_its_order_and_leaves_out_empty_topics():
    run = read_run({2: {"b": 1, "a": 3}, 1: {}, "3": {4: 0.5}}, name="r")
    assert (run.topics, scores_of(run)) == (("2", "3"), {"2": {"b": 1.0, "a": 3.0}, "3": {"4": 0.5}})


@pytest.mark.parametrize(
    ("nested", "message"),
    [
        ({}, "no topic has a document"),
        ({"1": {}}, "no topic has a document"),
        ({"1": "a"}, "topic '1' maps to str"),
        ({"1": {"a": float("nan")}}, "score nan is not finite"),
        ({"1": {"a": "high"}}, "a score is not a number"),
    ],
)
def test_a_dictionary_that_is_no_run_is_refused(nested, message):
    with pytest.raises(InputError, match=message):
        read_run(nested)


def test_two_keys_of_a_dictionary_that_name_one_topic_do_not_hide_each_other():
    with pytest.raises(InputError):
        read_run({1: {"a": 1.0}, "1": {"b": 2.0}})


@pytest.mark.parametrize("grade", [-0.5, "high", None, 1e13, -128])
def test_a_dictionary_with_an_impossible_grade_is_refused(grade):
    with pytest.raises(InputError, match=r"grade .* is"):
        read_qrels({"1": {"a": 1, "b": grade}})


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(InputError, match="two columns of the frame have one name"):
        read_qrels(pd.DataFrame([["1", "2", "a", 1]], columns=["qid", "qid", "docno", "label"]))


def test_whole_grades_that_came_as_floats_are_taken():
    assert read_qrels(pd.DataFrame({"qid": ["1"], "docno": ["a"], "label": [2.0]})).grades.tolist() == [2]


REGULAR_RUNS = {
    "plain": b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 0.5 t\n",
    "tabs": b"1\tQ0\ta\t1\t2.5\tt\n1\tQ0\tb\t2\t1.5\tt\n",
    "mixed spaces": b"  1   Q0\ta  1 \t 2.5 t  \n1 Q0 b 2 1.5 t\t\n",
    "crlf": b"1 Q0 a 1 2.5 t\r\n1 Q0 b 2 1.5 t\r\n",
    "no final newline": b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t",
    "byte order mark": b"\xef\xbb\xbf1 Q0 a 1 2.5 t\n",
    "blank lines": b"1 Q0 a 1 2.5 t\n\n   \n1 Q0 b 2 1.5 t\n\n",
    "comments": b"# head\n1 Q0 a 1 2.5 t\n  # inside\n#\n1 Q0 b 2 1.5 t\n# foot",
    "comment of six words": b" # a b c 1.5 d\n1 Q0 a 1 2.5 t\n",
    "hashes in names": b"1#2 Q0 a#b 1 2.5 t#u\n",
    "quotes in names": b'1 Q0 "a 1 2.5 t\n1 Q0 b" 2 1.5 t\n',
    "interleaved": b"2 Q0 a 1 9 t\n1 Q0 b 1 8 t\n2 Q0 c 2 7 t\n1 Q0 a 2 6 t\n",
    "several tags": b"1 Q0 a 1 9 t\n1 Q0 a 1 8 u\n2 Q0 a 1 7 t\n",
    "ranks that are no numbers": b"1 Q0 a first 9 t\n1 Q0 b 1.5 8 t\n",
    "odd scores": b"1 Q0 a 1 1e-5 t\n1 Q0 b 2 -3 t\n1 Q0 c 3 .5 t\n1 Q0 d 4 4. t\n1 Q0 e 5 5e-324 t\n",
    "non-ASCII": "ü Q0 文書 1 1.5 τ\nü Q0 document-é 2 1 τ\n".encode(),
}

IRREGULAR_RUNS = {
    "empty": b"",
    "comments only": b"# nothing\n",
    "too few columns": b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5\n",
    "too few columns, two spaces": b"1 Q0 a 1 2.5 t\n1  Q0 b 1.5 t\n",
    "too few columns, space first": b" 1 Q0 a 1 2.5\n",
    "too few columns, space last": b"1 Q0 a 1 2.5 \n",
    "too many columns": b"1 Q0 a 1 2.5 t more\n",
    "no number": b"1 Q0 a 1 high t\n",
    "not finite": b"1 Q0 a 1 inf t\n",
    "overflow": b"1 Q0 a 1 1e999 t\n",
    "not a number": b"1 Q0 a 1 nan t\n",
    "underscore": b"1 Q0 a 1 1_000 t\n",
    "document twice": b"1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n1 Q0 a 3 0 t\n",
    "undecodable": b"1 Q0 a\xff 1 2 t\n",
    "UTF-16": "1 Q0 a 1 2.5 t\n".encode("utf-16"),
}

IRREGULAR_QRELS = {
    "empty": b"\n\n",
    "too few columns": b"1 0 a\n",
    "too many columns": b"1 0 a 1 more\n",
    "half a grade": b"1 0 a 0.5\n",
    "whole as a decimal": b"1 0 a 1.0\n",
    "too high": b"1 0 a 128\n",
    "too low": b"1 0 a -128\n",
    "beyond 64 bits": b"1 0 a 99999999999999999999\n",
    "judged twice": b"1 0 a 1\n1 0 a 1\n",
}


def content_of(rows) -> tuple:
    values = (rows.document_scores if hasattr(rows, "document_scores") else rows.grades).tolist()
    return getattr(rows, "name", ""), rows.topics, rows.bounds.tolist(), list(rows.documents), values, rows.caveats


@pytest.mark.parametrize("data", REGULAR_RUNS.values(), ids=REGULAR_RUNS)
def test_a_regular_run_is_read_as_the_line_reader_reads_it(data):
    content = Content("x.run", data)
    read = frames.read_large_runs(content)
    assert read is not None
    assert [content_of(rows) for rows in read] == [content_of(rows) for rows in lines.read_runs(content)]


@pytest.mark.parametrize("data", IRREGULAR_RUNS.values(), ids=IRREGULAR_RUNS)
def test_an_irregular_run_is_left_to_the_line_reader(data):
    assert frames.read_large_runs(Content("x.run", data)) is None


@pytest.mark.parametrize(
    "data",
    [b"1 0 a 1\n2 0 b -1\n1 Q0 c 0\n", b"1\t0\ta\t1\r\n\r\n# no\r\n1\titeration\tb\t-2\r\n", "é 0 日本 3".encode()],
    ids=["plain", "tabs and crlf", "non-ASCII"],
)
def test_regular_judgments_are_read_as_the_line_reader_reads_them(data):
    content = Content("x.qrels", data)
    read = frames.read_large_qrels(content)
    assert read is not None
    assert content_of(read) == content_of(lines.read_qrels(content))


@pytest.mark.parametrize("data", IRREGULAR_QRELS.values(), ids=IRREGULAR_QRELS)
def test_irregular_judgments_are_left_to_the_line_reader(data):
    assert frames.read_large_qrels(Content("x.qrels", data)) is None


def test_colliding_hashes_leave_the_file_to_the_line_reader(monkeypatch):
    monkeypatch.setattr(frames, "hashes_of", lambda documents: np.zeros(len(documents), dtype=np.uint64))
    assert frames.read_large_runs(Content("x.run", REGULAR_RUNS["plain"])) is None
