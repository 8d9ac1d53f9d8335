"""How far apart averages may be that are equal."""

from __future__ import annotations

import pytest

from measurand.scores import Scores
from measurand.scores.scores import rounding


def scores(*rows: list[float]) -> Scores:
    return Scores(measure="AP", values=rows, systems="abc"[: len(rows)], topics=range(len(rows[0])))


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_a_sum_in_another_order_is_within_rounding_and_a_difference_is_not(size):
    row = [size * share for share in (0.1, 0.2, 0.3, 0.7)]
    several = scores(row, row[::-1], [*row[:3], row[3] * (1 + 1e-9)])
    first, turned, other = several.mean().values
    assert abs(first - turned) <= rounding(several) < abs(first - other)


def test_scores_below_zero_count_and_missing_ones_do_not():
    assert rounding(scores([0.0, float("nan")], [-3.0, 0.0])) == 3e-12
    assert rounding(scores([0.0, 0.0])) == 0
