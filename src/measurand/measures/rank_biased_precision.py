"""Rank-biased precision: the rate of gain of a patient reader."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.exact import rational
from measurand.measures.additive import Additive
from measurand.measures.base import Graded
from measurand.measures.parameters import (
    Gain,
    Threshold,
    check_gain,
    inside,
    read_gain,
    read_threshold,
    share_of_gain,
    threshold,
)


@frozen(kw_only=True, repr=False, slots=False)
class Geometric(Additive, Graded):
    """Additive measures whose weights are those of a reader who goes on with probability `p`.

    Parameters
    ----------
    p
        The persistence of the reader: the probability of going on to the next rank.
    """

    reference: ClassVar[str] = "MoffatZobel2008"
    shown: ClassVar[tuple[str, ...]] = ("p",)
    respects_swap: ClassVar[bool] = True

    p: Fraction = field(default=Fraction(4, 5), converter=rational, validator=inside(0, 1))

    def weight(self, rank: int) -> Fraction:
        return (1 - self.p) * self.p ** (rank - 1)

    def weights(self, depth: int) -> FloatArray:
        return np.asarray(float(1 - self.p) * float(self.p) ** np.arange(depth), dtype=np.float64)


@frozen(kw_only=True, repr=False)
class RankBiasedPrecision(Geometric):
    r"""Rate of gain of a reader who goes on to the next rank with probability `p`.

    .. math:: \mathrm{RBP} = (1 - p) \sum_{i \ge 1} p^{i-1} g_i / g_{\max}

    Parameters
    ----------
    p
        The persistence of the reader.
    rel
        The lowest grade that is worth 1, all others being worth 0. Without it the gain is the grade as a
        share of the highest, which is the same where there are two grades.

    Examples
    --------
    >>> RBP(p="1/2").of([1, 0, 1])
    Fraction(5, 8)
    >>> RBP(p=0.8).of([2, 0, 1]), RBP(p=0.8, rel=1).of([2, 0, 1])
    (Fraction(33, 125), Fraction(41, 125))

    See Also
    --------
    gRBP : any gain

    References
    ----------
    [MoffatZobel2008]_
    """

    name: ClassVar[str] = "RBP"

    rel: Threshold | None = field(default=None, converter=read_threshold, validator=threshold(optional=True))

    @property
    def graded(self) -> bool:
        """With a lowest relevant grade there are only two kinds of documents."""
        return self.rel is None

    def gain_at(self, grade: int, top: int) -> Fraction:
        return Fraction(self.worth(grade)) / self.worth(top) if self.rel is None else Fraction(grade >= self.lowest)


@frozen(kw_only=True, repr=False)
class GradedRankBiasedPrecision(Geometric):
    r"""Rank-biased precision with grades as gains, divided by the highest.

    .. math:: \mathrm{gRBP} = \frac{1 - p}{g_{\max}} \sum_{i \ge 1} p^{i-1} g(r_i)

    Parameters
    ----------
    p
        The persistence of the reader: the probability of going on to the next rank.
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains, which never fall
        with the grade and leave none out below the highest that they name; grades above it are worth themselves.
    gmax
        The highest grade there is, not the highest gain; by default the highest in all the judgments. Gains are
        divided by that of this grade.

    Examples
    --------
    >>> gRBP(p=0.8).of([2, 0, 1])
    Fraction(33, 125)

    References
    ----------
    [MoffatZobel2008]_
    """

    name: ClassVar[str] = "gRBP"

    gain: Gain = field(default="linear", converter=read_gain, validator=check_gain)

    def gain_at(self, grade: int, top: int) -> Fraction:
        return share_of_gain(self.gain, self.worth(grade), self.worths(top))


RBP = RankBiasedPrecision()
gRBP = GradedRankBiasedPrecision()
