"""Exact rulers of measures that walk down a run with a small state, by buckets of values."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from attrs import define, field

from measurand.arrays import Cells, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, silent
from measurand.rulers.buckets import Rows, count_between, sums_in_a_bucket
from measurand.rulers.checkpoint_cache import keep, load
from measurand.rulers.checkpoints import Checkpoints
from measurand.rulers.position import Position
from measurand.rulers.ruler import Budget, Ruler
from measurand.rulers.stretches import Crowds, Stretches
from measurand.rulers.walks import Walk, cascade_walk, weighted_walk

PACE = 1e8
"""How many sums two threads make, sort and count in a second."""

ROW_PACE = 3e7
"""How many rows two threads search in a second, where buckets do not follow one another."""

LONG = 1 << 25
"""Checkpoints of more sums than this are worth keeping."""


@define(eq=False)
class WalkRuler(Ruler):
    """The values of a walk in ascending order; they are counted when they are first needed.

    Examples
    --------
    >>> from measurand.rulers.walks import average_precision_walk
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
    stretches: Stretches
    rows: Rows = field(init=False)
    _checkpoints: Checkpoints | None = None
    _crowds: Crowds | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.depth, self.grades = self.walk.depth, self.walk.grades
        self.rows = Rows.of(self.stretches)

    @classmethod
    def of(cls, walk: Walk, name: str, budget: Budget | None = None, *, afresh: bool = False) -> WalkRuler:
        """Return the ruler of a walk whose keys fit; `afresh` looks at no checkpoints made before.

        `NotAvailable` if counting the values would cost more than may be spent.
        """
        budget = budget or Budget()
        stretches = Stretches.of(walk, budget.memory // 2)
        if stretches is None:
            raise NotAvailable(
                f"the tables of this measure at depth {walk.depth} need more than {budget.memory >> 20} MiB; "
                "allow more memory, or look at fewer ranks"
            )
        checkpoints = None if afresh else load(name, walk.highest)
        seconds = stretches.pairs / PACE
        if checkpoints is None and seconds > budget.seconds:
            raise NotAvailable(
                f"counting the values of this measure at depth {walk.depth} takes about {seconds:.0f} s, more than "
                f"the {budget.seconds:.0f} s that may be spent; say max_seconds={2 * seconds:.0f}, "
                "or look at fewer ranks"
            )
        return cls(walk, name, budget, stretches, checkpoints)

    def checkpoints(self, progress: Progress = silent) -> Checkpoints:
        """Return how many values there are up to some keys; counted once, and kept where that took long."""
        if self._checkpoints is None:
            self._checkpoints = Checkpoints.build(self.stretches, progress)
            if self.stretches.pairs > LONG:
                keep(self._checkpoints, self.name)
        return self._checkpoints

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.checkpoints().size

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands."""
        keys, which = np.unique(self.walk.keys_of(runs), return_inverse=True)
        ranks = self._ranks(keys, self.checkpoints(progress), progress).tolist()
        places = [Position.at(rank, self.size, self.assumption) for rank in ranks]
        return [places[at] for at in which.tolist()]

    def _ranks(self, keys: IntArray, known: Checkpoints, progress: Progress) -> IntArray:
        """Return the ranks of different values in ascending order, from the checkpoint before each on."""
        buckets = np.searchsorted(known.edges, keys)
        first = np.concatenate([[True], buckets[1:] != buckets[:-1]])[: len(keys)]
        self._afford(int(np.count_nonzero(first)), len(keys), len(known.edges))
        edges = np.concatenate([[-1], known.edges])
        lows = np.where(first, edges[buckets], np.roll(keys, 1))
        counted = np.cumsum(count_between(self.rows, lows, keys, progress))
        firsts = np.flatnonzero(first)
        earlier = np.concatenate([[0], counted])[firsts][np.cumsum(first) - 1]
        return np.asarray(np.concatenate([[0], known.counts])[buckets] + counted - earlier)

    def _afford(self, buckets: int, keys: int, edges: int) -> None:
        sums = max(self.stretches.pairs // edges, sums_in_a_bucket(self.stretches))
        seconds = buckets * sums / PACE + (buckets + keys) * len(self.rows.firsts) / ROW_PACE
        if seconds > self.budget.seconds:
            raise NotAvailable(
                f"placing {keys} different values of this measure at depth {self.depth} takes about {seconds:.0f} s, "
                f"more than the {self.budget.seconds:.0f} s that may be spent; say max_seconds={2 * seconds:.0f}, "
                "place fewer runs, or look at fewer ranks"
            )

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        if self.grades**self.depth >= 1 << 63:
            return super().shares(runs)
        if self._crowds is None:
            self._crowds = Crowds.of(self.walk, self.stretches.cut)
        keys, which = np.unique(self.walk.keys_of(runs), return_inverse=True)
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
    parts = [array.astype("<i8").tobytes() for pair in zip(walk.follows, walk.additions, strict=True) for array in pair]
    return f"{kind}-{walk.depth}-{hashlib.sha256(b''.join(parts)).hexdigest()[:32]}"
