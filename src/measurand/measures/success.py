"""Success: was there anything relevant at all."""

from __future__ import annotations

from typing import Any, ClassVar

from measurand.exact import least
from measurand.measures.counting import Counting, Counts


class SuccessRate(Counting):
    r"""1 if a relevant document stands within the ranks looked at, else 0.

    .. math:: \mathrm{Success} = [r > 0]

    Examples
    --------
    >>> (Success @ 2).of([0, 1, 0]), (Success @ 1).of([0, 1, 0])
    (Fraction(1, 1), Fraction(0, 1))

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "Success"
    reference: ClassVar[str] = "BuckleyVoorhees2005"

    def count(self, counts: Counts) -> Any:
        return least(counts.relevant, 1)


Success = SuccessRate()
