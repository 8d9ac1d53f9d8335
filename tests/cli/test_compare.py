"""`measurand compare`: who is better, how sure that is, and what could change it, on the command line."""

from __future__ import annotations

import csv
import io
import json
import re
import sys

import pytest

import measurand as md

BASES = [2, 3, 2, 4, 3, 2, 3, 4]

RANKINGS = {
    "one": ["110", "101", "011", "111", "100", "110", "101", "110"],
    "two": ["100", "110", "001", "011", "100", "010", "101", "010"],
    "three": ["010", "001", "010", "001", "000", "010", "001", "010"],
}


def refused(outcome) -> str:
    """Return the complaint of a call that was wrong: one line on the error stream, and nothing else."""
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("measurand: ")
    assert outcome.err.count("\n") == 1
    return outcome.err.removeprefix("measurand: ").rstrip("\n")


def no_json(name: str) -> float:
    raise AssertionError(f"{name} is no JSON")


def data(outcome):
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out, parse_constant=no_json)


@pytest.fixture
def campaign(tmp_path, monkeypatch):
    """Return a folder, also the working directory, with judgments and three runs; recall bases differ."""
    lines = [f"{t} 0 r{rank} 1" for t, base in enumerate(BASES) for rank in range(base)]
    lines += [f"{t} 0 n{rank} 0" for t in range(len(BASES)) for rank in range(3)]
    (tmp_path / "qrels").write_text("\n".join(lines) + "\n")
    for name, words in RANKINGS.items():
        rows = []
        for t, word in enumerate(words):
            relevant = iter(("r0", "r1", "r2"))
            documents = [next(relevant) if grade == "1" else f"n{rank}" for rank, grade in enumerate(word)]
            rows += [f"{t} Q0 {document} {rank} {9 - rank} {name}" for rank, document in enumerate(documents, 1)]
        (tmp_path / f"{name}.run").write_text("\n".join(rows) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


RUNS = ("qrels", "one.run", "two.run", "three.run")


# What is told.


def test_the_command_of_the_manual(call, campaign):
    outcome = call("compare", *RUNS, "-m", "AP@30", "-m", "interval(AP@30)", "--test", "t", "--adjust", "holm")
    assert outcome.code == 0
    # of so few topics it is said what they can show
    notes = [line for line in outcome.err.splitlines() if "was raised to" not in line]
    assert all(line.startswith("note: interval(AP@30): ") for line in notes)
    assert "AP@30 · 8 topics\n" in outcome.out
    assert "p (t)  p (t, Holm)  topics  p (sign)" in outcome.out
    text = " ".join(outcome.out.split())
    found = md.compare("qrels", list(RUNS[1:]), ["AP@30", "interval(AP@30)"])
    assert text.startswith(found.conclusion.headline)
    for line in found.conclusion.lines:
        assert str(line) in text
    for claim in found.primary.claims:
        assert claim.beyond in text
    assert "Two measures were looked at; p-values are not corrected for that. AP@30 is the primary one" in text
    assert "For which measures it holds" in outcome.out


def test_the_program_says_what_the_library_says(call, campaign):
    found = data(call("compare", *RUNS, "-m", "P@3 RR@3", "-f", "json"))
    wanted = md.compare("qrels", list(RUNS[1:]), ["P@3", "RR@3"])
    assert list(found["measures"]) == ["P@3", "RR@3"]
    for standing in wanted.results:
        told = found["measures"][standing.scores.measure]
        assert told["scale"] == str(standing.scores.scale)
        assert told["test"]["name"] == standing.pairs.test
        assert told["pvalues"] == standing.pairs.pvalues.tolist()
        assert [row["system"] for row in told["systems"]] == list(standing.systems)
        assert [claim["sentence"] for claim in told["claims"]] == [claim.sentence for claim in standing.claims]
        for claim, row in zip(told["claims"], told["systems"][1:], strict=True):
            assert (claim["difference"], claim["kappa"]) == (-row["difference"], row["kappa"])
    assert found["dominance"]["wins"] == wanted.dominance.wins.tolist()


def test_without_measures_the_usual_ones_are_compared(call, campaign):
    found = data(call("compare", *RUNS, "-f", "json"))
    assert (list(found["measures"]), list(found["described"])) == (["nDCG@10", "AP", "P@10", "RR"], ["Judged@10"])
    assert {each["test"]["name"] for each in found["measures"].values()} == {"paired_t"}
    primary = data(call("compare", *RUNS, "--primary", "RR", "-f", "json"))
    assert (primary["primary"], list(primary["measures"])) == ("RR", ["RR", "nDCG@10", "AP", "P@10"])


def test_measures_may_be_taken_on_their_interval_scales(call, campaign):
    found = data(call("compare", *RUNS, "-m", "RR@3 interval(P@3)", "--scale", "interval", "-f", "json"))
    assert list(found["measures"]) == ["interval(RR@3)", "interval(P@3)"]
    assert {each["scale"] for each in found["measures"].values()} == {"interval"}
    assert {each["scale_margins"]["interval"] for each in found["measures"].values()} == {True}
    usual = data(call("compare", *RUNS, "--scale", "interval", "-f", "json"))
    assert [name[:14] for name in usual["measures"]] == [
        *(f"interval({name}" for name in ("nDCG@", "AP@30", "P@10)", "RR@10"))
    ]


def test_every_system_is_compared_with_the_baseline(call, campaign):
    found = data(call("compare", *RUNS, "-m", "P@3", "--baseline", "three", "-f", "json"))
    told = found["measures"]["P@3"]
    assert found["baseline"] == "three"
    assert [row["against"] for row in told["systems"]] == ["three", "three", None]
    claims = told["claims"]
    assert [(claim["system"], claim["against"]) for claim in claims] == [("one", "three"), ("two", "three")]
    assert all(claim["difference"] > 0 for claim in claims)
    smallest, largest = sorted(claim["p"] for claim in claims)
    corrected = sorted(claim["p_corrected"] for claim in claims)
    assert corrected == pytest.approx([2 * smallest, max(2 * smallest, largest)])


def test_alpha_decides_what_is_significant(call, campaign):
    def significant(alpha):
        found = data(call("compare", *RUNS, "-m", "P@3", "--alpha", alpha, "-f", "json"))
        assert found["alpha"] == alpha
        return found["measures"]["P@3"]["significant"]

    assert significant(1e-9) == 0
    assert significant(0.999999) > 0


def test_the_same_seed_gives_the_same_bytes(call):
    runs = md.sample.qrels(), *md.sample.runs()[:3]

    def text(seed):
        outcome = call(
            "compare", *runs, "-m", "P@3", "--test", "bootstrap", "--draws", 99, "--seed", seed, "-f", "json"
        )
        assert outcome.code == 0
        return outcome.out

    first = text(1)
    assert first == text(1)
    assert first != text(2)


def test_as_many_pairs_are_spoken_of_as_asked_for(call, campaign):
    for top in (0, 1, 2, 9):
        claims = data(call("compare", *RUNS, "-m", "P@3", "--top", top, "-f", "json"))["measures"]["P@3"]["claims"]
        assert len(claims) == min(top, 2)


def test_the_matrix_is_printed_on_demand(call, campaign):
    without, with_ = (call("compare", *RUNS, "-m", "P@3", *more).out for more in ((), ("--matrix",)))
    added = [line.split() for line in with_.splitlines() if line not in without.splitlines()]
    assert added[0] == ["p", "1", "2", "3"]
    assert [line[:2] for line in added[1:]] == [["one", "1"], ["two", "2"], ["three", "3"]]


def test_rankings_may_be_cut(call, campaign):
    found = data(call("compare", *RUNS, "-m", "P@3", "-M", 1, "-f", "json"))
    assert found["dominance"]["depth"] == 1
    assert found["measures"]["P@3"]["systems"][0]["mean"] == pytest.approx(7 / 8 / 3)


def test_topics_that_a_run_left_out_may_be_skipped(call, campaign):
    lines = (campaign / "two.run").read_text().splitlines()
    (campaign / "two.run").write_text("\n".join(line for line in lines if line.startswith(("0 ", "1 "))) + "\n")
    outcome = call("compare", *RUNS, "-m", "P@3", "--missing-topics", "skip", "-f", "json")
    rows = {row["system"]: row for row in data(outcome)["measures"]["P@3"]["systems"]}
    assert rows["two"]["mean"] == pytest.approx(0.5)
    assert rows["two"]["wins"] + rows["two"]["ties"] + rows["two"]["losses"] == 2
    assert "note: two: nothing for 6 of the 8 judged topics" in outcome.err
    zero = data(call("compare", *RUNS, "-m", "P@3", "-f", "json"))["measures"]["P@3"]["systems"]
    assert {row["system"]: row["mean"] for row in zero}["two"] == pytest.approx(1 / 8)


def test_systems_may_be_called_by_their_files(call, campaign):
    for name in ("x.run", "y.run"):
        (campaign / name).write_bytes((campaign / "one.run").read_bytes())
    assert data(call("compare", "qrels", "x.run", "y.run", "--names", "file", "-f", "json"))["systems"] == ["x", "y"]


def test_notes_go_to_the_error_stream_with_the_measure_that_they_are_about(call, campaign):
    (campaign / "same.run").write_text((campaign / "one.run").read_text().replace(" one\n", " same\n"))
    outcome = call("compare", "qrels", "one.run", "same.run", "-m", "P@3")
    assert outcome.code == 0
    assert outcome.err.startswith("note: P@3: ")
    assert "same scores" in outcome.err
    assert "note:" not in outcome.out
    assert "one and same have the same mean on P@3." in outcome.out


# Forms.


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_a_terminal_gets_colours_and_lines_that_fit(call, campaign, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    plain = call("compare", *RUNS, "-m", "P@3 AP@3").out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    outcome = call("compare", *RUNS, "-m", "P@3 AP@3")
    assert "\x1b[1mP@3\x1b[0m" in outcome.out
    assert "\x1b[" not in plain
    lines = re.sub(r"\x1b\[[0-9;]*m", "", outcome.out).splitlines()
    assert max(map(len, lines)) <= min(columns, 120)
    assert "\x1b[" not in call("compare", *RUNS, "-m", "P@3", "-f", "tsv").out


def test_a_table_for_spreadsheets(call, campaign):
    outcome = call("compare", *RUNS, "-m", "P@3 RR@3", "-f", "tsv")
    rows = list(csv.DictReader(io.StringIO(outcome.out), delimiter="\t"))
    assert [(row["measure"], row["place"], row["system"]) for row in rows[:3]] == [
        ("P@3", "1", "one"),
        ("P@3", "2", "two"),
        ("P@3", "3", "three"),
    ]
    assert len(rows) == 6


def test_a_table_for_a_paper(call, campaign):
    outcome = call("compare", *RUNS, "-m", "P@3", "-f", "latex")
    assert outcome.code == 0
    assert outcome.out.startswith("% P@3: Best mean first. Differences: row minus one, the leader. Test: paired t test")
    assert r"\textbf{one} & " in outcome.out
    assert outcome.out.endswith("\\end{tabular}\n")
    assert "*" not in outcome.out


def test_what_the_scale_admits_is_a_column_on_demand(call, campaign):
    plain, more = (call("compare", *RUNS, "-m", "RR@3 AP@3", *extra).out for extra in ((), ("--admitted",)))
    assert not re.search(r"^ system +(median|rank)", plain, re.MULTILINE)
    assert re.search(r"^ system +median +mean ", more, re.MULTILINE)
    assert re.search(r"^ system +rank +mean ", more, re.MULTILINE)
    assert "*" not in plain + more


@pytest.mark.parametrize("form", ["table", "tsv", "json", "latex"])
def test_the_output_may_be_written_to_a_file(call, campaign, form):
    printed = call("compare", *RUNS, "-m", "P@3", "-f", form)
    outcome = call("compare", *RUNS, "-m", "P@3", "-f", form, "-o", "out")
    assert (outcome.code, outcome.out) == (0, "")
    assert (campaign / "out").read_bytes().decode() == printed.out


def test_a_file_is_written_whole_or_not_at_all(call, campaign):
    (campaign / "out").write_text("before")
    before = sorted(path.name for path in campaign.iterdir())
    assert "nobody" in refused(call("compare", *RUNS, "-m", "P@3", "--baseline", "nobody", "-o", "out"))
    assert (campaign / "out").read_text() == "before"
    assert sorted(path.name for path in campaign.iterdir()) == before


@pytest.mark.parametrize("output", ["qrels", "one.run", "./two.run"])
def test_what_is_read_is_not_written_over(call, campaign, output):
    before = (campaign / output).read_bytes()
    assert "would overwrite" in refused(call("compare", *RUNS, "-o", output))
    assert (campaign / output).read_bytes() == before


# What is refused.


@pytest.mark.parametrize(
    ("arguments", "help_"),
    [
        (("-m", "AP@3", "--test", "t"), "compare topic by topic (sign test, Friedman, dominance)"),
        (("-m", "RR@3", "--test", "t"), "compare medians, take the sign test or interval(RR@3)"),
        (("-m", "P@3", "-m", "nDCG@3", "--test", "kruskal-wallis"), "compare topic by topic"),
    ],
)
def test_strict_refuses_what_means_nothing_and_says_what_would_help(call, campaign, arguments, help_):
    assert call("compare", *RUNS, *arguments).code == 0
    assert help_ in refused(call("compare", *RUNS, *arguments, "--strict"))


def test_strict_has_nothing_against_what_means_something(call, campaign):
    for arguments in (("-m", "P@3", "--test", "t"), ("-m", "interval(RR@3)", "--test", "t")):
        plain, strict = (call("compare", *RUNS, *arguments, "-f", "tsv", *more) for more in ((), ("--strict",)))
        assert (strict.code, strict.out) == (0, plain.out)


@pytest.mark.parametrize("test", ["auto", "sign", "friedman"])
def test_strict_compares_topic_by_topic_where_every_topic_has_its_own_scale(call, campaign, test):
    outcome = call("compare", *RUNS, "-m", "nDCG@3", "--test", test, "--strict")
    assert outcome.code == 0
    assert "Best mean rank within topics first" in outcome.out
    assert "*" not in outcome.out.partition("For which measures")[0]


def test_the_lowest_relevant_grade_may_be_said(call, campaign):
    asked = data(call("compare", *RUNS, "-m", "AP@3", "-l", "2", "-f", "json"))
    assert list(asked["measures"]) == ["AP(rel=2)@3"]


def test_more_lots_may_be_drawn(call, campaign):
    found = data(call("compare", *RUNS, "-m", "P@3", "--test", "bootstrap", "--draws", "77", "-f", "json"))
    assert found["measures"]["P@3"]["test"]["details"]["resamples"] == 77


def test_an_interval_scale_has_as_many_grades_as_the_judgments(call, campaign):
    (campaign / "graded").write_text(
        re.sub(r" 1$", " 3", (campaign / "qrels").read_text(), count=1, flags=re.MULTILINE)
    )
    found = data(call("compare", "graded", *RUNS[1:], "-m", "DCG@3 P@3", "--scale", "interval", "-f", "json"))
    assert list(found["measures"]) == ["interval(DCG@3, grades=4)", "interval(P@3)"]


@pytest.mark.parametrize("form", ["table", "latex", "tsv", "json"])
def test_strict_prints_no_number_that_the_scale_does_not_admit(call, campaign, form):
    plain, strict = (call("compare", *RUNS, "-m", "RR@3", "-f", form, *more) for more in ((), ("--strict",)))
    assert strict.code == 0
    if form == "json":
        before, after = (data(each)["measures"]["RR@3"] for each in (plain, strict))
        assert (before["statistic"], before["test"]["name"]) == ("mean", "paired_t")
        assert (after["statistic"], after["test"]["name"]) == ("median", "sign")
        refused_ = ("mean", "difference", "low", "high", "cohens_d", "rank_biserial", "kappa", "scale_proof")
        assert {row[name] for row in after["systems"] for name in refused_} == {None}
        assert before["differences"] is not None
        assert after["differences"] is None
    elif form == "tsv":
        assert [line.split("\t")[5] for line in plain.out.splitlines()[1:]] != [""] * 3
        assert [line.split("\t")[5] for line in strict.out.splitlines()[1:]] == [""] * 3
    else:
        head = next(line for line in strict.out.splitlines() if re.match(" ?[sS]ystem ", line))
        assert "median" in head
        assert "mean" not in head
        assert "mean" in plain.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--baseline", "four"), "there is no system 'four'; there is one, two, three"),
        (("--test", "tea"), "there is no test 'tea'; there is sign, "),
        (("-m", "nDGC@10"), "there is no measure called 'nDGC'"),
        (("-m", " "), "-m names no measure"),
        (("nowhere.run",), "nowhere.run"),
    ],
)
def test_what_cannot_be_right_is_refused_in_one_line(call, campaign, arguments, complaint):
    assert complaint in refused(call("compare", *RUNS, *arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("qrels",),
        (*RUNS, "--alpha", "0"),
        (*RUNS, "--alpha", "1"),
        (*RUNS, "--adjust", "much"),
        (*RUNS, "--scale", "ratio"),
        (*RUNS, "--top", "-1"),
        (*RUNS, "--seed", "-1"),
        (*RUNS, "-f", "trec"),
        (*RUNS, "--nope"),
    ],
)
def test_a_call_that_makes_no_sense_is_a_usage_error(call, campaign, arguments):
    outcome = call("compare", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("measurand compare: ")


# Odd names.


def test_names_are_told_as_they_are(call, campaign):
    names = {"one": "[bold]1", "two": '"two"', "three": "<script>日本_ü&%"}
    for file, name in names.items():
        text = (campaign / f"{file}.run").read_text()
        (campaign / f"{file}.run").write_text(text.replace(f" {file}\n", f" {name}\n"))
    assert data(call("compare", *RUNS, "-m", "P@3", "-f", "json"))["systems"] == list(names.values())
    printed = call("compare", *RUNS, "-m", "P@3", "--baseline", "[bold]1").out
    assert all(name in printed for name in names.values())
    shown = r"\textless{}script\textgreater{}\ifdefined\Umathchar 日本\else U+65E5 U+672C\fi{}\_ü\&\%"
    assert shown in call("compare", *RUNS, "-m", "P@3", "-f", "latex").out


def test_topics_without_anything_relevant_are_noted_and_nothing_breaks(call, small):
    outcome = call("compare", "qrels", "alpha.run", "beta.run", "-f", "json")
    assert data(outcome)["systems"] == ["alpha", "beta"]
    assert "has no relevant document" in outcome.err


def test_one_run_is_told_that_there_is_nothing_to_compare(call, campaign):
    outcome = call("compare", "qrels", "one.run", "-m", "P@3")
    assert outcome.code == 0
    assert "There is nothing to compare one system with." in outcome.out


# Levels.


def test_levels_reversing_measures_and_maps_are_printed_on_demand(call, campaign):
    plain = call("compare", *RUNS, "-m", "P@3").out
    text = call("compare", *RUNS, "-m", "P@3", "--levels", "--reversing", "--map", "RBP", "--map", "DCG").out
    for said in (
        "The level of every pair",
        " → ",
        "Which measures put the other system first",
        " under RBP@",
        "under DCG",
    ):
        assert said in text
        assert said not in plain
    found = data(call("compare", *RUNS, "-m", "P@3", "-f", "json", "--reversing", "--map", "RBP"))
    wanted = md.compare("qrels", list(RUNS[1:]), "P@3")
    assert found["levels"] == wanted.levels.to_dict()
    assert len(found["reversing"]) == len(found["maps"]) == len(wanted.primary.claims)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--levels", "-f", "tsv"), "--levels goes with -f table or markdown, not with tsv"),
        (("--map", "RBP", "-f", "latex"), "--map goes with -f table or markdown, not with latex"),
        (("--map", "AP"), "AP"),
        (("--map", "nonsense"), "nonsense"),
    ],
)
def test_what_cannot_be_shown_is_refused(call, campaign, arguments, why):
    outcome = call("compare", *RUNS, "-m", "P@3", *arguments)
    assert outcome.code != 0
    assert why in outcome.err
    assert not outcome.out


def test_topics_are_counted_in_an_order_of_ones_own(call, campaign):
    (campaign / "mine.py").write_text("def up(run):\n    return [(1, 0, *run[2:])] if run[:2] == (0, 1) else []\n")
    own = ("--moves", "mine.py:up", "--moves", "measurand.orders:replacements")
    text = call("compare", *RUNS, "-m", "P@3", *own, "--moves-depth", 3).out
    assert "Topics in the order up + replacements, down to rank 3" in text
    found = data(call("compare", *RUNS, "-m", "P@3", *own, "--moves-depth", 3, "-f", "json"))["moves"]
    judged = md.judge(list(RUNS[1:]), RUNS[0])
    order = md.orders.from_moves(lambda run: [(1, 0, *run[2:])] if run[:2] == (0, 1) else [], md.orders.replacements)
    for pair in found["pairs"]:
        counts = md.dominance(judged, pair["a"], pair["b"], depth=3, order=order)
        assert (pair["won"], pair["tied"], pair["lost"], pair["open"]) == (
            counts.wins,
            counts.ties,
            counts.losses,
            counts.incomparable,
        )
    assert call("compare", *RUNS, *own, "-f", "tsv").code == 2
    assert call("compare", *RUNS, "--within", "swap").code == 2
