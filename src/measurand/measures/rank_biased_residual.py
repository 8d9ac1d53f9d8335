"""The residual of rank-biased precision: how much higher it could be, for all that is known."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.exact import Exact, rational
from measurand.judged import JudgedRuns, Pool
from measurand.measures.base import Grades, Measure
from measurand.measures.parameters import inside


@frozen(kw_only=True, repr=False)
class RankBiasedPrecisionResidual(Measure):
    r"""Weight under rank-biased precision of the ranks at which no judged document stands.

    .. math:: \mathrm{RBPResidual} = (1 - p) \sum_{i : r_i \text{ not judged}} p^{i-1}

    If all documents that are not judged had the highest grade, RBP would be so much higher: those of the run, and
    those that would follow beyond its end. With a cutoff the ranks down to it count, wherever the run ends.

    Parameters
    ----------
    p
        The persistence of the reader: the probability of going on to the next rank.

    Examples
    --------
    >>> RBPResidual(p="1/2").of([1, -1, 0]), (RBPResidual(p="1/2") @ 3).of([1, -1, 0])
    (Fraction(3, 8), Fraction(1, 4))

    Notes
    -----
    trec_eval's `rbp_resid` leaves out what would follow the end of a run all of whose documents are judged.

    See Also
    --------
    RBP : what it is the residual of

    References
    ----------
    [MoffatZobel2008]_
    """

    name: ClassVar[str] = "RBPResidual"
    reference: ClassVar[str] = "MoffatZobel2008"
    shown: ClassVar[tuple[str, ...]] = ("p",)
    scores_relevance: ClassVar[bool] = False
    about_judgments: ClassVar[bool] = True

    p: Fraction = field(default=Fraction(4, 5), converter=rational, validator=inside(0, 1))

    def exact(self, run: Grades, pool: Pool) -> Exact:
        known = sum((self.p ** (rank - 1) for rank, cell in enumerate(run, 1) if cell >= 0), Fraction(0))
        return self._all - (1 - self.p) * known

    @property
    def _all(self) -> Fraction:
        """The weight of all ranks, or of those down to the cutoff."""
        return Fraction(1) if self.cutoff is None else 1 - self.p**self.cutoff

    def fast(self, judged: JudgedRuns) -> FloatArray:
        ranks = self.reach(judged.depth)
        weights = float(1 - self.p) * float(self.p) ** np.arange(ranks)
        known = np.where(judged.first(ranks) >= 0, weights, 0.0).sum(axis=2)
        return np.asarray(float(self._all) - known, dtype=np.float64).reshape(-1)


RBPResidual = RankBiasedPrecisionResidual()
