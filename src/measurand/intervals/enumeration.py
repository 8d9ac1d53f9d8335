"""Rulers of measures without a better method: every run is valued.

This is how [FerranteFerroFuhr2021]_ computed the transform (section VI-D), and `enumeration_bytes` says what that
took. Up to 32,768 runs are valued exactly. Up to 16 million, their values are computed as floats and sorted;
neighbours that are closer than rounding explains are taken for equal, those that are neither clearly equal nor clearly
different are compared exactly, and what cannot be decided leaves certified bounds. More runs are refused.
`EnumeratedPossible` looks at the runs with no more relevant documents than a topic has.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import log2

import numpy as np

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.exact import whole_number
from measurand.execution import Progress, generator, silent
from measurand.intervals.ruler import AMONG_RUNS, NONE, Budget, Certainty, Position, Ruler
from measurand.judged import Pool
from measurand.measures.base import Measure
from measurand.measures.valued import Valuer

FEW = 1 << 15
"""So many runs are valued exactly, one by one."""

MANY = 1 << 24
"""More runs are not looked at."""

PART = 1 << 16
"""So many runs are valued at a time."""

ROUNDING = 64 * 2.0**-52
"""How far apart the floats of equal values may be, relative to the largest: some dozens of roundings."""

CLEAR = 64
"""Values that differ are expected to differ by so many times the rounding; where they do not, exact values decide."""

TRIED = 8
"""A function is timed on so many runs before all are valued."""

CONFIRMED = 500
"""Of the neighbours that are taken for equal, so many are compared exactly."""

BYTES = 40
"""What a run takes in the tables."""

UNCLEAR = 20_000
"""So many pairs of neighbours are compared exactly; where there are more, the rank is known within bounds."""


class Enumerated(Ruler):
    """All values of a measure, from a look at every run.

    Parameters
    ----------
    measure
        The measure.
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    pool
        The topic.
    budget
        What valuing the runs may cost.

    Examples
    --------
    >>> from measurand.measures import Q
    >>> ruler = Enumerated(Q, 3, 2, Pool.plain(3, 3), Budget())
    >>> ruler.size, [position.rank for position in ruler.positions(np.array([[0, 1, 0], [1, 0, 0]], dtype=np.int8))]
    (8, [3, 4])

    Notes
    -----
    Up to `FEW` runs are valued exactly. Beyond, floats are sorted, and neighbours taken for equal that differ by
    less than rounding explains. That is right if different values are further apart: neighbours that are neither
    clearly equal nor clearly different are compared exactly.
    """

    def __init__(self, measure: Measure, depth: int, grades: int, pool: Pool, budget: Budget) -> None:
        self._digits = np.array(measure.levels_of_relevance(grades), dtype=np.int8)
        self.depth, self.grades = depth, len(self._digits)
        self._measure, self._pool, self._budget = measure, pool, budget
        self._valuer = Valuer.of(measure, pool)
        self._progress: Progress = silent
        grades = self.grades
        if not self.fits(measure, depth, grades):
            raise NotAvailable(
                f"{measure!r} on runs of {depth} ranks: there is no way here but to look at all {grades}^{depth} runs,"
                f" and more than {MANY:,} are too many; {int(log2(MANY) / log2(grades))} ranks can be had;"
                f" {AMONG_RUNS}"
            )

    @staticmethod
    def fits(measure: Measure, depth: int, grades: int) -> bool:
        """Return whether every run can be looked at."""
        return depth * log2(len(measure.levels_of_relevance(grades))) <= log2(MANY)

    @property
    def size(self) -> int:
        """How many different values there are."""
        low, high = self._ranks
        if low[-1] != high[-1]:
            raise NotAvailable(
                f"{self._measure!r} has from {low[-1]:,} to {high[-1]:,} values: some are too close to tell apart"
            )
        return int(high[-1])

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs stands."""
        self._progress = progress
        places = self._order_of[self._numbers(runs)].tolist()
        low, high = self._ranks
        fewest, most = int(low[-1]), int(high[-1])
        if fewest == most:
            return [Position.at(int(high[place]), most, self.assumption) for place in places]
        return [self._between(int(low[place]) - 1, int(high[place]) - 1, fewest - 1, most - 1) for place in places]

    def _between(self, least: int, greatest: int, fewest: int, most: int) -> Position:
        """Return bounds of below / (below + above), from those of how many values are below and how many there are."""
        above_at_most, above_at_least = most - greatest, fewest - least
        low = Fraction(least, max(least + above_at_most, 1))
        high = Fraction(greatest, max(greatest + above_at_least, 1))
        how = Certainty.EXACT if low == high else Certainty.CERTIFIED
        return Position(low=low, high=high, how=how, assumption=self.assumption)

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return how many runs have a lower value, and how many have the same."""
        low, high = self._ranks
        if low[-1] != high[-1]:
            return super().shares(runs)
        first = np.searchsorted(high, high, side="left")
        after = np.searchsorted(high, high, side="right")
        places = self._order_of[self._numbers(runs)].tolist()
        return [(int(first[place]), int(after[place] - first[place])) for place in places]

    @property
    def total(self) -> int:
        """How many runs are looked at."""
        return int(self.grades**self.depth)

    def _numbers(self, runs: Cells) -> IntArray:
        """Return the numbers that runs spell, the first rank being the leading digit."""
        return np.asarray(runs.astype(np.int64) @ self.grades ** np.arange(self.depth - 1, -1, -1, dtype=np.int64))

    @cached_property
    def _sorted(self) -> tuple[FloatArray, IntArray]:
        """All values in ascending order as floats, and the numbers of their runs."""
        values = np.concatenate(list(self._values()))
        if not np.isfinite(values).all():
            raise NotAvailable(f"{self._measure!r} takes values that no float can hold; ask for fewer ranks")
        order = np.argsort(values, kind="stable")
        return values[order], order

    @cached_property
    def _order_of(self) -> IntArray:
        """For the number of each run, its place in the order."""
        if self.total <= FEW:
            return self._exactly[0]
        places = np.empty(self.total, dtype=np.int64)
        places[self._sorted[1]] = np.arange(len(places))
        return places

    @cached_property
    def _exactly(self) -> tuple[IntArray, IntArray]:
        """For each run its place in the order of exact values, and the rank at each place."""
        runs = self._runs(np.arange(self.total))
        if self._valuer.slow:
            self._afford_asking(runs, len(runs))
        places = self._valuer.all(runs).places
        if self._valuer.near:
            self.assumption = f"answers that differ by less than {self._valuer.near:g} of the largest are equal"
        order = np.argsort(places, kind="stable")
        where = np.empty_like(order)
        where[order] = np.arange(len(order))
        return where, places[order] + 1

    @cached_property
    def _ranks(self) -> tuple[IntArray, IntArray]:
        """The lowest and the highest rank that the value at each place in the order can have."""
        if self.total <= FEW:
            ranks = self._exactly[1]
            return ranks, ranks
        values, order = self._sorted
        gaps = np.diff(values)
        same = 2 * ROUNDING * max(abs(values[0]), abs(values[-1]), 1e-300)
        self._confirm(gaps, same, order)
        unclear = np.flatnonzero((gaps > same) & (gaps < CLEAR * same))
        new = gaps > same
        apart = new.copy()
        if len(unclear) <= UNCLEAR:
            new[unclear] = apart[unclear] = [self._differ(order[place], order[place + 1]) for place in unclear.tolist()]
        else:
            new[unclear] = False
        clear = gaps[gaps >= CLEAR * same]
        self.assumption = (
            f"values closer than {same:.1g} are equal (the others are at least {clear.min():.1g} apart)"
            if len(clear)
            else NONE
        )
        return _counted(new), _counted(apart)

    def _confirm(self, gaps: FloatArray, same: float, order: IntArray) -> None:
        """Compare some neighbours that are taken for equal exactly; raise if floats are too coarse for them."""
        # the largest value, by which the rounding of functions is measured
        self._valuer.level(tuple(self._runs(order[-1:])[0].tolist()))
        merged = np.flatnonzero(gaps <= same)
        # those that rounding has parted, and some of the others
        doubtful = merged[np.argsort(-gaps[merged], kind="stable")[:CONFIRMED]]
        spread = merged[:: max(1, len(merged) // CONFIRMED)]
        for place in (*doubtful.tolist(), *spread.tolist()):
            if self._differ(order[place], order[place + 1]):
                raise NotAvailable(
                    f"some values of {self._measure!r} are different and closer than {same:.1g}, which floats cannot"
                    f" tell apart; ask for {int(log2(FEW) / log2(self.grades))} ranks at most, where all are exact"
                )

    def _afford_asking(self, runs: Cells, total: int) -> None:
        """Refuse to value more runs one by one than there is time for, from how long some of them take."""
        started = time.perf_counter()
        for run in runs[:: max(1, len(runs) // TRIED)][:TRIED].tolist():
            self._valuer.level(tuple(run))
        self._afford((time.perf_counter() - started) / min(TRIED, len(runs)) * total, total)

    def _afford(self, needed: float, runs: int) -> None:
        if needed > self._budget.seconds:
            raise NotAvailable(
                f"valuing {runs:,} runs with {self._measure!r} takes some {needed:,.0f} s and may take"
                f" {self._budget.seconds:,.0f}; say max_seconds={needed * 2:.0f}, or ask for fewer ranks"
            )

    def _differ(self, one: int, other: int) -> bool:
        runs = self._runs(np.array([one, other]))
        # up to rounding, for functions that answer in floats
        return self._valuer.compare(*map(tuple, runs.tolist())) != 0

    def _values(self) -> Iterator[FloatArray]:
        """Return the values of all runs as floats, part by part, if there is time for them."""
        total = self.total
        if BYTES * total > self._budget.memory:
            raise NotAvailable(
                f"{total:,} runs take {BYTES * total >> 20:,} MiB; allow more (max_memory), or fewer ranks"
            )
        spread = self._spread(total)
        if self._valuer.roughly(spread) is None:
            self._afford_asking(spread, total)
        parts = range(0, total, PART)
        started = time.perf_counter()
        for start in self._progress(parts, len(parts), f"valuing {total:,} runs"):
            yield self._part(start, min(start + PART, total))
            if not start:
                self._afford((time.perf_counter() - started) * len(parts), total)

    def _runs(self, numbers: IntArray) -> Cells:
        places = self.grades ** np.arange(self.depth - 1, -1, -1, dtype=np.int64)
        return np.asarray(self._digits[numbers[:, None] // places % self.grades])

    def _spread(self, total: int) -> Cells:
        """Return runs from everywhere, on which the vectorised path is compared with the definition."""
        return self._runs(generator(0).integers(0, total, 64))

    def _part(self, start: int, end: int) -> FloatArray:
        runs = self._runs(np.arange(start, end))
        rough = self._valuer.roughly(runs)
        if rough is not None:
            return rough
        # without remembering the values, of which there are too many
        return np.array([float(self._measure.level(run, self._pool)) for run in map(tuple, runs.tolist())])


class EnumeratedPossible(Enumerated):
    """All values of a measure on some runs, from a look at each of them.

    Parameters
    ----------
    measure
        The measure.
    runs
        The runs in the digits of the ruler, one a row.
    grades
        How many grades there are, 0 included.
    pool
        The topic.
    budget
        What valuing the runs may cost.

    Examples
    --------
    >>> from measurand.measures import P
    >>> runs = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]], dtype=np.int8)
    >>> ruler = EnumeratedPossible(P, runs, 2, Pool.plain(1, 3), Budget())
    >>> ruler.size, ruler.positions(runs[1:2])[0].low, ruler.shares(runs[1:2])
    (2, Fraction(1, 1), [(1, 3)])
    """

    def __init__(self, measure: Measure, runs: Cells, grades: int, pool: Pool, budget: Budget) -> None:
        # whole rows as bytes, which are found by bisection
        rows = np.ascontiguousarray(runs, dtype=np.int8)
        self._keys = np.sort(rows.view(np.dtype((np.void, runs.shape[1]))).reshape(-1))
        super().__init__(measure, runs.shape[1], grades, pool, budget)

    @staticmethod
    def fits(measure: Measure, depth: int, grades: int) -> bool:  # noqa: ARG004 - as for all runs
        """Return that the runs can be looked at: they are written down."""
        return True

    @property
    def total(self) -> int:
        """How many runs are looked at."""
        return len(self._keys)

    def _numbers(self, runs: Cells) -> IntArray:
        rows = np.ascontiguousarray(runs, dtype=np.int8).view(self._keys.dtype).reshape(-1)
        return np.searchsorted(self._keys, rows)

    def _runs(self, numbers: IntArray) -> Cells:
        return np.asarray(self._digits[self._keys[numbers].view(np.int8).reshape(-1, self.depth)])


def _counted(new: np.ndarray) -> IntArray:
    """Return ranks from whether each value differs from the one before."""
    return np.concatenate(([1], 1 + np.cumsum(new)))


def enumeration_bytes(depth: int, grades: int = 2, bits: int = 64) -> int:
    r"""Return how many bytes all runs of a depth take, :math:`c^N N b / 8`, if a grade takes so many bits.

    Parameters
    ----------
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    bits
        How many bits a grade takes.

    Examples
    --------
    >>> enumeration_bytes(30) // 2**30, enumeration_bytes(40, bits=1) // 2**40
    (240, 5)

    References
    ----------
    [FerranteFerroFuhr2021]_, section VI-D
    """
    depth, grades, bits = whole_number("depth", depth), whole_number("grades", grades, 2), whole_number("bits", bits)
    return int(-(-(grades**depth * depth * bits) // 8))
