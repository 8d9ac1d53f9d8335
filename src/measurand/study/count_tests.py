"""Tests of counts: whether one system has more documents of every grade or more down to every rank, over all topics.

Every additive measure is a sum of these counts with weights that are not negative. So one system has the higher mean
under every additive measure if it has the higher mean count for every rank and grade; and that is significant if
every one of these comparisons is (an intersection–union test), without any correction for their number.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.errors import ParameterError
from measurand.execution import Rng, generator, mapped
from measurand.statistics import find_test
from measurand.statistics.draws import Draws, draws_to_make, signs
from measurand.study.certainty import least_pvalue

TESTS = ("paired_t", "randomisation")
"""The tests of mean counts."""

DRAWS = 10_000
"""How many permutations are drawn by default."""


def named_test(test: str) -> str:
    """Return the name of a test of mean counts.

    Parameters
    ----------
    test
        "t" or "randomisation", in any spelling.

    Examples
    --------
    >>> named_test("t"), named_test("permutation")
    ('paired_t', 'randomisation')
    """
    name = find_test(test).__name__
    if name not in TESTS:
        also = "; the sign test of counts is more_topics_won" if name == "sign" else ""
        raise ParameterError(f"mean counts are compared by test='t' or 'randomisation', not {test!r}{also}")
    return name


@frozen(eq=False)
class CountDifferences:
    """How many documents more of every grade or more one system has than another, by topic, grade and rank.

    Parameters
    ----------
    differences : array of int
        Topics × grades × ranks.
    left_out : array of bool
        Grades × ranks: which comparisons are equal by construction, because the first documents are the same.
    """

    differences: IntArray
    left_out: BoolArray

    @property
    def totals(self) -> IntArray:
        """The differences summed over topics, grades × ranks."""
        return np.asarray(self.differences.sum(axis=0, dtype=np.int64))

    def pvalue(self, test: str, permutations: int = DRAWS, rng: Rng = 0) -> float:
        """Return the two-sided p-value of having more of everything: twice the largest one-sided p of all comparisons.

        Parameters
        ----------
        test
            "paired_t" or "randomisation".
        permutations, rng
            How many permutations are drawn, and by what, where not all can be tried.
        """
        kept = self.differences[:, ~self.left_out].astype(np.float64)
        if not kept.size:
            return 1.0
        if (kept.sum(axis=0) <= 0).any():
            # one comparison that points the other way, or none
            return 1.0
        if test == "randomisation":
            return min(1.0, 2 * float(_randomised(kept, permutations, rng).max()))
        n, sums, squares = len(kept), kept.sum(axis=0), (kept**2).sum(axis=0)
        # no flip of signs reaches less
        least = least_pvalue((kept != 0).sum(axis=0).min())
        return float(np.maximum(two_sided(t_of_sums(sums, squares, n).min(), n), least))

    def sign_pvalue(self) -> float:
        """Return the two-sided p-value of winning more topics than losing, for every rank and grade."""
        from scipy.special import bdtr

        kept = self.differences[:, ~self.left_out]
        if not kept.size:
            return 1.0
        won, lost = (kept > 0).sum(axis=0), (kept < 0).sum(axis=0)
        # as many lost as won, or neither: 1
        one_sided = np.where(won > lost, bdtr(lost, np.maximum(1, won + lost), 0.5), 1.0)
        return min(1.0, 2 * float(one_sided.max()))


def t_of_sums(sums: FloatArray, squares: FloatArray, n: FloatArray | int) -> FloatArray:
    """Return t of differences from their sums, which are whole numbers, and the sums of their squares.

    Parameters
    ----------
    sums, squares : array of float
        The sums of differences, and of their squares.
    n : int or array of float
        Of how many topics.

    Returns
    -------
    array of float
        t; infinite where all differences are the same and not 0, and minus infinity where all are 0 or where there
        is one topic, whose spread is unknown, so that p is 1.

    Examples
    --------
    >>> t_of_sums(np.array([6.0, 3.0, 0.0]), np.array([14.0, 3.0, 0.0]), 3).round(6).tolist()
    [3.464102, inf, -inf]
    """
    # whole numbers, so that equal differences have a spread of exactly 0
    spread = np.maximum(n * squares - sums**2, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = sums * np.sqrt(np.maximum(n - 1.0, 0.0)) / np.sqrt(spread)
    t = np.where(spread == 0, np.copysign(np.inf, sums), t)
    return np.asarray(np.where((squares == 0) | (n < 2), -np.inf, t))


def two_sided(t: FloatArray, n: FloatArray | int) -> FloatArray:
    """Return twice the one-sided p-value of t, at most 1.

    Parameters
    ----------
    t : array of float
        The statistic.
    n : int or array of float
        Of how many topics.

    Examples
    --------
    >>> two_sided(np.array([3.4641016, np.inf, -np.inf]), 3).round(5).tolist()
    [0.07418, 0.0, 1.0]
    """
    from scipy.special import stdtr

    return np.asarray(np.minimum(1.0, 2 * stdtr(np.maximum(1, n - 1), -t)))


def _randomised(differences: FloatArray, permutations: int, rng: Rng) -> FloatArray:
    """Return the one-sided p-value of every sum of differences under random signs."""
    differing = differences[(differences != 0).any(axis=1)]
    sums, n = differing.sum(axis=0), len(differing)
    if n < permutations.bit_length():
        # all signs can be tried
        flips = np.where(np.arange(2**n)[:, None] >> np.arange(n) & 1, -1.0, 1.0)
        return np.asarray((flips @ differing >= sums).mean(axis=0))
    generate, found = generator(rng), np.zeros(len(sums))
    draws = draws_to_make(signs, permutations, n, generate)
    for counts in mapped(partial(_as_large, differing, sums), draws):
        found += counts
    return np.asarray((1 + found) / (1 + permutations))


def _as_large(differences: FloatArray, sums: FloatArray, flips: Draws) -> IntArray:
    """Return how many rows of signs make each sum of differences at least as large as it is."""
    # sums of whole numbers, so that equal ones are equal
    return np.asarray((flips.made() @ differences >= sums).sum(axis=0))
