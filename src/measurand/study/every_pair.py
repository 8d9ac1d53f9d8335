"""The judged runs of all systems, compared pair by pair: counts, tests of counts, and matchings of topics."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from itertools import product

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.execution import Progress, Rng, mapped, silent
from measurand.judged import JudgedRuns
from measurand.orders.many_runs import at_least_as_good, counts_down_to, ranks_of_documents
from measurand.study.certainty import least_pvalue
from measurand.study.count_tests import CountDifferences, t_of_sums, two_sided
from measurand.study.dominance import better_by_topic, caveats_of, codes_of
from measurand.study.dominance_matrix import DominanceMatrix
from measurand.study.matching import LARGEST, is_complete, match_runs
from measurand.study.paired_runs import PairedRuns, number_of_grades

BLOCK = 2**21
"""How many comparisons of runs a worker holds at a time."""

COUNTS = 2**18
"""How many differences of counts are held at a time: as many as a processor keeps near it."""


@frozen(eq=False, slots=False)
class EveryPair:
    """The runs of all systems, compared pair by pair.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs.
    depth : int
        How many ranks are looked at.
    progress : callable
        Shows progress.
    """

    judged: JudgedRuns
    depth: int
    progress: Progress = silent

    @cached_property
    def cells(self) -> Cells:
        """The runs, systems × topics × ranks."""
        return np.maximum(self.judged.first(self.depth), 0)

    @cached_property
    def grades(self) -> int:
        """How many grades there are, 0 included."""
        return number_of_grades(self.judged)

    @cached_property
    def shared(self) -> BoolArray:
        """Systems × systems × topics: which topics two systems share."""
        counted = self.judged.counted
        return np.asarray(counted[:, None] & counted[None, :])

    @cached_property
    def _patterns(self) -> list[tuple[BoolArray, IntArray]]:
        """The sets of topics that systems have, and the places of the systems that have each."""
        patterns, which = np.unique(self.judged.counted, axis=0, return_inverse=True)
        return [(pattern, np.flatnonzero(which.reshape(-1) == place)) for place, pattern in enumerate(patterns)]

    def _counts(self, grade: int, systems: IntArray) -> IntArray:
        """Return how many documents of a grade or more some systems have down to each rank, by topic."""
        return counts_down_to(np.asarray(self.cells[systems] >= grade, dtype=np.int8), 2)[:, :, 0]

    def additive(self) -> tuple[BoolArray, FloatArray]:
        """Return who is at least as good under every additive measure, and the p-values of t tests."""
        shared = self.judged.counted.astype(np.int64)
        weak, topics = self._weak(), (shared @ shared.T).astype(np.float64)
        # who has fewer of something, or as many of everything, has the p-value 1
        ahead, least = weak & ~weak.T, np.full(weak.shape, -np.inf)
        comparisons = self.depth * (self.grades - 1)
        differing = np.ones(weak.shape, dtype=np.int64)
        least[ahead], zeros, differing[ahead] = self._least(ahead, topics)
        # what is the same on all topics has the p-value 1, unless it is so by construction
        asked = (zeros > 0) & (least[ahead] > 0) & (zeros < comparisons)
        least[ahead] = np.where((zeros > 0) & ~asked, -np.inf, least[ahead])
        for (i, j), equal in zip(np.argwhere(ahead)[asked].tolist(), zeros[asked].tolist(), strict=True):
            pair = PairedRuns(self.judged, self.judged.systems[i], self.judged.systems[j], self.depth)
            # grades that no document of these topics has are equal by construction as well
            nobody = self.depth * (self.grades - pair.grades)
            if int(pair.counts.left_out.sum()) + nobody != equal:
                least[i, j] = -np.inf
        # no flip of signs reaches less, on as many topics as some count differs
        return weak, np.maximum(two_sided(least, topics), least_pvalue(differing))

    def _weak(self) -> BoolArray:
        """Return who has, over the topics that both have, as many documents of every grade down to every rank."""
        n = len(self.cells)
        weak = np.ones((n, n), dtype=bool)
        for grade in self.progress(range(1, self.grades), self.grades - 1, "grades counted"):
            found = self.cells >= grade
            for (topics, mine), (others, theirs) in product(self._patterns, repeat=2):
                both = topics & others
                ours, other = (
                    np.cumsum(found[np.ix_(side, both)].sum(axis=1, dtype=np.int64), axis=1) for side in (mine, theirs)
                )
                for place, totals in zip(mine.tolist(), ours, strict=True):
                    weak[place, theirs] &= (totals >= other).all(axis=1)
        return weak & self.shared.any(axis=2)

    def _least(self, ahead: BoolArray, topics: FloatArray) -> tuple[FloatArray, IntArray, IntArray]:
        """Return the least t of all ranks and grades of some pairs, how many of these are level, and on how few topics.

        On so few topics the counts differ that differ on the fewest, but not on none.

        Parameters
        ----------
        ahead
            The pairs, of which the row has as many documents of every grade down to every rank.
        topics
            How many topics every two systems have in common.
        """
        least, zeros = np.full(ahead.shape, np.inf), np.zeros(ahead.shape, dtype=np.int64)
        fewest = np.full(ahead.shape, self.cells.shape[1], dtype=np.int64)
        rows = np.flatnonzero(ahead.any(axis=1)).tolist()
        step = max(1, COUNTS // max(1, self.cells[0].size))
        # squares of counts, summed over topics, in whole numbers
        kind = np.int32 if self.depth**2 * self.cells.shape[1] < np.iinfo(np.int32).max else np.int64
        jobs = [(i, some) for i in rows for some in _in_blocks(np.flatnonzero(ahead[i]), step)]
        everyone, everywhere = np.arange(len(ahead)), bool(self.judged.counted.all())
        for grade in self.progress(range(1, self.grades) if jobs else [], self.grades - 1, "grades compared"):
            counts: IntArray = np.asarray(self._counts(grade, everyone), dtype=kind)
            pieces = (
                _Counts(counts[i], counts[some], None if everywhere else self.shared[i, some], topics[i, some])
                for i, some in jobs
            )
            found = mapped(_least_t, pieces, in_threads=True, stays_here=True)
            for (i, some), (t, level, few) in zip(jobs, found, strict=True):
                least[i, some] = np.minimum(least[i, some], t)
                zeros[i, some] += level
                fewest[i, some] = np.minimum(fewest[i, some], few)
        return least[ahead], zeros[ahead], fewest[ahead]

    def randomised(self, additive: BoolArray, permutations: int, rng: Rng) -> FloatArray:
        """Return the p-values of randomisation tests of the pairs in which one is ahead under every additive measure.

        Parameters
        ----------
        additive
            Who is at least as good under every additive measure.
        permutations, rng
            How many permutations are drawn, and by what.
        """
        pvalues, systems = np.ones(additive.shape), self.judged.systems
        pairs = np.argwhere(additive & ~additive.T).tolist()
        counts = (PairedRuns(self.judged, systems[i], systems[j], self.depth).counts for i, j in pairs)
        found = mapped(partial(_randomised, permutations, rng), counts)
        for (i, j), pvalue in zip(pairs, self.progress(found, len(pairs), "pairs randomised"), strict=True):
            pvalues[i, j] = pvalue
        return pvalues

    def matched(self, additive: BoolArray) -> tuple[BoolArray, BoolArray, int]:
        """Return who is at least as good on each topic, and under every measure that is the same on all topics.

        Parameters
        ----------
        additive
            Who is at least as good under every additive measure, without which no other level holds.

        Returns
        -------
        tuple
            Systems × systems × topics, systems × systems, and of how many pairs the latter is not known, because there
            are too many different runs to be paired.
        """
        better = better_by_topic(self.cells, self.progress)
        complete = np.asarray(additive & (better | ~self.shared).all(axis=2))
        undecided = self._more_often(np.asarray(additive & ~complete))
        n, topics = self.cells.shape[:2]
        step = max(1, int((BLOCK // max(1, topics**2)) ** 0.5))
        starts = [(i, j) for i in range(0, n, step) for j in range(0, n, step)]
        starts = [(i, j) for i, j in starts if undecided[i : i + step, j : j + step].any()]
        blocks = [np.argwhere(undecided[i : i + step, j : j + step]) + np.array((i, j)) for i, j in starts]
        found = mapped(_matched, map(self._block, blocks), in_threads=True)
        unknown = 0
        for pairs, holds in zip(blocks, self.progress(found, len(blocks), "blocks of systems matched"), strict=True):
            complete[pairs[:, 0], pairs[:, 1]] = [bool(each) for each in holds]
            unknown += holds.count(None)
        return better, complete, unknown

    def _block(self, pairs: IntArray) -> _Block:
        """Return the runs of some pairs of systems, to be matched."""
        places, where = np.unique(pairs, return_inverse=True)
        return _Block(self.cells[places], where.reshape(-1, 2), self.shared[pairs[:, 0], pairs[:, 1]], self.grades)

    def _more_often(self, pairs: BoolArray) -> BoolArray:
        """Return those of some pairs in which the row has so many documents, or more, on as many topics as the column.

        Each "so many documents of this grade or more down to this rank" is a measure that respects replacement and
        swap, so that of all other pairs the row is not at least as good under every measure. Pairs that lack topics
        are not looked at, and returned.

        Parameters
        ----------
        pairs
            The pairs to look at.
        """
        left = pairs.copy()
        whole = np.asarray(self.judged.counted.all(axis=1))
        asked = pairs & whole[:, None] & whole
        for grade in range(1, self.grades):
            still = np.argwhere(asked)
            if not len(still):
                break
            places, where = np.unique(still, return_inverse=True)
            counts = np.sort(self._counts(grade, places), axis=1)
            for (i, j), (mine, other) in zip(still.tolist(), where.reshape(-1, 2).tolist(), strict=True):
                asked[i, j] = left[i, j] = bool((counts[mine] >= counts[other]).all())
        return left

    def dominance(self, better: BoolArray) -> DominanceMatrix:
        """Return how the runs compare topic by topic.

        Parameters
        ----------
        better
            Systems × systems × topics: whether the row is at least as good as the column.
        """
        return DominanceMatrix(
            judged=self.judged,
            depth=self.depth,
            relations=codes_of(better, self.shared),
            caveats=caveats_of(self.judged),
        )


@frozen(eq=False)
class _Counts:
    """Counts of a system and of some others, topics × ranks, the topics that they share if not all, and how many."""

    mine: IntArray
    others: IntArray
    shared: BoolArray | None
    topics: FloatArray


def _least_t(counts: _Counts) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the least t over ranks beside each other system, at how many ranks nothing differs, and on how few topics.

    The last is the number of topics with a difference at the rank where these are fewest, but not none.
    """
    more = counts.mine - counts.others
    if counts.shared is not None:
        more *= counts.shared[:, :, None]
    sums, squares = more.sum(axis=1, dtype=np.float64), np.einsum("jtr,jtr->jr", more, more)
    level = squares == 0
    t = t_of_sums(sums, squares.astype(np.float64), counts.topics[:, None])
    differing = np.where(level, more.shape[1], np.count_nonzero(more, axis=1)).min(axis=1)
    return np.asarray(np.where(level, np.inf, t).min(axis=1)), np.asarray(level.sum(axis=1)), differing


@frozen(eq=False)
class _Block:
    """The runs of some systems, pairs of these by their places, the topics that each pair shares, and the grades."""

    cells: Cells
    pairs: IntArray
    shared: BoolArray
    grades: int


def _matched(block: _Block) -> list[bool | None]:
    """Return for each pair whether the first is at least as good as the second under every measure.

    None where there are too many different runs to be paired.
    """
    n, topics, depth = block.cells.shape
    runs, numbers = np.unique(block.cells.reshape(-1, depth), axis=0, return_inverse=True)
    ranks, number = ranks_of_documents(runs, block.grades), numbers.reshape(n, topics)
    pairs = [
        (number[a, kept], number[b, kept]) for (a, b), kept in zip(block.pairs.tolist(), block.shared, strict=True)
    ]
    if len(runs) ** 2 <= LARGEST:
        better = at_least_as_good(ranks, ranks)
        return [is_complete(better, *both) for both in pairs]
    counts = [[np.bincount(side, minlength=len(runs)) for side in both] for both in pairs]
    found = [match_runs(ranks, *both) for both in counts]
    return [None if each is None else each.complete for each in found]


def _in_blocks(places: IntArray, step: int) -> Iterator[IntArray]:
    """Return some places, so many at a time."""
    return (places[start : start + step] for start in range(0, len(places), step))


def _randomised(permutations: int, rng: Rng, counts: CountDifferences) -> float:
    return counts.pvalue("randomisation", permutations, rng)
