"""Section IV-B, first half: the order of runs that everybody agrees on, and the scales that measures are on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt

from measurand.intervals import image
from measurand.lattice import RunLattice
from measurand.orders import compare
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.fff2021.four_ranks import PANELS, RANKS, RUNS, Run, pairs, run_of, spelled, values_of
from measurand.scales import scale_type
from measurand.scores import Scale

SHARES = tuple(sorted({Fraction(a, b) for b in range(2, 9) for a in range(1, b)}))
"""The persistences that are looked at: fractions with denominators up to 8."""


@exhibit("FFF-IV-B-known", where="Section IV-B, known scales")
def known_scales() -> Iterator[Line]:
    """Which measures are on an interval scale on one topic."""
    for name in ("P", "R", "F", "RBP(p=0.5)"):
        yield line(f"{name} is on an interval scale", _is_interval(name), said=True)
    for name in ("RBP(p=0.3)", "RBP(p=0.8)", "AP", "DCG(b=2)", "ERR"):
        yield line(f"{name} is on an interval scale", _is_interval(name), said=False)
    for name in ("gP", "gR"):
        scales = tuple(scale_type(name, 5, 3, grade_scale=scale).scale for scale in (Scale.RATIO, Scale.ORDINAL))
        conditional = scales == (Scale.INTERVAL, Scale.ORDINAL)
        yield line(f"{name} is so only if grades are on a ratio scale", conditional, said=True)
    even = [p for p in SHARES if image(f"RBP(p='{p}')", 3).equispaced]
    yield line("RBP, of p = a/b with b ≤ 8, is equally spaced for", tuple(even), said=(Fraction(1, 2),))
    for name in ("RR", "DCG(b=2)", "DCG(b=10)", "AP", "ERR", "RBP(p=0.3)", "RBP(p=0.8)"):
        most = 11 if name == "DCG(b=10)" else 6
        last = next(ranks for ranks in range(most, 0, -1) if image(name, ranks).equispaced)
        yield line(f"{name}: most ranks, up to {most}, with equal steps", last)


def _is_interval(name: str) -> bool:
    return scale_type(name).scale is Scale.INTERVAL


@exhibit("FFF-IV-B-gRBP", where="Section IV-B, graded rank-biased precision")
def graded_rank_biased_precision() -> Iterator[Line]:
    """For which persistences graded RBP is equally spaced: all fractions a/b with small b, on three ranks."""
    for highest, derived in ((2, Fraction(1, 3)), (3, Fraction(1, 4))):
        found = tuple(p for p in SHARES if image(f"gRBP(p='{p}')", 3, highest + 1).equispaced)
        yield line(f"gains 0 to {highest}, b ≤ 8: equally spaced for p =", found, derived=(derived,), erratum="E22")
    uneven = [p for p in SHARES if image(f"gRBP(p='{p}', gain={{1: 1, 2: 3}})", 3, 3).equispaced]
    yield line("gains 0, 1, 3, b ≤ 8: equally spaced for p =", tuple(uneven) or "none")


@exhibit("FFF-Fig2", "FFF-Fig2-edges", where="Figure 2, and Section VI-A for the number of runs")
def diagram_of_runs() -> Iterator[Line]:
    """Sixteen runs, and the lines from each to the next better ones."""
    runs = RunLattice("swap", RANKS, 2)
    diagram = runs.hasse()
    yield line("runs", len(diagram.nodes), printed=16)
    yield line("lines", len(diagram.edges))
    yield line("runs by level, from the bottom", diagram.level_sizes)
    for run in RUNS[:-1]:
        yield line(f"next above {spelled(run)}", spelled(*sorted(runs.covers(run))))
    for ranks in (3, 5, 6):
        yield line(f"lines with {ranks} ranks", len(RunLattice("swap", ranks, 2).hasse().edges))


@exhibit("FFF-Fig2-comp", "FFF-Fig2-incomp", "FFF-Fig2-all", where="Section IV-B, on Figure 2")
def comparable_runs() -> Iterator[Line]:
    """Which runs replacement and swapping compare, and which they leave apart."""
    for one, other, said in (
        ("1101", "1110", "less"),
        ("1100", "1110", "less"),
        ("1011", "1110", "less"),
        ("1100", "1011", "incomparable"),
        ("1100", "0111", "incomparable"),
    ):
        yield line(f"{one} against {other}", compare(run_of(one), run_of(other)), said=said)
    levels = {node.element: node.level for node in RunLattice("swap", RANKS, 2).hasse().nodes}
    apart = pairs(comparable=False)
    level = all((one, other) in apart for one, other in combinations(RUNS, 2) if levels[one] == levels[other])
    yield line("runs of one level are never comparable", level, said=True)
    yield line("incomparable pairs", "; ".join(spelled(*pair) for pair in apart))
    with_all = _with_all(apart)
    six = "0000, 0001, 0010, 1101, 1110, 1111"
    yield line("runs that are comparable with every run", spelled(*with_all), said=six)


def _agreement(one: str, other: str, some: Sequence[tuple[Run, Run]]) -> tuple[int, int, int, int]:
    """Return how many pairs two measures order alike, order oppositely, and only the first or the second ties."""
    first, second = (dict(zip(RUNS, values_of(name).places.tolist(), strict=True)) for name in (one, other))
    steps = [(first[r] - first[s], second[r] - second[s]) for r, s in some]
    alike, opposed = sum(x * y > 0 for x, y in steps), sum(x * y < 0 for x, y in steps)
    return alike, opposed, sum(x == 0 != y for x, y in steps), sum(y == 0 != x for x, y in steps)


def _tau(one: str, other: str, some: Sequence[tuple[Run, Run]]) -> float:
    alike, opposed, ties_x, ties_y = _agreement(one, other, some)
    return (alike - opposed) / sqrt((alike + opposed + ties_x) * (alike + opposed + ties_y))


@exhibit("FFF-IV-B-tau", where="Section IV-B, agreement of measures")
def agreement_on_runs() -> Iterator[Line]:
    """Measures never contradict each other on comparable runs, but they tie; elsewhere they may still agree."""
    ordered, apart = pairs(comparable=True), pairs(comparable=False)
    opposed = [_agreement(one, other, ordered)[1] for one, other in combinations(PANELS.values(), 2)]
    yield line("comparable pairs that two measures oppose", sum(opposed), said=0)
    yield line("tau of AP and RBP(p=0.5) there is 1", _tau("AP", "RBP(p=0.5)", ordered) == 1, said=True)
    yield line("tau of P and AP there is 1", _tau("P", "AP", ordered) == 1, said=True, erratum="E23")
    yield line("tau of P and AP on comparable pairs", f"{_tau('P', 'AP', ordered):.4f}")
    yield line("of 110 pairs P and AP order alike", _agreement("P", "AP", ordered)[0])
    yield line("of 110 pairs P ties", _agreement("P", "AP", ordered)[2])
    same = _agreement("RBP(p=0.3)", "RBP(p=0.5)", apart)[0]
    differ = same < len(apart)
    yield line("all measures differ on incomparable pairs", differ, said=True, erratum="E23")
    yield line("of 10 incomparable pairs RBP .3 and .5 order alike", same)
    beyond = [pair for pair in ordered if not any(run in pair for run in _with_all(apart))]
    only = any(_agreement(one, other, beyond)[1] for one, other in combinations(PANELS.values(), 2))
    yield line("all measures agree on six runs only", only, said=True, erratum="E23")
    yield line("comparable pairs without any of the six runs", len(beyond))


def _with_all(apart: Sequence[tuple[Run, Run]]) -> list[Run]:
    """Return the runs that are in no incomparable pair."""
    return [run for run in RUNS if not any(run in pair for pair in apart)]


EXHIBITS = (
    known_scales,
    graded_rank_biased_precision,
    diagram_of_runs,
    comparable_runs,
    agreement_on_runs,
)
