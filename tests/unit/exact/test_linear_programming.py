"""Exact linear programming: equations and inequalities, solved or refuted in fractions."""

from __future__ import annotations

from fractions import Fraction

from measurand.exact.linear_programming import (
    Inequalities,
    combination_or_divider,
    null_space,
    reduced,
    settle,
    settle_exactly,
    solved_near,
)

TINY = Fraction(1, 10**30)


def test_a_point_is_recovered_from_the_bounds_it_touches():
    third = Fraction(1, 3) + TINY
    rows = ((Fraction(1), -third, Fraction(0)), (Fraction(0), Fraction(1), -third))
    system = Inequalities(3, strict=((Fraction(1), Fraction(0), Fraction(0)),), equal=rows)
    assert system.met_by(settle(system).solution)
    assert system.met_by(settle_exactly(system).solution)


def test_elimination_finds_what_equations_leave_open():
    rows = [(Fraction(1), Fraction(1), Fraction(1)), (Fraction(2), Fraction(2), Fraction(2))]
    assert reduced(rows, 3)[1] == [0]
    assert len(list(null_space(rows, 3))) == 2
    assert list(null_space([], 2)) == [(1, 0), (0, 1)]
    assert solved_near(rows, [Fraction(1), Fraction(3)], [Fraction(0)] * 3) is None
    assert solved_near(rows, [Fraction(1), Fraction(2)], [Fraction(9), Fraction(2), Fraction(4)]) == (-5, 2, 4)


def test_the_simplex_method_does_not_go_round_in_circles():
    # Beale's example, as equations: without a rule for ties it returns to where it was
    quarter = Fraction(1, 4)
    columns = [
        (quarter, Fraction(1, 2), Fraction(0)),
        (Fraction(-8), Fraction(-12), Fraction(0)),
        (Fraction(-1), Fraction(-1, 2), Fraction(1)),
        (Fraction(9), Fraction(3), Fraction(0)),
        (Fraction(1), Fraction(0), Fraction(0)),
        (Fraction(0), Fraction(1), Fraction(0)),
        (Fraction(0), Fraction(0), Fraction(1)),
    ]
    weights, divider = combination_or_divider(columns, (Fraction(0), Fraction(0), Fraction(1)))
    assert divider is None
    sums = [sum(weight * column[i] for weight, column in zip(weights, columns, strict=True)) for i in range(3)]
    assert sums == [0, 0, 1]
    assert min(weights) >= 0
