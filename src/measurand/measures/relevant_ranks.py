"""Measures that visit the relevant documents one by one and average what they find there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from attrs import define

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.exact import ratio
from measurand.judged import POOLED, Hits, JudgedRuns, Pool
from measurand.judged.hits import by_topic, gather, ideal_gains
from measurand.measures.base import Binary, Grades

if TYPE_CHECKING:
    from measurand.exact import Exact


class Seen(Protocol):
    """What has been seen on arriving at a relevant document; numbers for one, arrays for many."""

    @property
    def rank(self) -> Any:
        """Its rank."""

    @property
    def relevant(self) -> Any:
        """Relevant documents so far, this one included."""

    @property
    def nonrelevant(self) -> Any:
        """Documents above it that were judged not relevant."""

    @property
    def pooled(self) -> Any:
        """Documents above it that were pooled but not judged."""

    @property
    def gain(self) -> Any:
        """The sum of the grades of the relevant documents so far, this one included."""

    @property
    def ideal_gain(self) -> Any:
        """The largest sum of grades that its rank allows."""

    @property
    def recall_base(self) -> Any:
        """Relevant documents of the topic."""

    @property
    def all_nonrelevant(self) -> Any:
        """Documents of the topic that were judged not relevant."""


class RelevantRanks(Binary):
    r"""The family of measures :math:`\frac{1}{R} \sum_{i : r_i \text{ relevant}} c_i`.

    A member writes `contribution` once, in arithmetic that holds for exact numbers and for arrays alike. Beside it
    it declares whether that is `linear` in the numbers of relevant documents and in the gain, given the rank.
    """

    linear: ClassVar[bool] = False

    @abstractmethod
    def contribution(self, seen: Seen) -> Any:
        """Return what a relevant document adds, from what has been seen on arriving there.

        Parameters
        ----------
        seen
            Numbers for one document, arrays for many.
        """

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "average over relevant ranks"

    def total(self, run: Grades, pool: Pool) -> Fraction:
        """Return the exact sum of the contributions."""
        parts: list[Fraction] = []
        visit = Visit(run, pool, self.lowest, self.worth)
        relevant = {cell: self.relevant(cell) for cell in set(run)}
        for place, cell in enumerate(run, 1):
            if relevant[cell]:
                visit.go_on(place)
                added = self.contribution(visit)
                parts.append(added if type(added) is Fraction else Fraction(added))
        # over one denominator, so that the sum is reduced once
        below = lcm(*(part.denominator for part in parts))
        return Fraction(sum(part.numerator * (below // part.denominator) for part in parts), below)

    def exact(self, run: Grades, pool: Pool) -> Exact:
        """Return the exact value of a run."""
        return ratio(self.total(run, pool), pool.recall_base(self.lowest))

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs."""
        visits = _Visits(judged, self.lowest, self.cutoff, self.worths)
        sums = gather(visits.hits.row, self.contribution(visits), judged)
        return ratio(sums, by_topic(judged.recall_bases(self.lowest), judged))


@define(eq=False, repr=False, slots=False)
class Visit:
    """A walk down one judged run, counting what has been seen.

    Parameters
    ----------
    run
        The judged run.
    pool
        What is known of its topic.
    rel
        The lowest grade that counts as relevant.
    worth
        Returns the value of a grade.
    """

    run: Grades
    pool: Pool
    rel: int
    worth: Callable[[int], Fraction | int] = int
    passed: int = 0
    met: int = 0
    nonrelevant: int = 0
    pooled: int = 0

    @property
    def rank(self) -> Fraction:
        """The rank that the walk has come to."""
        return _whole(self.passed)

    @property
    def relevant(self) -> Fraction:
        """The number of relevant documents so far."""
        return _whole(self.met)

    @cached_property
    def recall_base(self) -> int:
        """How many relevant documents the topic has."""
        return self.pool.recall_base(self.rel)

    @cached_property
    def all_nonrelevant(self) -> int:
        """How many documents of the topic were judged not relevant."""
        return self.pool.nonrelevant(self.rel)

    # sums of all grades at once, of which many measures want none

    @cached_property
    def _gains(self) -> list[Fraction | int]:
        return [0, *accumulate(self.worth(cell) if cell >= self.rel else 0 for cell in self.run)]

    @cached_property
    def ideal_gains(self) -> list[Fraction | int]:
        """The sums of the best grades of the topic: of none, of one, …, of all."""
        return [0, *accumulate(self.worth(grade) for grade in self.pool.ideal() if grade >= self.rel)]

    @property
    def gain(self) -> Fraction | int:
        """The sum of the grades of the relevant documents so far."""
        return self._gains[self.passed]

    @property
    def ideal_gain(self) -> Fraction | int:
        """The largest sum of grades that the rank allows."""
        return self.ideal_gains[min(self.passed, len(self.ideal_gains) - 1)]

    def go_on(self, rank: int) -> None:
        """Go on to a rank, where a relevant document stands."""
        for cell in self.run[self.passed : rank]:
            if cell >= self.rel:
                self.met += 1
            elif cell >= 0:
                self.nonrelevant += 1
            elif cell == POOLED:
                self.pooled += 1
        self.passed = rank


@lru_cache(maxsize=4096)
def _whole(number: int) -> Fraction:
    """Return a whole number as a fraction, made once."""
    return Fraction(number)


class _Visits:
    """The arrivals at all relevant documents of all runs, as arrays."""

    def __init__(
        self, judged: JudgedRuns, rel: int, cutoff: int | None, worths: Callable[[int], Sequence[Fraction | int]]
    ) -> None:
        self._judged, self._rel, self._worths = judged, rel, worths
        self.hits: Hits = judged.hits.select(rel, cutoff)
        self.rank = self.hits.rank.astype(float)
        self.relevant = self.hits.ordinal

    @cached_property
    def _topic(self) -> IntArray:
        return np.asarray(self.hits.row % len(self._judged.topics))

    @cached_property
    def recall_base(self) -> IntArray:
        return self._judged.recall_bases(self._rel)[self._topic]

    @cached_property
    def all_nonrelevant(self) -> IntArray:
        return np.asarray(self._judged.grade_counts[:, : self._rel].sum(axis=1)[self._topic])

    @cached_property
    def _cells(self) -> Cells:
        return np.asarray(self._judged.rows.values)

    def _above(self, kind: BoolArray) -> IntArray:
        """Return how many cells of a kind stand above each hit."""
        rows = self._judged.rows
        counts = np.concatenate(([0], np.cumsum(kind)))
        start = rows.starts[self.hits.row]
        return np.asarray(counts[start + self.hits.rank - 1] - counts[start])

    @cached_property
    def nonrelevant(self) -> IntArray:
        return self._above((self._cells >= 0) & (self._cells < self._rel))

    @cached_property
    def pooled(self) -> IntArray:
        return self._above(self._cells == POOLED)

    @cached_property
    def _gains(self) -> FloatArray | IntArray:
        """What every grade is worth: whole numbers where grades are."""
        found = self._worths(self._judged.grade_counts.shape[1] - 1)
        return np.array(found if isinstance(found, range) else list(map(float, found)))

    @cached_property
    def gain(self) -> FloatArray | IntArray:
        worth = self._gains[self.hits.grade]
        running = np.cumsum(worth)
        first = self.hits.ordinal == 1
        before = (running - worth)[first]
        return np.asarray(running - np.repeat(before, np.diff(np.append(np.flatnonzero(first), len(running)))))

    @cached_property
    def ideal_gain(self) -> FloatArray:
        return ideal_gains(self._judged, self._rel, self._gains, self._topic, self.hits.rank)
