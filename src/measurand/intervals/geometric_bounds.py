r"""Certified bounds of positions among geometric values, for any depth and for runs without end.

A value is followed from the first rank on (`measurand.intervals.geometric_descent`) until the beginnings become too
many. How the words that begin so are spread is then looked up in a table of bounds, `Continuations`, which is made by
going backwards from the last rank: the distribution of such sums satisfies a self-similarity known from Bernoulli
convolutions ([Erdos1939]_). The bounds are
certified and narrow, at the cost of a table of some million cells that is filled once for every rank.
Ranks at which only the lowest gain leaves a word below the
value are left out first, so that the bounds of small positions are as good as those of large ones.

*The table.* Let :math:`F_s(x)` be the share of the continuations accepted from a state `s` that are worth `x` or less.
The next gain `g` leads on to a state `t` with a known share :math:`q`, and what is left may then be worth :math:`(x -
g)/p`:

.. math:: F_s(x) = \sum_g q_{s,g} \, F_t\big((x - g)/p\big)

On a grid the argument is rounded down for a lower bound and up for an upper one. A rounding counts for less by a
factor `p` with every rank before it, so that all of them together move `x` by less than :math:`h/(1 - p)` on a grid of
step `h`, however many ranks there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, exp, floor, log

import numpy as np
from attrs import define, field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, ahead, silent
from measurand.intervals.geometric_automaton import DEAD, Automaton
from measurand.intervals.geometric_descent import Descended, Descent, Number
from measurand.intervals.ruler import Budget
from measurand.native import accelerated

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

LIMIT = 1 << 13
"""How many beginnings of a value are followed at a time."""

ROOM = 8
"""How many times more they may be in the middle than on average."""

NARROW = Fraction(1, 10**10)
"""Bounds that are no further apart, as a part of everything, need no table."""

NARROW_PART = Fraction(1, 10**4)
"""And no further apart than this as a part of the bound itself."""

ENDLESS = Fraction(1, 10**9)
"""Where a gain at the last rank is worth less than this, words are taken for the beginnings of endless ones."""

_SLACK = 1e-11
"""More than what adding up some thousand floats does to a part."""


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
    >>> from measurand.intervals.geometric_automaton import automaton
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
    by_size = (1 << 61) / machine.p.denominator  # places are counted in parts of a cell, in 64 bits
    if by_size < FEWEST:
        raise NotAvailable(f"bounds for p = {machine.p} need a fraction of smaller numbers; round p to 14 digits")
    columns = min(CELLS, by_memory, by_time, by_size)
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


@accelerated
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
    columns = old.shape[1]
    # above columns of the new bounds are below columns of the old ones
    reach = (columns - 1) * above // below + 1 if upwards else (columns * above - 1) // below + 1
    sources = (np.arange(min(columns, reach)) * below + (above - 1 if upwards else 0)) // above
    for state, row in enumerate(moves.tolist()):
        for to, share, start in zip(row, shares[state], offsets.tolist(), strict=True):
            if to >= 0:
                inside = max(min(columns - start, reach), 0)
                new[state, start : start + inside] += share * old[to, sources[:inside]]
                new[state, start + inside :] += share


def work(machine: Automaton, depth: int) -> float:
    """Return about how many beginnings have to be followed to place one value exactly.

    Examples
    --------
    >>> round(work(Automaton(Fraction(1, 2), (0, 1), ((0, 0),)), 100))
    100
    """
    total = 0.0
    for rank in range(1, depth + 1):
        total += exp(min(max(log(machine.size(rank)) + rank * log(machine.p), 0.0), 300.0))
    return total


@define(eq=False)
class Brackets:
    """Bounds of the part of all words that are worth no more than a word.

    Parameters
    ----------
    machine
        Which words there are, one for each value.
    depth
        How many ranks a word has; None for endless words, of which no two may tie.

    Examples
    --------
    >>> from measurand.intervals.geometric_automaton import automaton
    >>> low, high = Brackets(automaton(Fraction(3, 5), [0, 1]), None).of([1])
    >>> round(float(low), 9), bool(high - low < 1e-9)
    (0.354784596, True)
    """

    machine: Automaton
    depth: int | None
    budget: Budget = field(factory=Budget)
    progress: Progress = silent
    _descent: Descent = field(init=False)
    _table: Continuations | None = field(default=None, init=False)
    _stop: int | None = field(default=None, init=False)

    @property
    def endless(self) -> bool:
        """Whether words are taken for the beginnings of endless ones, which keeps bounds of small positions close."""
        return self._stop is None

    def __attrs_post_init__(self) -> None:
        short = self.depth is not None and not (self.machine.free and self.machine.p**self.depth < ENDLESS)
        self._descent = Descent.of(self.machine, LIMIT * ROOM if short else LIMIT)
        if self.depth is not None and short:
            self._stop = self._last_rank(self.depth)

    def of(self, word: Sequence[int]) -> tuple[Fraction, Fraction]:
        """Return bounds of the part of words that are worth no more than a word of digits.

        A word that is shorter than the depth goes on with the lowest gain.
        """
        low, high = self._numbers(word)
        everything = self._number(0, 0)
        return Fraction(low) / everything, min(Fraction(high) / everything, Fraction(1))

    def ranks(self, word: Sequence[int]) -> tuple[int, int]:
        """Return bounds of the rank of a word among the values of the depth.

        Examples
        --------
        >>> from measurand.intervals.geometric_automaton import automaton
        >>> Brackets(automaton(Fraction(3, 5), [0, 1]), 12).ranks([1, 0, 0, 0, 0, 1])
        (1635, 1635)
        """
        low, high = self._numbers(word)
        return ceil(low), floor(high)

    def _numbers(self, word: Sequence[int]) -> tuple[Number, Number]:
        """Return bounds of how many words are worth no more than a word; of which part, for endless ones."""
        value, skipped, state = self._stripped(word)
        own = 0 if self.depth is None else 1  # the word itself, which is among those that are left
        if not value:
            return own, own
        left = None if self.depth is None else self.depth - skipped
        stop = self._stop - skipped if self._stop is not None and self._stop > skipped else None
        found = self._descent.follow(value, state, left, stop)
        counted = found.counted(lambda level, to: self._number(skipped + level, to))
        low, high = counted + own, counted + found.open(lambda level, to: self._number(skipped + level, to))
        if found.level != left and (high - low > NARROW * self._number(0, 0) or high - low > NARROW_PART * high):
            lows, highs = self._looked_up(found, skipped)
            numbers = [self._number(skipped + found.level, to) for to in range(len(self.machine.moves))]
            low = max(low, counted + _sum(lows * (1 - _SLACK), found.states, numbers))
            high = min(high, counted + _sum(highs * (1 + _SLACK), found.states, numbers))
        return low, high

    def _number(self, rank: int, state: int) -> Number:
        """Return how many words go on from a state after a rank; the part of all of them for endless ones."""
        if self.machine.free:
            base = len(self.machine.gains)
            return Fraction(1, base**rank) if self.depth is None else base ** (self.depth - rank)
        assert self.depth is not None  # endless words do not tie
        return self.machine.counts(self.depth - rank)[state]

    def _stripped(self, word: Sequence[int]) -> tuple[Fraction, int, int]:
        """Return the value from the first rank on that can have another than the lowest gain, that rank, its state."""
        above, below = self.machine.p.numerator, self.machine.p.denominator
        value, unit, least = self.machine.key(word), below ** max(len(word) - 1, 0), self.machine.gains[1]
        rank = state = 0
        while 0 < value < least * unit:
            value, unit = value * below, unit * above
            rank, state = rank + 1, self.machine.moves[state][0]
        return Fraction(value, unit), rank, state

    def _last_rank(self, depth: int) -> int:
        """Return up to which rank beginnings are followed before the table is used."""
        few = log(LIMIT / 2)
        ranks = range(1, min(depth, len(self._descent.weights)) + 1)
        pace = log(self.machine.p)
        return max((rank for rank in ranks if log(self.machine.size(rank)) + rank * pace < few), default=0)

    def _looked_up(self, found: Descended, skipped: int) -> tuple[FloatArray, FloatArray]:
        """Return bounds of the part of words that begin so and are worth no more than the value, for what is left."""
        if self._stop is not None and skipped + found.level != self._stop:
            return np.zeros(len(found.states)), np.ones(len(found.states))
        if self._table is None:
            length = None if self.depth is None or self._stop is None else self.depth - self._stop
            self._table = Continuations.of(self.machine, length, self.budget, self.progress)
        most = found.most
        if self._stop is None and self.depth is not None:
            # a word that ends is worth less than one that goes on, by no more than this
            missing = self.machine.p ** (self.depth - skipped - found.level) / (1 - self.machine.p)
            most = most + float(missing * self.machine.gains[-1]) * (1 + _SLACK)
        return self._table.bounds(found.least, most, found.states)


def _sum(parts: FloatArray, states: IntArray, numbers: Sequence[Number]) -> Fraction:
    """Return the sum of parts of the numbers that belong to their states."""
    sums = np.bincount(states, weights=parts, minlength=len(numbers))
    return sum(
        (Fraction(part) * number for part, number in zip(sums.tolist(), numbers, strict=True) if part), Fraction(0)
    )
