"""`measurand explain`: which conventions give a number, and what tools give."""

from __future__ import annotations

import csv
import json

import pytest


def test_the_answer_is_the_first_line_and_the_list_follows(call, small):
    done = call("explain", "0.6667", "qrels", "beta.run", "-m", "RR", "--most", "2")
    lines = done.out.splitlines()
    assert done.code == 0
    assert lines[0].startswith(
        "This run's RR is 0.666667, which rounds to 0.6667, as in trec_eval 10.0 -c -m recip_rank, ranx 0.3.21 mrr, "
    )
    assert any(line.split()[:4] == ["0.666667", "=", "3e-05", "RR"] for line in lines)


def test_the_exit_status_is_0_where_nothing_gives_the_number(call, small):
    done = call("explain", "0.123456", "qrels", "alpha.run", "-m", "P@2", "-f", "json")
    found = json.loads(done.out)
    assert (done.code, found["found"], found["candidates"][0]["gives"]) == (0, 0, None)
    assert found["sentence"].startswith("This run's P@2 is 0.333333. None of ")
    assert " variants gives 0.123456. Is it the right run? The nearest is P@2" in found["sentence"]


def test_the_table_has_a_row_for_every_call_of_a_tool(call, small):
    done = call("explain", "--table", "qrels", "beta.run", "-m", "P@2", "-f", "csv")
    rows = list(csv.DictReader(done.out.splitlines()))
    assert [(row["tool"], row["call"]) for row in rows][:3] == [
        ("measurand", "P@2"),
        # a spreadsheet would run what begins with a minus
        ("trec_eval", "'-c -m P.2"),
        ("trec_eval", "'-c -m P.2"),
    ]
    # two of three topics have a relevant document, and sentence-transformers leaves the third out
    assert {row["tool"]: row["value"] for row in rows} == {
        **{row["tool"]: "0.5" for row in rows},
        "sentence-transformers": "0.75",
    }


def test_every_format_has_the_list(call, small):
    for form in ("csv", "tsv", "latex", "markdown"):
        done = call("explain", "50%", "qrels", "beta.run", "-m", "P@2", "-f", form)
        assert (done.code, "P@2" in done.out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["qrels", "alpha.run"], 2, "name 3 things, not 2: 0.4314 QRELS RUN"),
        (["--table", "0.5", "qrels", "alpha.run"], 2, "name 2 things, not 3: --table QRELS RUN"),
        (["--table", "--most", "3", "qrels", "alpha.run"], 2, "--most goes with a number, not with --table."),
        (["abc", "qrels", "alpha.run"], 1, "'abc' is not a number to explain; write it like 0.4314"),
        (["0.5", "qrels", "alpha.run", "-m", "P@2 RR"], 1, "-m names one measure here, not 2"),
        (["--table", "qrels", "alpha.run", "-m", "P@2", "-m", "RR"], 1, "-m names one measure here, not 2"),
        (["0.5", "qrels", "alpha.run", "--topic", "77"], 1, "topic 77 has no judgments"),
        (["0.5", "qrels", "nothing.run"], 1, "there is no such file"),
    ],
)
def test_wrong_calls_are_answered_in_one_line(call, small, arguments, code, said):
    done = call("explain", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert said in done.err
