"""The studentised range against scipy's, which is slow, and against what is known of it."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.statistics.variance import studentized_range_quantile, studentized_range_tail

Q = np.array([0.0, 0.4, 2.0, 3.5, 5.0, 6.5, 9.0, 25.0])


@pytest.mark.parametrize("groups", [3, 20, 129, 1000])
@pytest.mark.parametrize("df", [1, 7, 6272, np.inf])
def test_the_tail_is_scipys(groups, df):
    from scipy.stats import studentized_range

    assert studentized_range_tail(Q, groups, df) == pytest.approx(studentized_range.sf(Q, groups, df), abs=1e-10)


@pytest.mark.parametrize("groups", [2, 3, 129])
@pytest.mark.parametrize("df", [1, 2, 49, 6272, np.inf])
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
