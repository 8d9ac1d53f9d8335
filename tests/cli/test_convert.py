"""`measurand convert`: runs and judgments from one format into another."""

from __future__ import annotations

import json

import pytest

import measurand as md

RUN = "# bm25 with k1=0.9\n1 Q0 a 1 2.5 bm25\n1 Q0 b 2 1.5 bm25\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bm25.run").write_text(RUN)
    (tmp_path / "qrels.txt").write_text("1 0 a 2\n1 0 b 0\n")
    return tmp_path


def test_the_ending_says_the_format(call, files):
    for name in ("a.json", "a.parquet", "a.run.gz"):
        assert call("convert", "bm25.run", "-o", name).code == 0
    assert json.loads((files / "a.json").read_text()) == {"1": {"a": 2.5, "b": 1.5}}
    assert md.read_run("a.parquet").name == "bm25"
    assert md.read_run("a.run.gz").comments == ("# bm25 with k1=0.9",)
    assert call("convert", "a.parquet", "-o", "-", "--tag", "mine").out == RUN.split("\n", 1)[1].replace("bm25", "mine")


def test_what_has_no_ending_of_its_own_is_asked_for_by_name(call):
    assert call("convert", "bm25.run", "-o", "-", "--to", "msmarco").out == "1\ta\t1\n1\tb\t2\n"
    written = call("convert", "--qrels", "qrels.txt", "-o", "-", "--to", "beir")
    assert written.out == "query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bm25.run", "-o", "a", "--to", "beir"], "runs are not written as beir; choose one of trec, json"),
        (["--qrels", "qrels.txt", "-o", "a", "--to", "msmarco"], "judgments are not written as msmarco"),
        (["bm25.run", "-o", "bm25.run"], "-o bm25.run would overwrite what is to be read"),
        (["--qrels", "qrels.txt", "-o", "a", "--tag", "x"], "--tag names a run"),
        (["bm25.run", "-o", "a.csv"], "csv is read and not written; write .json or .parquet"),
        (["qrels.txt", "-o", "a"], "is this a judgment file, in the place of a run?"),
    ],
)
def test_what_cannot_be_converted_is_said_in_one_line(call, files, arguments, message):
    outcome = call("convert", *arguments)
    assert (outcome.code, outcome.out) == (1, "")
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert not (files / "a").exists()


def test_a_fused_run_has_the_format_of_its_ending(call, files):
    assert call("fuse", "bm25.run", "x=bm25.run", "-o", "fused.json").code == 0
    assert list(json.loads((files / "fused.json").read_text())["1"]) == ["a", "b"]
