"""Any measure as an interval scale: against brute force, and what must be said about positions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import measurand as md
from measurand.errors import CaveatKind, NotAvailable, ParameterError
from measurand.exact import ranked
from measurand.intervals import enumeration as enumerated
from measurand.intervals.interval_scale import TIES, IntervalScaled
from measurand.intervals.ruler import Certainty
from measurand.judged import JudgedRuns, Pool, every_run
from measurand.measures import catalogue, define, parse
from measurand.scores import Scale
from measurand.testing import check_measure

INSIDE = [name for name in catalogue() if name not in ("gm", "interval")]

VARIANTS = [
    "AP(rel=2)",
    "AP@3",
    "DCG(b=10)",
    "DCG(b=2)",
    "DCG(b=3, gain='exp2')",
    "DCG(gain='1=3,2=1')",
    "F(beta=2)@3",
    "gRBP(gain='exp2', p='2/3')",
    "gRBP(gain='exp2', p=0.5)",
    "gRBP(p=0.75, gain='exp2')",
    "gP(gain='exp2')",
    "INST(T=2)@5",
    "nDCG(b=2)@4",
    "P@3",
    "RBP(p='1/3')",
    "RBP(p=0.5)",
    "RBP(p=0.5, rel=2)",
    "RBP(p=0.9)",
    "RR(rel=2)@4",
    "Success@2",
]


def brute_force(measure, depth: int, grades: int) -> list[int]:
    """Return the ranks of all runs from their exact values, on the topic that the papers assume."""
    levels = measure.levels_of_relevance(grades)
    pool = Pool.plain(depth, depth, levels[-1])
    runs = [tuple(levels[digit] for digit in run) for run in every_run(depth, len(levels)).tolist()]
    values = [measure.level(measure.view(run), pool) for run in runs]
    return (ranked(values)[1] + 1).tolist()


@pytest.mark.parametrize("depth", [1, 2, 6])
def test_every_rank_of_every_measure_is_the_one_that_brute_force_finds(depth, naming):
    for spelling in (*INSIDE, *VARIANTS):
        with naming(spelling):
            measure = parse(spelling)
            scale = md.interval(measure, depth=depth)
            expected = brute_force(measure, depth, 2)
            runs = every_run(min(depth, measure.cutoff or depth), 2)
            ruler = scale.universe.ruler(depth, Pool.plain(depth, depth, measure.lowest), scale.budget)
            found = [position.rank for position in ruler.positions(runs)]
            shown = expected if len(runs) == len(expected) else expected[:: len(expected) // len(runs)]
            assert found == shown
            assert ruler.size == max(expected)


@pytest.mark.parametrize(("depth", "grades"), [(1, 3), (4, 3), (3, 4)])
def test_every_rank_of_graded_runs_is_the_one_that_brute_force_finds(depth, grades, naming):
    for spelling in (name for name in (*INSIDE, *VARIANTS) if parse(name).graded):
        with naming(spelling):
            measure = parse(spelling)
            expected = brute_force(measure, depth, grades)
            ranks = min(depth, measure.cutoff or depth)
            scale = md.interval(measure, depth=depth, grades=grades)
            ruler = scale.universe.ruler(depth, Pool.plain(depth, depth, grades - 1), scale.budget)
            found = [position.rank for position in ruler.positions(every_run(ranks, grades))]
            assert found == expected[:: grades ** (depth - ranks)]
            assert ruler.size == max(expected)


@pytest.mark.parametrize("spelling", ["AP", "P", "RR", "DCG(b=2)", "RBP(p=0.8)", "gRBP(p=0.5)", "ERR", "Q"])
@pytest.mark.parametrize("ties", ["mid", "min", "max"])
def test_ranks_of_runs_with_ties_are_scipys(spelling, ties):
    from scipy.stats import rankdata

    measure, depth = parse(spelling), 5
    runs = every_run(depth, 2)
    values = brute_force(measure, depth, 2)
    scale = md.interval(measure, depth=depth, ties=ties)
    method = {"mid": "average"}.get(ties, ties)
    found = [scale.rank(run) for run in runs.tolist()]
    assert [float(rank) for rank in found] == rankdata(values, method=method).tolist()
    assert scale.position(runs[-1]).how is Certainty.EXACT
    even = len({high - low for low, high in pairwise(sorted(set(map(Fraction, found))))}) == 1
    assert scale.scale is (Scale.INTERVAL if even else Scale.ORDINAL)


# The measure that it is.


@pytest.mark.parametrize(
    "spelling",
    [
        "interval(AP@4)",
        "interval(nDCG(b=2)@4, grades=3)",
        "interval(RBP(p=0.8), depth=4)",
        "interval(RR@3, ties='mid')",
        "interval(Rprec@4)",
        "interval(AP(rel=2)@3)",
        "interval(P@5, max_seconds=7.5, max_memory=1000000)",
    ],
)
def test_it_is_spelled_as_it_is_read_and_is_what_it_declares(spelling):
    measure = parse(spelling)
    assert repr(measure) == spelling
    check_measure(measure, depth=4, grades=measure.grades)


def test_runs_without_end_are_spelled_too():
    scale = md.interval("RBP(p=0.3)", depth=inf)
    assert repr(scale) == "interval(RBP(p=0.3), depth='inf')"
    assert parse(repr(scale)) == scale == md.interval("RBP(p=0.3)", depth="inf")
    # 101000… among runs read as binary numbers
    assert scale.position([1, 0, 1]).low <= Fraction(5, 8) <= scale.position([1, 0, 1]).high


def test_parameters_reach_the_scale_or_the_measure_inside():
    assert md.interval("AP")(rel=2, grades=3) == parse("interval(AP(rel=2), grades=3)")
    assert md.interval("AP") @ 30 == parse("interval(AP@30)")


def test_functions_are_welcome():
    last = md.interval(lambda run: max((rank for rank, grade in enumerate(run, 1) if grade), default=0), depth=4)
    assert last.size == 5
    assert [last.rank(run) for run in ([0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0])] == [1, 2, 4]


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: md.interval("AP", depth=0), "depth must be a whole number from 1 up"),
        (lambda: md.interval("AP", grades=1), "grades must be a whole number from 2 up"),
        (lambda: md.interval("AP", ties="first"), "ties must be one of 'unq', 'mid', 'min', 'max'"),
        (lambda: md.interval("gm(AP)"), "a measure of one topic"),
        (lambda: md.interval("interval(AP)"), "a measure of one topic"),
        (lambda: md.interval("AP", depth=inf), "no scale for runs without end"),
        (lambda: md.interval("ERR(gmax=2)", grades=4), "no grade above 2; ask for 3 grades"),
        (lambda: md.interval("AP").size, "how deep are runs"),
        (lambda: md.interval("DCG@3").rank([2, 0, 0]), "grade 2 does not fit into 2 grades; say grades=3"),
        (lambda: md.interval("AP@3", max_seconds=0), "max_seconds must be above 0"),
    ],
)
def test_what_cannot_be_is_refused(make, why):
    with pytest.raises(ParameterError, match=why):
        make()


def test_what_nobody_knows_is_not_answered():
    with pytest.raises(NotAvailable, match="24 ranks can be had"):
        md.interval("Q@30").rank([1])
    with pytest.raises(NotAvailable, match="infinitely many"):
        _ = md.interval("RBP", depth=inf).size


def test_slow_functions_are_refused_beyond_the_budget():
    import time

    def slow(run):
        time.sleep(0.00002)
        return sum(run)

    with pytest.raises(NotAvailable, match=r"say max_seconds=\d+"):
        md.interval(slow, depth=20, max_seconds=1).rank([1] * 20)


@settings(max_examples=10, deadline=None)
@given(
    spelling=st.sampled_from(["AP", "DCG(b=2)", "RBP(p=0.8)", "RR", "P", "ERR", "Rprec", "Q"]),
    runs=st.lists(st.lists(st.integers(0, 1), min_size=6, max_size=6), min_size=2, max_size=6),
    bases=st.integers(6, 9),
)
def test_scores_are_the_positions_of_the_runs(spelling, runs, bases):
    scale = md.interval(spelling)
    judged = JudgedRuns.on_one_topic(runs, (9, bases))
    values = scale.scores(judged).values[:, 0]
    assert values.tolist() == [float(scale.of(run, grade_counts=(9, bases))) for run in runs]


# What must be said.


def doubts(scores) -> set[CaveatKind]:
    return {caveat.kind for caveat in scores.caveats}


def test_scores_of_exact_positions_need_no_words():
    scores = md.interval("RBP(p=0.8)@6").scores(JudgedRuns.on_one_topic(every_run(6, 2)[::5], (9, 6)))
    assert scores.scale is Scale.INTERVAL
    assert not scores.caveats
    assert scores.history == ("positions among the values of RBP(p=0.8)@6",)


def test_grades_beyond_those_of_the_scale_are_folded_and_said():
    judged = JudgedRuns.on_one_topic([(3, 0, 1), (0, 2, 0)], (5, 2, 2, 2))
    assert doubts(md.interval("DCG@3").scores(judged)) >= {CaveatKind.GRADES}
    assert CaveatKind.GRADES not in doubts(md.interval("DCG@3", grades=4).scores(judged))
    assert CaveatKind.GRADES not in doubts(md.interval("AP@3").scores(judged))


def test_measures_that_mind_gaps_say_that_the_scale_does_not():
    judged = JudgedRuns.on_one_topic([(1, -1, 1), (0, 1, -2)], (5, 2))
    assert CaveatKind.GAPS in doubts(md.interval("SetP").scores(judged))
    assert CaveatKind.GAPS not in doubts(md.interval("P@3").scores(judged))


def test_long_runs_carry_the_figures_of_their_degeneracy():
    runs = np.zeros((40, 100), dtype=np.int8)
    for row, run in enumerate(runs):
        run[: 25 if row == 39 else 1 + row // 4] = 1
    scores = md.interval("DCG(b=2)@100").scores(JudgedRuns.on_one_topic(runs, (100, 50)))
    caveats = {caveat.kind: caveat.text for caveat in scores.caveats}
    assert "carry" in caveats[CaveatKind.DEGENERATE]
    assert CaveatKind.DEGENERATE not in doubts(md.interval("P@100").scores(JudgedRuns.on_one_topic(runs, (100, 50))))


def test_the_catalogue_name_is_the_function():
    assert isinstance(md.interval, IntervalScaled)
    assert md.interval is catalogue()["interval"]
    assert TIES[0] == "unq"


def test_a_function_may_know_the_recall_base():
    found = define(lambda run, base: Fraction(sum(run), base), name="Found", uses_recall_base=True)
    scale = md.interval(found, depth=3)
    assert scale.uses_recall_base
    assert scale.rank([1, 1, 0], recall_base=4) == 3


# What plug-ins may change.


class LateGain(type(parse("gP"))):
    """Gains that do not grow in proportion to the highest grade, and something for grade 0 that nobody takes."""

    def gain_at(self, grade, top):
        return Fraction((grade + top) ** 2)


class Halved(type(parse("RBP"))):
    """Another discount under the old name."""

    def weight(self, rank):
        return Fraction(1, rank**2)


class Reversed(type(parse("nERR"))):
    """Another definition with the old family."""

    def exact(self, run, pool):
        return 1 - super().exact(run, pool)


class Sure(type(parse("ERR"))):
    """A reader who would stop at grade 0 too, if anybody asked."""

    def stop(self, grade, top):
        return Fraction(grade + 1, top + 2)


@pytest.mark.parametrize(
    "measure", [LateGain(), LateGain(gmax=4), Halved(), Reversed(), Sure()], ids=lambda m: type(m).__name__
)
def test_a_plug_in_is_ranked_by_its_own_definition(measure):
    for depth, grades in ((5, 2), (4, 3)):
        scale = md.interval(measure, depth=depth, grades=grades)
        ruler = scale.universe.ruler(depth, None, scale.budget)
        found = [position.rank for position in ruler.positions(every_run(depth, grades))]
        assert found == brute_force(measure, depth, grades)


def test_a_discount_of_its_own_has_no_scale_without_end():
    with pytest.raises(NotAvailable, match="weights of its own"):
        md.interval(Halved(), depth=inf).position([1])


def test_measures_travel_between_processes_whole():
    import copy
    import pickle

    for measure in (*catalogue().values(), *map(parse, VARIANTS), parse("interval(AP(rel=2)@5, ties='mid')")):
        assert pickle.loads(pickle.dumps(measure)) == copy.deepcopy(measure) == measure
        assert repr(pickle.loads(pickle.dumps(measure))) == repr(measure)


def test_words_and_fractions_need_no_quotes_in_a_spelling():
    assert parse("interval(RBP(p=2/3)@7, ties=mid)") == parse("interval(RBP(p='2/3')@7, ties='mid')")
    assert parse("interval(RBP, depth=inf)") == md.interval("RBP", depth="inf")


# Functions that are only known by looking, on more runs than are valued exactly.


def test_values_too_close_for_floats_are_refused_instead_of_merged(monkeypatch):
    monkeypatch.setattr(enumerated, "FEW", 1 << 10)
    tiny = define(lambda run: sum(Fraction(1, 50**rank) for rank, grade in enumerate(run, 1) if grade), name="Tiny")
    with pytest.raises(NotAvailable, match="floats cannot tell apart"):
        md.interval(tiny, depth=11).rank([0] * 10 + [1])
    assert md.interval(tiny, depth=9).size == 2**9


def test_many_runs_are_ranked_by_floats_that_are_far_enough_apart():
    weighed = define(lambda run: sum(rank for rank, grade in enumerate(run, 1) if grade), name="Weighed")
    scale = md.interval(weighed, depth=16)
    position = scale.position([0] * 15 + [1])
    assert (position.rank, position.size) == (17, 137)
    assert "are equal" in position.assumption


def test_tables_beyond_the_memory_are_refused():
    with pytest.raises(NotAvailable, match="max_memory"):
        md.interval("Q", depth=20, max_memory=1 << 20).rank([1] * 20)


def test_the_highest_grade_that_decides_the_order_is_said():
    judged = JudgedRuns.on_one_topic([(1, 0, 1), (0, 1, 0)], (5, 2, 0, 2))
    assert CaveatKind.GRADES in doubts(md.interval("ERR@3").scores(judged))
    assert CaveatKind.GRADES not in doubts(md.interval("ERR@3", grades=4).scores(judged))
    assert CaveatKind.GRADES not in doubts(md.interval("DCG@3").scores(judged))


def test_a_shorter_scale_is_no_reason_to_speak_of_gaps():
    judged = JudgedRuns.on_one_topic([(1, -1, 1, 0, 1), (0, 1, -2, -2, -2)], (5, 3))
    assert CaveatKind.GAPS not in doubts(md.interval("AP", depth=2).scores(judged))


def test_short_runs_stand_where_they_stand_filled_up():
    scale = md.interval("Rprec", depth=10)
    assert scale.position([1, 0]) == scale.position([1, 0] + [0] * 8)
    assert scale.of([1, 0]) == scale.position([1, 0]).low


def test_a_rank_from_the_top_needs_a_known_size():
    with pytest.raises(NotAvailable, match="no exact rank"):
        md.interval("RBP(p=0.3)", depth=inf).rank([1], descending=True)


def test_threads_that_share_a_scale_agree():
    from concurrent.futures import ThreadPoolExecutor

    from measurand.intervals.geometric_automaton import automaton

    for depth in (700, 900, 1100):
        machine = automaton(Fraction(1, 2), [0, 1, 3])
        machine._counted.clear()
        with ThreadPoolExecutor(4) as threads:
            assert len(set(threads.map(machine.size, [depth] * 4))) == 1
        assert machine.size(3) == 19


def test_functions_that_answer_in_floats_are_ranked_up_to_rounding_however_many_runs_there_are():
    def tenths(run):
        return sum(grade * 0.1 * (1 + rank % 3) for rank, grade in enumerate(run))

    small, large = (md.interval(define(tenths, name="Tenths"), depth=depth, max_seconds=999) for depth in (12, 16))
    assert (small.rank([1, 0, 1, 1]), large.rank([1, 0, 1, 1])) == (6, 6)
    # tenths from 0 to the sum of all weights, none left out
    assert (small.size, large.size) == (25, 32)


def test_slow_functions_are_refused_before_they_are_asked_for_many_runs():
    import time

    calls = []

    def slow(run):
        calls.append(run)
        time.sleep(0.001)
        return sum(run)

    with pytest.raises(NotAvailable, match="max_seconds"):
        md.interval(define(slow, name="Slow"), depth=16, max_seconds=3).rank([1])
    assert len(calls) < 200


def test_where_neighbours_are_too_many_to_compare_positions_are_bounded(monkeypatch):
    from measurand.intervals import enumeration as enumerated

    monkeypatch.setattr(enumerated, "UNCLEAR", -1)
    monkeypatch.setattr(enumerated, "CLEAR", 1e11)
    scale = md.interval("Q", depth=16, max_seconds=119)
    assert scale.position([0] * 16).high == 0
    assert scale.position([1] * 16).low == 1
    middle = scale.position([0, 1] * 8)
    assert middle.how is Certainty.CERTIFIED
    assert middle.low < middle.high
    scores = scale.scores(JudgedRuns.on_one_topic([[0] * 16, [0, 1] * 8], (20, 20)))
    assert CaveatKind.BOUNDS in doubts(scores)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"recall_base": -1}, "whole number from 0 up"),
        ({"recall_base": 2.5}, "whole number from 0 up"),
        ({"recall_base": 2, "grade_counts": [5, 3]}, "contradicts grade_counts"),
    ],
)
def test_topics_that_cannot_be_are_refused(told, why):
    with pytest.raises(ParameterError, match=why):
        md.interval("Rprec@3").of([1, 0, 1], **told)


def test_judgments_beyond_the_highest_grade_are_refused():
    with pytest.raises(ParameterError, match="above gmax=2"):
        md.interval("ERR(gmax=2)@3", grades=3).scores(JudgedRuns.on_one_topic([(1, 0, 1)], (5, 2, 0, 2)))


def test_runs_that_are_not_there_carry_no_caveat():
    cells = np.zeros((5, 20, 10), dtype=np.int8)
    cells[:, 0, :3] = 1
    lengths = np.zeros((5, 20), dtype=np.int64)
    lengths[:, 0] = 10
    judged = JudgedRuns(
        systems=tuple("abcde"),
        topics=tuple(map(str, range(20))),
        cells=cells,
        lengths=lengths,
        grade_counts=np.tile([9, 9], (20, 1)),
        skip_missing=True,
    )
    scores = md.interval("P@10").scores(judged)
    assert np.isnan(scores.values[:, 1:]).all()
    assert CaveatKind.DEGENERATE not in doubts(scores)


def test_runs_of_no_ranks_stand_at_the_bottom():
    judged = JudgedRuns.on_one_topic(np.zeros((2, 0), dtype=np.int8), (3, 3))
    assert md.interval("AP").scores(judged).values.tolist() == [[0.0], [0.0]]


@pytest.mark.parametrize("spelling", ["ESL@2", "ESLR@2", "AP@2", "F@2", "Rprec@2", "P@2", "RR@2", "RBP@2"])
def test_positions_share_a_scale_exactly_if_no_caveat_says_that_they_do_not(spelling):
    qrels = {"1": {"x": 1, "y": 1}, "2": {"x": 1, "z": 0}}
    scores = md.evaluate(qrels, {"1": {"x": 1.0}, "2": {"x": 1.0}}, f"interval({spelling})").scores(
        f"interval({spelling})"
    )
    assert scores.one_scale == (CaveatKind.SCALE not in [caveat.kind for caveat in scores.caveats])
    assert scores.one_scale == (spelling in ("P@2", "RR@2", "RBP@2"))
