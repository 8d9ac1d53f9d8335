"""G: gain, discounted by how far the run has fallen behind the ideal ranking."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from typing import ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.exact import Exact, inverse_log, weighted_sum
from measurand.judged import JudgedRuns, Pool
from measurand.measures.base import Grades
from measurand.measures.gains_by_rank import GainsByRank


@frozen(kw_only=True, repr=False)
class NormalisedGain(GainsByRank):
    r"""Gain of every rank, discounted by what the ideal ranking has gained more, as a share of all gain there is.

    .. math:: \mathrm{G} = \frac{1}{\sum_j g^*_j} \sum_i \frac{g_i}{\log_2 (2 + c_i - s_i)}

    :math:`g_i` is the gain at rank `i` and :math:`s_i` the sum of the gains down to it; the ideal ranking gains
    :math:`g^*_i`, and :math:`c_i` is the sum of :math:`\max(1, g^*_j)` down to rank `i`, so that ranks below the end
    of the ideal ranking cost 1. 0 for a topic without relevant documents.

    Examples
    --------
    >>> G.of([2, 0, 1], grade_counts=(1, 1, 1))
    InverseLogs(2/3 + 1/(3 log_2(3)))
    >>> G.value([0, 2, 1], grade_counts=(1, 1, 1))                                     # trec_eval prints 0.6309
    0.6309297535714574

    Notes
    -----
    An experiment of Chris Buckley's in trec_eval (2008), between average precision and nDCG. `@` cuts the run, not
    the ideal ranking, as trec_eval's option `-M` does.

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "G"
    exactness: ClassVar[str] = "sums of inverse logarithms"

    def exact(self, run: Grades, pool: Pool) -> Exact:
        ideal = self.ideal(pool)
        if not ideal:
            return Fraction(0)
        gains = [self.gain_of_cell(cell) for cell in run]
        least = [*ideal, *[Fraction(1)] * len(run)][: len(run)]
        costs = accumulate(max(Fraction(1), gain) for gain in least)
        # a run that holds more than the judgments do is never ahead of the ideal
        behind = [max(Fraction(0), cost - gained) for cost, gained in zip(costs, accumulate(gains), strict=True)]
        parts = [(inverse_log(2 + left, 2), gain) for left, gain in zip(behind, gains, strict=True) if gain]
        return weighted_sum(parts) / sum(ideal)

    def fast(self, judged: JudgedRuns) -> FloatArray:
        ideal = self.ideal_table(judged)
        costs = np.cumsum(np.maximum(1, ideal), axis=1)[:, : judged.depth]
        totals = ideal.sum(axis=1)
        values = []
        for gains in self.gain_tables(judged):
            behind = np.maximum(0, costs - np.cumsum(gains, axis=1))
            values.append((gains / np.log2(2 + behind)).sum(axis=1))
        sums = np.array(values)
        return np.asarray(np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0)).reshape(-1)


G = NormalisedGain()
