"""Axioms of measures of which lower values are better: better runs may not have higher values."""

from __future__ import annotations

from fractions import Fraction

import pytest

from measurand.axioms import (
    CONSTRAINTS,
    How,
    closeness_threshold,
    confidence,
    constraint_matrix,
    contest,
    deepness_threshold,
    is_measurement,
    priority,
    replacement,
    swap,
)
from measurand.axioms.families import proofs
from measurand.measures import catalogue, define
from measurand.measures.additive import Additive
from measurand.measures.counting import Counting
from measurand.measures.space import Space


def wasted(run):
    return next((rank for rank, grade in enumerate(run) if grade), len(run))


WASTED = define(wasted, name="Wasted", lower_is_better=True)
TOTAL = define(sum, name="Total", graded=True, lower_is_better=True)
RAISES = "raises the value, and lower is better"
RANKS = define(lambda run: -sum(i for i, g in enumerate(run, 1) if g), name="Ranks", lower_is_better=True)


def test_a_cost_that_better_runs_lower_has_the_axioms_that_its_values_alone_would_break():
    assert is_measurement(WASTED, 5)
    assert not is_measurement(wasted, 5)
    assert deepness_threshold(WASTED, collection=50, recall_base=10)
    assert not closeness_threshold(WASTED, collection=50, recall_base=10)
    assert contest(WASTED, collection=50, recall_base=5).signs.tolist() == [1] * 5


@pytest.mark.parametrize(
    ("axiom", "measure", "runs", "values", "why"),
    [
        (replacement, TOTAL, [(0, 0), (1, 0)], (0, 1), "a better document raises the value, and lower is better"),
        (
            swap,
            RANKS,
            [(0, 1), (1, 0)],
            (-2, -1),
            f"moving the better document up {RAISES}",
        ),
        (priority, TOTAL, [(0, 1), (1, 0)], (1, 1), "moving the better document up gains nothing"),
        (confidence, TOTAL, [(0, 0), (0,)], (0, 0), "a document that is not relevant, put at the end, costs nothing"),
    ],
)
def test_a_witness_says_what_is_wrong_in_the_direction_of_the_measure(axiom, measure, runs, values, why):
    witness = axiom(measure, 2).witness
    assert list(witness) == runs
    assert witness.values == values
    assert witness.why == why


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("projection", "the next run has a higher value, and lower is better"),
        ("set-projection", "the next set has a higher value, and lower is better"),
        ("set-replacement", "a better document raises the value, and lower is better"),
    ],
)
def test_a_witness_against_an_order_says_so_too(order, why):
    assert is_measurement(TOTAL, 3, order=order).witness.why == why


def test_rounding_is_suspected_where_a_cost_falls_by_next_to_nothing():
    def falling(run):
        return 1.0 - 1e-15 * sum(grade / rank for rank, grade in enumerate(run, 1))

    verdict = priority(define(falling, name="Falling", lower_is_better=True), 2)
    assert "may be rounding" in verdict.witness.why
    assert "may be rounding" not in priority(TOTAL, 2).witness.why


class Loss(Additive):
    """What a family would prove to be good, declared to be bad."""

    name = "Loss"
    reference = ""
    lower_is_better = True

    def weight(self, rank):
        return Fraction(1, rank)

    def gain_at(self, grade, top):
        return Fraction(grade, top)


class Load(Counting):
    """A count of relevant documents, declared to be bad."""

    name = "Load"
    reference = ""
    lower_is_better = True

    def count(self, counts):
        return counts.relevant


@pytest.mark.parametrize("measure", [Loss(), Load()], ids=repr)
def test_no_family_proves_of_a_cost_what_it_proves_of_a_gain(measure):
    verdict = replacement(measure, 4)
    assert not verdict
    assert verdict.how is How.COUNTEREXAMPLE
    assert not proofs(measure, Space(depth=4))


def test_the_matrix_of_constraints_has_costs_beside_gains():
    rows = {row.measure: row.marks for row in constraint_matrix(["RR", WASTED], collection=60, recall_base=9, depth=6)}
    assert len(CONSTRAINTS) == 5
    assert rows["Wasted"] == rows["RR"]


def test_expected_search_length_keeps_the_order_of_runs():
    esl = catalogue().get("ESL")
    if esl is None:
        pytest.skip("there is no expected search length")
    assert esl.lower_is_better
    assert is_measurement(esl, 5)
