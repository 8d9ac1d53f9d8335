"""Conventions: how the tables of `scale_effect` are computed where there is more than one way."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TypeAlias

from attrs import field, frozen

from measurand.execution import Progress
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.average_precision import AveragePrecision
from measurand.scales.raw_and_interval import RawAndInterval

DOUBLES, DEGREES = "doubles", "degrees of freedom"
"""The names of the two conventions."""

BY_DF = ("one_way_anova", "two_way_anova")
"""The tests whose range has degrees of freedom."""

ScoringFunction: TypeAlias = Callable[[Measure, JudgedRuns, Progress], RawAndInterval]
"""A function that returns the scores of a measure and its interval-scaled scores."""


def _function(given: ScoringFunction | bool | None) -> ScoringFunction | None:
    """Return the function for average precision; True, as it used to be given, is the published one."""
    if given is True:
        new = "measurand.papers.fff2021.as_published"
        warnings.warn(
            f"Conventions(ap_in_doubles=True) is deprecated; use ap_in_doubles={new}.average_precision_in_doubles",
            DeprecationWarning,
            stacklevel=3,
        )
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

    def in_doubles(self, measure: Measure) -> bool:
        """Return whether a measure is computed in doubles.

        Parameters
        ----------
        measure
            The measure.
        """
        return self.scored(measure) is not None

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
