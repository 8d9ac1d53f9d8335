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
