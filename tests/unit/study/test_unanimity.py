"""The unanimity of measures on a campaign, beside the constraints and the marks of the paper."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand import sample
from measurand.axioms.examine import PRINTED
from measurand.errors import CaveatKind, MeasurandError, NotAvailable, ParameterError
from measurand.information.unanimity import unanimity as unanimity_of_scores
from measurand.judged import JudgedRuns, Judgments, Results, judge
from measurand.measures import define, parse
from measurand.measures.campaigns import with_campaign
from measurand.measures.precision import Precision
from measurand.study import unanimity as module
from measurand.study.evaluation import evaluate
from measurand.study.unanimity import TypicalTopic, collection_of, exact_order, paper_measures, unanimity

RUNS = [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 0]]
JUDGED = JudgedRuns.on_one_topic(RUNS, (200, 2))


def plain(*args, **options):
    return unanimity(*args, **{"constraints": False, **options})


def counts(table) -> dict[str, tuple[int, int]]:
    return {row.measure: (row.found.tied, row.found.unanimous) for row in table}


def test_judgments_and_runs_are_read_like_anywhere_else():
    table = plain(sample.qrels(), sample.runs(), ["P@10", "RR@10", "AP"], depth=20)
    again = plain(judge_sample(depth=20), ["P@10", "RR@10", "AP"])
    assert counts(table) == counts(again)
    assert counts(table) != counts(plain(judge_sample(), ["P@10", "RR@10", "AP"]))


def judge_sample(**options) -> JudgedRuns:
    from measurand.study.evaluation import judge_files

    return judge_files(sample.qrels(), sample.runs(), **options)


def test_shallow_measures_tie_as_their_scores_do():
    names = ["P@10", "RR@10", "nDCG@10", "Success@5"]
    judged = judge_sample()
    by_floats = unanimity_of_scores(evaluate(judged, names))
    assert {row.measure: (row.tied, row.unanimous) for row in by_floats} == counts(plain(judged, names))


def test_ties_are_decided_on_exact_values():
    judged = JudgedRuns.on_one_topic([(1, *[0] * 99), (1, *[0] * 98, 1)], (200, 2))
    assert [row.tie_rate for row in unanimity_of_scores(evaluate(judged, "RBP(p=0.5)"))] == [1]
    table = plain(judged, ["RBP(p=0.5)", "P"])
    assert [row.found.tie_rate for row in table] == [0, 0]
    assert (table.told_apart, table.exact) == (1, True)


def test_the_highest_unanimity_comes_first():
    table = plain(JUDGED, ["P@2", "AP", "RR"])
    assert [row.measure for row in table] == ["AP", "RR", "P@2"]
    assert counts(table) == {"AP": (2, 7), "RR": (4, 7), "P@2": (7, 7)}
    assert (len(table), repr(table)) == (3, "<UnanimityTable: AP, RR and P@2>")


def test_a_measure_of_which_lower_is_better_agrees_with_the_others():
    assert counts(plain(JUDGED, ["RR", "ESL(collection=300)"])) == {"RR": (6, 9), "ESL(i=1, collection=300)": (6, 9)}


def test_without_measures_those_of_the_paper_are_taken():
    for table in (plain(JUDGED), plain(JUDGED, None), plain(JUDGED, paper_measures())):
        assert [row.name for row in sorted(table, key=lambda row: list(PRINTED).index(row.name))] == list(PRINTED)
    assert len(plain(sample.qrels(), sample.runs())) == len(PRINTED)
    assert [repr(measure) for measure in paper_measures(1_000_000)] == list(PRINTED)


@pytest.mark.parametrize("inputs", [(), ("a",), (JUDGED, "AP", "RR"), (1, 2, 3, 4)])
def test_anything_else_is_refused(inputs):
    with pytest.raises((MeasurandError, TypeError)):
        unanimity(*inputs)


def test_measures_are_told_the_size_of_the_collection():
    table = plain(JUDGED, ["OIE", "OIE(beta=1, collection=500)", "AP"], collection=1000)
    assert {row.measure for row in table} == {"OIE(beta=1.2, collection=1000)", "OIE(beta=1, collection=500)", "AP"}
    assert table["OIE"] is table["OIE(beta=1.2, collection=1000)"]
    inside = plain(JUDGED, ["gm(interval(OIE@3))", "AP"], collection=1000)
    assert inside["gm(interval(OIE@3))"].measure == "gm(interval(OIE(beta=1.2, collection=1000)@3))"
    with pytest.raises(ParameterError, match="RR was not asked for; there is"):
        table["RR"]
    assert not [caveat for caveat in table.caveats if caveat.kind is CaveatKind.COLLECTION]


def test_that_the_size_is_assumed_is_noted_once():
    table = unanimity(JUDGED, ["OIE", "OIE(beta=1)", "AP"])
    [caveat] = [caveat for caveat in table.caveats if caveat.kind is CaveatKind.COLLECTION]
    assert "206 are assumed for OIE and the constraints:" in caveat.text
    assert table.collection == table.constraints.collection == 206
    assert not plain(JUDGED, ["AP", "RR"]).caveats


def test_a_measure_that_is_named_twice_counts_once():
    assert [row.measure for row in plain(JUDGED, ["AP", "map", "RR"])] == ["AP", "RR"]


def test_the_constraints_stand_beside_with_the_marks_of_the_paper():
    table = unanimity(JUDGED, ["AP", "OIE", "RR@10", "Success@5"], collection=100_000, recall_base=300)
    assert {row.measure: (row.constraints.marks, row.printed, row.differing) for row in table} == {
        "AP": ("10010", "11010", {"deepness": "E-A-5"}),
        "OIE(beta=1.2, collection=100000)": ("11011", "11111", {"deepness_threshold": "E-A-1"}),
        "RR@10": ("00100", "00100", {}),
        "Success@5": ("00100", None, {}),
    }
    assert (table.constraints.recall_base, table.constraints.depth) == (300, 131)


def test_a_mark_that_another_topic_makes_is_no_error_of_the_paper():
    row = unanimity(JUDGED, ["P@100", "AP"], collection=100_000, recall_base=60)["P@100"]
    assert (row.constraints.marks, row.printed, row.differing) == ("00010", "00110", {"deepness_threshold": ""})


def test_the_recall_base_is_that_of_the_campaign_if_nothing_is_said():
    assert unanimity(JUDGED, ["AP", "RR"], ranks=5).constraints.recall_base == 2


def test_a_measure_of_the_paper_with_another_parameter_is_none_of_the_paper():
    assert [row.name for row in plain(JUDGED, ["AP(rel=2)", "RBP(p=0.7)", "OIE(beta=1.1)", "DCG(b=2)"])] == [None] * 4


def test_functions_have_their_row():
    mine = define(lambda run: Fraction(sum(run)), name="Mine")
    table = unanimity(JUDGED, [mine, "RR"], collection=1000, ranks=4)
    assert {row.measure for row in table} == {"Mine", "RR"}
    assert table[mine].constraints is not None


def test_what_is_left_out_or_open_is_said():
    judgments = Judgments.from_mapping({"1": {"a": 1}, "2": {"a": 1}})
    tied = {"1": {"a": 1.0, "b": 1.0}, "2": {"a": 2.0, "b": 1.0}}
    runs = [Results.from_mapping("one", tied), Results.from_mapping("two", {"1": {"a": 1.0, "b": 0.0}})]
    table = plain(judge(runs, judgments, ties="expected", missing_topics="skip"), ["RR", "P@1"])
    texts = " ".join(caveat.text for caveat in table.caveats)
    assert "1 of 4 rankings have no score" in texts
    assert (table.exact, "floats" in texts) == (True, False)
    both = [Results.from_mapping(name, tied) for name in ("one", "two")]
    unsure = plain(judge(both, judgments, ties="expected"), ["RR", "P@1"])
    assert any(c.kind is CaveatKind.TIES and "decided on floats" in c.text for c in unsure.caveats)


def test_doubts_about_scales_do_not_concern_who_is_better():
    table = plain(sample.qrels(), sample.runs(), ["AP", "nDCG@10"])
    assert CaveatKind.SCALE not in {caveat.kind for caveat in table.caveats}


def test_one_system_alone_is_refused():
    with pytest.raises(ParameterError, match="one system alone"):
        plain(JudgedRuns.on_one_topic([(1, 0)], (3, 1)), ["AP", "RR"])


def test_a_collection_that_cannot_hold_the_campaign_is_refused():
    with pytest.raises(ParameterError, match="cannot hold them"):
        plain(JUDGED, ["OIE", "AP"], collection=3)


def test_how_far_it_is_can_be_shown():
    seen = []

    def progress(items, total, what):
        seen.append((total, what))
        return items

    unanimity(JUDGED, ["AP", "RR"], progress=progress, ranks=4)
    assert seen == [(2, "order under each measure"), (1, "comparing systems"), (2, "constraints")]


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
@settings(max_examples=10, deadline=None)
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


def test_how_far_it_is_can_be_shown_exact_order():
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


def judged(*grade_counts: tuple[int, ...]) -> JudgedRuns:
    """Return one judged run of one rank on each of some topics."""
    n = len(grade_counts)
    return JudgedRuns(
        systems=("s",),
        topics=tuple(map(str, range(n))),
        cells=np.zeros((1, n, 1), dtype=np.int8),
        lengths=np.ones((1, n), dtype=np.int64),
        grade_counts=np.array(grade_counts, dtype=np.int64),
    )


def topic_of(names: list[str], *counts: tuple[int, ...], **said) -> TypicalTopic:
    return TypicalTopic.of(judged(*counts), [parse(name) for name in names], **said)


@pytest.mark.parametrize(
    ("relevant", "median"), [([3], 3), ([1, 9, 4], 4), ([1, 2, 3, 90], 2), ([0, 0, 5], 1), ([0], 1)]
)
def test_the_recall_base_is_the_lower_median_and_at_least_one(relevant, median):
    assert topic_of(["AP"], *((5, n) for n in relevant)).recall_base == median


def test_what_is_said_is_taken():
    topic = topic_of(["P@500"], (5, 3), collection=1000, recall_base=7, ranks=40)
    assert topic == TypicalTopic(collection=1000, recall_base=7, ranks=40, collection_given=True)


def test_every_cutoff_shows():
    assert [topic_of([name], (5, 3), collection=10**6).ranks for name in ("AP", "P@130", "P@131", "P@500")] == [
        131,
        131,
        132,
        501,
    ]


def test_the_collection_is_large_enough_for_the_runs_that_are_looked_at():
    assert topic_of(["P@500"], (5, 3)).collection == 504
    assert topic_of(["AP"], (50_000, 30), (50_000, 30)).collection == 100_060 + 1
    # where its size is said, the runs are shorter
    assert topic_of(["AP"], (5, 3), collection=20).ranks == 17
    assert topic_of(["AP", "OIE(collection=10)"], (5, 3), collection=20).ranks == 7
    assert topic_of(["AP"], (5, 3), collection=2).ranks == 1


def test_only_measures_that_were_not_told_are_told():
    data = judged((5, 3))
    said, unsaid = (TypicalTopic.of(data, [], size) for size in (1000, None))
    assert repr(said.with_collection(parse("OIE"), data)) == "OIE(beta=1.2, collection=1000)"
    assert repr(said.with_collection(parse("ESL"), data)) == "ESL(i=1, collection=1000)"
    assert said.with_collection(parse("OIE(collection=9)"), data) == parse("OIE(collection=9)")
    assert said.with_collection(parse("AP"), data) == parse("AP")
    assert collection_of(unsaid.with_collection(parse("OIE"), data)) == unsaid.collection == 134
    # a search goes on among judged documents, and says so itself
    assert unsaid.with_collection(parse("ESL"), data) == parse("ESL")


@pytest.mark.parametrize("around", ["{}", "gm({})", "interval({})", "gm(interval({}))"])
def test_a_measure_inside_another_is_told_and_asked_like_any(around):
    data = judged((5, 3))
    unsaid = TypicalTopic.of(data, [])
    told = unsaid.with_collection(parse(around.format("OIE@5")), data)
    assert repr(told) == around.format("OIE(beta=1.2, collection=134)@5")
    assert collection_of(told) == 134
    [caveat] = unsaid.assumed([told], None)
    assert "134 are assumed for OIE:" in caveat.text


def test_that_the_size_was_assumed_is_said_where_it_matters():
    data = judged((5, 3))
    unsaid, said = TypicalTopic.of(data, []), TypicalTopic.of(data, [], 1000)
    oie, ap = unsaid.with_collection(parse("OIE"), data), parse("AP")
    matrix = unsaid.matrix([ap])
    [caveat] = unsaid.assumed([ap, oie], matrix)
    assert "134 are assumed for OIE and the constraints:" in caveat.text
    assert "are assumed for the constraints:" in next(unsaid.assumed([ap], matrix)).text
    assert list(unsaid.assumed([ap], None)) == []
    assert list(said.assumed([said.with_collection(parse("OIE"), data)], matrix)) == []


@pytest.mark.parametrize("wrong", [{"collection": 0}, {"recall_base": 0}, {"ranks": -1}, {"collection": 2.5}])
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(ParameterError, match="must be a whole number from 1 up"):
        topic_of(["AP"], (5, 3), **wrong)
