"""Discount curves that are written out: a weight for every rank, a gain for every grade."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

from attrs import field, frozen

from measurand.errors import Caveat, CaveatKind, ParameterError, quoted
from measurand.exact import rational
from measurand.judged import JudgedRuns
from measurand.measures.additive import Additive
from measurand.measures.catalogue import is_own_name
from measurand.measures.parameters import USUAL, Threshold, is_given, read_threshold, threshold, told_apart

if TYPE_CHECKING:
    from measurand.judged import Relevance

BINARY = (Fraction(0), Fraction(1))
"""The gains of documents that are relevant or not."""


FAR = 10**300
"""Weights and gains lie between its inverse and it, so that floats hold them."""


def _numbers(values: Any) -> tuple[Fraction, ...]:
    """Return numbers from a sequence, or from a text with commas between them."""
    parts = values.split(",") if isinstance(values, str) else values
    numbers = tuple(map(rational, parts if isinstance(parts, Iterable) else [parts]))
    if not numbers or min(numbers) < 0:
        raise ParameterError("a discount curve has a weight for every rank and a gain for every grade, none below 0")
    far = next((number for number in numbers if number and not 1 <= number * FAR <= FAR**2), None)
    if far is not None:
        raise ParameterError(f"weights and gains of a discount curve lie between 1e-300 and 1e300, not {quoted(far)}")
    return numbers


def _written(numbers: Iterable[Fraction]) -> str:
    """Return numbers as a text that is read back as the same."""
    return f"'{', '.join(map(str, numbers))}'"


def check_label(label: object) -> None:
    """Refuse what cannot name a measure: no word, or the name of another one.

    Parameters
    ----------
    label
        The name; an empty one is none.
    """
    if not isinstance(label, str) or not (label.isidentifier() or not label):
        raise ParameterError(f"{quoted(label)} cannot name a measure; use letters, digits and _")
    if label and is_own_name(label):
        raise ParameterError(f"{label} is another measure; choose another name")


@frozen(kw_only=True, repr=False)
class WeightedRanks(Additive):
    r"""Gains of the grades times weights of the ranks, both written out, added up.

    .. math:: m(r) = \sum_{i \le n} w_i\, g(r_i)

    It looks at as many ranks as there are weights. `measurand learn` finds such curves from preferences.

    Parameters
    ----------
    by_rank
        The weight of each rank, from rank 1: a sequence, or a text with commas such as "4/7, 2/7, 1/7".
    by_grade
        The gain of each grade, from grade 0, which gains nothing; higher grades gain what the last one does.
    rel
        The lowest grade that counts as relevant, if there are gains for two grades alone.
    label
        What the measure is called in tables; by default it is spelled out.

    Examples
    --------
    >>> curve = DiscountCurve(by_rank=["4/7", "2/7", "1/7"])
    >>> curve, curve.of([1, 0, 1])
    (DiscountCurve(by_rank='4/7, 2/7, 1/7'), Fraction(5, 7))
    >>> curve(rel=2).of([1, 0, 2])
    Fraction(1, 7)
    >>> mine = DiscountCurve(by_rank="1, 1/2", by_grade="0, 1, 3", label="Mine")
    >>> mine @ 1, mine.spelling
    (Mine@1, "DiscountCurve(by_rank='1, 1/2', by_grade='0, 1, 3', label='Mine')")

    References
    ----------
    [Giner2022]_, section 7
    """

    name: ClassVar[str] = "DiscountCurve"
    reference: ClassVar[str] = "Giner2022"
    synonyms: ClassVar[Mapping[str, str]] = {"weights": "by_rank", "gains": "by_grade"}

    by_rank: tuple[Fraction, ...] = field(default=(1,), converter=_numbers)
    by_grade: tuple[Fraction, ...] = field(default=BINARY, converter=_numbers)
    rel: Threshold = field(default=USUAL, converter=read_threshold, validator=threshold(), eq=told_apart)
    label: str = field(default="")

    def __attrs_post_init__(self) -> None:
        if len(self.by_grade) < 2 or self.by_grade[0] or any(low > high for low, high in pairwise(self.by_grade)):
            raise ParameterError("gains are 0 for grade 0 and never fall with the grade")
        if self.graded and self.rel > 1:
            raise ParameterError(f"DiscountCurve: rel={self.rel} is for two gains, and every grade has one here")
        check_label(self.label)
        if self.cutoff is None:
            object.__setattr__(self, "cutoff", len(self.by_rank))

    def __call__(self, **parameters: Any) -> Self:
        """Return a copy with these parameters changed; other weights have another number of ranks."""
        changed = {"by_rank", "weights"} & parameters.keys()
        return Additive.__call__(self, **({"cutoff": None} if changed else {}) | parameters)

    @property
    def graded(self) -> bool:
        """Whether there are gains for more than two grades."""
        return len(self.by_grade) > 2

    @property
    def respects_swap(self) -> bool:
        """Whether the weights never rise with the rank."""
        return all(high >= low for high, low in pairwise(self.by_rank[: self.cutoff]))

    @property
    def bounds(self) -> tuple[Any, Any]:
        """From nothing to the highest gain on all ranks."""
        return Fraction(0), self.by_grade[-1] * sum(self.by_rank[: self.cutoff], Fraction(0))

    def on_grades(self, relevance: Relevance | None) -> Self:
        """Return the same curve for runs whose numbers are places in a set of grades, if it has two gains.

        Parameters
        ----------
        relevance
            The grades; None for numbers that are grades themselves.
        """
        if relevance is not None and self.graded:
            raise ParameterError(f"{self!r} has gains for grades 0, 1, 2, … alone, and these grades are others")
        return Additive.on_grades(self, relevance)

    def weight(self, rank: int) -> Fraction:
        return self.by_rank[rank - 1] if rank <= len(self.by_rank) else Fraction(0)

    def gain_at(self, grade: int, top: int) -> Fraction:
        if self.graded:
            return self.by_grade[min(grade, len(self.by_grade) - 1)]
        return self.by_grade[grade >= self.lowest]

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        highest, top = int(judged.hits.select(1, self.cutoff).grade.max(initial=0)), len(self.by_grade) - 1
        if not self.graded or highest <= top:
            return Additive._caveats(self, judged)
        text = f"{self!r} has gains for grades from 0 to {top}; those above, to {highest}, count as {top}"
        return (*Additive._caveats(self, judged), Caveat(CaveatKind.GRADES, text))

    @property
    def spelling(self) -> str:
        """How the curve is written on the command line and in Python, with its label if it has one."""
        gains = {} if self.by_grade == BINARY else {"by_grade": _written(self.by_grade)}
        label = {"label": repr(self.label)} if self.label else {}
        given = {"by_rank": _written(self.by_rank), **gains, **self._changed(), **label}
        return f"{self.name}({', '.join(f'{name}={value}' for name, value in given.items())}){self._at()}"

    def __repr__(self) -> str:
        if not self.label:
            return self.spelling
        changed = ", ".join(f"{name}={value}" for name, value in self._changed().items())
        return f"{self.label}{f'({changed})' if changed else ''}{self._at()}"

    def _changed(self) -> dict[str, Any]:
        """Return the parameters that do not belong to curves alone, where they are not as by default."""
        found: dict[str, Any] = {"rel": self.rel} if is_given(self.rel) else {}
        return found | ({"judged_only": True} if self.judged_only else {})

    def _at(self) -> str:
        return "" if self.cutoff == len(self.by_rank) else f"@{self.cutoff}"


DiscountCurve = WeightedRanks()
