"""Conventions of published tables: computed as their authors did, where that differs from what is right."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import ParameterError
from measurand.exact import ratio
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.average_precision import AveragePrecision
from measurand.scale import Scale
from measurand.scales.doubles import undivided
from measurand.scales.raw_and_interval import AS_RANKS, RawAndInterval
from measurand.scales.sums_in_doubles import count_sums
from measurand.scores import Scores

DOUBLES, DEGREES = "doubles", "degrees of freedom"
"""What the two conventions are called."""

BY_DF = ("one_way_anova", "two_way_anova")
"""The tests whose range has degrees of freedom."""


@frozen
class Conventions:
    """How tables are computed.

    Parameters
    ----------
    ap_in_doubles
        Whether average precision is a sum of doubles, added from left to right: as it is it gets its rank among the
        different doubles of all runs, and divided by the recall base it is the raw score. Otherwise exact values
        decide which scores and which runs tie.
    infinite_df
        Whether Tukey's range has infinite degrees of freedom after both analyses of variance. Otherwise it has those
        of the error.

    Examples
    --------
    >>> [str(conventions) for conventions in (EXACT, AS_PUBLISHED)]
    ['', 'doubles, degrees of freedom']

    References
    ----------
    [FerranteFerroFuhr2021]_, tables 2 to 6, which come out with both
    """

    ap_in_doubles: bool = False
    infinite_df: bool = False

    def __str__(self) -> str:
        return ", ".join(self._names())

    def _names(self) -> Iterator[str]:
        if self.ap_in_doubles:
            yield DOUBLES
        if self.infinite_df:
            yield DEGREES

    def in_doubles(self, measure: Measure) -> bool:
        """Say whether a measure is computed in doubles."""
        return self.ap_in_doubles and isinstance(measure, AveragePrecision)

    def options(self, test: str) -> dict[str, bool]:
        """Return what a test is told besides the scores.

        Examples
        --------
        >>> AS_PUBLISHED.options("two_way_anova"), AS_PUBLISHED.options("friedman")
        ({'infinite_df': True}, {})
        """
        return {"infinite_df": True} if self.infinite_df and test in BY_DF else {}


EXACT = Conventions()
"""Exact values, and the degrees of freedom that there are."""

IN_DOUBLES, WITH_INFINITE_DF = Conventions(ap_in_doubles=True), Conventions(infinite_df=True)

AS_PUBLISHED = Conventions(ap_in_doubles=True, infinite_df=True)
"""The conventions of the published tables."""


def beside_in_doubles(measure: Measure, judged: JudgedRuns, progress: Progress = silent) -> RawAndInterval:
    """Return the scores of runs under average precision in doubles, and their ranks among the doubles of all runs.

    Parameters
    ----------
    measure
        Average precision with its cutoff.
    judged
        The judged runs; shorter ones are filled up with nonrelevant documents.
    progress
        Shows how far the counting is.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> found = beside_in_doubles(AP @ 6, JudgedRuns.on_one_topic([(0, 0, 1, 1, 1, 1), (1, 0, 0, 1, 1, 0)], (6, 6)))
    >>> found.ranked.values.tolist(), found.mid.values.tolist()
    ([[28.0], [29.0]], [[35.0], [36.0]])
    """
    if not isinstance(measure, AveragePrecision) or measure.cutoff is None or measure.judged_only:
        raise ParameterError(f"doubles of all runs are counted for average precision with a cutoff, not {measure!r}")
    exact = measure.scores(judged)
    sums = np.stack(
        [undivided(measure, judged.cells[:, topic], pool) for topic, pool in enumerate(judged.pools)], axis=1
    )
    counted = count_sums(measure.cutoff, sums, progress=progress)
    place = np.searchsorted(counted.sums, sums)
    left_out = np.isnan(exact.values)

    def scores(values: FloatArray | IntArray, *history: str) -> Scores:
        return evolve(exact, values=np.where(left_out, np.nan, values), history=history, exact=None)

    among = f"ranks among {counted.size:,} doubles of {measure!r}", AS_RANKS
    bases = judged.recall_bases(measure.lowest)
    return RawAndInterval(
        measure=measure,
        raw=scores(ratio(sums, bases[None, :].astype(float))),
        ranked=evolve(scores(counted.ranks[place], *among), scale=Scale.INTERVAL),
        mid=scores(counted.mid[place], *among),
        surrogate=True,
        caveats=exact.caveats,
    )
