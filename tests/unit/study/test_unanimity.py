"""The unanimity of measures on a campaign, beside the constraints and the marks of the paper."""

from __future__ import annotations

from fractions import Fraction

import pytest

from measurand import sample
from measurand.axioms.examine import PRINTED
from measurand.errors import CaveatKind, MeasurandError, ParameterError
from measurand.information.unanimity import unanimity as unanimity_of_scores
from measurand.judged import JudgedRuns, Judgments, Results, judge
from measurand.measures import define
from measurand.study.evaluation import evaluate
from measurand.study.unanimity import paper_measures, unanimity

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
    assert (len(table), repr(table)) == (3, "<UnanimityTable: AP, RR, P@2>")


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
