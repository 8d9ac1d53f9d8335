"""Exact sums of inverse logarithms and their quotients, against brute force with a hundred digits."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.exact import (
    InverseLogs,
    Logs,
    Quotient,
    QuotientSum,
    inverse_log,
    log,
    log_sum,
    quotient,
    quotient_sum,
    weighted_sum,
)
from measurand.exact.certified import factors
from measurand.exact.logarithms import primitive_root

DIGITS = 100


def decimal_log(number: int, base: int) -> Decimal:
    with localcontext(prec=DIGITS):
        return Decimal(base).ln() / Decimal(number).ln()


def subsets(ranks) -> list[tuple[int, ...]]:
    return [chosen for size in range(1, len(ranks) + 1) for chosen in combinations(ranks, size)]


def exact_sum(numbers, base: int):
    return weighted_sum((inverse_log(number, base), 1) for number in numbers)


def decimal_sum(numbers, base: int) -> Decimal:
    with localcontext(prec=DIGITS):
        return sum((decimal_log(number, base) for number in numbers), Decimal(0))


@pytest.mark.parametrize("base", [2, 3, 4, 10])
def test_a_sum_rounds_to_the_nearest_float(base):
    for numbers in subsets(range(2, 10)):
        assert float(exact_sum(numbers, base)) == float(decimal_sum(numbers, base)), numbers


@pytest.mark.parametrize("base", [2, 3, 10])
def test_sums_are_equal_and_ordered_as_their_hundred_digits_are(base):
    pairs = [(exact_sum(numbers, base), decimal_sum(numbers, base)) for numbers in subsets(range(2, 8))]
    for (one, first), (other, second) in product(pairs, pairs):
        same = abs(first - second) < Decimal(10) ** -90
        assert (one == other) is same
        assert (one < other) is (not same and first < second)
        assert (one <= other) is (same or first < second)
        assert (one > other) is (not same and first > second)
        assert (one >= other) is (same or first > second)


def test_equal_sums_are_found_whatever_they_are_made_of():
    # 1/log_2 4 + 1/log_2 8 + 1/log_2 64 = 1/2 + 1/3 + 1/6
    assert exact_sum((4, 8, 64), 2) == 1
    assert isinstance(exact_sum((4, 8, 64), 2), Fraction)
    # 1/log_2 9 is half of 1/log_2 3
    assert inverse_log(9, 2) * 2 == inverse_log(3, 2)
    assert inverse_log(27, 2) + inverse_log(27, 2) + inverse_log(27, 2) == inverse_log(3, 2)
    assert inverse_log(3, 4) == 2 * inverse_log(3, 2)


def test_equal_numbers_have_equal_hashes():
    one = inverse_log(3, 2) + inverse_log(5, 2) + 1
    other = 1 + (inverse_log(5, 2) + inverse_log(9, 2)) + inverse_log(9, 2)
    assert one == other
    assert len({one, other, one - 0, (one * 3) * Fraction(1, 3)}) == 1
    assert len({inverse_log(8, 2), Fraction(1, 3)}) == 1


def test_an_irrational_number_equals_no_fraction_and_no_float():
    number = inverse_log(3, 2)
    assert number != Fraction(float(number))
    assert number != float(number)
    assert (number == "text") is False


def test_a_difference_of_equal_numbers_is_nothing():
    number = 1 + inverse_log(3, 2) + inverse_log(7, 2)
    assert number - number == 0
    assert isinstance(number - number, Fraction)
    assert 1 - inverse_log(3, 2) == -(inverse_log(3, 2) - 1)


@pytest.mark.parametrize("side", [-1, 1])
def test_numbers_that_agree_to_sixty_digits_are_told_apart(side):
    near = Fraction(decimal_log(3, 2)) + side * Fraction(1, 10**60)
    number = inverse_log(3, 2)
    assert (number < near) is (side > 0)
    assert (near < number) is (side < 0)
    assert number != near


@pytest.mark.parametrize(("side", "rounded"), [(-1, 1.0), (1, 1.0 + 2.0**-52)])
def test_a_number_next_to_the_middle_of_two_floats_goes_to_the_right_one(side, rounded):
    middle = 1 + Fraction(1, 2**53)
    number = middle - Fraction(decimal_log(3, 2)) + side * Fraction(1, 10**50) + inverse_log(3, 2)
    assert isinstance(number, InverseLogs)
    assert float(number) == rounded


@pytest.mark.parametrize("base", [2, 3, 10])
def test_a_quotient_rounds_to_the_nearest_float_and_keeps_the_order(base):
    sums = subsets(range(base + 1, base + 5))
    quotients = []
    for above, below in product(sums, sums):
        with localcontext(prec=DIGITS):
            digits = decimal_sum(above, base) / decimal_sum(below, base)
        number = quotient(exact_sum(above, base), exact_sum(below, base))
        assert float(number) == float(digits), (above, below)
        quotients.append((number, digits))
    for (one, first), (other, second) in product(quotients[::7], quotients[::5]):
        same = abs(first - second) < Decimal(10) ** -90
        assert (one == other) is same
        assert (one < other) is (not same and first < second)


def test_a_quotient_is_cancelled_where_it_can_be():
    number = 1 + inverse_log(3, 2)
    assert quotient(number * 2, number * 6) == Fraction(1, 3)
    assert quotient(0, number) == 0
    assert quotient(number, 2) == number / 2
    assert quotient(3, 4) == Fraction(3, 4)
    one, other = quotient(1, number), quotient(5, number * 5)
    assert isinstance(one, Quotient)
    assert one == other
    assert hash(one) == hash(other)


def test_a_quotient_is_no_sum_and_no_fraction():
    number = quotient(1, 1 + inverse_log(3, 2))
    assert number != Fraction(float(number))
    assert number != inverse_log(3, 2)
    assert 0 < number < 1
    assert number * 2 == quotient(2, 1 + inverse_log(3, 2))
    assert number * 0 == 0


def test_fractions_and_quotients_and_sums_stand_in_one_order():
    numbers = [quotient(1, 1 + inverse_log(3, 2)), Fraction(3, 5), inverse_log(3, 2), Fraction(2, 3), Fraction(0)]
    assert [float(number) for number in sorted(numbers)] == sorted(float(number) for number in numbers)


def test_division_of_sums_gives_quotients():
    number = 1 + inverse_log(3, 2)
    assert number / number == 1
    assert 1 / number == quotient(1, number)
    assert number / Fraction(1, 2) == number * 2


@pytest.mark.parametrize(
    ("number", "root"), [(2, (2, 1)), (4, (2, 2)), (6, (6, 1)), (36, (6, 2)), (64, (2, 6)), (10**12, (10, 12))]
)
def test_a_whole_number_is_the_power_of_its_primitive_root(number, root):
    assert primitive_root(number) == root


def test_primitive_roots_are_those_of_brute_force():
    powers = {k**j: (k, j) for k in range(80, 1, -1) for j in range(1, 13)}
    for number in range(2, 5000):
        assert primitive_root(number) == powers.get(number, (number, 1))


def test_numbers_of_different_bases_do_not_mix_unseen():
    with pytest.raises(TypeError):
        inverse_log(5, 2) + inverse_log(5, 3)


def test_repr_shows_the_terms():
    assert repr(1 + inverse_log(3, 2) * 2) == "InverseLogs(1 + 2/log_2(3))"
    assert repr(inverse_log(9, 2)) == "InverseLogs(1/(2 log_2(3)))"


DIGITS_OF_LOGS = 100

numbers = st.integers(1, 500)
rationals = st.fractions(Fraction(1, 50), 50, max_denominator=50)
coefficients = st.fractions(-20, 20, max_denominator=20)
sums = st.lists(st.tuples(numbers, coefficients), max_size=5)
whole_sums = st.lists(st.tuples(numbers, st.integers(-9, 9)), max_size=5)


def decimal(pairs) -> Decimal:
    with localcontext(prec=DIGITS_OF_LOGS):
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
def test_a_sum_of_logarithms_rounds_to_the_nearest_float(pairs):
    assert float(log_sum(pairs)) == float(decimal(pairs))


@pytest.mark.parametrize("number", [2, 3, 10, 1000, 10**6, 10**16, Fraction(1, 3), Fraction(999, 1000)])
def test_a_logarithm_is_what_everybody_gets(number):
    assert float(log(number)) == pytest.approx(math.log(number), rel=1e-15)


@given(sums, st.fractions(-100, 100, max_denominator=100))
def test_a_sum_is_compared_with_a_fraction(pairs, fraction):
    value = log_sum(pairs)
    assume(isinstance(value, Logs))
    with localcontext(prec=DIGITS_OF_LOGS):
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


# Sums of quotients: means of nDCG over several ranks.

sums = st.sets(st.integers(3, 9), min_size=1, max_size=3).map(lambda numbers: 1 + exact_sum(sorted(numbers), 2))
shares = st.lists(st.tuples(sums, sums).map(lambda pair: quotient(*pair)), min_size=1, max_size=4)


@given(shares, shares)
def test_sums_of_quotients_add_up_whatever_the_order(some, others):
    together = quotient_sum([*some, *others])
    assert together == quotient_sum([*others, *some]) == quotient_sum(some) + quotient_sum(others)
    assert together - quotient_sum(others) == quotient_sum(some)
    assert float(together) == pytest.approx(sum(map(float, [*some, *others])), rel=1e-14)
    assert together * Fraction(2, 3) / Fraction(2, 3) == together


@given(shares)
def test_what_is_taken_away_again_leaves_a_plain_number(some):
    left = quotient_sum([*some, Fraction(5, 7), *(share * -1 for share in some)])
    assert left == Fraction(5, 7)
    assert isinstance(left, Fraction)


def test_a_sum_of_quotients_that_is_rational_is_found_though_no_two_denominators_agree():
    third, fifth = 1 + inverse_log(3, 2), 1 + inverse_log(5, 2)
    # log_6 3 and log_10 5, and what they lack of 1
    parts = [quotient(1, third), quotient(1, fifth), quotient(third - 1, third), quotient(fifth - 1, fifth)]
    assert quotient_sum(parts) == 2
    assert isinstance(quotient_sum(parts[:2]), QuotientSum)
    assert quotient_sum([*parts[:2], inverse_log(6, 2), inverse_log(10, 2)]) == 2


@pytest.mark.parametrize("number", [Fraction(7, 2), Fraction(27, 8), Fraction(10, 3), Fraction(9, 4)])
def test_inverse_logarithms_of_fractions_have_their_digits(number):
    with localcontext(prec=DIGITS):
        value = Decimal(2).ln() / (Decimal(number.numerator).ln() - Decimal(number.denominator).ln())
    low, high = inverse_log(number, 2).enclosure(60)
    assert low <= value <= high
    assert inverse_log(number**3, 2) * 3 == inverse_log(number, 2)
