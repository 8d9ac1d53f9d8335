"""Tests by resampling: randomisation, the bootstrap, and randomised Tukey; confidence intervals by the bootstrap.

They flip the signs of differences, draw topics again, or deal scores anew among systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from attrs import evolve

from measurand.arrays import FloatArray, IntArray
from measurand.errors import Caveat, CaveatKind
from measurand.exact import MOST_DRAWS, whole_number
from measurand.execution import Progress, Rng, generator, mapped, silent
from measurand.execution.memory import check_memory
from measurand.scale import Scale
from measurand.scores import Need, Scores
from measurand.statistics.draws import CHUNK, Draws, chunks, draws_to_make, signs, topic_counts
from measurand.statistics.multiple_comparisons import level
from measurand.statistics.needs import admitted, declares
from measurand.statistics.pairs import (
    PairBlock,
    PairOutcome,
    block_places,
    few_topics,
    over_pairs,
    pair_block,
    same_scores,
    square,
)

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

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    permutations : int, default 10000
        How many permutations are drawn.
    rng : int or numpy.random.Generator, default 0
        A seed, or a generator of random numbers.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
    strict : bool, default False
        Whether to refuse scores on less than the test needs.

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
        flips = draws_to_make(signs, most, len(scores.topics), generate)
        for found in progress(_counted(scores, flips_as_large, flips), -(-most // CHUNK), "permutations"):
            counts += found
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

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    resamples : int, default 10000
        How many samples of topics are drawn.
    rng : int or numpy.random.Generator, default 0
        A seed, or a generator of random numbers.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
    strict : bool, default False
        Whether to refuse scores on less than the test needs.

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
    drawn = draws_to_make(topic_counts, most, len(scores.topics), generate)
    for each in progress(_counted(scores, draws_as_far, drawn), -(-most // CHUNK), "resamples"):
        counts += each
    pvalues = np.where(topics < 2, 1.0, (1 + counts) / (1 + most))
    differences, details = over_pairs(scores, lambda pairs: pairs.means), {"resamples": float(most)}
    found = _outcome(scores, differences, pvalues, details, 2, "their p-value is 1")
    fewest = int(topics.min(initial=ENOUGH))
    if not 2 <= fewest < ENOUGH:
        return found
    text = f"resampling {fewest} topics is too sure of itself; take a t or a randomisation test"
    return evolve(found, caveats=(*found.caveats, Caveat(CaveatKind.DEGENERATE, text)))


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

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    permutations : int, default 10000
        How many permutations are drawn.
    rng : int or numpy.random.Generator, default 0
        A seed, or a generator of random numbers.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
    strict : bool, default False
        Whether to refuse scores on less than the test needs.

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
    scores : Scores
        The scores of systems by topic.
    confidence : float, default 0.95
        How sure the interval is to hold the mean difference.
    resamples : int, default 10000
        How many samples of topics are drawn.
    rng : int or numpy.random.Generator, default 0
        A seed, or a generator of random numbers.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
    strict : bool, default False
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
    check_memory(
        3 * 8 * most * (len(scores.topics) + 2),
        f"{most:,} resamples of {len(scores.topics):,} topics",
        "ask for fewer resamples",
    )
    drawn, size = topic_counts(most, len(scores.topics), generator(rng)), max(1, CELLS // most)
    # all blocks need them, wherever they are
    small: IntArray = drawn.astype(np.min_scalar_type(int(drawn.max(initial=0))))
    blocks = list(block_places(scores, size))
    ends = progress(mapped(partial(_ends, _bare(scores), small, tail), blocks), len(blocks), "pairs")
    below, above = np.hstack([np.zeros((2, 0)), *ends])
    lower = np.tri(n, dtype=bool)
    low, high = (square(one, n) for one in (below, above))
    return np.where(lower, 0.0 - high, low), np.where(lower, 0.0 - low, high)


def _counted(
    scores: Scores, of_block: Callable[[PairBlock, FloatArray], FloatArray], draws: Iterator[Draws]
) -> Iterator[FloatArray]:
    """Return what is counted of every pair, draws by draws; workers make and count them."""
    # not in threads, which wait for each other in matrix products
    return mapped(partial(_counted_over_pairs, of_block, _bare(scores)), draws)


def _bare(scores: Scores) -> Scores:
    """Return the numbers alone, for they may be sent to other processes."""
    return Scores(measure=scores.measure, values=scores.values, systems=scores.systems, topics=scores.topics)


def _counted_over_pairs(
    of_block: Callable[[PairBlock, FloatArray], FloatArray], scores: Scores, draws: Draws
) -> FloatArray:
    drawn = draws.made()
    found: FloatArray = over_pairs(scores, lambda pairs: of_block(pairs, drawn))
    return found


def _ends(scores: Scores, drawn: IntArray, tail: float, which: slice) -> FloatArray:
    """Return the ends of the intervals of some pairs, 2 × pairs."""
    pairs = pair_block(scores, which)
    found = mean_quantiles(pairs, drawn.astype(np.float64), [tail, 1 - tail])
    return np.where(pairs.topics > 1, found, [[-np.inf], [np.inf]])


def _at_least_one(draws: int, what: str) -> int:
    return whole_number(what, draws, high=MOST_DRAWS)


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
    hands = [(dealer, topic[there]) for there, topic, dealer in zip(present.T, values.T, dealers, strict=True)]
    for place, (dealer, dealt) in enumerate(mapped(partial(_dealt, rows), hands, in_threads=True, stays_here=True)):
        # one that worked elsewhere has to go on from there
        dealers[place] = dealer
        sums[:, present[:, place]] += dealt
    return np.asarray(np.ptp(sums / present.sum(axis=1), axis=1))


def _dealt(rows: int, hand: tuple[np.random.Generator, FloatArray]) -> tuple[np.random.Generator, FloatArray]:
    """Return who dealt a topic's scores, and the deals, one a row."""
    dealer, topic = hand
    return dealer, dealer.permuted(np.broadcast_to(topic, (rows, len(topic))), axis=1)


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
