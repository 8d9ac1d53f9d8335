"""INST: a reader who wants a certain amount and adapts on the way."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, ClassVar

from attrs import field, frozen

from measurand.exact import Exact, beside, rational
from measurand.judged import Pool
from measurand.measures.base import Grades
from measurand.measures.browsing import Browsing, inverse_powers
from measurand.measures.parameters import positive


@frozen(kw_only=True, repr=False)
class Inst(Browsing):
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

    T: Fraction = field(default=Fraction(1), converter=rational, validator=positive)

    def exact(self, run: Grades, pool: Pool) -> Exact:
        horizon = self.last(len(run))
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
        rest = start**2 * inverse_powers(start, horizon - length, 2)
        return Fraction(gained * rest.denominator, top * (looked * rest.denominator + views * rest.numerator))

    def going_on(self, rank: Any, gain: Any, seen: Any) -> Any:
        reach = rank + beside(seen, 2 * self.T) - seen
        return ((reach - 1) / reach) ** 2


INST = Inst()
