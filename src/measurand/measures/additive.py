"""Additive measures: every rank has a weight, every grade a gain, and a run the sum of the products."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.exact import Exact, InverseLogs, weighted_sum
from measurand.judged import Hits, JudgedRuns, Pool, as_cells
from measurand.measures.base import Cells, Measure
from measurand.measures.flat import by_topic, gather
from measurand.measures.ties.spread import Spread

if TYPE_CHECKING:
    from measurand.measures.ties.tied_runs import TiedRun, TiedRuns


@frozen(kw_only=True, repr=False)
class Additive(Measure):
    r"""The family of measures :math:`\sum_i w_i\, g(r_i) / n`.

    A member writes `weight` (of a rank) and `gain_at` (of a grade); `scaling` is the divisor `n`, which
    may depend on the topic but not on the run.
    """

    tells_unjudged: ClassVar[bool] = False
    skips_barren: ClassVar[bool] = True

    @abstractmethod
    def weight(self, rank: int) -> Fraction | InverseLogs:
        """Return the exact weight of a rank, counted from 1."""

    @abstractmethod
    def gain_at(self, grade: int, top: int) -> Fraction:
        """Return the exact gain of a grade, where `top` is the highest grade there is."""

    def scaling(self, pool: Pool, length: int) -> Exact:
        """Return what the sum is divided by, for runs of a length."""
        return Fraction(1)

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "additive"

    def worth(self, cell: int, top: int) -> Fraction:
        """Return the gain of a document."""
        return self.gain_at(cell, top) if cell > 0 else Fraction(0)

    def total(self, run: Cells, top: int) -> Fraction | InverseLogs:
        """Return the exact sum before scaling."""
        gains = ((rank, self.gain_at(grade, top)) for rank, grade in enumerate(run, 1) if grade > 0)
        return weighted_sum((_weight(self, rank), gain) for rank, gain in gains if gain)

    def exact(self, run: Cells, pool: Pool) -> Exact:
        """Return the exact value of a run."""
        return self.level(run, pool) / self.unit(pool, len(run))  # type: ignore[operator]

    def level(self, run: Cells, pool: Pool) -> Exact:
        """Return the exact sum before scaling, 0 where there is nothing to scale by."""
        return self.total(run, self.top_grade(pool)) if self.scaling(pool, len(run)) != 0 else Fraction(0)

    def unit(self, pool: Pool, length: int) -> Exact:
        """Return what the sum is divided by, which is never 0."""
        scaling = self.scaling(pool, length)
        return scaling if scaling != 0 else Fraction(1)

    def key(self, run: Cells) -> Exact:  # type: ignore[override]
        """Return the exact sum before scaling, which decides ties whatever the topic."""
        # one scale of gains for all runs, whatever the highest grade turns out to be
        return self.total(self.view(as_cells(run)), top=1)

    def weights(self, depth: int) -> FloatArray:
        """Return the weights of the ranks to `depth` as floats."""
        return np.array([float(self.weight(rank)) for rank in range(1, depth + 1)])

    def gains(self, top: int) -> FloatArray:
        """Return the gains of the grades to `top` as floats."""
        return np.array([float(self.gain_at(grade, top)) for grade in range(top + 1)])

    def scalings(self, judged: JudgedRuns) -> FloatArray:
        """Return the divisor of every topic as floats."""
        return np.array([float(self.scaling(pool, judged.depth)) for pool in judged.pools])

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs."""
        sums = self.sums(judged.hits.select(1, self.cutoff), judged)
        scale = by_topic(self.scalings(judged), judged)
        return np.divide(sums, scale, out=np.zeros_like(sums), where=scale != 0)

    def spread(self, runs: TiedRuns) -> Spread | None:
        """Return the mean over all orders inside ties: every place of a group has its mean gain."""
        if not self.is_defined_by(Additive):
            return None
        gains = self.gains(max(map(self.top_grade, runs.judged.pools)))
        mean = runs.per_group(np.where(runs.cell > 0, gains[np.maximum(runs.cell, 0)], 0.0))
        weights = self.weights(int(runs.rank.max(initial=1)))
        sums = runs.per_run(weights[runs.rank - 1] * (mean / runs.size)[runs.group])
        scale = self.scalings(runs.judged)[runs.topic]
        return Spread(np.divide(sums, scale, out=np.zeros_like(sums), where=scale != 0))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        """Return the mean over all orders inside ties of one run, exactly."""
        scaling = self.scaling(pool, run.length)
        if scaling == 0:
            return Spread(Fraction(0))
        top = self.top_grade(pool)
        parts = []
        for group in run.groups:
            mean = sum((self.worth(cell, top) for cell in group.cells), Fraction(0)) / len(group.cells)
            parts += [(_weight(self, group.start + nth), mean * seen) for nth, seen in enumerate(group.seen, 1) if mean]
        return Spread(weighted_sum(parts) / scaling)  # type: ignore[operator]

    def sums(self, hits: Hits, judged: JudgedRuns) -> FloatArray:
        """Return the sums over the hits of every run."""
        deepest = int(hits.rank.max(initial=1))
        gains = self.gains(max(map(self.top_grade, judged.pools)))
        return gather(hits.row, self.weights(deepest)[hits.rank - 1] * gains[hits.grade], judged)


@lru_cache(maxsize=1 << 14)
def _weight(measure: Additive, rank: int) -> Fraction | InverseLogs:
    return measure.weight(rank)
