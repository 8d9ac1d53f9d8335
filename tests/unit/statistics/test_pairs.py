"""Pairs of systems on shared topics: what a block of them knows, whatever the size of scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import CaveatKind
from measurand.scores import Scores
from measurand.statistics import pairs
from measurand.statistics.pairs import Found, complete, over_pairs, pair_blocks, pairwise


def scored(values) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure="P@10", values=values, systems=systems, topics=topics)


@pytest.fixture
def gappy() -> Scores:
    values = np.random.default_rng(0).random((7, 6))
    values[np.random.default_rng(1).random((7, 6)) < 0.3] = np.nan
    return scored(values)


@pytest.mark.parametrize(("cells", "most"), [(1, 100), (20, 100), (10**6, 5), (10**6, 10**6)])
def test_every_pair_is_seen_once_whatever_fits_into_memory(monkeypatch, gappy, cells, most):
    monkeypatch.setattr(pairs, "CELLS", cells)
    x, y = (gappy.values[rows] for rows in np.triu_indices(7, 1))
    blocks = list(pair_blocks(gappy, most))
    assert max(len(block.x) for block in blocks) == min(21, most, max(1, cells // 6))
    assert over_pairs(gappy, lambda block: block.topics, most).tolist() == (~np.isnan(x + y)).sum(axis=1).tolist()
    assert np.concatenate([block.differences for block in blocks]).tolist() == np.nan_to_num(x - y).tolist()


def test_no_score_is_seen_without_its_partner(gappy):
    for block in pair_blocks(gappy, 4):
        assert (np.isnan(block.x) == np.isnan(block.y)).all()
        assert (np.isnan(block.x) == ~block.shared).all()


def test_means_and_spreads_are_those_of_the_topics_that_both_have(gappy):
    [block] = pair_blocks(gappy)
    for pair in np.flatnonzero(block.topics > 1):
        x, y = (scores[pair][block.shared[pair]] for scores in (block.x, block.y))
        assert block.means[pair] == pytest.approx((x - y).mean())
        assert block.spreads[pair] == pytest.approx((x - y).std(ddof=1))
        assert [spread[pair] for spread in block.own_spreads] == pytest.approx([x.std(ddof=1), y.std(ddof=1)])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=9), st.integers(-290, 290))
@settings(max_examples=10)
def test_the_size_of_scores_does_not_matter(counts, power):
    values = np.array(counts, dtype=float).T
    [whole], [sized] = pair_blocks(scored(values)), pair_blocks(scored(values * 10.0**power))
    assert sized.means == pytest.approx(whole.means * 10.0**power, rel=1e-12, abs=0)
    assert sized.spreads == pytest.approx(whole.spreads * 10.0**power, rel=1e-12, abs=0)


def test_a_mean_and_a_spread_that_are_nothing_but_rounding_are_zero():
    [block] = pair_blocks(scored([[0.3, 0.5, 0.9], [0.1, 0.3, 0.7]]))
    assert block.spreads.tolist() == [0.0]
    assert block.means == pytest.approx(0.2)
    [block] = pair_blocks(scored([[0.1 + 0.2, 0.1 * 3], [0.3, 0.3]]))
    assert (block.means.tolist(), block.spreads.tolist()) == ([0.0], [0.0])


def test_large_numbers_that_differ_by_one_are_not_taken_for_rounding():
    [block] = pair_blocks(scored([[10**9 + 1, 10**9, 10**9], [10**9, 10**9, 10**9]]))
    assert block.means == pytest.approx(1 / 3)
    assert block.spreads == pytest.approx(3**-0.5)


def test_pairs_with_the_same_scores_are_known_unless_they_share_nothing():
    nan = np.nan
    [block] = pair_blocks(scored([[0.1, 0.2, nan], [0.1, 0.2, 0.5], [nan, nan, 0.3]]))
    assert block.same.tolist() == [True, False, False]


def test_pairs_that_share_too_little_and_pairs_that_are_the_same_are_counted():
    nan = np.nan
    values = [[0.1, 0.2, nan], [0.1, 0.2, 0.5], [nan, nan, 0.3]]
    scores = Scores(measure="P@10", values=values, systems=tuple("abc"), topics=tuple("123"))
    outcome = pairwise(scores, lambda pairs: Found(np.full(len(pairs.x), 0.2), pairs.means, np.ones(len(pairs.x))))
    assert outcome.pvalues.tolist() == [0.2, 1.0, 1.0]
    assert outcome.statistic.tolist() == [1.0, 0.0, 1.0]
    share, same = map(str, outcome.caveats)
    assert share.startswith("2 of 3 pairs of systems share fewer")
    assert same.startswith("1 of 3 pairs of systems have the same scores")


def scored_complete(values) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure="P@10", values=values, systems=systems, topics=topics)


def test_topics_that_not_all_systems_have_are_left_out_and_counted():
    values = np.random.default_rng(0).random((7, 6))
    values[np.random.default_rng(1).random((7, 6)) < 0.1] = np.nan
    left = complete(scored_complete(values))
    assert left.values.tolist() == values[:, ~np.isnan(values).any(axis=0)].tolist()
    assert 0 < left.values.shape[1] < 6
    assert left.caveats[0].kind is CaveatKind.MISSING_TOPICS


def test_nothing_is_said_where_nothing_is_missing():
    assert complete(scored_complete([[0.1, 0.2]])).caveats == ()
