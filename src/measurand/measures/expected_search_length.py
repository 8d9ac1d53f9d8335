"""Expected search length: how many nonrelevant documents a reader inspects before having found enough."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from measurand.arrays import FloatArray
from measurand.errors import Caveat, CaveatKind
from measurand.exact import Exact, ratio
from measurand.judged import JudgedRuns, Pool
from measurand.measures.base import Grades
from measurand.measures.exact_ties import floats
from measurand.measures.searching import SearchLength
from measurand.scores import Scale

HEAVY = 0.4
"""If rankings that do not find enough make up a larger share of all search lengths, that is noted."""


class ExpectedSearchLength(SearchLength):
    r"""Number of nonrelevant documents that a reader inspects before the `i`-th relevant one.

    .. math:: \mathrm{ESL}_i = b + \frac{s\, n}{r + 1}

    The `i`-th relevant document lies in a rank with `r` relevant and `n` nonrelevant documents, of which it is the
    `s`-th relevant; `b` nonrelevant documents stand in the ranks before. Lower is better. Where there are fewer
    than `i` relevant documents, all nonrelevant ones are inspected.

    Examples
    --------
    >>> ESL(i=2).of([0, 1, 0, 0, 1]), ESL(i=2, collection=100).of([0, 1, 0], recall_base=2)
    (Fraction(3, 1), Fraction(50, 1))

    Notes
    -----
    What scale it is depends on the reader. To one who minds every nonrelevant document alike, it has the order of the
    preferences: an ordinal scale. Among expectations of a utility it is an interval scale, which is what scores are
    taken for; it is a ratio scale if the searches of several results add up as well.
    `measurand.search_length.preferences.check` decides it from what somebody prefers. Where rankings do not find enough
    and the size of the collection is not known, topics do not share a scale.

    Documents of equal score make a rank, and the value is the mean over their orders, unless runs were judged with
    another rule for ties: with `ties="trec"` every document has a rank of its own.

    References
    ----------
    [Cooper1968]_, [BollmannRaghavan1988]_; their theorems are those of [Fishburn1979]_ and [Krantz1971]_
    """

    name: ClassVar[str] = "ESL"
    bounds: ClassVar[tuple[int | None, int | None]] = (0, None)
    lower_is_better: ClassVar[bool] = True
    scale_for: ClassVar[str] = f"{SearchLength.scale_for} (else ordinal; ratio if their searches add up as well)"
    without_enough: ClassVar[str] = "counts all nonrelevant documents"

    @property
    def declared_scale(self) -> Scale:
        """Expectations of a number of documents, for readers who mind each of them alike and go by expectations."""
        return Scale.INTERVAL

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        caveats = SearchLength._caveats(self, judged)
        return caveats if self.collection is None else (*caveats, *self._heavy(judged))

    def _heavy(self, judged: JudgedRuns) -> Iterator[Caveat]:
        """Return the caveat that the rankings that do not find enough carry the mean, if they do."""
        values = floats(self, judged)
        share = ratio(values[self.unfinished(judged)].sum(), values.sum())
        if share > HEAVY:
            text = f"{self.too_few(judged)}, and make up {min(share, 0.999):.1%} of the sum of all search lengths"
            yield Caveat(
                CaveatKind.DEGENERATE, f"{text}: means of {self!r} tell of little else, medians tell of the others"
            )

    def exact(self, run: Grades, pool: Pool) -> Exact:
        return self.inspected(run, pool)

    def fast(self, judged: JudgedRuns) -> FloatArray:
        return self.lengths(judged)


ESL = ExpectedSearchLength()
