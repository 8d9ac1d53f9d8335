"""Cascade measures: a reader goes down the list and stops at a document with a probability."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from itertools import pairwise

import numpy as np

from measurand.arrays import FloatArray
from measurand.exact import Exact
from measurand.judged import Hits, JudgedRuns, Pool
from measurand.measures.base import Graded, Grades

DIGITS = 200
"""Values of grades that are no whole numbers are taken to so many binary digits."""


class Cascade(Graded):
    r"""The family of measures :math:`\sum_i u_i\, x_i \prod_{k<i} (1 - x_k)`.

    A member writes `stop`, the probability :math:`x` of stopping at a grade, and `utility`, the worth
    :math:`u` of stopping at a rank.
    """

    @property
    def tells_unjudged(self) -> bool:
        """Nobody stops at documents without judgment, as at those judged not relevant."""
        return False

    @abstractmethod
    def stop(self, grade: int, top: int) -> Fraction:
        """Return the exact probability of stopping at a document of a grade.

        Parameters
        ----------
        grade
            The grade.
        top
            The highest grade there is.
        """

    @abstractmethod
    def utility(self, rank: int) -> Fraction:
        """Return the exact worth of stopping at a rank.

        Parameters
        ----------
        rank
            The rank, from 1.
        """

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "cascade"

    def total(self, run: Grades, top: int) -> Fraction:
        """Return the exact expected utility of a run."""
        expected, going_on = Fraction(0), Fraction(1)
        for rank, grade in enumerate(run, 1):
            if grade > 0:
                stopping = self.stop(grade, top)
                expected += self.utility(rank) * stopping * going_on
                going_on *= 1 - stopping
        return self.rounded(expected)

    def rounded(self, value: Fraction) -> Fraction:
        """Return a value as it is, or to 200 binary digits if some grades are fractions.

        Powers of 2 of fractions are taken to 256 digits, so that products of them tie where those of the powers do.

        Parameters
        ----------
        value
            The value.
        """
        if self.relevance is None or self.relevance.is_whole:
            return value
        return Fraction(round(value * (1 << DIGITS)), 1 << DIGITS)

    def exact(self, run: Grades, pool: Pool) -> Exact:
        """Return the exact value of a run."""
        return self.total(run, self.top_grade(pool))

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs."""
        hits = judged.hits.select(1, self.cutoff)
        return self.totals(hits, len(judged.systems) * len(judged.topics), self.top_in(judged))

    def totals(self, hits: Hits, rows: int, top: int) -> FloatArray:
        """Return the expected utility of each of `rows` runs, taking every run's first hit, then every second."""
        found, which = np.unique(hits.grade, return_inverse=True)
        stops = np.array([float(self.stop(grade, top)) for grade in found.tolist()])[which]
        worths = np.array([float(self.utility(rank)) for rank in range(1, int(hits.rank.max(initial=1)) + 1)])
        parts = worths[hits.rank - 1] * stops
        order = np.argsort(hits.ordinal, kind="stable")
        ends = np.cumsum(np.bincount(hits.ordinal))
        expected, going_on = np.zeros(rows), np.ones(rows)
        for start, end in pairwise(ends.tolist()):
            now = order[start:end]
            row = hits.row[now]
            expected[row] += parts[now] * going_on[row]
            going_on[row] *= 1 - stops[now]
        return expected
