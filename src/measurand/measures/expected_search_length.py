"""Expected search length: how many nonrelevant documents a reader inspects before having found enough."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import Caveat, Doubt, ParameterError
from measurand.exact import Exact, ratio
from measurand.judged import NOTHING, JudgedRuns, Pool
from measurand.measures.base import Cells, Measure
from measurand.measures.flat import by_topic, gather
from measurand.measures.grading import Binary
from measurand.measures.parameters import whole
from measurand.measures.ties import Spread, TiedRun, TiedRuns
from measurand.measures.ties.straddling import Straddling
from measurand.scores import Scale
from measurand.search_length import WeakOrder


@frozen(kw_only=True, repr=False, slots=False)
class SearchLength(Binary):
    """Measures of how long the search for `i` relevant documents is.

    Documents that were not retrieved stand in one last rank, in no order.

    Parameters
    ----------
    i
        How many relevant documents are wanted.
    collection
        The number of documents in the collection. By default as many as are judged and the run has ranks, which
        matters only where a run does not find `i` relevant documents, and is noted there.
    """

    reference: ClassVar[str] = "Cooper1968"
    uses_recall_base: ClassVar[bool] = True
    respects_swap: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False
    scale_for: ClassVar[str] = "readers who mind every nonrelevant document alike"
    shown: ClassVar[tuple[str, ...]] = ("i",)

    i: int = field(default=1, validator=whole(1))
    collection: int | None = field(default=None, validator=whole(1, optional=True))

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "search length"

    def size(self, pool: Pool, length: int) -> int:
        """Return the number of documents in the collection, given or assumed."""
        return self.collection or sum(pool.grade_counts) + length

    def inspected(self, run: Cells, pool: Pool) -> Fraction:
        """Return how many nonrelevant documents are inspected on average, where each has a rank of its own."""
        ranks = [(int(self.relevant(cell)), int(not self.relevant(cell))) for cell in run if cell != NOTHING]
        return self._through(ranks, pool, len(run))

    @property
    def skips_barren(self) -> bool:  # type: ignore[override]
        """Whether groups without relevant documents are of no interest: not where a search may not come to all."""
        return not self.condenses

    def inspected_over_ties(self, run: TiedRun, pool: Pool) -> Fraction | None:
        """Return how many nonrelevant documents are inspected on average, where groups are ranks.

        None where order makes no difference.
        """
        found = 0
        for group in run.groups:
            above = found, group.start - found
            documents, relevant = len(group.cells), sum(map(self.relevant, group.cells))
            if len(group.seen) < documents or group.cut is not None:
                # nothing comes after a group that is cut; what is not seen of it counts as not retrieved
                straddling = Straddling(documents, documents, relevant, len(group.seen), group.cut)
                lots = [((hits, seen - hits), chance) for seen, hits, chance in straddling.lots()]
                parts = (chance * self._through([above, lot], pool, run.length) for lot, chance in lots)
                return sum(parts, Fraction(0))
            found += relevant
            if found >= self.i:
                return self._through([above, (relevant, documents - relevant)], pool, run.length)
        return None

    def _through(self, ranks: Sequence[tuple[int, int]], pool: Pool, length: int) -> Fraction:
        """Return the expected search length through some ranks and then through what was not retrieved."""
        found = sum(relevant for relevant, _ in ranks)
        # a run that was made up may hold more relevant documents than there are
        relevant = max(0, pool.recall_base(self.rel) - found)
        size = self.size(pool, length)
        nonrelevant = size - sum(map(sum, ranks)) - relevant
        self._check_size(nonrelevant, size)
        filled = [rank for rank in (*ranks, (relevant, nonrelevant)) if any(rank)]
        return WeakOrder(filled).esl(self.i)

    def at_random(self, pool: Pool, length: int) -> Fraction:
        """Return the expected search length where no document is retrieved."""
        relevant = pool.recall_base(self.rel)
        nonrelevant = self.size(pool, length) - relevant
        return Fraction(self.i * nonrelevant, relevant + 1) if self.i <= relevant else Fraction(nonrelevant)

    def lengths(self, judged: JudgedRuns) -> FloatArray:
        """Return the expected search lengths of all runs, flat."""
        ranks = self.reach(judged.depth)
        hits = judged.hits.select(self.rel, self.cutoff)
        found = gather(hits.row, None, judged)
        retrieved = np.minimum(judged.lengths.reshape(-1), ranks)
        relevant = np.maximum(0, by_topic(judged.recall_bases(self.rel), judged) - found)
        size = by_topic([self.size(pool, ranks) for pool in judged.pools], judged)
        unseen = size - retrieved - relevant
        self._check_size(int(unseen.min()), int(size[np.argmin(unseen)]))
        wanted = self.i - found
        lengths = retrieved - found + np.where(wanted <= relevant, wanted * unseen / (relevant + 1), unseen)
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
        pool = runs.judged.pools[int(runs.topic[runs.group_run[g]])]
        size, start = int(runs.size[g]), int(runs.start[g])
        straddling = Straddling(size, size, relevant, min(size, runs.length - start), runs.cut.get(g))
        seen, hits, chances = straddling.rough_lots()
        left = np.maximum(0, pool.recall_base(self.rel) - found - hits)
        unseen = self.size(pool, runs.length) - start - seen - left
        self._check_size(int(unseen.min()), self.size(pool, runs.length))
        wanted = self.i - found
        inside = wanted * (seen - hits) / (hits + 1)
        beyond = np.where(wanted - hits <= left, (wanted - hits) * unseen / (left + 1), unseen)
        return float(start - found + chances @ np.where(hits >= wanted, inside, seen - hits + beyond))

    def _check_size(self, unseen: int, size: int) -> None:
        if unseen < 0:
            what = "documents retrieved and relevant ones not retrieved"
            raise ParameterError(f"{self!r}: a topic has {size - unseen} {what}; a collection of {size} is too small")

    def unfinished(self, judged: JudgedRuns) -> IntArray:
        """Return how many topics every system leaves with fewer relevant documents than are wanted."""
        hits = judged.hits.select(self.rel, self.cutoff)
        found = gather(hits.row, None, judged).reshape(len(judged.systems), len(judged.topics))
        return np.asarray((found < self.i).sum(axis=1))

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        caveats = list(Measure._caveats(self, judged))
        few = int((judged.recall_bases(self.rel) < self.i).sum())
        if few and self.i > 1:
            text = f"{few} of the {len(judged.topics)} topics have fewer than {self.i} relevant documents"
            caveats.append(Caveat(Doubt.NO_RELEVANT, f"{text}: there {self!r} counts all nonrelevant documents"))
        unfinished = int(self.unfinished(judged).sum())
        if unfinished and self.collection is None:
            runs = len(judged.systems) * len(judged.topics)
            enough = "a relevant document" if self.i == 1 else f"{self.i} relevant documents"
            text = (
                f"{unfinished} of the {runs} rankings do not find {enough}; there {self!r} goes on"
                " among documents that were not retrieved, and assumes far too few of them; say how many there are in"
                " all (collection=…)"
            )
            caveats.append(Caveat(Doubt.COLLECTION, text))
        return tuple(caveats)


class ExpectedSearchLength(SearchLength):
    r"""Number of nonrelevant documents that a reader inspects before the `i`-th relevant one, on average over ties.

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
    It is a ratio scale for readers who mind every nonrelevant document alike and for whom searches add up;
    `measurand.search_length.preferences.check` tells from what somebody prefers. Documents of equal score make a
    rank if the order of ties is left open (`ties="expected"`); else every document has a rank of its own.

    References
    ----------
    [Cooper1968]_, [BollmannRaghavan1988]_
    """

    name: ClassVar[str] = "ESL"
    bounds: ClassVar[tuple[int | None, int | None]] = (0, None)
    lower_is_better: ClassVar[bool] = True

    @property
    def scale(self) -> Scale:
        """A number of documents, for readers who mind each of them alike."""
        return Scale.RATIO

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return nothing: documents are counted on every topic."""
        return ""

    def exact(self, run: Cells, pool: Pool) -> Exact:
        return self.inspected(run, pool)

    def fast(self, judged: JudgedRuns) -> FloatArray:
        return self.lengths(judged)

    def spread(self, runs: TiedRuns) -> Spread | None:
        return Spread(self.lengths_over_ties(runs))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        inspected = self.inspected_over_ties(run, pool)
        return None if inspected is None else Spread(inspected)


class SearchLengthReduction(SearchLength):
    r"""Share of the search that a ranking saves, against going through the collection in no order.

    .. math:: \mathrm{ESLR}_i = 1 - \mathrm{ESL}_i / \frac{i\, N}{R + 1}

    There are `R` relevant and `N` nonrelevant documents. 1 if no nonrelevant document is inspected, 0 for a ranking
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

    @property
    def scale(self) -> Scale:
        """Equal savings of documents are equal differences on one topic; another unit on each recall base."""
        return Scale.INTERVAL

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return why every topic has a unit of its own, unless the same search is saved on all of them."""
        searches = {self.at_random(pool, self.reach(judged.depth)) for pool in judged.pools}
        return "" if len(searches) <= 1 else "the search that it saves a share of is longer on some than on others"

    def saved(self, length: Fraction, pool: Pool, ranks: int) -> Fraction:
        """Return the share that a search saves."""
        at_random = self.at_random(pool, ranks)
        return ratio(at_random - length, at_random)

    def exact(self, run: Cells, pool: Pool) -> Exact:
        return self.saved(self.inspected(run, pool), pool, len(run))

    def fast(self, judged: JudgedRuns) -> FloatArray:
        at_random = by_topic(self._at_random(judged), judged)
        return ratio(at_random - self.lengths(judged), at_random)

    def spread(self, runs: TiedRuns) -> Spread | None:
        at_random = self._at_random(runs.judged)[runs.topic]
        return Spread(ratio(at_random - self.lengths_over_ties(runs), at_random))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        inspected = self.inspected_over_ties(run, pool)
        return None if inspected is None else Spread(self.saved(inspected, pool, run.length))

    def _at_random(self, judged: JudgedRuns) -> FloatArray:
        return np.array([float(self.at_random(pool, self.reach(judged.depth))) for pool in judged.pools])


ESL = ExpectedSearchLength()
ESLR = SearchLengthReduction()
