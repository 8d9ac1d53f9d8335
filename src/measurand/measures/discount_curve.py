"""Discount curves that are written out: a weight for every rank, a gain for every grade."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

from attrs import field, frozen

from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.exact import rational
from measurand.judged import JudgedRuns
from measurand.measures.additive import Additive


def _numbers(values: Sequence[Any]) -> tuple[Fraction, ...]:
    numbers = tuple(map(rational, values))
    if not numbers or min(numbers) < 0:
        raise ParameterError("a discount curve has a weight for every rank and a gain for every grade, none below 0")
    return numbers


@frozen(kw_only=True, repr=False)
class DiscountCurve(Additive):
    r"""Gains of the grades times weights of the ranks, both written out, added up.

    .. math:: m(r) = \sum_{i \le n} w_i\, g(r_i)

    It looks at as many ranks as there are weights. `measurand.lattice.learn` finds such curves from preferences.

    Parameters
    ----------
    by_rank
        The weight of each rank, from rank 1.
    by_grade
        The gain of each grade, from grade 0, which gains nothing; higher grades gain what the last one does.
    label
        What the measure is called.

    Examples
    --------
    >>> curve = DiscountCurve(by_rank=["4/7", "2/7", "1/7"])
    >>> curve.of([1, 0, 1]), curve
    (Fraction(5, 7), DiscountCurve)

    References
    ----------
    [Giner2022]_, section 7
    """

    name: ClassVar[str] = "DiscountCurve"
    reference: ClassVar[str] = "Giner2022"

    by_rank: tuple[Fraction, ...] = field(converter=_numbers)
    by_grade: tuple[Fraction, ...] = field(default=(0, 1), converter=_numbers)
    label: str = field(default="DiscountCurve")

    def __attrs_post_init__(self) -> None:
        if self.by_grade[0] or any(low > high for low, high in pairwise(self.by_grade)):
            raise ParameterError("gains are 0 for grade 0 and never fall with the grade")
        if self.cutoff is None:
            object.__setattr__(self, "cutoff", len(self.by_rank))

    @property
    def graded(self) -> bool:
        """Whether there are gains for more than two grades."""
        return len(self.by_grade) > 2

    @property
    def respects_swap(self) -> bool:
        """Whether the weights never rise with the rank."""
        return all(high >= low for high, low in pairwise(self.by_rank))

    @property
    def bounds(self) -> tuple[Any, Any]:
        """From nothing to the highest gain on all ranks."""
        return Fraction(0), self.by_grade[-1] * sum(self.by_rank[: self.cutoff], Fraction(0))

    def weight(self, rank: int) -> Fraction:
        return self.by_rank[rank - 1] if rank <= len(self.by_rank) else Fraction(0)

    def gain_at(self, grade: int, top: int) -> Fraction:
        return self.by_grade[min(grade, len(self.by_grade) - 1)]

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        highest, top = int(judged.cells[:, :, : self.cutoff].max(initial=0)), len(self.by_grade) - 1
        if not self.graded or highest <= top:
            return Additive._caveats(self, judged)
        text = f"{self!r} has gains for grades from 0 to {top}; those above, to {highest}, count as {top}"
        return (*Additive._caveats(self, judged), Caveat(CaveatKind.GRADES, text))

    def __repr__(self) -> str:
        inside = "(judged_only=True)" if self.judged_only else ""
        return f"{self.label}{inside}{'' if self.cutoff == len(self.by_rank) else f'@{self.cutoff}'}"
