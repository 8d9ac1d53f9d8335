"""The cone of differences: everything that increasing maps can make of the differences of two systems."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.scales.meaning.stretching import through
from measurand.scales.meaning.transformations import Affine, PerTopic, Transformation

BLENDS = (0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 0.99, 0.999, 0.9999, 1 - 1e-6, 1 - 1e-8)
"""How far towards an extreme map the maps go that are tried, the gentlest first."""


@frozen(eq=False)
class Cone:
    r"""Differences of two systems by topic as :math:`d = A u`, where any :math:`u > 0` comes of some rescaling.

    If all topics share a scale, `u` are the lengths of the gaps between the scores that occur, and `A` says which
    gaps lie between the two scores of a topic. If every topic has its own, `u` are the sizes of its differences.

    Student's t grows with the cosine of the angle between `d` and (1, …, 1). So it is largest at the projection
    of (1, …, 1) on the cone, and among differences that cannot change direction it is smallest on an edge.

    Parameters
    ----------
    edges
        The matrix `A`, topics × edges.
    lengths
        What `u` is for the scores as they are.
    """

    rows: FloatArray
    topics: tuple[str, ...]
    one_scale: bool
    edges: FloatArray
    lengths: FloatArray
    values: FloatArray

    @classmethod
    def of(cls, rows: FloatArray, topics: tuple[str, ...], *, one_scale: bool) -> Cone:
        """Return the cone of the scores of two systems, which have no gaps.

        Examples
        --------
        >>> cone = Cone.of(np.array([[1.0, 4.0], [2.0, 2.0]]), ("1", "2"), one_scale=True)
        >>> cone.edges.tolist(), cone.lengths.tolist()
        ([[-1.0, 0.0], [0.0, 1.0]], [1.0, 2.0])
        """
        if not one_scale:
            differences = rows[0] - rows[1]
            return cls(rows, topics, False, np.diag(np.sign(differences)), np.abs(differences), np.empty(0))
        values = np.unique(rows)
        above = rows[:, :, None] > values[None, None, :-1]
        edges = above[0].astype(np.float64) - above[1]
        return cls(rows, topics, True, edges, np.diff(values), values)

    @property
    def pulls(self) -> FloatArray:
        """How each edge moves the sum of the differences."""
        return np.asarray(self.edges.sum(axis=0))

    def furthest(self, sign: int) -> tuple[FloatArray, float]:
        """Return the lengths at which t is largest in a direction, and the cosine there."""
        from scipy.optimize import nnls

        lengths, _ = nnls(self.edges, np.full(len(self.edges), float(sign)), maxiter=50 * self.edges.shape[1])
        return lengths, self.cosine(lengths)

    def nearest(self) -> tuple[FloatArray, float]:
        """Return the lengths at which t is closest to 0, among edges, and the cosine there."""
        sizes = np.sqrt((self.edges**2).sum(axis=0))
        cosines = np.divide(np.abs(self.pulls), sizes, out=np.full(len(sizes), np.inf), where=sizes > 0)
        best = int(np.argmin(cosines))
        lengths = np.zeros(len(sizes))
        lengths[best] = 1.0
        return lengths, self.cosine(lengths)

    def turning(self) -> tuple[FloatArray, float]:
        """Return lengths of the opposite direction alone, and how far towards them the sum is 0."""
        present = float(self.pulls @ self.lengths)
        against = np.where(np.sign(self.pulls) == -np.sign(present), self.lengths, 0.0)
        total, other = abs(present) / self.lengths.sum(), abs(float(self.pulls @ against)) / against.sum()
        return against, total / (total + other)

    def cosine(self, lengths: FloatArray) -> float:
        """Return the cosine between the differences and (1, …, 1)."""
        differences = self.edges @ lengths
        size = sqrt(float(differences @ differences))
        return float(differences.sum()) / (size * sqrt(len(differences))) if size > 0 else 0.0

    def towards(self, lengths: FloatArray, blends: tuple[float, ...] = BLENDS) -> Iterator[Transformation]:
        """Yield rescalings that go some way from the scores as they are to given lengths."""
        here, there = self.lengths / self.lengths.sum(), lengths / lengths.sum()
        for blend in blends:
            mixed = (1 - blend) * here + blend * there
            yield from self._one(mixed) if self.one_scale else self._own(mixed)

    def _one(self, mixed: FloatArray) -> Iterator[Transformation]:
        after = self.values[0] + (self.values[-1] - self.values[0]) * np.concatenate([[0.0], mixed.cumsum()])
        yield from through(self.values, after)

    def _own(self, mixed: FloatArray) -> Iterator[Transformation]:
        moved = np.flatnonzero(self.lengths > 0)
        slopes = mixed[moved] * self.lengths.sum() / self.lengths[moved]
        yield PerTopic(self.topics, {self.topics[t]: Affine.near(s) for t, s in zip(moved, slopes, strict=True)})


def t_pvalue(cosine: float, topics: int) -> float:
    """Return the two-sided p-value of Student's t from the cosine between differences and (1, …, 1).

    Examples
    --------
    >>> t_pvalue(0.0, 10), t_pvalue(1.0, 10)
    (1.0, 0.0)
    """
    from scipy.special import stdtr

    if topics < 2:
        return 1.0
    rest = 1 - cosine * cosine
    if rest <= 1e-15:
        return 0.0
    return float(2 * stdtr(topics - 1, -abs(cosine) * sqrt((topics - 1) / rest)))
