"""The exact order of systems: equal floats are no tie unless the exact values are equal."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable
from measurand.judged import JudgedRuns, Judgments, Results, judge
from measurand.measures import define, parse
from measurand.measures.base import with_campaign
from measurand.measures.precision import Precision
from measurand.study import unanimity as module
from measurand.study.unanimity import exact_order

DEEP = [(1, *[0] * 98, 1), (1, *[0] * 99), (1, *[0] * 97, 1, 0), (0, *[1] * 98, 0), (1, 1, *[0] * 98)]
"""Judged runs of which the first three have one float under a short-sighted measure, between the two others."""


def places(measure, judged: JudgedRuns) -> list[list[float]]:
    return exact_order(measure, judged).scores.values.T.tolist()


def test_ranks_that_drown_in_floats_count():
    judged = JudgedRuns.on_one_topic(DEEP, (100, 99))
    rbp = parse("RBP(p=0.5)")
    assert len(set(rbp.scores(judged).values[:3, 0].tolist())) == 1
    order = exact_order(rbp, judged)
    assert order.scores.values.T.tolist() == [[2, 1, 3, 0, 4]]
    assert (order.told_apart, order.open, order.exact) == (1, 0, True)


@pytest.mark.parametrize(("lower", "expected"), [(False, [[2, 1, 3, 0, 4]]), (True, [[2, 3, 1, 4, 0]])])
def test_the_better_of_equal_floats_is_the_one_in_the_direction_of_the_measure(lower, expected):
    rbp = parse("RBP(p=0.5)")
    measure = define(rbp.of, name="Mine", lower_is_better=lower)
    judged = JudgedRuns.on_one_topic(DEEP, (100, 99))
    order = exact_order(measure, judged)
    assert order.scores.values.T.tolist() == expected
    assert order.scores.lower_is_better is False


def test_documents_that_move_up_because_others_are_removed_count():
    # alike down to the cutoff, until the document without judgment is gone
    judged = JudgedRuns.on_one_topic([(1, -1, *[0] * 98, 1), (1, -1, *[0] * 99)], (100, 99))
    assert places(parse("RBP(p=0.5, judged_only=True)@100"), judged) == [[1, 0]]
    assert places(parse("RBP(p=0.5)@100"), judged) == [[0, 0]]


MEASURES = ["P@3", "AP", "RR", "nDCG", "ERR", "RBP(p=0.5)", "Rprec", "Bpref", "ESL", "OIE(collection=30)", "Success@2"]


@pytest.mark.parametrize("name", [*MEASURES, "P(judged_only=True)@3", "AP(rel=2)", "interval(AP@3)", "OIE"])
@settings(max_examples=13, deadline=None)
@given(runs=st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=2, max_size=7))
def test_the_order_is_that_of_the_exact_values(name, runs):
    # nothing comes after the end of a run
    cells = [[*(c for c in run if c != -2), *(c for c in run if c == -2)] for run in runs]
    judged = JudgedRuns.on_one_topic(cells, (6, 5, 4))
    measure = with_campaign(parse(name), judged)
    values = [measure.exact(measure.view(tuple(run)), judged.pools[0]) for run in cells]
    different = sorted(set(values), reverse=measure.lower_is_better)
    assert places(parse(name), judged) == [[different.index(value) for value in values]]


def test_runs_that_the_measure_cannot_tell_apart_need_no_exact_value(monkeypatch):
    def never(self, system, topic):
        raise AssertionError("an exact value was computed")

    monkeypatch.setattr(module._Ties, "_exact", never)
    runs = [(1, 0, 1), (1, -1, 1), (1, -3, 1), (0, 0, 1)]
    assert places(parse("AP"), JudgedRuns.on_one_topic(runs, (9, 2))) == [[1, 1, 1, 0]]
    # below the cutoff nothing matters
    assert places(parse("P@1"), JudgedRuns.on_one_topic([(1, 0), (1, 1)], (9, 2))) == [[0, 0]]
    with pytest.raises(AssertionError, match="was computed"):
        places(parse("P@2"), JudgedRuns.on_one_topic([(1, 0), (0, 1)], (9, 2)))


def test_grades_that_a_function_was_not_said_to_tell_apart_are_told_apart():
    measure = define(lambda run: 1 + Fraction(run[0], 10**30), name="Mine")
    assert places(measure, JudgedRuns.on_one_topic([(1,), (2,), (0,), (2,)], (9, 2, 2))) == [[1, 2, 0, 2]]


def test_the_same_runs_are_valued_anew_where_the_judgments_say_something_else():
    # floats see no difference, and which run is better depends on the recall base
    def worth(run, recall_base):
        return 1 + Fraction(run[0] if recall_base == 1 else run[1], 10**30)

    measure = define(worth, name="Mine", uses_recall_base=True)
    judged = JudgedRuns(
        systems=("one", "two"),
        topics=("1", "2"),
        cells=np.array([[[1, 0], [1, 0]], [[0, 1], [0, 1]]], dtype=np.int8),
        lengths=np.full((2, 2), 2),
        grade_counts=np.array([[5, 1], [5, 3]]),
    )
    assert exact_order(measure, judged).scores.values.tolist() == [[1, 0], [0, 1]]


def test_a_topic_that_a_system_left_out_has_no_place():
    judged = JudgedRuns.on_one_topic([(1, 0), (-2, -2), (0, 1)], (9, 2))
    found = exact_order(parse("AP"), evolve(judged, skip_missing=True)).scores.values
    assert np.array_equal(found, [[1.0], [np.nan], [0.0]], equal_nan=True)


class Shy(Precision):
    """A measure that does not tell its exact value."""

    name = "Shy"

    def exact(self, run, pool):
        raise NotAvailable("not today")


def test_where_the_exact_value_is_not_to_be_had_floats_decide_and_say_so():
    judged = JudgedRuns.on_one_topic([(1, 0), (0, 1), (1, 1)], (9, 2))
    order = exact_order(Shy() @ 2, judged)
    assert order.scores.values.T.tolist() == [[0, 0, 1]]
    assert (order.open, order.exact) == (1, False)


def test_where_the_order_of_documents_is_open_floats_decide_and_say_so():
    tied = {"1": {"a": 1.0, "b": 1.0}}
    runs = [Results.from_mapping("one", tied), Results.from_mapping("two", tied)]
    order = exact_order(parse("RR"), judge(runs, Judgments.from_mapping({"1": {"a": 1}}), ties="expected"))
    assert order.scores.values.tolist() == [[0], [0]]
    assert not order.exact


def test_how_far_it_is_can_be_shown():
    seen = []

    def progress(items, total, what):
        seen.append((total, what))
        return items

    order = exact_order(parse("AP"), JudgedRuns.on_one_topic([(1, 0), (0, 1)], (9, 2)), progress)
    assert seen == [(0, "ties of AP")]
    assert repr(order) == "<ExactOrder of 2 systems by AP>"


def test_runs_with_ties_are_ordered_as_weak_orders_and_others_exactly():
    runs = {
        "tied": {"a": 1.0, "b": 1.0},
        "tied too": {"b": 3.0, "a": 3.0},
        "good": {"a": 2.0, "b": 1.0},
        "as good": {"a": 9.0, "b": 5.0},
        "bad": {"b": 2.0, "a": 1.0},
    }
    several = [Results.from_mapping(name, {"1": run}) for name, run in runs.items()]
    judged = judge(several, Judgments.from_mapping({"1": {"a": 1, "b": 0}}))
    order = exact_order(parse("ESL"), judged)
    assert order.scores.values.T.tolist() == [[1, 1, 2, 2, 0]]
    # floats alone decide between runs with ties
    assert (order.open, order.exact) == (1, False)
    assert exact_order(parse("RR"), judged).exact
