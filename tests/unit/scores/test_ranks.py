"""Mid-ranks and places within rows."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from measurand.scores.ranks import mid_ranks, places


@given(rows=arrays(np.int64, array_shapes(min_dims=2, max_dims=2), elements=st.integers(0, 4)))
def test_mid_ranks_are_scipys_and_ties_are_counted(rows):
    from scipy.stats import rankdata

    found = mid_ranks(rows.astype(float))
    assert found.ranks.tolist() == rankdata(rows, axis=1).tolist()
    counts = [np.unique(row, return_counts=True)[1] for row in rows]
    assert found.tied.tolist() == [(count**3 - count).sum() for count in counts]


@given(row=arrays(np.float64, 8, elements=st.sampled_from([0.1, 0.2, 0.3, np.nan])))
def test_what_is_not_there_takes_no_rank(row):
    there = ~np.isnan(row)
    found = mid_ranks(row[None])
    assert (found.ranks[0, ~there] == 0).all()
    assert found.ranks[0, there].tolist() == mid_ranks(row[None, there]).ranks[0].tolist()


def test_rows_without_columns_have_no_ranks():
    assert mid_ranks(np.zeros((3, 0))).ranks.shape == (3, 0)


@given(st.lists(st.lists(st.sampled_from([0.0, -0.0, 0.5, 1.0, inf, -inf, nan]), min_size=4, max_size=4), min_size=1))
def test_places_count_the_different_smaller_numbers_of_a_row(rows):
    expected = [[len({y for y in row if y < x}) if x == x else -1 for x in row] for row in rows]
    assert places(np.array(rows)).tolist() == expected
    assert places(np.array(rows, dtype=object)).tolist() == expected


def test_places_of_fractions_are_exact():
    row = np.array([[Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30), 10**30, 10**30 + 1, nan]], dtype=object)
    assert places(row).tolist() == [[0, 1, 2, 3, -1]]


def test_rows_without_numbers_have_no_places():
    assert places(np.zeros((2, 0))).shape == (2, 0)
