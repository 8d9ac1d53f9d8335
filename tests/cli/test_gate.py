"""`measurand gate`: exit codes, every format read back, stored baselines, and what cannot be."""

from __future__ import annotations

import io
import json
from xml.etree import ElementTree

import pytest

import measurand as md

TOPICS = range(1, 11)


def write(path, *relevant, name="engine"):
    """Write a run with so many relevant documents among the first ten of each topic."""
    ranked = [[f"r{t}.{n}" for n in range(k)] + [f"n{n}" for n in range(10 - k)] for t, k in enumerate(relevant, 1)]
    lines = [
        f"{t} Q0 {document} 0 {10 - rank} {name}\n"
        for t, documents in enumerate(ranked, 1)
        for rank, document in enumerate(documents)
    ]
    path.write_text("".join(lines))


@pytest.fixture
def nightly(tmp_path, monkeypatch):
    """Return a folder, also the working directory, with judgments and runs of one tag."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / ".git").mkdir()
    (tmp_path / "qrels").write_text("".join(f"{t} 0 r{t}.{n} 1\n" for t in TOPICS for n in range(10)))
    write(tmp_path / "main.run", 5, 6, 7, 8, 5, 6, 7, 8, 5, 6)
    write(tmp_path / "worse.run", 3, 4, 5, 7, 3, 5, 5, 6, 3, 4)
    write(tmp_path / "mixed.run", 6, 5, 8, 7, 6, 5, 6, 9, 4, 7)
    write(tmp_path / "broken.run", 5, 6, 7, 8, 5, 6, 7, 8, 1, 1)
    return tmp_path


def gate(call, candidate, *options, baseline="main.run", measure="P@10"):
    return call("gate", "qrels", baseline, candidate, "-m", measure, *options)


@pytest.mark.parametrize(
    ("candidate", "options", "code", "word"),
    [
        ("main.run", [], 0, "PASS"),
        ("main.run", ["--max-drop", 0, "--max-broken", 0, "--fail-on-drop", "--fail-undecided"], 0, "PASS"),
        ("worse.run", ["--largest-change", 0.4], 3, "FAIL"),
        ("worse.run", ["--max-drop", 0.3, "--largest-change", "P@10=0.4"], 0, "PASS"),
        ("worse.run", ["--max-drop", 0.3, "--largest-change", 0.4, "--fail-on-drop"], 3, "FAIL"),
        ("worse.run", [], 0, "UNDECIDED"),
        ("worse.run", ["--on-these-topics", "--fail-undecided"], 3, "FAIL"),
        ("worse.run", ["--on-these-topics", "--max-drop", 0.3], 0, "PASS"),
        ("worse.run", ["--on-these-topics", "--max-drop", 0.3, "--fail-on-drop"], 3, "FAIL"),
        ("mixed.run", ["--on-these-topics", "--max-drop", 0], 0, "PASS"),
        ("mixed.run", [], 0, "UNDECIDED"),
        ("mixed.run", ["--fail-undecided"], 4, "UNDECIDED"),
        ("mixed.run", ["--max-drop", "P@10=0.2", "--largest-change", 0.4], 0, "PASS"),
        ("broken.run", ["--max-drop", 1], 0, "PASS"),
        ("broken.run", ["--max-drop", 1, "--max-broken", 2], 0, "PASS"),
        ("broken.run", ["--max-drop", 1, "--max-broken", 1], 3, "FAIL"),
        ("broken.run", ["--max-drop", 1, "--max-broken", 1, "--broken", 0.4], 0, "PASS"),
        ("broken.run", ["--max-drop", 1, "--max-broken", 1, "--broken", "P@10=0.4"], 0, "PASS"),
    ],
)
def test_the_exit_code_and_the_first_word_are_the_verdict(nightly, call, candidate, options, code, word):
    outcome = gate(call, candidate, *options)
    assert (outcome.code, outcome.out.split(".")[0]) == (code, word)
    assert outcome.err == ""


def test_json_has_everything(nightly, call):
    outcome = gate(call, "broken.run", "-f", "json", "--max-broken", 1, "--max-drop", 1)
    data = json.loads(outcome.out)
    assert (outcome.code, data["exit_code"], data["outcome"], data["too_many_broken"]) == (3, 3, "fail", True)
    [one] = data["measures"]
    assert (one["outcome"], one["won"], one["tied"], one["lost"], one["topics"]) == ("pass", 0, 8, 2, 10)
    assert [each["topic"] for each in one["broken"]] == ["10", "9"]
    assert (data["baseline"], data["candidate"]) == ("main", "broken")


def test_junit_has_a_case_for_every_measure_and_one_for_broken_topics(nightly, call):
    outcome = call("gate", "qrels", "main.run", "mixed.run", "-m", "P@10 RR", "-f", "junit", "-o", "gate.xml")
    assert (outcome.code, outcome.out) == (0, "")
    suite = ElementTree.parse(nightly / "gate.xml").find("testsuite")
    assert [case.get("name") for case in suite] == ["P@10", "RR", "broken topics"]
    assert [[each.tag for each in case] for case in suite] == [["skipped"], ["system-out"], ["system-out"]]
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")
    strict = ElementTree.fromstring(gate(call, "mixed.run", "-f", "junit", "--fail-undecided").out.encode())
    assert [case.find("failure") is not None for case in strict.iter("testcase")] == [True, False]


def test_a_failure_in_junit_lists_the_broken_topics(nightly, call):
    out = gate(call, "broken.run", "-f", "junit", "--max-broken", 0).out
    [failure] = ElementTree.fromstring(out.encode()).iter("failure")
    assert failure.text.splitlines() == [
        "P@10, topic 10: from 0.600 to 0.100, a drop of 0.500",
        "P@10, topic 9: from 0.500 to 0.100, a drop of 0.400",
    ]


def test_markdown_has_the_verdict_first_and_tables(nightly, call):
    out = gate(call, "broken.run", "-f", "markdown", "--max-broken", 0).out
    assert out.startswith("**FAIL**. 2 of 10 topics broke (dropped by more than 0.3); none may.\n")
    rows = [line for line in out.splitlines() if line.startswith("|")]
    assert all(line.count("|") in (10, 5) for line in rows)
    assert "| 0.5000 | 0.6000 | 0.1000 | 10 |" in rows


def test_github_gets_a_summary_and_messages(nightly, call, monkeypatch):
    summary = nightly / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    outcome = gate(call, "broken.run", "-f", "github", "--max-broken", 1, "--max-drop", 1)
    assert outcome.code == 3
    assert [line.partition("::")[2].split(" ")[0] for line in outcome.out.splitlines()] == ["error"] * 3
    assert outcome.out.startswith("::error title=measurand gate%3A fail::FAIL. 2 of 10 topics broke")
    assert summary.read_text().startswith("before\n## measurand gate\n\n**FAIL**. 2 of 10")
    assert gate(call, "main.run", "-f", "github").out.startswith("::notice title=measurand gate%3A pass::PASS.")
    assert gate(call, "mixed.run", "-f", "github").out.startswith("::warning title=")
    assert gate(call, "mixed.run", "-f", "github", "--fail-undecided").out.startswith("::error title=")


def test_github_summaries_go_to_a_file_that_is_named_or_else_to_the_screen(nightly, call, monkeypatch):
    printed = gate(call, "main.run", "-f", "github").out
    assert printed.splitlines()[1] == "## measurand gate"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(nightly / "summary.md"))
    named = gate(call, "main.run", "-f", "github", "-o", "own.md").out
    assert len(named.splitlines()) == 1
    assert (nightly / "own.md").read_text() == printed.partition("\n")[2]
    assert not (nightly / "summary.md").exists()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(nightly / "none" / "summary.md"))
    refused = gate(call, "main.run", "-f", "github")
    assert (refused.code, refused.out) == (1, "")
    assert "cannot be written" in refused.err


HOSTILE = ["a|b", "<script>alert(1)</script>", "]]>", "\x1b[31m", "::error::x", "x##[error]y", "`*_", "\x00"]


@pytest.mark.parametrize("form", ["table", "markdown", "junit", "json", "github"])
def test_hostile_names_do_nothing_in_any_format(nightly, call, form):
    (nightly / "q").write_text("".join(f"{topic} 0 d 1\n" for topic in HOSTILE))
    for name, document in (("old", "d"), ("new", "e")):
        tag = f"::error::{name}<script>|]]>\x1b"
        (nightly / name).write_text("".join(f"{topic} Q0 {document} 1 1.0 {tag}\n" for topic in HOSTILE))
    outcome = call("gate", "q", "old", "new", "-m", "RR", "-f", form, "--names", "tag", "--max-broken", 0)
    assert outcome.code == 3
    if form != "json":
        assert not any(letter in outcome.out for letter in "\x1b\x00")
    commands = [line for line in outcome.out.splitlines() if line.lstrip().startswith("::")]
    assert len(commands) == (1 + len(HOSTILE) if form == "github" else 0)
    assert all("##[" not in line for line in commands)
    if form == "junit":
        assert len(list(ElementTree.fromstring(outcome.out.encode()).iter("testcase"))) == 2
    if form == "json":
        assert {each["topic"] for each in json.loads(outcome.out)["measures"][0]["broken"]} == set(HOSTILE)
    if form in ("markdown", "github"):
        assert "<script>" not in outcome.out.replace("\\<script\\>", "").partition("\n**")[2]


@pytest.mark.parametrize("ending", ["parquet", "json", "csv"])
def test_a_stored_baseline_gives_what_the_run_gives(nightly, call, ending):
    file = f"main.{ending}"
    stored = call("gate", "qrels", "main.run", "-m", "P@10 AP", "--save-baseline", file)
    assert (stored.code, stored.err) == (0, "")
    assert stored.out == f"Stored the scores of engine in {file}: P@10 and AP on 10 topics. Nothing was compared.\n"
    for candidate in ("main.run", "worse.run", "mixed.run"):
        kept, plain = (
            json.loads(gate(call, candidate, "-f", "json", baseline=baseline).out) for baseline in (file, "main.run")
        )
        assert (kept["measures"], kept["outcome"]) == (plain["measures"], plain["outcome"])


def test_a_run_from_standard_input_can_be_stored(nightly, call, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((nightly / "main.run").read_bytes())))
    stored = call("gate", "qrels", "-", "-m", "P@10", "--save-baseline", "b.json")
    assert (stored.code, stored.err) == (0, "")
    assert gate(call, "main.run", "--max-drop", 0, baseline="b.json").out.startswith("PASS. P@10 is the same")


def test_a_name_picks_a_run_from_a_file_of_several(nightly, call):
    write(nightly / "one", 5, 5, 5, name="one")
    write(nightly / "two", 1, 1, 2, name="two")
    (nightly / "both.run").write_text((nightly / "one").read_text() + (nightly / "two").read_text())
    data = json.loads(gate(call, "two=both.run", "-f", "json", baseline="one=both.run").out)
    assert (data["baseline"], data["candidate"], data["measures"][0]["lost"]) == ("one", "two", 3)
    refused = gate(call, "main.run", baseline="both.run")
    assert (refused.code, refused.out) == (1, "")
    assert "both.run holds 2 runs (one, two)" in refused.err


def test_the_candidate_becomes_the_baseline_unless_it_fails(nightly, call):
    gate(call, "main.run", "--save-baseline", "b.json")
    first = (nightly / "b.json").read_text()
    failed = gate(call, "worse.run", "--save-baseline", "b.json", "--on-these-topics", baseline="b.json")
    assert failed.err == "note: b.json was not written, because the gate failed\n"
    assert (nightly / "b.json").read_text() == first
    unsure = gate(call, "mixed.run", "--save-baseline", "b.json", "--fail-undecided", baseline="b.json")
    assert (unsure.code, unsure.err) == (4, "note: b.json was not written, because the gate is undecided\n")
    assert (nightly / "b.json").read_text() == first
    # undecided is no failure, and what was stored may be replaced
    assert gate(call, "mixed.run", "--save-baseline", "b.json", baseline="b.json").code == 0
    assert json.loads((nightly / "b.json").read_text())["scores"]["P@10"]["1"] == 0.6


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        ([], 2, "Missing argument 'QRELS'"),
        (["qrels", "main.run"], 2, "Missing argument 'CANDIDATE'; without it --save-baseline FILE stores BASELINE"),
        (["qrels", "none.run", "main.run"], 1, "none.run: there is no such file"),
        (["qrels", "main.run", "none.run"], 1, "none.run: there is no such file"),
        (["qrels", ".", "main.run"], 1, "the gate compares two runs; name one file"),
        (["qrels", "main.run", "worse.run", "mixed.run"], 2, "unexpected extra argument"),
        (["qrels", "main.run", "worse.run", "-m", "nonsense"], 1, "no measure called 'nonsense'"),
        (["qrels", "main.run", "worse.run", "--max-drop", "little"], 1, "--max-drop little: write a number from 0 up"),
        (["qrels", "main.run", "worse.run", "--max-drop", "-1"], 1, "--max-drop -1: write a number from 0 up"),
        (["qrels", "main.run", "worse.run", "--max-drop", "nan"], 1, "--max-drop nan: write a number from 0 up"),
        (["qrels", "main.run", "worse.run", "--max-drop", "AP=0.1"], 1, "the gate does not look at AP; add -m AP"),
        (["qrels", "main.run", "worse.run", "--broken", "0.1", "--broken", "0.2"], 1, "--broken is given twice"),
        (["qrels", "main.run", "worse.run", "--alpha", "0.5"], 2, "0.5 is not in the range 1e-12<=x<0.5"),
        (["qrels", "main.run", "worse.run", "--max-broken", "-1"], 2, "-1 is not in the range"),
        (["qrels", "main.run", "worse.run", "-f", "tsv"], 2, "'tsv' is not one of"),
        (["qrels", "main.run", "worse.run", "-o", "main.run"], 1, "would overwrite what is to be read"),
        (["qrels", "main.run", "worse.run", "--save-baseline", "b.txt"], 1, "stored in files called .parquet"),
        (["qrels", "main.run", "--save-baseline", "none/b.json"], 1, "none/b.json"),
        (["qrels", "main.run", "main.run", "-o", "b.json", "--save-baseline", "b.json"], 1, "both name b.json"),
        (["qrels", "main.run", "worse.run", "-m", "Judged@10"], 1, "says how much was judged"),
        (["qrels", "main.run", "worse.run", "--config", "none.toml"], 1, "none.toml: cannot be read"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(nightly, call, arguments, code, complaint):
    before = {path: path.read_bytes() for path in nightly.iterdir() if path.is_file()}
    outcome = call("gate", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert complaint in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert {path: path.read_bytes() for path in nightly.iterdir() if path.is_file()} == before


def test_a_stored_baseline_that_does_not_fit_is_refused_in_one_line(nightly, call):
    call("gate", "qrels", "main.run", "-m", "P@10", "--save-baseline", "b.json")
    for arguments, complaint in (
        (["qrels", "b.json", "main.run", "-m", "AP"], "b.json has no scores under AP, only under P@10"),
        (["other", "b.json", "main.run", "-m", "P@10"], "b.json was scored with other judgments"),
        (
            ["qrels", "b.json", "main.run", "-m", "P@10", "-M", "5"],
            "b.json was judged otherwise (as usual; now depth=5)",
        ),
        (["qrels", "b.json", "--save-baseline", "c.json"], "b.json holds stored scores already"),
    ):
        (nightly / "other").write_text((nightly / "qrels").read_text() + "1 0 more 1\n")
        outcome = call("gate", *arguments)
        assert (outcome.code, outcome.out) == (1, "")
        assert complaint in outcome.err
        assert len(outcome.err.splitlines()) == 1


def test_a_named_stored_baseline_may_be_replaced_and_is_not_stored_again(nightly, call):
    gate(call, "main.run", "--save-baseline", "b.json")
    assert gate(call, "mixed.run", "--save-baseline", "b.json", baseline="old=b.json").code == 0
    assert json.loads((nightly / "b.json").read_text())["scores"]["P@10"]["1"] == 0.6
    again = call("gate", "qrels", "old=b.json", "--save-baseline", "c.json")
    assert (again.code, again.out) == (1, "")
    assert "holds stored scores already" in again.err
    named = gate(call, "mixed.run", "-o", "b.json", baseline="old=b.json")
    assert "would overwrite what is to be read" in named.err


def test_levels_and_judging_options_reach_the_measures(nightly, call):
    data = json.loads(gate(call, "worse.run", "-l", 2, "-M", 5, "--max-drop", "P@10=0.2", "-f", "json").out)
    assert [(each["measure"], each["max_drop"]) for each in data["measures"]] == [("P(rel=2)@10", 0.2)]


def test_names_can_be_chosen(nightly, call):
    data = json.loads(call("gate", "qrels", "old=main.run", "new=mixed.run", "-f", "json").out)
    assert (data["baseline"], data["candidate"]) == ("old", "new")


def test_texts_of_topics_stand_beside_the_broken_ones(nightly, call):
    (nightly / "queries.tsv").write_text("".join(f"{t}\tquestion {t}\n" for t in TOPICS))
    for form in ("table", "markdown", "junit", "json", "github"):
        outcome = gate(call, "broken.run", "--queries", "queries.tsv", "--max-broken", 0, "-f", form)
        assert outcome.code == 3
        assert "question 10" in outcome.out
        assert "question 3" not in outcome.out
    (nightly / "few.tsv").write_text("10\tquestion 10\n")
    assert "note: texts of 9 of 10 topics are not in few.tsv" in gate(call, "main.run", "--queries", "few.tsv").err
    (nightly / "others.tsv").write_text("a1\tquestion\n")
    refused = gate(call, "main.run", "--queries", "others.tsv")
    assert (refused.code, refused.out) == (1, "")
    assert "do both belong together?" in refused.err
    assert "would overwrite" in gate(call, "main.run", "--queries", "few.tsv", "-o", "few.tsv").err


def test_notes_on_the_data_go_to_the_error_stream(nightly, call):
    write(nightly / "short.run", 5, 6, 7)
    outcome = gate(call, "short.run")
    assert "note: " in outcome.err
    assert "7 of" in outcome.err
    assert "note" not in outcome.out


def test_help_names_the_exit_codes(call):
    out = " ".join(call("gate", "--help").out.split())
    assert (
        "Exit status: 0 pass, 3 fail, undecided 0, or 4 with --fail-undecided; 1 if a file is wrong, 2 if the call"
        in out
    )


def test_real_rankers_are_decided_both_ways(data, call):
    folder = data / "trec-dl-passage-fusion"
    files = [folder / "2019" / f"{name}.100.norm.res.gz" for name in ("colbert.e2e", "splade")]
    forth, back = (call("gate", folder / "2019.qrels.gz", *order) for order in (files, files[::-1]))
    assert (forth.code, forth.out.split(".")[0]) == (0, "PASS")
    assert (back.code, back.out.split(".")[0]) == (0, "UNDECIDED")
    assert "these 43 topics cannot tell" in " ".join(back.out.split())
    table = md.evaluate(folder / "2019.qrels.gz", files, "nDCG@10")["nDCG@10"].values
    assert f"fell by {(table[1] - table[0]).mean():.3f}" in back.out


def test_an_output_that_nothing_would_be_written_to_is_refused(nightly, call):
    stopped = call("gate", "qrels", "main.run", "--save-baseline", "kept.json", "-o", "out.txt")
    assert stopped.code == 1
    assert "without CANDIDATE nothing is compared" in stopped.err
    assert not {"kept.json", "out.txt"} & {path.name for path in nightly.iterdir()}
