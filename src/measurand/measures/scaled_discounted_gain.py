"""Scaled discounted cumulated gain: against a ranking of nothing but the best."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.exact import Exact, weighted_sum
from measurand.judged import JudgedRuns, Pool
from measurand.measures.additive import cached_weight
from measurand.measures.discounted_gain import DiscountedCumulatedGain
from measurand.measures.parameters import share_of_gain
from measurand.measures.scaled_gains import ScaledGrades


@frozen(kw_only=True, repr=False, slots=False)
class ScaledDiscountedCumulatedGain(DiscountedCumulatedGain, ScaledGrades):
    r"""Discounted cumulated gain as a share of that of a ranking with the highest gain on every rank.

    .. math:: \mathrm{SDCG} = \frac{\sum_{i \le k} g(r_i) / \log_2 (i + 1)}
        {\sum_{i \le k} g_{\max} / \log_2 (i + 1)}

    nDCG compares with the documents that the topic has; this measure compares all topics with one ranking, so that they
    share a scale. `k` is the cutoff, or the depth of the judged runs.

    Parameters
    ----------
    b
        The base of the logarithm in the definition of Järvelin and Kekäläinen, which discounts
        nothing down to rank `b`. Without it the discount is trec_eval's.
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains.
    gmax
        The highest grade there is, by whose gain gains are divided; by default the highest in all the judgments.

    Examples
    --------
    >>> (SDCG(gmax=3) @ 3).of([3, 3, 3])
    Fraction(1, 1)

    ir_measures 0.4.3 gives 0.5009 where nDCG@5 is 0.6205:

    >>> round((SDCG(gmax=3) @ 5).value([3, 0, 2, 1]), 4)
    0.5009

    References
    ----------
    [JarvelinKekalainen2002]_, [Azzopardi2019]_
    """

    name: ClassVar[str] = "SDCG"
    bounds: ClassVar[tuple[int | None, int | None]] = (0, 1)
    exactness: ClassVar[str] = "quotients of sums of inverse logarithms"
    per_rank: ClassVar[bool] = True
    synonyms: ClassVar[dict[str, str]] = {**DiscountedCumulatedGain.synonyms, **ScaledGrades.synonyms}

    def gain_at(self, grade: int, top: int) -> Fraction:
        return share_of_gain(self.gain, self.worth(grade), self.worths(top))

    def scaling(self, pool: Pool, length: int) -> Exact:
        ranks = range(1, (self.cutoff or length) + 1)
        return weighted_sum([(cached_weight(self, rank), Fraction(1)) for rank in ranks])

    def scalings(self, judged: JudgedRuns) -> FloatArray:
        return np.full(len(judged.topics), self.weights(self.cutoff or judged.depth).sum())


SDCG = ScaledDiscountedCumulatedGain()
