"""Tests by resampling: flip the signs of differences, draw topics again, or deal scores anew among systems."""

from __future__ import annotations

from functools import partial

import numpy as np
from attrs import evolve

from measurand.arrays import FloatArray
from measurand.errors import Caveat, Doubt, ParameterError
from measurand.execution import Progress, Rng, generator, silent
from measurand.scale import Scale
from measurand.scores import Need, Scores
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
from measurand.statistics.levels import level
from measurand.statistics.needs import PairOutcome, admitted, declares
from measurand.statistics.pairs import few_topics, over_pairs, pair_blocks, same_scores, square

CELLS = 2**22
"""How many resampled means an interval holds at a time."""

ENOUGH = 10
"""A bootstrap of fewer topics is too sure of itself."""

INTERVAL = Need("bootstrap interval", Scale.INTERVAL)


@declares("randomisation test", Scale.INTERVAL, "Smucker2007", of_means=True)
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
    most, generate = _at_least_one(permutations, "permutations"), generator(rng)
    pvalues = over_pairs(scores, partial(share_of_all_flips, most=most))
    sampled = np.isnan(pvalues)
    if sampled.any():
        counts = np.zeros(len(pvalues))
        for rows in progress(chunks(most), -(-most // CHUNK), "permutations"):
            flips = signs(rows, len(scores.topics), generate)
            counts += over_pairs(scores, partial(flips_as_large, flips=flips))
        pvalues[sampled] = (1 + counts[sampled]) / (1 + most)
    details = {"permutations": float(most), "exact pairs": float((~sampled).sum())}
    differences = over_pairs(scores, lambda pairs: pairs.means)
    return _outcome(scores, differences, pvalues, details, 1, "their p-value is 1")


@declares("paired bootstrap test", Scale.INTERVAL, "Sakai2006", of_means=True)
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
    topics = over_pairs(scores, lambda pairs: pairs.topics)
    counts = np.zeros(len(topics))
    for rows in progress(chunks(most), -(-most // CHUNK), "resamples"):
        drawn = topic_counts(rows, len(scores.topics), generate)
        counts += over_pairs(scores, partial(draws_as_far, drawn=drawn))
    pvalues = np.where(topics < 2, 1.0, (1 + counts) / (1 + most))
    differences, details = over_pairs(scores, lambda pairs: pairs.means), {"resamples": float(most)}
    found = _outcome(scores, differences, pvalues, details, 2, "their p-value is 1")
    fewest = int(topics.min(initial=ENOUGH))
    if not 2 <= fewest < ENOUGH:
        return found
    text = f"resampling {fewest} topics is too sure of itself; take a t or a randomisation test"
    return evolve(found, caveats=(*found.caveats, Caveat(Doubt.DEGENERATE, text)))


@declares("randomised Tukey test", Scale.INTERVAL, "Carterette2012", simultaneous=True, of_means=True)
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
    pvalues, details = (1 + most - smaller) / (1 + most), {"permutations": float(most)}
    return _outcome(scores, differences, pvalues, details, 1, "their means are of different topics")


def bootstrap_interval(
    scores: Scores,
    confidence: float = 0.95,
    *,
    resamples: int = 10_000,
    rng: Rng = 0,
    progress: Progress = silent,
    strict: bool = False,
) -> tuple[FloatArray, FloatArray]:
    """Return the percentile bootstrap interval of the mean difference of all pairs, systems × systems: low and high.

    The interval of a pair that shares fewer than two topics is unbounded. The differences are those of the values as
    they are, whichever are better.

    Parameters
    ----------
    strict
        Whether to refuse scores that are not on an interval scale.

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
    level(confidence, "confidence")
    admitted(INTERVAL, scores, strict=strict)
    most, n, tail = _at_least_one(resamples, "resamples"), len(scores.systems), (1 - confidence) / 2
    drawn, size = topic_counts(most, len(scores.topics), generator(rng)), max(1, CELLS // most)
    ends = []
    for pairs in progress(pair_blocks(scores, size), -(-(n * (n - 1) // 2) // size), "pairs"):
        known = pairs.topics > 1
        ends.append(np.where(known, mean_quantiles(pairs, drawn, [tail, 1 - tail]), [[-np.inf], [np.inf]]))
    below, above = np.hstack([np.zeros((2, 0)), *ends])
    lower = np.tri(n, dtype=bool)
    low, high = (square(one, n) for one in (below, above))
    return np.where(lower, 0.0 - high, low), np.where(lower, 0.0 - low, high)


def _at_least_one(draws: int, what: str) -> int:
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or draws < 1:
        raise ParameterError(f"{what} must be a whole number from 1 up, not {draws!r}")
    return int(draws)


def _differences_of_means(scores: Scores) -> FloatArray:
    """Return the differences of means, each over the topics that its system has, for every pair."""
    means = np.nansum(scores.values, axis=1) / np.maximum(1, (~np.isnan(scores.values)).sum(axis=1))
    first, second = np.triu_indices(len(scores.systems), 1)
    return np.asarray(means[first] - means[second])


def _outcome(
    scores: Scores, differences: FloatArray, pvalues: FloatArray, details: dict[str, float], least: int, why: str
) -> PairOutcome:
    """Return the outcome, with what is to be said of pairs that share fewer topics than `least`."""
    topics = over_pairs(scores, lambda pairs: pairs.topics)
    same = over_pairs(scores, lambda pairs: pairs.same)
    return PairOutcome(
        pvalues=pvalues,
        differences=differences,
        statistic=differences,
        topics=topics,
        details=details,
        caveats=(*few_topics(topics, least, why), *same_scores(same)),
    )
