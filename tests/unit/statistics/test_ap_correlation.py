"""AP correlation: by its definition, over all ways to break ties, and as the R package ircor prints it."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import CaveatKind, ParameterError
from measurand.scores import Scores
from measurand.statistics.correlation import tau_ap

# The example of ircor 1.0.2, help(tauAP): the figures are what R prints.
TRUE = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
FOUND = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]


def classical(x, y) -> Fraction:
    """Return the coefficient of two rankings without ties, by its definition."""
    order = sorted(range(len(y)), key=lambda i: -y[i])
    shares = [Fraction(sum(x[order[k]] > x[order[i]] for k in range(i)), i) for i in range(1, len(order))]
    return 2 * sum(shares) / (len(order) - 1) - 1


def ways_to_break_ties(numbers):
    """Return all rankings without ties that the ranking could be, equally often."""
    return [
        [order.index(i) for i in range(len(numbers))]
        for order in permutations(range(len(numbers)))
        if all(numbers[one] <= numbers[other] for one, other in pairwise(order))
    ]


@given(st.permutations(range(7)), st.permutations(range(7)))
def test_without_ties_it_is_the_classical_coefficient(x, y):
    assert tau_ap(x, y) == pytest.approx(float(classical(x, y)))
    assert tau_ap(x, y, ties="b") == pytest.approx(float(classical(x, y) + classical(y, x)) / 2)


@given(st.permutations(range(5)), st.lists(st.integers(0, 2), min_size=5, max_size=5))
@settings(max_examples=30)
def test_accuracy_is_the_mean_over_all_ways_to_break_ties(x, y):
    broken = [classical(x, way) for way in ways_to_break_ties(y)]
    assert tau_ap(x, y, ties="a") == pytest.approx(float(sum(broken) / len(broken)))


@given(st.lists(st.integers(0, 2), min_size=4, max_size=4), st.lists(st.integers(0, 2), min_size=4, max_size=4))
@settings(max_examples=30)
def test_ties_in_the_truth_are_broken_in_all_ways_too(x, y):
    broken = [classical(one, other) for one in ways_to_break_ties(x) for other in ways_to_break_ties(y)]
    expected = float("nan") if len(set(x)) == 1 else float(sum(broken) / len(broken))
    assert tau_ap(x, y, ties="a") == pytest.approx(expected, nan_ok=True)


def test_the_figures_are_those_of_ircor():
    assert tau_ap(TRUE, FOUND) == pytest.approx(0.3928571, abs=5e-8)
    assert tau_ap(TRUE, np.round(FOUND, 1)) == pytest.approx(0.39903, abs=5e-7)
    assert tau_ap(TRUE, np.round(FOUND, 1), ties="b") == pytest.approx(0.3317019, abs=5e-8)
    assert tau_ap(np.round(TRUE, 1), np.round(FOUND, 1), ties="b") == pytest.approx(0.339418, abs=5e-7)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=10))
def test_agreement_is_symmetric_and_a_ranking_agrees_with_itself(pairs):
    x, y = zip(*pairs, strict=True)
    assert tau_ap(x, y, ties="b") == pytest.approx(tau_ap(y, x, ties="b"), nan_ok=True)
    assert tau_ap(x, x, ties="b") == pytest.approx(1.0 if len(set(x)) > 1 else float("nan"), nan_ok=True)


@pytest.mark.parametrize("ties", ["a", "b"])
def test_it_goes_from_minus_one_to_one(ties):
    assert tau_ap([1, 2, 3, 4], [1, 2, 3, 4], ties=ties) == pytest.approx(1)
    assert tau_ap([1, 2, 3, 4], [4, 3, 2, 1], ties=ties) == pytest.approx(-1)


def test_an_error_at_the_top_costs_more():
    assert tau_ap([5, 4, 3, 2, 1], [4, 5, 3, 2, 1]) < tau_ap([5, 4, 3, 2, 1], [5, 4, 3, 1, 2])


def test_the_first_argument_is_the_truth():
    x, y = [4, 3, 2, 1], [1, 4, 3, 2]
    assert tau_ap(x, y) == pytest.approx(float(classical(x, y)))
    assert tau_ap(x, y) != pytest.approx(tau_ap(y, x))


@pytest.mark.parametrize("ties", ["a", "b"])
def test_constant_rankings_and_single_systems_have_no_correlation(ties):
    assert np.isnan(tau_ap([1, 1, 1], [1, 2, 3], ties=ties))
    assert np.isnan(tau_ap([1], [1], ties=ties))
    assert CaveatKind.DEGENERATE in {caveat.kind for caveat in tau_ap([1, 1], [1, 2], ties=ties).caveats}


def test_a_constant_estimate_is_right_half_the_time_and_agrees_with_nobody():
    assert tau_ap([1, 2, 3], [1, 1, 1], ties="a") == 0
    assert np.isnan(tau_ap([1, 2, 3], [1, 1, 1], ties="b"))


def test_scores_are_correlated_overall_and_topic_by_topic():
    values = np.array([[0.1, 0.9, 0.5], [0.2, 0.8, 0.5], [0.3, np.nan, 0.5]])
    x = Scores(measure="M", values=values, systems=("a", "b", "c"), topics=("1", "2", "3"))
    y = Scores(measure="N", values=values**2, systems=("a", "b", "c"), topics=("1", "2", "3"))
    by_topic = tau_ap(x, y, kind="topic")
    assert by_topic.by_topic[:2] == (1.0, 1.0)
    assert (by_topic.undefined, by_topic.method, by_topic) == (1, "tau-ap-a", 1.0)
    means = [[one.values[i, ~np.isnan(one.values[i])].mean() for i in range(3)] for one in (x, y)]
    assert tau_ap(x, y) == tau_ap(np.round(means[0], 8), np.round(means[1], 8))
    assert tau_ap(x, x, ties="b").kind == "overall"


def test_another_treatment_of_ties_is_refused():
    with pytest.raises(ParameterError, match="there is a, b"):
        tau_ap([1, 2], [1, 2], ties="c")
