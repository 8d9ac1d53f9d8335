"""Sums of fractional powers of 2."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from measurand.exact import PowersOfTwo, power_sum, units

EXPONENTS = st.fractions(-3, 3, max_denominator=12)
PAIRS = st.lists(st.tuples(EXPONENTS, st.integers(-5, 5)), max_size=6)


@given(one=PAIRS, other=PAIRS)
def test_sums_are_those_of_floats_and_equal_only_if_their_difference_is_nothing(one, other):
    first, second = power_sum(one), power_sum(other)
    for number, pairs in ((first, one), (first - second, [*one, *((e, -c) for e, c in other)])):
        assert abs(float(number) - sum(c * 2.0 ** float(e) for e, c in pairs)) < 1e-12
    assert (first == second) == (first - second == 0)
    assert (first < second) == (float(first - second) < 0)


@given(pairs=PAIRS, exponent=EXPONENTS)
def test_a_power_and_its_half_twice_are_one_number(pairs, exponent):
    number = power_sum(pairs)
    again = number + power_sum([(exponent, 1), (exponent - 1, -2)])
    assert again == number
    assert hash(again) == hash(number)


def test_a_power_that_is_a_fraction_is_one():
    assert power_sum([(Fraction(-1, 2), 1), (Fraction(1, 2), Fraction(-1, 2)), (Fraction(3), 1)]) == Fraction(8)
    assert not isinstance(power_sum([(Fraction(2), 1)]), PowersOfTwo)


def test_differences_have_keys():
    root = power_sum([(Fraction(1, 2), 1)])
    keys = units([1 + root, Fraction(1), root + 2, Fraction(2), root]).keys.tolist()
    assert keys[0] - keys[1] == keys[2] - keys[3] == keys[4]
    assert keys[0] - keys[1] != keys[2] - keys[1]
