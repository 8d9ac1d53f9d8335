"""Raw and interval-scaled scores of the same runs, how they are computed, and the decisions of tests that flip."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TypeAlias

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.deprecated import deprecate
from measurand.display.result import Result
from measurand.errors import Caveat, CaveatKind, NotAvailable
from measurand.execution import Progress, silent
from measurand.intervals.families import same_order_everywhere
from measurand.intervals.interval_scale import IntervalScaled, interval
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.average_precision import AveragePrecision
from measurand.scores import Scores

WHOLE = 1 << 48
"""On a scale of up to so many steps a rank can be read off its position as a float."""

DECIMALS = 8
"""To so many decimals averages of scores and ranks are rounded …"""

FINE = 13
"""… and to so many those of positions."""

AS_RANKS = "positions as ranks from 1"

DOUBLES, DEGREES = "doubles", "degrees of freedom"
"""The names of the two conventions."""

BY_DF = ("one_way_anova", "two_way_anova")
"""The tests whose range has degrees of freedom."""


@frozen(kw_only=True, eq=False)
class RawAndInterval:
    """The scores of some runs under a measure, and under the same measure on its interval scale.

    Parameters
    ----------
    measure
        The measure, with its cutoff.
    raw
        Its own scores.
    ranked
        The ranks of these among all the values of the measure.
    mid
        The same with the mean of the ranks of tied runs, where that can be had.
    surrogate
        Whether the ranks stand in for values that have another scale on every topic.
    """

    measure: Measure
    raw: Scores
    ranked: Scores
    mid: Scores | None
    surrogate: bool
    caveats: tuple[Caveat, ...]


def raw_and_interval(
    measure: Measure,
    judged: JudgedRuns,
    *,
    grades: int = 2,
    mid: bool = True,
    progress: Progress = silent,
) -> RawAndInterval:
    """Return the scores of runs under a measure with a cutoff, and under its interval-scaled self.

    A measure that tells grades apart sees relevant documents and others alone if there are two grades; the other
    measures do so by themselves.

    Examples
    --------
    >>> from measurand.measures import DCG
    >>> both = raw_and_interval(DCG(b=2) @ 4, JudgedRuns.on_one_topic([(0, 0, 1, 1), (1, 0, 0, 1)], (4, 4)))
    >>> both.ranked.values.tolist(), both.mid.values.tolist()
    ([[5.0], [6.0]], [[6.0], [7.5]])
    """
    seen = judged.binarised() if measure.graded and grades == 2 else judged
    scaled = interval(measure, grades=grades)
    ranked = ranks_of(scaled, seen, progress)
    among_runs, missing = _mid(scaled, seen, progress) if mid else (None, ())
    return RawAndInterval(
        measure=measure,
        raw=measure.scores(seen, progress),
        ranked=ranked,
        mid=among_runs,
        surrogate=scaled.surrogate,
        caveats=(*ranked.caveats, *missing),
    )


def ranks_of(scaled: IntervalScaled, judged: JudgedRuns, progress: Progress = silent) -> Scores:
    """Return the scores of runs on an interval scale as ranks from 1, or as positions if ranks are not known exactly.

    Examples
    --------
    >>> ranks_of(interval("RR@4"), JudgedRuns.on_one_topic([(1, 0, 0, 1), (0, 0, 0, 0)], (4, 4))).values.tolist()
    [[5.0], [1.0]]
    """
    scores = scaled.scores(judged, progress)
    steps = _steps(scaled, scores, judged.depth)
    if steps is None:
        return scores
    ranks = scores.values * steps + 1
    if (judged.weak if scaled.on_weak_orders else judged).groups is None:
        # the differences and sums of whole and half ranks are exact, so that no tie is lost to rounding;
        # a mean over the orders of tied documents may be anything in between
        ranks = np.rint(2 * ranks) / 2
    return evolve(scores, values=ranks, history=(*scores.history, AS_RANKS))


def averages(scores: Scores) -> FloatArray:
    """Return the mean over topics of each system, rounded so that equal means tie but different ones do not.

    Examples
    --------
    >>> values = [[0.0, 0.0, 0.6], [0.0, 0.2, 0.4]]
    >>> averages(Scores(measure="P@5", values=values, systems=("a", "b"), topics=("1", "2", "3"))).tolist()
    [0.2, 0.2]
    """
    present = ~np.isnan(scores.values)
    counts, sums = present.sum(axis=1), np.where(present, scores.values, 0.0).sum(axis=1)
    # the paper's 8 decimals suit scores and ranks; a scale of 30 ranks has positions as close as 1e-9
    positions = bool(scores.history) and AS_RANKS not in scores.history
    means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return np.asarray(np.round(means, FINE if positions else DECIMALS))


def _steps(scaled: IntervalScaled, scores: Scores, length: int) -> int | None:
    """Return how many steps a scale has, if all topics share it and every position is exact."""
    inexact = any(caveat.kind is CaveatKind.BOUNDS for caveat in scores.caveats)
    if inexact or not same_order_everywhere(scaled.measure):
        return None
    try:
        size = scaled.size if scaled.ties == "unq" else scaled.universe.total(length)
    except NotAvailable:
        return None
    return size - 1 if size <= WHOLE else None


def _mid(scaled: IntervalScaled, judged: JudgedRuns, progress: Progress) -> tuple[Scores | None, tuple[Caveat, ...]]:
    """Return mean ranks of tied runs, or why there are none."""
    try:
        return ranks_of(evolve(scaled, ties="mid"), judged, progress), ()
    except NotAvailable as error:
        return None, (Caveat(CaveatKind.BOUNDS, f"mid ranks of {scaled.measure!r} cannot be had: {error}"),)


@frozen
class Flips(Result):
    r"""What becomes of the significant pairs of a test when scores are replaced by interval-scaled ones.

    .. math:: \Delta\% = 100 \, \frac{\mathrm{S2NS} + \mathrm{NS2S}}{\mathrm{Sig}}

    Parameters
    ----------
    sig : int
        How many pairs are significant with the raw scores.
    s2ns : int
        How many of these no longer are with the interval-scaled scores. Trusting the latter, the raw scores tended
        to false positives there (type I errors).
    ns2s : int
        How many pairs are significant with the interval-scaled scores alone. Trusting these, the raw scores tended
        to false negatives there (type II errors); the paper once says false positives by mistake.

    Examples
    --------
    >>> flips = Flips(7, 2, 1)
    >>> flips.ranked, round(flips.delta, 2)
    (6, 42.86)
    >>> Flips(0, 0, 3).delta is None
    True

    References
    ----------
    [FerranteFerroFuhr2021]_, tables 5 and 6
    """

    sig: int
    s2ns: int
    ns2s: int

    @classmethod
    def between(cls, raw: BoolArray, ranked: BoolArray) -> Flips:
        """Return the flips from one square of significant pairs to another, each pair counted once.

        Parameters
        ----------
        raw : array of bool
            Which pairs differ significantly before the change of scale, systems × systems.
        ranked : array of bool
            Which of them do after it.

        Examples
        --------
        >>> before = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], dtype=bool)
        >>> after = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
        >>> Flips.between(before, after)
        Flips(sig=2, s2ns=1, ns2s=1)
        """
        upper = np.triu_indices(len(raw), 1)
        before, after = raw[upper], ranked[upper]
        return cls(int(before.sum()), int((before & ~after).sum()), int((after & ~before).sum()))

    @property
    def ranked(self) -> int:
        """How many pairs are significant with the interval-scaled scores."""
        return self.sig - self.s2ns + self.ns2s

    @property
    def s2ns_percent(self) -> float | None:
        """The pairs that are lost, in percent of those significant with raw scores; None if there are none of these."""
        return self._percent(self.s2ns)

    @property
    def ns2s_percent(self) -> float | None:
        """The pairs that are won, in percent of those significant with raw scores; it can exceed 100."""
        return self._percent(self.ns2s)

    @property
    def delta(self) -> float | None:
        """The pairs that change, in percent of those significant with raw scores; None if there are none of these."""
        return self._percent(self.s2ns + self.ns2s)

    def _percent(self, pairs: int) -> float | None:
        return 100 * pairs / self.sig if self.sig else None


ScoringFunction: TypeAlias = Callable[[Measure, JudgedRuns, Progress], RawAndInterval]
"""A function that returns the scores of a measure and its interval-scaled scores."""


def _function(given: ScoringFunction | bool | None) -> ScoringFunction | None:
    """Return the function for average precision; True, as it used to be given, is the published one."""
    if given is True:
        new = "measurand.papers.fff2021.as_published"
        deprecate("Conventions(ap_in_doubles=True)", f"ap_in_doubles={new}.average_precision_in_doubles", stacklevel=3)
        found: ScoringFunction = import_module(new).average_precision_in_doubles
        return found
    return given or None


@frozen
class Conventions:
    """How tables are computed.

    Parameters
    ----------
    ap_in_doubles
        A function that scores and ranks average precision in place of exact values, given the measure, the judged
        runs and a progress; `measurand.papers.fff2021.as_published.average_precision_in_doubles` does as the
        published tables.
        None: exact values decide which scores and which runs tie.
    infinite_df
        Whether Tukey's range has infinite degrees of freedom after both analyses of variance. Otherwise it has those
        of the error.

    Examples
    --------
    >>> Conventions(infinite_df=True).options("two_way_anova"), str(Conventions(infinite_df=True)), str(EXACT)
    ({'infinite_df': True}, 'degrees of freedom', '')
    """

    ap_in_doubles: ScoringFunction | None = field(default=None, converter=_function)
    infinite_df: bool = False

    def __str__(self) -> str:
        return ", ".join(self._names())

    def _names(self) -> Iterator[str]:
        if self.ap_in_doubles is not None:
            yield DOUBLES
        if self.infinite_df:
            yield DEGREES

    def scored(self, measure: Measure) -> ScoringFunction | None:
        """Return the function that scores and ranks a measure, or None where exact values do.

        Parameters
        ----------
        measure
            The measure.
        """
        return self.ap_in_doubles if isinstance(measure, AveragePrecision) else None

    def options(self, test: str) -> dict[str, bool]:
        """Return the options of a test besides the scores.

        Parameters
        ----------
        test
            The name of the test.
        """
        return {"infinite_df": True} if self.infinite_df and test in BY_DF else {}


EXACT = Conventions()
"""Exact values, and the degrees of freedom that there are."""
