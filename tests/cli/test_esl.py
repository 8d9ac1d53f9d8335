"""`measurand esl`: the lottery of a search, and what ties do to runs."""

from __future__ import annotations

import io
import json

import pytest


def test_a_result_with_ties_is_a_lottery(call):
    outcome = call("esl", "+-|+--|++---", "-i", 2)
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[:2] == ["+-|+--|++---", "10 documents in 3 ranks, 4 of them relevant"]
    assert "Until relevant document 2, a reader inspects 2 nonrelevant documents on average: esl = 2." in lines
    bars = [line.split() for line in lines if "█" in line]
    assert [bar[:2] for bar in bars] == [["1", "1/3"], ["2", "1/3"], ["3", "1/3"]]


def test_the_lottery_comes_as_data_too(call):
    outcome = call("esl", "+-|+--|++---", "-i", 1, "-i", 5, "-f", "json")
    data = json.loads(outcome.out)
    assert [(search["i"], search["esl"]) for search in data["searches"]] == [(1, "1/2"), (5, "6")]
    assert data["searches"][0]["lottery"] == {"0": "1/2", "1": "1/2"}
    assert data["ranks"] == [[1, 1], [1, 2], [2, 3]]


def test_a_number_that_is_said_twice_is_told_of_once(call):
    assert call("esl", "+-", "-i", 1, "-i", 1).out == call("esl", "+-", "-i", 1).out


def test_a_result_without_relevant_documents_says_so(call):
    assert call("esl", "---").out.endswith(
        "There is no relevant document: a reader inspects 3 nonrelevant documents in vain.\n"
    )
    assert "no relevant document 2: a reader inspects nothing in vain: esl = 0" in call("esl", "+", "-i", 2).out


def test_of_many_searches_the_first_have_a_line(call):
    lines = call("esl", "+-" * 60_000).out.splitlines()
    assert len(lines) == 105
    assert lines[-1] == " … up to relevant document 60,000; -i tells of any."


def test_a_file_of_such_a_name_may_hold_judgments(small, call):
    (small / "+-").write_text((small / "qrels").read_text())
    assert call("esl", "+-", "alpha.run").out == call("esl", "qrels", "alpha.run").out


def test_data_hold_a_hundred_searches_at_most_unless_more_are_asked_for(call):
    data = json.loads(call("esl", "+" * 200 + "-" * 2000, "-f", "json").out)
    assert [search["i"] for search in data["searches"]] == list(range(1, 101))
    asked = json.loads(call("esl", "+" * 200 + "-" * 2000, "-i", 150, "-i", 150, "-f", "json").out)
    assert [(search["i"], search["lottery"]) for search in asked["searches"]] == [(150, None)]


def test_without_a_number_every_search_has_a_line(call):
    lines = call("esl", "+-|+--|++---").out.splitlines()
    assert [line.split()[:2] for line in lines[4:]] == [["1", "1/2"], ["2", "2"], ["3", "4"], ["4", "5"]]


@pytest.mark.parametrize("result", ["-|++---", "--|+", "---", "- | +", "+"])
def test_results_that_begin_like_options_are_results(call, result):
    outcome = call("esl", result, "-i", 1)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(result.replace(" ", ""))


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["+-||+"], 1, "rank 2"),
        (["++x"], 1, "neither a file nor a result"),
        ([""], 1, "is empty"),
        (["+\u2212"], 1, "'\\u2212' is none of + - and |"),
        ([f"{'+-' * 50_000}x"], 1, "neither a file nor a result"),
        (["+-", "-x"], 2, "No such option: -x"),
        (["qrels", "alpha.run", "-x"], 2, "No such option: -x"),
        (["+-", "-q", "-M", "3"], 2, "-q/--by-topic and -M/--depth: only for runs"),
        (["+-", "2"], 2, "'+-' is a result, and stands alone"),
        (["+-", "-|+"], 2, "'+-' is a result, and stands alone"),
        (["qrels", ""], 1, "an empty argument names no file"),
        (["", "alpha.run"], 1, "an empty argument names no file"),
        (["."], 2, "runs are to follow"),
        (["qrels"], 2, "runs are to follow"),
        (["--nonsense"], 2, "No such option: --nonsense"),
        (["qrels", "alpha.run", "--nonsense"], 2, "No such option: --nonsense"),
        (["+-", "-i", "0"], 2, "0 is not in the range"),
        (["qrels", "none.run"], 1, "none.run"),
        (["qrels", "alpha.run", "-o", "qrels"], 1, "would overwrite"),
        (["qrels", "alpha.run", "--collection-size", "1"], 1, "a collection of 1 is too small"),
    ],
)
def test_what_is_neither_is_refused(small, call, arguments, code, complaint):
    outcome = call("esl", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert complaint in outcome.err
    assert len(outcome.err) < 300
    assert "Traceback" not in outcome.err


def test_runs_have_a_line_each_with_what_trec_order_does(small, call):
    outcome = call("esl", "qrels", "alpha.run", "beta.run", "-i", 1)
    assert outcome.code == 0
    rows = {
        line.split()[0]: line.split()[1:] for line in outcome.out.splitlines() if line.startswith((" alpha", " beta"))
    }
    # alpha: 1 on topic 1, a tie on topic 2 that trec order loses, nothing on topic 3
    assert rows["alpha"][-3:] == ["1/3", "0", "1"]
    assert rows["beta"][-3:] == ["0/3", "0", "0"]
    farthest = "trec order hurts alpha on topic 2 with 1.0000, against 0.5000 on average and 0.0000 to 1.0000"
    assert f"Farthest apart: {farthest} over all orders." in " ".join(outcome.out.split())
    assert "--collection-size" in outcome.err


def test_topics_where_ties_matter_are_listed_on_demand(small, call):
    outcome = call("esl", "qrels", "alpha.run", "-q", "-f", "json", "--collection-size", "10")
    topics = json.loads(outcome.out)["measures"][0]["topics"]
    assert topics == [{"system": "alpha", "topic": "2", "trec": 1, "expected": 0.5, "least": 0, "greatest": 1}]


@pytest.mark.parametrize(
    ("ties", "value"), [("trec", "0.5000"), ("expected", "0.7500"), ("min", "0.5000"), ("max", "1.0000")]
)
def test_evaluate_takes_the_mean_or_the_extremes_over_ties(small, call, ties, value):
    outcome = call("evaluate", "qrels", "alpha.run", "-m", "RR", "-q", "--ties", ties)
    assert outcome.code == 0
    [line] = [line for line in outcome.out.splitlines() if line.split()[:2] == ["alpha", "2"]]
    assert line.split()[-1] == value


def test_half_an_answer_is_never_written(small, call):
    call("esl", "qrels", "alpha.run", "none.run", "-o", "out.txt")
    assert not (small / "out.txt").exists()
    assert call("esl", "+-", "-i", 1, "-o", "out.txt").code == 0
    assert (small / "out.txt").read_text().startswith("+-\n")


def test_what_is_said_of_all_measures_is_not_taken_for_what_is_said_of_one(small, call):
    notes = call("compare", "qrels", "alpha.run", "beta.run", "-m", "RR", "--ties", "expected").err.splitlines()
    assert any(line.startswith("note: RR depends on the order") for line in notes)
    assert any(line.startswith("note: dominance: documents with equal scores") for line in notes)


def test_other_measures_stand_beside_search_lengths(small, call):
    outcome = call("esl", "qrels", "alpha.run", "-m", "RR", "-m", "P@1", "-f", "json")
    assert [measure["measure"] for measure in json.loads(outcome.out)["measures"]] == ["RR", "P@1"]
    both = call("esl", "qrels", "alpha.run", "-m", "RR", "-i", 1, "-i", 1, "-f", "json")
    assert [measure["measure"] for measure in json.loads(both.out)["measures"]] == ["ESL(i=1)", "RR"]


def test_strict_refuses_means_that_depend_on_a_collection_of_unknown_size(small, call):
    outcome = call("evaluate", "qrels", "alpha.run", "-m", "ESL(i=2)", "--strict")
    assert (outcome.code, outcome.out) == (1, "")
    assert "averages of ESL(i=2) depend on the size of the collection, which is not said" in outcome.err
    assert call("evaluate", "qrels", "alpha.run", "-m", "ESL(i=2, collection=9)", "--strict").code == 0


def typed(monkeypatch, text):
    """Let the program read lines that are not typed at a terminal."""
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_questionnaire_says_what_answers_are_consistent_with(call):
    outcome = call("esl", "--questionnaire", "--answers", "1,=,=,=,=,=")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("Your 6 answers are consistent with a ratio scale.\n")
    found = json.loads(call("esl", "--questionnaire", "--answers", "1===1", "-f", "json").out)
    assert (found["result"], found["deciding"], found["done"]) == ("interval", ["sums-4-4"], True)


def test_answers_come_from_lines_are_kept_and_taken_up_again(call, monkeypatch, tmp_path):
    kept = tmp_path / "answers.tsv"
    typed(monkeypatch, "1\n=\n")
    outcome = call("esl", "--questionnaire", "--save", kept)
    assert "Questions are left" in " ".join(outcome.out.split())
    assert [line.split("\t")[:2] for line in kept.read_text().splitlines()[1:]] == [
        ["order-0-4", "1"],
        ["half-0-16", "="],
    ]
    again = json.loads(call("esl", "--questionnaire", "--answers", kept, "-f", "json").out)
    assert [one["answer"] for one in again["answers"]] == ["1", "="]
    typed(monkeypatch, "=\n=\n1\n")
    more = json.loads(call("esl", "--questionnaire", "--save", kept, "-f", "json").out)
    assert ([one["answer"] for one in more["answers"]], more["result"]) == (["1", "=", "=", "=", "1"], "interval")


def test_answers_that_no_question_is_left_for_are_named_beside_the_verdict(call):
    outcome = call("esl", "--questionnaire", "--answers", "1,?,=,=,=,=")
    assert outcome.out.startswith("Your 4 answers are consistent with an ordinal scale.")
    assert "the last 2 answers are not used (=, =)" in outcome.err


@pytest.mark.parametrize("text", ["mine\n", "question\tanswer\norder-0-4\t1\n"], ids=["foreign", "answers"])
def test_a_file_that_is_there_is_never_begun_anew(call, tmp_path, text):
    kept = tmp_path / "kept.tsv"
    kept.write_text(text)
    outcome = call("esl", "--questionnaire", "--save", kept, "--answers", "1,=")
    assert (outcome.code, kept.read_text()) == (2, text)
    assert "is there already" in outcome.err


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("order-0-4\t1\nhalf-0-8\t=\nhalf-8-16\t=\n", ":2: half-0-8 is answered, but half-0-16, which is asked before"),
        ("order-0-4\t1\norder-0-4\t2\n", ":2: order-0-4 is answered with 2 here and with 1 on line 1"),
        ("order-0-4\t1\nhalf-0-40\t=\n", ":2: 'half-0-40' is one of other questions"),
    ],
    ids=["a line is missing", "two answers", "another step"],
)
def test_answers_that_do_not_go_together_are_refused_and_kept(call, monkeypatch, tmp_path, lines, complaint):
    kept = tmp_path / "kept.tsv"
    kept.write_text(lines)
    typed(monkeypatch, "=\n")
    outcome = call("esl", "--questionnaire", "--save", kept)
    assert (outcome.code, kept.read_text()) == (1, lines)
    assert complaint in outcome.err


def test_whoever_breaks_off_keeps_the_answers_so_far(call, monkeypatch, tmp_path):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

        def readline(self):
            line = super().readline()
            if not line:
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr("sys.stdin", Terminal("1\nperhaps\n=\n"))
    outcome = call("esl", "--questionnaire", "--save", tmp_path / "kept.tsv")
    assert (outcome.code, outcome.out) == (130, "")
    assert "an answer is 1, 2, =" in outcome.err
    assert outcome.err.count("0 or 16 with equal chances?") == 2  # asked once more after what was no answer
    assert len((tmp_path / "kept.tsv").read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "text", "complaint"),
    [
        (("--questionnaire",), "", "no question was answered"),
        (("--questionnaire",), "1\n7\n", "answer 2: an answer is"),
        (("--questionnaire", "--answers", "nowhere.tsv"), "", "neither a list"),
    ],
)
def test_what_is_no_answer_is_refused_in_a_line(call, monkeypatch, arguments, text, complaint):
    typed(monkeypatch, text)
    outcome = call("esl", *arguments)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)
    assert complaint in outcome.err


def test_a_file_of_answers_that_is_wrong_names_the_line(call, tmp_path):
    (tmp_path / "a.tsv").write_text("question\tanswer\norder-0-4\tyes\n")
    outcome = call("esl", "--questionnaire", "--answers", tmp_path / "a.tsv")
    assert f"{tmp_path / 'a.tsv'}:2: an answer is" in outcome.err
    (tmp_path / "b.tsv").write_text("order-0-5\t1\n")
    assert "other questions" in call("esl", "--questionnaire", "--answers", tmp_path / "b.tsv").err


@pytest.mark.parametrize("arguments", [("--questionnaire", "-i", 2), ("+-", "--step", 3), ()])
def test_options_of_results_and_of_questions_do_not_mix(call, arguments):
    assert call("esl", *arguments).code == 2
