"""Measures of a search: a reader inspects documents until enough relevant ones are found."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.judged import NOTHING, JudgedRuns, Pool
from measurand.judged.hits import by_topic, count, gather
from measurand.measures.base import Binary, Grades, Measure
from measurand.measures.parameters import whole


@frozen(kw_only=True, repr=False, slots=False)
class SearchLength(Binary):
    """Measures of how long the search for `i` relevant documents is.

    Documents that were not retrieved stand in one last rank, in no order.

    Parameters
    ----------
    i
        How many relevant documents are wanted.
    collection
        The number of documents in the collection. By default those that were judged or retrieved, which matters only
        where a run does not find `i` relevant documents: there it is far too few, and noted.
    """

    reference: ClassVar[str] = "Cooper1968"
    without_enough: ClassVar[str]
    uses_recall_base: ClassVar[bool] = True
    respects_swap: ClassVar[bool] = True
    on_weak_orders: ClassVar[bool] = True
    scale_for: ClassVar[str] = "readers who mind every nonrelevant document alike and go by expectations"
    scale_reference: ClassVar[str] = "BollmannRaghavan1988"
    shown: ClassVar[tuple[str, ...]] = ("i",)

    i: int = field(default=1, validator=whole(1))
    collection: int | None = field(default=None, validator=whole(1, optional=True))

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "search length"

    @property
    def tells_unjudged(self) -> bool:
        """Whether it matters which documents were judged: if these are all that there are to be found."""
        return self.collection is None

    def inspected(self, run: Grades, pool: Pool) -> Fraction:
        """Return how many nonrelevant documents are inspected on average, where each has a rank of its own."""
        hits = [self.relevant(cell) for cell in run if cell != NOTHING]
        # the search goes through all ranks above its last document, and comes to none below: these are one rank each
        enough = [place for place, hit in enumerate(hits) if hit][self.i - 1 : self.i]
        last = enough[0] if enough else len(hits)
        parts = hits[:last], hits[last : last + 1], hits[last + 1 :]
        ranks = [(sum(part), len(part) - sum(part)) for part in parts]
        return self.search_through(ranks, sum(0 <= cell < self.lowest for cell in run), pool)

    def search_through(self, ranks: Sequence[tuple[int, int]], wrong: int, pool: Pool) -> Fraction:
        """Return the expected search length through some ranks and then through what was not retrieved.

        Parameters
        ----------
        wrong
            How many documents in these ranks were judged not relevant.
        """
        from measurand.search_length import WeakOrder  # loaded when searches are valued exactly

        found = sum(relevant for relevant, _ in ranks)
        # a run that was made up may hold more documents than there are
        relevant = max(0, pool.recall_base(self.lowest) - found)
        nonrelevant = max(0, pool.nonrelevant(self.lowest) - wrong)
        if self.collection is not None:
            nonrelevant = self.collection - sum(map(sum, ranks)) - relevant
            self.check_size(nonrelevant)
        filled = [rank for rank in (*ranks, (relevant, nonrelevant)) if any(rank)]
        return WeakOrder(filled).esl(self.i) if filled else Fraction(0)

    def lengths(self, judged: JudgedRuns) -> FloatArray:
        """Return the expected search lengths of all runs, flat."""
        ranks = self.reach(judged.depth)
        hits = judged.hits.select(self.lowest, self.cutoff)
        found = gather(hits.row, None, judged)
        retrieved = np.minimum(judged.lengths.reshape(-1), ranks)
        relevant = np.maximum(0, by_topic(judged.recall_bases(self.lowest), judged) - found)
        if self.collection is None:
            cells = judged.rows.values
            wrong = count((cells >= 0) & (cells < self.lowest), ranks, judged)
            there = judged.grade_counts[:, : self.lowest].sum(axis=1)
            unseen = np.maximum(0, by_topic(there, judged) - wrong)
        else:
            unseen = self.collection - retrieved - relevant
            self.check_size(int(unseen.min()))
        wanted = self.i - found
        going_on = np.where(wanted <= relevant, wanted * unseen / (relevant + 1), unseen)
        lengths = np.asarray(retrieved - found + going_on)
        enough = hits.ordinal == self.i
        lengths[hits.row[enough]] = hits.rank[enough] - self.i
        return lengths

    def check_size(self, unseen: int) -> None:
        """Complain of a collection that is too small for the documents that a topic has."""
        if self.collection is not None and unseen < 0:
            needed = f"{self.collection - unseen} documents retrieved and relevant ones not retrieved"
            raise ParameterError(f"{self!r}: a topic has {needed}; a collection of {self.collection} is too small")

    def unfinished(self, judged: JudgedRuns) -> BoolArray:
        """Return which rankings hold fewer relevant documents than are wanted, systems × topics."""
        seen = judged.condensed if self.judged_only else judged
        hits = seen.hits.select(self.lowest, self.cutoff)
        return gather(hits.row, None, judged).reshape(len(judged.systems), len(judged.topics)) < self.i

    def too_few(self, judged: JudgedRuns) -> str:
        """Return how many rankings do not find enough relevant documents, in words; nothing if all do."""
        unfinished = self.unfinished(judged)
        enough = "a relevant document" if self.i == 1 else f"{self.i} relevant documents"
        share = f"{int(unfinished.sum()):,} of the {unfinished.size:,} rankings"
        return f"{share} do not find {enough}" if unfinished.any() else ""

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return nothing, because documents are counted on every topic; unless some cannot be counted."""
        too_few = "" if self.collection is not None else self.too_few(judged)
        return f"{too_few}, and how many documents there are in all is not said" if too_few else ""

    def own_scales_by(self, judged: JudgedRuns) -> CaveatKind | None:
        """Return the size of the collection, where it is not given and searches go beyond the ranking."""
        return CaveatKind.COLLECTION if SearchLength.own_scales(self, judged) else None

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        caveats = list(Measure._caveats(self, judged))
        few = int((judged.recall_bases(self.lowest) < self.i).sum())
        if few and self.i > 1:
            have = "has" if few == 1 else "have"
            text = f"{few} of the {len(judged.topics)} topics {have} fewer than {self.i} relevant documents"
            caveats.append(Caveat(CaveatKind.NO_RELEVANT, f"{text}, where {self!r} {self.without_enough}"))
        too_few = self.too_few(judged)
        if too_few and self.collection is None:
            text = (
                f"{too_few}; there {self!r} goes on among the judged documents that were not retrieved, as if there"
                " were no others, and is too short; say how many documents there are in all (collection=…, or"
                " --collection-size)"
            )
            caveats.append(Caveat(CaveatKind.COLLECTION, text))
        return tuple(caveats)
