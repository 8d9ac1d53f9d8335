"""Measures on lattices of judged runs (Giner 2022): valuations, what fixes them, isotonicity, distances, bounds."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.lattice.algebra import algebra_of
from measurand.lattice.valuation.deciding import is_valuation, value, violation, worst_violation
from measurand.lattice.valuation.distance import bounds, distance, is_distance, is_isotone
from measurand.lattice.valuation.extension import extend
from measurand.measures import AP, DCG, RBP, P, gP, gR, gRBP, nDCG, parse
from measurand.orders import Relation, compare
from measurand.verdict import How

SMALL = [
    ("swap", 3, 2),
    ("swap", 4, 2),
    ("replacement", 3, 2),
    ("replacement", 2, 3),
    ("replacement", 2, 4),
    ("set-replacement", 3, 3),
    ("set-replacement", 2, 4),
    ("projection", 3, 2),
    ("set-projection", 3, 3),
    ("set-replacement", 4, 2),
]


def tables(algebra):
    """Tables of values for the join-irreducible runs of an order."""
    numbers = st.fractions(-3, 3, max_denominator=12)
    return st.fixed_dictionaries(dict.fromkeys(algebra.join_irreducibles(), numbers))


def test_a_valuation_shares_out_values_and_the_worst_violation_is_found():
    algebra = algebra_of("replacement", 3, 2)
    assert is_valuation(algebra, P)
    assert worst_violation(algebra, P) is None
    worst = worst_violation(algebra, AP)
    every = [violation(algebra, AP, x, y) for x, y in combinations(algebra.runs(), 2)]
    assert max(map(abs, every)) == abs(violation(algebra, AP, *worst.runs[:2])) == Fraction(5, 18)


@pytest.mark.spec("E-G-10")
@pytest.mark.parametrize(("order", "depth", "grades"), SMALL)
def test_valuations_have_as_many_dimensions_as_there_are_join_irreducible_runs_and_one(order, depth, grades):
    algebra = algebra_of(order, depth, grades)
    number = {run: place for place, run in enumerate(algebra.runs())}
    rules = []
    for x, y in combinations(number, 2):
        rule = np.zeros(len(number))
        for run, sign in ((x, 1), (y, 1), (algebra.join(x, y), -1), (algebra.meet(x, y), -1)):
            rule[number[run]] += sign
        rules.append(rule)
    dimension = len(number) - np.linalg.matrix_rank(np.array(rules))
    assert dimension == algebra.irreducible_count + 1


@pytest.mark.spec("G-T3")
@pytest.mark.parametrize(("order", "depth", "grades"), [case for case in SMALL if case[0] != "projection"])
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_a_valuation_is_recovered_from_the_join_irreducible_runs_and_the_worst_one(order, depth, grades, data):
    algebra = algebra_of(order, depth, grades)
    made = extend(algebra, data.draw(tables(algebra)), data.draw(st.fractions(-2, 2, max_denominator=9)))
    values = {run: made.of(run) for run in algebra.runs()}
    for x, y in combinations(values, 2):
        assert values[x] + values[y] == values[algebra.join(x, y)] + values[algebra.meet(x, y)]
    again = extend(algebra, {run: values[run] for run in algebra.join_irreducibles()}, values[algebra.bottom])
    assert all(again.of(run) == values[run] for run in values)


@pytest.mark.spec("G-4-gP")
def test_gp_and_gr_go_by_the_names_that_the_papers_give_them():
    assert type(gP).__doc__.startswith("Generalized precision:")
    assert type(gR).__doc__.startswith("Generalized recall:")


@pytest.mark.spec("G-4-gR")
def test_generalized_recall_is_generalized_precision_only_where_the_recall_base_is_the_depth():
    run = (2, 1, 0, 0, 0)
    assert gR(gmax=2).of(run, recall_base=5) == Fraction(3, 10) == gP(gmax=2).of(run, recall_base=5)
    assert gR(gmax=2).of(run, recall_base=3) == Fraction(1, 2) != gP(gmax=2).of(run, recall_base=3)


@pytest.mark.spec("G-4-gRBP", "G-6.2-REC")
def test_graded_rank_biased_precision_adds_up_over_ranks():
    algebra, measure = algebra_of("replacement", 3, 3), gRBP(p=0.8, gmax=2)
    assert measure.of((2, 0, 1)) == Fraction(264, 1000)
    assert (measure.of((2, 0, 0)), measure.of((0, 0, 1))) == (Fraction(1, 5), Fraction(64, 1000))
    assert value(algebra, (2, 0, 1), measure.of) == Fraction(264, 1000)


@pytest.mark.spec("G-4-DCG")
def test_discounted_cumulated_gain_discounts_from_the_base_on():
    assert DCG(b=2).value((2, 0, 1)) == pytest.approx(2.63093, abs=5e-6)


@pytest.mark.spec("G-P4")
@pytest.mark.parametrize("gain", ["linear", {1: 1, 2: 4, 3: 9, 4: 16}])
@pytest.mark.parametrize("measure", [gP, gR])
def test_generalized_precision_and_recall_are_valuations_on_sets_for_every_gain(measure, gain):
    graded = measure(gain=gain)
    for depth, grades in ((5, 3), (3, 4), (1000, 5)):
        verdict = is_valuation(algebra_of("set-replacement", depth, grades), graded)
        assert verdict.holds
        assert verdict.how is How.PROVED
    # and not by proof alone
    assert worst_violation(algebra_of("set-replacement", 3, 4), graded) is None


@pytest.mark.spec("G-5.2-REC")
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_the_value_of_a_set_comes_from_the_table_of_grades_and_numbers(data):
    algebra = algebra_of("set-replacement", 4, 4)
    table, bottom = data.draw(tables(algebra)), data.draw(st.fractions(-1, 1, max_denominator=5))

    def entry(grade, number):
        return table[(grade,) * number + (0,) * (4 - number)] if grade and number else bottom

    made = extend(algebra, table, bottom)
    for run in algebra.runs():
        steps = (entry(grade, place) - entry(grade, place - 1) for place, grade in enumerate(run, 1))
        assert made.of(run) == bottom + sum(steps)


@pytest.mark.spec("G-P8")
@pytest.mark.parametrize("measure", [gP, gR, gRBP, DCG, nDCG], ids=repr)
def test_weighted_sums_are_valuations_where_only_replacement_counts(measure):
    verdict = is_valuation(algebra_of("replacement", 100, 4), measure)
    assert verdict.holds
    assert verdict.how is How.PROVED
    assert worst_violation(algebra_of("replacement", 3, 3), measure) is None


@pytest.mark.spec("G-P8")
@settings(max_examples=5, deadline=None)
@given(
    weights=st.lists(st.lists(st.fractions(-2, 2, max_denominator=9), min_size=3, max_size=3), min_size=3, max_size=3)
)
def test_any_sum_of_functions_of_single_ranks_is_a_valuation(weights):
    algebra = algebra_of("replacement", 3, 3)
    assert is_valuation(algebra, lambda run: sum(weights[rank][grade] for rank, grade in enumerate(run)))


@pytest.mark.spec("G-P8")
@pytest.mark.parametrize(
    ("measure", "x", "y", "printed"),
    [
        ("AP", (1, 0, 0), (0, 1, 1), -0.2778),
        ("RR", (1, 0, 0), (0, 1, 0), 0.5),
        ("ERR", (1, 0, 0), (0, 1, 1), 0.1667),
    ],
)
def test_measures_that_look_back_are_no_valuations_where_only_replacement_counts(measure, x, y, printed):
    algebra = algebra_of("replacement", 3, 2)
    assert round(float(violation(algebra, measure, x, y)), 4) == printed
    worst = worst_violation(algebra, measure)
    assert round(float(violation(algebra, measure, *worst.runs[:2])), 4) == printed
    verdict = is_valuation(algebra, measure)
    assert not verdict.holds
    assert verdict.how is How.COUNTEREXAMPLE
    first, second, join, meet = verdict.witness.values
    assert first + second != join + meet


@pytest.mark.spec("G-6.2-REC")
def test_the_value_of_a_run_adds_up_over_ranks():
    algebra, measure = algebra_of("replacement", 3, 3), gP(gmax=2)
    assert value(algebra, (1, 0, 1), measure.of) == measure.of((1, 0, 0)) + measure.of((0, 0, 1)) == Fraction(1, 3)
    assert value(algebra, (2, 1, 1), measure.of) == Fraction(1, 3) + Fraction(1, 6) + Fraction(1, 6)
    shifted = extend(algebra, {run: measure.of(run) + 7 for run in algebra.join_irreducibles()}, 7)
    assert shifted.of((2, 1, 1)) == Fraction(2, 3) + 7


@pytest.mark.spec("G-6.3-MARKOV", "E-G-3")
@pytest.mark.parametrize("spelling", ["P", "R", "RBP", "DCG", "AP", "RR", "ERR", "OIE", "nDCG", "Q", "Bpref", "ESL"])
def test_measures_that_look_back_are_valuations_on_binary_runs_by_replacement_and_swap(spelling):
    verdict = is_valuation(algebra_of("swap", 200, 2), spelling)
    assert verdict.holds
    assert verdict.how is How.PROVED
    assert worst_violation(algebra_of("swap", 5, 2), spelling) is None


@pytest.mark.spec("G-6.3-MARKOV")
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_whatever_adds_up_what_the_last_step_tells_is_a_valuation_on_binary_runs(data):
    depth = 5
    known = {}

    def step(rank, above, here):
        if (rank, above, here) not in known:
            known[rank, above, here] = data.draw(st.fractions(-3, 3, max_denominator=7))
        return known[rank, above, here]

    def measure(run):
        counts = [0, *np.cumsum(run).tolist()]
        return sum(step(rank, above, here) for rank, (above, here) in enumerate(pairwise(counts)))

    assert is_valuation(algebra_of("swap", depth, 2), measure)


@pytest.mark.spec("E-G-3")
@pytest.mark.parametrize(("depth", "grades"), [(3, 3), (4, 3), (3, 4), (2, 4)])
@pytest.mark.parametrize("measure", [gP, gRBP, DCG, AP, P @ 2, RBP(rel=2), AP(rel=2)], ids=repr)
def test_measures_that_add_up_over_grades_come_from_blocks_also_with_more_grades(depth, grades, measure):
    algebra = algebra_of("swap", depth, grades)
    measure = measure(gmax=grades - 1) if "gmax" in measure.parameters() else measure
    blocks = {run: measure.of(run, recall_base=depth) for run in algebra.join_irreducibles()}
    assert len(blocks) == (grades - 1) * depth * (depth + 1) // 2
    made = extend(algebra, blocks)
    assert all(made.of(run) == measure.of(run, recall_base=depth) for run in algebra.runs())
    assert is_valuation(algebra, measure)


def test_measures_that_mix_grades_do_not_come_from_blocks():
    verdict = is_valuation(algebra_of("swap", 3, 3), "ERR")
    x, y, join, meet = verdict.witness.runs
    assert (algebra_of("swap", 3, 3).join(x, y), algebra_of("swap", 3, 3).meet(x, y)) == (join, meet)
    first, second, third, fourth = verdict.witness.values
    assert first + second != third + fourth


@pytest.mark.spec("G-7-DEFINE", "E-G-16")
def test_any_values_make_a_valuation_on_sets_but_not_any_keep_the_order():
    algebra = algebra_of("set-replacement", 2, 3)
    made = extend(algebra, {(1, 0): 0.5, (1, 1): 0.5, (2, 0): 0.5, (2, 2): 0.4})
    assert is_valuation(algebra, made)
    assert worst_violation(algebra, made) is None
    assert (made.of((2, 2)), made.of((2, 1))) == (Fraction(2, 5), Fraction(1, 2))
    assert not made.isotone
    assert made.isotone.witness.runs == ((2, 1), (2, 2))
    assert made.isotone.witness.values == (Fraction(1, 2), Fraction(2, 5))


@pytest.mark.spec("G-7-DEFINE")
def test_a_measure_of_two_ranks_is_filled_in_as_a_table():
    made = extend(algebra_of("replacement", 2, 3), {(1, 0): 0.4, (2, 0): 0.7, (0, 1): 0.1, (0, 2): 0.3})
    assert [made.of(run) for run in ((2, 1), (1, 2), (2, 2))] == [Fraction(4, 5), Fraction(7, 10), 1]
    assert made.isotone


@pytest.mark.spec("G-7-DEFINE", "E-G-16")
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_table_of_ranks_keeps_the_order_exactly_if_no_rank_falls_with_the_grade(data):
    algebra = algebra_of("replacement", 2, 3)
    table = data.draw(st.fixed_dictionaries({run: st.integers(0, 3) for run in algebra.join_irreducibles()}))
    first, second = [0, table[1, 0], table[2, 0]], [0, table[0, 1], table[0, 2]]
    made = extend(algebra, table)
    assert made.isotone.holds == (first == sorted(first) and second == sorted(second)) == keeps(made, algebra)


@pytest.mark.spec("G-7-DEFINE", "E-G-16")
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_table_of_sets_keeps_the_order_exactly_if_no_mixed_difference_is_negative(data):
    algebra = algebra_of("set-replacement", 2, 3)
    table = data.draw(st.fixed_dictionaries({run: st.integers(0, 4) for run in algebra.join_irreducibles()}))

    def entry(grade, number):
        return table[(grade,) * number + (0,) * (2 - number)] if grade and number else 0

    mixed = [
        entry(grade, number) - entry(grade - 1, number) - entry(grade, number - 1) + entry(grade - 1, number - 1)
        for grade, number in product((1, 2), repeat=2)
    ]
    made = extend(algebra, table)
    assert made.isotone.holds == (min(mixed) >= 0) == keeps(made, algebra)


def keeps(measure, algebra, *, recall_base=None):
    """Whether better runs never have worse values, by looking at every pair."""
    values = {run: measure.of(run, recall_base) for run in algebra.runs()}
    sign = -1 if measure.lower_is_better else 1
    pairs = product(values, repeat=2)
    return not any(
        sign * values[x] > sign * values[y] for x, y in pairs if compare(x, y, algebra.order) is Relation.LESS
    )


@pytest.mark.spec("G-7-R468")
def test_three_runs_that_precision_and_gain_do_not_tell_apart_are_told_apart_by_rank():
    runs = (2, 0, 0), (1, 1, 0), (0, 2, 0)
    assert [gP(gmax=2).of(run) for run in runs] == [Fraction(1, 3)] * 3
    assert [DCG(b=2).of(run) for run in runs] == [2, 2, 2]
    assert [gRBP(p=0.8, gmax=2).of(run) for run in runs] == [Fraction(20, 100), Fraction(18, 100), Fraction(16, 100)]


@pytest.mark.spec("G-7-BOUND")
def test_what_a_system_that_reaches_either_run_can_reach():
    algebra = algebra_of("replacement", 3, 3)
    expected = {gP: Fraction(1, 2), gRBP(p=0.8): Fraction(28, 100), DCG(b=2): 3}
    for measure, high in expected.items():
        found = bounds(algebra, measure, (2, 0, 0), (1, 1, 0))
        assert (found.best, found.high, found.worst) == ((2, 1, 0), high, (1, 0, 0))
        assert found.high - found.low == distance(algebra, measure, (2, 0, 0), (1, 1, 0))


@pytest.mark.spec("G-7-STATIC")
@settings(max_examples=5, deadline=None)
@given(going_on=st.lists(st.fractions(0, 1, max_denominator=10), min_size=4, max_size=4))
@pytest.mark.parametrize("order", ["replacement", "swap", "set-replacement"])
def test_a_reader_who_goes_on_by_rank_alone_makes_a_valuation(order, going_on):
    def static(run):
        reached, total = Fraction(1), Fraction(0)
        for grade, chance in zip(run, going_on, strict=False):
            total += reached * Fraction(grade, 2)
            reached *= chance
        return total

    assert is_valuation(algebra_of(order, 3, 3), static)


@pytest.mark.spec("G-7-METRIC")
@pytest.mark.parametrize(
    ("order", "depth", "grades", "measure"),
    [("swap", 4, 2, "AP"), ("replacement", 3, 3, "gP"), ("set-replacement", 4, 3, "gP"), ("swap", 4, 2, "ESL(i=2)")],
)
def test_the_distance_of_a_valuation_is_one(order, depth, grades, measure):
    algebra = algebra_of(order, depth, grades)
    apart = {(x, y): distance(algebra, measure, x, y) for x, y in product(algebra.runs(), repeat=2)}
    runs = list(algebra.runs())
    assert all(apart[x, y] == apart[y, x] >= 0 and apart[x, x] == 0 for x, y in apart)
    assert all(apart[x, z] <= apart[x, y] + apart[y, z] for x, y, z in product(runs, repeat=3))
    verdict = is_distance(algebra, measure)
    zero = any(not far for (x, y), far in apart.items() if x != y)
    assert verdict.holds
    assert verdict.kind == ("pseudo-metric" if zero else "metric")


@pytest.mark.spec("G-7-METRIC")
def test_a_measure_that_is_no_valuation_has_no_distance():
    algebra = algebra_of("replacement", 3, 2)
    verdict = is_distance(algebra, "AP")
    assert not verdict.holds
    assert "no valuation" in verdict.argument
    runs = list(algebra.runs())
    detours = (
        distance(algebra, "AP", x, z) > distance(algebra, "AP", x, y) + distance(algebra, "AP", y, z)
        for x, y, z in product(runs, repeat=3)
    )
    assert any(detours)


@pytest.mark.spec("G-7-ISO")
@pytest.mark.parametrize(("order", "depth", "grades"), [*SMALL, ("swap", 3, 3)])
def test_isotonicity_is_told_for_any_measure_in_any_order(order, depth, grades, naming):
    for spelling in ("AP", "P", "RR", "ESL(i=2)", "OIE(collection=20)", "NumNonrelRet", "gP@2"):
        with naming(spelling):
            algebra, measure = algebra_of(order, depth, grades), parse(spelling)
            if "gmax" in measure.parameters():
                measure = measure(gmax=grades - 1)
            pool = (depth, *[0] * (grades - 2), depth)
            values = {run: measure.of(run, grade_counts=pool) for run in algebra.runs()}
            sign = -1 if measure.lower_is_better else 1
            expected = not any(
                sign * values[x] > sign * values[y]
                for x, y in product(values, repeat=2)
                if compare(x, y, order) is Relation.LESS
            )
            verdict = is_isotone(algebra, measure)
            assert verdict.holds == expected
            if not verdict.holds:
                low, high = verdict.witness
                assert compare(low, high, order) is Relation.LESS
                assert sign * values[low] > sign * values[high]


@pytest.mark.spec("E-G-16")
def test_a_table_that_does_not_keep_the_order_is_still_a_valuation():
    algebra = algebra_of("swap", 3, 2)
    table = {run: (-1) ** place for place, run in enumerate(algebra.join_irreducibles())}
    made = extend(algebra, table)
    assert worst_violation(algebra, made) is None
    assert not made.isotone.holds
    assert not keeps(made, algebra)
