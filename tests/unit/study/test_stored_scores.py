"""Stored scores: the same to the last bit from every kind of file, and damaged files in one line."""

from __future__ import annotations

import json
from math import isnan

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import measurand as md
from measurand.errors import InputError, InputFileError, ParameterError
from measurand.study.stored_scores import ENDINGS, StoredScores, is_stored, qrels_digest, read_stored

HOSTILE = ["1", "a,b", 'quo"te', "two\nlines", "tab\t", "ünïcode ✓", "]]>", "::error", "", "=1+1"]


def stored(**more) -> StoredScores:
    scores = {
        "nDCG@10": {topic: 1 / (3 + n) for n, topic in enumerate(HOSTILE)},
        "RBP(p=0.8)": dict.fromkeys("12", 0.1),
    }
    return StoredScores(**{"system": "bm25, the old", "scores": scores, "qrels": "abc", "judging": "depth=5", **more})


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_written_is_read_back(tmp_path, ending):
    path = tmp_path / f"scores{ending}"
    before = stored()
    before.write(path)
    after = read_stored(path)
    assert is_stored(path)
    assert after.to_dict() == before.to_dict()


@pytest.mark.parametrize("ending", ENDINGS)
@given(values=st.lists(st.floats(allow_infinity=False, allow_nan=True), min_size=1, max_size=5))
def test_scores_come_back_to_the_last_bit(tmp_path_factory, ending, values):
    path = tmp_path_factory.mktemp("stored") / f"scores{ending}"
    stored(scores={"M": {str(n): value for n, value in enumerate(values)}}).write(path)
    found = list(read_stored(path).scores["M"].values())
    assert [None if isnan(each) else each.hex() for each in found] == [
        None if isnan(each) else each.hex() for each in values
    ]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_version_and_the_date_are_kept(tmp_path, ending):
    path = tmp_path / f"scores{ending}"
    stored(date="2001-02-03 04:05:06", version="0.0.1").write(path)
    found = read_stored(path)
    assert (found.version, found.date, found.system, found.judging) == (
        "0.0.1",
        "2001-02-03 04:05:06",
        "bm25, the old",
        "depth=5",
    )
    assert stored().version == md.__version__


def test_runs_are_no_stored_scores(tmp_path):
    run = tmp_path / "bm25.run"
    run.write_text("1 Q0 d1 1 2.0 bm25\n")
    frame = tmp_path / "bm25.parquet"
    pl.DataFrame({"topic": ["1"], "document": ["d1"], "score": [2.0]}).write_parquet(frame)
    assert not any(map(is_stored, [run, frame, tmp_path, tmp_path / "nothing", {"1": {"d1": 1.0}}, 3]))


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.json", '{"scores": ', "is no file of stored scores"),
        ("a.json", "{}", "it has no 'scores'"),
        ("a.json", '{"scores": {}}', "it has no 'system'"),
        ("a.json", '{"scores": 3}', "is no file of stored scores"),
        ("a.json", '{"scores": {"AP": {"1": "high"}}}', "could not convert"),
        ("a.json", '{"scores": {"AP": {"1": Infinity}}}', "inf is no score"),
        ("a.json", '{"scores": {"AP": {"1": 0.5}}}', "it has no 'system'"),
        ("a.csv", "topic,measure,score,system,qrels,judging,version,date\n", "it has no rows"),
        ("a.csv", "topic,measure,score,system\n1,AP,0.5,a\n", "it has no 'qrels'"),
        (
            "a.csv",
            "topic,measure,score,system,qrels,judging,version,date\n1,AP,0.5,a,b,c,d,e\n1,AP,0.5,a,b,c,d,e\n",
            "topic 1 has two scores under AP",
        ),
        (
            "a.csv",
            "topic,measure,score,system,qrels,judging,version,date,sha256\n1,AP,0.5,a,b,c,d,e,f\n2,AP,0.5,b,b,c,d,e,f\n",
            "it has more than one system",
        ),
        ("a.parquet", "PAR1 is how it begins", "is no file of stored scores"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(tmp_path, name, text, why):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputFileError) as error:
        read_stored(tmp_path / name)
    assert why in str(error.value)
    assert "store it anew" in str(error.value)
    assert "\n" not in str(error.value)


def test_only_files_of_three_kinds_are_written(tmp_path):
    for name in ("scores", "scores.txt", "scores.parquet.gz"):
        with pytest.raises(ParameterError, match=r"are stored in files called \.parquet, \.json or \.csv"):
            stored().write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_topics_that_are_missing_or_too_many_are_named():
    few = stored(scores={"AP": {"1": 0.5, "2": 0.5}})
    assert few.under("AP", ("2", "1"), "main.csv") == [0.5, 0.5]
    with pytest.raises(InputError, match=r"main\.csv lacks topics 3 and 4 under AP; store it anew with"):
        few.under("AP", ("1", "2", "3", "4"), "main.csv")
    with pytest.raises(InputError, match=r"main\.csv has also topic 2 under AP"):
        few.under("AP", ("1",), "main.csv")


def test_the_digest_knows_judgments_and_not_files(tmp_path):
    one = md.read_qrels({"1": {"d1": 1, "d2": 0}, "2": {"d1": 2}})
    one.to_trec(tmp_path / "qrels.gz")
    (tmp_path / "turned").write_text("2 0 d1 2\n1 0 d2 0\n1 0 d1 1\n")
    same = {qrels_digest(md.read_qrels(path)) for path in (tmp_path / "qrels.gz", tmp_path / "turned")}
    assert same == {qrels_digest(one)}
    others = [
        {"1": {"d1": 1, "d2": 1}, "2": {"d1": 2}},
        {"1": {"d1": 1}, "2": {"d1": 2}},
        {"1": {"d1": 1, "d2": 0}, "3": {"d1": 2}},
    ]
    assert all(qrels_digest(md.read_qrels(other)) not in same for other in others)


def test_json_says_what_it_is(tmp_path):
    stored().write(tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text())["kind"] == "measurand scores"
