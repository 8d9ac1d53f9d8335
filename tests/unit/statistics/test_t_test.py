"""Student's paired test."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.t_test import paired_t


def scored(values) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure="P", values=values, systems=systems, topics=topics, scale=Scale.INTERVAL)


@pytest.mark.parametrize("topics", [2, 3, 50])
def test_every_pair_is_as_scipy_has_it(topics):
    from scipy.stats import ttest_rel

    values = np.random.default_rng(topics).random((6, topics))
    found = paired_t(scored(values))
    for a, b in zip(*np.triu_indices(6, 1), strict=True):
        expected = ttest_rel(values[a], values[b])
        assert found.statistic[a, b] == pytest.approx(expected.statistic, rel=1e-9)
        assert found.pvalues[a, b] == pytest.approx(expected.pvalue, rel=1e-9)
        assert found.differences[a, b] == pytest.approx((values[a] - values[b]).mean())


def test_differences_that_only_rounding_tells_apart_are_one_constant_difference():
    found = paired_t(scored([[0.3, 0.5, 0.9], [0.1, 0.3, 0.7]]))
    assert (found.statistic[0, 1], found.statistic[1, 0], found.of("s0", "s1")) == (np.inf, -np.inf, 0.0)
    assert str(found.caveats[0]) == "1 of 1 pairs of systems differ by the same on all topics: t is infinite there"


def test_a_small_but_real_scatter_is_not_taken_for_rounding():
    found = paired_t(scored([[0.3, 0.5, 0.9 + 1e-12], [0.1, 0.3, 0.7]]))
    assert np.isfinite(found.statistic[0, 1])
    assert 0 < found.of("s0", "s1") < 1e-20


def test_differences_around_zero_have_a_mean_of_zero_and_a_p_value_of_one():
    assert paired_t(scored([[0.5, 0.5], [0.25, 0.75]])).of("s0", "s1") == 1.0
