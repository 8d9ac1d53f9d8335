"""What has been seen on arriving at a relevant document in a run with ties, on average over all orders."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import frozen

from measurand.judged import Pool
from measurand.measures.flat import ideal_gains
from measurand.measures.ties.tied_runs import TiedRun, TiedRuns


@frozen(eq=False)
class Meetings:
    r"""The mean of what has been seen at a place, given that a relevant document stands there.

    Numbers for one place, arrays for many. If `r` of the `m` documents of a group are relevant, one stands at its
    place `j` with probability :math:`r/m`, and then :math:`(j-1)(r-1)/(m-1)` of those above it in the group are
    expected to be relevant. All relevant documents have the same mean gain.

    Parameters
    ----------
    chance
        How likely a relevant document stands there.
    relevant, gain
        The mean number of relevant documents down to it, and the mean sum of their grades.
    """

    chance: Any
    rank: Any
    relevant: Any
    gain: Any
    ideal_gain: Any
    recall_base: Any
    all_nonrelevant: Any
    nonrelevant: Any = None
    pooled: Any = None

    @classmethod
    def at_places(cls, runs: TiedRuns, rel: int) -> Meetings:
        """Return those at all places of some runs; where no relevant document can stand they have no chance."""
        found = (runs.cell >= rel).astype(np.float64)
        relevant, gain = runs.per_group(found), runs.per_group(found * runs.cell)
        size = runs.size.astype(np.float64)
        share = np.divide(relevant - 1, size - 1, out=np.zeros_like(size), where=size > 1)
        mean_gain = np.divide(gain, relevant, out=np.zeros_like(size), where=relevant > 0)
        in_group = 1 + (runs.nth - 1) * share[runs.group]
        topic = runs.topic[runs.place_run]
        return cls(
            chance=(relevant / size)[runs.group],
            rank=runs.rank.astype(np.float64),
            relevant=runs.before(relevant)[runs.group] + in_group,
            gain=runs.before(gain)[runs.group] + in_group * mean_gain[runs.group],
            ideal_gain=ideal_gains(runs.judged, rel)[topic, runs.rank],
            recall_base=runs.judged.recall_bases(rel)[topic],
            all_nonrelevant=runs.judged.grade_counts[:, :rel].sum(axis=1)[topic],
        )

    @classmethod
    def in_run(cls, run: TiedRun, pool: Pool, rel: int) -> Iterator[Meetings]:
        """Return those of one run, exactly, at each place where a relevant document can stand."""
        ideal = [grade for grade in pool.ideal(run.length) if grade >= rel]
        before = gained = 0
        for group in run.groups:
            grades = [cell for cell in group.cells if cell >= rel]
            m, r = len(group.cells), len(grades)
            for nth, seen in enumerate(group.seen if r else (), 1):
                in_group = 1 + Fraction((nth - 1) * (r - 1), m - 1 if m > 1 else 1)
                rank = group.start + nth
                yield cls(
                    chance=Fraction(r, m) * seen,
                    rank=Fraction(rank),
                    relevant=before + in_group,
                    gain=gained + in_group * Fraction(sum(grades), r),
                    ideal_gain=sum(ideal[:rank]),
                    recall_base=pool.recall_base(rel),
                    all_nonrelevant=pool.nonrelevant(rel),
                )
            before, gained = before + r, gained + sum(grades)
