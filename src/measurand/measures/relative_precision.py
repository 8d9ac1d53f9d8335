"""Relative precision: precision against the best that could be."""

from __future__ import annotations

from typing import Any, ClassVar

from measurand.exact import least, ratio
from measurand.measures.counting import Counting, Counts


class RelativePrecision(Counting):
    r"""Precision divided by the best precision that the recall base allows.

    .. math:: \frac{r}{\min(N, R)}

    This is the *capped recall* of BEIR, `R_cap@100`: recall in which no more than `N` documents are asked for.

    Examples
    --------
    >>> RelativeP.of([1, 0, 0, 1], recall_base=3)
    Fraction(2, 3)

    References
    ----------
    [BuckleyVoorhees2005]_, [Thakur2021]_
    """

    name: ClassVar[str] = "RelativeP"
    per_rank: ClassVar[bool] = True
    reference: ClassVar[str] = "BuckleyVoorhees2005"
    uses_recall_base: ClassVar[bool] = True
    rescaled: ClassVar[bool] = True

    def count(self, counts: Counts) -> Any:
        return ratio(counts.relevant, least(counts.ranks, counts.recall_base))


RelativeP = RelativePrecision()
