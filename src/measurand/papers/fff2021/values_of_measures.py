"""Section IV-B: the values of measures on binary runs of four ranks.

First half: the order of runs that everybody agrees on, and the scales that measures are on. Second half: where the
values of measures lie, and what that does to means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import fsum, sqrt
from typing import Any, cast

from measurand.exact import Exact
from measurand.intervals import image
from measurand.lattice import RunLattice
from measurand.measures import parse
from measurand.orders import compare
from measurand.papers.exhibit import Line, agree, exhibit, line
from measurand.papers.fff2021.four_ranks import (
    PANELS,
    RANKS,
    RUNS,
    Run,
    order_of_runs,
    pairs,
    run_of,
    spelled,
    values_of,
)
from measurand.scales import Image, interval, scale_type
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


@exhibit("FFF-Fig3a", where="Figure 3a")
def values_of_precision() -> Iterator[Line]:
    """Precision, and recall where there are four relevant documents: five values."""
    precision, recall = values_of("P"), values_of("R")
    yield line("values", tuple(_exact(precision)))
    yield line("runs with each", tuple(precision.sizes.tolist()))
    same = _exact(precision) == _exact(recall) and precision.places.tolist() == recall.places.tolist()
    yield line("P and R are the same here", same, said=True)


@exhibit("FFF-Fig3b", "FFF-IV-B-induced", where="Figure 3b")
def values_of_average_precision() -> Iterator[Line]:
    """Average precision: fifteen values, one of them shared."""
    found = values_of("AP")
    yield line("values", found.size)
    yield line("runs in order", order_of_runs("AP"))
    yield line("value of 0101, of 1000", (_value("AP", "0101"), _value("AP", "1000")))
    yield line("values in 48ths", tuple(int(48 * value) for value in _exact(found)))
    yield line("largest gap", _single(found.largest_gap))


@exhibit("FFF-Fig3c", where="Figure 3c")
def values_of_reciprocal_rank() -> Iterator[Line]:
    """Reciprocal rank: five values, half of all runs at the highest."""
    found = values_of("RR")
    yield line("values", tuple(_exact(found)))
    yield line("runs with each", tuple(found.sizes.tolist()))
    yield line("largest gap", _single(found.largest_gap))


@exhibit("FFF-Fig3d", where="Figure 3d")
def values_of_impatient_rbp() -> Iterator[Line]:
    """RBP with p = 0.3: sixteen values in the order of the dictionary, and a hole in the middle."""
    found = values_of("RBP(p=0.3)")
    dictionary = spelled(*RUNS).replace(",", "")
    yield line("values", found.size)
    yield line("runs are in the order of the dictionary", order_of_runs("RBP(p=0.3)") == dictionary)
    for run in ("0001", "0111", "1000", "1111"):
        yield line(f"value of {run}", float(_value("RBP(p=0.3)", run)))
    yield line("largest gap, from 0111 to 1000", float(_single(found.largest_gap)))
    share = _single(found.largest_gap) / _single(found.highest)
    yield line("that is half of the range", share == Fraction(1, 2), said=True, erratum="E24")
    yield line("its share of the range", float(share))


@exhibit("FFF-Fig3e", where="Figure 3e")
def values_of_rbp_with_one_half() -> Iterator[Line]:
    """RBP with p = 0.5: sixteenths."""
    found = values_of("RBP(p=0.5)")
    yield line("values", found.size)
    yield line("values are sixteenths, from 0", _exact(found) == [Fraction(k, 16) for k in range(16)])
    yield line("highest value", float(_single(found.highest)))


@exhibit("FFF-Fig3f", where="Figure 3f")
def values_of_patient_rbp() -> Iterator[Line]:
    """RBP with p = 0.8: sixteen values, crowded in the middle."""
    found = values_of("RBP(p=0.8)")
    yield line("values", found.size)
    yield line("runs in order", order_of_runs("RBP(p=0.8)"))
    yield line("highest value", float(_single(found.highest)))
    gaps = found.gaps()
    yield line("gaps at the two ends", (float(_single(gaps[0])), float(_single(gaps[-1]))))


@exhibit("FFF-Fig3g", where="Figure 3g, with the values of Section VI-A")
def values_of_discounted_gain() -> Iterator[Line]:
    """DCG with base 2: twelve values, because ranks 1 and 2 weigh the same."""
    found = values_of("DCG(b=2)")
    low = ("0.000", "0.500", None, None, "1.131", "1.500")
    high = (None, None, "2.131", "2.500", "2.631", "3.131")
    yield line("values", found.size, printed=12)
    for place, (value, text) in enumerate(zip(found, (*low, *high), strict=True)):
        runs = spelled(*found.runs_at(place)).replace(", ", " = ")
        yield line(f"value of {runs}", value if isinstance(value, Fraction) else float(value), printed=text)


@exhibit("FFF-Fig3-sym", "FFF-Fig3-range", where="Section IV-B, on Figure 3")
def shape_of_figure_3() -> Iterator[Line]:
    """Which measures are symmetric (a run and its complement add up to 1111), and how much of a range is unused."""
    said = {
        "P": None,
        "AP": False,
        "RR": False,
        "RBP(p=0.3)": True,
        "RBP(p=0.5)": None,
        "RBP(p=0.8)": True,
        "DCG(b=2)": True,
    }
    for name, symmetric in said.items():
        measure: Any = parse(name)
        full = measure.of((1,) * RANKS)
        mirrored = all(measure.of(run) + measure.of(tuple(1 - grade for grade in run)) == full for run in RUNS)
        yield line(f"{name} is symmetric", mirrored, said=symmetric)
    for name, unused in {"AP": Fraction(1, 4), "RR": Fraction(1, 2)}.items():
        found = values_of(name)
        share = _single(found.largest_gap) / _single(found.highest)
        yield line(f"{name}: largest share of the range without a value", share, said=unused)
        yield line(f"{name}: it is at the top", found.gaps()[-1] == found.largest_gap, said=True)


@exhibit("FFF-IV-B-unif", where="Section IV-B, five values drawn at random")
def five_values() -> Iterator[Line]:
    """A number drawn from 0, 1, 2, 4, 13: what lies near it depends on where it is."""
    found = Image.of_values([0, 1, 2, 4, 13])
    yield line("mean", Fraction(found.mean), printed=4)
    yield line("median", _single(found.median), printed=2)
    for radius in (Fraction(1), Fraction(3, 2)):
        near = {Fraction(x, 4): found.near(Fraction(x, 4), radius) for x in range(4 * 13 + 1)}
        case = f"ε = {float(radius)}"
        yield line(f"{case}, x one of the five: values near each", tuple(near[_single(value)] for value in found))
        low, high = max(near[x] for x in near if x <= 2), max(near[x] for x in near if x > 3)
        yield line(f"{case}, x anywhere: most values near it, x ≤ 2 and x > 3", (low, high))
        yield line(f"{case}, x anywhere: more near 0, 1, 2 than near 4, 13", low > high, said=True)
    x, radius = Fraction(4), Fraction(3, 2)
    error = max(abs(end - x) for end in (x - radius, x + radius)) / radius
    yield line("from x - ε to x + ε: largest error, in ε", error, said=2, erratum="E25")


@exhibit("FFF-IV-B-LLN", where="Section IV-B, calibration by the mean")
def mean_and_midpoint() -> Iterator[Line]:
    """The mean of all values, each as likely as the others, and the middle of the scale."""
    said = {
        "P": (True, ""),
        "RBP(p=0.5)": (True, ""),
        "AP": (False, ""),
        "RR": (False, ""),
        "RBP(p=0.8)": (False, "E26"),
        "DCG(b=2)": (False, "E26"),
    }
    for name, (equal, erratum) in said.items():
        found = values_of(name)
        mean = fsum(map(float, found)) / found.size
        yield line(f"{name}: mean of values, midpoint", (round(mean, 4), round(found.midpoint, 4)))
        yield line(f"{name}: the mean is the midpoint", abs(mean - found.midpoint) < 1e-12, said=equal, erratum=erratum)


@exhibit("FFF-Ex9", where="Section IV-B, Example 9")
def mean_reciprocal_rank() -> Iterator[Line]:
    """Two systems whose first relevant documents stand at ranks 1 and 4, or at 2 and 2."""
    scale = interval("RR", depth=RANKS)
    systems = {"A": ("1000", "0001"), "B": ("0100", "0100")}
    for name, (mrr, rank) in {"A": ("0.625", "2.5"), "B": ("0.5", "2")}.items():
        values = [_value("RR", run) for run in systems[name]]
        yield line(f"{name}: mean reciprocal rank", sum(values) / 2, printed=mrr)
        yield line(f"{name}: mean rank", sum(1 / value for value in values) / 2, printed=rank)
        places = [_rank(scale, run) for run in systems[name]]
        yield line(f"{name}: mean place on the interval scale", Fraction(sum(places), 2))


TABLE_1 = {"A": ("1110", "1001"), "B": ("1101", "1010"), "C": ("0010", "0101"), "D": ("0001", "0110")}
"""The runs of four systems on two topics; each topic has four relevant documents."""


@exhibit("FFF-Ex10-T1", where="Table 1")
def table_1() -> Iterator[Line]:
    """Average precision of four systems on two topics."""
    for name, printed in {"A": "0.5625", "B": "0.5521", "C": "0.1667", "D": "0.1771"}.items():
        ours = [_value("AP", run) for run in TABLE_1[name]]
        yield line(f"{name}: AP of {', '.join(TABLE_1[name])}", tuple(ours))
        yield line(f"{name}: mean", sum(ours, Fraction(0)) / 2, printed=printed)
    bases = [base for base in range(3, 9) if agree("0.5625", _mean_precision("A", base))]
    yield line("recall bases with which the mean of A is 0.5625", tuple(bases))


@exhibit("FFF-Ex10-rank", "FFF-Ex10-phi", where="Section IV-B, Example 10")
def ranks_of_runs() -> Iterator[Line]:
    """Neighbours on the scale of average precision are not equally far apart, and means depend on it."""
    scale = interval("AP", depth=RANKS)
    for run, rank in {"0010": 13, "0001": 14, "0101": 10, "0110": 9}.items():
        yield line(f"rank of {run}, the best first", _rank(scale, run, descending=True), derived=rank)
    yield line("rank of 0010, the worst first", _rank(scale, "0010"))
    steps = {
        (low, high): _value("AP", high) - _value("AP", low)
        for low, high in (("0001", "0010"), ("0101", "0110"), ("1101", "1110"), ("1001", "1010"))
    }
    for (low, high), step in steps.items():
        yield line(f"AP from {low} to {high}", step)
    closer = steps["0001", "0010"] < steps["0101", "0110"]
    yield line("ranks 13 and 14 are closer than 10 and 9", closer, said=True)
    for name, runs in TABLE_1.items():
        places = [_rank(scale, run) for run in runs]
        yield line(f"{name}: places of its runs, and their mean", (*places, Fraction(sum(places), 2)))


def _exact(found: Image) -> list[Fraction]:
    return [_single(value) for value in found]


def _single(value: Exact) -> Fraction:
    """Return a value as the fraction that it is, unless there are logarithms in it."""
    return cast(Fraction, value)


def _value(measure: str, run: str, recall_base: int = RANKS) -> Fraction:
    return _single(parse(measure).of(run_of(run), recall_base=recall_base))


def _mean_precision(system: str, recall_base: int) -> Fraction:
    return sum((_value("AP", run, recall_base) for run in TABLE_1[system]), Fraction(0)) / 2


def _rank(scale: Any, run: str, *, descending: bool = False) -> int:
    return int(scale.rank(run_of(run), descending=descending))


EXHIBITS = (
    known_scales,
    graded_rank_biased_precision,
    diagram_of_runs,
    comparable_runs,
    agreement_on_runs,
    values_of_precision,
    values_of_average_precision,
    values_of_reciprocal_rank,
    values_of_impatient_rbp,
    values_of_rbp_with_one_half,
    values_of_patient_rbp,
    values_of_discounted_gain,
    shape_of_figure_3,
    five_values,
    mean_and_midpoint,
    mean_reciprocal_rank,
    table_1,
    ranks_of_runs,
)
