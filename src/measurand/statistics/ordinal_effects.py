"""Effects that need order alone: who wins how often, and how far two distributions of scores are apart."""

from __future__ import annotations

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.scores import Scores

CELLS = 2**22
"""How many counts are held at a time."""


def wins_and_ties(scores: Scores) -> tuple[IntArray, IntArray]:
    """Return on how many topics the row's system is ahead of the column's, and on how many both are level.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .7, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> wins, ties = wins_and_ties(scores)
    >>> wins.tolist(), ties.tolist()
    ([[0, 1], [1, 0]], [[3, 1], [1, 3]])
    """
    n = len(scores.systems)
    wins, ties = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    for topic in scores.goodness.T:
        # comparisons with NaN are false, so that a topic which one of the two left out counts for nobody
        wins += topic[:, None] > topic[None, :]
        ties += topic[:, None] == topic[None, :]
    return wins, ties


def cliffs_delta(scores: Scores) -> FloatArray:
    r"""Return Cliff's delta of every two systems: how much more often a score of the one is better than the other's.

    .. math:: \delta = P(X > Y) - P(X < Y)

    for a score X of the row's system and a score Y of the column's, each on any of its topics, turned round where
    lower is better. It is 0 where a system has no scores.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7], [.2, .6]], systems=("a", "b"), topics=("1", "2"))
    >>> cliffs_delta(scores).tolist()
    [[0.0, 0.5], [-0.5, 0.0]]

    References
    ----------
    [Cliff1993]_
    """
    present = ~np.isnan(scores.values)
    sizes = present.sum(axis=1)
    levels, places = np.unique(scores.goodness[present], return_inverse=True)
    systems, ahead = np.nonzero(present)[0], np.zeros((len(sizes), len(sizes)))
    below, step = np.zeros(len(sizes)), max(1, CELLS // max(1, len(sizes)))
    for start in range(0, len(levels), step):
        width = min(step, len(levels) - start)
        chosen = (places >= start) & (places < start + width)
        flat = systems[chosen] * width + places[chosen] - start
        counts = np.bincount(flat, minlength=len(sizes) * width).reshape(len(sizes), width).astype(np.float64)
        upto = below[:, None] + np.cumsum(counts, axis=1)
        # how many of a system's scores are below each level, less how many are above
        ahead += counts @ (2 * upto - counts - sizes[:, None]).T
        below = upto[:, -1]
    return np.asarray(ahead / np.maximum(1, np.outer(sizes, sizes)))
