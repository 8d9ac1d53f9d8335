"""Floats that are equal where exact values are: where two are too close to call, the exact values decide.

`plain_values` gives the floats of a measure on judged runs; `exact_values` keeps the exact values behind them, for
tests that compare differences of scores.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import TYPE_CHECKING, Protocol

import numpy as np

from measurand.arrays import BoolArray, FloatArray
from measurand.judged import JudgedRuns, Pool
from measurand.scores import ExactValues

if TYPE_CHECKING:
    from measurand.exact import Exact

NEAR = 1e-12
"""Floats closer than this, relative to the larger, may come from equal exact values …"""

TINY = 1e-14
"""… and floats closer than this in any case."""


def near(one: FloatArray, other: FloatArray) -> BoolArray:
    """Return where two floats are so close that they may come from equal exact values.

    Examples
    --------
    >>> near(np.array([0.5, 1.0]), np.array([0.5 + 1e-13, 1.1])).tolist()
    [True, False]
    """
    # near 0 the parts of a sum may have cancelled
    return np.asarray(np.abs(one - other) <= np.maximum(NEAR * np.maximum(np.abs(one), np.abs(other)), TINY))


def settled(values: FloatArray, exact: Callable[[int], Exact | None], *, fixed: BoolArray | None = None) -> FloatArray:
    """Return scores, systems × topics, in which those that are too close to call come from exact values.

    Scores of different topics are compared as well, whether or not these share a scale: tests such as the rank sum do.

    Parameters
    ----------
    exact
        The exact value of a run, counting system by system and topic by topic; None if nobody knows it, and then
        the score is left as it is.
    fixed
        Scores that are settled already; those of the same exact value become equal to them.
    """
    scores = values.reshape(-1).copy()
    order = np.sort(scores)
    close = (np.diff(order) > 0) & near(order[:-1], order[1:])
    if not close.any():
        return values
    settled_before = np.zeros(scores.shape, dtype=bool) if fixed is None else fixed.reshape(-1)
    pairs = np.stack([order[:-1], order[1:]])[:, close]
    # two scores that are both settled need no further look
    unsure = np.unique(pairs[:, np.isin(pairs, scores[~settled_before]).any(axis=0)])
    _settle(scores, np.isin(scores, unsure), settled_before, exact)
    return scores.reshape(values.shape)


def _settle(scores: FloatArray, unsure: BoolArray, fixed: BoolArray, exact: Callable[[int], Exact | None]) -> None:
    """Settle the scores that are unsure, those that are fixed setting the example."""
    known: dict[Exact, float] = {}
    for place in [*np.flatnonzero(unsure & fixed).tolist(), *np.flatnonzero(unsure & ~fixed).tolist()]:
        value = exact(place)
        if value is None:
            continue
        if fixed[place]:
            known.setdefault(value, float(scores[place]))
        else:
            scores[place] = known.get(value, float(value)) if known else float(value)


COMPARABLE = ("rational", "sums of inverse logarithms", "sums of logarithms", "sums of powers of 2")
"""Values of these kinds have exact differences; quotients of logarithms and functions of users have none."""

AT_HAND = 1 << 20
"""The exact values of runs with so many ranks in all can be had while somebody waits."""


class ExactlyValued(Protocol):
    """A measure, as far as its exact values and its floats are concerned."""

    @property
    def judged_only(self) -> bool:
        """Whether it removes documents without judgment itself."""

    @property
    def exactness(self) -> str:
        """The kind of exact numbers that its values are."""

    @property
    def removes_unjudged(self) -> bool:
        """Whether documents without judgment are removed before anything else, also by a measure inside."""

    def reach(self, depth: int) -> int:
        """Return the last rank that it looks at in runs of a depth."""

    def view(self, run: tuple[int, ...]) -> tuple[int, ...]:
        """Return the part of a run that it looks at."""

    def exact(self, run: tuple[int, ...], pool: Pool) -> Exact:
        """Return the exact value of a part of a run."""

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs, flat."""


def floats(measure: ExactlyValued, judged: JudgedRuns) -> FloatArray:
    """Return the values of all runs, systems × topics, straight from the vectorised path.

    Parameters
    ----------
    measure
        The measure.
    judged
        The judged runs, each taken in the order in which it stands.
    """
    if judged.is_ragged and not measure.removes_unjudged:
        judged = judged.down_to(measure.reach(judged.depth))
    values = measure.fast(judged.condensed if measure.judged_only else judged)
    return values.reshape(len(judged.systems), len(judged.topics))


@singledispatch
def plain_values(measure: ExactlyValued, judged: JudgedRuns) -> FloatArray:
    """Return the values of all runs, systems × topics, equal where the exact values are.

    Parameters
    ----------
    measure
        The measure.
    judged
        The judged runs, each taken in the order in which it stands.
    """
    return settled_values(measure, judged, floats(measure, judged))


def settled_values(measure: ExactlyValued, judged: JudgedRuns, values: FloatArray) -> FloatArray:
    """Return what the vectorised path gave for all runs, equal where the exact values are.

    Parameters
    ----------
    measure, judged
        The measure, and the judged runs.
    values
        The values, systems × topics, from `floats` of the same, or of parts of them.
    """
    known: dict[tuple[bytes, Pool], Exact] = {}

    def exact(row: int) -> Exact:
        system, topic = divmod(row, len(judged.topics))
        pool = judged.pools[topic]
        case = judged.kept_row(system, topic).tobytes(), pool
        if case not in known:
            known[case] = measure.exact(measure.view(judged.row(system, topic)), pool)
        return known[case]

    return settled(values, exact)


def exact_values(measure: ExactlyValued, judged: JudgedRuns, floats: FloatArray) -> ExactValues | None:
    """Return the exact values of scores, computed at first use; None where there are none, or too many.

    Parameters
    ----------
    measure
        The measure that gave the scores.
    judged
        The judged runs, as they stand.
    floats
        The scores, systems × topics.

    Examples
    --------
    >>> import numpy as np
    >>> from measurand.measures import P
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 1), (0, 0, 1)], (5, 3))
    >>> floats = np.array([[2 / 3], [1 / 3]])
    >>> exact_values(P(cutoff=3), judged, floats).units_of(floats).sizes.tolist()
    [[2], [1]]
    """
    if measure.exactness not in COMPARABLE or floats.size * measure.reach(judged.depth) > AT_HAND:
        return None

    def exactly() -> list[Exact]:
        runs = map(tuple, judged.cells.reshape(-1, judged.depth).tolist())
        pools = list(judged.pools) * len(judged.systems)
        seen = [(measure.view(run), pool) for run, pool in zip(runs, pools, strict=True)]
        known = {pair: measure.exact(*pair) for pair in dict.fromkeys(seen)}
        return [known[pair] for pair in seen]

    return ExactValues(floats, exactly)
