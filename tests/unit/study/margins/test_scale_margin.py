"""The margin of scale of two systems: the smallest distortion that overturns a claim, and the rescaling for it."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import inf, isinf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.judged import JudgedRuns
from measurand.study.margins import scale_margins
from measurand.study.margins.margin import How
from measurand.study.margins.pair import compared_pair
from measurand.study.margins.rescaling import Rescaling, known_maps, rescaling_of, scale_margin, spacing_of
from measurand.study.margins.steps import _searched, smallest_stretch
from measurand.study.margins.student import critical_sum


def campaign(a, b, top=1) -> JudgedRuns:
    """Return two systems that have these runs, one a topic."""
    cells = np.array([a, b], dtype=np.int8)
    return JudgedRuns(
        systems=("A", "B"),
        topics=tuple(str(topic) for topic in range(len(a))),
        cells=cells,
        lengths=(cells != -2).sum(axis=2),
        grade_counts=np.full((len(a), top + 1), 9),
    )


runs = st.lists(st.integers(0, 1), min_size=4, max_size=4)
two = st.integers(1, 6).flatmap(lambda n: st.tuples(*[st.lists(runs, min_size=n, max_size=n)] * 2))


def some_pair(seed: int, measure: str = "AP", topics: int = 12, *, claim: str = "significant", test: str = "t"):
    """Return a pair of random systems of which one tends to be better."""
    rng = np.random.default_rng(seed)
    a, b = (rng.random((topics, 8)) < share for share in (0.6, 0.3))
    return compared_pair(campaign(a, b), measure, "A", "B", claim=claim, test=test)


@given(two=two, measure=st.sampled_from(["RR", "AP", "P", "RBP(p=0.5)"]), data=st.data())
def test_the_rescaling_makes_the_means_level_exactly_and_no_milder_one_does(two, measure, data):
    pair = compared_pair(campaign(*two), measure, "A", "B")
    found = scale_margin(pair)
    first, second = pair.exact
    if sum(first) == sum(second):
        assert (found.value, found.how, found.certificate) == (1, How.EXACT, None)
        return
    assert float(found.value) == pytest.approx(scale_margins(pair.scores).of("A", "B"))
    changed = found.certificate
    if isinf(found.value):
        assert found.proof
        assert changed is None
        milder = Fraction(1000)
    else:
        assert changed.ratio == found.value == max(changed.slopes) / min(changed.slopes)
        assert (changed.values[0], changed.values[-1]) == (changed.knots[0], changed.knots[-1]) == (0, 1)
        assert all(low < high for low, high in pairwise(changed.values))
        assert sum(changed.apply(first)) == sum(changed.apply(second))
        milder = 1 + (found.value - 1) * Fraction(99, 100)
    values = spacing_of(pair).values
    slopes = data.draw(st.lists(st.integers(0, 8), min_size=len(values) - 1, max_size=len(values) - 1))
    heights = [Fraction(0)]
    for (low, high), slope in zip(pairwise(values), slopes, strict=True):
        heights.append(heights[-1] + (high - low) * (1 + (milder - 1) * slope / 8))
    other = Rescaling(values, tuple(heights))
    assert sum(other.apply(first)) > sum(other.apply(second))


@pytest.mark.parametrize("measure", ["DCG", "nDCG", "nDCG@3"])
def test_a_rescaling_of_irrational_values_is_applied_and_stays_inside_the_range(measure):
    pair = some_pair(3, measure, topics=6, claim="order")
    judged = pair.judged
    level = compared_pair(judged, measure, "A", "B")
    found = scale_margin(level)
    assert found.value == pytest.approx(scale_margins(level.scores).of("A", "B"))
    if found.certificate is not None:
        assert found.certificate.overturns(level)
        assert found.certificate.apply(level.scores.values).min() >= 0


def test_where_lower_is_better_the_rescaling_is_of_the_scores_as_printed():
    judged = campaign([[1, 0, 0, 0], [0, 0, 0, 1]], [[0, 1, 0, 0], [0, 0, 1, 0]])
    worse = campaign([[1, 0, 0, 0], [0, 0, 1, 0]], [[0, 0, 1, 0], [0, 1, 0, 0]])
    assert scale_margin(compared_pair(judged, "ESL", "A", "B")).value == 1
    pair = compared_pair(worse, "ESL", "A", "B")
    assert pair.scores.lower_is_better
    found = scale_margin(pair)
    assert found.value == inf or found.certificate.overturns(pair)
    pair = compared_pair(campaign([[1, 0, 0, 0], [0, 0, 0, 1]], [[0, 0, 0, 1], [0, 0, 1, 0]]), "ESL", "A", "B")
    assert scale_margin(pair).proof
    third = compared_pair(campaign([[1, 0, 0, 0], [0, 0, 0, 1]], [[0, 0, 1, 0], [0, 0, 1, 0]]), "ESL", "A", "B")
    found = scale_margin(third)
    assert found.value == 2
    assert found.certificate.knots[0] == 0
    assert all(low < high for low, high in pairwise(found.certificate.values))
    assert float(np.diff(found.certificate.apply(third.scores.values).sum(axis=1))[0]) == pytest.approx(0)


def insignificant(parts, slopes, c) -> bool:
    differences = parts @ slopes
    return differences.sum() <= c * np.sqrt((differences**2).sum())


@pytest.mark.parametrize("seed", range(5))
def test_no_choice_of_steps_takes_the_significance_of_t_below_the_margin(seed):
    pair = some_pair(seed, "P@5", topics=16)
    assert pair.holds
    found = scale_margin(pair)
    values = np.array([float(value) for value in spacing_of(pair).values])
    first, second = (np.clip(line[:, None], values[:-1], values[1:]) for line in pair.goodness)
    parts, c = first - second, critical_sum(len(pair.topics), pair.alpha)
    choices = [np.array(each) for each in product([False, True], repeat=parts.shape[1])]
    assert found.how is How.EXACT
    milder = min(found.value, 1e6) * (1 - 1e-6)
    for ratio in np.linspace(1, milder, 20):
        assert not any(insignificant(parts, np.where(each, ratio, 1.0), c) for each in choices)
    if not isinf(found.value):
        assert found.certificate.overturns(pair)
        assert float(found.certificate.ratio) == pytest.approx(found.value)
        assert pair.pvalue_of(found.certificate.goodness(pair)) == pytest.approx(pair.alpha, rel=1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_the_search_finds_what_trying_all_choices_finds(seed):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 11, 12) / 10
    b = np.clip(a - rng.integers(-1, 5, 12) / 10, 0, 1)
    values = np.unique([a, b])
    parts = np.clip(a[:, None], values[:-1], values[1:]) - np.clip(b[:, None], values[:-1], values[1:])
    # whatever is significant at its own level
    c = 0.8 * (a - b).sum() / np.sqrt(((a - b) ** 2).sum())
    complete, searched = smallest_stretch(parts, c), _searched(parts, c)
    assert complete.complete
    assert not searched.complete
    assert searched.ratio == pytest.approx(complete.ratio)


@pytest.mark.parametrize("seed", range(6))
def test_between_the_weights_of_topics_and_what_was_found_lies_the_margin_of_t(seed):
    pair = some_pair(seed, "AP", topics=15)
    found = scale_margin(pair)
    assert found.how is How.FOUND
    assert 1 < found.at_least == found.own.value <= found.value
    assert found.certificate.overturns(pair)
    assert found.value <= scale_margin(some_pair(seed, "AP", topics=15, claim="order")).value
    assert "proof" not in found.sentence
    spacing, rng = spacing_of(pair), np.random.default_rng(seed)
    for _ in range(40):
        chosen = (rng.random(len(spacing.totals)) < rng.random()).tolist()
        assert not rescaling_of(pair, spacing, chosen, found.at_least * (1 - 1e-9)).overturns(pair)


@pytest.mark.parametrize("test", ["sign", "rank_sum"])
def test_tests_of_order_alone_do_not_change_under_a_rescaling(test):
    pair = some_pair(0, "AP", topics=15, test=test)
    found = scale_margin(pair)
    assert found.proof
    assert "significance" in found.sentence
    assert pair.pvalue_of(pair.goodness**3) == pytest.approx(pair.pvalue_of(pair.goodness))


@pytest.mark.parametrize("test", ["signed_rank", "randomisation", "two_way_anova", "one_way_anova"])
def test_what_is_found_for_other_tests_is_applied(test):
    pair = some_pair(5, "AP", topics=14, test=test)
    assert pair.holds
    found = scale_margin(pair)
    assert found.how is How.FOUND
    assert "scale-proof" not in found.sentence
    assert found.certificate.overturns(pair)
    assert found.value <= scale_margin(some_pair(5, "AP", topics=14, claim="order")).value


def test_an_untrue_claim_needs_no_rescaling():
    a, b = [[1, 0], [0, 1], [0, 0]], [[0, 1], [0, 1], [0, 0]]
    found = scale_margin(compared_pair(campaign(a, b), "RR", "A", "B", claim="significant"))
    assert (found.value, found.own.value, found.how) == (1, 1, How.EXACT)


def test_two_values_cannot_be_spaced_otherwise():
    a, b = [[1, 0]] * 8, [[0, 0]] * 7 + [[1, 0]]
    found = scale_margin(compared_pair(campaign(a, b), "Success@1", "A", "B", claim="significant"))
    assert found.proof
    assert "scale-proof" not in found.sentence


def test_on_an_interval_scale_the_order_is_said_to_be_meaningful():
    pair = compared_pair(campaign([[1, 1], [0, 0]], [[1, 0], [0, 0]]), "P@2", "A", "B")
    found = scale_margin(pair)
    assert found.interval
    assert found.sentence == "the order of the means is meaningful on its interval scale (κ = ∞)"


def test_known_maps_are_applied():
    # reciprocal ranks 1 and 1/4 against 1/2 and 1/2
    a, b = [[1, 0, 0, 0], [0, 0, 0, 1]], [[0, 1, 0, 0], [0, 1, 0, 0]]
    pair = compared_pair(campaign(a, b), "RR", "A", "B")
    squares, roots, logarithms = known_maps(pair, interval=False)
    assert squares.kappa == pytest.approx((1 + 1 / 2) / (1 / 2 + 1 / 4))
    assert roots.kappa == pytest.approx((1 / 2 + 2**-0.5) ** -1 / (1 + 2**-0.5) ** -1)
    assert [each.overturns for each in (squares, roots, logarithms)] == [False, False, True]
    assert scale_margin(pair).value == 2 == pytest.approx(logarithms.kappa)


def test_a_measure_with_a_cutoff_is_compared_with_its_interval_scale():
    pair = some_pair(0, "RR@4", topics=4, claim="order")
    *_, own = known_maps(pair)
    assert own.name == "its interval scale"
    assert own.kappa is not None
