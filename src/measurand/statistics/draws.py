"""What resampling draws, and what it counts: signs of differences, topics again, scores dealt anew."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from measurand.arrays import FloatArray
from measurand.scores import Scores
from measurand.statistics.pairs import PairBlock

CHUNK = 2**10
"""How many draws are held at a time; with a block of pairs that is 32 MB."""


def chunks(draws: int) -> Iterator[int]:
    """Return how many draws to hold at a time, until there are as many as asked for.

    Examples
    --------
    >>> list(chunks(2500))
    [1024, 1024, 452]
    """
    return (min(CHUNK, draws - start) for start in range(0, draws, CHUNK))


def signs(rows: int, topics: int, generate: np.random.Generator) -> FloatArray:
    """Return random signs, a row for every draw.

    Examples
    --------
    >>> signs(2, 3, np.random.default_rng(0)).tolist()
    [[1.0, -1.0, -1.0], [-1.0, 1.0, 1.0]]
    """
    # numbers rather than bits, since these are drawn one by one however many are asked for
    return np.where(generate.random((rows, topics)) < 0.5, -1.0, 1.0)


def topic_counts(rows: int, topics: int, generate: np.random.Generator) -> FloatArray:
    """Return how often each topic comes when as many are drawn as there are, a row for every draw.

    Examples
    --------
    >>> topic_counts(2, 3, np.random.default_rng(0)).tolist()
    [[2.0, 1.0, 0.0], [1.0, 0.0, 2.0]]
    """
    places = (generate.random((rows, topics)) * topics).astype(np.int64) + topics * np.arange(rows)[:, None]
    return np.bincount(places.reshape(-1), minlength=rows * topics).reshape(rows, topics).astype(np.float64)


def ranges_of_means(scores: Scores, rows: int, dealers: list[np.random.Generator]) -> FloatArray:
    """Return how far apart the best and the worst mean are when each topic's scores are dealt anew, by draw.

    Parameters
    ----------
    dealers
        A generator for every topic, so that deals do not depend on how many are held at a time.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[0.5], [0.25]], systems=("a", "b"), topics=("1",))
    >>> ranges_of_means(scores, 2, [np.random.default_rng(0)]).tolist()
    [0.25, 0.25]
    """
    values = scores.values[~np.isnan(scores.values).all(axis=1)]
    if not values.size:
        return np.zeros(rows)
    # in an order of their own, so that the order in which systems come does not matter
    values = values[np.lexsort(values.T)]
    present, sums = ~np.isnan(values), np.zeros((rows, len(values)))
    for there, topic, dealer in zip(present.T, values.T, dealers, strict=True):
        sums[:, there] += dealer.permuted(np.broadcast_to(topic[there], (rows, int(there.sum()))), axis=1)
    return np.asarray(np.ptp(sums / present.sum(axis=1), axis=1))


def flips_as_large(block: PairBlock, flips: FloatArray) -> FloatArray:
    """Return how many rows of signs make the sum of differences at least as large as it is, by pair.

    Examples
    --------
    >>> from measurand.statistics.pairs import pair_blocks
    >>> scores = Scores(measure="P", values=[[0.5, 0.7], [0.2, 0.3]], systems=("a", "b"), topics=("1", "2"))
    >>> [block] = pair_blocks(scores)
    >>> flips_as_large(block, np.array([[1.0, 1.0], [1.0, -1.0]])).tolist()
    [1.0]
    """
    return _as_large(block.differences, flips, np.abs(block.differences.sum(axis=1)) - block.rounding)


def share_of_all_flips(block: PairBlock, most: int) -> FloatArray:
    """Return the share of all signs that make the sum at least as large, by pair; NaN where there are more than `most`.

    Examples
    --------
    >>> from measurand.statistics.pairs import pair_blocks
    >>> scores = Scores(measure="P", values=[[0.5, 0.7], [0.2, 0.3]], systems=("a", "b"), topics=("1", "2"))
    >>> [block] = pair_blocks(scores)
    >>> share_of_all_flips(block, most=4).tolist(), share_of_all_flips(block, most=3).tolist()
    ([0.5], [nan])
    """
    apart = block.differences != 0
    sizes, share = apart.sum(axis=1), np.full(len(apart), np.nan)
    large = np.abs(block.differences.sum(axis=1)) - block.rounding
    for n in np.unique(sizes[sizes < most.bit_length()]).tolist():
        chosen = sizes == n
        # the zeros of a row stay behind, its differences keep their order
        differing = block.differences[chosen][apart[chosen]].reshape(int(chosen.sum()), n)
        count = np.zeros(len(differing))
        for start in range(0, 2**n, CHUNK):
            numbers = np.arange(start, min(start + CHUNK, 2**n))
            flips = np.where(numbers[:, None] >> np.arange(n) & 1, -1.0, 1.0)
            count += _as_large(differing, flips, large[chosen])
        share[chosen] = count / 2**n
    return share


def draws_as_far(block: PairBlock, drawn: FloatArray) -> FloatArray:
    """Return how many draws of topics move the mean difference by at least its own size, by pair.

    Examples
    --------
    >>> from measurand.statistics.pairs import pair_blocks
    >>> scores = Scores(measure="P", values=[[0.5, 0.7], [0.2, 0.9]], systems=("a", "b"), topics=("1", "2"))
    >>> [block] = pair_blocks(scores)
    >>> draws_as_far(block, np.array([[1.0, 1.0], [2.0, 0.0]])).tolist()
    [1.0]
    """
    centred = np.where(block.shared, block.differences - block.means[:, None], 0.0)
    # compared as sums, since none of the topics that the pair shares may have been drawn
    sizes = block.shared.astype(np.float64) @ drawn.T
    sizes *= np.abs(block.means)[:, None]
    sizes -= block.rounding[:, None]
    sums = centred @ drawn.T
    return np.asarray(np.count_nonzero(np.abs(sums, out=sums) >= sizes, axis=1), dtype=np.float64)


def mean_quantiles(block: PairBlock, drawn: FloatArray, shares: list[float]) -> FloatArray:
    """Return quantiles of the mean difference over draws of topics, shares × pairs.

    Examples
    --------
    >>> from measurand.statistics.pairs import pair_blocks
    >>> scores = Scores(measure="P", values=[[0.5, 0.7], [0.2, 0.9]], systems=("a", "b"), topics=("1", "2"))
    >>> [block] = pair_blocks(scores)
    >>> mean_quantiles(block, np.array([[0.0, 2.0], [2.0, 0.0]]), [0.0, 1.0]).round(6).tolist()
    [[-0.2], [0.3]]
    """
    sizes = block.shared.astype(np.float64) @ drawn.T
    sums = block.differences @ drawn.T
    observed = np.repeat(block.means[:, None], len(drawn), axis=1)
    means = np.divide(sums, sizes, out=observed, where=sizes > 0)
    return np.asarray(np.quantile(means, shares, axis=1, overwrite_input=True))


def _as_large(differences: FloatArray, flips: FloatArray, large: FloatArray) -> FloatArray:
    sums = differences @ flips.T
    return np.asarray(np.count_nonzero(np.abs(sums, out=sums) >= large[:, None], axis=1), dtype=np.float64)
