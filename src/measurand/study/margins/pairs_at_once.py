"""Margins of topics of every two systems at once: who is ahead, weights of topics, and topics to drop."""

from __future__ import annotations

from math import inf

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.scores import Scores
from measurand.scores.scores import SHARE
from measurand.statistics.all_pairs import frozen_numbers
from measurand.statistics.pairs import FEWEST, PairBlock, over_pairs, square
from measurand.study.certainty import fewest_topics
from measurand.study.margins.student import critical_sum, critical_t, first_roots
from measurand.study.margins.topics import largest_to_drop

MANY = 2**10
"""So many pairs are looked at together."""


@frozen(kw_only=True, eq=False)
class PairsAtOnce:
    """The margins of every two systems that follow from their differences by topic; arrays are systems × systems.

    Parameters
    ----------
    difference : array of float
        The mean difference on the topics that both have, row minus column, turned round where lower is better; NaN
        where they have none.
    tolerance : array of float
        The difference up to which two means may be the same number.
    shared : array of float
        How many topics both have.
    holds : array of bool
        Whether what is claimed of the two is true, whichever is ahead.
    own : array of float
        The margin of weights of topics, symmetric.
    topics : array of float
        The smallest number of topics whose removal overturns what is claimed, symmetric.
    """

    difference: FloatArray = field(converter=frozen_numbers)
    tolerance: FloatArray = field(converter=frozen_numbers)
    shared: FloatArray = field(converter=frozen_numbers)
    holds: BoolArray
    own: FloatArray = field(converter=frozen_numbers)
    topics: FloatArray = field(converter=frozen_numbers)


@frozen(eq=False)
class RankedDifferences:
    """Differences of some pairs by topic, each pair's largest first and the better system less the other.

    Parameters
    ----------
    values : array of float
        Pairs × topics; 0 beyond the topics that a pair shares.
    topics : array of int
        How many topics each pair shares.
    tolerance : array of float
        The mean difference up to which each pair may be level.
    """

    values: FloatArray
    topics: IntArray
    tolerance: FloatArray

    def where(self, keep: BoolArray) -> RankedDifferences:
        """Return the pairs that `keep` keeps."""
        return RankedDifferences(self.values[keep], self.topics[keep], self.tolerance[keep])


def pairs_at_once(scores: Scores, alpha: float | None = None) -> PairsAtOnce:
    r"""Return the margins of every two systems that follow from their differences by topic.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic; every two are compared on the topics that both have.
    alpha : float, optional
        The level of significance, if it is claimed that a paired t test is significant; without it the order of means
        is claimed.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[0.5, 0.5, 0.25], [0.25, 0.25, 0.5]], systems="ab", topics="123")
    >>> found = pairs_at_once(scores)
    >>> found.own[0, 1].item(), found.topics[0, 1].item()
    (2.0, 1.0)
    """
    n = len(scores.systems)
    found = over_pairs(scores.by_goodness(), lambda pairs: _of_block(pairs, alpha), MANY).reshape(-1, 6)
    difference, tolerance, shared, holds, own, topics = found.T
    return PairsAtOnce(
        difference=square(difference, n, turned=True),
        tolerance=square(tolerance, n),
        shared=square(shared, n, diagonal=(~np.isnan(scores.values)).sum(axis=1)),
        holds=square(holds, n) > 0,
        own=square(own, n, diagonal=1.0),
        topics=square(topics, n),
    )


def _of_block(pairs: PairBlock, alpha: float | None) -> FloatArray:
    """Return what is known of some pairs: difference, tolerance, topics, whether it holds, weights, topics to drop."""
    shared, topics = pairs.shared, pairs.topics
    means = pairs.differences.sum(axis=1) / np.maximum(1, topics)
    largest = np.where(shared, np.maximum(np.abs(pairs.x), np.abs(pairs.y)), 0.0).max(axis=1, initial=0.0)
    oriented = np.where(shared, pairs.differences * np.where(means < 0, -1.0, 1.0)[:, None], -np.inf)
    values = -np.sort(-oriented, axis=1)
    ranked = RankedDifferences(np.where(np.isinf(values), 0.0, values), topics, SHARE * largest)
    holds = (np.abs(means) > ranked.tolerance) & (topics > 0)
    # on fewer topics with a difference nothing is significant
    spare = (ranked.values != 0).sum(axis=1) - (0 if alpha is None else fewest_topics(alpha))
    if alpha is not None:
        holds &= (spare >= 0) & ~_not_significant(
            ranked.values.sum(axis=1), (ranked.values**2).sum(axis=1), ranked, topics, alpha
        )
    own, drop = np.ones(len(means)), np.zeros(len(means))
    true = ranked.where(holds)
    if alpha is None:
        own[holds], drop[holds] = _weights(true), largest_to_drop(true.values, true.topics, true.tolerance)
    else:
        own[holds], drop[holds] = _weights_of_t(true, alpha), np.minimum(_drop_for_t(true, alpha), spare[holds] + 1)
    own[topics == 0] = np.nan
    difference = np.where(topics > 0, means, np.nan)
    return np.stack([difference, ranked.tolerance, topics, holds, own, drop], axis=1)


def _weights(ranked: RankedDifferences) -> FloatArray:
    """Return the sum of differences for the better systems over that against them."""
    up, down = (np.maximum(values, 0).sum(axis=1) for values in (ranked.values, -ranked.values))
    return np.asarray(np.divide(up, down, out=np.full(len(up), inf), where=down > 0))


def _weights_of_t(ranked: RankedDifferences, alpha: float) -> FloatArray:
    r"""Return the smallest ratio of weights of topics that takes the significance of t away.

    The larger weight goes to all topics that are lost and to some that are won by most; for each number of these it
    is a root of :math:`(A + \kappa B)^2 = c^2 (A_2 + \kappa^2 B_2)`.
    """
    values = ranked.values
    c2 = np.array([critical_sum(number, alpha) for number in range(values.shape[1] + 1)])[ranked.topics, None] ** 2
    won = np.maximum(values, 0)
    first, first2 = (np.cumsum(np.pad(each, ((0, 0), (1, 0))), axis=1) for each in (won, won**2))
    lost, lost2 = values.sum(axis=1) - first[:, -1], (values**2).sum(axis=1) - first2[:, -1]
    rest, rest2 = first[:, -1:] - first, np.maximum(first2[:, -1:] - first2, 0)
    heavy, heavy2 = lost[:, None] + first, lost2[:, None] + first2
    return np.asarray(first_roots(heavy**2 - c2 * heavy2, rest * heavy, rest**2 - c2 * rest2).min(axis=1))


def _drop_for_t(ranked: RankedDifferences, alpha: float) -> FloatArray:
    """Return the size of the smallest block of neighbours without which t is not significant."""
    found = np.full(len(ranked.topics), inf)
    sums, squares = (np.cumsum(np.pad(each, ((0, 0), (1, 0))), axis=1) for each in (ranked.values, ranked.values**2))
    width, waiting = ranked.values.shape[1], np.arange(len(found))
    for number in range(1, width):
        if not len(waiting):
            break
        total, squared = (
            each[waiting, -1:] - (each[waiting, number:] - each[waiting, : width + 1 - number])
            for each in (sums, squares)
        )
        rows = ranked.where(np.isin(np.arange(len(found)), waiting))
        left = np.maximum(rows.topics - number, 0)
        inside = np.arange(total.shape[1]) <= left[:, None]
        fails = (inside & _not_significant(total, squared, rows, left, alpha)).any(axis=1)
        found[waiting[fails]] = number
        waiting = waiting[~fails]
    return found


def _not_significant(
    total: FloatArray, squared: FloatArray, ranked: RankedDifferences, topics: IntArray, alpha: float
) -> BoolArray:
    """Return where differences with these sums are level, reversed, or not significant by the t test."""
    bars = np.array([critical_t(number, alpha) for number in range(int(topics.max(initial=0)) + 1)])[topics]
    shape = (-1,) + (1,) * (total.ndim - 1)
    n, tolerance = topics.reshape(shape), ranked.tolerance.reshape(shape)
    few, bars = n < FEWEST, np.where(topics < FEWEST, 0.0, bars).reshape(shape)
    around = np.maximum(n * squared - total**2, 0.0)
    return np.asarray(few | (total <= tolerance * n) | (total**2 * (n - 1) < bars**2 * around))
