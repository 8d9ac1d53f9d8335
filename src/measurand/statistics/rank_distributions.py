"""Exact distributions of rank statistics, with ties: counted, not approximated.

Ranks are given doubled, so that mid-ranks are whole numbers. Pairs of systems with the same pattern of ties
share one count.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from measurand.arrays import FloatArray, IntArray


def signed_rank_tails(doubled: IntArray, sums: IntArray) -> FloatArray:
    r"""Return, for each row of ranks, the probability that a sum over random signs is as small as the one given.

    Each rank is positive with probability ½, independently:

    .. math:: P\Bigl(\sum_i b_i r_i \le w\Bigr), \qquad b_i \in \{0, 1\}

    Parameters
    ----------
    doubled
        Pairs × topics: twice the ranks, 0 where there is none.
    sums
        For each pair, twice the sum w.

    Examples
    --------
    >>> signed_rank_tails(np.array([[2, 4, 6]]), np.array([2])).tolist()
    [0.25]

    References
    ----------
    [Wilcoxon1945]_
    """
    return _looked_up(doubled, sums, _ways_of_signs)


def rank_sum_tails(doubled: IntArray, sums: IntArray) -> FloatArray:
    """Return, for each row of ranks, the probability that half of them, at random, sum up to so little.

    Parameters
    ----------
    doubled
        Pairs × an even number of ranks, doubled.
    sums
        For each pair, twice the sum of the ranks of one half.

    Examples
    --------
    >>> rank_sum_tails(np.array([[2, 4, 6, 8]]), np.array([6])).tolist()
    [0.16666666666666666]

    References
    ----------
    [Wilcoxon1945]_
    """
    return _looked_up(doubled, sums, _ways_of_halves)


def _looked_up(doubled: IntArray, sums: IntArray, ways: Callable[[IntArray], FloatArray]) -> FloatArray:
    """Return the share of the ways that end up at each sum or below, counting once per pattern."""
    if not len(doubled):
        return np.zeros(0)
    patterns, which = np.unique(np.sort(doubled, axis=1), axis=0, return_inverse=True)
    which = which.reshape(-1)  # numpy 2.0 answers in two dimensions
    by_pattern = np.argsort(which, kind="stable")
    bounds = np.searchsorted(which[by_pattern], np.arange(len(patterns) + 1))
    tails = np.empty(len(doubled))
    for pattern, start, end in zip(patterns, bounds[:-1], bounds[1:], strict=True):
        pairs = by_pattern[start:end]
        counts = np.cumsum(ways(pattern))
        tails[pairs] = counts[sums[pairs]] / counts[-1]
    return tails


def _ways_of_signs(pattern: IntArray) -> FloatArray:
    """Return in how many ways a choice of ranks sums up to each number from 0 up."""
    ways = np.zeros(int(pattern.sum()) + 1)
    ways[0] = 1.0
    for rank in pattern[pattern > 0].tolist():
        ways[rank:] += ways[:-rank].copy()
    return ways


def _ways_of_halves(pattern: IntArray) -> FloatArray:
    """Return in how many ways half of the ranks sum up to each number from 0 up."""
    half = len(pattern) // 2
    ways = np.zeros((half + 1, int(pattern.sum()) + 1))
    ways[0, 0] = 1.0
    for rank in pattern.tolist():
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    return np.asarray(ways[half])
