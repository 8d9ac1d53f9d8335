"""Pairs of systems on shared topics."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.errors import Doubt
from measurand.scores import Scores
from measurand.statistics import paired
from measurand.statistics.paired import Found, complete, pairwise, shared_topics


def scored(values) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure="P@10", values=values, systems=systems, topics=topics)


@pytest.fixture
def gappy() -> Scores:
    values = np.random.default_rng(0).random((7, 6))
    values[np.random.default_rng(1).random((7, 6)) < 0.3] = np.nan
    return scored(values)


@pytest.mark.parametrize("cells", [1, 20, 10**6])
def test_a_test_sees_every_pair_once_whatever_fits_into_memory(monkeypatch, gappy, cells):
    monkeypatch.setattr(paired, "CELLS", cells)
    seen = pairwise(gappy, lambda x, y: Found(np.ones(len(x)), np.nansum(x - y, axis=1), np.nansum(x + y, axis=1)))
    x, y = (gappy.values[rows] for rows in np.triu_indices(7, 1))
    assert seen.differences.tolist() == np.nansum(x - y, axis=1).tolist()
    assert seen.topics.tolist() == (~np.isnan(x + y)).sum(axis=1).tolist() == shared_topics(gappy).tolist()


def test_a_test_never_sees_a_score_without_its_partner(gappy):
    def test(x, y):
        assert (np.isnan(x) == np.isnan(y)).all()
        return Found(np.ones(len(x)), np.zeros(len(x)), np.zeros(len(x)))

    pairwise(gappy, test)


def test_pairs_that_share_too_little_and_pairs_that_are_the_same_are_counted():
    nan = np.nan
    scores = scored([[0.1, 0.2, nan], [0.1, 0.2, 0.5], [nan, nan, 0.3]])
    outcome = pairwise(scores, lambda x, y: Found(np.full(len(x), 0.2), np.zeros(len(x)), np.ones(len(x))))
    assert outcome.pvalues.tolist() == [0.2, 1.0, 1.0]
    assert outcome.statistic.tolist() == [1.0, 0.0, 0.0]
    share, same = map(str, outcome.caveats)
    assert share.startswith("2 of 3 pairs of systems share fewer")
    assert same.startswith("1 of 3 pairs of systems have the same scores")


def test_topics_that_not_all_systems_have_are_left_out_and_counted(gappy):
    left = complete(gappy)
    assert left.values.tolist() == gappy.values[:, ~np.isnan(gappy.values).any(axis=0)].tolist()
    assert left.caveats[0].doubt is Doubt.MISSING_TOPICS


def test_nothing_is_said_where_nothing_is_missing():
    assert complete(scored([[0.1, 0.2]])).caveats == ()
