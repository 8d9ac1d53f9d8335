"""The unanimity of measures as text: what stands in the table, what is said beside it, and what fits."""

from __future__ import annotations

from fractions import Fraction

import pytest
from attrs import evolve
from rich.cells import cell_len

from measurand.display.terminal import terminal_text
from measurand.information.unanimity import MeasureUnanimity
from measurand.judged import JudgedRuns
from measurand.measures import define
from measurand.study.unanimity import unanimity
from measurand.study.unanimity_table import UnanimityRow, UnanimityTable


def unanimity_text(table, **options):
    return terminal_text(table.document(), **options)


RUNS = [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 0]]


def table_of(measures, runs=RUNS, **options) -> UnanimityTable:
    judged = JudgedRuns.on_one_topic(runs, (400, 2))
    return unanimity(judged, measures, **{"collection": 100_000, "recall_base": 40, "ranks": 30, **options})


def rows(text: str) -> dict[str, list[str]]:
    start = next(n for n, line in enumerate(text.splitlines()) if line.startswith(" measure"))
    lines = [line.split() for line in text.splitlines()[start + 1 :]]
    return {line[0]: line[1:] for line in lines[: lines.index([])]}


def test_every_measure_has_a_row_with_its_unanimity_and_its_marks():
    text = unanimity_text(table_of(["AP", "P@20", "RR"]))
    assert rows(text) == {
        "AP": ["0.7776", "28.6%", "2", "✓", "✗*", "✗", "✓", "✗"],
        "RR": ["0.5146", "57.1%", "4", "✗", "✗", "✓", "✗", "✗"],
        "P@20": ["0.0000", "100.0%", "7", "✗", "✗", "✓", "✓", "✗"],
    }
    assert "All agree on 7 of 12 ordered pairs of systems (58.3%). Ties were decided on exact values." in text


def test_without_constraints_nothing_is_said_of_them():
    text = unanimity_text(table_of(["AP", "RR"], constraints=False))
    assert [len(row) for row in rows(text).values()] == [3, 3]
    assert not any(word in text for word in ("✓", "✗", "priority", "Table 2"))


def test_what_unanimity_is_stands_below_in_plain_words():
    said = " ".join(unanimity_text(table_of(["AP", "RR"], constraints=False)).split())
    assert "It only tells how rarely a measure ties on pairs of systems that no measure orders the other way" in said
    assert "does not tell which measure is right" in said


def test_marks_that_are_not_those_of_the_paper_are_explained():
    said = " ".join(unanimity_text(table_of(["AP", "OIE", "P@20", "P@100"], ranks=None, recall_base=60)).split())
    assert "wrong there AP Deep (E-A-5), OIE(beta=1.2) DeepTh (E-A-1)" in said
    assert "other topic P@100 DeepTh: it depends on how many documents are relevant" in said
    agreeing = unanimity_text(table_of(["RR@10", "P@20"]))
    assert "*" not in agreeing
    assert "Table 2" not in agreeing


def test_the_size_of_the_collection_is_told_once():
    text = unanimity_text(table_of(["OIE", "OIE(collection=5000)", "ESL", "AP"]))
    assert {"OIE(beta=1.2)", "AP", "ESL(i=1)"} <= set(rows(text))
    assert "OIE(beta=1.2, collection=5000)" in text
    assert "a topic with 40 relevant documents among 100,000." in " ".join(text.split())


def test_another_size_that_begins_with_the_same_digits_is_told_in_full():
    text = unanimity_text(table_of(["OIE", "OIE(collection=1000)", "AP"], collection=100, constraints=False))
    assert "OIE(beta=1.2, collection=1000)" in text
    assert {"OIE(beta=1.2)", "AP"} < set(rows(text))


def test_what_is_not_defined_has_a_dash():
    # one is better at the top, the other finds more
    text = unanimity_text(table_of(["RR", "P@4"], runs=[[1, 0, 0, 0], [0, 1, 1, 0]], constraints=False))
    assert rows(text) == {"RR": ["–", "–", "0"], "P@4": ["–", "–", "0"]}
    assert "nan" not in text.replace("Unanimity", "").replace("unanimity", "")


def test_a_tie_among_very_many_pairs_is_not_shown_as_none():
    found = MeasureUnanimity(measure="AP", pairs=10_000, unanimous=5_000, tied=1)
    table = table_of(["AP", "RR"], constraints=False)
    rare = evolve(table, rows=(UnanimityRow(found=found), *table.rows[1:]))
    assert rows(unanimity_text(rare))["AP"][1] == "<0.1%"


def test_equal_floats_that_were_told_apart_are_counted():
    deep = [(1, *[0] * 98, 1), (1, *[0] * 99)]
    text = unanimity_text(table_of(["RBP(p=0.5)", "AP"], runs=deep, constraints=False))
    assert "exact values; 1 group of equal floats told apart" in " ".join(text.split())


def test_marks_that_rest_on_trials_are_in_brackets():
    mine = define(lambda run: Fraction(sum(gain * (40 - rank) for rank, gain in enumerate(run))), name="Mine")
    text = unanimity_text(table_of([mine, "AP"]))
    assert rows(text)["Mine"][3] == "(✓)"
    assert rows(text)["AP"][3] == "✓"
    assert "(✓): no run that was tried breaks it." in " ".join(text.split())


def test_marks_of_a_function_that_failed_are_open():
    failing = define(lambda run: 1 if len(run) == 4 else 1 / 0, name="Failing")
    text = unanimity_text(table_of([failing, "AP"]))
    assert "?" in rows(text)["Failing"]
    assert "?: the function failed on a run." in " ".join(text.split())


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_text_fits(width):
    text = unanimity_text(table_of(["AP", "OIE", "OIE(beta=1)", "interval(AP@4)", "P@20", "RR"]), width=width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "Conf" in text
    assert ("Too narrow for tie rate, tied" in text) == (width == 60)
    # a name is never broken where numbers can be left out
    assert "interval(AP@4)" in text


def test_marks_have_colours_on_demand():
    assert "\x1b[32m✓" in unanimity_text(table_of(["AP", "RR"]), colour=True)
    assert "\x1b" not in unanimity_text(table_of(["AP", "RR"]))
