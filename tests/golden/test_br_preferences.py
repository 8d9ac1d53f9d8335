"""Preferences between lotteries with the paper's numbers, as the checklist has them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest

from measurand.scale import Scale
from measurand.scales.admissibility import required_scale
from measurand.scales.meaning import Affine, Answer, survives
from measurand.scales.meaning import check as meaning
from measurand.scores import Scores
from measurand.search_length import Lottery
from measurand.search_length.preferences import (
    Preference,
    additivity,
    check,
    completeness,
    continuity,
    half_half,
    independence,
    monotone_in_sums,
    permitted,
    repetitions,
    represent,
    risk_structure,
    sign,
    strict_weak_order,
    transitivity,
)
from measurand.search_length.preferences.checking import ADDED
from measurand.search_length.preferences.utility_axioms import tolerable_share
from measurand.verdict import How

sure = Lottery.sure
HALF = Fraction(1, 2)
EVEN = Lottery.uniform(0, 2)


def long_share(lottery):
    return sum(p for k, p in lottery.items() if k >= 10)


WORST = Preference.strictly(lambda p, q: max(p) < max(q))
LEXICOGRAPHIC = Preference.strictly(lambda p, q: (long_share(p), p.mean) < (long_share(q), q.mean))
CAUTIOUS = Preference.by_utility(lambda k: -k * k)


def random_lottery(rng, most=12):
    numbers = rng.sample(range(most + 1), rng.randint(1, 3))
    parts = [rng.randint(1, 9) for _ in numbers]
    return Lottery({k: Fraction(part, sum(parts)) for k, part in zip(numbers, parts, strict=True)})


def relations(n):
    pairs = list(product(range(n), repeat=2))
    for chosen in product((False, True), repeat=len(pairs)):
        yield Preference.of_pairs([pair for pair, there in zip(pairs, chosen, strict=True) if there], range(n))


@pytest.mark.spec("BR-3-REL")
@pytest.mark.parametrize("weak", [False, True])
def test_each_of_the_three_relations_follows_from_the_one_that_is_given(weak):
    for bits in product((False, True), repeat=2):
        there = [pair for pair, bit in zip([(0, 1), (1, 0)], bits, strict=True) if bit]
        relation = Preference.of_pairs(there, range(2), weak=weak)
        forth, back = bits
        if weak:
            expected = (forth and not back, forth and back, forth)
        else:
            neither = not forth and not back
            expected = (forth, neither, forth or neither)
        assert (relation.prefers(0, 1), relation.indifferent(0, 1), relation.at_least(0, 1)) == expected


@pytest.mark.spec("BR-3-AXi", "E-BR-8")
def test_completeness_is_automatic_from_better_and_an_axiom_of_at_least_as_good():
    for relation in relations(2):
        assert completeness(relation).how is How.PROVED
        assert all(relation.at_least(a, b) or relation.at_least(b, a) for a, b in product(range(2), repeat=2))
    partial = completeness(Preference.of_pairs([(0, 0), (1, 1)], range(2), weak=True))
    assert (partial.holds, partial.witness.lotteries) == (False, (0, 1))
    assert not completeness(Preference.of_pairs([(0, 1), (1, 0), (1, 1)], range(2), weak=True))
    assert completeness(Preference.of_pairs([(0, 0), (1, 1), (0, 1)], range(2), weak=True))


@pytest.mark.spec("BR-3-AXii")
def test_a_triple_shows_that_at_least_as_good_does_not_carry_over():
    circle = Preference.of_pairs([("a", "b"), ("b", "c"), ("c", "a")])
    verdict = transitivity(circle)
    first, second, third = verdict.witness.lotteries
    assert (verdict.holds, verdict.how) == (False, How.COUNTEREXAMPLE)
    assert circle.at_least(first, second)
    assert circle.at_least(second, third)
    assert not circle.at_least(first, third)


@pytest.mark.spec("BR-D3.3a")
def test_a_strict_weak_order_is_broken_by_a_pair_or_a_triple():
    assert strict_weak_order(Preference.of_pairs([(0, 1), (1, 0)])).witness.lotteries == (0, 1)
    semiorder = Preference.of_pairs([(0, 2)], range(3))
    assert strict_weak_order(semiorder).witness.lotteries == (0, 1, 2)
    assert strict_weak_order(Preference.of_pairs([(0, 1), (0, 2)], range(3)))


@pytest.mark.spec("BR-T3.1")
def test_a_stated_preference_has_a_utility_and_its_mixed_opposite_takes_it_away():
    alone = represent([(sure(1), EVEN)])
    assert alone.utility == {0: 0, 1: -1, 2: alone.utility[2]}
    assert alone.utility[2] < -2
    both = represent([(sure(1), EVEN), (EVEN.mix(sure(5), HALF), sure(1).mix(sure(5), HALF))])
    assert both.exists is False
    assert both.contradiction.weights == (Fraction(1, 3), Fraction(2, 3))
    assert both.contradiction.verified
    assert both.contradiction.mixture == Lottery({0: "1/6", 1: "1/3", 2: "1/6", 5: "1/3"})


@pytest.mark.spec("BR-T3.1-ii")
def test_whoever_minimises_the_worst_case_is_not_independent_of_what_is_mixed_in():
    verdict = independence(WORST, [0, 1, 2])
    assert verdict.witness.lotteries == (sure(0), sure(1), sure(2))
    assert (verdict.witness.share, verdict.how) == (HALF, How.COUNTEREXAMPLE)
    assert WORST.prefers(sure(0), sure(1))
    assert WORST.indifferent(sure(0).mix(sure(2), HALF), sure(1).mix(sure(2), HALF))


@pytest.mark.spec("BR-T3.1-iii")
def test_worst_cases_and_long_searches_first_are_not_continuous():
    worst = continuity(WORST, [0, 1, 2])
    assert (worst.holds, worst.witness.lotteries) == (False, (sure(2), sure(1), sure(0)))
    first = continuity(LEXICOGRAPHIC, [0, 1, 10])
    assert (first.holds, first.witness.lotteries) == (False, (sure(10), sure(1), sure(0)))
    assert "1/2^40" in str(first.witness)
    assert first.how is How.SAMPLED
    rng = Random(1988)
    for _ in range(2000):
        one, other, third = (random_lottery(rng) for _ in range(3))
        share = Fraction(rng.randint(1, 9), 10)
        mixed = one.mix(third, share), other.mix(third, share)
        assert LEXICOGRAPHIC.prefers(one, other) == LEXICOGRAPHIC.prefers(*mixed)
    assert independence(LEXICOGRAPHIC)


@pytest.mark.spec("BR-T3.1-iii")
def test_the_share_of_a_long_search_that_esl_tolerates_is_below_the_break_even():
    share = tolerable_share(Preference.esl(), sure(100), sure(3), sure(2))
    assert share < Fraction(1, 98) < 2 * share
    assert continuity(Preference.strictly(lambda p, q: p.mean < q.mean), [100, 3, 2])


@pytest.mark.spec("BR-3-HALF")
def test_one_fewer_or_one_more_cancel_out_for_esl_and_not_for_the_cautious():
    assert half_half(Preference.by_utility(lambda k: -k))
    verdict = half_half(CAUTIOUS)
    assert verdict.witness.lotteries == (EVEN, sure(1))
    assert (EVEN.expectation(lambda k: -k * k), sure(1).expectation(lambda k: -k * k)) == (-2, -1)
    assert str(verdict.witness).startswith("1 for sure is preferred to")


@pytest.mark.spec("BR-3-HALF")
@pytest.mark.parametrize("bent", range(1, 51))
def test_a_bend_anywhere_in_the_range_is_found(bent):
    verdict = half_half(Preference.by_utility(lambda k: -min(k, bent)))
    assert verdict.witness.lotteries[1] == sure(bent)


@pytest.mark.spec("BR-3-SIGN", "E-BR-2")
@pytest.mark.parametrize("utility", [lambda k: +k, lambda k: 0], ids=["more is better", "all the same"])
def test_the_sign_makes_opposites_of_esl_unusable(utility):
    preference = Preference.by_utility(utility)
    report = check(preference)
    assert report.answer == "unusable"
    assert not report.verdicts["sign"].holds


ALL = (completeness, transitivity, strict_weak_order, independence, continuity, half_half, sign, risk_structure)


@pytest.mark.spec("BR-3-IFF")
@pytest.mark.parametrize(
    "preference",
    [
        Preference.strictly(lambda p, q: p.mean < q.mean),
        Preference.weakly(lambda p, q: p.mean <= q.mean),
        Preference.by_utility(lambda k: 7 - 3 * k),
    ],
    ids=["strict", "weak", "utility"],
)
def test_the_preference_for_a_smaller_mean_passes_every_axiom(preference):
    assert [axiom.__name__ for axiom in ALL if not axiom(preference)] == []
    assert check(preference).answer == "ratio"


@pytest.mark.spec("BR-3-SCALE", "E-BR-11")
def test_esl_is_ordinal_by_order_alone_and_interval_among_expectations():
    by_order = check(Preference.esl(), mixtures=False)
    among_expectations = check(Preference.esl(), sums=False)
    assert (by_order.scale, among_expectations.scale) == (Scale.ORDINAL, Scale.INTERVAL)
    words = " ".join(among_expectations.why)
    assert "ordinal scale" in words
    assert "interval scale" in words
    means = [Fraction(k, 3) for k in range(10)]
    squares = Preference.strictly(lambda p, q: p.mean**2 < q.mean**2)  # an increasing map of esl: the same order
    assert check(squares, mixtures=False).answer == "ordinal"
    assert sorted(means) == sorted(means, key=lambda mean: mean**2)


@pytest.mark.spec("BR-4-MEAN")
def test_half_as_long_means_something_on_a_ratio_scale_only():
    def scores(scale):
        return Scores(measure="ESL", values=[[2.0], [4.0]], systems=("A", "B"), topics=("1",), scale=scale)

    statement = "mean of B is at least 2 times mean of A"
    assert meaning(statement, scores(Scale.RATIO)).answer is Answer.ROBUST
    assert meaning(statement, scores(Scale.INTERVAL)).answer is not Answer.ROBUST
    shift = Affine(1, 10)
    before, after = np.array([2.0, 4.0]), shift(np.array([2.0, 4.0]))
    assert Fraction(before[0]) / Fraction(before[1]) == Fraction(1, 2)
    assert Fraction(after[0]) / Fraction(after[1]) == Fraction(6, 7)
    assert not survives(lambda v: 2 * v[0] == v[1], before, [shift])
    assert survives(lambda v: 2 * v[0] == v[1], before, [Affine(3, 0)])


@pytest.mark.spec("BR-D4.1")
def test_repeating_fifty_times_makes_up_for_fifty_and_the_cautious_have_no_risk_structure():
    assert repetitions(Preference.esl(), 0, 1, 50, 0) == 50
    other = Lottery({0: "3/4", 4: "1/4"})
    verdict = monotone_in_sums(CAUTIOUS, [1, 2, other])
    assert verdict.witness.lotteries == (sure(2), other, sure(1))
    values = [lottery.expectation(lambda k: -k * k) for lottery in (sure(2), other)]
    added = [lottery.convolve(sure(1)).expectation(lambda k: -k * k) for lottery in (sure(2), other)]
    assert (values, added) == ([-4, -4], [-9, -7])
    assert not risk_structure(CAUTIOUS)
    assert not risk_structure(Preference.strictly(lambda p, q: p.mean < q.mean - 1))


@pytest.mark.spec("BR-L4.1")
def test_means_add_up_on_three_hundred_random_sums():
    rng = Random(4)
    esl = Preference.esl()
    for _ in range(300):
        one, other, third = (random_lottery(rng) for _ in range(3))
        assert -one.convolve(other).mean == -one.mean + -other.mean
        assert esl.at_least(one, other) == esl.at_least(one.convolve(third), other.convolve(third))
    asked = Preference.strictly(esl.prefers)
    assert monotone_in_sums(asked, [random_lottery(rng) for _ in range(16)])


@pytest.mark.spec("BR-T4.1")
def test_only_multiples_of_esl_add_up():
    for factor in (1, 2, Fraction(1, 3)):
        assert additivity(lambda lottery, c=factor: -c * lottery.mean)
    for shift in (1, -2, Fraction(1, 5)):
        verdict = additivity(lambda lottery, d=shift: d - lottery.mean)
        one, other = verdict.witness.lotteries
        assert not verdict
        assert shift - one.convolve(other).mean != 2 * shift - one.mean - other.mean
    assert not additivity(lambda lottery: -(lottery.mean**2))


@pytest.mark.spec("BR-T4.1")
def test_other_additive_values_belong_to_other_risk_structures():
    assert additivity(lambda lottery: -max(lottery))
    assert risk_structure(WORST)
    assert risk_structure(Preference.by_utility(lambda k: -(2**k)))
    assert check(Preference.by_utility(lambda k: -(2**k))).answer == "unusable"


@pytest.mark.spec("BR-5-STAT")
def test_what_may_be_computed_is_what_the_types_of_scale_say():
    for scale, names in ADDED.items():
        assert {required_scale(name) for name in names} == {scale}
    ordinal, interval, ratio = (set(permitted(scale)) for scale in ("ordinal", "interval", "ratio"))
    assert {"median", "rank correlation"} <= ordinal < interval < ratio
    assert "mean" in interval - ordinal
    assert {"geometric mean", "percentage"} <= ratio - interval
    assert permitted(None) == ()


@pytest.mark.spec("BR-5-STAT", "E-BR-9", "E-BR-11")
def test_the_reports_permit_what_their_scale_permits_and_call_additivity_sufficient():
    reports = [check(Preference.esl(), mixtures=False), check(Preference.esl(), sums=False), check(Preference.esl())]
    assert ["mean" in report.statistics for report in reports] == [False, True, True]
    assert ["percentage" in report.statistics for report in reports] == [False, False, True]
    assert "sufficient for that, not necessary" in " ".join(reports[2].why)
    assert check(CAUTIOUS).statistics == ()


@pytest.mark.spec("E-BR-9")
def test_a_ratio_scale_does_without_mixtures_where_sums_are_declared():
    assert check(Preference.esl(), mixtures=False, sums=True).answer == "ratio"
    assert check([(0, 1), (1, "~", EVEN)], sums=True).answer == "ratio"


HALVES = [(k, "~", Lottery.uniform(k - 1, k + 1)) for k in range(1, 6)]

DECISIONS = {
    "preferred long": ([(1, 0)], "unusable"),
    "risk averse": ([(0, 1), (1, EVEN)], "unusable"),
    "contradictory": ([(0, 1), (1, 0)], "unusable"),
    "order only": ([(0, 1), (1, 2), (2, 3)], "ordinal"),
    "at least cautious": ([(0, 1), (1, ">=", EVEN)], "ordinal"),
    "one half missing": ([(0, 1), *HALVES[:2], *HALVES[3:]], "ordinal"),
    "no direction": (HALVES, "ordinal"),
    "all halves": ([(0, 1), *HALVES], "interval"),
    "pinched": ([(0, 1), (1, ">=", EVEN), (EVEN, ">=", 1)], "interval"),
    "a gap in the range": ([(0, 10), (5, "~", Lottery.uniform(0, 10))], "ordinal"),
}


@pytest.mark.spec("BR-5-DECIDE")
@pytest.mark.parametrize(("statements", "answer"), DECISIONS.values(), ids=DECISIONS)
def test_stated_preferences_decide_what_esl_is(statements, answer):
    report = check(statements)
    assert report.answer == answer
    assert check(statements, sums=True).answer == ("ratio" if answer == "interval" else answer)
    assert check(statements, sums=False).answer == answer
    assert check(statements, mixtures=False).answer == ("ordinal" if answer == "interval" else answer)
    if answer == "ordinal":
        other = report.alternative
        assert all(statement.agrees_with(other) for statement in report.representation.statements)
        slopes = {(y - x) / (b - a) for (a, x), (b, y) in pairwise(other.items())}
        assert len(slopes) > 1 or slopes == {0}


@pytest.mark.spec("BR-5-DECIDE")
@pytest.mark.parametrize(
    ("preference", "broken"),
    [
        (WORST, "independence"),
        (LEXICOGRAPHIC, "continuity"),
        (CAUTIOUS, "half_half"),
        (Preference.by_utility(lambda k: -(k**0.5)), "half_half"),
        (Preference.by_utility(lambda k: k), "sign"),
        (Preference.strictly(lambda p, q: p.mean < q.mean - 1), "strict_weak_order"),
        (Preference.weakly(lambda p, q: max(p) <= min(q)), "completeness"),
    ],
)
def test_a_relation_that_breaks_an_axiom_makes_esl_unusable_and_shows_it(preference, broken):
    report = check(preference)
    verdict = report.verdicts[broken]
    assert (report.answer, report.scale) == ("unusable", None)
    assert not verdict.holds
    assert verdict.witness.lotteries
    assert " ".join(str(verdict.witness)[1:].split()) in " ".join(str(report).split())


@pytest.mark.spec("BR-5-DECIDE")
def test_esl_still_orders_rankings_without_ties_for_the_cautious_but_not_for_those_who_want_more():
    cautious, greedy = check(CAUTIOUS), check(Preference.by_utility(lambda k: k))
    assert cautious.verdicts["untied"].holds
    assert "without ties" in str(cautious)
    assert not greedy.verdicts["untied"].holds
    assert "without ties" not in " ".join(greedy.why)
    assert check(CAUTIOUS, range(8), mixtures=False).answer == "ordinal"


@pytest.mark.spec("BR-5-DECIDE")
@pytest.mark.parametrize("sums", [None, True])
def test_two_numbers_have_one_step_so_that_nothing_shows_whether_steps_are_equal(sums):
    report = check([(0, 1)], sums=sums)
    assert str(report.answer) == "ordinal"
    assert "whether steps are equal cannot show" in report.why[-1]
