"""The sign test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.scores import Scores
from measurand.statistics.sign_test import sign, sign_pvalues


@given(ahead=st.integers(0, 400), behind=st.integers(0, 400))
def test_the_p_value_is_that_of_scipys_binomial_test(ahead, behind):
    from scipy.stats import binomtest

    expected = binomtest(ahead, ahead + behind).pvalue if ahead + behind else 1.0
    assert sign_pvalues(np.array([ahead]), np.array([behind])).item() == pytest.approx(expected, rel=1e-9)


@given(ahead=st.integers(0, 200), behind=st.integers(0, 200))
def test_matlabs_conventions_are_the_same_below_a_hundred_topics_and_close_from_there_on(ahead, behind):
    exact, matlab = (sign_pvalues(np.array([ahead]), np.array([behind]), how).item() for how in ("scipy", "matlab"))
    assert matlab == (exact if ahead + behind < 100 else pytest.approx(exact, abs=0.01))


def test_scores_are_compared_as_they_are_to_the_last_bit():
    values = [[0.3, 0.3, 0.3], [0.1 * 3, 0.3, 0.2]]
    found = sign(Scores(measure="P", values=values, systems=("a", "b"), topics=("1", "2", "3")))
    assert found.differences[0, 1] == 0
    assert found.statistic[0, 1] == 0


def test_the_difference_counts_topics_and_the_statistic_is_in_standard_deviations():
    values = [[1.0] * 7 + [0.0] * 2 + [0.5], [0.0] * 7 + [1.0] * 2 + [0.5]]
    found = sign(Scores(measure="P", values=values, systems=("a", "b"), topics=tuple("1234567890")))
    assert (found.differences[0, 1], found.statistic[0, 1]) == (5.0, pytest.approx(5 / 3))
    assert found.differences[1, 0] == -5
