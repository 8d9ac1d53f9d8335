"""Reciprocal rank: how soon the first relevant document comes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from measurand.arrays import FloatArray
from measurand.judged import JudgedRuns, Pool
from measurand.measures.base import Binary, Grades

if TYPE_CHECKING:
    from measurand.exact import Exact


class ReciprocalRank(Binary):
    r"""One over the rank of the first relevant document, 0 if there is none.

    .. math:: \mathrm{RR} = 1 / \min\{i : r_i \text{ relevant}\}

    Examples
    --------
    >>> RR.of([0, 0, 1, 0]), RR.of([0, 0])
    (Fraction(1, 3), Fraction(0, 1))

    References
    ----------
    [KantorVoorhees2000]_
    """

    name: ClassVar[str] = "RR"
    reference: ClassVar[str] = "KantorVoorhees2000"
    respects_swap: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "first relevant rank"

    def exact(self, run: Grades, pool: Pool) -> Exact:
        ranks = (Fraction(1, rank) for rank, cell in enumerate(run, 1) if self.relevant(cell))
        return next(ranks, Fraction(0))

    def fast(self, judged: JudgedRuns) -> FloatArray:
        hits = judged.hits.select(self.lowest, self.cutoff)
        first = hits.where(hits.ordinal == 1)
        values = np.zeros(len(judged.systems) * len(judged.topics))
        values[first.row] = 1 / first.rank
        return values


RR = ReciprocalRank()
