"""Scores in notebooks: best first, with what the scale admits."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

import measurand as md


def scores(values, **more):
    values = np.asarray(values, dtype=float)
    systems = [f"s{place}" for place in range(len(values))]
    return md.Scores(measure="X", values=values, systems=systems, topics=map(str, range(values.shape[1])), **more)


def test_the_dots_are_the_scores():
    found = scores([[0.1, 0.2], [0.3, np.nan]], scale="interval")
    layers = found.plot().to_dict()["layer"]
    dots = layers[0]["data"]["values"]
    assert sorted((dot["system"], dot["topic"], dot["score"]) for dot in dots) == [
        ("s0", "0", 0.1),
        ("s0", "1", 0.2),
        ("s1", "0", 0.3),
    ]


@pytest.mark.parametrize(
    ("scale", "one_scale", "statistic", "lines"),
    [("ratio", True, "mean", 1), ("ordinal", True, "median", 1), ("ratio", False, "mean rank", 0)],
)
def test_what_is_marked_is_what_the_scale_admits(scale, one_scale, statistic, lines):
    found = scores([[0.1, 0.2, 0.9], [0.3, 0.4, 0.5]], scale=scale, one_scale=one_scale)
    chart = found.plot().to_dict()
    assert [layer["mark"]["type"] for layer in chart["layer"]].count("tick") == lines
    summary = getattr(found, statistic.replace(" ", "_"))()
    assert found.admitted().statistic == statistic
    assert {row["system"]: row["value"] for row in chart["data"]["values"]} == summary.to_dict()
    assert statistic in chart["title"]["subtitle"]


@pytest.mark.parametrize("lower", [False, True])
def test_systems_stand_best_first(lower):
    found = scores([[1, 1], [3, 3], [2, 2]], scale="ratio", lower_is_better=lower)
    drawn = [row["system"] for row in found.plot().to_dict()["data"]["values"]]
    assert drawn == (["s0", "s2", "s1"] if lower else ["s1", "s2", "s0"])
    html = found._repr_html_()
    assert sorted(drawn, key=html.index) == drawn
    assert ("lower is better" in html) is lower


def test_a_system_without_any_score_stands_last_with_a_dash():
    found = scores([[np.nan, np.nan], [0.5, 0.25]], scale="interval")
    assert found.plot().to_dict()["data"]["values"][-1] == {"system": "s0", "value": None, "said": "–"}
    assert "no score on any topic: s0" in found._repr_html_()


@pytest.mark.parametrize(("topics", "head"), [(6, "topic 5"), (7, "highest")])
def test_topics_have_columns_where_they_are_few(topics, head, text_of):
    assert head in text_of(scores(np.ones((2, topics)), scale="interval")._repr_html_())


def test_what_the_scale_admits_stands_beside_the_mean(text_of):
    said = "Another spacing of the scale may change the order by the mean."
    page = text_of(scores([[0.1, 0.2, 0.9], [0.1, 0.2, 0.3]])._repr_html_())
    assert "mean\nmedian" in page
    assert said in page
    # one system has no order
    assert said not in text_of(scores([[0.1, 0.2, 0.9]])._repr_html_())


def test_one_system_on_one_topic_is_shown():
    found = scores([[0.5]])
    assert "1 system × 1 topic" in found._repr_html_()
    assert "0.5000" in found._repr_html_()
    ElementTree.fromstring(found.plot().to_svg())


def test_no_system_at_all_is_shown():
    found = md.Scores(measure="X", values=np.empty((0, 2)), systems=(), topics="12")
    assert "0 systems" in found._repr_html_()
    ElementTree.fromstring(found.plot().to_svg())


def test_a_table_tells_its_own_caveats_and_leaves_those_of_scales_to_comparisons(text_of):
    found = scores([[0.1, 0.2, 0.9]])
    table = md.scores.Table(by_measure={"X": found}, caveats=(md.Caveat("ties", "2 topics have ties"),))
    page = text_of(table._repr_html_())
    assert "2 topics have ties" in page
    assert not any(str(caveat) in page for caveat in found.mean().caveats)
    assert "*" not in page


def test_scores_that_are_all_alike_stand_where_the_axis_says():
    domain = scores([[0.5], [0.5]]).plot().to_dict()["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert domain == [-0.5, 1.5]


@pytest.mark.parametrize("values", [np.empty((0, 2)), np.empty((2, 0)), [[np.nan, np.nan]]])
def test_nobody_is_first_where_there_is_no_score(values):
    assert "First" not in scores(values).plot().description


def test_very_large_scores_keep_their_order():
    found = scores([[1e299, 1e299], [1e300, 1e300], [-1e300, -1e300]], scale="ratio")
    assert found.mean().best_first == (1, 0, 2)
    assert "s1" in found.plot().description


def test_a_table_of_measures_is_in_the_order_of_the_first_and_says_where_lower_is_better(text_of):
    runs = [md.read_run({"1": {"x": 1.0, "y": 2.0}}, name="slow"), md.read_run({"1": {"x": 1.0}}, name="quick")]
    shown = text_of(md.evaluate({"1": {"x": 1}}, runs, ["ESL(i=1)", "P@1"])._repr_html_())
    assert "ESL(i=1)↓" in shown
    assert "P@1↓" not in shown
    assert shown.index("quick") < shown.index("slow")
