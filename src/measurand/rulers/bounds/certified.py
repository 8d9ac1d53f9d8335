r"""Certain bounds of ranks among values that are far too many to write down.

A value's rank is the number of choices, one sum from each block, that stay at or below it. Up to the mean, choices
are counted upwards from the smallest value; above it downwards from the largest, and the rank is the size less
their number, plus 1 for the value itself. On either side the first hundred thousand values are written down, the far
tail is counted on a grid, and all the rest is smoothed.
"""

from __future__ import annotations

from functools import cached_property
from math import ceil

import numpy as np
from attrs import define, field

from measurand.arrays import Cells, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, silent
from measurand.rulers.bounds.handover import affordable
from measurand.rulers.bounds.sides import Ranks, Side
from measurand.rulers.bounds.tilting import ROOM, Choices, fixed_choices
from measurand.rulers.position import NONE, SCHANUEL, Position
from measurand.rulers.ruler import Budget, Ruler
from measurand.rulers.sums.blocks import Blocks


@define(eq=False)
class CertifiedSum(Ruler):
    """The values of an additive measure at any depth; runs are placed between certain bounds.

    The smallest and the largest hundred thousand values or so have exact ranks.

    Parameters
    ----------
    blocks
        The blocks of the measure.
    budget
        What placing some runs may cost.
    assumption
        What the independence of irrational blocks rests on.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from measurand.exact import inverse_log
    >>> weights = [Fraction(1), Fraction(1), *(inverse_log(rank, 2) for rank in range(3, 101))]
    >>> ruler = CertifiedSum(Blocks.of(weights, [0, 1]))
    >>> nothing, last, all_but_last = [0] * 100, [0] * 99 + [1], [1] * 99 + [0]
    >>> ranks = [position.rank for position in ruler.positions(np.array([nothing, last, all_but_last]))]
    >>> ranks == [1, 2, ruler.size - 1]
    True
    """

    blocks: Blocks
    budget: Budget = field(factory=Budget)
    assumption: str = SCHANUEL
    depth: int = field(init=False)
    grades: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.depth = sum(len(block.ranks) for block in self.blocks.blocks)
        self.grades = len(self.blocks.gains)
        if not self.blocks.irrational:
            self.assumption = NONE

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.blocks.size

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands."""
        if not len(runs):
            return []
        if len(self.blocks.blocks) == 1:
            (block,) = self.blocks.blocks
            places = block.places_of(runs, self.blocks.gains).tolist()
            return [Position.at(place + 1, self.size, self.assumption) for place in places]
        values, which = np.unique(self._values(runs), return_inverse=True)
        found = [Position.between(low, high, self.size, self.assumption) for low, high in self._ranks(values, progress)]
        return [found[value] for value in which.tolist()]

    def _ranks(self, values: IntArray, progress: Progress) -> Ranks:
        """Return bounds of the ranks of different values in ascending order."""
        choices = self._choices
        middle = int(choices.tilted(0.0).mean * choices.scale)
        half = int(np.searchsorted(values, middle, side="right"))
        rising = Side(choices, values[:half], self.budget.memory)
        falling = Side(choices.mirrored, (choices.top - values[half:])[::-1], self.budget.memory)
        rising.plan, falling.plan = affordable([rising.plan, falling.plan], self.budget, len(values))
        ranks, others = rising.ranks(progress), falling.ranks(progress)
        return ranks + [(self.size - high + 1, self.size - low + 1) for low, high in reversed(others)]

    @cached_property
    def _choices(self) -> Choices:
        room = ROOM - max(ceil(sum(float(block.floats[-1]) for block in self.blocks.blocks)), 1).bit_length()
        if room < 0:
            raise NotAvailable("the gains are too large; give smaller ones in the same proportions")
        scale = 1 << room
        return fixed_choices([block.fixed(scale) for block in self.blocks.blocks], scale)

    def _values(self, runs: Cells) -> IntArray:
        """Return the values of runs in fixed point, counted from the smallest."""
        values = np.zeros(len(runs), dtype=np.int64)
        for block, numbers in zip(self.blocks.blocks, self._choices.fixed, strict=True):
            values += numbers[block.places_of(runs, self.blocks.gains)]
        return values
