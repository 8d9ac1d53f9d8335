"""Values on posets: valuations and isotone ones, exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NoJoin, NoMeet, ParameterError
from measurand.lattice.algebra import algebra_of
from measurand.lattice.finite import M3, N5, Poset, boolean, chain
from measurand.measures import DCG, nDCG
from measurand.verdict import How

POSETS = [
    boolean(2),
    boolean(3),
    M3,
    N5,
    chain(4),
    Poset.of_runs(algebra_of("swap", 2, 3)),
    Poset.from_pairs(["ac", "ad", "bc", "bd"]),
]


def gaps(poset, values):
    for x, y in combinations(poset, 2):
        try:
            join, meet = poset.join(x, y), poset.meet(x, y)
        except (NoJoin, NoMeet):
            continue
        yield (x, y), values[x] + values[y] - values[join] - values[meet]


numbers = st.one_of(st.integers(-3, 3), st.fractions(-2, 2, max_denominator=5), st.just(Fraction(1, 3**90)))


@given(st.sampled_from(POSETS), st.data())
@settings(deadline=None)
def test_a_valuation_keeps_the_sum_of_every_two_and_the_worst_pair_is_named(poset, data):
    values = {x: data.draw(numbers) for x in poset}
    verdict, expected = poset.is_valuation(values), dict(gaps(poset, values))
    worst = max(map(abs, expected.values()), default=0)
    assert bool(verdict) == (worst == 0)
    if not verdict:
        v = verdict.witness.values
        assert abs(v[0] + v[1] - v[2] - v[3]) == worst
        assert abs(expected.get(tuple(verdict.witness), expected.get(tuple(verdict.witness)[::-1]))) == worst
        assert v == tuple(values[x] for x in (*verdict.witness, *verdict.witness.results))


@given(st.sampled_from(POSETS), st.data())
@settings(deadline=None)
def test_isotone_values_never_fall_on_the_way_up(poset, data):
    values = {x: data.draw(numbers) for x in poset}
    verdict = poset.is_isotone(values)
    falling = [(x, y) for x in poset for y in poset if poset.below(x, y) and values[x] > values[y]]
    assert bool(verdict) == (not falling)
    if not verdict:
        x, y = verdict.witness
        assert verdict.witness.values == (values[x], values[y])
        steps = [values[low] - values[high] for low, high in poset.edges()]
        assert values[x] - values[y] == max(steps)


def test_values_are_read_as_written():
    square = boolean(2)
    values = dict(zip(square, [0, 0.1, 0.2, "3/10"], strict=True))
    assert square.is_valuation(values)
    assert square.is_valuation(len).how is How.EXHAUSTIVE


def test_values_with_logarithms_are_summed_exactly():
    runs = Poset.of_runs(algebra_of("replacement", 3, 3))
    measure = DCG(b=2)
    assert runs.is_valuation(measure.of)
    broken = runs.is_valuation(lambda run: measure.of(run) * (2 if run == runs.top else 1))
    assert broken.witness.results[0] == runs.top
    assert float(broken.witness.values[2]) == pytest.approx(2 * float(measure.of(runs.top)))
    assert runs.is_isotone(measure.of)


def test_quotients_of_logarithms_can_be_compared_and_added():
    runs = Poset.of_runs(algebra_of("replacement", 2, 2))
    values = {run: nDCG(b=2).of((*run, 1)) for run in runs}
    assert runs.is_isotone(values)
    assert not runs.dual().is_isotone(values)
    assert runs.is_valuation(values)
    assert not runs.is_valuation(values | {(1, 1): nDCG(b=2).of((1, 0, 1))})


def test_pairs_without_a_join_or_a_meet_are_left_out_and_it_is_said():
    two = POSETS[-1]
    assert two.is_valuation(dict(zip("abcd", [5, 1, 0, 7], strict=True))).checked.startswith("all 0 ")


@pytest.mark.parametrize("value", [nan, inf, None, "x", [1]])
def test_what_is_no_number_is_refused_with_its_element(value):
    for question in (N5.is_valuation, N5.is_isotone):
        with pytest.raises(ParameterError, match=r"value of '0' is .* no number"):
            question(lambda x: value)


def test_missing_values_and_functions_that_fail_are_refused():
    with pytest.raises(ParameterError, match="'a' has no value"):
        N5.is_valuation({"0": 1})
    with pytest.raises(ParameterError, match="failed on '0'"):
        N5.is_isotone(lambda x: 1 / 0)
    with pytest.raises(ParameterError, match="failed on '0'"):
        N5.is_isotone(lambda x: {}[x])
