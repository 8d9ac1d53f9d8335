"""Binary G: each relevant document counts less the more others stand above it."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.exact import Exact, inverse_log, ratio, weighted_sum
from measurand.judged import JudgedRuns, Pool
from measurand.judged.hits import by_topic, gather
from measurand.measures.base import Binary, Grades


@frozen(kw_only=True, repr=False)
class BinaryG(Binary):
    r"""Mean over the relevant documents of a discount by the other documents that stand above.

    .. math:: \mathrm{binG} = \frac{1}{R} \sum_{i : r_i \text{ relevant}} \frac{1}{\log_2 (2 + i - C_i)}

    :math:`C_i` relevant documents stand down to rank `i`, so that :math:`i - C_i` others are above it, whether judged
    or not. Relevant documents that were not retrieved count 0.

    Examples
    --------
    >>> binG.of([1, 0, 1, 0], recall_base=2)
    InverseLogs(1/2 + 1/(2 log_2(3)))
    >>> binG.value([1, 0, 1, 0], recall_base=2)                                        # trec_eval prints 0.8155
    0.8154648767857288

    Notes
    -----
    An experiment of Chris Buckley's in trec_eval (2008): G with two grades.

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "binG"
    reference: ClassVar[str] = "BuckleyVoorhees2005"
    uses_recall_base: ClassVar[bool] = True
    rescaled: ClassVar[bool] = True
    respects_swap: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False
    exactness: ClassVar[str] = "sums of inverse logarithms"

    def exact(self, run: Grades, pool: Pool) -> Exact:
        ranks = [rank for rank, cell in enumerate(run, 1) if self.relevant(cell)]
        parts = [(inverse_log(2 + rank - found, 2), 1) for found, rank in enumerate(ranks, 1)]
        recall_base = pool.recall_base(self.lowest)
        return weighted_sum(parts) / recall_base if recall_base else Fraction(0)

    def fast(self, judged: JudgedRuns) -> FloatArray:
        hits = judged.hits.select(self.lowest, self.cutoff)
        sums = gather(hits.row, 1 / np.log2(2 + hits.rank - hits.ordinal), judged)
        return ratio(sums, by_topic(judged.recall_bases(self.lowest), judged))


binG = BinaryG()
