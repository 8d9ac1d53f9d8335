"""Joint rescalings: one increasing map that makes several comparisons of means true at once, or the proof of none.

Every comparison is a sum over the gaps between scores, which increasing maps may stretch as they like (`Gaps`). So
several at once are a linear program. Floats propose; what they find is applied and looked at, and that there is nothing
to be found is proved by weights of the comparisons, in whole numbers, that contradict each other (Farkas).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.scale import Scale
from measurand.scales.statements import Average, Averages, Relation
from measurand.scales.transformations import PerTopic, Plain, Transformation, through

LEAST = 1e-9
"""Lengths of gaps below this, of 1 in all, are as good as none."""

DENOMINATOR = 10_000
"""Weights of a proof are fractions with denominators up to this."""

LARGEST = 4_000_000
"""Larger programs are left alone: comparisons times gaps."""

SIDES = {
    Relation.ABOVE: (1, True),
    Relation.AT_LEAST: (1, False),
    Relation.AT_MOST: (-1, False),
    Relation.BELOW: (-1, True),
}
"""On which side of 0 a difference is, and whether it must not be 0."""

DENIED = {
    Relation.ABOVE: Relation.AT_MOST,
    Relation.AT_LEAST: Relation.BELOW,
    Relation.AT_MOST: Relation.ABOVE,
    Relation.BELOW: Relation.AT_LEAST,
}

Claim = tuple[Averages, FloatArray]
"""A comparison, and the scores of its two systems."""


@frozen(eq=False)
class Joint:
    """Rescalings to try, by measure, or the proof that none makes all comparisons true.

    Parameters
    ----------
    proof : str
        Why there is none; nothing if there may be some.
    maps : tuple of Maps
        The rescalings.
    """

    proof: str = ""
    maps: tuple[dict[str, Transformation], ...] = ()


@frozen(eq=False)
class Lengths:
    """The gaps that may be stretched: between all scores, or between those of each topic.

    Parameters
    ----------
    values
        The scores in ascending order, once for all topics or for each topic.
    topics
        The topics; none if all share a scale.
    """

    values: tuple[FloatArray, ...]
    topics: tuple[str, ...] = ()

    @classmethod
    def of(cls, rows: Sequence[FloatArray], topics: tuple[str, ...], *, one_scale: bool) -> Lengths:
        """Return the gaps between the scores of several pairs of systems.

        Examples
        --------
        >>> rows = np.array([[1.0, 4.0], [2.0, 2.0]])
        >>> [each.tolist() for each in Lengths.of([rows], ("1", "2"), one_scale=False).values]
        [[1.0, 2.0], [2.0, 4.0]]
        """
        every = np.concatenate(list(rows))
        if one_scale:
            return cls((np.unique(every[~np.isnan(every)]),))
        columns = tuple(np.unique(column[~np.isnan(column)]) for column in every.T)
        return cls(columns, topics)

    def weights(self, rows: FloatArray, weights: IntArray) -> IntArray:
        """Return what stretching each gap adds to a weighted sum of scores."""
        if not self.topics:
            return _weights(self.values[0], rows, weights)
        found = [_weights(v, rows[:, [t]], weights[:, [t]]) for t, v in enumerate(self.values)]
        return np.concatenate([*found, np.zeros(0, dtype=np.int64)])

    def map_of(self, lengths: FloatArray) -> Transformation | None:
        """Return the rescaling that gives the gaps these lengths."""
        sizes = [max(0, len(values) - 1) for values in self.values]
        parts = np.split(lengths, np.cumsum(sizes)[:-1])
        maps: list[Plain | None] = []
        for values, part in zip(self.values, parts, strict=True):
            after = np.concatenate([[0.0], part.cumsum()])
            maps.append(next(iter(through(values, after, short=False)), None))
        if not self.topics:
            return maps[0]
        return PerTopic(self.topics, {topic: map_ for topic, map_ in zip(self.topics, maps, strict=True) if map_})


def joint_rescaling(
    claims: Sequence[Claim], topics: tuple[str, ...], scale: Scale, *, one_scale: bool, wanted: bool, measure: str
) -> Joint | None:
    """Return an increasing map that makes all comparisons true (or false), or the proof that none does.

    Parameters
    ----------
    claims
        Comparisons of means, with the scores of their systems.
    topics
        The topics.
    scale, one_scale
        The scale, and whether all topics share it.
    wanted
        Whether they are to be true.
    measure
        The measure.

    Returns
    -------
    Joint or None
        Nothing where the question is none of this kind.
    """
    if scale is not Scale.ORDINAL or any(claim.average is not Average.MEAN or claim.factor != 1 for claim, _ in claims):
        return None
    lengths = Lengths.of([rows for _, rows in claims], topics, one_scale=one_scale)
    matrix, strict = [], []
    for claim, rows in claims:
        relation = claim.relation if wanted else DENIED.get(claim.relation, claim.relation)
        if relation not in SIDES or (not one_scale and np.isnan(rows).any()):
            return None
        side, must = SIDES[relation]
        matrix.append(side * lengths.weights(rows, claim.weights(rows)))
        strict.append(must)
    found = np.array(matrix)
    if not found.size or found.size > LARGEST:
        return None
    return _solved(found, np.array(strict), lengths, measure)


def _weights(values: FloatArray, rows: FloatArray, weights: IntArray) -> IntArray:
    """Return the weights of all scores above each gap."""
    there = ~np.isnan(rows)
    each = np.zeros(len(values), dtype=np.int64)
    np.add.at(each, np.searchsorted(values, rows[there]), weights[there])
    return np.asarray(each.sum() - each.cumsum()[:-1])


def _solved(
    matrix: IntArray, strict: np.ndarray[tuple[int], np.dtype[np.bool_]], lengths: Lengths, measure: str
) -> Joint:
    """Return positive lengths of gaps that give every sum its side, as far from 0 as possible; or the proof."""
    from scipy.optimize import linprog

    claims, gaps = matrix.shape
    scaled = matrix / np.maximum(1, np.abs(matrix).max(axis=1, keepdims=True))
    # unknown are the least length, which is to be large, and by how much each length exceeds it
    found = linprog(
        np.concatenate([np.zeros(gaps), [-1.0]]),
        A_ub=np.hstack([-scaled, (strict - scaled.sum(axis=1))[:, None]]),
        b_ub=np.zeros(claims),
        A_eq=[[*np.ones(gaps), float(gaps)]],
        b_eq=[1.0],
        bounds=[(0, None)] * gaps + [(None, 1)],
        method="highs",
    )
    if found.status == 0 and -found.fun > LEAST:
        map_ = lengths.map_of(np.maximum(found.x[:-1] + found.x[-1], LEAST))
        return Joint(maps=() if map_ is None else ({measure: map_},))
    if found.status == 0 and contradiction(matrix, strict, -found.ineqlin.marginals[:claims]):
        return Joint(proof="whatever the gaps between scores, its parts contradict each other")
    return Joint()


def contradiction(matrix: IntArray, strict: np.ndarray[tuple[int], np.dtype[np.bool_]], weights: FloatArray) -> bool:
    """Return whether weights, made fractions, prove that no positive lengths give every sum its side.

    Examples
    --------
    >>> contradiction(np.array([[1, -1], [-1, 1]]), np.array([True, True]), np.array([0.5, 0.5]))
    True
    """
    scaled = np.abs(weights) / max(float(np.abs(weights).max()), LEAST)
    largest = np.maximum(1, np.abs(matrix).max(axis=1))
    shares = [
        Fraction(float(w)).limit_denominator(DENOMINATOR) / int(top) for w, top in zip(scaled, largest, strict=True)
    ]
    sums = [sum((y * int(w) for y, w in zip(shares, column, strict=True)), Fraction(0)) for column in matrix.T]
    if any(each > 0 for each in sums):
        return False
    return any(y > 0 and must for y, must in zip(shares, strict, strict=True)) or any(each < 0 for each in sums)
