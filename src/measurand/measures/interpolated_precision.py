"""Interpolated precision: the best precision at a recall or beyond it."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.exact import Exact, rational
from measurand.judged import JudgedRuns, Pool
from measurand.measures.base import Binary, Grades
from measurand.measures.parameters import within


@frozen(kw_only=True, repr=False)
class InterpolatedPrecision(Binary):
    r"""Highest precision at any rank where a share `recall` of the relevant documents has been seen.

    .. math:: \mathrm{IPrec}@\rho = \max \{ C_i / i : C_i \ge \lfloor \rho R + 1/2 \rfloor \}

    0 if so many are never seen. Which number of documents stands for a recall is trec_eval 10's rule.

    Parameters
    ----------
    recall
        The share of the relevant documents that must have been seen.

    Examples
    --------
    >>> (IPrec @ 0.5).of([0, 1, 1, 0], recall_base=4), (IPrec @ 1).of([0, 1, 1, 0], recall_base=4)
    (Fraction(2, 3), Fraction(0, 1))

    Notes
    -----
    Before version 10, trec_eval added 0.9 instead of 1/2, in floating point.

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "IPrec"
    reference: ClassVar[str] = "BuckleyVoorhees2005"
    at: ClassVar[str] = "recall"
    respects_swap: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False
    shown: ClassVar[tuple[str, ...]] = ("recall",)

    recall: Fraction = field(default=Fraction(0), converter=rational, validator=within(0, 1))

    @property
    def uses_recall_base(self) -> bool:
        """At recall 0, the best precision anywhere, the recall base plays no part."""
        return self.recall > 0

    def needed(self, pool: Pool) -> int:
        """Return how many relevant documents must have been seen."""
        return floor(self.recall * pool.recall_base(self.lowest) + Fraction(1, 2))

    def exact(self, run: Grades, pool: Pool) -> Exact:
        needed = self.needed(pool)
        ranks = [rank for rank, cell in enumerate(run, 1) if self.relevant(cell)]
        return max((Fraction(i, rank) for i, rank in enumerate(ranks, 1) if i >= needed), default=Fraction(0))

    def fast(self, judged: JudgedRuns) -> FloatArray:
        needed = np.array([self.needed(pool) for pool in judged.pools])
        hits = judged.hits.select(self.lowest, self.cutoff)
        reached = hits.ordinal >= needed[hits.row % len(judged.topics)]
        values = np.zeros(len(judged.systems) * len(judged.topics))
        np.maximum.at(values, hits.row[reached], hits.ordinal[reached] / hits.rank[reached])
        return values


IPrec = InterpolatedPrecision()
