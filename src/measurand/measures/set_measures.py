"""Precision and F of a result as a set: over the documents retrieved, however many there are."""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import field, frozen

from measurand.exact import least, ratio
from measurand.judged import JudgedRuns
from measurand.measures.counting import Counting, Counts
from measurand.measures.f_measure import FMeasure
from measurand.measures.parameters import truth


@frozen(kw_only=True, repr=False)
class SetPrecision(Counting):
    r"""Share of the retrieved documents that are relevant.

    .. math:: \mathrm{SetP} = r / n \qquad\text{or, relative,}\qquad r / \min(n, R)

    0 for an empty result.

    Parameters
    ----------
    relative
        Whether to divide by the most relevant documents that so many documents can hold, given the recall base.

    Examples
    --------
    >>> SetP.of([1, 0, 1, -2, -2]), SetP(relative=True).of([1, 0, 1, -2, -2], recall_base=2)
    (Fraction(2, 3), Fraction(1, 1))

    Notes
    -----
    `SetP(relative=True)` is `set_relative_P` of trec_eval. RelativeP divides by the number of ranks instead of that of
    documents.

    References
    ----------
    [VanRijsbergen1979]_, [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "SetP"
    reference: ClassVar[str] = "VanRijsbergen1979"

    relative: bool = field(default=False, validator=truth)

    @property
    def uses_recall_base(self) -> bool:
        """Where it is relative, the recall base limits what can be had."""
        return self.relative

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return whether results differ in size: every size has a spacing of its own."""
        low, high = judged.lengths.min(), judged.lengths.max()
        return f"results differ in size, from {low} to {high}" if low < high else Counting.own_scales(self, judged)

    def count(self, counts: Counts) -> Any:
        most = least(counts.retrieved, counts.recall_base) if self.relative else counts.retrieved
        return ratio(counts.relevant, most)


class SetFMeasure(FMeasure):
    r"""F of the retrieved documents as a set.

    .. math:: \mathrm{SetF}_\beta = \frac{(1 + \beta^2)\, r}{\beta^2 R + n}

    Examples
    --------
    >>> SetF.of([1, 0, 1, -2, -2], recall_base=5)
    Fraction(1, 2)

    Notes
    -----
    trec_eval's `set_F` takes its parameter for beta squared; the two agree at 1.

    References
    ----------
    [VanRijsbergen1979]_
    """

    name: ClassVar[str] = "SetF"
    per_rank: ClassVar[bool] = False

    def count(self, counts: Counts) -> Any:
        return self.combine(counts, counts.retrieved)


class SetAveragePrecision(Counting):
    r"""Average precision of a result as a set: precision times recall.

    .. math:: \mathrm{SetAP} = \frac{r}{n} \cdot \frac{r}{R}

    Examples
    --------
    >>> SetAP.of([1, 0, 1, -2, -2], recall_base=4)
    Fraction(1, 3)

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "SetAP"
    reference: ClassVar[str] = "BuckleyVoorhees2005"
    uses_recall_base: ClassVar[bool] = True

    def count(self, counts: Counts) -> Any:
        return ratio(counts.relevant, counts.retrieved) * ratio(counts.relevant, counts.recall_base)


SetP = SetPrecision()
SetF = SetFMeasure()
SetAP = SetAveragePrecision()
