"""Analysis of variance of ranks, with Tukey's test of mean ranks."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.scores import Scores
from measurand.statistics.rank_tests import friedman, kruskal_wallis
from measurand.statistics.variance import studentized_range_tail


def scored(values) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure="P", values=values, systems=systems, topics=topics)


@pytest.mark.parametrize("levels", [3, 8, 10**9])
@pytest.mark.parametrize(("test", "in_scipy"), [(kruskal_wallis, "kruskal"), (friedman, "friedmanchisquare")])
def test_the_test_of_all_systems_is_scipys(test, in_scipy, levels):
    from scipy import stats

    values = np.random.default_rng(levels).integers(0, levels, (5, 14))
    found, expected = test(scored(values)), getattr(stats, in_scipy)(*values)
    assert found.details["chi2"] == pytest.approx(expected.statistic)
    assert found.details["p"] == pytest.approx(expected.pvalue)
    assert found.details["df"] == 4


@pytest.mark.parametrize("test", [kruskal_wallis, friedman])
def test_pairs_are_compared_with_infinite_degrees_of_freedom(test):
    found = test(scored(np.random.default_rng(4).integers(0, 5, (5, 14))))
    assert found.pvalues == pytest.approx(studentized_range_tail(found.statistic, 5, np.inf))


@pytest.mark.parametrize("test", [kruskal_wallis, friedman])
def test_two_systems_tied_on_every_topic_but_one_differ_by_that_one(test):
    found = test(scored([[0.5] * 9 + [0.6], [0.5] * 10]))
    assert found.differences[0, 1] > 0
    assert 0.3 < found.pvalues[0, 1] < 0.4  # one pair of normal ranks, one standard deviation apart: 0.317
    assert found.pvalues[0, 1] == pytest.approx(found.details["p"])


@pytest.mark.parametrize("test", [kruskal_wallis, friedman])
def test_ties_everywhere_leave_no_variance_for_any_number_of_systems(test):
    for systems in range(2, 40):
        found = test(scored(np.full((systems, 7), 0.3)))
        assert (found.details["chi2"], found.details["p"]) == (0.0, 1.0)
        assert (found.pvalues == 1).all()
