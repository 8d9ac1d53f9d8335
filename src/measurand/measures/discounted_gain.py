"""Discounted cumulated gain, plain and normalised."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.judged import JudgedRuns, Pool
from measurand.measures.additive import Additive
from measurand.measures.parameters import Gain, check_gain, gain_of, read_gain, whole

if TYPE_CHECKING:
    from measurand.exact import Exact, InverseLogs


def read_gain_of_dcg(value: object) -> Gain:
    """Return a gain function, also from ir_measures' names of the two usual ones, and as trec_eval writes gains."""
    if isinstance(value, str) and "=" in value:
        return value
    return read_gain({"log2": "linear", "exp-log2": "exp2"}.get(value, value) if isinstance(value, str) else value)


@frozen(kw_only=True, repr=False)
class DiscountedCumulatedGain(Additive):
    r"""Gain of every rank, discounted by the logarithm of the rank, added up.

    .. math:: \mathrm{DCG} = \sum_i \frac{g(r_i)}{\log_2 (i + 1)}
        \qquad\text{or, given } b,\qquad \sum_i \frac{g(r_i)}{\max(1, \log_b i)}

    Parameters
    ----------
    b
        The base of the logarithm in the definition of Järvelin and Kekäläinen, which discounts
        nothing down to rank `b`. Without it the discount is trec_eval's.
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains, which never fall
        with the grade and leave none out below the highest that they name; grades above it are worth themselves.
        Gains that may fall can be had as trec_eval writes them, `"1=3,2=1"`: there, any grade left out is worth itself.

    Examples
    --------
    >>> DCG(b=2).of([2, 0, 1])
    InverseLogs(2 + 1/log_2(3))
    >>> DCG(b=2).value([2, 0, 1]), DCG.of([3])
    (2.6309297535714573, Fraction(3, 1))

    References
    ----------
    [JarvelinKekalainen2002]_
    """

    name: ClassVar[str] = "DCG"
    reference: ClassVar[str] = "JarvelinKekalainen2002"
    graded: ClassVar[bool] = True
    bounds: ClassVar[tuple[int | None, int | None]] = (0, None)
    exactness: ClassVar[str] = "sums of inverse logarithms"
    respects_swap: ClassVar[bool] = True
    synonyms: ClassVar[dict[str, str]] = {"dcg": "gain", "gains": "gain"}

    b: int | None = field(default=None, validator=whole(2, optional=True))
    gain: Gain = field(default="linear", converter=read_gain_of_dcg, validator=check_gain)

    def weight(self, rank: int) -> Fraction | InverseLogs:
        from measurand.exact.logarithms import inverse_log  # plain scores do without

        if self.b is None:
            return inverse_log(rank + 1, 2)
        return Fraction(1) if rank <= self.b else inverse_log(rank, self.b)

    def gain_at(self, grade: int, top: int) -> Fraction:
        return gain_of(self.gain, self.worth(grade))

    def weights(self, depth: int) -> FloatArray:
        ranks = np.arange(1, depth + 1)
        if self.b is None:
            return np.asarray(1 / np.log2(ranks + 1))
        return np.asarray(1 / np.maximum(1, np.log(ranks) / np.log(self.b)))


class NormalisedDiscountedCumulatedGain(DiscountedCumulatedGain):
    r"""Discounted cumulated gain as a share of that of the ideal ranking.

    .. math:: \mathrm{nDCG} = \mathrm{DCG} / \mathrm{DCG}(\text{ideal})

    The ideal ranking holds all relevant documents of the topic, best first, down to the cutoff if there
    is one. 0 for a topic without relevant documents.

    Examples
    --------
    >>> nDCG(b=2).of([1, 0, 1, 0], recall_base=2)
    InverseLogs(1/2 + 1/(2 log_2(3)))
    >>> nDCG.value([1, 0, 1, 0], recall_base=2)
    0.9197207891481877

    References
    ----------
    [JarvelinKekalainen2002]_
    """

    name: ClassVar[str] = "nDCG"
    bounds: ClassVar[tuple[int | None, int | None]] = (0, 1)
    uses_recall_base: ClassVar[bool] = True
    needs_grade_counts: ClassVar[bool] = True
    rescaled: ClassVar[bool] = True
    exactness: ClassVar[str] = "quotients of sums of inverse logarithms"

    def scaling(self, pool: Pool, length: int) -> Exact:
        return self.total(self.ideal(pool), pool.top_grade)

    def ideal(self, pool: Pool) -> tuple[int, ...]:
        """Return the best ranking that the judgments allow under the gains of the measure."""
        run = pool.ideal(None if self._unordered() else self.cutoff)
        if self._unordered():
            run = tuple(sorted(run, key=lambda grade: -self.gain_at(grade, pool.top_grade)))
        return run if self.cutoff is None else run[: self.cutoff]

    def _unordered(self) -> bool:
        return isinstance(self.gain, str) and "=" in self.gain

    def scalings(self, judged: JudgedRuns) -> FloatArray:
        if judged.grade_counts.shape[1] > MANY_GRADES and not self._unordered():
            return self._scalings_by_counts(judged)
        if len(judged.topics) > MANY_TOPICS:
            # many topics have as many documents of every grade as another
            counts, which = np.unique(judged.grade_counts, axis=0, return_inverse=True)
            pools = [Pool(tuple(each)) for each in counts.tolist()]
            return self._scalings_of(pools, judged)[which.reshape(-1)]
        return self._scalings_of(judged.pools, judged)

    def _scalings_of(self, pools: Sequence[Pool], judged: JudgedRuns) -> FloatArray:
        """Return the divisors of topics with so many judged documents of every grade."""
        ideals = [self.ideal(pool) for pool in pools]
        sizes = [len(ideal) for ideal in ideals]
        weights = self.weights(max([1, *sizes]))
        gains = self.gains(self.top_in(judged))
        grades = np.array([grade for ideal in ideals for grade in ideal], dtype=np.int64)
        row = np.repeat(np.arange(len(ideals)), sizes)
        rank = np.concatenate([np.arange(size) for size in sizes]) if ideals else grades
        return np.asarray(np.bincount(row, weights[rank] * gains[grades], len(ideals)), dtype=np.float64)

    def _scalings_by_counts(self, judged: JudgedRuns) -> FloatArray:
        """Return the divisor of every topic from its numbers of documents, which of many grades is quicker."""
        counts = judged.grade_counts[:, 1:]
        # down to which rank the documents of a grade or a better one reach
        reach = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]
        reach = reach if self.cutoff is None else np.minimum(reach, self.cutoff)
        sums = np.concatenate(([0.0], np.cumsum(self.weights(int(reach.max(initial=0))))))
        below = np.diff(np.concatenate((sums[reach], np.zeros((len(reach), 1))), axis=1), axis=1)
        # no matrix product, which may add in another order where there are more topics
        return np.asarray((-below * self.gains(self.top_in(judged))[1:]).sum(axis=1), dtype=np.float64)


MANY_TOPICS = 1000
"""Of more topics, those with the same judgments by grade are looked at once."""

MANY_GRADES = 16
"""Of more grades than this, ideal rankings are summed up grade by grade, not rank by rank."""

DCG = DiscountedCumulatedGain()
nDCG = NormalisedDiscountedCumulatedGain()
