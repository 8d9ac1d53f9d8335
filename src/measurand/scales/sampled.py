"""How runs are distributed over the values of a measure, from some of them: not the ranks of the values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.exact import whole_number
from measurand.execution import Rng, generator
from measurand.judged import Pool
from measurand.measures import Measure, as_measure
from measurand.measures.universe import Universe
from measurand.measures.valued import Valuer

MISSED = 0.05
"""How often the band may miss."""


@frozen(eq=False, repr=False)
class RunShares:
    r"""What share of all runs has at most a value, estimated from runs drawn at random.

    It is no interval scale: values that many runs share weigh more than others. The band of Dvoretzky, Kiefer and
    Wolfowitz, :math:`\varepsilon = \sqrt{\ln (2/\alpha) / 2n}`, holds the shares of all values at once with a
    probability of 95 %.

    Parameters
    ----------
    values
        The values of the runs that were drawn, in ascending order.
    """

    measure: str
    values: FloatArray = field(converter=np.sort)

    def __repr__(self) -> str:
        return f"<RunShares of {self.measure}: {len(self.values)} runs drawn>"

    @property
    def margin(self) -> float:
        """How far an estimated share may be off."""
        return sqrt(log(2 / MISSED) / (2 * len(self.values)))

    def at_most(self, value: float) -> tuple[float, float, float]:
        """Return the estimated share of runs that have at most a value, with its lower and upper bound."""
        share = float(np.searchsorted(self.values, value, side="right")) / len(self.values)
        return share, max(0.0, share - self.margin), min(1.0, share + self.margin)


def run_shares(
    measure: Measure | str | Callable[..., Any], depth: int, grades: int = 2, *, runs: int = 10_000, rng: Rng = 0
) -> RunShares:
    """Return how runs are distributed over the values of any measure at any depth, from some drawn at random.

    Every run of the depth is as likely as any other. Where ranks are not available this is what can be had, and it
    answers another question: what share of runs, not of values, does not exceed a value?

    Examples
    --------
    >>> shares = run_shares("Q", depth=50, runs=2000)
    >>> share, low, high = shares.at_most(0.5)
    >>> low <= share <= high, round(shares.margin, 4)
    (True, 0.0304)
    """
    known = as_measure(measure)
    universe = Universe(known, whole_number("depth", depth), whole_number("grades", grades, 2))
    ranks = int(universe.ranks(depth))
    levels = np.array(universe.levels, dtype=np.int8)
    drawn = levels[generator(rng).integers(0, len(levels), (whole_number("runs", runs), ranks))]
    valuer = Valuer.of(known, Pool.plain(ranks, ranks, universe.levels[-1]))
    rough = valuer.roughly(drawn)
    values: Sequence[float] | FloatArray = (
        [float(valuer.value(run)) for run in map(tuple, drawn.tolist())] if rough is None else rough
    )
    return RunShares(repr(known), np.asarray(values))
