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

from functools import partial
from math import ceil, log

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, ahead, compiled, silent
from measurand.rulers.automaton import DEAD, Automaton
from measurand.rulers.ruler import Budget

CELLS = 1 << 22
"""A finer grid than this is not worth its time."""

FEWEST = 1 << 12
"""A coarser grid than this is no help."""

NANOSECONDS = 2.0
"""About how long one step of one cell takes."""

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
    >>> from measurand.rulers.automaton import automaton
    >>> table = Continuations.of(automaton(Fraction(1, 2), [0, 1]), None)
    >>> low, high = table.bounds(np.array([0.5]), np.array([0.5]), np.array([0]))
    >>> bool(0.24999 < low[0] <= 0.25 <= high[0] < 0.25001)
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
        cells = _cells(machine, budget)
        per_gain = max(int(cells * (1 - machine.p) / max(machine.gains[-1], 1)), 1)
        columns = ceil(machine.gains[-1] * per_gain / (1 - machine.p)) + 1
        levels = _levels(machine, columns)
        short = length is not None and length <= levels
        levels = length if short and length is not None else levels
        low = np.zeros((len(machine.moves), columns))
        low[:, 0 if short else -1 :] = 1.0
        high = np.ones_like(low)
        first = 0 if length is None else length - levels
        spare = np.empty_like(low), np.empty_like(low)
        for level in progress(range(levels), levels, "values of continuations"):
            shares = _shares(machine, None if length is None else first + level + 1)
            step = partial(_step, machine, shares, per_gain)
            jobs = [(low, spare[0], False), (high, spare[1], True)]
            (old_low, low), (old_high, high) = ahead(step, jobs)
            spare = old_low, old_high
        slack = (levels + 2) * (len(machine.gains) + 4) * 2.0**-52
        low *= 1 - slack
        high *= 1 + slack
        return cls(low, np.minimum(high, 1.0, out=high), per_gain)

    def bounds(self, least: FloatArray, most: FloatArray, states: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return bounds of the shares worth `least` or less, from below, and worth `most` or less, from above."""
        last = self.low.shape[1] - 1
        down = np.floor(least * self.cells - MARGIN).astype(np.int64)
        up = np.ceil(most * self.cells + MARGIN).astype(np.int64)
        lows = np.where(down < 0, 0.0, self.low[states, np.clip(down, 0, last)])
        highs = np.where(most < 0, 0.0, self.high[states, np.clip(up, 0, last)])
        return lows, highs


def _levels(machine: Automaton, columns: int) -> int:
    """Return after how many ranks the rest is worth less than a cell."""
    return ceil(log(columns) / -log(machine.p)) + 1


def _cells(machine: Automaton, budget: Budget) -> int:
    """Return how fine a grid can be afforded."""
    states = len(machine.moves)
    by_memory = budget.memory // 2 // (states * 32)
    work = _levels(machine, CELLS) * states * len(machine.gains)
    by_time = int(budget.seconds / 4 / (work * NANOSECONDS * 1e-9))
    cells = min(CELLS, by_memory, by_time)
    if cells < FEWEST:
        raise NotAvailable(
            f"bounds for p = {machine.p} and gains {machine.gains} need a table of {states} x {FEWEST} cells, filled "
            f"{_levels(machine, FEWEST)} times, which is more than may be spent; allow more time or memory, "
            "or use fewer ranks"
        )
    return cells


def _shares(machine: Automaton, length: int | None) -> FloatArray:
    """Return which share of the continuations of a length begin with each digit, for each state."""
    if length is None:
        return np.full((len(machine.moves), len(machine.gains)), 1 / len(machine.gains))
    before, counts = machine.counts(length - 1), machine.counts(length)
    return np.array(
        [
            [0.0 if to == DEAD else before[to] / counts[state] for to in row]
            for state, row in enumerate(machine.moves)
        ]
    )


def _step(
    machine: Automaton, shares: FloatArray, per_gain: int, job: tuple[FloatArray, FloatArray, bool]
) -> tuple[FloatArray, FloatArray]:
    old, new, upwards = job
    offsets = np.array(machine.gains, dtype=np.int64) * per_gain
    moves = np.array(machine.moves, dtype=np.int64)
    _refine(old, new, moves, shares, offsets, machine.p.numerator, machine.p.denominator, upwards)
    return old, new


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
    """Write the bounds for one more rank."""
    states, columns = old.shape
    # a column so far beyond the offset takes its value from here on: above columns move below columns
    sources = np.empty(above, dtype=np.int64)
    for rest in range(above):
        sources[rest] = (rest * below + (above - 1 if upwards else 0)) // above
    reach = (columns - 1) * above // below + 1 if upwards else (columns * above - 1) // below + 1
    new[:] = 0.0
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
