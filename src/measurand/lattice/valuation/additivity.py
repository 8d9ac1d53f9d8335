"""The valuation law: the values of two runs have the same sum as those of their join and meet.

`Additivity` holds a measure to the law; `CheckedRuns` are the runs that it is checked on: all, or a sample of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import combinations
from typing import Any

import numpy as np
from attrs import define, frozen

from measurand.arrays import Cells, IntArray
from measurand.errors import NoJoin, NoMeet
from measurand.exact import Exact, shown
from measurand.execution import Rng
from measurand.judged import distinct_runs
from measurand.lattice.algebra.base import Algebra, Run, is_set
from measurand.lattice.valuation.extension import abs_at_most
from measurand.lattice.valuation.measures_on import measure_on
from measurand.lattice.valuation.reconstruction import Reconstruction, linear_combination
from measurand.measures import Measure
from measurand.measures.space import FITS, Space
from measurand.measures.valued import Valuer
from measurand.verdict import How, Witness

CELLS = 1_000_000
"""Where not all runs can be checked, as many as hold so many cells …"""

SLOW_CELLS = 200_000
"""… or fewer, if a function is called run by run."""

MANY = 8
"""Runs with more parts than this are split in the middle."""


@frozen(eq=False)
class CheckedRuns:
    """The runs of an order, on one topic.

    Parameters
    ----------
    space
        The runs of the same depth and grades, and the topic.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> seen = CheckedRuns.of(algebra_of("set-replacement", 4, 3))
    >>> seen.checked
    'all 15 runs of 4 ranks and 3 grades, best grade first, in the order "set-replacement"'
    """

    algebra: Algebra
    space: Space

    @classmethod
    def of(cls, algebra: Algebra, recall_base: int | None = None, collection: int | None = None) -> CheckedRuns:
        """Return the runs of an order on a topic."""
        space = Space(depth=algebra.depth, grades=algebra.grades, recall_base=recall_base, collection=collection)
        return cls(algebra, space)

    @property
    def sets(self) -> bool:
        """Whether runs are sets."""
        return is_set(self.algebra)

    @property
    def fits(self) -> bool:
        """Whether all runs can be checked."""
        return self.algebra.size <= FITS

    @property
    def whole(self) -> bool:
        """Whether the topic has relevant documents for every run."""
        return self.space.recall_base is None or self.space.recall_base >= self.algebra.depth

    def possible(self, run: Run) -> bool:
        """Return whether the topic has relevant documents enough for a run."""
        return self.whole or sum(grade > 0 for grade in run) <= (self.space.recall_base or 0)

    def all(self) -> Cells:
        """Return every run, one a row, none before one that is worse."""
        runs = [run for run in self.algebra.runs() if self.possible(run)]
        return np.array(runs, dtype=np.int8).reshape(len(runs), self.algebra.depth)

    def some(self, rng: Rng = 0) -> Iterator[Cells]:
        """Yield runs with nothing relevant below a short top, then with few relevant documents, then random ones."""
        telling = self.space.telling()
        deep = np.any(telling[:, self.space.reach :] > 0, axis=1)
        yield self._smallest_first(telling[~deep])
        if deep.any():
            yield self._smallest_first(telling[deep])
        yield self._smallest_first(self.space.drawn(rng))

    def _smallest_first(self, runs: Cells) -> Cells:
        """Return runs by what they hold in all; of those that hold as much, the ones that hold it early first."""
        if self.sets:
            runs = -np.sort(-runs, axis=1)
        different = distinct_runs(runs)[0][::-1]
        return np.asarray(different[np.argsort(different.sum(axis=1, dtype=np.int64), kind="stable")])

    @property
    def how(self) -> How:
        """How good a look at all the runs is."""
        return How.EXHAUSTIVE if self.fits else How.SAMPLED

    @property
    def checked(self) -> str:
        """The runs that are checked, in words."""
        if not self.fits:
            return f"some runs of {self}"
        count = f"{self.algebra.size:,} " if self.whole else ""
        return f"all {count}runs of {self}"

    def __str__(self) -> str:
        first = ", best grade first," if self.sets else ""
        return f'{self.space}{first} in the order "{self.algebra.order}"'


@frozen(eq=False)
class Square:
    """Two runs with their join and meet.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    excess
        By how much the values of the two exceed those of join and meet.
    slack
        How much of that may be rounding.
    """

    algebra: Algebra
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
        return self.excess if self.excess > 0 else -self.excess

    @property
    def witness(self) -> Witness:
        """What the runs show."""
        x, y, join, meet = map(self.algebra.brief, self.runs)
        first, second, third, fourth = map(shown, self.values)
        ours, theirs = map(shown, self.sums)
        why = (
            f"{first} + {second} = {ours} for {x} and {y}, {third} + {fourth} = {theirs} for their join {join} and"
            f" meet {meet}"
        )
        if ours == theirs:
            why += f"; the difference is {shown(self.excess)}"
        return self.algebra.witness(self.runs, self.values, why)


@define(eq=False)
class Additivity:
    """The rule of valuations for a measure on the runs of an order."""

    seen: CheckedRuns
    valuer: Valuer
    _largest: Fraction = Fraction(0)

    @classmethod
    def of(
        cls,
        algebra: Algebra,
        measure: Measure | str | Callable[..., Any],
        recall_base: int | None = None,
        collection: int | None = None,
    ) -> Additivity:
        """Return the rule for a measure on a topic."""
        seen = CheckedRuns.of(algebra, recall_base, collection)
        return cls(seen, seen.space.valuer(measure_on(algebra, measure)))

    @property
    def algebra(self) -> Algebra:
        """The order."""
        return self.seen.algebra

    @property
    def reconstruction(self) -> Reconstruction:
        """What the join-irreducible runs give."""
        bottom = self.level(self.algebra.bottom)
        return Reconstruction(self.algebra, lambda place: self.level(self.algebra.irreducible(place)), bottom)

    def level(self, run: Run) -> Exact:
        """Return the value of a run in units of the topic, which can be added."""
        level = self.valuer.level(run)
        if self.valuer.slow and isinstance(level, Fraction):
            self._largest = max(self._largest, abs(level))
        return level

    def completed_level(self, paths: IntArray) -> Exact:
        r"""Return the level of an element of the completion of the order "swap", for a valuation.

        With :math:`S^g` the ranks where the path of grade `g` rises, a valuation is
        :math:`v = v_0 + \sum_g [v(g S^g) - v((g - 1) S^g)]`, on the completion as on runs.

        Parameters
        ----------
        paths
            A row for every grade from 1: how many documents of it or more there are down to each rank, from rank 0.
        """
        parts = [(1, self.level(self.algebra.bottom))]
        for grade, rises in enumerate(np.diff(paths, axis=1).tolist(), 1):
            parts.append((1, self.level(tuple(grade * rise for rise in rises))))
            parts.append((-1, self.level(tuple((grade - 1) * rise for rise in rises))))
        return linear_combination(parts)

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
        ours, theirs = (linear_combination([(1, one), (1, other)]) for one, other in (levels[:2], levels[2:]))
        first, second, third, fourth = map(self.value_of, levels)
        excess = self.value_of(linear_combination([(1, ours), (-1, theirs)]))
        values, sums = (first, second, third, fourth), (self.value_of(ours), self.value_of(theirs))
        return Square(self.algebra, runs, values, sums, excess, self.slack())

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
        given = self.reconstruction
        # most that fail do so soon, and values can be slow to compute
        for part in _growing(runs):
            for run, due, level in zip(part.tolist(), given.all(part), self.levels(part), strict=True):
                if not abs_at_most(linear_combination([(1, level), (-1, due)]), self.slack(2 * self.algebra.depth)):
                    yield tuple(run)

    def fails(self, run: Run) -> bool:
        """Return whether the value of a run is not what the join-irreducible runs give."""
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


def _growing(runs: Cells, first: int = 16, most: int = 1024) -> Iterator[Cells]:
    """Return runs in parts of which each is larger than the last."""
    start, size = 0, first
    while start < len(runs):
        yield runs[start : start + size]
        start, size = start + size, min(2 * size, most)
