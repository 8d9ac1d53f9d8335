"""The orders that ties leave open: counted, listed with their probabilities, or drawn; and values over them.

All different arrangements of a run are looked at one by one where they are few, random ones where they are many.
Where a better document moved up never makes a measure worse, the best and the worst order give its extremes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from math import comb, perm, prod, sqrt
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.exact import Exact
from measurand.execution import Rng, generator
from measurand.judged import NOTHING, JudgedRuns, Pool, TieGroups
from measurand.measures.base import Measure
from measurand.measures.exact_ties import floats
from measurand.measures.ties.sensitivity import affected_groups, equivalence_classes
from measurand.measures.ties.tied_runs import Spread, inside_of


@frozen(slots=False)
class OpenGroup:
    """A tie group whose order makes a difference.

    Parameters
    ----------
    start
        How many ranks are above it.
    shown
        How many of its places are looked at.
    cells
        Its documents, those that a measure does not distinguish alike.

    Examples
    --------
    >>> group = OpenGroup(start=0, shown=2, cells=(1, 0, 0))
    >>> group.number(limit=10), group.all()[0].tolist(), group.all()[1]
    (3, [[0, 0], [1, 0], [0, 1]], [2, 2, 2])
    """

    start: int
    shown: int
    cells: tuple[int, ...]

    @cached_property
    def kinds(self) -> list[tuple[int, int]]:
        """The kinds of documents and how many there are of each, the most numerous last."""
        return sorted(Counter(self.cells).items(), key=lambda kind: (kind[1], kind[0]))

    def number(self, limit: int) -> int:
        """Return how many different orders of the documents shown there are, or some number above `limit`."""
        most = self.kinds[-1][1]
        rare = len(self.cells) - most
        few, many = max(0, self.shown - most), min(rare, self.shown)
        # the places of the rare documents alone are a choice; the middle of the range has the most of them
        middle = min(max(self.shown // 2, few), many)
        if comb(self.shown, middle) > limit:
            return limit + 1
        words = [1]
        for _, count in self.kinds[:-1]:
            longest = min(len(words) - 1 + count, self.shown)
            words = [
                sum(
                    comb(length, taken) * words[length - taken]
                    for taken in range(max(0, length - len(words) + 1), min(count, length) + 1)
                )
                for length in range(longest + 1)
            ]
        return sum(comb(self.shown, rare) * words[rare] for rare in range(few, many + 1))

    @property
    def ways(self) -> int:
        """How many orders there are if all documents are distinguished."""
        return perm(len(self.cells), self.shown)

    def orders(self) -> Iterator[tuple[dict[int, int], int]]:
        """Return the different orders of the documents shown, and in how many ways each comes about.

        An order is given by the places, from 0, of all documents but the most numerous kind.
        """
        room = [count for _, count in self.kinds]

        def placed(nth: int, free: tuple[int, ...], ways: int) -> Iterator[tuple[dict[int, int], int]]:
            kind, count = self.kinds[nth]
            if nth == len(room) - 1:
                yield {}, ways * perm(count, len(free))
                return
            for taken in range(max(0, len(free) - sum(room[nth + 1 :])), min(count, len(free)) + 1):
                for places in combinations(free, taken):
                    others = tuple(place for place in free if place not in places) if taken else free
                    for order, number in placed(nth + 1, others, ways * perm(count, taken)):
                        yield {**order, **dict.fromkeys(places, kind)}, number

        return placed(0, tuple(range(self.shown)), 1)

    def all(self) -> tuple[Cells, list[int]]:
        """Return the different orders of the documents shown, one a row, and in how many ways each comes about."""
        orders, ways = zip(*self.orders(), strict=True)
        rows = np.full((len(orders), self.shown), self.kinds[-1][0], dtype=np.int32)
        for row, order in zip(rows, orders, strict=True):
            row[list(order)] = list(order.values())
        return rows, list(ways)

    def drawn(self, orders: int, rng: np.random.Generator) -> Cells:
        """Return random orders of the documents that are shown, one a row."""
        lots = rng.permuted(np.tile(np.array(self.cells, dtype=np.int32), (orders, 1)), axis=1)
        return lots[:, : self.shown]


@frozen(eq=False)
class Arrangements:
    """A run with the groups whose order makes a difference to a measure.

    Parameters
    ----------
    run
        The cells of the run to the depth, in any of the orders.
    groups
        Those whose order makes a difference.
    """

    run: Sequence[int]
    groups: tuple[OpenGroup, ...]

    def number(self, limit: int) -> int:
        """Return how many different orders there are, or some number above `limit` if there are more than that."""
        number = 1
        for group in self.groups:
            number *= group.number(limit)
            if number > limit:
                return limit + 1
        return number

    def all(self) -> tuple[Cells, list[int], int]:
        """Return the different arrangements, one a row, in how many ways each comes about, and the sum of these."""
        rows = np.array([self.run], dtype=np.int32)
        ways = [1]
        for group in self.groups:
            shown, counts = group.all()
            rows = np.repeat(rows, len(shown), axis=0)
            rows[:, group.start : group.start + group.shown] = np.tile(shown, (len(ways), 1))
            ways = [one * other for one in ways for other in counts]
        return rows, ways, prod(group.ways for group in self.groups)

    def probabilities(self) -> tuple[Cells, FloatArray]:
        """Return the different arrangements, one a row, and their probabilities as floats."""
        rows, ways, total = self.all()
        return rows, np.array([float(Fraction(one, total)) for one in ways])

    def drawn(self, orders: int, rng: Rng) -> Cells:
        """Return random arrangements, one a row."""
        source = generator(rng)
        rows = np.tile(np.array(self.run, dtype=np.int32), (orders, 1))
        for group in self.groups:
            rows[:, group.start : group.start + group.shown] = group.drawn(orders, source)
        return rows


LIMIT = 2000
"""So many different arrangements of a run are looked at one by one …"""

ORDERS = 1000
"""… and if there are more, so many random ones."""

ROOM = 100_000_000
"""Very long runs have so many cells in all their random orders, and fewer orders."""

FEWEST = 30
"""So many random orders are looked at in any case."""

SEED = 1988
"""One for every run, so that results repeat and no run depends on another."""


@frozen(eq=False)
class Looked:
    """What a look at one run gave.

    Parameters
    ----------
    error
        The standard error of the mean; 0 if all arrangements were looked at.
    sampled
        Whether only some were.
    """

    expected: float
    low: float
    high: float
    error: float
    sampled: bool


def random_orders(ranks: int) -> int:
    """Return how many random orders of a run with so many ranks are looked at.

    Examples
    --------
    >>> random_orders(1000), random_orders(1_000_000)
    (1000, 100)
    """
    return max(FEWEST, min(ORDERS, ROOM // max(1, ranks)))


def look(measure: Measure, arrangements: Arrangements, pool: Pool) -> Looked:
    """Return mean and extremes over the arrangements of a run, all of them or random ones."""
    sampled = arrangements.number(LIMIT) > LIMIT
    if sampled:
        orders = random_orders(len(arrangements.run))
        rows = arrangements.drawn(orders, SEED)
        chances = np.full(orders, 1 / orders)
    else:
        rows, chances = arrangements.probabilities()
    values = floats(measure, JudgedRuns.on_one_topic(rows, pool.grade_counts))[:, 0]
    low, high = float(values.min()), float(values.max())
    expected = min(max(float(chances @ values), low), high)
    error = float(values.std(ddof=1)) / sqrt(len(values)) if sampled else 0.0
    return Looked(expected, low, high, error, sampled)


def look_exactly(measure: Measure, arrangements: Arrangements, pool: Pool) -> Spread | None:
    """Return the same exactly, from all different arrangements; None if they are too many, or have no exact value."""
    if arrangements.number(LIMIT) > LIMIT:
        return None
    rows, ways, total = arrangements.all()
    runs = [measure.view(tuple(row)) for row in rows.tolist()]
    unit = measure.unit(pool, len(runs[0]))
    try:
        levels: list[Any] = [measure.level(run, pool) for run in runs]
    except NotAvailable:
        return None
    mean: Any = Fraction(0)
    for level, number in zip(levels, ways, strict=True):
        mean = mean + level * Fraction(number, total)
    return Spread(_in(unit, mean), _in(unit, min(levels)), _in(unit, max(levels)))


def _in(unit: Any, level: Any) -> Exact:
    value: Exact = level if unit == 1 else level / unit
    return value


def rows_with_open_ties(measure: Measure, judged: JudgedRuns) -> IntArray:
    """Return the runs with a tie, within what a measure looks at, between documents that it may distinguish.

    Runs are counted system by system and topic by topic.
    """
    if judged.groups is None:
        return np.empty(0, dtype=np.int64)
    starts, sizes = open_spans(judged.groups, equivalence_classes(measure, judged.groups.cells))
    row, start = np.divmod(starts, judged.groups.cells.shape[2])
    affected = affected_groups(measure, judged, row % len(judged.topics), start, start + sizes)
    return np.unique(row[affected])


def open_spans(groups: TieGroups, kinds: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Return where the groups begin that hold different kinds of documents, and their sizes; see `TieGroups.spans`.

    Parameters
    ----------
    groups
        Tie groups.
    kinds
        What a measure distinguishes documents by, of the shape of the cells.

    Examples
    --------
    >>> cells = np.array([[[1, 1, 0, 1]]], dtype=np.int8)
    >>> groups = TieGroups(cells, np.array([[[False, True, False, True]]]))
    >>> [numbers.tolist() for numbers in open_spans(groups, cells)]
    [[2], [2]]
    """
    starts, sizes = groups.spans
    flat = kinds.reshape(-1)
    differ = np.flatnonzero(groups.tied.reshape(-1)[1:] & (flat[1:] != flat[:-1])) + 1
    held = np.searchsorted(starts, differ, side="right") - 1
    held = held[np.diff(held, prepend=-1) > 0]
    return starts[held], sizes[held]


def arrangements_of(measure: Measure, judged: JudgedRuns, row: int) -> Arrangements:
    """Return the different arrangements of one run, as far as a measure distinguishes them."""
    assert judged.groups is not None  # called for runs with groups alone
    system, topic = divmod(row, len(judged.topics))
    cells, tied = judged.groups.cells[system, topic], judged.groups.tied[system, topic]
    kinds = equivalence_classes(measure, cells)
    run = kinds[: judged.depth].copy()
    run[cells[: judged.depth] == NOTHING] = NOTHING
    reach, condensed = measure.reach(judged.depth), measure.removes_unjudged
    bounds = np.append(np.flatnonzero(~tied), len(tied)).tolist()
    groups = []
    removed = 0
    for start, end in pairwise(bounds):
        inside = kinds[start:end]
        shown = min(end, judged.depth if condensed else reach) - start
        if condensed and end <= judged.depth:
            # what is removed may as well stand last
            known = inside[inside >= 0]
            run[start:end] = np.concatenate((known, inside[inside < 0]))
            shown = min(len(known), reach - (start - removed))
            removed += len(inside) - len(known)
            inside = known
        if shown > 0 and len(inside) > 1 and (inside != inside[0]).any():
            groups.append(OpenGroup(start, shown, tuple(inside.tolist())))
    return Arrangements(tuple(run.tolist()), tuple(groups))


def best_first(judged: JudgedRuns, gain: IntArray) -> JudgedRuns:
    """Return judged runs without ties: inside each group the documents of highest gain stand first.

    Parameters
    ----------
    judged
        Judged runs with tie groups.
    gain
        A number that is higher for better documents, by cell, those of negative cells at the end; with its sign
        changed the worst stand first.

    Examples
    --------
    >>> from measurand.judged import TieGroups
    >>> cells = np.array([[[0, 2, -1, 1, 0]]], dtype=np.int8)
    >>> groups = TieGroups(cells, np.array([[[False, True, True, True, False]]]))
    >>> judged = evolve(JudgedRuns.on_one_topic([(0, 2, -1)], (3, 1, 1)), groups=groups)
    >>> gain = np.array([0, 1, 2, -3, -2, -1])
    >>> best_first(judged, gain).cells.tolist(), best_first(judged, -gain).cells.tolist()
    ([[[2, 1, 0]]], [[[-1, 0, 1]]])
    """
    assert judged.groups is not None  # called for runs with groups alone
    cells = judged.groups.cells.reshape(-1).copy()
    gains = gain.astype(np.int16)[cells]
    starts, sizes = open_spans(judged.groups, gains)
    inside, span = inside_of(starts, sizes)
    cells[inside] = cells[inside[np.lexsort((-gains[inside], span))]]
    arranged = cells.reshape(judged.groups.cells.shape)[:, :, : judged.depth]
    return evolve(judged, cells=np.ascontiguousarray(arranged), groups=None, ranked_documents=None)
