"""`measurand order --hasse`: a whole order, printed and drawn."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest


def words_of(svg: bytes) -> set[str]:
    root = ElementTree.fromstring(svg)
    return {element.text or "" for element in root.iter() if element.tag.endswith(("text", "tspan"))}


def test_where_joins_are_lacking_join_irreducible_are_those_of_the_completion(call):
    lines = call("order", "--hasse", "-d", "2", "-g", "3").out.splitlines()
    assert lines[1].endswith("6 join-irreducible in the completion (*)")


def test_an_order_is_printed_level_by_level(call):
    outcome = call("order", "--hasse", "-d", "3", "-m", "RR")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines() == [
        "swap order, 3 ranks, 2 grades: 8 runs",
        "8 covers, 7 levels, 6 join-irreducible (*); behind every run its RR",
        "",
        "  6  111*=1",
        "  5  110*=1",
        "  4  101=1",
        "  3  011*=0.5   100*=1",
        "  2  010*=0.5",
        "  1  001*=0.3333",
        "  0  000=0",
    ]


def test_four_ranks_are_drawn_if_nothing_is_said(call):
    assert call("order", "--hasse").out.startswith("swap order, 4 ranks, 2 grades: 16 runs\n")


def test_an_order_is_drawn_into_a_file(call, tmp_path):
    target = tmp_path / "hasse.svg"
    outcome = call("order", "--hasse", "--depth", "4", "-m", "AP", "-o", str(target))
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    words = words_of(target.read_bytes())
    assert {"0000", "1001", "1111", "0.375", "below every run: its AP, recall base 4"} <= words


@pytest.mark.parametrize(("ending", "begins"), [("png", b"\x89PNG"), ("dot", b"digraph")])
def test_the_ending_of_the_file_says_what_it_is(call, tmp_path, ending, begins):
    target = tmp_path / f"hasse.{ending}"
    assert call("order", "--hasse", "-d", "2", "-o", str(target)).code == 0
    assert target.read_bytes().startswith(begins)


def test_json_is_the_specification_of_the_drawing_unless_data_is_asked_for(call, tmp_path):
    target = tmp_path / "hasse.json"
    call("order", "--hasse", "-d", "2", "-o", str(target))
    assert "layer" in json.loads(target.read_text())
    call("order", "--hasse", "-d", "2", "-f", "json", "-o", str(target))
    assert json.loads(target.read_text())["level_sizes"] == [1, 1, 1, 1]


def test_data_tells_runs_levels_and_lines(call):
    found = json.loads(call("order", "--hasse", "-d", "2", "-g", "3", "--order", "set-replacement", "-f", "json").out)
    assert {"run": [1, 1], "level": 2, "relevant": 2, "join_irreducible": True, "marked": False} in found["nodes"]
    assert len(found["edges"]) == 6
    decimals = json.loads(call("order", "--hasse", "-d", "2", "-g", "0,0.3,1", "-f", "json").out)
    assert ["0.3", 1] in [node["run"] for node in decimals["nodes"]]


def test_named_runs_set_the_depth_and_are_marked(call, tmp_path):
    target = tmp_path / "hasse.svg"
    assert call("order", "1,0,2", "0,1,0", "--hasse", "-o", str(target)).code == 0
    words = words_of(target.read_bytes())
    assert "swap order, 3 ranks, 3 grades: 27 runs" in words
    assert "brown border: the runs that were named" in words


def test_named_runs_stand_in_brackets_where_no_colour_can_mark_them(call):
    lines = call("order", "101", "--hasse", "-m", "RR").out.splitlines()
    assert lines[1].endswith("6 join-irreducible (*); [ ] the runs that were named; behind every run its RR")
    assert "  4  [101]=1" in lines
    nodes = json.loads(call("order", "101", "--hasse", "-f", "json").out)["nodes"]
    assert [node["run"] for node in nodes if node["marked"]] == [[1, 0, 1]]


def test_one_line_is_not_called_several(call):
    assert "1 cover, 2 levels, 1 join-irreducible" in call("order", "--hasse", "-d", "1").out


def test_a_narrow_terminal_does_not_make_the_text_in_a_file_narrow(call, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    target = tmp_path / "hasse.txt"
    call("order", "--hasse", "-d", "6", "-o", str(target))
    assert max(map(len, target.read_text().splitlines())) > 40


def test_too_many_runs_for_names_are_drawn_with_a_note(call, tmp_path):
    outcome = call("order", "--hasse", "-d", "9", "-o", str(tmp_path / "a.svg"))
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == "note: 512 runs are drawn as dots; 300 have room for names\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--hasse", "-d", "13"), "8,192 runs"),
        (("--hasse", "-d", "1000", "-g", "5"), "5^1000 runs"),
        (("1,0", "1,0,0", "--hasse"), "runs of 2 and 3 ranks do not stand in one diagram"),
        (("1,0", "--hasse", "-d", "3"), "runs of 2 and 3 ranks do not stand in one diagram"),
        (("2,0", "--hasse", "-g", "2"), "grade"),
        (("1,x", "--hasse"), "is no grade"),
        (("--hasse", "-m", "AP P@5"), "one measure, not of 2"),
        (("--hasse", "-m", "Nonsense"), "Nonsense"),
        (("--hasse", "-m", "AP(rel=2)"), "ask for 3 grades"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_nothing_is_written(call, tmp_path, arguments, message):
    target = tmp_path / "hasse.svg"
    outcome = call("order", *arguments, "-o", str(target))
    assert (outcome.code, outcome.out) == (1, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert not target.exists()


def test_a_format_that_cannot_be_drawn_is_refused(call, tmp_path):
    outcome = call("order", "--hasse", "-o", str(tmp_path / "hasse.pdf"))
    assert (outcome.code, outcome.out) == (1, "")
    assert "ends in .svg, .png, .html, .json, .dot, .txt" in outcome.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "title", "top"),
    [
        (("0.3,0", "0,1", "--hasse"), "swap order, 2 ranks, grades 0, 0.3, 1: 9 runs", "6  1,1*"),
        (("--hasse", "-g", "0,0.75", "-d", "2"), "swap order, 2 ranks, grades 0, 0.75: 4 runs", "3  0.75,0.75*"),
        (("--hasse", "--labels", "nr,hr", "-d", "2"), "swap order, 2 ranks, grades nr, hr: 4 runs", "3  hr,hr*"),
    ],
)
def test_other_grades_are_drawn_as_they_are_written(call, arguments, title, top):
    lines = call("order", *arguments).out.splitlines()
    assert (lines[0], lines[3].strip()) == (title, top)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--hasse", "-f", "json", "-o", "hasse.svg"), "-f json writes data"),
        (("1,0", "0,1", "-d", "3"), "-d, -g, -m and --recall-base belong to --hasse"),
        (("--hasse", "--labels", "a,b", "-g", "2"), "--labels names all grades; leave out -g"),
        (("--hasse", "-d", "0"), "not in the range"),
        ((), "Name two runs"),
        (("1,0", "0,1", "--hase"), "No such option --hase; did you mean --hasse?"),
        (("1,0", "0,1", "-o", "foo.svg"), "say --hasse to draw"),
    ],
)
def test_calls_that_make_no_sense_are_usage_errors(call, arguments, message):
    outcome = call("order", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
