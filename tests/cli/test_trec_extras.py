"""`measurand evaluate`: z-scores (-Z) and strings of grades (relstring), as trec_eval has them."""

from __future__ import annotations

import json

import pytest


def lines(outcome):
    assert outcome.code == 0, outcome.err
    return [line.split() for line in outcome.out.splitlines()]


def test_a_reference_that_is_written_gives_z_scores_of_mean_0(small, call):
    runs = ("alpha.run", "beta.run")
    plain = call("evaluate", "qrels", *runs, "-m", "AP")
    written = call("evaluate", "qrels", *runs, "-m", "AP", "--write-reference", "means")
    assert (written.out, written.code) == (plain.out, 0)
    assert [line.split()[:2] for line in (small / "means").read_text().splitlines()] == [
        ["1", "map"],
        ["2", "map"],
        ["3", "map"],
    ]
    found = json.loads(call("evaluate", "qrels", *runs, "-m", "AP", "-Z", "means", "-f", "json").out)
    assert found["measures"]["z(AP)"]["scores"] == pytest.approx({"alpha": -0.4714, "beta": 0.4714}, abs=1e-4)


def test_z_scores_are_printed_as_by_trec_eval(small, call):
    (small / "means").write_text("".join(f"{topic} {name} 0.5 0.25\n" for topic in "123" for name in ("map", "P_5")))
    outcome = call("evaluate", "qrels", "beta.run", "-m", "P.5", "-m", "map", "-Z", "means", "-f", "trec", "-q")
    assert outcome.out.splitlines()[0] == "Zmap                   \t1\t2.0000"
    assert [line[0] for line in lines(outcome)] == ["Zmap", "ZP_5"] * 4


def test_what_has_no_z_scores_is_left_out_with_a_note_or_refused(small, call):
    (small / "means").write_text("".join(f"{topic} map 0.5 0.25\n" for topic in "123"))
    outcome = call("evaluate", "qrels", "beta.run", "-m", "map", "-m", "gm_map", "-Z", "means", "-f", "trec")
    assert [line[0] for line in lines(outcome)] == ["Zmap"]
    assert "gm_map left out" in outcome.err
    alone = call("evaluate", "qrels", "beta.run", "-m", "gm_map", "-Z", "means")
    assert (alone.code, alone.out) == (1, "")
    unknown = call("evaluate", "qrels", "beta.run", "-m", "RR", "-Z", "means")
    assert (unknown.code, unknown.out) == (1, "")
    assert "means: there is no mean and standard deviation of RR" in unknown.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("-Z", "means", "--unjudged", "max"),
        ("--write-reference", "qrels"),
        ("-Z", "means", "--write-reference", "means"),
        ("-Z", "missing"),
    ],
)
def test_files_that_cannot_be_read_or_must_not_be_written_are_refused(arguments, small, call):
    (small / "means").write_text("1 map 0.5 0.25\n")
    before = {path.name: path.read_bytes() for path in small.iterdir()}
    outcome = call("evaluate", "qrels", "beta.run", "-m", "AP", *arguments)
    assert outcome.code in (1, 2)
    assert outcome.out == ""
    assert {path.name: path.read_bytes() for path in small.iterdir()} == before


def test_grades_are_shown_as_strings_beside_measures_or_alone(small, call):
    trec = call("evaluate", "qrels", "alpha.run", "-m", "relstring.2", "-m", "map", "-q", "-n", "-f", "trec")
    assert [line for line in lines(trec) if line[0] == "relstring_2"] == [
        ["relstring_2", "1", "'-1'"],
        ["relstring_2", "2", "'-1'"],
        ["relstring_2", "3", "''"],
    ]
    table = call("evaluate", "qrels", "alpha.run", "-m", "AP", "-m", "relstring", "-q", "-f", "csv")
    assert [line.split(",")[-1] for line in table.out.splitlines()] == ["relstring", "-10", "-1", "", ""]
    alone = call("evaluate", "qrels", "alpha.run", "-m", "relstring", "-q", "-f", "csv", "-J")
    assert alone.out.splitlines() == ["system,topic,relstring", "alpha,1,10", "alpha,2,1", "alpha,3,"]
    data = json.loads(call("evaluate", "qrels", "alpha.run", "-m", "relstring", "-q", "-f", "json").out)
    assert data == {"relstring": {"alpha": {"1": "-10", "2": "-1", "3": ""}}}


def test_strings_come_with_all_measures_of_trec_eval_and_as_long_as_was_asked(small, call):
    names = [line[0] for line in lines(call("evaluate", "qrels", "beta.run", "-m", "all_trec", "-q", "-f", "trec"))]
    assert names[names.index("relstring") - 1] == "P_1000"
    longer = ("-m", "all_trec", "-m", "relstring.3", "-q", "-f", "trec")
    assert {line[0] for line in lines(call("evaluate", "qrels", "beta.run", *longer)) if "relstr" in line[0]} == {
        "relstring_3"
    }


@pytest.mark.parametrize("command", [("evaluate",), ("compare",), ("unanimity",), ("report", "-o", "page.html")])
def test_strings_are_nothing_to_average_or_compare(command, small, call):
    outcome = call(*command, "qrels", "alpha.run", "beta.run", "-m", "relstring")
    assert (outcome.code, outcome.out) == (1, "")
    assert "relstring" in outcome.err.splitlines()[-1]
