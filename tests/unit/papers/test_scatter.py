from __future__ import annotations

from fractions import Fraction

import pytest

from measurand.errors import CaveatKind, ParameterError
from measurand.information import Signals
from measurand.information.consistency import consistency
from measurand.papers.agms2018.additivity import effectiveness
from measurand.papers.agms2018.scatters import consistency_scatter, fine_grained_documents, mergeability
from measurand.sample import Campaign, qrels, runs


@pytest.fixture(scope="module")
def campaign():
    return Campaign(systems=6, topics=4, depth=30, candidates=60, pool=10).draw()


@pytest.fixture(scope="module", params=[consistency_scatter, mergeability])
def scatter(request, campaign):
    return request.param(*campaign, samples=40, signals=3, depth=20, rng=4)


def test_every_pick_lies_above_the_diagonal_on_it_or_below(scatter):
    assert scatter.above + scatter.on + scatter.below == len(scatter) == 40
    assert (scatter.many == scatter.one).sum() == scatter.on
    assert scatter.above == int((scatter.many > scatter.one).sum())
    assert scatter.summary in repr(scatter)


def test_the_frame_has_a_row_for_each_pick(scatter):
    frame = scatter.to_polars()
    assert frame.columns[:6] == ["topic", "systems", "system", "one", "many", "side"]
    assert frame["side"].to_list().count("above") == scatter.above
    assert all(system in systems for system, systems in zip(frame["system"], frame["systems"], strict=True))


def test_the_chart_shows_every_pick_and_the_diagonal(scatter):
    chart = scatter.chart()
    diagonal, dots = chart["layer"]
    assert len(dots["data"]["values"]) == 40
    [low, high] = [row["end"] for row in diagonal["data"]["values"]]
    assert low < min(scatter.one.min(), scatter.many.min())
    assert high > max(scatter.one.max(), scatter.many.max())
    assert dots["encoding"]["x"]["scale"]["domain"] == dots["encoding"]["y"]["scale"]["domain"] == [low, high]
    assert scatter.summary in chart["description"]
    used = {row["side"] for row in dots["data"]["values"]}
    assert used <= set(dots["encoding"]["color"]["scale"]["domain"])


def test_the_figure_can_be_drawn(scatter):
    svg = scatter.to_svg()
    assert svg.startswith("<svg")
    assert "consistency of" in svg or "OIE of" in svg


def test_unjudged_documents_are_noted(scatter):
    assert [caveat.kind for caveat in scatter.caveats] == [CaveatKind.FEW_JUDGED]


def test_what_was_found_cannot_be_changed(scatter):
    for values in (scatter.one, scatter.many, scatter.signs, getattr(scatter, "told_apart", scatter.one)):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0


@pytest.mark.parametrize("pool", ["all", "picked"])
def test_points_are_what_consistency_says_of_the_systems_on_a_pool_of_documents(campaign, pool):
    judgments, several = campaign
    scatter = consistency_scatter(judgments, several, samples=10, signals=3, depth=30, pool=pool)
    for pick, one, many in zip(scatter.picks, scatter.one, scatter.many, strict=True):
        named = {run.name: run for run in several if run.name in pick.systems}
        pooled = several if pool == "all" else named.values()
        found = {d for run in pooled for d in run.documents_of(pick.topic)}
        everything = Signals.of({**{run.name: run for run in several}, "judgments": judgments}, topic=pick.topic)
        signals = everything.only(*pick.systems, "judgments")
        assert one == float(consistency(signals.only(pick.one, "judgments"), documents=found))
        assert many == float(consistency(signals, documents=found))


def test_the_pool_is_that_of_every_system_unless_another_is_asked_for(campaign):
    ours, every, picked = (
        consistency_scatter(*campaign, samples=10, signals=2, **options)
        for options in ({}, {"pool": "all"}, {"pool": "picked"})
    )
    assert ours.one.tolist() == every.one.tolist()
    assert every.picks == picked.picks
    assert every.one.tolist() != picked.one.tolist()
    with pytest.raises(ParameterError, match="pool must be one of 'all', 'picked', not 'some'"):
        consistency_scatter(*campaign, samples=1, pool="some")


def test_a_pick_of_systems_is_compared_by_means_over_topics(campaign):
    judgments, several = campaign
    merged = mergeability(judgments, several, samples=12, signals=3, rng=2)
    for place, pick in enumerate(merged.picks):
        assert pick.topic is None
        named = {**{run.name: run for run in several}, "judgments": judgments}
        found = [
            fine_grained_documents(Signals.of(named, topic=topic).only(*pick.systems, "judgments"), pick.one)
            for topic in judgments.topics
            if (judgments.grades[judgments.rows(topic)] > 0).any()
        ]
        one, many = (
            sum((effectiveness(each.only(name, "judgments")) for each in found), Fraction(0)) / len(found)
            for name in ("one", "many")
        )
        assert (merged.one[place], merged.many[place]) == pytest.approx((float(one), float(many)), abs=1e-12)
        assert merged.signs[place] == (many > one) - (many < one)
        assert merged.told_apart[place] == sum(len(each.documents) for each in found)


def test_a_pick_may_be_of_one_topic(campaign):
    merged = mergeability(*campaign, samples=6, signals=3, topics="one")
    assert {pick.topic for pick in merged.picks} <= set(campaign[0].topics)
    with pytest.raises(ParameterError, match="topics must be one of 'all', 'one', not 'some'"):
        mergeability(*campaign, samples=1, topics="some")


def test_self_pairs_make_everything_more_consistent(campaign):
    options = {"samples": 10, "signals": 3, "rng": 1}
    without, with_self = (consistency_scatter(*campaign, **options, self_pairs=pairs) for pairs in (False, True))
    assert without.picks == with_self.picks
    assert (with_self.one >= without.one).all()
    assert (with_self.many > without.many).any()


def test_files_are_read_as_by_evaluate():
    assert len(consistency_scatter(qrels(), runs(), samples=3)) == 3


def test_one_system_is_as_good_as_itself(campaign):
    for experiment in (consistency_scatter, mergeability):
        assert experiment(*campaign, samples=8, signals=1).on == 8


def test_the_numbers_of_documents_told_apart_stand_in_the_frame(campaign):
    merged = mergeability(*campaign, samples=5, signals=3)
    assert merged.to_polars()["told_apart"].to_list() == merged.told_apart.tolist()
    assert (merged.told_apart >= 1).all()


def test_ties_of_the_one_are_told_apart_by_taking_one_of_them():
    signals = Signals.of({"a": {"d1": 2, "d2": 2, "d3": 1}, "b": {"d2": 1}, "g": {"d1": 1}})
    assert fine_grained_documents(signals, "a", "g").documents == ("d1", "d3")


def test_documents_that_only_others_tell_of_are_left_out():
    signals = Signals.of({"a": {"d1": 2}, "b": {"d2": 1}, "g": {"d2": 1}})
    assert fine_grained_documents(signals, "a", "g").documents == ("d1",)


def test_a_signal_that_tells_of_nothing_is_refused():
    with pytest.raises(ParameterError, match="signal a tells of no document"):
        fine_grained_documents(Signals.of({"a": {}, "b": {"d2": 1}, "g": {"d2": 1}}), "a", "g")
