"""Tests by resampling: flip the signs of differences, draw topics again, or deal scores anew among systems."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from measurand.arrays import FloatArray
from measurand.chance import Rng, generator
from measurand.errors import ParameterError
from measurand.execution import Progress, silent
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.draws import (
    CHUNK,
    chunks,
    draws_as_far,
    flips_as_large,
    mean_quantiles,
    ranges_of_means,
    share_of_all_flips,
    signs,
    topic_counts,
)
from measurand.statistics.needs import PairOutcome, declares
from measurand.statistics.pair_blocks import PairBlock, few_topics, pair_blocks

CELLS = 2**22
"""How many resampled means an interval holds at a time."""


@declares("randomisation test", Scale.INTERVAL, "Smucker2007")
def randomisation(
    scores: Scores,
    *,
    permutations: int = 10_000,
    rng: Rng = 0,
    progress: Progress = silent,
    strict: bool = False,  # noqa: ARG001 - the gate reads it
) -> PairOutcome:
    r"""Return the paired randomisation test of the mean difference, two-sided, for all pairs of systems.

    If two systems were alike, each difference :math:`d_t` could as well have the other sign. Over random signs,

    .. math:: p = \frac{1 + \#\{s : |\sum_t s_t d_t| \ge |\sum_t d_t|\}}{1 + \text{permutations}}

    A pair with so few topics that differ that all its signs can be tried, no more than `permutations`, has the
    exact p-value, the share of all signs. All pairs see the same signs, so that the p-value of a pair depends on
    the seed and the number of topics, not on the other systems.

    Returns
    -------
    AllPairs
        Its `details` hold the number of permutations and of pairs whose p-value is exact.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .3]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> test = randomisation(scores)
    >>> test.of("a", "b"), dict(test.details)
    (0.25, {'permutations': 10000.0, 'exact pairs': 1.0})

    References
    ----------
    [Smucker2007]_
    """
    most = _at_least_one(permutations, "permutations")
    pvalues = _over_pairs(scores, partial(share_of_all_flips, most=most))
    sampled = np.isnan(pvalues)
    if sampled.any():
        generate, counts = generator(rng), np.zeros(len(pvalues))
        for rows in progress(chunks(most), -(-most // CHUNK), "permutations"):
            flips = signs(rows, len(scores.topics), generate)
            counts += _over_pairs(scores, partial(flips_as_large, flips=flips))
        pvalues[sampled] = (1 + counts[sampled]) / (1 + most)
    details = {"permutations": float(most), "exact pairs": float((~sampled).sum())}
    return _outcome(scores, pvalues, details, 1, "their p-value is 1")


@declares("paired bootstrap test", Scale.INTERVAL, "Sakai2006")
def bootstrap(
    scores: Scores,
    *,
    resamples: int = 10_000,
    rng: Rng = 0,
    progress: Progress = silent,
    strict: bool = False,  # noqa: ARG001 - the gate reads it
) -> PairOutcome:
    r"""Return the paired bootstrap test of the mean difference, two-sided, for all pairs of systems.

    Topics are drawn again with replacement from differences that are shifted to have mean 0. If
    :math:`\bar d^*` is the mean difference over the drawn topics and :math:`\bar d` the observed one, then

    .. math:: p = \frac{1 + \#\{|\bar d^* - \bar d| \ge |\bar d|\}}{1 + \text{resamples}}

    All pairs see the same draws. The spread of one topic is unknown, so a pair that shares fewer than two has
    p-value 1.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> round(bootstrap(scores).of("a", "b"), 2), round(2 / 27, 2)
    (0.07, 0.07)

    Notes
    -----
    The statistic is the mean difference itself, not divided by its standard error.

    References
    ----------
    [Sakai2006]_
    """
    most, generate = _at_least_one(resamples, "resamples"), generator(rng)
    topics = _over_pairs(scores, lambda block: block.topics)
    counts = np.zeros(len(topics))
    for rows in progress(chunks(most), -(-most // CHUNK), "resamples"):
        drawn = topic_counts(rows, len(scores.topics), generate)
        counts += _over_pairs(scores, partial(draws_as_far, drawn=drawn))
    pvalues = np.where(topics < 2, 1.0, (1 + counts) / (1 + most))
    return _outcome(scores, pvalues, {"resamples": float(most)}, 2, "their p-value is 1")


@declares("randomised Tukey test", Scale.INTERVAL, "Carterette2012", simultaneous=True)
def randomised_tukey(
    scores: Scores,
    *,
    permutations: int = 10_000,
    rng: Rng = 0,
    progress: Progress = silent,
    strict: bool = False,  # noqa: ARG001 - the gate reads it
) -> PairOutcome:
    r"""Return the randomised Tukey HSD test of mean differences: p-values that hold for all pairs at once.

    If no two systems differed, the scores of a topic could be dealt anew among the systems. The p-value of a pair
    is the share of such deals in which the best and the worst mean are at least as far apart as the pair's means:

    .. math:: p = \frac{1 + \#\{\max_i \bar x_i^* - \min_i \bar x_i^* \ge |\bar x_a - \bar x_b|\}}
        {1 + \text{permutations}}

    The p-values are corrected for the number of pairs by themselves, and depend on which systems take part.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .3]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> round(randomised_tukey(scores).of("a", "b"), 2)
    0.25

    Notes
    -----
    A system's mean is taken over the topics that it has; a topic's scores are dealt among the systems that have it.

    References
    ----------
    [Carterette2012]_
    """
    most = _at_least_one(permutations, "permutations")
    dealers = [np.random.default_rng(seed) for seed in generator(rng).integers(2**63, size=len(scores.topics))]
    ranges = [
        ranges_of_means(scores, rows, dealers) for rows in progress(chunks(most), -(-most // CHUNK), "permutations")
    ]
    differences = _differences_of_means(scores)
    rounding = 1e-12 * float(np.nanmax(np.abs(scores.values), initial=0.0))
    smaller = np.searchsorted(np.sort(np.concatenate(ranges)), np.abs(differences) - rounding)
    topics = _over_pairs(scores, lambda block: block.topics)
    return PairOutcome(
        pvalues=(1 + most - smaller) / (1 + most),
        differences=differences,
        statistic=differences,
        topics=topics,
        details={"permutations": float(most)},
        caveats=few_topics(topics, 1, "their means are of different topics"),
    )


def bootstrap_interval(
    scores: Scores, confidence: float = 0.95, *, resamples: int = 10_000, rng: Rng = 0, progress: Progress = silent
) -> tuple[FloatArray, FloatArray]:
    """Return the percentile bootstrap interval of the mean difference of all pairs, systems × systems: low and high.

    The interval of a pair that shares fewer than two topics is unbounded.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .7, .4], [.2, .3, .5]], systems=("a", "b"), topics=("1", "2", "3"))
    >>> low, high = bootstrap_interval(scores)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([[0.0, -0.1], [-0.4, 0.0]], [[0.0, 0.4], [0.1, 0.0]])

    References
    ----------
    [Sakai2006]_
    """
    if not 0 < confidence < 1:
        raise ParameterError(f"confidence must lie between 0 and 1, not {confidence}")
    most, n = _at_least_one(resamples, "resamples"), len(scores.systems)
    drawn, size = topic_counts(most, len(scores.topics), generator(rng)), max(1, CELLS // most)
    low, high, tail = np.zeros((n, n)), np.zeros((n, n)), (1 - confidence) / 2
    for block in progress(pair_blocks(scores, size), -(-(n * (n - 1) // 2) // size), "pairs"):
        below, above = mean_quantiles(block, drawn, [tail, 1 - tail])
        unknown = block.topics < 2
        below[unknown], above[unknown] = -np.inf, np.inf
        low[block.first, block.second], high[block.first, block.second] = below, above
        low[block.second, block.first], high[block.second, block.first] = 0.0 - above, 0.0 - below
    return low, high


def _at_least_one(draws: int, what: str) -> int:
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or draws < 1:
        raise ParameterError(f"{what} must be a whole number from 1 up, not {draws!r}")
    return int(draws)


def _over_pairs(scores: Scores, of_block: Callable[[PairBlock], FloatArray]) -> FloatArray:
    """Return a number for every pair, found a block at a time so that memory stays bounded."""
    return np.concatenate([np.empty(0), *(of_block(block) for block in pair_blocks(scores))])


def _differences_of_means(scores: Scores) -> FloatArray:
    """Return the differences of means, each over the topics that its system has, for every pair."""
    means = np.nansum(scores.values, axis=1) / np.maximum(1, (~np.isnan(scores.values)).sum(axis=1))
    first, second = np.triu_indices(len(scores.systems), 1)
    return np.asarray(means[first] - means[second])


def _outcome(scores: Scores, pvalues: FloatArray, details: dict[str, float], least: int, otherwise: str) -> PairOutcome:
    differences = _over_pairs(scores, lambda block: block.means)
    topics = _over_pairs(scores, lambda block: block.topics)
    return PairOutcome(
        pvalues=pvalues,
        differences=differences,
        statistic=differences,
        topics=topics,
        details=details,
        caveats=few_topics(topics, least, otherwise),
    )
