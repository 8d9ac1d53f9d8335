"""Methods of judged runs are the public functions of them."""

from __future__ import annotations

from inspect import signature

import pytest

import measurand as md
from measurand.study.evaluation import DEFAULTS

METHODS = ["evaluate", "compare", "unanimity", "tie_effect", "dominance", "dominance_matrix"]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_takes_what_the_function_takes_but_for_what_is_read(name):
    function = dict(signature(getattr(md, name)).parameters)
    # systems are chosen from a store, where judged runs have `part`; percentages stand in tables of scores
    read = ["judged"] if "judged" in function else ["qrels", "runs", "systems", "percent", *DEFAULTS]
    wanted = {each: (one.default, one.kind) for each, one in function.items() if each not in read}
    method = dict(signature(getattr(md.JudgedRuns, name)).parameters)
    del method["self"]
    assert {each: (one.default, one.kind) for each, one in method.items()} == wanted


def test_a_method_gives_what_the_function_gives():
    judged = md.judge({"a": {"1": {"x": 2.0, "y": 2.0}}, "b": {"1": {"y": 1.0, "x": 0.5}}}, {"1": {"x": 1}})
    assert judged.systems == ("a", "b")
    assert judged.evaluate("RR").to_polars().equals(md.evaluate(judged, "RR").to_polars())
    assert judged.compare("RR").to_dict() == md.compare(judged, "RR").to_dict()
    assert judged.tie_effect("RR")["RR"].expected.values.tolist() == [[0.75], [0.5]]
    assert [row.measure for row in judged.unanimity("RR", constraints=False)] == ["RR"]
    assert (judged.dominance("a", "b").ties, judged.dominance_matrix().ties.tolist()) == (1, [[1, 1], [1, 1]])


def test_a_strict_comparison_replaces_a_test_that_nobody_named_and_refuses_one_that_was():
    runs = {"a": {"1": {"x": 3.0, "y": 2.0, "z": 1.0}}, "b": {"1": {"y": 3.0, "x": 2.0, "z": 1.0}}}
    judged = md.judge(runs, {"1": {"x": 1}})
    assert judged.compare("RR", strict=True).of("RR").pairs.test == "sign"
    with pytest.raises(md.NotMeaningful):
        judged.compare("RR", strict=True, test="t")
