"""Resampling tests: against all resamples, against scipy, and in odd company."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap as scipy_bootstrap
from scipy.stats import permutation_test

from measurand.errors import CaveatKind, NotMeaningful, ParameterError
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics import draws, pairs
from measurand.statistics.needs import need_of
from measurand.statistics.resampling import bootstrap, bootstrap_interval, randomisation, randomised_tukey

TESTS = [randomisation, bootstrap, randomised_tukey]


def scores_of(values, **facts) -> Scores:
    values = np.array(values, dtype=float)
    systems = tuple(f"s{i}" for i in range(values.shape[0]))
    topics = tuple(f"t{i}" for i in range(values.shape[1]))
    return Scores(measure="M", values=values, systems=systems, topics=topics, **facts)


def some_scores(systems: int, topics: int, seed: int = 7) -> Scores:
    generate = np.random.default_rng(seed)
    return scores_of(generate.random((systems, topics)) + 0.15 * np.arange(systems)[:, None])


def share_of_flips(differences: list[int]) -> float:
    observed = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(total >= observed for total in sums) / len(sums)


@given(st.lists(st.integers(-10, 10), min_size=1, max_size=9))
@settings(max_examples=15)
def test_few_topics_give_the_share_of_all_flips(differences):
    test = randomisation(scores_of([differences, [0] * len(differences)]))
    assert test.of("s0", "s1") == share_of_flips(differences)
    assert test.details["exact pairs"] == 1


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=2, max_size=40), st.integers(0, 3))
@settings(max_examples=10)
def test_shares_and_whole_numbers_have_the_same_p_value(counts, seed):
    whole = np.array(counts, dtype=float).T
    for test in TESTS:
        options = {"resamples" if test is bootstrap else "permutations": 500}
        one = test(scores_of(whole), rng=seed, **options).of("s0", "s1")
        assert one == test(scores_of(whole / 10), rng=seed, **options).of("s0", "s1")


def test_rounding_decides_no_flip():
    # .3 - .1, .5 - .3 and .9 - .7 are equal, but not as floats
    pair = scores_of([[0.3, 0.5, 0.9, 0.1, 0.6], [0.1, 0.3, 0.7, 0.3, 0.6]])
    assert randomisation(pair).of("s0", "s1") == share_of_flips([2, 2, 2, -2, 0])


def test_sampled_flips_come_close_to_scipy():
    scores = some_scores(2, 30)
    expected = permutation_test(
        (scores.values[0] - scores.values[1],),
        lambda d, axis: d.mean(axis=axis),
        permutation_type="samples",
        n_resamples=20_000,
        vectorized=True,
        rng=5,
    ).pvalue
    assert randomisation(scores).of("s0", "s1") == pytest.approx(expected, abs=0.02)


def test_a_pair_with_few_differing_topics_is_exact_among_others_that_are_sampled():
    values = np.vstack([some_scores(2, 30).values, some_scores(2, 30).values[1] + np.eye(30)[0]])
    test = randomisation(scores_of(values))
    assert test.details["exact pairs"] == 1
    assert test.of("s1", "s2") == 1.0
    assert test.of("s0", "s1") == randomisation(scores_of(values[:2])).of("s0", "s1") < 1


def test_all_signs_are_tried_when_they_are_no_more_than_the_permutations():
    scores = some_scores(2, 10)
    assert randomisation(scores, permutations=1024).details["exact pairs"] == 1
    assert randomisation(scores, permutations=1023).details["exact pairs"] == 0


def test_few_topics_that_are_drawn_again_come_close_to_all_draws():
    differences = np.array([0.3, 0.4, -0.1, 0.2])
    drawn = [differences[list(places)].mean() for places in product(range(4), repeat=4)]
    share = np.mean(np.abs(np.array(drawn) - differences.mean()) >= abs(differences.mean()) - 1e-9)
    assert bootstrap(scores_of([differences, [0] * 4])).of("s0", "s1") == pytest.approx(share, abs=0.01)


def test_the_bootstrap_interval_is_that_of_scipy():
    scores = some_scores(3, 25)
    low, high = bootstrap_interval(scores, 0.9)
    for a, b in ((0, 1), (0, 2), (2, 1)):
        there = scipy_bootstrap(
            (scores.values[a] - scores.values[b],), np.mean, confidence_level=0.9, method="percentile", rng=1
        ).confidence_interval
        assert (low[a, b], high[a, b]) == pytest.approx((there.low, there.high), abs=0.01)
    assert np.array_equal(low, -high.T)
    assert not np.diag(low).any()


def test_dealing_two_systems_is_flipping_signs():
    scores = some_scores(2, 12)
    exact = randomisation(scores).of("s0", "s1")
    assert randomised_tukey(scores, permutations=40_000).of("s0", "s1") == pytest.approx(exact, abs=0.01)


def test_dealing_among_three_systems_comes_close_to_all_deals():
    values = np.array([[0.9, 0.8, 0.7], [0.5, 0.9, 0.2], [0.1, 0.2, 0.3]])
    deals = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    ranges = [
        np.ptp(np.mean([values[deal, topic] for topic, deal in enumerate(chosen)], axis=0))
        for chosen in product(deals, repeat=3)
    ]
    test = randomised_tukey(scores_of(values))
    means = values.mean(axis=1)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        share = np.mean(np.array(ranges) >= abs(means[a] - means[b]) - 1e-12)
        assert test.pvalues[a, b] == pytest.approx(share, abs=0.015)


def test_a_tukey_p_value_is_never_below_that_of_the_pair_alone():
    scores = some_scores(6, 12)
    assert (randomised_tukey(scores).pvalues >= randomisation(scores).pvalues - 0.02).all()


@pytest.mark.parametrize("test", TESTS)
def test_the_same_seed_gives_the_same_p_values_and_another_seed_others(test):
    scores = some_scores(4, 40, seed=3)
    assert np.array_equal(test(scores, rng=3).pvalues, test(scores, rng=3).pvalues)
    assert np.array_equal(test(scores, rng=np.random.default_rng(3)).pvalues, test(scores, rng=3).pvalues)
    assert not np.array_equal(test(scores, rng=3).pvalues, test(scores, rng=4).pvalues)


@pytest.mark.parametrize("test", TESTS)
def test_how_much_is_held_at_a_time_does_not_matter(test, monkeypatch):
    scores = some_scores(5, 40, seed=3)
    at_once = test(scores).pvalues
    monkeypatch.setattr(draws, "CHUNK", 37)
    monkeypatch.setattr(pairs, "CELLS", 3 * 40)
    assert np.array_equal(test(scores).pvalues, at_once)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("missing", [0, 4])
def test_the_order_of_systems_does_not_matter(test, missing):
    values = some_scores(5, 30, seed=3).values.copy()
    values[range(missing), range(missing)] = np.nan
    order = [3, 0, 4, 2, 1]
    found, turned = test(scores_of(values)).pvalues, test(scores_of(values[order])).pvalues
    assert np.array_equal(turned, found[np.ix_(order, order)])


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("size", [2.0**-900, 2.0**900])
def test_tiny_and_huge_scores_have_the_same_p_values(test, size):
    values = some_scores(3, 30).values
    assert np.array_equal(test(scores_of(values * size)).pvalues, test(scores_of(values)).pvalues)


@pytest.mark.parametrize("test", [randomisation, bootstrap])
def test_the_p_value_of_a_pair_does_not_depend_on_other_systems(test):
    scores = some_scores(6, 30)
    pair = scores_of(scores.values[[1, 4]])
    assert test(pair).of("s0", "s1") == test(scores).of("s1", "s4")


@pytest.mark.parametrize("test", TESTS)
def test_no_p_value_is_zero_however_large_the_difference(test):
    generate = np.random.default_rng(0)
    far = test(scores_of([generate.random(40), 100 + generate.random(40)]))
    assert 0 < far.of("s0", "s1") == pytest.approx(1 / 10_001)


@pytest.mark.parametrize("test", TESTS)
def test_affine_rescaling_changes_nothing(test):
    values = np.random.default_rng(2).integers(0, 6, (4, 20)) / 5
    assert np.array_equal(test(scores_of(values)).pvalues, test(scores_of(4 * values + 1)).pvalues)


@pytest.mark.parametrize("test", TESTS)
def test_identical_and_constant_systems_do_not_differ(test):
    found = test(scores_of([[0.5] * 10, [0.5] * 10, [0.1, 0.9] * 5, [0.9, 0.1] * 5]))
    assert found.of("s0", "s1") == 1.0
    assert found.of("s2", "s3") == 1.0
    assert np.isfinite(found.pvalues).all()
    assert "1 of 6 pairs of systems have the same scores" in str(found.caveats[-1])


@pytest.mark.parametrize("test", TESTS)
def test_one_system_one_topic_and_no_topic_behave(test):
    assert test(scores_of([[0.1, 0.2]])).pvalues.tolist() == [[1.0]]
    assert test(scores_of([[0.1], [0.9]])).of("s0", "s1") == pytest.approx(1.0, abs=1e-3)
    assert test(scores_of(np.empty((2, 0)))).of("s0", "s1") == 1.0


def test_a_bootstrap_of_one_topic_says_that_it_says_nothing():
    found = bootstrap(scores_of([[0.1], [0.9]]))
    assert CaveatKind.DEGENERATE in {caveat.kind for caveat in found.caveats}
    low, high = bootstrap_interval(scores_of([[0.1], [0.9]]))
    assert (low[0, 1], high[0, 1]) == (-np.inf, np.inf)


@pytest.mark.parametrize("test", [randomisation, bootstrap])
def test_a_topic_that_one_of_two_left_out_is_as_if_it_were_not_there(test):
    values = some_scores(2, 9).values.copy()
    values[1, 2] = values[0, 5] = np.nan
    found, kept = test(scores_of(values)), test(scores_of(np.delete(values, [2, 5], axis=1)))
    assert found.topics[0, 1] == 7
    assert found.differences[0, 1] == pytest.approx(kept.differences[0, 1])
    assert found.of("s0", "s1") == pytest.approx(kept.of("s0", "s1"), abs=0.02)


@pytest.mark.parametrize("test", TESTS)
def test_systems_that_share_no_topic_are_told_apart_by_nobody(test):
    found = test(
        scores_of([[0.1, 0.3, np.nan, np.nan], [np.nan, np.nan, 0.2, 0.3], [0.1, 0.2, 0.3, 0.4], [np.nan] * 4])
    )
    assert np.isfinite(found.pvalues).all()
    assert CaveatKind.DEGENERATE in {caveat.kind for caveat in found.caveats}


@pytest.mark.parametrize("test", TESTS)
def test_means_need_an_interval_scale(test):
    assert need_of(test).scale is Scale.INTERVAL
    ordinal = some_scores(2, 10)
    assert CaveatKind.SCALE in {caveat.kind for caveat in test(ordinal).caveats}
    assert not test(scores_of(ordinal.values, scale=Scale.INTERVAL)).caveats
    with pytest.raises(NotMeaningful):
        test(ordinal, strict=True)


@pytest.mark.parametrize("number", [0, -1, 2.5, True, "many"])
def test_impossible_numbers_of_draws_are_refused(number):
    scores = some_scores(2, 5)
    for call in (
        lambda: randomisation(scores, permutations=number),
        lambda: bootstrap(scores, resamples=number),
        lambda: randomised_tukey(scores, permutations=number),
        lambda: bootstrap_interval(scores, resamples=number),
    ):
        with pytest.raises(ParameterError, match="whole number"):
            call()


@pytest.mark.parametrize("test", TESTS)
def test_an_impossible_seed_is_refused_even_where_nothing_is_drawn(test):
    with pytest.raises(ParameterError, match="rng must be"):
        test(some_scores(2, 3), rng="today")


def test_an_interval_of_means_needs_an_interval_scale_too():
    assert bootstrap_interval(scores_of([[0.5, 0.7], [0.2, 0.1]], scale=Scale.INTERVAL), strict=True)[0].shape == (2, 2)
    with pytest.raises(NotMeaningful, match="bootstrap interval"):
        bootstrap_interval(some_scores(2, 5), strict=True)


def test_impossible_confidence_is_refused():
    with pytest.raises(ParameterError, match="confidence"):
        bootstrap_interval(some_scores(2, 5), 1.0)


def test_progress_sees_every_chunk():
    seen = []

    def watch(items, total, what):
        for item in items:
            seen.append((total, what))
            yield item

    bootstrap(some_scores(2, 5), resamples=2500, progress=watch)
    assert seen == [(3, "resamples")] * 3


def test_a_bootstrap_of_few_topics_says_that_it_is_too_sure():
    few, enough = (
        Scores(
            measure="P",
            values=np.random.default_rng(1).random((2, topics)),
            systems=("a", "b"),
            topics=tuple(str(topic) for topic in range(topics)),
            scale=Scale.INTERVAL,
        )
        for topics in (4, 10)
    )
    assert "too sure" in str(bootstrap(few).caveats[-1])
    assert bootstrap(enough).caveats == ()
