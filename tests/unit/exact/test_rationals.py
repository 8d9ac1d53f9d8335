"""Rational numbers, read and written as people write them."""

from __future__ import annotations

import ast
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.exact import least, ratio, rational, spell


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (0.8, Fraction(4, 5)),
        (np.float64(0.1), Fraction(1, 10)),
        ("0.8", Fraction(4, 5)),
        ("4/5", Fraction(4, 5)),
        (" 1/3 ", Fraction(1, 3)),
        ("1e-3", Fraction(1, 1000)),
        (Decimal("0.95"), Fraction(19, 20)),
        (3, Fraction(3)),
        (np.int64(3), Fraction(3)),
        (Fraction(1, 7), Fraction(1, 7)),
        (1e-7, Fraction(1, 10**7)),
        (-0.25, Fraction(-1, 4)),
    ],
)
def test_a_number_means_what_its_spelling_says(written, meant):
    assert rational(written) == meant
    assert isinstance(rational(written), Fraction)


@pytest.mark.parametrize("wrong", ["", "half", "1/0", float("nan"), float("inf"), True, None, 1j, [1], Decimal("NaN")])
def test_what_is_no_number_is_refused(wrong):
    with pytest.raises(ParameterError, match=r"is not a number; write it like 0\.8 or '4/5'"):
        rational(wrong)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(4, 5), "0.8"),
        (Fraction(10), "10"),
        (Fraction(0), "0"),
        (Fraction(-1, 2), "-0.5"),
        (Fraction(1, 3), "'1/3'"),
        (Fraction(1, 10**7), "1e-07"),
        (Fraction(1, 2**80), f"'1/{2**80}'"),
        (Fraction(10**400, 3), f"'{10**400}/3'"),
    ],
)
def test_a_fraction_is_spelled_as_the_shortest_source_that_reads_back(value, text):
    assert spell(value) == text
    assert rational(ast.literal_eval(text)) == value


def test_a_share_of_nothing_is_nothing():
    assert ratio(2, 3) == Fraction(2, 3)
    assert ratio(5, 0) == 0
    assert ratio(np.array([1.0, 2.0]), np.array([4.0, 0.0])).tolist() == [0.25, 0.0]
    assert ratio(1, np.array([0, 2])).tolist() == [0.0, 0.5]


def test_the_smaller_of_two_is_taken_elementwise_from_arrays():
    assert least(Fraction(1, 2), 1) == Fraction(1, 2)
    assert least(np.array([1, 5]), 3).tolist() == [1, 3]
    assert least(3, np.array([1, 5])).tolist() == [1, 3]
