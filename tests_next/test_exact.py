"""Exact numbers: laws, an oracle in decimals of 80 digits, and what is known to be equal."""

from __future__ import annotations

import pickle
from decimal import Context, Decimal, Inexact, getcontext, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from measurand_next.errors import ParameterError
from measurand_next.exact import EXACT, FLOATS, Real, fraction, inverse_log, is_exact, least, power, ratio, reals

DIGITS = 80
WEIGHTS = st.fractions(-3, 3, max_denominator=6)
HALF = reals.power_of_two(Fraction(1, 2))


def decimal(number):
    return Decimal(number.numerator) / Decimal(number.denominator)


def atom(kind, number):
    """A number and, computed apart from it, its decimals."""
    if kind == "1":
        return Fraction(1), Decimal(1)
    if kind == "log":
        return reals.log(number), Decimal(number).ln()
    if kind == "power":
        exponent = Fraction(number - 7, 3)
        return reals.power_of_two(exponent), Decimal(2) ** decimal(exponent)
    return reals.inverse_log(number, int(kind)), Decimal(int(kind)).ln() / Decimal(number).ln()


@st.composite
def sums(draw, kinds=("1", "2", "10", "log", "power")):
    terms = st.tuples(st.sampled_from(kinds), st.integers(2, 12), WEIGHTS)
    with localcontext(prec=DIGITS):
        total, digits = Fraction(0), Decimal(0)
        for kind, number, weight in draw(st.lists(terms, max_size=4)):
            exact, about = atom(kind, number)
            total, digits = total + exact * weight, digits + about * decimal(weight)
    return total, digits


@st.composite
def numbers(draw):
    """Sums, quotients of sums, and sums of such quotients."""
    total, digits = draw(sums())
    with localcontext(prec=DIGITS):
        for (above, high), (below, low) in draw(st.lists(st.tuples(sums(), sums()), max_size=2)):
            if below != 0:
                total, digits = total + above / below, digits + high / low
    return total, digits


@given(numbers(), numbers())
def test_comparisons_agree_with_decimals(one, other):
    (x, high), (y, low) = one, other
    with localcontext(prec=DIGITS):
        if abs(high - low) > Decimal(10) ** -60:
            assert x != y
            assert (x < y, x <= y, x > y, x >= y) == (high < low, high < low, high > low, high > low)
        else:
            assert x == y
            assert (x <= y, x >= y, x < y, x > y) == (True, True, False, False)
            assert (hash(x), float(x)) == (hash(y), float(y))


@given(numbers())
def test_floats_are_the_nearest(number):
    exact, digits = number
    with localcontext(prec=DIGITS):
        assume(exact == 0 or abs(digits) > Decimal(10) ** -20)
        assert float(exact) == float(+digits if exact else 0)


@given(numbers(), st.integers(1, 60))
def test_enclosures_hold_their_number(number, wanted):
    exact, digits = number
    low, high = reals.enclosure(exact, wanted)
    with localcontext(prec=DIGITS):
        slack = Decimal(10) ** -65
        assert low - slack <= digits <= high + slack
    assert getcontext().prec == 28


@given(numbers(), numbers(), numbers(), WEIGHTS)
def test_laws_of_addition(one, other, third, weight):
    a, b, c = one[0], other[0], third[0]
    for left, right in (
        (a + b, b + a),
        ((a + b) + c, a + (b + c)),
        (a - b, -(b - a)),
        ((a + b) - b, a),
        ((a + b) * weight, weight * a + b * weight),
        (reals.weighted_sum([(a, weight), (b, 2), (1, weight)]), a * weight + 2 * b + weight),
    ):
        assert left == right
        assert hash(left) == hash(right)
    assert a - a == 0
    assert type(a - a) is Fraction


@given(sums(), sums(), sums(), WEIGHTS)
def test_laws_of_division(one, other, third, weight):
    a, b, c = one[0], other[0], third[0]
    assume(c != 0)
    assume(weight)
    assert (a + b) / c == a / c + b / c
    assert (a * weight) / c == a / c * weight == a / (c / weight)
    assert c / c == 1
    assert type(c / c) is Fraction
    assert (a * HALF) / (c * HALF) == a / c


@given(numbers(), st.fractions(-2, 2, max_denominator=12), st.fractions(-2, 2, max_denominator=12))
def test_powers_of_two_multiply_everything(number, m, n):
    a, x, y = number[0], reals.power_of_two(m), reals.power_of_two(n)
    assert x * y == reals.power_of_two(m + n)
    assert x / y == reals.power_of_two(m - n)
    assert a * x * y == a * reals.power_of_two(m + n)
    assert (a + y) * x == x * a + reals.power_of_two(m + n)
    assert a * x / x == a


THIRD, SIXTH = reals.inverse_log(3), reals.inverse_log(6)


@pytest.mark.parametrize(
    ("number", "known"),
    [
        (reals.inverse_log(8), Fraction(1, 3)),
        (reals.inverse_log(8, 4), Fraction(2, 3)),
        (reals.inverse_log(4) + reals.inverse_log(8) + reals.inverse_log(64), Fraction(1)),
        (2 * reals.inverse_log(9) - reals.inverse_log(3), Fraction(0)),
        (reals.inverse_log(6, 2) + reals.inverse_log(6, 3), Fraction(1)),
        (THIRD / (1 + THIRD) - SIXTH, Fraction(0)),
        (1 / (1 + THIRD) + SIXTH, Fraction(1)),
        (Fraction(10**25, 7) / (1 + THIRD) + SIXTH * Fraction(10**25, 7), Fraction(10**25, 7)),
        (reals.log(8) - 3 * reals.log(2), Fraction(0)),
        (reals.log(Fraction(4, 9)) / reals.log(Fraction(3, 2)), Fraction(-2)),
        (HALF * HALF, Fraction(2)),
        (1 / (1 + HALF) - HALF, Fraction(-1)),
        (1 / (1 + HALF) * HALF + 1 / (1 + HALF), Fraction(1)),
    ],
)
def test_what_is_a_fraction_becomes_one(number, known):
    assert type(number) is Fraction
    assert number == known


def test_an_image_that_looks_like_a_fraction_does_not_make_one():
    number = 1 / (1 + THIRD) + 1 / (2 + THIRD)
    assert type(Real(number.terms, 10**9 + 7) + 0) is Real


def test_close_numbers_are_told_apart():
    root = Fraction(float(HALF))
    near = [root + Fraction(1, 10**300) - HALF, root - HALF, root - Fraction(1, 10**300) - HALF]
    assert sorted(near) == near[::-1]
    assert near[0] - near[1] == Fraction(1, 10**300)
    # a midpoint of two floats, and what is next to it
    middle = Fraction(1) + Fraction(1, 2**53)
    for side in (-1, 1):
        assert float(middle + side * HALF / 10**200) == (1.0 if side < 0 else 1.0 + 2**-52)


def test_numbers_of_any_size_are_compared_in_any_context_of_decimals():
    tiny, large = (reals.power_of_two(Fraction(sign * 40_001, 2)) for sign in (-1, 1))
    with localcontext(Context(prec=3, Emax=5, traps=[Inexact])):
        assert 0 < tiny < reals.inverse_log(10**9 + 7, 5) < large
        assert (float(tiny), float(-large)) == (0.0, -np.inf)


def test_sums_of_a_thousand_discounts_are_exact():
    discounts = inverse_log(EXACT.array(range(2, 1002)))
    total = discounts.sum()
    assert total == reals.weighted_sum((discount, 1) for discount in discounts[::-1])
    assert float(total) == pytest.approx(np.sum(1 / np.log2(np.arange(2, 1002))), rel=1e-13)
    assert total - discounts[1:].sum() == 1


def test_whole_numbers_of_numpy_are_numbers_too():
    one = np.int64(1)
    assert (THIRD + one, one - THIRD, one * THIRD, THIRD / one) == (1 + THIRD, 1 - THIRD, THIRD, THIRD)
    assert THIRD < one < 1 / THIRD


@given(numbers())
def test_numbers_travel(number):
    assert pickle.loads(pickle.dumps(number[0])) == number[0]


def test_numbers_are_written_with_all_their_terms():
    assert repr(1 + 2 * THIRD) == "Real(1 + 2 ln(2)/ln(3))"
    assert str(HALF / (1 + THIRD) - reals.log(5)) == "-1 ln(5) + 2^(1/2)/(1 + ln(2)/ln(3))"
    assert f"{HALF:.3f} {HALF}" == "1.414 2^(1/2)"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: THIRD * SIXTH,
        lambda: THIRD / (1 / (1 + THIRD)),
        lambda: THIRD + 0.5,
        lambda: THIRD < 0.5,
        lambda: "" - THIRD,
    ],
)
def test_what_is_not_exact_is_a_type_error(wrong):
    with pytest.raises(TypeError):
        wrong()


def test_logarithms_are_of_numbers_that_have_them():
    assert inverse_log(EXACT.array([8]), Fraction(1, 2))[0] == Fraction(-1, 3)
    for wrong in (lambda: reals.log(0), lambda: reals.inverse_log(1), lambda: reals.inverse_log(Fraction(5, 2))):
        with pytest.raises(ParameterError, match="above"):
            wrong()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0.8", (4, 5)),
        ("1/3", (1, 3)),
        ("0.70", (7, 10)),
        ("1e-3", (1, 1000)),
        ("-.5E+2", (-50, 1)),
        (" 2. ", (2, 1)),
        (0.1, (1, 10)),
        (np.float64(0.8), (4, 5)),
        (np.int8(3), (3, 1)),
        (Decimal("0.25"), (1, 4)),
        (10**1000, (10**1000, 1)),
    ],
)
def test_numbers_are_read_as_they_are_written(written, meant):
    assert fraction(written) == Fraction(*meant)


WORDS = ["abc", "1_0", "nan", "inf", "-Infinity", "1e999999999", "1e-999999999", "1/0", "1/-2", "0x1", "٣", "1e", "."]


@pytest.mark.parametrize("junk", [*WORDS, "", "1 / 2", "9" * 10_000, np.nan, np.inf, None, True, [1], b"1", 1j])
def test_junk_is_no_number(junk):
    with pytest.raises(ParameterError, match="number"):
        fraction(junk)


@given(st.lists(st.integers(2, 40), min_size=1), st.sampled_from([2, 3, 10]))
def test_formulas_give_the_same_on_floats_and_exactly(values, base):
    def formula(numbers):
        given = numbers.array(values)
        discounts = inverse_log(given, numbers.number(base))
        growth = power(numbers.number(2), least(given, numbers.number(10)) / numbers.number(4))
        decay = power(numbers.number("0.8"), given - 1)
        return ratio(discounts * growth + decay, given - 2)

    exact, floats = formula(EXACT), formula(FLOATS)
    assert is_exact(exact)
    assert floats.dtype == np.float64
    assert {type(number) for number in exact} <= {Fraction, Real}
    np.testing.assert_allclose(exact.astype(float), floats, rtol=1e-12)


def test_only_powers_of_2_have_roots():
    with pytest.raises(ParameterError, match="float"):
        power(Fraction(3), EXACT.array([Fraction(1, 2)]))
