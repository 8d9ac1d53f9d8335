"""Pairs of systems, a block at a time: their differences on the topics that both have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.errors import Caveat, Doubt
from measurand.scores import Scores

BLOCK = 2**12
"""How many pairs are held at a time."""

ROUNDING = 1e-9
"""What share of a sum of differences may be rounding."""


@frozen(eq=False)
class PairBlock:
    """Some pairs of systems, in the order of `numpy.triu_indices(n, 1)`, with their differences by topic.

    Parameters
    ----------
    place
        Which of all the pairs these are.
    first, second
        The rows of the systems.
    differences
        Pairs × topics, the first system minus the second; 0 on a topic that one of them left out.
    shared
        Which topics both have, pairs × topics.
    rounding
        One number a pair: sums of differences that are this close are taken as equal.
    """

    place: slice
    first: IntArray
    second: IntArray
    differences: FloatArray
    shared: BoolArray
    rounding: FloatArray

    @property
    def topics(self) -> FloatArray:
        """How many topics each pair shares."""
        return np.asarray(self.shared.sum(axis=1), dtype=np.float64)

    @property
    def means(self) -> FloatArray:
        """The mean difference of each pair; 0 if it shares no topic."""
        return np.asarray(self.differences.sum(axis=1) / np.maximum(1.0, self.topics))

    @property
    def spreads(self) -> FloatArray:
        """The standard deviation of each pair's differences; 0 where it is nothing but rounding, or of one topic."""
        topics = self.topics
        centred = np.where(self.shared, self.differences - self.means[:, None], 0.0)
        spreads = np.sqrt((centred**2).sum(axis=1) / np.maximum(1.0, topics - 1))
        return np.where(spreads * topics <= self.rounding, 0.0, spreads)


def pair_blocks(scores: Scores, size: int = BLOCK) -> Iterator[PairBlock]:
    """Return all pairs of systems in blocks of at most `size`.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[0.5, 1.0], [0.25, np.nan]], systems=("a", "b"), topics=("1", "2"))
    >>> [block] = pair_blocks(scores)
    >>> block.differences.tolist(), block.topics.tolist()
    ([[0.25, 0.0]], [1.0])
    """
    first, second = np.triu_indices(len(scores.systems), 1)
    for start in range(0, len(first), size):
        place = slice(start, min(start + size, len(first)))
        yield _block(scores.values, place, first[place], second[place])


def _block(values: FloatArray, place: slice, first: IntArray, second: IntArray) -> PairBlock:
    ours, theirs = values[first], values[second]
    shared = ~(np.isnan(ours) | np.isnan(theirs))
    differences = np.where(shared, ours - theirs, 0.0)
    # a difference is as uncertain as the scores it comes from, a sum as its parts
    magnitude = np.where(shared, np.abs(ours) + np.abs(theirs), 0.0).sum(axis=1)
    rounding = ROUNDING * np.abs(differences).sum(axis=1) + 4 * np.finfo(np.float64).eps * magnitude
    return PairBlock(place, first, second, differences, shared, rounding)


def few_topics(topics: FloatArray | IntArray, least: int, why: str) -> tuple[Caveat, ...]:
    """Return the caveat that some pairs share fewer than `least` topics, if some do.

    Examples
    --------
    >>> print(*few_topics(np.array([1.0, 5.0]), 2, "their p-value is 1"))
    1 of 2 pairs of systems shares fewer than 2 topics: their p-value is 1
    """
    few = int((topics < least).sum())
    if not few:
        return ()
    who = f"{few} of {len(topics)} pairs of systems {'shares' if few == 1 else 'share'}"
    scant = "no topic" if least == 1 else f"fewer than {least} topics"
    return (Caveat(Doubt.DEGENERATE, f"{who} {scant}: {why}"),)
