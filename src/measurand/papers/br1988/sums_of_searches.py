"""Sections 4 and 5: one search after another, and what esl is good for.

Section 4: why esl is a ratio scale where searches add up. Section 5: what may be computed with esl, for whom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from statistics import fmean, geometric_mean, median

import numpy as np

from measurand.arrays import FloatArray
from measurand.papers.br1988.lotteries import weak_orders
from measurand.papers.br1988.preferences import minus_square, shorter_at_worst
from measurand.papers.exhibit import Line, exhibit, line
from measurand.scales.meaning import Affine, Power, Transformation, survives
from measurand.search_length import Lottery, WeakOrder, realisation, realise
from measurand.search_length.preferences import (
    Preference,
    additivity,
    archimedean,
    check,
    monotone_in_sums,
    permitted,
    repetitions,
    risk_structure,
)

LEFT = Lottery({0: "1/2", 1: "1/4", 2: "1/4"})
RIGHT = Lottery.uniform(0, 1, 2)
"""The two lotteries of example 4.1."""


def searches(documents: int) -> tuple[Lottery, ...]:
    """Return the different lotteries of searches for one document among so many.

    Examples
    --------
    >>> searches(2)
    (Lottery({0: 0.5, 1: 0.5}), Lottery({0: 1}), Lottery({1: 1}), Lottery({2: 1}))
    """
    found = {WeakOrder.parse(text).search_length(1) for text in weak_orders(documents)}
    return tuple(sorted(found, key=lambda lottery: sorted(lottery.items())))


@exhibit("BR-4-MEAN", where="Section 4, percentages")
def so_many_per_cent_better() -> Iterator[Line]:
    """Whether one search is so many per cent shorter depends on the scale."""
    shorter, longer, shift = 2, 4, Affine(1, 10)
    yield line("2 against 4 documents: ratio", Fraction(shorter, longer))
    moved = [int(value) for value in shift(np.array([shorter, longer]))]
    yield line("after k + 10", Fraction(*moved))

    def by_half(lengths: FloatArray) -> bool:
        return bool(lengths[0] <= 0.5 * lengths[1])

    interval = survives(by_half, [shorter, longer], [Affine(3, 0), shift])
    ratio = survives(by_half, [shorter, longer], [Affine(3, 0), Affine(0.25, 0)])
    yield line("percentages mean something on an interval scale", bool(interval), said=False)
    yield line("percentages mean something on a ratio scale", bool(ratio), said=True)


@exhibit("BR-4-CONV", "BR-Ex4.1", where="Section 4, Example 4.1")
def the_sum_of_two_searches() -> Iterator[Line]:
    """Two searches with nothing in common, one after the other."""
    both = LEFT.convolve(RIGHT)
    for k, printed in enumerate((Fraction(1, 6), Fraction(1, 4))):
        yield line(f"chance of {k}", both[k], printed=printed)
    yield line("chances of 2, 3, 4", tuple(both[k] for k in (2, 3, 4)))
    yield line("means of P, of Q, of P * Q", (LEFT.mean, RIGHT.mean, both.mean))
    yield line("P * P * P = P³", LEFT.convolve(LEFT).convolve(LEFT) == LEFT**3)
    is_search = any(realise(LEFT, i) for i in range(1, 21))
    yield line("P is a retrieval result, for some i up to 20", is_search)
    yield line("because", realisation(LEFT, 20).why)


@exhibit("BR-4-NOTCLOSED", where="Section 4, sums that are no results")
def sums_that_are_no_search() -> Iterator[Line]:
    """The sum of two searches need not be one: an example of two that are searches."""
    halves = Lottery.uniform(0, 1)
    both = halves.convolve(halves)
    yield line("0 or 1 with equal chances is a search, in", str(realise(halves, 1)))
    yield line("chances of 0, 1, 2 in the sum of two", tuple(both.values()))
    closed = any(realise(both, i) for i in range(1, 61))
    yield line("sums of searches are searches, for some i up to 60", closed, said=False)
    least = min(WeakOrder([(2 * s - 1, 2)]).search_length(s)[0] for s in range(1, 60))
    yield line("least chance of 0 in ranks with that mean, i < 60", least)
    yield line("it is still more than 1/4", least > both[0])


@exhibit("BR-D4.1", where="Section 4, Definition 4.1")
def risk_structures() -> Iterator[Line]:
    """Preferences that carry over to sums; the third condition must let n depend on what is added."""
    esl, none, one = Preference.esl(), Lottery.sure(0), Lottery.sure(1)

    def makes_up(n: int, late: int) -> bool:
        return esl.at_least((none**n).convolve(Lottery.sure(late)), one**n)

    one_for_all = any(all(makes_up(n, late) for late in range(18)) for n in range(1, 17))
    yield line("one n up to 16 does for every R, R' (0 against 1)", one_for_all, said=True, erratum="E-BR-1")
    yield line(
        "n make up for n, not for n + 1, n up to 16", all(makes_up(n, n) > makes_up(n, n + 1) for n in range(1, 17))
    )
    yield line("n that makes up for a head start of 50", repetitions(esl, 0, 1, 50, 0))
    at_once = all(repetitions(esl, 0, 1, k, k) == 1 for k in range(50))
    yield line("with R on both sides (up to 49), n = 1 will do", at_once)
    yield line("esl has a risk structure, n chosen after R and R'", bool(risk_structure(esl)))
    pair = Lottery.sure(2), Lottery({0: "3/4", 4: "1/4"})
    yield line("f = -k²: 2 for sure, and 0 (3/4) or 4 (1/4)", _squares(*pair))
    yield line("the same after 1 is added to both", _squares(*(P.convolve(one) for P in pair)))
    yield line("f = -k² carries over to sums", bool(monotone_in_sums(Preference.by_utility(minus_square), [1, *pair])))


def _squares(*lotteries: Lottery) -> tuple[Fraction, ...]:
    return tuple(lottery.expectation(minus_square) for lottery in lotteries)


@exhibit("BR-L4.1", where="Section 4, Lemma 4.1")
def esl_adds_up() -> Iterator[Line]:
    """Minus esl of a sum is the sum, and preferences by it carry over to sums, for all lotteries of a sample."""
    sample = searches(3)
    # asked pair by pair: of esl itself it is known without asking
    asked = Preference.strictly(lambda p, q: p.mean < q.mean)
    yield line("searches for one of 3 documents: lotteries", len(sample))
    adds_up = all(-P.convolve(Q).mean == -P.mean - Q.mean for P, Q in product(sample, repeat=2))
    yield line("E(-k, P * Q) = E(-k, P) + E(-k, Q)", adds_up, said=True)
    yield line("P ≽ Q just if P * R ≽ Q * R", bool(monotone_in_sums(asked, sample)), said=True)
    yield line("repeating the better makes up for what is added", bool(archimedean(asked, sample)), said=True)


@exhibit("BR-T4.1", where="Section 4, Theorem 4.1")
def only_the_unit_is_free() -> Iterator[Line]:
    """What adds up as searches do is minus esl in some unit: that is sufficient for a ratio scale."""
    yield line("-esl adds up", bool(additivity(lambda P: -P.mean)), said=True)
    yield line("-3 esl adds up", bool(additivity(lambda P: -3 * P.mean)), derived=True)
    yield line("1 - esl adds up", bool(additivity(lambda P: 1 - P.mean)), derived=False)


@exhibit("BR-5-STAT", where="Section 5, statistics")
def permitted_statistics() -> Iterator[Line]:
    """Medians where only order counts; means, geometric means and percentages on a ratio scale."""
    order, units, shift = (Power(0.5), Power(2)), (Affine(3), Affine(0.25)), (Affine(1, 10),)
    by_median, by_mean, by_product = _shorter(median), _shorter(fmean), _shorter(geometric_mean)
    yield line("ordinal: medians of 1, 1, 10 and 3, 3, 4 keep order", _keeps(by_median, order), said=True)
    yield line("ordinal: their means keep order", _keeps(by_mean, order), said=False)
    yield line("ratio: their means keep order", _keeps(by_mean, units), said=True)
    yield line("ratio: their geometric means keep order", _keeps(by_product, units), said=True)
    yield line("interval: their geometric means keep order", _keeps(by_product, shift))
    yield line("ratio: one mean stays 20 % longer", _keeps(_a_fifth_longer, units), said=True)
    for scale in ("ordinal", "ratio"):
        yield line(f"{scale}: measurand permits", ", ".join(permitted(scale)))


def _keeps(statement: Callable[[FloatArray], bool], rescaled: Iterable[Transformation]) -> bool:
    """Return whether a statement on the search lengths of two systems survives changes of the scale."""
    return survives(statement, [[1, 1, 10], [3, 3, 4]], rescaled).holds


def _shorter(statistic: Callable[[list[float]], float]) -> Callable[[FloatArray], bool]:
    return lambda lengths: statistic(lengths[0].tolist()) < statistic(lengths[1].tolist())


def _a_fifth_longer(lengths: FloatArray) -> bool:
    one, other = map(sum, lengths.tolist())
    return bool(5 * one == 6 * other)


@exhibit("BR-5-DECIDE", where="Section 5, use of esl")
def what_esl_is_for_whom() -> Iterator[Line]:
    """Readers with different preferences, and what esl is for each of them."""
    esl, cautious = Preference.esl(), Preference.by_utility(minus_square)
    yield line("every document is minded alike; searches add up", str(check(esl).answer), said="ratio")
    yield line("every document is minded alike; no sums", str(check(esl, sums=False).answer))
    yield line("only the order of results counts", str(check(esl, mixtures=False).answer))
    yield line("long searches hurt more and more (f = -k²)", str(check(cautious).answer))
    yield line("the same, on rankings without ties", str(check(cautious, range(8), mixtures=False).answer))
    yield line("the worst case counts", str(check(shorter_at_worst).answer))
    yield line("the more the better (f = +k)", str(check(Preference.by_utility(int)).answer))
    halves = [(k, "~", Lottery.uniform(k - 1, k + 1)) for k in range(1, 6)]
    yield line("says: 0 ≻ 1 ≻ 2 ≻ 3", str(check([(0, 1), (1, 2), (2, 3)]).answer))
    yield line("says: 0 ≻ 1, and half-half up to 6", str(check([(0, 1), *halves]).answer))
    yield line("says so, and that searches add up", str(check([(0, 1), *halves], sums=True).answer))


EXHIBITS = (
    so_many_per_cent_better,
    the_sum_of_two_searches,
    sums_that_are_no_search,
    risk_structures,
    esl_adds_up,
    only_the_unit_is_free,
    permitted_statistics,
    what_esl_is_for_whom,
)
