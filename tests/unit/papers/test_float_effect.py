"""What doubles change in the results of a campaign."""

from __future__ import annotations

import pickle
from itertools import combinations

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.judged import JudgedRuns, every_run
from measurand.measures import AP, RBP
from measurand.papers import float_effect
from measurand.papers.fff2021.doubles import doubles
from measurand.scales import interval
from measurand.statistics import kendall


@pytest.fixture(scope="module")
def judged():
    """40 systems on 5 topics, 8 ranks deep, with different recall bases."""
    rng = np.random.default_rng(3)
    cells = (rng.random((40, 5, 8)) < 0.4).astype(np.int8)
    relevant = np.arange(8, 13)
    return JudgedRuns(
        systems=tuple(f"s{n}" for n in range(40)),
        topics=tuple(f"t{n}" for n in range(5)),
        cells=cells,
        lengths=np.full((40, 5), 8),
        grade_counts=np.stack([100 - relevant, relevant], axis=1),
    )


def test_pairs_are_those_that_one_finds_by_comparing_exact_values(judged):
    found = float_effect(judged, "AP", depth=8, tests=()).of("AP")
    tied = unlike = split = 0
    for topic, pool in enumerate(judged.pools):
        runs = [tuple(run) for run in judged.cells[:, topic].tolist()]
        rough = doubles(AP @ 8, judged.cells[:, topic], pool)
        for a, b in combinations(range(len(runs)), 2):
            if AP.exact(runs[a], pool) == AP.exact(runs[b], pool):
                tied += 1
                unlike += runs[a] != runs[b]
                split += rough[a] != rough[b]
    assert (found.tied, found.unlike, found.split, found.merged) == (tied, unlike, split, 0)
    assert 0 < found.split <= found.unlike < found.tied < found.pairs == 5 * 40 * 39 // 2


def test_a_broken_tie_shows_in_the_correlation_with_the_interval_scale_and_in_rank_tests(judged):
    found = float_effect(judged, ["AP", "P"], depth=8)
    ap = found.of("AP")
    assert ap.tau < 1
    assert kendall(AP.scores(judged), interval("AP@8").scores(judged), kind="topic") == 1
    assert all(test.largest > 0 for test in ap.tests.values())
    assert {(test.changed, test.largest) for test in found.of("P").tests.values()} == {(0, 0.0)}


def test_values_that_melt_are_counted_and_lower_the_correlation():
    # nothing of rank 60 is left beside rank 1 under RBP with p = 0.3
    runs = [(1, *[0] * 58, 1), (1, *[0] * 59), (0, 1, *[0] * 58)]
    found = float_effect(JudgedRuns.on_one_topic(runs, (60, 60)), RBP(p=0.3), depth=60).of("RBP(p=0.3)")
    assert (found.tied, found.split, found.merged) == (0, 0, 1)
    assert found.tau < 1


def test_a_measure_is_found_with_and_without_its_cutoff_and_nothing_else_is():
    effect = float_effect(JudgedRuns.on_one_topic(every_run(4, 2), (4, 4)), ["AP", "P@2"], depth=4, tests=())
    assert effect.of("AP") is effect.of("AP@4")
    assert effect.of("P@2").measure == "P@2"
    with pytest.raises(ParameterError, match="RR@4 was not looked at; there is AP@4, P@2"):
        effect.of("RR")


def test_it_prints_a_table_and_travels(judged):
    effect = float_effect(judged, ["AP", "P"], depth=8, tests=["sign"])
    assert repr(effect).startswith("<FloatEffect: 2 measures, ")
    assert str(effect).splitlines()[2].split()[0] == "measure"
    assert "<table" in effect._repr_html_()
    assert str(pickle.loads(pickle.dumps(effect))) == str(effect)


def test_tests_that_look_at_more_than_order_are_refused(judged):
    with pytest.raises(ParameterError, match="tests of the order of scores"):
        float_effect(judged, "AP", depth=8, tests=["paired_t"])
