"""Counted distributions of rank statistics."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.statistics.rank_tests import rank_sum_tails, signed_rank_tails


def test_rows_with_different_ties_are_counted_apart():
    doubled = np.array([[2, 4, 6], [3, 3, 6], [0, 2, 4], [6, 4, 2]])
    sums = np.array([4, 3, 0, 12])
    assert signed_rank_tails(doubled, sums).tolist() == [3 / 8, 3 / 8, 1 / 4, 1.0]


def test_fifty_topics_without_ties_are_counted_to_the_last_way():
    doubled = np.arange(2, 102, 2)[None]
    assert signed_rank_tails(doubled, np.array([0])).item() == 2.0**-50
    assert signed_rank_tails(doubled, np.array([1274])).item() == pytest.approx(0.5, abs=0.01)


def test_halves_with_ties_are_counted():
    # the sums of two of the ranks 1, 2.5, 2.5, 4, doubled: 7, 7, 10, 10, 13, 13
    assert rank_sum_tails(np.array([[2, 5, 5, 8]] * 3), np.array([7, 10, 12])).tolist() == [2 / 6, 4 / 6, 4 / 6]


def test_no_rows_have_no_tails():
    assert rank_sum_tails(np.zeros((0, 4), dtype=np.int64), np.zeros(0, dtype=np.int64)).tolist() == []
