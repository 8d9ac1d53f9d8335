"""What several systems reach together, and what several assessors grant, against joins and meets run by run."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from measurand import DiscountCurve, assessors, define, judge, portfolio, read_run
from measurand.errors import CallError, NotAvailable, ParameterError
from measurand.judged import NOTHING, JudgedRuns
from measurand.lattice import RunLattice
from measurand.orders import ORDERS
from measurand.study.covering import smallest_cover


def campaign(systems: int, topics: int, depth: int, grades: int, seed: int = 0) -> JudgedRuns:
    rng = np.random.default_rng(seed)
    cells = rng.integers(-1, grades, (systems, topics, depth)).astype(np.int8)
    return JudgedRuns(
        systems=tuple(f"s{place}" for place in range(systems)),
        topics=tuple(f"t{place}" for place in range(topics)),
        cells=cells,
        lengths=(cells != NOTHING).sum(axis=2),
        grade_counts=np.full((topics, grades), 2 * depth),
    )


@pytest.mark.parametrize("order", sorted(ORDERS))
@pytest.mark.parametrize(("depth", "grades"), [(6, 2), (4, 4)])
def test_joins_and_meets_are_those_of_the_runs_of_each_topic(order, depth, grades):
    judged = campaign(5, 12, depth, grades)
    found = portfolio(judged, order=order, depth=depth)
    lattice = RunLattice(order, depth, grades)
    between = 0
    for place, topic in enumerate(judged.topics):
        runs = judged.cells[:, place]
        for side, due in (
            (found.reached, lattice.completed_join(*runs)),
            (found.common, lattice.completed_meet(*runs)),
        ):
            assert (side.run(topic), side.element(topic).counts) == (due.run, due.counts)
            between += due.run is None
        reaching = [lattice.completed_join(run).counts == found.reached.element(topic).counts for run in runs]
        assert found.attained[:, place].tolist() == reaching
    assert (between > 0) == (order == "swap" and grades > 2)


def test_joins_are_judged_runs_where_all_of_them_are_runs():
    binary = portfolio(campaign(3, 4, 5, 2))
    assert binary.reached.judged.run("portfolio", "t2") == binary.reached.run("t2")
    with pytest.raises(NotAvailable, match="joins are no runs, but stand between runs"):
        assert portfolio(campaign(5, 12, 4, 4)).reached.judged


@pytest.mark.parametrize("measure", ["gP", "DCG", "AP", "P@2", "ERR", "RBP(p=1/2)", "LatticeRank@4"])
def test_values_are_those_of_the_elements_of_the_completion(measure):
    # on the topic that a lone run is valued on
    found = portfolio(evolve(campaign(4, 10, 4, 4, seed=1), grade_counts=np.tile([4, 0, 0, 4], (10, 1))))
    rows = found.table(measure).rows()
    missing = 0
    for row in rows:
        for name, side in (("reached", found.reached), ("common", found.common)):
            element = side.element(row["topic"])
            if measure == "ERR" and element.run is None:
                assert row[name] is None
                missing += 1
            else:
                assert row[name] == pytest.approx(float(element.value(measure)))
    assert (missing > 0) == (measure == "ERR")


@given(seed=st.integers(0, 1000), grades=st.integers(2, 4), order=st.sampled_from(["swap", "replacement"]))
def test_the_best_system_is_between_what_all_reach_and_what_is_reached(seed, grades, order):
    found = portfolio(campaign(3, 4, 5, grades, seed), order=order)
    rows = found.table(["nDCG", "P@3", "RBP", "AP"]).rows()
    assert len(rows) == 16
    for row in rows:
        assert row["common"] - 1e-12 <= row["best"] <= row["reached"] + 1e-12


@pytest.mark.parametrize("order", sorted(ORDERS))
def test_the_systems_needed_are_the_fewest_whose_join_is_that_of_all(order):
    judged = campaign(6, 3, 5, 3, seed=3)
    whole = portfolio(judged, order=order)
    needed = whole.needed()

    def suffice(names) -> bool:
        part = portfolio(judged, list(names), order=order)
        return np.array_equal(part.reached.counts, whole.reached.counts)

    fewest = next(
        number for number in range(1, 7) if any(suffice(names) for names in combinations(judged.systems, number))
    )
    assert (len(needed.systems), needed.smallest, suffice(needed.systems)) == (fewest, True, True)
    assert set(whole.needed("t1").systems) <= set(judged.systems)


def test_a_cover_that_is_not_shown_to_be_smallest_is_not_called_so():
    marks = np.random.default_rng(0).random((300, 60)) < 0.1
    marks[~marks.any(axis=1), 0] = True
    cover = smallest_cover(marks)
    assert marks[:, list(cover.columns)].any(axis=1).all()
    assert not cover.smallest
    few = smallest_cover(marks[:, :20][marks[:, :20].any(axis=1)][:40])
    assert few.smallest


def test_a_system_that_left_a_topic_out_counts_as_empty_or_plays_no_part():
    cells = np.array([[[1, 0], [0, 1]], [[NOTHING, NOTHING], [1, 0]]], dtype=np.int8)
    parts = {"systems": ("a", "b"), "topics": ("1", "2"), "cells": cells, "grade_counts": np.array([[3, 2], [3, 2]])}
    lengths = (cells != NOTHING).sum(axis=2)
    empty = portfolio(JudgedRuns(**parts, lengths=lengths))
    assert (empty.common.run("1"), empty.reached.run("1")) == ((0, 0), (1, 0))
    skipped = portfolio(JudgedRuns(**parts, lengths=lengths, skip_missing=True))
    assert skipped.common.run("1") == skipped.reached.run("1") == (1, 0)
    assert skipped.attained[:, 0].tolist() == [True, False]
    assert skipped.table("P@1").rows()[0]["best_system"] == "a"
    assert portfolio(JudgedRuns(**parts, lengths=lengths, skip_missing=True), "b").topics == ("2",)


def test_fewer_ranks_and_systems_can_be_asked_for():
    judged = campaign(4, 3, 8, 2)
    found = portfolio(judged, ["s3", "s1"], depth=5)
    assert (found.systems, found.depth, portfolio(judged, depth=99).depth) == (("s3", "s1"), 5, 8)
    assert judged.portfolio(["s3", "s1"], depth=5).to_dict() == found.to_dict()


def test_lower_may_be_better():
    lacking = define(lambda run: 9 - sum(max(0, grade) for grade in run), name="Lacking", lower_is_better=True)
    table = portfolio(campaign(3, 3, 4, 2)).table(lacking)
    assert all(row["reached"] <= row["best"] <= row["common"] for row in table.rows())
    assert table.summary()[0]["best"] >= table.summary()[0]["best_on_each_topic"]


def test_a_measure_without_a_value_for_a_join_has_no_mean_of_joins_and_all_other_means():
    judged = JudgedRuns.on_one_topic([(0, 2), (1, 0)], (4, 2, 2))
    table = portfolio(judged).table("ERR")
    assert table.summary() == [
        {"measure": "ERR", "best_system": "s0", "best": 0.375, "best_on_each_topic": 0.375, "reached": None}
        | {"common": 0.125, "topics": 1}
    ]
    assert any("ERR has no value for the join on 1 topic" in str(caveat) for caveat in table.caveats)


def test_measures_that_look_below_the_cut_are_noted():
    judged = campaign(3, 4, 8, 2)
    cut, whole = (portfolio(judged, depth=depth).table(["AP", "P@5"]) for depth in (5, 8))
    assert [str(caveat) for caveat in cut.caveats if "cut" in str(caveat)] == [
        "AP looks at 8 ranks, and runs are cut at 5; say depth=8"
    ]
    assert not any("cut" in str(caveat) for caveat in whole.caveats)
    means = judged.evaluate("AP").scores("AP").mean().values
    assert whole.summary()[0]["best"] == pytest.approx(max(means))


def test_a_join_that_holds_more_than_the_topic_has_no_value_under_measures_of_the_recall_base():
    runs = [{"1": {"d1": 2.0, "d2": 1.0}}, {"1": {"d2": 2.0, "d1": 1.0}}]
    judged = judge([read_run(run, name=name) for run, name in zip(runs, "ab", strict=True)], {"1": {"d1": 1, "d2": 0}})
    table = portfolio(judged, order="replacement").table(["AP", "nDCG", "R@2", "P@2", "AP@1"])
    assert [row["reached"] for row in table.rows()] == [None, None, None, 1.0, 1.0]
    assert any("it holds more relevant documents than the topic has" in str(caveat) for caveat in table.caveats)
    both = {name: judge(runs[0], {"1": {"d1": ann, "d2": 1 - ann}}) for name, ann in (("Ann", 1), ("Bob", 0))}
    seen = assessors(both).table("AP")
    assert seen.rows()[0]["favourable"] is None
    assert any("AP has no value for the join on 1 topic" in str(caveat) for caveat in seen.caveats)


def test_measures_that_break_the_order_further_down_are_found_out():
    judged = JudgedRuns.on_one_topic([(1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1)], (9, 3, 3, 3))
    curve = DiscountCurve(by_rank=[1, 1, 1, 1, 1, 9], by_grade=[0, 1, 2, 3])
    assert any("does not keep the order 'swap'" in str(caveat) for caveat in portfolio(judged).table(curve).caveats)
    # nobody looks at all runs of 30 ranks, but the values at hand contradict it
    long = JudgedRuns.on_one_topic([(1, *[0] * 29), (*[0] * 29, 1)], (30, 3, 3, 3))
    last = define(lambda run: run[0] + 9 * run[-1], name="Last")
    table = portfolio(long, depth=30).table(last)
    assert any("Last does not keep the order" in str(caveat) for caveat in table.caveats)


def test_orders_of_sets_say_that_values_are_of_sorted_runs():
    judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 0, 1)], (3, 2))
    found = portfolio(judged, order="set-replacement")
    said = {name: [str(caveat) for caveat in found.table(name).caveats] for name in ("RR", "P@3")}
    assert any("compares sets: all values are of the best grade first" in text for text in said["RR"])
    assert not any("compares sets" in text for text in said["P@3"])
    assert "On 1 topic all systems have the same grades." in str(found)


def test_a_system_that_plays_no_part_is_not_needed():
    cells = np.array([[[NOTHING, NOTHING]], [[0, 0]]], dtype=np.int8)
    parts = {"systems": ("absent", "there"), "topics": ("1",), "cells": cells, "grade_counts": np.array([[3, 2]])}
    judged = JudgedRuns(**parts, lengths=(cells != NOTHING).sum(axis=2), skip_missing=True)
    for order in sorted(ORDERS):
        assert portfolio(judged, order=order).needed().systems == ("there",)


def test_what_keeps_no_order_is_told():
    judged = campaign(3, 3, 4, 2)
    told = portfolio(judged, order="projection").table("AP")
    assert any("does not keep the order 'projection'" in str(caveat) for caveat in told.caveats)
    assert not any("does not keep" in str(caveat) for caveat in portfolio(judged).table("AP").caveats)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda judged: portfolio("qrels.txt"), CallError, "judged runs are expected"),
        (lambda judged: portfolio(judged, ["bm25"]), ParameterError, "there is no system 'bm25'"),
        (lambda judged: portfolio(judged, []), ParameterError, "there is no system; name one"),
        (lambda judged: portfolio(judged, order="best"), ParameterError, "best"),
        (lambda judged: portfolio(judged, depth=0), ParameterError, "depth"),
        (lambda judged: portfolio(judged).table("Bpref"), ParameterError, "looks at more than grades by rank"),
        (lambda judged: portfolio(judged).table("SetP"), ParameterError, "SetP looks at more than grades by rank"),
        (lambda judged: portfolio(judged).needed("t9"), ParameterError, "there is no topic 't9'"),
        (lambda judged: portfolio(judged).reached.run("t9"), ParameterError, "there is no topic 't9'"),
        (lambda judged: assessors({}), ParameterError, "name the assessors"),
        (lambda judged: assessors([judged]), ParameterError, "name the assessors"),
        (lambda judged: assessors({"topic": judged}), ParameterError, "no assessor can be called topic"),
        (lambda judged: assessors({"a": judged, "b": judged.part(["s1"])}), ParameterError, "b judged other runs"),
        (lambda judged: assessors({"a": judged}).favourable.run("t1"), ParameterError, "say of which system"),
    ],
)
def test_what_cannot_be_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call(campaign(2, 2, 3, 2))


RUNS = {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "2": {"d1": 1.0}}
ANN = {"1": {"d1": 1, "d3": 2}, "2": {"d1": 1}, "3": {"d1": 1}}
BOB = {"1": {"d1": 2, "d2": 1, "d3": 1}, "2": {"d1": 1, "d9": 1}}


def test_assessors_are_joined_rank_by_rank_unless_another_order_is_asked_for():
    judged = {"Ann": judge(RUNS, ANN), "Bob": judge(RUNS, BOB)}
    found = assessors(judged)
    assert (found.favourable.run("1"), found.agreed.run("1")) == ((2, 1, 2), (1, 0, 1))
    assert found.alike.tolist() == [[False, True]]
    assert [str(caveat) for caveat in found.caveats][-1] == "1 topic that not all assessors judged is left out"
    swapped = assessors({"Ann": judge(RUNS, {"1": {"d1": 1}}), "Bob": judge(RUNS, {"1": {"d2": 1}})}, order="swap")
    assert (swapped.favourable.run("1"), swapped.agreed.run("1")) == ((1, 0, 0), (0, 1, 0))


def test_assessors_may_know_other_topics_but_not_other_documents():
    run = {"1": {"d1": 2.0, "d2": 1.0}, "2": {f"d{place}": 9.0 - place for place in range(5)}}
    ann, bob = judge(run, {"1": {"d1": 1}}), judge(run, {"1": {"d2": 1}, "2": {"d1": 1}})
    assert ann.depth != bob.depth
    for first, second in ((ann, bob), (bob, ann)):
        found = assessors({"Ann": first, "Bob": second})
        assert found.favourable.run("1")[:3] == (1, 1, 0)
    other = judge({"1": {"d1": 2.0, "d9": 1.0}}, {"1": {"d1": 1}})
    with pytest.raises(ParameterError, match="Bob judged other documents of"):
        assessors({"Ann": ann, "Bob": other})


def test_values_by_assessor_stand_between_those_of_meet_and_join():
    judged = {"Ann": judge(RUNS, ANN), "Bob": judge(RUNS, BOB)}
    table = assessors(judged).table(["P@3", "ERR"])
    for row in table.rows():
        assert row["agreed"] <= min(row["Ann"], row["Bob"]) <= max(row["Ann"], row["Bob"]) <= row["favourable"]
    assert [row["favourable"] for row in table.rows()[:2]] == pytest.approx([1, 1 / 3])
    assert table.means()[0]["topics"] == 2


def test_measures_that_need_the_recall_base_are_refused_where_assessors_differ_in_it():
    judged = {"Ann": judge(RUNS, ANN), "Bob": judge(RUNS, BOB)}
    with pytest.raises(NotAvailable, match="AP depends on how many relevant documents a topic has"):
        assessors(judged).table("AP")
    same = {"Ann": judge(RUNS, ANN), "Again": judge(RUNS, ANN)}
    assert assessors(same).table("AP").rows()[0]["agreed"] == pytest.approx(5 / 6)
