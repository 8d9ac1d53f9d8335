"""Roots of polynomials between 0 and 1."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.exact.roots import between, roots_between_0_and_1, sign_at


def product(*factors):
    """Return the product of polynomials."""
    found = [1]
    for factor in factors:
        longer = [0] * (len(found) + len(factor) - 1)
        for i, x in enumerate(found):
            for j, y in enumerate(factor):
                longer[i + j] += x * y
        found = longer
    return found


fractions = st.builds(Fraction, st.integers(-3, 12), st.integers(1, 9))
no_roots_inside = st.sampled_from([[1], [-3], [1, 1], [1, 0, 1], [1, -1, 1], [0, 1], [-1, 1], [5, -4, 1]])


@given(roots=st.dictionaries(fractions, st.integers(1, 3), max_size=5), rest=no_roots_inside)
def test_the_roots_that_a_polynomial_was_made_of_are_found_exactly(roots, rest):
    factors = [[-root.numerator, root.denominator] for root, times in roots.items() for _ in range(times)]
    found = roots_between_0_and_1(product(rest, *factors))
    inside = sorted(root for root in roots if 0 < root < 1)
    assert [(root.low, root.high) for root in found] == [(root, root) for root in inside]
    assert [root.crosses for root in found] == [roots[root] % 2 == 1 for root in inside]


coefficients = st.lists(st.integers(-6, 6), min_size=2, max_size=13)


@given(one=coefficients, twice=st.lists(st.integers(-4, 4), min_size=1, max_size=4))
def test_the_roots_are_those_that_flint_finds(one, twice):
    flint = pytest.importorskip("flint")
    whole = product(one, twice, twice)
    polynomial = flint.fmpz_poly(whole)
    found = roots_between_0_and_1(whole)
    if polynomial.degree() < 1:
        assert found == ()
        return
    simple = polynomial // polynomial.gcd(polynomial.derivative())
    real = [root.real for root, _ in simple.complex_roots() if root.imag == 0 and root.real > 0 and root.real < 1]
    assert len(found) == len(real)
    signs = [sign_at(whole, point) for point in between(found)]
    for root, (before, after) in zip(found, pairwise(signs), strict=True):
        close = root.narrowed(Fraction(1, 10**12))
        assert any(abs(float(close.low) - float(each)) < 1e-11 for each in real)
        assert root.crosses == (before != after)


@given(whole=st.lists(st.integers(-9, 9), min_size=1, max_size=9), above=st.integers(0, 60))
def test_the_sign_at_a_fraction_is_that_of_the_value(whole, above):
    x = Fraction(above, 60)
    value = sum(each * x**power for power, each in enumerate(whole))
    assert sign_at(whole, x) == (value > 0) - (value < 0)


def test_a_sign_that_hundreds_of_digits_do_not_show_is_computed_exactly():
    tiny = [-1, *[0] * 300, 3**300]
    assert sign_at(tiny, Fraction(1, 3)) == -1
    assert sign_at(tiny[1:], Fraction(1, 10**9)) == 1


def test_roots_that_agree_to_many_digits_are_told_apart():
    # x**60 = 2 (50 x - 1)**2, just below and just above 1/50
    one, other = roots_between_0_and_1([-2, 200, -5000, *[0] * 57, 1])
    assert one.high < Fraction(1, 50) < other.low
    assert other.high - one.low < Fraction(1, 10**50)


def test_a_polynomial_of_degree_a_thousand_has_its_root_found():
    (root,) = roots_between_0_and_1([-1, *[0] * 999, 2])
    close = root.narrowed("1e-25")
    assert 2 * close.low**1000 < 1 < 2 * close.high**1000
    assert close.high - close.low <= Fraction(1, 10**25)


def test_an_irrational_double_root_does_not_change_the_sign():
    (root,) = roots_between_0_and_1(product([-1, 0, 2], [-1, 0, 2]))
    assert not root.is_rational
    assert not root.crosses


def test_fractions_as_coefficients_are_as_good_as_whole_numbers():
    assert roots_between_0_and_1([Fraction(-1, 3), Fraction(1, 2)])[0].low == Fraction(2, 3)


def test_a_root_cannot_be_enclosed_by_nothing():
    (root,) = roots_between_0_and_1([-1, 0, 2])
    with pytest.raises(ParameterError, match="width must be above 0"):
        root.narrowed(0)
