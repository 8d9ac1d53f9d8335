"""Expected search length reduction: the share of a search that a ranking saves."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from measurand.arrays import FloatArray
from measurand.errors import Caveat, CaveatKind
from measurand.exact import Exact, ratio
from measurand.judged import JudgedRuns, Pool
from measurand.judged.hits import by_topic
from measurand.measures.base import Grades
from measurand.measures.searching import SearchLength
from measurand.scores import Scale


class SearchLengthReduction(SearchLength):
    r"""Share of the search that a ranking saves, against going through the collection in no order.

    .. math:: \mathrm{ESLR}_i = 1 - \mathrm{ESL}_i / \frac{i\, N}{R + 1}

    There are `R` relevant and `N` nonrelevant documents, those of the collection or, where its size is not known, those
    that were judged. 1 if no nonrelevant document is inspected, 0 for a ranking
    that is as good as none, below 0 for a worse one; 0 where the topic has fewer than `i` relevant documents.

    Examples
    --------
    >>> ESLR(i=2, collection=100).of([0, 1, 1, 0], recall_base=4)
    Fraction(187, 192)

    References
    ----------
    [Cooper1968]_
    """

    name: ClassVar[str] = "ESLR"
    bounds: ClassVar[tuple[int | None, int | None]] = (None, 1)
    without_enough: ClassVar[str] = "is 0"

    @property
    def declared_scale(self) -> Scale:
        """Equal savings of documents are equal differences on one topic; another unit on each recall base."""
        return Scale.INTERVAL

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return why every topic has a unit of its own, unless the same search is saved on all of them."""
        if self._saves_of_unequal(judged):
            return "the search that it saves a share of is longer on some than on others"
        return SearchLength.own_scales(self, judged)

    def own_scales_by(self, judged: JudgedRuns) -> CaveatKind | None:
        """Return the size of the collection, unless topics differ in any case."""
        return None if self._saves_of_unequal(judged) else SearchLength.own_scales_by(self, judged)

    def _saves_of_unequal(self, judged: JudgedRuns) -> bool:
        return len({self.at_random(pool) for pool in judged.pools}) > 1

    def at_random(self, pool: Pool) -> Fraction:
        """Return the expected search length where no document is retrieved; 0 where nobody can find enough."""
        relevant, nonrelevant = pool.recall_base(self.lowest), pool.nonrelevant(self.lowest)
        if self.collection is not None:
            nonrelevant = self.collection - relevant
        return Fraction(self.i * nonrelevant, relevant + 1) if self.i <= relevant else Fraction(0)

    def saved(self, length: Fraction, pool: Pool) -> Fraction:
        """Return the share that a search saves."""
        at_random = self.at_random(pool)
        return ratio(at_random - length, at_random)

    def exact(self, run: Grades, pool: Pool) -> Exact:
        return self.saved(self.inspected(run, pool), pool)

    def fast(self, judged: JudgedRuns) -> FloatArray:
        at_random = by_topic(self.at_random_by_topic(judged), judged)
        return ratio(at_random - self.lengths(judged), at_random)

    def at_random_by_topic(self, judged: JudgedRuns) -> FloatArray:
        """Return the expected search length where no document is retrieved, for each topic."""
        return np.array([float(self.at_random(pool)) for pool in judged.pools])

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        caveats = SearchLength._caveats(self, judged)
        if self.collection is not None:
            return caveats
        text = f"{self!r} is the share saved of a search through the judged documents alone"
        why = "because how many there are in all is not said (collection=…)"
        others = (caveat for caveat in caveats if caveat.kind is not CaveatKind.COLLECTION)
        return (*others, Caveat(CaveatKind.COLLECTION, f"{text}, {why}"))


ESLR = SearchLengthReduction()
