"""Medians and quartiles when every topic is rescaled in its own way: any topic can be put in the middle."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.scales.meaning.linear import ANY
from measurand.scales.meaning.literal import fractions_of, small
from measurand.scales.meaning.statements import Average
from measurand.scales.meaning.transformations import Affine, PerTopic, Transformation


@frozen(eq=False)
class Middle:
    """Two systems' scores on the same topics, and the place of a median or quartile.

    If one system is never behind, each of its ordered scores is at least the other's. So its median is not
    below the other's, and equals it exactly when tied topics can fill the middle.

    Parameters
    ----------
    rows
        The scores of two systems, without gaps.
    average
        Median, lower quartile or upper quartile.

    Examples
    --------
    >>> tied = Middle(np.array([[1.0, 2.0, 5.0], [1.0, 1.0, 4.0]]), ("1", "2", "3"), Average.MEDIAN)
    >>> sorted(tied.signs())
    [0, 1]
    """

    rows: FloatArray
    topics: tuple[str, ...]
    average: Average

    @property
    def directions(self) -> IntArray:
        """Which system is ahead on each topic."""
        return np.asarray(np.sign(self.rows[0] - self.rows[1]).astype(np.int64))

    @property
    def places(self) -> tuple[int, ...]:
        """The places, from 0, in ascending order that are averaged: one or two."""
        n = len(self.topics)
        if self.average is Average.MEDIAN:
            return tuple(sorted({(n - 1) // 2, n // 2}))
        return (-(-(1 if self.average is Average.LOWER else 3) * n // 4) - 1,)

    def signs(self) -> frozenset[int]:
        """Return every sign that the difference takes when topics are rescaled separately."""
        ahead, behind, tied = ((self.directions == sign).sum() for sign in (1, -1, 0))
        if ahead and behind:
            return ANY
        found = {1} if ahead else {-1} if behind else {0}
        return frozenset(found | ({0} if tied >= len(self.places) else set()))

    def rescalings(self, target: int) -> Iterator[Transformation]:
        """Yield a rescaling of every topic that gives the difference a sign (or 0, by tied topics)."""
        wanted = np.flatnonzero(self.directions == target)[: len(self.places)].tolist()
        if target == 0 and len(wanted) < len(self.places):
            yield from self._crossed()
        elif wanted:
            others = [place for place in range(len(self.topics)) if place not in wanted]
            middle = wanted + [others.pop() for _ in range(len(self.places) - len(wanted))]
            order = [*others[: self.places[0]], *middle, *others[self.places[0] :]]
            # a topic of the middle that is not wanted hardly differs, so that the wanted one decides
            sizes = {place: 0.5 if place in wanted else 0.125 for place in order}
            maps = {self.topics[p]: self._onto(p, level, sizes[p]) for level, p in enumerate(order)}
            yield PerTopic(self.topics, maps)

    def _crossed(self) -> Iterator[Transformation]:
        """Yield a rescaling that puts a topic won and a topic lost, as if mirrored, in the middle."""
        ahead, behind = (np.flatnonzero(self.directions == sign) for sign in (1, -1))
        if len(ahead) == 0 or len(behind) == 0:
            return
        both = [int(ahead[0]), int(behind[0])]
        others = [place for place in range(len(self.topics)) if place not in both]
        start = min(self.places[0], len(self.topics) - 2)
        maps = {place: self._onto(place, level, 0.5) for level, place in enumerate(others[:start])}
        maps |= {place: self._literally_onto(place, start) for place in both}
        maps |= {place: self._onto(place, start + 1 + level, 0.5) for level, place in enumerate(others[start:])}
        yield PerTopic(self.topics, {self.topics[place]: map_ for place, map_ in maps.items()})

    def _onto(self, place: int, level: int, size: float) -> Affine:
        """Return the map that puts the lower score of a topic at a level and the other so much above."""
        low, high = float(self.rows[:, place].min()), float(self.rows[:, place].max())
        slope = size / (high - low) if high > low else 1.0
        return Affine.near(slope, level - slope * low)

    def _literally_onto(self, place: int, level: int) -> Affine:
        """Return the map, in fractions, that puts the lower score of a topic at a level and the other a half above."""
        low, high = sorted(fractions_of(self.rows[:, place]).tolist())
        slope = 1 / (2 * (high - low))
        shift = level - slope * low
        return Affine(slope, shift) if small(slope, shift) else self._onto(place, level, 0.5)
