r"""How the values of all continuations of a word are spread: tables of certain bounds.

Let :math:`F_s(x)` be the share of the continuations accepted from a state `s` that are worth `x` or less. The next
gain `g` leads on to a state `t` with a known share :math:`q`, and what is left may then be worth
:math:`(x - g)/p`:

.. math:: F_s(x) = \sum_g q_{s,g} \, F_t\big((x - g)/p\big)

On a grid the argument is rounded down for a lower bound and up for an upper one. A rounding counts for less by a
factor `p` with every rank before it, so that all of them together move `x` by less than :math:`h/(1 - p)` on a
grid of step `h`, however many ranks there are.
"""

from __future__ import annotations

from math import ceil, log

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, ahead, compiled, silent
from measurand.rulers.ruler import Budget
from measurand.rulers.words.automaton import DEAD, Automaton

CELLS = 1 << 21
"""A finer grid than this is not worth its time."""

FEWEST = 1 << 12
"""A coarser grid than this is no help."""

COARSER = 4
"""How much finer each grid is than the one before."""

STAGES = 5
"""How many times the grid is made finer."""

NANOSECONDS = 5.0
"""About how long one step of one cell takes, both bounds together."""

MARGIN = 1e-6
"""In cells: more than rounding can move a place on the grid."""


@frozen(eq=False)
class Continuations:
    """Bounds of the share of continuations that are worth so much or less, for each state.

    Parameters
    ----------
    low, high
        The bounds, a row a state: in column `k` for a worth of `k` cells.
    cells
        How many cells a gain of 1 has.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from measurand.rulers.words.automaton import automaton
    >>> table = Continuations.of(automaton(Fraction(1, 2), [0, 1]), None, Budget(memory=1 << 22))
    >>> low, high = table.bounds(np.array([0.5]), np.array([0.5]), np.array([0]))
    >>> bool(0.2499 < low[0] <= 0.25 <= high[0] < 0.2501)
    True
    """

    low: FloatArray
    high: FloatArray
    cells: int

    @classmethod
    def of(
        cls,
        machine: Automaton,
        length: int | None,
        budget: Budget = Budget(),  # noqa: B008 - frozen
        progress: Progress = silent,
    ) -> Continuations:
        """Return the table for continuations of a length, or, where no two words tie, for endless ones (None)."""
        plan = _plan(machine, length, budget)
        table = cls._coarsest(machine, plan[0], length == len(plan))
        for level, cells in enumerate(progress(plan, len(plan), "values of continuations"), 1 - len(plan)):
            shares = _shares(machine, None if length is None else length + level)
            table = table._on(machine, cells)._refined(machine, shares)
        slack = (len(plan) + 2) * (len(machine.gains) + 4) * 2.0**-52
        return cls(table.low * (1 - slack), np.minimum(table.high * (1 + slack), 1.0), table.cells)

    @classmethod
    def _coarsest(cls, machine: Automaton, cells: int, ended: bool) -> Continuations:
        """Return what is known at the start: nothing, or that no ranks are left."""
        low = np.zeros((len(machine.moves), _columns(machine, cells)))
        low[:, 0 if ended else -1 :] = 1.0
        return cls(low, np.ones_like(low), cells)

    def _on(self, machine: Automaton, cells: int) -> Continuations:
        """Return the same bounds on a finer grid."""
        if cells == self.cells:
            return self
        last, times = self.low.shape[1] - 1, cells // self.cells
        places = np.arange(_columns(machine, cells))
        down, up = (np.minimum(rounded, last) for rounded in (places // times, -(-places // times)))
        # taken, not indexed, so that rows stay together in memory
        return Continuations(np.take(self.low, down, axis=1), np.take(self.high, up, axis=1), cells)

    def _refined(self, machine: Automaton, shares: FloatArray) -> Continuations:
        """Return the bounds for one more rank."""
        offsets = np.array(machine.gains, dtype=np.int64) * self.cells
        moves = np.array(machine.moves, dtype=np.int64)

        def step(upwards: bool) -> FloatArray:
            old = self.high if upwards else self.low
            new = np.zeros_like(old)
            _refine(old, new, moves, shares, offsets, machine.p.numerator, machine.p.denominator, upwards)
            return new

        low, high = ahead(step, [False, True])
        return Continuations(low, high, self.cells)

    def bounds(self, least: FloatArray, most: FloatArray, states: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return bounds of the shares worth `least` or less, from below, and worth `most` or less, from above."""
        last = self.low.shape[1] - 1
        down = np.floor(least * self.cells - MARGIN).astype(np.int64)
        up = np.ceil(most * self.cells + MARGIN).astype(np.int64)
        lows = np.where(down < 0, 0.0, self.low[states, np.clip(down, 0, last)])
        highs = np.where(most < 0, 0.0, self.high[states, np.clip(up, 0, last)])
        return lows, highs


def _columns(machine: Automaton, cells: int) -> int:
    """Return how many columns reach beyond everything that a word can be worth."""
    return ceil(machine.gains[-1] * cells / (1 - machine.p)) + 1


def _plan(machine: Automaton, length: int | None, budget: Budget) -> list[int]:
    """Return how many cells a gain has at each step, the last rank first.

    Early steps are on coarse grids: what they round counts for little in the end.
    """
    pace = -log(machine.p)
    few = ceil(2 * log(COARSER) / pace)
    finest = _affordable(machine, few, budget) * (1 - machine.p) / machine.gains[-1]
    stages = min(STAGES, int(log(max(finest, 1)) / log(COARSER)))
    coarsest = max(int(finest / COARSER**stages), 1)
    needed = ceil(log(_columns(machine, coarsest * COARSER**stages)) / pace) + 1
    plan = [coarsest * COARSER**stage for stage in range(stages + 1) for _ in range(few)]
    plan = [coarsest] * (needed - len(plan)) + plan
    return plan if length is None else plan[max(len(plan) - length, 0) :]


def _affordable(machine: Automaton, few: int, budget: Budget) -> float:
    """Return how many columns a table may have."""
    states = len(machine.moves)
    by_memory = budget.memory / 2 / (states * 32)
    by_time = budget.seconds / 4 / (few * 1.5 * states * len(machine.gains) * NANOSECONDS * 1e-9)
    columns = min(CELLS, by_memory, by_time)
    if columns < FEWEST:
        raise NotAvailable(
            f"bounds for p = {machine.p} and gains {machine.gains} need tables of {states} x {FEWEST} cells filled "
            f"{few} times, which is more than may be spent; allow more time or memory, or use fewer ranks"
        )
    return columns


def _shares(machine: Automaton, length: int | None) -> FloatArray:
    """Return which share of the continuations of a length begin with each digit, for each state."""
    if length is None:
        return np.full((len(machine.moves), len(machine.gains)), 1 / len(machine.gains))
    before, counts = machine.counts(length - 1), machine.counts(length)
    return np.array(
        [[0.0 if to == DEAD else before[to] / counts[state] for to in row] for state, row in enumerate(machine.moves)]
    )


@compiled
def _refine(
    old: FloatArray,
    new: FloatArray,
    moves: IntArray,
    shares: FloatArray,
    offsets: IntArray,
    above: int,
    below: int,
    upwards: bool,
) -> None:
    """Add the bounds for one more rank to zeros."""
    states, columns = old.shape
    # a column so far beyond the offset takes its value from here on: above columns move below columns
    sources = np.empty(above, dtype=np.int64)
    for rest in range(above):
        sources[rest] = (rest * below + (above - 1 if upwards else 0)) // above
    reach = (columns - 1) * above // below + 1 if upwards else (columns * above - 1) // below + 1
    for state in range(states):
        for digit in range(len(offsets)):
            to = moves[state, digit]
            if to < 0:
                continue
            share, start = shares[state, digit], offsets[digit]
            inside = max(min(columns - start, reach), 0)
            for block in range(inside // above):
                for rest in range(above):
                    new[state, start + block * above + rest] += share * old[to, block * below + sources[rest]]
            block = inside // above
            for rest in range(inside % above):
                new[state, start + block * above + rest] += share * old[to, block * below + sources[rest]]
            new[state, start + inside :] += share
