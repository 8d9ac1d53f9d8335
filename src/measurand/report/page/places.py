"""Places: where systems stand among each other under a measure, and how they move from one scale to another."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.scale import Scale
from measurand.scores import Scores, Summary
from measurand.study.measure_result import MeasureResult


def places_of(summary: Summary) -> FloatArray:
    """Return the place of every system, 1 the best; those that tie share the best place, and no number has none.

    Examples
    --------
    >>> places_of(Summary(("a", "b", "c", "d"), [0.5, 0.75, 0.5, np.nan], "mean", ())).tolist()
    [2.0, 1.0, 2.0, nan]
    """
    goodness = summary.settled
    ahead = (goodness[None, :] > goodness[:, None]).sum(axis=1)
    return np.where(np.isnan(goodness), np.nan, ahead + 1.0)


@frozen(eq=False)
class Moves:
    """The places of systems under a measure as it is and on its interval scale.

    Parameters
    ----------
    raw, ranked
        The places.
    by
        What systems are ordered by on both scales: the mean, or what a strict comparison takes instead.
    """

    raw: FloatArray
    ranked: FloatArray
    by: str = "mean"

    @property
    def up(self) -> IntArray:
        """How many places every system goes up on the interval scale; below 0 if it goes down."""
        return np.asarray(np.nan_to_num(self.raw - self.ranked)).astype(np.int64)

    @property
    def moving(self) -> int:
        """How many systems change their place."""
        return int((self.up != 0).sum())

    @property
    def largest(self) -> int:
        """How many places the largest move is."""
        return int(np.abs(self.up).max(initial=0))


def moves(raw: MeasureResult, ranked: MeasureResult) -> Moves | None:
    """Return how systems move from a measure to its interval scale.

    None where a strict study orders them by another statistic there: they would move by that, not by the scale.

    Parameters
    ----------
    raw, ranked
        The comparisons under the measure as it is and on its interval scale.
    """
    if ranked.summary.statistic != raw.summary.statistic:
        return None
    return Moves(places_of(raw.summary), places_of(ranked.summary), raw.summary.statistic)


def scale_words(scores: Scores) -> str:
    """Return on which scale scores are, in words.

    Examples
    --------
    >>> scale_words(Scores(measure="AP", values=[[0.5]], systems="a", topics="1", one_scale=False))
    'an ordinal scale, each topic having one of its own'
    """
    article = "a" if scores.scale in (Scale.NOMINAL, Scale.RATIO) else "an"
    own = "which all topics share" if scores.one_scale else "each topic having one of its own"
    lower = "; lower is better" if scores.lower_is_better else ""
    return f"{article} {scores.scale_label.words}, {own}{lower}"
