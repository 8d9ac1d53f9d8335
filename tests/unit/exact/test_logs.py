"""Exact sums of logarithms, against powers of whole numbers and a hundred digits."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.exact import Logs, inverse_log, log, log_sum
from measurand.exact.certified import factors

DIGITS = 100

numbers = st.integers(1, 500)
rationals = st.fractions(Fraction(1, 50), 50, max_denominator=50)
coefficients = st.fractions(-20, 20, max_denominator=20)
sums = st.lists(st.tuples(numbers, coefficients), max_size=5)
whole_sums = st.lists(st.tuples(numbers, st.integers(-9, 9)), max_size=5)


def decimal(pairs) -> Decimal:
    with localcontext(prec=DIGITS):
        terms = (Decimal(n).ln() * Decimal(c.numerator) / Decimal(c.denominator) for n, c in pairs)
        return sum(terms, Decimal(0))


def sign_by_powers(pairs) -> int:
    """The sign of a sum with whole coefficients: the logarithm of a quotient of two whole numbers."""
    above = math.prod(n**c for n, c in pairs if c > 0)
    below = math.prod(n**-c for n, c in pairs if c < 0)
    return (above > below) - (above < below)


# Equality


def test_sums_are_equal_when_they_are_the_same_number():
    assert log(8) - 3 * log(2) == 0
    assert isinstance(log(8) - 3 * log(2), Fraction)
    assert log(6) + log(35) == log(10) + log(21) == log(210)
    assert log(Fraction(9, 2)) == 2 * log(3) - log(2)
    assert log_sum([(4, Fraction(1, 2)), (8, Fraction(-1, 3))]) == 0
    assert log(1) == 0
    assert log_sum([]) == 0


def test_sums_are_different_however_close_they_are():
    # 2^1054 and 3^665 agree to four digits, their logarithms to eight
    close = 1054 * log(2) - 665 * log(3)
    assert close != 0
    assert abs(float(close)) < 1e-4
    n = 10**12
    barely = log_sum([(n + 1, 2), (n, -1), (n + 2, -1)])
    assert barely != 0
    assert float(barely) == pytest.approx(1e-24, rel=1e-6)
    assert barely > 0
    assert log(n + 1) + log(n + 1) > log(n) + log(n + 2)


@given(whole_sums)
def test_a_sum_is_above_below_or_zero_as_the_powers_say(pairs):
    value = log_sum(pairs)
    sign = sign_by_powers(pairs)
    assert (value == 0) is (sign == 0)
    assert (value > 0) is (sign > 0)
    assert (value < 0) is (sign < 0)
    assert isinstance(value, Fraction if sign == 0 else Logs)


@given(whole_sums, whole_sums)
def test_two_sums_stand_to_each_other_as_the_powers_say(one, other):
    first, second = log_sum(one), log_sum(other)
    sign = sign_by_powers([*one, *((n, -c) for n, c in other)])
    assert (first == second) is (sign == 0)
    assert (first != second) is (sign != 0)
    assert (first < second) is (sign < 0)
    assert (first <= second) is (sign <= 0)
    assert (first > second) is (sign > 0)
    assert (first >= second) is (sign >= 0)
    if sign == 0:
        assert hash(first) == hash(second)


@given(st.integers(2, 10**6), st.integers(2, 10**6))
def test_the_logarithm_grows_with_its_number(a, b):
    assert (log(a) < log(b)) is (a < b)
    assert (log(a) == log(b)) is (a == b)


# Arithmetic


@given(rationals, rationals)
def test_a_product_has_the_sum_of_logarithms(a, b):
    assert log(a * b) == log(a) + log(b)
    assert log(a / b) == log(a) - log(b)
    assert log(1 / a) == -log(a)


@given(rationals, st.integers(-5, 5))
def test_a_power_has_a_multiple_of_the_logarithm(a, power):
    assert log(a**power) == power * log(a) == log(a) * power


@given(sums, sums, sums)
def test_addition_has_its_laws(x, y, z):
    a, b, c = map(log_sum, (x, y, z))
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert (a + b) - b == a
    assert a - a == 0
    assert a + 0 == 0 + a == a
    assert a - b == -(b - a)
    assert 0 - a == -a
    assert a + b == log_sum([*x, *y])


@given(sums, sums, coefficients, coefficients)
def test_multiplication_by_rationals_has_its_laws(x, y, s, t):
    a, b = log_sum(x), log_sum(y)
    assert s * (a + b) == s * a + s * b
    assert (s + t) * a == s * a + t * a
    assert (s * t) * a == s * (t * a)
    assert a * 1 == a
    assert a * 0 == 0
    assume(s)
    assert a / s * s == a
    assert a / s == a * (1 / s)


@given(sums)
def test_a_sum_keeps_increasing_primes_and_no_zero(pairs):
    value = log_sum(pairs)
    if isinstance(value, Logs):
        primes = [p for p, _ in value.terms]
        assert primes == sorted(set(primes))
        assert all(factors(p) == ((p, 1),) for p in primes)
        assert all(isinstance(c, Fraction) and c for _, c in value.terms)


# Rounding


@given(sums)
def test_a_sum_rounds_to_the_nearest_float(pairs):
    assert float(log_sum(pairs)) == float(decimal(pairs))


@pytest.mark.parametrize("number", [2, 3, 10, 1000, 10**6, 10**16, Fraction(1, 3), Fraction(999, 1000)])
def test_a_logarithm_is_what_everybody_gets(number):
    assert float(log(number)) == pytest.approx(math.log(number), rel=1e-15)


@given(sums, st.fractions(-100, 100, max_denominator=100))
def test_a_sum_is_compared_with_a_fraction(pairs, fraction):
    value = log_sum(pairs)
    assume(isinstance(value, Logs))
    with localcontext(prec=DIGITS):
        difference = decimal(pairs) - Decimal(fraction.numerator) / Decimal(fraction.denominator)
    assert (value > fraction) is (fraction < value) is (difference > 0)
    assert (value < fraction) is (fraction > value) is (difference < 0)
    # no such sum is rational, but for 0
    assert value != fraction
    assert (value == fraction) is False


@given(sums)
def test_an_enclosure_holds_the_number(pairs):
    value = log_sum(pairs)
    assume(isinstance(value, Logs))
    exact = decimal(pairs)
    for digits in (5, 20, 60):
        low, high = value.enclosure(digits)
        assert low <= exact <= high
        # each coefficient is at most 20, each logarithm at most 7
        assert high - low <= Decimal(10) ** (4 - digits)


# What is refused


@pytest.mark.parametrize("number", [0, -1, Fraction(-1, 2)])
def test_what_is_not_positive_has_no_logarithm(number):
    with pytest.raises(ParameterError, match="it must be above 0"):
        log(number)


@pytest.mark.parametrize("other", [1, Fraction(1, 2), 0.5, "x", None])
def test_what_is_no_sum_of_logarithms_cannot_be_added(other):
    for add in (lambda a, b: a + b, lambda a, b: b + a, lambda a, b: a - b):
        with pytest.raises(TypeError):
            add(log(2), other)


@pytest.mark.parametrize("other", [0.5, "x", None, log(3)])
def test_a_sum_is_multiplied_by_rationals_alone(other):
    with pytest.raises(TypeError):
        log(2) * other


def test_a_sum_is_not_divided_by_zero():
    with pytest.raises(ZeroDivisionError):
        log(2) / 0


def test_a_sum_can_be_told_from_other_exact_numbers():
    others = [inverse_log(3, 2), inverse_log(5, 2)]
    for one, other in product([log(2), log(3)], others):
        assert one != other
        assert (one < other) is (float(one) < float(other))
    assert len({log(2), log(4) / 2, log(3), Fraction(0)}) == 3


def test_a_sum_is_shown_with_its_primes():
    assert repr(log(Fraction(12, 5)) / 2) == "Logs(1 ln 2 + 1/2 ln 3 + -1/2 ln 5)"


@given(st.integers(1, 10**6))
def test_whole_numbers_are_the_product_of_their_factors(number):
    assert math.prod(p**power for p, power in factors(number)) == number
