"""Effects are planted by moves that make runs better, and measures see the same runs on both their scales."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import measurand as md
from measurand.errors import MeasurandError
from measurand.judged import JudgedRuns
from measurand.study.planted_moves import improved

SAMPLE = md.judge(md.sample.runs()[:4], md.sample.qrels(), depth=20)
TEN = md.read_qrels(md.sample.qrels()).topics[1:11]


def better_by_one_move(run: tuple[int, ...], pool: list[int], top: int) -> set[tuple[int, ...]]:
    """Return the runs that one move leads to, found by trying them all."""
    found = set()
    for rank in range(min(top, len(run))):
        for lower in range(rank + 1, len(run)):
            if max(run[lower], 0) > max(run[rank], 0):
                moved = list(run)
                moved[rank], moved[lower] = run[lower], run[rank]
                found.add(tuple(moved))
        for grade in range(max(run[rank], 0) + 1, len(pool)):
            if pool[grade] > run.count(grade):
                found.add((*run[:rank], grade, *run[rank + 1 :]))
    return found


@given(st.lists(st.integers(-1, 2), min_size=1, max_size=5), st.lists(st.integers(0, 1), min_size=2, max_size=2))
def test_a_move_leads_to_one_of_the_runs_that_are_one_move_better(run, spare):
    run = tuple(run)
    pool = [run.count(0), *(run.count(grade) + more for grade, more in zip((1, 2), spare, strict=True))]
    judged = JudgedRuns.on_one_topic([run], pool)
    cells, made = improved(judged, [1], 60, np.random.default_rng(0), top=3)
    after = cells[0, :, 0, 0]
    reached = {tuple(each) for each in after.tolist()}
    possible = better_by_one_move(run, pool, 3)
    assert reached <= (possible or {run})
    assert set(made.ravel().tolist()) == {int(bool(possible))}
    # with as many draws as these, a run of few moves gets to each
    assert len(possible) > 3 or reached == (possible or {run})
    assert {str(md.orders.compare(run, each)) for each in reached} <= {"less" if possible else "equal"}


def test_moves_go_up_in_the_order_one_after_the_other_and_keep_to_the_pool():
    found, made = improved(SAMPLE, [1, 2, 3], 2, np.random.default_rng(1), top=10)
    assert (np.diff(made, axis=0) <= 1).all()
    stages = [np.broadcast_to(SAMPLE.cells, found[0].shape), *found]
    for before, after in pairwise(stages):
        for one, other in zip(before.reshape(-1, 20)[::7], after.reshape(-1, 20)[::7], strict=True):
            assert md.orders.compare(tuple(one.tolist()), tuple(other.tolist())) in ("less", "equal")
    for grade in range(1, SAMPLE.grade_counts.shape[1]):
        assert ((found == grade).sum(axis=-1) <= SAMPLE.grade_counts[:, grade]).all()
    assert ((found == -2) == (SAMPLE.cells == -2)).all()


def test_both_scales_of_a_measure_that_is_on_one_decide_alike():
    found = md.simulate(SAMPLE, "P@10", repetitions=30)["P@10"]
    assert found.scales == ("P@10", "interval(P@10)")
    assert {each.value for change in found.changes for each in (*change.lost, *change.won)} == {0.0}
    assert found.sentences()[-1] == "interval(P@10) decides as P@10 does, in every repetition."
    # a test that finds nothing would agree too
    assert found.of("t").power[-1].value > found.of("t").power[0].value > 0


def test_more_moves_are_found_more_often_and_measures_share_what_was_planted():
    together = md.simulate(SAMPLE, ["RR@15", "P@10"], tests="t", repetitions=40, effects=[4, 0.5], rng=5)
    alone = md.simulate(SAMPLE, ["P@10"], tests="t", repetitions=40, effects=[0.5, 4], rng=5)
    assert together["P@10"].records() == alone[md.P @ 10].records()
    assert together["P@10"].effects == (0.5, 4.0)
    assert list(together) == ["RR@15", "P@10"]


def test_a_measure_without_an_interval_scale_is_simulated_as_it_is():
    found = md.simulate(SAMPLE, ["AP", "Judged@10"], tests="sign", repetitions=10)
    assert found["AP"].scales == ("AP",)
    said = [str(caveat) for caveat in found.caveats]
    assert any("AP is not shown on an interval scale" in text for text in said)
    assert any("Judged@10 is not simulated" in text for text in said)


def test_measures_where_less_is_better_are_made_better_too():
    found = md.simulate(SAMPLE, "ESL", tests="sign", repetitions=40, effects=6)["ESL(i=1)"]
    assert found.of("sign").power[0].value > 2 * found.of("sign").type_one.value


@pytest.mark.parametrize(
    ("arguments", "options", "complaint"),
    [
        ([md.judge(md.sample.runs()[:2], md.sample.qrels(), ties="expected")], {}, "leave ties out"),
        ([md.judge(md.sample.runs()[:1], md.sample.qrels())], {}, "and there is 1; name more runs"),
        ([SAMPLE, "Judged@10"], {}, "name another measure"),
        ([SAMPLE], {"effects": 0}, "an effect is a number above 0, not 0; write effects=[1, 2, 4]"),
        ([SAMPLE], {"effects": 21}, "a number of moves up to 20, not 21"),
        ([SAMPLE], {"top": 0}, "top must be a whole number from 1 up, not 0"),
        ([SAMPLE], {"depth": 5}, "depth"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(arguments, options, complaint):
    with pytest.raises(MeasurandError) as stop:
        md.simulate(*arguments, repetitions=2, tests="sign", **options)
    assert complaint in str(stop.value)


def test_what_was_not_simulated_is_no_key():
    found = md.simulate(SAMPLE, "RR@10", tests="sign", repetitions=2)
    assert "P@5" not in found
    assert "nothing" not in found
    assert md.RR @ 10 in found
    with pytest.raises(KeyError, match=r"P@5 was not simulated; there is RR@10"):
        found["P@5"]


def test_judged_runs_are_simulated_by_their_method():
    options = {"tests": "sign", "repetitions": 20, "rng": 3}
    assert SAMPLE.simulate("RR@10", **options).to_dict() == md.simulate(SAMPLE, "RR@10", **options).to_dict()


def test_intervals_of_power_are_as_wide_as_power_varies_from_seed_to_seed():
    few = md.judge(md.sample.runs()[:2], md.read_qrels(md.sample.qrels()).on_topics(list(TEN)), depth=20)
    found = [md.simulate(few, "AP", tests="sign", effects=4, repetitions=60, rng=seed)["AP"] for seed in range(20)]
    powers = [each.of("sign").power[0] for each in found]
    half = np.mean([each.high - each.low for each in powers]) / 2
    # few improved runs that all repetitions draw from would make them vary more than twice as much
    assert 0.7 < half / (1.96 * np.std([each.value for each in powers])) < 1.4


def test_groups_of_repetitions_that_share_runs_are_what_intervals_go_by(monkeypatch):
    monkeypatch.setattr("measurand.study.simulation.RUNS", 1)
    shared = md.simulate(SAMPLE, "P@10", tests="t", repetitions=105)["P@10"]
    assert len(shared.groups) == 20
    assert shared.groups.sum() == 2 * 105
    monkeypatch.undo()
    assert len(md.simulate(SAMPLE, "P@10", tests="t", repetitions=105)["P@10"].groups) == 105


def test_it_makes_no_difference_how_many_runs_are_scored_at_a_time(monkeypatch):
    whole = md.simulate(SAMPLE, "RR@10", tests="t", repetitions=30)["RR@10"]
    monkeypatch.setattr("measurand.study.simulation.CELLS", 1)
    assert md.simulate(SAMPLE, "RR@10", tests="t", repetitions=30)["RR@10"].records() == whole.records()


def test_where_runs_have_no_room_the_moves_that_were_made_are_said():
    # one relevant document a topic, and the first rank alone
    qrels = {str(topic): {"x": 1} for topic in range(6)}
    runs = {
        name: {topic: {"x": place, "y": 1.5, "z": 1.0} for topic in qrels} for name, place in (("a", 2.0), ("b", 0))
    }
    found = md.simulate(qrels, runs, "P@1", tests="sign", repetitions=20, effects=[0.5, 4], top=1)
    # b has room for one move on every topic, a for none
    assert found["P@1"].made == pytest.approx((0.25, 0.5))
    assert "0.25 of 0.5 and 0.50 of 4 a topic were made" in str(found.caveats[-1])
    assert "0.25 for 0.5 and 0.50 for 4" in " ".join(found["P@1"].methods())


def test_where_nothing_can_be_planted_nothing_is_recommended():
    qrels = {str(topic): {"x": 0} for topic in range(6)}
    runs = {name: {topic: {"x": 2.0, "y": 1.0} for topic in qrels} for name in "ab"}
    [said, *_] = md.simulate(qrels, runs, "P@1", tests="t", repetitions=20)["P@1"].sentences()
    assert said == (
        "P@1: nothing could be planted, because no run has room for a better document, so no test can be recommended."
    )


def test_the_answers_for_all_measures_come_first_and_methods_once():
    parts = md.simulate(SAMPLE, ["RR@10", "P@10"], tests=["t", "sign"], repetitions=40).document().parts
    first = [part for part in parts[:4] if isinstance(part, str) and part.startswith("Take ")]
    assert len(first) == 2
    assert len([part for part in parts if isinstance(part, str) and part.startswith("Familywise:")]) == 1
