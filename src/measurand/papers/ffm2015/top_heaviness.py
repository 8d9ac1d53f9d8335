"""Section 6, Figures 1 and 2: how top-heavy measures are, and what a test on simulated systems makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Literal

from measurand.axioms.balance import FIGURE_1A, LENGTHS, Curve, balancing_curve
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.simulation import expected_difference, rejection_rate, simulated_runs

MEASURE = "RBP(p=0.8)"
"""The measure of Figure 1b."""

RANKS = 60
"""How many ranks are simulated for Figure 1b; what lies below has about a millionth of the weight."""

REPETITIONS = 200

SEED = 2015

GENERATORS: Mapping[Literal["fixed", "bernoulli"], str] = MappingProxyType(
    {"bernoulli": "shares by chance", "fixed": "fixed shares"}
)
"""The two ways to place relevant documents, in words."""

BREAKS = (6, 7, 8, 10)
"""Where rates are given: about here they fall."""

OFTEN = 0.95
"""What is taken for almost always."""


@cache
def curve(measure: str) -> Curve:
    """Return a curve of Figure 1a.

    Examples
    --------
    >>> curve("RBP(p=0.8)").points[-1]
    (1000, 8)
    """
    return balancing_curve(measure)


@cache
def told_apart(generator: Literal["fixed", "bernoulli"], break_rank: int) -> float:
    """Return how often a paired t test tells the simulated systems apart, for a point of Figure 1b.

    Examples
    --------
    >>> told_apart("fixed", 0)
    1.0
    """
    # a seed for each point, so that chance does not push all of them to one side
    found = rejection_rate(
        MEASURE, break_rank, repetitions=REPETITIONS, length=RANKS, generator=generator, rng=SEED + break_rank
    )
    return found.rate


@exhibit("FFM-6-Fig1a", where="Figure 1a")
def balancing_curves() -> Iterator[Line]:
    """The balancing index for two grades at 5, 10, 20, 50, 100, 200, 500 and 1,000 ranks."""
    for measure in FIGURE_1A:
        yield line(measure, tuple(index for _, index in curve(measure).points))


@exhibit("FFM-6-interp", where="Section 6, reading of Figure 1a")
def reading_the_curves() -> Iterator[Line]:
    """Near the length of the run the measure counts documents; near 1 it looks at the top."""
    said = {"nDCG(b=2)": False, "AP": False, "RBP(p=0.95)": True, "RBP(p=0.8)": True, "ERR": True}
    for measure, heavy in said.items():
        known = curve(measure)
        yield line(f"{measure}: B(n)/n at n = {LENGTHS[-1]:,}", float(known.share[-1] or 0))
        yield line(f"{measure} is top-heavy", "is top-heavy" in known.reading, said=heavy)


@exhibit("FFM-6-Fig2", where="Figure 2")
def simulated_systems() -> Iterator[Line]:
    """Two systems of 1,000 ranks: alike down to rank rnk, then the first is better to rank 20, the second below."""
    cells = simulated_runs(10, topics=50, rng=SEED).cells
    for ranks, printed in (((1, 10), ("0.2", "0.2")), ((11, 20), ("0.7", "0.3")), ((21, 1000), ("0.1", "0.7"))):
        held = cells[:, :, ranks[0] - 1 : ranks[1]]
        shares = tuple(Fraction(int(each.sum()), each.size) for each in held)
        yield line(f"rnk = 10, ranks {ranks[0]} to {ranks[1]}: shares", shares, printed=printed)
    cells = simulated_runs(8, topics=50, rng=SEED).cells
    for first, last in ((1, 8), (9, 20), (21, 1000)):
        counts = tuple(int(each[0].sum()) for each in cells[:, :, first - 1 : last])
        yield line(f"rnk = 8, ranks {first} to {last}: relevant", counts)


@exhibit("FFM-6-Fig1b", where="Figure 1b")
def how_often_a_test_tells_them_apart() -> Iterator[Line]:
    """A paired t test at 0.05 on 50 topics under RBP(p=0.8): how often it rejects, of 200 pairs of 60 ranks."""
    for break_rank in (0, 5, 8, 10, 15, 16, 20):
        exact = float(expected_difference("0.8", break_rank))
        yield line(f"rnk = {break_rank}: expected difference, 1,000 ranks", round(exact, 4))
    first = next(rank for rank in range(21) if expected_difference("0.8", rank) < 0)
    yield line("the second system is better on average from rnk", first)
    for generator, name in GENERATORS.items():
        rates = tuple(told_apart(generator, break_rank) for break_rank in BREAKS)
        yield line(f"{name}, rnk = {', '.join(map(str, BREAKS))}: rate", rates)
        often = told_apart(generator, 8) >= OFTEN
        yield line(f"{name}, rnk = 8: almost always (≥ {OFTEN})", often, said=True, erratum="E17")


EXHIBITS = (balancing_curves, reading_the_curves, simulated_systems, how_often_a_test_tells_them_apart)
