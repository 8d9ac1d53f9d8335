"""Interpolated average precision: the mean of interpolated precision over eleven recalls."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.errors import ParameterError, quoted
from measurand.exact import Exact, rational
from measurand.judged import JudgedRuns, Pool
from measurand.measures.base import Binary, Grades
from measurand.measures.interpolated_precision import InterpolatedPrecision
from measurand.measures.parameters import SIZE

ELEVEN = tuple(Fraction(tenth, 10) for tenth in range(11))
"""The recalls 0, 0.1, …, 1."""


def _read_recalls(value: object) -> tuple[Fraction, ...]:
    """Return recalls, in ascending order, from numbers or from a text with commas between them."""
    numbers = value.split(",") if isinstance(value, str) else value
    if not isinstance(numbers, list | tuple) or not numbers:
        raise ParameterError(f"IAP: recalls must be numbers from 0 to 1, such as [0.2, 0.5, 0.8], not {quoted(value)}")
    recalls = tuple(sorted(map(rational, numbers)))
    if not 0 <= recalls[0] <= recalls[-1] <= 1:
        raise ParameterError(f"IAP: recalls must be from 0 to 1, not {quoted(value)}")
    if max(recall.denominator for recall in recalls) >= 10**SIZE:
        raise ParameterError(f"IAP: recalls must be numbers of at most {SIZE} digits, not {quoted(value)}")
    return recalls


@frozen(kw_only=True, repr=False)
class InterpolatedAveragePrecision(Binary):
    r"""Mean of interpolated precision over some recalls: by default eleven, from 0 to 1.

    .. math:: \mathrm{IAP} = \frac{1}{11} \sum_{\rho \in \{0,\, 0.1,\, \dots,\, 1\}} \mathrm{IPrec}@\rho

    Parameters
    ----------
    recalls
        The recalls: a list of numbers, or a text such as `"0.2,0.5,0.8"`.

    Examples
    --------
    >>> IAP.of([1, 0, 1, 0], recall_base=2), IAP(recalls=[0.2, 0.5, 0.8]).of([1, 0, 1, 0], recall_base=4)
    (Fraction(10, 11), Fraction(5, 9))
    >>> IAP.value([1, 1, 0, 0, 1], recall_base=7)                                    # trec_eval 9 prints 0.3818
    0.41818181818181815

    Notes
    -----
    The measure of the early TREC conferences, `11pt_avg` of trec_eval. Which number of documents stands for a recall
    is trec_eval 10's rule (see IPrec); trec_eval 9, and pytrec_eval, often want one document more. `@` cuts the run.

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "IAP"
    reference: ClassVar[str] = "BuckleyVoorhees2005"
    respects_swap: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False

    recalls: tuple[Fraction, ...] = field(default=ELEVEN, converter=_read_recalls)

    @property
    def uses_recall_base(self) -> bool:
        """At recall 0, the best precision anywhere, the recall base plays no part."""
        return self.recalls[-1] > 0

    def _parts(self) -> list[InterpolatedPrecision]:
        """Return interpolated precision at each recall."""
        one = InterpolatedPrecision(rel=self.rel, cutoff=self.cutoff).on_grades(self.relevance)
        return [one(recall=each) for each in self.recalls]

    def exact(self, run: Grades, pool: Pool) -> Exact:
        precisions = [Fraction(part.exact(run, pool)) for part in self._parts()]  # type: ignore[arg-type]
        return sum(precisions, Fraction(0)) / len(precisions)

    def fast(self, judged: JudgedRuns) -> FloatArray:
        parts = [part.fast(judged) for part in self._parts()]
        # one after another: numpy adds in another order if there is one run
        return np.asarray(reduce(np.add, parts) / len(parts))


IAP = InterpolatedAveragePrecision()
