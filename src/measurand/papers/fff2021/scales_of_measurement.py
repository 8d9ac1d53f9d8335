"""Sections I and III-A to III-C: what a scale is, which types there are, and what may be computed on each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

from measurand.arrays import FloatArray
from measurand.orders import Structure, homomorphism
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.fff2021.four_ranks import values_of
from measurand.scales import admissible, permissible, required_scale
from measurand.scales.meaning import Affine, Relabelling, survives

COUNTRIES = ("France", "Germany", "Greece", "Italy", "Spain")
LABELS, OTHER_LABELS = (5, 4, 3, 2, 1), (41, 13, -10, 23, 17)
WINES = (3, 6, 12, 17, 32, 50, 2000)
FAHRENHEIT = Affine(1.8, 32)
MILE = Fraction("1.609344")
"""Kilometres in a mile, by definition."""


@exhibit("FFF-I-scales", where="Sections I and III-C, scales and what they admit")
def statistics_of_scales() -> Iterator[Line]:
    """The weakest scale that each statistic needs."""
    said = {
        "nominal": ("mode", "frequency"),
        "ordinal": ("median", "quantile"),
        "interval": ("mean", "standard deviation"),
        "ratio": ("geometric mean", "harmonic mean", "coefficient of variation"),
    }
    for scale, statistics in said.items():
        for statistic in statistics:
            yield line(statistic, str(required_scale(statistic)), said=scale)
    yield line("rank correlation", str(required_scale("rank correlation")), said="interval", erratum="E18")


@exhibit("FFF-I-RR", where="Section I, reciprocal rank")
def steps_of_reciprocal_rank() -> Iterator[Line]:
    """How far apart the values of reciprocal rank are."""
    values = {ranks: values_of("RR", ranks) for ranks in range(1, 13)}
    even = [ranks for ranks, found in values.items() if found.equispaced]
    twice = [ranks for ranks, found in values.items() if len(set(found.gaps())) < ranks]
    yield line("equally spaced with 4 ranks", 4 in even, said=False)
    yield line("steps with 4 ranks, from the lowest", tuple(map(str, values[4].gaps())))
    yield line("all steps differ, with any number of ranks", not twice, said=True, erratum="E19")
    yield line("ranks up to 12 where two steps are equal", tuple(twice))
    yield line("ranks up to 12 where all steps are equal", tuple(even))


RODS = (1, 2, 3)


def _keeps(relations: tuple[str, ...], length: Callable[[Fraction], Fraction]) -> bool:
    """Say whether lengths keep what holds between rods: which is shorter, and which two make a third."""
    shorter = {(a, b) for a, b in combinations(RODS, 2)}
    rods = Structure(RODS, {"order": shorter, "concatenation": {(1, 1, 2), (1, 2, 3), (2, 1, 3)}})
    numbers: dict[str, Callable[..., bool]] = {"order": lambda x, y: x < y, "concatenation": lambda x, y, z: x + y == z}
    kept = {name: numbers[name] for name in relations}
    return bool(homomorphism(rods, {rod: length(Fraction(rod)) for rod in RODS}, kept, both_ways=True))


@exhibit("FFF-III-A-ERS", "FFF-III-A-uniq", where="Section III-A, lengths of rods")
def lengths_of_rods() -> Iterator[Line]:
    """A scale keeps what holds between things; another unit keeps it too, another zero does not."""
    both = ("order", "concatenation")
    yield line("lengths keep order and concatenation", _keeps(both, lambda x: x), said=True)
    yield line("so do lengths times 0.62", _keeps(both, lambda x: x * Fraction("0.62")), said=True)
    for what, function in {"lengths + 1": lambda x: x + 1, "squared lengths": lambda x: x**2}.items():
        yield line(f"{what}: order, concatenation", tuple(_keeps((one,), function) for one in both))


@exhibit("FFF-III-B-1", "FFF-Ex1", where="Section III-B, Example 1")
def countries() -> Iterator[Line]:
    """Countries as numbers: labels whose differences say nothing."""
    names = [dict(zip(labels, COUNTRIES, strict=True)) for labels in (LABELS, OTHER_LABELS)]
    yield line("the second labels are as good", bool(permissible("nominal", LABELS, OTHER_LABELS)), said=True)
    for labels, named, printed in zip((LABELS, OTHER_LABELS), names, ("Spain", "Italy"), strict=True):
        difference = labels[1] - labels[2]
        yield line(f"Germany − Greece = {difference} is", named[difference], printed=printed)
    other = Relabelling(LABELS, OTHER_LABELS)
    claim = survives(lambda v: v[1] - v[2] == v[4], LABELS, [other])
    yield line("“Germany − Greece = Spain” is meaningful", bool(claim), said=False)


@exhibit("FFF-III-B-2", "FFF-Ex2", where="Section III-B, Example 2")
def wines() -> Iterator[Line]:
    """The sweetness of wines: any increasing map is as good, so only order means something."""
    squares = [int(x) for x in np.square(WINES)]
    yield line("squares", tuple(squares), printed=(9, 36, 144, 289, 1024, 2500, 4_000_000))
    yield line("squares are as good", bool(permissible("ordinal", WINES, squares)), said=True)
    yield line("a map with a flat piece is", bool(permissible("ordinal", (1, 2, 3), (1, 1, 2))))
    yield line("brut : extra brut", Fraction(WINES[2], WINES[1]), printed=2)
    yield line("the same, of squares", Fraction(squares[2], squares[1]))
    yield line("brut − extra brut", WINES[2] - WINES[1], printed=6)
    yield line("the same, of squares", squares[2] - squares[1])
    twice = survives(lambda v: v[2] == 2 * v[1], WINES, [np.square])
    yield line("“twice as sweet” is meaningful", bool(twice), said=False)
    places = list(combinations(range(len(WINES)), 2))
    sweeter = all(survives(_is_less(*pair), WINES, [np.square]) for pair in places)
    yield line(f"“sweeter” is, for all {len(places)} pairs", sweeter, said=True)


def _is_less(a: int, b: int) -> Callable[[FloatArray], bool]:
    return lambda values: bool(values[a] < values[b])


@exhibit("FFF-III-B-3", "FFF-Ex3", where="Section III-B, Example 3")
def temperatures() -> Iterator[Line]:
    """Celsius and Fahrenheit: differences can be compared, ratios cannot."""
    celsius = (20, 10, 30)
    warm, cool, hot = (Fraction(x) for x in FAHRENHEIT(np.array(celsius)).tolist())
    yield line("20, 10 and 30 °C in °F", (warm, cool, hot), printed=(68, 50, 86))
    yield line("20 : 10, and in °F", (Fraction(20, 10), warm / cool), printed=(2, "1.36"))
    yield line("20 − 10 = 30 − 20, and in °F", (20 - 10 == 30 - 20, warm - cool == hot - warm), said=(True, True))
    yield line("the differences in °F", (warm - cool, hot - warm), printed=(18, 18))
    yield line("°F are as good as °C", bool(permissible("interval", celsius, (warm, cool, hot))), said=True)
    yield line("°F are a multiple of °C", bool(permissible("ratio", celsius, (warm, cool, hot))))


@exhibit("FFF-III-B-equi", where="Sections III-B and IV-B, interval scales")
def equal_steps() -> Iterator[Line]:
    """An interval scale has equally spaced values: which measures have them, with four ranks."""
    said = {
        "P": True,
        "R": True,
        "AP": False,
        "RR": False,
        "RBP(p=0.3)": False,
        "RBP(p=0.5)": True,
        "RBP(p=0.8)": False,
        "DCG(b=2)": False,
    }
    for measure, even in said.items():
        yield line(f"{measure} is equally spaced", values_of(measure).equispaced, said=even)


@exhibit("FFF-III-B-4", "FFF-Ex4", where="Section III-B, Example 4")
def distances() -> Iterator[Line]:
    """Kilometres and miles: a multiple, so ratios survive."""
    yield line("miles in a kilometre", 1 / MILE, printed="0.62")
    yield line("400 km in miles", float(400 / MILE))
    yield line("400 km in miles, with 0.62", 400 * Fraction("0.62"))
    yield line("miles are as good", bool(permissible("ratio", (400, 2000), (400 / MILE, 2000 / MILE))), said=True)


@exhibit("FFF-III-C", "FFF-IV-A-GM", where="Sections III-C and IV-A, admissible statistics")
def admitted_statistics() -> Iterator[Line]:
    """What each scale admits: mode, median, mean, geometric mean."""
    statistics = ("mode", "median", "mean", "geometric mean")
    said = {
        "nominal": (True, False, False, False),
        "ordinal": (True, True, False, False),
        "interval": (True, True, True, False),
        "ratio": (True, True, True, True),
    }
    for scale, allowed in said.items():
        admitted = tuple(admissible(statistic, scale) for statistic in statistics)
        yield line(f"{scale}: mode, median, mean, geometric mean", admitted, said=allowed)
    for name, needed in {"GMAP": "ratio", "z-scores": "interval", "standardisation": "interval"}.items():
        yield line(f"weakest scale for {name}", str(required_scale(name)), said=needed)


EXHIBITS = (
    statistics_of_scales,
    steps_of_reciprocal_rank,
    lengths_of_rods,
    countries,
    wines,
    temperatures,
    equal_steps,
    distances,
    admitted_statistics,
)
