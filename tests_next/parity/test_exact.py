"""Exact numbers beside the old package's: the same values, order and equalities."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from measurand import exact as old
from measurand_next.exact import fraction, reals

WEIGHTS = st.lists(st.fractions(-2, 2, max_denominator=4), min_size=1, max_size=5)
BASES = st.sampled_from([2, 3, 10])


def both(weights, base):
    """A sum of inverse logarithms in both packages."""
    return tuple(
        sum((find(rank, base) * weight for rank, weight in enumerate(weights, 2)), Fraction(0))
        for find in (old.inverse_log, reals.inverse_log)
    )


def agree(pairs):
    """Floats, decimals and kinds of numbers are the same, and so is what is equal or smaller."""
    for theirs, mine in pairs:
        assert (type(theirs) is Fraction) == (type(mine) is Fraction)
        assert float(theirs) == float(mine)
        (low, high), (least, most) = old.enclosure_of(theirs, 50), reals.enclosure(mine, 50)
        assert low <= most
        assert least <= high
    for (theirs, mine), (others, other) in product(pairs, repeat=2):
        assert (theirs == others, theirs < others) == (mine == other, mine < other)
        assert mine != other or hash(mine) == hash(other)


@given(WEIGHTS, WEIGHTS, BASES)
def test_sums_of_inverse_logarithms_are_the_same(one, other, base):
    (a, b), (c, d) = both(one, base), both(other, base)
    agree([(a, b), (c, d), (a + c, b + d), (a - c, b - d), (a * Fraction(2, 3), b * Fraction(2, 3)), (1 - c, 1 - d)])


@given(WEIGHTS, WEIGHTS, WEIGHTS, BASES)
def test_quotients_and_their_sums_are_the_same(one, other, third, base):
    (a, b), (c, d), (e, f) = both(one, base), both([1, *map(abs, other)], base), both([2, *map(abs, third)], base)
    agree([(a / c, b / d), (a / c + e, b / d + f), (a / c - c / e, b / d - d / f), (a / c + 1 / e, b / d + 1 / f)])


@given(st.lists(st.tuples(st.integers(1, 30), st.fractions(-2, 2, max_denominator=4)), max_size=5))
def test_sums_of_logarithms_and_of_powers_are_the_same(pairs):
    logs = old.log_sum(pairs), reals.weighted_sum((reals.log(number), weight) for number, weight in pairs)
    powers = (
        old.power_sum((Fraction(number, 4), weight) for number, weight in pairs),
        reals.weighted_sum((reals.power_of_two(Fraction(number, 4)), weight) for number, weight in pairs),
    )
    agree([logs])
    agree([powers])


@given(st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.decimals(-100, 100), st.integers()))
def test_numbers_are_read_the_same(value):
    assert fraction(value) == old.rational(value)
    assert fraction(str(value)) == old.rational(str(value))
