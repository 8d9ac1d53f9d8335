"""Keeping an order, for each of the five orders, against every pair of runs."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import inf, nan

import numpy as np
import pytest

from measurand.axioms import How, Space, is_measurement
from measurand.axioms.measurement import STEPS
from measurand.errors import ParameterError
from measurand.measures import catalogue, define, parse
from measurand.orders import ORDERS, Relation, compare

AT_MOST = (Relation.LESS, Relation.EQUAL)


@cache
def universe(order: str, depth: int, grades: int) -> list[tuple[int, ...]]:
    """All runs, or all sets as runs in descending order."""
    runs = list(product(range(grades), repeat=depth))
    return [run for run in runs if not order.startswith("set-") or list(run) == sorted(run, reverse=True)]


@cache
def pairs(order: str, depth: int, grades: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [(r, s) for r, s in product(universe(order, depth, grades), repeat=2) if compare(r, s, order) in AT_MOST]


def test_every_order_has_steps():
    assert set(STEPS) == set(ORDERS)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("depth", "grades"), [(3, 3), (4, 2), (2, 4)])
def test_a_function_keeps_an_order_when_it_does_so_on_every_pair(order, depth, grades):
    rng = np.random.default_rng(99)
    everything = list(product(range(grades), repeat=depth))
    runs = universe(order, depth, grades)
    below = {s: [r for r, other in pairs(order, depth, grades) if other == s] for s in runs}
    held = 0
    for number in range(24):
        values = dict(zip(everything, rng.integers(0, 6, len(everything)).tolist(), strict=True))
        if number % 4:
            # kept by construction, and for half of them one value changed
            values |= {s: max(values[r] for r in below[s]) for s in runs}
            if number % 2:
                changed = runs[int(rng.integers(len(runs)))]
                values[changed] = max(0, values[changed] + int(rng.integers(-2, 3)))
        kept = all(values[r] <= values[s] for r, s in pairs(order, depth, grades))
        verdict = is_measurement(values.__getitem__, depth, grades, order=order)
        assert verdict.holds is kept
        held += kept
        if kept:
            assert verdict.how is How.EXHAUSTIVE
        else:
            r, s = verdict.witness
            assert compare(r, s, order) is Relation.LESS
            assert verdict.witness.values == (values[r], values[s])
            assert values[r] > values[s]
    assert 6 < held < 21


@pytest.mark.parametrize("order", ORDERS)
def test_a_measure_keeps_an_order_when_it_does_so_on_every_pair(order, naming):
    for spelling in (*catalogue(), "RBP(p=0.5)", "RBP(p=0.3)", "gRBP(p='1/3')", "DCG(b=2)@2"):
        with naming(spelling):
            for depth, grades in ((4, 2), (3, 3)):
                measure, pool = parse(spelling), Space(depth=depth, grades=grades).pool
                value = {run: measure.exact(measure.view(run), pool) for run in universe(order, depth, grades)}
                if measure.lower_is_better:
                    value = {run: -cost for run, cost in value.items()}
                kept = all(value[r] <= value[s] for r, s in pairs(order, depth, grades))
                assert is_measurement(spelling, depth, grades, order=order).order.holds is kept


def test_a_function_may_keep_one_order_and_not_another():
    # what rewards only a jump over one grade or one rank breaks no single step, and no order either
    assert not is_measurement(lambda run: (run[0] == 1 and 1) or 0, 3, 3)
    assert is_measurement(lambda run: 4 * run[0] + 2 * run[1] + run[2], 3, 2, order="projection")
    assert not is_measurement(lambda run: sum(run), 3, 2, order="projection")
    assert is_measurement(lambda run: sum(run), 3, 2, order="set-projection")
    assert not is_measurement(lambda run: sum(run), 3, 3, order="set-projection")
    assert is_measurement(lambda run: sum(3**grade for grade in run), 2, 3, order="set-projection")


@pytest.mark.parametrize("order", ORDERS)
def test_long_runs_are_sampled_for_every_order(order):
    verdict = is_measurement(lambda run: 0, 20, 3, order=order)
    assert verdict
    assert verdict.how is How.SAMPLED
    broken = is_measurement(lambda run: -sum(run), 20, 3, order=order)
    assert not broken
    r, s = broken.witness
    assert compare(r, s, order) is Relation.LESS


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("recall_base", [1, 2])
def test_an_order_is_kept_on_every_pair_of_runs_that_the_topic_allows(order, recall_base):
    runs = [run for run in universe(order, 3, 3) if sum(grade > 0 for grade in run) <= recall_base]
    some = [(r, s) for r, s in pairs(order, 3, 3) if r in runs and s in runs]
    heights = {s: sum(other == s for _, other in some) for s in runs}
    assert is_measurement(heights.__getitem__, 3, 3, order=order, recall_base=recall_base)
    for r, s in some:
        if r != s:
            wrong = heights | {r: heights[s], s: heights[r]}
            assert not is_measurement(wrong.__getitem__, 3, 3, order=order, recall_base=recall_base), (r, s)


# The values are in [0, ∞].


def test_a_negative_value_is_outside_the_codomain_though_the_order_is_kept():
    verdict = is_measurement(lambda run: sum(run) - 3, depth=3)
    assert not verdict
    assert verdict.order
    assert not verdict.codomain
    assert verdict.witness.runs == ((0, 0, 0),)
    assert verdict.witness.values == (-3,)
    assert verdict.sentence == "does not hold (counterexample): codomain: the value -3 of (0, 0, 0) is below 0"


@pytest.mark.parametrize("depth", [3, 20])
def test_a_value_may_be_infinite(depth):
    rising = is_measurement(lambda run: inf if run[0] else 0.1 * sum(run), depth)
    assert rising
    assert rising.codomain
    falling = is_measurement(lambda run: 0.1 * sum(run) if run[0] else inf, depth)
    assert not falling.order
    assert falling.codomain
    assert inf in falling.witness.values
    assert not is_measurement(lambda run: -inf, depth).codomain


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("depth", "grades"), [(3, 2), (2, 3)])
def test_infinite_values_keep_an_order_when_they_do_so_on_every_pair(order, depth, grades):
    rng = np.random.default_rng(7)
    for _ in range(40):
        runs = universe(order, depth, grades)
        drawn = rng.choice([0.0, 0.5, 1.0, inf], len(runs)).tolist()
        values = dict(zip(runs, sorted(drawn) if rng.random() < 0.5 else drawn, strict=True))
        kept = all(values[r] <= values[s] for r, s in pairs(order, depth, grades))
        verdict = is_measurement(values.__getitem__, depth, grades, order=order)
        assert (verdict.holds, verdict.order.holds, verdict.codomain.holds) == (kept, kept, True)


def test_what_is_not_a_number_is_outside_the_codomain_and_leaves_the_order_open():
    verdict = is_measurement(lambda run: nan if sum(run) == 2 else sum(run), depth=3)
    assert not verdict
    assert verdict.order.how is How.FAILED
    assert verdict.codomain.how is How.COUNTEREXAMPLE
    assert verdict.witness.runs == ((1, 1, 0),)
    assert verdict.witness.why.startswith("codomain: function answered nan on (1, 1, 0)")


def test_observational_effectiveness_keeps_the_order_and_is_outside_the_definition():
    verdict = is_measurement("OIE", depth=4, collection=50)
    assert verdict.order
    assert not verdict.codomain
    assert not verdict


def test_values_are_looked_at_as_the_measure_gives_them_where_lower_is_better():
    cost = define(lambda run: len(run) - sum(run), name="Cost", lower_is_better=True)
    debt = define(lambda run: -sum(run), name="Debt", lower_is_better=True)
    assert is_measurement(cost, 4)
    assert is_measurement(debt, 4).order
    assert is_measurement(debt, 4).codomain.witness.runs == ((1, 0, 0, 0),)


@pytest.mark.parametrize("spelling", ["AP", "DCG", "nDCG", "RR", "ERR", "P"])
def test_where_the_order_is_proved_the_codomain_is_proved_too(spelling):
    assert is_measurement(spelling, 30).codomain.how is How.PROVED


@pytest.mark.parametrize("spelling", [*catalogue(), "OIE(beta=2)"])
def test_the_codomain_is_what_the_values_of_all_runs_say(spelling):
    measure, space = parse(spelling), Space(depth=4)
    least = min(measure.exact(measure.view(run), space.pool) for run in universe("swap", 4, 2))
    assert is_measurement(spelling, 4).codomain.holds is (least >= 0)


@pytest.mark.parametrize("order", ["swaps", "", None, 3])
def test_an_order_that_there_is_not_is_refused(order):
    with pytest.raises(ParameterError, match="order must be one of 'swap', 'replacement', 'projection'"):
        is_measurement("AP", 3, order=order)
