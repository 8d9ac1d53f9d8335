"""The runs whose values are ranked: how long they are, which grades they hold, and their ruler.

The interval transform ranks a value among the values of *all* runs, so one has to fix which runs there are
([FerranteFerroFuhr2021]_, section IV): all sequences of so many grades of a fixed length, whatever the topic holds, or
those with no more relevant documents than a topic has (its recall base). A `Universe` translates a judged run into such
a sequence (cut or filled up, binarised where the measure is binary) and finds the ruler of its measure: that of the
family, or else enumeration. Rulers are kept for the next call.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import Cells
from measurand.errors import NotAvailable, ParameterError
from measurand.intervals.enumeration import Enumerated, EnumeratedPossible
from measurand.intervals.families import endless_ruler, family_ruler, limited_ruler, same_order_everywhere
from measurand.intervals.ruler import Budget, Ruler
from measurand.judged import JudgedRuns, Pool
from measurand.judged.universes import PossibleRuns
from measurand.measures.base import Grades, Measure
from measurand.measures.rank_biased_precision import Geometric
from measurand.measures.space import DEEPEST

KEPT = 4
"""So many rulers are kept for the next call."""

MOST = 1 << 20
"""With a recall base, no more runs than this are written down and looked at."""


@frozen
class Universe:
    """All runs of a depth over so many grades, as a measure sees them.

    Parameters
    ----------
    measure
        The measure.
    depth
        How many ranks runs have, without end for `inf`; None for the cutoff of the measure or the length of the
        run at hand.
    grades
        How many grades there are, 0 included.
    recall_base
        How many relevant documents the topic has, of grades that the measure counts; runs that hold more are left out.
        None for all runs.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> Universe(AP(rel=2), depth=4, grades=2).digits((2, 1, 3)).tolist()
    [[1, 0, 1, 0]]
    >>> Universe(AP, depth=4, grades=2, recall_base=1).total(4)
    5
    """

    measure: Measure
    depth: int | float | None
    grades: int
    recall_base: int | None = None

    def __attrs_post_init__(self) -> None:
        gmax = self.measure.highest_grade if "gmax" in self.measure.parameters() else None
        if gmax is not None and gmax < self.grades - 1:
            raise ParameterError(f"{self.measure!r} has no grade above {gmax}; ask for {gmax + 1} grades")
        if not self.measure.graded and self.measure.lowest > DEEPEST:
            raise ParameterError(f"{self.measure!r} counts no grade below {self.measure.lowest:,}; take a lower rel")
        if self.depth == inf and not isinstance(self.measure, Geometric):
            raise ParameterError(f"{self.measure!r} has no scale for runs without end; RBP and gRBP have")
        if self.depth == inf and self.recall_base is not None:
            raise ParameterError("runs without end have no scale for one recall base; give a depth")

    @property
    def levels(self) -> tuple[int, ...]:
        """The grades that the measure tells apart."""
        return self.measure.levels_of_relevance(self.grades)

    def ranks(self, length: int | None) -> int | float:
        """Return how many ranks runs have, if the run at hand has a length.

        Parameters
        ----------
        length
            How many ranks a run has.
        """
        said = [ranks for ranks in (self.depth, self.measure.cutoff) if ranks is not None]
        if not said and length is None:
            raise ParameterError(f"how deep are runs? Say {self.measure!r}@30, or depth=30")
        return min(said) if said else length or 0

    def scaled_ranks(self, length: int | None) -> int | float:
        """Return how many ranks runs have, or refuse more than a scale is made for.

        Parameters
        ----------
        length
            How many ranks a run has.
        """
        ranks = self.ranks(length)
        if DEEPEST < ranks < inf:
            raise NotAvailable(f"runs of {ranks:,} ranks are too long for a scale; ask for {DEEPEST:,} at most")
        return ranks

    def cut(self, runs: Cells) -> Cells:
        """Return runs, along the last axis, cut or filled up with nonrelevant documents to their length here.

        Parameters
        ----------
        runs
            Judged runs, one a row.
        """
        ranks = self.scaled_ranks(runs.shape[-1])
        if ranks == inf:
            return runs
        missing = max(int(ranks) - runs.shape[-1], 0)
        return np.pad(runs[..., : int(ranks)], [(0, 0)] * (runs.ndim - 1) + [(0, missing)])

    def fold(self, runs: Cells) -> Cells:
        """Return runs in the digits of the ruler; gaps count as nonrelevant, grades beyond the highest like it.

        Parameters
        ----------
        runs
            Judged runs, one a row.
        """
        if self.measure.graded:
            return np.clip(runs, 0, self.grades - 1)
        return np.asarray(runs >= self.measure.lowest, dtype=np.int8)

    def digits(self, *runs: Grades) -> Cells:
        """Return runs of one length as rows of digits, or raise if one holds a grade that there is not.

        Parameters
        ----------
        *runs
            Judged runs, at least one.
        """
        highest = max(max(run, default=0) for run in runs)
        if self.measure.graded and highest >= self.grades:
            raise ParameterError(f"grade {highest} does not fit into {self.grades} grades; say grades={highest + 1}")
        return self.possible(self.fold(self.cut(np.array(runs, dtype=np.int8))))

    def possible(self, runs: Cells) -> Cells:
        """Return runs in the digits of the ruler, or raise if one holds more relevant documents than there are.

        Parameters
        ----------
        runs
            Runs in the digits of the ruler, one a row.
        """
        most = int(self.runs(runs.shape[1]).relevant(runs).max(initial=0))
        if self.recall_base is not None and most > self.recall_base:
            raise ParameterError(
                f"a run holds {most} relevant documents, and the recall base is {self.recall_base}; of judged runs,"
                " recall_base='topic' takes that of each topic"
            )
        return runs

    def seen(self, judged: JudgedRuns) -> Cells:
        """Return what stands at the ranks that the measure looks at, systems × topics × ranks.

        Parameters
        ----------
        judged
            The judged runs.
        """
        source = judged.condensed if self.measure.judged_only else judged
        return self.cut(source.cells)

    def total(self, length: int) -> int:
        """Return how many runs there are, if the run at hand has a length.

        Parameters
        ----------
        length
            How many ranks a run has.
        """
        ranks = self.ranks(length)
        if ranks == inf:
            raise NotAvailable("there is no counting runs without end; use ties='unq'")
        return self.runs(int(ranks)).total

    def runs(self, ranks: int) -> PossibleRuns:
        """Return the runs of so many ranks in the digits of the ruler: counted, written down, or drawn.

        Parameters
        ----------
        ranks
            How many ranks runs have.
        """
        lowest = self.measure.lowest if self.measure.graded else 1
        return PossibleRuns(ranks, len(self.levels), self.recall_base, lowest)

    def ruler(self, length: int | None, pool: Pool | None, budget: Budget) -> Ruler:
        """Return all values of the measure on the runs, in order.

        Parameters
        ----------
        length
            How long the run at hand is, which matters if nothing else says how many ranks there are.
        pool
            The topic, which matters only if it decides which runs the measure prefers.
        budget
            What the ruler may cost.
        """
        ranks = self.scaled_ranks(length)
        if isinstance(self.measure, Geometric) and ranks == inf:
            return _endless_ruler(self.measure, self.grades, budget)
        limited = self.recall_base is not None and self.recall_base < ranks
        relevant = self.recall_base if limited and self.recall_base is not None else int(ranks)
        # a topic without relevant documents has one run, whatever its values are divided by
        plain = Pool.plain(max(relevant, 1), int(ranks), self.levels[-1])
        topic = plain if pool is None or same_order_everywhere(self.measure) else pool
        # what was not said and what follows from the cutoff is one ruler
        asked = evolve(self, depth=int(ranks), recall_base=self.recall_base if limited else None)
        return _ruler(asked, int(ranks), topic, budget)


@lru_cache(maxsize=KEPT)
def _ruler(universe: Universe, depth: int, pool: Pool, budget: Budget) -> Ruler:
    measure, grades = universe.measure, universe.grades
    if universe.recall_base is not None:
        return _limited_ruler(universe, universe.recall_base, depth, pool, budget)
    try:
        known = family_ruler(measure, depth, grades, pool, budget)
    except NotAvailable:
        if not Enumerated.fits(measure, depth, grades):
            raise
        known = None
    return known or Enumerated(measure, depth, grades, pool, budget)


def _limited_ruler(universe: Universe, base: int, depth: int, pool: Pool, budget: Budget) -> Ruler:
    """Return the ruler of runs that hold no more relevant documents than there are."""
    known = limited_ruler(universe.measure, base, depth, pool)
    if known is not None:
        return known
    total = universe.total(depth)
    if total > MOST:
        raise NotAvailable(
            f"{universe.measure!r} with a recall base of {base}: there is no way here but to look at all {total:,}"
            f" runs, and more than {MOST:,} are too many; ask for fewer ranks, or for all runs (no recall base)"
        )
    return EnumeratedPossible(universe.measure, universe.runs(depth).every(), universe.grades, pool, budget)


@lru_cache(maxsize=KEPT)
def _endless_ruler(measure: Geometric, grades: int, budget: Budget) -> Ruler:
    return endless_ruler(measure, grades, budget)
