"""What judged runs of a campaign add to a measure: grades, the size of the collection, ties; by family.

Families register what they do.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Protocol

from measurand.arrays import FloatArray
from measurand.errors import Caveat
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns
from measurand.measures.parameters import CHOSEN, is_given, parameters_of

if TYPE_CHECKING:
    from measurand.measures.base import Measure


@singledispatch
def with_campaign(measure: Measure, judged: JudgedRuns) -> Measure:
    """Return a measure with the parameters that it was not given and that judged runs show.

    Parameters
    ----------
    measure
        The measure; one whose size of the collection is open is given it.
    judged
        The judged runs of a campaign.
    """
    return on_judged(measure, judged)


@singledispatch
def on_judged(measure: Measure, judged: JudgedRuns) -> Measure:
    """Return a measure for the grades of judged runs, which may be kept as codes.

    Parameters
    ----------
    measure
        The measure.
    judged
        The judged runs.
    """
    return measure if judged.relevance is None else measure.on_grades(judged.relevance)


def with_usual_threshold(measure: Measure, judged: JudgedRuns) -> Measure:
    """Return a measure without a threshold of 1 that was given, where it is the one by default.

    Parameters
    ----------
    measure
        The measure.
    judged
        The judged runs.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> with_usual_threshold(AP(rel=1), JudgedRuns.on_one_topic([(1, 0)], (5, 2)))
    AP
    """
    usual = judged.relevance is None or judged.relevance.is_whole
    rel = measure.parameters().get("rel")
    return measure(rel=CHOSEN) if usual and rel == 1 and is_given(rel) and _has_default(measure) else measure


def _has_default(measure: Measure) -> bool:
    """Return whether there is a threshold by default: without one, RBP and OIE tell all grades apart."""
    return any(each.name == "rel" and each.default == 1 for each in parameters_of(type(measure)))


@singledispatch
def in_collection(measure: Measure, size: int) -> Measure:
    """Return a measure with the size of the collection, if that is a parameter and was not given.

    Parameters
    ----------
    measure
        The measure.
    size
        The number of documents in the collection.
    """
    return measure(collection=size) if measure.parameters().get("collection", 0) is None else measure


class TiedValues(Protocol):
    """The values of a measure on runs with ties, and what a reader of them should know."""

    @property
    def values(self) -> FloatArray:
        """The values, systems × topics."""

    def caveats(self) -> tuple[Caveat, ...]:
        """Return what a reader of the values should know."""


@singledispatch
def tied_values(measure: Measure, judged: JudgedRuns, progress: Progress = silent) -> TiedValues:
    """Return the values of a measure on runs in which the order of tied documents was left open.

    Parameters
    ----------
    measure
        The measure.
    judged
        Judged runs with tie groups.
    progress
        Shows how far a long computation is.
    """
    raise NotImplementedError("measurand.measures.ties registers how ties are valued")
