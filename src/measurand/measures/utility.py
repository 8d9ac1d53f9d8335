"""Utility: what documents that were retrieved, and others, are worth in all."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.exact import beside, rational
from measurand.judged import JudgedRuns
from measurand.measures.counting import Counting, Counts
from measurand.measures.parameters import MOST_DOCUMENTS, sized, whole


@frozen(kw_only=True, repr=False)
class LinearUtility(Counting):
    r"""Sum of what every document is worth, by whether it is relevant and whether it was retrieved.

    .. math:: \mathrm{Utility} = a\, r + b\, (n - r) + c\, (R - r) + d\, (N - n - R + r)

    Of the `N` documents of the collection `n` were retrieved, `r` of them relevant, of `R` relevant ones in all.
    Documents without judgment are not relevant.

    Parameters
    ----------
    found
        What a relevant document that was retrieved is worth (`a`).
    wrong
        What another document that was retrieved is worth (`b`).
    missed
        What a relevant document that was not retrieved is worth (`c`).
    avoided
        What another document that was not retrieved is worth (`d`).
    collection
        The number of documents in the collection (`N`), needed where `avoided` is not 0.

    Examples
    --------
    >>> Utility.of([1, 0, 0, 1, 0]), Utility(found=3, wrong=-2).of([1, 0, 0, 1, 0])       # TREC-8's measure LF1
    (Fraction(-1, 1), Fraction(0, 1))
    >>> Utility(missed=-1).of([1, 0, 0], recall_base=4)
    Fraction(-4, 1)

    Notes
    -----
    trec_eval's `utility` with its four parameters in this order: `utility.3,-2,0,0`. Without the size of the
    collection it takes 0 for that.

    References
    ----------
    [HullRobertson1999]_
    """

    name: ClassVar[str] = "Utility"
    reference: ClassVar[str] = "HullRobertson1999"
    bounds: ClassVar[tuple[int | None, int | None]] = (None, None)

    found: Fraction = field(default=Fraction(1), converter=rational, validator=sized)
    wrong: Fraction = field(default=Fraction(-1), converter=rational, validator=sized)
    missed: Fraction = field(default=Fraction(0), converter=rational, validator=sized)
    avoided: Fraction = field(default=Fraction(0), converter=rational, validator=sized)
    collection: int | None = field(default=None, validator=whole(1, optional=True, high=MOST_DOCUMENTS))

    @property
    def uses_recall_base(self) -> bool:
        """It plays a part unless all documents that were not retrieved are worth the same."""
        return self.missed != self.avoided

    @property
    def lower_is_better(self) -> bool:
        """Whether a relevant document in the place of another makes the sum smaller: then it is a cost."""
        return self.found - self.missed < self.wrong - self.avoided

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return nothing: a document is worth the same on every topic."""
        return ""

    def count(self, counts: Counts) -> Any:
        found, wrong, missed = (beside(counts.relevant, each) for each in (self.found, self.wrong, self.missed))
        unseen = counts.recall_base - counts.relevant
        return (
            found * counts.relevant
            + wrong * (counts.retrieved - counts.relevant)
            + missed * unseen
            + self._avoided(counts.relevant, counts.retrieved + unseen)
        )

    def _avoided(self, kind: Any, seen_or_relevant: Any) -> Any:
        """Return what the documents are worth that are neither retrieved nor relevant."""
        if not self.avoided:
            return 0
        if self.collection is None:
            raise ParameterError(
                f"{self!r} depends on the number of documents in the collection: add collection=…, or --collection-size"
            )
        return beside(kind, self.avoided) * (self.collection - seen_or_relevant)


Utility = LinearUtility()
