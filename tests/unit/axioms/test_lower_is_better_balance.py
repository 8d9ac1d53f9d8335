"""The balancing index of costs."""

from __future__ import annotations

import pytest

from measurand.axioms.balance import balancing_curve, balancing_index
from measurand.measures import define


def wasted(run):
    return next((rank for rank, grade in enumerate(run) if grade), len(run))


def missing(run):
    return len(run) - sum(grade > 0 for grade in run)


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_a_tail_is_enough_where_it_costs_no_more_than_the_head(n):
    assert balancing_index(define(wasted, name="Wasted", lower_is_better=True), n) == 1
    assert balancing_index(define(missing, name="Missing", lower_is_better=True), n) == n
    # taken for a gain, a long wait is worth more than none
    assert balancing_index(wasted, n) == n


def test_the_curve_reads_as_it_does_for_gains():
    cost = define(wasted, name="Wasted", lower_is_better=True)
    assert (
        balancing_curve(cost, [5, 20]).reading == "Wasted is top-heavy: at 20 ranks its balancing index is 1, near 1."
    )
