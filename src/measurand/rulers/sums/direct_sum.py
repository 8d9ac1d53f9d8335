r"""Exact positions on measures whose values are sums of independent blocks.

Every sum of a block is a whole number of tiny units, rounded once, and the rounding errors are known. A value is
therefore known to lie in a short window around its rounded sum. What is below the window is below the value; if the
window holds no other value, the rank is exact, and otherwise the few values in it are taken apart and compared
exactly.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from math import inf, prod

import numpy as np
from attrs import define, field

from measurand.arrays import Cells, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, ahead, silent
from measurand.rulers.position import NONE, SCHANUEL, Position
from measurand.rulers.ruler import Budget, Ruler
from measurand.rulers.sums.blocks import Block, Blocks
from measurand.rulers.sums.fixed_point import FixedPoint
from measurand.rulers.sums.halves import Half, Halves
from measurand.rulers.sums.meeting import SHOWN, Meeting, meet
from measurand.rulers.sums.resolving import below, choices, every_choice
from measurand.rulers.sums.splits import Split, cheapest

Choice = tuple[int, ...]
"""A place in every block."""


@define(eq=False)
class DirectSum(Ruler):
    """A measure whose values are the sums of one number from each of some independent blocks, all different.

    Parameters
    ----------
    blocks
        The blocks.
    budget
        What making tables, or placing some runs, may cost.
    assumption
        What the independence of irrational blocks rests on.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from measurand.exact import inverse_log
    >>> weights = [Fraction(1), Fraction(1), *(inverse_log(rank, 2) for rank in range(3, 31))]
    >>> ruler = DirectSum(Blocks.of(weights, [0, 1]))
    >>> ruler.size, ruler.positions(np.array([[1] * 5 + [0] * 25]))[0].rank
    (805306368, 91285231)
    """

    blocks: Blocks
    budget: Budget = field(factory=Budget)
    assumption: str = SCHANUEL
    depth: int = field(init=False)
    grades: int = field(init=False)
    _held: tuple[Split, list[Halves]] | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.depth = sum(len(block.ranks) for block in self.blocks.blocks)
        self.grades = len(self.blocks.gains)
        if not self.blocks.irrational:
            self.assumption = NONE

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.blocks.size

    def seconds(self, runs: int) -> float:
        """Return about how long it takes to place so many runs, with the making of tables; infinity if too much."""
        split = self._split(runs, counted=False)
        return split.seconds if split else inf

    def different(self, runs: Cells) -> int:
        """Return how many different values some runs have."""
        return len(self._different(runs)[0]) if len(runs) else 0

    def fits(self, runs: int = 1) -> bool:
        """Say whether so many runs can be placed within the budget."""
        return self.seconds(runs) <= self.budget.seconds

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands."""
        placed, which = self._placed(runs, counted=False, progress=progress)
        size, assumption = self.size, self.assumption
        positions = [
            Position.at(low + 1, size, assumption)
            if low == high
            else Position.between(low + 1, high + 1, size, assumption)
            for low, high, _ in placed
        ]
        return [positions[window] for window in which]

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        placed, which = self._placed(runs, counted=True, progress=silent)
        if any(low != high for low, high, _ in placed):
            raise NotAvailable("some values are too close to others to be told apart; use ties='unq', or fewer ranks")
        return [(placed[window][0], placed[window][2]) for window in which]

    def _placed(
        self, runs: Cells, *, counted: bool, progress: Progress
    ) -> tuple[list[tuple[int, int, int]], list[int]]:
        """Return bounds of how much is below, and how much ties with, each of the different values of some runs.

        What is counted are values, or runs if `counted`; and which of the values each run has.
        """
        if not len(runs):
            return [], []
        places, which = self._different(runs)
        split, halves = self._halves(len(places), counted=counted)
        found = meet(halves, *self._fixed.windows(places), progress)
        if not counted and (found.inside == 1).all():
            return [(low, low, 1) for low in found.below], which.tolist()
        nearby = self._nearby(found, split)
        placed = []
        for window, choice in enumerate(map(tuple, places.tolist())):
            low = high = found.below[window]
            if found.inside[window] > SHOWN:
                high += self.size if counted else int(found.inside[window]) - 1
            else:
                others = (other for other in nearby.get(window, ()) if other != choice)
                smaller = [other for other in others if below(self.blocks.blocks, other, choice)]
                low = high = low + sum(self._times(other) if counted else 1 for other in smaller)
            placed.append((low, high, self._times(choice) if counted else 1))
        return placed, which.tolist()

    def _different(self, runs: Cells) -> tuple[IntArray, IntArray]:
        """Return the different choices that some runs make, and which each run makes."""
        grid = np.column_stack([block.places_of(runs, self.blocks.gains) for block in self.blocks.blocks])
        # sizes multiply to less than 2**60 where anything can be placed at all
        steps = [prod(block.size for block in self.blocks.blocks[place + 1 :]) for place in range(grid.shape[1])]
        keys = grid @ np.array([step % (1 << 63) for step in steps], dtype=np.int64)
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        return grid[first], which.reshape(-1)

    def _split(self, runs: int, *, counted: bool) -> Split | None:
        sizes = [block.size for block in self.blocks.blocks]
        held = self._held[0] if self._held else None
        return cheapest(sizes, runs, self.budget.memory, counted=counted, held=held)

    def _halves(self, runs: int, *, counted: bool) -> tuple[Split, list[Halves]]:
        """Return tables with which so many different runs can be placed, made now if need be."""
        split = self._split(runs, counted=counted)
        if split is None or split.seconds > self.budget.seconds:
            cost = f"about {split.seconds:.0f} seconds" if split else "more memory or time than there is"
            raise NotAvailable(
                f"placing {runs} runs exactly among {self.size} values takes {cost};"
                " allow more (max_seconds), or use fewer ranks"
            )
        held = self._held
        if held is None or held[0] != split:
            held = self._held = None  # lets go of the old tables before the new ones are made
            held = self._held = split, self._made(split)
        return held

    def _made(self, split: Split) -> list[Halves]:
        parts = self._fixed.parts
        sides = [slice(split.outer, split.inner), slice(split.inner, None)]
        if split.counted:
            pairs = list(zip(parts, self._counts, strict=True))
            tops, tails = (Half.counted(pairs[side]) for side in sides)
        else:
            tops, tails = ahead(lambda side: Half.of(parts[side]), sides)
        halves = []
        for choice in every_choice([len(part) for part in parts[: split.outer]]):
            shift = sum(int(part[place]) for part, place in zip(parts, choice, strict=False))
            halves.append(Halves(tops, tails, shift, self._times(choice) if split.counted else 1))
        return halves

    def _nearby(self, found: Meeting, split: Split) -> dict[int, set[Choice]]:
        """Return the choices inside windows that hold several, by window."""
        parts = self._fixed.parts
        crowded = found.pairs[(found.inside[found.pairs[:, 0]] > 1) & (found.inside[found.pairs[:, 0]] <= SHOWN)]
        shifts = list(every_choice([len(part) for part in parts[: split.outer]])) if len(crowded) else []
        tops, tails = (
            {value: choices(value, parts[side]) for value in set(column.tolist())}
            for side, column in (
                (slice(split.outer, split.inner), crowded[:, 2]),
                (slice(split.inner, None), crowded[:, 3]),
            )
        )
        nearby: dict[int, set[Choice]] = {}
        for window, which, top, tail in crowded.tolist():
            ways = nearby.setdefault(window, set())
            ways.update((*shifts[which], *one, *other) for one in tops[top] for other in tails[tail])
        return nearby

    @cached_property
    def _fixed(self) -> FixedPoint:
        return FixedPoint.of(self.blocks)

    @cached_property
    def _counts(self) -> list[IntArray]:
        """How many choices of grades make each sum of each block."""
        return [_runs_by_sum(block, self.blocks.gains.tolist()) for block in self.blocks.blocks]

    def _times(self, choice: Choice) -> int:
        """Return how many runs make a choice, or the beginning of one."""
        return prod(int(counts[place]) for counts, place in zip(self._counts, choice, strict=False))


def _runs_by_sum(block: Block, gains: list[int]) -> IntArray:
    """Return how many choices of grades at the ranks of a block make each of its sums."""
    if len(gains) ** len(block.ranks) >= 1 << 62:
        raise NotAvailable("so many runs share a value that they cannot be counted; use ties='unq', or fewer ranks")
    counts = Counter({0: 1})
    for multiple in block.multiples:
        grown: Counter[int] = Counter()
        for units, count in counts.items():
            for gain in gains:
                grown[units + multiple * gain] += count
        counts = grown
    return np.array([counts[units] for units in block.sums], dtype=np.int64)
