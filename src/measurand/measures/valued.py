"""Judged runs with their exact places under a measure."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np
from attrs import Factory, define, frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.errors import FunctionFailed
from measurand.exact import Exact, ranked
from measurand.judged import JudgedRuns, Pool
from measurand.measures.base import Cells as Run
from measurand.measures.base import Measure
from measurand.measures.define import Defined

NEAR = 1e-12
"""Answers of a user's function that are closer than this, relative to the larger, are taken to be equal."""


ROUGH = 1e-9
"""Floats of two values that differ by more than this, relative to the larger, are trusted to order them."""


@define(eq=False)
class Valuer:
    """A measure on a topic that remembers every run it has valued.

    Functions of users are asked twice for each run, so that one that does not always answer the same
    is found out, and their answers are compared with a tolerance for rounding, unless they declare to be
    `rational`.
    """

    measure: Measure
    pool: Pool
    _levels: dict[Run, Exact] = Factory(dict)

    @property
    def near(self) -> float:
        """How close two answers may be and still be one value."""
        return NEAR if isinstance(self.measure, Defined) and self.measure.exactness != "rational" else 0

    def level(self, run: Run) -> Exact:
        """Return the level of a run (its value in the units of the topic)."""
        seen = self.measure.view(self._flattened(run))
        if seen not in self._levels:
            level = self.measure.level(seen, self.pool)
            if isinstance(self.measure, Defined) and (again := self.measure.level(seen, self.pool)) != level:
                deed = f"answered {float(level)} and then {float(again)}"
                raise FunctionFailed(repr(self.measure), run, deed, "so it does not depend on the run alone")
            self._levels[seen] = level
        return self._levels[seen]

    def _flattened(self, run: Run) -> Run:
        """Return the run as the measure sees it, so that runs it cannot tell apart are valued once."""
        if self.measure.graded or isinstance(self.measure, Defined):
            return run
        lowest = self.measure.lowest
        return tuple(lowest if cell >= lowest else min(cell, 0) for cell in run)

    def value(self, run: Run) -> Exact:
        """Return the value of a run."""
        return self.level(run) / self.measure.unit(self.pool, len(self.measure.view(run)))  # type: ignore[operator]

    def roughly(self, runs: Cells) -> FloatArray | None:
        """Return the values of runs of one length as floats, right to `ROUGH`; None for functions of users."""
        if isinstance(self.measure, Defined):
            return None
        judged = JudgedRuns.on_one_topic(runs, self.pool.grade_counts)
        return self.measure.fast(judged.condensed if self.measure.judged_only else judged)

    def places(self, runs: Cells) -> IntArray:
        """Return the place of each run among the different values, from 0.

        Floats put in order what is far apart; exact values what is not.
        """
        rough = self.roughly(runs)
        if rough is None:
            return self.all(runs).places
        order = np.argsort(rough, kind="stable")
        ascending = rough[order]
        apart = np.diff(ascending) > ROUGH * np.maximum(np.abs(ascending[1:]), np.abs(ascending[:-1]))
        starts = np.concatenate(([0], np.flatnonzero(apart) + 1, [len(runs)]))
        places = np.empty(len(runs), dtype=np.int64)
        taken = 0
        for start, end in pairwise(starts.tolist()):
            group = order[start:end]
            inside = self.all(runs[group]).places if end - start > 1 else np.zeros(1, dtype=np.int64)
            places[group] = taken + inside
            taken += int(inside.max()) + 1
        return places

    def all(self, runs: Cells) -> Valued:
        """Return runs of one length, one a row, with their places."""
        levels = [self.level(run) for run in map(tuple, runs.tolist())]
        distinct, places = ranked(levels, near=self.near)
        return Valued(self.measure, self.pool, runs, distinct, places)


@frozen(eq=False)
class Valued:
    """Judged runs of one length on a topic, with the place of each among their different values.

    Parameters
    ----------
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
