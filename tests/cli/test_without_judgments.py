"""`measurand evaluate --without-judgments`: systems and topics without QRELS."""

from __future__ import annotations

import csv
import io
import json

import pytest

import measurand as md
from measurand.cli import without_judgments as command
from measurand.study import without_judgments as study

GAMMA = "1 Q0 c 1 3.0 gamma\n1 Q0 a 2 2.0 gamma\n2 Q0 b 1 1.0 gamma\n3 Q0 z 1 1.0 gamma\n"
RUNS = ("alpha.run", "beta.run", "gamma.run")


@pytest.fixture
def three(small):
    """Return the small campaign with a third run."""
    (small / "gamma.run").write_text(GAMMA)
    return small


@pytest.fixture
def without(three, call):
    """Return a way to evaluate the three runs without judgments."""
    return lambda *arguments: call("evaluate", "--without-judgments", *RUNS, *arguments)


def rows(text):
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_the_numbers_are_those_of_the_library_and_the_bias_is_noted(without):
    outcome = without("--top", 2, "--method", "rrf", "-m", "AP RR", "-f", "tsv")
    found = md.evaluate_without_judgments(list(RUNS), ["AP", "RR"], method="rrf", top=2)
    expected = {scores.measure: scores.mean().to_dict() for scores in found.table}
    assert outcome.code == 0
    for row in rows(outcome.out):
        assert {name: float(row[name]) for name in expected} == {
            name: means[row["system"]] for name, means in expected.items()
        }
    assert str(study.BIAS) in outcome.err


def test_the_defaults_are_those_of_the_library(without):
    assert (command.METHOD, command.TOP) == (study.METHOD, study.TOP)
    assert list(rows(without("-f", "tsv").out)[0]) == ["system", "AP", "OIE(beta=1.2)"]


def test_against_judgments_every_system_has_its_places(without):
    outcome = without("--against", "qrels", "-m", "AP", "-f", "tsv")
    assert [row["system"] for row in rows(outcome.out)] == ["beta", "gamma", "alpha"]
    table = without("--against", "qrels", "-m", "AP").out
    assert "against the judgments of 3 topics, τ = " in table
    data = json.loads(without("--against", "qrels", "-m", "AP", "-f", "json").out)
    assert data["against_judgments"]["AP"]["best"] == "beta"
    assert data["without_judgments"]["method"] == "bordalog"


@pytest.mark.parametrize("form", ["table", "csv", "tsv", "json", "latex", "markdown", "trec"])
def test_the_bias_is_in_every_file_that_has_a_place_for_it_and_noted_beside_the_others(without, three, form):
    outcome = without("-m", "AP", "-f", form, "-o", "found")
    written = " ".join((three / "found").read_text().split()).lower()
    bias = str(study.BIAS).lower()
    assert (bias in written) == (form not in ("csv", "tsv", "trec"))
    assert bias in written or bias in outcome.err.lower()


@pytest.mark.parametrize("form", ["table", "csv", "json", "latex", "markdown", "trec"])
def test_every_format_has_topics_too(without, form):
    outcome = without("-q", "-m", "AP", "-f", form, "--top", 2)
    assert outcome.code == 0
    assert "gamma" in outcome.out


def test_topics_are_printed_and_drawn_in_the_place_of_systems(without, three):
    outcome = without("--difficulty", "--against", "qrels", "-f", "tsv", "--plot", "topics.json")
    assert outcome.code == 0
    assert list(rows(outcome.out)[0]) == ["topic", "entropy", "documents", "runs", "effectiveness"]
    assert "exploratory" in outcome.err
    assert len(json.loads((three / "topics.json").read_text())["data"]["values"]) == 3


def test_one_folder_may_hold_all_runs(three, call):
    (three / "runs").mkdir()
    for name in RUNS:
        (three / name).rename(three / "runs" / name)
    outcome = call("evaluate", "--without-judgments", "runs", "-m", "AP", "-f", "tsv")
    assert {row["system"] for row in rows(outcome.out)} == {"alpha", "beta", "gamma"}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--unjudged", "min"], 2, "--unjudged means nothing with --without-judgments"),
        (["-l", 2], 2, "--level means nothing with --without-judgments: pseudo-judgments have one grade"),
        (["-J"], 2, "--judged-only means nothing"),
        (["--grade-scale", "ratio"], 2, "--grade-scale means nothing"),
        (["--difficulty", "--top", 3], 2, "--top means nothing with --difficulty"),
        (["--difficulty", "--strict"], 2, "--strict means nothing with --difficulty"),
        (["--difficulty", "-m", "AP RR"], 1, "--difficulty takes one measure"),
        (["--difficulty", "-f", "trec"], 2, "-f trec has no place"),
        (["--against", "qrels", "-f", "trec"], 2, "-f trec has no place for --against"),
        (["--plot", "x.svg"], 2, "--plot goes with --difficulty"),
        (["--difficulty", "--plot", "x.txt"], 1, "the name of a figure ends in"),
        (["-m", "Bpref"], 1, "tells unjudged documents from nonrelevant ones"),
        (["--method", "best"], 1, "there is no method 'best'"),
        (["-o", "alpha.run"], 1, "would overwrite"),
        (["--strict"], 1, "depend on the size of the collection"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(without, arguments, code, said):
    outcome = without(*arguments)
    assert (outcome.code, outcome.out) == (code, "")
    [line] = [line for line in outcome.err.splitlines() if not line.startswith("note: ")]
    assert said in line


def test_strictly_near_duplicates_are_refused(three, call):
    (three / "twin.run").write_text(GAMMA.replace("gamma", "twin"))
    outcome = call("evaluate", "--without-judgments", *RUNS, "twin.run", "-m", "AP", "--strict")
    assert (outcome.code, outcome.out) == (1, "")
    assert "nearly the same" in outcome.err
    assert call("evaluate", "--without-judgments", *RUNS, "twin.run", "-m", "AP").code == 0


def test_with_judgments_the_options_of_this_mode_are_refused(three, call):
    for option in (["--top", 3], ["--method", "rrf"], ["--against", "qrels"], ["--difficulty"], ["--plot", "x.svg"]):
        outcome = call("evaluate", "qrels", *RUNS, *option)
        assert (outcome.code, outcome.out) == (2, "")
        assert f"{option[0]} goes with --without-judgments" in outcome.err


def test_two_runs_are_too_few(three, call):
    outcome = call("evaluate", "--without-judgments", *RUNS[:2])
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "measurand: there are 2 runs, and it takes three: leaving one out, two others have to agree\n"
