"""Generalized precision and recall, with grades as gains."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.exact import Exact
from measurand.judged import Pool
from measurand.measures.additive import Additive
from measurand.measures.base import Graded
from measurand.measures.parameters import Gain, check_gain, read_gain, share_of_gain


@frozen(kw_only=True, repr=False, slots=False)
class _Cumulated(Additive, Graded):
    """Gains divided by the highest, added up without discount."""

    reference: ClassVar[str] = "Giner2022"
    respects_swap: ClassVar[bool] = True

    gain: Gain = field(default="linear", converter=read_gain, validator=check_gain)

    def weight(self, rank: int) -> Fraction:
        return Fraction(1)

    def weights(self, depth: int) -> FloatArray:
        return np.ones(depth)

    def gain_at(self, grade: int, top: int) -> Fraction:
        return share_of_gain(self.gain, self.worth(grade), self.worths(top))


class GeneralizedPrecision(_Cumulated):
    r"""Generalized precision: mean gain of the first `N` ranks, as a share of the highest gain.

    .. math:: \mathrm{gP} = \frac{1}{N} \sum_{i \le N} \frac{g(r_i)}{g_{\max}}

    Parameters
    ----------
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains, which never fall
        with the grade and leave none out below the highest that they name; grades above it are worth themselves.
    gmax
        The highest grade there is, not the highest gain; by default the highest in all the judgments. Gains are
        divided by that of this grade.

    Examples
    --------
    >>> gP.of([2, 0, 1]), gP.of([2, 1, 0, 0, 0])
    (Fraction(1, 2), Fraction(3, 10))

    References
    ----------
    [Giner2022]_
    """

    name: ClassVar[str] = "gP"
    per_rank: ClassVar[bool] = True

    def scaling(self, pool: Pool, length: int) -> Exact:
        return Fraction(self.cutoff or length)


class GeneralizedRecall(_Cumulated):
    r"""Generalized recall: gain found, as a share of what the relevant documents would give at the highest gain.

    .. math:: \mathrm{gR} = \frac{1}{R} \sum_{i \le N} \frac{g(r_i)}{g_{\max}}

    Parameters
    ----------
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains, which never fall
        with the grade and leave none out below the highest that they name; grades above it are worth themselves.
    gmax
        The highest grade there is, not the highest gain; by default the highest in all the judgments. Gains are
        divided by that of this grade.

    Examples
    --------
    >>> gR.of([2, 1, 0, 0, 0], recall_base=5), gR.of([2, 1, 0, 0, 0], recall_base=3)
    (Fraction(3, 10), Fraction(1, 2))

    References
    ----------
    [Giner2022]_
    """

    name: ClassVar[str] = "gR"
    uses_recall_base: ClassVar[bool] = True
    rescaled: ClassVar[bool] = True

    def scaling(self, pool: Pool, length: int) -> Exact:
        return Fraction(pool.recall_base())


gP = GeneralizedPrecision()
gR = GeneralizedRecall()
