"""Whether better runs never have worse values: by steps, by covers, by samples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.lattice.algebra import algebra_of
from measurand.lattice.valuation.distance import is_distance, is_isotone
from measurand.lattice.valuation.extension import extend
from measurand.measures import RR, as_measure
from measurand.orders import ORDERS, Relation, compare
from measurand.verdict import How


@settings(max_examples=10, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize(("order", "depth", "grades"), [(order, 2, 3) for order in ORDERS])
def test_the_verdict_on_any_function_is_that_of_a_look_at_all_pairs(order, depth, grades, data):
    algebra = algebra_of(order, depth, grades)
    values = {run: sum(run) + data.draw(st.integers(0, 2)) for run in algebra.runs()}
    expected = not any(
        values[x] > values[y] for x, y in product(values, repeat=2) if compare(x, y, order) is Relation.LESS
    )
    verdict = is_isotone(algebra, lambda run: values[run])
    assert verdict.holds == expected
    if not expected:
        low, high = verdict.witness
        assert compare(low, high, order) is Relation.LESS
        assert values[low] > values[high]


@settings(max_examples=10, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize(("order", "depth", "grades"), [("swap", 3, 2), ("swap", 2, 3), ("set-replacement", 2, 4)])
def test_steps_tell_of_a_table_what_all_pairs_tell(order, depth, grades, data):
    algebra = algebra_of(order, depth, grades)
    table = {run: data.draw(st.integers(0, 4)) + sum(run) for run in algebra.join_irreducibles()}
    made = extend(algebra, table)
    values = {run: made.of(run) for run in algebra.runs()}
    expected = not any(
        values[x] > values[y] for x, y in product(values, repeat=2) if compare(x, y, order) is Relation.LESS
    )
    assert made.isotone.holds == is_isotone(algebra, made).holds == expected


def test_lower_values_may_be_better():
    algebra = algebra_of("swap", 4, 2)
    assert is_isotone(algebra, "ESL(i=2)").holds
    verdict = is_isotone(algebra, "NumNonrelRet")
    assert not verdict.holds
    assert "lower value" in verdict.witness.why
    broken = is_isotone(algebra_of("projection", 3, 2), "ESL(i=2)")
    assert "higher value" in broken.witness.why


def test_a_proof_needs_no_look_at_all_runs():
    verdict = is_isotone(algebra_of("swap", 100, 2), "AP")
    assert verdict.how is How.PROVED
    assert "5,050" in verdict.checked
    sampled = is_isotone(algebra_of("swap", 300, 2), RR)
    assert sampled.how is How.SAMPLED
    assert "of the 45,150" in sampled.checked


def test_what_is_no_valuation_is_looked_at_run_by_run():
    assert is_isotone(algebra_of("replacement", 5, 2), "AP").how is How.EXHAUSTIVE
    assert is_isotone(algebra_of("replacement", 50, 2), "AP").how is How.SAMPLED
    broken = is_isotone(algebra_of("replacement", 50, 2), lambda run: -(sum(run) ** 2))
    assert broken.how is How.COUNTEREXAMPLE


def test_a_chain_without_end_is_looked_at_here_and_there():
    assert is_isotone(algebra_of("projection", 40, 3), lambda run: run[0]).how is How.SAMPLED
    broken = is_isotone(algebra_of("projection", 40, 3), "P")
    low, high = broken.witness
    assert low < high
    assert sum(map(bool, low)) > sum(map(bool, high))


def test_a_function_that_fails_keeps_no_order():
    assert is_isotone(algebra_of("swap", 3, 2), lambda run: run[5]).how is How.FAILED


def test_rounding_does_not_break_the_order():
    assert is_isotone(algebra_of("swap", 6, 2), lambda run: 0.3 if run[0] else sum([0.1] * 3)).holds


def test_impossible_runs_do_not_count():
    def odd(run):
        return Fraction(sum(run)) if sum(run) <= 2 else Fraction(0)

    for order in ("swap", "replacement"):
        assert not is_isotone(algebra_of(order, 4, 2), odd).holds
        assert is_isotone(algebra_of(order, 4, 2), odd, recall_base=2).holds


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("measure", ["AP", "AP@2", "P@1", "DCG", "RR", lambda run: sum(run), lambda run: run[0]])
def test_the_verdict_on_a_topic_with_few_relevant_documents_is_that_of_all_pairs(order, measure):
    algebra, known = algebra_of(order, 3, 3), as_measure(measure)
    possible = [run for run in algebra.runs() if sum(map(bool, run)) <= 2]
    values = {run: known.of(run, grade_counts=(3, 0, 2)) for run in possible}
    better = [pair for pair in product(possible, repeat=2) if compare(*pair, order) is Relation.LESS]
    verdict = is_isotone(algebra, measure, recall_base=2)
    assert verdict.holds == all(values[low] <= values[high] for low, high in better)
    if is_distance(algebra, measure, recall_base=2).holds:
        alike = any(values[low] == values[high] for low, high in better)
        assert alike == (is_distance(algebra, measure, recall_base=2).kind == "pseudo-metric")


def test_a_long_chain_on_a_topic_with_few_relevant_documents_is_looked_at_here_and_there():
    chain = algebra_of("projection", 40, 2)
    assert is_isotone(chain, lambda run: run[0], recall_base=3).how is How.SAMPLED
    low, high = is_isotone(chain, "P", recall_base=3).witness
    assert low < high
    assert sum(high) < sum(low) <= 3
