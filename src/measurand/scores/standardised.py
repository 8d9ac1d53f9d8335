"""z-scores: how many standard deviations a score lies above the mean of reference runs on its topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, Union, cast

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray
from measurand.display.wording import counted
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.scale import Scale, ScaleLabel

if TYPE_CHECKING:
    from measurand.scores.scores import Scores

Moments = Mapping[str, tuple[float, float]]
"""The mean and the standard deviation of a measure over reference runs, by topic."""

ReferenceLike: TypeAlias = Union["Reference", "Scores", Iterable["Scores"]]
"""Means and standard deviations, or the scores of the reference runs themselves."""

CLOSE = 1e-12
"""Where all reference runs score the same, a score this close to theirs is theirs."""


def _kept(by_measure: Mapping[str, Moments]) -> Mapping[str, Moments]:
    return MappingProxyType(dict(by_measure))


@frozen(eq=False)
class Reference:
    """The mean and the standard deviation of each measure on each topic, over reference runs.

    Parameters
    ----------
    by_measure
        For each measure, by topic, the mean and the standard deviation.
    source
        The file that they came from.

    Examples
    --------
    >>> from measurand.scores import Scores
    >>> scores = Scores(measure="AP", values=[[0.2, 0.5], [0.4, 0.5]], systems="ab", topics="12")
    >>> mean, deviation = Reference.over([scores]).by_measure["AP"]["1"]
    >>> f"{mean:.2f} {deviation:.4f}"
    '0.30 0.1414'

    Notes
    -----
    z-scores are to make hard and easy topics comparable [Webber2008]_. What is gained is not a scale that topics share:
    the unit is the deviation of some runs, and with other runs it is another. Where all reference runs score the same,
    that score has a z-score of 0, and any other has none.
    """

    by_measure: Mapping[str, Moments] = field(converter=_kept)
    source: str = ""

    @classmethod
    def over(cls, scores: Iterable[Scores]) -> Reference:
        """Return the means and standard deviations of some scores over their systems.

        The standard deviation is that of a sample, which divides by one less than there are systems.

        Parameters
        ----------
        scores
            The scores of the reference runs, one for each measure; a table of scores.
        """
        return cls({each.measure: _moments(each) for each in scores})

    def standardise(self, scores: Scores, name: str | None = None) -> Scores:
        """Return z-scores in the place of scores.

        Parameters
        ----------
        scores
            The scores.
        name
            What the reference calls the measure, if not as the scores do.
        """
        known = self.by_measure.get(name or scores.measure, {})
        missing = next((topic for topic in scores.topics if topic not in known), None)
        if missing is not None:
            place = f"{self.source}: " if self.source else ""
            what = f"of {name or scores.measure}" if not known else f"of {name or scores.measure} on topic {missing}"
            raise ParameterError(f"{place}there is no mean and standard deviation {what}; z-scores need both")
        if scores.aggregation.name == "GEOMETRIC":
            raise ParameterError(
                f"z-scores may be negative, so that there is no {scores.measure} of them; leave it out"
            )
        mean, deviation = np.array([known[topic] for topic in scores.topics]).T
        above = scores.values - mean
        same = np.abs(above) <= CLOSE * np.maximum(1, np.abs(mean))
        flat = np.broadcast_to(deviation == 0, above.shape)
        values = np.divide(above, deviation, out=np.zeros_like(above), where=~flat)
        lost = flat & ~same
        return evolve(
            scores,
            measure=f"z({scores.measure})",
            values=np.where(lost | np.isnan(scores.values), np.nan, values),
            scale=ScaleLabel(min(scores.scale, Scale.INTERVAL), reason="z-scores have no zero of their own"),
            one_scale=False,
            caveats=(*scores.caveats, *_lost(scores, lost)),
            history=(*scores.history, "deviations from the mean of reference runs"),
            exact=None,
        )


def as_reference(by: ReferenceLike) -> Reference:
    """Return means and standard deviations, from scores where these are given.

    Parameters
    ----------
    by
        A reference, or the scores of reference runs.
    """
    if isinstance(by, Reference):
        return by
    # one measure's scores, or those of several
    return Reference.over([cast("Scores", by)] if hasattr(by, "measure") else by)


def _moments(scores: Scores) -> Moments:
    scored = (~np.isnan(scores.values)).sum(axis=0)
    if not len(scores.topics) or scored.min() < 2:
        raise ParameterError(f"z-scores of {scores.measure} need two reference runs or more on every topic")
    means, deviations = np.nanmean(scores.values, axis=0), np.nanstd(scores.values, axis=0, ddof=1)
    # rounding alone makes no deviation
    deviations = np.where(np.nanmax(scores.values, axis=0) == np.nanmin(scores.values, axis=0), 0.0, deviations)
    return dict(zip(scores.topics, zip(means.tolist(), deviations.tolist(), strict=True), strict=True))


def _lost(scores: Scores, lost: BoolArray) -> Iterable[Caveat]:
    """Return the caveat that some scores have no z-score, if that is so."""
    if lost.any():
        topic = scores.topics[int(np.flatnonzero(lost.any(axis=0))[0])]
        number = counted(int(lost.sum()), "score")
        text = f"{number} under {scores.measure} left out: all reference runs score the same there (topic {topic})"
        yield Caveat(CaveatKind.DEGENERATE, text)
