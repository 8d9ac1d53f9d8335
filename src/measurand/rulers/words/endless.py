r"""Measures that discount by a constant factor, for runs without end.

The position of a value is then the part of all endless runs that are worth no more: the limit of
:math:`(\varphi - 1)/(n - 1)` as the depth grows.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from attrs import define, field

from measurand.arrays import Cells, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, silent
from measurand.judged.universes import distinct_runs
from measurand.rulers.bounds.infinite import infinite_positions
from measurand.rulers.position import Certainty, Position
from measurand.rulers.ruler import Budget, Ruler
from measurand.rulers.words.automaton import Automaton
from measurand.rulers.words.brackets import Brackets

PATIENT = Fraction(17, 20)
"""From here on smoothing gives closer bounds than following the value rank by rank, and sooner."""


@define(eq=False)
class Endless(Ruler):
    r"""The values :math:`\sum_i g_i p^{i-1}` of all endless runs.

    A run is given by its first ranks, as many as one likes; at the others it has grade 0.

    Parameters
    ----------
    machine
        What accepts one word of digits for each value.
    digits
        The digit of each grade: the place of its gain among the different gains.
    depth
        0: there is no last rank.

    Examples
    --------
    >>> from measurand.rulers.words.automaton import automaton
    >>> ruler = Endless.of(automaton(Fraction(1, 3), [0, 1]), np.array([0, 1]))
    >>> ruler.positions(np.array([[1, 0, 1]]))[0].low
    Fraction(5, 8)
    """

    machine: Automaton
    digits: IntArray
    budget: Budget = field(factory=Budget)
    depth: int = field(default=0, init=False)
    grades: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.grades = len(self.digits)

    @classmethod
    def of(cls, machine: Automaton, digits: IntArray, budget: Budget = Budget()) -> Endless:  # noqa: B008 - frozen
        """Return the ruler, if there is one."""
        if digits[0]:
            raise NotAvailable("the rest of a run without end has grade 0, which must have the lowest gain")
        if not machine.free and not _uniform(machine):
            raise NotAvailable(
                f"runs without end tie in too many ways at p = {machine.p} with gains {machine.gains};"
                " use a finite depth"
            )
        return cls(machine, digits, budget)

    @property
    def size(self) -> int:
        """There are more values than can be counted."""
        raise NotAvailable("runs without end have more values than can be counted; use a finite depth")

    @property
    def consecutive(self) -> bool:
        """Whether the values are known to be equally spaced: every number up to the highest is one."""
        return _uniform(self.machine)

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands."""
        words, which = distinct_runs(self.digits[np.asarray(runs)].astype(np.int8))
        if self.machine.free and self.machine.p > PATIENT and not _spelt(self.machine):
            gains = [Fraction(gain) for gain in self.machine.gains]
            placed = infinite_positions(self.machine.p, gains, words, self.budget, progress)
            return [placed[row] for row in which.tolist()]
        placed = [self._position(word) for word in progress(words.tolist(), len(words), "bounding positions")]
        return [placed[row] for row in which.tolist()]

    def _position(self, word: list[int]) -> Position:
        if _uniform(self.machine):
            value = Fraction(self.machine.key(word), self.machine.p.denominator ** max(len(word) - 1, 0))
            low = high = value * (1 - self.machine.p) / self.machine.gains[-1]
        elif _spelt(self.machine):
            base = len(self.machine.gains)
            low = high = Fraction(_number(word, base), base ** len(word))
        else:
            low, high = self._brackets.of(word)
        how = Certainty.EXACT if low == high else Certainty.CERTIFIED
        return Position(low=low, high=high, how=how)

    @cached_property
    def _brackets(self) -> Brackets:
        return Brackets(self.machine, None, self.budget)


def _uniform(machine: Automaton) -> bool:
    """Say whether all numbers up to the highest are values, of which equal stretches hold equally many."""
    most = machine.gains[-1]
    return machine.p.numerator == 1 and len(machine.gains) == most + 1 and most >= machine.p.denominator - 1


def _spelt(machine: Automaton) -> bool:
    """Say whether the first rank at which two runs differ decides: its least step outweighs all that may follow."""
    least = min((high - low for low, high in pairwise(machine.gains)), default=1)
    return least * (1 - machine.p) >= machine.gains[-1] * machine.p


def _number(word: list[int], base: int) -> int:
    number = 0
    for digit in word:
        number = number * base + digit
    return number
