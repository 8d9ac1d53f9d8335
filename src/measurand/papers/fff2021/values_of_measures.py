"""Section IV-B, second half: where the values of measures lie, and what that does to means."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, cast

from measurand.exact import Exact
from measurand.measures import parse
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.fff2021.four_ranks import PANELS, RANKS, RUNS, order_of_runs, run_of, spelled, values_of
from measurand.scales import Image, interval


@exhibit("FFF-Fig3a", where="Figure 3a")
def values_of_precision() -> Iterator[Line]:
    """Precision, and recall where there are four relevant documents: five values."""
    for name in ("P", "R"):
        found = values_of(name)
        yield line(f"{name}: values", tuple(_exact(found)), printed=(0, "0.25", "0.5", "0.75", 1))
        yield line(f"{name}: runs with each", tuple(found.sizes.tolist()), printed=(1, 4, 6, 4, 1))
        yield line(f"{name}: equally spaced", found.equispaced, printed=True)


@exhibit("FFF-Fig3b", "FFF-IV-B-induced", where="Figure 3b")
def values_of_average_precision() -> Iterator[Line]:
    """Average precision: fifteen values, one of them shared."""
    found = values_of("AP")
    yield line("values", found.size, printed=15)
    printed = "0000 0001 0010 0100 0011 0101=1000 0110 1001 1010 0111 1100 1011 1101 1110 1111"
    yield line("runs in order", order_of_runs("AP"), printed=printed)
    for run in ("0101", "1000"):
        yield line(f"value of {run}", _value("AP", run), printed="0.25")
    yield line("values in 48ths", tuple(int(48 * value) for value in _exact(found)))
    yield line("largest gap, at the top", _single(found.gaps()[-1]))
    yield line("no gap is larger", found.gaps()[-1] == found.largest_gap)


@exhibit("FFF-Fig3c", where="Figure 3c")
def values_of_reciprocal_rank() -> Iterator[Line]:
    """Reciprocal rank: five values, half of all runs at the highest."""
    found = values_of("RR")
    yield line("values", tuple(_exact(found)), printed=(0, Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), 1))
    yield line("runs with each", tuple(found.sizes.tolist()), printed=(1, 1, 2, 4, 8))
    yield line("largest gap", _single(found.largest_gap))


@exhibit("FFF-Fig3d", where="Figure 3d")
def values_of_impatient_rbp() -> Iterator[Line]:
    """RBP with p = 0.3: sixteen values in the order of the dictionary, and a hole in the middle."""
    found = values_of("RBP(p=0.3)")
    dictionary = spelled(*RUNS).replace(",", "")
    yield line("values", found.size, printed=16)
    yield line("runs in order", order_of_runs("RBP(p=0.3)"), printed=dictionary)
    for run, printed in {"0001": "0.0189", "0111": "0.2919", "1000": "0.7", "1111": "0.9919"}.items():
        yield line(f"value of {run}", _value("RBP(p=0.3)", run), printed=printed)
    yield line("largest gap, from 0111 to 1000", float(_single(found.largest_gap)))
    share = _single(found.largest_gap) / _single(found.highest)
    yield line("that is half of the range", share == Fraction(1, 2), printed=True, erratum="E24")
    yield line("its share of the range", float(share))


@exhibit("FFF-Fig3e", where="Figure 3e")
def values_of_rbp_with_one_half() -> Iterator[Line]:
    """RBP with p = 0.5: sixteenths."""
    found = values_of("RBP(p=0.5)")
    yield line("values", found.size, printed=16)
    yield line("values are sixteenths, from 0", _exact(found) == [Fraction(k, 16) for k in range(16)], printed=True)
    yield line("equally spaced", found.equispaced, printed=True)
    yield line("highest value", _single(found.highest), printed="0.9375")


@exhibit("FFF-Fig3f", where="Figure 3f")
def values_of_patient_rbp() -> Iterator[Line]:
    """RBP with p = 0.8: sixteen values, crowded in the middle."""
    found = values_of("RBP(p=0.8)")
    printed = "0000 0001 0010 0100 1000 0011 0101 0110 1001 1010 1100 0111 1011 1101 1110 1111"
    yield line("values", found.size, printed=16)
    yield line("runs in order", order_of_runs("RBP(p=0.8)"), printed=printed)
    yield line("highest value", _single(found.highest), printed="0.5904")
    gaps = found.gaps()
    yield line("gaps at the two ends", (float(_single(gaps[0])), float(_single(gaps[-1]))))


@exhibit("FFF-Fig3g", where="Figure 3g")
def values_of_discounted_gain() -> Iterator[Line]:
    """DCG with base 2: twelve values, because ranks 1 and 2 weigh the same."""
    found = values_of("DCG(b=2)")
    printed = ["0", "0.5", "0.6309", "1", "1.1309", "1.5", "1.6309", "2", "2.1309", "2.5", "2.6309", "3.1309"]
    yield line("values", found.size, printed=12)
    for place, (value, text) in enumerate(zip(found, printed, strict=True)):
        runs = spelled(*found.runs_at(place)).replace(", ", " = ")
        ours = value if isinstance(value, Fraction) else float(value)
        yield line(f"value of {runs}", ours, printed=int(text) if text.isdigit() else text)


@exhibit("FFF-Fig3-sym", "FFF-Fig3-range", where="Section IV-B, on Figure 3")
def shape_of_figure_3() -> Iterator[Line]:
    """Which measures are symmetric (a run and its complement add up to 1111), and how much of a range is unused."""
    for name in PANELS.values():
        measure: Any = parse(name)
        full = measure.of((1,) * RANKS)
        mirrored = all(measure.of(run) + measure.of(tuple(1 - grade for grade in run)) == full for run in RUNS)
        yield line(f"{name} of a run and its complement add up", mirrored)
    for name in ("AP", "RR", "RBP(p=0.3)"):
        yield line(f"{name}: largest gap by range", values_of(name).unused)


@exhibit("FFF-IV-B-unif", where="Section IV-B, five values drawn at random")
def five_values() -> Iterator[Line]:
    """A number drawn from 0, 1, 2, 4, 13: what lies near it depends on where it is."""
    found = Image.of_values([0, 1, 2, 4, 13])
    yield line("mean", Fraction(found.mean), printed=4)
    yield line("median", _single(found.median), printed=2)
    for radius in (Fraction(1), Fraction(3, 2)):
        near = tuple(found.near(value, radius) for value in found)
        constant, erratum = len(set(near)) == 1, "E25" if radius == 1 else ""
        yield line(f"values nearer than {float(radius)} to each", near)
        yield line(f"their number is constant, ε = {float(radius)}", constant, printed=False, erratum=erratum)


@exhibit("FFF-IV-B-LLN", where="Section IV-B, calibration by the mean")
def mean_and_midpoint() -> Iterator[Line]:
    """The mean over all runs, and the middle of the scale."""
    printed = {"P": True, "RBP(p=0.5)": True, "AP": False, "RR": False, "RBP(p=0.8)": False, "DCG(b=2)": False}
    for name, equal in printed.items():
        found = values_of(name)
        ours = abs(found.mean - found.midpoint) < 1e-12
        yield line(f"{name}: mean, midpoint", (round(found.mean, 4), round(found.midpoint, 4)))
        yield line(f"{name}: the mean is the midpoint", ours, printed=equal, erratum="" if ours == equal else "E26")


@exhibit("FFF-Ex9", where="Section IV-B, Example 9")
def mean_reciprocal_rank() -> Iterator[Line]:
    """Two systems whose first relevant documents stand at ranks 1 and 4, or at 2 and 2."""
    scale = interval("RR", depth=RANKS)
    systems = {"A": ("1000", "0001"), "B": ("0100", "0100")}
    for name, (mrr, rank) in {"A": ("0.625", "2.5"), "B": ("0.5", "2.0")}.items():
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
    printed = {
        "A": ("0.75", "0.375", "0.5625"),
        "B": ("0.6875", "0.4167", "0.5521"),
        "C": ("0.0833", "0.25", "0.1667"),
        "D": ("0.0625", "0.2917", "0.1771"),
    }
    for name, values in printed.items():
        ours = [_value("AP", run) for run in TABLE_1[name]]
        yield line(f"{name}: {', '.join(TABLE_1[name])}, mean", (*ours, sum(ours) / 2), printed=values)
    bases = [base for base in range(3, 9) if _value("AP", "1110", base) == Fraction(3, 4)]
    yield line("recall base with which AP of 1110 is 0.75", tuple(bases), printed="not stated", erratum="E44")


@exhibit("FFF-Ex10-rank", "FFF-Ex10-phi", where="Section IV-B, Example 10")
def ranks_of_runs() -> Iterator[Line]:
    """Neighbours on the scale of average precision are not equally far apart, and means depend on it."""
    scale = interval("AP", depth=RANKS)
    for run, rank in {"0010": 13, "0001": 14, "0101": 10, "0110": 9}.items():
        yield line(f"rank of {run}, the best first", _rank(scale, run, descending=True), printed=rank)
    yield line("rank of 0010, as Procedure 1 ranks", _rank(scale, "0010"), printed=13, erratum="E43")
    for low, high, printed in (
        ("0001", "0010", "0.0208"),
        ("0101", "0110", "0.0417"),
        ("1101", "1110", "0.0625"),
        ("1001", "1010", "0.0417"),
    ):
        yield line(f"AP from {low} to {high}", _value("AP", high) - _value("AP", low), printed=printed)
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


def _rank(scale: Any, run: str, *, descending: bool = False) -> int:
    return int(scale.rank(run_of(run), descending=descending))


EXHIBITS = (
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
