"""Position among runs: exact where runs can be counted, within its band where they are drawn, and in order."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from measurand import errors, interval, judge, parse
from measurand.execution import generator
from measurand.intervals import run_positions as module
from measurand.intervals.run_positions import RunPosition, among_runs, position_among_runs
from measurand.intervals.universe import _ruler
from measurand.judged import Pool
from measurand.measures.valued import Valuer, numbers_at_most
from measurand.scale import Scale

DEPTH = 6


def share(measure, run, grades=2, recall_base=None):
    """Return the share of runs that score no more, by a look at all of them."""
    most = len(run) if recall_base is None else recall_base
    runs = [one for one in product(range(grades), repeat=len(run)) if sum(grade > 0 for grade in one) <= most]
    counts = (len(run), *[0] * (grades - 2), max(most, 1))
    values = [measure.of(one, grade_counts=counts) for one in runs]
    return Fraction(sum(value <= measure.of(run, grade_counts=counts) for value in values), len(runs))


@pytest.mark.parametrize(
    ("spelling", "grades"), [("AP", 2), ("Q", 2), ("DCG(b=2)", 2), ("ERR", 2), ("gP", 3), ("ESL(i=2)", 2)]
)
def test_where_all_runs_are_looked_at_the_share_is_that_of_the_definition(spelling, grades):
    measure, depth = parse(spelling), DEPTH if grades == 2 else 4
    among = among_runs(measure, depth, grades)
    for run in ((0,) * depth, (0, 1) + (0,) * (depth - 2), (1, 0, 0) + (1,) * (depth - 3)):
        found = among.position(run)
        assert (found.share, found.how) == (share(measure, run, grades), "exact")


@pytest.mark.parametrize("base", [0, 1, 3])
def test_a_recall_base_leaves_out_runs_with_more_relevant_documents(base):
    run = (0, 1, 0, 0, 0, 0) if base else (0,) * DEPTH
    assert position_among_runs("AP", run, recall_base=base).share == share(parse("AP"), run, recall_base=base)


@pytest.mark.parametrize("spelling", ["P", "RBP(p=0.5)", "RR"])
def test_a_ruler_that_counts_runs_gives_what_a_look_at_all_of_them_gives(monkeypatch, spelling):
    runs = [(0, 1, 1, 0, 0, 1), (1, 0, 0, 0, 0, 0)]
    by_looking = [one.share for one in among_runs(spelling, DEPTH).positions(runs)]
    monkeypatch.setattr(module, "FITS", 1)
    by_ruler = among_runs(spelling, DEPTH).positions(runs)
    assert [one.share for one in by_ruler] == by_looking
    assert {one.how for one in by_ruler} == {"exact"}


def test_drawn_runs_put_the_true_share_within_the_interval_and_the_band(monkeypatch):
    runs = list(product(range(2), repeat=DEPTH))[::5]
    exact = [one.share for one in among_runs("Q", DEPTH).positions(runs)]
    monkeypatch.setattr(module, "FITS", 1)
    among = among_runs("Q", DEPTH, samples=2000, rng=1)
    found = among.positions(runs)
    assert {one.how for one in found} == {"sampled"}
    assert all(abs(one.share - true) <= among.margin for one, true in zip(found, exact, strict=True))
    inside = [one.low <= true <= one.high for one, true in zip(found, exact, strict=True)]
    assert sum(inside) >= len(inside) - 2  # each misses once in twenty
    assert all(one.low < one.share < one.high or one.share in (0, 1) for one in found)


def test_positions_never_fall_where_the_exact_value_rises(monkeypatch):
    monkeypatch.setattr(module, "FITS", 1)
    measure = parse("AP")
    runs = sorted(product(range(2), repeat=8), key=measure.of)
    shares = [float(one) for one in among_runs(lambda run: measure.of(run), 8, samples=300).positions(runs)]
    assert shares == sorted(shares)
    assert len(set(shares)) > 100


def test_exact_values_decide_ties_that_floats_part():
    # 0.1 + 0.2 and 0.3: weights whose sums are equal, and whose floats are not
    class Weighted(type(parse("DCG"))):
        def weight(self, rank):
            return Fraction((1, 2, 3)[rank - 1], 10)

        def weights(self, depth):
            return np.array([0.1, 0.2, 0.3])

    valuer = Valuer.of(Weighted(), Pool.plain(3, 3))
    one, two = np.array([[1, 1, 0]], dtype=np.int8), np.array([[0, 0, 1]], dtype=np.int8)
    assert valuer.roughly(one)[0] != valuer.roughly(two)[0]
    assert numbers_at_most(valuer, one, two).tolist() == numbers_at_most(valuer, two, one).tolist() == [1]


def test_a_recall_base_counts_the_documents_that_the_measure_counts():
    found = among_runs("Q(rel=2)", 4, 3, recall_base=1).position([2, 1, 1, 0])
    assert (found.runs, found.how) == (2**4 + 4 * 2**3, "exact")
    assert interval("Q(rel=2)@4", grades=3, recall_base=1).rank([2, 1, 1, 0]) > 1
    with pytest.raises(errors.ParameterError, match="a run holds 2 relevant documents"):
        among_runs("Q(rel=2)", 4, 3, recall_base=1).position([2, 1, 2, 0])


def campaign(depth=100):
    documents = [f"d{number:03}" for number in range(depth)]
    qrels = {"1": {name: int(place % 7 == 1) for place, name in enumerate(documents)}, "2": {"d000": 0, "d050": 1}}
    ordered = {name: float(-place) for place, name in enumerate(documents)}
    turned = {name: float(place) for place, name in enumerate(documents)}
    return judge({"a": {"1": ordered, "2": turned}, "b": {"1": turned, "2": ordered}}, qrels, depth=depth)


def test_the_positions_of_a_campaign_come_from_one_sample_and_keep_the_order():
    judged = campaign()
    among = among_runs("AP", 100, recall_base="topic", samples=500)
    scores, raw = among.scores(judged), parse("AP").scores(judged)
    for topic in range(2):
        ranks = [np.argsort(table.values[:, topic]).tolist() for table in (scores, raw)]
        assert ranks[0] == ranks[1]
    alone = position_among_runs("AP@100", judged.cells[0, 1], recall_base=1, samples=500)
    assert scores.values[0, 1] == float(alone)
    assert (scores.scale, scores.one_scale) == (Scale.ORDINAL, False)
    assert any("no interval scale" in str(caveat) for caveat in scores.caveats)
    assert any("within" in str(caveat) and "95 %" in str(caveat) for caveat in scores.caveats)


def test_the_band_around_several_distributions_is_wider_than_around_one():
    documents = {f"d{number:03}": float(number) for number in range(100)}
    qrels = {
        topic: {name: int(place % each == 1) for place, name in enumerate(documents)}
        for topic, each in (("1", 5), ("2", 7))
    }
    judged = judge({"a": dict.fromkeys("12", documents)}, qrels, depth=100)
    text = " ".join(map(str, among_runs("AP", 100, recall_base="topic", samples=500).scores(judged).caveats))
    both = f"{(np.log(2 * 2 / 0.05) / (2 * 500)) ** 0.5:.2g}"
    assert f"for each of 2 kinds of topics; all at once they are within {both}" in text


def test_on_a_topic_without_relevant_documents_every_system_has_the_highest_position_and_that_is_said():
    ranking = {"a": 2.0, "b": 1.0}
    runs = {"one": {"1": ranking, "2": ranking}, "other": {"1": ranking, "2": ranking}}
    judged = judge(runs, {"1": {"a": 0}, "2": {"b": 1}}, depth=2)
    scores = among_runs("AP", 2, recall_base="topic").scores(judged)
    assert scores.values[:, 0].tolist() == [1, 1]
    assert any("position 1, the highest, on 1 topic without relevant" in str(caveat) for caveat in scores.caveats)


def test_a_table_says_of_which_documents_runs_consist_and_which_end_is_good():
    text = str(among_runs("AP@4", grades=4).positions([[1, 0, 0, 1]]))
    assert "AP@4 knows relevant documents and others: every rank holds either, with equal chances." in text
    assert position_among_runs("AP@4", [1, 0, 0, 1], grades=4).share == Fraction(9, 16)
    assert "a small share is the good end" in str(among_runs("ESL(i=1)", 3).positions([[1, 0, 0]]))


def test_a_share_of_drawn_runs_is_never_called_nothing():
    text = str(among_runs("AP@100", samples=100).positions([[1, 0, 1]]))
    assert "≈ 0 %" in text
    assert "> 0 %" in text
    assert "Most of these runs hold about 50 relevant documents" in text
    assert "--recall-base 5" in text


def test_a_scale_is_counted_once_however_its_depth_is_said():
    interval("ERR@12").rank([1])
    before = _ruler.cache_info().misses
    interval("ERR@12", depth=12).rank([0, 1])
    assert _ruler.cache_info().misses == before


def test_the_same_seed_draws_the_same_runs_and_a_generator_is_used_once():
    run = [0, 1, 0, 1]
    assert among_runs("Q@40", rng=3).position(run) == among_runs("Q@40", rng=3).position(run)
    assert among_runs("Q@40", samples=50, rng=generator(3)).position([1] * 25).runs == 50


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"recall_base": "base"}, "recall_base"),
        ({"samples": 0}, "samples"),
        ({"rng": -1}, "rng"),
        ({"depth": 0}, "depth"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(options, complaint):
    with pytest.raises(errors.ParameterError, match=complaint):
        among_runs("AP", **{"depth": 10, **options})


def test_more_relevant_documents_than_there_are_and_depths_that_nobody_gave_are_refused():
    with pytest.raises(errors.ParameterError, match="the recall base is 1"):
        position_among_runs("AP", [1, 1, 0], recall_base=1)
    with pytest.raises(errors.ParameterError, match="how deep"):
        among_runs("AP")
    with pytest.raises(errors.ParameterError, match="for judged runs"):
        among_runs("AP@5", recall_base="topic").position([1])


def test_a_refusal_to_rank_values_points_to_the_position_among_runs():
    for spelling in ("AP@100", "Q@30"):
        with pytest.raises(errors.NotAvailable, match="position_among_runs"):
            interval(spelling).rank([1])


def test_the_interval_is_that_of_clopper_and_pearson():
    # for none of n it ends at 1 - (α/2)^(1/n)
    none = RunPosition(0, 100, "sampled")
    assert none.high == pytest.approx(1 - 0.025 ** (1 / 100))
    assert RunPosition(100, 100, "sampled").low == pytest.approx(0.025 ** (1 / 100))
