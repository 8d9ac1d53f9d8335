"""Valuations: measures whose values on two runs are shared out between their join and meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from itertools import combinations, islice
from math import fsum
from typing import Any

import numpy as np
from attrs import define, frozen

from measurand.arrays import Cells
from measurand.chance import Rng
from measurand.errors import FunctionFailed, NoJoin, NoMeet, NotAvailable, ParameterError
from measurand.exact import Exact, shown
from measurand.lattice.algebra.base import Algebra, Run
from measurand.lattice.families import argument
from measurand.lattice.membership import member
from measurand.lattice.recovery import Recovery, by_row, combined
from measurand.lattice.seen_runs import CELLS, SLOW_CELLS, SeenRuns
from measurand.lattice.steps import abs_at_most, brief
from measurand.lattice.tables import number_of
from measurand.measures import Measure, as_measure
from measurand.measures.valued import Valuer
from measurand.verdict import How, Verdict, Witness

PAIRS = 500
"""Among so many runs all pairs are looked at …"""

CLOSE = 1e-8
"""Sums of floats that are closer than this, relative to what is added, may be equal."""

MANY = 8
"""Runs with more parts than this are split in the middle."""

TRIED = 50
"""… else the parts of so many runs that break the rule."""


def is_valuation(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    r"""Return whether a measure is a valuation on an order of runs.

    .. math:: v(x) + v(y) = v(x \vee y) + v(x \wedge y) \text{ for all runs } x, y

    A valuation is known from its values on the join-irreducible runs and the worst one; any other measure has values
    that these do not give. Where runs have no join, a valuation is what can be continued to one on the completion of
    the order, whose join-irreducible elements are runs, too.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    recall_base, collection
        The topic, as in `measurand.axioms`; pairs whose join the topic has not documents enough for are left out.
    rng
        Draws runs where there are too many to look at all.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> print(is_valuation(algebra_of("swap", 1000, 2), "RR").argument)
    a relevant document adds something if none stands above, and join and meet share out what the two runs have there
    >>> verdict = is_valuation(algebra_of("replacement", 3, 2), "RR")
    >>> verdict.witness.runs
    ((0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 0, 0))
    >>> print(verdict.witness)
    0.3333 + 0.5 = 0.8333 for (0, 0, 1) and (0, 1, 0), 0.5 + 0 = 0.5 for their join (0, 1, 1) and meet (0, 0, 0)

    References
    ----------
    [Giner2022]_, section 3
    """
    seen = SeenRuns.of(algebra, recall_base, collection)
    valuer = seen.space.valuer(as_measure(measure))
    try:
        return decide_valuation(Additivity(seen, valuer), rng)
    except FunctionFailed as failure:
        return unusable(failure)


def violation(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    x: Run,
    y: Run,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
) -> Exact:
    """Return by how much the values of two runs exceed those of their join and meet: 0 for a valuation.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> violation(algebra_of("replacement", 3, 2), "AP", (1, 0, 0), (0, 1, 1))
    Fraction(-5, 18)

    References
    ----------
    [Giner2022]_, section 3
    """
    seen = SeenRuns.of(algebra, recall_base, collection)
    valuer = seen.space.valuer(as_measure(measure))
    return Additivity(seen, valuer).square(member(algebra, x), member(algebra, y)).excess


def value(algebra: Algebra, run: Run, values: Mapping[Run, Any] | Callable[[Run], Any], bottom: object = 0) -> Exact:
    """Return what a valuation is on a run, from what it is on the join-irreducible runs below and on the worst run.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> value(algebra_of("replacement", 3, 3), (2, 0, 1), {(2, 0, 0): "1/5", (0, 0, 1): 0.064})
    Fraction(33, 125)

    References
    ----------
    [Giner2022]_, theorem 3
    """

    def level(irreducible: Run) -> Exact:
        if not isinstance(values, Mapping):
            return number_of(values(irreducible))
        if irreducible not in values:
            raise ParameterError(f"there is no value for {irreducible}, which {brief(run)} is made of")
        return number_of(values[irreducible])

    return Recovery(algebra, level, number_of(bottom)).of(member(algebra, run))


def worst_violation(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    *,
    recall_base: int | None = None,
    collection: int | None = None,
) -> Witness | None:
    """Return the pair of runs whose values differ most from those of their join and meet, None for a valuation.

    All pairs are looked at, so there must not be many runs.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> worst_violation(algebra_of("replacement", 3, 2), "AP").runs
    ((0, 1, 0), (1, 0, 1), (1, 1, 1), (0, 0, 0))

    References
    ----------
    [Giner2022]_, section 3
    """
    if algebra.size > PAIRS:
        raise NotAvailable(
            f"all pairs of {algebra.size:,} runs are too many to look at; is_valuation takes any number, and {PAIRS}"
            " runs are not too many"
        )
    seen = SeenRuns.of(algebra, recall_base, collection)
    additivity = Additivity(seen, seen.space.valuer(as_measure(measure)))
    broken = (square for square in additivity.squares(list(map(tuple, seen.all().tolist()))) if square.broken)
    worst = max(broken, key=lambda square: square.size, default=None)
    return None if worst is None else worst.witness


def unusable(failure: FunctionFailed) -> Verdict:
    """Return the verdict on a function that is no measure.

    Examples
    --------
    >>> print(unusable(FunctionFailed("Mine", (1, 0), "answered nan")).witness)
    Mine answered nan on (1, 0)
    """
    return Verdict(False, Witness((failure.run,), (), str(failure)), "runs until it failed on one", How.FAILED)


@frozen(eq=False)
class Square:
    """Two runs with their join and meet.

    Parameters
    ----------
    excess
        By how much the values of the two exceed those of join and meet.
    slack
        How much of that may be rounding.
    """

    runs: tuple[Run, Run, Run, Run]
    values: tuple[Exact, Exact, Exact, Exact]
    sums: tuple[Exact, Exact]
    excess: Exact
    slack: Fraction

    @property
    def broken(self) -> bool:
        """Whether the rule of valuations does not hold here."""
        return not abs_at_most(self.excess, self.slack)

    @property
    def size(self) -> Any:
        """The excess without its sign."""
        return self.excess if self.excess > 0 else -self.excess  # type: ignore[operator]

    @property
    def witness(self) -> Witness:
        """What the runs show."""
        x, y, join, meet = map(brief, self.runs)
        first, second, third, fourth = map(shown, self.values)
        ours, theirs = map(shown, self.sums)
        why = (
            f"{first} + {second} = {ours} for {x} and {y}, {third} + {fourth} = {theirs} for their join {join} and"
            f" meet {meet}"
        )
        return Witness(self.runs, self.values, why)


@define(eq=False)
class Additivity:
    """The rule of valuations for a measure on the runs of an order."""

    seen: SeenRuns
    valuer: Valuer
    _largest: Fraction = Fraction(0)

    @property
    def algebra(self) -> Algebra:
        """The order."""
        return self.seen.algebra

    @property
    def recovery(self) -> Recovery:
        """What the join-irreducible runs give."""
        return Recovery(self.algebra, self.level, self.level(self.algebra.bottom))

    def level(self, run: Run) -> Exact:
        """Return the value of a run in units of the topic, which can be added."""
        level = self.valuer.level(run)
        if self.valuer.near and isinstance(level, Fraction):
            self._largest = max(self._largest, abs(level))
        return level

    def levels(self, runs: Cells) -> list[Exact]:
        """Return those of many runs, one a row."""
        return [self.level(run) for run in map(tuple, runs.tolist())]

    def slack(self, parts: int = 4) -> Fraction:
        """Return how much a sum of so many answers may be off for rounding."""
        return Fraction(self.valuer.near) * self._largest * parts

    def value_of(self, level: Exact) -> Exact:
        """Return a value from its level."""
        unit = self.valuer.measure.unit(self.valuer.pool, len(self.valuer.measure.view(self.algebra.bottom)))
        return level if unit == 1 else level / unit  # type: ignore[operator]

    def square(self, x: Run, y: Run) -> Square:
        """Return two runs with join and meet, or raise `NoJoin` or `NoMeet`."""
        runs = (x, y, self.algebra.join(x, y), self.algebra.meet(x, y))
        levels = [self.level(run) for run in runs]
        ours, theirs = (combined([(1, one), (1, other)]) for one, other in (levels[:2], levels[2:]))
        first, second, third, fourth = map(self.value_of, levels)
        excess = self.value_of(combined([(1, ours), (-1, theirs)]))
        return Square(
            runs, (first, second, third, fourth), (self.value_of(ours), self.value_of(theirs)), excess, self.slack()
        )

    def squares(self, runs: list[Run]) -> Iterator[Square]:
        """Return all pairs of runs whose join and meet exist and are possible."""
        for x, y in combinations(runs, 2):
            try:
                if self.seen.possible(self.algebra.join(x, y)):
                    yield self.square(x, y)
            except (NoJoin, NoMeet):
                continue

    def failing(self, runs: Cells) -> Iterator[Run]:
        """Return the runs whose values are not what the join-irreducible runs give."""
        given = self.recovery
        size = 1 << 10
        for start in range(0, len(runs), size):
            part = runs[start : start + size]
            for run, due, level in zip(part.tolist(), given.all(part), self.levels(part), strict=True):
                if not abs_at_most(combined([(1, level), (-1, due)]), self.slack(2 * self.algebra.depth)):
                    yield tuple(run)

    def clearly_failing(self, runs: Cells) -> Cells | None:
        """Return the first run whose value is clearly not what the join-irreducible runs give, going by floats."""
        terms = self.algebra.terms(runs)
        places = sorted(set(terms.place.tolist()))
        irreducibles = np.array([self.algebra.irreducible(place) for place in places], dtype=np.int8)
        worst = np.array([self.algebra.bottom], dtype=np.int8)
        rough = self.valuer.roughly(np.concatenate([worst, runs, irreducibles.reshape(len(places), -1)]))
        if rough is None:
            return None
        bottom, values = float(rough[0]), rough[1 : 1 + len(runs)].tolist()
        heights = dict(zip(places, (rough[1 + len(runs) :] - bottom).tolist(), strict=True))
        for nth, (row, signs) in enumerate(by_row(terms, len(runs))):
            parts = [sign * heights[place] for place, sign in zip(row, signs, strict=True)]
            slack = CLOSE * (abs(values[nth]) + abs(bottom) + fsum(map(abs, parts)))
            if abs(values[nth] - bottom - fsum(parts)) > max(slack, CLOSE):
                return runs[nth : nth + 1]
        return None

    def fails(self, run: Run) -> bool:
        """Say whether the value of a run is not what the join-irreducible runs give."""
        return next(self.failing(np.array([run], dtype=np.int8)), None) is not None

    def broken_below(self, run: Run) -> Square | None:
        """Return a pair of runs that shows what is wrong with a run that fails, as low as it can be seen.

        Of two runs whose join fails, one fails, or their meet does, or the pair breaks the rule.
        """
        while True:
            parts = self.algebra.decompose(run)
            # the last part is the smallest that can be split off, halves are the fewest steps
            middle = len(parts) - 1 if len(parts) <= MANY else len(parts) // 2
            try:
                x, y = reduce(self.algebra.join, parts[:middle]), reduce(self.algebra.join, parts[middle:])
                square = self.square(min(x, y), max(x, y))
            except (NoJoin, NoMeet):
                return None
            lower = next((other for other in (square.runs[3], y, x) if self.fails(other)), None)
            if lower is None:
                return square if square.broken else None
            run = lower


def decide_valuation(additivity: Additivity, rng: Rng = 0) -> Verdict:
    """Return whether a measure is a valuation: by proof, by looking at every run, or by looking at some."""
    seen, valuer = additivity.seen, additivity.valuer
    additivity.levels(np.array([seen.algebra.bottom, seen.algebra.irreducible(0)], dtype=np.int8))
    proof = argument(valuer.measure, seen.algebra, seen.space)
    if proof is not None:
        return Verdict(True, None, f"every run of {seen}", How.PROVED, proof)
    looked = 0
    for runs in [seen.all()] if seen.fits else seen.some(rng):
        part = runs if seen.fits else _affordable(runs, additivity)
        looked += len(part)
        # floats show quickly what is clearly wrong, and exact numbers what is not
        clear = None if seen.fits else additivity.clearly_failing(part)
        failing = additivity.failing(part if clear is None else clear)
        first = next(failing, None)
        if first is not None:
            witness = _shown(additivity, [first, *islice(failing, TRIED)] if _gaps(seen) and seen.fits else [first])
            return Verdict(False, witness, seen.checked if seen.fits else str(seen), How.COUNTEREXAMPLE)
    return Verdict(True, None, seen.checked if seen.fits else f"{looked:,} runs of {seen}", seen.how)


def _gaps(seen: SeenRuns) -> bool:
    """Say whether there are runs without a join."""
    return seen.algebra.order == "swap" and seen.algebra.grades > 2 and seen.algebra.depth > 1


def _affordable(runs: Cells, additivity: Additivity) -> Cells:
    """Return the first of some runs, as many as can be taken apart and valued exactly."""
    most = (SLOW_CELLS if additivity.valuer.slow else CELLS) // additivity.algebra.depth
    places: set[int] = set()
    terms = additivity.algebra.terms(runs[:most])
    for nth, place in enumerate(terms.place.tolist()):
        places.add(place)
        row = int(terms.row[nth])
        if len(places) + row > most:
            return runs[: max(1, row)]
    return runs[:most]


def _shown(additivity: Additivity, failing: list[Run]) -> Witness:
    """Return what shows that a measure is no valuation, from runs that fail, the lowest first."""
    for run in failing:
        square = additivity.broken_below(run)
        if square is not None:
            return square.witness
    if additivity.algebra.size <= PAIRS:
        runs = list(map(tuple, additivity.seen.all().tolist()))
        square = next((square for square in additivity.squares(runs) if square.broken), None)
        if square is not None:
            return square.witness
    run = failing[0]
    value, due = additivity.valuer.value(run), additivity.value_of(additivity.recovery.of(run))
    why = (
        f"{brief(run)} has {shown(value)}, and the join-irreducible runs below it make {shown(due)}; no two runs that"
        " were tried and have a join and a meet show it"
    )
    return Witness((run,), (value, due), why)
