"""Exact linear optimisation: floats propose, fractions decide, and prices prove it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from measurand.errors import ParameterError
from measurand.exact import linear_optimum
from measurand.exact.linear_optimum import LinearProgram, optimum, products, whole_solution


@st.composite
def programs(draw):
    """Return small linear programs, all bounded, some without any admissible vector."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    numbers = st.integers(-3, 3)

    def several(strategy, count):
        return np.array(draw(st.lists(strategy, min_size=count, max_size=count)), dtype=np.int64)

    rows = several(numbers, height * width).reshape(height, width)
    equations = draw(st.integers(0, 1))
    return LinearProgram(
        several(numbers, width), rows, several(numbers, height), equations, several(st.integers(0, 4), width)
    )


@given(programs())
def test_the_optimum_is_that_of_floats_and_is_proved(program):
    cut = len(program.right) - program.equations
    found = linprog(
        -program.gains,
        program.rows[:cut] if cut else None,
        program.right[:cut] if cut else None,
        program.rows[cut:] if program.equations else None,
        program.right[cut:] if program.equations else None,
        [(0, most) for most in program.most.tolist()],
    )
    best = optimum(program)
    assert (best is None) == (found.status != 0)
    if best is not None:
        assert best.proved
        assert program.meets(best.solution)
        assert program.bound(best.prices) == best.value
        assert float(best.value) == pytest.approx(-found.fun)


@pytest.mark.parametrize("size", [1, 12, 60])
def test_large_equations_are_solved_exactly(size):
    rng = np.random.default_rng(size)
    matrix = rng.integers(-2, 3, (size + 3, size)) + np.eye(size + 3, size, dtype=int) * 5
    truth = [Fraction(int(top), 7) for top in rng.integers(-9, 9, size)]
    right = np.array([int(x) for x in products(matrix, [int(7 * x) for x in truth])])
    assert whole_solution(7 * matrix, right) == tuple(truth)


def test_solutions_with_hundreds_of_digits_are_recovered():
    rng = np.random.default_rng(3)
    matrix, right = rng.integers(-1, 2, (80, 80)), rng.integers(-3, 4, 80)
    solution = whole_solution(matrix, right)
    assert max(x.denominator for x in solution) > 10**40
    whole = [sum(int(a) * x for a, x in zip(row, solution, strict=True)) for row in matrix]
    assert whole == right.tolist()


def test_equations_with_no_solution_or_several_have_none():
    one = np.array([[1, 1], [2, 2]])
    assert whole_solution(one, np.array([1, 2])) is None
    assert whole_solution(np.array([[1], [1]]), np.array([1, 2])) is None
    assert whole_solution(np.array([[1, 2]]), np.array([1])) is None
    assert whole_solution(np.zeros((1, 0), dtype=int), np.array([1])) is None


def test_an_optimum_without_prices_is_not_called_proved(monkeypatch):
    monkeypatch.setattr(linear_optimum, "_prices", lambda *given: None)
    best = optimum(LinearProgram(np.array([1]), np.array([[3]]), np.array([1])))
    assert best.solution == (Fraction(1, 3),)
    assert not best.proved


def test_prices_that_prove_nothing_give_no_bound():
    program = LinearProgram(np.array([1]), np.array([[2]]), np.array([1]))
    assert program.bound([Fraction(-1)]) is None
    assert program.bound([Fraction(1, 3)]) is None


def test_the_best_vectors_are_those_with_tight_rows():
    program = LinearProgram(np.array([1, 1, 0]), np.array([[1, 1, 1]]), np.array([1]))
    best = program.best_only([Fraction(1)])
    assert best.meets([Fraction(1, 3), Fraction(2, 3), Fraction(0)])
    assert not best.meets([Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)])
    assert not best.meets([Fraction(1, 3), Fraction(1, 3), Fraction(0)])
    capped = LinearProgram(np.array([1]), np.array([[0]]), np.array([1]), most=np.array([2]))
    with pytest.raises(ParameterError, match="upper bounds"):
        capped.best_only([Fraction(0)])
