"""Interval scales of one recall base: the ranks among the values of runs that hold no more relevant documents."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from measurand import errors, evaluate, interval, judge, parse, scales
from measurand.intervals import enumeration
from measurand.intervals.ruler import Budget
from measurand.intervals.universe import Universe

DEPTH = 6


def dense_rank(measure, run, base, grades=2):
    counts = (len(run), *[0] * (grades - 2), max(base, 1))
    runs = [one for one in product(range(grades), repeat=len(run)) if sum(grade > 0 for grade in one) <= base]
    values = {measure.of(one, grade_counts=counts) for one in runs}
    return sum(value <= measure.of(run, grade_counts=counts) for value in values), len(values)


@pytest.mark.parametrize("spelling", ["R", "AP", "P@3", "RR", "F", "nDCG", "Rprec", "Success@2", "Q", "SBTO", "RBTO"])
def test_ranks_are_those_among_the_values_of_possible_runs(spelling):
    measure = parse(spelling)
    for base in (1, 2, 5):
        scale = interval(measure, depth=DEPTH, recall_base=base)
        reach = int(scale.universe.ranks(None))
        for run in ((0,) * reach, ((0, 1) + (0,) * 4)[:reach], ((1, 0, 0, 0, 0, 0))[:reach]):
            rank, size = dense_rank(measure, run, base)
            assert (scale.rank(run, base), scale.size) == (rank, size), (base, run)


@pytest.mark.parametrize("spelling", ["R", "RR", "P@3"])
def test_runs_are_counted_without_a_look_at_them_as_with_one(spelling):
    for base in (1, 2, 4):
        universe = Universe(parse(spelling), DEPTH, 2, base)
        ranks = int(universe.ranks(None))
        runs = [one for one in product(range(2), repeat=ranks) if sum(one) <= base]
        values = [parse(spelling).of(one, base) for one in runs]
        ruler = universe.ruler(DEPTH, None, Budget())
        for run, value in zip(runs, values, strict=True):
            below, tied = ruler.shares(universe.digits(run))[0]
            assert (below, tied) == (sum(other < value for other in values), values.count(value)), (base, run)


def test_floats_that_are_sorted_give_what_exact_values_give(monkeypatch):
    runs = [(0, 1, 0, 0, 1, 0, 0, 1), (1, 0, 0, 0, 0, 0, 0, 0), (0,) * 8]
    exact = [interval("AP@8", recall_base=3).rank(run, 3) for run in runs]
    monkeypatch.setattr(enumeration, "FEW", 1)
    ranks = [interval("AP@8", recall_base=3, max_seconds=60).rank(run, 3) for run in runs]
    assert ranks == exact


def test_graded_runs_count_relevant_documents_of_any_grade():
    scale = interval("DCG(b=2)@4", grades=3, recall_base=2)
    assert scale.rank((2, 0, 1, 0), 2) == dense_rank(parse("DCG(b=2)"), (2, 0, 1, 0), 2, 3)[0]


def test_a_recall_base_as_large_as_the_depth_leaves_out_nothing():
    assert interval("AP@8", recall_base=8).size == interval("AP@8", recall_base=50).size == interval("AP@8").size


def test_example_12_of_the_paper_has_three_steps_on_both_topics():
    for base in (2, 3):
        scale = interval("R@2", recall_base=base)
        assert [scale.rank(run, base) for run in ((0, 0), (0, 1), (1, 0), (1, 1))] == [1, 2, 2, 3]


def judged():
    qrels = {"one": {"a": 1, "b": 0}, "two": {"a": 1, "b": 1, "c": 1}, "none": {"a": 0}}
    runs = {"s": {topic: {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.5} for topic in qrels}}
    return judge(runs, qrels, depth=4)


def test_every_topic_has_the_scale_of_its_own_recall_base_and_scores_say_so():
    scores = interval("R@4", recall_base="topic").scores(judged())
    places = dict(zip(scores.topics, scores.values[0].tolist(), strict=True))
    assert places == {"one": 1.0, "two": 1.0, "none": 0.0}
    common = interval("R@4").scores(judged())
    assert dict(zip(common.topics, common.values[0].tolist(), strict=True)) == {"one": 0.25, "two": 0.75, "none": 0.0}
    assert scores.scale is scales.interval("R@4").scale
    assert not scores.one_scale
    assert any("recall base, from 0 to 3 in 4 ranks" in str(caveat) for caveat in scores.caveats)


def test_the_spelling_is_read_again_and_reaches_evaluate():
    measure = parse("interval(AP@4, recall_base='topic')")
    assert parse(repr(measure)) == measure
    assert parse("interval(AP@4, recall_base=3)").recall_base == 3
    assert evaluate(judged(), [measure]).scores(measure).values.max() <= 1
    rank, size = dense_rank(parse("AP"), (1, 0, 1, 0), 2)
    assert measure.of([1, 0, 1, 0], recall_base=2) == Fraction(rank - 1, size - 1)


def test_what_a_topic_cannot_have_is_refused():
    with pytest.raises(errors.ParameterError, match="the recall base is 1"):
        interval("AP@4", recall_base=1).rank([1, 1, 0, 0])
    with pytest.raises(errors.ParameterError, match="whole number"):
        interval("AP@4", recall_base="some")
    with pytest.raises(errors.NotAvailable, match="for every recall base"):
        _ = interval("AP@4", recall_base="topic").size
    with pytest.raises(errors.NotAvailable, match="too many"):
        _ = interval("AP@100", recall_base=10).size
    with pytest.raises(errors.ParameterError, match="without end"):
        interval("RBP", depth="inf", recall_base=3)
