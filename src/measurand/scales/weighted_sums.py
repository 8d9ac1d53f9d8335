"""Weighted sums of scores: which signs they can take when scores are rescaled, and the rescalings to try."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.execution import Rng, generator
from measurand.scale import Scale
from measurand.scales.statements import sign_of
from measurand.scales.transformations import (
    MARGINS,
    Affine,
    Gaps,
    Increasing,
    PerTopic,
    Plain,
    Power,
    Relabelling,
    Transformation,
    fractions_of,
    is_plain,
    keeps_order,
    literally_through,
    small,
    through,
    weighted,
)

ANY = frozenset((-1, 0, 1))

POWERS = (2, 0.5, 3, 1 / 3, 5, 0.2, 10, 0.1)

FACTORS = (1.5, 2.0, 4.0, 10.0, 100.0)

GAPS = 24


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
        Scores, systems × topics.
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

    @property
    def by_topic(self) -> FloatArray:
        """What every topic adds to the sum, and 0 where only rounding tells it from 0."""
        sums = np.nansum(self.weights * self.rows, axis=0)
        settled = [_settled(w, x) for w, x in zip(self.weights.T, self.rows.T, strict=True)]
        return np.where(np.array(settled) == 0, 0.0, sums)

    @property
    def unbalanced(self) -> IntArray:
        """What every topic adds to the sum of weights: what a shift of the topic does."""
        return np.asarray(self.weights.sum(axis=0))

    @property
    def shiftable(self) -> bool:
        """Whether shifting scores moves the sum freely."""
        balanced = self.weights.sum() == 0 and (self.one_scale or not self.unbalanced.any())
        return self.scale < Scale.RATIO and not balanced

    def signs(self) -> frozenset[int]:
        """Return every sign that the sum takes under some permissible rescaling."""
        if self.shiftable:
            return ANY
        if self.one_scale:
            if self.scale is Scale.ORDINAL:
                return signs_of(Gaps.of(self.rows, self.weights).weights)
            return signs_of(np.array([_settled(self.weights, self.rows)]))
        if self.scale is Scale.ORDINAL and len(self.rows) > 2:
            return signs_of(np.concatenate([gaps.weights for gaps in self._gaps_by_topic()]))
        if len(self.rows) == 2 and not self.unbalanced.any():
            # the larger of two scores of a topic, whatever rounding makes of sums
            return signs_of(self.weights[0] * np.nan_to_num(np.sign(self.rows[0] - self.rows[1])))
        return signs_of(np.array([_settled(w, x) for w, x in zip(self.weights.T, self.rows.T, strict=True)]))

    def rescalings(self, target: int, present: int) -> Iterator[Transformation]:
        """Yield rescalings that should give the sum a sign, the gentlest first."""
        if self.shiftable:
            yield from self._shifts(target)
        elif self.one_scale:
            yield from self._stretches(target, present)
        else:
            yield from self._stretched_topics(target, present)
            if self.scale is Scale.ORDINAL:
                yield from self._stretched_gaps(target, present)

    def _shifts(self, target: int) -> Iterator[Transformation]:
        total, sums = int(self.weights.sum()), float(np.nansum(self.by_topic))
        place = int(np.argmax(np.abs(self.unbalanced)))
        weight = total if total else int(self.unbalanced[place])
        size = float(np.nanmax(np.abs(self.rows))) or 1.0
        far = target * (abs(sums) + 0.1 * size * abs(weight)) / weight
        if not target:
            yield from self._literal_shifts(place if not total else None, weight)
        # exactly to 0, or to what rounding has kept from it
        to_zero = [-sums / weight, float(f"{-sums / weight:.12g}")]
        for shift in [short(margin * far) for margin in MARGINS] if target else to_zero:
            map_ = Affine(1, shift)
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
        if exactly:
            yield from self._literal_stretches(gaps, way)
        for some in (gaps, gaps.evened()):
            for after in some.stretches(way, exactly=exactly):
                yield from through(gaps.values, after, short=not exactly)

    def _stretched_topics(self, target: int, present: int) -> Iterator[Transformation]:
        way = target or -present
        gains = way * self.by_topic
        gain, lack = gains[gains > 0].sum(), -gains[gains < 0].sum()
        if gain <= 0:
            return
        if target == 0:
            yield from self._literal_multiples(way)
        for margin in (1.0,) if target == 0 else MARGINS:
            factor = lack / gain if target == 0 else short(margin * lack / gain + 0.1 * margin)
            chosen = [self.topics[place] for place in np.flatnonzero(gains > 0)]
            yield PerTopic(self.topics, dict.fromkeys(chosen, Affine.near(factor)))

    def _literal_multiples(self, way: int) -> Iterator[Transformation]:
        """Yield the multiple, a fraction, of topics on one side that takes the sum to 0."""
        gains = way * weighted(self.weights, fractions_of(self.rows)).sum(axis=0)
        places = [place for place, gain in enumerate(gains.tolist()) if gain > 0]
        gain = sum(gains[places])
        lack = gain - sum(gains)
        if gain and lack > 0 and small(lack / gain):
            yield PerTopic(self.topics, {self.topics[place]: Affine(lack / gain) for place in places})

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


def short(number: float) -> float:
    """Return a number with three digits, away from 0.

    Examples
    --------
    >>> short(0.12341), short(-12.0)
    (0.124, -12.0)
    """
    if number == 0 or not np.isfinite(number):
        return number
    step = 10.0 ** (np.floor(np.log10(abs(number))) - 2)
    return float(f"{np.sign(number) * np.ceil(abs(number) / step) * step:.3g}")


def candidate_rescalings(
    values: FloatArray, topics: tuple[str, ...], scale: Scale, pair: FloatArray, *, one_scale: bool
) -> Iterator[Transformation]:
    """Yield permissible rescalings that are likely to change a statement about two systems, the plain ones first.

    Parameters
    ----------
    values
        All scores, systems × topics.
    pair
        The scores of the two systems.
    """
    if scale is Scale.NOMINAL:
        return
    if one_scale:
        if scale is Scale.ORDINAL:
            yield from _kept(_common(values, pair), values, one_scale=True)
        return
    yield from _kept(_own(values, topics, scale, pair), values, one_scale=False)
    if scale is Scale.ORDINAL:
        yield from _kept(_common(values, pair), values, one_scale=True)


def random_rescalings(
    values: FloatArray, topics: tuple[str, ...], scale: Scale, *, one_scale: bool, many: int, rng: Rng
) -> Iterator[Transformation]:
    """Yield random permissible rescalings of scores.

    Examples
    --------
    >>> scores = np.array([[1.0, 2.0]])
    >>> rescalings = list(random_rescalings(scores, ("1", "2"), Scale.RATIO, one_scale=True, many=3, rng=0))
    >>> [bool(2 * np.isclose(*f(scores)[0][::-1] / [2, 1])) for f in rescalings]
    [True, True, True]
    """
    generate = generator(rng)
    there = ~np.isnan(values)
    for _ in range(many):
        if one_scale:
            yield random_rescaling(values[there], scale, generate)
        else:
            yield PerTopic(
                topics,
                {
                    topic: random_rescaling(values[there[:, t], t], scale, generate)
                    for t, topic in enumerate(topics)
                    if there[:, t].any()
                },
            )


def random_rescaling(values: FloatArray, scale: Scale, generate: np.random.Generator) -> Plain:
    """Return a random permissible rescaling of some scores.

    Examples
    --------
    >>> random_rescaling(np.array([1.0, 2.0]), Scale.INTERVAL, generator(0)).slope > 0
    True
    """
    distinct = np.unique(values)
    size = float(np.ptp(distinct)) or 1.0
    if scale is Scale.RATIO:
        return Affine(10 ** generate.uniform(-2, 2))
    if scale is Scale.INTERVAL:
        return Affine(10 ** generate.uniform(-2, 2), generate.normal(0, 10 * size))
    if scale is Scale.NOMINAL:
        if generate.random() < 0.5:
            return Relabelling(distinct, generate.permutation(distinct))
        return Relabelling(distinct, generate.normal(0, 10 * size, len(distinct)))
    steps = np.maximum(generate.gamma(10 ** generate.uniform(-1.5, 1), size=len(distinct) - 1), 1e-6)
    length = 10 ** generate.uniform(-1, 1) / max(float(steps.sum()), 1e-6)
    after = np.concatenate([[0.0], steps.cumsum()]) * length + generate.normal()
    return Increasing(distinct, size * after)


def _kept(maps: Iterator[Transformation], values: FloatArray, *, one_scale: bool) -> Iterator[Transformation]:
    return (map_ for map_ in maps if keeps_order(map_, values, one_scale=one_scale))


def _common(values: FloatArray, pair: FloatArray) -> Iterator[Transformation]:
    """Yield increasing maps: powers, equal steps, logarithms of sorts, one gap stretched."""
    distinct = np.unique(values[~np.isnan(values)])
    low, high = float(distinct[0]), float(distinct[-1])
    if low == high:
        return
    low, high = (0.0, 1.0) if low >= 0 and high <= 1 else (low, high)
    yield from (Power(exponent, low, high) for exponent in POWERS)
    yield from through(distinct, np.linspace(low, high, len(distinct)), short=False)
    share = (distinct - low) / (high - low)
    for offset in (0.1, 0.01):
        yield from through(distinct, low - 1 / (share + offset), short=False)
    both = np.unique(pair[~np.isnan(pair)])
    ends = np.unique(np.linspace(0, len(both) - 1, min(len(both), GAPS)).astype(np.int64))
    for factor in (3.0, 30.0, 1000.0):
        for start, end in zip(both[ends[:-1]], both[ends[1:]], strict=True):
            stretched = distinct + (factor - 1) * (np.clip(distinct, start, end) - start)
            yield from through(distinct, stretched, short=False)


def _own(values: FloatArray, topics: tuple[str, ...], scale: Scale, pair: FloatArray) -> Iterator[Transformation]:
    """Yield rescalings of single topics: those of one system's wins stretched, topics pulled apart, made alike."""
    ahead = np.nan_to_num(np.sign(pair[0] - pair[1]))
    for factor in FACTORS:
        for sign in (1, -1):
            chosen = [topics[t] for t in np.flatnonzero(ahead == sign)]
            yield PerTopic(topics, dict.fromkeys(chosen, Affine(factor)))
    empty = np.isnan(values).all(axis=0)
    low = np.nanmin(np.where(empty, 0.0, values), axis=0)
    spans = np.nanmax(np.where(empty, 0.0, values), axis=0) - low
    size = float(spans.max()) or 1.0
    if scale < Scale.RATIO:
        slopes = np.divide(1.0, spans, out=np.ones_like(spans), where=spans > 0)
        yield PerTopic(topics, {topic: Affine.near(s, -s * b) for topic, s, b in zip(topics, slopes, low, strict=True)})
        for step in (0.1, 1.0, 3.0):
            apart = [Affine(1, step * size * t) for t in range(len(topics))]
            yield PerTopic(topics, dict(zip(topics, apart, strict=True)))
    pairs = np.abs(pair[0] - pair[1])
    for sign in (1, -1, 0):
        # every difference made alike, except that those of the other sign nearly vanish
        wanted = np.where((ahead == sign) | (sign == 0), 1.0, 1e-3)
        yield PerTopic(topics, {topics[t]: Affine.near(wanted[t] * size / pairs[t]) for t in np.flatnonzero(pairs > 0)})
