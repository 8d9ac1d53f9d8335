"""Ranks of values on one side of the mean, counted from the nearer end; three methods, and all their bounds hold."""

from __future__ import annotations

from math import ceil, floor, fsum, log

import numpy as np
from attrs import define, field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.execution import Progress, ahead
from measurand.rulers.bounds.extremes import MANY, places, smallest
from measurand.rulers.bounds.handover import Node, Plan, planned
from measurand.rulers.bounds.knapsack import counted
from measurand.rulers.bounds.tilting import Choices
from measurand.rulers.bounds.vaaler import Smoothed, Window

Ranks = list[tuple[int, int]]
"""Bounds of ranks, both included."""

_MANTISSA = 52  # bits of a bound that are more than noise


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
