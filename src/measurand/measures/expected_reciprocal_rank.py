"""Expected reciprocal rank: when a reader who is satisfied by a document stops."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from measurand.arrays import FloatArray
from measurand.exact import Exact, ratio
from measurand.judged import Hits, JudgedRuns, Pool
from measurand.judged.hits import by_topic
from measurand.measures.base import Grades
from measurand.measures.cascade import Cascade
from measurand.measures.parameters import power_of_two


class ExpectedReciprocalRank(Cascade):
    r"""Expected value of one over the rank at which a reader stops.

    .. math:: \mathrm{ERR} = \sum_i \frac{1}{i}\, x_i \prod_{k<i} (1 - x_k),
        \qquad x = \frac{2^g - 1}{2^{g_{\max}}}

    Examples
    --------
    >>> ERR.of([0, 1, 0, 1]), ERR(gmax=3).of([3, 0, 2])
    (Fraction(5, 16), Fraction(57, 64))

    Notes
    -----
    gdeval, which other tools call for ERR, fixes `gmax` at 4.

    References
    ----------
    [Chapelle2009]_
    """

    name: ClassVar[str] = "ERR"
    reference: ClassVar[str] = "Chapelle2009"
    respects_swap: ClassVar[bool] = True

    def stop(self, grade: int, top: int) -> Fraction:
        return (power_of_two(self.worth(grade)) - 1) / power_of_two(self.worth(top))

    def utility(self, rank: int) -> Fraction:
        return Fraction(1, rank)


class NormalisedExpectedReciprocalRank(ExpectedReciprocalRank):
    r"""Expected reciprocal rank as a share of that of the ideal ranking.

    .. math:: \mathrm{nERR} = \mathrm{ERR} / \mathrm{ERR}(\text{ideal})

    Examples
    --------
    >>> nERR.of([0, 1], recall_base=1)
    Fraction(1, 2)

    References
    ----------
    [Chapelle2009]_
    """

    name: ClassVar[str] = "nERR"
    uses_recall_base: ClassVar[bool] = True
    needs_grade_counts: ClassVar[bool] = True
    rescaled: ClassVar[bool] = True

    def exact(self, run: Grades, pool: Pool) -> Exact:
        top = self.top_grade(pool)
        return ratio(self.total(run, top), self.total(pool.ideal(self.cutoff), top))

    def fast(self, judged: JudgedRuns) -> FloatArray:
        return ratio(ExpectedReciprocalRank.fast(self, judged), by_topic(self.bests(judged), judged))

    def bests(self, judged: JudgedRuns) -> FloatArray:
        """Return the expected reciprocal rank of the ideal ranking of each topic."""
        ideals = [pool.ideal(self.cutoff) for pool in judged.pools]
        grade = np.array([grade for ideal in ideals for grade in ideal], dtype=np.int64)
        row = np.repeat(np.arange(len(ideals)), [len(ideal) for ideal in ideals])
        hits = Hits(row, np.ones_like(row), grade)
        return self.totals(Hits(row, hits.ordinal, grade), len(ideals), self.top_in(judged))


ERR = ExpectedReciprocalRank()
nERR = NormalisedExpectedReciprocalRank()
