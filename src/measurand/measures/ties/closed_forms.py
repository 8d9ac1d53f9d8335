"""Closed forms: the mean of a measure over all orders of tied documents, family by family.

Every order of a tie group is equally likely. `closed_form` finds how the mean of a measure is computed without
looking at single orders: for additive measures every place of a group has the mean gain of the group; for averages
over relevant ranks a relevant document meets the mean of what can stand above it; for cascades the probability of
stopping at a place is a difference of mean products; counts depend on the group across the last rank alone; a
search goes on inside the group that ends it.

References
----------
[McSherryNajork2008]_
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import singledispatch
from typing import Any, Protocol

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.exact import ratio, weighted_sum
from measurand.judged import Pool
from measurand.judged.hits import ideal_gains
from measurand.measures.additive import Additive, cached_weight
from measurand.measures.base import Measure
from measurand.measures.bpref import BinaryPreference
from measurand.measures.cascade import Cascade
from measurand.measures.counting import Counting, Counts
from measurand.measures.expected_reciprocal_rank import NormalisedExpectedReciprocalRank
from measurand.measures.expected_search_length import ExpectedSearchLength
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.measures.relevant_ranks import RelevantRanks
from measurand.measures.search_length_reduction import SearchLengthReduction
from measurand.measures.searching import SearchLength
from measurand.measures.ties.cut_groups import CutGroup, CutGroups, cut_group_of
from measurand.measures.ties.hypergeometric import Hypergeometric
from measurand.measures.ties.stopping import stopping, stopping_exactly
from measurand.measures.ties.tied_runs import Group, Spread, TiedRun, TiedRuns


class ClosedForm(Protocol):
    """How a measure's mean over all orders of tied documents is computed."""

    @property
    def needs_barren(self) -> bool:
        """Whether groups without any document of grade 1 or more are needed."""

    def spread(self, runs: TiedRuns) -> Spread:
        """Return the means of many runs as floats, and the extremes if they follow."""

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        """Return the same of one run, exactly; None where order makes no difference."""


@singledispatch
def closed_form(measure: Measure) -> ClosedForm | None:  # noqa: ARG001 - for the families below
    """Return how the mean of a measure over all orders of tied documents is computed, if its family allows it.

    Parameters
    ----------
    measure
        The measure; one that changes the definition of its family has no closed form.
    """
    return None


@closed_form.register
def _(measure: GeometricMean) -> ClosedForm | None:
    return closed_form(measure.measure)


@frozen
class _MeanGains:
    """Additive measures: every place of a group has its mean gain."""

    measure: Additive
    needs_barren: bool = False

    def spread(self, runs: TiedRuns) -> Spread:
        measure = self.measure
        gains = measure.gains(max(map(measure.top_grade, runs.judged.pools)))
        mean = runs.per_group(np.where(runs.cell > 0, gains[np.maximum(runs.cell, 0)], 0.0))
        weights = measure.weights(int(runs.rank.max(initial=1)))
        sums = runs.per_run(weights[runs.rank - 1] * (mean / runs.size)[runs.group])
        scale = measure.scalings(runs.judged)[runs.topic]
        return Spread(np.divide(sums, scale, out=np.zeros_like(sums), where=scale != 0))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        measure, scaling = self.measure, self.measure.scaling(pool, run.length)
        if scaling == 0:
            return Spread(Fraction(0))
        top = measure.top_grade(pool)
        parts = []
        for group in run.groups:
            gains = (measure.gain_at(cell, top) for cell in group.cells if cell > 0)
            mean = sum(gains, Fraction(0)) / len(group.cells)
            weights = ((cached_weight(measure, group.start + nth), seen) for nth, seen in enumerate(group.seen, 1))
            parts += [(weight, mean * seen) for weight, seen in weights if mean]
        total: Any = weighted_sum(parts)
        return Spread(total / scaling)


@closed_form.register
def _(measure: Additive) -> ClosedForm | None:
    return _MeanGains(measure) if measure.is_defined_by(Additive) else None


@frozen(eq=False)
class Meetings:
    r"""The mean of what has been seen at a place, given that a relevant document stands there.

    Numbers for one place, arrays for many. If `r` of the `m` documents of a group are relevant, one stands at its
    place `j` with probability :math:`r/m`, and then :math:`(j-1)(r-1)/(m-1)` of those above it in the group are
    expected to be relevant. All relevant documents have the same mean gain.

    Parameters
    ----------
    chance
        How likely a relevant document stands there.
    relevant, gain
        The mean number of relevant documents down to it, and the mean sum of their grades.
    """

    chance: Any
    rank: Any
    relevant: Any
    gain: Any
    ideal_gain: Any
    recall_base: Any
    all_nonrelevant: Any
    nonrelevant: Any = None
    pooled: Any = None

    @classmethod
    def at_places(cls, runs: TiedRuns, measure: RelevantRanks) -> Meetings:
        """Return those at all places of some runs; where no relevant document can stand they have no chance."""
        rel = measure.lowest
        worth = np.array([float(value) for value in measure.worths(runs.judged.grade_counts.shape[1] - 1)])
        found = (runs.cell >= rel).astype(np.float64)
        relevant, gain = runs.per_group(found), runs.per_group(found * worth[np.maximum(runs.cell, 0)])
        size = runs.size.astype(np.float64)
        share = np.divide(relevant - 1, size - 1, out=np.zeros_like(size), where=size > 1)
        mean_gain = np.divide(gain, relevant, out=np.zeros_like(size), where=relevant > 0)
        in_group = 1 + (runs.nth - 1) * share[runs.group]
        topic = runs.topic[runs.place_run]
        return cls(
            chance=(relevant / size)[runs.group],
            rank=runs.rank.astype(np.float64),
            relevant=runs.before(relevant)[runs.group] + in_group,
            gain=runs.before(gain)[runs.group] + in_group * mean_gain[runs.group],
            ideal_gain=ideal_gains(runs.judged, rel, worth, topic, runs.rank),
            recall_base=runs.judged.recall_bases(rel)[topic],
            all_nonrelevant=runs.judged.grade_counts[:, :rel].sum(axis=1)[topic],
        )

    @classmethod
    def in_run(cls, run: TiedRun, pool: Pool, measure: RelevantRanks) -> Iterator[Meetings]:
        """Return those of one run, exactly, at each place where a relevant document can stand."""
        rel = measure.lowest
        ideal = [measure.worth(grade) for grade in pool.ideal(run.length) if grade >= rel]
        before, gained = 0, Fraction(0)
        for group in run.groups:
            grades = [measure.worth(cell) for cell in group.cells if cell >= rel]
            m, r = len(group.cells), len(grades)
            for nth, seen in enumerate(group.seen if r else (), 1):
                in_group = 1 + Fraction((nth - 1) * (r - 1), m - 1 if m > 1 else 1)
                rank = group.start + nth
                yield cls(
                    chance=Fraction(r, m) * seen,
                    rank=Fraction(rank),
                    relevant=before + in_group,
                    gain=gained + in_group * Fraction(sum(grades), r),
                    ideal_gain=sum(ideal[:rank]),
                    recall_base=pool.recall_base(rel),
                    all_nonrelevant=pool.nonrelevant(rel),
                )
            before, gained = before + r, gained + sum(grades)


@frozen
class _MeanMeetings:
    """Averages over relevant ranks of contributions that are linear in what has been seen."""

    measure: RelevantRanks
    needs_barren: bool = False

    def spread(self, runs: TiedRuns) -> Spread:
        rel, meetings = self.measure.lowest, Meetings.at_places(runs, self.measure)
        sums = runs.per_run(meetings.chance * self.measure.contribution(meetings))
        return Spread(ratio(sums, runs.judged.recall_bases(rel)[runs.topic].astype(np.float64)))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        meetings = Meetings.in_run(run, pool, self.measure)
        total = sum((one.chance * Fraction(self.measure.contribution(one)) for one in meetings), Fraction(0))
        return Spread(ratio(total, pool.recall_base(self.measure.lowest)))


@closed_form.register
def _(measure: RelevantRanks) -> ClosedForm | None:
    # what is declared of a contribution does not hold for another that a subclass writes
    writer = next(line for line in type(measure).__mro__ if "contribution" in vars(line))
    linear = vars(writer).get("linear", False) and measure.is_defined_by(RelevantRanks)
    return _MeanMeetings(measure) if linear else None


@frozen
class _MeanStopping:
    """Cascades: the utility of each place, times the probability of stopping there."""

    measure: Cascade
    needs_barren: bool = False

    def spread(self, runs: TiedRuns) -> Spread:
        return Spread(self.means(runs))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        return Spread(self.mean(run, self.measure.top_grade(pool)))

    def means(self, runs: TiedRuns) -> FloatArray:
        """Return the expected utility of each run."""
        measure, top = self.measure, max(map(self.measure.top_grade, runs.judged.pools))
        stops = np.array([0.0, *(float(measure.stop(grade, top)) for grade in range(1, top + 1))])
        utilities = [float(measure.utility(rank)) for rank in range(1, int(runs.rank.max(initial=1)) + 1)]
        return runs.per_run(np.array(utilities)[runs.rank - 1] * stopping(runs, stops[np.maximum(runs.cell, 0)]))

    def mean(self, run: TiedRun, top: int) -> Fraction:
        """Return the exact expected utility of one run."""
        stop = self.measure.stop
        stops = [[stop(cell, top) if cell > 0 else Fraction(0) for cell in group.cells] for group in run.groups]
        parts = (self.measure.utility(rank) * chance for rank, chance in stopping_exactly(run, stops) if chance)
        return sum(parts, Fraction(0))


@closed_form.register
def _(measure: Cascade) -> ClosedForm | None:
    return _MeanStopping(measure) if measure.is_defined_by(Cascade) else None


@frozen
class _MeanShareOfIdeal:
    """The normalised cascade: expected utility as a share of that of the ideal ranking."""

    measure: NormalisedExpectedReciprocalRank
    needs_barren: bool = False

    def spread(self, runs: TiedRuns) -> Spread:
        means = _MeanStopping(self.measure).means(runs)
        return Spread(ratio(means, self.measure.bests(runs.judged)[runs.topic]))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        measure, top = self.measure, self.measure.top_grade(pool)
        best = measure.total(pool.ideal(measure.cutoff), top)
        return Spread(ratio(_MeanStopping(measure).mean(run, top), best))


@closed_form.register
def _(measure: NormalisedExpectedReciprocalRank) -> ClosedForm | None:
    return _MeanShareOfIdeal(measure) if measure.is_defined_by(NormalisedExpectedReciprocalRank) else None


@frozen
class _MeanReciprocalRank:
    """The reciprocal rank: a reader who stops at the first relevant document."""

    measure: ReciprocalRank
    needs_barren: bool = False

    def spread(self, runs: TiedRuns) -> Spread:
        found = (runs.cell >= self.measure.lowest).astype(np.float64)
        return Spread(runs.per_run(stopping(runs, found) / runs.rank))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        stops = [[Fraction(self.measure.relevant(cell)) for cell in group.cells] for group in run.groups]
        return Spread(sum((chance / rank for rank, chance in stopping_exactly(run, stops)), Fraction(0)))


@closed_form.register
def _(measure: ReciprocalRank) -> ClosedForm | None:
    return _MeanReciprocalRank(measure) if measure.is_defined_by(ReciprocalRank) else None


_Above = tuple[IntArray, FloatArray, FloatArray]


def nonrelevant_above(runs: TiedRuns, rel: int) -> _Above:
    r"""Return runs, numbers of nonrelevant documents above, and the expected number of relevant documents with so many.

    A relevant document is as likely to stand below 0, 1, … or all `n` nonrelevant ones of its group. If the group is
    seen in part, place `j` holds a relevant one with probability :math:`r/m`, and the `j - 1` documents above it
    are drawn from the rest.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """
    found = runs.per_group(runs.cell >= rel)
    wrong = runs.per_group((runs.cell >= 0) & (runs.cell < rel)).astype(np.int64)
    above = (runs.judged_above - runs.before(found)).astype(np.int64)
    shown = np.bincount(runs.group, minlength=len(runs.size))
    whole = shown == runs.size
    whole[list(runs.cut)] = False
    some = np.flatnonzero(whole & (found > 0))
    sizes = wrong[some] + 1
    inside = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    parts: list[_Above] = [
        (
            np.repeat(runs.group_run[some], sizes),
            (np.repeat(above[some], sizes) + inside).astype(np.float64),
            np.repeat(found[some] / sizes, sizes),
        )
    ]
    first = np.cumsum(shown) - shown
    for g in np.flatnonzero(~whole & (found > 0)).tolist():
        size, share = int(runs.size[g]), found[g] / runs.size[g]
        for j, seen in enumerate(runs.seen[first[g] : first[g] + shown[g]].tolist()):
            draw = Hypergeometric(size - 1, int(wrong[g]), j)
            numbers = above[g] + np.arange(draw.least, draw.most + 1)
            run = np.full(len(numbers), runs.group_run[g])
            parts.append((run, numbers.astype(np.float64), share * seen * draw.floats()))
    run, number, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    return run, number, weight


def nonrelevant_above_exactly(run: TiedRun, rel: int) -> Iterator[tuple[int, Fraction]]:
    """Return the same for one run, exactly: numbers of nonrelevant documents, and of relevant ones below so many."""
    relevant_above = 0
    for group in run.groups:
        found = sum(cell >= rel for cell in group.cells)
        if found:
            for wrong, number in _in_group(group, found, rel):
                yield group.judged_above - relevant_above + wrong, number
        relevant_above += found


def _in_group(group: Group, found: int, rel: int) -> Iterator[tuple[int, Fraction]]:
    wrong = sum(0 <= cell < rel for cell in group.cells)
    if group.cut is None and len(group.seen) == len(group.cells):
        for number in range(wrong + 1):
            yield number, Fraction(found, wrong + 1)
        return
    for j, seen in enumerate(group.seen):
        draw = Hypergeometric(len(group.cells) - 1, wrong, j)
        for number, chance in enumerate(draw.probabilities(), draw.least):
            yield number, Fraction(found, len(group.cells)) * seen * chance


@frozen
class _MeanPreferences:
    """Bpref: the expected number of relevant documents below each number of nonrelevant ones."""

    measure: BinaryPreference
    needs_barren: bool = False

    def spread(self, runs: TiedRuns) -> Spread:
        rel = self.measure.lowest
        run, above, number = nonrelevant_above(runs, rel)
        base = runs.judged.recall_bases(rel)[runs.topic]
        nonrelevant = runs.judged.grade_counts[:, :rel].sum(axis=1)[runs.topic]
        kept = 1 - ratio(np.minimum(above, base[run]), np.minimum(nonrelevant, base)[run].astype(np.float64))
        return Spread(ratio(np.bincount(run, number * kept, len(base)), base.astype(np.float64)))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        rel = self.measure.lowest
        base = pool.recall_base(rel)
        most = min(pool.nonrelevant(rel), base)
        parts = (number * (1 - ratio(min(above, base), most)) for above, number in nonrelevant_above_exactly(run, rel))
        return Spread(ratio(sum(parts, Fraction(0)), base))


@closed_form.register
def _(measure: BinaryPreference) -> ClosedForm | None:
    kept = type(measure).contribution is BinaryPreference.contribution and measure.is_defined_by(RelevantRanks)
    return _MeanPreferences(measure) if kept else None


@frozen
class _MeanCounts:
    """Counting measures: all that can be seen of the group across the last rank, which alone counts."""

    measure: Counting
    needs_barren: bool = True

    def spread(self, runs: TiedRuns) -> Spread:
        measure, condensed = self.measure, self.measure.judged_only
        base = runs.judged.recall_bases(measure.lowest)[runs.topic].astype(np.float64)
        ranks = np.broadcast_to(measure.ranks(float(runs.judged.depth), base), base.shape).astype(np.float64)
        across = CutGroups.of(
            runs, ranks.astype(np.int64), measure.lowest, tells_unjudged=measure.tells_unjudged, condensed=condensed
        )
        found = np.full((3, len(base)), np.nan)
        if len(across.run):
            draws = across.draws(condensed=condensed)
            counts = Counts(draws.relevant, ranks[draws.run], base[draws.run], draws.retrieved, draws.judged)
            found[:, across.run] = draws.spread(np.asarray(measure.count(counts), dtype=np.float64))
        return Spread(*found)

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        measure, condensed = self.measure, self.measure.judged_only
        base = pool.recall_base(measure.lowest)
        ranks = measure.ranks(run.length, base)
        across = cut_group_of(
            run,
            min(ranks, run.length),
            measure.lowest,
            tells_unjudged=measure.tells_unjudged,
            condensed=condensed,
        )
        if across is None:
            return None
        group, above, judged_above, relevant_above = across
        values: list[Fraction] = []
        mean = Fraction(0)
        for judged, relevant, chance in group.draws():
            shown = judged if condensed else group.shown
            counts = Counts(relevant_above + relevant, ranks, base, above + shown, judged_above + judged)
            values.append(Fraction(measure.count(counts)))
            mean += values[-1] * chance
        return Spread(mean, min(values), max(values))


@closed_form.register
def _(measure: Counting) -> ClosedForm | None:
    return _MeanCounts(measure) if measure.is_defined_by(Counting) else None


@frozen
class _MeanSearch:
    """Search lengths: the group in which the search ends is gone through in any order."""

    measure: SearchLength

    @property
    def needs_barren(self) -> bool:
        # a search goes through groups without relevant documents whole, or ends in one that is cut
        return self.measure.judged_only

    def spread(self, runs: TiedRuns) -> Spread:
        return Spread(self.lengths(runs))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        length = self.length(run, pool)
        return None if length is None else Spread(length)

    def length(self, run: TiedRun, pool: Pool) -> Fraction | None:
        """Return how many nonrelevant documents are inspected on average; None where order makes no difference."""
        measure, found = self.measure, 0
        for group in run.groups:
            above, wrong = (found, group.start - found), group.judged_above - found
            documents, relevant = len(group.cells), sum(map(measure.relevant, group.cells))
            if len(group.seen) < documents or group.cut is not None:
                # nothing comes after a group that is cut; what is not seen of it counts as not retrieved
                judged = sum(cell >= 0 for cell in group.cells)
                part = CutGroup(documents, judged, relevant, len(group.seen), group.cut)
                return sum(
                    (
                        chance * measure.search_through([above, (hits, seen - hits)], wrong + known - hits, pool)
                        for known, hits, chance in part.draws()
                        for seen in [part.shown if group.cut is None else known]
                    ),
                    Fraction(0),
                )
            found += relevant
            if found >= measure.i:
                return measure.search_through([above, (relevant, documents - relevant)], wrong, pool)
        return None

    def lengths(self, runs: TiedRuns) -> FloatArray:
        """Return the expected search lengths of many runs; NaN where order makes no difference."""
        i = self.measure.i
        relevant = runs.per_group(runs.cell >= self.measure.lowest)
        found = runs.before(relevant)
        passed = runs.start - found
        ends = (found < i) & (found + relevant >= i)
        part = runs.start + runs.size > runs.length
        part[list(runs.cut)] = True
        lengths = np.full(len(runs.rows), np.nan)
        whole = np.flatnonzero(ends & ~part)
        inside = (i - found) * (runs.size - relevant) / (relevant + 1)
        lengths[runs.group_run[whole]] = (passed + inside)[whole]
        for g in np.flatnonzero(part & (found < i)).tolist():
            lengths[runs.group_run[g]] = self._through_part(runs, g, int(found[g]), int(relevant[g]))
        return lengths

    def _through_part(self, runs: TiedRuns, g: int, found: int, relevant: int) -> float:
        """Return the expected search length through a group that is seen in part, and through what is not seen."""
        measure = self.measure
        pool = runs.judged.pools[int(runs.topic[runs.group_run[g]])]
        size, start, cut = int(runs.size[g]), int(runs.start[g]), runs.cut.get(g)
        judged = int((runs.cell[slice(*np.searchsorted(runs.cell_group, [g, g + 1]))] >= 0).sum())
        part = CutGroup(size, judged, relevant, min(size, runs.length - start), cut)
        known, hits, chances = part.float_draws()
        seen = np.full(len(known), part.shown) if cut is None else known
        left = np.maximum(0, pool.recall_base(measure.lowest) - found - hits)
        unseen = np.maximum(0, pool.nonrelevant(measure.lowest) - (int(runs.judged_above[g]) - found + known - hits))
        if measure.collection is not None:
            unseen = measure.collection - start - seen - left
            measure.check_size(int(unseen.min()))
        wanted = measure.i - found
        inside = wanted * (seen - hits) / (hits + 1)
        beyond = np.where(wanted - hits <= left, (wanted - hits) * unseen / (left + 1), unseen)
        return float(start - found + chances @ np.where(hits >= wanted, inside, seen - hits + beyond))


@closed_form.register
def _(measure: ExpectedSearchLength) -> ClosedForm | None:
    return _MeanSearch(measure) if measure.is_defined_by(ExpectedSearchLength) else None


@frozen
class _MeanSaving:
    """Search length reduction: the share that the expected search saves."""

    measure: SearchLengthReduction

    @property
    def needs_barren(self) -> bool:
        return self.measure.judged_only

    def spread(self, runs: TiedRuns) -> Spread:
        at_random = self.measure.at_random_by_topic(runs.judged)[runs.topic]
        return Spread(ratio(at_random - _MeanSearch(self.measure).lengths(runs), at_random))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        length = _MeanSearch(self.measure).length(run, pool)
        return None if length is None else Spread(self.measure.saved(length, pool))


@closed_form.register
def _(measure: SearchLengthReduction) -> ClosedForm | None:
    return _MeanSaving(measure) if measure.is_defined_by(SearchLengthReduction) else None
