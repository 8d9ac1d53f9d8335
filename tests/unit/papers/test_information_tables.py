from __future__ import annotations

import json
from math import log2

import pytest
from attrs import evolve

from measurand.axioms.examine import PRINTED
from measurand.display.terminal import terminal_text
from measurand.errors import CaveatKind, ParameterError
from measurand.papers.agms2018.scatters import consistency_scatter, mergeability
from measurand.papers.information_tables import information_tables, information_tables_document
from measurand.papers.printed.unanimity import HEADS, printed_unanimity
from measurand.sample import Campaign
from measurand.trec import read_run


def information_tables_text(tables, *, width=100):
    return terminal_text(information_tables_document(tables), width=width)


@pytest.fixture(scope="module")
def campaign():
    return Campaign(systems=3, topics=3, depth=8, candidates=12, pool=8).draw()


@pytest.fixture(scope="module")
def tables(campaign):
    return information_tables(*campaign, samples=6)


def test_the_printed_table_has_the_measures_of_the_constraint_matrix_in_their_order():
    printed = printed_unanimity()
    assert len(printed) == 15
    assert [(spelling, row.marks) for row in printed for spelling in row.spellings] == list(PRINTED.items())


def test_the_table_is_in_the_order_of_the_printed_measures_and_ready_for_json(tables):
    data = json.loads(json.dumps(tables.to_dict()))
    assert list(data["table2"])[:3] == ["OIE(beta=1.2)", "OIE(beta=1)", "RBP(p=0.8)"]
    assert len(data["table2"]) == len(PRINTED)
    for row in data["table2"].values():
        assert row["mu"] == pytest.approx(log2(2 - row["tie_rate"]), abs=1e-12)
        assert {head for head in HEADS if row[head] != row["printed"][head]} == set(row["printed"]["differing"])
    printed = data["table2"]["AP"]["printed"]
    assert printed["mu_difference"] == pytest.approx(data["table2"]["AP"]["mu_with_self_pairs"] - 0.91)
    assert printed["mu_agrees"] is False
    assert data["table2"]["P@100"]["printed"]["mu"] == 0.91


def test_unanimity_is_also_told_with_each_system_compared_with_itself(tables):
    found = tables.unanimity.unanimity.with_self_pairs()
    for row in tables.rows:
        assert row.mu_with_self_pairs == row.to_dict()["mu_with_self_pairs"] == found[row.found.measure].value
    assert "self pairs" in information_tables_text(tables, width=120)


def test_the_printed_unanimity_is_compared_with_the_one_that_has_self_pairs_as_its_formula(tables):
    row = next(row for row in tables.rows if row.measure == "AP")
    assert row.mu != row.mu_with_self_pairs
    printed = [evolve(row, printed=evolve(row.printed, mu=f"{mu:.3f}")) for mu in (row.mu_with_self_pairs, row.mu)]
    assert [each.agrees for each in printed] == [True, False]
    text = information_tables_text(tables, width=120)
    heads, ap = (
        next(line.split() for line in text.splitlines() if line[1:].startswith(f"{name} "))
        for name in ("measure", "AP")
    )
    # "tie rate" and "self pairs" are two words each
    assert heads[:8] == ["measure", "MU", "tie", "rate", "self", "pairs", "printed", "difference"]
    assert float(ap[5]) == pytest.approx(float(ap[3]) - float(ap[4]), abs=0.0011)


def test_the_figures_are_those_of_the_experiments_with_as_many_systems_as_there_are(campaign, tables):
    how = {"samples": 6, "signals": 3}
    assert tables.consistency.many.tolist() == consistency_scatter(*campaign, **how).many.tolist()
    assert tables.mergeability.many.tolist() == mergeability(*campaign, **how).many.tolist()
    assert list(tables.drawings()) == ["figure-1", "figure-2", "figure-3"]
    assert any("Figures 1 and 2 draw 3" in caveat.text for caveat in tables.caveats)
    data = tables.to_dict()
    assert data["figure1"]["above"] + data["figure1"]["on"] + data["figure1"]["below"] == 6
    assert data["figure2"]["printed"] == {"picks": 2000, "above": 1809}
    assert data["figure3"]["fusions"]["borda"]["beaten"] <= data["figure3"]["systems"] == 3


def test_the_text_tells_where_the_paper_errs_and_what_the_figures_show(tables):
    text = " ".join(information_tables_text(tables).split())
    assert "As printed: 0 of 17 unanimities" in text
    assert "Figure 1 In" in text
    assert "The paper reports 1,809 of 2,000 more." in text
    assert max(map(len, information_tables_text(tables, width=60).splitlines())) <= 60


def test_figures_that_need_two_systems_for_a_topic_are_left_out():
    one, other = (read_run({topic: {"d1": 2.0, "d2": 1.0}}, name=f"s{topic}") for topic in "12")
    tables = information_tables({"1": {"d1": 1}, "2": {"d2": 1}}, [one, other], collection_size=30)
    assert list(tables.drawings()) == ["figure-3"]
    assert tables.to_dict()["figure1"] is None
    assert CaveatKind.DEGENERATE in [caveat.kind for caveat in tables.caveats]
    assert "Left out" in information_tables_text(tables)


def test_where_every_document_is_relevant_there_are_no_constraints_to_look_at():
    runs = [read_run({"1": {"d1": 2.0, "d2": 1.0}}, name=name) for name in "ab"]
    tables = information_tables({"1": {"d1": 1, "d2": 1}}, runs, samples=2)
    data = json.loads(json.dumps(tables.to_dict(), allow_nan=False))
    assert {data["table2"]["AP"][head] for head in HEADS} == {None}
    text = information_tables_text(tables)
    assert "As printed: 0 of 17 unanimities (with self pairs)." in text
    assert "Conf" not in text
    assert any("all documents of the collection are relevant" in caveat.text for caveat in tables.caveats)


def test_no_collection_is_that_large():
    runs = [read_run({"1": {"d1": 2.0, "d2": 1.0}}, name=name) for name in "ab"]
    with pytest.raises(ParameterError, match="from 1 to 1,000,000,000,000,000, not"):
        information_tables({"1": {"d1": 1}}, runs, collection_size=10**30)


def test_one_system_alone_has_no_table():
    with pytest.raises(ParameterError, match="one system alone"):
        information_tables({"1": {"d1": 1}}, [read_run({"1": {"d1": 2.0, "d2": 1.0}}, name="s")])
