"""How much of a ranking was judged at all."""

from __future__ import annotations

from typing import Any, ClassVar

from measurand.exact import ratio
from measurand.measures.counting import Counting, Counts


class JudgedShare(Counting):
    r"""Share of the retrieved documents that were judged.

    Examples
    --------
    >>> (Judged @ 4).of([1, 0, -1, 0, -1]), (Judged @ 4).of([1, -1])
    (Fraction(3, 4), Fraction(1, 2))

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "Judged"
    reference: ClassVar[str] = "BuckleyVoorhees2005"
    tells_unjudged: ClassVar[bool] = True
    scores_relevance: ClassVar[bool] = False
    about_judgments: ClassVar[bool] = True

    def count(self, counts: Counts) -> Any:
        return ratio(counts.judged, counts.retrieved)


class UnjudgedShare(Counting):
    r"""Share of the ranks looked at that hold a document without judgment.

    Examples
    --------
    >>> (Unjudged @ 4).of([1, 0, -1, 0, -1]), (Unjudged @ 4).of([1, -1])
    (Fraction(1, 4), Fraction(1, 4))

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "Unjudged"
    per_rank: ClassVar[bool] = True
    reference: ClassVar[str] = "BuckleyVoorhees2005"
    tells_unjudged: ClassVar[bool] = True
    scores_relevance: ClassVar[bool] = False
    about_judgments: ClassVar[bool] = True

    def count(self, counts: Counts) -> Any:
        return ratio(counts.retrieved - counts.judged, counts.ranks)


Judged = JudgedShare()
Unjudged = UnjudgedShare()
