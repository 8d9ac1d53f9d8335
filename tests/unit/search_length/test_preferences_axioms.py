"""Axioms of preferences: what their certificates hold and what they say was looked at."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from measurand.errors import ParameterError
from measurand.search_length import Lottery
from measurand.search_length.preferences import (
    Preference,
    additivity,
    archimedean,
    by_the_mean,
    continuity,
    half_half,
    half_half_solutions,
    independence,
    repetitions,
    risk_structure,
    sign,
    strict_weak_order,
    transitivity,
)
from measurand.search_length.preferences.utility_axioms import SMALLEST, saving_share, tolerable_share
from measurand.verdict import How

sure = Lottery.sure
ESL = Preference.esl()
BY_MEAN = Preference.strictly(lambda p, q: p.mean < q.mean)


def long_share(lottery):
    return sum(p for k, p in lottery.items() if k >= 10)


def chance_of_shorter(one, other):
    return sum(p * q for j, p in one.items() for k, q in other.items() if j < k)


SELDOM_LONG = Preference.strictly(lambda p, q: (long_share(p), p.mean) < (long_share(q), q.mean))
SHORTER = Preference.strictly(lambda p, q: chance_of_shorter(p, q) > chance_of_shorter(q, p))


@pytest.mark.parametrize(
    "axiom", [transitivity, strict_weak_order, independence, continuity, half_half, sign, by_the_mean, risk_structure]
)
def test_of_esl_every_axiom_is_proved_and_of_a_function_with_the_same_answers_it_is_not(axiom):
    assert axiom(ESL).how is How.PROVED
    asked = axiom(BY_MEAN)
    assert asked.holds
    assert asked.how in (How.SAMPLED, How.EXHAUSTIVE)
    assert asked.checked


@pytest.mark.parametrize("axiom", [transitivity, strict_weak_order, independence, continuity])
def test_of_any_expected_utility_the_axioms_of_utility_are_proved(axiom):
    assert axiom(Preference.by_utility(lambda k: (-1) ** k)).how is How.PROVED


def test_three_lotteries_that_beat_each_other_are_found():
    dice = [Lottery.uniform(2, 4, 9), Lottery.uniform(1, 6, 8), Lottery.uniform(3, 5, 7)]
    verdict = transitivity(SHORTER, dice)
    one, other, third = verdict.witness.lotteries
    assert not verdict
    assert SHORTER.at_least(one, other)
    assert SHORTER.at_least(other, third)
    assert SHORTER.prefers(third, one)
    assert not transitivity(SHORTER)


def test_indifference_that_mixing_breaks_is_a_breach_of_independence():
    careless = Preference.strictly(lambda p, q: min(len(p), len(q)) > 1 and p.mean < q.mean)
    verdict = independence(careless, [0, 1, Lottery.uniform(0, 2)])
    one, other, third = verdict.witness.lotteries
    assert (one, other) == (sure(0), sure(1))
    assert careless.indifferent(one, other)
    assert careless.prefers(one.mix(third, verdict.witness.share), other.mix(third, verdict.witness.share))
    assert "equally good, but no longer" in str(verdict.witness)


def test_a_little_of_the_best_that_saves_everything_is_not_continuous():
    best_case = Preference.strictly(lambda p, q: min(p) < min(q))
    verdict = continuity(best_case, [0, 1, 2])
    worst, middle, best = verdict.witness.lotteries
    assert (worst, middle, best) == (sure(2), sure(1), sure(0))
    assert tolerable_share(best_case, worst, middle, best) == Fraction(1, 2)
    assert saving_share(best_case, worst, middle, best) is None
    assert "mixed into the last" in str(verdict.witness)


def test_the_search_for_a_share_ends_and_says_where():
    steep = Preference.strictly(
        lambda p, q: p.expectation(lambda k: 2 ** (50 * k)) < q.expectation(lambda k: 2 ** (50 * k))
    )
    verdict = continuity(steep, [0, 1, 2])
    assert (verdict.holds, verdict.how) == (False, How.SAMPLED)
    assert f"1/2^{SMALLEST}" in verdict.checked
    assert continuity(Preference.by_utility(lambda k: -(2 ** (50 * k))), [0, 1, 2])


def test_half_half_looks_as_far_as_it_is_told_and_as_the_lotteries_go():
    late = Preference.by_utility(lambda k: -max(k, 70))
    assert half_half(late, [0, 1]).checked == "every k from 1 to 50"
    assert half_half(Preference.by_utility(lambda k: -min(k, 70)), [0, 1])
    assert not half_half(late, [0, 80])
    assert not half_half(late, largest=70)
    assert half_half(BY_MEAN, [0, 10**9]).checked == "every k from 1 to 1000"
    with pytest.raises(ParameterError, match="largest must be a whole number"):
        half_half(BY_MEAN, largest=0)


def test_sign_says_what_stands_instead():
    assert "1 for sure is preferred" in str(sign(Preference.by_utility(lambda k: k)).witness)
    assert "not told apart" in str(sign(Preference.by_utility(lambda k: 0)).witness)


@pytest.mark.parametrize(
    ("preference", "means"),
    [
        (Preference.strictly(lambda p, q: max(p) < max(q)), ["1", "1"]),
        (Preference.strictly(lambda p, q: p.mean > q.mean), ["1", "0"]),
        (Preference.weakly(lambda p, q: False), ["0", "1"]),
    ],
)
def test_a_breach_of_the_mean_names_the_means_in_the_order_of_its_lotteries(preference, means):
    verdict = by_the_mean(preference, [0, 1, Lottery.uniform(0, 2)])
    assert str(verdict.witness).endswith(f"their means are {means[0]} and {means[1]}")


def test_solutions_need_a_whole_number():
    with pytest.raises(ParameterError):
        half_half_solutions(0)


def test_repetitions_stop_at_the_most_that_is_allowed():
    assert repetitions(ESL, 0, 1, 50, 0, most=49) is None
    assert repetitions(ESL, 0, 1, 0, 50) == 1
    with pytest.raises(ParameterError):
        repetitions(ESL, 0, 1, 2, 3, most=0)


def test_a_head_start_that_is_never_made_up_for_breaks_the_archimedean_axiom():
    verdict = archimedean(SELDOM_LONG, [5, Lottery.uniform(0, 10)])
    assert verdict.witness.lotteries == (sure(5), Lottery.uniform(0, 10), sure(6), sure(0))
    assert not verdict
    assert verdict.how is How.SAMPLED
    assert verdict.witness.n == 64


def test_lotteries_whose_means_hardly_differ_do_not_count_against_esl():
    near = [Lottery({0: Fraction(1, 2) + Fraction(j, 10000), 1: Fraction(1, 2) - Fraction(j, 10000)}) for j in range(4)]
    assert archimedean(BY_MEAN, near)
    assert repetitions(BY_MEAN, near[1], near[0], 6, 0) is None


def test_additivity_is_asked_of_functions_that_may_fail():
    with pytest.raises(ParameterError, match="is no number"):
        additivity(lambda lottery: float("nan"))
    with pytest.raises(ParameterError, match="failed on 0 for sure with ZeroDivisionError"):
        additivity(lambda lottery: 1 / lottery.mean, [0, 1])


def test_certificates_are_written_for_programs():
    written = json.loads(json.dumps(independence(Preference.strictly(lambda p, q: max(p) < max(q))).witness.to_dict()))
    assert written["share"] == "1/2"
    assert written["lotteries"][0] == {"0": "1"}
    never = archimedean(SELDOM_LONG, [5, Lottery.uniform(0, 10)])
    assert never.witness.to_dict()["n"] == 64
