"""Recall: the share of the relevant documents that were found."""

from __future__ import annotations

from typing import Any, ClassVar

from measurand.exact import ratio
from measurand.measures.counting import Counting, Counts


class Recall(Counting):
    r"""Share of the topic's relevant documents that stand within the ranks looked at.

    .. math:: \mathrm{R} = r / R

    0 for a topic without relevant documents.

    Examples
    --------
    >>> R.of([1, 0, 0, 1], recall_base=4)
    Fraction(1, 2)

    References
    ----------
    [VanRijsbergen1979]_
    """

    name: ClassVar[str] = "R"
    reference: ClassVar[str] = "VanRijsbergen1979"
    uses_recall_base: ClassVar[bool] = True
    rescaled: ClassVar[bool] = True

    def count(self, counts: Counts) -> Any:
        return ratio(counts.relevant, counts.recall_base)


R = Recall()
