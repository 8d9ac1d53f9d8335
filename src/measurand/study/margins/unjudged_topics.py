"""What the grades of the unjudged documents of a topic can do to the difference of two systems.

A document that both systems returned has one grade, in both runs. Under a sum of discounts of ranks times gains it
counts by its net discount. Under other measures that respect replacement and swap, of the documents that one system
alone returned it is enough to say how many have each grade; only those that both returned are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import comb
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.display.wording import counted
from measurand.judged import Pool
from measurand.judged.grades import cell_type
from measurand.measures import Measure
from measurand.measures.additive import Additive
from measurand.measures.around import innermost
from measurand.measures.catalogue import is_own
from measurand.measures.defined import Defined
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.study.level_classes import Level, differs_by_recall_base_alone, level_of
from measurand.study.margins.assumed_grades import Convention, count_vectors, grades_apart, placed_first, variants_of
from measurand.study.margins.documents import PairDocuments
from measurand.study.margins.separable_ratios import largest_ratios
from measurand.study.margins.value_bounds import ideal_terms, is_plain_ndcg, is_plain_sum, run_bounds

WAYS = 1 << 13
"""So many ways to have grades are looked at on one topic, one by one …"""

CELLS = 1 << 19
"""… and so many ranks of them."""

SLOWER = 5
"""A function of a user is asked for fewer, by so many powers of 2."""

GRID = 65
"""Sums are looked at for so many numbers of relevant documents."""

TRIED = 128
"""So many documents are given the highest grade, one after the other, where not all ways are looked at."""


@frozen(eq=False)
class TopicExtremes:
    """The lowest and the highest difference of two systems on a topic over all grades of unjudged documents.

    Parameters
    ----------
    low, high
        The bounds.
    lowest, highest
        Grades that lead to them, or as far towards them as was found.
    exact
        Whether the grades lead to the bounds.
    """

    low: float
    high: float
    lowest: Cells
    highest: Cells
    exact: bool


@frozen(eq=False)
class TopicFalls:
    """How far the difference of two systems on a topic falls if some documents have the highest grade, others grade 0.

    Parameters
    ----------
    falls
        By how much at most, if at most 0, 1, 2, … documents have the highest grade, as far as was found.
    sets
        The places of these documents among the unjudged ones of the topic.
    complete
        Whether no other documents lead further.
    """

    falls: FloatArray
    sets: Sequence[IntArray]
    complete: bool

    @classmethod
    def of(cls, falls: FloatArray, sets: Sequence[IntArray], *, complete: bool) -> TopicFalls:
        """Return falls for at most so many documents, from those for exactly so many.

        Parameters
        ----------
        falls
            By how much the difference falls with exactly 0, 1, 2, … documents.
        sets
            Which documents these are.
        complete
            Whether no other documents lead further.
        """
        most = np.maximum.accumulate(falls)
        where = np.maximum.accumulate(
            np.where(falls > np.concatenate([[-np.inf], most[:-1]]), np.arange(len(falls)), 0)
        )
        return cls(most, [sets[place] for place in where.tolist()], complete)


@frozen(eq=False, slots=False)
class UnjudgedTopics:
    """The unjudged documents of two systems within the ranks that a measure sees, topic by topic.

    Parameters
    ----------
    documents
        The documents of both systems.
    convention
        What the ideal ranking and the recall base hold.
    """

    documents: PairDocuments
    convention: Convention
    _known_effects: dict[int, FloatArray] = field(factory=dict, init=False)

    @property
    def measure(self) -> Measure:
        """The measure; where every document has a grade, none is removed for want of one."""
        measure = self.documents.pair.measure
        return measure(judged_only=False) if measure.judged_only else measure

    @cached_property
    def reach(self) -> int:
        """The last rank that the measure looks at."""
        pair = self.documents.pair
        return self.documents.ranks if pair.judged.groups is not None else pair.measure.reach(pair.judged.depth)

    @cached_property
    def open(self) -> tuple[IntArray, ...]:
        """The places of the unjudged documents of each topic."""
        found = []
        for place, topic in enumerate(self.documents.topics):
            seen = ((topic.ranks > 0) & (self._highest(place) <= self._last)).any(axis=0)
            found.append(np.flatnonzero((topic.cells < 0) & seen))
        return tuple(found)

    @property
    def _last(self) -> int:
        """The last rank at which a document may be seen, wherever it stands among those of equal score."""
        pair = self.documents.pair
        return self.reach if pair.measure.judged_only else pair.measure.reach(pair.judged.depth)

    def _highest(self, topic: int) -> IntArray:
        """Return the highest rank that each document of a topic may have in each run: that of its tie group."""
        ranks, groups = self.documents.topics[topic].ranks, self.documents.pair.judged.groups
        if groups is None:
            return ranks
        tied = groups.tied[:, topic]
        first = np.maximum.accumulate(np.where(tied, 0, np.arange(1, tied.shape[1] + 1)), axis=1)
        return np.where(ranks > 0, np.take_along_axis(first, np.maximum(ranks - 1, 0), axis=1), 0)

    @property
    def where(self) -> str:
        """The ranks that the measure looks at, in words."""
        return f"in the first {counted(self._last, 'rank')}" if self._last > 1 else "at the first rank"

    @property
    def number(self) -> int:
        """How many there are on all topics."""
        return sum(map(len, self.open))

    @property
    def top(self) -> int:
        """The highest grade of the collection."""
        return len(self.documents.grades) - 1

    @cached_property
    def level(self) -> Level:
        """The class that the measure belongs to."""
        if self.documents.pair.judged.groups is not None:
            return Level.THIS_MEASURE
        return level_of(self.measure, depth=self.reach, grades=self.top + 1, deepest=self.reach)

    @cached_property
    def grades(self) -> tuple[int, ...]:
        """The grades that make a difference to the measure, one of each kind."""
        return grades_apart(self.measure, self.top)

    def ranks(self, topic: int) -> IntArray:
        """Return the ranks of the unjudged documents of a topic, 2 × documents; 0 where the measure does not see one.

        Parameters
        ----------
        topic
            The place of the topic.
        """
        ranks = self.documents.topics[topic].ranks[:, self.open[topic]]
        return np.where(ranks <= self.reach, ranks, 0)

    def cells(self, topic: int, assigned: Cells) -> Cells:
        """Return the grades of all documents of a topic with those that unjudged ones are given, ways × documents.

        Parameters
        ----------
        topic
            The place of the topic.
        assigned
            The grades of the unjudged documents, ways × documents.
        """
        found = np.tile(self.documents.topics[topic].cells, (len(assigned), 1))
        found[:, self.open[topic]] = assigned
        return found

    def goodness(self, topic: int, assigned: Cells) -> FloatArray:
        """Return what both systems score on a topic if unjudged documents have grades, ways × 2.

        Parameters
        ----------
        topic
            The place of the topic.
        assigned
            The grades, ways × documents.
        """
        counts = None if self.convention is Convention.GROWN else self.documents.topics[topic].counts[None]
        return self.documents.values(topic, self.cells(topic, assigned), counts)

    def differences(self, topic: int, assigned: Cells) -> FloatArray:
        """Return by how much the better system is ahead on a topic if unjudged documents have grades.

        Parameters
        ----------
        topic
            The place of the topic.
        assigned
            The grades, ways × documents.
        """
        found = self.goodness(topic, assigned)
        return np.asarray(found[:, 0] - found[:, 1])

    def zeros(self, topic: int) -> Cells:
        """Return grade 0 for all unjudged documents of a topic.

        Parameters
        ----------
        topic
            The place of the topic.
        """
        return np.zeros(len(self.open[topic]), dtype=self._kind)

    @property
    def _kind(self) -> type[np.signedinteger[Any]]:
        """The type of integers that holds all grades."""
        return cell_type(self.top)

    @cached_property
    def zero(self) -> FloatArray:
        """The differences if all unjudged documents have grade 0."""
        return np.array([self.differences(topic, self.zeros(topic)[None])[0] for topic in range(len(self.open))])

    def with_top(self, topic: int, chosen: IntArray) -> Cells:
        """Return the highest grade for some unjudged documents of a topic, and 0 for the others.

        Parameters
        ----------
        topic
            The place of the topic.
        chosen
            The places of the documents among the unjudged ones.
        """
        found = self.zeros(topic)
        found[chosen] = self.top
        return found

    def effects(self, topic: int) -> FloatArray:
        """Return what the highest grade of each unjudged document alone, beside grade 0, does to the difference.

        Parameters
        ----------
        topic
            The place of the topic.
        """
        net = self._net(topic)
        return self._alone(topic) if net is None else np.asarray(net[-1])

    def _alone(self, topic: int) -> FloatArray:
        """Return the effects from the values with each document, remembered."""
        if topic not in self._known_effects:
            alone = np.eye(len(self.open[topic]), dtype=self._kind) * self._kind(self.top)
            self._known_effects[topic] = self.differences(topic, alone) - self.zero[topic]
        return self._known_effects[topic]

    def extremes(self, topic: int) -> TopicExtremes:
        """Return the lowest and the highest difference on a topic.

        Parameters
        ----------
        topic
            The place of the topic.
        """
        if not len(self.open[topic]):
            nothing, now = self.zeros(topic), float(self.zero[topic])
            return TopicExtremes(now, now, nothing, nothing, True)
        net = self._net(topic)
        if net is not None:
            return self._reached(topic, self._placed(net.argmin(axis=0)), self._placed(net.argmax(axis=0)))
        if self._is_ndcg:
            return self._reached(topic, self._by_ratio(topic, -1), self._by_ratio(topic, 1))
        ways = [self._looked_up(topic, lowest=lowest) for lowest in (True, False)]
        if ways[0] is not None and ways[1] is not None:
            return self._reached(topic, ways[0], ways[1])
        return self._certified(topic)

    def falls(self, topic: int) -> TopicFalls:
        """Return how far the difference falls if so many documents of a topic have the highest grade.

        Parameters
        ----------
        topic
            The place of the topic.
        """
        number = len(self.open[topic])
        if not number:
            return TopicFalls(np.zeros(1), [np.arange(0)], True)
        net = self._net(topic)
        if net is not None:
            order = np.argsort(net[-1], kind="stable")
            falls = np.concatenate([[0.0], np.cumsum(-net[-1][order])])
            return TopicFalls.of(falls, [order[:size] for size in range(number + 1)], complete=True)
        if self._is_ndcg:
            return self._falls_of_ratio(topic)
        kinds = (0, self.top)
        if self._size(topic, kinds, reduced=False) <= self._most:
            return self._all_falls(topic, kinds)
        return self._in_order(topic, np.argsort(self.effects(topic), kind="stable"), min(number, TRIED), complete=False)

    # how a measure is looked at

    @property
    def _fixed(self) -> bool:
        """Whether values do not depend on how many documents of each grade there are, or these stay what they are."""
        return self.level in (Level.ADDITIVE, Level.EVERY_MEASURE) or self.convention is Convention.KNOWN

    @property
    def _is_ndcg(self) -> bool:
        return self.level is Level.TOPICS and is_plain_ndcg(self.measure) and self.convention is Convention.GROWN

    @cached_property
    def _worth(self) -> FloatArray | None:
        """What each grade is worth at each rank from 0, where no document stands, under a sum; None for others."""
        measure, top = self.measure, self.top
        if self.documents.pair.judged.groups is not None:
            return None
        if is_plain_sum(measure) or self._is_scaled_sum:
            assert isinstance(measure, Additive)
            worth = np.outer(measure.gains(top), measure.weights(self.reach))
        elif self.level is Level.ADDITIVE:
            ones = np.eye(self.reach, dtype=self._kind)
            alone = np.concatenate([ones * self._kind(grade) for grade in range(top + 1)])
            counts = np.tile(self.documents.pair.judged.grade_counts.sum(axis=0), (len(alone), 1))
            worth = variants_of(measure, alone, counts).reshape(top + 1, self.reach)
        else:
            return None
        return np.concatenate([np.zeros((top + 1, 1)), worth], axis=1)

    @property
    def _is_scaled_sum(self) -> bool:
        """Whether the measure is a sum that is divided by a number which depends on the topic alone."""
        own = isinstance(self.measure, Additive) and is_own(self.measure) and self.measure.is_defined_by(Additive)
        return own and self.convention is Convention.KNOWN

    def _net(self, topic: int) -> FloatArray | None:
        """Return what each grade of each unjudged document does to the difference under a sum, grades × documents."""
        if self._worth is None:
            return None
        first, second = self.ranks(topic)
        net = self._worth[:, first] - self._worth[:, second]
        if self._is_scaled_sum:
            assert isinstance(self.measure, Additive)
            pool = Pool(tuple(self.documents.topics[topic].counts.tolist()))
            scale = float(self.measure.scaling(pool, self.reach))
            return net / scale if scale else np.zeros_like(net)
        return net

    def _net_weights(self, topic: int) -> FloatArray:
        """Return the discount of each unjudged document in the better system's run less that in the other."""
        measure = self.measure
        assert is_plain_ndcg(measure)
        weights = np.concatenate([[0.0], measure.weights(self.reach)])
        first, second = self.ranks(topic)
        return np.asarray(weights[first] - weights[second])

    def _placed(self, grades: IntArray) -> Cells:
        return grades.astype(self._kind)

    def _reached(self, topic: int, lowest: Cells, highest: Cells) -> TopicExtremes:
        """Return extremes that some grades reach."""
        low, high = self.differences(topic, np.stack([lowest, highest])).tolist()
        return TopicExtremes(low, high, lowest, highest, True)

    def _by_ratio(self, topic: int, sign: int) -> Cells:
        """Return the grades with the highest difference of nDCG, or with the lowest for sign -1."""
        measure, here = self.measure, self.documents.topics[topic]
        assert is_plain_ndcg(measure)
        gains = measure.gains(self.top)
        net = sign * self._net_weights(topic)
        order = np.argsort(-net, kind="stable")
        sums = np.concatenate([[0.0], np.cumsum(net[order])])
        added = np.diff(gains)[:, None, None] * sums
        ideal = ideal_terms(measure, here.counts, len(net))
        best = largest_ratios(np.array([sign * self._known(topic)]), added, ideal, np.ones((1, len(sums)), dtype=bool))
        found = self.zeros(topic)
        found[order] = placed_first(best.numbers, tuple(range(self.top + 1)), len(net))[0]
        return found

    def _falls_of_ratio(self, topic: int) -> TopicFalls:
        """Return how far the difference of nDCG falls: the documents with the lowest net discounts come first."""
        measure, here, net = self.measure, self.documents.topics[topic], self._net_weights(topic)
        assert is_plain_ndcg(measure)
        order = np.argsort(net, kind="stable")
        ideal = ideal_terms(measure, here.counts, len(net)).sum(axis=(0, 1))
        sums = self._known(topic) + measure.gains(self.top)[-1] * np.concatenate([[0.0], np.cumsum(net[order])])
        found = np.divide(sums, ideal, out=np.zeros(len(sums)), where=ideal > 0)
        return TopicFalls.of(found[0] - found, [order[:size] for size in range(len(sums))], complete=True)

    def _known(self, topic: int) -> float:
        """Return the discounted gain of the judged documents in the better system's run less that in the other."""
        measure, here = self.measure, self.documents.topics[topic]
        assert is_plain_ndcg(measure)
        weights = np.concatenate([[0.0], measure.weights(self.reach), [0.0]])
        first, second = weights[np.minimum(here.ranks, self.reach + 1)]
        return float((measure.gains(self.top)[np.maximum(here.cells, 0)] * (first - second)).sum())

    # all ways that matter

    @property
    def _most(self) -> int:
        """How many ways are looked at."""
        cells = CELLS >> (SLOWER if isinstance(innermost(self.measure), Defined) else 0)
        return max(1, min(WAYS, cells // max(1, self.reach)))

    def _parts(self, topic: int) -> tuple[IntArray, IntArray, IntArray]:
        """Return which unjudged documents both systems have, and which one alone, in the order of their ranks."""
        first, second = self._ranks_that_matter(topic)
        if self.level is Level.THIS_MEASURE:
            return np.arange(len(first)), np.arange(0), np.arange(0)
        ours, theirs = np.flatnonzero((first > 0) & (second == 0)), np.flatnonzero((second > 0) & (first == 0))
        both = np.flatnonzero((first > 0) & (second > 0))
        return both, ours[np.argsort(first[ours])], theirs[np.argsort(second[theirs])]

    def _ranks_that_matter(self, topic: int) -> IntArray:
        """Return the ranks of the unjudged documents of a topic, 0 where no grade of one plays a part."""
        ranks, measure = self.ranks(topic), self.measure
        if self.level is Level.THIS_MEASURE or not isinstance(measure, ReciprocalRank):
            return ranks
        # nobody looks beyond the first relevant document
        here = self.documents.topics[topic]
        relevant = np.where((here.cells >= measure.lowest) & (here.ranks > 0), here.ranks, self.reach + 1)
        return np.where(ranks < relevant.min(axis=1, initial=self.reach + 1, keepdims=True), ranks, 0)

    def _size(self, topic: int, kinds: Sequence[int], *, reduced: bool) -> int:
        """Return how many ways must be looked at; documents of one system alone may be settled beforehand."""
        both, *alone = map(len, self._parts(topic))
        steps = len(kinds) - 1
        counts = [1 if reduced and self._fixed else comb(size + steps, steps) for size in alone]
        return int(len(kinds) ** both * counts[0] * counts[1])

    def _looked_up(self, topic: int, *, lowest: bool) -> Cells | None:
        """Return the grades with the lowest or the highest difference of all; None if there are too many ways."""
        if self._size(topic, self.grades, reduced=True) > self._most:
            return None
        ways = self._ways(topic, self.grades, lowest=lowest, reduced=self._fixed)
        differences = self.differences(topic, ways)
        return np.asarray(ways[differences.argmin() if lowest else differences.argmax()])

    def _ways(self, topic: int, kinds: tuple[int, ...], *, lowest: bool, reduced: bool) -> Cells:
        """Return all ways to have grades that matter, ways × documents."""
        both, ours, theirs = self._parts(topic)
        steps = len(kinds) - 1
        sizes = len(ours), len(theirs)
        if reduced:
            # the system that is to be favoured has the highest grades, the other none
            vectors = [np.full((1, steps), 0 if lowest else sizes[0]), np.full((1, steps), sizes[1] if lowest else 0)]
        else:
            vectors = [count_vectors(size, len(kinds)) for size in sizes]
        first, second = (placed_first(each, kinds, size) for each, size in zip(vectors, sizes, strict=True))
        # the other has them at its last ranks
        first, second = (first[:, ::-1], second) if lowest else (first, second[:, ::-1])
        shared = np.array(list(product(kinds, repeat=len(both))), dtype=self._kind)
        shared = shared.reshape(len(kinds) ** len(both), len(both))
        found = np.zeros((len(shared), len(first), len(second), len(self.open[topic])), dtype=self._kind)
        found[..., both] = shared[:, None, None, :]
        found[..., ours] = first[None, :, None, :]
        found[..., theirs] = second[None, None, :, :]
        return found.reshape(-1, len(self.open[topic]))

    def _all_falls(self, topic: int, kinds: tuple[int, int]) -> TopicFalls:
        """Return how far the difference falls, from all ways in which documents have the highest grade or none."""
        ways = self._ways(topic, kinds, lowest=True, reduced=False)
        falls = self.zero[topic] - self.differences(topic, ways)
        sizes = (ways > 0).sum(axis=1)
        order = np.lexsort((-falls, sizes))
        first = order[np.unique(sizes[order], return_index=True)[1]]
        return TopicFalls.of(falls[first], [np.flatnonzero(ways[way]) for way in first.tolist()], complete=True)

    def _in_order(self, topic: int, order: IntArray, most: int, *, complete: bool) -> TopicFalls:
        """Return how far the difference falls if documents have the highest grade one after the other."""
        ways = np.zeros((most + 1, len(order)), dtype=self._kind)
        places = np.argsort(order, kind="stable")
        ways[np.arange(most + 1)[:, None] > places[None, :]] = self.top
        falls = self.zero[topic] - self.differences(topic, ways)
        return TopicFalls.of(falls, [order[:size] for size in range(most + 1)], complete=complete)

    # where there are too many ways

    @cached_property
    def _bounds(self) -> tuple[FloatArray, FloatArray]:
        """Bounds of the goodness of each run, 2 × topics."""
        pair, measure = self.documents.pair, self.measure
        if self._fixed or not (measure.uses_recall_base or measure.needs_grade_counts):
            low, high, _ = run_bounds(measure, pair.judged, self.convention, pair.scores.values)
        else:
            # what is relevant in the other run alone counts among all relevant documents, too
            least, most = measure.bounds
            low = np.full(pair.goodness.shape, -np.inf if least is None else float(least))
            high = np.full(pair.goodness.shape, np.inf if most is None else float(most))
        return (-high, -low) if pair.scores.lower_is_better else (low, high)

    def _certified(self, topic: int) -> TopicExtremes:
        """Return bounds that hold, and the furthest grades that were found."""
        (first_low, second_low), (first_high, second_high) = (each[:, topic].tolist() for each in self._bounds)
        low, high = first_low - second_high, first_high - second_low
        if not self._fixed and self.level is Level.TOPICS and differs_by_recall_base_alone(self.measure):
            low = max(low, self._by_recall_base(topic, 1))
            high = min(high, -self._by_recall_base(topic, 0))
        tried = np.stack(list(self._guesses(topic)))
        found = self.differences(topic, tried)
        return TopicExtremes(low, high, tried[found.argmin()], tried[found.argmax()], False)

    def _guesses(self, topic: int) -> Iterator[Cells]:
        """Yield grades that may lead far."""
        yield self.zeros(topic)
        effects = self.effects(topic)
        for sign in (-1, 1):
            yield self.with_top(topic, np.flatnonzero(sign * effects > 0))
            order = np.argsort(-sign * effects, kind="stable")
            for size in (1, 2, 4, 8, 16, 32, 64):
                yield self.with_top(topic, order[:size])
        first, second = self.ranks(topic)
        yield self.with_top(topic, np.flatnonzero((first > 0) & (second == 0)))
        yield self.with_top(topic, np.flatnonzero((second > 0) & (first == 0)))

    def _by_recall_base(self, topic: int, favoured: int) -> float:
        """Return a bound of the value of one system less that of the favoured one, for sums over the recall base.

        With j relevant ones among the unjudged documents of the favoured system its sum is largest if they stand first,
        that of the other smallest if none of its own is relevant; the recall base is at least j larger.
        """
        here, ranks = self.documents.topics[topic], self.ranks(topic)[favoured]
        own = np.flatnonzero(ranks > 0)
        order = own[np.argsort(ranks[own])]
        sizes = np.unique(np.linspace(0, len(order), GRID).astype(np.int64))
        ways = np.zeros((len(sizes), len(ranks)), dtype=self._kind)
        for way, size in enumerate(sizes.tolist()):
            ways[way, order[:size]] = self.top
        known = int(here.counts[self.measure.lowest :].sum())
        counts = np.zeros_like(here.counts)
        counts[self.top] = 1
        sums = self.documents.values(topic, self.cells(topic, ways), counts[None])
        lead = sums[0, 1 - favoured] - sums[:, favoured]
        # numbers in between have no larger sum than the next that was looked at, nor a smaller base than the last
        fewest = np.concatenate([sizes[:1], sizes[:-1] + 1])
        smallest, largest = np.maximum(1, known + fewest), max(1, known + len(ranks))
        return float(np.where(lead < 0, lead / smallest, lead / largest).min())
