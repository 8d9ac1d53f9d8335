r"""Counting geometric values below a value, rank by rank, without tables.

With weights :math:`p^{i-1}` the first ranks decide most comparisons. A word that begins with gains worth `v` is worth
from `v` to `v` plus the most that the ranks to come can add. If that is all below a value, or all above it, the words
that begin so are counted at once (by the automaton, see `measurand.intervals.geometric_automaton` and [Frougny1992]_);
only the beginnings that the value runs through are followed to the next rank. Of :math:`\lambda^i` different
beginnings about :math:`(\lambda p)^i` are left after `i` ranks, so that this costs little for small `p`, however long
runs are. `exact_bounds` uses whole numbers of any size and is exact; `Descent` uses 64-bit fixed point with room for
rounding, and returns what it could not decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.intervals.geometric_automaton import DEAD, Automaton
from measurand.native import accelerated

FINEST = 61
"""Values stay below 2 to this power in fixed point."""

COARSEST = 1 << 12
"""Ranks are followed as long as what is to come is worth more than so many times the rounding errors."""


Number = Fraction | int

GUARD = 64
"""Bits beyond fixed point in which weights are made."""

CLOSEST = Fraction(1, 1 << 20)
"""Nearer to 1 than this, ranks are too many."""


def exact_bounds(machine: Automaton, word: Sequence[int], limit: int) -> tuple[int, int]:
    """Return bounds of the rank of a word of digits among the values of its length, with whole numbers throughout.

    They are equal, unless more than `limit` beginnings had to be followed at a time.

    Examples
    --------
    >>> from measurand.intervals.geometric_automaton import automaton
    >>> exact_bounds(automaton(Fraction(1, 2), [0, 1, 3]), (1, 0, 2), 100)
    (8, 8)
    """
    above, below, length = machine.p.numerator, machine.p.denominator, len(word)
    weight = below ** max(length - 1, 0)
    rest = (below**length - above**length) // (below - above)
    following = {0: [machine.key(word)]}
    counted = 0
    for rank in range(1, length + 1):
        rest -= weight
        counts, most = machine.counts(length - rank), machine.gains[-1] * rest
        kept: dict[int, list[int]] = {}
        passed = 0
        for state, values in following.items():
            for gain, to in zip(machine.gains, machine.moves[state], strict=True):
                if to != DEAD:
                    left = [value - gain * weight for value in values if value >= gain * weight]
                    inside = [value for value in left if value < most]
                    passed += (len(left) - len(inside)) * counts[to]
                    kept.setdefault(to, []).extend(inside)
        if sum(map(len, kept.values())) > limit:
            counts = machine.counts(length - rank + 1)
            return counted + 1, counted + sum(len(values) * counts[state] for state, values in following.items())
        counted, following, weight = counted + passed, kept, weight * above // below
    return counted, counted


@frozen(eq=False)
class Descended:
    """What following a value brought.

    Parameters
    ----------
    level
        How many ranks were followed.
    below
        How many beginnings of each length (row) that lead to each state (column) stay wholly at or below the value.
    least, most
        What may still be gained after the beginnings that are left, between two bounds, times the value of a gain
        of 1 at the next rank.
    states
        Where the beginnings that are left lead to.
    """

    level: int
    below: IntArray
    least: FloatArray
    most: FloatArray
    states: IntArray

    def counted(self, number: Callable[[int, int], Number]) -> Number:
        """Return how many words stay below for certain, given their number after a rank from a state on."""
        total: Number = 0
        for level, state in np.argwhere(self.below).tolist():
            total += int(self.below[level, state]) * number(level, state)
        return total

    def open(self, number: Callable[[int, int], Number]) -> Number:
        """Return how many words begin with what is left."""
        total: Number = 0
        for state, often in enumerate(np.bincount(self.states).tolist()):
            total += often * number(self.level, state)
        return total


@frozen(eq=False)
class Descent:
    """Beginnings followed in fixed point, with room for rounding.

    Parameters
    ----------
    machine
        Which words there are.
    limit
        How many beginnings are followed at a time.
    scale
        What 1 is in fixed point.
    weights
        The value of a gain of 1 at each rank, rounded to a whole number.
    units
        The same as floats, for one rank more.
    tails
        The most that the ranks from each on can add, or more.
    slack
        More than the rounding errors of a word together.

    Examples
    --------
    >>> from measurand.intervals.geometric_automaton import automaton
    >>> machine = automaton(Fraction(1, 2), [0, 1, 3])
    >>> descent = Descent.of(machine, 1000)
    >>> found = descent.follow(Fraction(1) + Fraction(3, 4), 0, 3)
    >>> found.level, found.counted(lambda level, state: machine.counts(3 - level)[state])
    (3, 7)
    """

    machine: Automaton
    limit: int
    scale: int
    weights: IntArray
    units: FloatArray
    tails: IntArray
    slack: int

    @classmethod
    def of(cls, machine: Automaton, limit: int) -> Descent:
        """Return the descent through as many ranks as fixed point allows."""
        p, most = machine.p, Fraction(machine.gains[-1]) / (1 - machine.p)
        if 1 - p < CLOSEST:
            raise NotAvailable(f"p = {p} is too close to 1 to follow values rank by rank; use p=1, or fewer ranks")
        scale = 1 << (FINEST - ceil(most).bit_length())
        weights: list[int] = []
        tails = [ceil(scale * most)]
        weight = scale << GUARD  # rounded down to far less than a unit, so that the numbers stay short
        while tails[-1] > COARSEST * (machine.gains[-1] * len(weights) // 2 + 2):
            weights.append(weight)
            weight = weight * p.numerator // p.denominator
            tails.append(ceil(weight * most) >> GUARD)
        return cls(
            machine,
            limit,
            scale,
            np.array([(weight + (1 << GUARD - 1)) >> GUARD for weight in weights], dtype=np.int64),
            np.array([weight / (1 << GUARD) for weight in [*weights, weight]]),
            np.array(tails, dtype=np.int64) + 2,
            machine.gains[-1] * (len(weights) + 1) // 2 + 2,
        )

    def follow(self, value: Fraction, start: int, length: int | None, stop: int | None = None) -> Descended:
        """Return how far a value of words of a length (None: endless ones) can be followed from a state.

        That is to a rank `stop` at the latest, if given.
        """
        levels = min(end for end in (length, stop, len(self.weights)) if end is not None)
        beyond = int(self.tails[length]) - 2 if length is not None and length < len(self.tails) else 0
        below = np.zeros((levels + 1, len(self.machine.moves)), dtype=np.int64)
        residues, states = (np.empty((2, self.limit), dtype=np.int64) for _ in range(2))
        level, left, side = _descend(
            value.numerator * self.scale // value.denominator,
            start,
            self.weights[:levels],
            self.tails - beyond,
            np.array(self.machine.gains, dtype=np.int64),
            self.machine.table,
            self.slack,
            residues,
            states,
            below,
        )
        rests, unit = residues[side, :left], self.units[level]
        return Descended(
            level, below, (rests - self.slack) / unit, (rests + self.slack + 1) / unit, states[side, :left]
        )


@accelerated
def _descend(
    value: int,
    start: int,
    weights: IntArray,
    tails: IntArray,
    gains: IntArray,
    moves: IntArray,
    slack: int,
    residues: IntArray,
    states: IntArray,
    below: IntArray,
) -> tuple[int, int, int]:
    """Follow a value; return how many ranks, how many beginnings are left, and in which of two rows they stand."""
    residues[0, 0], states[0, 0] = value, start
    left = 1
    for level, weight in enumerate(weights.tolist()):
        now, then = level % 2, (level + 1) % 2
        rests = residues[now, :left, None] - gains * weight
        to = moves[states[now, :left]]
        alive = (rests >= -slack) & (to >= 0)
        passed = rests >= tails[level + 1] + slack
        kept = alive & ~passed
        count = int(np.count_nonzero(kept))
        if count > residues.shape[1]:
            return level, left, now
        below[level + 1] += np.bincount(to[alive & passed], minlength=len(moves))
        residues[then, :count], states[then, :count] = rests[kept], to[kept]
        left = count
    return len(weights), left, len(weights) % 2
