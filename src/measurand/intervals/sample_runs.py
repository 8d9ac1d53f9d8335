"""Some of very many runs: chosen to cover the range of a measure, or to lie next to a value.

A measure of 30 ranks has a thousand million runs. To draw the curve of its values one needs a few hundred whose values
are spread evenly, and to bound the share of runs between two values one needs runs on both sides of each. `across`
draws many runs, from those with few relevant documents to those with many, adds those at the edges of the largest gaps
(a top, and below it nothing or nothing but the best), and keeps evenly spread ones. `beside` returns runs next to a
value; for additive measures, where tops and tails are combined as in [HorowitzSahni1974]_, no run is closer. The
choice uses floats, since nothing depends on it: what is computed from the chosen runs afterwards is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import ceil, inf, log

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, FloatArray
from measurand.exact import Exact
from measurand.execution import generator
from measurand.intervals.universe import Universe
from measurand.judged import Pool, distinct_runs, every_run
from measurand.measures.additive import Additive
from measurand.measures.valued import Valuer

SPREAD = 240
"""So many values, evenly spread over the range, are looked for; and so many of those that were met."""

DRAWN, CELLS, ASKED = 1 << 15, 1 << 22, 1 << 9
"""So many runs are drawn; with so many ranks in all; and so many if they are valued one by one."""

TOPS = 1 << 10
"""So many tops of runs are continued with nothing, and with nothing but the best."""

HALF = 1 << 18
"""So many halves of runs are put together to come close to a value."""

NEGLIGIBLE = 1e-3
"""Runs without end are looked at down to where less than this remains to be gained."""

ROUNDING = 1e-12
"""Sums of floats closer to a value than this, relative to the largest, may be on its other side."""


@frozen(eq=False)
class SampleRuns:
    """Some of the runs that a measure's values are ranked on.

    Parameters
    ----------
    universe
        All the runs.

    Examples
    --------
    >>> from measurand.measures import parse
    >>> runs = SampleRuns(Universe(parse("RR"), 30, 2)).across()
    >>> len(runs), runs[1].nonzero()[0].tolist()
    (50, [29])
    """

    universe: Universe

    @cached_property
    def depth(self) -> int:
        """How many ranks are looked at: those that runs have, or those that matter if they have no end."""
        ranks = self.universe.ranks(None)
        if ranks != inf:
            return int(ranks)
        return ceil(log(NEGLIGIBLE) / log(self.universe.measure.parameters()["p"]))

    @cached_property
    def pool(self) -> Pool:
        """A topic with a relevant document for every rank."""
        return Pool.plain(self.depth, self.depth, self.universe.levels[-1])

    @cached_property
    def valuer(self) -> Valuer:
        """The measure on that topic."""
        return Valuer.of(self.universe.measure, self.pool)

    @cached_property
    def levels(self) -> Cells:
        """The grades that the measure tells apart."""
        return np.array(self.universe.levels, dtype=np.int8)

    def every(self) -> Cells:
        """Return every run, one a row."""
        return np.asarray(self.levels[every_run(self.depth, len(self.levels))])

    def across(self) -> Cells:
        """Return runs whose values are spread over the range, by ascending value."""
        values, runs = self._candidates
        last = len(values) - 1
        wanted = np.linspace(values[0], values[-1], SPREAD)
        after = np.searchsorted(values, wanted).clip(min(1, last), last)
        nearest = after - (wanted - values[after - 1] < values[after] - wanted)
        # and every so many values, which are all of them if there are few
        new = np.flatnonzero(np.diff(values, prepend=-np.inf) > ROUNDING * (values[-1] - values[0]))
        several = new[np.linspace(0, len(new) - 1, min(SPREAD, len(new))).astype(np.int64)]
        return np.asarray(runs[np.unique([*several, *nearest.clip(0, last), last])])

    def beside(self, marks: Sequence[Exact]) -> Cells:
        """Return runs with values just below, just above, and (if there are any) at some numbers.

        For an additive measure and runs that are not too long, no run is closer.
        """
        rows = [self._candidates[1][:0]]
        for mark in marks:
            around = np.searchsorted(self._candidates[0], float(mark))
            rows.append(self._candidates[1][max(around - 2, 0) : around + 2])
            rows.append(self._closest(float(mark)))
        return np.concatenate(rows)

    def rough(self, runs: Cells) -> FloatArray:
        """Return the values of runs as floats."""
        values = self.valuer.roughly(runs)
        if values is not None:
            return values
        return np.array([float(self.valuer.value(tuple(run))) for run in runs.tolist()])

    @cached_property
    def _candidates(self) -> tuple[FloatArray, Cells]:
        """Many runs by ascending value, and their values."""
        quick = self.valuer.roughly(self.levels[:1].repeat(self.depth)[None]) is not None
        many = min(DRAWN, CELLS // self.depth) if quick else ASKED
        telling = self._telling()
        runs = np.concatenate([telling if quick else telling[:: max(1, len(telling) // ASKED)], self._drawn(many)])
        runs = distinct_runs(runs)[0]
        values = self.rough(runs)
        order = np.argsort(values, kind="stable")
        return values[order], np.asarray(runs[order])

    def _telling(self) -> Cells:
        """Return runs on the edges of gaps: every short top with nothing, or nothing but the best, below it."""
        last = len(self.levels) - 1
        top = min(self.depth, int(log(min(TOPS, CELLS // self.depth)) / log(last + 1)))
        tops = every_run(top, last + 1)
        ends = [np.pad(tops, ((0, 0), (0, self.depth - top)), constant_values=grade) for grade in (0, last)]
        lone = np.eye(min(self.depth, CELLS // self.depth), self.depth, dtype=np.int8)[:, ::-1]
        return np.asarray(self.levels[np.concatenate([*ends, *(lone * grade for grade in range(1, last + 1))])])

    def _drawn(self, many: int) -> Cells:
        """Return random runs, from those with few relevant documents, of low grades, to those with many of high."""
        rng = generator(0)
        relevant = rng.random((many, self.depth)) < rng.random((many, 1))
        lowness = 10 ** rng.uniform(-1, 1, (many, 1))
        grades = 1 + np.floor((len(self.levels) - 1) * rng.random(relevant.shape) ** lowness).astype(np.int64)
        return np.asarray(self.levels[relevant * grades])

    def _closest(self, mark: float) -> Cells:
        """Return the runs closest to a number, as tops and tails whose values add up to it."""
        measure, tail = self.universe.measure, self.depth // 2
        none = np.empty((0, self.depth), dtype=np.int8)
        grades = len(self.levels)
        additive = isinstance(measure, Additive) and measure.is_defined_by(Additive)
        if not additive or not tail or (self.depth - tail) * log(grades) > log(HALF):
            return none
        tops = self.levels[np.pad(every_run(self.depth - tail, grades), ((0, 0), (0, tail)))]
        tails = self.levels[np.pad(every_run(tail, grades), ((0, 0), (self.depth - tail, 0)))]
        upper, lower = self.rough(tops), self.rough(tails)
        order = np.argsort(lower, kind="stable")
        tails, lower = tails[order], lower[order]
        slack = ROUNDING * max(abs(mark), upper.max() + lower.max())
        found = []
        for end, side in ((mark - slack, -1), (mark + slack, -1), (mark + slack, 0)):
            fits = np.searchsorted(lower, end - upper) + side
            sums = np.where((fits >= 0) & (fits < len(lower)), upper + lower[fits.clip(0, len(lower) - 1)], np.nan)
            if not np.isnan(sums).all():
                best = int(np.nanargmax(sums) if side else np.nanargmin(sums))
                found.append(tops[best] + tails[fits[best]])
        return np.array(found, dtype=np.int8) if found else none
