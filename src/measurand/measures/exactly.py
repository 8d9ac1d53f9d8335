"""The exact values behind scores, for whoever compares their differences."""

from __future__ import annotations

from typing import Protocol

from measurand.arrays import FloatArray
from measurand.exact import Exact
from measurand.judged import JudgedRuns, Pool
from measurand.scores import ExactValues

COMPARABLE = ("rational", "sums of inverse logarithms", "sums of logarithms")
"""Values of these kinds have exact differences; quotients of logarithms and functions of users have none."""

AT_HAND = 1 << 20
"""The exact values of runs with so many ranks in all can be had while somebody waits."""


class Exactly(Protocol):
    """What a measure says of its exact values."""

    @property
    def exactness(self) -> str:
        """What kind of numbers they are."""

    def reach(self, depth: int) -> int:
        """Return down to which rank it looks at most, in runs of a depth."""

    def view(self, run: tuple[int, ...]) -> tuple[int, ...]:
        """Return the part of a run that it looks at."""

    def exact(self, run: tuple[int, ...], pool: Pool) -> Exact:
        """Return the exact value of a part of a run."""


def exact_values(measure: Exactly, judged: JudgedRuns, floats: FloatArray) -> ExactValues | None:
    """Return the exact values of scores, computed when they are asked for; None where there are none, or too many.

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
