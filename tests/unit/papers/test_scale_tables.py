"""Tables 2 to 6 for any campaign: what must hold in them whatever the campaign, and going on after an interruption."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from attrs import evolve

from measurand.errors import Caveat, Doubt, ParameterError
from measurand.papers import scale_tables
from measurand.papers.printed.labels import MEASURES, WITH_RECALL_BASE
from measurand.scales import scale_effect
from measurand.trec import read_run

module = importlib.import_module("measurand.papers.scale_tables")

TOPICS = 12


@pytest.fixture(scope="module")
def campaign():
    """Return judgments with two grades above 0, and six systems with ties in their scores."""
    rng = np.random.default_rng(10)
    documents = [f"d{i}" for i in range(40)]
    qrels = {str(t): dict(zip(documents, rng.choice([0, 0, 0, 1, 2], 40).tolist(), strict=True)) for t in range(TOPICS)}
    runs = []
    for skill in (0.0, 0.5, 1.0, 1.5, 2.0, 2.5):
        scores = {
            topic: {d: round(skill * (grade > 0) + rng.normal(), 1) for d, grade in judged.items()}
            for topic, judged in qrels.items()
        }
        runs.append(read_run(scores, name=f"s{skill}"))
    return qrels, runs


@pytest.fixture(scope="module")
def found(campaign):
    return scale_tables(*campaign, depths=[10, 5])


def test_all_measures_stand_in_all_tables_at_all_depths(found):
    assert found.depths == (5, 10)
    for depth in ("5", "10"):
        assert list(found.tables["table2"][depth]) == list(found.tables["table3"][depth]) == list(MEASURES)
        assert len(found.tables["table4"][depth]) == 55
        assert {len(tests) for tests in found.tables["table56"][depth].values()} == {8}


def test_what_must_hold_in_the_tables_of_every_campaign_holds(found):
    for depth in ("5", "10"):
        table2, table4, cells = (found.tables[name][depth] for name in ("table2", "table4", "table56"))
        assert table2["P"] == table2["RBP_p05"] == table2["DCG_b10"] == 1
        assert table2["R"] == pytest.approx(table4["P vs R"]["msr"], abs=1e-12)
        assert table2["RBP_p03"] == pytest.approx(table4["RBP_p05 vs RBP_p03"]["msr"], abs=1e-12)
        for pair in ("P vs R", "RBP_p05 vs RBP_p03", "DCG_b02 vs nDCG_b02", "DCG_b10 vs nDCG_b10"):
            assert table4[pair]["rnk"] == 1
        for label, tests in cells.items():
            still = ["sign", "friedman"] + ([] if label in WITH_RECALL_BASE else ["rank_sum", "kruskal_wallis"])
            assert {(tests[test]["s2ns"], tests[test]["ns2s"]) for test in still} == {(0, 0)}


def test_grades_above_0_count_alike(campaign, found):
    qrels, runs = campaign
    lenient = {topic: {d: min(grade, 1) for d, grade in judged.items()} for topic, judged in qrels.items()}
    assert scale_tables(lenient, runs, depths=[5]).tables["table2"]["5"] == found.tables["table2"]["5"]


def test_scores_that_single_precision_cannot_tell_apart_tie():
    first, second = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}
    # as doubles they put a first; as single ones they tie, and the document with the later name comes first
    close = read_run({"1": {"a": 1.0 + 1e-9, "b": 1.0}, "2": second}, name="close")
    other = read_run({"1": second, "2": first}, name="other")
    tables = scale_tables({"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}, [close, other], depths=[2]).tables
    # no topic tells close from other as a winner if a comes first; so other is ahead in all
    assert tables["table2"]["2"]["RR"] == 1


def test_an_interrupted_computation_goes_on_where_it_was(campaign, found, tmp_path):
    asked = []

    def interrupted(items, total, what):
        asked.append(what)
        if what.startswith("depth 10: significance"):
            raise KeyboardInterrupt
        return items

    with pytest.raises(KeyboardInterrupt):
        scale_tables(*campaign, depths=[5, 10], keep=tmp_path, progress=interrupted)
    assert [path.name.partition(".")[0] for path in tmp_path.iterdir()] == ["depth-5"]

    def quiet(items, total, what):
        asked.append(what)
        return items

    asked.clear()
    resumed = scale_tables(*campaign, depths=[5, 10], keep=tmp_path, progress=quiet)
    assert not [what for what in asked if what.startswith("depth 5:")]
    assert resumed.resumed == (5,)
    assert resumed.to_dict() == found.to_dict()
    assert list(tmp_path.iterdir()) == []


def test_a_caveat_says_at_which_depth_unless_it_is_about_scales(campaign, monkeypatch):
    doubts = (Caveat(Doubt.BOUNDS, "of RR@2"), Caveat(Doubt.SCALE, "of R@2"), Caveat(Doubt.BOUNDS, "of RR@21"))
    monkeypatch.setattr(module, "scale_effect", lambda *a, **k: evolve(scale_effect(*a, **k), caveats=doubts))
    assert [caveat.text for caveat in scale_tables(*campaign, depths=[2]).caveats] == ["of RR@2", "of R", "of RR@21"]


def test_no_depth_and_a_depth_of_nothing_are_refused(campaign):
    with pytest.raises(ParameterError, match="no depth was asked for"):
        scale_tables(*campaign, depths=[])
    with pytest.raises(ParameterError, match="depth"):
        scale_tables(*campaign, depths=[0])


def test_cells_of_the_printed_tables_are_laid_beside(found):
    compared = found.beside("T08")
    # P, RBP_p05 and DCG_b10 are 1 in Table 2 at both depths, and must be here; deeper tables were not computed
    assert {(one.track, one.cell) for one in compared.agree} >= {("T08_05", "P"), ("T08_10", "DCG_b10")}
    assert {one.table for one in compared} <= {"table2", "table3"}


def test_averages_tell_over_which_cells_they_are(found):
    first, *_, last = found.averages(10)
    assert (first.cells + first.undefined, last.cells + last.undefined) == (20, 88)
