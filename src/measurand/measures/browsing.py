"""Browsing measures (C/W/L): a reader goes down the list, and goes on from every rank with a probability."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from measurand.arrays import FloatArray
from measurand.errors import ParameterError
from measurand.exact import Exact
from measurand.judged import JudgedRuns, Pool
from measurand.measures.base import Grades, Measure
from measurand.measures.scaled_gains import ScaledGains, ScaledGrades

HORIZON = 1000
"""Readers who would go on for ever go no further than this rank, so that sums are finite and values rational."""

CHUNK = 256
"""How many runs are scored at a time."""

FARTHEST = 10_000
"""The deepest cutoff of a measure that adds up what readers look at beyond the run, rank after rank."""


def horizon(measure: Measure) -> int:
    """Return the last rank that any reader comes to: the cutoff, to 10,000, or rank 1000.

    Parameters
    ----------
    measure
        The measure.
    """
    if (measure.cutoff or 0) > FARTHEST:
        raise ParameterError(
            f"{measure.name}: the cutoff must be at most {FARTHEST:,}, not {measure.cutoff:,}; all ranks down to it"
            " count, beyond the end of a run, too"
        )
    return measure.cutoff or HORIZON


class Browsing(ScaledGrades):
    r"""The family of measures :math:`\sum_i V_i\, g_i / \sum_i V_i` with :math:`V_1 = 1` and :math:`V_{i+1} = C_i V_i`.

    That is the gain per document that the reader looks at. A member writes `going_on`, the probability :math:`C_i` of
    going on from rank `i` to the next, in arithmetic that holds for exact numbers and for arrays alike, and may write
    `rest` where the sum beyond the end of a run is known. Where that does not depend on what the run gained, it says so
    (`forgets`), and ranks beyond the runs need not be looked at one by one.
    """

    forgets: ClassVar[bool] = False

    @property
    def tells_unjudged(self) -> bool:
        """Documents without judgment gain nothing, as those judged not relevant."""
        return False

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "browsing (C/W/L)"

    @abstractmethod
    def going_on(self, rank: Any, gain: Any, seen: Any) -> Any:
        """Return the probability of going on from a rank to the next.

        Parameters
        ----------
        rank
            The rank, from 1; an array for many.
        gain
            The gain at that rank, from 0 to 1.
        seen
            The sum of the gains down to that rank, which is included.
        """

    def gain_at(self, grade: int, top: int) -> Fraction:
        """Return the gain of a grade, from 0 to 1, where `top` is the highest grade there is.

        Parameters
        ----------
        grade
            The grade.
        top
            The highest grade.
        """
        return Fraction(self.worth(grade)) / self.worth(top)

    def last(self, length: int) -> int:
        """Return the last rank that any reader comes to.

        Parameters
        ----------
        length
            How many ranks runs have.
        """
        return horizon(self)

    def rest(self, length: int, seen: Fraction, count: int) -> Fraction:
        """Return how many of the next ranks are looked at on average, by a reader who comes to the first of them.

        Parameters
        ----------
        length
            How many ranks were passed.
        seen
            What they gained; the others gain nothing.
        count
            How many ranks follow.
        """
        views, looked = Fraction(1), Fraction(0)
        for rank in range(length + 1, length + count + 1):
            looked += views
            views *= self.going_on(Fraction(rank), Fraction(0), seen)
            if not views:
                break
        return looked

    def exact(self, run: Grades, pool: Pool) -> Exact:
        """Return the exact value of a run."""
        top, last = self.top_grade(pool), self.last(len(run))
        worth = {cell: self.gain_at(max(0, cell), top) for cell in set(run)}
        views, seen, gained, looked = Fraction(1), Fraction(0), Fraction(0), Fraction(0)
        for rank, cell in enumerate(run[:last], 1):
            gain = worth[cell]
            seen, gained, looked = seen + gain, gained + gain * views, looked + views
            views *= self.going_on(Fraction(rank), gain, seen)
            if not views:
                break
        beyond = last - len(run)
        if views and beyond > 0:
            looked += views * self.rest(len(run), seen, beyond)
        return gained / looked if looked else Fraction(0)

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs."""
        last = self.last(judged.depth)
        looked_at = min(last, judged.depth) if self.forgets else last
        rest = float(self.rest(looked_at, Fraction(0), last - looked_at)) if looked_at < last else 0.0
        ranks, top = np.arange(1, looked_at + 1), self.top_in(judged)
        worth = np.array([float(self.gain_at(grade, top)) for grade in range(top + 1)])
        rows = judged.cells.reshape(-1, judged.depth)[:, :looked_at]
        values = np.empty(len(rows))
        for start in range(0, len(rows), CHUNK):
            shown = rows[start : start + CHUNK]
            gains = np.zeros((len(shown), looked_at))
            gains[:, : shown.shape[1]] = worth[np.maximum(shown, 0)]
            going_on = self.going_on(ranks, gains, np.cumsum(gains, axis=1))
            views = np.concatenate((np.ones((len(shown), 1)), np.cumprod(going_on, axis=1)), axis=1)
            looked = views[:, :-1].sum(axis=1) + rest * views[:, -1]
            values[start : start + CHUNK] = (gains * views[:, :-1]).sum(axis=1) / looked
        return values


class BrowsingGains(ScaledGains, Browsing):
    """Browsing measures of any gain."""


@lru_cache(maxsize=4096)
def inverse_powers(start: Fraction, count: int, power: int) -> Fraction:
    """Return the sum of 1 / x to a power, over `count` numbers x from `start` on, each one more than the last.

    Examples
    --------
    >>> inverse_powers(Fraction(1), 3, 2)
    Fraction(49, 36)
    """
    above, below = start.numerator, start.denominator

    def halves(first: int, last: int) -> tuple[int, int]:
        # whole numbers in halves, cancelled once at the end
        if last - first == 1:
            return below**power, (above + first * below) ** power
        middle = (first + last) // 2
        (p, q), (r, s) = halves(first, middle), halves(middle, last)
        return p * s + r * q, q * s

    return Fraction(*halves(0, count)) if count else Fraction(0)
