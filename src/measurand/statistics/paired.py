"""Pairs of systems on the topics that they share, and systems on the topics that all have."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.errors import Caveat, Doubt
from measurand.scores import Scores
from measurand.statistics.needs import PairOutcome
from measurand.statistics.pair_blocks import few_topics

CELLS = 1_000_000
"""How many scores of pairs are looked at in one go, so that thousands of systems fit into memory."""

FEWEST = 2
"""Fewer topics than this leave nothing to test."""

ROUNDING = 8 * float(np.finfo(np.float64).eps)
"""How far apart, relative to their size, numbers may lie that differ by rounding alone."""


@frozen(eq=False)
class Found:
    """What a test finds for some pairs: one number a pair, the first system minus the second."""

    pvalues: FloatArray
    differences: FloatArray
    statistic: FloatArray


PairTest = Callable[[FloatArray, FloatArray], Found]
"""A test of rows of two arrays, pairs × topics; both are NaN on a topic that one of the two systems left out."""


def pairwise(scores: Scores, test: PairTest, semantics: str = "") -> PairOutcome:
    """Return what a test finds for every two systems, on the topics that both have.

    Pairs that share fewer than two topics get a p-value of 1, and a caveat says how many they are.

    Examples
    --------
    >>> scores = Scores(measure="P@10", values=[[0.5], [0.3]], systems=("a", "b"), topics=("1",))
    >>> outcome = pairwise(scores, lambda x, y: Found(x[:, 0], (x - y)[:, 0], x[:, 0]))
    >>> outcome.pvalues.tolist(), str(outcome.caveats[0])
    ([1.0], '1 of 1 pairs of systems shares fewer than 2 topics: nothing can be tested there')
    """
    topics = shared_topics(scores)
    found = [test(x, y) for x, y in _blocks(scores.values)]
    few = topics < FEWEST
    return PairOutcome(
        pvalues=np.where(few, 1.0, np.concatenate([np.zeros(0), *(part.pvalues for part in found)])),
        differences=np.concatenate([np.zeros(0), *(part.differences for part in found)]),
        statistic=np.where(few, 0.0, np.concatenate([np.zeros(0), *(part.statistic for part in found)])),
        topics=topics,
        semantics=semantics,
        caveats=(*few_topics(topics, FEWEST, "nothing can be tested there"), *_same(scores.values)),
    )


def shared_topics(scores: Scores) -> FloatArray:
    """Return on how many topics both systems of each pair have a score.

    Examples
    --------
    >>> values = [[0.5, 0.3], [0.1, np.nan]]
    >>> shared_topics(Scores(measure="P@10", values=values, systems=("a", "b"), topics=("1", "2"))).tolist()
    [1.0]
    """
    present = (~np.isnan(scores.values)).astype(np.float64)
    shared: FloatArray = (present @ present.T)[np.triu_indices(len(scores.systems), 1)]
    return shared


def count(values: FloatArray) -> IntArray:
    """Return how many numbers stand in each row, NaN not counted.

    Examples
    --------
    >>> count(np.array([[0.5, np.nan], [1.0, 2.0]])).tolist()
    [1, 2]
    """
    counted: IntArray = (~np.isnan(values)).sum(axis=1)
    return counted


@frozen(eq=False)
class Complete:
    """The scores of all systems on the topics that all have.

    Parameters
    ----------
    values
        Systems × topics, without NaN.
    caveats
        How many topics were left out, and whether anything is left to test.
    """

    values: FloatArray
    caveats: tuple[Caveat, ...] = ()

    @property
    def testable(self) -> bool:
        """Whether there are two systems and two topics at least."""
        systems, topics = self.values.shape
        return bool(systems >= FEWEST and topics >= FEWEST)

    def untested(self, compared: FloatArray) -> PairOutcome:
        """Return the outcome where nothing can be tested: every p-value is 1.

        Parameters
        ----------
        compared
            Systems × topics: that whose means the test would compare.
        """
        systems, topics = self.values.shape
        means = compared.mean(axis=1) if topics else np.zeros(systems)
        first, second = np.triu_indices(systems, 1)
        return PairOutcome(
            pvalues=np.ones(len(first)),
            differences=means[first] - means[second],
            statistic=np.zeros(len(first)),
            topics=np.full(len(first), float(topics)),
            details={"p": 1.0},
            caveats=self.caveats,
        )


def complete(scores: Scores) -> Complete:
    """Return the scores on the topics that all systems have, with a caveat that counts the others.

    Examples
    --------
    >>> values = [[0.5, 0.3, 0.2], [0.1, np.nan, 0.2]]
    >>> left = complete(Scores(measure="P@10", values=values, systems=("a", "b"), topics=("1", "2", "3")))
    >>> left.values.tolist(), str(left.caveats[0])
    ([[0.5, 0.2], [0.1, 0.2]], '1 of 3 topics are left out, because a system has no score there')
    """
    everywhere: BoolArray = np.asarray(~np.isnan(scores.values).any(axis=0))
    caveats: tuple[Caveat, ...] = ()
    if not everywhere.all():
        left_out, of = int((~everywhere).sum()), len(everywhere)
        text = f"{left_out} of {of} topics are left out, because a system has no score there"
        caveats = (Caveat(Doubt.MISSING_TOPICS, text),)
    if everywhere.sum() < FEWEST:
        what = "only one topic that all systems have" if everywhere.any() else "no topic that all systems have"
        caveats = (*caveats, Caveat(Doubt.DEGENERATE, f"there is {what}: nothing can be tested"))
    return Complete(scores.values[:, everywhere], caveats)


def _blocks(values: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the scores of the first and of the second system of some pairs, block by block."""
    first, second = np.triu_indices(len(values), 1)
    size = max(1, CELLS // max(1, values.shape[1]))
    for start in range(0, len(first), size):
        x, y = values[first[start : start + size]], values[second[start : start + size]]
        left_out = np.isnan(x) | np.isnan(y)
        x[left_out] = y[left_out] = np.nan
        yield x, y


def _same(values: FloatArray) -> tuple[Caveat, ...]:
    """Return the caveat that some pairs of systems have the same scores, if some do."""
    found = [((x == y) | np.isnan(x)).all(axis=1) & ~np.isnan(x).all(axis=1) for x, y in _blocks(values)]
    same, pairs = sum(int(part.sum()) for part in found), sum(len(part) for part in found)
    if not same:
        return ()
    text = f"{same} of {pairs} pairs of systems have the same scores on all topics they share: the p-value is 1 there"
    return (Caveat(Doubt.DEGENERATE, text),)
