"""Exact rulers of measures that walk down a run with a small state, by buckets of values."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
from attrs import define

from measurand.arrays import Cells, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, silent
from measurand.rulers.position import Position
from measurand.rulers.ruler import Budget, Ruler
from measurand.rulers.walks.buckets import Rows, count_between
from measurand.rulers.walks.cache import keep, load
from measurand.rulers.walks.checkpoints import Checkpoints
from measurand.rulers.walks.stretches import Crowds, Stretches
from measurand.rulers.walks.walk import Walk, cascade_walk, weighted_walk

PACE = 1e8
"""How many sums two threads make, sort and count in a second."""

ROW_PACE = 3e7
"""How many rows two threads search in a second, where buckets do not follow one another."""

ROW_COST = 1e-5
"""How many seconds it takes to begin with a row where runs are counted."""

CROWD_BYTES = 48
"""How many bytes a sum takes at most where runs are counted: old and new sums and counts, and their order."""

DEEPEST = 63
"""Keys of a reader who stops by chance have no room for more ranks."""

LONG = 1 << 25
"""Checkpoints of more sums than this are worth keeping."""


@define(eq=False, slots=False)
class WalkRuler(Ruler):
    """The values of a walk in ascending order; they are counted when they are first needed.

    Examples
    --------
    >>> from measurand.rulers.walks.walk import average_precision_walk
    >>> ruler = WalkRuler.of(average_precision_walk(4), "AP-4")
    >>> runs = np.array([[0, 0, 0, 0], [0, 1, 0, 1], [1, 0, 0, 0], [1, 1, 1, 1]], dtype=np.int8)
    >>> [position.rank for position in ruler.positions(runs)], ruler.size
    ([1, 6, 6, 15], 15)
    >>> ruler.shares(runs)
    [(0, 1), (5, 2), (5, 2), (15, 1)]
    """

    walk: Walk
    name: str
    budget: Budget
    _checkpoints: Checkpoints | None = None

    def __attrs_post_init__(self) -> None:
        self.depth, self.grades = self.walk.depth, self.walk.grades

    @classmethod
    def of(cls, walk: Walk, name: str, budget: Budget | None = None, *, afresh: bool = False) -> WalkRuler:
        """Return the ruler of a walk whose keys fit; `afresh` looks at no checkpoints made before.

        `NotAvailable` if counting the values would cost more than may be spent.
        """
        ruler = cls(walk, name, budget or Budget(), None if afresh else load(name, walk.highest))
        if ruler._checkpoints is None:
            ruler._afford_counting()
        return ruler

    @cached_property
    def stretches(self) -> Stretches | None:
        """The tables from which sums are made, or None if they need too much memory."""
        return Stretches.of(self.walk, self.budget.memory // 2)

    @cached_property
    def _rows(self) -> Rows | None:
        return None if self.stretches is None else Rows.of(self.stretches)

    @cached_property
    def _crowds(self) -> Crowds | None:
        return None if self.stretches is None else Crowds.of(self.walk, self.stretches.cut)

    def _afford_counting(self) -> None:
        what, budget = f"the values of this measure at depth {self.depth}", self.budget
        if self.stretches is None:
            raise NotAvailable(
                f"counting {what} needs more than {budget.memory >> 20} MiB; allow more memory, or look at fewer ranks"
            )
        seconds = self.stretches.pairs / PACE
        if seconds > budget.seconds:
            raise NotAvailable(
                f"counting {what} takes about {seconds:.0f} s, more than the {budget.seconds:.0f} s that may be spent; "
                f"say max_seconds={2 * seconds:.0f}, or look at fewer ranks"
            )

    def checkpoints(self, progress: Progress = silent) -> Checkpoints:
        """Return how many values there are up to some keys; counted once, and kept where that took long."""
        if self._checkpoints is None and self.stretches is not None:
            self._checkpoints = Checkpoints.build(self.stretches, progress)
            if self.stretches.pairs > LONG:
                keep(self._checkpoints, self.name)
        assert self._checkpoints is not None  # else the ruler was refused
        return self._checkpoints

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.checkpoints().size

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands.

        Where finding exact ranks would take too long, they are certain to lie between two checkpoints.
        """
        known = self.checkpoints(progress)
        keys, which = np.unique(self.walk.keys_of(runs), return_inverse=True)
        lows, highs = self._ranks(keys, known, progress)
        bounds = zip(lows.tolist(), highs.tolist(), strict=True)
        places = [Position.between(low, high, known.size, self.assumption) for low, high in bounds]
        return [places[at] for at in which.tolist()]

    def _ranks(self, keys: IntArray, known: Checkpoints, progress: Progress) -> tuple[IntArray, IntArray]:
        """Return bounds of the ranks of different values in ascending order, equal where they can be afforded."""
        buckets = np.searchsorted(known.edges, keys)
        counts = np.concatenate([[0], known.counts])
        first = np.concatenate([[True], buckets[1:] != buckets[:-1]])[: len(keys)]
        rows = self._rows if self._affords(int(np.count_nonzero(first)), len(keys), known) else None
        if rows is None:
            return counts[buckets] + 1, counts[buckets + 1]
        edges = np.concatenate([[-1], known.edges])
        lows = np.where(first, edges[buckets], np.roll(keys, 1))
        counted = np.cumsum(count_between(rows, lows, keys, progress))
        earlier = np.concatenate([[0], counted])[np.flatnonzero(first)][np.cumsum(first) - 1]
        ranks = counts[buckets] + counted - earlier
        return ranks, ranks

    def _affords(self, buckets: int, keys: int, known: Checkpoints) -> bool:
        """Say whether the exact ranks of keys in some buckets can be found in time."""
        if buckets * (known.size / len(known.edges)) / PACE > self.budget.seconds or self.stretches is None:
            return False  # said before large tables are made
        rows = sum(map(len, self.stretches.before))
        sums = buckets * self.stretches.pairs / len(known.edges)
        return sums / PACE + (buckets + keys) * rows / ROW_PACE <= self.budget.seconds

    def _affords_crowds(self, keys: int) -> bool:
        """Say whether the runs up to some keys can be counted, in 64 bits and within the budget."""
        if self.stretches is None or self.grades**self.depth >= 1 << 63:
            return False
        rows, after = (sum(map(len, part)) for part in (self.stretches.before, self.stretches.after))
        fits = CROWD_BYTES * (rows + after) <= self.budget.memory
        return fits and rows * (ROW_COST + keys / ROW_PACE) <= self.budget.seconds

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        keys, which = np.unique(self.walk.keys_of(runs), return_inverse=True)
        if not self._affords_crowds(len(keys)) or self._crowds is None:
            return super().shares(runs)
        below, upto = self._crowds.up_to(keys - 1), self._crowds.up_to(keys)
        return list(zip(below[which].tolist(), (upto - below)[which].tolist(), strict=True))


def cascade_ruler(
    stops: Sequence[Fraction], utilities: Sequence[Fraction], budget: Budget | None = None
) -> WalkRuler | None:
    r"""Return the ruler of a cascade measure :math:`\sum_i u_i x_i \prod_{k<i} (1 - x_k)`.

    None if its values are no whole multiples of a number that 64 bits can count.

    Parameters
    ----------
    stops
        How likely the reader stops at a document of each grade.
    utilities
        What stopping at each rank is worth.

    Examples
    --------
    >>> cascade_ruler([Fraction(0), Fraction(1, 2)], [Fraction(1, i) for i in range(1, 11)]).size
    1010
    """
    if len(utilities) > DEEPEST and any(stop.denominator > 1 for stop in stops):
        # every rank doubles the keys at the least
        return None
    walk = cascade_walk(stops, utilities)
    return None if walk is None or not walk.fits else WalkRuler.of(walk, _named("cascade", walk), budget)


def weighted_ruler(
    weights: Sequence[Fraction], gains: Sequence[Fraction], budget: Budget | None = None
) -> WalkRuler | None:
    r"""Return the ruler of an additive measure :math:`\sum_i w_i g_i` with rational weights and gains.

    None if its values are no whole multiples of a number that 64 bits can count.

    Examples
    --------
    >>> weighted_ruler([Fraction(1), Fraction(1, 2), Fraction(1, 2)], [Fraction(0), Fraction(1)]).size
    5
    """
    walk = weighted_walk(weights, gains)
    return WalkRuler.of(walk, _named("weighted", walk), budget) if walk.fits else None


def _named(kind: str, walk: Walk) -> str:
    """Return a name that no other measure has."""
    arrays = [array for pair in zip(walk.follows, walk.additions, strict=True) for array in pair]
    parts = [str(array.shape).encode() + array.astype("<i8").tobytes() for array in arrays]
    return f"{kind}-{walk.depth}-{hashlib.sha256(b''.join(parts)).hexdigest()[:32]}"
