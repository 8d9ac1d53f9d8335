"""Bounds of values: the lowest and the highest value over all grades that unjudged documents could have.

Every unjudged document that a run has within the ranks that a measure sees may have any grade of the collection. What
that does to a value depends on what the measure compares with: an ideal ranking, or the number of relevant documents,
is grown by what is assumed to be relevant, or it is left as the judgments have it (`Convention`). Documents that a run
does not have are not looked at: were some of these relevant, the ideal ranking and the number would grow by them too.

For a measure that respects replacement and swap on a topic, it is enough to look at how many documents have each grade:
of all the ways to place these, the value is highest where the highest grades stand at the first ranks, and lowest where
they stand at the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from math import comb
from typing import TypeGuard

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import counted
from measurand.judged import JudgedRuns
from measurand.judged.runs import check_judged
from measurand.measures import Measure, MeasureLike
from measurand.measures.additive import Additive
from measurand.measures.around import innermost
from measurand.measures.defined import Defined
from measurand.measures.discounted_gain import NormalisedDiscountedCumulatedGain
from measurand.measures.exact_ties import near
from measurand.measures.parse import parse
from measurand.study.level_classes import Level, differs_by_recall_base_alone, is_sum_of_gains, level_of
from measurand.study.margins.assumed_grades import (
    AT_ONCE,
    Convention,
    as_convention,
    count_vectors,
    grades_apart,
    grown_counts,
    is_open,
    placed_first,
    variants_of,
    with_all_grades,
)
from measurand.study.margins.growing_quotients import extreme_quotients
from measurand.study.margins.pair import measure_on
from measurand.study.margins.separable_ratios import largest_ratios

MOST = 1 << 12
"""So many assignments of grades to the unjudged documents of one run are looked at, one by one."""

CELLS = 1 << 25
"""So many ranks of such assignments are looked at for all runs together; for further ones values are bounded."""

SLOWER = 6
"""A function of a user is asked for fewer of them, by so many powers of 2."""

EACH = 32
"""So many sums are looked at for each run, where there is one for every number of relevant documents."""


@frozen(kw_only=True, eq=False, repr=False)
class ValueBounds(Result):
    """The lowest and the highest value of each run over all grades that its unjudged documents could have.

    Parameters
    ----------
    measure
        The spelling of the measure.
    systems, topics
        Their names.
    values
        The values as they are, systems × topics.
    low, high
        The lowest and the highest values, systems × topics.
    exact
        Where some grades lead to these values; elsewhere values are certain to lie between them.
    unjudged
        How many unjudged documents there are within the ranks that the measure sees.
    convention
        What the ideal ranking and the recall base hold.
    """

    measure: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: FloatArray
    low: FloatArray
    high: FloatArray
    exact: BoolArray
    unjudged: IntArray
    convention: Convention

    @property
    def how(self) -> str:
        """Whether the bounds are reached by some grades, "exact", or only certain, "certified", for some run."""
        return "exact" if self.exact.all() else "certified"

    @property
    def sentence(self) -> str:
        """What the bounds are, in a sentence."""
        inexact = int((~self.exact).sum())
        share = f", for {inexact:,} of {counted(self.exact.size, 'run')} bounds that may not be reached"
        return (
            f"lowest and highest {self.measure} over all grades of the unjudged documents that a run retrieves"
            f" ({self.how}{share if inexact else ''}; {self.convention.words})"
        )

    def document(self) -> Document:
        """Return the mean value of every system between its means of lowest and highest values."""
        columns = (
            Column("system", lambda s: self.systems[s], left=True),
            valued("unjudged documents", lambda s: int(self.unjudged[s].sum())),
            valued("lowest", lambda s: float(self.low[s].mean())),
            valued(self.measure, lambda s: float(self.values[s].mean())),
            valued("highest", lambda s: float(self.high[s].mean())),
        )
        return Document([TableView(columns, range(len(self.systems)), title=self.sentence)])


def value_bounds(measure: MeasureLike, judged: JudgedRuns, *, convention: str = Convention.GROWN) -> ValueBounds:
    """Return the lowest and the highest values over all grades that the unjudged documents of each run could have.

    Each run is looked at alone, and what it does not have is left unjudged; a document that several runs returned may
    have other grades in each. Documents that were pooled but not judged are unjudged, too. Every one within the ranks
    that the measure sees has some grade, from 0 to the highest of the collection. Nothing is assumed of ranks at which
    no document stands.

    Parameters
    ----------
    measure : Measure or str
        The measure.
    judged : JudgedRuns
        Judged runs.
    convention : {"grown", "known"}
        What the ideal ranking and the recall base hold: the judged documents and those that are assumed to be relevant,
        or the judged ones alone.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, -1)], (5, 1))
    >>> bounds = value_bounds("nDCG", judged)
    >>> bounds.values.tolist(), bounds.low.round(4).tolist(), bounds.high.tolist(), bounds.how
    ([[1.0]], [[0.9197]], [[1.0]], 'exact')
    >>> value_bounds("P@3", judged).high.round(4).tolist()
    [[0.6667]]

    Notes
    -----
    Counting unjudged documents as not relevant gives no lower bound for measures that compare with an ideal ranking or
    with all relevant documents, as nDCG and AP do: one more relevant document at a low rank raises what they compare
    with by more than it adds. Measures that set unjudged documents apart, such as Bpref, may have a value that is not
    between the bounds, where every document has a grade.
    """
    check_judged(judged)
    wanted, chosen = parse(measure), as_convention(convention)
    known, seen = measure_on(wanted, judged)
    values = wanted.scores(judged).values
    search = _Search(known, seen, chosen)
    low, high, exact = search.found(values)
    return ValueBounds(
        measure=repr(wanted),
        systems=judged.systems,
        topics=judged.topics,
        values=values,
        low=np.where(np.isnan(values), np.nan, low),
        high=np.where(np.isnan(values), np.nan, high),
        exact=exact,
        unjudged=search.number,
        convention=chosen,
    )


def run_bounds(
    measure: Measure, judged: JudgedRuns, convention: Convention, values: FloatArray
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return the lowest values, the highest, and whether some grades lead to them, systems × topics.

    Parameters
    ----------
    measure
        The measure, with what the campaign shows of it.
    judged
        Judged runs, with tie groups where the order of tied documents is left open.
    convention
        What the ideal ranking and the recall base hold.
    values
        The values as they are.

    Examples
    --------
    >>> from measurand.measures import RR
    >>> judged = JudgedRuns.on_one_topic([(-1, 1)], (5, 1))
    >>> [each.tolist() for each in run_bounds(RR, judged, Convention.GROWN, np.array([[0.5]]))]
    [[[0.5]], [[1.0]], [[True]]]
    """
    return _Search(measure, judged, convention).found(values)


def is_plain_sum(measure: Measure) -> TypeGuard[Additive]:
    """Return whether a measure is a sum of weights of ranks, which are not negative, times gains, divided by nothing.

    Parameters
    ----------
    measure
        The measure.

    Examples
    --------
    >>> from measurand.measures import DCG, gP, nDCG
    >>> is_plain_sum(DCG(gain="1=3,2=1")), is_plain_sum(nDCG), is_plain_sum(gP)
    (True, False, False)
    """
    return is_sum_of_gains(measure) and type(measure).scaling is Additive.scaling


def is_plain_ndcg(measure: Measure) -> TypeGuard[NormalisedDiscountedCumulatedGain]:
    """Return whether a measure is nDCG, with whatever discounts and gains.

    Parameters
    ----------
    measure
        The measure.

    Examples
    --------
    >>> from measurand.measures import DCG, nDCG
    >>> is_plain_ndcg(nDCG(b=2) @ 10), is_plain_ndcg(DCG)
    (True, False)
    """
    return type(measure) is NormalisedDiscountedCumulatedGain and measure.is_defined_by(Additive)


def ideal_terms(measure: NormalisedDiscountedCumulatedGain, counts: IntArray, number: int) -> FloatArray:
    """Return the gain of the ideal ranking by grade, for each number of further documents of the grade and above.

    Parameters
    ----------
    measure
        nDCG, with gains that never fall.
    counts
        How many judged documents of each grade the topic has.
    number
        How many further documents there are at most.

    Returns
    -------
    array
        Grades above 0 × 1 × numbers from 0; what a grade adds to the gain of the grade below it.

    Examples
    --------
    >>> from measurand.measures import nDCG
    >>> ideal_terms(nDCG @ 2, np.array([4, 1]), 2).round(3).tolist()
    [[[1.0, 1.631, 1.631]]]
    """
    top = len(counts) - 1
    above = np.cumsum(counts[::-1])[::-1][1:]
    deepest = int(above.max(initial=0)) + number
    ranks = deepest if measure.cutoff is None else min(deepest, measure.cutoff)
    sums = np.concatenate([[0.0], np.cumsum(measure.weights(ranks))])
    found = sums[np.minimum(above[:, None] + np.arange(number + 1), ranks)]
    return np.asarray((np.diff(measure.gains(top))[:, None] * found)[:, None, :])


def _same(bounds: FloatArray, values: FloatArray) -> BoolArray:
    """Return where bounds are values up to rounding."""
    return np.asarray(np.isfinite(bounds) & near(bounds, values))


class _Search:
    """The search for the bounds of all values of a measure."""

    def __init__(self, measure: Measure, judged: JudgedRuns, convention: Convention) -> None:
        # where every document has a grade, none is removed for want of one
        self.measure = measure(judged_only=False) if measure.judged_only else measure
        self.judged, self.convention = judged, convention
        self.reach = measure.reach(judged.depth)
        self.cells = judged.first(self.reach)
        self.open = is_open(self.cells)
        self.number = np.asarray(self.open.sum(axis=2))
        self.counts = with_all_grades(judged.grade_counts)
        self.top = self.counts.shape[1] - 1
        self.grades = grades_apart(self.measure, self.top)
        self.level = level_of(self.measure, depth=self.reach, grades=self.top + 1, deepest=self.reach)

    def found(self, values: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Return the lowest values, the highest, and which are exact, given the values as they are."""
        low, high, exact = self._found(values)
        untouched = self.number == 0
        low, high = (np.where(untouched | _same(each, values), values, each) for each in (low, high))
        return low, high, exact | untouched

    def _found(self, values: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
        if self.judged.groups is not None:
            return *self._range(), np.zeros(values.shape, dtype=bool)
        if self._is_monotone:
            low, high = self._filled(0), self._filled(self.top)
        elif is_plain_sum(self.measure):
            gains = self.measure.gains(self.top)
            low, high = (self._filled(int(grade)) for grade in (gains.argmin(), gains.argmax()))
        elif is_plain_ndcg(self.measure) and self.level is Level.TOPICS:
            low, high = self._by_ratios(self.measure)
        elif self.level is Level.TOPICS and differs_by_recall_base_alone(self.measure):
            return self._by_recall_base()
        else:
            return self._looked_up()
        return low, high, np.ones(values.shape, dtype=bool)

    @property
    def _is_monotone(self) -> bool:
        """Whether a higher grade of an unjudged document never lowers a value, whatever it does to the pool."""
        if self.level in (Level.ADDITIVE, Level.EVERY_MEASURE):
            return True
        return self.level is Level.TOPICS and self.convention is Convention.KNOWN

    def _filled(self, grade: int) -> FloatArray:
        """Return the values if all unjudged documents have a grade, and the pool is what it is."""
        cells = np.where(self.open, self.cells.dtype.type(grade), self.cells)
        rows, topics = self.number.shape
        runs = cells.reshape(rows * topics, -1)
        return variants_of(self.measure, runs, np.tile(self.counts, (rows, 1))).reshape(rows, topics)

    def _range(self) -> tuple[FloatArray, FloatArray]:
        """Return the range of the measure, as far as it keeps to it."""
        low, high = self.measure.bounds
        if self.convention is Convention.KNOWN and (self.measure.uses_recall_base or self.measure.needs_grade_counts):
            # a run may hold more documents than the pool
            low, high = None, None
        ends = -np.inf if low is None else low, np.inf if high is None else high
        least, most = (np.full(self.number.shape, float(end)) for end in ends)
        return least, most

    def _by_ratios(self, measure: NormalisedDiscountedCumulatedGain) -> tuple[FloatArray, FloatArray]:
        """Return the bounds of nDCG, whose ideal grows."""
        low, high = np.zeros(self.number.shape), np.zeros(self.number.shape)
        for topic, counts in enumerate(self.counts):
            ideal = ideal_terms(measure, counts, int(self.number[:, topic].max(initial=0)))
            low[:, topic], high[:, topic] = self._topic_by_ratios(measure, topic, ideal)
        return low, high

    def _topic_by_ratios(
        self, measure: NormalisedDiscountedCumulatedGain, topic: int, ideal: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the bounds of nDCG on one topic, given the terms of the gain of the ideal."""
        cells, is_free, number = self.cells[:, topic], self.open[:, topic], self.number[:, topic]
        weights, gains = measure.weights(self.reach), measure.gains(self.top)
        known = (gains[np.maximum(cells, 0)] * weights).sum(axis=1)
        order = np.argsort(~is_free, axis=1, kind="stable")[:, : ideal.shape[2] - 1]
        free = np.where(np.take_along_axis(is_free, order, axis=1), weights[order], 0.0)
        first = np.concatenate([np.zeros((len(free), 1)), np.cumsum(free, axis=1)], axis=1)
        sizes = np.arange(first.shape[1])
        allowed = sizes <= number[:, None]
        last = first[:, -1:] - np.take_along_axis(first, np.maximum(number[:, None] - sizes, 0), axis=1)
        steps = np.diff(gains)[:, None, None]
        highest = largest_ratios(known, steps * first, ideal, allowed).ratios
        lowest = -largest_ratios(-known, -steps * last, ideal, allowed).ratios
        return lowest, highest

    def _looked_up(self) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Return the bounds of runs with few ways to have grades by looking at all of them, of others by what holds."""
        low, high = self._range()
        exact = np.zeros(low.shape, dtype=bool)
        budget = CELLS >> (SLOWER if isinstance(innermost(self.measure), Defined) else 0)
        for batch in self._batches(budget):
            assigned = [self._assigned(int(self.number[place])) for place in batch]
            runs = [self._with(place, ways) for place, ways in zip(batch, assigned, strict=True)]
            counts = [self._pool(place[1], ways) for place, ways in zip(batch, assigned, strict=True)]
            found = variants_of(self.measure, np.concatenate(runs), np.concatenate(counts))
            starts = np.cumsum([0, *(len(each) for each in runs[:-1])])
            where = tuple(np.array(batch).T)
            low[where], high[where] = np.minimum.reduceat(found, starts), np.maximum.reduceat(found, starts)
            exact[where] = True
        return low, high, exact

    def _ways(self, number: int) -> int:
        """Return how many ways to have grades must be looked at for so many unjudged documents."""
        kinds = len(self.grades)
        return 2 * comb(number + kinds - 1, kinds - 1) if self._by_counts else kinds**number

    @property
    def _by_counts(self) -> bool:
        """Whether it is enough to look at how many documents have each grade."""
        return self.level is Level.TOPICS

    def _batches(self, budget: int) -> Iterator[list[tuple[int, int]]]:
        """Return the places of runs of which all ways are looked at, the ones with few ways first."""
        places = [(system, topic) for system, topic in np.argwhere(self.number > 0).tolist()]
        places.sort(key=lambda place: int(self.number[place]))
        batch: list[tuple[int, int]] = []
        size = 0
        for place in places:
            ways = self._ways(int(self.number[place]))
            budget -= ways * self.reach
            if ways > MOST or budget < 0:
                break
            batch.append(place)
            size += ways * self.reach
            if size >= AT_ONCE:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _assigned(self, number: int) -> Cells:
        """Return the grades of so many documents, in the order of their ranks, in all ways that are looked at."""
        if not self._by_counts:
            return np.array(list(product(self.grades, repeat=number)), dtype=self.cells.dtype)
        first = placed_first(count_vectors(number, len(self.grades)), self.grades, number)
        return np.concatenate([first, first[:, ::-1]])

    def _with(self, place: tuple[int, int], assigned: Cells) -> Cells:
        """Return a run with the grades that are assigned to its unjudged documents, ways × ranks."""
        cells = np.tile(self.cells[place], (len(assigned), 1))
        cells[:, self.open[place]] = assigned
        return cells

    def _pool(self, topic: int, assigned: Cells) -> IntArray:
        """Return how many documents of each grade a topic has for each way."""
        if self.convention is Convention.KNOWN:
            return np.tile(self.counts[topic], (len(assigned), 1))
        return grown_counts(self.counts[topic], assigned)

    def _by_recall_base(self) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Return the bounds of sums over relevant documents that are divided by their number."""
        shape, relevant = self.number.shape, self.counts[:, self.measure.lowest :].sum(axis=1)
        base, number = np.broadcast_to(relevant, shape).reshape(-1), self.number.reshape(-1)
        if self.top < self.measure.lowest:
            number = np.zeros_like(number)
        budget = max(CELLS // max(1, self.reach), EACH * len(base))
        low, high = (
            extreme_quotients(partial(self._sums, first=largest), base, number, largest=largest, budget=budget)
            for largest in (False, True)
        )
        most = np.minimum(high.bounds, self._range()[1].reshape(-1))
        return low.bounds.reshape(shape), most.reshape(shape), (low.exact & high.exact).reshape(shape)

    def _sums(self, rows: IntArray, sizes: IntArray, *, first: bool) -> FloatArray:
        """Return the sums of runs, so many of whose first or last unjudged documents are relevant."""
        found = [np.empty(0)]
        step = max(1, AT_ONCE // max(1, self.reach))
        flat, is_free = self.cells.reshape(-1, self.reach), self.open.reshape(-1, self.reach)
        counts = np.zeros((1, max(self.top, self.measure.lowest) + 1), dtype=np.int64)
        counts[:, -1] = 1
        for start in range(0, len(rows), step):
            part, size = rows[start : start + step], sizes[start : start + step, None]
            free = is_free[part]
            place = np.cumsum(free, axis=1)
            chosen = free & (place <= size if first else place > place[:, -1:] - size)
            cells = np.where(chosen, flat.dtype.type(self.top), flat[part])
            found.append(variants_of(self.measure, cells, np.repeat(counts, len(part), axis=0)))
        return np.concatenate(found)
