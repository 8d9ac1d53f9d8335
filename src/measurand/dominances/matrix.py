"""Dominance of every system over every other, at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.dominances.notebook import matrix_html
from measurand.dominances.pair import Dominance, from_relations
from measurand.dominances.relations import (
    INCOMPARABLE,
    LOSS,
    TIE,
    WIN,
    caveats_of,
    depth_within,
    relations,
)
from measurand.errors import Caveat, ParameterError
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns
from measurand.scores import place_of
from measurand.statistics import CORRECTIONS, corrected
from measurand.statistics.sign_test import sign_pvalues

if TYPE_CHECKING:
    import polars as pl


def _read_only(codes: Cells) -> Cells:
    codes.setflags(write=False)
    return codes


@frozen(kw_only=True, eq=False, repr=False)
class DominanceMatrix:
    """How every two systems stand to each other topic by topic, whatever measure is chosen.

    Parameters
    ----------
    judged
        The judged runs that were compared.
    depth
        How many ranks were compared.
    relations
        Systems × systems × topics: 1 where the row is better, -1 where the column is, 0 where both have the same
        grades, 2 where measures disagree, 3 where either left the topic out.
    adjusted
        How the p-values are corrected for being many.

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
    adjusted: str = "none"
    caveats: tuple[Caveat, ...] = ()

    def __repr__(self) -> str:
        n, t = len(self.systems), len(self.topics)
        return f"<DominanceMatrix: {n} systems × {n} systems, {t} topics × {self.depth} ranks>"

    def _repr_html_(self) -> str:
        counts = self.wins, self.ties, self.losses, self.incomparable
        unbeaten = self.undominated()
        return matrix_html(self.systems, self.depth, counts, self.pvalues, self.adjusted, unbeaten, self.caveats)

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

    @cached_property
    def pvalues(self) -> FloatArray:
        """The two-sided sign tests on decided topics, symmetric, 1 on the diagonal, corrected as `adjusted` says."""
        found = sign_pvalues(*np.stack([self.wins, self.losses]))
        upper = np.triu_indices(len(self.systems), 1)
        found[upper] = corrected(found[upper], self.adjusted)
        found.T[upper] = found[upper]
        found.setflags(write=False)
        return found

    def adjust(self, method: str) -> DominanceMatrix:
        """Return the same with p-values corrected for the number of pairs: "holm", "bonferroni", "bh" or "none".

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 2))
        >>> dominance_matrix(judged).adjust("holm").adjusted
        'holm'
        """
        if method not in CORRECTIONS:
            raise ParameterError(f"there is no correction {method!r}; there is {', '.join(CORRECTIONS)}")
        if self.adjusted != "none":
            raise ParameterError(f"the p-values are corrected already, by {self.adjusted}")
        return evolve(self, adjusted=method)

    def of(self, a: str, b: str) -> Dominance:
        """Return how two systems stand to each other; its p-value is that of this pair alone."""
        first, second = place_of(a, self.systems), place_of(b, self.systems)
        return from_relations(self.judged, a, b, self.relations[first, second], self.depth)

    @cached_property
    def _everywhere(self) -> BoolArray:
        """Where the row is at least as good as the column on every topic on which they were compared."""
        return np.asarray((self.losses + self.incomparable == 0) & (self.wins + self.ties > 0))

    def everywhere(self, a: str, b: str) -> bool:
        """Say whether `a` is at least as good as `b` on every topic, whatever measure is chosen.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 2))
        >>> dominance_matrix(judged).everywhere("s0", "s1"), dominance_matrix(judged).everywhere("s1", "s0")
        (True, False)
        """
        return bool(self._everywhere[place_of(a, self.systems), place_of(b, self.systems)])

    def undominated(self) -> tuple[str, ...]:
        """Return the systems than which no other is at least as good on every topic and better on some."""
        beaten = np.flatnonzero((self._everywhere & (self.wins > 0)).any(axis=0))
        return tuple(system for place, system in enumerate(self.systems) if place not in beaten)

    def table(self) -> pl.DataFrame:
        """Return a row for every pair: both systems, wins, losses, ties, undecided topics and the p-value.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 2))
        >>> dominance_matrix(judged).table().row(0)
        ('s0', 's1', 1, 0, 0, 0, 1.0)
        """
        import polars as pl

        upper = rows, columns = np.triu_indices(len(self.systems), 1)
        kinds = {"a": pl.String, "b": pl.String}
        return pl.DataFrame(
            {
                "a": _named(self.systems, rows),
                "b": _named(self.systems, columns),
                "wins": self.wins[upper],
                "losses": self.losses[upper],
                "ties": self.ties[upper],
                "incomparable": self.incomparable[upper],
                "pvalue": self.pvalues[upper],
            },
            schema_overrides=kinds,
        )


def _named(systems: Sequence[str], places: IntArray) -> list[str]:
    return [systems[place] for place in places.tolist()]


def dominance_matrix(judged: JudgedRuns, *, depth: int | None = None, progress: Progress = silent) -> DominanceMatrix:
    """Return how every two systems stand to each other topic by topic, whatever measure is chosen.

    Parameters
    ----------
    depth
        How many ranks to compare, all if nothing is said.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
    >>> dominance_matrix(judged, depth=2).of("s0", "s1").wins, dominance_matrix(judged).of("s0", "s1").incomparable
    (1, 1)

    See Also
    --------
    dominance : two systems, with what is compared and why

    References
    ----------
    [FerranteFerroMaistro2015]_, sections 4.2 and 5
    """
    ranks = depth_within(judged, depth)
    return DominanceMatrix(
        judged=judged, depth=ranks, relations=relations(judged, ranks, progress), caveats=caveats_of(judged)
    )
