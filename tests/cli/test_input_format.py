"""`--input-format`: files of many formats on the command line, and formats that are insisted on."""

from __future__ import annotations

import io
import json

import pytest

from measurand import Study
from measurand.report.repeating import command, in_python
from measurand.trec.files import FormattedFile

SCORES = "1\ta\t3\n1\tb\t2\n1\tc\t1\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Return the working directory, with judgments and one ranking in several formats."""
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "scifact" / "qrels").mkdir(parents=True)
    (tmp_path / "scifact" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n")
    (tmp_path / "dense.tsv").write_text("1\ta\t1\n1\tb\t2\n")
    (tmp_path / "lists.json").write_text(json.dumps({"1": ["a", "b"]}))
    (tmp_path / "scores.tsv").write_text(SCORES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def values(outcome) -> dict[str, str]:
    assert outcome.code == 0, outcome.err
    return dict(line.split("\t")[:2] for line in outcome.out.splitlines()[1:])


def test_formats_are_found_by_content_and_what_was_decided_is_noted(files, call):
    outcome = call("evaluate", "scifact", "dense.tsv", "lists.json", "-m", "rr", "-f", "tsv")
    assert values(outcome) == {"dense": "1.0", "lists": "1.0"}
    assert "note: dense.tsv: the third column has whole numbers from 1" in outcome.err
    assert "note: scifact: the judgments are those of scifact/qrels/test.tsv" in outcome.err


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), "1.0"),
        (("--input-format", "run=scores"), "1.0"),
        (("--input-format", "scores"), "1.0"),
        (("--input-format", "msmarco"), "0.3333333333333333"),
        (("--format", "msmarco"), "0.3333333333333333"),
        (("--format", "qrels=trec,run=msmarco"), "0.3333333333333333"),
    ],
)
@pytest.mark.parametrize("run", ["scores.tsv", "mine=scores.tsv", "."])
def test_a_format_is_insisted_on_for_all_files_or_for_some(files, call, run, options, expected):
    if run == ".":
        (files / "runs").mkdir()
        (files / "scores.tsv").rename(files / "runs" / "scores.tsv")
        run = "runs"
    outcome = call("evaluate", "qrels.txt", run, "-m", "rr", *options, "-f", "tsv")
    assert list(values(outcome).values()) == [expected]


def test_standard_input_has_a_format_too(files, call, monkeypatch):
    def given() -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SCORES.encode())))

    given()
    outcome = call("evaluate", "qrels.txt", "mine=-", "-m", "rr", "-f", "tsv", "--input-format", "msmarco")
    assert values(outcome) == {"mine": "0.3333333333333333"}
    given()
    outcome = call("fuse", "-", "dense.tsv", "--input-format", "msmarco")
    assert outcome.out.splitlines()[0].split()[2] == "a", outcome.err
    assert outcome.out.count("\n") == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("evaluate", "qrels.txt", "dense.tsv", "--input-format", "msmarko"), "did you mean 'msmarco'?"),
        (("evaluate", "qrels.txt", "dense.tsv", "--input-format", "topics=trec"), "write a format, or qrels=FORMAT"),
        (("evaluate", "qrels.txt", "dense.tsv", "-f", "yaml"), "'yaml' is not one of"),
        (("measures", "-f", "beir"), "'beir' is not one of"),
    ],
)
def test_a_format_that_there_is_not_is_a_wrong_call(files, call, arguments, message):
    outcome = call(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_a_file_that_has_not_the_format_is_refused(files, call):
    outcome = call("evaluate", "qrels.txt", "dense.tsv", "--input-format", "beir")
    assert (outcome.code, outcome.out) == (1, "")
    assert "qrels.txt:1: '1 0 a 1' is no header" in outcome.err


def test_a_report_is_repeated_with_the_formats_that_were_said(files):
    study = Study.from_files(FormattedFile("scifact", "beir"), [FormattedFile("dense.tsv", "msmarco")], "rr")
    again = "scifact/qrels/test.tsv dense.tsv -m RR --input-format qrels=beir,run=msmarco"
    assert command(study) == f"measurand report {again} -o again.html"
    assert "md.read_qrels('scifact/qrels/test.tsv', format='beir')," in in_python(study)
    assert "md.read_runs(['dense.tsv'], format='msmarco')," in in_python(study)


def test_the_gate_tells_a_run_in_json_from_stored_scores(files, call):
    outcome = call("gate", "qrels.txt", "lists.json", "dense.tsv", "-m", "rr", "--max-drop", "0.1")
    assert outcome.code == 0, outcome.err
