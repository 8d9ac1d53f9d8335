"""`measurand simulate`: the answer first, then the tables behind it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from measurand import sample

RUNS = [sample.qrels(), *sample.runs()[:4]]
FEW = ["-m", "RR@10", "--test", "t", "--test", "sign", "--repetitions", 30]


def test_the_answer_comes_first_and_then_the_tables(call):
    outcome = call("simulate", *RUNS, *FEW)
    assert outcome.code == 0
    assert outcome.out.startswith("Take paired_t of ")
    # what the interval scale changes comes after the tables
    assert outcome.out.index(" sign ") < outcome.out.index("With interval(RR@10) in the place of RR@10, ")
    lines = [line.split()[:2] for line in outcome.out.splitlines() if line.startswith((" paired_t", " sign"))]
    assert lines[:4] == [[test, scale] for scale in ("RR@10", "interval(RR@10)") for test in ("paired_t", "sign")]
    assert "estimated from 30 repetitions of 2 pairs of systems" in " ".join(outcome.out.split())


def test_programs_get_every_rate_with_its_interval(call):
    data = json.loads(call("simulate", *RUNS, *FEW, "--effects", "0.5,3", "--alpha", 0.1, "-f", "json").out)
    [measure] = data["measures"]
    assert (measure["alpha"], measure["effects"]) == (0.1, [0.5, 3.0])
    rows = list(csv.DictReader(io.StringIO(call("simulate", *RUNS, *FEW, "--effects", "0.5,3", "-f", "csv").out)))
    assert [(row["test"], row["scale"]) for row in rows] == [(row["test"], row["scale"]) for row in measure["tests"]]
    assert [bool(row["s2ns_3"]) for row in rows] == [row["scale"] == "interval(RR@10)" for row in rows]
    assert "instead of RR@10" in call("simulate", *RUNS, *FEW, "-f", "latex").out
    assert all(float(row["power_3_low"]) <= float(row["power_3"]) <= float(row["power_3_high"]) for row in rows)


def test_a_file_is_written_whole_and_the_seed_decides(call, tmp_path):
    printed = call("simulate", *RUNS, *FEW, "--seed", 2)
    written = call("simulate", *RUNS, *FEW, "--seed", 2, "-o", tmp_path / "tests.txt")
    assert (written.out, (tmp_path / "tests.txt").read_text()) == ("", printed.out)
    assert call("simulate", *RUNS, *FEW, "--seed", 3).out != printed.out


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["--effects", "some"], 1, "--effects 'some' are no numbers"),
        (["--effects", "-1"], 1, "--effects -1: effects are numbers of documents a topic above 0"),
        (["--effects", "0"], 1, "write them like --effects 1,2,4"),
        (["--test", "bootstrap"], 1, "bootstrap draws lots itself"),
        (["--repetitions", "0"], 2, "0 is not in the range"),
        (["--ties", "expected"], 1, "leave ties out"),
    ],
)
def test_what_cannot_be_is_refused(call, arguments, code, complaint):
    outcome = call("simulate", *RUNS, "-m", "P@5", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert complaint in outcome.err
    assert "Traceback" not in outcome.err
