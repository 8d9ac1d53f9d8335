"""Exact sums of inverse logarithms and their quotients, against brute force with a hundred digits."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, product

import pytest

from measurand.exact import InverseLogs, Quotient, inverse_log, quotient, weighted_sum
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
