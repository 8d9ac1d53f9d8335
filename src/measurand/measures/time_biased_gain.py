"""Time-biased gain: what a reader finds, discounted by the time that it takes to come there."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.exact import Exact, beside, power_sum, rational
from measurand.judged import JudgedRuns, Pool
from measurand.judged.hits import gather
from measurand.measures.base import Binary, Grades
from measurand.measures.parameters import at_least, within

SUMMARY = rational("4.4")
"""Seconds that a reader spends on the summary of a document."""

DOCUMENT, WORD = rational("7.8"), rational("0.018")
"""Seconds that a reader spends on a document that is opened, and on each of its words."""

OPENS_RELEVANT, OPENS_OTHER = rational("0.64"), rational("0.39")
"""The probability that the summary of a relevant document, or of another one, makes the reader open it."""

SAVES_RELEVANT = rational("0.77")
"""The probability that a relevant document is found to be so once it is open."""


@frozen(kw_only=True, repr=False)
class TimeBiasedGain(Binary):
    r"""Number of relevant documents that readers find before they stop, if half of them stop within a half-life.

    .. math:: \mathrm{TBG} = 0.64 \cdot 0.77 \sum_{i : r_i \text{ relevant}} 2^{-t_i / h}, \qquad
        t_i = \sum_{j < i} (4.4 + o_j\, (7.8 + 0.018\, w))

    The time :math:`t_i` until rank `i`, in seconds, is that for the summaries above it and for those documents that are
    opened: with probability :math:`o_j = 0.64` if the document is relevant, 0.39 if it is not or was not judged. All
    constants are those of the paper. There the time for a document depends on its length, and near-duplicates gain
    nothing. Judgments and runs tell neither: all documents are taken to have `w` words, and to be different. cwl_eval
    has costs in the place of times, all 1 unless a file says otherwise, and divides by the weight of 1000 ranks;
    without that file its TBG is RBP with :math:`p = 2^{-1/h}`, divided by :math:`1 - p^{1000}`.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    halflife
        The half-life `h`, in seconds, from 1 up.
    words
        How many words every document has, to a million. By default none, so that an opened document takes 7.8 seconds.

    Examples
    --------
    A relevant document on the first rank is found by 0.64 · 0.77 of all readers:

    >>> from fractions import Fraction
    >>> TBG.of([1]), TBG.of([1]) == Fraction("0.64") * Fraction("0.77")
    (Fraction(308, 625), True)
    >>> TBG.value([1, 1]), 0.4928 * (1 + 2 ** (-(4.4 + 0.64 * 7.8) / 224))
    (0.9714840331082245, 0.9714840331082245)

    References
    ----------
    [Smucker2012]_
    """

    name: ClassVar[str] = "TBG"
    reference: ClassVar[str] = "Smucker2012"
    bounds: ClassVar[tuple[int | None, int | None]] = (0, None)
    exactness: ClassVar[str] = "sums of powers of 2"
    respects_swap: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False

    halflife: Fraction = field(default=Fraction(224), converter=rational, validator=at_least(1))
    words: Fraction = field(default=Fraction(0), converter=rational, validator=within(0, 10**6))

    def halvings(self, relevant: Any, others: Any) -> Any:
        """Return after how many half-lives a rank is reached.

        Parameters
        ----------
        relevant, others
            How many documents above the rank are relevant, and how many are not; arrays for many ranks.
        """
        opened = DOCUMENT + WORD * self.words
        rates = ((SUMMARY + opens * opened) / self.halflife for opens in (OPENS_RELEVANT, OPENS_OTHER))
        slow, quick = (beside(relevant, rate) for rate in rates)
        return relevant * slow + others * quick

    def exact(self, run: Grades, pool: Pool) -> Exact:
        found = [rank for rank, cell in enumerate(run) if self.relevant(cell)]
        times = (self.halvings(number, rank - number) for number, rank in enumerate(found))
        return power_sum((-time, OPENS_RELEVANT * SAVES_RELEVANT) for time in times)

    def fast(self, judged: JudgedRuns) -> FloatArray:
        hits = judged.hits.select(self.lowest, self.cutoff)
        times = self.halvings(hits.ordinal - 1, hits.rank - hits.ordinal)
        return float(OPENS_RELEVANT * SAVES_RELEVANT) * gather(hits.row, 2.0**-times, judged)


TBG = TimeBiasedGain()
