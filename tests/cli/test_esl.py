"""`measurand esl`: the lottery of a search, and what ties do to runs."""

from __future__ import annotations

import json

import pytest


@pytest.mark.spec("BR-Ex2.2")
def test_a_result_with_ties_is_a_lottery(call):
    outcome = call("esl", "+-|+--|++---", "-i", 2)
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[:2] == ["+-|+--|++---", "10 documents in 3 ranks, 4 of them relevant"]
    assert "Until relevant document 2, a reader inspects 2 nonrelevant documents on average: esl = 2." in lines
    bars = [line.split() for line in lines if "█" in line]
    assert [bar[:2] for bar in bars] == [["1", "1/3"], ["2", "1/3"], ["3", "1/3"]]


@pytest.mark.spec("BR-Ex2.1")
@pytest.mark.spec("BR-2-FEW")
def test_the_lottery_comes_as_data_too(call):
    outcome = call("esl", "+-|+--|++---", "-i", 1, "-i", 5, "-f", "json")
    data = json.loads(outcome.out)
    assert [(search["i"], search["esl"]) for search in data["searches"]] == [(1, "1/2"), (5, "6")]
    assert data["searches"][0]["lottery"] == {"0": "1/2", "1": "1/2"}
    assert data["ranks"] == [[1, 1], [1, 2], [2, 3]]


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
        ([""], 1, ""),
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
    assert "Most is at stake for alpha on topic 2: 1.0000 in trec order, 0.0000 to 1.0000" in outcome.out


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
