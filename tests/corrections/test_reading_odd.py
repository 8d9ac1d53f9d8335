"""Odd numbers, columns, devices and files that change are refused with their place (R07, R09)."""

from __future__ import annotations

import bz2
import os
import subprocess
import sys
from pathlib import Path

import pytest

import measurand as md
from measurand.trec import files, read, unpacking

pl = pytest.importorskip("polars")

QRELS = "1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n"


@pytest.fixture
def put(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)

    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return name

    return write


def refused(outcome) -> str:
    """Return what the program says of what it refuses in one line."""
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)
    return outcome.err


@pytest.mark.parametrize("rank", ["9223372036854775808", "1" * 5000])
def test_a_rank_beyond_any_ranking_is_refused_with_its_line(put, call, rank):
    """R07: explain ended in an OverflowError."""
    put("a.run", f"# a run\n1 Q0 d1 1 2.5 t\n1 Q0 d2 {rank} 1.5 t\n2 Q0 d1 1 2 t\n")
    assert "a.run:3: rank " in refused(call("explain", "0.5", "qrels", "a.run", "-m", "ap"))
    put("a.run", "1 Q0 d1 0000000000000000000001 2.5 t\n1 Q0 d2 000 1.5 t\n2 Q0 d1 1 2 t\n")
    assert call("explain", "0.5", "qrels", "a.run", "-m", "ap").code == 0


@pytest.mark.parametrize("value", ["1e308", "-1e308", "1e301"])
def test_a_score_that_cannot_be_summed_is_refused_with_its_line(put, call, value):
    """R07: gate said that AP fell by infinity, or ended in an OverflowError."""
    rows = f"name,qid,measure,value\nA,1,AP,0.5\nB,1,AP,0.5\n\nA,2,AP,{value}\nB,2,AP,0.4\n"
    put("scores.csv", rows)
    for command in (("gate", "scores.csv", "A", "B", "-m", "ap"), ("compare", "scores.csv")):
        said = refused(call(*command))
        assert f"scores.csv:5: '{value}' is beyond 1e+300" in said
        assert "of A on topic 2 under AP" in said
    frame = pl.DataFrame({"name": ["A"], "qid": ["1"], "measure": ["AP"], "value": [float(value)]})
    with pytest.raises(md.InputError, match="is beyond"):
        md.compare(frame)


@pytest.mark.parametrize("other", ["score", "Score"])
def test_two_columns_of_one_name_are_refused(put, call, other):
    """R09: the first of two columns called score was taken."""
    put("two.csv", f"# a table\nqid,docno,score,{other}\n1,d1,1,2\n")
    assert "two.csv:2: two columns of the header" in refused(call("evaluate", "qrels", "two.csv"))
    put("scores.csv", "name,qid,measure,value,value\nA,1,AP,0.5,0.7\nB,1,AP,0.6,0.1\n")
    assert "two columns are called value" in refused(call("compare", "scores.csv"))
    if other == "Score":
        pl.DataFrame({"qid": ["1"], "docno": ["d1"], "score": [1.0], other: [2.0]}).write_parquet("two.parquet")
        assert "2 columns are called score and Score" in refused(call("evaluate", "qrels", "two.parquet"))


def test_truth_values_of_parquet_are_no_scores(put, call):
    """R09: True and False were read as scores 1 and 0."""
    pl.DataFrame({"qid": ["1", "1"], "docno": ["d1", "d2"], "score": [True, False]}).write_parquet("a.parquet")
    assert "column 'score' holds true and false" in refused(call("evaluate", "qrels", "a.parquet"))
    scores = {"name": ["A", "B"], "qid": ["1", "1"], "measure": ["AP", "AP"], "value": [True, False]}
    pl.DataFrame(scores).write_parquet("scores.parquet")
    assert "True is no score" in refused(call("compare", "scores.parquet"))


@pytest.mark.skipif(not Path("/dev/urandom").exists(), reason="there is no such device")
@pytest.mark.parametrize("device", ["/dev/urandom", "/dev/zero"])
def test_a_device_is_no_file(put, call, device):
    """R09: /dev/urandom was read until it filled half of the memory."""
    assert f"{device}: is a device, and no file" in refused(call("evaluate", "qrels", device))
    assert f"{device}: is a device, and no file" in refused(call("evaluate", device, "qrels"))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such paths")
def test_what_comes_through_a_pipe_is_read():
    """R09: a pipe is no device that does not end."""
    code = "import measurand as md; print(md.read_run('/dev/stdin').to_dict())"
    done = subprocess.run(
        [sys.executable, "-c", code], input="1 Q0 d1 1 2 t\n", capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "{'1': {'d1': 2.0}}\n"


def test_a_line_without_an_end_is_refused_in_a_plain_file_too(put, monkeypatch):
    """R09: the loops in C went on to read it."""
    for module in (unpacking, read.formats.reading.bulk):
        monkeypatch.setattr(module, "LONGEST_LINE", 1 << 20)
    path = put("a.run", "1 Q0 d1 1 2.5 t\n" * 5000 + "1 Q0 " + "d" * (3 << 20) + " 1 2.5 t\n")
    with pytest.raises(md.InputFileError, match=r"^a.run:5001: a line has more than 1\.05 MB; is this a file of text"):
        md.read_run(path)


@pytest.mark.parametrize("blank", [" ", "\t", "\r"])
def test_a_line_of_blanks_without_an_end_is_refused(put, monkeypatch, blank):
    """R09: what begins with blanks was taken for JSON, which may be one line."""
    monkeypatch.setattr(unpacking, "LONGEST_LINE", 1 << 20)
    path = put("a.run.bz2", "")
    Path(path).write_bytes(bz2.compress(blank.encode() * (40 << 20)))
    with pytest.raises(md.InputFileError, match=r"^a.run.bz2:1: a line has more than 1\.05 MB"):
        md.read_run(path)


@pytest.mark.parametrize("pack", [bytes, bz2.compress], ids=["plain", "packed"])
@pytest.mark.parametrize("how", ["rewritten", "longer", "replaced", "removed"])
def test_a_file_that_is_changed_while_it_is_read_is_refused(put, monkeypatch, pack, how):
    """R09: a run that was rewritten while it was read gave other numbers."""
    run, path = pack(b"1 Q0 d1 1 2.5 t\n"), Path("a.run")

    def change():
        if how == "removed":
            path.unlink()
        elif how == "replaced":
            Path("b.run").write_bytes(run)
            Path("b.run").replace(path)
        else:
            path.write_bytes(run if how == "rewritten" else path.read_bytes() + run)
            os.utime(path, ns=(1, 1))

    def changing(inner):
        def call(*arguments):
            found = inner(*arguments)
            change()
            return found

        return call

    for reader, name, data in ((md.read_run, "read_runs", run), (md.read_qrels, "read_qrels", pack(QRELS.encode()))):
        path.write_bytes(data)
        module, name = (read.formats, name) if pack is bytes else (files, "drained")
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(module, name, changing(getattr(module, name)))
            if pack is not bytes and how in ("replaced", "removed"):
                reader(path)  # an open file stays what it was
                continue
            with pytest.raises(md.InputFileError, match=r"^a.run: was changed while it was read"):
                reader(path)
