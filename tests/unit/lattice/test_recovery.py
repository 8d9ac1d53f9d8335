"""Sums over the terms of runs: exact, and of floats with how far off they may be."""

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
from measurand.lattice.valuation.recovery import Recovery, combined
from measurand.lattice.valuation.rough_sums import too_close, whole_sums

EXACT = st.one_of(
    st.fractions(-5, 5, max_denominator=30), st.integers(2, 40).map(lambda number: inverse_log(number, 2))
)


@given(parts=st.lists(st.tuples(st.integers(-3, 3), EXACT), max_size=8))
def test_exact_numbers_add_up_in_any_order(parts):
    forwards, backwards = combined(parts), combined(parts[::-1])
    assert forwards == backwards
    assert float(forwards) == pytest.approx(sum(count * float(number) for count, number in parts), abs=1e-12)


def test_logarithms_add_up_to_fractions_where_they_cancel():
    assert combined([(1, exact_log(6)), (-1, exact_log(2)), (-1, exact_log(3))]) == 0
    assert isinstance(combined([(1, exact_log(6)), (3, Fraction(0))]), Logs)
    with pytest.raises(ParameterError, match="cannot be added"):
        combined([(1, exact_log(6)), (3, Fraction(1))])


def test_many_runs_have_the_values_of_each():
    algebra = algebra_of("swap", 6, 3)
    recovery = Recovery(algebra, lambda run: Fraction(hash(run) % 1000), Fraction(5))
    runs = list(algebra.runs())
    assert recovery.all(np.array(runs, dtype=np.int8)) == [recovery.of(run) for run in runs]
    assert recovery.of(algebra.bottom) == 5


def test_whole_numbers_add_up_exactly_unless_they_are_too_large():
    algebra = algebra_of("replacement", 3, 2)
    terms = algebra.terms(np.array([(1, 1, 1), (0, 0, 0), (0, 1, 0)], dtype=np.int8))
    places = {run: algebra.place(run) for run in algebra.join_irreducibles()}
    values = np.zeros(4)
    values[[places[1, 0, 0], places[0, 1, 0], places[0, 0, 1]]] = 5, 7, 9
    values[-1] = 2
    assert whole_sums(terms, 3, values).tolist() == [5 + 7 + 9 - 2 * 2, 2, 7]
    values[0] = 2.0**53
    assert whole_sums(terms, 3, values) is None


def test_scores_are_too_close_within_a_topic_or_over_all():
    values, off = np.array([[0.1, 0.15], [0.3, 0.9]]), np.full((2, 2), 0.03)
    assert too_close(values, off, together=True).tolist() == [[True, True], [False, False]]
    assert not too_close(values, off, together=False).any()
    assert not too_close(np.array([[0.5], [0.5]]), off[:, :1], together=True).any()
