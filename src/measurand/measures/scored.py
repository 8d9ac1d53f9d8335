"""The values of a measure on judged runs as scores, with the scale that they are on and what is to be said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from measurand.arrays import FloatArray
from measurand.judged import JudgedRuns
from measurand.measures.campaigns import TiedValues, on_judged, with_campaign
from measurand.measures.exact_ties import exact_values
from measurand.scores import Scores

if TYPE_CHECKING:
    from measurand.measures.base import Measure


def scored(measure: Measure, judged: JudgedRuns, values: FloatArray, ties: TiedValues | None = None) -> Scores:
    """Return the values of a measure on judged runs as scores.

    Parameters
    ----------
    measure
        The measure.
    judged
        The judged runs.
    values
        Its values, systems × topics.
    ties
        What the values come from, where the order of tied documents was left open.
    """
    coded = on_judged(measure, judged)
    if judged.skip_missing:
        values = np.where(judged.present, values, np.nan)
    return Scores(
        measure=repr(measure),
        values=values,
        systems=judged.systems,
        topics=judged.topics,
        scale=coded.scale_on(judged),
        one_scale=not coded.own_scales(judged),
        lower_is_better=measure.lower_is_better,
        aggregation=measure.aggregation,
        caveats=(*coded.all_caveats(judged, values), *(ties.caveats() if ties else ())),
        exact=exact_values(with_campaign(measure, judged), judged, values) if ties is None else None,
    )
