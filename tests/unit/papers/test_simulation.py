"""The simulated systems are as described, and the test on them behaves at its edges."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.measures import RBP, define
from measurand.papers import Rejections, expected_difference, rejection_rate, simulated_runs
from measurand.papers.ffm2015.simulation import SHARES


def densities(runs, break_rank, head):
    cuts = [slice(0, break_rank), slice(break_rank, head), slice(head, None)]
    return [runs.cells[:, :, cut].mean(axis=(1, 2)).tolist() if cut.start != cut.stop else None for cut in cuts]


@pytest.mark.parametrize("break_rank", [0, 8, 20])
def test_bernoulli_shares_are_right_on_average(break_rank):
    runs = simulated_runs(break_rank, topics=4000, length=60, generator="bernoulli", rng=7)
    for found, wanted in zip(densities(runs, break_rank, 20), SHARES, strict=True):
        assert found is None or np.abs(np.array(found) - np.array(wanted, dtype=float)).max() < 0.015
    assert len(np.unique(runs.cells.sum(axis=2))) > 10


def test_fixed_shares_are_the_same_on_every_topic_and_stand_anywhere():
    runs = simulated_runs(5, topics=2000, length=30, rng=7)
    assert np.unique(runs.cells[0, :, :5].sum(axis=1)).tolist() == [1]
    assert np.unique(runs.cells[0, :, 5:20].sum(axis=1)).tolist() == [11]  # 10.5, a half rounded up
    assert np.unique(runs.cells[1, :, 20:].sum(axis=1)).tolist() == [7]
    assert np.abs(runs.cells[0, :, :5].mean(axis=0) - 0.2).max() < 0.04
    assert len(np.unique(runs.cells[1], axis=0)) > 1990


def test_simulated_runs_are_whole_judged_runs():
    runs = simulated_runs(3, topics=4, length=25, rng=np.random.default_rng(5))
    assert (runs.systems, runs.topics, runs.depth) == (("early", "late"), ("1", "2", "3", "4"), 25)
    assert runs.recall_base.tolist() == [25] * 4
    assert runs.lengths.tolist() == [[25] * 4] * 2
    assert not runs.cells.flags.writeable


def test_the_same_seed_gives_the_same_runs_and_another_others():
    first, again, other = (simulated_runs(8, topics=5, rng=seed).cells for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


@pytest.mark.parametrize("generator", ["fixed", "bernoulli"])
def test_the_expected_difference_is_that_of_the_mean_run(generator):
    length, head, break_rank, p = 12, 9, 4, Fraction(3, 4)
    runs = simulated_runs(break_rank, topics=20_000, length=length, head=head, generator=generator, rng=3)
    early, late = RBP(p=p).scores(runs).values
    exact = expected_difference(p, break_rank, length=length, head=head, generator=generator)
    apart = early - late
    assert abs(apart.mean() - float(exact)) < 4 * apart.std() / np.sqrt(len(apart))


@pytest.mark.parametrize("paired", [True, False])
def test_a_measure_that_never_differs_is_never_rejected(paired):
    constant = define(lambda run: 1, name="Constant")
    found = rejection_rate(constant, 8, repetitions=3, topics=4, paired=paired, rng=1)
    assert (found.rate, found.standard_error, found.mean_difference) == (0, 0, 0)


@pytest.mark.parametrize("paired", [True, False])
def test_a_difference_without_spread_is_always_rejected(paired):
    found = rejection_rate("P", 8, repetitions=3, topics=4, paired=paired, rng=1)
    assert found == Rejections(
        measure="P",
        break_rank=8,
        rate=1,
        standard_error=0,
        mean_difference=pytest.approx((8 + 98 - 4 - 686) / 1000),
        difference_error=pytest.approx(0, abs=1e-12),
        generator="fixed",
        repetitions=3,
        topics=4,
        alpha=0.05,
        paired=paired,
    )


def test_chunks_do_not_change_how_many_repetitions_there_are(monkeypatch):
    monkeypatch.setattr("measurand.papers.ffm2015.simulation.CELLS", 2 * 2 * 3 * 1000)
    sizes = []

    def progress(items, total, what):
        sizes.extend(items)
        return items

    found = rejection_rate("RR", 8, repetitions=7, topics=3, generator="bernoulli", rng=1, progress=progress)
    assert (sizes, found.repetitions) == ([2, 2, 2, 1], 7)
    assert found.rate * 7 == pytest.approx(round(found.rate * 7))
    assert found.standard_error == pytest.approx((found.rate * (1 - found.rate) / 7) ** 0.5)


def test_shorter_runs_are_simulated_where_they_are_asked_for():
    found = rejection_rate("P", 8, repetitions=2, topics=3, length=40, rng=1)
    assert (found.length, found.mean_difference) == (40, pytest.approx((8 + 2 - 4 - 14) / 40))
    with pytest.raises(ParameterError, match="head ≤ length"):
        rejection_rate("P", 8, repetitions=2, topics=3, length=10, rng=1)


def test_the_test_is_scipy_s():
    from scipy.stats import ttest_ind, ttest_rel

    runs = simulated_runs(10, topics=20, generator="bernoulli", rng=11)
    early, late = RBP(p="0.8").scores(runs).values
    for paired, test in ((True, ttest_rel), (False, ttest_ind)):
        p = test(early, late).pvalue
        for alpha, rate in ((p * 1.01, 1), (p * 0.99, 0)):
            found = rejection_rate(
                RBP(p="0.8"), 10, repetitions=1, topics=20, alpha=alpha, paired=paired, generator="bernoulli", rng=11
            )
            assert found.rate == rate
            assert found.mean_difference == pytest.approx((early - late).mean())


@pytest.mark.parametrize(
    "wrong",
    [
        {"break_rank": -1},
        {"break_rank": 21},
        {"topics": 1},
        {"repetitions": 0},
        {"alpha": 0},
        {"alpha": "often"},
        {"generator": "uniform"},
        {"rng": None},
        {"rng": -1},
    ],
    ids=str,
)
def test_impossible_simulations_are_refused(wrong):
    given = {"break_rank": 8, "repetitions": 2, "topics": 5, "rng": 1, **wrong}
    with pytest.raises(ParameterError):
        rejection_rate("AP", **given)


@pytest.mark.parametrize("wrong", [{"head": 2000}, {"p": 1}, {"generator": "uniform"}, {"break_rank": 30}], ids=str)
def test_impossible_expectations_are_refused(wrong):
    given = {"p": 0.8, "break_rank": 8, **wrong}
    with pytest.raises(ParameterError):
        expected_difference(**given)
