"""F: precision and recall in one number."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from attrs import field, frozen

from measurand.exact import beside, ratio, rational
from measurand.measures.counting import Counting, Counts
from measurand.measures.parameters import positive


@frozen(kw_only=True, repr=False)
class FMeasure(Counting):
    r"""Harmonic mean of precision and recall, recall weighing `beta` times as much.

    .. math:: \mathrm{F}_\beta = \frac{(1 + \beta^2)\, r}{\beta^2 R + N}

    The closed form also covers a run without relevant documents, where the harmonic mean has none.

    Parameters
    ----------
    beta
        How much more recall weighs than precision.

    Examples
    --------
    >>> F.of([1, 0, 0, 1], recall_base=4), F(beta=2).of([1, 0, 0, 0, 0], recall_base=4)
    (Fraction(1, 2), Fraction(5, 21))

    See Also
    --------
    SetF : divides by the number of documents retrieved

    References
    ----------
    [VanRijsbergen1979]_
    """

    name: ClassVar[str] = "F"
    per_rank: ClassVar[bool] = True
    reference: ClassVar[str] = "VanRijsbergen1979"
    uses_recall_base: ClassVar[bool] = True
    rescaled: ClassVar[bool] = True

    beta: Fraction = field(default=Fraction(1), converter=rational, validator=positive)

    def count(self, counts: Counts) -> Any:
        return self.combine(counts, counts.ranks)

    def combine(self, counts: Counts, ranks: Any) -> Any:
        """Return F where precision is taken over `ranks`."""
        weight = beside(counts.relevant, self.beta**2)
        return ratio((1 + weight) * counts.relevant, weight * counts.recall_base + ranks)


F = FMeasure()
