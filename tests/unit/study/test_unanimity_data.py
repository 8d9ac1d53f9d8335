"""The unanimity of measures for programs, spreadsheets and papers."""

from __future__ import annotations

import csv
import io
import json

import pytest

from measurand.display.data import separated
from measurand.display.latex import latex_table
from measurand.judged import JudgedRuns, Judgments, Results, judge
from measurand.measures import define
from measurand.study.unanimity import unanimity
from measurand.study.unanimity_table import UnanimityTable


def unanimity_tsv(table):
    return separated([table.view()])


def unanimity_latex(table):
    return latex_table(table.latex_table())


RUNS = [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 0]]


def table_of(measures, runs=RUNS, **options) -> UnanimityTable:
    judged = JudgedRuns.on_one_topic(runs, (400, 2))
    return unanimity(judged, measures, **{"collection": 100_000, "recall_base": 40, "ranks": 30, **options})


def test_data_hold_everything():
    data = table_of(["AP", "Success@2"]).to_dict()
    assert json.loads(json.dumps(data)) == data
    assert {name: data[name] for name in ("systems", "topics", "pairs", "unanimous", "left_out")} == {
        "systems": 4,
        "topics": 1,
        "pairs": 12,
        "unanimous": 7,
        "left_out": 0,
    }
    assert (data["collection"], data["recall_base"], data["ranks"]) == (100_000, 40, 30)
    assert data["ties"] == {"decided_on": "exact values", "told_apart": 0}
    ap, success = data["measures"]
    assert ap["tie_rate"] == {"exact": "2/7", "value": 2 / 7}
    assert ap["unanimity"] == pytest.approx(0.77760757866)
    assert ap["probabilities"] == {"prefers": "1/2", "all_agree": "7/12", "joint": "1/2"}
    assert (ap["tied"], ap["ties"]) == (2, {"exact": True, "told_apart": 0, "open": 0})
    deepness = ap["constraints"]["deepness"]
    assert (deepness["holds"], deepness["printed"], deepness["erratum"]) == (False, True, "E-A-5")
    assert deepness["witness"]["runs"]
    assert success["constraints"]["priority"]["printed"] is None


def test_what_was_not_looked_at_or_is_not_defined_is_nothing():
    data = table_of(["RR", "P@4"], runs=[[1, 0, 0, 0], [0, 1, 1, 0]], constraints=False).to_dict()
    assert (data["recall_base"], data["ranks"]) == (None, None)
    assert [(row["unanimity"], row["tie_rate"], row["constraints"]) for row in data["measures"]] == [(None,) * 3] * 2
    assert [caveat["kind"] for caveat in data["caveats"]] == ["degenerate"]
    json.dumps(data, allow_nan=False)


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_a_spreadsheet_has_our_marks_and_those_of_the_paper():
    ap, success = read(unanimity_tsv(table_of(["AP", "Success@2"])))
    assert (ap["measure"], ap["tied"], ap["unanimous"], ap["pairs"]) == ("AP", "2", "7", "12")
    assert float(ap["tie_rate"]) == 2 / 7
    assert (ap["deepness"], ap["deepness_printed"], ap["priority"], ap["priority_printed"]) == ("0", "1", "1", "1")
    assert (success["deepness_threshold"], success["deepness_threshold_printed"]) == ("1", "")


def test_a_spreadsheet_without_constraints_has_no_columns_for_them():
    [row, _] = read(unanimity_tsv(table_of(["RR", "P@4"], runs=[[1, 0, 0, 0], [0, 1, 1, 0]], constraints=False)))
    assert row == {"measure": "RR", "unanimity": "", "tie_rate": "", "tied": "0", "unanimous": "0", "pairs": "2"}


def test_a_paper_gets_a_table():
    lines = unanimity_latex(table_of(["AP", "RR"])).splitlines()
    assert lines[0] == "% All measures agree on 7 of 12 ordered pairs of systems."
    assert lines[1] == "% Constraints on runs of 30 ranks, for a topic with 40 relevant documents among 100000."
    assert lines[2] == r"\begin{tabular}{lrrccccc}"
    assert lines[4] == r"Measure & MU & Tie rate & Pri & Deep & DeepTh & CloseTh & Conf \\"
    marks = r"$\checkmark$ & $\times$ & $\times$ & $\checkmark$ & $\times$"
    assert rf"AP & 0.7776 & 0.2857 & {marks} \\" in lines


def test_a_paper_gets_dashes_for_what_is_not_defined():
    text = unanimity_latex(table_of(["RR", "P@4"], runs=[[1, 0, 0, 0], [0, 1, 1, 0]], constraints=False))
    assert r"RR & -- & -- \\" in text.splitlines()


def test_what_a_failing_function_does_is_open_in_every_form():
    failing = define(lambda run: 1 if len(run) == 4 else 1 / 0, name="Failing")
    table = table_of([failing, "AP"])
    [row] = [row for row in read(unanimity_tsv(table)) if row["measure"] == "Failing"]
    assert row["priority"] == ""
    [line] = [line for line in unanimity_latex(table).splitlines() if line.startswith("Failing")]
    assert " ? " in line


def test_marks_that_rest_on_trials_are_in_brackets_in_a_paper():
    mine = define(lambda run: sum(gain * (40 - rank) for rank, gain in enumerate(run)), name="Mine")
    [line] = [line for line in unanimity_latex(table_of([mine, "AP"])).splitlines() if line.startswith("Mine")]
    assert r"($\checkmark$)" in line


def test_data_say_where_floats_decided():
    tied = {"1": {"a": 1.0, "b": 1.0}}
    runs = [Results.from_mapping(name, tied) for name in ("one", "two")]
    judged = judge(runs, Judgments.from_mapping({"1": {"a": 1}}), ties="expected")
    data = unanimity(judged, ["RR", "P@1"], constraints=False).to_dict()
    assert data["ties"]["decided_on"] == "exact values where these are known, else floats"
