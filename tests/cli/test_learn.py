"""`measurand learn`: preferences in, a measure or a contradiction out."""

from __future__ import annotations

import io
import json
import shlex
import sys

import pytest

from measurand import parse
from measurand.measures import DiscountCurve

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
    assert [line.split() for line in lines[-5:-2]] == [
        ["1", "4/7", "1.000"],
        ["2", "2/7", "0.500"],
        ["3", "1/7", "0.250"],
    ]


def test_the_last_line_of_a_curve_can_be_typed(call, votes):
    (votes.parent / "qrels").write_text("1 0 a 1\n1 0 b 0\n1 0 c 1\n")
    (votes.parent / "r.run").write_text("1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n1 Q0 c 3 1 r\n")
    last = call("learn", "votes.tsv", "--additive", "--name", "Votes").out.splitlines()[-1]
    assert last == """To evaluate with it: -m "DiscountCurve(by_rank='4/7, 2/7, 1/7', label='Votes')\""""
    done = call("evaluate", "qrels", "r.run", *shlex.split(last.partition(": ")[2]))
    assert done.out.split()[:2] == ["system", "Votes"]
    assert done.out.split()[-1] == "0.7143"
    assert "measure in Python" in call("learn", "votes.tsv").out


def test_long_curves_can_be_typed_as_well_though_their_spelling_is_wrapped(call, votes):
    votes.write_text(f"{','.join('1' * 40)}\t{','.join('0' * 40)}\n")
    out = call("learn", "votes.tsv", "--additive").out
    _, spelling = shlex.split(out[out.index("-m ") :])
    data = json.loads(call("learn", "votes.tsv", "--additive", "-f", "json").out)
    assert parse(" ".join(spelling.split())) == parse(data["spelling"])
    assert DiscountCurve(by_rank=data["discounts"], by_grade=data["gains"]) == parse(data["spelling"])


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
    assert "One that comes as close as any agrees with 8 of 9." in " ".join(slack.out.split())
    assert "0,1,1 is preferred to 1,0,0" in slack.out
    tsv = call("learn", "votes.tsv", "-f", "tsv")
    assert (tsv.code, tsv.out) == (1, "")
    assert "agrees with all 9 statements" in tsv.err
    assert call("learn", "votes.tsv", "-f", "tsv", "--slack").code == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(votes.read_bytes())))
    assert call("learn", "-").out == done.out


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1,0\t0,1\n1,0,0\t0,1\n", "votes.tsv:2: (1, 0, 0) is no run of 2 ranks"),
        ("", "votes.tsv: has no statement"),
        ("better\tworse\n", "votes.tsv: has no statement"),
        ("1,0\t0,1\n1,0\t0,1\t1e30000000\n", "votes.tsv:2: '1e30000000' is too large"),
        ("1,0\t0,1\t1e9\n1,0\t0,1\t1\n", "votes.tsv:2: a statement is made once or more often, up to"),
        ("1,-3\t0,1\n", "votes.tsv:1: 1,-3 is no judged run"),
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


@pytest.mark.parametrize("gains", ["0,1e999999999", "0,1,3.14159265", "0,1,10000000"])
def test_gains_that_do_not_fit_are_refused_in_one_line(call, votes, gains):
    votes.write_text("2,0\t1,1\n")
    done = call("learn", "votes.tsv", "--additive", "--grades", str(gains.count(",") + 1), "--gains", gains)
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1


def test_gains_without_a_curve_are_a_wrong_call(call, votes):
    assert call("learn", "votes.tsv", "--gains", "0,1").code == 2
