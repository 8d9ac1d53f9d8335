"""The balancing index for real grades is its definition, with the formulas of the measures as they are printed."""

from __future__ import annotations

from fractions import Fraction
from math import log2, prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from measurand.axioms.balance import balancing_curve, balancing_index, extremes
from measurand.axioms.closed_forms import discounted_gain, expected_reciprocal_rank
from measurand.errors import ParameterError
from measurand.judged import Relevance
from measurand.measures import ERR, define, parse
from measurand.measures.parameters import power_of_two

CLOSE = 1e-9
"""Floats that are so close decide nothing."""

grades = st.fractions(Fraction(1, 20), 3, max_denominator=20)
lengths = st.integers(1, 15)


def definition(value, n, qmin, qmax):
    """Return the largest rank from which a tail is worth at least the head, for a function from grades to a number."""
    head = value([qmax] + [0] * (n - 1))
    tails = {b: value([0] * (b - 1) + [qmin] * (n - b + 1)) for b in range(1, n + 1)}
    if isinstance(head, float):
        assume(all(abs(head - tail) > CLOSE or tail == head for tail in tails.values()))
    return max((b for b, tail in tails.items() if head <= tail), default=None)


def rank_biased(run):
    return sum(Fraction(4, 5) ** i * grade for i, grade in enumerate(run))


def discounted(run):
    return sum(float(grade) / log2(i + 1) for i, grade in enumerate(run, 1))


def exponential(run):
    return sum((2 ** float(grade) - 1) / log2(i + 1) for i, grade in enumerate(run, 1))


def expected_reciprocal(top):
    def value(run):
        stops = [(2 ** float(grade) - 1) / 2 ** float(top) for grade in run]
        return sum(stop / (i + 1) * prod(1 - before for before in stops[:i]) for i, stop in enumerate(stops))

    return value


def precision(run):
    return sum(grade >= 1 for grade in run)


def q_measure(qmax):
    def value(run):
        found = Fraction(0)
        for i, grade in enumerate(run, 1):
            if grade >= 1:
                relevant, gain = sum(each >= 1 for each in run[:i]), sum(run[:i])
                found += Fraction(relevant + gain) / (i + i * qmax)
        return found

    return value


@given(lengths, grades, grades)
def test_grades_that_are_gains_stay_gains(n, low, high):
    low, high = sorted((low, high))
    assert balancing_index("gP", n, low, high) == balancing_index("gR", n, low, high) == definition(sum, n, low, high)
    expected = definition(rank_biased, n, low, high)
    assert [balancing_index(each, n, low, high) for each in ("gRBP(p=0.8)", "RBP(p=0.8)")] == [expected, expected]
    assert balancing_index(sum, n, low, high) == definition(sum, n, low, high)


@given(lengths, grades, grades)
def test_logarithms_and_powers_of_two_are_decided_as_floats_do_where_they_can(n, low, high):
    low, high = sorted((low, high))
    assert balancing_index("nDCG", n, low, high) == definition(discounted, n, low, high)
    assert balancing_index("DCG(gain='exp2')", n, low, high) == definition(exponential, n, low, high)
    assert balancing_index("ERR", n, low, high) == definition(expected_reciprocal(high), n, low, high)
    assert balancing_index("nERR(gmax=4)", n, low, high) == definition(expected_reciprocal(4), n, low, high)


@given(lengths, grades, grades)
def test_thresholds_are_on_the_grade_itself(n, low, high):
    low, high = sorted((low, max(high, Fraction(1))))
    assert balancing_index("P", n, low, high) == definition(precision, n, low, high)
    assert balancing_index("Q", n, low, high) == definition(q_measure(high), n, low, high)


@given(lengths, grades, grades)
def test_thresholds_may_be_fractions(n, low, high):
    low, high = sorted((low, max(high, Fraction(1, 2))))
    expected = definition(lambda run: sum(grade >= Fraction(1, 2) for grade in run), n, low, high)
    assert balancing_index("P(rel=0.5)", n, low, high) == balancing_index("gm(P(rel=0.5))", n, low, high) == expected


@given(lengths, st.integers(2, 12), grades, grades)
def test_the_closed_form_of_discounted_gain_takes_real_grades(n, base, low, high):
    low, high = sorted((low, high))
    assert discounted_gain(n, base, low, high) == balancing_index(f"DCG(b={base})", n, low, high)


@given(st.integers(1, 30), grades, grades)
def test_the_closed_form_of_expected_reciprocal_rank_takes_real_grades(n, low, high):
    low, high = sorted((low, high))
    assume(low < high)
    stops = [(power_of_two(grade) - 1) / 16 for grade in (low, high)]
    assert expected_reciprocal_rank(n, *stops) == balancing_index(ERR(gmax=4), n, low, high)


@pytest.mark.parametrize(
    "spelling", ["gP", "gRBP", "DCG(b=2)", "nDCG", "INST(T=2)", "gm(nDCG)", "interval(DCG(b=2)@5)", "gR@3", "OIE"]
)
def test_it_does_not_matter_in_which_units_gains_are_counted(spelling):
    for low, high in [(1, 1), (1, 3), (2, 3)]:
        for n in (1, 3, 5):
            halves = balancing_index(spelling, n, Fraction(low, 2), Fraction(high, 2))
            assert halves == balancing_index(spelling, n, low, high)


@pytest.mark.parametrize("measure", [parse("ERR"), parse("nERR@3"), parse("gP(gain='exp2')")], ids=repr)
def test_one_document_alone_balances_itself_exactly(measure):
    assert balancing_index(measure, 1, "0.7", "0.7") == 1


def test_a_function_sees_the_grades_as_fractions():
    seen = []
    balancing_index(define(lambda run: seen.append(run) or sum(run), name="Noted", graded=True), 2, "0.3", "0.9")
    assert seen[:2] == [(Fraction(9, 10), 0), (0, Fraction(3, 10))]


def test_grades_are_read_as_written():
    third = balancing_index("gP", 10, "1/10", 1)
    assert balancing_index("gP", 10, 0.1, 1) == third == 1
    assert balancing_index("gP", 9, 0.1, 1) is None
    assert balancing_curve("gP", [10], 0.1, 1).qmin == Fraction(1, 10)
    assert "a full run of grade 0.1 " in balancing_curve("gP", [9], 0.1, 1).reading


def test_the_ends_of_a_set_of_real_grades_are_real():
    assert extremes(Relevance.graded(0, "1/2", "3/4")) == (Fraction(1, 2), Fraction(3, 4))


@pytest.mark.parametrize(
    ("measure", "high", "complaint"),
    [
        ("AP", "0.9", "AP counts no grade below 1, but the highest is qmax=0.9"),
        ("Q(rel=2)", "1.5", "counts no grade below 2"),
        ("gP(gain={1: 1, 2: 3})", 2, "the gains name no grade 0.3"),
        ("ERR(gmax=2)", "2.5", "grade 2.5, above gmax=2"),
        ("gRBP(gmax=2)", "2.5", "grade 2.5, above gmax=2"),
    ],
    ids=str,
)
def test_grades_that_a_measure_cannot_take_are_refused(measure, high, complaint):
    with pytest.raises(ParameterError, match=complaint):
        balancing_index(measure, 5, "0.3", high)
