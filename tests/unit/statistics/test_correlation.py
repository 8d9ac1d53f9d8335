"""Kendall's tau: against scipy, with ties, overall and topic by topic, and in odd company."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from measurand.errors import CaveatKind, InputError, NotMeaningful, ParameterError
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics import correlation
from measurand.statistics.correlation import kendall, similarity, tau_ap

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=15)


def scores_of(values, **facts) -> Scores:
    values = np.array(values, dtype=float)
    facts = {
        "systems": tuple(f"s{i}" for i in range(values.shape[0])),
        "topics": tuple(f"t{i}" for i in range(values.shape[1])),
        "measure": "M",
        **facts,
    }
    return Scores(values=values, **facts)


def graded(systems: int, topics: int, seed: int, levels: int = 5) -> Scores:
    return scores_of(np.random.default_rng(seed).integers(0, levels, (systems, topics)) / levels)


@given(PAIRS)
def test_plain_numbers_have_the_tau_of_scipy(pairs):
    x, y = zip(*pairs, strict=True)
    assert kendall(x, y) == pytest.approx(kendalltau(x, y).statistic, nan_ok=True)


@given(PAIRS)
def test_every_pair_is_counted_once(pairs):
    x, y = zip(*pairs, strict=True)
    tau = kendall(x, y)
    counted = [0] * 5
    for i in range(len(x)):
        for j in range(i):
            one, other = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
            kind = 4 if one == other == 0 else 2 if one == 0 else 3 if other == 0 else 0 if one == other else 1
            counted[kind] += 1
    assert [tau.concordant, tau.discordant, tau.ties_x, tau.ties_y, tau.ties_both] == counted


@given(PAIRS)
def test_tau_is_symmetric_and_turns_with_one_ranking(pairs):
    x, y = map(np.array, zip(*pairs, strict=True))
    assert kendall(x, y) == pytest.approx(kendall(y, x), nan_ok=True)
    assert kendall(x, -y) == pytest.approx(-kendall(x, y), nan_ok=True)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=12))
def test_an_increasing_map_changes_nothing(numbers):
    x, y = np.array(numbers), np.arange(len(numbers))
    tau = kendall(x, y)
    assert kendall(np.unique(x, return_inverse=True)[1], y) == pytest.approx(tau, nan_ok=True)


def test_topic_by_topic_is_scipy_on_every_topic():
    x, y = graded(20, 15, 1), graded(20, 15, 2)
    tau = kendall(x, y, kind="topic")
    expected = [kendalltau(x.values[:, t], y.values[:, t]).statistic for t in range(15)]
    assert tau.by_topic == pytest.approx(expected)
    assert tau == pytest.approx(np.mean(expected))
    assert tau.n == 20
    assert sum(tau.counts) == 15 * 20 * 19 // 2


def test_overall_is_scipy_on_rounded_means():
    x, y = graded(30, 10, 3), graded(30, 10, 4)
    expected = kendalltau(*(np.round(one.values.mean(axis=1), 8) for one in (x, y))).statistic
    assert kendall(x, y) == pytest.approx(expected)
    assert kendall(x, y).by_topic == ()


def test_how_much_is_compared_at_a_time_does_not_matter(monkeypatch):
    x, y = graded(13, 7, 5), graded(13, 7, 6)
    at_once = kendall(x, y, kind="topic")
    for cells in (1, 30, 13 * 13 * 2):
        monkeypatch.setattr(correlation, "CELLS", cells)
        assert kendall(x, y, kind="topic").by_topic == at_once.by_topic
        assert kendall(x, y, kind="topic").counts == at_once.counts


def test_a_topic_on_which_all_systems_tie_is_counted_and_left_out_of_the_mean():
    x = scores_of([[0.1, 0.5], [0.2, 0.5], [0.3, 0.5]])
    y = scores_of([[1, 2], [2, 3], [3, 1]])
    tau = kendall(x, y, kind="topic")
    assert tau == 1
    assert np.isnan(tau.by_topic[1])
    assert tau.undefined == 1
    assert "1 of 2 topics" in str(tau.caveats[-1])


@pytest.mark.parametrize("kind", ["overall", "topic"])
def test_constant_systems_and_one_system_have_no_correlation(kind):
    for values in ([[0.5, 0.5], [0.5, 0.5]], [[0.1, 0.2]]):
        tau = kendall(scores_of(values), scores_of(values), kind=kind)
        assert np.isnan(tau)
        assert tau.undefined == (2 if kind == "topic" else 1)
        assert CaveatKind.DEGENERATE in {caveat.kind for caveat in tau.caveats}
    assert np.isnan(kendall([], []))


def test_a_system_that_left_a_topic_out_is_not_ranked_there():
    x = scores_of([[0.1, 0.1], [np.nan, 0.2], [0.3, 0.3], [0.2, 0.4]])
    y = scores_of([[3.0, 1.0], [np.nan, 2.0], [1.0, 3.0], [2.0, 4.0]])
    tau = kendall(x, y, kind="topic")
    assert tau.by_topic == (-1.0, 1.0)
    assert CaveatKind.MISSING_TOPICS in {caveat.kind for caveat in tau.caveats}
    assert kendall(x, x) == 1
    nowhere = scores_of([[0.1, 0.1], [np.nan, np.nan], [0.3, 0.3]])
    assert kendall(nowhere, scores_of([[1, 1], [5, 5], [2, 2]])) == 1


def test_systems_and_topics_are_matched_by_name():
    x = graded(6, 4, 8)
    order, topics = [3, 1, 5, 0, 2, 4], [2, 0, 3, 1]
    y = scores_of(
        x.values[np.ix_(order, topics)],
        systems=tuple(x.systems[i] for i in order),
        topics=tuple(x.topics[i] for i in topics),
    )
    assert kendall(x, y) == 1
    assert kendall(x, y, kind="topic") == 1


def test_other_systems_or_topics_are_refused():
    x = graded(3, 2, 1)
    with pytest.raises(ParameterError, match="same systems, and there is other, s2 in one alone"):
        kendall(x, scores_of(x.values, systems=("s0", "s1", "other")))
    with pytest.raises(ParameterError, match="same topics"):
        kendall(x, graded(3, 3, 1), kind="topic")
    with pytest.raises(ParameterError, match="3 numbers cannot be ranked against 2"):
        kendall([1, 2, 3], [1, 2])
    with pytest.raises(ParameterError, match="no topics"):
        kendall([1, 2], [1, 2], kind="topic")
    with pytest.raises(ParameterError, match="there is overall, topic"):
        kendall(x, x, kind="both")
    with pytest.raises(ParameterError, match="one per system"):
        kendall([[1, 2]], [[1, 2]])
    with pytest.raises(ParameterError, match="or numbers, one per system"):
        kendall(["a", "b"], [1, 2])
    with pytest.raises(ParameterError, match="in another order"):
        kendall(x, scores_of(x.values, systems=("s1", "s0", "s2")).mean())


def test_order_is_enough_on_a_topic_and_means_need_an_interval_scale():
    ordinal, interval = graded(4, 3, 1), scores_of(graded(4, 3, 1).values, scale=Scale.INTERVAL)
    assert not kendall(ordinal, ordinal, kind="topic", strict=True).caveats
    assert not kendall(interval, interval, strict=True).caveats
    assert {caveat.kind for caveat in kendall(ordinal, interval).caveats} == {CaveatKind.SCALE}
    with pytest.raises(NotMeaningful):
        kendall(interval, ordinal, strict=True)


def test_topics_with_scales_of_their_own_can_be_correlated_one_by_one_alone():
    apart = scores_of(graded(4, 3, 1).values, scale=Scale.INTERVAL, one_scale=False)
    assert not kendall(apart, apart, kind="topic").caveats
    assert kendall(apart, apart).caveats


def test_means_that_differ_by_rounding_alone_tie_at_any_size():
    values = np.array([[0, 0, 3], [0, 1, 2], [1, 1, 2]]) / 5
    for size in (1e-12, 1, 1e9):
        tau = kendall(scores_of(values * size), [1, 2, 3])
        assert (tau.ties_x, tau.concordant) == (1, 2)
    assert kendall(scores_of(values), [1, 2, 3], decimals=None).ties_x == 0


def test_means_as_they_are_reported_are_rounded_as_well():
    scores = scores_of(np.array([[0, 0, 3], [0, 1, 2]]) / 5)
    assert kendall(scores.mean(), [1, 2]).ties_x == 1
    assert kendall(scores.mean(), scores).ties_both == 1


@pytest.mark.parametrize("kind", ["overall", "topic"])
def test_infinite_scores_are_refused_and_the_smallest_ones_are_not(kind):
    endless, smallest = (
        Scores(measure="M", values=[[value, 0.0], [0.0, 0.0]], systems=("a", "b"), topics=("1", "2"))
        for value in (np.inf, 5e-324)
    )
    with pytest.raises(InputError, match="system a has M = inf on topic 1"):
        kendall(endless, smallest, kind=kind)
    assert not kendall(smallest, smallest, kind=kind) < 1


def test_a_correlation_is_a_number_that_cannot_be_changed():
    tau = kendall([1, 2, 3], [1, 3, 2])
    assert tau + 1 == pytest.approx(4 / 3)
    assert round(tau, 2) == 0.33
    assert f"{tau:.3f}" == "0.333"
    with pytest.raises(AttributeError):
        tau.n = 5


def test_a_correlation_travels_whole():
    tau = kendall(graded(5, 4, 1), graded(5, 4, 2), kind="topic")
    for again in (pickle.loads(pickle.dumps(tau)), copy.copy(tau), copy.deepcopy(tau)):
        assert again == tau
        assert (again.by_topic, again.counts, again.kind, again.method) == (tau.by_topic, tau.counts, "topic", "tau-b")
        assert again.caveats == tau.caveats


def test_similarity_has_no_gaps():
    assert [similarity(tau) for tau in (1, 0.9001, 0.9, 0.8, 0.7999, -1)] == [
        "equivalent",
        "equivalent",
        "similar",
        "similar",
        "different",
        "different",
    ]
    assert similarity(float("nan")) == "undefined"


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
@settings(max_examples=15)
def test_accuracy_is_the_mean_over_all_ways_to_break_ties(x, y):
    broken = [classical(x, way) for way in ways_to_break_ties(y)]
    assert tau_ap(x, y, ties="a") == pytest.approx(float(sum(broken) / len(broken)))


@given(st.lists(st.integers(0, 2), min_size=4, max_size=4), st.lists(st.integers(0, 2), min_size=4, max_size=4))
@settings(max_examples=15)
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
