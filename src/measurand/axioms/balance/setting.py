"""What a balancing index is asked for: a run length, two grades, and the topic they belong to."""

from __future__ import annotations

from fractions import Fraction
from math import isinf

from attrs import frozen

from measurand.errors import ParameterError
from measurand.exact import rational, whole_number
from measurand.judged import HIGHEST_GRADE, Pool, Relevance


def persistence(value: object) -> Fraction:
    """Return the persistence `p` of rank-biased precision as it is written, or say what is wrong with it.

    Examples
    --------
    >>> persistence(0.8)
    Fraction(4, 5)
    """
    p = rational(value)
    if not 0 < p < 1:
        raise ParameterError(f"p must lie between 0 and 1, both excluded, not {value!r}")
    return p


@frozen
class Setting:
    r"""The runs that a balancing index compares, all of length `n` and on one topic.

    The *head* is the run :math:`(q_{\max}, 0, \dots, 0)`; the *tail* from rank `b` is the run
    :math:`(0, \dots, 0, q_{\min}, \dots, q_{\min})` with `b - 1` zeros. All relevant documents of the
    topic have the grade `qmax`, which is therefore the highest grade for every measure.

    Examples
    --------
    >>> setting = Setting.of(5, qmax=3)
    >>> setting.head, setting.tail(4), setting.pool.grade_counts
    ((3, 0, 0, 0, 0), (0, 0, 0, 1, 1), (5, 0, 0, 5))

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """

    n: int
    qmin: int
    qmax: int
    recall_base: int

    @classmethod
    def of(cls, n: object, qmin: object = 1, qmax: object = 1, recall_base: object = None) -> Setting:
        """Return the setting that is asked for, or say what is wrong with it; the recall base is `n` by default."""
        length, low, high = whole_number("n", n), whole_number("qmin", qmin), whole_number("qmax", qmax)
        if not low <= high <= HIGHEST_GRADE:
            raise ParameterError(
                f"qmin={low}, qmax={high}: the smallest positive grade cannot be above the highest,"
                f" and no grade is above {HIGHEST_GRADE}"
            )
        return cls(length, low, high, length if recall_base is None else whole_number("recall_base", recall_base))

    @property
    def pool(self) -> Pool:
        """The topic: as many nonrelevant documents as there are ranks, and the recall base."""
        return Pool((self.n, *(0,) * (self.qmax - 1), self.recall_base))

    @property
    def head(self) -> tuple[int, ...]:
        """The run with one document of the highest grade, at rank 1."""
        return (self.qmax, *(0,) * (self.n - 1))

    def tail(self, b: int) -> tuple[int, ...]:
        """Return the run with documents of the smallest positive grade from rank `b` to the end."""
        return (0,) * (b - 1) + (self.qmin,) * (self.n - b + 1)


def extremes(relevance: Relevance) -> tuple[int, int]:
    """Return the smallest positive and the highest grade of a relevance set, which balance needs.

    Examples
    --------
    >>> extremes(Relevance.graded(0, 1, 2, 3)), extremes(Relevance.labelled("nr", "pr", "hr"))
    ((1, 3), (1, 2))

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """
    positive = relevance.grades[1:]
    if not positive:
        lacks = ["no smallest positive grade"] + ["no highest grade"] * isinf(relevance.upper)
        raise ParameterError(
            f"this relevance set has {' and '.join(lacks)}, so nothing can be balanced on it; list the grades"
        )
    if any(grade.denominator > 1 for grade in positive):
        raise ParameterError("balance needs whole grades; number them 0, 1, 2, … in their order")
    return int(positive[0]), int(positive[-1])
