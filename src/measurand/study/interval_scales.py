"""Measures on their interval scales: which of them can be had on a campaign, and with how many grades."""

from __future__ import annotations

from collections.abc import Iterable

from measurand.errors import Caveat, Doubt, NotAvailable, ParameterError
from measurand.execution import Progress, silent
from measurand.intervals.interval_scale import IntervalScaled, interval
from measurand.judged import JudgedRuns
from measurand.measures import Measure


def on_interval_scale(measure: Measure, judged: JudgedRuns) -> Measure:
    """Return a measure on its interval scale, with as many grades as the judgments have if it tells them apart.

    Examples
    --------
    >>> from measurand.measures import DCG, P
    >>> judged = JudgedRuns.on_one_topic([(2, 0), (0, 1)], (5, 2, 1))
    >>> on_interval_scale(DCG @ 2, judged), on_interval_scale(P @ 2, judged)
    (interval(DCG@2, grades=3), interval(P@2))
    """
    if isinstance(measure, IntervalScaled):
        return measure
    top = max(1, judged.pools[0].top_grade) if measure.graded else 1
    return interval(measure)(grades=top + 1)


def on_interval_scales(
    measures: Iterable[Measure], judged: JudgedRuns, progress: Progress = silent
) -> tuple[dict[str, Measure], tuple[Caveat, ...]]:
    """Return the interval-scaled selves of measures by the spelling of these, and why some have none.

    Examples
    --------
    >>> from measurand.measures import AP, P
    >>> judged = JudgedRuns.on_one_topic([(1, 0) * 50, (0, 1) * 50], (100, 60))
    >>> scaled, missing = on_interval_scales([P @ 10, AP @ 100], judged)
    >>> scaled, len(missing)
    ({'P@10': interval(P@10)}, 1)
    """
    scaled: dict[str, Measure] = {}
    missing = []
    for measure in progress(list(measures), None, "interval scales"):
        try:
            found = on_interval_scale(measure, judged)
            found.scores(judged)
        except (NotAvailable, ParameterError) as error:  # too many values, or no values of single topics
            missing.append(Caveat(Doubt.BOUNDS, f"{measure!r} is not shown on an interval scale: {error}"))
        else:
            scaled[repr(measure)] = found
    return scaled, tuple(missing)
