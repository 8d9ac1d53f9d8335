from __future__ import annotations

import pytest

from measurand.errors import CaveatKind, ParameterError
from measurand.fusion import fuse
from measurand.judged import judge
from measurand.measures import parse
from measurand.papers.agms2018.fusion_gain import fusion_gain
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
    assert len(frame) == 3 * (len(names) + 3)


def test_systems_are_fused_and_scored_to_the_same_depth(campaign, gain):
    judgments, several = campaign
    short = [run.down_to(20) for run in several]
    size = len({d for source in (judgments, *several) for d in source.documents})
    fused = fuse(short, "borda", depth=None, collection_size=size)
    expected = parse("AP").scores(judge([*several, fused], judgments, depth=20, ties="groups")).mean()
    means = gain.scores["AP"].mean()
    assert means["borda"] == pytest.approx(list(expected)[-1], abs=1e-12)
    assert [means[run.name] for run in several] == pytest.approx(list(expected)[:-1], abs=1e-12)


def test_the_figure_has_systems_and_the_fusions_that_were_asked_for_and_nothing_else(campaign):
    gain = fusion_gain(*campaign, methods=["borda", "bordalog"], measures="RR")
    names = [run.name for run in campaign[1]]
    assert dict(gain.kinds) == {**dict.fromkeys(names, "system"), "borda": "fusion", "bordalog": "fusion"}


@pytest.mark.parametrize("measure", ["AP", "RR", "ESL(i=1)"])
def test_beaten_are_the_systems_with_a_worse_mean(gain, measure):
    means = gain.scores[gain._spelling(measure)].mean().to_dict()
    worse = (lambda x, y: x > y) if measure.startswith("ESL") else (lambda x, y: x < y)
    systems = [name for name, kind in gain.kinds.items() if kind == "system"]
    for name in gain.kinds:
        assert gain.beaten(name, measure) == sum(worse(means[system], means[name]) for system in systems)
    first = gain.to_polars().filter(measure=gain._spelling(measure))["name"][0]
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
    assert CaveatKind.COLLECTION in [caveat.kind for caveat in gain.caveats]
    told = fusion_gain(judgments, several, methods="borda", collection_size=5000)
    assert list(told.scores) == ["OIE(beta=1.2, collection=5000)"]
    assert CaveatKind.COLLECTION not in [caveat.kind for caveat in told.caveats]


def test_that_all_are_scored_on_the_same_judgments_is_always_said(gain):
    assert any("same judgments" in caveat.text for caveat in gain.caveats)
    assert any("same judgments" in line for line in gain.chart()["title"]["subtitle"])


def test_a_system_that_is_called_like_a_fusion_keeps_its_name(campaign):
    judgments, several = campaign
    named = [read_run(several[0], name="borda"), *several[1:]]
    gain = fusion_gain(judgments, named, methods="borda", measures="RR")
    assert gain.kinds["borda"] == "system"
    assert gain.fusions() == ("borda (2)",)


def test_the_chart_has_a_bar_for_each_and_sorts_them_best_first(gain):
    chart = gain.chart("RR")
    rows = chart["data"]["values"]
    assert [row["average"] for row in rows] == sorted((row["average"] for row in rows), reverse=True)
    bars = chart["layer"][0]["encoding"]
    assert bars["y"]["sort"] == [row["name"] for row in rows]
    assert bars["color"]["scale"]["domain"] == ["system", "fusion"]


def test_the_figure_can_be_drawn(gain):
    assert "mean of RR" in gain.to_svg("RR")


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


@pytest.mark.parametrize("measure", ["OIE", "P@1", "AP"])
def test_a_fusion_that_ranks_nothing_is_not_scored_by_the_names_of_documents(measure):
    def found(first, second):
        # each document is the first of one system and the last of the other: their information ties
        one, other = {first: 2.0, second: 1.0}, {second: 2.0, first: 1.0}
        systems = [read_run({"1": one}, name="one"), read_run({"1": other}, name="other")]
        gain = fusion_gain({"1": {first: 1, second: 0}}, systems, methods="information", measures=measure, depth=1)
        [scores] = gain.scores.values()
        ties = [caveat.text for caveat in gain.caveats if caveat.text.startswith("information: ")]
        return scores.mean()["information"], ties

    (ours, [told]), (again, _) = found("a", "b"), found("b", "a")
    assert ours == again
    assert "on 1 of the 1 topic all documents do, and nothing is ranked" in told


def test_no_measure_is_too_few(campaign):
    with pytest.raises(ParameterError, match="no measure was asked for"):
        fusion_gain(*campaign, measures=[])


def test_caveats_of_a_fusion_name_it(campaign):
    gain = fusion_gain(*campaign, measures="RR", depth=20)
    tied = [caveat.text for caveat in gain.caveats if "share their fused score" in caveat.text]
    assert any(text.startswith("information: ") for text in tied)


def test_many_fusions_are_counted_in_the_title_and_not_named(campaign):
    gain = fusion_gain(*campaign, methods=["borda", "bordalog", "rrf", "combsum"], measures="RR", depth=20)
    best = sum(gain.beaten(name) == 6 for name in gain.fusions())
    assert gain.chart()["title"]["subtitle"][0] == f"{best} of 4 fusions beat all 6 systems"


def test_no_fusion_is_too_few(campaign):
    with pytest.raises(ParameterError, match="no fusion was asked for"):
        fusion_gain(*campaign, methods=[])


def test_measures_that_want_to_know_are_told_the_size_of_the_collection(campaign):
    gain = fusion_gain(
        *campaign, methods="borda", measures=["OIE", "gm(OIE)", "OIE(collection=900)"], collection_size=5000
    )
    told = "OIE(beta=1.2, collection=5000)"
    assert list(gain.scores) == [told, f"gm({told})", "OIE(beta=1.2, collection=900)"]
    assert gain.summary("OIE") == gain.summary(told)
    assert CaveatKind.COLLECTION not in [caveat.kind for caveat in gain.caveats]


@pytest.mark.parametrize(
    ("options", "noted"),
    [
        ({"methods": "rrf", "measures": "RR"}, False),
        ({"methods": "borda", "measures": "RR"}, True),
        ({"methods": "rrf", "measures": "gm(OIE)"}, True),
    ],
)
def test_that_the_collection_is_assumed_is_noted_where_it_matters(campaign, options, noted):
    gain = fusion_gain(*campaign, **options)
    assert any("the collection is taken for" in caveat.text for caveat in gain.caveats) is noted


def test_measures_are_averaged_as_they_are_reported(campaign):
    gain = fusion_gain(*campaign, methods="borda", measures="gm(AP)", depth=20)
    [scores] = gain.scores.values()
    averages = dict(gain.to_polars().select("name", "average").rows())
    assert averages == scores.mean().to_dict() == scores.geometric_mean().to_dict()
    assert gain.chart()["layer"][0]["encoding"]["x"]["title"] == "geometric mean of gm(AP)"


def test_averages_that_differ_by_rounding_beat_nobody():
    # 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 in floats, and both have found six relevant documents
    judgments = {topic: {f"{topic}{i}": 1 for i in range(10)} for topic in "abc"}
    found = {"up": (1, 2, 3), "down": (3, 2, 1), "middle": (2, 3, 1)}
    systems = [
        read_run(
            {
                topic: {f"{topic}{i}": 20.0 - i for i in range(n)} | {"x": 1.0}
                for topic, n in zip("abc", few, strict=True)
            },
            name=name,
        )
        for name, few in found.items()
    ]
    gain = fusion_gain(judgments, systems, methods="borda", measures="P@10")
    means = gain.scores["P@10"].mean()
    assert len({means[name] for name in found}) > 1
    assert [gain.beaten(name) for name in found] == [0, 0, 0]
    assert gain.beaten("borda") == 3


@pytest.mark.parametrize("depth", [10**9, 10**12])
def test_a_depth_beyond_all_runs_looks_at_all_of_them(campaign, depth):
    deep, enough = (fusion_gain(*campaign, measures="AP", depth=ranks) for ranks in (depth, 1000))
    assert deep.scores["AP"].values.tolist() == enough.scores["AP"].values.tolist()


def test_names_are_shown_as_they_are():
    odd = ["<script>alert(1)</script>", "x" * 400, "a & 'b' \"c\""]
    systems = [read_run({"1": {"d1": 2.0, "d2": 1.0}}, name=name) for name in odd]
    gain = fusion_gain({"1": {"d1": 1}}, systems, measures="RR")
    svg = gain.to_svg()
    assert "<script" not in svg
    assert "&lt;script&gt;" in svg
