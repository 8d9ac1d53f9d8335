"""The closest bounds of two runs with any grades: the worst that are at least as good as both, and the best below."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from measurand.errors import NoJoin, NoMeet
from measurand.judged import Relevance
from measurand.lattice.algebra import ALGEBRAS, Run
from measurand.lattice.membership import is_set, member
from measurand.orders.compare import check_order
from measurand.orders.levels import Levels, refuse_sets
from measurand.orders.levels import Run as AnyRun
from measurand.orders.relation import Shown


@frozen
class Closest:
    """The closest bounds of two runs.

    Parameters
    ----------
    above, below
        The minimal runs that are at least as good as both, and the maximal ones that are at most as good. One alone
        is the join, or the meet.
    complete
        Whether these are all there are; between long runs there may be too many to list.
    """

    above: tuple[tuple[Shown, ...], ...]
    below: tuple[tuple[Shown, ...], ...]
    complete: bool = True


def closest_bounds(r: AnyRun, s: AnyRun, order: str = "swap", relevance: Relevance | None = None) -> Closest:
    """Return the join and the meet of two runs of one length, or their closest bounds where there are several.

    Parameters
    ----------
    r, s
        Grades, first rank first, as `measurand.orders.compare` takes them.
    order
        One of `measurand.orders.ORDERS`; those of sets put the best grade first.
    relevance
        The grades there are, where they have labels.

    Examples
    --------
    >>> closest_bounds((1, 0, 0, 1), (0, 1, 1, 0))
    Closest(above=((1, 0, 1, 0),), below=((0, 1, 0, 1),), complete=True)
    >>> closest_bounds((0, 5), ("1/2", 0)).above
    ((Fraction(1, 2), 5), (5, 0))

    References
    ----------
    [Giner2022]_
    """
    check_order(order)
    # only the grades that occur matter: at others the counts are those of their neighbours
    levels = Levels.of(r, s, relevance)
    algebra = ALGEBRAS[order](len(levels.first), max(2, len(levels.names)))
    if not is_set(algebra):
        refuse_sets(r, s)
    x, y = (member(algebra, row.tolist()) for row in (levels.first, levels.second))
    above, all_above = _found(algebra.join, x, y)
    below, all_below = _found(algebra.meet, x, y)
    named = [tuple(tuple(levels.names[level] for level in run) for run in runs) for runs in (above, below)]
    return Closest(named[0], named[1], all_above and all_below)


def _found(bound: Callable[[Run, Run], Run], x: Run, y: Run) -> tuple[tuple[Run, ...], bool]:
    try:
        return (bound(x, y),), True
    except (NoJoin, NoMeet) as several:
        return several.candidates, several.complete
