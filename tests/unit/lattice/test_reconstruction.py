"""Sums over the terms of runs are exact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.exact import Logs, inverse_log
from measurand.exact import log as exact_log
from measurand.lattice.algebra import algebra_of
from measurand.lattice.valuation import reconstruction as recovering
from measurand.lattice.valuation.reconstruction import Reconstruction, common_denominator, linear_combination

EXACT = st.one_of(
    st.fractions(-5, 5, max_denominator=30), st.integers(2, 40).map(lambda number: inverse_log(number, 2))
)


@given(parts=st.lists(st.tuples(st.integers(-3, 3), EXACT), max_size=8))
def test_exact_numbers_add_up_in_any_order(parts):
    forwards, backwards = linear_combination(parts), linear_combination(parts[::-1])
    assert forwards == backwards
    assert float(forwards) == pytest.approx(sum(count * float(number) for count, number in parts), abs=1e-12)


def test_logarithms_add_up_to_fractions_where_they_cancel():
    assert linear_combination([(1, exact_log(6)), (-1, exact_log(2)), (-1, exact_log(3))]) == 0
    assert isinstance(linear_combination([(1, exact_log(6)), (3, Fraction(0))]), Logs)
    with pytest.raises(ParameterError, match="cannot be added"):
        linear_combination([(1, exact_log(6)), (3, Fraction(1))])


def test_many_runs_have_the_values_of_each():
    algebra = algebra_of("swap", 6, 3)
    reconstruction = Reconstruction(algebra, lambda place: Fraction(place**3 % 101), Fraction(5))
    runs = list(algebra.runs())
    assert reconstruction.all(np.array(runs, dtype=np.int8)) == [reconstruction.of(run) for run in runs]
    assert reconstruction.of(algebra.bottom) == 5


@given(levels=st.lists(st.fractions(-9, 9, max_denominator=99), min_size=8, max_size=8), bottom=EXACT)
def test_fractions_add_up_to_the_same_over_a_common_denominator_and_one_by_one(levels, bottom):
    algebra = algebra_of("swap", 3, 2)
    runs = np.array(list(algebra.runs()), dtype=np.int8)
    values = Reconstruction(algebra, levels.__getitem__, bottom).all(runs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recovering, "DIGITS", 0)
        assert Reconstruction(algebra, levels.__getitem__, bottom).all(runs) == values


def test_denominators_that_have_nothing_in_common_are_not_multiplied_for_ever():
    assert common_denominator([Fraction(1, prime) for prime in (2, 3, 5)]) == 30
    assert common_denominator([Fraction(1, 2), inverse_log(3, 2)]) is None
    assert common_denominator([Fraction(1, 3**power) for power in (1, 20_000)]) is None
