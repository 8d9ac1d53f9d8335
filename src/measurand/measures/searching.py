"""Measures of a search: a reader inspects documents until enough relevant ones are found."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.errors import Caveat, Doubt, ParameterError
from measurand.judged import NOTHING, JudgedRuns, Pool
from measurand.measures.base import Cells, Measure
from measurand.measures.flat import by_topic, gather
from measurand.measures.grading import Binary
from measurand.measures.parameters import whole

if TYPE_CHECKING:
    from measurand.measures.ties.tied_runs import TiedRun, TiedRuns


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
    def tells_unjudged(self) -> bool:  # type: ignore[override]
        """Whether it matters which documents were judged: if these are all that there are to be found."""
        return self.collection is None

    @property
    def prefers_unjudged(self) -> bool:  # type: ignore[override]
        """Judged documents are rather seen, if those that are not make the search longer."""
        return self.condenses or not self.tells_unjudged

    @property
    def skips_barren(self) -> bool:  # type: ignore[override]
        """Whether groups without relevant documents are of no interest: a search goes through them whole, or ends."""
        return not self.condenses

    def inspected(self, run: Cells, pool: Pool) -> Fraction:
        """Return how many nonrelevant documents are inspected on average, where each has a rank of its own."""
        hits = [self.relevant(cell) for cell in run if cell != NOTHING]
        # the search goes through all ranks above its last document, and comes to none below: these are one rank each
        enough = [place for place, hit in enumerate(hits) if hit][self.i - 1 : self.i]
        last = enough[0] if enough else len(hits)
        parts = hits[:last], hits[last : last + 1], hits[last + 1 :]
        ranks = [(sum(part), len(part) - sum(part)) for part in parts]
        return self._through(ranks, sum(0 <= cell < self.rel for cell in run), pool)

    def inspected_over_ties(self, run: TiedRun, pool: Pool) -> Fraction | None:
        """Return how many nonrelevant documents are inspected on average, where groups are ranks.

        None where order makes no difference.
        """
        from measurand.measures.ties.straddling import Straddling  # loaded when ties are looked at

        found = 0
        for group in run.groups:
            above, wrong = (found, group.start - found), group.judged_above - found
            documents, relevant = len(group.cells), sum(map(self.relevant, group.cells))
            if len(group.seen) < documents or group.cut is not None:
                # nothing comes after a group that is cut; what is not seen of it counts as not retrieved
                judged = sum(cell >= 0 for cell in group.cells)
                straddling = Straddling(documents, judged, relevant, len(group.seen), group.cut)
                return sum(
                    (
                        chance * self._through([above, (hits, seen - hits)], wrong + known - hits, pool)
                        for known, hits, chance in straddling.lots()
                        for seen in [straddling.shown if group.cut is None else known]
                    ),
                    Fraction(0),
                )
            found += relevant
            if found >= self.i:
                return self._through([above, (relevant, documents - relevant)], wrong, pool)
        return None

    def _through(self, ranks: Sequence[tuple[int, int]], wrong: int, pool: Pool) -> Fraction:
        """Return the expected search length through some ranks and then through what was not retrieved.

        Parameters
        ----------
        wrong
            How many documents in these ranks were judged not relevant.
        """
        from measurand.search_length import WeakOrder  # loaded when searches are valued exactly

        found = sum(relevant for relevant, _ in ranks)
        # a run that was made up may hold more documents than there are
        relevant = max(0, pool.recall_base(self.rel) - found)
        nonrelevant = max(0, pool.nonrelevant(self.rel) - wrong)
        if self.collection is not None:
            nonrelevant = self.collection - sum(map(sum, ranks)) - relevant
            self._check_size(nonrelevant)
        filled = [rank for rank in (*ranks, (relevant, nonrelevant)) if any(rank)]
        return WeakOrder(filled).esl(self.i) if filled else Fraction(0)

    def lengths(self, judged: JudgedRuns) -> FloatArray:
        """Return the expected search lengths of all runs, flat."""
        ranks = self.reach(judged.depth)
        hits = judged.hits.select(self.rel, self.cutoff)
        found = gather(hits.row, None, judged)
        retrieved = np.minimum(judged.lengths.reshape(-1), ranks)
        relevant = np.maximum(0, by_topic(judged.recall_bases(self.rel), judged) - found)
        if self.collection is None:
            cells = judged.cells[:, :, :ranks]
            wrong = ((cells >= 0) & (cells < self.rel)).sum(axis=2).reshape(-1)
            there = judged.grade_counts[:, : self.rel].sum(axis=1)
            unseen = np.maximum(0, by_topic(there, judged) - wrong)
        else:
            unseen = self.collection - retrieved - relevant
            self._check_size(int(unseen.min()))
        wanted = self.i - found
        going_on = np.where(wanted <= relevant, wanted * unseen / (relevant + 1), unseen)
        lengths = np.asarray(retrieved - found + going_on)
        enough = hits.ordinal == self.i
        lengths[hits.row[enough]] = hits.rank[enough] - self.i
        return lengths

    def lengths_over_ties(self, runs: TiedRuns) -> FloatArray:
        """Return the expected search lengths of runs with tie groups; NaN where order makes no difference."""
        relevant = runs.per_group(runs.cell >= self.rel)
        found = runs.before(relevant)
        passed = runs.start - found
        ends = (found < self.i) & (found + relevant >= self.i)
        part = runs.start + runs.size > runs.length
        part[list(runs.cut)] = True
        lengths = np.full(len(runs.rows), np.nan)
        whole = np.flatnonzero(ends & ~part)
        inside = (self.i - found) * (runs.size - relevant) / (relevant + 1)
        lengths[runs.group_run[whole]] = (passed + inside)[whole]
        for g in np.flatnonzero(part & (found < self.i)).tolist():
            lengths[runs.group_run[g]] = self._through_part(runs, g, int(found[g]), int(relevant[g]))
        return lengths

    def _through_part(self, runs: TiedRuns, g: int, found: int, relevant: int) -> float:
        """Return the expected search length through a group that is seen in part, and through what is not seen."""
        from measurand.measures.ties.straddling import Straddling  # loaded when ties are looked at

        pool = runs.judged.pools[int(runs.topic[runs.group_run[g]])]
        size, start, cut = int(runs.size[g]), int(runs.start[g]), runs.cut.get(g)
        judged = int((runs.cell[slice(*np.searchsorted(runs.cell_group, [g, g + 1]))] >= 0).sum())
        straddling = Straddling(size, judged, relevant, min(size, runs.length - start), cut)
        known, hits, chances = straddling.rough_lots()
        seen = np.full(len(known), straddling.shown) if cut is None else known
        left = np.maximum(0, pool.recall_base(self.rel) - found - hits)
        unseen = np.maximum(0, pool.nonrelevant(self.rel) - (int(runs.judged_above[g]) - found + known - hits))
        if self.collection is not None:
            unseen = self.collection - start - seen - left
            self._check_size(int(unseen.min()))
        wanted = self.i - found
        inside = wanted * (seen - hits) / (hits + 1)
        beyond = np.where(wanted - hits <= left, (wanted - hits) * unseen / (left + 1), unseen)
        return float(start - found + chances @ np.where(hits >= wanted, inside, seen - hits + beyond))

    def _check_size(self, unseen: int) -> None:
        if self.collection is not None and unseen < 0:
            needed = f"{self.collection - unseen} documents retrieved and relevant ones not retrieved"
            raise ParameterError(f"{self!r}: a topic has {needed}; a collection of {self.collection} is too small")

    def unfinished(self, judged: JudgedRuns) -> BoolArray:
        """Return which rankings hold fewer relevant documents than are wanted, systems × topics."""
        seen = judged.condensed if self.judged_only else judged
        hits = seen.hits.select(self.rel, self.cutoff)
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

    def own_scales_by(self, judged: JudgedRuns) -> Doubt | None:
        """Return that it is the size of the collection, where that is not said and searches go beyond the ranking."""
        return Doubt.COLLECTION if SearchLength.own_scales(self, judged) else None

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        caveats = list(Measure._caveats(self, judged))
        few = int((judged.recall_bases(self.rel) < self.i).sum())
        if few and self.i > 1:
            text = f"{few} of the {len(judged.topics)} topics have fewer than {self.i} relevant documents"
            caveats.append(Caveat(Doubt.NO_RELEVANT, f"{text}, where {self!r} {self.without_enough}"))
        too_few = self.too_few(judged)
        if too_few and self.collection is None:
            text = (
                f"{too_few}; there {self!r} goes on among the judged documents that were not retrieved, as if there"
                " were no others, and is too short; say how many documents there are in all (collection=…, or"
                " --collection-size)"
            )
            caveats.append(Caveat(Doubt.COLLECTION, text))
        return tuple(caveats)
