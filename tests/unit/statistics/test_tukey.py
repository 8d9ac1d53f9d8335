"""Tukey's test from centres and their error."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.statistics.variance import dunn_sidak, tukey


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
