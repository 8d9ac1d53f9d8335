"""Weighted sums of scores: which signs they can take when scores are rescaled, and how."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.scale import Scale
from measurand.scales.meaning.literal import fractions_of, is_plain, small, weighted
from measurand.scales.meaning.statements import sign_of
from measurand.scales.meaning.stretching import MARGINS, Gaps, literally_through, through
from measurand.scales.meaning.transformations import Affine, PerTopic, Plain, Power, Transformation

ANY = frozenset((-1, 0, 1))


def signs_of(weights: IntArray | FloatArray) -> frozenset[int]:
    """Return the signs of a sum with positive coefficients of some numbers.

    Examples
    --------
    >>> sorted(signs_of(np.array([2, 0]))), sorted(signs_of(np.array([2, -1]))), sorted(signs_of(np.array([0])))
    ([1], [-1, 0, 1], [0])
    """
    up, down = bool((weights > 0).any()), bool((weights < 0).any())
    if up and down:
        return ANY
    return frozenset((int(up) - int(down),))


@frozen(eq=False)
class Form:
    """A weighted sum of scores on a scale.

    Parameters
    ----------
    rows
        Scores, systems × topics; their logarithms are summed if `logs`.
    weights
        Whole numbers of the same shape.
    scale
        Ordinal, interval or ratio.
    one_scale
        Whether all topics are rescaled alike.

    Examples
    --------
    >>> rows, weights = np.array([[6.0, 17.0], [3.0, 50.0]]), np.array([[1, 1], [-1, -1]])
    >>> sorted(Form(rows, weights, ("1", "2"), Scale.ORDINAL, True).signs())
    [-1, 0, 1]
    >>> sorted(Form(rows, weights, ("1", "2"), Scale.INTERVAL, True).signs())
    [-1]
    """

    rows: FloatArray
    weights: IntArray
    topics: tuple[str, ...]
    scale: Scale
    one_scale: bool
    logs: bool = False

    @property
    def summed(self) -> FloatArray:
        """What is summed: the scores or their logarithms."""
        return np.log(self.rows) if self.logs else self.rows

    @property
    def by_topic(self) -> FloatArray:
        """What every topic adds to the sum."""
        return np.asarray(np.nansum(self.weights * self.summed, axis=0))

    @property
    def unbalanced(self) -> IntArray:
        """What every topic adds to the sum of weights: what a shift of the topic does."""
        return np.asarray(self.weights.sum(axis=0))

    @property
    def shiftable(self) -> bool:
        """Whether shifting scores (or, of logarithms, multiplying them) moves the sum freely."""
        free = self.scale < Scale.RATIO or self.logs
        balanced = self.weights.sum() == 0 and (self.one_scale or not self.unbalanced.any())
        return free and not balanced

    def signs(self) -> frozenset[int]:
        """Return every sign that the sum takes under some permissible rescaling."""
        if self.shiftable:
            return ANY
        if self.one_scale:
            if self.scale is Scale.ORDINAL:
                return signs_of(Gaps.of(self.rows, self.weights).weights)
            return signs_of(np.array([_settled(self.weights, self.summed)]))
        if self.scale is Scale.RATIO and self.logs:
            return signs_of(np.array([_settled(self.weights, self.summed)]))
        if self.scale is Scale.ORDINAL and len(self.rows) > 2:
            return signs_of(np.concatenate([gaps.weights for gaps in self._gaps_by_topic()]))
        if len(self.rows) == 2 and not self.unbalanced.any():
            # the larger of two scores of a topic, whatever rounding makes of sums
            return signs_of(self.weights[0] * np.nan_to_num(np.sign(self.rows[0] - self.rows[1])))
        return signs_of(np.array([_settled(w, x) for w, x in zip(self.weights.T, self.summed.T, strict=True)]))

    def rescalings(self, target: int, present: int) -> Iterator[Transformation]:
        """Yield rescalings that should give the sum a sign, the gentlest first."""
        if self.shiftable:
            yield from self._shifts(target)
        elif self.one_scale:
            yield from self._stretches(target, present)
        else:
            yield from self._stretched_topics(target, present)
            if self.scale is Scale.ORDINAL and not self.logs:
                yield from self._stretched_gaps(target, present)

    def _shifts(self, target: int) -> Iterator[Transformation]:
        total, sums = int(self.weights.sum()), float(np.nansum(self.by_topic))
        place = int(np.argmax(np.abs(self.unbalanced)))
        weight = total if total else int(self.unbalanced[place])
        size = float(np.nanmax(np.abs(self.summed))) or 1.0
        far = target * (abs(sums) + 0.1 * size * abs(weight)) / weight
        if not target and not self.logs:
            yield from self._literal_shifts(place if not total else None, weight)
        # exactly to 0, or to what rounding has kept from it
        to_zero = [-sums / weight, float(f"{-sums / weight:.12g}")]
        for shift in [_short(margin * far) for margin in MARGINS] if target else to_zero:
            map_ = Affine.near(float(np.exp(shift))) if self.logs else Affine(1, shift)
            yield map_ if total else PerTopic(self.topics, {self.topics[place]: map_})

    def _literal_shifts(self, place: int | None, weight: int) -> Iterator[Transformation]:
        """Yield the map that takes the sum to 0, in whole numbers: of all topics, or by a shift of one of them."""
        shift = -weighted(self.weights, fractions_of(self.rows)).sum() / weight
        if small(shift) and place is None:
            yield Affine(Fraction(shift.denominator), Fraction(shift.numerator))
        elif small(shift) and place is not None:
            yield PerTopic(self.topics, {self.topics[place]: Affine(1, shift)})

    def _literal_stretches(self, gaps: Gaps, way: int) -> Iterator[Transformation]:
        """Yield maps whose knots are fractions that take the sum to 0; even steps first where scores are not plain."""
        values = fractions_of(gaps.values).tolist()
        steps = [Fraction(step) for step in range(len(values))]
        for some in (values, steps) if is_plain(values) else (steps, values):
            after = gaps.levelled(way, some)
            if after is not None and small(*after):
                yield literally_through(values, after)

    def _stretches(self, target: int, present: int) -> Iterator[Transformation]:
        gaps = Gaps.of(self.rows, self.weights)
        exactly, way = target == 0, target or -present
        if exactly and not self.logs:
            yield from self._literal_stretches(gaps, way)
        if self.logs:
            values = Gaps(np.log(gaps.values), gaps.weights, gaps.total)
            for after in values.stretches(way, exactly=exactly):
                yield from through(gaps.values, np.exp(after))
            return
        for some in (gaps, gaps.evened()):
            for after in some.stretches(way, exactly=exactly):
                yield from through(gaps.values, after, short=not exactly)

    def _stretched_topics(self, target: int, present: int) -> Iterator[Transformation]:
        way = target or -present
        gains = way * self.by_topic
        gain, lack = gains[gains > 0].sum(), -gains[gains < 0].sum()
        if gain <= 0:
            return
        if self.logs and self.scale is Scale.INTERVAL:
            yield from self._shifted_topics(np.flatnonzero(gains > 0))
            return
        if target == 0 and not self.logs:
            yield from self._literal_multiples(way)
        for margin in (1.0,) if target == 0 else MARGINS:
            factor = lack / gain if target == 0 else _short(margin * lack / gain + 0.1 * margin)
            map_: Plain = Power(factor) if self.logs else Affine.near(factor)
            yield PerTopic(self.topics, {self.topics[place]: map_ for place in np.flatnonzero(gains > 0)})

    def _literal_multiples(self, way: int) -> Iterator[Transformation]:
        """Yield the multiple, a fraction, of topics on one side that takes the sum to 0."""
        gains = way * weighted(self.weights, fractions_of(self.rows)).sum(axis=0)
        places = [place for place, gain in enumerate(gains.tolist()) if gain > 0]
        gain = sum(gains[places])
        lack = gain - sum(gains)
        if gain and lack > 0 and small(lack / gain):
            yield PerTopic(self.topics, {self.topics[place]: Affine(lack / gain) for place in places})

    def _shifted_topics(self, places: IntArray) -> Iterator[Transformation]:
        """Yield shifts of topics that bring their lowest score close to 0, where ratios are large."""
        lowest, highest = np.nanmin(self.rows[:, places], axis=0), np.nanmax(self.rows[:, places], axis=0)
        for power in range(1, 13):
            shifts = (highest - lowest) * 10.0**-power - lowest
            yield PerTopic(self.topics, {self.topics[t]: Affine(1, s) for t, s in zip(places, shifts, strict=True)})

    def _stretched_gaps(self, target: int, present: int) -> Iterator[Transformation]:
        sums, way = self.by_topic, target or -present
        for place, gaps in enumerate(self._gaps_by_topic()):
            if (way * gaps.weights > 0).any():
                # nonzero, so that the topic may grow beyond its range
                if target == 0:
                    yield from self._literal_gaps(place, gaps, way)
                rest = float(sums.sum() - sums[place]) or -way * 1e-300
                for after in gaps.stretches(way, rest=rest, exactly=target == 0):
                    for map_ in through(gaps.values, after, short=target != 0):
                        yield PerTopic(self.topics, {self.topics[place]: map_})

    def _literal_gaps(self, place: int, gaps: Gaps, way: int) -> Iterator[Transformation]:
        """Yield the map of one topic, with fractions for knots, that takes the sum to 0."""
        parts = weighted(self.weights, fractions_of(self.rows))
        values = fractions_of(gaps.values).tolist()
        rest = parts.sum() - parts[:, place].sum()
        after = gaps.levelled(way, values, rest)
        if after is not None and small(*after):
            yield PerTopic(self.topics, {self.topics[place]: literally_through(values, after)})

    def _gaps_by_topic(self) -> list[Gaps]:
        return [Gaps.of(self.rows[:, [t]], self.weights[:, [t]]) for t in range(self.rows.shape[1])]


def _settled(weights: IntArray, summed: FloatArray) -> float:
    """Return a weighted sum, and 0 where only rounding tells it from 0."""
    parts = np.nan_to_num(weights * summed).ravel()
    left, right = float(parts[parts > 0].sum()), float(-parts[parts < 0].sum())
    return sign_of(left, right, 0.0)


def _short(number: float) -> float:
    """Return a number with three digits, away from 0."""
    if number == 0 or not np.isfinite(number):
        return number
    step = 10.0 ** (np.floor(np.log10(abs(number))) - 2)
    return float(f"{np.sign(number) * np.ceil(abs(number) / step) * step:.3g}")
