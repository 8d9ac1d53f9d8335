"""Scales and meaningfulness with the paper's examples, as the checklist has them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

from measurand.errors import NotMeaningful
from measurand.intervals import image
from measurand.orders.measurement import Structure, homomorphism
from measurand.scale import Scale
from measurand.scales.admissibility import SCALES, admissible, permissible, required_scale
from measurand.scales.meaning import Affine, Relabelling, check, survives
from measurand.scales.weighted_sums import random_rescaling
from measurand.scores import Scores
from measurand.statistics.needs import need_of
from measurand.statistics.registry import TESTS

COUNTRIES = (5, 4, 3, 2, 1)  # France, Germany, Greece, Italy, Spain
OTHERS = (41, 13, -10, 23, 17)
WINE = (3, 6, 12, 17, 32, 50, 2000)
FAHRENHEIT = Affine(1.8, 32)
MILES = 0.621371


def scores_of(scale, **rows):
    values = np.array(list(rows.values()), dtype=float)
    topics = tuple(map(str, range(values.shape[1])))
    return Scores(measure="M", values=values, systems=tuple(rows), topics=topics, scale=scale)


def random_maps(values, scale, many=1000):
    rng = np.random.default_rng(1)
    return [random_rescaling(np.array(values, dtype=float), scale, rng) for _ in range(many)]


@pytest.mark.spec("FFF-I-scales", "E18")
def test_each_scale_adds_its_statistics():
    added = {str(scale): facts.statistics for scale, facts in SCALES.items()}
    assert {"mode", "frequency"} <= set(added["nominal"])
    assert {"median", "quantile", "rank correlation", "kendall tau"} <= set(added["ordinal"])
    assert {"mean", "standard deviation"} <= set(added["interval"])
    assert {"geometric mean", "harmonic mean", "coefficient of variation"} <= set(added["ratio"])


def test_reciprocal_rank_is_not_equally_spaced():
    values = list(image("RR", depth=4))
    gaps = [after - before for before, after in pairwise(values)]
    assert gaps == [Fraction(1, 4), Fraction(1, 12), Fraction(1, 6), Fraction(1, 2)]
    assert [n for n in range(1, 9) if image("RR", depth=n).equispaced] == [1, 2]


RODS = (1, 2, 3)


def rods() -> Structure:
    shorter = {(a, b) for a in RODS for b in RODS if a < b}
    return Structure(RODS, {"shorter": shorter, "joined": {(1, 1, 2), (1, 2, 3), (2, 1, 3)}})


NUMERICAL = {"shorter": lambda x, y: x < y, "joined": lambda x, y, z: x + y == z}


@pytest.mark.spec("FFF-III-A-ERS", "FFF-III-A-uniq")
def test_lengths_may_be_multiplied_but_neither_shifted_nor_squared():
    def keeps(function):
        values = {rod: function(Fraction(rod)) for rod in RODS}
        return bool(homomorphism(rods(), values, NUMERICAL, both_ways=True))

    assert keeps(lambda x: x)
    assert keeps(lambda x: x * Fraction("0.62"))
    assert not keeps(lambda x: x + 1)
    assert not keeps(lambda x: x**2)
    assert permissible("ordinal", RODS, [x**2 for x in RODS])


@pytest.mark.spec("FFF-III-B-1", "FFF-Ex1")
def test_countries_are_labels_whose_differences_say_nothing():
    assert permissible("nominal", COUNTRIES, OTHERS)
    assert not permissible("ordinal", COUNTRIES, OTHERS)
    germany, greece, italy, spain = 1, 2, 3, 4
    assert COUNTRIES[germany] - COUNTRIES[greece] == COUNTRIES[spain]
    assert OTHERS[germany] - OTHERS[greece] == OTHERS[italy]
    verdict = survives(lambda v: v[germany] - v[greece] == v[spain], COUNTRIES, [Relabelling(COUNTRIES, OTHERS)])
    assert not verdict


@pytest.mark.spec("FFF-III-B-2", "FFF-Ex2")
def test_wine_may_be_squared_and_only_order_survives():
    squares = [x**2 for x in WINE]
    assert squares == [9, 36, 144, 289, 1024, 2500, 4000000]
    assert permissible("ordinal", WINE, squares)
    assert not permissible("interval", WINE, squares)
    assert not permissible("ordinal", WINE, [1, 1, 2, 3, 4, 5, 6])
    assert (12 / 6, squares[2] / squares[1], 12 - 6, squares[2] - squares[1]) == (2, 4, 6, 108)
    pairs = list(combinations(range(7), 2))
    assert len(pairs) == 21
    for a, b in pairs:
        assert survives(lambda v, a=a, b=b: v[a] < v[b], WINE, [np.square, *random_maps(WINE, Scale.ORDINAL, 50)])
    assert not survives(lambda v: v[2] == 2 * v[1], WINE, [np.square])


@pytest.mark.spec("FFF-III-B-3", "FFF-Ex3")
def test_celsius_and_fahrenheit_share_ratios_of_differences():
    assert FAHRENHEIT(np.array([20.0, 10.0, 30.0])).tolist() == [68, 50, 86]
    assert permissible("interval", [20, 10, 30], [68, 50, 86])
    assert not permissible("ratio", [20, 10, 30], [68, 50, 86])
    assert (68 / 50, (68 - 50) / (86 - 68)) == (1.36, 1)
    ratio = (30 - 10) / (12 - 7)
    for map_ in random_maps([20, 10, 30], Scale.INTERVAL):
        a, b, c, d = map_(np.array([30.0, 10.0, 12.0, 7.0]))
        assert (a - b) / (c - d) == pytest.approx(ratio, rel=1e-6)


def test_an_interval_scale_needs_equally_spaced_values():
    expected = {"P": True, "RBP(p=0.5)": True, "AP": False, "RR": False, "RBP(p=0.3)": False, "DCG(b=2)": False}
    assert {name: image(name, depth=4).equispaced for name in expected} == expected


@pytest.mark.spec("FFF-III-B-4", "FFF-Ex4", "E20")
def test_kilometres_become_miles_by_a_factor():
    assert permissible("ratio", [400, 2000], [248, 1240])
    assert 400 * Fraction("0.62") == 248
    assert round(400 * MILES, 2) == 248.55
    assert not permissible("ratio", [400, 2000], [249, 1241])


@pytest.mark.spec("FFF-III-C", "FFF-IV-A-GM")
def test_statistics_are_refused_below_their_scale():
    ordinal = scores_of(Scale.ORDINAL, A=[1, 2], B=[2, 3])
    interval = scores_of(Scale.INTERVAL, A=[1, 2], B=[2, 3])
    with pytest.raises(NotMeaningful, match="needs interval scores"):
        ordinal.mean(strict=True)
    with pytest.raises(NotMeaningful, match="needs ratio scores"):
        interval.geometric_mean(strict=True)
    assert interval.mean(strict=True)["A"] == 1.5
    assert not admissible("geometric_mean", "interval")
    assert {str(required_scale(name)) for name in ("z-scores", "standardisation")} == {"interval"}


@pytest.mark.spec("FFF-III-D-mean")
def test_the_mouse_is_never_heavier_than_the_elephant_and_that_is_meaningful():
    weights = scores_of(Scale.RATIO, mouse=[0.02], elephant=[5000])
    meaning = check("mean of mouse exceeds mean of elephant", weights)
    assert meaning
    assert not meaning.true
    assert meaning.answer == "robust"


def quartile(values):
    return np.quantile(values, 0.25, method="inverted_cdf")


@pytest.mark.spec("FFF-Ex5", "E42")
def test_the_mode_of_countries_is_meaningful_and_their_quartile_is_not():
    sample = [1] * 5 + [4] * 3 + [3, 2]
    other = Relabelling(COUNTRIES, OTHERS)
    assert quartile(sample) == 1
    assert quartile(other(np.array(sample, dtype=float))) == 13
    # the label of Spain goes along as the last value, so that the statements can name it
    maps = [other, *random_maps(COUNTRIES, Scale.NOMINAL, 200)]
    assert survives(lambda v: max(v[:-1], key=list(v[:-1]).count) == v[-1], [*sample, 1], maps)
    assert not survives(lambda v: quartile(v[:-1]) == v[-1], [*sample, 1], [other])


@pytest.mark.spec("FFF-Ex6")
def test_medians_of_wine_are_meaningful_and_means_are_not():
    wine = scores_of(Scale.ORDINAL, A=[6, 6, 12, 17, 32], B=[3, 3, 3, 12, 50])
    medians, means = (check(f"{name} of A exceeds {name} of B", wine) for name in ("median", "mean"))
    assert (medians.answer, medians.true, medians.before) == ("robust", True, (12, 3))
    assert (means.answer, means.true, means.before) == ("fragile", True, (14.6, 14.2))
    assert means.after[0] < means.after[1]
    squared = scores_of(Scale.ORDINAL, A=np.square([6, 6, 12, 17, 32]), B=np.square([3, 3, 3, 12, 50]))
    assert check("mean of A exceeds mean of B", squared).before == (305.8, 534.2)
    assert check("median of A exceeds median of B", squared).before == (144, 9)


@pytest.mark.spec("FFF-Ex7a")
def test_a_difference_of_temperatures_twice_another_is_meaningful():
    days = scores_of(Scale.INTERVAL, a=[20], b=[10], c=[12], d=[7])
    meaning = check("the difference between a and b is twice that between c and d", days)
    assert (meaning.true, meaning.answer) == (True, "robust")
    warm = scores_of(Scale.INTERVAL, a=[68], b=[50], c=[53.6], d=[44.6])
    assert check("the difference between a and b is twice that between c and d", warm).true


PARIS, ROME = [2, 2, 4, 8, 36], [1, 2, 4, 15, 34]


@pytest.mark.spec("FFF-Ex7b", "FFF-Ex7c")
def test_medians_and_means_of_temperatures_are_meaningful():
    celsius = scores_of(Scale.INTERVAL, Paris=PARIS, Rome=ROME)
    fahrenheit = scores_of(Scale.INTERVAL, Paris=FAHRENHEIT(np.array(PARIS)), Rome=FAHRENHEIT(np.array(ROME)))
    for scores, median, means in ((celsius, 4, (10.4, 11.2)), (fahrenheit, 39.2, (50.72, 52.16))):
        medians = check("median of Paris equals median of Rome", scores)
        assert (medians.true, medians.answer, medians.before) == (True, "robust", (median, median))
        below = check("mean of Paris is below mean of Rome", scores)
        assert (below.true, below.answer) == (True, "robust")
        assert below.before == pytest.approx(means)
        assert "affine" in below.certificate


@pytest.mark.spec("FFF-Ex7d")
def test_geometric_means_of_temperatures_are_not_meaningful():
    celsius = scores_of(Scale.INTERVAL, Paris=PARIS, Rome=ROME)
    meaning = check("geometric mean of Paris exceeds geometric mean of Rome", celsius)
    assert meaning.before == pytest.approx((5.4038, 5.2739), abs=5e-5)
    assert (meaning.true, meaning.answer) == (True, "fragile")
    assert meaning.after[0] < meaning.after[1]
    rows = FAHRENHEIT(celsius.values)
    fahrenheit = check(
        "geometric mean of Paris exceeds geometric mean of Rome", scores_of(Scale.INTERVAL, Paris=rows[0], Rome=rows[1])
    )
    assert fahrenheit.before == pytest.approx((46.7429, 48.1708), abs=5e-5)
    assert not fahrenheit.true


@pytest.mark.spec("FFF-Ex8a", "E20")
def test_a_distance_five_times_another_is_meaningful():
    distances = scores_of(Scale.RATIO, far=[2000], near=[400])
    meaning = check("mean of far is 5 times mean of near", distances)
    assert (meaning.true, meaning.answer) == (True, "robust")
    miles = scores_of(Scale.RATIO, far=[1242.742], near=[248.5484])
    assert check("mean of far is 5 times mean of near", miles).true
    assert check("mean of far is 5 times mean of near", distances, scale="interval").answer == "not meaningful"


@pytest.mark.spec("FFF-Ex8b")
def test_half_a_temperature_means_something_in_kelvin_alone():
    half = "mean of cold is half the mean of warm"
    kelvin = scores_of(Scale.RATIO, cold=[273], warm=[546])
    assert check(half, kelvin).answer == "robust"
    assert check(half, kelvin).true
    assert not check(half, scores_of(Scale.INTERVAL, cold=[0], warm=[273])).true
    assert not check(half, scores_of(Scale.INTERVAL, cold=[32], warm=[523.4])).true
    assert check(half, kelvin, scale="interval").answer == "not meaningful"
    assert round(32 / 523.4, 4) == 0.0611


@pytest.mark.spec("FFF-Ex8c")
def test_geometric_means_on_a_ratio_scale_are_meaningful():
    rng = np.random.default_rng(3)
    for _ in range(1000):
        rows = rng.uniform(0.1, 9, (2, 4))
        scale = rng.uniform(0.01, 50)
        before, after = (np.log(values).sum(axis=1) for values in (rows, rows * scale))
        assert (before[0] > before[1]) == (after[0] > after[1])
    meaning = check("geometric mean of A exceeds geometric mean of B", scores_of(Scale.RATIO, A=PARIS, B=ROME))
    assert (meaning.answer, meaning.how) == ("robust", "proved")


@pytest.mark.spec("FFF-III-E-tests")
def test_each_test_needs_its_scale():
    expected = {
        "Sign": "ordinal",
        "Wilcoxon rank sum": "ordinal",
        "Wilcoxon signed rank": "interval",
        "Student t": "interval",
        "one-way ANOVA": "interval",
        "two-way ANOVA": "interval",
        "Kruskal-Wallis": "ordinal",
        "Friedman": "ordinal",
    }
    assert {name: str(required_scale(name)) for name in expected} == expected
    # the rank sum test is one of independent samples: it puts all topics together
    assert need_of(TESTS["rank_sum"]).across
