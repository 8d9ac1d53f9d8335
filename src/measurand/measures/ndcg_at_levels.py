"""nDCG averaged over the ranks where the ideal ranking comes to lower gains."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.measures.ndcg_by_rank import AveragedNDCG


class NDCGAtLevels(AveragedNDCG):
    r"""Mean of nDCG over the ranks where the gain of the ideal ranking falls, and the end of the run.

    .. math:: \mathrm{RnDCG} = \frac{1}{|L|} \sum_{i \in L} \mathrm{nDCG}@i

    With 5 documents of grade 3, 3 of grade 2 and 10 of grade 1, the ranks `L` are 5, 8 and 18, and that of the last
    document of the run if it has more than 19. 0 for a topic without relevant documents.

    Examples
    --------
    >>> RnDCG.value([0, 2, 1], grade_counts=(1, 1, 1)), RnDCG.value([0, 1, 0, 1], recall_base=2)
    (0.23981246656813143, 0.518886868520837)

    Notes
    -----
    An experiment of Chris Buckley's, `Rndcg` of trec_eval (2008), which prints 0.2398 and 0.5189 here. A run that ends
    one rank below the last relevant document of the ideal ranking has no rank of its own in `L`, as in trec_eval. `@`
    cuts the run, not the ideal ranking, as trec_eval's option `-M` does.

    References
    ----------
    [BuckleyVoorhees2005]_, [JarvelinKekalainen2002]_
    """

    name: ClassVar[str] = "RnDCG"

    def ranks(self, gains: Sequence[Fraction], ideal: Sequence[Fraction], retrieved: int) -> list[int]:
        falls = [rank for rank, (high, low) in enumerate(pairwise([*ideal, Fraction(0)]), 1) if low < high]
        return falls + [len(gains)] * (retrieved > len(ideal) + 1)

    def weigh(self, gains: FloatArray, ideal: FloatArray, retrieved: IntArray) -> FloatArray:
        weights = (np.diff(ideal, axis=1, append=0) < 0).astype(np.float64)
        weights[:, -1] += retrieved > (ideal > 0).sum(axis=1) + 1
        return weights


RnDCG = NDCGAtLevels()
