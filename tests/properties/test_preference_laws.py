"""Laws of preferences: representations against an answer worked out by hand, and esl against its axioms."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.exact.linear_programming import Inequalities, settle, settle_exactly
from measurand.search_length import Lottery
from measurand.search_length.preferences import (
    Preference,
    check,
    half_half,
    independence,
    repetitions,
    represent,
)

SMALL = st.integers(0, 6)


@st.composite
def lotteries(draw, largest=8, most=3):
    numbers = draw(st.lists(st.integers(0, largest), min_size=1, max_size=most, unique=True))
    parts = [draw(st.integers(1, 6)) for _ in numbers]
    return Lottery({k: Fraction(part, sum(parts)) for k, part in zip(numbers, parts, strict=True)})


KINDS = st.sampled_from([">", "~", ">=", ">"])


def statements(largest, at_most=5):
    return st.lists(st.tuples(lotteries(largest), KINDS, lotteries(largest)), min_size=1, max_size=at_most)


def solutions_by_hand(stated):
    """Return the values x of f(2) that agree, given f(0) = 0 and f(1) = -1: an interval with its ends in or out."""
    low, high = (None, True), (None, True)  # an end and whether it belongs to the interval
    for one, kind, other in stated:
        gap = {k: one.get(k, Fraction(0)) - other.get(k, Fraction(0)) for k in range(3)}
        level, slope = -gap[1], gap[2]
        sides = [(level, slope)] if kind != "~" else [(level, slope), (-level, -slope)]
        for constant, factor in sides:
            closed = kind != ">"
            if factor == 0:
                if constant < 0 or (constant == 0 and not closed):
                    return None
                continue
            end = -constant / factor
            if factor > 0 and (low[0] is None or (end, not closed) > (low[0], not low[1])):
                low = (end, closed)
            if factor < 0 and (high[0] is None or (-end, not closed) > (-high[0], not high[1])):
                high = (end, closed)
    empty = low[0] is not None and high[0] is not None and (low[0], not (low[1] and high[1])) > (high[0], False)
    return None if empty else (low, high)


def inside(value, interval):
    (low, with_low), (high, with_high) = interval
    above = low is None or value > low or (with_low and value == low)
    return above and (high is None or value < high or (with_high and value == high))


@given(stated=statements(2))
@settings(max_examples=25)
def test_on_three_numbers_a_utility_exists_just_where_working_it_out_by_hand_finds_one(stated):
    stated = [(Lottery.sure(0), ">", Lottery.sure(1)), *stated]
    expected = solutions_by_hand(stated)
    found = represent(stated)
    assert found.exists is (expected is not None)
    if found:
        utility = {2: Fraction(-2), **found.utility}
        assert (utility[0], utility[1]) == (0, -1)
        assert inside(utility[2], expected)
    else:
        assert found.contradiction.verified


OF_MEAN_ONE = [
    Lottery.sure(1),
    Lottery.uniform(0, 2),
    Lottery.uniform(0, 1, 2),
    Lottery({0: "1/4", 1: "1/2", 2: "1/4"}),
]
CLOSE = st.lists(st.tuples(st.sampled_from(OF_MEAN_ONE), KINDS, st.sampled_from(OF_MEAN_ONE)), max_size=3)


@given(stated=CLOSE | statements(2, at_most=3))
@settings(max_examples=25)
def test_on_three_numbers_esl_is_unusable_ordinal_or_interval_as_worked_out_by_hand(stated):
    stated = [(Lottery.sure(0), ">", Lottery.sure(1)), (Lottery.sure(0), ">", Lottery.sure(2)), *stated]
    interval = solutions_by_hand(stated)
    if interval is None or not inside(Fraction(-2), interval):
        expected = "unusable"
    else:
        expected = "interval" if interval[0][0] == interval[1][0] == -2 else "ordinal"
    assert check(stated).answer == expected


@given(stated=statements(6, at_most=9))
@settings(max_examples=15)
def test_a_utility_agrees_with_every_statement_and_a_contradiction_is_one(stated):
    found = represent(stated)
    assert found.exists is not None
    if found:
        assert all(statement.agrees_with(found.utility) for statement in found.statements)
        numbers = list(found.utility)
        if found.normalised and len(numbers) > 1:
            assert [found.utility[k] for k in numbers[:2]] == [-k for k in numbers[:2]]
    else:
        assert found.contradiction.verified
        assert sum(found.contradiction.weights) == 1


@given(stated=statements(6, at_most=9), values=st.lists(st.integers(-20, 20), min_size=7, max_size=7))
@settings(max_examples=15)
def test_whoever_goes_by_a_utility_never_contradicts_himself(stated, values):
    utility = {k: Fraction(value) for k, value in enumerate(values)}

    def honest(one, other):
        gap = one.expectation(utility.__getitem__) - other.expectation(utility.__getitem__)
        return (one, ">" if gap > 0 else "~", other) if gap >= 0 else (other, ">", one)

    assert represent([honest(one, other) for one, _, other in stated])


ROWS = st.lists(st.lists(st.fractions(-2, 2, max_denominator=5), min_size=4, max_size=4).map(tuple), max_size=4)


@given(strict=ROWS, weak=ROWS, equal=ROWS)
@settings(max_examples=15)
def test_the_proposals_of_floats_and_the_exact_method_settle_inequalities_alike(strict, weak, equal):
    system = Inequalities(4, tuple(strict), tuple(weak), tuple(equal))
    quick, exact = settle(system), settle_exactly(system)
    for settled in (quick, exact):
        assert (settled.solution is None) != (settled.weights is None)
        assert settled.solution is None or system.met_by(settled.solution)
        assert settled.weights is None or system.refuted_by(settled.weights)
    assert (quick.solution is None) == (exact.solution is None)


@given(place=st.integers(0, 100), bend=st.fractions(-3, 3, max_denominator=9).filter(bool), slope=st.integers(1, 5))
@settings(max_examples=6)
def test_a_utility_that_leaves_the_line_anywhere_makes_esl_unusable(place, bend, slope):
    bent = Preference.by_utility(lambda k: 3 - slope * k + (bend if k == place else 0))
    assert not half_half(bent)
    assert check(bent).answer == "unusable"
    assert half_half(Preference.by_utility(lambda k: 3 - slope * k))


@given(one=lotteries(), other=lotteries(), behind=SMALL, ahead=SMALL)
@settings(max_examples=15)
def test_esl_needs_as_many_repetitions_as_the_head_start_holds_gaps(one, other, behind, ahead):
    gap = other.mean - one.mean
    if gap <= 0:
        one, other, gap = other, one, -gap
    if gap * 20 > 1:
        expected = max(1, ceil((behind - ahead) / gap))
        assert repetitions(Preference.esl(), one, other, behind, ahead, most=200) == expected


@settings(max_examples=10)
@given(one=lotteries(), other=lotteries(), third=lotteries(), share=st.fractions("1/20", "19/20", max_denominator=20))
def test_expected_utility_is_independent_of_what_is_mixed_in(one, other, third, share):
    cautious = Preference.by_utility(lambda k: -(k**2))
    mixed = one.mix(third, share), other.mix(third, share)
    assert cautious.prefers(one, other) == cautious.prefers(*mixed)
    assert independence(Preference.strictly(cautious.prefers), [one, other, third])


@given(one=lotteries(), other=lotteries())
def test_given_strictly_or_weakly_a_preference_is_the_same(one, other):
    strict = Preference.strictly(lambda p, q: p.mean < q.mean)
    weak = Preference.weakly(lambda p, q: p.mean <= q.mean)
    for ask in (Preference.prefers, Preference.indifferent, Preference.at_least):
        assert ask(strict, one, other) == ask(weak, one, other)
