"""How sure a comparison of two systems can be: the least p, intervals that hold, and what so many topics can show.

Whatever a test of k topics says, exchanging the two systems on these topics in every possible way, by which each
difference changes its sign, puts the same system as far ahead in two of 2^k cases at least. So no p is below 2 · 2^−k,
and fewer than six topics decide nothing at .05. Topics without a difference have no sign, and do not count.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.display.wording import counted
from measurand.errors import Caveat, CaveatKind, MeasurandError, ParameterError
from measurand.exact import Units
from measurand.measures.parse import parse
from measurand.scores import Scores
from measurand.statistics import AllPairs, Effects, minimum_detectable_difference, topics_needed
from measurand.statistics.all_pairs import TUKEY
from measurand.statistics.effects import mean_differences
from measurand.statistics.multiple_comparisons import deciding_levels
from measurand.statistics.pairs import FEWEST, PairBlock, difference_sizes, over_pairs, square
from measurand.statistics.power import POWER
from measurand.statistics.t_test import ENDLESS
from measurand.statistics.variance import studentized_range_quantile

if TYPE_CHECKING:
    from measurand.study.measure_result import ScoresResult

NEAR = 1e-9
"""Differences that lie within this share of the scores are looked at exactly."""

SEEN = 1e-4
"""A smaller p is written as less than this, so that nobody sees that it was raised."""

OF_INTERVAL = "paired_t"
"""The test whose family the interval of a mean difference is of."""

SEVERAL = 24
"""For so many levels of significance power is computed; between more it is interpolated."""


def least_pvalue(topics: IntArray | int) -> FloatArray:
    """Return the least p that any flip of signs can reach on so many topics with a difference.

    Examples
    --------
    >>> least_pvalue(np.array([0, 1, 2, 6])).tolist()
    [1.0, 1.0, 0.5, 0.03125]
    """
    return np.asarray(np.minimum(1.0, np.exp2(1.0 - np.asarray(topics, dtype=np.float64))))


@lru_cache(maxsize=1024)
def fewest_topics(alpha: float) -> int:
    """Return on how many topics two systems must differ for any test to be significant.

    Examples
    --------
    >>> fewest_topics(0.05), fewest_topics(0.25)
    (6, 3)
    """
    topics = FEWEST
    while float(least_pvalue(topics)) > alpha:
        topics += 1
    return topics


def differing_topics(scores: Scores) -> IntArray:
    """Return on how many topics every two systems differ: systems × systems.

    Equal exact values have equal scores; other scores may be off by the distance to the next float.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[0.5, 1.0, 0.0], [0.25, 1.0, 1.0]], systems="ab", topics="123")
    >>> differing_topics(scores).tolist()
    [[0, 2], [2, 0]]
    """

    def of_block(pairs: PairBlock) -> IntArray:
        x, y = (np.where(pairs.shared, each, 0.0) for each in (pairs.x, pairs.y))
        return np.asarray((np.abs(x - y) > _slack(scores, x, y)).sum(axis=1))

    return np.asarray(square(over_pairs(scores, of_block).astype(np.int64), len(scores.systems)))


def _slack(scores: Scores, x: FloatArray, y: FloatArray) -> FloatArray | float:
    """Return how far apart scores may be that count as equal."""
    return 0.0 if scores.exact is not None else np.spacing(np.abs(x)) + np.spacing(np.abs(y))


def all_alike(scores: Scores) -> BoolArray:
    """Return which two systems differ by the same amount on all topics that both have: systems × systems.

    Exact values decide where they are known, otherwise what rounding alone can explain.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[0.3, 0.5], [0.1, 0.3], [0.1, 0.4]], systems="abc", topics="12")
    >>> all_alike(scores).tolist()
    [[False, True, False], [True, False, False], [False, False, False]]
    """
    n = len(scores.systems)
    near = over_pairs(scores, _nearly_alike)
    if near.any():
        near = over_pairs(scores, _alike, exactly=True)
    return np.asarray(square(near.astype(np.float64), n) > 0)


def _nearly_alike(pairs: PairBlock) -> BoolArray:
    n = np.maximum(1, pairs.topics)
    mean = pairs.differences.sum(axis=1) / n
    rest = np.where(pairs.shared, np.abs(pairs.differences - mean[:, None]), 0.0).max(axis=1, initial=0.0)
    largest = np.where(pairs.shared, np.maximum(np.abs(pairs.x), np.abs(pairs.y)), 0.0).max(axis=1, initial=0.0)
    return np.asarray((rest <= NEAR * largest) & (pairs.topics >= FEWEST))


def _alike(pairs: PairBlock) -> BoolArray:
    near = _nearly_alike(pairs)
    if not near.any():
        return near
    exact = pairs.exact and tuple(Units(units.sizes[near], units.keys[near]) for units in pairs.exact)
    some = PairBlock(pairs.x[near], pairs.y[near], exact)  # type: ignore[arg-type] # two of them
    signs, sizes = difference_sizes(some)
    one_size = np.where(signs != 0, sizes, 1.0).max(axis=1, initial=1.0) == 1
    near[near] = one_size & ((np.abs(signs.sum(axis=1)) == some.topics) | (signs == 0).all(axis=1))
    return near


def floored(tested: AllPairs, scores: Scores) -> AllPairs:
    """Return a test of all pairs with no p below what any flip of signs can reach.

    Parameters
    ----------
    tested
        The test, before any correction.
    scores
        The scores that were tested.

    Examples
    --------
    >>> from measurand.statistics import paired_t
    >>> scores = Scores(measure="P", values=[[0.5, 1.0], [0.25, 0.75]], systems="ab", topics="12")
    >>> paired_t(scores).of("a", "b"), floored(paired_t(scores), scores).of("a", "b")
    (0.0, 0.5)
    """
    topics = np.minimum(differing_topics(scores), tested.topics)
    least = np.where(tested.topics < FEWEST, 0.0, least_pvalue(topics))
    np.fill_diagonal(least, 0.0)
    raised = tested.pvalues < least
    if not raised.any():
        return tested
    caveats, visible = tested.caveats, int(np.triu(raised & (least > SEEN), 1).sum())
    if visible:
        text = (
            f"in {visible:,} of {counted(len(tested), 'pair')} p was raised to 2 · 2^−k: no test of k topics that"
            " differ can say more"
        )
        # that t is infinite has no consequence then
        others = (each for each in caveats if not each.text.endswith(ENDLESS))
        caveats = (*others, Caveat(CaveatKind.DEGENERATE, text))
    return evolve(tested, pvalues=np.maximum(tested.pvalues, least), caveats=caveats)


def intervals(scores: Scores, confidence: float = 0.95) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean differences of all pairs, with the ends of their t intervals within the measure's range.

    There is no interval, from minus infinity to infinity, where all differences are the same, and where it would
    exclude 0 although no test of so few topics could.

    Parameters
    ----------
    scores
        The scores.
    confidence
        How sure an interval is to hold the mean difference.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[0.5, 1.0], [0.25, 0.75]], systems="ab", topics="12")
    >>> [each[0, 1].item() for each in intervals(scores)]
    [0.25, -inf, inf]
    """
    mean, low, high = mean_differences(scores, confidence)
    few = least_pvalue(differing_topics(scores)) > 1 - confidence
    known = np.isfinite(low) & ~all_alike(scores) & ~(few & ((low > 0) | (high < 0)))
    most = widest_difference(scores)
    return mean, np.where(known, np.maximum(low, -most), -inf), np.where(known, np.minimum(high, most), inf)


def why_no_interval(topics: int, *, alike: bool) -> str:
    """Return why the t test of two systems has no interval.

    Parameters
    ----------
    topics
        How many topics both have.
    alike
        Whether they differ by the same amount on all.

    Examples
    --------
    >>> why_no_interval(2, alike=True), why_no_interval(4, alike=False)
    ('both topics differ by the same amount', 'too few topics differ')
    """
    if not alike:
        return "too few topics differ"
    return f"{'both' if topics == 2 else f'all {topics:,}'} topics differ by the same amount"


def with_sound_intervals(effects: Effects, scores: Scores, test: str) -> Effects:
    """Return effects with an interval only where it holds and is of the family of the test.

    Parameters
    ----------
    effects
        How far every two systems are apart.
    scores
        Their scores.
    test
        The name of the test.
    """
    _, low, high = intervals(scores, effects.confidence)
    if test != OF_INTERVAL:
        low, high = np.full_like(low, -inf), np.full_like(high, inf)
    # a system does not differ from itself
    np.fill_diagonal(low, 0.0)
    np.fill_diagonal(high, 0.0)
    return evolve(effects, low=low, high=high, caveats_by=dict(effects.caveats_by))


def widest_difference(scores: Scores) -> float:
    """Return the largest difference that the range of a measure allows; infinite where it is not known.

    Examples
    --------
    >>> widest_difference(Scores(measure="RR", values=[[1.0]], systems="a", topics="1"))
    1.0
    >>> widest_difference(Scores(measure="RR", values=[[93.0]], systems="a", topics="1"))
    inf
    """
    try:
        low, high = parse(scores.measure).bounds
    except MeasurandError:
        return inf
    values = scores.values[~np.isnan(scores.values)]
    if low is None or high is None or (values < low - NEAR).any() or (values > high + NEAR).any():
        return inf
    return float(high - low)


def deciding_alphas(pairs: AllPairs, alpha: float) -> FloatArray:
    """Return the level of significance that p before correction had to reach, or would have to: systems × systems.

    Parameters
    ----------
    pairs
        The test, after correction.
    alpha
        The level of significance after it.

    Returns
    -------
    array of float
        NaN for pairs that were not tested. By Tukey's method the level at which one t test has the critical value of
        the studentised range.

    Examples
    --------
    >>> from measurand.statistics import sign
    >>> scores = Scores(measure="RR", values=[[1.0] * 8, [0.5] * 8, [0.5] * 8], systems="abc", topics="12345678")
    >>> deciding_alphas(sign(scores).adjust("holm"), 0.05).round(4)[0].tolist()
    [nan, 0.0167, 0.025]
    """
    n, found = len(pairs.systems), np.full(pairs.pvalues.shape, np.nan)
    rows, columns = np.array(pairs.tested, dtype=np.int64).reshape(-1, 2).T
    if pairs.adjusted == TUKEY:
        found[rows, columns] = alpha_of_range(n, int(pairs.topics.max(initial=0)), alpha)
    else:
        before = pairs.pvalues if pairs.uncorrected is None else pairs.uncorrected
        found[rows, columns] = deciding_levels(before[rows, columns], pairs.adjusted, alpha)
    found[columns, rows] = found[rows, columns]
    return found


@lru_cache(maxsize=64)
def alpha_of_range(systems: int, topics: int, alpha: float) -> float:
    """Return the level at which one t test has the critical value of the studentised range of so many systems.

    Examples
    --------
    >>> round(alpha_of_range(2, 10, 0.05), 4), round(alpha_of_range(12, 50, 0.05), 4)
    (0.05, 0.0011)
    """
    from scipy.special import stdtr

    free = (systems - 1) * (topics - 1)
    if free < 1:
        return alpha
    return float(2 * stdtr(free, -studentized_range_quantile(1 - alpha, systems, free) / sqrt(2)))


def power_of(differences: FloatArray, size: float, alpha: float, most: float = inf) -> tuple[float | None, int | None]:
    """Return which true difference a t test shows on these topics, and how many topics it takes for one of some size.

    Parameters
    ----------
    differences
        Differences by topic.
    size
        The size of the difference that topics are needed for.
    alpha
        The level of significance that decides.
    most
        The largest difference that the range of the measure allows.

    Returns
    -------
    tuple
        The difference that is shown four times of five, infinite where the topics that differ are too few to show any;
        None where it is not known, as where enough topics differ here, and would not four times of five. The number of
        topics, None where it is not known: on so many at least, that enough of them would.

    Examples
    --------
    >>> differences = np.array([0.2, 0.1, -0.1, 0.3, 0.1, 0.2])
    >>> seen, needed = power_of(differences, 0.05, 0.05, most=1.0)
    >>> round(seen, 3), needed
    (0.196, 61)
    >>> power_of(differences[:4], 0.05, 0.05)[0]
    inf
    >>> power_of(np.array([0.1, 0.1] + [0.0] * 48), 0.004, 0.05)
    (inf, 197)
    """
    topics = len(differences)
    if topics < FEWEST or not 0 < alpha < POWER:
        return None, None
    sizes = np.abs(differences)
    differing = int((sizes > NEAR * sizes.max()).sum())
    spread, few = float(np.std(differences, ddof=1)), (differing or topics) < fewest_topics(alpha)
    try:
        seen = inf if few else minimum_detectable_difference(spread, topics, alpha)
        needed = topics_needed(size, spread, alpha) if size and differing else None
    except ParameterError:
        return (inf if few else None), None
    if not differing or spread <= NEAR * float(sizes.max()):
        return (inf if few else None), None
    enough = int(_enough_topics(np.array(differing / topics), np.array(alpha)))
    known = few or topics >= enough
    return (seen if seen <= most else inf) if known else None, None if needed is None else max(needed, enough)


def _enough_topics(shares: FloatArray, alphas: FloatArray) -> FloatArray:
    """Return on how many topics enough differ for a test to be significant, four times of five, if such a share does.

    Examples
    --------
    >>> _enough_topics(np.array([1.0, 0.5, 0.04]), np.array([0.05])).tolist()
    [6.0, 15.0, 197.0]
    """
    from scipy.special import nbdtrik

    fewest = np.maximum(FEWEST, np.ceil(1 - np.log2(alphas) - NEAR))
    return np.asarray(fewest + np.where(shares < 1, np.ceil(nbdtrik(POWER, fewest, np.minimum(shares, 1 - NEAR))), 0))


def detectable_differences(result: ScoresResult) -> list[float | None]:
    """Return the least true difference that a t test shows for each pair, in the order of `numpy.triu_indices`.

    None where a pair was not tested, and where its topics that differ are too few to show a difference so often.

    Parameters
    ----------
    result
        The comparison under a measure.
    """
    scores = result.scores
    upper = np.triu_indices(len(scores.systems), 1)
    alphas, most = result.deciding_alphas[upper], widest_difference(scores)
    topics = over_pairs(scores, lambda pairs: pairs.topics)
    found = over_pairs(scores, lambda pairs: pairs.spreads)
    for n in np.unique(topics).tolist():
        alike = topics == n
        found[alike] *= _in_spreads(int(n), alphas[alike])
    shares = differing_topics(scores)[upper] / np.maximum(1, topics)
    kept = (found <= most) & (found > 0) & (topics >= _enough_topics(shares, alphas))
    return [value if keep else None for value, keep in zip(found.tolist(), kept.tolist(), strict=True)]


def _in_spreads(topics: int, alphas: FloatArray) -> FloatArray:
    """Return the least differences that are shown at some levels, in units of their spread."""
    levels, places = np.unique(alphas, return_inverse=True)
    least = np.full(len(levels), np.nan)
    shown = (levels > 0) & (levels < POWER) & (least_pvalue(topics) <= levels) & (topics >= FEWEST)
    several = levels[shown]
    if len(several) > SEVERAL:
        from scipy.interpolate import PchipInterpolator

        grid = np.linspace(np.log(several[0]), np.log(several[-1]), SEVERAL)
        known = [minimum_detectable_difference(1.0, topics, float(np.exp(each))) for each in grid]
        least[shown] = PchipInterpolator(grid, known)(np.log(several))
    else:
        least[shown] = [minimum_detectable_difference(1.0, topics, each) for each in several.tolist()]
    return least[places.reshape(-1)]
