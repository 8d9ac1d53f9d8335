"""Certified bounds of ranks among values that are far too many for tables.

At depth 1000 a measure such as DCG has more values than there are atoms, and no run can be ranked exactly. But bounds
of its rank can be proved. A value's rank is the number of choices, one sum from each independent block, that stay at
or below it. Up to the mean, choices are counted upwards from the smallest value; above it downwards from the largest,
and the rank is the size less their number, plus 1 for the value itself. On either side the first hundred thousand
values have exact ranks, the far tail is counted on a grid (`measurand.intervals.knapsack`, after [Bellman1957]_), and
all the rest is smoothed (`measurand.intervals.tilting`, `measurand.intervals.vaaler`, after [Chernoff1952]_ and
[Vaaler1985]_). Where two methods reach a value, both bounds hold and the closer ones are kept. They are about 1 part
in 5000 of the rank apart; a plan (`Plan`) makes grid and polynomials coarser until they fit the budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import ceil, exp, floor, fsum, log

import numpy as np
from attrs import define, evolve, field, frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.errors import NotAvailable
from measurand.execution import Progress, ahead, silent
from measurand.intervals import knapsack, vaaler
from measurand.intervals.independent_blocks import Blocks
from measurand.intervals.knapsack import MANY, counted, places, smallest
from measurand.intervals.ruler import NONE, SCHANUEL, Budget, Position, Ruler
from measurand.intervals.tilting import ROOM, Choices, Tilt, fixed_choices, tilt_at
from measurand.intervals.vaaler import Smoothed, Window

TARGET = 2e-4
"""The width, relative to the rank, that is aimed at."""

_ENOUGH = 14.0  # decay from which on smoothing alone is as good as the target
_TOO_LITTLE = 13.0  # decay up to which smoothing is not worth its time
_STEP = 1.0  # deviations that the values of one tilt may spread over
_CIRCLE = 5.2  # circles are about 13 deviations long; this is 13 over the square root of 2 pi
_CELLS = 1 << 16, 1 << 20, 1 << 22  # the least when time is short, the least otherwise, the most
_WORK = 7e9  # cells and passes of a grid, unless a coarser one will do
_DEGREE = 1 << 16, 1 << 20, 1 << 23  # the same


Ranks = list[tuple[int, int]]
"""Bounds of ranks, both included."""

_MANTISSA = 52  # bits of a bound that are more than noise


@frozen(eq=False)
class Node:
    """A tilt for some values that follow each other.

    Parameters
    ----------
    first, last
        Which values: from the first to before the last.
    degree
        The degree of the polynomial.
    """

    tilt: Tilt
    first: int
    last: int
    degree: int

    @property
    def seconds(self) -> float:
        """About how long it takes on one core."""
        decays = np.cumsum(np.sort(self.tilt.decays)[::-1])
        blocks = int(np.searchsorted(decays, -1.3 * log(vaaler.NEGLIGIBLE))) + 8
        pairs = 1 if len(self.tilt.shares) < 4 * len(decays) else 2
        return self.degree * min(blocks, len(decays)) * pairs / vaaler.RATE


@frozen(eq=False)
class Plan:
    """How the values of one side are bounded.

    Parameters
    ----------
    grid
        How many values, from the smallest on, are counted on the grid.
    cells
        How many cells the grid has.
    passes
        What each cell costs.
    nodes
        The tilts for the other values, and for some of the same.
    """

    grid: int
    cells: int
    passes: int
    nodes: tuple[Node, ...]

    @property
    def seconds(self) -> float:
        """About how long it takes on two cores."""
        return self.cells * self.passes / knapsack.RATE + sum(node.seconds for node in self.nodes) / 2

    def coarser(self, factor: float) -> Plan:
        """Return a plan that takes a part of the time, as far as that goes."""
        nodes = (evolve(node, degree=max(int(node.degree * factor), _DEGREE[0])) for node in self.nodes)
        return evolve(self, cells=max(int(self.cells * factor), _CELLS[0]), nodes=tuple(nodes))


def planned(choices: Choices, values: FloatArray, memory: int) -> Plan:
    """Return how to bound some values, in ascending order and not above the mean."""
    until, since = (_at_decay(choices, decay).mean for decay in (_ENOUGH, _TOO_LITTLE))
    plain = choices.tilted(0.0)
    if plain.decays.sum() < _ENOUGH:
        until = np.inf
    grid = int(np.searchsorted(values, until, side="right"))
    cells, passes = 0, 0
    if grid:
        largest = float(values[grid - 1])
        tilt = tilt_at(choices, min(largest, plain.mean))
        some = float(np.sum(1 - tilt.shares[choices.starts[:-1]]))
        passes = knapsack.passes(choices, largest)
        wanted = np.clip((1 + tilt.rate * largest) * some / TARGET, _CELLS[1], _CELLS[2])
        cells = max(int(min(wanted, _WORK / passes, memory // 32)), _CELLS[0])
    first = int(np.searchsorted(values, since)) if plain.decays.sum() > _TOO_LITTLE else len(values)
    return Plan(grid, cells, passes, tuple(tilts(choices, values, first)))


def tilts(choices: Choices, values: FloatArray, first: int = 0) -> list[Node]:
    """Return tilts for values in ascending order, from one on; none of them is above the mean."""
    nodes = []
    plain = choices.tilted(0.0)
    while first < len(values):
        near = tilt_at(choices, min(float(values[first]), plain.mean))
        last = int(np.searchsorted(values, values[first] + _STEP * near.deviation, side="right"))
        tilt = tilt_at(choices, min(float(values[first] + values[last - 1]) / 2, plain.mean))
        steepness = 2 + 2.5 * tilt.rate * tilt.deviation
        useful = 8 * exp(min(float(tilt.decays.sum()), 40.0))
        degree = int(min(useful, np.clip(2 * _CIRCLE * steepness / TARGET, _DEGREE[1], _DEGREE[2])))
        nodes.append(Node(tilt, first, last, degree))
        first = last
    return nodes


def _at_decay(choices: Choices, decay: float) -> Tilt:
    """Return the tilt at which the characteristic function decays about so much."""
    low, high = 0.0, 1.0 / max(choices.tilted(0.0).deviation, 1e-300)
    while choices.tilted(high).decays.sum() > decay:
        high *= 2
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if choices.tilted(middle).decays.sum() > decay else (low, middle)
    return choices.tilted(low)


def affordable(plans: Sequence[Plan], budget: Budget, values: int) -> list[Plan]:
    """Return plans for so many values made coarser until they fit into the budget, or say that they cannot."""
    seconds = 0.0
    for _ in range(8):
        seconds = sum(plan.seconds for plan in plans)
        if seconds <= budget.seconds:
            return list(plans)
        plans = [plan.coarser(0.9 * budget.seconds / seconds) for plan in plans]
    raise NotAvailable(
        f"bounds of the ranks of {values} values take about {ceil(seconds)} seconds at the least,"
        f" and {budget.seconds:g} may be spent; say max_seconds={ceil(seconds)}, or use fewer ranks"
    )


@frozen(eq=False)
class Logs:
    """Bounds of the logarithms of ranks of ascending values, made narrower by one method after the other."""

    low: FloatArray
    high: FloatArray

    def meet(self, part: slice, bounds: tuple[FloatArray, FloatArray]) -> None:
        """Keep the better bounds of some values."""
        self.low[part] = np.maximum(self.low[part], bounds[0])
        self.high[part] = np.minimum(self.high[part], bounds[1])

    def ordered(self) -> tuple[FloatArray, FloatArray]:
        """Return the bounds, knowing that the rank of a value is no smaller than that of a smaller one."""
        return np.maximum.accumulate(self.low), np.minimum.accumulate(self.high[::-1])[::-1]

    def whole(self) -> Ranks:
        """Return whole bounds."""
        return [(_exp(low, up=True), _exp(high, up=False)) for low, high in zip(*self.ordered(), strict=True)]


@define(eq=False)
class Side:
    """Different values in ascending order, not above the mean.

    Parameters
    ----------
    choices
        The choices of which they are sums.
    values
        The sums in fixed point.
    memory
        How many bytes a table may take.
    written
        How many of the smallest sums are written down.

    Examples
    --------
    >>> side = Side(Choices((np.array([0, 400, 800]), np.array([0, 600])), 512), np.array([400, 600]), 1 << 20)
    >>> side.known, side.plan.seconds
    ([(2, 2), (3, 3)], 0.0)
    """

    choices: Choices
    values: IntArray
    memory: int
    written: int = MANY
    known: Ranks = field(init=False)
    plan: Plan = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.known, self.plan = [], Plan(0, 0, 0, ())
        if not len(self.values):
            return
        sums, limit = smallest(self.choices, self.written)
        complete = limit == self.choices.top
        few = int(np.searchsorted(self.values, self.choices.top if complete else limit - self.choices.doubt, "right"))
        low, high = places(sums, self.values[:few], self.choices.doubt)
        self.known = list(zip(low.tolist(), high.tolist(), strict=True))
        self.plan = planned(self.choices, self._others, self.memory)

    @property
    def _others(self) -> FloatArray:
        """The values that are not known exactly."""
        return self.values[len(self.known) :] / float(self.choices.scale)

    def ranks(self, progress: Progress) -> Ranks:
        """Return bounds of the rank of each value."""
        others = self._others
        if not len(others):
            return self.known
        whole = fsum(np.log(np.diff(self.choices.starts)).tolist())
        logs = Logs(np.zeros(len(others)), np.full(len(others), whole + 1e-9))
        if self.plan.grid:
            grid = slice(0, self.plan.grid)
            logs.meet(grid, counted(self.choices, others[grid], self.plan.cells, progress))
        found = ahead(self._smoothed, self.plan.nodes)
        for part, bounds in progress(found, len(self.plan.nodes), "smoothing"):
            logs.meet(part, bounds)
        return self.known + logs.whole()

    def _smoothed(self, node: Node) -> tuple[slice, tuple[FloatArray, FloatArray]]:
        return smoothed(node, self._others)


def smoothed(node: Node, values: FloatArray) -> tuple[slice, tuple[FloatArray, FloatArray]]:
    """Return which values belong to a node, and bounds of the logarithms of their ranks."""
    part = slice(node.first, node.last)
    window = Window.of(node.tilt, float(values[node.first]), float(values[node.last - 1]), 1 / (16 * node.degree))
    return part, Smoothed.of(window, node.degree).counted(values[part])


def _exp(number: float, *, up: bool) -> int:
    """Return the whole number next to an exponential, from above or from below.

    The logarithms carry room for the rounding here: that of a quotient below 2**12, which is 2**-41.

    Examples
    --------
    >>> _exp(log(10) + 1e-9, up=True), _exp(log(10) + 1e-9, up=False)
    (11, 10)
    """
    bits = number / log(2)
    shift = floor(bits) - _MANTISSA
    mantissa: float = 2.0 ** (bits - shift)
    if shift >= 0:
        return (ceil(mantissa) if up else floor(mantissa)) << shift
    return ceil(mantissa * 2.0**shift) if up else floor(mantissa * 2.0**shift)


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
