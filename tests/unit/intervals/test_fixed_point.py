"""Sums in tiny units, and the windows that rounding needs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from measurand.exact import inverse_log
from measurand.intervals import additive_sums as fixed_point
from measurand.intervals.additive_sums import FixedPoint
from measurand.intervals.independent_blocks import Blocks


@pytest.mark.parametrize("bits", [8, 12, 62])
def test_what_lies_outside_a_window_is_on_the_side_it_seems(bits, monkeypatch):
    monkeypatch.setattr(fixed_point, "BITS", bits)
    blocks = Blocks.of([Fraction(1), *(inverse_log(rank, 2) for rank in range(3, 10))], [0, 1])
    fixed = FixedPoint.of(blocks)
    places = np.array(list(product(*(range(block.size) for block in blocks.blocks))))
    rounded = sum(part[column] for part, column in zip(fixed.parts, places.T, strict=True))
    values = [
        sum(block.value * block.sums[place] for block, place in zip(blocks.blocks, choice, strict=True))
        for choice in places.tolist()
    ]
    order = np.argsort(np.argsort(np.array(values, dtype=object)))
    lows, highs = fixed.windows(places)
    assert rounded.max() < 2**bits
    for own, low, high, rank in zip(rounded, lows, highs, order, strict=True):
        assert low <= own <= high
        assert (order[rounded < low] < rank).all()
        assert (order[rounded > high] > rank).all()


def test_a_measure_without_weight_has_one_value():
    fixed = FixedPoint.of(Blocks.by_rank([Fraction(0)], [0]))
    assert [part.tolist() for part in fixed.parts] == [[0]]
