"""Section VIII-A: how values are spread over all runs, Figures 6 to 8."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np

from measurand.intervals import distribution
from measurand.measures import parse
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.fff2021.four_ranks import values_of
from measurand.scales import Image, interval, share_between, value_curve

DEPTHS = (5, 10, 20, 30)


def central(measure: str, depth: int) -> Fraction:
    """Return the percentage of runs whose values are in the central half of the range."""
    highest: Any = parse(measure).of((1,) * depth)
    low, high = share_between(measure, depth, highest / 4, 3 * highest / 4)
    return 50 * (low + high)


def groups_by_quarter(values: Image) -> tuple[int, ...]:
    """Return how many groups of tied runs have their value in each quarter of the range, from the lowest."""
    tied = [float(value) for value, size in zip(values, values.sizes.tolist(), strict=True) if size > 1]
    counts, _ = np.histogram(tied, bins=4, range=(float(values.lowest), float(values.highest)))
    return tuple(counts.tolist())


@exhibit("FFF-Fig6", where="Sections VIII-A1 and VIII-C1, on Figure 6")
def figure_6() -> Iterator[Line]:
    """P, RBP with p = 1/2 and RR: how many runs have which value."""
    shares = [Fraction(0), *(share for _, share in value_curve("P", 5))]
    none, *middle, full = (100 * (high - low) for low, high in pairwise(shares))
    read = ("20", "30", "30", "20")
    yield line("P, N = 5: % of runs at 0.2, 0.4, 0.6, 0.8", tuple(middle), printed=read, erratum="E35")
    yield line("the same with more digits, and at 0 and 1", tuple(map(float, (*middle, none, full))))
    for depth, clusters in ((5, (1, 5)), (10, (6, 5)), (20, (16, 5)), (30, (26, 5))):
        values: Any = distribution("RR", depth).values
        low = sum(value < Fraction(1, 5) for value in values)
        yield line(f"RR, N = {depth}: values below 0.2, and from 0.2 to 1", (low, len(values) - low), printed=clusters)
    four, _ = distribution("RR", 30).share_between(Fraction(1, 4), 1)
    yield line("RR, N = 30: % of runs at 1, 1/2, 1/3 or 1/4", float(100 * four))
    yield line("which is over 90", four > Fraction(9, 10), said=True)
    for depth in DEPTHS[:2]:
        points: Any = value_curve("RBP(p=0.5)", depth)
        straight = all(share == value + Fraction(1, 2**depth) for value, share in points)
        yield line(f"RBP, p = 1/2, N = {depth}: a straight line", straight, said=True)


@exhibit("FFF-Fig7", where="Section VIII-A1, Figure 7")
def figure_7() -> Iterator[Line]:
    """RBP with p = 0.3, 1/2 and 0.8: how high it reaches, and where its runs are."""
    for depth in DEPTHS:
        highest = (parse(f"RBP(p={p})").value((1,) * depth) for p in ("0.3", "0.5", "0.8"))
        yield line(f"highest RBP, N = {depth}: p = 0.3, 0.5, 0.8", tuple(f"{value:.4f}" for value in highest))
    for p in ("0.3", "0.5", "0.8"):
        yield line(f"% of runs in the central half, N = 20: p = {p}", f"{float(central(f'RBP(p={p})', 20)):.1f}")


@exhibit("FFF-Fig8", where="Section VIII-A1, Figure 8")
def figure_8() -> Iterator[Line]:
    """DCG with base 2 and 10: the longer the runs, the more of them have values in the middle."""
    for base, depths in ((2, DEPTHS), (10, DEPTHS[2:])):
        for depth in depths:
            share = f"{float(central(f'DCG(b={base})', depth)):.1f}"
            yield line(f"% of runs in the central half, base {base}, N = {depth}", share)


@exhibit("FFF-Fig8-ties", where="Section VIII-A1, on Figure 8")
def ties_of_dcg() -> Iterator[Line]:
    """Runs that tie under DCG with base 2 are two and two, the same share of all runs at every length."""
    found = {depth: values_of("DCG(b=2)", depth) for depth in (2, 5, 8)}
    groups = tuple(one.size - one.ties[1] for one in found.values())
    yield line("base 2: groups of tied runs at N = 2, 5, 8", groups)
    yield line("base 2: there are more and more of them", groups[0] < groups[1] < groups[2], said=True)
    quarters = groups_by_quarter(found[8])
    yield line("base 2, N = 8: groups in each quarter of the range", quarters)
    yield line("base 2: they lie unevenly across the range", len(set(quarters)) > 1, said=True)
    sizes = {size for one in found.values() for size in one.ties if size > 1}
    yield line("base 2: sizes of groups at N = 2, 5, 8", tuple(sizes))
    shares = [Fraction(interval(f"DCG(b=2)@{depth}").size, 2**depth) for depth in (2, 5, 10, 20, 30, 63)]
    yield line("base 2: share of distinct values, N = 2, 5, 10, 20, 30, 63", tuple(shares))
    # they could if a larger and larger share of runs tied, so that the share of distinct values fell
    yield line("ties explain the trend", shares[0] > shares[-1], said=True, erratum="E36")
    ten = distribution("DCG(b=10)", 11)
    large = Counter(at - below for below, at in zip(ten.below, ten.at_most, strict=True))
    subsets = Counter({size: 2 * n for size, n in Counter(comb(10, k) for k in range(11)).items()})
    yield line("base 10, N = 11: groups are as large as C(10, k)", large == subsets)


EXHIBITS = (figure_6, figure_7, figure_8, ties_of_dcg)
