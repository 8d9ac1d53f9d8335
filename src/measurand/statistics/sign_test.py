"""The sign test: on how many topics one system is ahead of another."""

from __future__ import annotations

from functools import partial

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.needs import check_semantics, declares
from measurand.statistics.pairs import Found, PairBlock, PairOutcome, pairwise

EXACT_BELOW = 100
"""From this number of decided topics on, Matlab takes the normal distribution."""


@declares("sign test", Scale.ORDINAL, "DixonMood1946", across=False)
def sign(scores: Scores, *, semantics: str = "scipy", strict: bool = False) -> PairOutcome:  # noqa: ARG001
    r"""Test whether one system is ahead on more topics than the other, for every two systems.

    Topics with equal scores do not count. With :math:`n = n_+ + n_-` decided topics,

    .. math:: p = \min\Bigl(1,\; 2 \cdot 2^{-n} \sum_{i \le \min(n_+, n_-)} \binom{n}{i}\Bigr)

    The difference is the number of topics won less those lost; the statistic is that over √n.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    semantics : {"scipy", "matlab"}
        "scipy": exact for every n, as `scipy.stats.binomtest`. "matlab": from 100 decided topics on, the normal
        distribution with a correction for continuity, as Matlab's `signtest`.
    strict : bool, default False
        Whether to refuse scores on less than the test needs.

    Examples
    --------
    >>> values = [[6, 5, 7, 4, 5, 6], [1, 2, 3, 1, 2, 3]]
    >>> found = sign(Scores(measure="P@10", values=values, systems=("a", "b"), topics=tuple("123456")))
    >>> found.of("a", "b"), found.differences[0, 1].item()
    (0.03125, 6.0)

    References
    ----------
    [DixonMood1946]_
    """
    check_semantics(semantics)
    return pairwise(scores, partial(sign_of_pairs, semantics=semantics), semantics)


def sign_of_pairs(pairs: PairBlock, semantics: str = "scipy") -> Found:
    """Return what the sign test finds for some pairs of systems.

    Parameters
    ----------
    pairs
        The pairs.
    semantics
        As for `sign`.

    Examples
    --------
    >>> sign_of_pairs(PairBlock(np.ones((1, 6)), np.zeros((1, 6)))).pvalues.tolist()
    [0.03125]
    """
    ahead, behind = (pairs.x > pairs.y).sum(axis=1), (pairs.x < pairs.y).sum(axis=1)
    pvalues = sign_pvalues(ahead, behind, semantics)
    return Found(pvalues, 1.0 * (ahead - behind), (ahead - behind) / np.sqrt(np.maximum(ahead + behind, 1)))


def sign_pvalues(ahead: IntArray, behind: IntArray, semantics: str = "scipy") -> FloatArray:
    """Return the p-values of the sign test for numbers of topics won and lost.

    Parameters
    ----------
    ahead : array of int
        How many topics one system wins.
    behind : array of int
        How many topics it loses.
    semantics : {"scipy", "matlab"}
        As for `sign`.

    Examples
    --------
    >>> sign_pvalues(np.array([6, 2, 0]), np.array([0, 2, 0])).tolist()
    [0.03125, 1.0, 1.0]

    References
    ----------
    [DixonMood1946]_
    """
    from scipy.special import bdtr, ndtr

    decided = ahead + behind
    pvalues = np.minimum(1.0, 2 * bdtr(np.minimum(ahead, behind), decided, 0.5))
    if check_semantics(semantics) == "matlab":
        distance = np.maximum(np.abs(ahead - behind) - 1.0, 0.0)
        normal = 2 * ndtr(-distance / np.sqrt(np.maximum(decided, 1)))
        pvalues = np.where(decided < EXACT_BELOW, pvalues, normal)
    return np.asarray(pvalues, dtype=np.float64)
