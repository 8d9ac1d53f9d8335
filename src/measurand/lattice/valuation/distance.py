"""Distances between runs under a measure, and isotonicity, which makes a valuation one.

A measure that is a valuation and isotone (better runs never have worse values) makes a distance of runs, from the
value of their meet to that of their join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import islice, pairwise
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.display.result import Result
from measurand.errors import FunctionFailed, NoBound, brief
from measurand.exact import Exact
from measurand.execution import Rng
from measurand.lattice.algebra.base import Algebra, Run, has_gaps, is_lattice, member
from measurand.lattice.algebra.swap import SwapOrder
from measurand.lattice.valuation.additivity import CELLS, SLOW_CELLS, Additivity, CheckedRuns
from measurand.lattice.valuation.deciding import argument, decide_valuation
from measurand.lattice.valuation.extension import STEP_CELLS, Steps, not_surely_rising, wrong_way
from measurand.lattice.valuation.reconstruction import linear_combination
from measurand.measures import Measure
from measurand.verdict import How, Verdict, first_broken, unusable

CHUNK = 1_024
"""So many pairs of runs are checked at a time."""

COVERS = 20
"""Where not all runs can be checked, a run is compared with at most so many that follow."""


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

    Where lower is better, :math:`m(r) \ge m(s)`.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    measure
        A measure, its spelling, or a function of a judged run.
    recall_base, collection
        The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
        nonrelevant documents as ranks.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

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
    """Return whether better runs never have worse values; for a `valuation` that is quick to decide."""
    seen, valuer = additivity.seen, additivity.valuer
    known = valuation or argument(valuer.measure, seen.algebra, seen.space) is not None
    if known and goes_by_steps(seen):
        return steps_of(additivity).isotone(rng)
    looked, falling = 0, valuer.measure.lower_is_better
    for count, doubtful in _doubtful(additivity, rng):
        looked += count
        for low, high in doubtful:
            if valuer.compare(high, low) < 0:
                witness = wrong_way(seen.algebra, low, high, valuer.value, falling=falling)
                return Verdict(False, witness, seen.checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, seen.checked if seen.fits else f"{looked:,} pairs of runs of {seen}", seen.how)


def level_pair(additivity: Additivity, rng: Rng = 0) -> tuple[Run, Run] | None:
    """Return a run and a better one of the same value, for a valuation that keeps the order, if there are such runs."""
    if goes_by_steps(additivity.seen):
        return steps_of(additivity).flat(rng)
    pairs = (pair for _, doubtful in _doubtful(additivity, rng) for pair in doubtful)
    return next((pair for pair in pairs if additivity.valuer.compare(*pair) == 0), None)


def goes_by_steps(seen: CheckedRuns) -> bool:
    """Return whether the steps of the join-irreducible runs decide whether a valuation is isotone."""
    # two runs between which a block makes the difference may need more documents than the block
    return seen.whole or not (has_gaps(seen.algebra) or _leaps(seen))


def _leaps(seen: CheckedRuns) -> bool:
    """Return whether runs that the topic has not documents enough for stand below others."""
    return not seen.whole and seen.algebra.order.endswith("projection")


def steps_of(additivity: Additivity) -> Steps:
    """Return the steps of a measure that is a valuation."""
    measure = additivity.valuer.measure
    return Steps(
        additivity.algebra,
        additivity.reconstruction.heights,
        additivity.valuer.value,
        measure.lower_is_better,
        lambda: additivity.slack(2 * additivity.algebra.depth + 8),
        rough=additivity.valuer.roughly,
        possible=additivity.seen.possible,
        most=STEP_CELLS // additivity.algebra.depth,
    )


def _doubtful(additivity: Additivity, rng: Rng) -> Iterator[tuple[int, list[tuple[Run, Run]]]]:
    """Return how many pairs of runs were checked, and those of which floats do not show that the second is better."""
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


class Kind(StrEnum):
    """What kind of distance a measure makes: whether different runs can be at distance 0."""

    METRIC = "metric"
    PSEUDO = "pseudo-metric"


@frozen(kw_only=True, repr=False)
class DistanceVerdict(Verdict):
    """Whether a measure makes a distance of runs.

    Parameters
    ----------
    holds, witness, checked, how, argument
        As in `Verdict`: the measure makes a distance, or what shows that it does not.
    kind
        Metric, where only a run itself is at distance 0, or pseudo-metric; None where there is no distance.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> str(is_distance(algebra_of("swap", 4, 2), "RR").kind)
    'pseudo-metric'
    """

    kind: Kind | None = field(default=None)

    @classmethod
    def of(cls, verdict: Verdict, argument: str = "", kind: Kind | None = None) -> DistanceVerdict:
        """Return a verdict with its argument and the kind of distance."""
        return cls(
            holds=verdict.holds,
            witness=verdict.witness,
            checked=verdict.checked,
            how=verdict.how,
            argument=argument or verdict.argument,
            kind=kind,
        )


@frozen(repr=False)
class Bounds(Result):
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

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    measure
        A measure, its spelling, or a function of a judged run.
    x, y
        Two runs.
    recall_base, collection
        The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
        nonrelevant documents as ranks.

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
    additivity = Additivity.of(algebra, measure, recall_base, collection)
    worst, best = _meet_and_join(algebra, x, y)
    return Bounds(additivity.valuer.value(worst), additivity.valuer.value(best), worst, best)


def distance(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    x: Run,
    y: Run,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
) -> Exact:
    r"""Return the distance of two runs under a measure: from the value of their meet to that of their join.

    .. math:: d(x, y) = v(x \vee y) - v(x \wedge y)

    It is a distance if the measure is a valuation that keeps the order (`is_distance`). Where lower is better, it is
    the other way round, so that it is not negative.

    Where the two have no join or no meet, these are taken in the completion of the order, whose elements have a path
    for every grade, if the measure is a valuation: it then adds up what every path is worth. Other measures have no
    values there, and `NoJoin` or `NoMeet` is raised.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    measure
        A measure, its spelling, or a function of a judged run.
    x, y
        Two runs.
    recall_base, collection
        The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
        nonrelevant documents as ranks.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> distance(algebra_of("replacement", 3, 3), "gRBP", (2, 0, 0), (1, 1, 0))
    Fraction(9, 50)
    >>> distance(algebra_of("swap", 2, 3), "gP", (0, 2), (1, 0))
    Fraction(1, 4)

    References
    ----------
    [Giner2022]_, section 7
    """
    additivity = Additivity.of(algebra, measure, recall_base, collection)
    try:
        worst, best = _meet_and_join(algebra, x, y)
    except NoBound:
        if not (isinstance(algebra, SwapOrder) and decide_valuation(additivity)):
            raise
        runs = [member(algebra, x), member(algebra, y)]
        upper, lower = algebra.upper_paths(runs), algebra.lower_paths(runs)
        parts = [(1, additivity.completed_level(upper)), (-1, additivity.completed_level(lower))]
    else:
        parts = [(1, additivity.level(best)), (-1, additivity.level(worst))]
    sign = -1 if additivity.valuer.measure.lower_is_better else 1
    return additivity.value_of(linear_combination([(sign * count, level) for count, level in parts]))


def is_distance(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> DistanceVerdict:
    """Return whether `distance` is a metric or pseudo-metric: never negative, symmetric, with the triangle inequality.

    That is so exactly for valuations that keep the order. The verdict has its `kind`: whether different
    runs can be at distance 0, which they are not if every better run has a better value.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    measure
        A measure, its spelling, or a function of a judged run.
    recall_base, collection
        The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
        nonrelevant documents as ranks.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

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
    additivity = Additivity.of(algebra, measure, recall_base, collection)
    try:
        valuation = decide_valuation(additivity, rng)
        if not valuation.holds:
            argument = f"it is no valuation: {valuation.witness}{_without_join(algebra)}"
            return DistanceVerdict.of(valuation, argument)
        isotone = decide_isotone(additivity, rng, valuation=True)
        if not isotone.holds:
            return DistanceVerdict.of(isotone, f"it does not keep the order: {isotone.witness}")
        level = level_pair(additivity, rng)
    except FunctionFailed as failure:
        return DistanceVerdict.of(unusable(failure))
    if level is None:
        kind, told = Kind.METRIC, ", and only a run itself is at distance 0"
    else:
        kind = Kind.PSEUDO
        told = f"; different runs can be at distance 0: {algebra.brief(level[0])} and {algebra.brief(level[1])}"
    return DistanceVerdict.of(first_broken([valuation, isotone]), f"a valuation that keeps the order{told}", kind)


def _without_join(algebra: Algebra) -> str:
    """Return that some runs have no distance at all under a measure that is no valuation, with two of them."""
    if not has_gaps(algebra):
        return ""
    x, y = is_lattice(algebra).witness.runs[:2]
    return f"; and runs without a join or a meet, such as {brief(x)} and {brief(y)}, have no distance"


def _meet_and_join(algebra: Algebra, x: Run, y: Run) -> tuple[Run, Run]:
    first, second = member(algebra, x), member(algebra, y)
    return algebra.meet(first, second), algebra.join(first, second)
