"""What systems are called, where nobody says it."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import threading

import polars as pl
import pytest
import zstandard

import measurand as md
from measurand import InputError, read_run, read_runs
from measurand.errors import CaveatKind
from measurand.trec.naming import first_tag

RUN = b"1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n"


def _written(folder, *contents):
    for name, content in zip("abcdefgh", contents, strict=False):
        (folder / f"{name}.run").write_bytes(content)
    return folder


def test_runs_of_one_tag_are_called_by_their_files_and_the_first_says_so(tmp_path):
    runs = read_runs(_written(tmp_path, RUN, RUN, RUN))
    assert [run.name for run in runs] == ["a", "b", "c"]
    [caveat] = [caveat for run in runs for caveat in run.caveats]
    assert (caveat.kind, str(caveat)) == (
        CaveatKind.NAMES,
        "all 3 runs have the tag t, so systems are called by their files",
    )


def test_one_tag_of_two_files_is_enough_to_call_all_by_their_files(tmp_path):
    runs = read_runs(_written(tmp_path, RUN, RUN.replace(b"t\n", b"u\n"), RUN))
    assert [run.name for run in runs] == ["a", "b", "c"]
    assert str(runs[0].caveats[0]).startswith("2 of the 3 runs have the tag t, ")


def test_runs_of_different_tags_are_called_by_these_without_a_word(tmp_path):
    runs = read_runs(_written(tmp_path, RUN, RUN.replace(b"t\n", b"u\n")))
    assert [(run.name, run.caveats) for run in runs] == [("t", ()), ("u", ())]


def test_the_note_travels_with_judged_runs_and_scores(tmp_path):
    table = md.evaluate({"1": {"a": 1}}, _written(tmp_path, RUN, RUN), ["P@1", "AP"])
    assert "both runs have the tag t, so systems are called by their files" in map(str, table.scores("AP").caveats)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress, bz2.compress, zstandard.compress])
def test_the_tag_is_found_behind_comments_in_files_packed_in_any_way(tmp_path, pack):
    (tmp_path / "a").write_bytes(pack(b"\xef\xbb\xbf# made today\n\n" + RUN))
    assert first_tag(str(tmp_path / "a")) == "t"


def test_the_tag_of_a_parquet_file_is_its_first_name(tmp_path):
    frame = pl.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0]})
    frame.write_parquet(tmp_path / "a.parquet")
    frame.with_columns(pl.lit("bm25").alias("run")).write_parquet(tmp_path / "b.parquet")
    assert [first_tag(str(tmp_path / name)) for name in ("a.parquet", "b.parquet")] == [None, "bm25"]


def test_no_more_of_a_file_is_unpacked_than_its_first_line(tmp_path):
    long = b"".join(b"1 Q0 document-%d 1 %d t\n" % (i, i * i) for i in range(50_000))
    (tmp_path / "cut.gz").write_bytes(gzip.compress(long)[:-5000])
    assert first_tag(str(tmp_path / "cut.gz")) == "t"


@pytest.mark.parametrize("content", [b"", b"one two\n", b"\x1f\x8bdamaged", b"\xff\xfe" * 10])
def test_a_file_that_is_no_run_has_no_tag(tmp_path, content):
    (tmp_path / "a").write_bytes(content)
    assert first_tag(str(tmp_path / "a")) is None


def test_a_pipe_is_not_read_twice(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writing = threading.Thread(target=pipe.write_bytes, args=(RUN.replace(b"t\n", b"u\n"),))
    writing.start()
    (tmp_path / "a.run").write_bytes(RUN)
    assert [run.name for run in read_runs([tmp_path / "a.run", pipe])] == ["t", "u"]
    writing.join()


def test_a_dictionary_of_sources_names_them(tmp_path):
    folder = _written(tmp_path, RUN)
    named = {
        "file": folder / "a.run",
        "text": str(folder / "a.run"),
        "run": read_run(folder / "a.run"),
        "dictionary": {"1": {"a": 9.0, "b": 8.0}},
        "frame": pl.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0]}),
    }
    assert [run.name for run in read_runs(named)] == list(named)
    assert md.evaluate({"1": {"a": 1}}, named, "P@1").systems == tuple(named)
    study = md.Study.from_files({"1": {"a": 1}}, {"x": folder / "a.run", "y": folder / "a.run"}, "P@1", fuse=False)
    assert study.systems == ("x", "y")


def test_a_dictionary_of_topics_is_one_run():
    assert [run.topics for run in read_runs({"1": {"a": 9.0}, "2": {"b": 1.0}})] == [("1", "2")]


def test_a_name_is_for_one_run(tmp_path):
    with pytest.raises(InputError, match="x names one run, and this is a directory"):
        read_runs({"x": tmp_path})
