"""Judged runs with their exact places under a measure, and how many runs score no more than one.

Comparing every run with every other exactly would take long, and floats part what is equal. So floats are sorted first,
and runs whose floats are further apart than rounding explains are in order. Where a run stands too close to others, the
exact values of that group decide.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, cast

import numpy as np
from attrs import Factory, define, frozen

from measurand.arrays import BoolArray, Cells, FloatArray, IntArray
from measurand.errors import FunctionFailed, NotANumber
from measurand.exact import Exact, ranked, shown
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns, Pool, distinct_runs
from measurand.measures.base import Binary, Grades, Measure
from measurand.measures.defined import Defined
from measurand.measures.geometric_mean import GeometricMean

NEAR = 1e-12
"""Answers of a user's function that are closer than this, relative to the largest, are taken to be equal."""

ROUGH = 1e-9
"""Floats of two values that differ by more than this, relative to the larger, are trusted to order them …"""

TINY = 1e-11
"""… if they differ by more than this: near 0 the parts of a sum may have cancelled."""

TRIED = 12
"""On so many runs the vectorised path is compared with the definition before it is trusted."""

PART = 1 << 9
"""So many runs are valued by a function between two steps of the progress bar."""


@define(eq=False)
class Valuer:
    """A measure on a topic that remembers every run it has valued.

    Functions of users are called twice for each run, so that one that does not always answer the same is found
    out. If they answer in floating point, values are compared with a tolerance for rounding.
    """

    measure: Measure
    pool: Pool
    infinite: bool = False
    """Whether infinite answers of a function are taken for values."""
    _levels: dict[Grades, Exact] = Factory(dict)
    _rounded: bool = False
    _largest: Fraction = Fraction(0)
    _trusted: bool | None = None
    _is_function: bool = False
    _is_binary: bool = False
    _units: dict[int, Exact] = Factory(dict)

    def __attrs_post_init__(self) -> None:
        self._is_function = isinstance(self.measure, Defined)
        self._is_binary = isinstance(self.measure, Binary) and not self.measure.graded

    @classmethod
    def of(cls, measure: Measure, pool: Pool) -> Valuer:
        """Return a measure on a topic; how a measure is averaged over topics plays no part."""
        return cls(measure.measure if isinstance(measure, GeometricMean) else measure, pool)

    def allowing_infinity(self) -> Valuer:
        """Return the same measure on the topic, with infinite answers taken for values."""
        return Valuer(self.measure, self.pool, infinite=True)

    @property
    def near(self) -> float:
        """How close two answers may be, relative to the largest, and still be one value."""
        return NEAR if self._rounded else 0

    @property
    def slow(self) -> bool:
        """Whether runs are valued one by one."""
        return self._is_function

    def level(self, run: Grades) -> Exact:
        """Return the level of a run (its value in the units of the topic)."""
        seen = self.measure.view(self._flattened(run))
        level = self._levels.get(seen)
        if level is None:
            level = self._ask(seen)
            if self._is_function:
                self._check_again(seen, level)
            self._levels[seen] = level
        return level

    def _flattened(self, run: Grades) -> Grades:
        """Return the run as the measure sees it, so that runs it does not distinguish are valued once."""
        if not self._is_binary:
            return run
        lowest = self.measure.lowest
        return tuple([lowest if cell >= lowest else 0 if cell > 0 else cell for cell in run])

    def compare(self, one: Grades, other: Grades) -> int:
        """Return 1 if the first of two runs of any length is better, -1 if the second is, 0 for a tie."""
        first: Any = self.value(one)
        second: Any = self.value(other)
        fractions = isinstance(first, Fraction) and isinstance(second, Fraction)
        # functions have no unit, so that the largest level is the largest value
        if self.near and fractions and abs(first - second) <= Fraction(self.near) * self._largest:
            return 0
        return self.prefers(first, second)

    def prefers(self, first: Any, second: Any) -> int:
        """Return 1 if the first of two values is better, -1 if the second is, 0 if they are equal."""
        if isinstance(first, float) or isinstance(second, float):  # one is infinite
            first, second = float(first), float(second)
        higher = int(first > second) - int(first < second)
        return -higher if self.measure.lower_is_better else higher

    def value(self, run: Grades) -> Exact:
        """Return the value of a run."""
        length = len(self.measure.view(run))
        if length not in self._units:
            self._units[length] = self.measure.unit(self.pool, length)
        unit = self._units[length]
        return self.level(run) if unit == 1 else self.level(run) / unit  # type: ignore[operator]

    def roughly(self, runs: Cells) -> FloatArray | None:
        """Return the values of runs of one length as floats, right to `ROUGH`; None for functions of users."""
        if self._is_function or self._trusted is False:
            return None
        judged = JudgedRuns.on_one_topic(runs, self.pool.grade_counts)
        values = self.measure.fast(judged.condensed if self.measure.judged_only else judged)
        if self._trusted is None and len(runs):
            # a measure may have changed its definition and left the fast path as it was
            tried = range(0, len(runs), -(-len(runs) // TRIED))
            exact = np.array([float(self.value(tuple(runs[place].tolist()))) for place in tried])
            self._trusted = not far_apart(values[list(tried)], exact).any()
        return values if self._trusted else None

    def rough_goodness(self, runs: Cells) -> FloatArray | None:
        """Return the same turned round where lower is better: the higher, the better."""
        values = self.roughly(runs)
        return -values if values is not None and self.measure.lower_is_better else values

    def confirm(self) -> None:
        """Value every run once more that was valued so far, the last one first; complain of a function that wavers."""
        for run, level in reversed(self._levels.items()):
            self._check_again(run, level)

    def _ask(self, run: Grades) -> Exact:
        if not isinstance(self.measure, Defined):
            return self.measure.level(run, self.pool)
        answer, rounded = self.measure.answer(run, self.pool, extended=self.infinite)
        if answer != answer:
            raise NotANumber(repr(self.measure), run, "answered nan", "which is no number")
        level = cast(Exact, answer)  # or infinite, where that is allowed
        self._rounded |= rounded
        if isinstance(level, Fraction):
            self._largest = max(self._largest, abs(level))
        return level

    def _check_again(self, run: Grades, level: Exact) -> None:
        again = self._ask(run)
        if again != level:
            deed = f"answered {shown(level)} and then {shown(again)}"
            raise FunctionFailed(repr(self.measure), run, deed, "so it does not depend on the run alone")

    def all(self, runs: Cells) -> Valued:
        """Return runs of one length, one a row, with their places."""
        cells: list[Grades] = list(map(tuple, runs.tolist()))
        if self._is_function:
            levels = [self.level(run) for run in cells]
        else:
            seen = [self.measure.view(self._flattened(run)) for run in cells]
            new = [run for run in dict.fromkeys(seen) if run not in self._levels]
            self._levels |= zip(new, self.measure.levels(new, self.pool), strict=True)
            levels = [self._levels[run] for run in seen]
        distinct, places = _ranked(levels, self.near) if self.infinite else ranked(levels, near=self.near)
        return Valued(self.measure, self.pool, runs, distinct, places)


def _ranked(levels: list[Any], near: float) -> tuple[list[Any], IntArray]:
    """Return what `ranked` does of levels of which some may be infinite."""
    finite, places = ranked([level for level in levels if not isinstance(level, float)], near=near)
    below, above = ([bound] if bound in levels else [] for bound in (-inf, inf))
    own = iter((places + len(below)).tolist())
    last = len(below) + len(finite)
    found = [(last if level > 0 else 0) if isinstance(level, float) else next(own) for level in levels]
    return [*below, *finite, *above], np.array(found, dtype=np.int64)


@frozen(eq=False)
class Valued:
    """Judged runs of one length on a topic, with the place of each among their different values.

    Parameters
    ----------
    measure
        The measure.
    pool
        What the judgments of the topic hold.
    runs
        The runs, one a row.
    levels
        The different levels in ascending order.
    places
        Where the level of each run stands among them, from 0.
    """

    measure: Measure
    pool: Pool
    runs: Cells
    levels: list[Exact]
    places: IntArray

    @cached_property
    def unit(self) -> Exact:
        """What a level is divided by to give a value."""
        return self.measure.unit(self.pool, len(self.measure.view((0,) * self.runs.shape[1])))

    @property
    def goodness(self) -> IntArray:
        """The places, turned round where lower is better: the higher, the better."""
        return -self.places if self.measure.lower_is_better else self.places


def far_apart(one: FloatArray, other: FloatArray) -> BoolArray:
    """Return where two rough values are so far apart that the exact ones stand in the same order.

    Examples
    --------
    >>> far_apart(np.array([0.5, 0.5, 1e-17]), np.array([0.6, 0.5 + 1e-12, 0.0])).tolist()
    [True, False, False]
    """
    slack = np.maximum(ROUGH * np.maximum(np.abs(one), np.abs(other)), TINY)
    return np.asarray(np.abs(one - other) > slack)


def numbers_at_most(valuer: Valuer, runs: Cells, others: Cells, progress: Progress = silent) -> IntArray:
    """Return how many of the others score no more than each of some runs; exact values decide.

    Floats order what is far apart. Where a run and others are too close for floats, their exact values are compared.

    Parameters
    ----------
    valuer
        The measure on the topic.
    runs, others
        Runs of one length, one a row.
    progress
        Shows how far a long computation is.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> runs = np.array([[0, 1], [1, 0]], dtype=np.int8)
    >>> numbers_at_most(Valuer.of(AP, Pool.plain(2, 2)), runs, runs).tolist()
    [1, 2]
    """
    every, which = distinct_runs(np.concatenate([runs, others]))
    asked, weights = np.zeros(len(every), dtype=bool), np.bincount(which[len(runs) :], minlength=len(every))
    asked[which[: len(runs)]] = True
    places = _places(valuer, every, asked, weights > 0, progress)
    upto = np.cumsum(np.bincount(places, weights=weights, minlength=len(every))).astype(np.int64)
    return np.asarray(upto[places[which[: len(runs)]]])


def _places(valuer: Valuer, runs: Cells, asked: BoolArray, there: BoolArray, progress: Progress) -> IntArray:
    """Return whole numbers that order the runs, as exactly as a comparison of those asked with those there needs."""
    rough = valuer.roughly(runs)
    if rough is None or not np.isfinite(rough).all():
        return _exact_places(valuer, runs, progress)
    order = np.argsort(rough, kind="stable")
    ascending = rough[order]
    starts = np.flatnonzero(np.concatenate([[True], far_apart(ascending[1:], ascending[:-1])]))
    group = np.searchsorted(starts, np.arange(len(runs)), side="right") - 1
    places = np.empty(len(runs), dtype=np.int64)
    places[order] = starts[group]
    mixed = np.bincount(group, weights=asked[order]).astype(bool) & np.bincount(group, weights=there[order]).astype(
        bool
    )
    ends = np.append(starts[1:], len(runs))
    several = np.flatnonzero(mixed & (ends - starts > 1))
    for one in progress(several, len(several), "comparing exact values"):
        rows = order[starts[one] : ends[one]]
        places[rows] = starts[one] + valuer.all(runs[rows]).places
    return places


def _exact_places(valuer: Valuer, runs: Cells, progress: Progress) -> IntArray:
    """Return the places of runs in the order of their exact values, valued one by one."""
    parts = range(0, len(runs), PART)
    for start in progress(parts, len(parts), f"valuing {len(runs):,} runs"):
        valuer.all(runs[start : start + PART])
    return valuer.all(runs).places
