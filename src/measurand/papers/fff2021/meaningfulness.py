"""Sections I and III: scales of measurement, and which statements about numbers on a scale mean something.

Sections I and III-A to III-C: what a scale is, which types there are, and what may be computed on each. Sections III-D
and III-E: meaningful statements, and which tests need which scale.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

from measurand.arrays import FloatArray
from measurand.orders import Structure, homomorphism
from measurand.papers.exhibit import Line, Printed, exhibit, line
from measurand.papers.fff2021.four_ranks import values_of
from measurand.scales import admissible, permissible, required_scale
from measurand.scales.meaning import Affine, Meaning, Relabelling, check, survives
from measurand.scores import Scores
from measurand.statistics import find_test

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
    differ = all(len(set(found.gaps()[1:])) == ranks - 1 for ranks, found in values.items())
    yield line("all steps between 1, 1/2, 1/3, … differ", differ, said=True)
    yield line("ranks up to 12 where another step equals that from 0", tuple(twice))
    yield line("ranks up to 12 where all steps are equal", tuple(even))


RODS = (1, 2, 3)


def _keeps(relations: tuple[str, ...], length: Callable[[Fraction], Fraction]) -> bool:
    """Return whether lengths keep what holds between rods: which is shorter, and which two make a third."""
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


PARIS, ROME = (2, 2, 4, 8, 36), (1, 2, 4, 15, 34)
TESTS = {
    "sign": "ordinal",
    "rank sum": "ordinal",
    "signed rank": "interval",
    "paired t": "interval",
    "one-way ANOVA": "interval",
    "two-way ANOVA": "interval",
    "Kruskal-Wallis": "ordinal",
    "Friedman": "ordinal",
}
"""The tests of the paper, and the scale that it says each needs."""


def _numbers(scale: str, **rows: object) -> Scores:
    """Return some rows of numbers on a scale, which all columns share."""
    values = np.array(list(rows.values()), dtype=float)
    columns = tuple(map(str, range(values.shape[1])))
    return Scores(measure="M", values=values, systems=tuple(rows), topics=columns, scale=scale)


def _exactly(meaning: Meaning) -> tuple[Fraction, ...]:
    """Return both sides of a statement, whole numbers as they are."""
    return tuple(map(Fraction, meaning.before))


@exhibit("FFF-III-D-mean", where="Section III-D, mouse and elephant")
def mouse_and_elephant() -> Iterator[Line]:
    """A false statement can be meaningful."""
    found = check("mean of mouse exceeds mean of elephant", _numbers("ratio", mouse=[0.02], elephant=[5000]))
    yield line("the mouse is heavier than the elephant", found.true, said=False)
    yield line("that is meaningful", bool(found), said=True)


def _lower_quartile(values: np.ndarray) -> float:
    """Return the first value that a quarter of all do not exceed."""
    return float(np.quantile(values, 0.25, method="inverted_cdf"))


@exhibit("FFF-Ex5", where="Section III-D, Example 5")
def people_of_countries() -> Iterator[Line]:
    """On a nominal scale the mode is meaningful and the quartile is not."""
    other, people = Relabelling(LABELS, OTHER_LABELS), np.array([1] * 5 + [4] * 3 + [3, 2], dtype=float)
    relabelled = other(people)
    named, renamed = (dict(zip(labels, COUNTRIES, strict=True)) for labels in (LABELS, OTHER_LABELS))
    modes = [int(Counter(values.tolist()).most_common(1)[0][0]) for values in (people, relabelled)]
    yield line("mode, in the labels and in the others", tuple(modes), printed=(1, 17))
    yield line("mode as a country", (named[modes[0]], renamed[modes[1]]), said=("Spain", "Spain"))
    # Spain's label goes along as the last number, so that statements can name it
    spain = [*people.tolist(), 1]
    most = survives(lambda v: Counter(v[:-1].tolist()).most_common(1)[0][0] == v[-1], spain, [other])
    yield line("“the mode is Spain” is meaningful", bool(most), said=True)
    quartiles = [int(_lower_quartile(values)) for values in (people, relabelled)]
    yield line("lower quartile, in both", tuple(quartiles), printed=(1, 13))
    yield line("quartile as a country", (named[quartiles[0]], renamed[quartiles[1]]), said=("Spain", "Germany"))
    lowest = survives(lambda v: _lower_quartile(v[:-1]) == v[-1], spain, [other])
    yield line("“the lower quartile is Spain” is meaningful", bool(lowest), said=False)
    lowest_three = [int(value) for value in sorted(relabelled.tolist())[:3]]
    germans = all(renamed[value] == "Germany" for value in lowest_three)
    numbers = ", ".join(map(str, lowest_three))
    yield line(f"the lowest quarter ({numbers}) is Germany", germans, said=True, erratum="E42")


@exhibit("FFF-Ex6", where="Section III-D, Example 6")
def averages_of_wines() -> Iterator[Line]:
    """On an ordinal scale medians are meaningful and means are not."""
    first, second = np.array([6, 6, 12, 17, 32]), np.array([3, 3, 3, 12, 50])
    plain, squared = _numbers("ordinal", A=first, B=second), _numbers("ordinal", A=first**2, B=second**2)
    medians, means = "median of A exceeds median of B", "mean of A exceeds mean of B"
    yield line("medians", _exactly(check(medians, plain)), printed=(12, 3))
    yield line("medians of squares", _exactly(check(medians, squared)), printed=(144, 9))
    yield line("“the first median is larger” is meaningful", bool(check(medians, plain)), said=True)
    yield line("means", check(means, plain).before, printed=("14.6", "14.2"))
    yield line("means of squares", check(means, squared).before, printed=("305.8", "534.2"))
    yield line("“the first mean is larger” is meaningful", bool(check(means, plain)), said=False)


@exhibit("FFF-Ex7a", "FFF-Ex7b", "FFF-Ex7c", "FFF-Ex7d", where="Section III-D, Example 7")
def averages_of_temperatures() -> Iterator[Line]:
    """On an interval scale differences, medians and means are meaningful; geometric means are not."""
    twice = "the difference between a and b is twice that between c and d"
    days = check(twice, _numbers("interval", a=[20], b=[10], c=[12], d=[7]))
    warm = check(twice, _numbers("interval", a=[68], b=[50], c=[53.6], d=[44.6]))
    yield line("20 − 10 is twice 12 − 7, and in °F", (days.true, warm.true), said=(True, True))
    yield line("that is meaningful", bool(days), said=True)
    celsius = _numbers("interval", Paris=PARIS, Rome=ROME)
    fahrenheit = _numbers("interval", Paris=FAHRENHEIT(np.array(PARIS)), Rome=FAHRENHEIT(np.array(ROME)))
    printed: dict[str, tuple[Printed, Printed, bool]] = {
        "median of Paris equals median of Rome": ((4, 4), ("39.2", "39.2"), True),
        "mean of Paris is below mean of Rome": (("10.4", "11.2"), ("50.72", "52.16"), True),
        "geometric mean of Paris exceeds geometric mean of Rome": (
            ("5.40", "5.27"),
            ("46.74", "48.17"),
            False,
        ),
    }
    for statement, (in_celsius, in_fahrenheit, meaningful) in printed.items():
        what = statement.partition(" of")[0]
        found = check(statement, celsius)
        yield line(f"{what}s in °C, Paris and Rome", _exactly(found), printed=in_celsius)
        yield line(f"{what}s in °F", _exactly(check(statement, fahrenheit)), printed=in_fahrenheit)
        yield line(f"comparing {what}s is meaningful", bool(found), said=meaningful)


@exhibit("FFF-Ex8a", "FFF-Ex8b", "FFF-Ex8c", where="Section III-D, Example 8")
def multiples() -> Iterator[Line]:
    """On a ratio scale multiples and geometric means are meaningful."""
    five = "mean of far is 5 times mean of near"
    found = check(five, _numbers("ratio", far=[2000], near=[400]))
    yield line("2000 km are 5 times 400 km", found.true, said=True)
    yield line("that is meaningful", bool(found), said=True)
    far, near = 2000 / MILE, 400 / MILE
    yield line("2000 km in miles", far, printed="1242.74")
    yield line("400 km in miles", near, printed="248.54", erratum="E20")
    yield line("the shorter is 5 times the longer, as printed", near == 5 * far, said=True, erratum="E20")
    half = "mean of cold is half the mean of warm"
    absolute = np.array([273, 546])
    celsius = absolute - 273
    fahrenheit = FAHRENHEIT(celsius)
    kelvin = check(half, _numbers("ratio", cold=absolute[:1], warm=absolute[1:]))
    degrees = [check(half, _numbers("interval", cold=two[:1], warm=two[1:])) for two in (celsius, fahrenheit)]
    yield line("273 is half of 546 in kelvin", kelvin.true, said=True)
    yield line("and so in °C, in °F", tuple(found.true for found in degrees), said=(False, False))
    shares = tuple(Fraction(low) / Fraction(high) for low, high in map(np.ndarray.tolist, (celsius, fahrenheit)))
    yield line("shares in °C, °F", shares, printed=(0, "0.06"))
    yield line("“half as warm” is meaningful in kelvin", bool(kelvin), said=True)
    yield line("“half as warm” is meaningful in °C", bool(degrees[0]), said=False)
    means = check("geometric mean of A exceeds geometric mean of B", _numbers("ratio", A=PARIS, B=ROME))
    yield line("comparing geometric means is meaningful", bool(means), said=True)
    yield line("how that is known", str(means.how))


@exhibit("FFF-III-E-tests", where="Section III-E, tests and scales")
def scales_of_tests() -> Iterator[Line]:
    """The weakest scale that each test of significance needs."""
    for test, scale in TESTS.items():
        yield line(test, str(required_scale(test)), said=scale)
    first, second = [5, 9, 2, 7, 4, 8], [3, 6, 1, 5, 2, 4]
    found = [find_test("rank sum")(_numbers("ordinal", A=first, B=b)).of("A", "B") for b in (second, second[::-1])]
    yield line("the rank sum test looks at pairs", found[0] != found[1], said=True, erratum="E21")


def _synthetic() -> np.ndarray:
    """Return the same made-up shares of ten documents on every machine, five systems by twelve topics."""
    system, topic = np.indices((5, 12))
    return np.asarray((2 * system + 7 * topic**2 + 3 * system * topic) % 11 / 10)


@exhibit("FFF-III-E-inv", where="Section III-E, what tests are blind to")
def tests_under_rescaling() -> Iterator[Line]:
    """A test whose scale suffices finds the same after a permissible rescaling of all scores."""
    values = _synthetic()
    names = {f"s{row}": row for row, _ in enumerate(values)}

    maps = (values, values**2 + np.sqrt(values), 1.8 * values + 32)
    rescaled = [_numbers("ratio", **{name: table[row] for name, row in names.items()}) for table in maps]
    for test in TESTS:
        before, *after = (find_test(test)(scores).pvalues for scores in rescaled)
        found = tuple(bool(np.allclose(before, pvalues)) for pvalues in after)
        yield line(f"{test}: same p after increasing map, affine map", found)


@exhibit("FFF-III-E-drop", where="Section III-E, tied pairs")
def tied_pairs() -> Iterator[Line]:
    """The sign test and the signed rank test leave tied topics out."""
    first, second = [0.5, 0.4, 0.3, 0.2, 0.7, 0.1, 0.9], [0.0] * 7
    tied = [0.3] * 3
    for name in ("sign", "signed rank"):
        test = find_test(name)
        without = test(_numbers("interval", A=first, B=second)).of("A", "B")
        with_ties = test(_numbers("interval", A=[*first, *tied], B=[*second, *tied])).of("A", "B")
        equal = test(_numbers("interval", A=first, B=first)).of("A", "B")
        yield line(f"{name}: three tied topics change p", with_ties != without, said=False)
        yield line(f"{name}: p of a system and itself", Fraction(equal))


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
    mouse_and_elephant,
    people_of_countries,
    averages_of_wines,
    averages_of_temperatures,
    multiples,
    scales_of_tests,
    tests_under_rescaling,
    tied_pairs,
)
