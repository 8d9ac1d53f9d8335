"""Doubles: the values of a measure as a plain program computes them, term by term in double precision."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import fsum
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.errors import ParameterError
from measurand.exact import Exact, ratio
from measurand.judged import POOLED, JudgedRuns, Pool
from measurand.measures import Measure
from measurand.measures.additive import Additive
from measurand.measures.cascade import Cascade
from measurand.measures.define import Defined
from measurand.measures.discounted_gain import NormalisedDiscountedCumulatedGain
from measurand.measures.relevant_ranks import RelevantRanks

Add: TypeAlias = Callable[[FloatArray], FloatArray]

PART = 1 << 16
"""So many runs are scored at a time."""


def doubles(measure: Measure, runs: Cells, pool: Pool, arithmetic: str = "left to right") -> FloatArray:
    """Return the values of runs of one length on a topic, in double precision and with no help from exact numbers.

    Every rank adds a term, and each step is rounded as the processor rounds it: a weight times a gain, where the
    weight of a discount is 1 divided by the discount; a number of relevant documents divided by a rank; a worth times
    the probability of stopping times that of coming so far. The sum is divided last, by the recall base or by the
    ideal run's sum, added up alike. A measure that is no such sum (P, R, RR, …) is scored by its own vectorised path,
    before exact numbers settle anything and whatever the arithmetic.

    Parameters
    ----------
    arithmetic
        How terms are added: "left to right", as a loop does; "pairwise", as numpy adds up the rows of a table, eight
        partial sums side by side from eight ranks on; "fsum", as `math.fsum`, which rounds once at the end.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> runs = np.array([[0, 0, 1, 1, 1, 1], [1, 0, 0, 1, 1, 0]], dtype=np.int8)
    >>> doubles(AP, runs, Pool((6, 6))).tolist()
    [0.3499999999999999, 0.35000000000000003]
    """
    add = check_arithmetic(arithmetic)
    if isinstance(measure, Defined):
        raise ParameterError(f"{measure!r} is a function of yours, and what it does inside is not known here")
    if measure.judged_only:
        runs = JudgedRuns.on_one_topic(runs, pool.grade_counts).condensed.cells[:, 0]
    if _terms_of(measure) is None:
        return measure.fast(JudgedRuns.on_one_topic(runs, pool.grade_counts))
    sums = undivided(measure, runs, pool, add)
    return ratio(sums, _divisor(measure, pool, runs[:, : measure.cutoff].shape[1], add))


def undivided(measure: Measure, runs: Cells, pool: Pool, add: Add | None = None) -> FloatArray:
    """Return the sums of runs over their ranks in double precision, before they are divided by anything.

    Parameters
    ----------
    measure
        A measure that is a sum over ranks.
    runs
        Judged runs of one length, one a row.
    pool
        What the judgments say of the topic.
    add
        How terms are added; from left to right if nothing is said.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> undivided(AP, np.array([[0, 0, 1, 1, 1, 1], [1, 0, 0, 1, 1, 0]], dtype=np.int8), Pool((6, 6))).tolist()
    [2.0999999999999996, 2.1]
    """
    terms = _terms_of(measure)
    if terms is None:
        raise ParameterError(f"{measure!r} is no sum over ranks")
    seen, adding = runs[:, : measure.cutoff], add or _left_to_right
    parts = [adding(terms(measure, seen[start : start + PART], pool)) for start in range(0, len(seen), PART)]
    return np.concatenate([np.zeros(0), *parts])


def check_arithmetic(arithmetic: str) -> Add:
    """Return how to add up the rows of a table, or say which ways there are.

    Examples
    --------
    >>> tenths = np.full((1, 10), 0.1)
    >>> [check_arithmetic(name)(tenths).item() for name in ("left to right", "pairwise", "fsum")]
    [0.9999999999999999, 1.0, 1.0]
    """
    if arithmetic not in ARITHMETICS:
        raise ParameterError(f"numbers are added up {', '.join(map(repr, ARITHMETICS))}; not {arithmetic!r}")
    return ARITHMETICS[arithmetic]


def _left_to_right(terms: FloatArray) -> FloatArray:
    sums = np.zeros(len(terms))
    for column in terms.T:
        sums = sums + column
    return sums


def _pairwise(terms: FloatArray) -> FloatArray:
    return np.asarray(np.ascontiguousarray(terms).sum(axis=1))


def _fsum(terms: FloatArray) -> FloatArray:
    return np.array([fsum(row) for row in terms.tolist()])


ARITHMETICS = MappingProxyType({"left to right": _left_to_right, "pairwise": _pairwise, "fsum": _fsum})
"""How a row of terms can be added up."""


def _divisor(measure: Measure, pool: Pool, length: int, add: Add) -> float:
    """Return what a sum is divided by: the recall base, the ideal run added up in the same way, or a number."""
    if isinstance(measure, RelevantRanks):
        return float(pool.recall_base(measure.rel))
    if isinstance(measure, NormalisedDiscountedCumulatedGain):
        ideal = measure.ideal(pool)
        row = np.array([[*ideal, *[0] * (length - len(ideal))]], dtype=np.int8)
        return add(_weighed(measure, row, pool)).item()
    return float(measure.scaling(pool, length)) if isinstance(measure, Additive) else 1.0


def _terms_of(measure: Measure) -> Callable[..., FloatArray] | None:
    """Return what makes the terms of a measure of a family; None if it is no sum over ranks."""
    for family, terms in ((Additive, _weighed), (RelevantRanks, _visited), (Cascade, _stopped)):
        if isinstance(measure, family) and measure.is_defined_by(family):
            return terms
    return None


def _weighed(measure: Additive, runs: Cells, pool: Pool) -> FloatArray:
    weights = np.array([_weight(measure.weight(rank)) for rank in range(1, runs.shape[1] + 1)])
    gains = measure.gains(measure.top_grade(pool))
    gains[0] = 0.0
    return np.asarray(weights * gains[np.maximum(runs, 0)])


def _weight(weight: Exact) -> float:
    """Return the weight of a rank: a discount is rounded, and then 1 divided by it, as programs do."""
    # from the exact discount, because logarithms in floats are not the same on every machine
    return float(weight) if isinstance(weight, Fraction) else 1 / float(1 / weight)  # type: ignore[operator]


def _visited(measure: RelevantRanks, runs: Cells, pool: Pool) -> FloatArray:
    return np.where(runs >= measure.rel, measure.contribution(_Walks(runs, pool, measure.rel)), 0.0)


def _stopped(measure: Cascade, runs: Cells, pool: Pool) -> FloatArray:
    top = measure.top_grade(pool)
    stops = np.array([0.0, *(float(measure.stop(grade, top)) for grade in range(1, top + 1))])[np.maximum(runs, 0)]
    worths = np.array([float(measure.utility(rank)) for rank in range(1, runs.shape[1] + 1)])
    so_far = np.cumprod(1 - stops, axis=1)
    return np.asarray(worths * stops * np.hstack([np.ones((len(runs), 1)), so_far[:, :-1]]))


@frozen(eq=False, slots=False)
class _Walks:
    """What has been seen on arriving at every rank of some runs, as tables of runs × ranks."""

    runs: Cells
    pool: Pool
    rel: int

    @cached_property
    def _hits(self) -> IntArray:
        return np.asarray(self.runs >= self.rel, dtype=np.int64)

    @property
    def rank(self) -> FloatArray:
        return np.arange(1, self.runs.shape[1] + 1, dtype=np.float64)

    @property
    def relevant(self) -> IntArray:
        return np.cumsum(self._hits, axis=1)

    @property
    def nonrelevant(self) -> IntArray:
        return np.cumsum((self.runs >= 0) & (self.runs < self.rel), axis=1)

    @property
    def pooled(self) -> IntArray:
        return np.cumsum(self.runs == POOLED, axis=1)

    @property
    def gain(self) -> IntArray:
        return np.cumsum(self._hits * self.runs, axis=1)

    @property
    def ideal_gain(self) -> IntArray:
        best = np.zeros(self.runs.shape[1], dtype=np.int64)
        grades = [grade for grade in self.pool.ideal(len(best)) if grade >= self.rel]
        best[: len(grades)] = grades
        return np.cumsum(best)

    @property
    def recall_base(self) -> int:
        return self.pool.recall_base(self.rel)

    @property
    def all_nonrelevant(self) -> int:
        return self.pool.nonrelevant(self.rel)
