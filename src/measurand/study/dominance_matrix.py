"""The dominance of every two systems at once, under every measure that respects replacement and swap."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.calls import explains_calls
from measurand.columns import PlainTable
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import listed
from measurand.errors import Caveat
from measurand.execution import Progress, check_progress, silent
from measurand.judged import JudgedRuns
from measurand.scores import place_of
from measurand.study.dominance import (
    INCOMPARABLE,
    LOSS,
    TIE,
    WIN,
    Dominance,
    caveats_of,
    depth_within,
    from_relations,
    relations,
)

if TYPE_CHECKING:
    import polars as pl


def _read_only(codes: Cells) -> Cells:
    codes.setflags(write=False)
    return codes


@frozen(kw_only=True, eq=False, repr=False)
class DominanceMatrix(Result):
    """How every two systems stand to each other under every measure that respects replacement and swap.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs that were compared.
    depth : int
        How many ranks were compared.
    relations : array of int
        Systems × systems × topics: 1 where the row is better, -1 where the column is, 0 where both have the same
        grades, 2 where measures disagree, 3 where either left the topic out.
    caveats : tuple of Caveat
        What is to be known of the comparison.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 0), (0, 1, 1)], (3, 2))
    >>> matrix = dominance_matrix(judged)
    >>> matrix.wins.tolist(), matrix.incomparable.tolist()
    ([[0, 1, 0], [0, 0, 0], [0, 1, 0]], [[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    >>> matrix.undominated()
    ('s0', 's2')
    """

    judged: JudgedRuns
    depth: int
    relations: Cells = field(converter=_read_only)
    caveats: tuple[Caveat, ...] = ()

    def __repr__(self) -> str:
        n, t = len(self.systems), len(self.topics)
        return f"<DominanceMatrix: {n} systems × {n} systems, {t} topics × {self.depth} ranks>"

    def document(self) -> Document:
        """Return what was found: the counts of all pairs, those with the fewest undecided topics first."""
        counts = {"won": self.wins, "tied": self.ties, "lost": self.losses, "measures disagree": self.incomparable}
        columns = [
            Column("system", lambda pair: self.systems[pair[0]], left=True),
            Column("against", lambda pair: self.systems[pair[1]], left=True),
            *(valued(name, partial(_counted_of, several)) for name, several in counts.items()),
        ]
        above = np.triu_indices(len(self.systems), 1)
        order = np.argsort(self.incomparable[above], kind="stable")
        pairs = list(zip(above[0][order].tolist(), above[1][order].tolist(), strict=True))
        title = f"Topics on which every measure that respects replacement and swap agrees, to rank {self.depth:,}"
        unbeaten = self.undominated()
        best = f"No other system is at least as good on every topic and better on some: {listed(unbeaten, 8)}."
        return Document([TableView(columns, pairs, title=title), *([best] if unbeaten else [])], self.caveats)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of rows and columns."""
        return self.judged.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order of the relations."""
        return self.judged.topics

    def _count(self, code: int) -> IntArray:
        counts: IntArray = np.count_nonzero(self.relations == code, axis=2)
        counts.setflags(write=False)
        return counts

    @cached_property
    def wins(self) -> IntArray:
        """On how many topics the row is better than the column."""
        return self._count(WIN)

    @cached_property
    def losses(self) -> IntArray:
        """On how many topics the column is better than the row."""
        return self._count(LOSS)

    @cached_property
    def ties(self) -> IntArray:
        """On how many topics both have the same grades at the same ranks."""
        return self._count(TIE)

    @cached_property
    def incomparable(self) -> IntArray:
        """On how many topics measures disagree."""
        return self._count(INCOMPARABLE)

    def of(self, a: str, b: str) -> Dominance:
        """Return how two systems stand to each other.

        Parameters
        ----------
        a : str
            The name of one system.
        b : str
            The name of the other system.
        """
        first, second = place_of(a, self.systems), place_of(b, self.systems)
        return from_relations(self.judged, a, b, self.relations[first, second], self.depth)

    @cached_property
    def at_least_as_good(self) -> BoolArray:
        """Where the row is at least as good as the column on every topic on which they were compared."""
        found = np.asarray((self.losses + self.incomparable == 0) & (self.wins + self.ties > 0))
        found.setflags(write=False)
        return found

    def everywhere(self, a: str, b: str) -> bool:
        """Return whether `a` is at least as good as `b` on every topic under every measure that respects the order.

        Parameters
        ----------
        a : str
            The name of one system.
        b : str
            The name of the other system.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 2))
        >>> dominance_matrix(judged).everywhere("s0", "s1"), dominance_matrix(judged).everywhere("s1", "s0")
        (True, False)
        """
        return bool(self.at_least_as_good[place_of(a, self.systems), place_of(b, self.systems)])

    @cached_property
    def better_everywhere(self) -> BoolArray:
        """Where the row is at least as good as the column on every topic and better on some, systems × systems."""
        found = np.asarray(self.at_least_as_good & (self.wins > 0))
        found.setflags(write=False)
        return found

    @property
    def settled(self) -> bool:
        """Whether of every two systems one is at least as good on every topic, so that all such measures agree."""
        return bool((self.at_least_as_good | self.at_least_as_good.T)[np.triu_indices(len(self.systems), 1)].all())

    def undominated(self) -> tuple[str, ...]:
        """Return the systems that no other system matches on every topic and beats on some."""
        beaten = np.flatnonzero(self.better_everywhere.any(axis=0))
        return tuple(system for place, system in enumerate(self.systems) if place not in beaten)

    def table(self) -> pl.DataFrame:
        """Return a frame with a row for every pair: both systems, wins, losses, ties, undecided topics (needs polars).

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 2))
        >>> dominance_matrix(judged).table().row(0)
        ('s0', 's1', 1, 0, 0, 0)
        """
        upper = rows, columns = np.triu_indices(len(self.systems), 1)
        return PlainTable(
            {
                "a": _named(self.systems, rows),
                "b": _named(self.systems, columns),
                "wins": self.wins[upper],
                "losses": self.losses[upper],
                "ties": self.ties[upper],
                "incomparable": self.incomparable[upper],
            },
            {"a": str, "b": str},
        ).to_polars("DominanceMatrix.table")


def _named(systems: Sequence[str], places: IntArray) -> list[str]:
    return [systems[place] for place in places.tolist()]


@explains_calls
def dominance_matrix(judged: JudgedRuns, *, depth: int | None = None, progress: Progress = silent) -> DominanceMatrix:
    """Return how every two systems stand to each other under every measure that respects replacement and swap.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs.
    depth : int, optional
        How many ranks to compare, by default all.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
    >>> dominance_matrix(judged, depth=2).of("s0", "s1").wins, dominance_matrix(judged).of("s0", "s1").incomparable
    (1, 1)

    References
    ----------
    [FerranteFerroMaistro2015]_, sections 4.2 and 5
    """
    check_progress(progress)
    ranks = depth_within(judged, depth)
    found = relations(judged, ranks, progress)
    return DominanceMatrix(judged=judged, depth=ranks, relations=found, caveats=caveats_of(judged))


def _counted_of(counts: IntArray, pair: tuple[int, int]) -> int:
    return int(counts[pair])
