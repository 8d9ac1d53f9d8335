"""Values that rounding cannot tell apart."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.exact import inverse_log
from measurand.intervals.additive_sums import below, choices
from measurand.intervals.independent_blocks import Block


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=4), max_size=5), st.integers(0, 15))
def test_all_choices_that_make_a_sum_are_found(parts, target):
    expected = [
        places
        for places in product(*(range(len(part)) for part in parts))
        if sum(part[place] for part, place in zip(parts, places, strict=True)) == target
    ]
    assert choices(target, [np.array(part) for part in parts]) == sorted(expected)


def test_values_that_agree_to_a_hundred_digits_are_told_apart():
    near = Fraction(1, 3) + Fraction(1, 10**100)
    one, other = (Block(unit, (1,), (1,), (0, 1)) for unit in (Fraction(1, 3), near))
    assert below([one, other], (1, 0), (0, 1))
    assert not below([one, other], (0, 1), (1, 0))


def test_inverse_logarithms_are_compared():
    three, five = (Block(inverse_log(rank, 2), (rank,), (1,), (0, 1, 2)) for rank in (3, 5))
    # 1/log2(3) = .631, 2/log2(5) = .861
    assert below([three, five], (1, 0), (0, 2))
    assert below([three, five], (0, 1), (1, 0))


def test_blocks_that_tie_after_all_are_an_error():
    one, other = (Block(Fraction(1, 3), (rank,), (1,), (0, 1)) for rank in (1, 2))
    with pytest.raises(ParameterError, match="tie"):
        below([one, other], (1, 0), (0, 1))
