"""INST: a reader who wants a certain amount and adapts on the way."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.exact import Exact, rational
from measurand.judged import JudgedRuns, Pool
from measurand.measures.base import Graded, Grades
from measurand.measures.parameters import positive

HORIZON = 1000

CHUNK = 256
"""How many runs are scored at a time."""


@frozen(kw_only=True, repr=False)
class Inst(Graded):
    r"""Rate of gain of a reader who expects `T` units of gain and goes on less as they come in.

    .. math:: \mathrm{INST} = \frac{\sum_i g_i V_i}{\sum_i V_i}, \qquad V_1 = 1, \qquad
        V_{i+1} = V_i \left( \frac{i + T + T_i - 1}{i + T + T_i} \right)^2, \qquad T_i = T - \sum_{k \le i} g_k

    The gain is the grade divided by the highest. The reader never goes beyond rank 1000 (or the cutoff),
    so that the sums are finite and the value rational.

    Parameters
    ----------
    T
        How much gain the reader expects.
    gmax
        The highest grade of the scale; by default the highest in all the judgments.

    Examples
    --------
    >>> (INST(T=1) @ 2).of([1, 0])
    Fraction(4, 5)

    References
    ----------
    [Moffat2015]_
    """

    name: ClassVar[str] = "INST"
    reference: ClassVar[str] = "Moffat2015"
    tells_unjudged: ClassVar[bool] = False

    T: Fraction = field(default=Fraction(1), converter=rational, validator=positive)

    def exact(self, run: Grades, pool: Pool) -> Exact:
        horizon = self.cutoff or HORIZON
        # gains as whole numbers of one size, top being the highest
        scale = 1 if self.relevance is None else lcm(*(grade.denominator for grade in self.relevance.grades))
        top = int(self.worth(self.top_grade(pool)) * scale)
        unit, expected = top * self.T.denominator, 2 * top * self.T.numerator
        # whole numbers, cancelled once at the end: all that is seen over one denominator, which is left out
        views, seen, gained, looked = 1, 0, 0, 0
        for rank, cell in enumerate(run[:horizon], 1):
            gain = int(self.worth(cell) * scale) if cell > 0 else 0
            seen, gained, looked = seen + gain, gained + gain * views, looked + views
            reach = rank * unit + expected - seen * self.T.denominator
            views, gained, looked = views * (reach - unit) ** 2, gained * reach**2, looked * reach**2
        # beyond the run nothing is gained and the views telescope
        length = min(len(run), horizon)
        start = Fraction(length * unit + expected - seen * self.T.denominator, unit)
        rest = start**2 * _inverse_squares(start, horizon - length)
        return Fraction(gained * rest.denominator, top * (looked * rest.denominator + views * rest.numerator))

    def fast(self, judged: JudgedRuns) -> FloatArray:
        horizon = self.cutoff or HORIZON
        ranks = np.arange(1, horizon + 1)
        top = self.top_in(judged)
        shares = np.array([float(worth) for worth in self.worths(top)]) / float(self.worth(top))
        rows = judged.cells.reshape(-1, judged.depth)[:, :horizon]
        values = np.empty(len(rows))
        for start in range(0, len(rows), CHUNK):
            shown = rows[start : start + CHUNK]
            gains = np.zeros((len(shown), horizon))
            gains[:, : shown.shape[1]] = shares[np.maximum(shown, 0)]
            reach = ranks + 2 * float(self.T) - np.cumsum(gains, axis=1)
            views = np.cumprod(((reach - 1) / reach) ** 2, axis=1)
            views = np.concatenate((np.ones((len(views), 1)), views[:, :-1]), axis=1)
            values[start : start + CHUNK] = (gains * views).sum(axis=1) / views.sum(axis=1)
        return values


@lru_cache(maxsize=4096)
def _inverse_squares(start: Fraction, count: int) -> Fraction:
    """Return the sum of 1/x² over `count` numbers x from `start` on."""
    above, below = start.numerator, start.denominator

    def halves(first: int, last: int) -> tuple[int, int]:
        # whole numbers in halves, cancelled once at the end
        if last - first == 1:
            return below**2, (above + first * below) ** 2
        middle = (first + last) // 2
        (p, q), (r, s) = halves(first, middle), halves(middle, last)
        return p * s + r * q, q * s

    return Fraction(*halves(0, count)) if count else Fraction(0)


INST = Inst()
