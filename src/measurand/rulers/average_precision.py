"""The ruler of average precision: exact where its values can be counted, estimated beyond."""

from __future__ import annotations

from measurand.errors import NotAvailable
from measurand.execution import Rng
from measurand.rulers.ruler import Budget, Ruler
from measurand.rulers.walks.estimates import EstimatedRuler
from measurand.rulers.walks.fibres import DEEPEST
from measurand.rulers.walks.walk import average_precision_walk
from measurand.rulers.walks.walk_ruler import WalkRuler

SHORT = 20
"""To this depth values are few enough to be counted however little may be spent."""


def average_precision_ruler(depth: int, budget: Budget | None = None, rng: Rng = 0) -> Ruler:
    r"""Return the ruler of average precision on runs of a depth, with two grades.

    .. math:: \mathrm{AP} \cdot \mathrm{RB} = \sum_{i\ \mathrm{relevant}} \frac{\#\{k \le i\ \mathrm{relevant}\}}{i}

    The recall base does not change the order of values, so one ruler serves all topics.

    Parameters
    ----------
    rng
        Where chance comes from at depths whose values are too many to be counted within the budget.

    Examples
    --------
    >>> [average_precision_ruler(depth).size for depth in (5, 10, 15)]
    [31, 810, 22646]
    """
    budget = budget or Budget()
    walk = average_precision_walk(min(depth, DEEPEST))
    if depth <= SHORT:
        return WalkRuler.of(walk, f"AP-{depth}", Budget(max(budget.seconds, 1.0), max(budget.memory, 64 << 20)))
    if depth > DEEPEST:
        raise NotAvailable(
            f"nobody knows how to place runs of {depth} ranks among the values of average precision; "
            f"look at {DEEPEST} ranks at most, take RBP or DCG, whose rulers have any depth, or ask "
            "md.scales.run_shares what share of runs has a lower value, which is no rank among the values"
        )
    if not walk.fits:
        return EstimatedRuler.of(depth, budget, rng)
    try:
        return WalkRuler.of(walk, f"AP-{depth}", budget)
    except NotAvailable:
        return EstimatedRuler.of(depth, budget, rng)
