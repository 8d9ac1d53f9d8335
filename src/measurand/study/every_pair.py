"""The judged runs of all systems, compared pair by pair: counts, tests of counts, and matchings of topics."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.execution import Progress, Rng, silent
from measurand.judged import JudgedRuns
from measurand.orders.many_runs import at_least_as_good, counts_down_to, ranks_of_documents
from measurand.study.count_tests import t_of_sums, two_sided
from measurand.study.dominance import caveats_of, codes_of
from measurand.study.dominance_matrix import DominanceMatrix
from measurand.study.matching import is_complete
from measurand.study.paired_runs import PairedRuns, number_of_grades

BLOCK = 2**24
"""How many comparisons of runs are held at a time."""


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
        zeros = np.zeros(topics.shape, dtype=np.int32)
        for sums, squares in self._sums(counted):
            weak &= sums >= 0
            level = squares == 0
            zeros += level
            np.minimum(least, np.where(level, np.inf, t_of_sums(sums, squares, topics)), out=least)
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

    def _sums(self, counted: IntArray) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Return for every rank and grade the sums over topics of differences of counts, and of their squares."""
        everywhere = bool(counted.all())

        def over_topics(mine: IntArray, other: IntArray) -> IntArray:
            # not by matrix products of floats, whose threads wait for each other on a busy machine
            return np.asarray(np.einsum("it,jt->ij", mine, other))

        for grade in range(1, self.grades):
            counts = counts_down_to(np.asarray(self.cells >= grade, dtype=np.int8), 2)[:, :, 0]
            counts *= counted[:, :, None].astype(counts.dtype)
            for rank in self.progress(range(self.depth), self.depth, f"ranks compared, grade {grade}"):
                mine = counts[:, :, rank].astype(np.int64)
                # over the topics that the other system has
                total, square = (
                    each.sum(axis=1)[:, None] if everywhere else over_topics(each, counted) for each in (mine, mine**2)
                )
                squares = square + square.T - 2 * over_topics(mine, mine)
                yield (total - total.T).astype(np.float64), squares.astype(np.float64)

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
        for i, j in self.progress(pairs, len(pairs), "pairs randomised"):
            counts = PairedRuns(self.judged, systems[i], systems[j], self.depth).counts
            pvalues[i, j] = counts.pvalue("randomisation", permutations, rng)
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
        starts = [(i, j) for i in range(0, n, step) for j in range(i, n, step)]
        for i, j in self.progress(starts, len(starts), "blocks of systems matched"):
            # each block once, for both directions
            places = sorted({*range(i, min(i + step, n)), *range(j, min(j + step, n))})
            runs, numbers = np.unique(self.cells[places].reshape(-1, self.depth), axis=0, return_inverse=True)
            ranks, number = ranks_of_documents(runs, self.grades), numbers.reshape(len(places), topics)
            found = at_least_as_good(ranks, ranks)
            block = np.ix_(places, places)
            better[block] = found[number[:, None], number[None, :]]
            wanted = additive[block]
            if i != j:
                wanted[:step, :step] = wanted[step:, step:] = False  # done in blocks of their own
            for row, column in np.argwhere(wanted).tolist():
                kept = self.shared[places[row], places[column]]
                complete[places[row], places[column]] = is_complete(found, number[row, kept], number[column, kept])
        return better, complete

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
