"""The margin of topics: how many topics must be dropped until a conclusion about two systems fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, isinf
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.display.wording import counted
from measurand.study.certainty import fewest_topics
from measurand.study.margins.margin import UNTRUE, How, Margin
from measurand.study.margins.pair import Claimed, ComparedPair, differing
from measurand.study.margins.student import critical_t, t_statistics

NEAR = 1e-6
"""A statistic no farther above its critical value than this share of it is looked at by the test itself."""


@frozen(eq=False)
class DroppedTopics:
    """Topics that are dropped from a comparison.

    Parameters
    ----------
    topics : tuple of str
        Their names, the one with the largest difference first.
    places : tuple of int
        Their places among the topics of the two systems.

    Examples
    --------
    >>> dropped = DroppedTopics(("b",), (1,))
    >>> dropped.apply(np.array([[0.5, 1.0, 0.25], [0.5, 0.25, 0.5]])).tolist()
    [[0.5, 0.25], [0.5, 0.5]]
    """

    topics: tuple[str, ...]
    places: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.topics)

    def __iter__(self) -> Iterator[str]:
        return iter(self.topics)

    def apply(self, goodness: FloatArray) -> FloatArray:
        """Return the values of the topics that are left.

        Parameters
        ----------
        goodness : array of float
            2 × topics, as `ComparedPair.goodness`.
        """
        return np.delete(goodness, list(self.places), axis=1)


@frozen(kw_only=True, eq=False, repr=False)
class TopicsMargin(Margin):
    """The smallest number of topics whose removal overturns a conclusion.

    `value` is infinite where no removal does that leaves a topic, and `certificate` are such topics, `DroppedTopics`.

    Parameters
    ----------
    topics : int
        How many topics both systems have.
    """

    topics: int = 0

    @property
    def share(self) -> float:
        """The number of topics as a share of all; infinite where no removal overturns the conclusion.

        Examples
        --------
        >>> TopicsMargin(value=4, how=How.EXACT, sentence="", topics=50).share
        0.08
        """
        if self.value is None or isinf(self.value):
            return inf
        return float(self.value) / max(1, self.topics)

    def to_dict(self) -> dict[str, Any]:
        """Return the margin, ready for JSON, with the topics to drop."""
        dropped = None if self.certificate is None else list(self.certificate)
        return {**super().to_dict(), "topics": self.topics, "dropped": dropped}


def topics_margin(pair: ComparedPair) -> TopicsMargin:
    r"""Return the smallest number of topics whose removal overturns a conclusion about two systems.

    At least one topic stays. The order of means is overturned by the topics with the largest differences, and by none
    where the better system wins every topic. The t test is overturned by a block of neighbours among the sorted
    differences: t, as a function of one difference with the others fixed, rises and then falls, so that to keep one
    between two that are dropped is never the most harmful choice. The sign test is overturned by dropping topics that
    were won (lost ones, where more are lost). Both are overturned, too, where so few topics are left that differ that
    no flip of signs could be significant. Nothing can be tested on one topic alone, so that significance does not
    survive the removal of all others. All these numbers are exact; for other tests the largest differences and the
    blocks that leave the smallest t are tried, and fewer topics may do.

    Parameters
    ----------
    pair : ComparedPair
        The two systems, and what is claimed of them.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.margins.pair import compared_pair
    >>> cells = np.array([[[1, 1], [1, 0], [0, 0]], [[0, 0], [0, 0], [1, 0]]], dtype=np.int8)
    >>> counts, lengths = np.array([[5, 3]] * 3), np.full((2, 3), 2)
    >>> judged = JudgedRuns(systems="ab", topics="123", cells=cells, lengths=lengths, grade_counts=counts)
    >>> found = topics_margin(compared_pair(judged, "P@2", "a", "b"))
    >>> found.value, found.certificate.topics, str(found)
    (1, ('1',), 'fails if 1 of 3 topics is dropped')

    References
    ----------
    [BroderickGiordanoMeager2020]_
    """
    topics = len(pair.topics)
    if not pair.holds:
        return TopicsMargin(
            value=0,
            how=How.EXACT,
            sentence=UNTRUE,
            certificate=DroppedTopics((), ()),
            at_least=0,
            topics=topics,
        )
    dropped, how = _smallest(pair)
    if dropped is None:
        sentence = f"no removal of topics changes it: every one of {counted(topics, 'topic')} is won"
        sentence = "the only topic is won" if topics == 1 else sentence
        return TopicsMargin(value=inf, how=How.EXACT, sentence=sentence, at_least=inf, topics=topics)
    number = len(dropped)
    sentence = f"fails if {number:,} of {counted(topics, 'topic')} {'is' if number == 1 else 'are'} dropped"
    surely = how is How.EXACT
    return TopicsMargin(
        value=number,
        how=how,
        sentence=sentence if surely or number == 1 else f"{sentence}; fewer may be enough",
        certificate=dropped,
        at_least=number if surely else 1,
        topics=topics,
    )


def _smallest(pair: ComparedPair) -> tuple[DroppedTopics | None, How]:
    """Return the fewest topics whose removal overturns what is claimed, and how that is known."""
    if pair.claim is Claimed.ORDER:
        return _for_order(pair), How.EXACT
    if pair.test == "paired_t":
        return min((_by_blocks(pair), _for_few(pair)), key=len), How.EXACT
    if pair.test == "sign":
        found = [each for each in (_for_order(pair), _for_sign(pair)) if each is not None]
        return min(found, key=len), How.EXACT
    found_so = _by_trial(pair)
    return found_so, How.EXACT if len(found_so) == 1 else How.AT_MOST


def _dropped(pair: ComparedPair, places: Sequence[int] | IntArray) -> DroppedTopics:
    whole = tuple(int(place) for place in places)
    return DroppedTopics(tuple(pair.topics[place] for place in whole), whole)


def _largest_first(pair: ComparedPair) -> list[int]:
    """Return the places of topics, that of the largest difference first."""
    known = pair.exact_differences
    if known is not None:
        return sorted(range(len(known)), key=lambda place: -known[place])
    return [int(place) for place in np.argsort(-pair.differences, kind="stable")]


def _for_order(pair: ComparedPair) -> DroppedTopics | None:
    """Return the fewest topics without which the means are level or reversed; None if there are none such."""
    order = _largest_first(pair)
    differences = pair.exact_differences or tuple(pair.differences.tolist())
    left, number = sum(differences), 0
    # floats propose, and what is claimed decides
    bar = 0 if pair.exact_differences is not None else pair.tolerance
    while number < len(order) - 1 and left > bar * (len(order) - number):
        left, number = left - differences[order[number]], number + 1
    while number > 1 and _level_or_behind(pair, _dropped(pair, order[: number - 1])):
        number -= 1
    while number < len(order):
        dropped = _dropped(pair, order[:number])
        if _level_or_behind(pair, dropped):
            return dropped
        number += 1
    return None


def _level_or_behind(pair: ComparedPair, dropped: DroppedTopics) -> bool:
    """Return whether the mean is level or reversed on the topics that are left."""
    if pair.exact_differences is not None:
        gone = set(dropped.places)
        return sum(each for place, each in enumerate(pair.exact_differences) if place not in gone) <= 0
    left = dropped.apply(pair.goodness)
    return float(left[0].mean() - left[1].mean()) <= pair.tolerance


def _by_blocks(pair: ComparedPair) -> DroppedTopics:
    """Return the fewest topics without which the t test is not significant."""
    blocks = SortedBlocks.of(pair.differences)
    topics = len(pair.topics)
    number = step = 1
    while number < topics:
        statistic = blocks.statistics(number)
        bar = critical_t(topics - number, pair.alpha)
        near = np.flatnonzero(statistic <= bar * (1 + NEAR))
        for start in near[np.argsort(statistic[near], kind="stable")].tolist():
            dropped = _dropped(pair, blocks.order[start : start + number])
            if pair.overturned(dropped.apply(pair.goodness)):
                return dropped
        step *= 2
        while step > 1 and not blocks.stays_significant(number, step - 1, pair.alpha):
            step //= 2
        number += step
    raise AssertionError("one topic alone is never significant")


def _for_few(pair: ComparedPair) -> DroppedTopics:
    """Return the fewest topics without which too few are left that differ for any test to be significant."""
    order = [place for place in _largest_first(pair) if differing(pair.goodness[:, [place]])]
    return _dropped(pair, order[: len(order) - fewest_topics(pair.alpha) + 1])


def _for_sign(pair: ComparedPair) -> DroppedTopics | None:
    """Return the fewest topics without which the sign test is not significant; None if there are none such."""
    order = np.array(_largest_first(pair))
    signs = np.sign(pair.goodness[0] - pair.goodness[1])[order]
    won, lost = order[signs > 0], order[signs < 0]
    more = won if len(won) >= len(lost) else lost[::-1]
    for number in range(1, min(len(more), len(order) - 1) + 1):
        dropped = _dropped(pair, more[:number])
        if pair.overturned(dropped.apply(pair.goodness)):
            return dropped
    return None


def _by_trial(pair: ComparedPair) -> DroppedTopics:
    """Return the fewest topics found without which a test is not significant."""
    blocks = SortedBlocks.of(pair.differences)
    for number in range(1, len(pair.topics)):
        for start in dict.fromkeys((0, int(np.argmin(blocks.statistics(number))))):
            dropped = _dropped(pair, blocks.order[start : start + number])
            if pair.overturned(dropped.apply(pair.goodness)):
                return dropped
    raise AssertionError("one topic alone is never significant")


@frozen(eq=False)
class SortedBlocks:
    """Differences of topics, the largest first, and what is left of their sums without a block of neighbours.

    Parameters
    ----------
    order : array of int
        The places of topics, that of the largest difference first.
    ranked : array of float
        The differences in this order.
    """

    order: IntArray
    ranked: FloatArray

    @classmethod
    def of(cls, differences: FloatArray) -> SortedBlocks:
        """Return the blocks of some differences.

        Parameters
        ----------
        differences : array of float
            One for every topic.
        """
        order = np.argsort(-differences, kind="stable")
        return cls(order, differences[order])

    def statistics(self, number: int) -> FloatArray:
        """Return t of the topics that are left without each block of so many, the block of the largest first.

        Where differences have no spread t is infinite, and 0 where they are 0.

        Parameters
        ----------
        number : int
            How many topics a block has.

        Examples
        --------
        >>> SortedBlocks.of(np.array([1.0, 3.0, 2.0])).statistics(1).round(4).tolist()
        [3.0, 2.0, 5.0]
        """
        left = len(self.order) - number
        return t_statistics(*self._sums(left), left)

    def stays_significant(self, number: int, more: int, alpha: float) -> bool:
        """Return whether it is certain that t is significant without any block of 1 to `more` topics beyond a number.

        A block that grows takes no more from the sum than what was won on the topics that come to it, and does not
        raise the sum of squares; with both fixed, t rises or falls with the number of topics all the way.

        Parameters
        ----------
        number : int
            A number of topics.
        more : int
            How many more.
        alpha : float
            The level of significance.

        Examples
        --------
        >>> blocks = SortedBlocks.of(np.array([3.0, 1.0] * 20))
        >>> blocks.stays_significant(1, 10, 0.05), blocks.stays_significant(1, 30, 0.05)
        (True, False)
        """
        left = len(self.order) - number
        if more >= left:
            return False
        won = np.append(0.0, np.cumsum(np.maximum(self.ranked, 0.0)))
        ends = number + np.arange(left + 1)
        total, squared = self._sums(left)
        total = total - (won[np.minimum(ends + more, len(self.order))] - won[ends])
        least = min(float(t_statistics(total, squared, topics).min()) for topics in (left, left - more))
        return least > critical_t(left - more, alpha) * (1 + 2 * NEAR)

    def _sums(self, left: int) -> tuple[FloatArray, FloatArray]:
        """Return the sums of differences, and of their squares, that are left without each block."""
        return self._left(self.ranked, left), self._left(self.ranked**2, left)

    def _left(self, values: FloatArray, left: int) -> FloatArray:
        """Return the sums of what is before and behind each block, which large numbers inside it do not blur."""
        before = np.append(0.0, np.cumsum(values[:left]))
        behind = np.append(0.0, np.cumsum(values[len(values) - left :][::-1]))[::-1]
        return np.asarray(before + behind)


def largest_to_drop(ranked: FloatArray, topics: IntArray, tolerance: FloatArray) -> FloatArray:
    """Return how many of the largest differences must go until the mean of the rest is level or reversed.

    Infinite where one topic alone is still won.

    Parameters
    ----------
    ranked : array of float
        Pairs × topics: differences, the largest first, and 0 beyond the topics of a pair.
    topics : array of int
        How many topics each pair has.
    tolerance : array of float
        The mean up to which each pair may be level.

    Examples
    --------
    >>> ranked = np.array([[3.0, 2.0, -2.5], [1.0, 1.0, 0.0]])
    >>> largest_to_drop(ranked, np.array([3, 2]), np.zeros(2)).tolist()
    [1.0, inf]
    """
    # the sums of the smallest, so that rounding is that of what is left
    left = np.cumsum(ranked[:, ::-1], axis=1)[:, ::-1]
    number = topics[:, None] - np.arange(left.shape[1])
    fails = (left <= tolerance[:, None] * number) & (number > 0)
    return np.where(fails.any(axis=1), fails.argmax(axis=1), inf)
