"""Section 5: what may be computed with esl, for whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from statistics import fmean, geometric_mean, median

from measurand.arrays import FloatArray
from measurand.papers.br1988.linear_utility import minus_square
from measurand.papers.br1988.preferences import shorter_at_worst
from measurand.papers.exhibit import Line, exhibit, line
from measurand.scales.meaning import Affine, Power, Transformation, survives
from measurand.search_length import Lottery
from measurand.search_length.preferences import Preference, check, permitted


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
    """Say whether a statement on the search lengths of two systems survives changes of the scale."""
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


EXHIBITS = (permitted_statistics, what_esl_is_for_whom)
