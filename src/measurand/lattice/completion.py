"""Elements of the completion of an order of runs: joins and meets of many runs, also where no run is one.

With swap and three grades or more, some runs have no join among runs. The smallest lattice that holds the order, its
completion, has one for them: an element is how many documents of each grade or more there are down to each rank, like
a run, but the counts of two grades need not fit together to one document a rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.display.result import Result, briefly
from measurand.display.tables import Document, facts
from measurand.display.wording import counted
from measurand.errors import NotAvailable
from measurand.exact import Exact
from measurand.judged.graded_runs import NamedRun
from measurand.lattice.algebra.base import Algebra, Run
from measurand.lattice.algebra.swap import SwapOrder
from measurand.lattice.algebra.swap_bounds import is_run, maximal_runs_below, minimal_runs_above, run_of
from measurand.lattice.valuation.additivity import Additivity
from measurand.lattice.valuation.deciding import decide_valuation
from measurand.measures import Measure

Counts = tuple[tuple[int, ...], ...]
"""A row for every grade but the lowest: how many documents of the grade or more there are down to each rank."""


@frozen(repr=False, slots=False)
class CompletionElement(Result):
    """An element of the completion of an order of runs: a run, or what stands between runs.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    counts
        For every grade above the lowest how many documents of the grade or more there are down to each rank.
    places
        The places of the grades of the run that has these counts; None where none has.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> between = CompletionElement.join(algebra_of("swap", 2, 3), [(0, 2), (1, 0)])
    >>> between.counts, between.run, between.above, between.below
    (((1, 1), (0, 1)), None, ((1, 2), (2, 0)), ((0, 2), (1, 0)))
    >>> between.rank, between.value("gP")
    (3, Fraction(1, 2))

    References
    ----------
    [Giner2022]_, section 7
    """

    algebra: Algebra
    counts: Counts
    places: Run | None

    @property
    def run(self) -> NamedRun | None:
        """The run that has these counts; None where none has."""
        return None if self.places is None else self.algebra.named(self.places)

    @classmethod
    def join(cls, algebra: Algebra, runs: Sequence[Run]) -> CompletionElement:
        """Return the least element that is at least as good as all of some runs.

        Parameters
        ----------
        algebra
            The order, the depth and the grades.
        runs
            Runs of the order, one at least, as places of grades.
        """
        return (
            cls.of_paths(algebra, algebra.upper_paths(runs))
            if isinstance(algebra, SwapOrder)
            else cls.of_run(algebra, algebra.join(*runs))
        )

    @classmethod
    def meet(cls, algebra: Algebra, runs: Sequence[Run]) -> CompletionElement:
        """Return the greatest element that is at most as good as all of some runs.

        Parameters
        ----------
        algebra
            The order, the depth and the grades.
        runs
            Runs of the order, one at least, as places of grades.
        """
        return (
            cls.of_paths(algebra, algebra.lower_paths(runs))
            if isinstance(algebra, SwapOrder)
            else cls.of_run(algebra, algebra.meet(*runs))
        )

    @classmethod
    def of_paths(cls, algebra: Algebra, paths: IntArray) -> CompletionElement:
        """Return the element that has some counts.

        Parameters
        ----------
        algebra
            The order "swap", the depth and the grades.
        paths
            A row for every grade from 1: how many documents of it or more there are down to each rank, from rank 0.
        """
        return cls(algebra, tuple(map(tuple, paths[:, 1:].tolist())), run_of(paths) if is_run(paths) else None)

    @classmethod
    def of_run(cls, algebra: Algebra, run: Run) -> CompletionElement:
        """Return a run as an element.

        Parameters
        ----------
        algebra
            The order, the depth and the grades.
        run
            A run of the order, as places of grades.
        """
        paths = SwapOrder(algebra.depth, algebra.grades).paths(run)
        return cls(algebra, tuple(map(tuple, paths[:, 1:].tolist())), run)

    @cached_property
    def paths(self) -> IntArray:
        """The counts as an array, with rank 0 before the first."""
        return np.pad(np.array(self.counts, dtype=np.int64), ((0, 0), (1, 0)))

    @property
    def rank(self) -> int:
        """How many steps lead to it from the worst run."""
        return int(self.paths.sum()) if self.places is None else self.algebra.rank(self.places)

    @property
    def above(self) -> tuple[NamedRun, ...]:
        """The minimal ones of the runs that are at least as good; of very many the first that were found."""
        return self._above[0]

    @property
    def below(self) -> tuple[NamedRun, ...]:
        """The maximal ones of the runs that are at most as good; of very many the first that were found."""
        return self._below[0]

    @property
    def complete(self) -> bool:
        """Whether `above` and `below` are all such runs; between long runs there may be too many to list."""
        return self._above[1] and self._below[1]

    @cached_property
    def _above(self) -> tuple[tuple[NamedRun, ...], bool]:
        return self._closest(minimal_runs_above)

    @cached_property
    def _below(self) -> tuple[tuple[NamedRun, ...], bool]:
        return self._closest(maximal_runs_below)

    def _closest(self, search: Callable[[IntArray], tuple[list[Run], bool]]) -> tuple[tuple[NamedRun, ...], bool]:
        if self.run is not None:
            return (self.run,), True
        found, complete = search(self.paths)
        return tuple(map(self.algebra.named, found)), complete

    def value(
        self,
        measure: Measure | str | Callable[..., Any],
        *,
        recall_base: int | None = None,
        collection: int | None = None,
    ) -> Exact:
        r"""Return the value of the element: that of the run, or what a valuation gives between runs.

        .. math:: v = v_0 + \sum_g [v(g S^g) - v((g - 1) S^g)]

        where :math:`S^g` are the ranks at which the counts of grade `g` rise. Measures that add up over grades have
        this value, such as gP, DCG, gRBP; of others only runs have values, and `NotAvailable` is raised.

        Parameters
        ----------
        measure
            A measure, its spelling, or a function of a judged run.
        recall_base, collection
            The numbers of relevant documents and of all documents of the topic; by default as many relevant and as
            many nonrelevant documents as ranks.
        """
        additivity = Additivity.of(self.algebra, measure, recall_base, collection)
        if self.places is not None:
            return additivity.valuer.value(self.places)
        if not decide_valuation(additivity):
            raise NotAvailable(
                f"{additivity.valuer.measure!r} has values for runs alone, and {self} is none; it is no valuation, so"
                " ask for the values of the runs in .above and .below, or take a measure such as gP, DCG or gRBP"
            )
        return additivity.value_of(additivity.completed_level(self.paths))

    def document(self) -> Document:
        """Return what is known of the element: its counts, whether it is a run, and the closest runs."""
        grades = self.algebra.named(tuple(range(1, self.algebra.grades)))
        counts = [
            (f"grade {grade} or more, down to each rank", ", ".join(map(str, row)))
            for grade, row in zip(grades, self.counts, strict=True)
        ]
        closest = [("closest runs above", _runs(self.above)), ("closest runs below", _runs(self.below))]
        run = "none" if self.run is None else briefly(self.run)
        rows = [("run", (run, self.run)), ("rank", self.rank), *counts, *([] if self.run is not None else closest)]
        return Document([facts(rows, title=f"An element of the completion of the order {self.algebra.order!r}")])

    def __str__(self) -> str:
        if self.run is not None:
            return briefly(self.run)
        several = "" if self.complete else "some of "
        return f"what is between {several}{_runs(self.below)} and {_runs(self.above)}"

    def __repr__(self) -> str:
        grades = counted(self.algebra.grades - 1, "grade")
        where = f"run {briefly(self.run)}" if self.run is not None else f"no run, counts of {grades}"
        return f"<CompletionElement: {where}, rank {self.rank}>"


def _runs(runs: Iterable[NamedRun]) -> str:
    return ", ".join(map(briefly, runs))
