"""The judged runs of two systems on the topics that both have, compared topic by topic and across topics."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.display.wording import percent
from measurand.errors import Caveat, CaveatKind
from measurand.exact import whole_number
from measurand.judged import NOTHING, JudgedRuns
from measurand.judged.runs import check_judged
from measurand.orders.many_runs import at_least_as_good, counts_down_to, ranks_of_documents
from measurand.scores import place_of
from measurand.study.count_tests import CountDifferences
from measurand.study.matching import Matching, match_runs, match_weighted

MANY_UNJUDGED = 0.1
"""If so many of the documents, or more, are not judged, it is said."""


def ranks_compared(judged: JudgedRuns, depth: int | None) -> int:
    """Return how many ranks are looked at: as many as wanted, and no more than the judged runs have.

    Parameters
    ----------
    judged
        The judged runs.
    depth
        How many ranks are wanted; None for all.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0)], (3, 2))
    >>> ranks_compared(judged, None), ranks_compared(judged, 2), ranks_compared(judged, 100)
    (3, 2, 3)
    """
    check_judged(judged)
    return judged.depth if depth is None else min(judged.depth, whole_number("depth", depth))


def number_of_grades(judged: JudgedRuns, topics: IntArray | None = None) -> int:
    """Return how many grades there are, 0 included, up to the highest that any document has.

    Parameters
    ----------
    judged
        The judged runs.
    topics
        The places of the topics to look at; by default all.

    Examples
    --------
    >>> number_of_grades(JudgedRuns.on_one_topic([(1, 0)], (3, 1, 2, 0)))
    3
    """
    counts = judged.grade_counts if topics is None else judged.grade_counts[topics]
    among, hits = np.zeros(len(judged.topics), dtype=bool), judged.hits
    among[slice(None) if topics is None else topics] = True
    found = hits.grade[among[hits.row % max(1, len(among))]]
    return int(max(np.flatnonzero(counts.sum(axis=0)).max(initial=0), found.max(initial=0))) + 1


def unjudged_caveats(cells: Cells) -> tuple[Caveat, ...]:
    """Return that many documents were not judged, where they are.

    Parameters
    ----------
    cells
        What stands at each rank; the last axis is that of the ranks that are looked at.

    Examples
    --------
    >>> [str(caveat) for caveat in unjudged_caveats(np.array([[1, -1, 0, -2]]))]
    ['33.3 % of the documents down to rank 4 are not judged and count as grade 0']
    """
    retrieved = int(np.count_nonzero(cells != NOTHING))
    share = int(np.count_nonzero((cells < 0) & (cells != NOTHING))) / max(1, retrieved)
    if share < MANY_UNJUDGED:
        return ()
    text = f"{percent(share)} of the documents down to rank {cells.shape[-1]:,} are not judged and count as grade 0"
    return (Caveat(CaveatKind.FEW_JUDGED, text),)


@frozen(eq=False, slots=False)
class PairedRuns:
    """The runs of two systems on the topics that both have, cut to some ranks.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs of all systems.
    a, b : str
        The two systems.
    depth : int
        How many ranks are looked at.
    """

    judged: JudgedRuns
    a: str
    b: str
    depth: int

    @cached_property
    def kept(self) -> IntArray:
        """The places of the topics that both have."""
        return np.flatnonzero(self.judged.counted[self._places].all(axis=0))

    @property
    def unjudged(self) -> tuple[Caveat, ...]:
        """That many documents were not judged, where they are."""
        return unjudged_caveats(self.judged.first(self.depth)[self._places][:, self.kept])

    @cached_property
    def _places(self) -> list[int]:
        return [place_of(self.a, self.judged.systems), place_of(self.b, self.judged.systems)]

    @property
    def shared_topics(self) -> tuple[str, ...]:
        """The topics that both have."""
        return tuple(self.judged.topics[t] for t in self.kept.tolist())

    @cached_property
    def cells(self) -> Cells:
        """The runs, 2 × topics × ranks."""
        return np.maximum(self.judged.first(self.depth)[self._places][:, self.kept], 0)

    @cached_property
    def grades(self) -> int:
        """How many grades there are on these topics, 0 included."""
        return number_of_grades(self.judged, None if len(self.kept) == len(self.judged.topics) else self.kept)

    @cached_property
    def counts(self) -> CountDifferences:
        """How many documents more `a` has, by topic, grade and rank."""
        ours, theirs = counts_down_to(self.cells, self.grades).astype(np.int32)
        differences = ours - theirs
        return CountDifferences(differences, ~differences.any(axis=0) & self._same_documents())

    def _same_documents(self) -> BoolArray:
        """Return at which ranks both have had the same documents on every topic."""
        same = self.judged.same_documents(self.a, self.b, self.depth)
        if same is None or not len(self.kept):
            return np.zeros(self.depth, dtype=bool)
        return np.asarray(same[self.kept].all(axis=0))

    @cached_property
    def _different(self) -> tuple[Cells, IntArray]:
        """The different runs, and which of them each system has on each topic."""
        runs, numbers = np.unique(self.cells.reshape(-1, self.depth), axis=0, return_inverse=True)
        return runs, numbers.reshape(2, -1)

    @property
    def better_on_topics(self) -> BoolArray:
        """On which topics the run of `a` is at least as good as that of `b`."""
        return np.asarray((self.counts.differences >= 0).all(axis=(1, 2)))

    @cached_property
    def matching(self) -> Matching | None:
        """The largest matching of runs of `b` with runs of `a` that are at least as good, whatever their topics.

        None if there are too many different runs to be paired.
        """
        runs, numbers = self._different
        ranks = ranks_of_documents(runs, self.grades)
        return match_runs(ranks, *(np.bincount(side, minlength=len(runs)) for side in numbers))

    def runs_of(self, matching: Matching) -> Cells:
        """Return runs of `b` for which `a` has too few at least as good ones; none if all have a partner.

        Parameters
        ----------
        matching
            The largest matching.
        """
        return self._different[0][matching.violator]

    def largest_threshold_lead(self) -> tuple[Fraction, tuple[int, ...]]:
        """Return the largest lead of `b` under a measure that counts having so many documents down to a rank.

        It is a share of the topics, 0 or less where `b` is never ahead. With it comes the run that just has so many
        documents of a grade, or more, down to a rank.
        """
        best, place = 0, (1, 1, 1)
        for grade in range(1, self.grades):
            ours, theirs = np.sort(counts_down_to(np.asarray(self.cells >= grade, dtype=np.int8), 2)[:, :, 0], axis=1)
            for rank in range(1, self.depth + 1):
                # on so many topics each has at least as many documents
                numbers = np.arange(1, rank + 1)
                lead = np.searchsorted(ours[:, rank - 1], numbers) - np.searchsorted(theirs[:, rank - 1], numbers)
                if lead.max() > best:
                    best, place = int(lead.max()), (grade, rank, int(lead.argmax()) + 1)
        grade, rank, number = place
        run = [0] * (rank - number) + [grade] * number + [0] * (self.depth - rank)
        return Fraction(best, max(1, len(self.kept))), tuple(run)

    def smallest(self, runs: Cells) -> tuple[tuple[int, ...], ...]:
        """Return those of some runs that are not better than another of them, each once.

        Parameters
        ----------
        runs
            Judged runs, one a row.
        """
        different = np.unique(runs, axis=0)
        ranks = ranks_of_documents(different, int(different.max(initial=0)) + 1)
        least = at_least_as_good(ranks, ranks).sum(axis=1) == 1  # at least as good as itself alone
        return tuple(map(tuple, different[least].tolist()))

    def matched_by_recall_base(self, rel: int) -> tuple[Matching, Cells]:
        """Return the largest matching of runs by relevance alone, each topic counting as one over its recall base.

        Topics without relevant documents count for nothing.

        Parameters
        ----------
        rel
            The lowest grade that counts as relevant.

        Returns
        -------
        tuple
            The matching, and runs of `b` for which `a` has too few, with the grade `rel` where they are relevant.
        """
        relevant, shares, unit = self._by_recall_base(rel)
        runs, numbers = np.unique(relevant.reshape(-1, self.depth), axis=0, return_inverse=True)
        weights = [[0] * len(runs), [0] * len(runs)]
        for side, places in zip(weights, numbers.reshape(2, -1).tolist(), strict=True):
            for place, share in zip(places, shares, strict=True):
                side[place] += share
        ranks = ranks_of_documents(runs, 2)
        found = match_weighted(at_least_as_good(ranks, ranks), *weights)
        return Matching(found.missing / unit, found.violator), runs[found.violator] * np.int64(rel)

    def same_by_recall_base(self, rel: int) -> bool:
        """Return whether both have as many relevant documents down to every rank, weighted as AP and R weigh topics.

        Parameters
        ----------
        rel
            The lowest grade that counts as relevant.
        """
        relevant, shares, _ = self._by_recall_base(rel)
        ours, theirs = np.cumsum(relevant, axis=2, dtype=np.int64)
        return not np.any((ours - theirs).T.astype(object) @ np.array(shares, dtype=object))

    def _by_recall_base(self, rel: int) -> tuple[Cells, list[int], int]:
        """Return where relevant documents stand on the topics that have any, what each topic counts, and the unit."""
        bases = self.judged.recall_bases(rel)[self.kept]
        there = np.flatnonzero(bases)
        several = bases[there].tolist()
        unit = lcm(*several)
        # whole numbers, which are as exact as one over each recall base
        return (self.cells[:, there] >= rel).astype(np.int8), [unit // base for base in several], unit
