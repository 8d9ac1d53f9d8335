"""nDCG averaged over the relevant documents."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.measures.ndcg_by_rank import AveragedNDCG


class NDCGAtRelevant(AveragedNDCG):
    r"""Mean over the relevant documents of nDCG down to the rank of each.

    .. math:: \mathrm{nDCGRel} = \frac{1}{R} \left( \sum_{i : g_i > 0} \mathrm{nDCG}@i
        + (R - r)\, \mathrm{nDCG} \right)

    Relevant is what gains more than 0. For each of the :math:`R - r` relevant documents that were not retrieved, nDCG
    of the whole run counts. 0 for a topic without relevant documents.

    Examples
    --------
    >>> nDCGRel.value([0, 1, 0], recall_base=1), nDCGRel.value([0, 2, 1], grade_counts=(1, 1, 1))
    (0.6309297535714574, 0.5746483748152464)

    Notes
    -----
    An experiment of Chris Buckley's, `ndcg_rel` of trec_eval (2008), which prints 0.6309 and 0.5746 here. `@` cuts the
    run, not the ideal ranking, as trec_eval's option `-M` does.

    References
    ----------
    [BuckleyVoorhees2005]_, [JarvelinKekalainen2002]_
    """

    name: ClassVar[str] = "nDCGRel"

    def ranks(self, gains: Sequence[Fraction], ideal: Sequence[Fraction], retrieved: int) -> list[int]:
        found = [rank for rank, gain in enumerate(gains, 1) if gain]
        return found + [max(len(gains), len(ideal))] * (len(ideal) - len(found))

    def weigh(self, gains: FloatArray, ideal: FloatArray, retrieved: IntArray) -> FloatArray:
        weights = (gains > 0).astype(np.float64)
        weights[:, -1] += np.maximum(0, (ideal > 0).sum(axis=1) - weights.sum(axis=1))
        return weights


nDCGRel = NDCGAtRelevant()
