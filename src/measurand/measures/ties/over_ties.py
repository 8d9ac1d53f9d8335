"""Values of a measure over all orders of tied documents: their mean, the least and the greatest."""

from __future__ import annotations

from functools import cached_property, singledispatch
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.errors import Caveat, CaveatKind, NotAvailable
from measurand.exact import Exact
from measurand.execution import Progress, silent
from measurand.judged import NOTHING, POOLED, UNJUDGED, JudgedRuns, OverTies, TieGroups
from measurand.measures.base import Measure
from measurand.measures.campaigns import TiedValues, with_campaign
from measurand.measures.exact_ties import floats, near, plain_values, settled
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.observational_effectiveness import ObservationalEffectiveness
from measurand.measures.ties.arrangements import (
    arrangements_of,
    best_first,
    look,
    look_exactly,
    random_orders,
    rows_with_open_ties,
)
from measurand.measures.ties.closed_forms import ClosedForm, closed_form
from measurand.measures.ties.sensitivity import equivalence_classes, gain_order, prefers_unjudged
from measurand.measures.ties.signals import Signals
from measurand.measures.ties.tied_runs import Spread, TiedRuns

MEANS = (OverTies.EXPECTED, OverTies.GROUPS)

TAKEN = {**dict.fromkeys(MEANS, "mean"), OverTies.MIN: "least value", OverTies.MAX: "greatest value"}
"""What is taken of all the values, in words."""


def _frozen(values: Any) -> Any:
    values.setflags(write=False)
    return values


@frozen(kw_only=True, eq=False)
class ValuesOverTies:
    """Values of a measure over all orders of tied documents, systems × topics.

    Parameters
    ----------
    measure
        Its spelling.
    over
        What is taken of all the values.
    ranks
        How many ranks were looked at.
    plain
        The values in the order in which the judged runs stand, which is trec_eval's.
    expected, low, high
        The mean over all orders, the least and the greatest value.
    errors
        The standard error of the mean where it was estimated; 0 elsewhere.
    estimated
        Where the mean is that of a sample of orders.
    sampled
        Where the extremes are those of a sample of orders: the least value is at most `low`, and the greatest at
        least `high`.
    """

    measure: str
    over: OverTies
    ranks: int
    plain: FloatArray = field(converter=_frozen)
    expected: FloatArray = field(converter=_frozen)
    low: FloatArray = field(converter=_frozen)
    high: FloatArray = field(converter=_frozen)
    errors: FloatArray = field(converter=_frozen)
    estimated: BoolArray = field(converter=_frozen)
    sampled: BoolArray = field(converter=_frozen)

    @classmethod
    def without_ties(cls, measure: str, over: OverTies, ranks: int, plain: FloatArray) -> ValuesOverTies:
        """Return the values of runs in which no order is open."""
        none = np.zeros(plain.shape, dtype=bool)
        return cls(
            measure=measure,
            over=over,
            ranks=ranks,
            plain=plain,
            expected=plain,
            low=plain,
            high=plain,
            errors=np.zeros(plain.shape),
            estimated=none,
            sampled=none,
        )

    @property
    def values(self) -> FloatArray:
        """The means, the least or the greatest values, by the rule for ties."""
        return {OverTies.MIN: self.low, OverTies.MAX: self.high}.get(self.over, self.expected)

    @property
    def matters(self) -> BoolArray:
        """Where the value depends on the order of tied documents."""
        return np.asarray(self.low < self.high)

    @property
    def how(self) -> Any:
        """How each of the values was obtained: `"exact"` or `"estimated"`."""
        return np.where(self._unsure, "estimated", "exact")

    @property
    def _unsure(self) -> BoolArray:
        return self.estimated if self.over in MEANS else self.sampled

    def caveats(self) -> tuple[Caveat, ...]:
        """Return what a reader of the values should know."""
        number = int(self.matters.sum())
        if not number:
            return self.estimates()
        share, taken = f"{number:,} of {self.matters.size:,} rankings", TAKEN[self.over]
        text = (
            f"{self.measure} depends on the order of tied documents in {share}; scores are the {taken} over all orders"
        )
        return (Caveat(CaveatKind.TIES, text), *self.estimates())

    def estimates(self) -> tuple[Caveat, ...]:
        """Return in how many rankings the values come from random orders alone, if in any."""
        number = int(self._unsure.sum())
        if not number:
            return ()
        if self.over in MEANS:
            limit = f"with a standard error of at most {float(self.errors.max()):.1g}"
        else:
            limit = f"that of all orders is {'at most' if self.over is OverTies.MIN else 'at least'} this"
        where = f"in {number:,} ranking{'' if number == 1 else 's'}"
        source = f"that of {random_orders(self.ranks):,} random orders"
        return (Caveat(CaveatKind.TIES, f"{self.measure}: {where} the {TAKEN[self.over]} is {source}, {limit}"),)


def over_ties(
    measure: Measure, judged: JudgedRuns, progress: Progress = silent, *, plain: FloatArray | None = None
) -> ValuesOverTies:
    r"""Return the values of a measure over all orders of tied documents, each group's orders being equally likely.

    They are the values of all arrangements of a run in which the documents of each tie group are permuted, cut to the
    depth of the judged runs. They are found by a closed form where the measure has one; extremes by the best and the
    worst order, where a better document moved up never hurts; else from all different arrangements if there are
    at most 2000, and from 1000 random ones if there are more (fewer in runs of more than 100,000 ranks).

    Parameters
    ----------
    measure
        The measure.
    judged
        Judged runs with tie groups.
    progress
        Shows how far a long computation is.
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
    measure = with_campaign(measure, judged)
    plain = plain_values(measure, judged) if plain is None else plain
    over = OverTies.EXPECTED if judged.groups is None else judged.groups.over
    if not measure.removes_unjudged:
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


@singledispatch
def values_on_ties(measure: Measure, judged: JudgedRuns, progress: Progress = silent) -> TiedValues:
    """Return the values of a measure on judged runs with tie groups: means or extremes over all orders by default.

    Parameters
    ----------
    measure
        The measure.
    judged
        Judged runs with tie groups.
    progress
        Shows how far a long computation is.
    """
    return over_ties(measure, judged, progress)


@values_on_ties.register
def _(measure: GeometricMean, judged: JudgedRuns, progress: Progress = silent) -> TiedValues:
    return values_on_ties(measure.measure, judged, progress)


@values_on_ties.register
def _(measure: ObservationalEffectiveness, judged: JudgedRuns, progress: Progress = silent) -> TiedValues:
    """Return the values of weak orders, if that is the rule for ties; else means or extremes over all orders."""
    if judged.groups is None or judged.groups.over is not OverTies.GROUPS:
        return over_ties(measure, judged, progress)
    return Signals.of(measure.with_size(judged), judged).values()


def floats_on_ties(measure: Measure, judged: JudgedRuns) -> FloatArray:
    """Return the values of a measure on judged runs with tie groups, systems × topics, not settled by exact values.

    Parameters
    ----------
    measure
        The measure.
    judged
        Judged runs with tie groups.

    Examples
    --------
    >>> from measurand.measures.reciprocal_rank import RR
    >>> groups = TieGroups(np.array([[[0, 1, 0]]], dtype=np.int8), np.array([[[False, True, False]]]))
    >>> floats_on_ties(RR, evolve(JudgedRuns.on_one_topic([(0, 1, 0)], (3, 1)), groups=groups)).tolist()
    [[0.75]]
    """
    if isinstance(measure, ObservationalEffectiveness) and judged.groups and judged.groups.over is OverTies.GROUPS:
        found = Signals.of(measure.with_size(judged), judged).floats()
        return found.reshape(len(judged.systems), len(judged.topics))
    return values_on_ties(measure, judged).values


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

    measure: Measure
    judged: JudgedRuns
    rows: IntArray

    @cached_property
    def form(self) -> ClosedForm | None:
        """The closed form of the measure, if it has one."""
        return closed_form(self.measure)

    @cached_property
    def runs(self) -> TiedRuns:
        """The runs as groups."""
        reach = self.measure.reach(self.judged.depth)
        barren = self.form is None or self.form.needs_barren
        return TiedRuns.of(self.judged, self.rows, reach, condensed=self.measure.removes_unjudged, barren=barren)

    @cached_property
    def closed(self) -> Spread | None:
        """Their means by the closed form, if there is one."""
        return None if self.form is None else self.form.spread(self.runs)

    @property
    def swaps(self) -> bool:
        """Whether extremes are found by the best and the worst order."""
        return self.measure.respects_swap and (self.closed is None or self.closed.low is None)

    @property
    def bounded(self) -> bool:
        """Whether extremes are known without a look at single arrangements."""
        return self.swaps or (self.closed is not None and self.closed.low is not None)

    def by_closed_form(self, found: _Found) -> None:
        """Take the values of the closed form."""
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
        assert groups is not None  # called for runs with groups alone
        chosen = np.unique(self.rows // len(self.judged.topics))
        some = evolve(
            self.judged,
            systems=tuple(self.judged.systems[system] for system in chosen.tolist()),
            cells=self.judged.cells[chosen],
            lengths=self.judged.lengths[chosen],
            groups=TieGroups(groups.cells[chosen], groups.tied[chosen], groups.over),
            ranked_documents=None,
        )
        gains = self._gains()
        best, worst = best_first(some, gains), best_first(some, -gains)
        return (best, worst) if self.measure.lower_is_better else (worst, best)

    @cached_property
    def places(self) -> IntArray:
        """Where the runs stand among those of the systems that have any of them."""
        systems, topics = np.divmod(self.rows, len(self.judged.topics))
        return np.asarray(np.unique(systems, return_inverse=True)[1] * len(self.judged.topics) + topics)

    def _gains(self) -> IntArray:
        """Return places in the order of gains, by cell.

        Of documents without gain, those without judgment come first or last, as the measure prefers.
        """
        top = max(map(self.measure.top_grade, self.judged.pools))
        assert self.judged.groups is not None  # called for runs with groups alone
        highest = max(0, int(self.judged.groups.cells.max(initial=0)))
        gains = [gain_order(self.measure, grade, top) for grade in range(highest + 1)]
        order = {gain: place for place, gain in enumerate(sorted(set(gains)))}
        table = np.zeros(highest + 1 - POOLED, dtype=np.int64)
        table[: highest + 1] = [4 * order[gain] for gain in gains]
        way = 1 if prefers_unjudged(self.measure) else -1
        table[POOLED], table[UNJUDGED], table[NOTHING] = table[0] + 2 * way, table[0] + way, table[0] - 3
        return table

    def by_best_and_worst_order(self, found: _Found) -> None:
        """Take the extremes from the best and the worst order, if a better document moved up never hurts."""
        if self.swaps:
            for values, runs in zip((found.low, found.high), self.arranged, strict=True):
                values[:] = floats(self.measure, runs).reshape(-1)[self.places]

    def one_by_one(self, found: _Found, progress: Progress) -> None:
        """Take whatever is not known yet from single arrangements of each run."""
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
        if self.form is not None and self.closed is not None and getattr(self.closed, what) is not None:
            if np.isnan(getattr(self.closed, what)[place]):
                return self._value(self._run(row), row)
            spread = self.form.exact_spread(self.runs.run(place), pool)
        else:
            spread = look_exactly(self.measure, arrangements_of(self.measure, self.judged, row), pool)
        value: Exact | None = None if spread is None else getattr(spread, what)
        return value

    def _run(self, row: int) -> Cells:
        return np.asarray(self.judged.cells.reshape(-1, self.judged.depth)[row])

    def _value(self, cells: Cells, row: int) -> Exact | None:
        run = tuple(equivalence_classes(self.measure, cells).tolist())
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
