from __future__ import annotations

import pytest

from measurand.errors import Doubt, ParameterError
from measurand.information import Signals
from measurand.information.consistency import consistency
from measurand.papers.consistency_scatter import consistency_scatter
from measurand.papers.mergeability import fine_grained_documents, mergeability
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
    assert [caveat.doubt for caveat in scatter.caveats] == [Doubt.FEW_JUDGED]


def test_what_was_found_cannot_be_changed(scatter):
    for values in (scatter.one, scatter.many, scatter.signs, getattr(scatter, "told_apart", scatter.one)):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0


def test_points_are_what_consistency_says_of_the_systems(campaign):
    judgments, several = campaign
    scatter = consistency_scatter(judgments, several, samples=10, signals=3, depth=30)
    for pick, one, many in zip(scatter.picks, scatter.one, scatter.many, strict=True):
        named = {run.name: run for run in several if run.name in pick.systems}
        found = {d for run in named.values() for d in run.documents_of(pick.topic)}
        signals = Signals.of({**named, "judgments": judgments}, topic=pick.topic)
        assert one == float(consistency(signals.only(pick.one, "judgments"), documents=found))
        assert many == float(consistency(signals, documents=found))


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
