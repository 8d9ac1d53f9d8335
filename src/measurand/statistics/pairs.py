"""Pairs of systems, a block at a time: their scores and differences on the topics that both have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.errors import Caveat, Doubt
from measurand.exact import Units
from measurand.scores import Scores

PAIRS = 2**12
"""How many pairs are held at a time."""

CELLS = 2**18
"""How many of their scores are held at a time, where there are many topics."""

ROUNDING = 8 * float(np.finfo(np.float64).eps)
"""How far apart, relative to their size, numbers may lie that differ by rounding alone."""

IN_SUMS = 1e-12
"""What share of a sum of differences may be rounding."""


@frozen(eq=False)
class PairBlock:
    """Some pairs of systems, in the order of `numpy.triu_indices(n, 1)`, with their scores by topic.

    Parameters
    ----------
    x, y
        Pairs × topics: the scores of the first and of the second system. Both are NaN on a topic that one of the
        two left out.
    exact
        The exact values of the same, as whole numbers, where they are known.
    """

    x: FloatArray
    y: FloatArray
    exact: tuple[Units, Units] | None = None

    @cached_property
    def shared(self) -> BoolArray:
        """Which topics both have, pairs × topics."""
        return np.asarray(~np.isnan(self.x))

    @cached_property
    def topics(self) -> IntArray:
        """How many topics each pair shares."""
        return np.asarray(self.shared.sum(axis=1))

    @cached_property
    def same(self) -> BoolArray:
        """Which pairs have the same scores on all topics they share, of which there is one at least."""
        return np.asarray(((self.x == self.y) | ~self.shared).all(axis=1) & (self.topics > 0))

    @cached_property
    def differences(self) -> FloatArray:
        """The first system minus the second, pairs × topics; 0 on a topic that one of them left out."""
        return np.where(self.shared, self.x - self.y, 0.0)

    @cached_property
    def means(self) -> FloatArray:
        """The mean difference of each pair; 0 where it is nothing but rounding, or where no topic is shared."""
        means = self.differences.sum(axis=1) / np.maximum(1, self.topics)
        return np.where(np.abs(means) <= self._negligible, 0.0, means)

    @cached_property
    def spreads(self) -> FloatArray:
        """The standard deviation of each pair's differences; 0 where it is nothing but rounding, or of one topic."""
        return self._deviations(self.differences)

    @property
    def own_spreads(self) -> tuple[FloatArray, FloatArray]:
        """The standard deviations of the first and of the second system's scores on the topics that both have."""
        return self._deviations(self.x), self._deviations(self.y)

    @property
    def rounding(self) -> FloatArray:
        """How close sums of differences lie that are taken as equal, by pair."""
        # a difference is as uncertain as the scores it comes from, a sum as its parts
        magnitude = np.where(self.shared, np.abs(self.x) + np.abs(self.y), 0.0).sum(axis=1)
        return np.asarray(IN_SUMS * np.abs(self.differences).sum(axis=1) + ROUNDING / 2 * magnitude)

    @cached_property
    def _negligible(self) -> FloatArray:
        """How large a difference can be that is nothing but rounding, by pair."""
        largest = np.where(self.shared, np.maximum(np.abs(self.x), np.abs(self.y)), 0.0)
        return np.asarray(ROUNDING * np.max(largest, axis=1, initial=0.0))

    def _deviations(self, values: FloatArray) -> FloatArray:
        """Return the standard deviation over the topics that each pair shares."""
        n = np.maximum(1, self.topics)
        there = np.where(self.shared, values, 0.0)
        rest = np.where(self.shared, there - (there.sum(axis=1) / n)[:, None], 0.0)
        widest = np.max(np.abs(rest), axis=1, initial=0.0)
        # in units of the widest, so that squares of tiny and huge scores stay numbers
        parts = rest / np.where(widest > 0, widest, 1.0)[:, None]
        deviations = widest * np.sqrt((parts**2).sum(axis=1) / np.maximum(1, n - 1))
        return np.where(widest <= self._negligible, 0.0, deviations)


def pair_blocks(scores: Scores, most: int = PAIRS, *, exactly: bool = False) -> Iterator[PairBlock]:
    """Return all pairs of systems in blocks of at most `most` pairs, with their exact values if asked for.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[0.5, 1.0], [0.25, np.nan]], systems=("a", "b"), topics=("1", "2"))
    >>> [block] = pair_blocks(scores)
    >>> block.differences.tolist(), block.topics.tolist()
    ([[0.25, 0.0]], [1])
    """
    first, second = np.triu_indices(len(scores.systems), 1)
    size = max(1, min(most, CELLS // max(1, len(scores.topics))))
    units = scores.exact.units_of(scores.values) if exactly and scores.exact is not None else None
    for start in range(0, len(first), size):
        systems = [rows[start : start + size] for rows in (first, second)]
        x, y = (scores.values[rows] for rows in systems)
        left_out = np.isnan(x) | np.isnan(y)
        x[left_out] = y[left_out] = np.nan
        exact = None if units is None else tuple(Units(units.sizes[rows], units.keys[rows]) for rows in systems)
        yield PairBlock(x, y, exact)  # type: ignore[arg-type] # two of them


def over_pairs(
    scores: Scores, of_block: Callable[[PairBlock], Any], most: int = PAIRS, *, exactly: bool = False
) -> Any:
    """Return what a function finds for every pair, a block at a time so that memory stays bounded.

    Parameters
    ----------
    of_block
        The function, of some pairs.
    most
        How many pairs a block has at most.
    exactly
        Whether blocks have the exact values too, where they are known: these take a while.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .75], [.25, .25]], systems=("a", "b"), topics=("1", "2"))
    >>> over_pairs(scores, lambda block: block.means).tolist()
    [0.375]
    """
    found = [of_block(block) for block in pair_blocks(scores, most, exactly=exactly)]
    return np.concatenate(found) if found else np.zeros(0)


def square(pairs: FloatArray | IntArray, systems: int, diagonal: Any = 0, *, turned: bool = False) -> Any:
    """Return numbers of all pairs as systems × systems, with the sign turned below the diagonal if `turned`.

    Examples
    --------
    >>> square(np.array([0.5]), 2, diagonal=1).tolist(), square(np.array([3]), 2, turned=True).tolist()
    ([[1.0, 0.5], [0.5, 1.0]], [[0, 3], [-3, 0]])
    """
    found = np.zeros((systems, systems), dtype=pairs.dtype)
    upper = np.triu_indices(systems, 1)
    found[upper] = pairs
    found.T[upper] = 0 - pairs if turned else pairs  # no zero with a sign
    found[np.diag_indices(systems)] = diagonal
    return found


def in_units_of(error: FloatArray, differences: FloatArray) -> FloatArray:
    """Return differences in units of their error; infinite where there is no error, and 0 for no difference.

    Examples
    --------
    >>> in_units_of(np.array([2.0, 0.0, 0.0]), np.array([1.0, -1.0, 0.0])).tolist()
    [0.5, -inf, 0.0]
    """
    error = np.broadcast_to(error, differences.shape)
    units = np.where(differences == 0, 0.0, np.copysign(np.inf, differences))
    with np.errstate(over="ignore"):
        return np.divide(differences, error, out=units, where=error > 0)


def few_topics(topics: IntArray, least: int, why: str) -> tuple[Caveat, ...]:
    """Return the caveat that some pairs share fewer than `least` topics, if some do.

    Examples
    --------
    >>> print(*few_topics(np.array([1, 5]), 2, "their p-value is 1"))
    1 of 2 pairs of systems shares fewer than 2 topics: their p-value is 1
    """
    few = int((topics < least).sum())
    if not few:
        return ()
    who = f"{few} of {len(topics)} pairs of systems {'shares' if few == 1 else 'share'}"
    scant = "no topic" if least == 1 else f"fewer than {least} topics"
    return (Caveat(Doubt.DEGENERATE, f"{who} {scant}: {why}"),)


def same_scores(same: BoolArray) -> tuple[Caveat, ...]:
    """Return the caveat that some pairs of systems have the same scores, if some do.

    Examples
    --------
    >>> print(*same_scores(np.array([True, False])))
    1 of 2 pairs of systems have the same scores on all topics they share: the p-value is 1 there
    """
    if not same.any():
        return ()
    who = f"{int(same.sum())} of {len(same)} pairs of systems"
    return (Caveat(Doubt.DEGENERATE, f"{who} have the same scores on all topics they share: the p-value is 1 there"),)
