"""Values of a measure over all orders inside ties: their mean, the least and the greatest."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.exact import Exact
from measurand.execution import Progress, silent
from measurand.judged import HIGHEST_GRADE, NOTHING, POOLED, UNJUDGED, JudgedRuns, OverTies, TieGroups
from measurand.measures.settling import near, settled
from measurand.measures.ties.extremes import best_first
from measurand.measures.ties.one_by_one import look, look_exactly
from measurand.measures.ties.open_groups import arrangements_of, rows_with_open_ties
from measurand.measures.ties.spread import Spread, Tieable
from measurand.measures.ties.tied_runs import TiedRuns
from measurand.measures.ties.values import ValuesOverTies


def over_ties(
    measure: Tieable, judged: JudgedRuns, progress: Progress = silent, *, plain: FloatArray | None = None
) -> ValuesOverTies:
    r"""Return the values of a measure over all orders of tied documents, each group's orders being equally likely.

    They are the values of all arrangements of a run in which the documents of each tie group are permuted, cut to the
    depth of the judged runs. They are found by a closed form where the measure has one; extremes by the best and the
    worst order, where a better document moved up never hurts; else from all different arrangements if there are
    at most 2000, and from 1000 random ones if there are more (fewer in runs of more than 100,000 ranks).

    Parameters
    ----------
    plain
        The values of the runs as they stand, if they are known already.

    Examples
    --------
    >>> from measurand.measures.reciprocal_rank import RR
    >>> groups = TieGroups(np.array([[[0, 1, 0]]], dtype=np.int8), np.array([[[False, True, False]]]))
    >>> found = over_ties(RR, evolve(JudgedRuns.on_one_topic([(0, 1, 0)], (3, 1)), groups=groups))
    >>> found.low.item(), found.expected.item(), found.high.item(), found.how.item()
    (0.5, 0.75, 1.0, 'exact')

    References
    ----------
    [McSherryNajork2008]_
    """
    plain = measure.plain_values(judged) if plain is None else plain
    over = OverTies.EXPECTED if judged.groups is None else judged.groups.over
    if not measure.condenses:
        judged = judged.down_to(measure.reach(judged.depth))
    rows = rows_with_open_ties(measure, judged)
    if not len(rows):
        return ValuesOverTies.without_ties(repr(measure), over, judged.depth, plain)
    search = _Search(measure, judged, rows)
    found = _Found.start(plain.reshape(-1)[rows])
    search.by_closed_form(found)
    search.by_best_and_worst_order(found)
    if search.bounded:
        search.where_none_matters(found, plain.reshape(-1)[rows])
        search.one_by_one(found, progress)
    else:
        search.one_by_one(found, progress)
        search.where_none_matters(found, plain.reshape(-1)[rows])
    return search.gathered(found, plain, over)


@frozen(eq=False)
class _Found:
    """What is known so far of the runs with open ties."""

    expected: FloatArray
    low: FloatArray
    high: FloatArray
    errors: FloatArray
    estimated: BoolArray
    sampled: BoolArray

    @classmethod
    def start(cls, plain: FloatArray) -> _Found:
        """Return what is known before the search: one value."""
        none = np.zeros(len(plain), dtype=bool)
        return cls(plain.copy(), plain.copy(), plain.copy(), np.zeros(len(plain)), none, none.copy())


@frozen(eq=False, slots=False)
class _Search:
    """The search for the values of runs with open ties.

    Parameters
    ----------
    rows
        Which runs, counting system by system and topic by topic.
    """

    measure: Tieable
    judged: JudgedRuns
    rows: IntArray

    @cached_property
    def runs(self) -> TiedRuns:
        """The runs as groups."""
        reach = self.measure.reach(self.judged.depth)
        barren = not self.measure.skips_barren
        return TiedRuns.of(self.judged, self.rows, reach, condensed=self.measure.condenses, barren=barren)

    @cached_property
    def closed(self) -> Spread | None:
        """What a closed form says of them."""
        return self.measure.spread(self.runs)

    @property
    def swaps(self) -> bool:
        """Whether extremes are found by the best and the worst order."""
        return self.measure.respects_swap and (self.closed is None or self.closed.low is None)

    @property
    def bounded(self) -> bool:
        """Whether extremes are known without a look at single arrangements."""
        return self.swaps or (self.closed is not None and self.closed.low is not None)

    def by_closed_form(self, found: _Found) -> None:
        """Take what the closed form says."""
        if self.closed is None:
            return
        for name in ("expected", "low", "high"):
            values = getattr(self.closed, name)
            if values is not None:
                known = ~np.isnan(values)
                getattr(found, name)[known] = values[known]

    @cached_property
    def arranged(self) -> tuple[JudgedRuns, JudgedRuns]:
        """The systems that have such runs, in the order of least value, and in that of greatest."""
        groups = self.judged.groups
        assert groups is not None  # asked for runs with groups alone
        chosen = np.unique(self.rows // len(self.judged.topics))
        some = evolve(
            self.judged,
            systems=tuple(self.judged.systems[system] for system in chosen.tolist()),
            cells=self.judged.cells[chosen],
            lengths=self.judged.lengths[chosen],
            groups=TieGroups(groups.cells[chosen], groups.tied[chosen], groups.over),
        )
        worth = self._worth()
        best, worst = best_first(some, worth), best_first(some, -worth)
        return (best, worst) if self.measure.lower_is_better else (worst, best)

    @cached_property
    def places(self) -> IntArray:
        """Where the runs stand among those of the systems that have any of them."""
        systems, topics = np.divmod(self.rows, len(self.judged.topics))
        return np.asarray(np.unique(systems, return_inverse=True)[1] * len(self.judged.topics) + topics)

    def _worth(self) -> IntArray:
        """Return places in the order of worth, by cell.

        Of documents that are worth nothing, those without judgment come first or last, as the measure prefers.
        """
        top = max(map(self.measure.top_grade, self.judged.pools))
        assert self.judged.groups is not None  # asked for runs with groups alone
        highest = max(0, int(self.judged.groups.cells.max(initial=0)))
        worths = [self.measure.worth(grade, top) for grade in range(highest + 1)]
        order = {worth: place for place, worth in enumerate(sorted(set(worths)))}
        table = np.zeros(HIGHEST_GRADE + 1 - POOLED, dtype=np.int64)
        table[: highest + 1] = [4 * order[worth] for worth in worths]
        way = 1 if self.measure.prefers_unjudged else -1
        table[POOLED], table[UNJUDGED], table[NOTHING] = table[0] + 2 * way, table[0] + way, table[0] - 3
        return table

    def by_best_and_worst_order(self, found: _Found) -> None:
        """Take the extremes from the best and the worst order, if a better document moved up never hurts."""
        if self.swaps:
            for values, runs in zip((found.low, found.high), self.arranged, strict=True):
                values[:] = self.measure.floats(runs).reshape(-1)[self.places]

    def one_by_one(self, found: _Found, progress: Progress) -> None:
        """Look at single arrangements of each run for whatever is not known yet."""
        if self.closed is not None and self.bounded:
            return
        for place, row in enumerate(progress(self.rows.tolist(), len(self.rows), "orders of tied documents")):
            if self.bounded and found.low[place] == found.high[place]:
                continue
            pool = self.judged.pools[row % len(self.judged.topics)]
            looked = look(self.measure, arrangements_of(self.measure, self.judged, row), pool)
            if self.closed is None:
                found.expected[place], found.errors[place] = looked.expected, looked.error
                found.estimated[place] = looked.sampled
            if not self.bounded:
                found.low[place], found.high[place] = looked.low, looked.high
                found.sampled[place] = looked.sampled

    def where_none_matters(self, found: _Found, plain: FloatArray) -> None:
        """Take the plain value where the extremes turn out to be the same."""
        for place in np.flatnonzero((found.low != found.high) & near(found.low, found.high)).tolist():
            low, high = self.exact("low", place), self.exact("high", place)
            if low is not None and high is not None:
                found.low[place], found.high[place] = float(low), float(high) if high != low else float(low)
        same = found.low == found.high
        for values in (found.expected, found.low, found.high):
            values[same] = plain[same]
        sure = same & ~found.sampled
        found.errors[sure], found.estimated[sure] = 0, False

    def exact(self, what: str, place: int) -> Exact | None:
        """Return the exact mean or extreme of one of the runs; None if it is not to be had."""
        row = int(self.rows[place])
        pool = self.judged.pools[row % len(self.judged.topics)]
        if what != "expected" and self.swaps:
            runs = self.arranged[what == "high"]
            return self._value(runs.cells.reshape(-1, runs.depth)[self.places[place]], row)
        if self.closed is not None and getattr(self.closed, what) is not None:
            if np.isnan(getattr(self.closed, what)[place]):
                return self._value(self._run(row), row)
            spread = self.measure.exact_spread(self.runs.run(place), pool)
        else:
            spread = look_exactly(self.measure, arrangements_of(self.measure, self.judged, row), pool)
        value: Exact | None = None if spread is None else getattr(spread, what)
        return value

    def _run(self, row: int) -> Cells:
        return np.asarray(self.judged.cells.reshape(-1, self.judged.depth)[row])

    def _value(self, cells: Cells, row: int) -> Exact | None:
        run = tuple(self.measure.kinds(cells).tolist())
        try:
            return self.measure.exact(self.measure.view(run), self.judged.pools[row % len(self.judged.topics)])
        except NotAvailable:
            return None

    def gathered(self, found: _Found, plain: FloatArray, over: OverTies) -> ValuesOverTies:
        """Return the values of all runs, equal where the exact ones are."""
        place_of = {row: place for place, row in enumerate(self.rows.tolist())}
        matters = found.low != found.high
        fixed = np.ones(plain.size, dtype=bool)
        fixed[self.rows[matters]] = False

        def spread_out(values: Any, others: Any) -> Any:
            filled = others.reshape(-1).copy()
            filled[self.rows] = values
            return filled.reshape(plain.shape)

        def settle(what: str) -> FloatArray:
            def exact_at(row: int) -> Exact | None:
                return self._value(self._run(row), row) if fixed[row] else self.exact(what, place_of[row])

            values = spread_out(getattr(found, what), plain)
            return settled(values, exact_at, fixed=fixed.reshape(plain.shape))

        low, high = settle("low"), settle("high")
        none = np.zeros(plain.shape, dtype=bool)
        return ValuesOverTies(
            measure=repr(self.measure),
            over=over,
            ranks=self.judged.depth,
            plain=plain,
            expected=np.clip(settle("expected"), low, high),
            low=low,
            high=high,
            errors=spread_out(found.errors, none.astype(np.float64)),
            estimated=spread_out(found.estimated, none),
            sampled=spread_out(found.sampled, none),
        )
