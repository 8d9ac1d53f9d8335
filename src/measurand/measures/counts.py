"""Plain counts, which are summed over topics."""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import field, frozen

from measurand.measures.counting import Counting, Counts
from measurand.measures.parameters import Threshold, read_threshold, threshold
from measurand.scores import Aggregation


class _Number(Counting):
    """A count, summed over topics."""

    reference: ClassVar[str] = "BuckleyVoorhees2005"
    bounds: ClassVar[tuple[int | None, int | None]] = (0, None)
    aggregation: ClassVar[Aggregation] = Aggregation.SUM


class NumberOfTopics(_Number):
    """Number of topics: 1 for each.

    Examples
    --------
    >>> NumQ.of([0, 1])
    Fraction(1, 1)

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "NumQ"
    bounds: ClassVar[tuple[int | None, int | None]] = (0, 1)

    def count(self, counts: Counts) -> Any:
        return 1


@frozen(kw_only=True, repr=False)
class NumberRetrieved(_Number):
    """Number of documents retrieved; given `rel`, of those that are relevant.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant, if relevant documents are to be counted.

    Examples
    --------
    >>> NumRet.of([0, 1, -1, -2]), NumRet(rel=1).of([0, 1, -1, -2])
    (Fraction(3, 1), Fraction(1, 1))

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "NumRet"

    rel: Threshold | None = field(  # type: ignore[assignment]
        default=None, converter=read_threshold, validator=threshold(optional=True)
    )

    def count(self, counts: Counts) -> Any:
        return counts.retrieved if self.rel is None else counts.relevant


class NumberRelevant(_Number):
    """Number of relevant documents of the topic: the recall base.

    Examples
    --------
    >>> NumRel.of([0, 1], recall_base=7)
    Fraction(7, 1)

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "NumRel"
    uses_recall_base: ClassVar[bool] = True

    def count(self, counts: Counts) -> Any:
        return counts.recall_base


class NumberRelevantRetrieved(_Number):
    """Number of relevant documents retrieved.

    Examples
    --------
    >>> NumRelRet.of([0, 1, 2])
    Fraction(2, 1)

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "NumRelRet"

    def count(self, counts: Counts) -> Any:
        return counts.relevant


class NumberNonrelevantRetrieved(_Number):
    """Number of documents retrieved that were judged not relevant.

    Examples
    --------
    >>> NumNonrelRet.of([0, 1, -1, 0])
    Fraction(2, 1)

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "NumNonrelRet"
    tells_unjudged: ClassVar[bool] = True

    def count(self, counts: Counts) -> Any:
        return counts.judged - counts.relevant


NumQ = NumberOfTopics()
NumRet = NumberRetrieved()
NumRel = NumberRelevant()
NumRelRet = NumberRelevantRetrieved()
NumNonrelRet = NumberNonrelevantRetrieved()
