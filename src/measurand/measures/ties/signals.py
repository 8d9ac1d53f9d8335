"""Runs as signals: weak orders for measures of information, where tied documents carry the same information.

A group of tied documents is cut where the measure stops looking; the value is then the mean over all choices of the
documents that are seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import Caveat, CaveatKind
from measurand.exact import Exact
from measurand.judged import Hits, JudgedRuns, TieGroups
from measurand.measures.exact_ties import settled
from measurand.measures.observational_effectiveness import ObservationalEffectiveness, at_least
from measurand.measures.ties.cut_groups import CutGroup
from measurand.measures.ties.tied_runs import Group, TiedRun, TiedRuns

OfKind = tuple[int, IntArray, IntArray, IntArray]
"""A kind of documents, with the runs that hold one, its rank, and how many there are down to it."""


@frozen(kw_only=True, eq=False)
class ValuesOfSignals:
    """Values of a measure on runs as weak orders, systems × topics.

    Parameters
    ----------
    measure
        Its spelling.
    values
        One number for every run.
    cut
        In how many runs they are means, because the last rank looked at cuts a group of different documents.
    """

    measure: str
    values: FloatArray = field()
    cut: int

    def caveats(self) -> tuple[Caveat, ...]:
        """Return what a reader of the values should know."""
        if not self.cut:
            return ()
        where = f"in {self.cut:,} of {self.values.size:,} rankings the last rank that {self.measure} looks at cuts"
        what = "a group of tied documents; scores are the mean over all choices of those that are seen"
        return (Caveat(CaveatKind.TIES, f"{where} {what}"),)


@frozen(eq=False, slots=False)
class Signals:
    """Judged runs as weak orders, as a measure of information looks at them.

    Parameters
    ----------
    measure
        The measure.
    judged
        The runs, with their groups.
    parts
        The groups that are seen in part, by run, counting system by system and topic by topic.
    """

    measure: ObservationalEffectiveness
    judged: JudgedRuns
    parts: Mapping[int, Group]

    @classmethod
    def of(cls, measure: ObservationalEffectiveness, judged: JudgedRuns) -> Signals:
        """Return runs with tie groups, cut where the measure stops looking."""
        judged = judged if measure.judged_only else judged.down_to(measure.reach(judged.depth))
        return cls(measure, judged, parts(measure, judged))

    def values(self) -> ValuesOfSignals:
        """Return the values of all runs, equal where the exact ones are."""
        measure, shape = self.measure, (len(self.judged.systems), len(self.judged.topics))
        cut = sum(len({*map(measure.kind, part.cells)}) > 1 for part in self.parts.values())
        values = settled(self.floats().reshape(shape), self.exact)
        return ValuesOfSignals(measure=repr(measure), values=values, cut=cut)

    def exact(self, row: int) -> Exact:
        """Return the exact value of one run."""
        measure, run = self.measure, tied_run(self.measure, self.judged, row)
        pool, part = self.judged.pools[row % len(self.judged.topics)], part_of(run)
        groups = run.groups if part is None else run.groups[:-1]
        kinds = [tuple(map(measure.kind, group.cells)) for group in groups]
        more = ([], {}) if part is None else _terms_of_part(measure, kinds, part)
        level: Any = measure.level_of_groups(kinds, pool, run.length, *more)
        value: Exact = level / measure.unit(pool, run.length)
        return value

    @cached_property
    def seen(self) -> JudgedRuns:
        """The runs without what is removed from them."""
        return self.judged.condensed if self.measure.judged_only else self.judged

    @cached_property
    def whole(self) -> IntArray:
        """How many documents each run has in groups that are seen whole."""
        lengths = np.minimum(self.seen.lengths.reshape(-1), self.measure.reach(self.judged.depth))
        lengths[list(self.parts)] = [part.start for part in self.parts.values()]
        return lengths

    def hits(self, kind: int) -> Hits:
        """Return the documents of a kind or a better one in groups that are seen whole."""
        hits = self.seen.hits.select(self.measure.lowest if self.measure.rel else kind, None)
        return hits.where(hits.rank <= self.whole[hits.row])

    def floats(self) -> FloatArray:
        """Return the values of all runs, flat."""
        assert self.seen.groups is not None  # called for runs with groups alone
        logs = logs_of_ranks(self.seen.groups, self.whole, self.measure.reach(self.judged.depth))
        sums, needed = self.measure.sums(self.judged, self.whole, logs, self._by_kind())
        for row, part in self.parts.items():
            added, others = self._sum_of_part(row, part)
            sums[row] += added
            needed[row] += others
        return self.measure.mean_of(self.judged, sums, needed)

    def _by_kind(self) -> Iterator[OfKind]:
        assert self.seen.groups is not None  # called for runs with groups alone
        for kind in self.measure.kinds_of(self.judged):
            hits = self.hits(kind)
            row, rank, ordinal = self.measure.of_kind(kind, hits, *down_to_ends(hits, self.seen.groups))
            yield kind, row, rank, ordinal

    @cached_property
    def _above(self) -> dict[int, IntArray]:
        """How many documents of each kind or a better one each run has in groups that are seen whole."""
        kinds = self.measure.kinds_of(self.judged)
        counts = {kind: np.bincount(self.hits(kind).row, minlength=len(self.whole)) for kind in kinds}
        return {0: self.whole, **counts}

    def _sum_of_part(self, row: int, part: Group) -> tuple[float, float]:
        """Return what a group that is seen in part adds to the sum of its run, and how many others are seen of it."""
        measure, pool = self.measure, self.judged.pools[row % len(self.judged.topics)]
        size, kinds = measure.size(pool, measure.reach(self.judged.depth)), tuple(map(measure.kind, part.cells))
        added = others = 0.0
        for kind, share, group in by_kind(part, kinds):
            some = group.float_draws()[1] > 0
            known, hits, chances = (numbers[some] for numbers in group.float_draws())
            alone = np.log(size / (part.start + known))
            together = np.log(size / (self._above[kind][row] + hits))
            # a relevant document that is seen is no longer missing
            missing = np.log(size / pool.recall_base(measure.lowest if measure.rel else kind)) if kind else 0.0
            number = chances * hits * float(share)
            added += number @ (float(measure.alpha1) * alone + float(measure.beta) * (missing - together))
            others += 0.0 if kind else number.sum()
        return added, others


def parts(measure: ObservationalEffectiveness, judged: JudgedRuns) -> dict[int, Group]:
    """Return the groups that a measure sees in part, by run, counting system by system and topic by topic."""
    assert judged.groups is not None  # called for runs with groups alone
    reach = measure.reach(judged.depth)
    if not measure.judged_only:
        return dict(_across(judged.groups, reach))
    cut = dict(_across(judged.groups, judged.depth))
    inside = judged.condensed.groups
    assert inside is not None  # as before
    rows = np.array(sorted({*cut, *dict(_across(inside, reach))}), dtype=np.int64)
    runs = TiedRuns.of(judged, rows, reach, condensed=True)
    found = ((row, runs.run(place)) for place, row in enumerate(rows.tolist()))
    return {row: part for row, run in found if (part := part_of(run)) is not None}


def part_of(run: TiedRun) -> Group | None:
    """Return the group of a run that is seen in part; none comes after it."""
    last = run.groups[-1] if run.groups else None
    return last if last is not None and (last.cut or len(last.seen) < len(last.cells)) else None


def tied_run(measure: ObservationalEffectiveness, judged: JudgedRuns, row: int) -> TiedRun:
    """Return one run as groups, as a measure looks at it."""
    assert judged.groups is not None  # called for runs with groups alone
    system, topic = divmod(row, len(judged.topics))
    one = slice(system, system + 1), slice(topic, topic + 1)
    alone = evolve(
        judged,
        systems=judged.systems[one[0]],
        topics=judged.topics[one[1]],
        cells=judged.cells[one],
        lengths=judged.lengths[one],
        grade_counts=judged.grade_counts[one[1]],
        groups=TieGroups(judged.groups.cells[one], judged.groups.tied[one], judged.groups.over),
        ranked_documents=None,
    )
    return TiedRuns.of(alone, np.array([0]), measure.reach(judged.depth), condensed=measure.judged_only).run(0)


def _across(groups: TieGroups, reach: int) -> Iterator[tuple[int, Group]]:
    """Return the groups that begin within so many ranks and end beyond, each with its run."""
    starts, sizes = groups.spans
    width, cells = groups.cells.shape[2], groups.cells.reshape(-1)
    row, start = np.divmod(starts, width)
    for g in np.flatnonzero((start < reach) & (start + sizes > reach)).tolist():
        inside = cells[starts[g] : starts[g] + sizes[g]]
        yield int(row[g]), Group(int(start[g]), tuple(inside.tolist()), (Fraction(1),) * (reach - int(start[g])))


def _terms_of_part(
    measure: ObservationalEffectiveness, groups: Sequence[tuple[int, ...]], part: Group
) -> tuple[list[tuple[int, Fraction]], dict[int, Fraction]]:
    """Return what a group that is seen in part adds on average: terms of the sum, and documents of each kind.

    Parameters
    ----------
    groups
        The kinds of documents of the groups above it.
    """
    above = Counter(chain.from_iterable(groups))
    alpha1, beta = measure.alpha1 * measure.whole_weights, measure.beta * measure.whole_weights
    terms: list[tuple[int, Fraction]] = []
    found: dict[int, Fraction] = {}
    for kind, share, group in by_kind(part, tuple(map(measure.kind, part.cells))):
        for known, hits, chance in group.draws():
            number = chance * hits * share
            if number:
                found[kind] = found.get(kind, Fraction(0)) + number
                terms += [(part.start + known, -alpha1 * number), (at_least(above, kind) + hits, beta * number)]
    return terms, found


def by_kind(part: Group, kinds: Sequence[int]) -> Iterator[tuple[int, Fraction, CutGroup]]:
    """Return how many documents of each kind or better can be seen of a group, and the share that the kind has of them.

    Parameters
    ----------
    part
        A group that is seen in part.
    kinds
        What each of its documents is worth; whether it was judged is no matter.
    """
    for kind in sorted(set(kinds)):
        better = sum(other >= kind for other in kinds)
        seen = CutGroup(len(kinds), len(kinds), better, len(part.seen), part.cut)
        yield kind, Fraction(kinds.count(kind), better), seen


def down_to_ends(hits: Hits, groups: TieGroups) -> tuple[IntArray, IntArray]:
    """Return for each hit the rank that its group ends at, and how many hits its run has down to there.

    Examples
    --------
    >>> groups = TieGroups(np.array([[[1, 0, 1]]], dtype=np.int8), np.array([[[False, True, False]]]))
    >>> hits = Hits(np.array([0, 0]), np.array([1, 3]), np.array([1, 1]))
    >>> [numbers.tolist() for numbers in down_to_ends(hits, groups)]
    [[2, 3], [1, 2]]
    """
    starts, sizes = groups.spans
    if not len(starts) or not len(hits.row):
        return hits.rank, hits.ordinal
    first = hits.row * groups.cells.shape[2]
    flat = first + hits.rank - 1
    last = np.maximum(0, np.searchsorted(starts, flat, side="right") - 1)
    beyond = starts[last] + sizes[last]
    end = np.where((starts[last] <= flat) & (flat < beyond), beyond, flat + 1)
    # hits stand run by run and rank by rank, so that the ordinal of the last one before the end is their number
    return end - first, hits.ordinal[np.searchsorted(flat, end) - 1]


def logs_of_ranks(groups: TieGroups, lengths: IntArray, ranks: int) -> FloatArray:
    """Return for each run the sum of the logarithms of the ranks that its documents' groups end at.

    Parameters
    ----------
    groups
        The runs, with their groups of tied documents.
    lengths
        How many documents of each run are looked at; groups end there or before.
    ranks
        The most that there can be.

    Examples
    --------
    >>> groups = TieGroups(np.array([[[1, 0, 1]]], dtype=np.int8), np.array([[[False, True, False]]]))
    >>> np.exp(logs_of_ranks(groups, np.array([3]), 3)).round(9).tolist()
    [12.0]
    """
    logs = np.log(np.arange(1, ranks + 1))
    sums = np.concatenate(([0.0], np.cumsum(logs)))
    starts, sizes = groups.spans
    row, start = np.divmod(starts, groups.cells.shape[2])
    whole = start + sizes <= lengths[row]
    row, start, sizes = row[whole], start[whole], sizes[whole]
    more = sizes * logs[start + sizes - 1] - (sums[start + sizes] - sums[start])
    return np.asarray(sums[lengths] + np.bincount(row, more, len(lengths)))
