"""`measurand unanimity`: a table for any campaign and any list of measures."""

from __future__ import annotations

import csv
import io
import json

import pytest

from measurand import sample

FILES = ["qrels", "alpha.run", "beta.run"]


def test_measures_have_a_line_each(small, call):
    outcome = call("unanimity", *FILES, "-m", "RR P@1", "-m", "AP", "--collection-size", 1000)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "Unanimity of 3 measures on 2 systems and 3 topics"
    # beta is better on both topics that have something to find; on the third one all tie both ways
    assert "All agree on 4 of 6 ordered pairs of systems (66.7%). Ties were decided on exact values." in outcome.out
    rows = [line.split()[:4] for line in lines if line.startswith((" RR", " P@1", " AP"))]
    assert rows == [[name, "0.5850", "50.0%", "2"] for name in ("RR", "P@1", "AP")]


def test_without_measures_it_is_the_table_of_the_paper(call):
    outcome = call("unanimity", sample.qrels(), sample.folder() / "runs", "-f", "tsv", "--collection-size", 100_000)
    rows = list(csv.DictReader(io.StringIO(outcome.out), delimiter="\t"))
    assert (outcome.code, len(rows)) == (0, 17)
    assert {"OIE(beta=1.2, collection=100000)", "RBP(p=0.99)", "RR@10"} <= {row["measure"] for row in rows}
    values = [float(row["unanimity"]) for row in rows]
    assert values == sorted(values, reverse=True)
    assert all(row["priority"] in "01" for row in rows)


def test_the_size_of_the_collection_is_asked_for(small, call):
    outcome = call("unanimity", *FILES, "-m", "AP OIE")
    assert "--collection-size" in outcome.err
    assert "--collection-size" not in call("unanimity", *FILES, "-m", "AP OIE", "--collection-size", 1000).err


def test_constraints_can_be_left_out(small, call):
    outcome = call("unanimity", *FILES, "-m", "AP RR", "--no-constraints", "-f", "json")
    data = json.loads(outcome.out)
    assert [row["constraints"] for row in data["measures"]] == [None, None]
    assert "assumed for" not in outcome.err
    assert "assumed for the constraints" in call("unanimity", *FILES, "-m", "AP RR").err


def test_each_system_is_compared_with_itself_if_that_is_asked_for(small, call):
    arguments = ["unanimity", *FILES, "-m", "AP RR", "--no-constraints", "--self-pairs"]
    data = json.loads(call(*arguments, "-f", "json").out)
    assert (data["self_pairs"], data["pairs"], data["unanimous"]) == (True, 12, 10)
    assert "All agree on 10 of 12 ordered pairs of systems, each also with itself (83.3%)" in call(*arguments).out
    assert json.loads(call(*arguments[:-1], "-f", "json").out)["self_pairs"] is False


def test_the_topic_of_the_constraints_can_be_chosen(small, call):
    arguments = ["-m", "P@20 AP", "-f", "json", "--collection-size", 5000, "--recall-base", 33]
    data = json.loads(call("unanimity", *FILES, *arguments).out)
    assert (data["collection"], data["recall_base"], data["ranks"]) == (5000, 33, 131)


def test_relevance_and_judging_options_are_those_of_other_commands(small, call):
    data = json.loads(
        call("unanimity", *FILES, "-m", "AP RR", "-l", 2, "-J", "--names", "file", "-f", "json", "--no-constraints").out
    )
    assert {row["measure"] for row in data["measures"]} == {
        "AP(judged_only=True, rel=2)",
        "RR(judged_only=True, rel=2)",
    }
    skipped = json.loads(
        call("unanimity", *FILES, "-m", "AP RR", "--missing-topics", "skip", "-f", "json", "--no-constraints").out
    )
    assert (skipped["pairs"], skipped["left_out"]) == (4, 1)


def test_open_ties_of_documents_are_said_to_be_decided_on_floats(small, call):
    outcome = call("unanimity", *FILES, "-m", "P@2 RR", "--ties", "expected", "--no-constraints")
    assert outcome.code == 0
    # where the runs that tie have no tied documents, exact values decide
    assert "note: ties of P@2 were decided on floats" in outcome.err


def test_latex_goes_into_a_paper(small, call):
    assert call("unanimity", *FILES, "-m", "AP RR", "--no-constraints", "-f", "latex").out.startswith("% All measures")


def test_a_file_is_written_whole(small, call):
    printed = call("unanimity", *FILES, "-m", "AP RR", "--no-constraints")
    written = call("unanimity", *FILES, "-m", "AP RR", "--no-constraints", "-o", "table.txt")
    assert (written.out, (small / "table.txt").read_text()) == ("", printed.out)


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        ([], 2, "Missing argument 'QRELS'"),
        (["qrels"], 2, "Missing argument 'RUN...'"),
        (["qrels", "alpha.run"], 1, "one system alone"),
        (["qrels", "none.run", "beta.run"], 1, "none.run"),
        ([*FILES, "-m", "nonsense"], 1, "no measure called 'nonsense'"),
        ([*FILES, "-m", ""], 1, "-m names no measure"),
        ([*FILES, "-m", "AP", "-o", "qrels"], 1, "would overwrite"),
        ([*FILES, "-m", "AP", "-o", "none/table"], 1, "none/table"),
        ([*FILES, "-m", "OIE", "--collection-size", "1"], 1, "a collection of 1 cannot hold them"),
        ([*FILES, "-m", "AP", "--recall-base", "0"], 2, "0 is not in the range"),
        ([*FILES, "-f", "trec"], 2, "'trec' is not one of"),
    ],
)
def test_what_cannot_be_is_refused(small, call, arguments, code, complaint):
    outcome = call("unanimity", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert complaint in outcome.err
    assert "Traceback" not in outcome.err


def test_it_is_listed_and_explains_itself(call):
    assert "unanimity" in call("--help").out
    outcome = call("unanimity", "--help")
    assert outcome.code == 0
    assert all(option in outcome.out for option in ("--no-constraints", "--recall-base", "--collection-size"))
