"""`measurand portfolio`: what several systems reach together, and what several assessors grant."""

from __future__ import annotations

import csv
import json

import pytest


def test_the_answer_comes_first_and_means_after_it(call, small):
    done = call("portfolio", "qrels", "alpha.run", "beta.run", "-m", "P@2 RR")
    lines = done.out.splitlines()
    assert done.code == 0
    assert done.out.startswith("Choosing the best system on each topic gives 0.5000 under P@2; beta alone, the best")
    assert "2 systems on 3 topics, order 'swap', first 3 ranks." in lines
    assert "On 3 of 3 topics one system is at least as good as all others" in done.out
    assert [line.split() for line in lines if line.strip().startswith(("P@2 ", "RR "))] == [
        ["P@2", "beta", "0.5000", "0.5000", "0.5000", "0.3333", "3"],
        ["RR", "beta", "0.6667", "0.6667", "0.6667", "0.3333", "3"],
    ]


def test_topics_are_shown_if_asked_for_and_always_in_json(call, small):
    rows = list(csv.DictReader(call("portfolio", "qrels", "alpha.run", "beta.run", "-q", "-f", "csv").out.splitlines()))
    assert [(row["topic"], row["best_system"]) for row in rows] == [("1", "beta"), ("2", "beta"), ("3", "alpha")]
    found = json.loads(call("portfolio", "qrels", "alpha.run", "beta.run", "-f", "json", "--depth", "3").out)
    assert found["needed"] == {"systems": ["beta"], "smallest": True}
    assert found["topics"][0] | {"reached_counts": 0, "common_counts": 0} == {
        "topic": "1",
        "reached": [1, 2, 0],
        "common": [0, 1, 0],
        "reached_counts": 0,
        "common_counts": 0,
        "reached_by": ["beta"],
        "systems_needed": ["beta"],
    }
    assert found["means"][0]["measure"] == "nDCG@10"


def test_runs_are_looked_at_as_far_down_as_the_measures_look(call, small):
    shown = json.loads(call("portfolio", "qrels", "alpha.run", "beta.run", "-f", "json", "-m", "AP P@2").out)
    scores = json.loads(call("evaluate", "qrels", "alpha.run", "beta.run", "-f", "json", "-m", "AP").out)
    assert shown["depth"] > 2
    assert str(shown["means"][0]["best"])[:6] in json.dumps(scores)


def test_assessors_stand_side_by_side(call, small):
    (small / "other").write_text("1 0 a 0\n1 0 x 1\n2 0 a 1\n")
    done = call("portfolio", "first=qrels", "alpha.run", "--assessor", "second=other", "-m", "P@2")
    assert done.out.startswith(
        "2 assessors (first and second) judge 1 system on 2 topics, order 'replacement', first 2 "
    )
    assert done.out.splitlines()[-1].split() == ["alpha", "0.2500", "0.5000", "0.5000", "0.7500", "2"]
    assert "1 topic that not all assessors judged is left out" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "Bpref"), "looks at more than grades by rank"),
        (("--assessor", "qrels"), "two assessors are called qrels"),
        (("--assessor", "b=-"), "standard input can be read only once"),
        (("--assessor", "b=missing"), "missing"),
        (("-o", "qrels"), "would overwrite"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(call, small, arguments, message):
    done = call("portfolio", "qrels", "alpha.run", *arguments)
    assert (done.code, done.out) == (1, "")
    assert message in done.err
    assert done.err.count("\n") == 1
