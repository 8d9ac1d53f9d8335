"""Whether a measure is a valuation: witnesses, functions of users, topics, samples."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import FunctionFailed, NoJoin, NotAvailable, ParameterError
from measurand.exact import inverse_log
from measurand.exact import log as exact_log
from measurand.lattice.algebra import algebra_of
from measurand.lattice.valuation import deciding
from measurand.lattice.valuation.additivity import Additivity
from measurand.lattice.valuation.deciding import is_valuation, value, violation, worst_violation
from measurand.measures import AP, nDCG
from measurand.orders import Relation, compare
from measurand.verdict import How


@settings(max_examples=10, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize(
    ("order", "depth", "grades"), [("swap", 3, 2), ("replacement", 2, 3), ("set-replacement", 2, 3), ("swap", 2, 3)]
)
def test_the_verdict_is_that_of_a_look_at_all_pairs(order, depth, grades, data):
    algebra = algebra_of(order, depth, grades)
    values = {run: data.draw(st.integers(0, 2)) for run in algebra.runs()}
    broken = worst_violation(algebra, values.__getitem__)
    verdict = is_valuation(algebra, lambda run: values[run])
    # with gaps, too, pairs that have a join and a meet show it
    assert verdict.holds == (broken is None)
    if broken is not None:
        x, y, join, meet = verdict.witness.runs
        assert (algebra.join(x, y), algebra.meet(x, y)) == (join, meet)
        assert values[x] + values[y] != values[join] + values[meet]
        assert verdict.witness.values == tuple(values[run] for run in verdict.witness.runs)


@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_below_the_join_of_the_witness_nothing_is_wrong(data):
    algebra = algebra_of("replacement", 3, 2)
    values = {run: data.draw(st.integers(0, 1)) for run in algebra.runs()}
    verdict = is_valuation(algebra, lambda run: values[run])
    if verdict.holds:
        return
    join = verdict.witness.runs[2]
    below = [run for run in values if compare(run, join, "replacement") is Relation.LESS]
    for x, y in combinations(below, 2):
        if algebra.join(x, y) in below:
            assert values[x] + values[y] == values[algebra.join(x, y)] + values[algebra.meet(x, y)]


def test_rounding_is_no_violation():
    def floats(run):
        return sum(0.1 * grade / log(rank + 1) for rank, grade in enumerate(run, 1))

    for order, grades in (("replacement", 3), ("swap", 2), ("swap", 3)):
        assert is_valuation(algebra_of(order, 6, grades), floats).how is How.EXHAUSTIVE
    assert is_valuation(algebra_of("swap", 50, 3), floats).how is How.SAMPLED


def test_a_violation_in_floats_is_found_all_the_same():
    verdict = is_valuation(algebra_of("swap", 4, 2), lambda run: sum(run) / 3 + 0.001 * (run == (1, 0, 1, 0)))
    assert verdict.how is How.COUNTEREXAMPLE
    assert (1, 0, 1, 0) in verdict.witness.runs


def test_a_violation_too_small_to_be_seen_in_the_values_is_told_by_itself():
    verdict = is_valuation(algebra_of("replacement", 3, 2), lambda run: sum(run) + 1e-7 * (run == (1, 1, 0)))
    assert str(verdict.witness).endswith("the difference is -1e-07")
    assert "difference" not in str(is_valuation(algebra_of("replacement", 3, 2), "RR").witness)


@pytest.mark.parametrize("odd", [lambda run: float("nan"), lambda run: 1 / run[0], lambda run: "no"])
def test_a_function_that_fails_is_no_valuation_and_it_is_said_where(odd):
    for order in ("swap", "projection"):
        verdict = is_valuation(algebra_of(order, 3, 2), odd)
        assert verdict.how is How.FAILED
        assert not verdict.holds
        assert len(verdict.witness.runs[0]) == 3


def test_no_proof_speaks_for_a_function_that_fails_on_one_run():
    verdict = is_valuation(algebra_of("projection", 3, 2), lambda run: 1 / (3 - sum(run)))
    assert verdict.how is How.FAILED
    assert verdict.witness.runs == ((1, 1, 1),)


def test_a_violation_of_a_function_that_fails_is_no_number():
    with pytest.raises(FunctionFailed):
        violation(algebra_of("swap", 2, 2), lambda run: None, (1, 0), (0, 1))


def test_shares_of_a_sum_of_logarithms_are_compared_exactly():
    algebra = algebra_of("replacement", 3, 3)
    assert violation(algebra, nDCG, (2, 0, 0), (0, 1, 2)) == 0
    verdict = is_valuation(algebra_of("replacement", 3, 2), lambda run: nDCG.of(run, recall_base=3))
    assert verdict.holds


def test_values_that_cannot_be_added_are_refused_with_advice():
    def mixed(run):
        return exact_log(2) if run[0] else Fraction(sum(run))

    with pytest.raises(ParameterError, match="plain numbers"):
        is_valuation(algebra_of("replacement", 3, 2), mixed)
    roots = {(0, 0): Fraction(0), (1, 0): inverse_log(3, 2), (0, 1): inverse_log(5, 3), (1, 1): Fraction(1)}
    with pytest.raises(ParameterError, match="plain numbers"):
        is_valuation(algebra_of("replacement", 2, 2), roots.__getitem__)


def test_runs_with_more_relevant_documents_than_there_are_do_not_count():
    def odd(run):
        return Fraction(sum(run)) if sum(run) <= 2 else Fraction(100)

    algebra = algebra_of("replacement", 4, 2)
    assert not is_valuation(algebra, odd).holds
    assert is_valuation(algebra, odd, recall_base=2).holds
    assert worst_violation(algebra, odd, recall_base=2) is None


def test_the_topic_is_told_to_the_measure():
    algebra = algebra_of("replacement", 2, 2)
    assert violation(algebra, AP, (1, 0), (0, 1)) == Fraction(1, 2) + Fraction(1, 4) - 1
    assert violation(algebra, AP, (1, 0), (0, 1), recall_base=4) == Fraction(1, 8) * 3 - Fraction(1, 2)
    assert is_valuation(algebra_of("swap", 3, 2), "OIE", collection=1000).how is How.PROVED


def test_where_there_are_too_many_runs_some_are_looked_at():
    holds = is_valuation(algebra_of("replacement", 40, 3), lambda run: Fraction(sum(run)))
    assert holds.how is How.SAMPLED
    assert "runs of 40 ranks" in holds.checked
    broken = is_valuation(algebra_of("replacement", 40, 3), lambda run: max(run))
    assert broken.how is How.COUNTEREXAMPLE
    x, y, join, meet = broken.witness.runs
    assert max(x) + max(y) != max(join) + max(meet)


def test_a_deep_violation_is_walked_down_to_a_pair_that_shows_it():
    def few(run):
        return Fraction(sum(run) + (sum(run[20:]) > 2))

    algebra = algebra_of("replacement", 40, 2)
    verdict = is_valuation(algebra, few)
    x, y, join, meet = verdict.witness.runs
    assert few(x) + few(y) != few(join) + few(meet)
    assert sum(join) == 3


def test_sets_are_measured_with_the_best_grade_first():
    algebra = algebra_of("set-replacement", 3, 3)
    assert violation(algebra, "DCG", (0, 0, 2), (1, 1, 1)) == 0
    assert is_valuation(algebra, lambda run: run[0]).holds


def test_all_pairs_are_looked_at_only_of_few_runs():
    with pytest.raises(NotAvailable, match="2,048 runs"):
        worst_violation(algebra_of("swap", 11, 2), AP)


def test_pairs_without_a_join_have_no_violation():
    with pytest.raises(NoJoin):
        violation(algebra_of("swap", 2, 3), "P", (0, 2), (1, 0))


def test_runs_that_do_not_belong_are_refused():
    algebra = algebra_of("swap", 2, 2)
    for strange in ((1, 0, 0), (2, 0), "10", (0.5, 0), (-1, 0), 3):
        with pytest.raises(ParameterError, match="no run of 2 ranks"):
            violation(algebra, "P", strange, (0, 1))


def test_a_value_needs_the_values_of_the_parts_alone():
    algebra = algebra_of("swap", 4, 2)
    assert value(algebra, (1, 0, 0, 0), {(1, 0, 0, 0): "1/3"}) == Fraction(1, 3)
    assert value(algebra, (0, 0, 0, 0), {}, 2) == 2
    with pytest.raises(ParameterError, match=r"no value for \(0, 1, 0, 0\)"):
        value(algebra, (1, 0, 1, 0), {(1, 0, 0, 0): 1})


def test_where_no_pair_was_found_the_run_itself_is_shown(monkeypatch):
    monkeypatch.setattr(Additivity, "broken_below", lambda self, run: None)
    monkeypatch.setattr(deciding, "PAIRS", 0)
    witness = is_valuation(algebra_of("swap", 2, 3), lambda run: sum(run) ** 2).witness
    assert len(witness.runs) == 1
    assert witness.values[0] == sum(witness.runs[0]) ** 2 != witness.values[1]
    assert "make" in witness.why
