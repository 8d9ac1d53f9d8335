"""Relative precision: precision against the best that could be."""

from __future__ import annotations

from typing import Any, ClassVar

from measurand.exact import least, ratio
from measurand.measures.counting import Counting, Counts


class RelativePrecision(Counting):
    r"""Precision divided by the best precision that the recall base allows.

    .. math:: \frac{r}{\min(N, R)}

    Examples
    --------
    >>> RelativeP.of([1, 0, 0, 1], recall_base=3)
    Fraction(2, 3)

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "RelativeP"
    per_rank: ClassVar[bool] = True
    reference: ClassVar[str] = "BuckleyVoorhees2005"
    uses_recall_base: ClassVar[bool] = True
    rescaled: ClassVar[bool] = True

    def count(self, counts: Counts) -> Any:
        return ratio(counts.relevant, least(counts.ranks, counts.recall_base))


RelativeP = RelativePrecision()
