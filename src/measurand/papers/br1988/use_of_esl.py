"""Section 5: what may be computed with esl, for whom."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from measurand.papers.br1988.linear_utility import minus_square
from measurand.papers.br1988.preferences import shorter_at_worst
from measurand.papers.exhibit import Line, exhibit, line
from measurand.search_length import Lottery
from measurand.search_length.preferences import Preference, additivity, check, permitted, represent

FARTHEST = 4


@exhibit("BR-5-STAT", where="Section 5")
def permitted_statistics() -> Iterator[Line]:
    """Medians where only order counts; means, geometric means and percentages on a ratio scale."""
    ordinal, ratio = permitted("ordinal"), permitted("ratio")
    yield line("ordinal: the median", "median" in ordinal, paper=True)
    yield line("ordinal: the mean", "mean" in ordinal, paper=False)
    yield line("ratio: the mean", "mean" in ratio, paper=True)
    yield line("ratio: the geometric mean", "geometric mean" in ratio, paper=True)
    yield line("ratio: percentages", "percentage" in ratio, paper=True)
    ends = Lottery.sure(FARTHEST), Lottery.sure(0)
    as_good = [(k, "~", ends[0].mix(ends[1], Fraction(k, FARTHEST) ** 2)) for k in range(1, FARTHEST)]
    found = represent([(0, 1), *as_good])
    yield line("f = -k² by what it is as good as, f(0) = 0, f(1) = -1", tuple((found.utility or {}).values()))
    adds_up = additivity(lambda P: P.expectation(minus_square))
    yield line("only its unit is free then, so it adds up", bool(adds_up), paper=True, erratum="E-BR-9")


@exhibit("BR-5-DECIDE", where="Section 5")
def what_esl_is_for_whom() -> Iterator[Line]:
    """Readers with different preferences, and what esl is for each of them."""
    esl, cautious = Preference.esl(), Preference.by_utility(minus_square)
    yield line("every document is minded alike; searches add up", str(check(esl).answer), paper="ratio")
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


EXHIBITS = (permitted_statistics, what_esl_is_for_whom)
