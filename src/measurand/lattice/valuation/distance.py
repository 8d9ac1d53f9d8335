"""What lies between two runs: their distance under a measure, and the bounds of what either is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve, frozen

from measurand.chance import Rng
from measurand.errors import FunctionFailed, brief
from measurand.exact import Exact
from measurand.lattice.algebra.base import Algebra, Run
from measurand.lattice.membership import member
from measurand.lattice.valuation.additivity import Additivity
from measurand.lattice.valuation.deciding import decide_valuation
from measurand.lattice.valuation.isotonicity import decide_isotone, level_pair
from measurand.lattice.valuation.recovery import combined
from measurand.measures import Measure
from measurand.verdict import Verdict, first_broken, unusable


@frozen
class Bounds:
    """The bounds of what a system is worth that reaches one of two runs, whichever it is.

    Parameters
    ----------
    low, high
        The values of meet and join.
    worst, best
        Meet and join: the best run that is at most as good as both, and the worst that is at least as good.
    """

    low: Exact
    high: Exact
    worst: Run
    best: Run


def bounds(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    x: Run,
    y: Run,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
) -> Bounds:
    r"""Return the values of meet and join of two runs: bounds for a system that reaches one of them.

    .. math:: v(x \wedge y) \le v(x), v(y) \le v(x \vee y) \text{ if } v \text{ keeps the order}

    Where lower is better, meet has the higher value. Runs without join or meet raise `NoJoin` or `NoMeet`.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> found = bounds(algebra_of("replacement", 3, 3), "gP", (2, 0, 0), (1, 1, 0))
    >>> found.best, found.high
    ((2, 1, 0), Fraction(1, 2))

    References
    ----------
    [Giner2022]_, section 7
    """
    asked = Additivity.of(algebra, measure, recall_base, collection)
    worst, best = _meet_and_join(algebra, x, y)
    return Bounds(asked.valuer.value(worst), asked.valuer.value(best), worst, best)


def distance(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    x: Run,
    y: Run,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
) -> Exact:
    r"""Return how far two runs are apart under a measure: from their meet to their join.

    .. math:: d(x, y) = v(x \vee y) - v(x \wedge y)

    It is a distance if the measure is a valuation that keeps the order (`is_distance`). Where lower is better, it is
    the other way round, so that it is not negative.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> distance(algebra_of("replacement", 3, 3), "gRBP", (2, 0, 0), (1, 1, 0))
    Fraction(9, 50)

    References
    ----------
    [Giner2022]_, section 7
    """
    asked = Additivity.of(algebra, measure, recall_base, collection)
    worst, best = _meet_and_join(algebra, x, y)
    sign = -1 if asked.valuer.measure.lower_is_better else 1
    return asked.value_of(combined([(sign, asked.level(best)), (-sign, asked.level(worst))]))


def is_distance(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    """Return whether `distance` is one: never negative, alike both ways, and no shorter by a detour.

    That is so exactly for valuations that keep the order. The verdict says whether different runs can be at distance
    0, which they are not if every better run has a better value. The parameters are those of `is_valuation`.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> print(is_distance(algebra_of("swap", 4, 2), "AP").argument)
    a valuation that keeps the order, and only a run itself is at distance 0
    >>> print(is_distance(algebra_of("swap", 4, 2), "RR").argument)
    a valuation that keeps the order; different runs can be at distance 0: (0, 0, 1, 0) and (0, 0, 1, 1)

    References
    ----------
    [Giner2022]_, section 7
    """
    asked = Additivity.of(algebra, measure, recall_base, collection)
    try:
        valuation = decide_valuation(asked, rng)
        if not valuation.holds:
            return evolve(valuation, argument=f"it is no valuation: {valuation.witness}")
        isotone = decide_isotone(asked, rng, valuation=True)
        if not isotone.holds:
            return evolve(isotone, argument=f"it does not keep the order: {isotone.witness}")
        level = level_pair(asked, rng)
    except FunctionFailed as failure:
        return unusable(failure)
    if level is None:
        kind = ", and only a run itself is at distance 0"
    else:
        kind = f"; different runs can be at distance 0: {brief(level[0])} and {brief(level[1])}"
    return evolve(first_broken([valuation, isotone]), argument=f"a valuation that keeps the order{kind}")


def _meet_and_join(algebra: Algebra, x: Run, y: Run) -> tuple[Run, Run]:
    first, second = member(algebra, x), member(algebra, y)
    return algebra.meet(first, second), algebra.join(first, second)
