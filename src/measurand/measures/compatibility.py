"""Compatibility: how much a ranking overlaps with an ideal one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.exact import Exact, ratio, rational
from measurand.judged import JudgedRuns, Pool
from measurand.judged.hits import by_topic, gather
from measurand.measures.base import Grades, Measure
from measurand.measures.browsing import HORIZON
from measurand.measures.parameters import inside, truth


@frozen(kw_only=True, repr=False)
class Compatibility(Measure):
    r"""Rank-biased overlap of a ranking with the ideal ranking that is most like it.

    .. math:: \mathrm{RBO}(r, I) = \frac{\sum_{i \le k} p^{i-1}\, |r_{1:i} \cap I_{1:i}| / i}{\sum_{i \le k} p^{i-1}},
        \qquad \mathrm{Compat} = \max_I \frac{\mathrm{RBO}(r, I)}{\mathrm{RBO}(I, I)}

    An ideal ranking `I` has all relevant documents of the topic, those of higher grade first. Most like the ranking is
    the one that has documents of one grade in the order of the ranking, and those that it does not have last. Only the
    order of the grades matters. `k` is the cutoff, but at most 1000, as in the authors' program. ir_measures takes the
    length of the ranking or of the ideal one, whichever is longer, so that rankings of different length get different
    sums.

    0 for a topic without relevant documents.

    Parameters
    ----------
    p
        The persistence: how much the overlap down to the next rank counts, as a share of that down to this one.
    normalize
        Divide by the overlap of the ideal ranking with itself, which is below 1 if it has fewer than `k` documents.

    Examples
    --------
    >>> (Compat(p=0.5) @ 3).of([0, 1, 1], recall_base=2)
    Fraction(1, 4)
    >>> round((Compat(p=0.95) @ 5).value([1, 0, 2, 0, -1], grade_counts=(2, 2, 1)), 4)     # as ir_measures 0.4.3
    0.4596

    References
    ----------
    [Clarke2021]_, [Webber2010]_
    """

    name: ClassVar[str] = "Compat"
    reference: ClassVar[str] = "Clarke2021"
    graded: ClassVar[bool] = True
    weighs_grades: ClassVar[bool] = False
    uses_recall_base: ClassVar[bool] = True
    needs_grade_counts: ClassVar[bool] = True
    respects_swap: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False

    p: Fraction = field(default=Fraction(19, 20), converter=rational, validator=inside(0, 1))
    normalize: bool = field(default=True, validator=truth)

    @property
    def last(self) -> int:
        """The last rank down to which overlaps are added up."""
        return min(self.cutoff or HORIZON, HORIZON)

    def exact(self, run: Grades, pool: Pool) -> Exact:
        return self.level(run, pool) / self.unit(pool, len(run))  # type: ignore[operator]

    def level(self, run: Grades, pool: Pool) -> Exact:
        """Return the sum of overlaps, as a whole number of parts."""
        worth = _whole_tails(self.p, self.last)
        # a document is part of the overlap from the rank on where both rankings have it
        return Fraction(sum(worth[max(both)] for both in self._places(run, pool) if max(both) <= self.last))

    def unit(self, pool: Pool, length: int) -> Exact:
        """Return the sum of overlaps that is worth 1, in the same parts."""
        worth = _whole_tails(self.p, self.last)
        if not self.normalize:
            return Fraction(worth[0])
        return Fraction(sum(worth[1 : 1 + min(self.last, pool.recall_base())]) or 1)

    def _places(self, run: Grades, pool: Pool) -> Iterator[tuple[int, int]]:
        """Return the rank of every relevant document of the run, there and in the ideal ranking."""
        counts, left = pool.grade_counts, list(pool.grade_counts)
        for rank, grade in enumerate(run, 1):
            while grade > 0 and not left[grade]:
                # a run that was made up may hold more documents of a grade than there are: as good as the next grade
                grade -= 1
            if grade > 0:
                left[grade] -= 1
                yield rank, sum(counts[grade:]) - left[grade]

    def fast(self, judged: JudgedRuns) -> FloatArray:
        hits = judged.hits.select(1, self.cutoff)
        counts, topic = judged.grade_counts, hits.row % len(judged.topics)
        order = np.lexsort((hits.rank, hits.grade, hits.row))
        same = (np.diff(hits.row[order]) == 0) & (np.diff(hits.grade[order]) == 0)
        starts = np.flatnonzero(np.concatenate(([True], ~same))) if len(order) else order
        nth = np.empty(len(order), dtype=np.int64)
        nth[order] = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order)))) + 1
        better = counts.sum(axis=1, keepdims=True) - np.cumsum(counts, axis=1)
        both = np.maximum(hits.rank, better[topic, hits.grade] + nth)
        counted, tails = both <= self.last, _tails(self.p, self.last)
        sums = gather(hits.row[counted], tails[both[counted]], judged)
        best = np.concatenate(([0.0], np.cumsum(tails[1:])))[np.minimum(judged.recall_bases(1), self.last)]
        values = ratio(sums, by_topic(best, judged)) if self.normalize else sums / tails[0]
        for row in np.unique(hits.row[nth > counts[topic, hits.grade]]).tolist():
            system, place = divmod(row, len(judged.topics))
            run = self.view(judged.row(system, place))
            values[row] = float(self.exact(run, judged.pools[place]))
        return values


@lru_cache(maxsize=32)
def _whole_tails(p: Fraction, last: int) -> tuple[int, ...]:
    """Return the sum of the powers of p, and then for each rank that of p^(i-1)/i from it on, as whole numbers."""
    above, below = p.numerator, p.denominator
    every = lcm(*range(1, last + 1))
    powers = [above ** (rank - 1) * below ** (last - rank) * every for rank in range(1, last + 1)]
    tails = accumulate(power // rank for rank, power in reversed(list(enumerate(powers, 1))))
    return sum(powers), *reversed(list(tails))


@lru_cache(maxsize=32)
def _tails(p: Fraction, last: int) -> FloatArray:
    """Return the same as floats, not as whole numbers."""
    ranks = np.arange(1, last + 1)
    powers = float(p) ** (ranks - 1)
    return np.concatenate(([powers.sum()], np.cumsum((powers / ranks)[::-1])[::-1]))


Compat = Compatibility()
