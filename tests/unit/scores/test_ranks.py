"""Mid-ranks of rows."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from measurand.scores.ranks import mid_ranks


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
