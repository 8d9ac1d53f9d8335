"""Robustness of all comparisons of means at once."""

from __future__ import annotations

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.errors import ParameterError
from measurand.scale import Scale, as_scale
from measurand.scales.meaning.meaning import Answer, Reading
from measurand.scores import Scores


@frozen(eq=False, kw_only=True)
class MeanRobustness:
    """For every two systems, whether some permissible rescaling changes how their means compare.

    Parameters
    ----------
    fragile_on_one
        Systems × systems, if all topics share a scale.
    fragile_on_every
        Systems × systems, if every topic has a scale of its own.
    reading
        Which of the two applies to the scores.
    """

    systems: tuple[str, ...]
    scale: Scale
    reading: Reading
    fragile_on_one: BoolArray = field(repr=False)
    fragile_on_every: BoolArray = field(repr=False)

    @property
    def fragile(self) -> BoolArray:
        """Where a rescaling changes the comparison, under the reading that applies."""
        return self.fragile_on_one if self.reading is Reading.ONE else self.fragile_on_every

    def answers(self, reading: Reading | str | None = None) -> np.ndarray[tuple[int, int], np.dtype[np.str_]]:
        """Return "robust" or "fragile" for every two systems, under a reading or the one that applies."""
        chosen = self.reading if reading is None else Reading(reading)
        fragile = self.fragile_on_one if chosen is Reading.ONE else self.fragile_on_every
        return np.where(fragile, str(Answer.FRAGILE), str(Answer.ROBUST))


def mean_robustness(scores: Scores, *, scale: Scale | str | None = None) -> MeanRobustness:
    """Return for every two systems whether the comparison of their means survives every permissible rescaling.

    On an ordinal scale that all topics share it does exactly when one system has, above every score, at least as
    many topics as the other. If every topic has its own scale, one system must never be behind.

    Examples
    --------
    >>> scores = Scores(measure="P@5", values=[[0, 0, 0.6], [0, 0.2, 0.4], [0, 0, 0.2]], systems=("A", "B", "C"),
    ...                 topics=("1", "2", "3"))
    >>> mean_robustness(scores).answers().tolist()[0]
    ['robust', 'fragile', 'robust']

    References
    ----------
    [FerranteFerroFuhr2021]_, section III-D
    """
    kind = scores.scale if scale is None else as_scale(scale)
    if kind is Scale.NOMINAL:
        raise ParameterError("means of nominal scores are never meaningful; compare modes")
    n = len(scores.systems)
    crossing = _crossing(scores.values) if kind is Scale.ORDINAL else np.zeros((n, n), dtype=bool)
    return MeanRobustness(
        systems=scores.systems,
        scale=kind,
        reading=Reading.ONE if scores.one_scale else Reading.EVERY,
        fragile_on_one=crossing,
        fragile_on_every=_added_to(scores.values) if kind is Scale.RATIO else _won_and_lost(scores.values),
    )


def _crossing(values: FloatArray) -> BoolArray:
    """Say for every two systems whether each has a larger share of topics above some score."""
    counts = (~np.isnan(values)).sum(axis=1)
    _answerable(counts)
    if counts.min() == values.shape[1]:
        ordered = np.sort(values, axis=1)
    else:
        # shares as whole numbers: how many of all pairs of topics lie above each score
        bounds = np.unique(values[~np.isnan(values)])
        above = np.stack([len(row) - np.searchsorted(row, bounds, "right") for row in map(_there, values)])
        return _either_way([(above[i] * counts[:, None], above * counts[i]) for i in range(len(values))])
    return _either_way([(row[None], ordered) for row in ordered])


def _won_and_lost(values: FloatArray) -> BoolArray:
    """Say for every two systems whether each is ahead on some topic, or either has one that the other left out."""
    there = ~np.isnan(values)
    _answerable(there.sum(axis=1))
    crossing = _either_way([(row[None], values) for row in values])
    return np.asarray(crossing | (there[:, None, :] != there[None, :, :]).any(axis=2))


def _added_to(values: FloatArray) -> BoolArray:
    """Say for every two systems whether each has a topic that adds to its lead, with the share it has in its mean."""
    counts = (~np.isnan(values)).sum(axis=1)
    _answerable(counts)
    known = np.nan_to_num(values)
    # shares as whole numbers, so that equal parts stay equal
    return _either_way([(known[i] * counts[:, None], known * counts[i]) for i in range(len(values))])


def _there(row: FloatArray) -> FloatArray:
    return np.sort(row[~np.isnan(row)])


def _answerable(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
    if (counts == 0).any():
        raise ParameterError("a system without a score on any topic has no mean")


def _either_way(pairs: list[tuple[FloatArray, FloatArray]]) -> BoolArray:
    return np.array([(one > other).any(axis=1) & (one < other).any(axis=1) for one, other in pairs])
