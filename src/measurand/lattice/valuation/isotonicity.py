"""Isotonicity: whether better runs in an order never have worse values under a measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import Any

import numpy as np

from measurand.errors import FunctionFailed
from measurand.execution import Rng
from measurand.lattice.algebra.base import Algebra, Run
from measurand.lattice.theorems import has_gaps
from measurand.lattice.valuation.additivity import Additivity
from measurand.lattice.valuation.families import argument
from measurand.lattice.valuation.seen_runs import CELLS, SLOW_CELLS, SeenRuns
from measurand.lattice.valuation.steps import STEP_CELLS, Steps, not_surely_rising, wrong_way
from measurand.measures import Measure
from measurand.verdict import How, Verdict, unusable

CHUNK = 1_024
"""So many pairs of runs are looked at a time."""

COVERS = 20
"""Where not all runs can be looked at, a run is compared with at most so many that follow."""


def is_isotone(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    r"""Return whether better runs in an order never have worse values.

    .. math:: r \preceq s \implies m(r) \le m(s)

    Where lower is better, :math:`m(r) \ge m(s)`. The parameters are those of `is_valuation`.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> bool(is_isotone(algebra_of("swap", 5, 2), "AP")), bool(is_isotone(algebra_of("projection", 5, 2), "AP"))
    (True, False)
    >>> print(is_isotone(algebra_of("projection", 3, 2), "P").witness)
    (1, 0, 0) is better than (0, 1, 1), and has the lower value: 0.3333 against 0.6667

    References
    ----------
    [Giner2022]_, section 7
    """
    additivity = Additivity.of(algebra, measure, recall_base, collection)
    try:
        return decide_isotone(additivity, rng)
    except FunctionFailed as failure:
        return unusable(failure)


def decide_isotone(additivity: Additivity, rng: Rng = 0, *, valuation: bool = False) -> Verdict:
    """Return whether better runs never have worse values; of a `valuation` that is quick to tell."""
    seen, valuer = additivity.seen, additivity.valuer
    known = valuation or argument(valuer.measure, seen.algebra, seen.space) is not None
    if known and _by_steps(seen):
        return steps_of(additivity).isotone(rng)
    looked, falling = 0, valuer.measure.lower_is_better
    for count, doubtful in _doubtful(additivity, rng):
        looked += count
        for low, high in doubtful:
            if valuer.compare(high, low) < 0:
                witness = wrong_way(low, high, valuer.value, falling=falling)
                return Verdict(False, witness, seen.checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, seen.checked if seen.fits else f"{looked:,} pairs of runs of {seen}", seen.how)


def level_pair(additivity: Additivity, rng: Rng = 0) -> tuple[Run, Run] | None:
    """Return a run and a better one of the same value, for a valuation that keeps the order, if there are such runs."""
    if _by_steps(additivity.seen):
        return steps_of(additivity).flat(rng)
    pairs = (pair for _, doubtful in _doubtful(additivity, rng) for pair in doubtful)
    return next((pair for pair in pairs if additivity.valuer.compare(*pair) == 0), None)


def _by_steps(seen: SeenRuns) -> bool:
    """Say whether what join-irreducible runs add tells all of a valuation."""
    # two runs between which a block makes the difference may need more documents than the block
    return seen.whole or not (has_gaps(seen.algebra) or _leaps(seen))


def _leaps(seen: SeenRuns) -> bool:
    """Say whether runs that the topic has not documents enough for stand below others."""
    return not seen.whole and seen.algebra.order.endswith("projection")


def steps_of(additivity: Additivity) -> Steps:
    """Return the steps of a measure that is a valuation."""
    measure = additivity.valuer.measure
    return Steps(
        additivity.algebra,
        additivity.recovery.heights,
        additivity.valuer.value,
        measure.lower_is_better,
        lambda: additivity.slack(2 * additivity.algebra.depth + 8),
        rough=additivity.valuer.roughly,
        possible=additivity.seen.possible,
        most=STEP_CELLS // additivity.algebra.depth,
    )


def _doubtful(additivity: Additivity, rng: Rng) -> Iterator[tuple[int, list[tuple[Run, Run]]]]:
    """Return how many pairs of runs were looked at, and those of which floats do not show that the second is better."""
    pairs, valuer = _pairs(additivity, rng), additivity.valuer
    while part := list(islice(pairs, CHUNK)):
        yield len(part), not_surely_rising(part, valuer.roughly, falling=valuer.measure.lower_is_better)


def _pairs(additivity: Additivity, rng: Rng) -> Iterator[tuple[Run, Run]]:
    """Return runs with those that follow them."""
    seen = additivity.seen
    most = (SLOW_CELLS if additivity.valuer.slow else CELLS) // seen.algebra.depth
    for runs in [seen.all()] if seen.fits else seen.some(rng):
        if _leaps(seen):
            yield from pairwise(sorted(map(tuple, runs.tolist())))
            continue
        # those that are looked at are spread over all
        few = len(runs) if seen.fits else min(len(runs), max(1, most // COVERS))
        for row in np.linspace(0, len(runs) - 1, few).astype(np.int64).tolist():
            run = tuple(runs[row].tolist())
            covers = (cover for cover in seen.algebra.upper_covers(run) if seen.possible(cover))
            yield from ((run, cover) for cover in (covers if seen.fits else islice(covers, COVERS)))
