"""Rescaling: which values a permissible transformation takes to which."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.admissibility import permissible

NUMBERS = st.lists(st.fractions(-20, 20, max_denominator=9), min_size=2, max_size=6, unique=True)
SLOPES = st.fractions(Fraction(1, 9), 9, max_denominator=9)


@given(values=NUMBERS, slope=SLOPES, shift=st.fractions(-9, 9, max_denominator=9))
def test_affine_maps_are_permissible_up_to_interval_scales_and_multiples_everywhere(values, slope, shift):
    moved = [slope * value + shift for value in values]
    assert all(permissible(scale, values, moved) for scale in list(Scale)[:3])
    assert bool(permissible("ratio", values, moved)) == (shift == 0)
    assert permissible("ratio", values, [slope * value for value in values])


@given(values=NUMBERS)
def test_a_cube_keeps_order_and_a_square_keeps_it_only_on_one_side_of_zero(values):
    assert permissible("ordinal", values, [value**3 for value in values])
    squares = [value**2 for value in values]
    ascending = [square for _, square in sorted(zip(values, squares, strict=True))]
    assert bool(permissible("ordinal", values, squares)) == all(one < other for one, other in pairwise(ascending))


def test_a_constant_piece_is_refused_with_the_values_that_it_merges():
    verdict = permissible("ordinal", [1, 2, 3], [0, 5, 5])
    assert not verdict
    assert verdict.witness == ((2, 5), (3, 5))


def test_one_value_cannot_become_two_and_two_cannot_become_one():
    assert not permissible("nominal", [1, 1], [2, 3])
    assert not permissible("nominal", [1, 2], [3, 3])
    assert permissible("nominal", [1, 2], [9, -3])


def test_floats_stand_for_their_decimal_spelling():
    assert permissible("interval", [0.1, 0.2, 0.3], ["0.2", "0.4", "0.6"])


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(ParameterError, match="place by place"):
        permissible("ordinal", [1], [1, 2])
