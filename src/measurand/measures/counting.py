"""Counting measures: what matters is how many documents of each kind stand above a rank."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.judged import NOTHING, JudgedRuns, Pool
from measurand.judged.hits import by_topic, count, gather
from measurand.measures.base import Binary, Grades

if TYPE_CHECKING:
    from measurand.exact import Exact


@frozen(eq=False, repr=False, slots=False)
class Counts:
    """How many documents there are of each kind; numbers for one run, arrays for many.

    Parameters
    ----------
    relevant, retrieved, judged
        Within the ranks looked at.
    ranks
        How many ranks are looked at, whether or not a document stands there.
    recall_base
        All relevant documents of the topic.
    """

    relevant: Any
    ranks: Any
    recall_base: Any
    _retrieved: Any = field(alias="retrieved")
    _judged: Any = field(alias="judged")

    @cached_property
    def retrieved(self) -> Any:
        """Documents within the ranks looked at."""
        return self._retrieved() if callable(self._retrieved) else self._retrieved

    @cached_property
    def judged(self) -> Any:
        """Judged documents within the ranks looked at."""
        return self._judged() if callable(self._judged) else self._judged


class Counting(Binary):
    """The family of measures that are a function of `Counts`.

    A member writes `count` once, in arithmetic that holds for exact numbers and for arrays alike. One that looks at
    `counts.judged` declares `tells_unjudged`.
    """

    @property
    def tells_unjudged(self) -> bool:
        """Whether the counts of judged documents play a part."""
        return False

    @abstractmethod
    def count(self, counts: Counts) -> Any:
        """Return the value from the counts.

        Parameters
        ----------
        counts
            Numbers for one run, arrays for many.
        """

    def ranks(self, length: Any, recall_base: Any) -> Any:
        """Return how many ranks to look at, given the length of a run and the recall base.

        Parameters
        ----------
        length
            How many ranks runs have.
        recall_base
            How many relevant documents the topic has; an array for many.
        """
        return length if self.cutoff is None else self.cutoff

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "counting"

    def exact(self, run: Grades, pool: Pool) -> Exact:
        """Return the exact value of a run."""
        base = pool.recall_base(self.lowest)
        ranks = self.ranks(len(run), base)
        run = run[:ranks]
        relevant = sum(map(self.relevant, run))
        retrieved, judged = sum(cell != NOTHING for cell in run), sum(cell >= 0 for cell in run)
        return Fraction(self.count(Counts(relevant, ranks, base, retrieved, judged)))

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs."""
        base = by_topic(judged.recall_bases(self.lowest), judged)
        ranks = np.broadcast_to(self.ranks(float(judged.depth), base), base.shape)
        hits = judged.hits.select(self.lowest, None)
        relevant = gather(hits.row, hits.rank <= ranks[hits.row], judged)

        def retrieved() -> FloatArray:
            return np.asarray(np.minimum(judged.lengths.reshape(-1), ranks), dtype=np.float64)

        def seen() -> FloatArray:
            return count(judged.rows.values >= 0, ranks, judged).astype(np.float64)

        counts = Counts(relevant, ranks, base, retrieved, seen)
        return np.broadcast_to(np.asarray(self.count(counts), dtype=float), base.shape)
