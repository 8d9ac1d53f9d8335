r"""Which sequences of gains have the same geometric value: a finite automaton decides.

RBP weighs rank :math:`i` by :math:`p^{i-1}`. Whether two runs can tie depends on `p` and the gains alone, like whether
a number can be written in two ways in base :math:`1/p`; and as for number systems ([Frougny1992]_), a finite automaton
knows all ties at all depths. It is built once, exactly, with whole numbers, and refused if it has too many states.

A word of gains :math:`g_1 g_2 \dots g_n` is worth :math:`\sum_i g_i p^{i-1}` with :math:`p = a/b` in lowest terms. For
two words with differences :math:`c_i`, the carry :math:`e_i = e_{i-1} b/a + c_i` has to end at 0 if they are to tie. A
carry that `a` does not divide never gets rid of its denominator, and one that is too large never comes back; what is
left are finitely many whole numbers. So it can be decided whether there are ties at all, and a finite automaton that
follows the live carries of all larger words accepts exactly the largest word of each value. Counting the words that it
accepts counts the values, by one product of a matrix and a vector per rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import gcd
from threading import Lock

import numpy as np
from attrs import field, frozen

from measurand.arrays import IntArray
from measurand.errors import NotAvailable, ParameterError
from measurand.intervals.independent_blocks import whole_gains

STATES = 20_000
"""More states than this are not followed."""

CARRIES = 100_000
"""More carries than this are not followed."""

Word = tuple[int, ...]
DEAD = -1

_ONE_AT_A_TIME = Lock()
"""Automata are shared by threads, and their counts grow."""


def distinct_gains(gains: Sequence[Fraction | int]) -> Word:
    """Return the different gains in ascending order, as whole numbers from 0 without a common factor.

    Moving and stretching all gains changes neither ties nor order.

    Examples
    --------
    >>> distinct_gains([Fraction(1), Fraction(1, 2), Fraction(0), Fraction(1)])
    (0, 1, 2)
    """
    ascending = sorted(set(whole_gains(gains)))
    steps = [gain - ascending[0] for gain in ascending]
    return tuple(step // max(gcd(*steps), 1) for step in steps)


def tie(p: Fraction, gains: Sequence[Fraction | int]) -> tuple[Word, Word] | None:
    r"""Return two different words of gains with the same value :math:`\sum_i g_i p^{i-1}`, or None if there are none.

    The gains are made whole first, as `distinct_gains` does; the words are as short as can be.

    Examples
    --------
    >>> tie(Fraction(1, 2), [0, 1, 2])
    ((2, 0), (1, 2))
    >>> tie(Fraction(4, 5), [0, 1, 3, 7]) is None
    True
    """
    _check(p)
    whole = distinct_gains(gains)
    live = _live(p, whole)
    pairs = {larger - smaller: (larger, smaller) for larger in whole for smaller in whole}
    paths: dict[int, tuple[tuple[int, int], ...]] = {
        change: (pairs[change],) for change in sorted(pairs) if change > 0 and change in live
    }
    while paths:
        longer: dict[int, tuple[tuple[int, int], ...]] = {}
        for carry, path in paths.items():
            for change, pair in pairs.items():
                after = _moved(carry, p) + change
                if after == 0:
                    one, other = zip(*path, pair, strict=True)
                    return one, other
                if after in live:
                    longer.setdefault(after, (*path, pair))
        paths = longer
    return None


def ties(p: Fraction, gains: Sequence[Fraction | int]) -> bool:
    """Return whether any two different words of gains have the same value.

    Examples
    --------
    >>> ties(Fraction(3, 4), [0, 1, 3, 7]), ties(Fraction(3, 4), [0, 1, 2, 3])
    (True, False)
    """
    return tie(p, gains) is not None


@frozen(eq=False)
class Automaton:
    """A machine that reads gains from the first rank on and accepts the largest word of each value.

    Larger is meant as in a dictionary. What begins an accepted word is accepted; state 0 is the start.

    Parameters
    ----------
    p
        The factor from one rank to the next, between 0 and 1.
    gains
        The different gains, ascending whole numbers from 0; a digit is a place among them.
    moves
        For each state and digit the next state, or `DEAD` where a larger word has the same value.

    Examples
    --------
    >>> machine = automaton(Fraction(1, 2), [0, 1, 2])
    >>> machine.moves, machine.size(3), machine.size(1000) == 2**1001 - 1
    (((1, 1, 0), (1, 1, -1)), 15, True)
    """

    p: Fraction
    gains: Word
    moves: tuple[Word, ...]
    _counted: list[Word] = field(factory=list, repr=False, init=False)
    _arrived: list[Word] = field(factory=list, repr=False, init=False)

    @cached_property
    def table(self) -> IntArray:
        """The moves as an array."""
        return np.array(self.moves, dtype=np.int64)

    @property
    def free(self) -> bool:
        """Whether no two words tie."""
        return len(self.moves) == 1

    def counts(self, length: int) -> Word:
        """Return how many words of a length are accepted from each state."""
        with _ONE_AT_A_TIME:
            if not self._counted:
                self._counted.append((1,) * len(self.moves))
            while len(self._counted) <= length:
                last = self._counted[-1]
                self._counted.append(tuple(sum(last[state] for state in row if state != DEAD) for row in self.moves))
        return self._counted[length]

    def size(self, length: int) -> int:
        """Return how many different values the words of a length have."""
        return len(self.gains) ** length if self.free else self.counts(length)[0]

    def arrivals(self, length: int) -> Word:
        """Return how many accepted words of a length end in each state."""
        with _ONE_AT_A_TIME:
            if not self._arrived:
                self._arrived.append((1, *[0] * (len(self.moves) - 1)))
            while len(self._arrived) <= length:
                self._arrived.append(self._after(self._arrived[-1]))
        return self._arrived[length]

    def _after(self, numbers: Word) -> Word:
        """Return how many words end in each state one rank further."""
        after = [0] * len(self.moves)
        for number, row in zip(numbers, self.moves, strict=True):
            for to in row:
                if to != DEAD:
                    after[to] += number
        return tuple(after)

    def key(self, word: Sequence[int]) -> int:
        """Return the value of a word of digits as a whole number: times the denominator of `p` at the last rank."""
        total, scale = 0, 1
        for digit in reversed(word):
            total = total * self.p.numerator + self.gains[digit] * scale
            scale *= self.p.denominator
        return total

    def largest(self, word: Iterable[int]) -> bool:
        """Return whether a word of digits is the largest of its value."""
        state = 0
        for digit in word:
            state = self.moves[state][digit]
            if state == DEAD:
                return False
        return True


def words_that_tie(machine: Automaton, word: Iterable[int], times: Sequence[int]) -> int:
    """Return how many words have the value of a word of digits, where a digit stands for `times` different ones.

    Examples
    --------
    >>> words_that_tie(automaton(Fraction(1, 2), [0, 1, 2]), (1, 0, 2), [1, 1, 1])
    3
    """
    live = _live(machine.p, machine.gains) | {0}
    ways = {0: 1}
    for digit in word:
        after: dict[int, int] = {}
        for carry, count in ways.items():
            for gain, often in zip(machine.gains, times, strict=True):
                moved = _moved(carry, machine.p) + gain - machine.gains[digit]
                if moved in live:
                    after[moved] = after.get(moved, 0) + count * often
        ways = after
    return ways[0]


@lru_cache(maxsize=64)
def _built(p: Fraction, gains: Word) -> Automaton:
    live = _live(p, gains)
    known: dict[frozenset[int], int] = {frozenset(): 0}
    waiting = list(known)
    moves: list[Word] = []
    for carries in waiting:
        row = []
        for gain in gains:
            after = _after(carries, gain, p, gains, live)
            if after is not None and after not in known:
                known[after] = len(known)
                waiting.append(after)
            row.append(DEAD if after is None else known[after])
        moves.append(tuple(row))
        if len(known) > STATES:
            raise NotAvailable(
                f"the ties of gains {gains} at p = {p} need more than {STATES} states to follow; use fewer grades"
            )
    return Automaton(p, gains, _smallest(moves))


def automaton(p: Fraction, gains: Sequence[Fraction | int]) -> Automaton:
    """Return the machine that accepts the largest word of each value.

    Examples
    --------
    >>> automaton(Fraction(1, 2), [0, 1, 3]).size(10), automaton(Fraction(4, 5), [0, 1, 3]).free
    (3060, True)
    """
    _check(p)
    return _built(Fraction(p), distinct_gains(gains))


def _check(p: Fraction) -> None:
    if not 0 < p < 1:
        raise ParameterError(f"the factor from one rank to the next must lie between 0 and 1, not {p}")


def _moved(carry: int, p: Fraction) -> int:
    return carry // p.numerator * p.denominator


@lru_cache(maxsize=64)
def _live(p: Fraction, gains: Word) -> frozenset[int]:
    """Return the carries other than 0 from which 0 can be reached."""
    a, b = p.numerator, p.denominator
    most = max((gains[-1] * a - 1) // (b - a) // a, 0)
    changes = {one - other for one in gains for other in gains}
    if most * len(changes) > CARRIES:
        raise NotAvailable(f"gains {gains} at p = {p} have too many carries to follow; use fewer, or simpler gains")
    before: dict[int, list[int]] = {}
    for carry in range(-most * a, most * a + 1, a):
        for change in changes:
            before.setdefault(_moved(carry, p) + change, []).append(carry)
    live, waiting = {0}, [0]
    while waiting:
        fresh = [carry for carry in before.get(waiting.pop(), ()) if carry not in live]
        live.update(fresh)
        waiting += fresh
    return frozenset(live - {0})


def _after(carries: frozenset[int], gain: int, p: Fraction, gains: Word, live: frozenset[int]) -> frozenset[int] | None:
    """Return the live carries of larger words after one more gain, or None if one of them ties."""
    reached = {_moved(carry, p) + other - gain for carry in carries for other in gains}
    if 0 in reached:
        return None
    reached.update(other - gain for other in gains if other > gain)
    return frozenset(reached & live)


def _smallest(moves: list[Word]) -> tuple[Word, ...]:
    """Return the same machine with states that accept the same words made one."""
    kind = [0] * len(moves)
    while True:
        seen: dict[Word, int] = {}
        finer = [
            seen.setdefault((kind[state], *(DEAD if to == DEAD else kind[to] for to in row)), len(seen))
            for state, row in enumerate(moves)
        ]
        if len(seen) == len(set(kind)):
            break
        kind = finer
    rows = {kind[state]: row for state, row in reversed(list(enumerate(moves)))}
    return tuple(tuple(DEAD if to == DEAD else kind[to] for to in rows[state]) for state in range(len(rows)))
