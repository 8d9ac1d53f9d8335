"""`measurand report`: everything about an experiment, in one page."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

RUNS = ("alpha.run", "beta.run")


def visible(page: str) -> str:
    return page.partition("<main>")[2].partition("</main>")[0]


def test_the_page_goes_to_report_html_if_nothing_is_said(call, small):
    outcome = call("report", "qrels", *RUNS, "-m", "P@2 RR@2", "--no-fusion")
    assert outcome.code == 0
    assert (small / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert outcome.out.splitlines()[-1].startswith("report.html")


def test_a_dash_prints_the_page_and_nothing_else(call, small):
    outcome = call("report", "qrels", "x=alpha.run", "beta.run", "-m", "P@2", "--no-fusion", "-o", "-")
    assert outcome.code == 0
    assert outcome.out.startswith("<!doctype html>")
    assert outcome.out.endswith("</html>")
    assert "x=alpha.run beta.run" in outcome.out  # the command that repeats it
    assert sorted(path.name for path in small.iterdir()) == ["alpha.run", "beta.run", "qrels"]


def test_a_folder_gets_the_page_by_its_usual_name(call, small):
    (small / "out").mkdir()
    assert call("report", "qrels", *RUNS, "-m", "P@2", "-o", "out").code == 0
    assert call("report", "qrels", *RUNS, "-m", "P@2", "-o", "new/").code == 0
    assert (small / "out/report.html").exists()
    assert (small / "new/report.html").exists()


def test_the_measures_title_baseline_and_topics_are_those_asked_for(call, small):
    options = ("--measures", "P@2", "--title", "Alpha & <b>eta</b>", "--baseline", "beta", "--topics", "1,2")
    assert call("report", "qrels", *RUNS, *options).code == 0
    page = (small / "report.html").read_text(encoding="utf-8")
    assert "<title>Alpha &amp; &lt;b&gt;eta&lt;/b&gt;</title>" in page
    assert "2 topics · primary measure P@2" in page
    assert "alpha minus beta" in page


def test_the_lowest_relevant_grade_and_several_measures_in_one_option(call, small):
    outcome = call("report", "qrels", *RUNS, "-l", "2", "-m", "RR@2,P@2, AP@2", "--no-fusion")
    assert outcome.code == 0, outcome.err
    assert "RR(rel=2)@2, P(rel=2)@2, AP(rel=2)@2" in (small / "report.html").read_text(encoding="utf-8")


def test_a_measure_in_the_place_of_a_run_is_told_where_it_belongs(call, small):
    outcome = call("report", "qrels", *RUNS, "nDCG@10")
    assert (outcome.code, outcome.out) == (1, "")
    assert "a measure goes behind -m: -m nDCG@10" in outcome.err


def test_everything_comes_as_data_in_a_folder(call, small):
    import polars as pl

    outcome = call("report", "qrels", *RUNS, "-m", "P@2", "-o", "out/", "--data")
    assert outcome.code == 0
    data = json.loads((small / "out/study.json").read_text(encoding="utf-8"))
    assert data["systems"] == ["alpha", "beta"]
    assert data["plan"]["measures"] == ["P@2"]
    frames = {path.stem: pl.read_parquet(path) for path in (small / "out").glob("*.parquet")}
    scores = frames["scores"].filter(pl.col("scale") == "raw").sort("system", "topic")
    assert scores["value"].to_list() == [0.5, 0.5, 0.0, 1.0, 0.5, 0.0]
    assert (small / "out/report.html").exists()
    # every file is named in what is printed, the tables as parquet and as CSV
    written = sorted(path.name for path in (small / "out").iterdir())
    assert [name for name in written if f"out/{name}" not in outcome.out] == []
    assert {path.stem for path in (small / "out").glob("*.csv")} == set(frames)


def test_tables_for_a_paper_are_printed(call, small):
    outcome = call("report", "qrels", *RUNS, "-m", "P@2", "-f", "latex")
    assert outcome.code == 0
    assert outcome.out.count(r"\toprule") == outcome.out.count(r"\bottomrule") >= 2
    assert not (small / "report.html").exists()


def test_json_is_printed(call, small):
    assert json.loads(call("report", "qrels", *RUNS, "-m", "P@2", "-f", "json").out)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--topics", "9"), "no topic is called 9"),
        (("--baseline", "gamma"), "gamma"),
        (("-o", ""), "names no file"),
        (("-o", "-", "--data"), "-o - prints the page; leave out --data, or -o -"),
        (("-o", "qrels"), "would overwrite"),
        (("-o", "alpha.run"), "would overwrite"),
        (("--data", "-f", "json"), "leave out -f json"),
        (("-m", "Nonsense@3"), "Nonsense"),
        (("--test", "coin"), "there is no test"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(call, small, options, complaint):
    before = sorted(path.name for path in small.iterdir())
    outcome = call("report", "qrels", *RUNS, "-m", "P@2", *options)
    assert (outcome.code, outcome.out) == (1, "")
    assert complaint in outcome.err
    assert sorted(path.name for path in small.iterdir()) == before


def test_a_broken_file_leaves_the_page_of_before(call, small):
    (small / "report.html").write_text("before")
    (small / "bad.run").write_text("1 Q0 a 1 not-a-number tag\n")
    outcome = call("report", "qrels", "bad.run", "-m", "P@2")
    assert outcome.code == 1
    assert "bad.run:1" in outcome.err
    assert (small / "report.html").read_text() == "before"


def test_names_from_files_are_never_markup(call, small):
    evil = "<script>alert(1)</script>"
    (small / "evil.run").write_text(f"1 Q0 a 1 4.0 {evil}\n2 Q0 a 1 4.0 {evil}\n")
    (small / "evil.qrels").write_text('1 0 a 1\n2 0 </script><img/src="x"onerror=alert(1)> 1\n2 0 a 0\n')
    assert call("report", "evil.qrels", "evil.run", *RUNS, "-m", "P@2 RR@2").code == 0
    page = (small / "report.html").read_text(encoding="utf-8")
    assert evil not in page
    assert "onerror=alert" not in page.replace("&", "")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in visible(page)


def test_the_same_input_gives_the_same_page_but_for_the_time(call, small):
    pages = []
    for _ in range(2):
        assert call("report", "qrels", *RUNS, "-m", "P@2 nDCG@2", "--seed", "3").code == 0
        pages.append((small / "report.html").read_text(encoding="utf-8").splitlines())
    differing = [line for one, other in zip(*pages, strict=True) if one != other for line in (one, other)]
    assert all("<time>" in line for line in differing)


def test_the_page_needs_no_extra_and_judgments_may_come_through_a_pipe(small):
    extras = ("networkx", "zstandard", "polars", "pandas", "pyarrow", "xarray", "flint")
    code = f"import sys; sys.modules.update(dict.fromkeys({extras})); from measurand.cli import main; main()"
    command = f'{sys.executable} -c "{code}" report <(cat qrels) {" ".join(RUNS)} -m P@2 -o out/ --data'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=small, check=False)
    assert done.returncode == 0, done.stderr
    assert 'id="rungs"' in (small / "out/report.html").read_text(encoding="utf-8")


def test_ctrl_c_leaves_no_file(small):
    os.mkfifo(small / "slow.run")
    command = [sys.executable, "-c", "from measurand.cli import main; main()"]
    arguments = ["report", "qrels", "slow.run", "-m", "P@2", "-o", "out.html"]
    process = subprocess.Popen([*command, *arguments], stderr=subprocess.PIPE, cwd=small)
    with (small / "slow.run").open("w"):  # goes on once the program waits for the run
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted; nothing was written" in err
    assert sorted(path.name for path in small.iterdir()) == ["alpha.run", "beta.run", "qrels", "slow.run"]


def test_a_folder_gets_tables_and_data_by_their_own_names(call, small):
    (small / "out").mkdir()
    for form in ("latex", "json"):
        assert call("report", "qrels", *RUNS, "-m", "P@2", "-f", form, "-o", "out").code == 0
    assert sorted(path.name for path in (small / "out").iterdir()) == ["report.json", "report.tex"]


@pytest.mark.parametrize(
    "options", [("-o", "qrels/page.html"), ("--data", "-o", "qrels/out"), ("--data", "-o", "qrels")]
)
def test_a_file_is_no_folder_and_the_complaint_names_the_path(call, small, options):
    outcome = call("report", "qrels", *RUNS, "-m", "P@2", *options)
    assert (outcome.code, outcome.out) == (1, "")
    assert f"{options[-1]}: cannot be written" in outcome.err


def test_a_folder_that_cannot_take_all_files_gets_none(call, small):
    (small / "out/study.json").mkdir(parents=True)
    outcome = call("report", "qrels", *RUNS, "-m", "P@2", "--data", "-o", "out")
    assert outcome.code == 1
    assert "it holds study.json, which is no file; name a folder of its own" in outcome.err
    assert [path.name for path in (small / "out").iterdir()] == ["study.json"]


def test_a_page_that_fails_leaves_no_data_either(call, small, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("measurand.report.page.document", stop)
    outcome = call("report", "qrels", *RUNS, "-m", "P@2", "--data", "-o", "out")
    assert outcome.code == 130
    assert not (small / "out").exists()


def test_a_measure_without_values_of_single_topics_is_reported_without_interval_scale(call, small):
    outcome = call("report", "qrels", *RUNS, "-m", "gm(AP) P@2", "--interval", "-f", "json")
    assert outcome.code == 0
    data = json.loads(outcome.out)
    assert list(data["interval_scaled"]) == ["P@2"]
    assert any("AP is not shown on an interval scale" in caveat["text"] for caveat in data["caveats"])
    assert any("gm(AP) is compared as AP" in caveat["text"] for caveat in data["caveats"])


def test_strict_orders_and_tests_as_compare_does(call, small):
    options = ("qrels", *RUNS, "-m", "RR@3", "-f", "json", "--strict")
    reported, compared = (json.loads(call(command, *options).out) for command in ("report", "compare"))
    assert reported["plan"]["strict"] is True
    assert reported["raw"]["measures"] == compared["measures"]


@pytest.mark.parametrize("more", [(), ("--data",)])
def test_strict_refuses_a_test_by_name_and_writes_nothing(call, small, more):
    outcome = call("report", "qrels", *RUNS, "-m", "RR@3", "--test", "t", "--strict", "-o", "out", *more)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines()[-1].startswith("measurand: the paired t test of RR@3 needs interval scores")
    assert sorted(path.name for path in small.iterdir()) == ["alpha.run", "beta.run", "qrels"]


def test_texts_of_topics_go_into_the_data_and_into_the_command_that_repeats_it(call, small):
    (small / "texts.tsv").write_text("qid\tquery\n1\tblue whales\n2\tblack bears\n", encoding="utf-8")
    outcome = call("report", "qrels", *RUNS, "-m", "P@2", "--no-fusion", "--queries", "texts.tsv", "-f", "json")
    assert outcome.code == 0, outcome.err
    told = json.loads(outcome.out)
    assert told["queries"] == {"1": "blue whales", "2": "black bears"}
    assert told["plan"]["queries"] == "texts.tsv"
    assert "--queries texts.tsv" in told["methods"]["command"]
    assert "queries='texts.tsv'" in told["methods"]["python"]
    assert told["sources"][-1]["role"] == "queries"
    assert {"kind": "missing-texts", "text": "texts of 1 of 3 topics are not in texts.tsv"} in told["caveats"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("7\tblue whales\n", "no topic of the judgments has a text here (the judgments have '1', …; the file has '7'"),
        ("1\tblue whales\n2 black bears\n", "texts.tsv:2: 1 column"),
        ("", "texts.tsv: is empty"),
        (None, "texts.tsv: there is no such file"),
    ],
)
def test_texts_that_cannot_be_right_are_refused_and_nothing_is_written(call, small, text, complaint):
    if text is not None:
        (small / "texts.tsv").write_text(text)
    outcome = call("report", "qrels", *RUNS, "-m", "P@2", "--no-fusion", "--queries", "texts.tsv")
    assert outcome.code == 1
    assert complaint in outcome.err
    assert not (small / "report.html").exists()


def test_the_texts_are_not_overwritten(call, small):
    (small / "texts.tsv").write_text("1\tblue whales\n")
    outcome = call("report", "qrels", *RUNS, "--queries", "texts.tsv", "-o", "texts.tsv")
    assert outcome.code == 2 or outcome.code == 1
    assert "would overwrite what is to be read" in outcome.err


def test_a_folder_that_cannot_be_exchanged_is_refused_before_anything_is_computed(call, small, monkeypatch):
    (small / "out/sub").mkdir(parents=True)
    monkeypatch.setattr("measurand.cli.report.Study.from_files", None)
    for folder, why in (("out", "it holds sub, which is no file"), (".", "it is the folder that you are in")):
        outcome = call("report", "qrels", *RUNS, "--data", "-o", folder)
        assert outcome.code == 1
        assert outcome.err.startswith(f"measurand: {folder}: cannot be written ({why}")
