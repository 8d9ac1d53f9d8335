"""Tests of two systems, made for every two."""

from __future__ import annotations

import numpy as np

from measurand.scores import Scores
from measurand.statistics.pairs import Found, pairwise


def test_pairs_that_share_too_little_and_pairs_that_are_the_same_are_counted():
    nan = np.nan
    values = [[0.1, 0.2, nan], [0.1, 0.2, 0.5], [nan, nan, 0.3]]
    scores = Scores(measure="P@10", values=values, systems=tuple("abc"), topics=tuple("123"))
    outcome = pairwise(scores, lambda pairs: Found(np.full(len(pairs.x), 0.2), pairs.means, np.ones(len(pairs.x))))
    assert outcome.pvalues.tolist() == [0.2, 1.0, 1.0]
    assert outcome.statistic.tolist() == [1.0, 0.0, 0.0]
    share, same = map(str, outcome.caveats)
    assert share.startswith("2 of 3 pairs of systems share fewer")
    assert same.startswith("1 of 3 pairs of systems have the same scores")
