"""`measurand learn`: preferences in, a measure or a contradiction out."""

from __future__ import annotations

import io
import json
import sys

import pytest

VOTES = "1,0,0\t0,1,1\t7\n0,1,1\t0,1,0\n"


@pytest.fixture
def votes(tmp_path, monkeypatch):
    """Return a file of votes, in the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "votes.tsv").write_text(VOTES)
    return tmp_path / "votes.tsv"


def test_the_answer_comes_first_then_the_weights(call, votes):
    done = call("learn", "votes.tsv", "--additive")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "A discount curve agrees with all 8 statements (2 different ones)."
    assert lines[1] == "The closest call is 1,0,0 over 0,1,1, by 1/7; the worst run has the value 0, the best 1."
    assert [line.split() for line in lines[-3:]] == [
        ["1", "4/7", "1.000"],
        ["2", "2/7", "0.500"],
        ["3", "1/7", "0.250"],
    ]


def test_values_of_runs_are_written_exactly_for_programs(call, votes):
    rows = [line.split("\t") for line in call("learn", "votes.tsv", "-f", "tsv").out.splitlines()]
    assert rows[0] == ["run", "value", "decimal"]
    assert rows[-1] == ["1,1,1", "1", "1.0"]
    data = json.loads(call("learn", "votes.tsv", "-f", "json").out)
    assert [[run, value] for run, value in data["values"].items()] == [row[:2] for row in rows[1:]]
    assert (data["how"], data["order"], data["depth"], data["grades"]) == ("exact", "swap", 3, 2)


def test_a_contradiction_is_an_answer(call, votes, monkeypatch):
    votes.write_text(VOTES + "0,1,1\t1,0,0\n")
    done = call("learn", "votes.tsv")
    assert done.code == 0
    assert done.out.startswith(
        "No measure that keeps the order agrees with all 9 statements (3 different ones).\nThese 2 statements"
    )
    slack = call("learn", "votes.tsv", "--slack")
    assert "The one that comes closest agrees with 8 of 9." in " ".join(slack.out.split())
    assert "0,1,1 is preferred to 1,0,0" in slack.out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(votes.read_bytes())))
    assert call("learn", "-").out == done.out


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1,0\t0,1\n1,0,0\t0,1\n", "votes.tsv:2: (1, 0, 0) is no run of 2 ranks"),
        ("", "votes.tsv: has no statement"),
        ("1,0\t0,1\t-3\n", "votes.tsv:1: a statement is made once or more often"),
    ],
)
def test_wrong_files_are_refused_in_one_line(call, votes, text, complaint):
    votes.write_text(text)
    done = call("learn", "votes.tsv", "-o", "out.txt")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"measurand: {complaint}")
    assert done.err.count("\n") == 1
    assert not (votes.parent / "out.txt").exists()


def test_gains_without_a_curve_are_a_wrong_call(call, votes):
    assert call("learn", "votes.tsv", "--gains", "0,1").code == 2
