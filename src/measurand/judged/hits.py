"""Hits: where documents with a grade stand in judged runs, and sums over them.

Sums are flat arrays: one number for each judged run, system by system and topic by topic.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from measurand.judged.runs import JudgedRuns


@frozen(eq=False, repr=False, slots=False)
class Hits:
    """Every retrieved document of grade 1 or more: where it stands and what it is worth.

    Parameters
    ----------
    row
        Which judged run, counting system by system and topic by topic.
    rank
        Its rank, from 1.
    grade
        Its grade.
    """

    row: IntArray
    rank: IntArray
    grade: IntArray

    def where(self, keep: BoolArray) -> Hits:
        """Return the hits that `keep` keeps.

        Parameters
        ----------
        keep
            For each hit whether to keep it.
        """
        return Hits(self.row[keep], self.rank[keep], self.grade[keep])

    def select(self, rel: int, cutoff: int | None) -> Hits:
        """Return the hits of grade `rel` and above within `cutoff`.

        Parameters
        ----------
        rel
            The lowest grade that counts as relevant.
        cutoff
            The last rank; None for all.
        """
        keep = self.grade >= rel
        if cutoff is not None:
            keep &= self.rank <= cutoff
        return self if keep.all() else self.where(keep)

    @cached_property
    def ordinal(self) -> IntArray:
        """How many hits of its run stand at this rank or above."""
        if not len(self.row):
            return np.empty(0, dtype=np.int64)
        first = np.flatnonzero(np.concatenate(([True], self.row[1:] != self.row[:-1])))
        sizes = np.diff(np.append(first, len(self.row)))
        return np.arange(1, len(self.row) + 1) - np.repeat(first, sizes)


def gather(row: IntArray, weights: Any, judged: JudgedRuns) -> FloatArray:
    """Return the sum of `weights` over the rows they belong to, rank after rank."""
    return np.asarray(np.bincount(row, weights, len(judged.systems) * len(judged.topics)), dtype=np.float64)


def by_topic(values: Any, judged: JudgedRuns) -> FloatArray:
    """Return a number per topic repeated for every system, flat."""
    return np.tile(np.asarray(values, dtype=np.float64), len(judged.systems))


def ideal_gains(
    judged: JudgedRuns, rel: int, worth: FloatArray | IntArray, topic: IntArray, rank: IntArray
) -> FloatArray:
    """Return the sums of what the grades of topics' ideal rankings are worth, each down to a rank.

    Parameters
    ----------
    judged
        The judged runs.
    rel
        The lowest grade that counts as relevant.
    worth
        What every grade is worth.
    topic, rank
        The places of the topics, and the rank in the ideal ranking of each.
    """
    # how many ranks are left below the documents of all higher grades
    sums, left = np.zeros(rank.shape, dtype=np.float64), rank
    for grade in range(judged.grade_counts.shape[1] - 1, max(1, rel) - 1, -1):
        number = judged.grade_counts[topic, grade]
        sums += worth[grade] * np.clip(left, 0, number)
        left = left - number
    return sums


def count(kind: BoolArray, ranks: Any, judged: JudgedRuns) -> IntArray:
    """Return how many cells of a kind each run has within so many ranks, flat.

    Parameters
    ----------
    kind
        For each of `judged.rows.values` whether it is one.
    ranks
        The last rank that is looked at, one for all runs or one for each.
    judged
        The judged runs.
    """
    row, rank = judged.rows.at(np.flatnonzero(kind))
    within = rank + 1 <= (ranks if np.ndim(ranks) == 0 else ranks[row])
    return np.bincount(row[within], minlength=judged.lengths.size)
