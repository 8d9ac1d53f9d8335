"""Which values are counted on the grid, which are smoothed, how finely, and what that takes."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp, log

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import FloatArray
from measurand.errors import NotAvailable
from measurand.rulers.bounds import knapsack, sizes
from measurand.rulers.bounds.tilting import Choices, Tilt, tilt_at
from measurand.rulers.ruler import Budget

TARGET = 2e-4
"""The width, relative to the rank, that is aimed at."""

_ENOUGH = 14.0  # decay from which on smoothing alone is as good as the target
_TOO_LITTLE = 13.0  # decay up to which smoothing is not worth its time
_STEP = 1.0  # deviations that the values of one tilt may spread over
_CIRCLE = 5.2  # circles are about 13 deviations long; this is 13 over the square root of 2 pi
_CELLS = 1 << 16, 1 << 20, 1 << 22  # the least when time is short, the least otherwise, the most
_WORK = 7e9  # cells and passes of a grid, unless a coarser one will do
_DEGREE = 1 << 16, 1 << 20, 1 << 23  # the same


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
        blocks = int(np.searchsorted(decays, -1.3 * log(sizes.NEGLIGIBLE))) + 8
        pairs = 1 if len(self.tilt.shares) < 4 * len(decays) else 2
        return self.degree * min(blocks, len(decays)) * pairs / sizes.RATE


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
