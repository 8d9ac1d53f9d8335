"""Packed scores: those of all measures, as they are and on their interval scales, for all scripts of the page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from measurand.arrays import FloatArray
from measurand.study.both_scales import RANKED, RAW
from measurand.study.measure_result import Standing
from measurand.study.study import Study


def kinds_of(study: Study) -> list[tuple[str, str]]:
    """Return the measures with the scales on which they were looked at, in the order of all packed numbers."""
    return [(measure, scale) for measure in study.measures for scale in study.tests.scales(measure)]


def standing_of(study: Study, measure: str, scale: str) -> Standing:
    """Return how systems stand under a measure on a scale."""
    found = study.result(measure) if scale == RAW else study.result_on_interval(measure)
    return study.result(measure) if found is None else found


def score_places(study: Study) -> dict[tuple[str, str], int]:
    """Return where the scores of a measure on a scale stand: those of all measures as they are come first."""
    ordered = sorted(kinds_of(study), key=lambda kind: kind[1] == RANKED)
    return {kind: place for place, kind in enumerate(ordered)}


def packed_scores(study: Study) -> NDArray[np.float32]:
    """Return the scores of all measures on all scales, × systems × topics, in the order of `score_places`."""
    kinds = score_places(study)
    return np.stack([kept_apart(standing_of(study, *kind).scores.values) for kind in kinds])


def kept_apart(values: FloatArray) -> NDArray[np.float32]:
    """Return scores with fewer digits, such that those that differ on a topic still do, and in the same order.

    Examples
    --------
    >>> kept_apart(np.array([[0.5], [0.5 + 1e-15], [0.25]])).argsort(axis=0).ravel().tolist()
    [2, 0, 1]
    """
    with np.errstate(over="ignore"):
        short = values.astype(np.float32)
    for column, topic in zip(short.T, values.T, strict=True):
        levels, places = np.unique(topic[~np.isnan(topic)], return_inverse=True)
        with np.errstate(over="ignore"):
            apart = levels.astype(np.float32)
        for place in np.flatnonzero(np.diff(apart) <= 0) + 1:
            # what moves up may reach what lies above it
            while place < len(apart) and apart[place] <= apart[place - 1]:
                apart[place] = np.nextafter(apart[place - 1], np.float32(np.inf))
                place += 1
        column[~np.isnan(topic)] = apart[places]
    return short
