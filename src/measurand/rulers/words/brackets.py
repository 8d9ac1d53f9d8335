"""Certain bounds of positions among geometric values, for runs of any depth and for endless ones.

A value is followed from the first rank on until the beginnings become too many; how the words that begin so are
spread is then looked up in a table. Ranks at which only the lowest gain leaves a word below the value are left out
first, so that the bounds of small positions are as good as those of large ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, exp, floor, log

import numpy as np
from attrs import define, field

from measurand.arrays import FloatArray, IntArray
from measurand.execution import Progress, silent
from measurand.rulers.ruler import Budget
from measurand.rulers.words.automaton import Automaton
from measurand.rulers.words.continuations import Continuations
from measurand.rulers.words.descent import Descended, Descent, Number

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
    >>> from measurand.rulers.words.automaton import automaton
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
        >>> from measurand.rulers.words.automaton import automaton
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
