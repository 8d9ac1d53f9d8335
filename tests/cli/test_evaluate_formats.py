"""`measurand evaluate`: what it prints, in each format, for a campaign small enough to check by hand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from measurand.cli.options import FORMATS

EXPECTED = Path(__file__).parent / "expected"

MEASURES = ("-m", "AP", "-m", "nDCG@10 P@2", "-m", "NumRet")
RUNS = ("qrels", "alpha.run", "beta.run")


def expected(name: str) -> str:
    return (EXPECTED / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("form", [*FORMATS, "trec"])
def test_every_format_prints_the_numbers_over_all_topics(small, call, form):
    outcome = call("evaluate", *RUNS, *MEASURES, "-f", form)
    assert (outcome.code, outcome.out) == (0, expected(f"plain.{form}"))


@pytest.mark.parametrize("form", [*FORMATS, "trec"])
def test_every_format_prints_every_topic_on_request(small, call, form):
    outcome = call("evaluate", *RUNS, *MEASURES, "-f", form, "-q")
    assert (outcome.code, outcome.out) == (0, expected(f"topics.{form}"))


def test_the_table_is_what_is_printed_without_a_format(small, call):
    assert call("evaluate", *RUNS, *MEASURES).out == expected("plain.table")


def test_trec_evals_format_prints_trec_evals_own_measures(small, call):
    assert call("evaluate", "qrels", "alpha.run", "-f", "trec", "-q").out == expected("official.trec")


def test_notes_on_the_data_alone_go_to_the_error_stream(small, call):
    assert call("evaluate", *RUNS, *MEASURES).err.splitlines() == [
        "note: alpha: nothing for 1 of the 3 judged topics; they count as empty results",
        "note: 1 of the 3 topics has no relevant document (topic 3); most measures score 0 there",
    ]


def test_notes_on_hundreds_of_runs_are_counted(small, call):
    (small / "many").mkdir()
    for number in range(13):
        (small / f"many/{number}.run").write_text(f"1 Q0 a 1 2.5 run-{number}\n")
    told = call("evaluate", "qrels", "many").err.splitlines()
    assert sum("nothing for 2 of the 3 judged topics" in line for line in told) == 10
    assert told[-1] == "note: … and 3 more of the kind missing-topics; caveats has all of them in Python"


@pytest.mark.parametrize(
    ("form", "line"),
    [("tsv", "system\ttopic\tAP\n"), ("csv", "system,topic,AP\n")],
)
def test_the_summary_may_be_left_out(small, call, form, line):
    out = call("evaluate", "qrels", "beta.run", "-m", "AP", "-f", form, "-q", "-n").out
    assert out.startswith(line)
    assert len(out.splitlines()) == 4
    assert "all" not in out


def test_a_summary_of_nothing_is_nothing(small, call):
    assert call("evaluate", "qrels", "beta.run", "-m", "AP", "-f", "tsv", "-n").out == "system\tAP\n"
    assert call("evaluate", "qrels", "beta.run", "-m", "AP", "-f", "trec", "-n").out == ""
    assert "beta" not in call("evaluate", "qrels", "beta.run", "-m", "AP", "-n").out


def test_json_without_a_summary_has_topics_alone(small, call):
    entry = json.loads(call("evaluate", "qrels", "beta.run", "-m", "AP", "-f", "json", "-q", "-n").out)["measures"][
        "AP"
    ]
    assert "scores" not in entry
    assert entry["topics"] == {"beta": {"1": 1.0, "2": 1.0, "3": 0.0}}


def test_one_run_in_trec_evals_format_has_no_line_for_its_name_unless_a_nickname_asks(small, call):
    assert (
        call("evaluate", "qrels", "beta.run", "-m", "map", "-f", "trec").out == "map                   \tall\t0.6667\n"
    )
    assert call("evaluate", "qrels", "beta.run", "-m", "set", "-f", "trec").out.startswith("runid")


@pytest.mark.parametrize(
    ("form", "missing"),
    [("tsv", "alpha\t3\t"), ("csv", "alpha,3,"), ("table", "alpha 3 –"), ("latex", r"alpha & 3 & -- \\")],
)
def test_a_topic_that_is_skipped_shows_nothing(small, call, form, missing):
    out = call("evaluate", "qrels", "alpha.run", "-m", "RR", "-q", "-f", form, "--missing-topics", "skip").out
    assert missing in ([" ".join(line.split()) for line in out.splitlines()] if form == "table" else out.splitlines())


def test_a_topic_that_is_skipped_is_null_in_json_and_not_there_in_trec_evals_format(small, call):
    skip = ("evaluate", "qrels", "alpha.run", "-m", "RR", "-m", "NumQ", "-q", "--missing-topics", "skip")
    measures = json.loads(call(*skip, "-f", "json").out)["measures"]
    assert measures["RR"]["topics"]["alpha"] == {"1": 0.5, "2": 0.5, "3": None}
    assert measures["NumQ"]["scores"]["alpha"] == 2
    assert "\t3\t" not in call(*skip, "-f", "trec").out


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_separated_values_read_back_whatever_systems_are_called(small, call, form):
    odd = 'a,"b"\'[c]'
    (small / "odd.run").write_text((small / "alpha.run").read_text().replace("alpha", odd))
    out = call("evaluate", "qrels", "odd.run", "-m", "AP", "-f", form).out
    rows = list(csv.reader(io.StringIO(out), delimiter="\t" if form == "tsv" else ","))
    assert rows == [["system", "AP"], [odd, "0.25"]]


@pytest.mark.parametrize("odd", ["a[b]c", "[bold]x[/bold]", "a\\b", "a:cat:b", "[/]", "ünïcödé", "日本"])
def test_systems_stand_in_the_table_as_they_are_called(small, call, odd):
    (small / "odd.run").write_text((small / "alpha.run").read_text().replace("alpha", odd))
    outcome = call("evaluate", "qrels", "odd.run", "-m", "AP")
    assert outcome.code == 0
    assert outcome.out.splitlines()[3].split() == [odd, "0.2500"]


@pytest.mark.parametrize(
    ("odd", "tex"),
    [
        ("a_b", r"a\_b"),
        ("50%&$#", r"50\%\&\$\#"),
        ("{x}", r"\{x\}"),
        ("a\\b", r"a\textbackslash{}b"),
        ("a^b", r"a\textasciicircum{}b"),
        ("a~b", r"a\textasciitilde{}b"),
    ],
)
def test_systems_stand_in_latex_as_they_are_called(small, call, odd, tex):
    (small / "odd.run").write_text((small / "alpha.run").read_text().replace("alpha", odd))
    out = call("evaluate", "qrels", "odd.run", "-m", "AP", "-f", "latex").out
    assert f"\n{tex} & " in out


@pytest.mark.parametrize("form", [*FORMATS, "trec"])
def test_equal_calls_print_equal_bytes(small, call, form):
    first, second = (call("evaluate", *RUNS, *MEASURES, "-q", "-f", form).out for _ in range(2))
    assert first == second


def test_two_measures_that_trec_eval_calls_by_one_name_are_both_printed(small, call):
    outcome = call("evaluate", "qrels", "beta.run", "-m", "AP", "-m", "AP(rel=2)", "-f", "trec")
    assert outcome.code == 0
    values = sorted(line.split("\t")[2] for line in outcome.out.splitlines() if "\tall\t" in line)
    assert values == ["0.1667", "0.6667"]
