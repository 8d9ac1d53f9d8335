"""The judged runs of all systems, compared pair by pair: counts, tests of counts, and matchings of topics."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.execution import Progress, Rng, mapped, silent
from measurand.judged import JudgedRuns
from measurand.orders.many_runs import at_least_as_good, counts_down_to, ranks_of_documents
from measurand.study.count_tests import CountDifferences, t_of_sums, two_sided
from measurand.study.dominance import caveats_of, codes_of
from measurand.study.dominance_matrix import DominanceMatrix
from measurand.study.matching import is_complete
from measurand.study.paired_runs import PairedRuns, number_of_grades

BLOCK = 2**21
"""How many comparisons of runs a worker holds at a time."""

RANKS = 8
"""How many ranks a worker looks at at a time."""


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
        return np.maximum(self.judged.cells[:, :, : self.depth], 0)

    @cached_property
    def grades(self) -> int:
        """How many grades there are, 0 included."""
        return number_of_grades(self.judged)

    @cached_property
    def shared(self) -> BoolArray:
        """Systems × systems × topics: which topics two systems share."""
        counted = self.judged.counted
        return np.asarray(counted[:, None] & counted[None, :])

    def additive(self) -> tuple[BoolArray, FloatArray]:
        """Return who is at least as good under every additive measure, and the p-values of t tests."""
        counted = self.judged.counted.astype(np.int64)
        topics = (counted @ counted.T).astype(np.float64)
        weak, least = topics > 0, np.full(topics.shape, np.inf)
        zeros = np.zeros(topics.shape, dtype=np.int64)
        pieces, number = self._counts(counted), (self.grades - 1) * -(-self.depth // RANKS)
        found = mapped(partial(_compared_counts, counted, topics), pieces, in_threads=True)
        for holds, level, smallest in self.progress(found, number, "ranks compared"):
            weak &= holds
            zeros += level
            np.minimum(least, smallest, out=least)
        # what is the same on all topics has the p-value 1, unless it is so by construction
        asked = (zeros > 0) & weak & (least > 0) & (zeros < self.depth * (self.grades - 1))
        least[zeros > 0] = np.where(asked, least, -np.inf)[zeros > 0]
        least[zeros == self.depth * (self.grades - 1)] = -np.inf
        for i, j in np.argwhere(asked).tolist():
            pair = PairedRuns(self.judged, self.judged.systems[i], self.judged.systems[j], self.depth)
            # grades that no document of these topics has are equal by construction as well
            nobody = self.depth * (self.grades - pair.grades)
            if int(pair.counts.left_out.sum()) + nobody != zeros[i, j]:
                least[i, j] = -np.inf
        return weak, two_sided(least, topics)

    def _counts(self, counted: IntArray) -> Iterator[IntArray]:
        """Return the counts of every grade down to a few ranks at a time, systems × topics × ranks."""
        for grade in range(1, self.grades):
            counts = counts_down_to(np.asarray(self.cells >= grade, dtype=np.int8), 2)[:, :, 0]
            counts *= counted[:, :, None].astype(counts.dtype)
            yield from (counts[:, :, rank : rank + RANKS] for rank in range(0, self.depth, RANKS))

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

    def matched(self, additive: BoolArray) -> tuple[BoolArray, BoolArray]:
        """Return who is at least as good on each topic, and under every measure that is the same on all topics.

        Parameters
        ----------
        additive
            Who is at least as good under every additive measure, without which no other level holds.

        Returns
        -------
        tuple of array of bool
            Systems × systems × topics, and systems × systems.
        """
        n, topics = self.cells.shape[:2]
        better, complete = np.zeros((n, n, topics), dtype=bool), np.zeros((n, n), dtype=bool)
        step = max(1, int((BLOCK // max(1, topics**2)) ** 0.5))
        # each block once, for both directions
        blocks = [
            (i == j, sorted({*range(i, min(i + step, n)), *range(j, min(j + step, n))}))
            for i in range(0, n, step)
            for j in range(i, n, step)
        ]
        pieces = (self._block(additive, places, None if own else step) for own, places in blocks)
        found = self.progress(mapped(_matched, pieces, in_threads=True), len(blocks), "blocks of systems matched")
        for (_, places), (some_better, some_complete) in zip(blocks, found, strict=True):
            block = np.ix_(places, places)
            better[block] = some_better
            complete[block] |= some_complete
        return better, complete

    def _block(self, additive: BoolArray, places: list[int], step: int | None) -> _Block:
        """Return some systems to be matched; each of the first `step` with each of the others, where it is given."""
        square = np.ix_(places, places)
        wanted = additive[square]
        if step is not None:
            wanted[:step, :step] = wanted[step:, step:] = False  # done in blocks of their own
        return _Block(self.cells[places], self.shared[square], wanted, self.grades)

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
class _Block:
    """Some systems: their runs, which topics two of them share, and which two are to be matched."""

    cells: Cells
    shared: BoolArray
    wanted: BoolArray
    grades: int


def _matched(block: _Block) -> tuple[BoolArray, BoolArray]:
    """Return who is at least as good on each topic, and under every measure where that is wanted."""
    n, topics, depth = block.cells.shape
    runs, numbers = np.unique(block.cells.reshape(-1, depth), axis=0, return_inverse=True)
    ranks, number = ranks_of_documents(runs, block.grades), numbers.reshape(n, topics)
    found = at_least_as_good(ranks, ranks)
    complete = np.zeros((n, n), dtype=bool)
    for row, column in np.argwhere(block.wanted).tolist():
        kept = block.shared[row, column]
        complete[row, column] = is_complete(found, number[row, kept], number[column, kept])
    return np.asarray(found[number[:, None], number[None, :]]), complete


def _randomised(permutations: int, rng: Rng, counts: CountDifferences) -> float:
    return counts.pvalue("randomisation", permutations, rng)


def _compared_counts(counted: IntArray, topics: FloatArray, counts: IntArray) -> tuple[BoolArray, IntArray, FloatArray]:
    """Return of counts down to some ranks who has at least as many, at how many ranks two have the same, the least t.

    Parameters
    ----------
    counted
        Which topics a system has, systems × topics.
    topics
        How many topics two systems share.
    counts
        Systems × topics × ranks.
    """
    weak, least = np.ones_like(topics, dtype=bool), np.full_like(topics, np.inf)
    zeros, everywhere = np.zeros_like(topics, dtype=np.int64), bool(counted.all())

    def over_topics(mine: IntArray, other: IntArray) -> IntArray:
        # not by matrix products of floats, whose threads wait for each other on a busy machine
        return np.asarray(np.einsum("it,jt->ij", mine, other))

    for rank in range(counts.shape[2]):
        mine = counts[:, :, rank].astype(np.int64)
        # over the topics that the other system has
        total, square = (
            each.sum(axis=1)[:, None] if everywhere else over_topics(each, counted) for each in (mine, mine**2)
        )
        sums, squares = (total - total.T).astype(np.float64), square + square.T - 2 * over_topics(mine, mine)
        weak &= sums >= 0
        level = squares == 0
        zeros += level
        np.minimum(least, np.where(level, np.inf, t_of_sums(sums, squares.astype(np.float64), topics)), out=least)
    return weak, zeros, least
