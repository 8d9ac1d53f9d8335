"""`measurand order`: two judged runs beside each other."""

from __future__ import annotations

import json
from itertools import pairwise, product

import pytest

from measurand.orders import ORDERS, chain, compare


def refused(outcome) -> str:
    """Return the complaint of a call that was wrong: one line on the error stream, and nothing else."""
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("measurand: ")
    assert outcome.err.count("\n") == 1
    return outcome.err.removeprefix("measurand: ").rstrip("\n")


def answered(outcome) -> list[str]:
    """Return the lines of a call that succeeded."""
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.endswith("\n")
    return outcome.out.splitlines()


def data(outcome):
    answered(outcome)
    return json.loads(outcome.out)


def test_neither_of_two_runs_need_be_better(call):
    assert answered(call("order", "1,0,0,1", "0,1,1,0")) == [
        "incomparable: neither is better",
        "down to rank 1 the first has 1 document of grade 1 or more against 0, down to rank 3 it has 1 against 2",
        "steps above the worst run, of 10 with 2 grades: 5 and 5",
        "",
        "join, the worst run that is at least as good as both: 1,0,1,0",
        "meet, the best run that is at most as good as both: 0,1,0,1",
    ]


def test_runs_without_a_join_come_with_the_closest_runs(call):
    assert answered(call("order", "0,2", "1,0"))[-4:] == [
        "no join: 2 runs are at least as good as both, with none between",
        "  1,2",
        "  2,0",
        "meet, the best run that is at most as good as both: 0,1",
    ]
    found = data(call("order", "nr,hr", "pr,nr", "--labels", "nr,pr,hr", "-f", "json"))
    assert found["minimal_upper_bounds"] == [["pr", "hr"], ["hr", "nr"]]
    assert found["maximal_lower_bounds"] == [["nr", "pr"]]
    assert found["all_bounds"]


def test_of_very_many_closest_runs_some_are_shown_and_their_number_is_not_made_up(call):
    one, other = ",".join(["0,2,0,1"] * 40), ",".join(["1,0,1,0"] * 40)
    lines = answered(call("order", one, other))
    found = data(call("order", one, other, "-f", "json"))
    start = next(line for line in lines if line.startswith("no join"))
    number = len(found["minimal_upper_bounds"])
    assert not found["all_bounds"]
    assert f"no join: {number} or more runs" in start
    assert lines[lines.index(start) + 1].strip() == ",".join(found["minimal_upper_bounds"][0])


def test_join_and_meet_keep_grades_as_they_are_written(call):
    lines = answered(call("order", "0,1/3,2", "1/3,0,1/3", "--order", "replacement"))
    assert lines[-2:] == [
        "join, the worst run that is at least as good as both: 1/3,1/3,2",
        "meet, the best run that is at most as good as both: 0,0,1/3",
    ]


def test_a_worse_run_comes_with_the_steps_that_lead_to_the_better(call):
    lines = answered(call("order", "0,0,1", "1,0,1"))
    assert lines[:2] == [
        "less: the first is worse",
        "down to rank 1 the first has 0 documents of grade 1 or more against 1",
    ]
    assert lines[2:] == [
        "steps above the worst run, of 6 with 2 grades: 1 and 4",
        "",
        "from the worse to the better:           0,0,1",
        "  swap ranks 1 and 3, grades 0 and 1    1,0,0",
        "  replace grade 0 at rank 3 by grade 1  1,0,1",
    ]


def test_the_steps_lead_from_the_worse_run_whichever_comes_first(call):
    worse, better = answered(call("order", "0,0,1", "1,0,1")), answered(call("order", "1,0,1", "0,0,1"))
    assert better[0] == "greater: the first is better"
    assert better[4:] == worse[4:]


@pytest.mark.parametrize("order", ["swap", "replacement", "set-replacement"])
def test_the_runs_along_the_way_lead_to_the_better(call, order):
    for r, s in product(product(range(3), repeat=3), [(0, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 1)]):
        low, high = ((sorted(run, reverse=True) if order.startswith("set") else list(run)) for run in (r, s))
        if compare(r, s, order) != "less":
            continue
        lines = answered(call("order", "".join(map(str, r)), "".join(map(str, s)), "--order", order))
        way = [[int(grade) for grade in line.split()[-1].split(",")] for line in lines[4:]]
        assert (way[0], way[-1]) == (low, high)
        assert [str(compare(one, other, order)) for one, other in pairwise(way)] == ["less"] * (len(way) - 1)


def test_equal_runs_need_no_steps(call):
    lines = answered(call("order", "1,0,2", "1,0,2"))
    assert lines == [
        "equal: the two are equal",
        "the two have the same grades",
        "steps above the worst run in the completion of the order, of 12 with 3 grades: 5 and 5"
        " (one swap can be several of these steps)",
    ]
    assert data(call("order", "1,0,2", "1,0,2", "-f", "json"))["chain"] == []


def test_json_has_the_relation_the_reason_and_the_chain(call):
    found = data(call("order", "0,1,0", "2,0,1", "-f", "json"))
    assert {"relation", "order", "why", "chain"} <= set(found)
    assert (found["relation"], found["order"]) == ("less", "swap")
    assert found["why"] == "down to rank 1 the first has 0 documents of grade 1 or more against 1"
    steps = [(step["kind"], step["rank"], step["other"], step["old"], step["new"]) for step in found["chain"]]
    assert steps == [
        ("swap", 1, 2, "0", "1"),
        ("replacement", 1, None, "1", "2"),
        ("replacement", 3, None, "0", "1"),
    ]
    assert found["chain"][0]["text"] == "swap ranks 1 and 2, grades 0 and 1"


def test_incomparable_runs_have_a_reason_and_no_chain(call):
    found = data(call("order", "1,0,0,1", "0,1,1,0", "-f", "json"))
    assert (found["relation"], found["chain"]) == ("incomparable", None)
    assert "down to rank 3" in found["why"]


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_is_the_library_s(call, order):
    for r, s in product([(1, 0, 0), (0, 1, 1), (0, 0, 2), (1, 0, 2)], repeat=2):
        first, second = (",".join(map(str, run)) for run in (r, s))
        found = data(call("order", first, second, "--order", order, "-f", "json"))
        assert (found["relation"], found["order"]) == (str(compare(r, s, order)), order)
        low, high = (s, r) if found["relation"] == "greater" else (r, s)
        if found["relation"] == "incomparable" or "projection" in order:
            assert found["chain"] is None
        else:
            assert [step["text"] for step in found["chain"]] == [str(step) for step in chain(low, high, order)]
        assert answered(call("order", first, second, "--order", order))[0].startswith(f"{found['relation']}: ")


@pytest.mark.parametrize(
    ("order", "relation"),
    [
        ("swap", "incomparable"),
        ("replacement", "incomparable"),
        ("projection", "greater"),
        ("set-replacement", "less"),
        ("set-projection", "less"),
    ],
)
def test_the_orders_differ(call, order, relation):
    assert data(call("order", "1,0,0", "0,1,1", "--order", order, "-f", "json"))["relation"] == relation


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_comparison_may_be_written_to_a_file(call, tmp_path, form):
    printed = call("order", "1,0", "0,1", "-f", form).out
    outcome = call("order", "1,0", "0,1", "-f", form, "-o", tmp_path / "order.txt")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert (tmp_path / "order.txt").read_text() == printed


def test_of_several_runs_every_two_are_compared_and_all_have_a_join_and_a_meet(call):
    told = answered(call("order", "1,0,0,1", "0,1,1,0", "0,0,1,1"))
    assert told[0] == "Order 'swap': how the run of a row stands to that of a column; rank: steps up to it, of 10"
    assert [line.split() for line in told[3:6]] == [
        ["1,0,0,1", "1", "5", "–", "neither", "better"],
        ["0,1,1,0", "2", "5", "neither", "–", "better"],
        ["0,0,1,1", "3", "3", "worse", "worse", "–"],
    ]
    assert [line.split() for line in told[-2:]] == [["join", "1,0,1,0"], ["meet", "0,0,1,1"]]
    found = data(call("order", "0,2", "1,0", "0,0", "-f", "json"))
    assert (found["ranks"], found["highest_rank"]) == ([2, 2, 0], 6)
    assert found["relations"][0] == ["equal", "incomparable", "greater"]
    assert (found["minimal_upper_bounds"], found["all_bounds"]) == ([["1", "2"], ["2", "0"]], True)


def test_ranks_count_labels_and_leave_fractions_out(call):
    ranks = ("order", "nr,hr", "pr,nr", "--labels", "nr,pr,hr,xr", "--order", "projection", "-f", "json")
    assert (data(call(*ranks))["ranks"], data(call(*ranks))["highest_rank"]) == ([2, 4], 15)
    assert data(call("order", "1/2,0", "0,1", "-f", "json"))["ranks"] is None


# How runs are written.


def test_grades_of_one_digit_may_go_without_commas(call):
    assert call("order", "1001", "0110").out == call("order", "1,0,0,1", "0,1,1,0").out


def test_a_run_may_have_one_rank(call):
    assert answered(call("order", "0", "1"))[0] == "less: the first is worse"


def test_blanks_around_grades_do_not_matter(call):
    assert answered(call("order", " 1, 0 ", "0 ,1"))[0] == "greater: the first is better"


def test_grades_may_be_large_or_fractions(call):
    found = data(call("order", "12,0,1/2", "10,0.5,0", "-f", "json"))
    assert found["relation"] == "incomparable"
    assert data(call("order", "0.5,0", "1/2,0", "-f", "json"))["relation"] == "equal"


def test_grades_may_have_names(call):
    lines = answered(call("order", "nr,hr,pr", "hr,nr,hr", "--labels", "nr,pr,hr"))
    assert lines[0] == "less: the first is worse"
    assert lines[1] == "down to rank 1 the first has 0 documents of grade pr or more against 1"
    assert [line.split()[-1] for line in lines[4:]] == ["nr,hr,pr", "hr,nr,pr", "hr,nr,hr"]
    found = data(call("order", "nr,hr,pr", "hr,nr,hr", "--labels", "nr,pr,hr", "-f", "json"))
    assert [(step["old"], step["new"]) for step in found["chain"]] == [("nr", "hr"), ("pr", "hr")]


def test_blanks_around_names_do_not_matter(call):
    assert answered(call("order", "nr, hr", "hr, nr", "--labels", "nr, pr, hr"))[0] == "less: the first is worse"


def test_what_is_unjudged_or_missing_counts_as_not_relevant(call):
    found = data(call("order", "-f", "json", "--", "-1,0,1", "1,-2,0"))
    assert found["relation"] == "less"
    assert found["chain"][0]["text"] == "swap ranks 1 and 3, grades 0 and 1"
    assert data(call("order", "-f", "json", "--", "-1,0", "0,-2"))["relation"] == "equal"


# What is refused.


def test_runs_of_different_lengths_are_refused(call):
    assert "runs of 3 and 2 documents cannot be compared" in refused(call("order", "1,0,0", "1,0"))


@pytest.mark.parametrize("text", ["1,,0", "", ",", "1,0,", " ", "1, ,0"])
@pytest.mark.parametrize("second", [False, True])
def test_gaps_are_refused(call, text, second):
    told = refused(call("order", *(("1,0,0", text) if second else (text, "1,0,0"))))
    assert f"{text!r} is no judged run; write grades with commas between, like 1,0,0,1" in told


@pytest.mark.parametrize("text", ["x,y", "xy", "1;0", "nan,0", "inf,0", "1/0,0", "0x1,0"])
def test_what_is_no_grade_is_refused(call, text):
    refused(call("order", text, "1,0"))


def test_grades_below_the_unjudged_are_refused(call):
    assert "-7" in refused(call("order", "--", "-7,0", "1,0"))


def test_names_that_are_none_of_the_labels_are_refused(call):
    told = refused(call("order", "nr,xr", "nr,hr", "--labels", "nr,pr,hr"))
    assert told == "'xr' is none of the labels nr, pr, hr"


def test_labels_that_repeat_are_refused(call):
    assert "twice" in refused(call("order", "a,b", "b,a", "--labels", "a,b,a"))


def test_a_file_that_cannot_be_written_is_told(call, tmp_path):
    assert "nowhere" in refused(call("order", "1,0", "0,1", "-o", tmp_path / "nowhere" / "a.txt"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Name two runs"),
        (("1,0",), "Name two runs"),
        (("1,0", "0,1", "--order", "best"), "'best' is not one of"),
        (("1,0", "0,1", "-f", "tsv"), "'tsv' is not one of"),
        (("1,0", "0,1", "-o", "."), "is a directory"),
    ],
)
def test_a_call_that_makes_no_sense_is_a_usage_error(call, arguments, message):
    outcome = call("order", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


@pytest.mark.parametrize(("first", "second"), [("1 0", "0 1"), ("10", "01"), ("1,0", " 0, 1")])
def test_digits_and_blanks_do_without_commas(call, first, second):
    assert call("order", first, second).out.startswith("greater")


def test_unjudged_documents_count_as_grade_0_and_need_no_dashes(call):
    outcome = call("order", "-1,0", "-2,1")
    assert outcome.out.startswith("less")
    assert outcome.out.rstrip().endswith("0,1")


def test_the_steps_between_long_runs_are_abbreviated_and_their_runs_left_out(call):
    low, high = ",".join("01" * 100), ",".join("10" * 100)
    lines = call("order", low, high).out.splitlines()
    assert len(lines) == 5 + 40 + 1
    assert "  … 60 steps more …" in lines
    assert max(map(len, lines)) < 100


def test_unjudged_documents_count_as_the_lowest_label(call):
    assert call("order", "hr,-1", "nr,hr", "--labels", "nr, hr").out.startswith("greater")


# Moves of one's own.


@pytest.fixture
def moves(tmp_path, monkeypatch) -> None:
    """Put a file of moves into the working directory."""
    (tmp_path / "moves.py").write_text(MOVES)
    monkeypatch.chdir(tmp_path)


MOVES = """
print("what a file prints is not the answer")

def up(run):
    for i in range(min(2, len(run) - 1)):
        if run[i] < run[i + 1]:
            yield (*run[:i], run[i + 1], run[i], *run[i + 2 :])

def more(run, grades):
    return [(*run[:i], grade + 1, *run[i + 1 :]) for i, grade in enumerate(run) if grade + 1 < grades]

def turn(run):
    return [run[1:] + run[:1]] if len(set(run)) > 1 else []
"""


def in_own_order(call, *arguments):
    """Return the lines of a call with moves, and what the file of moves printed apart from them."""
    outcome = call("order", *arguments)
    assert outcome.code == 0
    assert set(outcome.err.splitlines()) == {"what a file prints is not the answer"}
    return outcome.out.splitlines()


def test_own_moves_lead_from_the_worse_to_the_better(call, moves):
    assert in_own_order(call, "1,1,0", "0,0,1", "--moves", "moves.py:up", "--moves", "moves.py:more") == [
        "greater: the first is better",
        "2 moves lead from the second to the first: (0, 0, 1) → (0, 1, 0) → (1, 1, 0)",
        "",
        "from the worse to the better:  0,0,1",
        "  up                           0,1,0",
        "  more                         1,1,0",
    ]
    found = json.loads("\n".join(in_own_order(call, "010", "100", "--moves", "moves.py:up", "-f", "json")))
    assert (found["relation"], found["order"]) == ("less", "up")
    assert [(step["by"], step["after"]) for step in found["chain"]] == [("up", [1, 0, 0])]


def test_long_runs_are_compared_by_moves_that_lie_within_an_order(call, moves):
    named = ("--moves", "moves.py:up", "--moves", "moves.py:more", "--within", "swap")
    lines = in_own_order(call, "2100210003", "2022100111", *named)
    assert lines[:1] == ["incomparable: neither is better"]
    assert len(lines) == 2
    assert call("order", "0,1", "1,0", "--within", "swap").code == 2


def test_runs_that_own_moves_do_not_compare_come_with_their_closest_bounds(call, moves):
    lines = in_own_order(call, "0,0,0,1", "1,0,0,0", "--moves", "moves.py:up", "--moves", "moves.py:more")
    assert lines[-2:] == [
        "join, the worst run that is at least as good as both: 1,0,0,1",
        "meet, the best run that is at most as good as both: 0,0,0,0",
    ]
    assert in_own_order(call, "0,1", "1,1", "--moves", "moves.py:up")[-2:] == [
        "no join: no run is at least as good as both",
        "no meet: no run is at most as good as both",
    ]


def test_an_order_of_own_moves_is_drawn_and_reported_on(call, moves):
    drawn = in_own_order(call, "--hasse", "-d", "3", "--moves", "moves.py:up")
    assert drawn[0] == "up, 3 ranks, 2 grades: 8 runs"
    report = in_own_order(call, "-d", "3", "--moves", "moves.py:up", "-m", "RR")
    assert "pieces" in "".join(report)
    assert report[0] == "RR respects the moves of up: holds (exhaustive): all 8 runs of 3 ranks and 2 grades"
    data = json.loads("\n".join(in_own_order(call, "-g", "3", "--moves", "moves.py:more", "-f", "json", "-m", "P")))
    assert (data["runs"], data["is_distributive"], data["respected"][0]["holds"]) == (81, True, True)


def test_whether_measures_respect_own_moves_is_answered_where_runs_are_too_many_for_a_list(call, moves):
    report = in_own_order(call, "-d", "14", "--moves", "moves.py:up", "-m", "RR", "-m", "P")
    assert [line.partition(":")[0] for line in report[:2]] == [
        "RR respects the moves of up",
        "P respects the moves of up",
    ]
    assert "all 16,384 runs of 14 ranks" in report[0]
    assert "Whether it is a lattice is not known" in " ".join(report)
    assert call("order", "-d", "14", "--moves", "moves.py:up").code == 1
    assert call("order", "--hasse", "-m", "RR", "-m", "P").code == 1


def test_a_report_on_own_moves_has_their_balancing_index(call, moves):
    report = in_own_order(call, "-d", "4", "--moves", "moves.py:more", "--moves", "moves.py:up")
    assert " ".join(report).startswith(
        "more + up: at 4 ranks a tail of grade 1 from rank 1 on is at least as good as one"
    )
    data = json.loads("\n".join(in_own_order(call, "-d", "4", "--moves", "moves.py:up", "-f", "json")))
    assert (data["balancing_index"], data["runs"]) == (None, 16)


def test_three_runs_are_compared_by_own_moves(call, moves):
    found = json.loads("\n".join(in_own_order(call, "001", "010", "100", "--moves", "moves.py:up", "-f", "json")))
    assert found["relations"] == [
        ["equal", "less", "less"],
        ["greater", "equal", "less"],
        ["greater", "greater", "equal"],
    ]
    assert found["minimal_upper_bounds"] == [["1", "0", "0"]]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--moves", "moves.py:turn"], "the moves of 'turn' go round in a circle"),
        (["0,1", "1,0", "--moves", "moves.py:down"], "moves.py has no 'down'; it has up, more, turn"),
        (["0,2", "1,0", "-g", "2", "--moves", "moves.py:up"], "a run has grade 2"),
        (["0,1,0", "1,0", "--moves", "moves.py:up"], "runs of 3 and 2 documents cannot be compared"),
    ],
)
def test_moves_that_make_no_order_are_refused(call, moves, arguments, complaint):
    outcome = call("order", *arguments)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines()[-1].startswith(f"measurand: {complaint}")


def test_own_moves_go_with_no_other_order(call, moves):
    assert call("order", "0,1", "1,0", "--moves", "moves.py:up", "--order", "swap").code == 2


@pytest.mark.parametrize("more", [["-g", "0,0.3,0.7"], []])
def test_real_grades_are_shown_as_they_are_written(call, more):
    outcome = call("order", "0,0.7,0.3", "0.3,0.7,0", *more)
    lines = outcome.out.splitlines()
    assert lines[1] == "down to rank 1 the first has 0 documents of grade 0.3 or more against 1"
    steps = "steps above the worst run in the completion of the order, of 12 with 3 grades: 5 and 7"
    assert (f"{steps} (one swap can be several of these steps)" in lines) == bool(more)
    assert lines[-1] == "  swap ranks 1 and 3, grades 0 and 0.3  0.3,0.7,0"


def test_own_moves_take_labels_and_real_grades(call):
    moves = ["--moves", "measurand.orders:replacements"]
    outcome = call("order", "nr,hr", "pr,hr", "--labels", "nr,pr,hr", *moves)
    assert outcome.out.splitlines()[-1] == "  replacements                 pr,hr"
    outcome = call("order", "0,0.7", "0.3,0.7", *moves)
    assert outcome.out.splitlines()[1] == "1 move leads from the first to the second: (0, 0.7) → (0.3, 0.7)"
