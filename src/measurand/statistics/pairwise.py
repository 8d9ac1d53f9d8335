"""Tests of two systems, made for every two."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.scores import Scores
from measurand.statistics.needs import PairOutcome
from measurand.statistics.pairs import PairBlock, few_topics, over_pairs, same_scores

FEWEST = 2
"""Fewer topics than this leave nothing to test."""


@frozen(eq=False)
class Found:
    """What a test finds for some pairs: one number a pair, the first system minus the second."""

    pvalues: FloatArray
    differences: FloatArray
    statistic: FloatArray


def pairwise(
    scores: Scores, test: Callable[[PairBlock], Found], semantics: str = "", *, exactly: bool = False
) -> PairOutcome:
    """Return what a test finds for every two systems, on the topics that both have.

    Pairs that share fewer than two topics get a p-value of 1, and a caveat says how many they are.

    Parameters
    ----------
    test
        What looks at some pairs of systems.
    semantics
        Whose conventions it follows.
    exactly
        Whether it takes exact values where they are known.

    Examples
    --------
    >>> scores = Scores(measure="P@10", values=[[0.5], [0.3]], systems=("a", "b"), topics=("1",))
    >>> outcome = pairwise(scores, lambda pairs: Found(pairs.means, pairs.means, pairs.means))
    >>> outcome.pvalues.tolist(), str(outcome.caveats[0])
    ([1.0], '1 of 1 pairs of systems shares fewer than 2 topics: nothing can be tested there')
    """

    def of_block(pairs: PairBlock) -> FloatArray:
        found = test(pairs)
        return np.stack([found.pvalues, found.differences, found.statistic], axis=1)

    pvalues, differences, statistic = over_pairs(scores, of_block, exactly=exactly).reshape(-1, 3).T
    topics, same = (over_pairs(scores, attrgetter(name)) for name in ("topics", "same"))
    few = topics < FEWEST
    return PairOutcome(
        pvalues=np.where(few, 1.0, pvalues),
        differences=differences,
        statistic=np.where(few, 0.0, statistic),
        topics=topics,
        semantics=semantics,
        caveats=(*few_topics(topics, FEWEST, "nothing can be tested there"), *same_scores(same)),
    )
