"""Effects of paired differences: their mean with an interval, in units of their spread, and by signed ranks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from measurand.arrays import FloatArray
from measurand.scores import Scores
from measurand.statistics.pair_blocks import PairBlock, pair_blocks


def mean_differences(scores: Scores, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    r"""Return the mean difference of every two systems with the ends of its t interval.

    .. math:: \bar d \pm t_{n-1} s / \sqrt{n}

    On one topic the interval is unbounded.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> mean, low, high = mean_differences(scores, 0.95)
    >>> mean.round(4)[0].tolist(), low.round(4)[0].tolist(), high.round(4)[0].tolist()
    ([0.0, 0.2], [0.0, -0.4572], [0.0, 0.8572])
    """
    mean = over_pairs(scores, lambda block: block.means)
    half = over_pairs(scores, lambda block: _half_width(block, confidence), turned=False)
    np.fill_diagonal(half, 0.0)
    return mean, mean - half, mean + half


def cohens_d(scores: Scores) -> FloatArray:
    r"""Return Cohen's d of paired differences, :math:`d_z = \bar d / s`.

    Without spread it is 0 if the systems are alike, and else infinite.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> cohens_d(scores).round(4).tolist()
    [[0.0, 0.7559], [-0.7559, 0.0]]

    References
    ----------
    [Cohen1988]_
    """
    return over_pairs(scores, lambda block: _in_units(block.means, block.spreads))


def cohens_d_average(scores: Scores) -> FloatArray:
    r"""Return Cohen's d in units of the scores themselves, :math:`\bar d / \tfrac12 (s_a + s_b)`.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> cohens_d_average(scores).round(4).tolist()
    [[0.0, 1.3093], [-1.3093, 0.0]]

    References
    ----------
    [Cohen1988]_
    """

    def of_block(block: PairBlock) -> FloatArray:
        spreads = [_spread(scores.values[rows], block) for rows in (block.first, block.second)]
        return _in_units(block.means, (spreads[0] + spreads[1]) / 2)

    return over_pairs(scores, of_block)


def rank_biserial(scores: Scores) -> FloatArray:
    r"""Return the matched-pairs rank-biserial correlation: signed ranks for the one system less those for the other.

    .. math:: r = (R_+ - R_-) / (R_+ + R_-)

    where the sizes of the differences are ranked, equal sizes sharing a rank, and zeros are left out. It is 0 if
    no topic differs.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> rank_biserial(scores).round(4).tolist()
    [[0.0, 0.6667], [-0.6667, 0.0]]

    References
    ----------
    [Kerby2014]_
    """
    # equal differences of floats are equal up to rounding alone
    rounding = 1e-12 * float(np.nanmax(np.abs(scores.values), initial=0.0))

    def of_block(block: PairBlock) -> FloatArray:
        ranks = _ranks_of_sizes(block.differences, rounding)
        total = ranks.sum(axis=1)
        return np.asarray((np.sign(block.differences) * ranks).sum(axis=1) / np.where(total > 0, total, 1.0))

    return over_pairs(scores, of_block)


def over_pairs(scores: Scores, of_block: Callable[[PairBlock], FloatArray], *, turned: bool = True) -> FloatArray:
    """Return a number for every pair as systems × systems, with the sign turned below the diagonal.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .75], [.25, .25]], systems=("a", "b"), topics=("1", "2"))
    >>> over_pairs(scores, lambda block: block.means).tolist()
    [[0.0, 0.375], [-0.375, 0.0]]
    """
    found = np.zeros((len(scores.systems),) * 2)
    for block in pair_blocks(scores):
        numbers = of_block(block)
        found[block.first, block.second] = numbers
        found[block.second, block.first] = 0.0 - numbers if turned else numbers  # no zero with a sign
    return found


def _half_width(block: PairBlock, confidence: float) -> FloatArray:
    from scipy.special import stdtrit

    topics = block.topics
    beyond = stdtrit(np.maximum(1.0, topics - 1), (1 + confidence) / 2)
    return np.where(topics > 1, beyond * block.spreads / np.sqrt(np.maximum(1.0, topics)), np.inf)


def _in_units(differences: FloatArray, spreads: FloatArray) -> FloatArray:
    """Return differences in units of a spread; without spread those that are not 0 are infinite."""
    without = np.where(differences == 0, 0.0, np.copysign(np.inf, differences))
    return np.divide(differences, spreads, out=without, where=spreads > 0)


def _spread(values: FloatArray, block: PairBlock) -> FloatArray:
    """Return the standard deviation of scores over the topics that each pair shares."""
    present = np.where(block.shared, values, 0.0)
    means = present.sum(axis=1) / np.maximum(1.0, block.topics)
    squares = np.where(block.shared, (values - means[:, None]) ** 2, 0.0).sum(axis=1)
    spreads = np.sqrt(squares / np.maximum(1.0, block.topics - 1))
    return np.where(spreads <= 1e-12 * np.abs(means), 0.0, spreads)


def _ranks_of_sizes(differences: FloatArray, rounding: float) -> FloatArray:
    """Return the rank of each difference by size within its row, ties at their mean rank, 0 for no difference."""
    # scipy.stats.rankdata tells sizes apart that differ by rounding alone
    sizes = np.where(differences == 0, np.inf, np.abs(differences))
    order = np.argsort(sizes, axis=1, kind="stable")
    ordered = np.take_along_axis(sizes, order, axis=1)
    n = sizes.shape[1]
    places = np.broadcast_to(np.arange(n), sizes.shape)
    starts = np.ones(sizes.shape, dtype=bool)
    starts[:, 1:] = ordered[:, 1:] > ordered[:, :-1] + rounding
    ends = np.ones(sizes.shape, dtype=bool)
    ends[:, :-1] = starts[:, 1:]
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, places, n)[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(sizes.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    return np.where(differences == 0, 0.0, ranks)
