from __future__ import annotations

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.papers.agms2018.campaign import Pools, draw_picks, draw_systems, read_campaign
from measurand.trec import read_run

QRELS = {"1": {"a": 1}, "2": {"b": 1}, "3": {"a": 0}}


def campaign(**runs):
    return read_campaign(QRELS, [read_run(run, name=name) for name, run in runs.items()], depth=3)


def ranking(*documents):
    return {document: float(-place) for place, document in enumerate(documents)}


THREE = {
    "x": {"1": ranking("a", "b"), "2": ranking("a", "b")},
    "y": {"1": ranking("b", "c"), "2": ranking("c", "d"), "3": ranking("a", "b")},
    "z": {"1": ranking("d", "e"), "2": ranking("a")},
}


def test_only_topics_with_relevant_documents_and_enough_systems_are_drawn():
    picks = draw_picks(campaign(**THREE), 50, 3, rng=1)
    assert {pick.topic for pick in picks} == {"1"}
    picks = draw_picks(campaign(**THREE), 50, 2, rng=1)
    assert {pick.topic for pick in picks} == {"1", "2"}
    assert {pick.systems for pick in picks if pick.topic == "2"} == {("x", "y"), ("y", "x")}


def test_systems_differ_within_a_pick_and_each_may_be_the_one():
    picks = draw_picks(campaign(**THREE), 200, 2, rng=0)
    assert all(len(set(pick.systems)) == 2 and pick.one in pick.systems for pick in picks)
    assert {pick.one for pick in picks} == {"x", "y", "z"}


def test_one_seed_gives_one_sample():
    ours, again = (draw_picks(campaign(**THREE), 20, 2, rng=5) for _ in range(2))
    assert ours == again
    assert ours != draw_picks(campaign(**THREE), 20, 2, rng=6)
    assert ours == draw_picks(campaign(**THREE), 20, 2, rng=np.random.default_rng(5))


def test_the_signals_of_a_pick_are_over_what_its_systems_retrieve():
    made = campaign(**THREE)
    picks = draw_picks(made, 30, 2, rng=0)
    for pick in picks:
        signals = Pools(made).of(pick.systems, pick.topic)
        retrieved = {d for run in made.runs if run.name in pick.systems for d in run.documents_of(pick.topic)}
        assert set(signals.documents) == retrieved
        assert signals.rest == 0
        assert signals.names == (*pick.systems, "judgments")


def test_the_pool_of_all_systems_holds_what_any_of_them_retrieves():
    made = campaign(**THREE)
    for pick in draw_picks(made, 30, 2, rng=0):
        signals = Pools(made, every=True).of(pick.systems, pick.topic)
        assert set(signals.documents) == {d for run in made.runs for d in run.documents_of(pick.topic)}
        assert signals.names == (*pick.systems, "judgments")


def test_systems_are_drawn_without_a_topic():
    picks = draw_systems(campaign(**THREE), 50, 2, rng=0)
    assert {pick.topic for pick in picks} == {None}
    assert {pick.one for pick in picks} == {"x", "y", "z"}
    assert all(len(set(pick.systems)) == 2 and pick.one in pick.systems for pick in picks)
    with pytest.raises(ParameterError, match=r"3 systems answer a topic .* say signals=3"):
        draw_systems(campaign(**THREE), 5, 4, rng=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 0, "signals": 2}, "samples must be a whole number"),
        ({"samples": 5, "signals": 0}, "signals must be a whole number"),
        ({"samples": 5, "signals": 4}, "answered by 4 systems; 3 are the most, say signals=3"),
    ],
)
def test_what_cannot_be_drawn_is_said(options, message):
    with pytest.raises(ParameterError, match=message):
        draw_picks(campaign(**THREE), **options, rng=0)


def test_systems_that_answer_no_judged_topic_are_complained_of():
    with pytest.raises(ParameterError, match="no system answers a topic that has a relevant document"):
        draw_picks(campaign(x={"9": ranking("a", "b")}), 5, 1, rng=0)
