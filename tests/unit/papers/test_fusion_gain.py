from __future__ import annotations

import pytest

from measurand.errors import Doubt, ParameterError
from measurand.fusion import fuse
from measurand.judged import judge
from measurand.measures import parse
from measurand.papers.campaign import cut
from measurand.papers.fusion_gain import PRINTED, fusion_gain
from measurand.sample import Campaign
from measurand.trec import read_run


@pytest.fixture(scope="module")
def campaign():
    return Campaign(systems=6, topics=4, depth=30, candidates=80, pool=10).draw()


@pytest.fixture(scope="module")
def gain(campaign):
    return fusion_gain(*campaign, measures=["AP", "RR", "ESL(i=1)"], depth=20)


def test_every_system_and_every_fusion_has_a_mean_under_every_measure(campaign, gain):
    names = {run.name for run in campaign[1]}
    assert {name for name, kind in gain.kinds.items() if kind == "system"} == names
    assert gain.fusions() == ("information", "bordalog", "borda")
    frame = gain.to_polars()
    assert set(frame["measure"]) == set(gain.scores)
    assert len(frame) == 3 * (len(names) + 4)


def test_systems_are_fused_and_scored_to_the_same_depth(campaign, gain):
    judgments, several = campaign
    short = [cut(run, 20) for run in several]
    size = len({d for source in (judgments, *several) for d in source.documents})
    fused = fuse(short, "borda", depth=20, collection_size=size)
    expected = parse("AP").scores(judge([*short, fused], judgments, depth=20)).mean()
    means = gain.scores["AP"].mean()
    assert means["borda"] == pytest.approx(list(expected)[-1], abs=1e-12)
    assert [means[run.name] for run in several] == pytest.approx(list(expected)[:-1], abs=1e-12)


def test_the_printed_sign_ranks_the_worst_documents_first():
    good = [read_run({"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}, name=name) for name in ("a", "b")]
    gain = fusion_gain({"1": {"d1": 1}}, good, measures="RR", depth=3)
    means = gain.scores["RR"].mean()
    assert means["bordalog"] == 1
    assert means[PRINTED] == pytest.approx(1 / 3)
    assert gain.kinds[PRINTED] == "as printed"
    assert PRINTED not in gain.fusions()


def test_the_printed_sign_may_be_left_out(campaign):
    gain = fusion_gain(*campaign, methods=["borda"], measures="RR", printed_sign=False)
    assert set(gain.kinds.values()) == {"system", "fusion"}


@pytest.mark.parametrize("measure", ["AP", "RR", "ESL(i=1)"])
def test_beaten_are_the_systems_with_a_worse_mean(gain, measure):
    means = gain.scores[repr(parse(measure))].mean().to_dict()
    worse = (lambda x, y: x > y) if measure.startswith("ESL") else (lambda x, y: x < y)
    systems = [name for name, kind in gain.kinds.items() if kind == "system"]
    for name in gain.kinds:
        assert gain.beaten(name, measure) == sum(worse(means[system], means[name]) for system in systems)
    first = gain.to_polars().filter(measure=repr(parse(measure)))["name"][0]
    assert not any(worse(means[first], mean) for mean in means.values())


def test_the_summary_counts_the_systems_that_each_fusion_beats(gain):
    text = gain.summary("RR")
    assert f"borda beats {gain.beaten('borda', 'RR')}" in text
    assert text.endswith("of 6 systems")
    assert gain.summary() in repr(gain)


def test_the_measure_of_the_paper_counts_the_documents_that_are_known_and_says_so(campaign):
    judgments, several = campaign
    gain = fusion_gain(judgments, several, methods="borda")
    size = len({d for source in (judgments, *several) for d in source.documents})
    assert list(gain.scores) == [f"OIE(beta=1.2, collection={size})"]
    assert Doubt.COLLECTION in [caveat.doubt for caveat in gain.caveats]
    told = fusion_gain(judgments, several, methods="borda", collection_size=5000)
    assert list(told.scores) == ["OIE(beta=1.2, collection=5000)"]
    assert Doubt.COLLECTION not in [caveat.doubt for caveat in told.caveats]


def test_that_all_are_scored_on_the_same_judgments_is_always_said(gain):
    assert any("same judgments" in caveat.text for caveat in gain.caveats)
    assert any("same judgments" in line for line in gain.chart()["title"]["subtitle"])


def test_a_system_that_is_called_like_a_fusion_keeps_its_name(campaign):
    judgments, several = campaign
    named = [read_run(several[0], name="borda"), *several[1:]]
    gain = fusion_gain(judgments, named, methods="borda", measures="RR")
    assert gain.kinds["borda"] == "system"
    assert gain.fusions() == ("borda'",)


def test_the_chart_has_a_bar_for_each_and_sorts_them_best_first(gain):
    chart = gain.chart("RR")
    rows = chart["data"]["values"]
    assert [row["mean"] for row in rows] == sorted((row["mean"] for row in rows), reverse=True)
    bars = chart["layer"][0]["encoding"]
    assert bars["y"]["sort"] == [row["name"] for row in rows]
    assert bars["color"]["scale"]["domain"] == ["system", "fusion", "as printed"]


def test_the_figure_can_be_drawn(gain):
    assert "mean RR" in gain.to_svg("RR")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda gain: gain.beaten("nobody"), "there is no nobody"),
        (lambda gain: gain.chart("P@5"), "P@5 was not asked for; there is AP, RR"),
    ],
)
def test_what_is_not_there_is_said(gain, ask, message):
    with pytest.raises(ParameterError, match=message):
        ask(gain)


def test_no_measure_is_too_few(campaign):
    with pytest.raises(ParameterError, match="no measure was asked for"):
        fusion_gain(*campaign, measures=[])


def test_caveats_of_a_fusion_name_it_and_the_printed_sign_has_none(campaign):
    gain = fusion_gain(*campaign, measures="RR", depth=20)
    tied = [caveat.text for caveat in gain.caveats if "share their fused score" in caveat.text]
    assert any(text.startswith("information: ") for text in tied)
    assert not any(caveat.text.startswith(PRINTED) for caveat in gain.caveats)


def test_many_fusions_are_counted_in_the_title_and_not_named(campaign):
    gain = fusion_gain(*campaign, methods=["borda", "bordalog", "rrf", "combsum"], measures="RR", depth=20)
    best = sum(gain.beaten(name) == 6 for name in gain.fusions())
    assert gain.chart()["title"]["subtitle"][0] == f"{best} of 4 fusions beat all 6 systems"


def test_no_fusion_is_too_few(campaign):
    with pytest.raises(ParameterError, match="no fusion was asked for"):
        fusion_gain(*campaign, methods=[])
