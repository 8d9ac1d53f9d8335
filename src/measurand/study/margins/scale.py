"""The margin of scale of every two systems: how unevenly the values of a measure would have to be spaced.

It asks for what spacing of the values the means of two systems change their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isinf, isnan
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.display.data import finite
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView
from measurand.scale import Scale
from measurand.scores import Scores, place_of
from measurand.scores.scores import SHARE, rounding
from measurand.statistics.all_pairs import frozen_numbers
from measurand.statistics.pairs import square
from measurand.study.margins.margin import Number

BLOCK = 2**18
"""How many scores of pairs are sorted at a time."""

LARGEST = 1e6
"""A larger margin is shown as larger than this."""


def written_margin(kappa: float) -> str:
    """Return a margin of scale as people read it.

    Parameters
    ----------
    kappa
        The margin; NaN where there is none.

    Examples
    --------
    >>> [written_margin(kappa) for kappa in (1.0, 3.5625, 41.2, 1234.0, 2e9, float("inf"))]
    ['1.0', '3.6', '41', '1,200', '>1,000,000', '∞']
    """
    if isnan(kappa):
        return "–"
    if isinf(kappa):
        return "∞"
    if kappa > LARGEST:
        return f">{LARGEST:,.0f}"
    # two digits
    return f"{kappa:.1f}" if kappa < 9.95 else f"{float(f'{kappa:.2g}'):,.0f}"


def times(ratio: Number) -> str:
    """Return a ratio as people read it, with more digits where it is near 1.

    Parameters
    ----------
    ratio
        A number from 1 up.

    Examples
    --------
    >>> from fractions import Fraction
    >>> [times(ratio) for ratio in (1, 1.00002, 1.004, 1.37, Fraction(57, 16), 41.2, float("inf"))]
    ['1', 'just over 1', '1.004', '1.37', '3.6', '41', '∞']
    """
    value = float(ratio)
    if 1 < value < 1.0005:
        return "just over 1"
    return f"{value:.4g}" if value < 1.095 else f"{value:.3g}" if value < 1.995 else written_margin(value)


@frozen(kw_only=True, eq=False, repr=False)
class ScaleMargins(Result):
    r"""The margin of scale of every two systems: how uneven a rescaling must be to change the order of their means.

    The values that two systems reach are :math:`v_0 < \dots < v_m`. Let

    .. math:: c_j = (v_j - v_{j-1}) \left(\frac{\#\{t : a_t \ge v_j\}}{n_a} - \frac{\#\{t : b_t \ge v_j\}}{n_b}\right),

    and P and N the sums of the positive and of the negative :math:`c_j`, without their signs. Then P − N is the
    difference of the means, and κ = P/N is the smallest ratio between the largest and the smallest slope of an
    increasing rescaling, one for all topics, that makes the means level or reverses them. Where N is 0, no
    increasing rescaling does: the order of the means is *scale-proof*, if all topics share a scale. Where each has one
    of its own, the order stays whatever these are if no topic is lost, and else `weights` says how many times as much
    some topics must count as others.

    Parameters
    ----------
    measure : str
        The spelling of the measure.
    systems : tuple of str
        The names of the systems.
    kappa : array of float
        Systems × systems, symmetric: κ of the better mean over the other, infinite where no increasing rescaling of
        all topics alike changes the order, 1 where the means are level, NaN where a system has no scores.
    interval : bool
        Whether the scores are on an interval scale that all topics share. Rescalings that such a scale permits never
        change the order of means, whatever κ is.
    weights : array of float or None
        Systems × systems, symmetric: what the better mean won over what it lost, infinite where no topic is lost, NaN
        where one of two left out a topic; None where all topics share a scale.

    References
    ----------
    [LeshnoLevy2002]_
    """

    measure: str
    systems: tuple[str, ...]
    kappa: FloatArray = field(converter=frozen_numbers)
    interval: bool = False
    weights: FloatArray | None = None

    def __repr__(self) -> str:
        n = len(self.systems)
        what = "scale-proof" if self.weights is None else "with infinite κ"
        return f"<ScaleMargins of {self.measure}: {int(np.triu(self.proof, 1).sum())} of {n * (n - 1) // 2} {what}>"

    @property
    def proof(self) -> BoolArray:
        """Where κ is infinite, systems × systems: no increasing rescaling, one for all topics, changes the order."""
        return np.asarray(np.isinf(self.kappa))

    def of(self, a: str, b: str) -> float:
        """Return κ of two systems.

        Parameters
        ----------
        a, b : str
            The names of the systems, in any order.
        """
        return float(self.kappa[place_of(a, self.systems), place_of(b, self.systems)])

    def words(self, a: str, b: str) -> str:
        """Return what the order of two means is worth against other spacings of the scale, in a few words.

        Parameters
        ----------
        a, b : str
            The names of the systems, in any order.

        Examples
        --------
        >>> values = [[0.2, 0.6, 0.9], [0.4, 0.5, 0.4], [0.1, 0.2, 0.3]]
        >>> found = scale_margins(Scores(measure="RR", values=values, systems="abc", topics="123"))
        >>> found.words("a", "b"), found.words("a", "c")
        ('scale-dependent: κ = 3.0', 'scale-proof')
        """
        at = place_of(a, self.systems), place_of(b, self.systems)
        weights = None if self.weights is None else float(self.weights[at])
        return margin_words(self.of(a, b), interval=self.interval, weights=weights)

    def document(self) -> Document:
        """Return a row for every two systems: κ, and whether it is infinite (`scale_proof`)."""
        names = self.systems
        rows = [
            {
                "a": names[i],
                "b": names[j],
                "kappa": finite(float(self.kappa[i, j])),
                "scale_proof": bool(self.proof[i, j]),
            }
            for i, j in zip(*np.triu_indices(len(names), 1), strict=True)
        ]
        columns = [
            Column("system", "a", left=True),
            Column("against", "b", left=True),
            Column("κ", margin_of),
        ]
        fields = {"a": str, "b": str, "kappa": float, "scale_proof": bool}
        return Document([TableView(columns, rows, fields=fields, title=f"Margins of scale under {self.measure}")])

    def to_dict(self) -> dict[str, Any]:
        """Return the margins, ready for JSON; None stands for infinity and for what is not a number."""
        kappa = [[None if not np.isfinite(each) else each for each in row] for row in self.kappa.tolist()]
        named = {"measure": self.measure, "systems": list(self.systems)}
        return {**named, "kappa": kappa, "scale_proof": self.proof.tolist(), "interval": self.interval}


def margin_of(row: Mapping[str, Any]) -> str:
    """Return the margin of scale in a row as people read it.

    Parameters
    ----------
    row
        What has `kappa`, None where it is not finite, and `scale_proof`.

    Examples
    --------
    >>> margin_of({"kappa": None, "scale_proof": True}), margin_of({"kappa": 3.5625, "scale_proof": False})
    ('∞', '3.6')
    """
    return "∞" if row["scale_proof"] else "–" if row["kappa"] is None else written_margin(row["kappa"])


def margin_words(kappa: float, *, interval: bool = False, weights: float | None = None) -> str:
    """Return what a margin of scale says of the order of two means, in a few words.

    Parameters
    ----------
    kappa
        The margin.
    interval
        Whether the scores are on an interval scale, on which the order of means is meaningful as it is.
    weights
        Where every topic has a scale of its own, what was won over what was lost; None where all topics share one.

    Examples
    --------
    >>> margin_words(float("inf")), margin_words(3.5625), margin_words(3.5625, interval=True)
    ('scale-proof', 'scale-dependent: κ = 3.6', 'meaningful on its interval scale (κ = 3.6)')
    >>> print(margin_words(float("inf"), weights=2.5))
    scale-dependent: it changes if some topics count 2.5 times as much as others
    >>> print(margin_words(float("inf"), weights=float("inf")))
    the same however much each topic counts
    """
    if isnan(kappa):
        return ""
    if weights is not None:
        if isinf(weights):
            return "the same however much each topic counts"
        known = "" if isnan(weights) else f": it changes if some topics count {times(weights)} times as much as others"
        return f"scale-dependent{known}"
    if interval:
        return f"meaningful on its interval scale (κ = {written_margin(kappa)})"
    return "scale-proof" if isinf(kappa) else f"scale-dependent: κ = {written_margin(kappa)}"


def on_interval_scale(scores: Scores) -> bool:
    """Return whether scores are on an interval scale that all topics share.

    Parameters
    ----------
    scores
        The scores.
    """
    return scores.one_scale and scores.scale >= Scale.INTERVAL


def scale_margins(scores: Scores, *, shared: bool = False) -> ScaleMargins:
    """Return the margin of scale of every two systems.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    shared : bool, default False
        Whether two systems are compared on the topics that both have; otherwise topics that a system left out are left
        out of its mean.

    Examples
    --------
    Between 0.2 and 0.4, b has one topic more above it; from 0.4 on, a has more: P is 0.6/3, N is 0.2/3.

    >>> scores = Scores(measure="RR", values=[[0.2, 0.6, 0.9], [0.4, 0.5, 0.4]], systems="ab", topics="123")
    >>> round(scale_margins(scores).of("a", "b"), 6)
    3.0

    References
    ----------
    [LeshnoLevy2002]_
    """
    found = _of_pairs(scores, shared=shared)
    alone = np.where(np.isnan(scores.values).all(axis=1), np.nan, 1.0)
    return ScaleMargins(
        measure=scores.measure,
        systems=scores.systems,
        kappa=square(found, len(scores.systems), diagonal=alone),
        interval=on_interval_scale(scores),
        weights=None if scores.one_scale else _weights(scores),
    )


def weights_of(goodness: FloatArray) -> FloatArray:
    """Return what the better system won over what it lost, by topic: how unevenly these must count to level the means.

    Parameters
    ----------
    goodness
        Two systems × … × topics.

    Examples
    --------
    >>> weights_of(np.array([[0.5, 0.25], [0.25, 0.5]])), weights_of(np.array([[0.5, 0.25], [0.0, 0.25]]))
    (array(1.), array(inf))
    """
    differences = goodness[0] - goodness[1]
    # what rounding alone keeps from 0 is neither won nor lost
    level = np.abs(differences) <= SHARE * np.nanmax(np.abs(goodness), initial=0.0)
    first, second = (np.where(level, 0.0, np.maximum(each, 0)).sum(axis=-1) for each in (differences, -differences))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.maximum(first, second) / np.minimum(first, second)
    return np.asarray(np.where(np.maximum(first, second) == 0, 1.0, found))


def _weights(scores: Scores) -> FloatArray:
    """Return the weights margin of all pairs."""
    firsts, seconds = np.triu_indices(len(scores.values), 1)
    size, found = max(1, BLOCK // max(1, scores.values.shape[1])), np.ones(len(firsts))
    for start in range(0, len(firsts), size):
        block = slice(start, start + size)
        found[block] = weights_of(scores.goodness[np.stack([firsts[block], seconds[block]])])
    return np.asarray(square(found, len(scores.systems), diagonal=np.ones(len(scores.systems))))


def _of_pairs(scores: Scores, *, shared: bool) -> FloatArray:
    """Return κ of all pairs, in the order of `numpy.triu_indices(n, 1)`, a block at a time."""
    values, there = scores.values, ~np.isnan(scores.values)
    levels, places = np.unique(np.where(there, values, values[there].min(initial=0.0)), return_inverse=True)
    # narrow numbers are sorted more quickly
    places = places.reshape(values.shape).astype(np.int32 if 3 * values.size < 2**31 else np.int64)
    firsts, seconds = np.triu_indices(len(values), 1)
    found = np.ones(len(firsts))
    means = scores.mean().goodness
    size = max(1, BLOCK // max(1, 2 * values.shape[1]))
    for start in range(0, len(firsts), size):
        block = slice(start, start + size)
        pair = np.stack([firsts[block], seconds[block]])
        known = there[pair]
        if shared:
            known = known & known.all(axis=0)
        ahead, behind = _for_and_against(levels, places[pair], known)
        with np.errstate(divide="ignore", invalid="ignore"):
            kappa = np.where(ahead > 0, ahead / behind, 1.0)
        # means that rounding alone keeps apart are level
        level = _level(values[pair], known) if shared else np.abs(np.subtract(*means[pair])) <= rounding(scores)
        kappa[level] = 1.0
        found[block] = np.where(known.any(axis=2).all(axis=0), kappa, np.nan)
    return found


def _for_and_against(levels: FloatArray, places: IntArray, known: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return P and N of some pairs, the larger first: sums over the gaps between the values that a pair reaches.

    Parameters
    ----------
    levels
        All values, ascending.
    places
        2 × pairs × topics: where the values of both systems stand among them.
    known
        Which of these there are; the others count nothing.
    """
    # sorted by value, with who has it; those left out stand at a value that is taken already
    codes = 3 * places + np.array([1, 2], dtype=places.dtype)[:, None, None] * known
    reached, who = np.divmod(np.sort(np.concatenate([*codes], axis=1), axis=1), 3)
    gaps = np.diff(levels[reached], axis=1)
    # shares of topics as whole numbers, so that equal shares are equal
    one, other = known.sum(axis=2)
    counted = np.stack([np.zeros_like(one), other, -one], axis=1)
    below = np.cumsum(np.take_along_axis(counted, who, axis=1), axis=1)[:, :-1]
    up, down = ((np.maximum(more, 0) * gaps).sum(axis=1) for more in (-below, below))
    return np.maximum(up, down), np.minimum(up, down)


def _level(values: FloatArray, known: BoolArray) -> BoolArray:
    """Return which pairs have means over the known topics that rounding alone keeps apart."""
    kept = np.where(known, values, 0.0)
    means = kept.sum(axis=2) / np.maximum(1, known.sum(axis=2))
    return np.asarray(np.abs(means[0] - means[1]) <= SHARE * np.abs(kept).max(axis=(0, 2), initial=0.0))
