"""Cutting blocks into tops and tails."""

from __future__ import annotations

from math import prod

import pytest

from measurand.intervals.additive_sums import cheapest, split_of


@pytest.mark.parametrize("windows", [1, 100, 10_000])
def test_no_other_cut_is_cheaper(windows):
    sizes = [60, 8, 4] + [2] * 20
    best = cheapest(sizes, windows, 1 << 30)
    ways = [split_of(sizes, 0, inner, windows, counted=False) for inner in range(len(sizes) + 1)]
    assert best.seconds == min(way.seconds for way in ways)


def test_little_memory_makes_more_passes_over_smaller_tables():
    sizes = [2] * 50
    roomy, tight = cheapest(sizes, 1, 8 << 30), cheapest(sizes, 1, 8 << 20)
    assert roomy.outer == 0
    assert tight.outer > 0
    assert tight.memory <= 8 << 20
    assert tight.seconds > roomy.seconds


def test_tables_that_are_there_are_used_again():
    sizes = [2] * 30
    held = cheapest(sizes, 10_000, 1 << 30)
    assert cheapest(sizes, 1, 1 << 30) != held
    assert cheapest(sizes, 5_000, 1 << 30, held=held) == held
    assert cheapest(sizes, 5_000, 1 << 30, counted=True, held=held) != held


def test_too_many_values_cannot_be_cut():
    assert prod([2] * 61) > 1 << 60
    assert cheapest([2] * 61, 1, 1 << 40) is None
