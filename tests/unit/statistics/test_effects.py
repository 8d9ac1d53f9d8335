"""Effect sizes: against scipy and brute force, with rounding, without spread, on one topic and with topics missing."""

from __future__ import annotations

import pickle
from importlib import import_module

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, rankdata, ttest_rel

from measurand.errors import CaveatKind, InputError, NotMeaningful, ParameterError
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.effects import NEEDS, effects
from measurand.statistics.rank_tests import signed_rank
from measurand.statistics.t_test import paired_t


def scores_of(values, **facts) -> Scores:
    values = np.array(values, dtype=float)
    systems = tuple(f"s{i}" for i in range(values.shape[0]))
    topics = tuple(f"t{i}" for i in range(values.shape[1]))
    return Scores(measure="M", values=values, systems=systems, topics=topics, **facts)


COUNTS = st.integers(2, 8).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 6), min_size=n, max_size=n), min_size=2, max_size=4)
)


def test_the_mean_difference_and_its_interval_are_those_of_the_paired_t_test():
    scores = scores_of(np.random.default_rng(1).random((5, 20)))
    found = effects(scores, confidence=0.9)
    for a in range(5):
        for b in range(a):
            test = ttest_rel(scores.values[a], scores.values[b])
            interval = test.confidence_interval(0.9)
            assert (found.low[a, b], found.high[a, b]) == pytest.approx((interval.low, interval.high))
            assert found.cohens_d[a, b] == pytest.approx(test.statistic / np.sqrt(20))


@given(COUNTS)
@settings(max_examples=12)
def test_wins_ties_losses_and_cliffs_delta_are_what_comparing_gives(counts):
    found = effects(scores_of(counts))
    for a, ours in enumerate(counts):
        for b, theirs in enumerate(counts):
            signs = [np.sign(x - y) for x, y in zip(ours, theirs, strict=True)]
            assert [found.wins[a, b], found.ties[a, b], found.losses[a, b]] == [signs.count(s) for s in (1, 0, -1)]
            every = [np.sign(x - y) for x in ours for y in theirs]
            assert found.cliffs_delta[a, b] == pytest.approx(np.mean(every))


def test_cliffs_delta_is_the_rank_sum_statistic_rescaled_and_comes_in_pieces(monkeypatch):
    values = np.random.default_rng(3).integers(0, 30, (4, 25))
    at_once = effects(scores_of(values)).cliffs_delta
    u = mannwhitneyu(values[0], values[1]).statistic
    assert at_once[0, 1] == pytest.approx(2 * u / 25**2 - 1)
    monkeypatch.setattr(import_module("measurand.statistics.effects"), "CELLS", 12)
    assert effects(scores_of(values)).cliffs_delta == pytest.approx(at_once)


@given(COUNTS)
@settings(max_examples=12)
def test_the_rank_biserial_correlation_is_what_ranking_the_differences_gives(counts):
    found = effects(scores_of(np.array(counts) / 10))
    for a, ours in enumerate(counts):
        for b, theirs in enumerate(counts):
            differences = np.array([x - y for x, y in zip(ours, theirs, strict=True) if x != y])
            ranks = rankdata(np.abs(differences))
            expected = (np.sign(differences) * ranks).sum() / ranks.sum() if len(ranks) else 0
            assert found.rank_biserial[a, b] == pytest.approx(expected)


def test_shares_and_whole_numbers_have_the_same_effects():
    counts = np.random.default_rng(5).integers(0, 11, (6, 30))
    whole, shares = effects(scores_of(counts)), effects(scores_of(counts / 10))
    # .3 - .1, .5 - .3 and .9 - .7 are equal, but not as floats
    assert np.array_equal(whole.rank_biserial, shares.rank_biserial)
    for name in ("cohens_d", "cohens_d_average", "cliffs_delta"):
        assert getattr(shares, name) == pytest.approx(getattr(whole, name))


def test_effects_turn_with_the_pair():
    found = effects(scores_of(np.random.default_rng(2).random((5, 9))))
    for name in ("mean_difference", "cohens_d", "cohens_d_average", "rank_biserial", "cliffs_delta"):
        assert np.array_equal(getattr(found, name), -getattr(found, name).T)
    assert np.array_equal(found.low, -found.high.T)
    assert np.array_equal(found.wins, found.losses.T)
    assert np.array_equal(found.wins + found.ties + found.losses, found.topics)


def test_an_increasing_map_leaves_what_needs_order_alone():
    values = np.random.default_rng(2).random((4, 12))
    one, other = effects(scores_of(values)), effects(scores_of(np.exp(5 * values)))
    assert np.array_equal(one.cliffs_delta, other.cliffs_delta)
    assert np.array_equal(one.wins, other.wins)
    assert not np.allclose(one.rank_biserial, other.rank_biserial)


def test_d_in_units_of_the_scores_takes_the_mean_of_both_spreads():
    values = np.array([[0.1, 0.5, 0.9], [0.2, 0.3, 0.4]])
    expected = 0.2 / ((0.4 + 0.1) / 2)
    assert effects(scores_of(values)).cohens_d_average[0, 1] == pytest.approx(expected)


def test_without_spread_d_is_zero_or_infinite_even_after_rounding():
    # the differences are all .1, but not as floats
    found = effects(scores_of([[0.3, 0.4, 0.8], [0.2, 0.3, 0.7], [0.2, 0.3, 0.7]]))
    assert found.cohens_d.tolist() == [[0, np.inf, np.inf], [-np.inf, 0, 0], [-np.inf, 0, 0]]
    assert found.low[0, 1] == pytest.approx(found.high[0, 1])
    constant = effects(scores_of([[0.5] * 3, [0.1] * 3, [0.1] * 3]))
    assert constant.cohens_d_average[0].tolist() == [0, np.inf, np.inf]
    assert constant.cohens_d_average[1, 2] == 0


def test_on_one_topic_the_interval_is_unbounded():
    found = effects(scores_of([[0.5], [0.2]]))
    assert (found.low[0, 1], found.high[0, 1]) == (-np.inf, np.inf)
    assert found.of("s0", "s0").low == 0
    assert CaveatKind.DEGENERATE in {caveat.kind for caveat in found.caveats}
    assert "(no interval), delta" in str(found.of("s0", "s1"))


def test_topics_that_one_of_two_left_out_do_not_count():
    values = np.random.default_rng(2).random((3, 8))
    values[0, 2] = values[1, 5] = np.nan
    found, kept = effects(scores_of(values)), effects(scores_of(np.delete(values, [2, 5], axis=1)))
    assert found.topics[0, 1] == 6
    assert found.ties[0, 0] == 7
    for name in ("mean_difference", "low", "high", "cohens_d", "cohens_d_average", "rank_biserial", "wins"):
        assert getattr(found, name)[0, 1] == pytest.approx(getattr(kept, name)[0, 1])


def test_no_effect_is_ever_nan():
    gone = np.nan
    for values in ([[gone, gone], [0.1, 0.2]], [[0.1, gone], [gone, 0.2]], [[gone], [gone]], [[0.3, 0.4]], [[], []]):
        found = effects(scores_of(values))
        for name in ("mean_difference", "cohens_d", "cohens_d_average", "rank_biserial", "cliffs_delta", "low", "high"):
            assert not np.isnan(getattr(found, name)).any(), (values, name)


def test_every_effect_says_what_it_needs():
    assert str(NEEDS["wins"]) == "the number of wins needs an ordinal scale on every topic"
    assert str(NEEDS["cliffs_delta"]) == "the effect size delta needs an ordinal scale that all topics share"
    assert NEEDS["rank_biserial"].scale is NEEDS["cohens_d"].scale is NEEDS["mean_difference"].scale is Scale.INTERVAL


def test_caveats_say_which_effects_are_not_meaningful():
    values = np.random.default_rng(2).random((3, 8))
    ordinal = effects(scores_of(values))
    assert {name for name, caveats in ordinal.caveats_by.items() if not caveats} == {"cliffs_delta", "wins"}
    apart = effects(scores_of(values, scale=Scale.INTERVAL, one_scale=False))
    assert {name for name, caveats in apart.caveats_by.items() if not caveats} == {"wins"}
    assert not effects(scores_of(values, scale=Scale.INTERVAL)).caveats
    with pytest.raises(NotMeaningful):
        effects(scores_of(values), strict=True)


def test_one_pair_and_the_table_tell_the_same():
    found = effects(scores_of(np.random.default_rng(2).random((3, 8))))
    table = found.table()
    assert isinstance(table, pl.DataFrame)
    assert table.height == 3
    row = table.row(1, named=True)
    one = found.of("s0", "s2")
    assert {name: getattr(one, name) for name in row} == row
    assert isinstance(one.wins, int)


def test_a_sentence_for_people():
    pair = effects(scores_of([[0.5, 0.5, 0.4], [0.25, 0.5, 0.15]])).of("s0", "s1")
    told = "s0 - s1: mean difference +0.1667 (95% interval -0.1919 to +0.5252), d +1.15, delta +0.56, "
    assert str(pair) == told + "2 wins, 1 tie, 0 losses"


def test_tiny_and_huge_scores_have_the_same_effects_and_infinite_ones_none():
    values = np.random.default_rng(2).random((3, 8))
    expected = effects(scores_of(values))
    for size in (1e-300, 1e300):
        found = effects(scores_of(values * size))
        for name in ("cohens_d", "cohens_d_average", "rank_biserial", "cliffs_delta"):
            assert getattr(found, name) == pytest.approx(getattr(expected, name))
        assert found.low / size == pytest.approx(expected.low)
    with pytest.raises(InputError, match="system s0 has M = inf on topic t1"):
        effects(scores_of([[0.5, np.inf], [0.2, 0.1]]))


def test_the_effects_and_the_tests_agree_on_differences():
    scores = scores_of(np.random.default_rng(2).integers(0, 5, (4, 9)) / 7)
    found, ranks = effects(scores), signed_rank(scores).differences
    assert found.mean_difference.tolist() == paired_t(scores).differences.tolist()
    assert found.cohens_d * 3 == pytest.approx(paired_t(scores).statistic)
    assert (np.sign(found.rank_biserial) == np.sign(ranks)).all()


def test_results_travel_between_processes():
    found = effects(scores_of([[0.5, 0.7], [0.2, 0.1]]))
    again = pickle.loads(pickle.dumps(found))
    assert again.table().equals(found.table())
    assert again.caveats == found.caveats


def test_results_cannot_be_changed():
    found = effects(scores_of([[0.5, 0.7], [0.2, 0.1]]))
    with pytest.raises(ValueError, match="read-only"):
        found.wins[0, 1] = 7


def test_unknown_systems_and_impossible_confidence_are_refused():
    scores = scores_of([[0.5, 0.7], [0.2, 0.1]])
    with pytest.raises(ParameterError, match="there is s0, s1"):
        effects(scores).of("s0", "x")
    with pytest.raises(ParameterError, match="confidence"):
        effects(scores, confidence=95)
