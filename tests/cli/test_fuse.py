"""`measurand fuse`: several run files in, one run file out."""

from __future__ import annotations

import gzip

import pytest

import measurand as md


def lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Return three run files with one tag; the third has no topic 2."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.run").write_text("1 Q0 x 1 3.0 t\n1 Q0 y 2 2.0 t\n2 Q0 x 1 1.0 t\n")
    (tmp_path / "b.run").write_text("1 Q0 y 1 9.0 t\n1 Q0 z 2 8.0 t\n2 Q0 y 1 1.0 t\n")
    (tmp_path / "c.run.gz").write_bytes(gzip.compress(b"1 Q0 z 1 0.5 t\n1 Q0 x 2 0.25 t\n"))
    return "a.run", "b.run", "c.run.gz"


def test_runs_of_one_tag_are_fused_and_printed_as_a_run_file(runs, call):
    outcome = call("fuse", *runs, "-k", "1")
    assert outcome.code == 0
    assert lines(outcome.out)[0] == ["1", "Q0", "z", "1", str(1 / 3 + 1 / 2), "rrf"]
    assert {line[0] for line in lines(outcome.out)} == {"1", "2"}


def test_ties_and_missing_topics_are_said_on_the_error_stream(runs, call):
    outcome = call("fuse", *runs)
    assert "5 of 5 documents share their fused score" in outcome.err
    assert "1 of 3 runs lack some of the 2 topics (c)" in outcome.err


def test_scores_below_0_are_said_to_be_counted_from_the_lowest(runs, call, tmp_path):
    (tmp_path / "log.run").write_text("1 Q0 x 1 -2.5 t\n1 Q0 y 2 -3.0 t\n")
    outcome = call("fuse", *runs, "log.run", "--method", "combsum", "--norm", "none")
    assert "1 of 6 rankings have scores below 0; each of them is counted from its lowest score" in outcome.err


def test_the_file_that_is_written_reads_back_as_the_fused_run(runs, call):
    outcome = call("fuse", *runs, "--method", "CombMNZ", "--norm", "sum", "-o", "fused.run.gz", "--tag", "mine")
    assert (outcome.code, outcome.out) == (0, "")
    read, fused = md.read_run("fused.run.gz"), md.fuse(runs, "combmnz", norm="sum")
    assert read.name == "mine"
    assert list(read.documents) == list(fused.documents)
    assert read.document_scores.tolist() == fused.document_scores.tolist()


@pytest.mark.parametrize("weights", [["-w", "1", "-w", "0", "-w", "0.0"], ["-w", "b=0", "-w", "c=0"]])
def test_weights_go_by_order_or_by_name(runs, call, weights):
    outcome = call("fuse", *runs, *weights, "-M", "1")
    assert [line[2] for line in lines(outcome.out)] == ["x", "x"]


def test_every_method_is_explained(call):
    explained = call("fuse", "--methods")
    assert explained.code == 0
    assert all(f"  {name} " in explained.out for name in (*md.fusion.METHODS, *md.fusion.NORMALISATIONS))


@pytest.mark.parametrize("method", md.fusion.METHODS)
def test_every_method_fuses(runs, call, method):
    outcome = call("fuse", *runs, "--method", method)
    assert outcome.code == 0
    assert [line[2] for line in lines(outcome.out) if line[0] == "2"] == ["y", "x"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--method", "best"], "there is no method 'best'; there is information"),
        (["--norm", "min-max"], "rrf only looks at ranks"),
        (["--method", "combsum", "--norm", "l2"], "there is no norm 'l2'"),
        (["-w", "1"], "3"),
        (["-w", "d=1"], "there is no run 'd'; there is a, b, c"),
        (["-w", "a=1", "-w", "2"], "give weights by name"),
        (["-w", "a=x"], "x"),
        (["-k", "many"], "many"),
        (["--method", "borda", "--collection-size", "2"], "too small a collection"),
        (["-o", "a.run"], "would overwrite what is to be read"),
        (["--names", "tag"], "also in"),
        (["--tag", "two words"], "run name 'two words' cannot stand in a TREC file"),
    ],
    ids=str,
)
def test_what_cannot_be_is_an_error_in_the_input(runs, call, arguments, why):
    outcome = call("fuse", *runs, *arguments)
    assert (outcome.code, outcome.out) == (1, "")
    assert why in outcome.err


def test_a_broken_file_leaves_no_half_a_run(runs, call, tmp_path):
    (tmp_path / "broken.run").write_text("1 Q0 x 1 3.0 t\n1 Q0 y\n")
    outcome = call("fuse", *runs, "broken.run", "-o", "fused.run")
    assert (outcome.code, outcome.out) == (1, "")
    assert "broken.run:2:" in outcome.err
    assert not (tmp_path / "fused.run").exists()
