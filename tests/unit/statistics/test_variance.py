"""Analysis of variance, with Tukey's test."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.errors import CaveatKind
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.t_test import paired_t
from measurand.statistics.variance import one_way_anova, two_way_anova


def scored(values) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure="P", values=values, systems=systems, topics=topics, scale=Scale.INTERVAL)


@pytest.fixture
def values():
    rng = np.random.default_rng(1)
    return rng.random((5, 9)) / 2 + rng.random(9) + np.linspace(0, 0.4, 5)[:, None]


def test_the_one_way_analysis_is_scipys(values):
    from scipy.stats import f_oneway, tukey_hsd

    found, omnibus = one_way_anova(scored(values)), f_oneway(*values)
    assert found.details["f"] == pytest.approx(omnibus.statistic)
    assert found.details["p"] == pytest.approx(omnibus.pvalue)
    assert (found.details["df_systems"], found.details["df"]) == (4, 40)
    assert found.pvalues == pytest.approx(tukey_hsd(*values).pvalue, abs=1e-9)


def test_the_two_way_analysis_is_a_least_squares_fit_of_systems_and_topics(values):
    systems, topics = np.indices(values.shape).reshape(2, -1)
    design = np.hstack([np.eye(5)[systems], np.eye(9)[topics]])

    def left(columns):
        fitted = columns @ np.linalg.lstsq(columns, values.ravel(), rcond=None)[0]
        return ((values.ravel() - fitted) ** 2).sum()

    details = two_way_anova(scored(values)).details
    assert details["mse"] == pytest.approx(left(design) / 32)
    assert details["f"] == pytest.approx((left(design[:, 5:]) - left(design)) / 4 / details["mse"])
    assert details["f_topics"] == pytest.approx((left(design[:, :5]) - left(design)) / 8 / details["mse"])
    assert (details["df_systems"], details["df_topics"], details["df"]) == (4, 8, 32)


def test_large_numbers_that_differ_little_keep_their_digits(values):
    whole = np.round(values * 8)
    for test in (one_way_anova, two_way_anova):
        found, far = test(scored(whole)), test(scored(whole + 2.0**40))
        assert far.pvalues == pytest.approx(found.pvalues, rel=1e-9, abs=1e-300)
        assert dict(far.details) == pytest.approx(dict(found.details), rel=1e-9)


def test_the_two_way_analysis_of_two_systems_is_the_paired_t_test(values):
    pair = scored(values[:2])
    assert two_way_anova(pair).pvalues == pytest.approx(paired_t(pair).pvalues, rel=1e-9)
    assert two_way_anova(pair).details["f"] == pytest.approx(paired_t(pair).statistic[0, 1] ** 2)


def test_allowing_for_topics_finds_more_where_topics_differ():
    rng = np.random.default_rng(3)
    base = rng.random(30)
    scores = scored([base, base + 0.03 + rng.normal(0, 0.01, 30)])
    assert one_way_anova(scores).of("s0", "s1") > 0.5
    assert two_way_anova(scores).of("s0", "s1") < 1e-10


def test_the_statistic_is_the_difference_in_errors_of_a_mean(values):
    found = one_way_anova(scored(values))
    assert found.statistic * np.sqrt(found.details["mse"] / 9) == pytest.approx(found.differences)


def test_without_error_a_difference_is_certain_and_that_is_said():
    found = one_way_anova(scored([[0.1] * 3, [0.2] * 3, [0.1] * 3]))
    assert found.pvalues.tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    assert (found.details["f"], found.details["p"]) == (np.inf, 0.0)
    assert [c.kind for c in found.caveats] == [CaveatKind.DEGENERATE]


def test_systems_that_add_the_same_to_every_topic_leave_no_error():
    topics = np.array([0.1, 0.3, 0.35, 0.8])
    found = two_way_anova(scored([topics, topics + 0.1, topics + 0.1]))
    assert found.details["mse"] == 0
    assert found.pvalues.tolist() == [[1, 0, 0], [0, 1, 1], [0, 1, 1]]
