"""Section 3, second half: preferences between lotteries, and linear utility.

The axioms of preferences and expected utility; then what makes utility minus the number of nonrelevant documents, and
which scale that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from measurand.papers.br1988.lotteries import RESULT
from measurand.papers.exhibit import Line, exhibit, line
from measurand.search_length import Lottery, WeakOrder
from measurand.search_length.preferences import (
    Preference,
    by_the_mean,
    check,
    completeness,
    continuity,
    half_half,
    half_half_solutions,
    independence,
    represent,
    sign,
    strict_weak_order,
    transitivity,
    weak_order,
)

HALF = Fraction(1, 2)


def shorter_at_worst(one: Lottery, other: Lottery) -> bool:
    """Return what somebody prefers who looks at nothing but how long a search can become.

    Examples
    --------
    >>> shorter_at_worst(Lottery.sure(1), Lottery.uniform(0, 2))
    True
    """
    return one.high < other.high


def relations(points: int) -> list[Preference]:
    """Return all relations on so many points, each as what is preferred to what.

    Examples
    --------
    >>> len(relations(2))
    16
    """
    pairs = [(one, other) for one in range(points) for other in range(points)]
    chosen = product((False, True), repeat=len(pairs))
    return [
        Preference.of_pairs([pair for pair, holds in zip(pairs, bits, strict=True) if holds], range(points))
        for bits in chosen
    ]


@exhibit("BR-D3.2", "BR-Ex3.3", where="Section 3, Definition 3.2 and Example 3.3")
def expectations() -> Iterator[Line]:
    """The mean of any function of the search length; of minus the length it is minus esl."""
    order = WeakOrder.parse(RESULT)
    second = order.search_length(2)
    searches = [(order.search_length(i), order.esl(i)) for i in range(1, 6)]
    yield line("f(j) = -j: E(f, P) is -esl", all(P.expectation(lambda j: -j) == -esl for P, esl in searches), said=True)
    yield line("E(f, P) in Example 2.2", second.expectation(lambda j: -j), derived=-2)
    yield line("mean of k² in Example 2.2", second.expectation(lambda k: k**2))


@exhibit("BR-3-REL", "BR-3-AXi", "BR-3-AXii", "BR-D3.3a", where="Section 3, Definition 3.3 (the first)")
def better_and_at_least_as_good() -> Iterator[Line]:
    """What follows from “better” alone, and what breaks an order."""
    yield line("≻ on 2 points: relations whose ≽ is incomplete", sum(not completeness(each) for each in relations(2)))
    given = Preference.of_pairs([("a", "a"), ("b", "b")], weak=True)
    yield line("≽ given, only a ≽ a and b ≽ b: complete", bool(completeness(given)))
    circle = Preference.of_pairs([("a", "b"), ("b", "c"), ("c", "a")])
    yield line("a ≻ b ≻ c ≻ a: ≽ is transitive", bool(transitivity(circle)))
    yield line("the three that show it", "".join(transitivity(circle).witness.lotteries))
    clearly = Preference.strictly(lambda p, q: p.mean < q.mean - 1)
    yield line("better by more than 1: a strict weak order", bool(strict_weak_order(clearly, [0, 1, 2])))
    yield line("because", str(strict_weak_order(clearly, [0, 1, 2]).witness))


@exhibit("BR-L3.1", where="Section 3, Lemma 3.1")
def weak_and_strict() -> Iterator[Line]:
    """Being at least as good is a weak order just if being better is a strict one: if better is asymmetric."""
    itself = Preference.of_pairs([("P", "P")])
    agree = bool(weak_order(itself)) == bool(strict_weak_order(itself))
    yield line("one point, P ≻ P: both orders or neither", agree, said=True, erratum="E-BR-8")
    every = relations(3)
    apart = [each for each in every if bool(weak_order(each)) != bool(strict_weak_order(each))]
    yield line("relations on 3 points", len(every))
    yield line("those on which the two differ", len(apart))
    asymmetric = [each for each in every if _is_asymmetric(each)]
    yield line("asymmetric ones", len(asymmetric))
    yield line("both or neither on each of these", not any(map(_is_asymmetric, apart)), said=True)


def _is_asymmetric(relation: Preference) -> bool:
    points = relation.domain or ()
    return not any(relation.prefers(a, b) and relation.prefers(b, a) for a, b in product(points, repeat=2))


@exhibit("BR-D3.3b", where="Section 3, Definition 3.3 (the second)")
def mixtures() -> Iterator[Line]:
    """A mixture of two lotteries is a lottery, and expectation is linear in it."""
    order = WeakOrder.parse(RESULT)
    one, other, share = order.search_length(1), order.search_length(2), Fraction(1, 3)
    mixed = one.mix(other, share)
    yield line("1/3 of Example 2.1, else Example 2.2: 0, 1, 2, 3", tuple(mixed.values()))
    yield line("the probabilities add up to", sum(mixed.values()), derived=1)
    weighted = share * one.mean + (1 - share) * other.mean
    yield line("its mean is the mixture of the means", mixed.mean == weighted)


@exhibit("BR-T3.1", where="Section 3, Theorem 3.1")
def a_utility_for_stated_preferences() -> Iterator[Line]:
    """What somebody says has a utility, or is shown to have none."""
    one, five, gamble = Lottery.sure(1), Lottery.sure(5), Lottery.uniform(0, 2)
    alone = represent([(one, gamble)])
    yield line("1 for sure ≻ 0 or 2: a utility at 0, 1, 2", tuple((alone.utility or {}).values()))
    both = represent([(one, gamble), (gamble.mix(five, HALF), one.mix(five, HALF))])
    yield line("and the reverse when 5 is mixed in: a utility", bool(both.exists))
    if both.contradiction is not None:
        yield line("shares that make both sides the same", both.contradiction.weights)


@exhibit("BR-T3.1-ii", where="Section 3, Theorem 3.1 (ii)")
def independence_of_what_is_mixed_in() -> Iterator[Line]:
    """Who goes by the worst case prefers 0 to 1, but not after 2 is mixed into both."""
    none, one, two = (Lottery.sure(k) for k in (0, 1, 2))
    fearful = Preference.strictly(shorter_at_worst)
    yield line("esl is independent of what is mixed in", bool(independence(Preference.esl())), derived=True)
    yield line("the worst case is so, on 0, 1, 2", bool(independence(fearful, [0, 1, 2])))
    yield line("worst case: 0 against 1", fearful.standing(none, one))
    yield line("each with 2 mixed in", fearful.standing(none.mix(two, HALF), one.mix(two, HALF)))


@exhibit("BR-T3.1-iii", where="Section 3, Theorem 3.1 (iii)")
def a_little_changes_little() -> Iterator[Line]:
    """However little of the worst is mixed in, some never accept it."""

    def long_first(lottery: Lottery) -> tuple[Fraction, Fraction]:
        return sum((p for k, p in lottery.items() if k >= 10), Fraction(0)), lottery.mean

    gamble = {0: "9/10", 10: "1/10"}
    longest_first = Preference.strictly(lambda p, q: long_first(p) < long_first(q))
    yield line("esl is continuous", bool(continuity(Preference.esl())), derived=True)
    yield line(
        "the worst case is continuous, on 0, 1, 2", bool(continuity(Preference.strictly(shorter_at_worst), [0, 1, 2]))
    )
    yield line("first chance of 10 or more, then esl: is continuous", bool(continuity(longest_first, [0, 1, 10])))
    yield line(
        "it is independent, on 0, 1, 2, 10, 20 and a gamble",
        bool(independence(longest_first, [0, 1, 2, 10, 20, gamble])),
    )


@exhibit("BR-Ex3.4", where="Section 3, Example 3.4")
def a_hundred_with_a_small_chance() -> Iterator[Line]:
    """A small risk of 100 in place of a sure 2 is better than a sure 3."""
    worst, middle, best = (Lottery.sure(k) for k in (100, 3, 2))
    risky = worst.mix(best, "1/100")
    yield line("mean of 100 (1/100) or 2 (99/100)", risky.mean)
    yield line("it is preferred to 3 for sure", Preference.esl().prefers(risky, middle), said=True)
    even = (middle.mean - best.mean) / (worst.mean - best.mean)
    yield line("share of the 100 at which it no longer is", even)
    yield line("mean then", worst.mix(best, even).mean)


AXIOMS = (weak_order, independence, continuity, half_half)
"""Theorem 3.1 (i) to (iii), and the half-half condition."""


def minus_square(k: int) -> int:
    """Return the utility of so many nonrelevant documents to whom long searches hurt more and more.

    Examples
    --------
    >>> minus_square(3)
    -9
    """
    return -(k**2)


@exhibit("BR-3-PK", "BR-3-HALF", where="Section 3, one fewer or one more")
def one_fewer_or_one_more() -> Iterator[Line]:
    """For esl, one document fewer or one more with equal chances is as good as neither; not for the cautious."""
    sure = [Lottery.sure(k) for k in range(9)]
    values = all(P.expectation(lambda x: x**2) == k**2 for k, P in enumerate(sure))
    yield line("k for sure: E(f, P_k) is f(k), for f = k²", values, said=True)
    yield line("f = -k: half k-1, half k+1 is as good as k", bool(half_half(Preference.esl())), said=True)
    yield line("f = -k²: the same", bool(half_half(Preference.by_utility(minus_square))))
    gamble = Lottery.uniform(0, 2)
    yield line(
        "f = -k²: expectations of 0 or 2, and of 1", tuple(P.expectation(minus_square) for P in (gamble, sure[1]))
    )


@exhibit("BR-3-SOL", where="Section 3, the difference equation")
def solutions_of_the_difference_equation() -> Iterator[Line]:
    """The utilities that meet the condition are the straight lines."""
    solutions = half_half_solutions(8)
    yield line("utilities on 0 … 8 that it leaves: a basis of", len(solutions))
    lines = [list(solution) for solution in solutions] == [[1] * 9, list(range(9))]
    yield line("they are a constant and k: all are γk + δ", lines, said=True)
    constant = all(len(set(solution)) == 1 for solution in solutions)
    yield line("γ + δ, as the text before has it: all are constants", constant, derived=True, erratum="E-BR-10")


@exhibit("BR-3-SIGN", "BR-3-IFF", where="Section 3, end, and Section 5")
def necessary_and_sufficient() -> Iterator[Line]:
    """The conditions that Section 5 sums up are necessary; to suffice they need γ < 0, which Section 3 has."""
    yield line("esl meets all conditions", all(axiom(Preference.esl()) for axiom in AXIOMS), said=True)
    for f, slope in (("+k", 1), ("0", 0)):
        preference = Preference.by_utility(slope.__mul__)
        yield line(f"f = {f} meets all conditions", all(axiom(preference) for axiom in AXIOMS))
        yield line(
            f"so, by Section 5, esl stands for f = {f}", bool(by_the_mean(preference)), derived=True, erratum="E-BR-2"
        )
        yield line(f"0 is better than 1 for f = {f}", bool(sign(preference)))
    downhill = Preference.by_utility(lambda k: 7 - 3 * k)
    yield line("f = 7 - 3k meets all, and 0 is better than 1", all(axiom(downhill) for axiom in (*AXIOMS, sign)))
    yield line("so esl stands for f = 7 - 3k", bool(by_the_mean(downhill)), said=True)


@exhibit("BR-3-SCALE", where="Section 3, end")
def which_scale() -> Iterator[Line]:
    """An interval scale among expectations of a utility, an ordinal one among numbers that merely order."""
    expectations = check(Preference.esl(), sums=False)
    yield line("scale of esl among expectations", str(expectations.scale), said="interval")
    yield line("scale of esl if nothing but the order counts", str(check(Preference.esl(), mixtures=False).scale))
    yield line(
        "among expectations its mean means something (Section 5: no)",
        "mean" in expectations.statistics,
        said=False,
        erratum="E-BR-11",
    )


EXHIBITS = (
    expectations,
    better_and_at_least_as_good,
    weak_and_strict,
    mixtures,
    a_utility_for_stated_preferences,
    independence_of_what_is_mixed_in,
    a_little_changes_little,
    a_hundred_with_a_small_chance,
    one_fewer_or_one_more,
    solutions_of_the_difference_equation,
    necessary_and_sufficient,
    which_scale,
)
