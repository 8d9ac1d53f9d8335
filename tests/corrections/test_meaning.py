"""Statements that form alone settles, geometric means on interval scales, and a hint on graded judgments (D17)."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

import measurand as md

check = md.meaning.check


def scores(values, measure="AP", *, one_scale=False):
    systems = tuple("ABCDEF"[: len(values)])
    topics = tuple(map(str, range(len(values[0]))))
    return md.Scores(measure=measure, values=values, systems=systems, topics=topics, one_scale=one_scale)


WEAVE = [[0.2, 0.5, 0.3], [0.1, 0.6, 0.2], [0.4, 0.1, 0.35]]

SETTLED = [
    ("mean of A exceeds 0.3 or mean of A is at most 0.3", True),
    ("mean of A exceeds 0.3 or mean of A is below 0.4", True),
    ("mean of A exceeds 0.3 and mean of A is at most 0.3", False),
    ("mean of A exceeds 0.4 and mean of A is below 0.3", False),
    ("mean of A equals 0.3 or mean of A exceeds 0.3 or mean of A is below 0.3", True),
    ("mean of A exceeds mean of B or mean of B is at least mean of A", True),
    ("mean of A exceeds 1.5 times mean of B or mean of A is at most 1.5 times mean of B", True),
    ("A beats B and B beats A", False),
    ("A beats B or it is not true that A beats B", True),
    ("it is not true that (A beats B and B beats A)", True),
    ("A > B > C and C > B", False),
    ("A and B differ significantly by t or it is not true that A and B differ significantly by t", True),
    ("score of A exceeds 0.3 on topic 1 or score of A is at most 0.3 on topic 1", True),
]


@pytest.mark.parametrize(("sentence", "true"), SETTLED)
@pytest.mark.parametrize("scale", ["ordinal", "interval", "ratio"])
@pytest.mark.parametrize("one_scale", [True, False])
def test_what_is_so_whatever_the_scores_are_is_robust(sentence, true, scale, one_scale):
    """D17: tautologies and contradictions are decided."""
    found = check(sentence, scores(WEAVE), scale=scale, one_scale=one_scale)
    assert (str(found.answer), found.true) == ("robust", true)


@pytest.mark.parametrize(
    "sentence",
    [
        "mean of A exceeds 0.4 or mean of A is below 0.3",
        "mean of A exceeds 0.3 or mean of A is at most 0.2",
        "score of A exceeds 0.3 on topic 1 or score of A is at most 0.3 on topic 2",
        # what rounds to 0.3 is 0.3, and may exceed it
        "mean of A equals 0.3 and mean of A exceeds 0.3",
        "mean of A exceeds mean of B or mean of B exceeds mean of A",
        "mean of A exceeds mean of B or median of A is at most median of B",
    ],
)
def test_what_only_looks_like_it_is_not(sentence):
    """D17: neither gaps, nor other topics, nor other averages, nor ties are overlooked."""
    assert str(check(sentence, scores(WEAVE), scale="ordinal").answer) != "robust"


def test_form_is_what_a_truth_table_says():
    """D17: random compounds of two comparisons with numbers, against all places where the mean can be."""
    draw = np.random.default_rng(17)
    relations = {
        "exceeds": lambda x, c: x > c,
        "is at least": lambda x, c: x >= c,
        "is at most": lambda x, c: x <= c,
        "is below": lambda x, c: x < c,
    }
    one = scores([[0.25, 0.5, 0.125]], one_scale=True)
    for (first, holds), (second, also) in product(relations.items(), repeat=2):
        low, high = draw.integers(1, 4, 2)
        for junction, join in (("and", all), ("or", any)):
            truths = {join([holds(x / 2, low), also(x / 2, high)]) for x in range(10)}
            sentence = f"mean of A {first} {low} {junction} mean of A {second} {high}"
            answer = check(sentence, one, scale="interval").answer
            assert (str(answer) == "robust") == (len(truths) == 1), sentence


@pytest.mark.parametrize("average", ["geometric mean", "mean", "median"])
def test_what_every_increasing_map_keeps_every_affine_one_keeps(average):
    """D17: robust on an ordinal scale, robust on an interval and a ratio scale; it was undecided of geometric means."""
    draw, seen = np.random.default_rng(5), 0
    sentence = f"{average} of A exceeds {average} of B"
    for _ in range(12):
        drawn = scores(draw.integers(0, 6, (2, int(draw.integers(2, 6)))) / 5, one_scale=True)
        answers = [str(check(sentence, drawn, scale=scale).answer) for scale in ("ordinal", "interval", "ratio")]
        if answers[0] == "robust":
            seen += 1
            assert answers == ["robust"] * 3
    assert seen


SENTENCE = "tau of P@5 and RBP(p=0.5) is .7858"


@pytest.fixture
def graded(tmp_path):
    """Return files of judgments with grades 0 to 2 and of three runs in any order."""
    draw = np.random.default_rng(5)
    grades = draw.integers(0, 3, (4, 12))
    (tmp_path / "qrels").write_text("".join(f"{t} 0 d{d} {grades[t, d]}\n" for t in range(4) for d in range(12)))
    for name in "abc":
        found = draw.random((4, 12))
        lines = [f"{t} Q0 d{d} 1 {found[t, d]} {name}\n" for t in range(4) for d in range(12)]
        (tmp_path / name).write_text("".join(lines))
    return [tmp_path / name for name in ("qrels", *"abc")]


def test_an_undecided_statement_on_graded_judgments_says_what_decides_it(call, graded):
    """D17: an ordinary sentence of the paper; the hint names what was tried and does decide it."""
    data = json.loads(call("meaning", *graded, SENTENCE, "-f", "json").out)["statements"][0]
    assert data["answer"] == "undecided"
    assert "rel=1 (RBP(p=0.5, rel=1)) or with --grade-scale ratio" in data["hint"]
    binary = call("meaning", *graded, SENTENCE.replace("p=0.5", "p=0.5, rel=1")).out
    numbers = call("meaning", *graded, SENTENCE, "--grade-scale", "ratio").out
    assert binary.startswith("Robust")
    assert numbers.startswith("Robust")
    assert "--grade-scale" not in binary + numbers


def test_no_hint_where_it_would_decide_nothing(graded):
    """D17: RBP with p = 0.8 is no interval scale, whatever grades are."""
    judged = md.judge(graded[1:], graded[0])
    hinted, other = (check(f"tau of P@5 and {name} is .7858", judged) for name in ("RBP(p=0.5)", "RBP(p=0.8)"))
    assert hinted.hint in hinted.sentence
    assert "rel=1" in hinted.hint
    assert str(other.answer) == "undecided"
    assert other.hint == ""
