"""Runs looked at one by one: all different arrangements where they are few, random ones where they are many."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from attrs import frozen

from measurand.errors import NotAvailable
from measurand.exact import Exact
from measurand.judged import JudgedRuns, Pool
from measurand.measures.ties.arrangements import Arrangements
from measurand.measures.ties.spread import Spread, Tieable

LIMIT = 2000
"""So many different arrangements of a run are looked at one by one …"""

ORDERS = 1000
"""… and if there are more, so many random ones."""

ROOM = 100_000_000
"""Very long runs have so many cells in all their random orders, and fewer orders."""

FEWEST = 30
"""So many random orders are looked at in any case."""

SEED = 1988
"""One for every run, so that results repeat and no run depends on another."""


@frozen(eq=False)
class Looked:
    """What a look at one run gave.

    Parameters
    ----------
    error
        The standard error of the mean; 0 if all arrangements were looked at.
    sampled
        Whether only some were.
    """

    expected: float
    low: float
    high: float
    error: float
    sampled: bool


def random_orders(ranks: int) -> int:
    """Return how many random orders of a run with so many ranks are looked at.

    Examples
    --------
    >>> random_orders(1000), random_orders(1_000_000)
    (1000, 100)
    """
    return max(FEWEST, min(ORDERS, ROOM // max(1, ranks)))


def look(measure: Tieable, arrangements: Arrangements, pool: Pool) -> Looked:
    """Return mean and extremes over the arrangements of a run, all of them or random ones."""
    sampled = arrangements.number(LIMIT) > LIMIT
    if sampled:
        orders = random_orders(len(arrangements.run))
        rows = arrangements.drawn(orders, SEED)
        chances = np.full(orders, 1 / orders)
    else:
        rows, chances = arrangements.probabilities()
    values = measure.floats(JudgedRuns.on_one_topic(rows, pool.grade_counts))[:, 0]
    low, high = float(values.min()), float(values.max())
    expected = min(max(float(chances @ values), low), high)
    error = float(values.std(ddof=1)) / sqrt(len(values)) if sampled else 0.0
    return Looked(expected, low, high, error, sampled)


def look_exactly(measure: Tieable, arrangements: Arrangements, pool: Pool) -> Spread | None:
    """Return the same exactly, from all different arrangements; None if they are too many, or have no exact value."""
    if arrangements.number(LIMIT) > LIMIT:
        return None
    rows, ways, total = arrangements.all()
    runs = [measure.view(tuple(row)) for row in rows.tolist()]
    unit = measure.unit(pool, len(runs[0]))
    try:
        levels: list[Any] = [measure.level(run, pool) for run in runs]
    except NotAvailable:
        return None
    mean: Any = Fraction(0)
    for level, number in zip(levels, ways, strict=True):
        mean = mean + level * Fraction(number, total)
    return Spread(_in(unit, mean), _in(unit, min(levels)), _in(unit, max(levels)))


def _in(unit: Any, level: Any) -> Exact:
    value: Exact = level if unit == 1 else level / unit
    return value
