"""Shares of runs from a sample: close to the exact ones, and never called ranks."""

from __future__ import annotations

import pytest

from measurand.errors import ParameterError
from measurand.intervals import image
from measurand.scales import run_shares


@pytest.mark.parametrize("spelling", ["AP", "Q", "RR", "DCG(b=2)", "AP(rel=2)"])
def test_the_exact_shares_lie_within_the_band(spelling):
    drawn = run_shares(spelling, 10, runs=5000, rng=1)
    exact = image("AP" if "rel" in spelling else spelling, 10)
    below = 0
    for value, size in zip(exact, exact.sizes.tolist(), strict=True):
        below += size
        _, low, high = drawn.at_most(float(value) + 1e-9)
        assert low <= below / exact.total <= high


def test_more_runs_make_a_narrower_band():
    assert run_shares("Q", 60, runs=4000).margin == pytest.approx(run_shares("Q", 60, runs=1000).margin / 2)


def test_the_same_seed_draws_the_same_runs_and_functions_are_welcome():
    one, again = (run_shares(lambda run: sum(run), 40, 3, runs=200, rng=5) for _ in range(2))
    assert one.values.tolist() == again.values.tolist()
    assert one.at_most(80) == (1.0, pytest.approx(1 - one.margin), 1.0)


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"depth": 5, "runs": 0}, {"depth": 5, "grades": 1}])
def test_what_cannot_be_drawn_is_refused(wrong):
    with pytest.raises(ParameterError):
        run_shares("AP", **wrong)
