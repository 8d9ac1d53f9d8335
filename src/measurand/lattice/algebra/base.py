"""What can be asked of the judged runs of one depth in an order, without listing them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, IntArray

Run = tuple[int, ...]
"""The grades of a run, first rank first; of a set, best grade first."""


@frozen(eq=False)
class Terms:
    """The join-irreducible runs whose values make up the values of some runs.

    Row by row, a valuation `v` is `v(bottom)` plus the sum of `sign * (v(join-irreducible) - v(bottom))`.

    Parameters
    ----------
    row
        Which of the runs a term belongs to, ascending.
    place
        Which join-irreducible run it is, in the order of `Algebra.join_irreducibles`, from 0.
    sign
        How often it counts: 1 or -1.
    """

    row: IntArray
    place: IntArray
    sign: IntArray


@frozen
class Algebra(ABC):
    """The judged runs of a depth over grades 0 to `grades` - 1 in one of the five orders.

    Runs are tuples that belong to the universe: callers have checked them. Nothing here lists all runs unless it
    is asked to.
    """

    order: ClassVar[str]

    depth: int
    grades: int

    @property
    @abstractmethod
    def size(self) -> int:
        """How many runs there are."""

    @property
    def bottom(self) -> Run:
        """The worst run."""
        return (0,) * self.depth

    @property
    def top(self) -> Run:
        """The best run."""
        return (self.grades - 1,) * self.depth

    @abstractmethod
    def runs(self) -> Iterator[Run]:
        """Return every run, none before one that is worse."""

    @abstractmethod
    def join(self, x: Run, y: Run) -> Run:
        """Return the least run that is at least as good as both, or raise `NoJoin` with the minimal ones."""

    @abstractmethod
    def meet(self, x: Run, y: Run) -> Run:
        """Return the greatest run that is at most as good as both, or raise `NoMeet` with the maximal ones."""

    @abstractmethod
    def upper_covers(self, x: Run) -> Iterator[Run]:
        """Return the runs that are better than a run with nothing between."""

    @abstractmethod
    def lower_covers(self, x: Run) -> Iterator[Run]:
        """Return the runs that are worse than a run with nothing between."""

    @abstractmethod
    def between(self, x: Run, y: Run) -> Iterator[Run]:
        """Return every run from x up to y, none before one that is worse; nothing if x is not below y."""

    @property
    @abstractmethod
    def irreducible_count(self) -> int:
        """How many join-irreducible runs there are."""

    @abstractmethod
    def irreducible(self, place: int) -> Run:
        """Return the join-irreducible run at a place, from 0, none before one that is worse."""

    @abstractmethod
    def place(self, run: Run) -> int | None:
        """Return the place of a join-irreducible run, None for any other run."""

    def join_irreducibles(self) -> Iterator[Run]:
        """Return the join-irreducible runs, none before one that is worse."""
        return (self.irreducible(place) for place in range(self.irreducible_count))

    @abstractmethod
    def step(self, place: int) -> tuple[Run, Run]:
        """Return two runs between which nothing but the join-irreducible run at a place makes the difference.

        Where the run has one lower cover, these are that cover and the run. A valuation is isotone exactly
        when it is at least as high on the second as on the first, for every place.
        """

    def step_terms(self, places: Sequence[int]) -> Terms:
        """Return the terms that make up how high the steps at some places are, one a row, under any valuation.

        The value of the worst run cancels: a step is as high as the sum of `sign * (v(join-irreducible) - v(bottom))`.
        """
        steps = map(self.step, places)
        low, high = (self.terms(np.array(runs, dtype=np.int8)) for runs in zip(*steps, strict=True))
        row, place = np.concatenate([high.row, low.row]), np.concatenate([high.place, low.place])
        sign = np.concatenate([high.sign, -low.sign])
        order = np.argsort(row, kind="stable")
        return Terms(row[order], place[order], sign[order])

    @abstractmethod
    def decompose(self, x: Run) -> tuple[Run, ...]:
        """Return the fewest join-irreducible runs whose least upper bound is a run; none for the bottom."""

    @abstractmethod
    def terms(self, runs: Cells) -> Terms:
        """Return the terms that make up the values of runs, one a row, under any valuation."""

    def expansion(self, x: Run) -> Mapping[Run, int]:
        """Return how often each join-irreducible run counts in the value of a run, those that cancel left out."""
        terms = self.terms(np.array([x], dtype=np.int8))
        counted: Counter[int] = Counter()
        for place, sign in zip(terms.place.tolist(), terms.sign.tolist(), strict=True):
            counted[place] += sign
        return {self.irreducible(place): count for place, count in sorted(counted.items()) if count}
