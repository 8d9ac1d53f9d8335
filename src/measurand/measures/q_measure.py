"""Q: average precision that rewards high grades early."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from attrs import field, frozen

from measurand.exact import beside, ratio, rational
from measurand.measures.base import Graded
from measurand.measures.parameters import positive
from measurand.measures.relevant_ranks import RelevantRanks, Seen


@frozen(kw_only=True, repr=False)
class QMeasure(RelevantRanks, Graded):
    r"""Mean over the relevant documents of a precision that blends counts and cumulated gain.

    .. math:: \mathrm{Q} = \frac{1}{R} \sum_{i : r_i \text{ relevant}} \frac{C_i + \beta\, g_i}{i + \beta\, g^*_i}

    :math:`C_i` relevant documents stand down to rank `i` with cumulated gain :math:`g_i`, the grade
    being the gain, and :math:`g^*_i` is that of the ideal ranking.

    Parameters
    ----------
    beta
        How much cumulated gain weighs against counts.

    Examples
    --------
    >>> Q.of([2, 0, 1], grade_counts=(1, 1, 1))
    Fraction(11, 12)

    Notes
    -----
    `Q@k` divides by the whole recall base, as `AP@k` does.

    References
    ----------
    [Sakai2007]_
    """

    name: ClassVar[str] = "Q"
    reference: ClassVar[str] = "Sakai2007"
    uses_recall_base: ClassVar[bool] = True
    needs_grade_counts: ClassVar[bool] = True
    respects_swap: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False
    linear: ClassVar[bool] = True

    beta: Fraction = field(default=Fraction(1), converter=rational, validator=positive)

    def contribution(self, seen: Seen) -> Any:
        beta = beside(seen.gain, self.beta)
        return ratio(seen.relevant + beta * seen.gain, seen.rank + beta * seen.ideal_gain)


Q = QMeasure()
