"""Effects of paired differences: their mean with an interval, in units of their spread, and by signed ranks."""

from __future__ import annotations

import numpy as np

from measurand.arrays import FloatArray
from measurand.scores import Scores
from measurand.scores.ranks import mid_ranks
from measurand.statistics.difference_sizes import difference_sizes
from measurand.statistics.pairs import PairBlock, in_units_of, over_pairs, square


def mean_differences(scores: Scores, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    r"""Return the mean difference of every two systems with the ends of its t interval.

    .. math:: \bar d \pm t_{n-1} s / \sqrt{n}

    On one topic the interval is unbounded. The differences are those of the values as they are: where lower is
    better, a negative one speaks for the row.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> mean, low, high = mean_differences(scores, 0.95)
    >>> mean.round(4)[0].tolist(), low.round(4)[0].tolist(), high.round(4)[0].tolist()
    ([0.0, 0.2], [0.0, -0.4572], [0.0, 0.8572])
    """
    n = len(scores.systems)
    mean = square(over_pairs(scores, lambda pairs: pairs.means), n, turned=True)
    half = square(over_pairs(scores, lambda pairs: _half_width(pairs, confidence)), n)
    return mean, mean - half, mean + half


def cohens_d(scores: Scores) -> FloatArray:
    r"""Return Cohen's d of paired differences, :math:`d_z = \bar d / s`.

    Without spread it is 0 if the systems are alike, and else infinite. It is positive where the row is ahead.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> cohens_d(scores).round(4).tolist()
    [[0.0, 0.7559], [-0.7559, 0.0]]

    References
    ----------
    [Cohen1988]_
    """
    found = over_pairs(scores.by_goodness(), lambda pairs: in_units_of(pairs.spreads, pairs.means))
    return np.asarray(square(found, len(scores.systems), turned=True))


def cohens_d_average(scores: Scores) -> FloatArray:
    r"""Return Cohen's d in units of the scores themselves, :math:`\bar d / \tfrac12 (s_a + s_b)`.

    It is positive where the row is ahead.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> cohens_d_average(scores).round(4).tolist()
    [[0.0, 1.3093], [-1.3093, 0.0]]

    References
    ----------
    [Cohen1988]_
    """

    def of_block(pairs: PairBlock) -> FloatArray:
        ours, theirs = pairs.own_spreads
        return in_units_of((ours + theirs) / 2, pairs.means)

    return np.asarray(square(over_pairs(scores.by_goodness(), of_block), len(scores.systems), turned=True))


def rank_biserial(scores: Scores) -> FloatArray:
    r"""Return the matched-pairs rank-biserial correlation: signed ranks for the one system less those for the other.

    .. math:: r = (R_+ - R_-) / (R_+ + R_-)

    where the sizes of the differences are ranked, equal sizes sharing a rank, and zeros are left out, as for the
    signed rank test. It is positive where the row is ahead, and 0 if no topic differs.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> rank_biserial(scores).round(4).tolist()
    [[0.0, 0.6667], [-0.6667, 0.0]]

    References
    ----------
    [Kerby2014]_
    """

    def of_block(pairs: PairBlock) -> FloatArray:
        signs, sizes = difference_sizes(pairs)
        ranks = mid_ranks(sizes).ranks
        return np.asarray((signs * ranks).sum(axis=1) / np.maximum(1.0, ranks.sum(axis=1)))

    return np.asarray(
        square(over_pairs(scores.by_goodness(), of_block, exactly=True), len(scores.systems), turned=True)
    )


def _half_width(pairs: PairBlock, confidence: float) -> FloatArray:
    from scipy.special import stdtrit

    n = np.maximum(1, pairs.topics)
    beyond = stdtrit(np.maximum(1, n - 1), (1 + confidence) / 2)
    return np.where(n > 1, beyond * pairs.spreads / np.sqrt(n), np.inf)
