"""Section 5.1: why expected reciprocal rank is a measurement.

ERR is linear in the stopping probability x of each rank. So a partial derivative is a difference of two values. A
formula that is linear in each x holds for all if it holds for two values of each, here 0 and 1/2: ERR with two grades.
The least and the greatest value lie where each x is 0 or 1: there ERR is reciprocal rank, of readers who stop for
certain at the first relevant document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

from measurand.orders import swap
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.examples import Run, every, run, worth

HALF = Fraction(1, 2)


def err(judged: Sequence[Any]) -> Fraction:
    """Return expected reciprocal rank, where a relevant document stops half of the readers.

    Examples
    --------
    >>> err((0, 1))
    Fraction(1, 4)
    """
    return worth("ERR", judged)


def sure(judged: Run) -> Fraction:
    """Return expected reciprocal rank, where a relevant document stops every reader.

    Examples
    --------
    >>> sure((0, 1, 1))
    Fraction(1, 2)
    """
    return worth("RR", judged)


def going_on(judged: Run) -> Fraction:
    """Return the probability of coming past some documents of which each stops half of the readers, if relevant.

    Examples
    --------
    >>> going_on((1, 0, 1))
    Fraction(1, 4)
    """
    return prod((1 - HALF * grade for grade in judged), start=Fraction(1))


def slope(judged: Run, rank: int) -> Fraction:
    """Return the partial derivative of expected reciprocal rank in the stopping probability at a rank.

    Examples
    --------
    >>> slope((1, 0), rank=2)
    Fraction(1, 4)
    """
    with_it, without = ((*judged[: rank - 1], grade, *judged[rank:]) for grade in (1, 0))
    return (err(with_it) - err(without)) / HALF


def factor(rank: int, between: Run) -> Fraction:
    """Return D, what a swap across some documents gains, for each unit by which the two probabilities differ.

    Examples
    --------
    >>> factor(1, ()), factor(1, (1,))
    (Fraction(1, 2), Fraction(7, 12))
    """
    above = (0,) * (rank - 1)
    return (err((*above, 1, *between, 0)) - err((*above, 0, *between, 1))) / HALF


@exhibit("FFM-ERR-def", where="Section 5.1, definition")
def the_definition() -> Iterator[Line]:
    """Expected reciprocal rank from the probabilities of stopping."""
    yield line("ERR of x = 1/2, 0, 1/2", err(run("101")))
    by_hand = {
        judged: sum((HALF * grade * going_on(judged[:i]) / (i + 1) for i, grade in enumerate(judged)), Fraction(0))
        for judged in every(2, 5)
    }
    same = all(err(judged) == value for judged, value in by_hand.items())
    yield line("the printed sum is ERR, n = 5, x = 0 or 1/2", same, said=True)


@exhibit("FFM-ERR-dn", "FFM-ERR-dn1", "FFM-ERR-dk", where="Section 5.1, partial derivatives")
def derivatives() -> Iterator[Line]:
    """A more satisfying document does not hurt: no partial derivative is negative."""
    runs = every(2, 5)
    last = all(slope(x, 5) == going_on(x[:4]) / 5 for x in runs)
    yield line("by xₙ, n = 5: ∏(1 − x)/n", last, said=True)
    yield line("by x₂, n = 2, x₁ = 1/2", slope(run("10"), 2))
    before = all(slope(x, 4) == going_on(x[:3]) * (Fraction(1, 4) - HALF * x[4] / 5) for x in runs)
    yield line("by xₙ₋₁, n = 5: ∏(1 − x)(1/(n − 1) − xₙ/n)", before, said=True)

    def tail(x: Run, k: int) -> Fraction:
        later = (HALF * x[m - 1] * going_on(x[k : m - 1]) / m for m in range(k + 1, 6))
        return Fraction(1, k) - sum(later, Fraction(0))

    general = all(slope(x, k) == going_on(x[: k - 1]) * tail(x, k) for x, k in product(runs, range(1, 6)))
    yield line("by xₖ, n = 5: ∏(1 − x) Sₖ", general, said=True)
    positive = all(slope(x, k) > 0 for x, k in product(runs, range(1, 6)))
    yield line("all positive, n = 5, x = 0 or 1/2", positive, said=True)
    stopped = sure(run("11")) - sure(run("10"))
    yield line("by x₂, n = 2, x₁ = 1", stopped)
    yield line("which is positive", stopped > 0, said=True, erratum="E09")


@exhibit("FFM-ERR-two", "FFM-ERR-S", where="Section 5.1, bounds")
def bounds() -> Iterator[Line]:
    """What lies below a rank is worth at most a sure stop at the next one."""
    worth = max(sure((0, 0, *two)) for two in every(2, 2))
    yield line("n = 4: the last two terms are at most 1/(n − 1)", worth <= Fraction(1, 3), said=True)
    least = min(sure((0, 1, x)) - sure((0, 0, x)) for x in (0, 1))
    yield line("n = 3: least 1/(n − 1) − xₙ/n, at xₙ = 1", least)
    yield line("which is more than 1/(n(n − 1))", least > Fraction(1, 3 * 2), said=True, erratum="E09")
    for k in (1, 2, 3):
        above = (0,) * (k - 1)
        least = min(sure((*above, 1, *rest)) - sure((*above, 0, *rest)) for rest in every(2, 3))
        bound = Fraction(1, k) - Fraction(1, k + 1)
        yield line(f"n = {k + 3}: least S{'₁₂₃'[k - 1]}", least)
        yield line(f"which is more than 1/{k} − 1/{k + 1}", least > bound, said=True, erratum="E09")


@exhibit("FFM-ERR-sw1", "FFM-ERR-swD", "FFM-ERR-D1", where="Section 5.1, swap")
def what_a_swap_gains() -> Iterator[Line]:
    """A swap gains the chance to come there, times the difference of the probabilities, times a number D above 0."""
    yield line("ERR of 10 − ERR of 01", err(run("10")) - err(run("01")))
    swapped = [
        (x, swap(x, i, j), i, j) for x in every(2, 5) for i, j in combinations(range(1, 6), 2) if x[i - 1] < x[j - 1]
    ]
    close = [err(s) - err(r) == going_on(r[: i - 1]) * HALF / (i * (i + 1)) for r, s, i, j in swapped if j == i + 1]
    yield line("n = 5, neighbours: ∏(1 − x)(xᵢ₊₁ − xᵢ)/(i(i + 1))", all(close), said=True)
    wide = [err(s) - err(r) == going_on(r[: i - 1]) * HALF * factor(i, r[i : j - 1]) for r, s, i, j in swapped]
    yield line("n = 5, any two: ∏(1 − x)(xⱼ − xᵢ) D", all(wide), said=True)
    for i in (1, 2, 5):
        above = (0,) * (i - 1)
        least = min(sure((*above, 1, x, 0)) - sure((*above, 0, x, 1)) for x in (0, 1))
        yield line(f"i = {i}, j = {i + 2}: least D", least)
        yield line(f"which is 1/({i} · {i + 1}) or more", least >= Fraction(1, i * (i + 1)), said=True)


@exhibit("FFM-ERR-ind", where="Section 5.1, induction")
def one_more_between() -> Iterator[Line]:
    """With every further document between the two, D never falls; its step is not the printed one."""
    step = factor(1, (1, 1)) - factor(1, (1,))
    yield line("i = 1, x₁ = x₂ = 1/2: D₂ − D₁", step, derived=Fraction(1, 12), erratum="E10")
    steps = [
        factor(i, between) - factor(i, between[:-1]) == going_on(between) / ((i + k) * (i + k + 1))
        for i, k in product((1, 2, 3), (1, 2, 3))
        for between in every(2, k)
    ]
    yield line("Dₖ − Dₖ₋₁ = ∏ₘ≤ₖ(1 − xₘ)/((i+k)(i+k+1)), i, k ≤ 3", all(steps))
    least = []
    for i in (1, 2, 3):
        above = (0,) * (i - 1)
        least.append(min(sure((*above, 1, *mid, 0)) - sure((*above, 0, *mid, 1)) for mid in every(2, 3)))
    yield line("i = 1, 2, 3, three between: least D", tuple(least))
    yield line("so D > 0", min(least) > 0, said=True)


EXHIBITS = (the_definition, derivatives, bounds, what_a_swap_gains, one_more_between)
