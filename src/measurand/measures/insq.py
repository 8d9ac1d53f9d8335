"""INSQ: a reader who wants a certain amount, and becomes more patient on the way."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.exact import Exact, rational
from measurand.judged import JudgedRuns, Pool
from measurand.measures.additive import Additive
from measurand.measures.browsing import horizon, inverse_powers
from measurand.measures.parameters import positive
from measurand.measures.scaled_gains import ScaledGains


@frozen(kw_only=True, repr=False)
class Insq(ScaledGains, Additive):
    r"""Rate of gain of a reader who expects `T` units of gain and goes on the more readily the further down the list.

    .. math:: \mathrm{INSQ} = \frac{\sum_i V_i\, g_i / g_{\max}}{\sum_i V_i}, \qquad
        V_i = \frac{1}{(i + 2T - 1)^2}

    So the reader goes on from rank `i` with probability :math:`((i + 2T - 1) / (i + 2T))^2`, whatever is found there;
    INST is the same for a reader who notices. The reader never goes beyond rank 1000 (or the cutoff), as in cwl_eval,
    so that the sums are finite and the value rational.

    Parameters
    ----------
    T
        How much gain the reader expects.
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains, which never fall
        with the grade and leave none out below the highest that they name; grades above it are worth themselves.
    gmax
        The highest grade there is, not the highest gain; by default the highest in all the judgments. Gains are
        divided by that of this grade.

    Examples
    --------
    >>> (INSQ(T=1) @ 2).of([1, 0])
    Fraction(9, 13)

    >>> round(INSQ(T=2).value([1, 1, 0, 1]), 4)         # as cwl_eval 1.0.12
    0.4346

    See Also
    --------
    INST : the reader adapts to what is found

    References
    ----------
    [Moffat2012]_
    """

    name: ClassVar[str] = "INSQ"
    reference: ClassVar[str] = "Moffat2012"
    respects_swap: ClassVar[bool] = True

    T: Fraction = field(default=Fraction(1), converter=rational, validator=positive)

    @property
    def last(self) -> int:
        """The last rank that any reader comes to."""
        return horizon(self)

    def weight(self, rank: int) -> Fraction:
        return 1 / (rank + 2 * self.T - 1) ** 2 if rank <= self.last else Fraction(0)

    def weights(self, depth: int) -> FloatArray:
        ranks = np.arange(1, depth + 1)
        return np.where(ranks <= self.last, 1 / (ranks + float(2 * self.T) - 1) ** 2, 0)

    def scaling(self, pool: Pool, length: int) -> Exact:
        return inverse_powers(2 * self.T, self.last, 2)

    def scalings(self, judged: JudgedRuns) -> FloatArray:
        return np.full(len(judged.topics), self.weights(self.last).sum())


INSQ = Insq()
