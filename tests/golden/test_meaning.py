"""Scales and meaningfulness with the paper's examples, as the checklist has them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from measurand.errors import NotMeaningful
from measurand.orders.measurement import Structure, homomorphism
from measurand.scale import Scale
from measurand.scales.admissibility import admissible, permissible, required_scale
from measurand.scales.meaning import Affine, Relabelling, check, survives
from measurand.scales.weighted_sums import random_rescaling
from measurand.scores import Scores

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


PARIS, ROME = [2, 2, 4, 8, 36], [1, 2, 4, 15, 34]


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
