"""Accuracy: how often a relevant document stands above one that is not."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from measurand.arrays import FloatArray
from measurand.exact import Exact
from measurand.judged import NOTHING, JudgedRuns, Pool
from measurand.judged.hits import gather
from measurand.measures.base import Binary, Grades


class PairwiseAccuracy(Binary):
    r"""Probability that a relevant document of the ranking stands above one that is not relevant.

    .. math:: \mathrm{Accuracy} = 1 - \frac{1}{r\,n} \sum_{d \text{ relevant}} n_d

    Of the documents in the ranking, down to the cutoff, `r` are relevant and `n` are not, documents without judgment
    included; :math:`n_d` of the latter stand above `d`. It is the area under the ROC curve of the ranking. What was not
    retrieved plays no part, so that it diagnoses how well a model sorts, not how good a result is: one more relevant
    document at the end lowers it.

    It is 0 where no relevant document was retrieved, and 1 where nothing else was. ir_measures leaves topics without
    relevant documents in the ranking out of the mean, and stops with an error where nothing else was retrieved.
    The `accuracy@5` of sentence-transformers and MTEB is another measure, `Success@5`.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.

    Examples
    --------
    >>> Accuracy.of([1, 0, 1, 0]), (Accuracy @ 3).of([1, 0, 1, 0])         # as ir_measures 0.4.3
    (Fraction(3, 4), Fraction(1, 2))

    References
    ----------
    [MacAvaney2022]_
    """

    name: ClassVar[str] = "Accuracy"
    reference: ClassVar[str] = "MacAvaney2022"
    tells_unjudged: ClassVar[bool] = False

    def exact(self, run: Grades, pool: Pool) -> Exact:
        relevant = wrong = above = 0
        for cell in run:
            if self.relevant(cell):
                relevant, above = relevant + 1, above + wrong
            else:
                wrong += cell != NOTHING
        if not relevant:
            return Fraction(0)
        return 1 - Fraction(above, relevant * wrong) if wrong else Fraction(1)

    def fast(self, judged: JudgedRuns) -> FloatArray:
        hits = judged.hits.select(self.lowest, self.cutoff)
        relevant = gather(hits.row, None, judged)
        wrong = np.minimum(judged.lengths.reshape(-1), self.reach(judged.depth)) - relevant
        above = gather(hits.row, (hits.rank - hits.ordinal).astype(np.float64), judged)
        pairs = relevant * wrong
        lost = np.divide(above, pairs, out=np.zeros_like(above), where=pairs > 0)
        return np.where(relevant > 0, 1 - lost, 0)


Accuracy = PairwiseAccuracy()
