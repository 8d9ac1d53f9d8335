"""R-precision: precision where recall could be perfect."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any, ClassVar

import numpy as np
from attrs import field, frozen

from measurand.exact import least, ratio, rational
from measurand.measures.counting import Counting, Counts
from measurand.measures.parameters import positive


@frozen(kw_only=True, repr=False)
class RPrecision(Counting):
    r"""Precision at the rank that equals the recall base, or a multiple of it.

    .. math:: \mathrm{Rprec} = \mathrm{P}@\lceil m R \rceil

    Parameters
    ----------
    multiple
        The multiple of the recall base.

    Examples
    --------
    >>> Rprec.of([1, 0, 1, 1], recall_base=2), Rprec(multiple=2).of([1, 0, 1, 1], recall_base=2)
    (Fraction(1, 2), Fraction(3, 4))

    Notes
    -----
    For a multiple, trec_eval's `Rprec_mult` rounds up only from a tenth on; the usual multiples agree.

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "Rprec"
    reference: ClassVar[str] = "BuckleyVoorhees2005"
    uses_recall_base: ClassVar[bool] = True

    multiple: Fraction = field(default=Fraction(1), converter=rational, validator=positive)

    def rank_at(self, recall_base: Any) -> Any:
        """Return the rank at which precision is taken."""
        if isinstance(recall_base, np.ndarray):
            # exactly, number by number: 1.4 × 5 is 7, which floats miss
            return np.array([ceil(self.multiple * int(base)) for base in recall_base])
        return ceil(self.multiple * recall_base)

    def ranks(self, length: Any, recall_base: Any) -> Any:
        rank = self.rank_at(recall_base)
        return rank if self.cutoff is None else least(rank, self.cutoff)

    def count(self, counts: Counts) -> Any:
        return ratio(counts.relevant, self.rank_at(counts.recall_base))


Rprec = RPrecision()
