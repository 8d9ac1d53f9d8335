"""Tables 2 to 6 for any campaign: what must hold in them whatever the campaign, and going on after an interruption."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from attrs import evolve

from measurand.display.terminal import terminal_text
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.papers import AS_PUBLISHED, scale_tables
from measurand.papers.printed import PrintedTables, differences
from measurand.papers.printed.labels import MEASURES, PAIRS, TESTS_IN_ORDER, WITH_RECALL_BASE, WITHOUT_RECALL_BASE
from measurand.papers.scale_tables_view import scale_tables_document
from measurand.scales import scale_effects
from measurand.trec import read_run


def scale_tables_text(tables, comparison=None, *, width=130):
    return terminal_text(scale_tables_document(tables, comparison), width=width)


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
        assert tuple(found.tables["table4"][depth]) == PAIRS
        cells = found.tables["table56"][depth]
        assert tuple(cells) == (*WITHOUT_RECALL_BASE, *WITH_RECALL_BASE)
        assert {tuple(tests) for tests in cells.values()} == {TESTS_IN_ORDER}


def test_what_must_hold_in_the_tables_of_every_campaign_holds(found):
    for depth in ("5", "10"):
        table2, table4, cells = (found.tables[name][depth] for name in ("table2", "table4", "table56"))
        assert table2["P"] == table2["RBP_p05"] == table2["DCG_b10"] == 1
        assert table2["R"] == pytest.approx(table4["R vs P"]["msr"], abs=1e-12)
        assert table2["RBP_p03"] == pytest.approx(table4["RBP_p05 vs RBP_p03"]["msr"], abs=1e-12)
        for pair in ("R vs P", "RBP_p05 vs RBP_p03", "nDCG_b02 vs DCG_b02", "nDCG_b10 vs DCG_b10"):
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
        if what.startswith("depth 10: measures"):
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
    doubts = (
        Caveat(CaveatKind.BOUNDS, "of RR@2"),
        Caveat(CaveatKind.SCALE, "of R@2"),
        Caveat(CaveatKind.BOUNDS, "of RR@21"),
    )
    monkeypatch.setattr(
        module, "scale_effects", lambda *a, **k: [evolve(one, caveats=doubts) for one in scale_effects(*a, **k)]
    )
    assert [caveat.text for caveat in scale_tables(*campaign, depths=[2]).caveats] == ["of RR@2", "of R", "of RR@21"]


def test_what_is_said_of_one_measure_is_not_said_of_each(campaign, monkeypatch):
    def doubts(*names):
        said = tuple(Caveat(CaveatKind.SCALE, f"{name}@2 has a scale of its own on every topic") for name in names)
        monkeypatch.setattr(
            module, "scale_effects", lambda *a, **k: [evolve(one, caveats=said) for one in scale_effects(*a, **k)]
        )
        return [caveat.text for caveat in scale_tables(*campaign, depths=[2]).caveats]

    assert doubts("AP") == ["AP has a scale of its own on every topic"]
    assert doubts("AP", "R") == ["AP and R: each has a scale of its own on every topic"]


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


@pytest.fixture(scope="module")
def many():
    """Return 30 systems on 12 topics whose first ten documents tie often under AP: doubles break some of these ties."""
    rng = np.random.default_rng(2)
    topics = [str(topic) for topic in range(12)]
    qrels = {topic: {f"r{i}": 1 for i in range(14)} | {f"n{i}": 0 for i in range(20)} for topic in topics}
    runs = []
    for system in range(30):
        scores, skill = {}, rng.uniform(0.3, 0.75)
        for topic in topics:
            relevant, others = iter(rng.permutation(14)), iter(rng.permutation(20))
            hits = rng.random(10) < skill
            names = [f"r{next(relevant)}" if hit else f"n{next(others)}" for hit in hits]
            scores[topic] = {name: float(100 - rank) for rank, name in enumerate(names)}
        runs.append(read_run(scores, name=f"s{system}"))
    return qrels, runs


@pytest.fixture(scope="module")
def published(many):
    return scale_tables(*many, depths=[10], as_published=True)


@pytest.fixture(scope="module")
def explained(many):
    return scale_tables(*many, depths=[10], explain=True)


def changed(one, other):
    """Return the cells of two sets of tables that differ: table, row, and the test of Tables 5 and 6."""
    rows = [(name, row) for name, tables in one.items() for row in tables["10"]]
    differing = [(name, row) for name, row in rows if one[name]["10"][row] != other[name]["10"][row]]
    tests = {
        (name, row, test)
        for name, row in differing
        if name == "table56"
        for test in one[name]["10"][row]
        if one[name]["10"][row][test] != other[name]["10"][row][test]
    }
    return {pair for pair in differing if pair[0] != "table56"}, tests


def test_as_published_changes_average_precision_and_both_anovas_alone(explained, published):
    assert explained.otherwise[str(AS_PUBLISHED)] == published.tables
    others, tests = changed(explained.tables, published.tables)
    assert {row for _, row in others} <= {"AP", *(pair for pair in PAIRS if "AP" in pair.split())}
    assert ("table2", "AP") in others
    assert {row for _, row, test in tests if test not in ("one_way_anova", "two_way_anova")} == {"AP"}
    assert {row for _, row, test in tests if test in ("one_way_anova", "two_way_anova")} - {"AP"}


def test_each_convention_alone_changes_what_is_its_own(explained):
    others, tests = changed(explained.tables, explained.otherwise["doubles"])
    assert {row for _, row, _ in tests} <= {"AP"}
    assert others
    others, tests = changed(explained.tables, explained.otherwise["degrees of freedom"])
    assert not others
    assert {test for _, _, test in tests} <= {"one_way_anova", "two_way_anova"}


def test_cells_that_differ_from_the_published_name_the_conventions_that_explain_them(explained, published):
    as_printed = PrintedTables(
        path="made up", cells={name: {"T08_10": tables["10"]} for name, tables in published.tables.items()}
    )
    found = evolve(explained, systems=129, topics=50).beside("T08", as_printed)
    assert found.differ
    assert set(found.causes) <= {
        "doubles",
        "degrees of freedom",
        "doubles, degrees of freedom",
        "doubles or degrees of freedom",
    }
    for one in found.differ:
        row, _, test = one.cell.partition(", ")
        assert "doubles" not in one.cause or "AP" in row.split()
        assert "degrees" not in one.cause or test in ("one_way_anova", "two_way_anova")
    assert published.beside("T08", as_printed).differ == ()
    assert {one.cause for one in differences(explained.tables, as_printed, "T08").differ} == {""}


def test_a_campaign_of_another_size_has_other_runs_and_no_other_cause(explained, published):
    found = explained.beside("T08")
    assert found.other_runs == "T08 has 129 runs on 50 topics; this campaign has 30 on 12"
    assert found.to_dict()["other_runs"] == found.other_runs
    assert found.differ
    assert {one.cause for one in found.differ} == {""}
    text = " ".join(scale_tables_text(explained, found).split())
    assert f"{found.other_runs}: these are other runs, which is why numbers differ." in text
    assert "unexplained" not in text
    assert evolve(published, systems=129, topics=50).beside("T08").other_runs == ""


def test_a_number_that_no_convention_gives_is_unexplained(published):
    wrong = {"table2": {"T08_10": {"P": 0.5, "AP": published.tables["table2"]["10"]["AP"]}}}
    tables = PrintedTables(path="made up", cells={name: wrong.get(name, {}) for name in published.tables})
    right_size = evolve(published, systems=129, topics=50)
    assert [(one.cell, one.cause) for one in right_size.beside("T08", tables).differ] == [("P", "unexplained")]


def test_numbers_that_differ_are_listed_with_the_digits_of_the_paper(published):
    cells = {"table2": {"T08_10": {"RBP_p03": 0.95, "AP": 0.803}}}
    tables = PrintedTables(path="made up", cells={name: cells.get(name, {}) for name in published.tables})
    beside = scale_tables_text(published, published.beside("T08", tables)).partition("Beside the printed tables")[2]
    rows = [line.split() for line in beside.splitlines() if "T08_10" in line]
    assert [(row[2], row[4]) for row in rows] == [("RBP_p03", "0.9500"), ("AP", "0.8030")]


def test_what_is_kept_under_one_convention_is_not_taken_for_another(many, tmp_path, published):
    def interrupted(items, total, what):
        if what.startswith("depth 6: measures"):
            raise KeyboardInterrupt
        return items

    with pytest.raises(KeyboardInterrupt):
        scale_tables(*many, depths=[5, 6], keep=tmp_path, progress=interrupted)
    assert scale_tables(*many, depths=[5], as_published=True, keep=tmp_path).resumed == ()
    assert published.to_dict()["conventions"] == "doubles, degrees of freedom"
