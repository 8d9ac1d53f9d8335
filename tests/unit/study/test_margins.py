"""The margin of scale: the smallest distortion of a scale that changes the order of two means."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import measurand as md
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.study.margins import ScaleMargins, scale_margins


def margins(values, **facts) -> ScaleMargins:
    names = [f"s{place}" for place in range(len(values))]
    topics = [str(topic) for topic in range(len(values[0]))]
    return scale_margins(Scores(measure="M", values=values, systems=names, topics=topics, **facts))


def steps(a, b) -> list[tuple[Fraction, int]]:
    """Return the gaps between values that two systems reach, and how many topics more a has above each."""
    levels = sorted({*a, *b})
    return [
        (Fraction(high) - Fraction(low), sum(x >= high for x in a) - sum(x >= high for x in b))
        for low, high in pairwise(levels)
    ]


def lead(a, b, slopes) -> Fraction:
    """Return by how much the sum of a exceeds that of b where the scale has a slope for every gap."""
    return sum((gap * more * slope for (gap, more), slope in zip(steps(a, b), slopes, strict=True)), Fraction(0))


eighths = st.lists(st.integers(0, 8).map(lambda n: n / 8), min_size=5, max_size=5)


@given(a=eighths, b=eighths, data=st.data())
def test_the_margin_is_reached_by_a_rescaling_and_by_no_milder_one(a, b, data):
    if sum(a) < sum(b):
        a, b = b, a
    kappa = margins([a, b]).of("s0", "s1")
    found = steps(a, b)
    if sum(a) == sum(b):
        assert kappa == 1
        return
    against = sum((-gap * more for gap, more in found if more < 0), Fraction(0))
    assert np.isinf(kappa) == (against == 0)
    if against:
        exact = sum((gap * more for gap, more in found if more > 0), Fraction(0)) / against
        assert kappa == pytest.approx(float(exact))
        assert lead(a, b, [exact if more < 0 else 1 for _, more in found]) == 0
        milder = 1 + (exact - 1) * data.draw(st.integers(0, 99)) / 100
    else:
        milder = Fraction(1000)
    slopes = data.draw(st.lists(st.integers(0, 100), min_size=len(found), max_size=len(found)))
    assert lead(a, b, [1 + (milder - 1) * Fraction(slope, 100) for slope in slopes]) > 0


@given(values=st.lists(eighths, min_size=3, max_size=4))
def test_values_of_other_systems_change_no_margin(values):
    every = margins(values)
    assert np.array_equal(every.kappa, every.kappa.T)
    for i, j in combinations(range(len(values)), 2):
        assert every.kappa[i, j] == pytest.approx(margins([values[i], values[j]]).kappa[0, 1])


@given(values=st.lists(eighths, min_size=2, max_size=2))
def test_a_measure_and_its_cost_have_the_same_margin(values):
    turned = [[1 - value for value in row] for row in values]
    assert margins(turned, lower_is_better=True).kappa[0, 1] == pytest.approx(margins(values).kappa[0, 1])


def test_equal_shares_of_different_numbers_of_topics_are_equal():
    nothing = float("nan")
    found = margins([[0.1, 0.3, 0.7] * 2, [0.1, 0.3, 0.5, nothing, nothing, nothing]])
    assert np.isinf(found.of("s0", "s1"))


def test_a_system_without_scores_has_no_margin():
    found = margins([[0.1, 0.3], [float("nan")] * 2])
    assert np.isnan(found.of("s0", "s1"))
    assert found.to_dict()["kappa"][0][1] is None


@pytest.mark.parametrize(
    ("scale", "one_scale", "interval"),
    [(Scale.INTERVAL, True, True), (Scale.INTERVAL, False, False), (Scale.ORDINAL, True, False)],
)
def test_only_a_shared_interval_scale_makes_the_order_meaningful_as_it_is(scale, one_scale, interval):
    found = margins([[0.2, 0.6, 0.9], [0.4, 0.5, 0.4]], scale=scale, one_scale=one_scale)
    assert found.interval is interval
    words = "meaningful on its interval scale (κ = 3.0)" if interval else "scale-dependent: κ = 3.0"
    if not one_scale:
        words = "scale-dependent: it changes if some topics count 3.0 times as much as others"
    assert found.words("s1", "s0") == words


def test_a_scale_proof_order_is_first_order_dominance_on_a_real_sized_campaign():
    scores = md.evaluate(md.sample.qrels(), md.sample.runs(), "RR").scores("RR")
    found = scale_margins(scores)
    ordered = np.sort(scores.values, axis=1)
    for i, j in combinations(range(len(scores.systems)), 2):
        never_behind = (ordered[i] >= ordered[j]).all() or (ordered[i] <= ordered[j]).all()
        level = np.isclose(scores.values[i].mean(), scores.values[j].mean())
        assert found.proof[i, j] == (never_behind and not level)
