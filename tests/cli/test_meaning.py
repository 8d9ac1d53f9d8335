"""`measurand meaning`: sentences about systems, answered on the command line."""

from __future__ import annotations

import csv
import io
import json

import pytest

RUNS = ("qrels", "alpha.run", "beta.run")


def refused(outcome) -> str:
    """Return the complaint of a call that was wrong: one line on the error stream, and nothing else."""
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("measurand: ")
    assert outcome.err.count("\n") == 1
    return outcome.err


def test_the_answer_comes_first_and_then_why(call, small):
    shown = call("meaning", *RUNS, "mean of beta exceeds 0.3 under P@1")
    assert shown.code == 0
    assert shown.out.splitlines()[:4] == [
        "Not meaningful: it is true here (0.6667 against 0.3), and false on another scale that is as good.",
        "Statement: mean of beta exceeds 0.3 under P@1.",
        "The other scale: x → 0.1 x (then 0.06667 against 0.3).",
        "Why: a number is not rescaled with the scores.",
    ]
    kept = call("meaning", *RUNS, "median of beta exceeds median of alpha under RR")
    assert kept.out.startswith("Robust: it is true (1 against 0.5), and stays true on every scale that is as good.\n")


def test_json_has_everything(call, small):
    shown = call("meaning", *RUNS, "-f", "json", "-s", "beta is the best under AP", "-s", "tau of AP and P@1 is 1")
    first, second = json.loads(shown.out)["statements"]
    assert first["statement"] == "beta is the best under AP"
    assert (first["true"], first["answer"], first["meaningful"]) == (True, "robust", True)
    assert first["measures"] == [{"measure": "AP", "scale": "ordinal", "reading": "a scale for every topic"}]
    assert [each["measure"] for each in second["measures"]] == ["AP", "P@1"]
    assert set(first) == {
        *("answer", "meaningful", "statement", "true", "measures", "reading", "how", "certificate"),
        *("transformation", "before", "after", "hint", "other"),
    }


def test_a_row_for_every_sentence(call, small):
    sentences = ("-s", "beta beats alpha", "-s", "beta beats alpha under RR@1")
    shown = call("meaning", *RUNS, "-m", "P@1", "-f", "csv", *sentences)
    rows = list(csv.DictReader(io.StringIO(shown.out)))
    assert [row["statement"] for row in rows] == [
        "mean of beta exceeds mean of alpha under P@1",
        "mean of beta exceeds mean of alpha under RR@1",
    ]
    assert {row["answer"] for row in rows} == {"robust"}


def test_a_file_is_written_whole(call, small):
    assert call("meaning", *RUNS, "-o", "answer.md", "-f", "markdown", "beta beats alpha under P@1").out == ""
    assert "Robust" in (small / "answer.md").read_text()
    assert "overwrite" in refused(call("meaning", *RUNS, "-o", "beta.run", "beta beats alpha under P@1"))


def test_options_say_how_runs_are_read_and_scores_are_taken(call, small):
    def found(*options):
        data = json.loads(
            call("meaning", *RUNS, *options, "-f", "json", "mean of beta exceeds mean of alpha under P@1").out
        )
        return data["statements"][0]

    assert found("-J")["statement"].endswith("under P(judged_only=True)@1")
    assert found("--scale", "ratio")["measures"][0]["scale"] == "ratio"
    assert found("-l", 2)["before"] == [0.0, 0.0]


def test_the_grammar_is_printed(call):
    shown = call("meaning", "--grammar")
    assert shown.code == 0
    assert shown.out.startswith("sentence    = clauses")


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("mean of beta exceeds mean of gamma under AP", "there is no system 'gamma'; there is alpha, beta"),
        ("mean of beta exceeds mean of alpha under APP", "there is no measure called 'APP'"),
        ("mean of beta exceeds meen of alpha under AP", "at 'meen' (did you mean 'mean'?)"),
        ("beta beats alpha", "names no measure; end it with: under AP (or another), or name one with -m AP"),
        ("beta beats alpha on topic 7 under AP", "there is no topic '7'"),
        ("", "cannot read '': it is empty"),
    ],
)
def test_what_cannot_be_answered_ends_with_1_and_one_line(call, small, sentence, said):
    assert said in refused(call("meaning", *RUNS, sentence))


def test_a_sentence_may_be_longer_than_the_name_of_a_file(call, small):
    shown = call("meaning", *RUNS, " and ".join(["beta beats alpha under P@1"] * 20))
    assert shown.code == 0
    assert shown.out.startswith("Robust: it is true")


def test_a_call_without_a_sentence_is_wrong(call, small):
    wrong = call("meaning", "qrels", "alpha.run")
    assert wrong.code == 2
    assert "name judgments, runs and a sentence" in wrong.err
    assert "the last argument is a sentence, and beta.run is a file" in call("meaning", *RUNS).err
    assert "-m names one measure" in refused(call("meaning", *RUNS, "-m", "AP P@1", "beta beats alpha"))
