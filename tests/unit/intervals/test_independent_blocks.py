"""Blocks of rational weights by divisibility."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.intervals import independent_blocks as blocks
from measurand.intervals.independent_blocks import independent_blocks, independent_ranks


def values(weights, gains):
    return {sum(w * g for w, g in zip(weights, run, strict=True)) for run in product(gains, repeat=len(weights))}


@settings(deadline=None, max_examples=12)
@given(
    st.lists(st.fractions(0, 3, max_denominator=30), min_size=1, max_size=5),
    st.sampled_from([(0, 1), (0, 1, 2), (0, 1, 3), (0, 2, 7)]),
)
def test_blocks_have_as_many_combinations_as_there_are_values(weights, gains):
    found = independent_blocks(weights, gains)
    assert found.size == len(values(weights, gains))
    assert sorted(rank for block in found.blocks for rank in block.ranks) == list(range(1, len(weights) + 1))
    assert not found.irrational


@pytest.mark.parametrize("p", [Fraction(4, 5), Fraction(3, 10), Fraction(17, 20)])
@pytest.mark.parametrize("gains", [(0, 1), (0, 1, 2, 3), (0, 1, 3, 7)])
def test_ranks_of_rbp_stand_alone_where_no_difference_of_gains_is_divisible(p, gains):
    assert len(independent_ranks([p**rank for rank in range(12)], gains)) == 12


def test_ranks_of_rbp_that_can_tie_do_not_stand_alone():
    weights = [Fraction(3, 4) ** rank for rank in range(6)]
    assert independent_ranks(weights, (0, 1, 3, 7)) == [(1, 2, 3, 4, 5, 6)]
    assert len(values(weights, (0, 1, 3, 7))) < 4**6


def test_ranks_with_weights_one_over_rank_stand_alone_by_large_primes():
    groups = independent_ranks([Fraction(1, rank) for rank in range(1, 31)], (0, 1))
    assert {(17,), (19,), (23,), (29,), (11, 22), (13, 26)} <= set(groups)


def test_a_block_with_too_many_sums_is_no_help(monkeypatch):
    monkeypatch.setattr(blocks, "MANY", 10)
    assert independent_blocks([Fraction(3, 4) ** rank for rank in range(6)], (0, 1, 3, 7)) is None
    assert independent_blocks([Fraction(1)] * 201, (0, 1)) is None
