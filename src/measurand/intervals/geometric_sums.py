r"""The ruler of measures that discount by a constant factor, such as RBP, ties included.

The values are :math:`\sum_i g_i p^{i-1}` for any rational `p`. Whether two runs can tie is decided first, once and for
all depths, by a finite automaton ([Frougny1992]_, `measurand.intervals.geometric_automaton`). Where the order is that
of a dictionary, or all whole numbers occur, the rank is read off the run. Otherwise tops and tails meet in the middle
([HorowitzSahni1974]_), or the value is followed rank by rank, whichever is cheaper; both are exact. Where both cost
too much, the position is certified between bounds.

*Ties.* Each value has one accepted word, the largest. A word is a top, which leads to a state of the automaton, and a
tail that is accepted from that state; so for every state there is a pair of tables, and no word is in two of them
(`TiedSum`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, inf, prod

import numpy as np
from attrs import define, field, frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.errors import NotAvailable, ParameterError
from measurand.execution import Progress, silent
from measurand.intervals.additive_sums import DirectSum, choices
from measurand.intervals.certified_sums import CertifiedSum
from measurand.intervals.closed_forms import Complete, Lexicographic, Tabulated, WholeSums
from measurand.intervals.endless_sums import Endless
from measurand.intervals.geometric_automaton import Automaton, Word, automaton, words_that_tie
from measurand.intervals.geometric_bounds import Brackets, work
from measurand.intervals.geometric_descent import exact_bounds
from measurand.intervals.independent_blocks import Blocks, whole_gains
from measurand.intervals.meet_in_the_middle import BUILDING, LARGEST, SHOWN, Meeting, count_up_to, meet, seconds_to_meet
from measurand.intervals.ruler import NONE, Budget, Position, Ruler
from measurand.intervals.tables_of_sums import Half, Halves
from measurand.judged.universes import distinct_runs

BITS = 61
"""Rounded values stay below this power of 2."""

_BYTES = 40
_SLOWER = 4  # making words state by state, than making plain sums
_PAIR = 1e-3  # seconds that a pair of halves takes anyway

FOLLOWED = 3e-6
"""Seconds that following one beginning takes with whole numbers of any size."""

_ROOM = 50


def geometric_ruler(
    p: Fraction,
    gains: Sequence[Fraction | int],
    depth: int | None,
    budget: Budget = Budget(),  # noqa: B008 - frozen
) -> Ruler:
    r"""Return all the values of the measure :math:`\sum_i p^{i-1} g(r_i)` in order.

    Parameters
    ----------
    p
        The factor from one rank to the next, between 0 and 1.
    gains
        The gain of each grade, in any order, also the same one for several grades.
    depth
        How many ranks a run has; None for runs without end, of which the first ranks are given and the rest has
        grade 0.

    Examples
    --------
    >>> ruler = geometric_ruler(Fraction(4, 5), [0, 1], 30)
    >>> ruler.size, ruler.positions(np.array([[1] * 5 + [0] * 25]))[0].rank
    (1073741824, 902123343)
    >>> ruler = geometric_ruler(Fraction(1, 2), [0, 1, 3], 1000)
    >>> ruler.size == 3 * 2**1000 - 1000 - 2, ruler.positions(np.array([[0] * 999 + [2]]))[0].rank
    (True, 4)
    """
    if not gains or (depth is not None and depth < 1):
        raise ParameterError("a ruler needs at least one rank and one grade")
    try:
        machine = automaton(Fraction(p), gains)
    except NotAvailable:
        listed = depth and Tabulated.of_sums(WholeSums.of([Fraction(p) ** rank for rank in range(depth)], gains))
        if not listed:
            raise
        return listed
    whole = whole_gains(gains)
    levels = sorted(set(whole))
    digits = np.array([levels.index(gain) for gain in whole], dtype=np.int64)
    if depth is None:
        return Endless.of(machine, digits, budget)
    return Geometric(machine, digits, depth, budget)


@frozen
class Cut:
    """After how many ranks words are cut, and what that costs."""

    rank: int
    counted: bool
    seconds: float = field(eq=False)


@define(eq=False)
class TiedSum(Ruler):
    r"""The values :math:`\sum_i g_i p^{i-1}` of all runs of a depth, of which some tie.

    Parameters
    ----------
    machine
        What accepts one word for each value.
    digits
        The digit of each grade: the place of its gain among the different gains.
    depth
        How many ranks a run has.
    budget
        What making tables, or placing some runs, may cost.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from measurand.intervals.geometric_automaton import automaton
    >>> ruler = TiedSum(automaton(Fraction(1, 2), [0, 1, 3]), np.array([0, 1, 2]), 10)
    >>> ruler.size, ruler.positions(np.array([[1] * 10]))[0].rank, ruler.shares(np.array([[1] * 10]))
    (3060, 1024, [(23595, 89)])
    """

    machine: Automaton
    digits: IntArray
    depth: int
    budget: Budget = field(factory=Budget)
    grades: int = field(init=False)
    _held: tuple[Cut, list[Halves]] | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.grades = len(self.digits)

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.machine.size(self.depth)

    def seconds(self, runs: int) -> float:
        """Return about how long it takes to place so many runs, with the making of tables; infinity if too much."""
        cut = self._cut(runs, counted=False)
        return cut.seconds if cut else inf

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands."""
        words, which = distinct_runs(self.digits[runs].astype(np.int8))
        if not len(words):
            return []
        cut, halves = self._halves(len(words), counted=False)
        found = meet(halves, *self._windows(words), progress)
        several = (found.inside > 1) & (found.inside <= SHOWN)
        nearby = self._nearby(found, cut, several)
        bounds = []
        for window, word in enumerate(words.tolist()):
            low, high = found.below[window] + 1, found.below[window] + int(found.inside[window])
            if several[window]:
                low = high = low + len(self._below(word, filter(self.machine.largest, nearby[window])))
            bounds.append((low, high))
        size = self.size
        placed = [Position.between(low, high, size) for low, high in bounds]
        return [placed[row] for row in which.tolist()]

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        words, which = distinct_runs(self.digits[runs].astype(np.int8))
        if not len(words):
            return []
        cut, halves = self._halves(len(words), counted=True)
        windows = self._windows(words)
        found, up_to = meet(halves, *windows), count_up_to(halves, windows[1])
        tied = [words_that_tie(self.machine, word, self._times) for word in words.tolist()]
        alone = [high - low == ties for low, high, ties in zip(found.below, up_to, tied, strict=True)]
        if any(found.inside[~np.array(alone)] > SHOWN):
            raise NotAvailable("some values are too close to others to be told apart; use ties='unq', or fewer ranks")
        nearby = self._nearby(found, cut, ~np.array(alone))
        lower = [
            found.below[window] + sum(self._runs(other) for other in self._below(word, nearby.get(window, ())))
            for window, word in enumerate(words.tolist())
        ]
        return [(lower[row], tied[row]) for row in which.tolist()]

    @cached_property
    def _times(self) -> list[int]:
        """How many grades have each gain."""
        return [int(times) for times in np.bincount(self.digits, minlength=len(self.machine.gains))]

    @cached_property
    def _parts(self) -> list[IntArray]:
        """What each digit is worth at each rank, in fixed point: each weight is off by one half at most."""
        p, gains = self.machine.p, np.array(self.machine.gains, dtype=np.int64)
        scale = int(((1 << BITS) - self.depth * int(gains[-1])) * (1 - p) / int(gains[-1]))
        return [gains * round(scale * p**rank) for rank in range(self.depth)]

    def _windows(self, words: Cells) -> tuple[IntArray, IntArray]:
        """Return windows such that words with rounded values below them are worth less, and above them more."""
        rounded = np.sum([part[column] for part, column in zip(self._parts, words.T, strict=True)], axis=0)
        # half a unit times the gain at each rank, for the word and for the one that it is compared with
        slack = self.depth * self.machine.gains[-1] + 1
        return rounded - slack, rounded + slack

    def _cut(self, runs: int, *, counted: bool) -> Cut | None:
        if self.machine.size(self.depth) > LARGEST or (len(self.machine.gains) ** self.depth > LARGEST and counted):
            return None
        cuts = (self._cut_at(rank, runs, counted=counted) for rank in range(self.depth + 1))
        return min((cut for cut in cuts if cut), key=lambda cut: cut.seconds, default=None)

    def _cut_at(self, rank: int, runs: int, *, counted: bool) -> Cut | None:
        """Return what cutting words after a rank costs, or None if that is too much memory."""
        if counted:
            sizes = [(len(self.machine.gains) ** rank, len(self.machine.gains) ** (self.depth - rank))]
        else:
            tops, tails = self.machine.arrivals(rank), self.machine.counts(self.depth - rank)
            sizes = [(top, tail) for top, tail in zip(tops, tails, strict=True) if top]
        together = sum(top + tail for top, tail in sizes)
        if together * _BYTES > self.budget.memory:
            return None
        cut = Cut(rank, counted, 0.0)
        building = 0.0 if self._held and self._held[0] == cut else BUILDING * _SLOWER * together
        return Cut(rank, counted, building + sum(_PAIR + seconds_to_meet(top, tail, runs) for top, tail in sizes))

    def _halves(self, runs: int, *, counted: bool) -> tuple[Cut, list[Halves]]:
        """Return tables with which so many different runs can be placed, made now if need be."""
        cut = self._cut(runs, counted=counted)
        if cut is None or cut.seconds > self.budget.seconds:
            cost = f"about {cut.seconds:.0f} seconds" if cut else "more memory or time than there is"
            raise NotAvailable(
                f"placing {runs} runs exactly among {self.size} values takes {cost};"
                " allow more (max_seconds), or use fewer ranks"
            )
        held = self._held
        if held is None or held[0] != cut:
            held = self._held = None  # lets go of the old tables before the new ones are made
            held = self._held = cut, self._counted(cut.rank) if counted else self._made(cut.rank)
        return held

    def _made(self, rank: int) -> list[Halves]:
        """Return tops and tails for every state that tops lead to."""
        _, tops, states = self._words(np.zeros(1, dtype=np.int64), self._parts[:rank])
        met = np.unique(states)
        origins, tails, _ = self._words(met, self._parts[rank:])
        return [Halves(Half(np.sort(tops[states == state])), Half(np.sort(tails[origins == state]))) for state in met]

    def _words(self, starts: IntArray, parts: Sequence[IntArray]) -> tuple[IntArray, IntArray, IntArray]:
        """Return where each accepted word begins, its rounded value, and where it leads."""
        origins, values, states = starts, np.zeros(len(starts), dtype=np.int64), starts
        for part in parts:
            after = self.machine.table[states]
            rows, columns = np.nonzero(after >= 0)
            origins, values, states = origins[rows], values[rows] + part[columns], after[rows, columns]
        return origins, values, states

    def _counted(self, rank: int) -> list[Halves]:
        """Return tops and tails of all words, each counted as many times as there are runs."""
        times = np.array(self._times, dtype=np.int64)
        tops, tails = (
            Half.counted([(part, times) for part in half]) for half in (self._parts[:rank], self._parts[rank:])
        )
        return [Halves(tops, tails)]

    def _nearby(self, found: Meeting, cut: Cut, wanted: BoolArray) -> dict[int, set[Word]]:
        """Return all words inside some wanted windows, by window."""
        nearby: dict[int, set[Word]] = {}
        for window, _, top, tail in found.pairs[wanted[found.pairs[:, 0]]].tolist():
            tails = choices(tail, self._parts[cut.rank :])
            words = nearby.setdefault(window, set())
            words.update(one + other for one in choices(top, self._parts[: cut.rank]) for other in tails)
        return nearby

    def _below(self, word: Sequence[int], others: Iterable[Word]) -> list[Word]:
        """Return those of some words that are worth less than a word."""
        key = self.machine.key(word)
        return [other for other in others if self.machine.key(other) < key]

    def _runs(self, word: Word) -> int:
        """Return how many runs a word stands for."""
        return prod(self._times[digit] for digit in word)


@define(eq=False)
class Geometric(Ruler):
    r"""The values :math:`\sum_i g_i p^{i-1}` of all runs of a depth.

    Parameters
    ----------
    machine
        What accepts one word of digits for each value.
    digits
        The digit of each grade: the place of its gain among the different gains.

    Examples
    --------
    >>> ruler = Geometric(automaton(Fraction(3, 4), [0, 1, 3, 7]), np.arange(4), 3)
    >>> ruler.size, ruler.positions(np.array([[2, 2, 0], [0, 3, 0]])) == [Position.at(24, 55)] * 2
    (55, True)
    """

    machine: Automaton
    digits: IntArray
    depth: int
    budget: Budget = field(factory=Budget)
    grades: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.grades = len(self.digits)

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.machine.size(self.depth)

    @property
    def consecutive(self) -> bool:
        """Whether the values are known to be equally spaced."""
        return isinstance(self._closed, Complete)

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands."""
        if self._closed:
            return self._closed.positions(runs, progress)
        words, which = distinct_runs(self.digits[np.asarray(runs)].astype(np.int8))
        meeting = self._exact.seconds(len(words))
        following = len(words) * self._work * FOLLOWED
        if meeting <= min(following, self.budget.seconds):
            return self._exact.positions(runs, progress)
        if following <= self.budget.seconds:
            limit = _ROOM * ceil(self._work)
            rows = progress(words.tolist(), len(words), "following values")
            bounds = [exact_bounds(self.machine, word, limit) for word in rows]
        elif isinstance(self._exact, DirectSum) and not self._brackets.endless:
            return CertifiedSum(self._exact.blocks, self.budget, NONE).positions(runs, progress)
        else:
            rows = progress(words.tolist(), len(words), "bounding ranks")
            bounds = [self._brackets.ranks(word) for word in rows]
        size = self.size
        placed = [Position.between(low, high, size) for low, high in bounds]
        return [placed[row] for row in which.tolist()]

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        if self._closed:
            try:
                return self._closed.shares(runs)
            except NotAvailable:
                return self._exact.shares(runs)
        if self.machine.free and self.grades == len(self.machine.gains):
            ranks = [position.rank for position in self.positions(runs)]
            if None not in ranks:
                return [(rank - 1, 1) for rank in ranks if rank is not None]
        return self._exact.shares(runs)

    @cached_property
    def _weights(self) -> list[Fraction]:
        return [self.machine.p**rank for rank in range(self.depth)]

    @cached_property
    def _gains(self) -> list[int]:
        return [self.machine.gains[digit] for digit in self.digits.tolist()]

    @cached_property
    def _closed(self) -> Ruler | None:
        """The ruler that reads ranks off runs, where there is one."""
        complete = Complete.of(WholeSums.of(self._weights, self._gains))
        return complete or Lexicographic.of(self._weights, self._gains)

    @cached_property
    def _exact(self) -> DirectSum | TiedSum:
        if self.machine.free:
            return DirectSum(Blocks.by_rank(self._weights, self._gains), self.budget, NONE)
        return TiedSum(self.machine, self.digits, self.depth, self.budget)

    @cached_property
    def _work(self) -> float:
        return work(self.machine, self.depth)

    @cached_property
    def _brackets(self) -> Brackets:
        return Brackets(self.machine, self.depth, self.budget)
