"""Comparisons in notebooks: topics won, tied and lost, and nothing that the scale does not admit."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import measurand as md

EVIL = "<script>alert(1)</script>"
TOPIC = '"><img src=x onerror=alert(2)>'

GRADES = {"1": {"d1": 2, "d2": 1, "d3": 0}, TOPIC: {"d1": 1, "d4": 1}, "3": {"d2": 2}}
RANKED = {EVIL: ["d1", "d2", "d9"], "b": ["d3", "d2", "d1"], "c & d": ["d9", "d8", "d4"]}


@pytest.fixture(scope="module")
def judged():
    runs = [
        md.read_run({topic: {name: 3.0 - place for place, name in enumerate(order)} for topic in topics}, name=system)
        for (system, order), topics in zip(RANKED.items(), [list(GRADES), list(GRADES), ["1", TOPIC]], strict=True)
    ]
    return md.judge(runs, md.read_qrels(GRADES))


def test_the_parts_of_a_row_are_the_topics(judged):
    comparison = md.compare(judged, ["AP", "P@2"])
    for standing, panel in zip(comparison.results, comparison.plot().to_dict()["concat"], strict=False):
        best = standing.systems[0]
        pieces = panel["layer"][0]["data"]["values"]
        for system in standing.systems[1:]:
            effect = standing.effects.of(system, best)
            found = {piece["kind"]: piece["topics"] for piece in pieces if piece["system"] == system}
            told = {"ahead": effect.wins, "level": effect.ties, "behind": effect.losses}
            assert found == {kind: count for kind, count in told.items() if count}
        assert best not in {piece["system"] for piece in pieces}


def test_the_last_panel_needs_no_measure(judged):
    comparison = md.compare(judged, "P@2", baseline="b")
    panel = comparison.plot().to_dict()["concat"][-1]
    pieces = panel["layer"][0]["data"]["values"]
    found = md.dominance(judged, EVIL, "b", depth=2)
    told = {"ahead": found.wins, "level": found.ties, "measures disagree": found.incomparable, "behind": found.losses}
    assert {piece["kind"]: piece["topics"] for piece in pieces if piece["system"] == EVIL} == {
        kind: count for kind, count in told.items() if count
    }
    assert "b" in panel["title"]["subtitle"][0]


def test_a_strict_comparison_shows_no_number_that_the_scale_does_not_admit(judged, text_of):
    loose, strict = (text_of(md.compare(judged, "AP", test="sign", strict=each)._repr_html_()) for each in (0, 1))
    for head in ("Δ mean", "κ"):
        assert head in loose
        assert head not in strict


def test_a_system_alone_is_compared_with_nobody(text_of):
    judged = md.judge([md.read_run({"1": {"d1": 1.0}}, name="a")], md.read_qrels({"1": {"d1": 1}}))
    comparison = md.compare(judged, "P@1")
    text_of(comparison._repr_html_())
    ElementTree.fromstring(comparison.plot().to_svg())


def test_an_axis_of_few_topics_counts_every_one_once():
    judged = md.judge([md.read_run({"1": {"d1": 1.0}}, name=name) for name in "ab"], md.read_qrels({"1": {"d1": 1}}))
    bars = md.compare(judged, "P@1").plot().to_dict()["concat"][0]["layer"][0]
    assert bars["encoding"]["x"]["axis"]["values"] == [0, 1]


def test_letters_are_explained_where_there_are_some(judged, text_of):
    free, against = (text_of(md.compare(judged, "P@2", baseline=each)._repr_html_()) for each in (None, "b"))
    assert "letters:" in free
    assert "letters:" not in against
