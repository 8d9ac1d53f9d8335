"""Pairs of systems: their scores and differences, a block of pairs at a time, and tests made for every two.

`pairwise` runs a test on every two systems, on the topics that both have; `complete` leaves the topics that all systems
have, for tests of all at once; `difference_sizes` ranks differences with the ties that they have in exact numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.errors import Caveat, CaveatKind, NotAvailable
from measurand.exact import Units
from measurand.execution.memory import check_memory
from measurand.scores import Scores

PAIRS = 2**12
"""How many pairs are held at a time."""

CELLS = 2**18
"""How many of their scores are held at a time, where there are many topics."""

ROUNDING = 8 * float(np.finfo(np.float64).eps)
"""How far apart, relative to their size, numbers may lie that differ by rounding alone."""

IN_SUMS = 1e-12
"""What share of a sum of differences may be rounding."""

FEWEST = 2
"""Fewer topics than this leave nothing to test."""


@frozen(kw_only=True, eq=False)
class PairOutcome:
    """What a test finds for the pairs of systems, in the order of `numpy.triu_indices(n, 1)`.

    Parameters
    ----------
    pvalues, differences, statistic, topics
        As in `AllPairs`, one number a pair, the first system minus the second.
    semantics
        Whose conventions decided, where these differ.
    details
        Other numbers of the test, by name.
    caveats
        What a reader of the outcome should know.
    """

    pvalues: FloatArray
    differences: FloatArray
    statistic: FloatArray
    topics: IntArray
    semantics: str = ""
    details: Mapping[str, float] = field(factory=dict)
    caveats: tuple[Caveat, ...] = ()


@frozen(eq=False)
class Found:
    """What a test finds for some pairs: one number a pair, the first system minus the second."""

    pvalues: FloatArray
    differences: FloatArray
    statistic: FloatArray


@frozen(eq=False)
class Complete:
    """The scores of all systems on the topics that all have.

    Parameters
    ----------
    values
        Systems × topics, without NaN.
    caveats
        How many topics were left out, and whether anything is left to test.
    """

    values: FloatArray
    caveats: tuple[Caveat, ...] = ()

    @property
    def testable(self) -> bool:
        """Whether there are two systems and two topics at least."""
        systems, topics = self.values.shape
        return bool(systems >= FEWEST and topics >= FEWEST)

    def untested(self, compared: FloatArray) -> PairOutcome:
        """Return the outcome where nothing can be tested: every p-value is 1.

        Parameters
        ----------
        compared
            Systems × topics: that whose means the test would compare.
        """
        systems, topics = self.values.shape
        means = compared.mean(axis=1) if topics else np.zeros(systems)
        first, second = np.triu_indices(systems, 1)
        differences = means[first] - means[second]
        return PairOutcome(
            pvalues=np.ones(len(first)),
            differences=differences,
            # who is ahead, and no more
            statistic=np.sign(differences),
            topics=np.full(len(first), topics),
            details={"p": 1.0},
            caveats=self.caveats,
        )


@frozen(eq=False)
class PairBlock:
    """Some pairs of systems, in the order of `numpy.triu_indices(n, 1)`, with their scores by topic.

    Parameters
    ----------
    x, y
        Pairs × topics: the scores of the first and of the second system. Both are NaN on a topic that one of the
        two left out.
    exact
        The exact values of the same, as whole numbers, where they are known.
    """

    x: FloatArray
    y: FloatArray
    exact: tuple[Units, Units] | None = None

    @cached_property
    def shared(self) -> BoolArray:
        """Which topics both have, pairs × topics."""
        return np.asarray(~np.isnan(self.x))

    @cached_property
    def topics(self) -> IntArray:
        """How many topics each pair shares."""
        return np.asarray(self.shared.sum(axis=1))

    @cached_property
    def same(self) -> BoolArray:
        """Which pairs have the same scores on all topics they share, of which there is one at least."""
        return np.asarray(((self.x == self.y) | ~self.shared).all(axis=1) & (self.topics > 0))

    @cached_property
    def differences(self) -> FloatArray:
        """The first system minus the second, pairs × topics; 0 on a topic that one of them left out."""
        return np.where(self.shared, self.x - self.y, 0.0)

    @cached_property
    def means(self) -> FloatArray:
        """The mean difference of each pair; 0 where it is nothing but rounding, or where no topic is shared."""
        means = self.differences.sum(axis=1) / np.maximum(1, self.topics)
        return np.where(np.abs(means) <= self._negligible, 0.0, means)

    @cached_property
    def spreads(self) -> FloatArray:
        """The standard deviation of each pair's differences; 0 where it is nothing but rounding, or of one topic."""
        return self._deviations(self.differences)

    @property
    def own_spreads(self) -> tuple[FloatArray, FloatArray]:
        """The standard deviations of the first and of the second system's scores on the topics that both have."""
        return self._deviations(self.x), self._deviations(self.y)

    @property
    def rounding(self) -> FloatArray:
        """How close sums of differences lie that are taken as equal, by pair."""
        # a difference is as uncertain as the scores it comes from, a sum as its parts
        magnitude = np.where(self.shared, np.abs(self.x) + np.abs(self.y), 0.0).sum(axis=1)
        return np.asarray(IN_SUMS * np.abs(self.differences).sum(axis=1) + ROUNDING / 2 * magnitude)

    @cached_property
    def _negligible(self) -> FloatArray:
        """How large a difference can be that is nothing but rounding, by pair."""
        largest = np.where(self.shared, np.maximum(np.abs(self.x), np.abs(self.y)), 0.0)
        return np.asarray(ROUNDING * np.max(largest, axis=1, initial=0.0))

    def _deviations(self, values: FloatArray) -> FloatArray:
        """Return the standard deviation over the topics that each pair shares."""
        n = np.maximum(1, self.topics)
        there = np.where(self.shared, values, 0.0)
        rest = np.where(self.shared, there - (there.sum(axis=1) / n)[:, None], 0.0)
        widest = np.max(np.abs(rest), axis=1, initial=0.0)
        # in units of the widest, so that squares of tiny and huge scores stay numbers
        parts = rest / np.where(widest > 0, widest, 1.0)[:, None]
        deviations = widest * np.sqrt((parts**2).sum(axis=1) / np.maximum(1, n - 1))
        return np.where(widest <= self._negligible, 0.0, deviations)


PAIR_BYTES, TOPIC_BYTES = 250, 4
"""About so many bytes are taken by what is known of two systems under a measure, and of how they compare on a topic."""


def check_pairs(systems: int, topics: int, measures: int = 1) -> None:
    """Refuse to compare more systems with each other than memory can hold, before anything is allocated.

    Parameters
    ----------
    systems, topics, measures
        How many there are.

    Examples
    --------
    >>> check_pairs(129, 50, 5)
    """
    check_memory(
        systems**2 * (PAIR_BYTES * measures + TOPIC_BYTES * topics),
        f"{systems * (systems - 1) // 2:,} pairs of {systems:,} systems on {topics:,} topics",
        "compare fewer systems; or keep the scores of all (evaluate --store FOLDER; store_scores in Python) and compare"
        " them with one (compare FOLDER --baseline NAME)",
    )


def pairs_fit(systems: int, topics: int, measures: int = 1) -> bool:
    """Return whether memory can hold what is known of so many systems compared with each other.

    Parameters
    ----------
    systems, topics, measures
        How many there are.

    Examples
    --------
    >>> pairs_fit(129, 50, 5), pairs_fit(10**8, 50)
    (True, False)
    """
    try:
        check_pairs(systems, topics, measures)
    except NotAvailable:
        return False
    return True


@lru_cache(maxsize=8)
def _above_the_diagonal(systems: int) -> tuple[IntArray, IntArray]:
    """Return the first and the second system of every pair; the arrays are shared, and read alone."""
    check_pairs(systems, 0)
    rows, columns = np.triu_indices(systems, 1)
    rows.flags.writeable = columns.flags.writeable = False
    return rows, columns


def pair_blocks(scores: Scores, most: int = PAIRS, *, exactly: bool = False) -> Iterator[PairBlock]:
    """Return all pairs of systems in blocks of at most `most` pairs, with their exact values if wanted.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[0.5, 1.0], [0.25, np.nan]], systems=("a", "b"), topics=("1", "2"))
    >>> [block] = pair_blocks(scores)
    >>> block.differences.tolist(), block.topics.tolist()
    ([[0.25, 0.0]], [1])
    """
    units = scores.exact.units_of(scores.values) if exactly and scores.exact is not None else None
    return (pair_block(scores, which, units) for which in block_places(scores, most))


def block_places(scores: Scores, most: int = PAIRS) -> Iterator[slice]:
    """Return which pairs of systems make a block of at most `most`, for all blocks.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[0.5], [0.25], [0.5]], systems=("a", "b", "c"), topics=("1",))
    >>> list(block_places(scores, 2))
    [slice(0, 2, None), slice(2, 4, None)]
    """
    systems, size = len(scores.systems), max(1, min(most, CELLS // max(1, len(scores.topics))))
    return (slice(start, start + size) for start in range(0, systems * (systems - 1) // 2, size))


def pair_block(scores: Scores, which: slice, units: Units | None = None) -> PairBlock:
    """Return some of all pairs of systems, with their exact values if these are given.

    Parameters
    ----------
    scores
        The scores.
    which
        Some pairs, as `block_places` counts them.
    units
        The exact values of the scores.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[0.5], [0.25], [0.5]], systems=("a", "b", "c"), topics=("1",))
    >>> pair_block(scores, slice(2, 4)).differences.tolist()
    [[-0.25]]
    """
    systems = [rows[which] for rows in _above_the_diagonal(len(scores.systems))]
    x, y = (scores.values[rows] for rows in systems)
    left_out = np.isnan(x) | np.isnan(y)
    x[left_out] = y[left_out] = np.nan
    exact = None if units is None else tuple(Units(units.sizes[rows], units.keys[rows]) for rows in systems)
    return PairBlock(x, y, exact)  # type: ignore[arg-type] # two of them


def over_pairs(
    scores: Scores, of_block: Callable[[PairBlock], Any], most: int = PAIRS, *, exactly: bool = False
) -> Any:
    """Return what a function finds for every pair, a block at a time so that memory stays bounded.

    Parameters
    ----------
    of_block
        The function, of some pairs.
    most
        How many pairs a block has at most.
    exactly
        Whether blocks have the exact values too, where they are known: these take a while.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[.5, .75], [.25, .25]], systems=("a", "b"), topics=("1", "2"))
    >>> over_pairs(scores, lambda block: block.means).tolist()
    [0.375]
    """
    found = [of_block(block) for block in pair_blocks(scores, most, exactly=exactly)]
    return np.concatenate(found) if found else np.zeros(0)


def square(pairs: FloatArray | IntArray, systems: int, diagonal: Any = 0, *, turned: bool = False) -> Any:
    """Return numbers of all pairs as systems × systems, with the sign turned below the diagonal if `turned`.

    Examples
    --------
    >>> square(np.array([0.5]), 2, diagonal=1).tolist(), square(np.array([3]), 2, turned=True).tolist()
    ([[1.0, 0.5], [0.5, 1.0]], [[0, 3], [-3, 0]])
    """
    found = np.zeros((systems, systems), dtype=pairs.dtype)
    upper = _above_the_diagonal(systems)
    found[upper] = pairs
    found.T[upper] = 0 - pairs if turned else pairs  # no zero with a sign
    found[np.diag_indices(systems)] = diagonal
    return found


def in_units_of(error: FloatArray, differences: FloatArray) -> FloatArray:
    """Return differences in units of their error; infinite where there is no error, and 0 for no difference.

    Examples
    --------
    >>> in_units_of(np.array([2.0, 0.0, 0.0]), np.array([1.0, -1.0, 0.0])).tolist()
    [0.5, -inf, 0.0]
    """
    error = np.broadcast_to(error, differences.shape)
    units = np.where(differences == 0, 0.0, np.copysign(np.inf, differences))
    with np.errstate(over="ignore"):
        return np.divide(differences, error, out=units, where=error > 0)


def few_topics(topics: IntArray, least: int, why: str) -> tuple[Caveat, ...]:
    """Return the caveat that some pairs share fewer than `least` topics, if some do.

    Examples
    --------
    >>> print(*few_topics(np.array([1, 5]), 2, "their p-value is 1"))
    1 of 2 pairs of systems shares fewer than 2 topics: their p-value is 1
    """
    few = int((topics < least).sum())
    if not few:
        return ()
    who = f"{few} of {len(topics)} pairs of systems {'shares' if few == 1 else 'share'}"
    scant = "no topic" if least == 1 else f"fewer than {least} topics"
    return (Caveat(CaveatKind.DEGENERATE, f"{who} {scant}: {why}"),)


def same_scores(same: BoolArray) -> tuple[Caveat, ...]:
    """Return the caveat that some pairs of systems have the same scores, if some do.

    Examples
    --------
    >>> print(*same_scores(np.array([True, False])))
    1 of 2 pairs of systems have the same scores on all topics they share: the p-value is 1 there
    """
    if not same.any():
        return ()
    who = f"{int(same.sum())} of {len(same)} pairs of systems"
    return (
        Caveat(CaveatKind.DEGENERATE, f"{who} have the same scores on all topics they share: the p-value is 1 there"),
    )


def pairwise(
    scores: Scores, test: Callable[[PairBlock], Found], semantics: str = "", *, exactly: bool = False
) -> PairOutcome:
    """Return what a test finds for every two systems, on the topics that both have.

    Pairs that share fewer than two topics get a p-value of 1, and a caveat counts them.

    Parameters
    ----------
    test
        A function of some pairs of systems.
    semantics
        Whose conventions it follows.
    exactly
        Whether it takes exact values where they are known.

    Examples
    --------
    >>> scores = Scores(measure="P@10", values=[[0.5], [0.3]], systems=("a", "b"), topics=("1",))
    >>> outcome = pairwise(scores, lambda pairs: Found(pairs.means, pairs.means, pairs.means))
    >>> outcome.pvalues.tolist(), str(outcome.caveats[0])
    ([1.0], '1 of 1 pairs of systems shares fewer than 2 topics: nothing can be tested there')
    """

    def of_block(pairs: PairBlock) -> FloatArray:
        found = test(pairs)
        columns = [found.pvalues, found.differences, found.statistic, pairs.topics, pairs.same, pairs.means]
        return np.stack(columns, axis=1, dtype=np.float64)

    # in one pass, for making the blocks takes longer than most tests of few pairs
    columns = over_pairs(scores, of_block, exactly=exactly).reshape(-1, 6).T
    pvalues, differences, statistic, number, same, means = columns
    topics = number.astype(np.int64)
    few = topics < FEWEST
    return PairOutcome(
        pvalues=np.where(few, 1.0, pvalues),
        differences=differences,
        # of one topic: who is ahead, and no more
        statistic=np.where(few, np.sign(means), statistic),
        topics=topics,
        semantics=semantics,
        caveats=(*few_topics(topics, FEWEST, "nothing can be tested there"), *same_scores(same > 0)),
    )


def complete(scores: Scores) -> Complete:
    """Return the scores on the topics that all systems have, with a caveat that counts the others.

    Examples
    --------
    >>> values = [[0.5, 0.3, 0.2], [0.1, np.nan, 0.2]]
    >>> left = complete(Scores(measure="P@10", values=values, systems=("a", "b"), topics=("1", "2", "3")))
    >>> left.values.tolist(), str(left.caveats[0])
    ([[0.5, 0.2], [0.1, 0.2]], '1 of 3 topics are left out, because a system has no score there')
    """
    everywhere: BoolArray = np.asarray(~np.isnan(scores.values).any(axis=0))
    caveats: tuple[Caveat, ...] = ()
    if not everywhere.all():
        left_out, of = int((~everywhere).sum()), len(everywhere)
        text = f"{left_out} of {of} topics are left out, because a system has no score there"
        caveats = (Caveat(CaveatKind.MISSING_TOPICS, text),)
    if everywhere.sum() < FEWEST:
        what = "only one topic that all systems have" if everywhere.any() else "no topic that all systems have"
        caveats = (*caveats, Caveat(CaveatKind.DEGENERATE, f"there is {what}: nothing can be tested"))
    return Complete(scores.values[:, everywhere], caveats)


def difference_sizes(pairs: PairBlock) -> tuple[FloatArray, FloatArray]:
    """Return the signs of differences, and the place of each size among those of its pair, from 1; ties share one.

    Where there is no difference, the sign is 0 and the place NaN. Exact values decide where the pairs have them.
    Otherwise a score stands for all numbers within its distance to the next float, as in Matlab's `signrank`: two
    scores x and y differ if they are more than eps(x) + eps(y) apart, and the sizes of two differences tie if they
    are no farther apart than these two sums together.

    Examples
    --------
    >>> signs, places = difference_sizes(PairBlock(np.array([[0.3, 0.5, 0.7, 0.5]]), np.array([[0.1, 0.3, 0.7, 0.9]])))
    >>> signs.tolist(), places.tolist()
    ([[1.0, 1.0, 0.0, -1.0]], [[1.0, 1.0, nan, 2.0]])
    """
    return _within_spacing(pairs.x, pairs.y) if pairs.exact is None else _exactly(pairs.shared, *pairs.exact)


def _within_spacing(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    differences = x - y
    sizes, slack = np.abs(differences), np.spacing(np.abs(x)) + np.spacing(np.abs(y))
    apart = sizes > slack
    order = np.argsort(np.where(apart, sizes, np.inf), axis=1, kind="stable")
    low, high = (np.take_along_axis(ends, order, axis=1) for ends in (sizes - slack, sizes + slack))
    return np.where(apart, np.sign(differences), 0.0), _places(order, low[:, 1:] > high[:, :-1], apart)


def _exactly(shared: BoolArray, first: Units, second: Units) -> tuple[FloatArray, FloatArray]:
    differences = first.sizes - second.sizes
    keys: Any = abs(first.keys - second.keys)
    apart = shared & (keys != 0).astype(bool)
    sizes: Any = np.where(apart, abs(differences), np.iinfo(np.int64).max)
    if sizes.dtype == object:
        sizes[~apart] = sizes.max(initial=0) + 1
    order = np.argsort(sizes, axis=1, kind="stable")
    keys = np.take_along_axis(keys, order, axis=1)
    signs = (differences > 0).astype(float) - (differences < 0).astype(float)
    return np.where(apart, signs, 0.0), _places(order, (keys[:, 1:] != keys[:, :-1]).astype(bool), apart)


def _places(order: Any, larger: BoolArray, apart: BoolArray) -> FloatArray:
    """Return places by the order of sizes, and whether each is larger than the one before it."""
    places = np.empty(order.shape)
    steps = np.hstack([np.ones((len(order), min(1, order.shape[1]))), larger])
    np.put_along_axis(places, order, np.cumsum(steps, axis=1), axis=1)
    return np.where(apart, places, np.nan)
