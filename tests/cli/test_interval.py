"""`measurand interval`: runs among all the values of a measure, on the command line."""

from __future__ import annotations

import json
import re
import sys

import pytest

from measurand import sample
from measurand.scales import interval


def refused(outcome) -> str:
    """Return the complaint of a call that was wrong: one line on the error stream, and nothing else."""
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("measurand: ")
    assert outcome.err.count("\n") == 1
    assert outcome.err.endswith("\n")
    return outcome.err.removeprefix("measurand: ").rstrip("\n")


def data(outcome):
    assert outcome.code == 0
    return json.loads(outcome.out)


def told(outcome) -> str:
    """Return what a call printed, on one line, without how long it took."""
    assert outcome.code == 0
    return re.sub(r"In \S+ s\.$", "In … s.", " ".join(outcome.out.split()))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a working directory of its own; what is imported from it is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


# The scale alone.


def test_without_runs_the_scale_is_described(call):
    outcome = call("interval", "RR@4")
    assert outcome.err == ""
    assert told(outcome) == (
        "RR@4 5 different values on 16 runs of 4 ranks and 2 grades."
        " The measure itself is not equally spaced: step 1 is 0.25, step 2 is 0.08333. In … s."
    )


def test_a_measure_that_is_an_interval_scale_already_says_so(call):
    assert "The measure itself is equally spaced" in told(call("interval", "P@30"))
    assert data(call("interval", "P@30", "-f", "json"))["spacing"]["holds"]


def test_a_scale_as_data(call):
    found = data(call("interval", "RR", "-d", 4, "-f", "json"))
    assert list(found) == [
        "measure",
        "depth",
        "grades",
        "ties",
        "recall_base",
        "size",
        "total",
        "spacing",
        "runs",
        "seconds",
    ]
    assert (found["measure"], found["depth"], found["grades"], found["ties"]) == ("RR", 4, 2, "unq")
    assert (found["size"], found["total"], found["runs"]) == (5, 16, [])
    assert found["spacing"]["witness"]["why"] == "step 1 is 0.25, step 2 is 0.08333"
    assert found["seconds"] >= 0


def test_a_huge_scale_is_written_in_full_for_programs_and_short_for_people(call):
    assert data(call("interval", "RBP(p=0.5)@1000", "-f", "json"))["size"] == 2**1000
    assert "1.07e+301 different values on 1.07e+301 runs of 1,000 ranks" in told(call("interval", "RBP(p=0.5)@1000"))


def test_a_scale_of_runs_without_end(call):
    found = data(call("interval", "RBP(p=0.5)", "-d", "inf", "-f", "json"))
    assert (found["depth"], found["size"], found["total"], found["spacing"]) == ("inf", None, None, None)
    assert "Infinitely many values on runs without end of 2 grades." in told(call("interval", "RBP", "-d", "inf"))


@pytest.mark.parametrize(
    ("arguments", "depth"), [(("Q@3",), 3), (("Q", "-d", 4), 4), (("Q@5", "-d", 4), 4), (("Q", "110", "0"), 3)]
)
def test_how_deep_runs_are(call, arguments, depth):
    assert data(call("interval", *arguments, "-f", "json"))["depth"] == depth


def test_a_scale_of_unknown_depth_is_refused(call):
    assert refused(call("interval", "Q")) == "how deep are runs? Say Q@30, or --depth 30"


# Runs.


def test_runs_are_placed(call):
    outcome = call("interval", "DCG(b=2)@4", "0011", "1,0,0,1", "1 1 1 1")
    assert outcome.err == ""
    lines = [line.split() for line in outcome.out.splitlines()]
    assert lines[4][:3] == ["12", "different", "values"]
    assert lines[6] == ["run", "value", "rank", "position", "how"]
    assert lines[7] == ["0", "0", "1", "1", "1.131", "5", "4/11", "=", "0.3636", "exact"]
    assert lines[8] == ["1", "0", "0", "1", "3/2", "=", "1.5", "6", "5/11", "=", "0.4545", "exact"]
    assert lines[9] == ["1", "1", "1", "1", "3.131", "12", "1", "exact"]
    assert "independence of inverse logarithms" in told(outcome)


def test_runs_as_data(call):
    found = data(call("interval", "Q@4", "0011", "1001", "-f", "json"))
    scale = interval("Q@4")
    assert found["size"] == scale.size
    for one, run in zip(found["runs"], [(0, 0, 1, 1), (1, 0, 0, 1)], strict=True):
        position = scale.position(run)
        keys = ["run", "value", "rank", "low", "high", "position", "log10", "how", "assumption"]
        assert list(one) == keys
        assert one["run"] == list(run)
        assert one["value"] == float(scale.measure.of(run))
        assert one["rank"] == position.rank
        assert one["low"] == one["high"] == one["position"] == float(position)
        assert one["log10"] == pytest.approx(position.log10)
        assert (one["how"], one["assumption"]) == ("exact", "none")


def test_the_lowest_position_has_no_logarithm(call):
    one = data(call("interval", "Q@4", "0000", "-f", "json"))["runs"][0]
    assert (one["rank"], one["position"], one["log10"]) == (1, 0, None)


def test_bounds_are_told_where_a_position_is_not_exact(call):
    outcome = call("interval", "RBP(p=0.8)", "-d", "inf", "101")
    assert re.search(r"bounds +how\n.* – +0\.1612 +0\.1612\d+ to 0\.1612\d+ +certified\n", outcome.out)
    one = data(call("interval", "RBP(p=0.8)", "-d", "inf", "101", "-f", "json"))["runs"][0]
    assert one["rank"] is None
    assert one["low"] < one["position"] < one["high"]
    assert one["how"] == "certified"


def test_a_tiny_position_is_told_as_a_power_of_ten(call):
    out = told(call("interval", "RBP(p=0.5)@1000", ",".join(["0"] * 800 + ["1"] + ["0"] * 199)))
    assert "7.5e-242 exact" in out
    out = told(call("interval", "RBP(p=0.5)@4000", ",".join(["0"] * 3999 + ["1"])))
    assert "7.6e-1205 exact" in out


def test_a_value_stands_on_the_topic_of_the_scale(call):
    # the run holds no document of grade 2, but the scale does
    found = data(call("interval", "Q@3", "-g", 3, "100", "200", "-f", "json"))
    assert found["runs"][0]["value"] < found["runs"][1]["value"]
    assert "Values are those on a topic with 3 relevant documents." in told(call("interval", "Q@3", "100"))


def test_an_interval_scale_may_be_named_as_such(call):
    found = data(call("interval", "interval(RR@4, ties='min')", "0010", "-f", "json"))
    assert (found["measure"], found["ties"], found["runs"][0]["rank"]) == ("RR@4", "min", 3)
    assert data(call("interval", "interval(RR@4, ties='min')", "--ties", "max", "-f", "json"))["ties"] == "max"


@pytest.mark.parametrize(("ties", "rank"), [("mid", 3.5), ("min", 3), ("max", 4)])
def test_ranks_among_runs_come_with_a_warning(call, ties, rank):
    outcome = call("interval", "RR@4", "0010", "--ties", ties, "-f", "json")
    assert data(outcome)["runs"][0]["rank"] == rank
    assert data(outcome)["size"] == 5
    assert outcome.err == f"note: ranks with ties={ties} are not equally spaced; only those with unq are\n"
    assert "places among all runs" in told(call("interval", "RR@4", "0010", "--ties", ties))


def test_unq_needs_no_warning(call):
    outcome = call("interval", "RR@4", "0010", "--ties", "unq")
    assert (outcome.code, outcome.err) == (0, "")


def test_short_runs_are_filled_and_long_ones_cut_with_a_note(call):
    outcome = call("interval", "RR@4", "01", "0", "00011", "-f", "json")
    assert outcome.err.splitlines() == [
        "note: 2 runs were filled up with nonrelevant documents: the scale is that of runs of 4 ranks",
        "note: 1 run was cut: the scale is that of runs of 4 ranks",
    ]
    assert [one["rank"] for one in data(outcome)["runs"]] == [4, 1, 2]


def test_unjudged_and_missing_documents_are_not_relevant(call):
    found = data(call("interval", "RR@4", "-1,1,0,0", "-2,1,0,-3", "0100", "-f", "json"))
    assert [one["rank"] for one in found["runs"]] == [4, 4, 4]


def test_a_narrow_terminal_gets_a_paragraph_a_run(call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    outcome = call("interval", "Q@4", "0011", "1001")
    assert all(len(line) <= 40 for line in outcome.out.splitlines())
    for word in ("run", "value", "rank", "position", "how"):
        assert len(re.findall(rf"^ {word} ", outcome.out, re.MULTILINE)) == 2


# Functions.


def test_a_function_takes_the_place_of_a_measure(call, folder):
    (folder / "mine_sum.py").write_text("def total(run):\n    print('busy')\n    return sum(run)\n")
    outcome = call("interval", "--function", "mine_sum:total", "110", "020", "-g", 3, "-f", "json")
    found = data(outcome)
    assert (found["measure"], found["size"]) == ("total", 7)
    assert [one["rank"] for one in found["runs"]] == [3, 3]
    assert "busy" in outcome.err


def test_a_function_that_fails_is_told_with_the_run(call, folder):
    (folder / "mine_bad.py").write_text("def bad(run): return 1 / sum(run)\n")
    assert "bad failed with ZeroDivisionError" in refused(call("interval", "--function", "mine_bad:bad", "110"))


def test_a_function_that_is_not_there_is_refused(call, folder):
    assert "nowhere cannot be imported" in refused(call("interval", "--function", "nowhere:f", "110"))


# Output.


@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.json"])
def test_a_figure_is_drawn_beside_the_text(call, folder, name):
    outcome = call("interval", "RR@4", "0010", "--plot", name)
    assert (outcome.code, outcome.err) == (0, "")
    assert told(outcome) == told(call("interval", "RR@4", "0010"))
    assert (folder / name).stat().st_size > 1000


def test_a_figure_of_another_kind_is_refused_before_anything_is_written(call, folder):
    complaint = refused(call("interval", "RR@4", "--plot", "a.pdf", "-o", "b"))
    assert complaint == "a.pdf: the name of a figure ends in .svg, .png, .html, .json"
    assert list(folder.iterdir()) == []


def test_a_figure_that_cannot_be_written_is_told(call, folder):
    assert "nowhere/a.svg" in refused(call("interval", "RR@4", "--plot", "nowhere/a.svg"))


def test_a_figure_without_the_number_of_runs_says_so(call, folder):
    outcome = call("interval", "RBP(p=0.5)", "-d", "inf", "101", "--plot", "a.json")
    assert "a.json shows positions alone" in outcome.err
    assert len(json.loads((folder / "a.json").read_text())["hconcat"]) == 1


def test_what_cannot_be_drawn_does_not_keep_the_numbers_back(call, folder, monkeypatch):
    from measurand.errors import NotAvailable

    def refuse(*_, **__):
        raise NotAvailable("too much")

    monkeypatch.setattr("measurand.intervals.interval_figure.interval_figure", refuse)
    outcome = call("interval", "RR@4", "0010", "--plot", "a.svg")
    assert (outcome.code, outcome.err) == (0, "note: a.svg was not written: too much\n")
    assert "1/3 = 0.3333" in outcome.out
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("form", ["table", "json"])
def test_the_output_may_be_written_to_a_file(call, folder, form):
    outcome = call("interval", "RR@4", "0010", "-f", form, "-o", "out")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    printed = call("interval", "RR@4", "0010", "-f", form).out
    timeless = [re.sub(r'In \S+ s|"seconds": \S+', "", text) for text in (printed, (folder / "out").read_text())]
    assert timeless[0] == timeless[1]


# What is refused.


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("RR", "1x"), "'1x' is no judged run; write whole grades"),
        (("RR", "1,,0"), "'1,,0' is no judged run; write grades with commas between"),
        (("RR", ""), "'' is no judged run"),
        (("RR", "1,0.5"), "'1,0.5' is no judged run; write whole grades"),
        (("RR", "-4,0"), "is no judged run"),
        (("RR", "1,300"), "no grade is above 127"),
        (("Q", "120"), "grade 2 does not fit into 2 grades"),
        (("nDGC@10",), "there is no measure called 'nDGC'"),
        (("Q@30",), "too many; 24 ranks can be had"),
        (("Q", "-d", "inf"), "Q has no scale for runs without end"),
        (("RR@4", "-d", "0"), "--depth must be a whole number from 1 to 1,000,000,000,000, or inf, not '0'"),
        (("RR@4", "-d", "-3"), "--depth must be a whole number"),
        (("RR@4", "-d", "1.5"), "--depth must be a whole number"),
        (("RR@4", "--max-seconds", "soon"), "'soon' is not a number"),
        (("RR@4", "--max-seconds", "0"), "max_seconds"),
        (("RR@4", "--max-memory", "much"), "--max-memory must be a number of bytes like 4GiB"),
        (("RR@4", "--max-memory", "0GB"), "--max-memory must be a number of bytes like 4GiB"),
        (("gm(AP)",), "interval takes a measure of one topic"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(call, arguments, complaint):
    assert complaint in refused(call("interval", *arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Name a MEASURE or a --function module:name."),
        (("RR", "01", "--nope"), "No such option: --nope"),
        (("RR", "01", "-x"), "No such option: -x"),
        (("RR", "01", "--ties", "some"), "'some' is not one of"),
        (("RR", "01", "-g", "1"), "1 is not in the range"),
        (("RR", "01", "-f", "tsv"), "'tsv' is not one of"),
        (("RR", "01", "-o", "a.svg", "--plot", "./a.svg"), "-o and --plot name the same file."),
    ],
)
def test_a_call_that_makes_no_sense_is_a_usage_error(call, folder, arguments, message):
    outcome = call("interval", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


@pytest.mark.parametrize(
    ("text", "size"),
    [("1024", 1024), ("4GiB", 4 << 30), ("500MB", 500_000_000), ("2g", 2 << 30), ("1.5 KiB", 1536), ("1kb", 1000)],
)
def test_memory_is_written_as_people_do(text, size):
    from measurand.execution.memory import read_bytes

    assert read_bytes(text) == size


def test_what_may_be_spent_reaches_the_scale(call):
    complaint = refused(call("interval", "Q@20", "1", "--max-seconds", "1e-9"))
    assert "max_seconds=" in complaint


def test_where_values_cannot_be_counted_the_share_of_runs_can_be_had(call):
    refused = call("interval", "Q@30", "1,0,1")
    assert (refused.code, refused.out) == (1, "")
    assert "--among-runs" in refused.err
    outcome = call("interval", "Q@30", "1,0,1", "--among-runs", "--samples", 500, "-f", "json")
    found = data(outcome)
    assert found["interval_scale"] is False
    assert (found["runs"][0]["how"], found["runs"][0]["looked_at"]) == ("sampled", 500)
    assert found["runs"][0]["low"] <= found["runs"][0]["share"] <= found["runs"][0]["high"]


def test_a_position_among_runs_says_what_it_is_and_of_which_runs(call):
    text = told(call("interval", "AP@4", "1,0,0,1", "--among-runs", "--recall-base", 2))
    assert "Of all runs of 4 ranks and 2 grades with at most 2 relevant documents, each as likely as any other." in text
    assert "no interval scale" in text
    assert "exact" in text


def test_a_scale_of_one_recall_base(call):
    outcome = call("interval", "R@10", "--recall-base", 5)
    assert "6 different values on 638 runs of 10 ranks and 2 grades with at most 5 relevant documents." in told(outcome)
    found = data(call("interval", "AP@6", "1,0,1", "--recall-base", 2, "-f", "json"))
    assert (found["recall_base"], found["size"], found["runs"][0]["rank"]) == (2, 20, 19)
    assert call("interval", "AP@6", "1,1,1", "--recall-base", 2).code == 1


@pytest.mark.parametrize(
    "options",
    [("--samples", 5), ("--seed", 5), ("--among-runs", "--ties", "mid"), ("--among-runs", "--plot", "x.svg")],
)
def test_options_of_one_question_are_refused_for_the_other(call, options):
    outcome = call("interval", "AP@5", "1", *options)
    assert (outcome.code, outcome.out) == (2, "")


def test_a_run_on_a_scale_begins_with_a_plain_sentence(call):
    text = told(call("interval", "AP@10", "1,0,1,1"))
    assert text.startswith("AP@10 1,0,1,1 has a larger value than 34.2 % of the other values that AP@10 can take.")
    assert "0,0 has the smallest value that RR@4 can take." in told(call("interval", "RR@4", "0,0"))


@pytest.mark.parametrize("how", [(), ("--among-runs",)])
def test_a_grade_that_there_is_not_is_refused_with_the_option_that_allows_it(call, how):
    assert refused(call("interval", "nDCG@4", "2,0,1", *how)) == "grade 2 does not fit into 2 grades; say -g 3"


def test_means_over_scales_of_single_topics_come_with_a_note(call):
    files = sample.qrels(), sample.runs()[0]
    outcome = call("evaluate", *files, "-m", "interval(AP@5, recall_base='topic')")
    assert outcome.code == 0
    assert "has a scale of its own on every topic" in outcome.err
    assert "means mix these scales" in outcome.err
    assert "recall_base='topic'" in call("evaluate", *files, "-m", "interval(AP@5, recall_base=1)").err
