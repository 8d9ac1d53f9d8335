"""nDCG down to some ranks of a run, averaged: what decides where it is looked at."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.exact import Exact, InverseLogs, inverse_log, quotient, quotient_sum, weighted_sum
from measurand.judged import NOTHING, JudgedRuns, Pool
from measurand.measures.base import Grades
from measurand.measures.gains_by_rank import GainsByRank


@frozen(kw_only=True, repr=False)
class AveragedNDCG(GainsByRank):
    r"""The base of measures that are the mean of nDCG over several ranks.

    A member says at which ranks, once for one run (`ranks`) and once for all of a system (`weigh`).
    """

    respects_swap: ClassVar[bool] = True
    exactness: ClassVar[str] = "sums of quotients of inverse logarithms"

    @abstractmethod
    def ranks(self, gains: Sequence[Fraction], ideal: Sequence[Fraction], retrieved: int) -> list[int]:
        """Return the ranks over which nDCG is averaged, one as often as it counts.

        Parameters
        ----------
        gains
            The gains of the run, first rank first.
        ideal
            The gains of the ideal ranking.
        retrieved
            How many documents the run has.
        """

    @abstractmethod
    def weigh(self, gains: FloatArray, ideal: FloatArray, retrieved: IntArray) -> FloatArray:
        """Return how often each rank counts, topics × ranks.

        Parameters
        ----------
        gains
            The gains of the runs of a system, topics × ranks.
        ideal
            The gains of the ideal rankings.
        retrieved
            How many documents each run has.
        """

    def exact(self, run: Grades, pool: Pool) -> Exact:
        """Return the exact value of a run."""
        ideal, gains = self.ideal(pool), [self.gain_of_cell(cell) for cell in run]
        if not ideal:
            return Fraction(0)
        ranks = self.ranks(gains, ideal, sum(cell != NOTHING for cell in run))
        shares = {rank: quotient(_discounted(gains[:rank]), _discounted(ideal[:rank])) for rank in set(ranks)}
        return quotient_sum([shares[rank] * Fraction(ranks.count(rank), len(ranks)) for rank in set(ranks)])

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs."""
        ideal = self.ideal_table(judged)
        discounts = 1 / np.log2(np.arange(ideal.shape[1]) + 2)
        best = np.cumsum(ideal * discounts, axis=1)
        values = []
        retrieved = np.minimum(judged.lengths, self.reach(judged.depth))
        for gains, sizes in zip(self.gain_tables(judged), retrieved, strict=True):
            wide = np.pad(gains, ((0, 0), (0, ideal.shape[1] - gains.shape[1])))
            found = np.cumsum(wide * discounts, axis=1)
            weights = self.weigh(wide, ideal, sizes)
            shares = np.divide(found, best, out=np.zeros_like(found), where=best > 0)
            values.append((shares * weights).sum(axis=1) / np.maximum(1, weights.sum(axis=1)))
        return np.array(values).reshape(-1)


def _discounted(gains: Sequence[Fraction]) -> Fraction | InverseLogs:
    return weighted_sum([(inverse_log(rank + 1, 2), gain) for rank, gain in enumerate(gains, 1) if gain])
