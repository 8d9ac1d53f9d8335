r"""Measures that discount by a constant factor: :math:`\sum_i g_i p^{i-1}` for any rational `p`, ties included.

Whether two runs can tie is decided first, once and for all depths (see `automaton`). Where the order is that of a
dictionary, or all whole numbers occur, the rank is read off the run. Otherwise tops and tails meet, or the value is
followed rank by rank, whichever is cheaper; and where both cost too much, the position is known between bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil

import numpy as np
from attrs import define, field

from measurand.arrays import Cells, IntArray
from measurand.errors import NotAvailable, ParameterError
from measurand.execution import Progress, silent
from measurand.judged.universes import distinct_runs
from measurand.rulers.bounds.certified import CertifiedSum
from measurand.rulers.closed.ordered import Complete, Lexicographic
from measurand.rulers.closed.tabulated import Tabulated
from measurand.rulers.closed.whole_sums import WholeSums
from measurand.rulers.position import NONE, Position
from measurand.rulers.ruler import Budget, Ruler
from measurand.rulers.sums.blocks import Blocks, whole_gains
from measurand.rulers.sums.direct_sum import DirectSum
from measurand.rulers.words.automaton import Automaton, automaton
from measurand.rulers.words.brackets import Brackets, work
from measurand.rulers.words.descent import exact_bounds
from measurand.rulers.words.endless import Endless
from measurand.rulers.words.tied_sum import TiedSum

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
