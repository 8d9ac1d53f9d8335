"""Normalisation: scores of different systems, ranking by ranking, brought to one scale before they are combined."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.fusion.pool import Pool

NORMALISATIONS: Mapping[str, str] = {
    "min-max": "from 0 for the lowest score of a ranking to 1 for the highest; 1 each if all are equal",
    "z-score": "in standard deviations from the mean of the ranking (zmuv); 0 each if all are equal",
    "sum": "above the lowest score, as shares of their sum; 1/n each if all are equal",
    "rank": "from 1 for the first rank down by 1/n a rank, whatever the scores",
    "none": "scores as they are",
}
"""What can be done to the scores of a ranking (one run on one topic) before they are combined."""

EXTREME = 1e140
"""Scores that differ by more than this, or by less than one by this, are scaled before they are squared."""


def normalised_ranks(pool: Pool, ranks: IntArray) -> FloatArray:
    """Return 1 for the first rank of each ranking, and 1/n less at each rank after it.

    Parameters
    ----------
    pool : Pool
        The runs that are fused.
    ranks : array of int
        The rank of each entry of the pool.
    """
    sizes = pool.sizes.astype(np.float64)
    return (ranks - _each(pool, sizes + 1)) * _each(pool, -1 / sizes)


def normalised_scores(pool: Pool, norm: str, *, from_lowest: bool) -> FloatArray:
    """Return the score of each entry of a pool, shifted and scaled within its ranking.

    Parameters
    ----------
    pool : Pool
        The runs that are fused.
    norm : {"min-max", "z-score", "sum", "none"}
        A key of `NORMALISATIONS`.
    from_lowest : bool
        Whether rankings that would go below 0 are counted from their lowest score.
    """
    if norm == "none":
        return _shifted(pool, below_zero(pool)) if from_lowest else pool.score
    numbers, constant = _tamed(pool), _lowest(pool, pool.score) == _highest(pool, pool.score)
    above = numbers - _each(pool, _lowest(pool, numbers))
    if norm == "min-max":
        return above * _each(pool, _inverse(_highest(pool, above), constant)) + _each(pool, constant)
    if norm == "sum":
        return above * _each(pool, _inverse(_total(pool, above), constant)) + _each(pool, constant / pool.sizes)
    mean = _total(pool, above) / pool.sizes
    variance = _total(pool, (above - _each(pool, mean)) ** 2) / pool.sizes
    one_by = _inverse(np.sqrt(variance), constant | (variance == 0))
    return above * _each(pool, one_by) if from_lowest else (above - _each(pool, mean)) * _each(pool, one_by)


def below_zero(pool: Pool) -> BoolArray:
    """Return which rankings have scores below 0."""
    return np.asarray(_lowest(pool, pool.score) < 0)


def _shifted(pool: Pool, which: BoolArray) -> FloatArray:
    """Return the scores, in some rankings counted from the lowest."""
    if not which.any():
        return pool.score
    return pool.score - _each(pool, np.where(which, _lowest(pool, pool.score), 0.0))


def _tamed(pool: Pool) -> FloatArray:
    """Return the scores, divided by a power of two in each ranking if any are too large or too close to be squared."""
    low, high = _lowest(pool, pool.score), _highest(pool, pool.score)
    with np.errstate(over="ignore"):
        width = high - low
    largest = np.maximum(np.abs(low), np.abs(high))
    if not ((largest > EXTREME) | ((width > 0) & (width < 1 / EXTREME))).any():
        return pool.score
    return np.asarray(np.ldexp(pool.score, -_each(pool, np.frexp(largest)[1])))


def _each(pool: Pool, numbers: FloatArray | IntArray | BoolArray) -> FloatArray:
    """Return for each entry the number of its ranking."""
    return np.repeat(numbers, pool.sizes)


def _lowest(pool: Pool, numbers: FloatArray) -> FloatArray:
    return np.minimum.reduceat(numbers, pool.ranking_bounds[:-1])


def _highest(pool: Pool, numbers: FloatArray) -> FloatArray:
    return np.maximum.reduceat(numbers, pool.ranking_bounds[:-1])


def _total(pool: Pool, numbers: FloatArray) -> FloatArray:
    return np.asarray(np.add.reduceat(numbers, pool.ranking_bounds[:-1]))


def _inverse(numbers: FloatArray, nothing: BoolArray) -> FloatArray:
    """Return one by each number, and 0 where there is nothing to divide by."""
    return np.divide(1.0, numbers, out=np.zeros(len(numbers)), where=~nothing)
