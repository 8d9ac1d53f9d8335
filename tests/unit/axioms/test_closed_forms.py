"""The closed forms are the definition, wherever both can be asked."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.axioms.balance import balancing_index
from measurand.axioms.closed_forms import (
    average_precision,
    discounted_gain,
    expected_reciprocal_rank,
    rank_biased_precision,
    rank_biased_precision_limit,
)
from measurand.errors import ParameterError
from measurand.measures import AP, DCG, ERR, RBP, nDCG

lengths = st.integers(1, 60)
persistences = st.fractions("1/50", "49/50", max_denominator=50)


@given(lengths)
def test_average_precision(n):
    assert average_precision(n) == balancing_index(AP, n)


@given(lengths, persistences)
def test_rank_biased_precision(n, p):
    assert rank_biased_precision(n, p) == balancing_index(RBP(p=p), n)


@given(st.integers(1, 30), st.integers(2, 12), st.integers(1, 2), st.integers(0, 3))
def test_discounted_gain_with_any_base_and_grades(n, base, qmin, more):
    expected = balancing_index(DCG(b=base), n, qmin, qmin + more)
    assert discounted_gain(n, base, qmin, qmin + more) == expected
    assert balancing_index(nDCG(b=base), n, qmin, qmin + more) == expected


@given(lengths, st.integers(1, 4), st.integers(0, 3), st.integers(0, 2))
def test_expected_reciprocal_rank_with_any_grades(n, qmin, more, spare):
    measure = ERR(gmax=qmin + more + spare)
    x_min, x_max = measure.stop(qmin, measure.gmax), measure.stop(qmin + more, measure.gmax)
    assert expected_reciprocal_rank(n, x_min, x_max) == balancing_index(measure, n, qmin, qmin + more)


@given(st.fractions("1/10", "9/10", max_denominator=30))
def test_the_limit_is_reached_and_never_left(p):
    limit = rank_biased_precision_limit(p)
    assert [rank_biased_precision(n, p) for n in (1000, 2000)] == [limit, limit]


def test_the_limit_at_one_half_is_not_attained_by_equality():
    assert Fraction(1, 2) ** (2 - 1) == 1 - Fraction(1, 2)
    assert rank_biased_precision_limit("1/2") == rank_biased_precision(5000, "1/2") == 1


@pytest.mark.parametrize(
    ("form", "arguments"),
    [
        (average_precision, (0,)),
        (rank_biased_precision, (5, 1)),
        (rank_biased_precision, ("5", 0.5)),
        (rank_biased_precision_limit, (0,)),
        (expected_reciprocal_rank, (5, 0, 0.5)),
        (expected_reciprocal_rank, (5, 0.5, 0.25)),
        (expected_reciprocal_rank, (5, 0.5, 1.5)),
        (discounted_gain, (5, 1)),
        (discounted_gain, (5, 2, 2, 1)),
    ],
)
def test_impossible_arguments_are_refused(form, arguments):
    with pytest.raises(ParameterError):
        form(*arguments)


def test_certain_stopping_leaves_nothing_to_the_tail():
    assert expected_reciprocal_rank(50, 1, 1) == 1
    assert expected_reciprocal_rank(50, "1/2", 1) is None
