"""The place of numbers among many, against plain sorting of exact numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.exact import inverse_log, log, quotient, ranked

plain = st.fractions(-10, 10, max_denominator=20)
# numbers that floats cannot tell apart, or cannot hold
crowded = st.builds(lambda n, k: Fraction(n * 10**30 + k, 3 * 10**30), st.integers(-2, 2), st.integers(-3, 3))
huge = st.builds(lambda n, k: Fraction(n * 10**400 + k), st.integers(-2, 2), st.integers(-3, 3))
tiny = st.builds(lambda n, k: Fraction(n * 10**30 + k, 10**400), st.integers(-2, 2), st.integers(-3, 3))
subnormal = st.integers(-5, 5).map(lambda n: Fraction(n, 2**1074))


def sorted_plainly(values):
    levels = sorted(set(values))
    return levels, [levels.index(value) for value in values]


@given(st.lists(st.one_of(plain, crowded, tiny, subnormal), max_size=30))
def test_places_are_those_of_sorting(values):
    levels, places = ranked(values)
    assert (levels, places.tolist()) == sorted_plainly(values)


@given(st.lists(st.one_of(plain, huge, tiny), max_size=20))
def test_numbers_beyond_floats_have_their_places(values):
    levels, places = ranked(values)
    assert (levels, places.tolist()) == sorted_plainly(values)


def test_nothing_has_no_places():
    for near in (0, 1e-12):
        levels, places = ranked([], near=near)
        assert levels == []
        assert places.shape == (0,)
        assert places.dtype == np.int64


def test_one_number_repeated_has_one_place():
    assert ranked([Fraction(1, 3)] * 4)[1].tolist() == [0] * 4
    assert ranked([Fraction(10**400)] * 4)[1].tolist() == [0] * 4


def test_huge_fractions_are_told_apart():
    one = Fraction(10**400 + 1, 10**400)
    levels, places = ranked([one, Fraction(1), 2 - one])
    assert levels == [2 - one, 1, one]
    assert places.tolist() == [2, 1, 0]


def test_sums_of_logarithms_are_told_apart_and_put_together():
    n = 10**9
    values = [2 * log(n + 1), log(n) + log(n + 2), log(n + 1) + log(n + 1), Fraction(0), log(8) - 3 * log(2), -log(2)]
    levels, places = ranked(values)
    assert places.tolist() == [3, 2, 3, 1, 1, 0]
    assert all(low < high for low, high in pairwise(levels))


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(-3, 3)), min_size=1, max_size=12))
def test_logarithms_have_the_places_of_their_powers(pairs):
    values = [c * log(n) for n, c in pairs]
    powers = [Fraction(n) ** c for n, c in pairs]
    assert ranked(values)[1].tolist() == sorted_plainly(powers)[1]


def test_exact_numbers_of_all_kinds_stand_in_one_row():
    values = [log(2), inverse_log(3, 2), Fraction(2, 3), quotient(1, 1 + inverse_log(3, 2)), Fraction(7, 10)]
    order = ranked(values)[1].tolist()
    assert order == np.argsort(np.argsort([float(value) for value in values])).tolist()


# Numbers that were computed in floating point


def test_near_numbers_are_taken_for_one():
    noise = [Fraction(0.1 + 0.2), Fraction(0.3), Fraction(0.4), Fraction(0.1)]
    assert ranked(noise)[1].tolist() == [2, 1, 3, 0]
    levels, places = ranked(noise, near=1e-12)
    assert places.tolist() == [1, 1, 2, 0]
    assert len(levels) == 3


def test_nearness_goes_by_the_largest_of_all_numbers():
    assert ranked([Fraction(10**20), Fraction(10**20 + 1)], near=1e-12)[1].tolist() == [0, 0]
    assert ranked([Fraction(-(10**20)), Fraction(-(10**20) - 1)], near=1e-12)[1].tolist() == [0, 0]
    assert ranked([Fraction(10**400), Fraction(10**400 + 1)], near=1e-12)[1].tolist() == [0, 0]
    small = [Fraction(0), Fraction(1, 10**20), Fraction(2, 10**20)]
    assert ranked(small, near=1e-12)[1].tolist() == [0, 1, 2]
    # beside large numbers they may be what rounding left of 0
    assert ranked([*small, Fraction(1)], near=1e-12)[1].tolist() == [0, 0, 0, 1]


@given(st.lists(st.integers(1, 50), min_size=1, max_size=20), st.data())
def test_noise_does_not_change_places(wholes, data):
    noise = data.draw(st.lists(st.integers(-9, 9), min_size=len(wholes), max_size=len(wholes)))
    values = [whole + Fraction(k, 10**15) for whole, k in zip(wholes, noise, strict=True)]
    levels, places = ranked(values, near=1e-12)
    assert places.tolist() == sorted_plainly(wholes)[1]
    assert len(levels) == len(set(wholes))


@given(st.lists(plain, max_size=20))
def test_numbers_far_apart_are_not_taken_for_one(values):
    assert ranked(values, near=1e-12)[1].tolist() == ranked(values)[1].tolist()


@pytest.mark.parametrize("unit", [log(3), inverse_log(3, 2)], ids=repr)
def test_exact_sums_were_not_computed_in_floating_point(unit):
    values = [unit, unit * Fraction(10**15 + 1, 10**15), unit * 2, Fraction(0)]
    assert ranked(values, near=1e-12)[1].tolist() == ranked(values)[1].tolist() == [1, 2, 3, 0]
