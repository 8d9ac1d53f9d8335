"""The effect of ties: trec_eval's order beside all orders."""

from __future__ import annotations

import numpy as np
import pytest

from measurand import ParameterError, judge
from measurand.judged import Judgments, Results
from measurand.study.tie_effect import tie_effect

QRELS = {"1": {"a": 1, "b": 0, "c": 1}, "2": {"z": 1, "y": 0}, "3": {"a": 1}}
RUN = {
    "1": {"a": 1.0, "b": 1.0, "c": 1.0},  # trec order: c b a, the average order is no better
    "2": {"z": 1.0, "y": 1.0},  # trec order: z y, which is kind
    "3": {"a": 1.0, "b": 1.0, "c": 0.0},  # trec order: b a, which is hard
}


def test_trec_order_flatters_on_one_topic_and_hurts_on_another():
    effect = tie_effect(QRELS, RUN, "ESL")["ESL"]
    assert effect.trec.values.tolist() == [[0, 0, 1]]
    assert effect.expected.values.tolist() == [[pytest.approx(1 / 3), 0.5, 0.5]]
    assert (effect.least.values.tolist(), effect.greatest.values.tolist()) == ([[0, 0, 0]], [[1, 1, 1]])
    assert effect.flattered.tolist() == [[True, True, False]]
    assert effect.hurt.tolist() == [[False, False, True]]


def test_a_measure_where_more_is_better_is_flattered_by_more():
    effect = tie_effect(QRELS, RUN, "RR")["RR"]
    assert effect.flattered.tolist() == [[True, True, False]]
    assert effect.hurt.tolist() == [[False, False, True]]


def test_ties_among_documents_of_one_grade_do_not_matter():
    effect = tie_effect({"1": {"a": 1, "b": 1}}, {"1": {"a": 2.0, "b": 2.0, "c": 1.0, "d": 1.0}}, ["AP", "ESL(i=2)"])
    assert not any(found.matters.any() for found in effect.values())
    assert repr(effect["AP"]) == "<TieEffect on AP: ties matter in 0 of 1 rankings>"


def test_topics_come_in_the_order_of_what_trec_order_does_to_them():
    effect = tie_effect(QRELS, RUN, "ESL")["ESL"]
    assert effect.topics("run") == ("2", "3", "1")
    with pytest.raises(ParameterError):
        effect.topics("nobody")


def test_runs_must_have_been_judged_with_their_ties_left_open():
    runs, qrels = [Results.from_mapping("a", RUN)], Judgments.from_mapping(QRELS)
    with pytest.raises(ParameterError, match="judge\\(…\\) without ties"):
        tie_effect(judge(runs, qrels, ties="trec"), "AP")
    kept, opened = (tie_effect(judge(runs, qrels, ties=ties), "AP")["AP"] for ties in (None, "expected"))
    assert kept.expected.values.tolist() == opened.expected.values.tolist()


def test_no_order_of_ties_can_be_asked_for():
    with pytest.raises(ParameterError, match="leave ties out"):
        tie_effect(QRELS, RUN, "AP", ties="file")


def test_effects_tell_which_measures_there_are():
    effects = tie_effect(QRELS, RUN, ["AP", "RR"])
    assert repr(effects) == "<TieEffects: AP and RR>"
    with pytest.raises(KeyError, match="there is AP, RR"):
        effects["P@1"]


def test_a_topic_that_was_left_out_has_no_ties():
    effect = tie_effect(QRELS, {"1": RUN["1"]}, "AP", missing_topics="skip")["AP"]
    assert effect.matters.tolist() == [[True, False, False]]
    assert np.isnan(effect.expected.values[0, 1:]).all()


def test_an_effect_too_small_to_show_is_an_effect():
    run = {"1": {f"d{n:03}": -float(n) for n in range(100)} | {"y": -200.0, "z": -200.0}}
    effect = tie_effect({"1": {"d000": 1, "y": 1}}, run, "RBP(p=0.8)")["RBP(p=0.8)"]
    assert 0 < (effect.greatest.values - effect.least.values).item() < 1e-9
    assert effect.matters.item()


def test_the_effect_comes_as_a_frame():
    frame = tie_effect(QRELS, RUN, ["ESL", "RR"]).to_polars()
    assert frame.columns == ["system", "topic", "measure", "trec", "expected", "least", "greatest", "matters"]
    assert frame.shape == (6, 8)
    assert frame.row(4) == ("run", "2", "RR", 1.0, 0.75, 0.5, 1.0, True)
