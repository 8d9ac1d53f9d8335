"""Additive measures: every rank has a weight, every grade a gain, and a run the sum of the products."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import FloatArray
from measurand.judged import Hits, JudgedRuns, Pool, as_cells
from measurand.judged.hits import by_topic, gather
from measurand.measures.base import Grades, Measure

if TYPE_CHECKING:
    from measurand.exact import Exact, InverseLogs


class Additive(Measure):
    r"""The family of measures :math:`\sum_i w_i\, g(r_i) / n`.

    A member writes `weight` (of a rank) and `gain_at` (of a grade); `scaling` is the divisor `n`, which
    may depend on the topic but not on the run.
    """

    __slots__ = ()

    @property
    def tells_unjudged(self) -> bool:
        """Documents without judgment gain nothing, as those judged not relevant."""
        return False

    @abstractmethod
    def weight(self, rank: int) -> Fraction | InverseLogs:
        """Return the exact weight of a rank, counted from 1.

        Parameters
        ----------
        rank
            The rank.
        """

    @abstractmethod
    def gain_at(self, grade: int, top: int) -> Fraction:
        """Return the exact gain of a grade, where `top` is the highest grade there is.

        Parameters
        ----------
        grade
            The grade.
        top
            The highest grade.
        """

    def scaling(self, pool: Pool, length: int) -> Exact:
        """Return what the sum is divided by, for runs of a length.

        Parameters
        ----------
        pool
            What the judgments of the topic hold.
        length
            How many ranks the runs have.
        """
        return Fraction(1)

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "additive"

    def total(self, run: Grades, top: int) -> Fraction | InverseLogs:
        """Return the exact sum before scaling."""
        weights, worth = _weights_of(self), _Gains(self, top)
        gains = ((rank, worth[grade]) for rank, grade in enumerate(run, 1) if grade > 0)
        from measurand.exact.logarithms import weighted_sum  # plain scores do without

        return weighted_sum([(weights[rank], gain) for rank, gain in gains if gain])

    def exact(self, run: Grades, pool: Pool) -> Exact:
        """Return the exact value of a run."""
        return self.level(run, pool) / self.unit(pool, len(run))  # type: ignore[operator]

    def level(self, run: Grades, pool: Pool) -> Exact:
        """Return the exact sum before scaling, 0 where there is nothing to scale by."""
        return self.total(run, self.top_grade(pool)) if self.scaling(pool, len(run)) != 0 else Fraction(0)

    def unit(self, pool: Pool, length: int) -> Exact:
        """Return what the sum is divided by, which is never 0."""
        scaling = self.scaling(pool, length)
        return scaling if scaling != 0 else Fraction(1)

    def key(self, run: Sequence[int]) -> Exact:
        """Return the exact sum before scaling, which decides ties whatever the topic."""
        # one scale of gains for all runs, whatever the highest grade turns out to be
        return self.total(self.view(as_cells(run)), top=1)

    def weights(self, depth: int) -> FloatArray:
        """Return the weights of the ranks to `depth` as floats."""
        return np.array([float(self.weight(rank)) for rank in range(1, depth + 1)])

    def gains(self, top: int) -> FloatArray:
        """Return the gains of the grades to `top` as floats."""
        return _float_gains(self, top)

    def scalings(self, judged: JudgedRuns) -> FloatArray:
        """Return the divisor of every topic as floats."""
        # topics with as many documents of every grade share it, as all topics of a simulation may
        known = {pool: float(self.scaling(pool, judged.depth)) for pool in set(judged.pools)}
        return np.array([known[pool] for pool in judged.pools])

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs."""
        sums = self.sums(judged.hits.select(1, self.cutoff), judged)
        scale = by_topic(self.scalings(judged), judged)
        return np.divide(sums, scale, out=np.zeros_like(sums), where=scale != 0)

    def sums(self, hits: Hits, judged: JudgedRuns) -> FloatArray:
        """Return the sums over the hits of every run."""
        deepest = int(hits.rank.max(initial=1))
        gains = self.gains(self.top_in(judged))
        return gather(hits.row, self.weights(deepest)[hits.rank - 1] * gains[hits.grade], judged)


class _Weights(dict[int, "Fraction | InverseLogs"]):
    """The exact weights of the ranks that were asked for."""

    def __init__(self, measure: Additive) -> None:
        super().__init__()
        self._measure = measure

    def __missing__(self, rank: int) -> Fraction | InverseLogs:
        self[rank] = weight = self._measure.weight(rank)
        return weight


class _Gains(dict[int, Fraction]):
    """The exact gains of the grades that were asked for."""

    def __init__(self, measure: Additive, top: int) -> None:
        super().__init__()
        self._measure, self._top = measure, top

    def __missing__(self, grade: int) -> Fraction:
        self[grade] = gain = self._measure.gain_at(grade, self._top)
        return gain


@lru_cache(maxsize=64)
def _weights_of(measure: Additive) -> _Weights:
    """Return the weights of a measure, remembered: finding them by the measure once for a run, not for every rank."""
    return _Weights(measure)


@lru_cache(maxsize=64)
def _float_gains(measure: Additive, top: int) -> FloatArray:
    """Return the gains of the grades to `top`, remembered: there may be thousands of grades."""
    gains = np.array([float(measure.gain_at(grade, top)) for grade in range(top + 1)])
    gains.setflags(write=False)
    return gains


def cached_weight(measure: Additive, rank: int) -> Fraction | InverseLogs:
    """Return the exact weight of a rank, remembered."""
    return _weights_of(measure)[rank]


def gains_of_grades(measure: Additive, grades: int, pool: Pool) -> list[Fraction]:
    """Return the gains of the grades that an additive measure distinguishes, of so many that there are.

    Parameters
    ----------
    measure
        The measure.
    grades
        How many grades there are, 0 included.
    pool
        The topic, with the highest grade there is.
    """
    top = measure.top_grade(pool)
    return [Fraction(0), *(measure.gain_at(level, top) for level in measure.levels_of_relevance(grades)[1:])]
