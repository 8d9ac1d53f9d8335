"""Analysis of variance, with Tukey's test."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.errors import CaveatKind, ParameterError
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.t_test import paired_t
from measurand.statistics.variance import (
    dunn_sidak,
    one_way_anova,
    studentized_range_quantile,
    studentized_range_tail,
    tukey,
    two_way_anova,
)


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


@pytest.mark.parametrize("df", [7, np.inf])
def test_the_cap_never_raises_a_p_value_and_is_one_comparison_for_two_systems(df):
    centres = np.array([0.0, 2.0])
    plain, capped = (tukey(centres, 0.7, df, 5, dunn_sidak_cap=cap, details={}) for cap in (False, True))
    assert capped.pvalues == pytest.approx(plain.pvalues, rel=1e-9)
    assert (capped.pvalues <= plain.pvalues).all()


def test_dunn_and_sidaks_chance_is_that_of_independent_comparisons():
    single = dunn_sidak(np.array([2.0]), 1, 11).item()
    assert dunn_sidak(np.array([2.0]), 6, 11).item() == pytest.approx(1 - (1 - single) ** 6)


def test_dunn_and_sidaks_chance_keeps_its_digits_far_out():
    single = dunn_sidak(np.array([12.0]), 1, np.inf).item()
    assert dunn_sidak(np.array([12.0]), 1000, np.inf).item() == pytest.approx(1000 * single)


Q = np.array([0.0, 0.4, 2.0, 3.5, 5.0, 6.5, 9.0, 25.0])


@pytest.mark.parametrize("groups", [3, 20, 1000])
@pytest.mark.parametrize("df", [1, 7, np.inf])
def test_the_tail_is_scipys(groups, df):
    from scipy.stats import studentized_range

    assert studentized_range_tail(Q, groups, df) == pytest.approx(studentized_range.sf(Q, groups, df), abs=1e-10)


@pytest.mark.parametrize("groups", [2, 129])
@pytest.mark.parametrize("df", [1, 49, np.inf])
@pytest.mark.parametrize("farthest", [0.01, 0.7, 5.0, 39.0])
def test_many_ranges_at_once_have_the_tails_that_each_has_alone(groups, df, farthest):
    # so many that they are looked up in a table, where ranges are not too far apart for one
    q = np.linspace(0, farthest, 2001)
    *many, beyond = studentized_range_tail(np.append(q, np.inf), groups, df)
    assert many[::125] == pytest.approx(studentized_range_tail(q[::125], groups, df), rel=1e-9, abs=1e-250)
    assert beyond == 0.0


@pytest.mark.parametrize("df", [1, 3, 10, 500])
def test_the_range_of_two_groups_is_a_t_test_even_far_out(df):
    from scipy.special import stdtr

    q = np.array([0.1, 1.0, 5.0, 20.0, 60.0, 1000.0])
    assert studentized_range_tail(q, 2, df) == pytest.approx(2 * stdtr(df, -q / np.sqrt(2)), rel=1e-8, abs=1e-250)


def test_the_range_of_two_normal_groups_is_a_normal_test_even_far_out():
    from scipy.special import ndtr

    q = np.linspace(0, 49, 60)
    assert studentized_range_tail(q, 2, np.inf) == pytest.approx(2 * ndtr(-q / np.sqrt(2)), rel=1e-9, abs=0)


@pytest.mark.parametrize("groups", [3, 129])
def test_many_degrees_of_freedom_approach_infinitely_many_as_their_inverse(groups):
    limit = studentized_range_tail(Q, groups, np.inf)
    once, twice = (df * (studentized_range_tail(Q, groups, df) - limit) for df in (1e6, 2e6))
    assert once == pytest.approx(twice, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("df", [1, 30, np.inf])
def test_the_tail_falls_from_one_to_nothing_and_ignores_the_sign(df):
    tail = studentized_range_tail(np.array([0.0, 1.0, 2.0, 10.0, 1e5, np.inf]), 5, df)
    assert (np.diff(tail) <= 0).all()
    assert (tail[0], tail[-1]) == (1.0, 0.0)
    assert studentized_range_tail(np.array([-2.0]), 5, df).item() == pytest.approx(tail[2])


@pytest.mark.parametrize("df", [1, 4, 200, np.inf])
@pytest.mark.parametrize("probability", [0.01, 0.95, 0.999])
def test_the_quantile_undoes_the_tail(df, probability):
    q = studentized_range_quantile(probability, 12, df)
    assert studentized_range_tail(np.array([q]), 12, df).item() == pytest.approx(1 - probability, rel=1e-9)


def test_the_quantile_of_nothing_is_nothing():
    assert studentized_range_quantile(0.0, 3, 5) == 0.0


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: studentized_range_tail(Q, 1, 5), "at least 2 groups"),
        (lambda: studentized_range_tail(Q, 3, 0), "at least 1 degree of freedom"),
        (lambda: studentized_range_tail(Q, 3, np.nan), "at least 1 degree of freedom"),
        (lambda: studentized_range_quantile(1.0, 3, 5), "up to below 1"),
    ],
)
def test_what_has_no_distribution_is_refused(call, what):
    with pytest.raises(ParameterError, match=what):
        call()
