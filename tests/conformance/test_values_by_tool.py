"""What is said of other tools is what they give, on runs with equal scores, gaps and odd judgments."""

from __future__ import annotations

from statistics import mean

import numpy as np
import pytest

import measurand as md

pytrec_eval = pytest.importorskip("pytrec_eval")
ir_measures = pytest.importorskip("ir_measures")

MEASURES = [
    *("nDCG", "AP", "RR", "Rprec", "Bpref", "SetP", "infAP"),
    *(f"{name}@5" for name in ("nDCG", "AP", "P", "R", "RR", "Success")),
]


@pytest.fixture(scope="module")
def campaign():
    """Return judgments and a run with equal scores, a missing topic, and one without relevant documents."""
    rng = np.random.default_rng(7)
    qrels = {
        str(t): {
            f"d{d:02d}": int(grade) for d, grade in zip(rng.permutation(40)[:20], rng.integers(0, 4, 20), strict=True)
        }
        for t in range(6)
    }
    qrels["3"] = dict.fromkeys(qrels["3"], 0)
    run = {
        str(t): {
            f"d{d:02d}": float(score)
            for d, score in zip(rng.permutation(40)[:size], rng.integers(1, 6, size) / 4, strict=True)
        }
        for t, size in enumerate((15, 3, 20, 12, 9))
    }
    run["0"] |= {"d90": 0.922262145375258, "d91": 0.922262145}
    return qrels, run


def said(campaign, tool):
    """Return the values of a tool by measure and call, for the calls that are not run in another process."""
    found = [(name, each) for name in MEASURES for each in md.values_by_tool(*campaign, name).values]
    return {(name, each.call): each.value for name, each in found if each.tool == tool and "exp-log2" not in each.call}


def test_pytrec_eval_gives_what_is_said_of_it(campaign):
    expected = said(campaign, "pytrec_eval")
    names = {call.replace("_5", ".5") for _, call in expected}
    topics = pytrec_eval.RelevanceEvaluator(campaign[0], names).evaluate(campaign[1]).values()
    assert len(expected) == 12
    for (_, call), value in expected.items():
        assert mean(topic[call] for topic in topics) == pytest.approx(value, abs=1e-9), call


def test_ir_measures_gives_what_is_said_of_it(campaign):
    expected = said(campaign, "ir_measures")
    measures = {call: ir_measures.parse_measure(call) for _, call in expected}
    found = ir_measures.calc_aggregate(list(measures.values()), *campaign)
    assert len(expected) == 13
    for (_, call), value in expected.items():
        assert found[measures[call]] == pytest.approx(value, abs=1e-9), call


def test_ranx_gives_what_is_said_of_it_where_no_scores_are_equal(campaign):
    import ranx

    qrels, run = campaign
    distinct = {
        topic: {document: len(found) - place for place, document in enumerate(found)} for topic, found in run.items()
    }
    expected = said((qrels, distinct), "ranx")
    theirs = ranx.evaluate(
        ranx.Qrels(qrels), ranx.Run(distinct), [call for _, call in expected], make_comparable=True, threads=1
    )
    assert len(expected) == 13
    for (_, call), value in expected.items():
        assert theirs[call] == pytest.approx(value, abs=1e-9), call
