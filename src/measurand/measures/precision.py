"""Precision: the share of the ranks looked at that hold a relevant document."""

from __future__ import annotations

from typing import Any, ClassVar

from measurand.exact import ratio
from measurand.measures.counting import Counting, Counts


class Precision(Counting):
    r"""Share of the first `N` ranks that hold a relevant document.

    .. math:: \mathrm{P} = r / N

    `N` is the cutoff, or else the length of the judged runs; ranks where nothing stands count as not
    relevant.

    Examples
    --------
    >>> P.of([1, 0, 0, 1]), (P @ 5).of([1, 0])
    (Fraction(1, 2), Fraction(1, 5))

    See Also
    --------
    SetP : divides by the number of documents retrieved

    References
    ----------
    [VanRijsbergen1979]_
    """

    name: ClassVar[str] = "P"
    per_rank: ClassVar[bool] = True
    reference: ClassVar[str] = "VanRijsbergen1979"

    def count(self, counts: Counts) -> Any:
        return ratio(counts.relevant, counts.ranks)


P = Precision()
