"""R06: a table of scores in which a system has no score under some measure."""

from __future__ import annotations

import json

import pytest

import measurand as md

WHOLE = {"A": (0.2, 0.4, 0.3), "B": (0.4, 0.8, 0.2)}


@pytest.fixture
def table(tmp_path):
    """Return a file of scores in which A has no AP, and the same with no score of A at all."""
    rows = [f"{system},{topic},P@5,{x}" for system, row in WHOLE.items() for topic, x in enumerate(row)]
    rows += [f"B,{topic},AP,{x}" for topic, x in enumerate((0.5, 0.6, 0.1))]
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(["name,qid,measure,value", *rows]) + "\n")
    return file


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "tsv", "latex"])
def test_a_measure_that_some_system_lacks_is_named_and_left_out(form, table, call):
    """R06: a KeyError where A has no AP and B has."""
    found = call("compare", table, "-f", form)
    assert found.code == 0
    assert "A has no score under AP" in found.out + found.err
    assert "B" in found.out
    assert "Under AP" not in found.out


def test_nobody_is_ranked_without_a_score(table, call):
    """R06: JSON placed A second under AP, without a score."""
    found = call("compare", table, "-f", "json")
    data = json.loads(found.out)
    assert found.code == 0
    assert list(data["measures"]) == ["P@5"]
    assert all(row["value"] is not None for row in data["measures"]["P@5"]["systems"])
    assert any("A has no score under AP" in caveat["text"] for caveat in data["caveats"])


@pytest.mark.parametrize("options", [("-m", "AP"), ("-m", "P@5", "-m", "AP"), ("--primary", "AP")])
def test_a_measure_that_was_asked_for_and_that_some_system_lacks_is_refused(options, table, call):
    """R06: what was asked for is not left out silently."""
    found = call("compare", table, *options)
    assert (found.code, found.out) == (1, "")
    assert found.err == "measurand: A has no score under AP; compare under P@5\n"


def test_where_every_measure_is_lacking_the_comparison_is_refused(tmp_path):
    """R06: two files of different measures."""
    sources = []
    for system, measure in (("A", "AP"), ("B", "RR")):
        sources.append(tmp_path / f"{system}.csv")
        sources[-1].write_text(f"name,qid,measure,value\n{system},1,{measure},0.5\n{system},2,{measure},0.7\n")
    with pytest.raises(md.InputError, match=r"B has no score under AP; A has no score under RR; compare other systems"):
        md.compare(sources)


def test_a_system_that_lacks_some_topics_is_compared_on_the_others(table):
    """R06: gaps in a row are no reason to leave a measure out."""
    table.write_text(table.read_text() + "A,0,AP,0.4\nA,2,AP,0.3\n")
    assert [each.scores.measure for each in md.compare(table)] == ["P@5", "AP"]


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ((0.5, 0.1, None), (0.5, None, 0.9), "B and A have the same mean on 1 topic"),
        ((0.5, 0.6, 0.1), (0.4, 0.5, None), "A is ahead of B by 0.1000 on 2 topics"),
        ((0.9, 0.1, 0.1), (0.95, 0.15, None), "B is ahead of A by 0.0500 on 2 topics"),
    ],
)
def test_two_systems_are_compared_on_the_topics_that_both_have(call, tmp_path, first, second, said):
    """R06: "ahead by 0.0000 on 0 topics", of means over different topics."""
    rows = [
        f"{system},{topic},AP,{x}"
        for system, row in (("A", first), ("B", second))
        for topic, x in enumerate(row)
        if x is not None
    ]
    (tmp_path / "scores.csv").write_text("\n".join(["name,qid,measure,value", *rows]) + "\n")
    assert f"Under AP {said}" in call("compare", tmp_path / "scores.csv").out


def test_systems_without_a_topic_in_common_are_not_compared(call, tmp_path):
    """R06: κ, p and a lead of 0.0000 of two systems on different topics."""
    rows = ["name,qid,measure,value", "A,1,AP,0.9", "B,2,AP,0.8"]
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(rows) + "\n")
    found = call("compare", file)
    assert (found.code, found.out) == (1, "")
    assert found.err == "measurand: A and B share no topic that has a score under AP; compare other systems\n"
    file.write_text("\n".join([*rows, "C,1,AP,0.1", "C,2,AP,0.2"]) + "\n")
    assert "A and B share no topic" in call("compare", file).out


@pytest.mark.parametrize("pair", [("A", "B"), ("B", "A")])
def test_a_gate_refuses_a_measure_that_one_of_the_two_lacks(pair, table, call):
    """R06: the same table, read by gate."""
    found = call("gate", table, *pair, "-m", "AP")
    assert (found.code, found.out) == (1, "")
    assert "under AP" in found.err
