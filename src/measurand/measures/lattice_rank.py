"""The rank of a run in the order by replacement and swap, as a measure."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.errors import Caveat, CaveatKind
from measurand.exact import Exact
from measurand.judged import JudgedRuns, Pool
from measurand.measures.additive import Additive
from measurand.measures.base import Graded

HORIZON = 1000
"""Without a cutoff, runs are taken to have so many ranks."""


@frozen(kw_only=True, repr=False)
class RankInLattice(Additive, Graded):
    r"""How far up a run stands in the order by replacement and swap: 0 for the worst run, 1 for the best.

    .. math:: \mathrm{LatticeRank} = \frac{2}{N (N + 1)} \sum_{k \le N} (N + 1 - k)\, r_k / g_{\max}

    The sum is the number of steps that lead from the worst run to this one; with three grades or more they are steps of
    the completion of the order, where some of what lies between is no run. A step swaps a document with the next
    one, which is one grade worse, or raises the grade of the last document by one. So with a cutoff it is the one
    measure, up to unit and zero, that values every step of the order alike: `LatticeRank @ N` is the interval scale of
    the order on runs of N ranks. Without a cutoff N is 1000, and on runs of fewer ranks it is an ordinal scale.

    Parameters
    ----------
    gmax
        The highest grade there is; by default the highest in all the judgments.

    Examples
    --------
    >>> (LatticeRank @ 4).of([1, 0, 0, 1]), (LatticeRank @ 4).of([0, 1, 1, 0])
    (Fraction(1, 2), Fraction(1, 2))
    >>> (LatticeRank @ 2).of([0, 2], grades=3), (LatticeRank @ 2).of([1, 2], grades=3)
    (Fraction(1, 3), Fraction(2, 3))

    Notes
    -----
    It is a discounted cumulated gain with a linear discount, and the area under the curve of cumulated gain: the sum
    of the gains found down to rank 1, to rank 2, and so on. Its weights depend on the cutoff, so that LatticeRank@10
    of the first ten ranks is not LatticeRank@20 of them. With more than two grades the steps are those of the
    completion of the order, and grades count as numbers.

    References
    ----------
    [Giner2022]_, section 7; binary runs in this order are the poset M(n) of [Stanley1980]_, and this is its rank; ranks
    and valuations of distributive lattices: [Birkhoff1940]_, [Rota1971]_
    """

    name: ClassVar[str] = "LatticeRank"
    reference: ClassVar[str] = "Giner2022"
    respects_swap: ClassVar[bool] = True

    @property
    def ranks(self) -> int:
        """How many ranks runs are taken to have."""
        return self.cutoff or HORIZON

    def weight(self, rank: int) -> Fraction:
        return Fraction(max(0, self.ranks + 1 - rank))

    def weights(self, depth: int) -> FloatArray:
        return np.maximum(0.0, self.ranks - np.arange(depth, dtype=np.float64))

    def gain_at(self, grade: int, top: int) -> Fraction:
        return Fraction(grade, top)

    def scaling(self, pool: Pool, length: int) -> Exact:
        return Fraction(self.ranks * (self.ranks + 1), 2)

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        caveats = Additive._caveats(self, judged)
        if self.cutoff is not None:
            return caveats
        text = f"{self!r} has no cutoff and takes runs to have {HORIZON:,} ranks; say one, such as LatticeRank@10"
        return (*caveats, Caveat(CaveatKind.NO_CUTOFF, text))


LatticeRank = RankInLattice()
