"""`measurand evaluate`: what each option does to the numbers."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os

import pytest

import measurand as md
from measurand.study.evaluation import DEFAULT_MEASURES

ONE_THIRD, TWO_THIRDS = 1 / 3, 2 / 3


@pytest.fixture
def numbers(small, call):
    """Return a way to evaluate the small campaign and get its numbers by system and measure."""

    def evaluate(*arguments: str, runs=("alpha.run", "beta.run")) -> dict[str, dict[str, float]]:
        outcome = call("evaluate", "qrels", *runs, "-f", "tsv", *arguments)
        assert outcome.code == 0, outcome.err
        rows = csv.DictReader(io.StringIO(outcome.out), delimiter="\t")
        return {row.pop("system"): {measure: float(value) for measure, value in row.items()} for row in rows}

    return evaluate


def test_measures_come_from_several_options_and_several_to_an_option(numbers):
    assert list(numbers("-m", "AP nDCG(b=2, gain='exp2')@10", "-m", "P.1,2", "-m", "recip_rank")["alpha"]) == [
        "AP",
        "nDCG(b=2, gain='exp2')@10",
        "P@1",
        "P@2",
        "RR",
    ]


def test_one_measure_asked_for_twice_is_printed_once(numbers):
    assert numbers("-m", "AP", "-m", "map AP")["alpha"] == {"AP": 0.25}


def test_without_measures_the_usual_ones_are_printed(numbers):
    assert list(numbers()["alpha"]) == list(DEFAULT_MEASURES)


def test_missing_topics_count_as_empty_results_or_not_at_all(numbers):
    assert numbers("-m", "RR")["alpha"]["RR"] == ONE_THIRD
    assert numbers("-m", "RR", "-c")["alpha"]["RR"] == ONE_THIRD
    assert numbers("-m", "RR", "--missing-topics", "skip")["alpha"]["RR"] == 0.5
    assert numbers("-m", "RR", "--missing-topics", "skip")["beta"]["RR"] == TWO_THIRDS


def test_counting_and_skipping_missing_topics_at_once_is_a_wrong_call(small, call):
    outcome = call("evaluate", "qrels", "beta.run", "-c", "--missing-topics", "skip")
    assert (outcome.code, outcome.out) == (2, "")
    assert "choose one" in outcome.err


@pytest.mark.parametrize("output", ["qrels", "beta.run", "./beta.run"])
def test_what_is_read_is_not_written_over(output, small, call):
    before = (small / output).read_bytes()
    outcome = call("evaluate", "qrels", "beta.run", "-o", output)
    assert (outcome.code, outcome.out) == (1, "")
    assert "would overwrite" in outcome.err
    assert (small / output).read_bytes() == before


def test_files_of_one_name_in_different_folders_are_told_apart(small, call):
    for folder in ("one", "two"):
        (small / folder).mkdir()
        (small / folder / "x.run").write_bytes((small / "beta.run").read_bytes())
    outcome = call("evaluate", "qrels", "one/x.run", "two/x.run", "--names", "file", "-f", "csv", "-m", "P@2")
    assert [line.split(",")[0] for line in outcome.out.splitlines()[1:]] == ["one/x", "two/x"]


def test_a_level_of_ones_own_is_not_hidden_behind_trec_evals_name(small, call):
    outcome = call("evaluate", "qrels", "beta.run", "-f", "trec", "-m", "P@2", "-m", "P(rel=2)@2")
    assert [line.split()[0] for line in outcome.out.splitlines()] == ["P_2", "P(rel=2)@2"]


def test_a_level_that_no_document_reaches_is_noted(small, call):
    assert "have no document of grade 9 or more" in call("evaluate", "qrels", "beta.run", "-m", "AP", "-l", "9").err


def test_a_level_makes_fewer_documents_relevant(numbers):
    assert numbers("-m", "AP", "-l", "2")["beta"] == {"AP(rel=2)": 0.5 / 3}
    assert numbers("-m", "gm(AP)", "-l", "2")["beta"].keys() == {"gm(AP(rel=2))"}
    assert numbers("-m", "gm(interval(AP@3))", "-l", "2")["beta"].keys() == {"gm(interval(AP(rel=2)@3))"}


def test_a_level_leaves_alone_what_has_its_own_or_none(numbers):
    assert list(numbers("-m", "AP(rel=3) nDCG@10 RBP", "-l", "2")["beta"]) == [
        "AP(rel=3)",
        "nDCG@10",
        "RBP(p=0.8)",
    ]


def test_a_depth_cuts_every_ranking_after_sorting(numbers):
    assert numbers("-m", "AP NumRet", "-M", "1") == {
        "alpha": {"AP": 0.0, "NumRet": 2},
        "beta": {"AP": 0.5, "NumRet": 3},
    }


def test_unjudged_documents_are_removed_first(numbers):
    assert numbers("-m", "RR")["alpha"] == {"RR": ONE_THIRD}
    assert numbers("-m", "RR", "-J")["alpha"] == {"RR(judged_only=True)": TWO_THIRDS}


def test_the_size_of_the_collection_is_told_to_measures_that_want_to_know_it(numbers):
    asked = ["-m", "OIE", "-m", "OIE(collection=50)", "-m", "AP", "--collection-size", "1000"]
    assert list(numbers(*asked)["beta"]) == ["OIE(beta=1.2, collection=1000)", "OIE(beta=1.2, collection=50)", "AP"]


def test_small_numbers_are_not_shown_as_nothing(small, call):
    shown = call("evaluate", "qrels", "alpha.run", "beta.run", "-m", "OIE(collection=1000000000)").out
    assert all("e-0" in line for line in shown.splitlines() if line.strip().startswith(("alpha", "beta")))


def test_ties_are_broken_by_name_or_by_the_file(numbers):
    assert numbers("-m", "RR", "--ties", "trec")["alpha"]["RR"] == ONE_THIRD
    assert numbers("-m", "RR", "--ties", "file")["alpha"]["RR"] == 0.5


def test_search_lengths_go_through_ties_unless_an_order_is_asked_for(numbers):
    # alpha ties a, which is relevant, with b, which was not judged, on the second of three topics
    lengths = {ties: numbers("-m", "ESL", *(("--ties", ties) if ties else ())) for ties in (None, "trec", "file")}
    expected, trec, file = (lengths[ties]["alpha"]["ESL(i=1)"] for ties in (None, "trec", "file"))
    assert trec - expected == pytest.approx(0.5 / 3)
    assert expected - file == pytest.approx(0.5 / 3)
    assert lengths[None]["beta"] == lengths["trec"]["beta"]


def test_the_floor_of_a_geometric_mean_is_told_and_strictly_refused(small, call):
    told = call("evaluate", "qrels", "beta.run", "-m", "gm(ESL(collection=100))")
    assert "note: 2 of 3 scores of gm(ESL(i=1, collection=100)) are below 0.00001 and count as 0.00001" in told.err
    refused = call("evaluate", "qrels", "beta.run", "-m", "gm(ESL(collection=100))", "--strict")
    assert (refused.code, refused.out) == (1, "")
    kept = call("evaluate", "qrels", "beta.run", "-m", "gm_map", "-p", "6")
    assert f"{0.00001 ** (1 / 3):.6f}" in kept.out


def test_single_precision_ties_what_doubles_tell_apart(numbers):
    assert numbers("-m", "nDCG@10")["beta"]["nDCG@10"] == pytest.approx(0.6199062332840657, abs=1e-15)
    assert numbers("-m", "nDCG@10", "--precision", "single")["beta"]["nDCG@10"] == TWO_THIRDS


def test_systems_are_called_by_their_tags_or_by_their_files(numbers, small):
    (small / "other.run").write_text((small / "alpha.run").read_text())
    assert list(numbers("-m", "RR", runs=("other.run",))) == ["alpha"]
    assert list(numbers("-m", "RR", "--names", "file", runs=("alpha.run", "other.run"))) == ["alpha", "other"]


def test_systems_whose_tags_are_alike_are_called_by_their_files_with_one_note(small, call):
    (small / "other.run").write_text((small / "alpha.run").read_text())
    outcome = call("evaluate", "qrels", "alpha.run", "other.run", "beta.run", "-m", "RR", "-m", "AP", "-f", "csv")
    assert [line.partition(",")[0] for line in outcome.out.splitlines()[1:]] == ["alpha", "other", "beta"]
    note = "note: 2 of the 3 runs have the tag alpha, so systems are called by their files"
    assert outcome.err.splitlines().count(note) == 1


def test_a_file_may_be_given_a_name(numbers, small):
    assert list(numbers("-m", "RR", runs=("bm25=alpha.run", "other=beta.run"))) == ["bm25", "other"]
    assert list(numbers("-m", "RR", runs=("bm25=al*.run", "beta.run"))) == ["bm25", "beta"]


def test_a_file_with_a_sign_of_equality_in_its_name_is_a_file(numbers, small):
    (small / "k1=0.9").mkdir()
    for name in ("k1=0.9/a.run", "b=2.run"):
        (small / name).write_text((small / "alpha.run").read_text())
        assert list(numbers("-m", "RR", runs=(name,))) == ["alpha"]
    assert list(numbers("-m", "RR", "--names", "file", runs=("x=b=2.run", "b=?.run"))) == ["x", "b=2"]


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("x=.", "x=.: a name is for one file, and . is a directory; write x=FILE"),
        ("x=*.run", "x=*.run: a name is for one file, and *.run is 2 files; write x=FILE"),
        ("x=nothing.run", "nothing.run: there is no such file"),
        ("x=two.run", "two.run holds 2 runs (t, u)"),
    ],
)
def test_a_name_for_something_else_than_one_run_is_refused_in_one_line(small, call, run, message):
    if run == "x=two.run":
        (small / "two.run").write_text("1 Q0 a 1 2.5 t\n1 Q0 a 1 2.5 u\n")
    outcome = call("evaluate", "qrels", run)
    assert (outcome.code, outcome.out, len(outcome.err.splitlines())) == (1, "", 1)
    assert message in outcome.err


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "qrels", "bm25=alpha.run", "beta.run", "-m", "P@2", "-f", "json"),
        ("unanimity", "qrels", "bm25=alpha.run", "beta.run", "-m", "P@2", "-f", "json", "--no-constraints"),
        ("esl", "qrels", "bm25=alpha.run", "beta.run", "-f", "json"),
        ("fuse", "bm25=alpha.run", "beta.run", "-w", "bm25=2"),
        ("report", "qrels", "bm25=alpha.run", "beta.run", "-m", "P@2", "-f", "json", "--no-fusion"),
        ("reproduce", "fff2021", "qrels", "bm25=alpha.run", "beta.run", "--depth", "2", "-f", "json"),
    ],
    ids=lambda words: words[0],
)
def test_every_command_takes_names_of_files(small, call, command, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(small / "cache"))
    outcome = call(*command)
    assert outcome.code == 0, outcome.err
    assert "bm25" in outcome.out or command[0] in ("fuse", "reproduce")


def test_a_run_with_a_name_is_not_written_over(small, call):
    outcome = call("evaluate", "qrels", "x=beta.run", "-o", "beta.run")
    assert (outcome.code, outcome.out) == (1, "")
    assert "would overwrite" in outcome.err


@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "qrels", "alpha.run", "-m", "P@2"),
        ("compare", "qrels", "alpha.run", "beta.run", "-m", "P@2"),
        ("fuse", "alpha.run", "beta.run"),
        ("measure", "P@2"),
        ("order", "1,0", "0,1"),
        ("order", "--hasse", "-d", "2"),
        ("esl", "+-|+"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_dash_for_a_file_prints_what_is_printed_without_it(small, call, command):
    assert call(*command, "-o", "-").out == call(*command).out != ""
    assert not (small / "-").exists()


def test_runs_come_from_directories_and_patterns(numbers, small):
    (small / "runs").mkdir()
    for name in ("alpha.run", "beta.run"):
        (small / name).rename(small / "runs" / name)
    for runs in (("runs",), ("runs/*.run",), ("runs/b*", "runs/alpha.run")):
        assert set(numbers("-m", "RR", runs=runs)) == {"alpha", "beta"}


def test_packed_files_are_read(numbers, small):
    (small / "packed").write_bytes(gzip.compress((small / "alpha.run").read_bytes()))
    assert numbers("-m", "RR", runs=("packed",)) == {"alpha": {"RR": ONE_THIRD}}


@pytest.mark.parametrize("arguments", [("-", "alpha.run"), ("qrels", "-")])
def test_a_dash_is_standard_input(small, call, monkeypatch, arguments):
    name = "qrels" if arguments[0] == "-" else "alpha.run"
    packed = gzip.compress((small / name).read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(packed)))
    outcome = call("evaluate", *arguments, "-m", "RR", "-f", "tsv")
    assert (outcome.code, outcome.out) == (0, f"system\tRR\nalpha\t{ONE_THIRD}\n")


def test_standard_input_holds_one_file_alone(small, call, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((small / "qrels").read_bytes())))
    outcome = call("evaluate", "-", "-", "-m", "RR")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("measurand: ")


@pytest.mark.parametrize(("places", "shown"), [("0", "1"), ("1", "0.7"), ("6", "0.666667")])
def test_people_get_as_many_decimals_as_they_want(small, call, places, shown):
    for form in ("table", "latex", "trec"):
        words = call("evaluate", "qrels", "beta.run", "-m", "AP", "-f", form, "-p", places).out
        assert shown in words.replace("\\textbf{", " ").replace("}", " ").split()


def test_programs_get_every_decimal_whatever_people_want(small, call):
    for form in ("tsv", "csv", "json"):
        assert "0.6666666666666666" in call("evaluate", "qrels", "beta.run", "-m", "AP", "-f", form, "-p", "1").out


def test_output_goes_to_a_file_instead(small, call):
    printed = call("evaluate", "qrels", "beta.run", "-m", "AP", "-f", "csv")
    written = call("evaluate", "qrels", "beta.run", "-m", "AP", "-f", "csv", "-o", "out.csv")
    assert (written.code, written.out, written.err) == (0, "", printed.err)
    assert (small / "out.csv").read_text() == printed.out


def test_output_replaces_a_file_and_leaves_nothing_beside_it(small, call):
    (small / "out.csv").write_text("before")
    before = set(small.iterdir())
    call("evaluate", "qrels", "beta.run", "-m", "AP", "-f", "csv", "-o", "out.csv")
    assert (small / "out.csv").read_text().startswith("system,AP\n")
    assert set(small.iterdir()) == before


def test_a_folder_that_is_not_there_is_an_error_in_the_input(small, call):
    outcome = call("evaluate", "qrels", "beta.run", "-m", "P@2", "-o", "missing/out.csv")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines()[-1].startswith("measurand: missing/out.csv: cannot be written")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_to_is_an_error_in_the_input(small, call):
    (small / "locked").mkdir(mode=0o500)
    outcome = call("evaluate", "qrels", "beta.run", "-m", "P@2", "-o", "locked/out.csv")
    assert (outcome.code, outcome.out) == (1, "")
    assert "measurand: locked/out.csv: cannot be written" in outcome.err


def test_a_full_disk_is_reported_in_words_and_leaves_the_old_file(small, call, monkeypatch):
    (small / "out.csv").write_text("before")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("measurand.display.writing.os.fdopen", full)
    outcome = call("evaluate", "qrels", "beta.run", "-m", "P@2", "-f", "csv", "-o", "out.csv")
    assert outcome.code == 1
    assert outcome.err.splitlines()[-1].startswith("measurand: out.csv: cannot be written")
    assert (small / "out.csv").read_text() == "before"


def test_strictly_a_mean_without_a_scale_for_it_is_replaced_by_what_the_scale_admits(small, call):
    both = call("evaluate", "qrels", "alpha.run", "beta.run", "-m", "RR P@2", "--strict", "-f", "json")
    measures = json.loads(both.out)["measures"]
    assert (measures["RR"]["statistic"], measures["P@2"]["statistic"]) == ("median", "mean")
    judged = md.judge(["alpha.run", "beta.run"], "qrels")
    assert measures["RR"]["scores"] == md.parse("RR").scores(judged).median().to_dict()
    shown = call("evaluate", "qrels", "alpha.run", "beta.run", "-m", "RR P@2", "--strict").out
    assert shown.splitlines()[2].split() == ["system", "median", "mean"]


def test_strictly_a_mean_that_was_asked_for_by_name_is_refused_and_nothing_is_written(small, call):
    outcome = call("evaluate", "qrels", "beta.run", "-m", "map", "-f", "trec", "--strict", "-o", "out")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines()[-1].startswith("measurand: the scale of AP does not admit these averages")
    assert not (small / "out").exists()


def test_strictly_topics_alone_are_printed_as_the_refusal_promises(small, call):
    outcome = call("evaluate", "qrels", "beta.run", "-m", "AP", "--strict", "-q", "-n", "-f", "tsv")
    assert outcome.code == 0
    assert outcome.out == "system\ttopic\tAP\nbeta\t1\t1.0\nbeta\t2\t1.0\nbeta\t3\t0.0\n"


@pytest.mark.parametrize(
    "measure", ["nope", "nDCG@0", "RBP(p=2)", "AP)", "set_F.-1", "ndcg.a=3", "nDCG(gain={[1]: 2})"]
)
def test_a_measure_that_is_none_is_an_error_in_the_input(small, call, measure):
    outcome = call("evaluate", "qrels", "beta.run", "-m", measure)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("measurand: ")
    assert outcome.err.count("\n") == 1


GRADED = {"qrels": "1 0 a 1\n1 0 b 2\n2 0 a 3\n", "run": "1 Q0 b 1 2 x\n1 Q0 a 2 1 x\n2 Q0 a 1 1 x\n"}


def test_strictly_graded_sums_have_medians_unless_grades_are_said_to_be_numbers(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in GRADED.items():
        (tmp_path / name).write_text(text)
    graded = ("evaluate", "qrels", "run", "-m", "gP@2", "-m", "gRBP(p=1/4)@2", "-m", "P@2")
    strict = json.loads(call(*graded, "--strict", "-f", "json").out)["measures"]
    assert [entry["statistic"] for entry in strict.values()] == ["median", "median", "mean"]
    ratio = call(*graded, "--grade-scale", "ratio", "--strict", "-f", "json")
    assert (ratio.code, ratio.err.count("\n")) == (0, 1)
    assert ratio.err.startswith("note: gRBP(p=0.25)@2: the highest grade is that of all judgments")
    found = {name: entry["scale"] for name, entry in json.loads(ratio.out)["measures"].items()}
    assert found == {"gP@2": "interval", "gRBP(p=0.25)@2": "interval", "P@2": "interval"}


def test_unjudged_documents_may_have_any_grade(numbers):
    assert numbers("-m", "RR", "--unjudged", "bounds")["alpha"] == {
        "lowest RR": ONE_THIRD,
        "RR": ONE_THIRD,
        "highest RR": TWO_THIRDS,
    }
    assert numbers("-m", "RR Judged@1", "--unjudged", "max")["alpha"] == {"highest RR": TWO_THIRDS, "Judged@1": 0}


def test_bounds_are_named_as_such_in_trec_evals_format(small, call):
    asked = "recip_rank P.1 num_ret rbp_resid.p=0.5"
    outcome = call("evaluate", "qrels", "alpha.run", "-m", asked, "--unjudged", "bounds", "-f", "trec")
    assert outcome.out.splitlines() == [
        "num_ret               \tall\t5",
        "recip_rank_min        \tall\t0.3333",
        "recip_rank            \tall\t0.3333",
        "recip_rank_max        \tall\t0.6667",
        "P_1_min               \tall\t0.0000",
        "P_1                   \tall\t0.0000",
        "P_1_max               \tall\t0.6667",
        "rbp_resid_p=0.5       \tall\t0.7917",
    ]
    assert "note: lowest and highest values of RR and P@1 over all grades" in outcome.err
